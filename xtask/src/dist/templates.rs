//! Manifests for package managers, from templates in `packaging/manifests`: `@VERSION@`, `@REPOSITORY@`, `@NAME@` (owner and
//! name of the repository), `@DOWNLOADS@` (the address of the archives) and `@SHA256:FILE@` (the checksum of a file of the
//! release).

use std::path::Path;

use super::checksums;
use super::release::Release;
use super::{files, read, read_text, write};
use crate::place;

const CHECKSUM: &str = "@SHA256:";

/// Fills all templates whose files are in `out`, and prints which are skipped.
pub(crate) fn fill(release: &Release, out: &Path) -> Result<(), String> {
    let templates = place::repository().join("packaging/manifests");
    for path in files(&templates)? {
        let template = read_text(&templates.join(&path))?;
        match filled(&template, release, &|file| {
            read(&out.join(file)).map(|bytes| checksums::hexadecimal(&bytes))
        }) {
            Ok(text) => write(&out.join("manifests").join(&path), text)?,
            Err(problem) => println!("left out: {}, as {problem}", path.display()),
        }
    }
    Ok(())
}

/// The template with the values of a release. `checksum` returns the checksum of a file.
fn filled(
    template: &str,
    release: &Release,
    checksum: &dyn Fn(&str) -> Result<String, String>,
) -> Result<String, String> {
    let text = template
        .replace("@VERSION@", &release.version)
        .replace("@REPOSITORY@", &release.repository)
        .replace("@NAME@", release.repository_name())
        .replace("@DOWNLOADS@", &release.downloads());
    let mut parts = text.split(CHECKSUM);
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (file, rest) = part.split_once('@').ok_or_else(|| format!("`{CHECKSUM}` has no end"))?;
        filled.push_str(&checksum(file)?);
        filled.push_str(rest);
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn release() -> Release {
        Release {
            version: "1.2.3".to_owned(),
            repository: "https://forge.example/someone/crd-ls".to_owned(),
            time: 0,
            commit: String::new(),
        }
    }

    #[test]
    fn values_and_checksums_are_inserted() {
        let template = "@NAME@ @VERSION@\nurl @DOWNLOADS@/a.tar.gz\nsum @SHA256:a.tar.gz@\n";
        let text = filled(template, &release(), &|file| Ok(format!("sum-of-{file}"))).unwrap();
        let expected = "someone/crd-ls 1.2.3\n\
            url https://forge.example/someone/crd-ls/releases/download/v1.2.3/a.tar.gz\nsum sum-of-a.tar.gz\n";
        assert_eq!(text, expected);
        let missing = filled(template, &release(), &|file| Err(format!("there is no {file}")));
        assert_eq!(missing, Err("there is no a.tar.gz".to_owned()));
    }

    #[test]
    fn each_template_names_existing_archives_and_is_filled_completely() {
        let templates = place::repository().join("packaging/manifests");
        let known: Vec<String> =
            super::super::targets::TARGETS.iter().map(|target| target.archive()).collect();
        let checksum = |file: &str| match known.iter().any(|known| known == file) {
            true => Ok("0".repeat(64)),
            false => Err(format!("no release has a file {file}")),
        };
        for path in files(&templates).unwrap() {
            let text = filled(&read_text(&templates.join(&path)).unwrap(), &release(), &checksum).unwrap();
            let open = ["@VERSION@", "@REPOSITORY@", "@NAME@", "@DOWNLOADS@", "OWNER"];
            assert!(open.iter().all(|place| !text.contains(place)), "{}", path.display());
        }
    }
}
