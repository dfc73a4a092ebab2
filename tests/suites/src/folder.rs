//! The cases of a folder: those in its suites, and those that are separate files.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::case::{Case, Text};
use crate::{GOLDEN, suite};

/// The roles of texts in a case with several; a file has its role before its extension.
pub(crate) const PARTS: [&str; 9] = ["old", "new", "crd", "cr", "before", "after", "fixed", "base", "drop"];

/// The cases in `folder`, in the order of their first texts' names.
///
/// # Errors
///
/// A file cannot be read, a suite has an invalid form, or two cases have the same name.
pub fn cases(folder: &Path) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for path in suites_in(folder)? {
        cases.extend(suite::cases(&path, &std::fs::read_to_string(&path)?)?);
    }
    let mut seen = BTreeSet::new();
    for text in cases.iter().flat_map(|case| &case.texts) {
        if !seen.insert(text.path.clone()) {
            return Err(Error::other(format!("{} is declared twice", text.path.display())));
        }
    }
    cases.extend(plain_cases(folder, &seen)?);
    cases.sort_by_cached_key(|case| case.texts.iter().map(|text| text.path.clone()).min());
    Ok(cases)
}

/// The cases in `folder`, read once per process.
pub(crate) fn remembered(folder: &Path) -> Result<Arc<Vec<Case>>> {
    static KNOWN: Mutex<BTreeMap<PathBuf, Arc<Vec<Case>>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(cases) = known.get(folder) {
        return Ok(Arc::clone(cases));
    }
    let cases = Arc::new(cases(folder)?);
    known.insert(folder.to_owned(), Arc::clone(&cases));
    Ok(cases)
}

/// The suites in `folder`, in order.
pub(crate) fn suites_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let files = files_in(folder)?.into_iter();
    Ok(files
        .filter(|path| path.extension().is_some_and(|extension| extension == "md") && !is_readme(path))
        .collect())
}

/// Whether a file describes the folder itself.
fn is_readme(path: &Path) -> bool {
    path.ends_with("README.md")
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The cases of texts that are separate files, except those in `seen`, which belong to suites.
fn plain_cases(folder: &Path, seen: &BTreeSet<PathBuf>) -> Result<Vec<Case>> {
    let mut cases: BTreeMap<String, Case> = BTreeMap::new();
    for path in files_in(folder)?.into_iter().filter(|path| !seen.contains(path)) {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(stem) = ["yaml", "yml"].iter().find_map(|end| file.strip_suffix(end)?.strip_suffix('.'))
        else {
            continue;
        };
        let (name, part) =
            stem.rsplit_once('.').filter(|(_, part)| PARTS.contains(part)).unwrap_or((stem, ""));
        let text = Text { part: part.to_owned(), bytes: std::fs::read(&path)?, path: path.clone() };
        let case = cases.entry(name.to_owned()).or_insert_with(|| Case {
            name: name.to_owned(),
            story: first_line(&text),
            path: path.clone(),
            line: 1,
            texts: Vec::new(),
            server: None,
            findings: None,
            blocks: Vec::new(),
        });
        let golden = path.with_file_name(format!("{stem}{GOLDEN}"));
        if golden.is_file() {
            case.server = Some(std::fs::read_to_string(golden)?);
        }
        case.texts.push(text);
    }
    Ok(cases.into_values().collect())
}

/// The text of the comment at the top.
fn first_line(text: &Text) -> String {
    let line = text.as_utf8().and_then(|text| text.lines().next()).unwrap_or_default();
    line.trim_start_matches('#').trim().to_owned()
}
