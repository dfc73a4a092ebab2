//! Which files of a directory are looked at.

use std::path::{Component, Path, PathBuf};

use ignore::{DirEntry, WalkBuilder};

/// A walk over `directory` that leaves out what is hidden or what `.gitignore` names. A `.gitignore` counts in an
/// unpacked archive too. Symbolic links are not followed, so that the walk ends.
pub(crate) fn walker(directory: &Path) -> WalkBuilder {
    let mut walker = WalkBuilder::new(directory);
    walker.require_git(false);
    walker
}

/// Whether it is a file of YAML or JSON.
pub(crate) fn is_candidate(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file()) && has_our_name(entry.path())
}

/// Whether it is named as YAML and JSON are.
pub(crate) fn has_our_name(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| ["yaml", "yml", "json"].contains(&extension))
}

/// The absolute form of `path`, without `.` and `..`. Symbolic links stay what they are.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    // Where there is no current directory, no path is better than the one that was given.
    let path = std::path::absolute(Path::new(".").join(path)).unwrap_or_else(|_| path.to_owned());
    path.components().fold(PathBuf::new(), |mut plain, component| {
        match component {
            Component::ParentDir => _ = plain.pop(),
            component => plain.push(component),
        }
        plain
    })
}
