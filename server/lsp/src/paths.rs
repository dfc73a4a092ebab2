//! Paths as text.

use std::path::{Component, Path, PathBuf};

/// The absolute form of `path`, without `.` and `..`. Symbolic links are not resolved.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    // Without a current directory, the given path is the best one.
    let path = std::path::absolute(Path::new(".").join(path)).unwrap_or_else(|_| path.to_owned());
    path.components().fold(PathBuf::new(), |mut plain, component| {
        match component {
            Component::ParentDir => _ = plain.pop(),
            component => plain.push(component),
        }
        plain
    })
}

/// The path without symbolic links, if the file exists; otherwise the path itself.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    dunce::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The path relative to the current directory, if it is below it.
pub(crate) fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    path.strip_prefix(&here).unwrap_or(path).to_owned()
}
