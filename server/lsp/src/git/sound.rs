//! Whether the files of a git directory are such that the library can open them: it would wait for a pipe for ever.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::guarded;

/// What the library reads of a git directory itself.
const FILES: [&str; 9] = [
    "HEAD",
    "config",
    "config.worktree",
    "packed-refs",
    "commondir",
    "gitdir",
    "shallow",
    "index",
    "objects/info/alternates",
];
/// No file of [`FILES`] is larger, in bytes, but the lists of branches and of files.
const MAX_BYTES: u64 = 1024 * 1024;
/// No list of branches or of files is.
const MAX_LIST: u64 = 256 * 1024 * 1024;
/// Directories that it reads in whole.
const DIRECTORIES: [&str; 2] = ["refs", "objects/pack"];
/// So many entries of these are looked at.
const MOST_ENTRIES: usize = 100_000;

/// Why the repository that `directory` is in cannot be opened without harm, if so.
pub(super) fn check(directory: &Path) -> Result<(), String> {
    let found = directory.ancestors().map(|above| above.join(".git"));
    let Some(git) = found.into_iter().find(|git| git.symlink_metadata().is_ok()) else { return Ok(()) };
    let mut pending = vec![git];
    // A work tree leads to its own directory, and that to the one of all work trees.
    for _ in 0..3 {
        let Some(git) = pending.pop() else { break };
        pending.extend(check_one(&git)?);
    }
    Ok(())
}

/// Checks a git directory, or the file that names it; the directory that it leads to.
fn check_one(git: &Path) -> Result<Option<PathBuf>, String> {
    if !git.is_dir() {
        check_file(git, MAX_BYTES)?;
        let named = guarded::regular_text(git, MAX_BYTES as usize).unwrap_or_default();
        let named = named.trim().strip_prefix("gitdir:").map(str::trim);
        return Ok(named.and_then(|named| Some(git.parent()?.join(named))));
    }
    for file in FILES {
        let limit = if ["packed-refs", "index"].contains(&file) { MAX_LIST } else { MAX_BYTES };
        check_file(&git.join(file), limit)?;
    }
    let mut left = MOST_ENTRIES;
    let mut pending: Vec<PathBuf> = DIRECTORIES.iter().map(|name| git.join(name)).collect();
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            left = left.saturating_sub(1);
            match entry.file_type() {
                _ if left == 0 => return Ok(None),
                Ok(kind) if kind.is_dir() => pending.push(entry.path()),
                Ok(kind) if kind.is_file() => {}
                _ => check_file(&entry.path(), u64::MAX)?,
            }
        }
    }
    let common = guarded::regular_text(&git.join("commondir"), MAX_BYTES as usize).ok();
    Ok(common.map(|common| git.join(common.trim())))
}

/// Why the file at `path` cannot be opened without harm, if so. One that is not there can.
pub(super) fn check_file(path: &Path, limit: u64) -> Result<(), String> {
    let refused = |why: &str| {
        let problem = format!("the git repository is not read: {} {why}", path.display());
        tracing::warn!("{problem}");
        Err(problem)
    };
    match path.metadata() {
        Ok(file) if !file.is_file() => refused("is not a regular file"),
        Ok(file) if file.len() > limit => refused("is too large"),
        Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            refused(&format!("cannot be read: {error}"))
        }
        _ => Ok(()),
    }
}
