//! The licences of all parts of the program, with the texts that the crates contain, including those of C libraries
//! within crates.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::graph::{Crate, Graph};
use super::slashed;

/// The path of the licences in packages.
pub(crate) const FILE: &str = "THIRD-PARTY-LICENSES.txt";

/// The maximum depth below the folder of a crate at which licences of bundled libraries are searched.
const DEPTH: usize = 4;

/// The licences of all crates. A text that several crates share is printed once.
pub(crate) fn text(graph: &Graph) -> Result<String, String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut list = String::new();
    for one in graph.crates.values().filter(|one| !one.is_own) {
        let licence = one.licence.as_deref().unwrap_or("see its text below");
        list.push_str(&format!("{} {}: {licence}", one.name, one.version));
        if let Some(repository) = &one.repository {
            list.push_str(&format!(", {repository}"));
        }
        list.push('\n');
        let found = licence_files(&one.folder, 0)?;
        if found.iter().all(|path| path.components().count() > one.folder.components().count() + 1) {
            texts.entry(without_text(one)).or_default().push(one.key());
        }
        for path in found {
            let text = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let text = String::from_utf8_lossy(&text).replace("\r\n", "\n").trim().to_owned();
            let inner = path.strip_prefix(&one.folder).unwrap_or(&path);
            texts.entry(text).or_default().push(format!("{} {}: {}", one.name, one.version, slashed(inner)));
        }
    }
    let mut all = format!(
        "crd-ls is made of these libraries, and of Rust's standard library (MIT OR Apache-2.0, © The Rust Project \
         Developers).\nTheir licences follow.\n\n{list}"
    );
    for (text, of) in texts {
        all.push_str(&format!("\n{}\n{}\n\n{text}\n", "=".repeat(80), of.join("\n")));
    }
    Ok(all)
}

/// The replacement for a missing text.
fn without_text(one: &Crate) -> String {
    let licence = one.licence.as_deref().unwrap_or("no licence");
    let by = if one.authors.is_empty() { "its authors".to_owned() } else { one.authors.join(", ") };
    format!("The package has no text of its own. It is published under {licence} by {by}.")
}

/// The licence files of a crate, those at its top first.
fn licence_files(folder: &Path, depth: usize) -> Result<Vec<PathBuf>, String> {
    let problem = |error: std::io::Error| format!("{}: {error}", folder.display());
    let (mut found, mut folders) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).map_err(problem)? {
        let path = entry.map_err(problem)?.path();
        if path.is_dir() {
            folders.push(path);
        } else if is_licence(&path) {
            found.push(path);
        }
    }
    found.sort();
    folders.sort();
    if depth < DEPTH {
        for folder in folders {
            found.extend(licence_files(&folder, depth + 1)?);
        }
    }
    Ok(found)
}

fn is_licence(path: &Path) -> bool {
    let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().to_ascii_uppercase());
    let is_source =
        path.extension().is_some_and(|extension| extension == "rs" || extension == "c" || extension == "h");
    let begins = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];
    !is_source && begins.iter().any(|begin| name.starts_with(begin))
}
