//! From the paths of the command line to the files to check.

use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder};

/// A file to check.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// Whether the user named it, or a directory was walked.
    pub(super) named: bool,
}

impl Source {
    /// Whether this is stdin.
    pub(super) fn is_stdin(&self) -> bool {
        self.path == Path::new("-")
    }
}

/// All files under `paths` in path order, each once, and what could not be looked at.
pub(super) fn sources(paths: &[String]) -> (Vec<Source>, Vec<String>) {
    let mut sources = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        let path = PathBuf::from(path);
        if path.is_dir() && path != Path::new("-") {
            walk(&path, &mut sources, &mut problems);
        } else {
            sources.push(Source { path, named: true });
        }
    }
    // `true` first, so that a file that is both named and found stays a named one.
    sources.sort_by(|a, b| a.path.cmp(&b.path).then(b.named.cmp(&a.named)));
    sources.dedup_by(|a, b| a.path == b.path);
    (sources, problems)
}

fn walk(directory: &Path, sources: &mut Vec<Source>, problems: &mut Vec<String>) {
    // A .gitignore counts in an unpacked archive too.
    for entry in WalkBuilder::new(directory).require_git(false).build() {
        match entry {
            Ok(entry) if is_candidate(&entry) => {
                sources.push(Source { path: entry.into_path(), named: false });
            }
            Ok(_) => {}
            Err(error) => problems.push(error.to_string()),
        }
    }
}

fn is_candidate(entry: &DirEntry) -> bool {
    let extension = entry.path().extension().and_then(|extension| extension.to_str());
    entry.file_type().is_some_and(|kind| kind.is_file())
        && extension.is_some_and(|extension| ["yaml", "yml", "json"].contains(&extension))
}
