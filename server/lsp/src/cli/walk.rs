//! From the paths of the command line to the files to check.

use std::path::{Path, PathBuf};

use super::print::report_problem;
use crate::config::Projects;
use crate::paths::absolute;
use crate::walk::{entries, is_candidate};

/// A file to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// Whether the user named it; otherwise a walk of a directory found it.
    pub(super) is_named: bool,
    /// Whether its text comes from stdin.
    stdin: bool,
}

impl Source {
    /// A source that the user names: a file, or `-` for stdin.
    pub(super) fn from_user(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let stdin = path == Path::new("-");
        Self { path, is_named: true, stdin }
    }

    /// A source that a walk finds.
    pub(super) fn from_walk(path: PathBuf) -> Self {
        Self { path, is_named: false, stdin: false }
    }

    /// Whether this is stdin.
    pub(super) fn is_stdin(&self) -> bool {
        self.stdin
    }
}

/// Which files are checked.
#[derive(Default)]
pub(super) struct FileSelection<'a> {
    /// The projects whose settings exclude files.
    pub(super) projects: Projects,
    /// Whether settings also exclude files that the user names.
    pub(super) force_exclude: bool,
    /// The name of the text from stdin.
    pub(super) stdin_name: Option<&'a Path>,
}

/// All files under `paths` in path order, each once, and the errors for unreadable ones.
pub(super) fn sources(paths: &[String]) -> (Vec<Source>, Vec<String>) {
    FileSelection::default().sources(paths)
}

impl FileSelection<'_> {
    /// All wanted files under `paths` in path order, each once, and the errors for unreadable ones.
    pub(super) fn sources(&self, paths: &[String]) -> (Vec<Source>, Vec<String>) {
        let mut sources = Vec::new();
        let mut problems = Vec::new();
        for path in paths {
            let mut source = Source::from_user(path);
            if let (true, Some(name)) = (source.stdin, self.stdin_name) {
                source.path = name.to_owned();
            }
            let is_unnamed_stdin = source.path == Path::new("-");
            if self.force_exclude && !is_unnamed_stdin && self.projects.exclude(&absolute(&source.path)) {
                continue;
            }
            if source.path.is_dir() && !source.stdin {
                self.walk(&source.path, &mut sources, &mut problems);
            } else {
                sources.push(source);
            }
        }
        // The text from stdin replaces the file of that name; a file that is both named and found stays named.
        sources.sort_by(|a, b| {
            a.path.cmp(&b.path).then(b.stdin.cmp(&a.stdin)).then(b.is_named.cmp(&a.is_named))
        });
        sources.dedup_by(|a, b| a.path == b.path);
        (sources, problems)
    }

    fn walk(&self, directory: &Path, sources: &mut Vec<Source>, problems: &mut Vec<String>) {
        let projects = self.projects.clone();
        let (entries, walked) = entries(directory, move |entry| {
            let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
            // The user has named the directory itself.
            entry.depth() == 0 || !projects.leave_out(&absolute(entry.path()), is_directory)
        });
        let found =
            entries.into_iter().filter(is_candidate).map(|entry| Source::from_walk(entry.into_path()));
        sources.extend(found);
        problems.extend(walked.problems);
        // These remarks are on lists of ignored files that were not read: more files are checked than intended, never fewer.
        walked.remarks.iter().for_each(|remark| report_problem(remark));
    }
}
