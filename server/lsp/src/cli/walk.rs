//! From the paths of the command line to the files to check.

use std::path::{Path, PathBuf};

use crate::walk::is_candidate;

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
    for entry in crate::walk::walker(directory).build() {
        match entry {
            Ok(entry) if is_candidate(&entry) => {
                sources.push(Source { path: entry.into_path(), named: false });
            }
            Ok(_) => {}
            Err(error) => problems.push(error.to_string()),
        }
    }
}
