//! Checks that libgit2 can safely open the files of a git directory: for example, it would wait for a pipe forever.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::guarded_files;

/// The files that libgit2 reads in a git directory.
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
/// The maximum size in bytes of a file in [`FILES`], except for the lists of branches and of files.
const MAX_BYTES: u64 = 1024 * 1024;
/// The maximum size in bytes of a list of branches or of files.
const MAX_LIST: u64 = 256 * 1024 * 1024;
/// The directories that libgit2 reads completely.
const DIRECTORIES: [&str; 2] = ["refs", "objects/pack"];
/// The maximum number of entries of these directories.
const MOST_ENTRIES: usize = 100_000;

/// Checks that the repository of `directory` can be opened safely. The error is the reason why it cannot.
pub(super) fn check(directory: &Path) -> Result<(), String> {
    let found = directory.ancestors().map(|above| above.join(".git"));
    let Some(git) = found.into_iter().find(|git| git.symlink_metadata().is_ok()) else { return Ok(()) };
    let mut pending = vec![git];
    // A linked work tree names its own git directory, which names the common one.
    for _ in 0..3 {
        let Some(git) = pending.pop() else { break };
        pending.extend(check_one(&git)?);
    }
    Ok(())
}

/// Checks a git directory, or the file that names it. Returns the directory to which it leads.
fn check_one(git: &Path) -> Result<Option<PathBuf>, String> {
    if !git.is_dir() {
        check_file(git, MAX_BYTES)?;
        let named =
            guarded_files::regular_text(git, MAX_BYTES as usize).map_err(|error| error.to_string())?;
        let named = named.trim().strip_prefix("gitdir:").map(str::trim);
        return Ok(named.and_then(|named| Some(git.parent()?.join(named))));
    }
    for file in FILES {
        let limit = if ["packed-refs", "index"].contains(&file) { MAX_LIST } else { MAX_BYTES };
        check_file(&git.join(file), limit)?;
    }
    check_alternates(git)?;
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
    let common = guarded_files::regular_text(&git.join("commondir"), MAX_BYTES as usize).ok();
    Ok(common.map(|common| git.join(common.trim())))
}

/// Checks that the alternate directories of objects, from which libgit2 would read, are inside the repository.
fn check_alternates(git: &Path) -> Result<(), String> {
    let (objects, file) = (git.join("objects"), git.join("objects/info/alternates"));
    let Ok(named) = guarded_files::regular_text(&file, MAX_BYTES as usize) else { return Ok(()) };
    let top = if git.file_name().is_some_and(|name| name == ".git") { git.parent() } else { Some(git) };
    let top = top.and_then(|top| dunce::canonicalize(top).ok());
    let is_outside = |line: &str| {
        // A missing directory is not read.
        let real = dunce::canonicalize(objects.join(line)).ok();
        real.is_some_and(|real| top.as_ref().is_none_or(|top| !real.starts_with(top)))
    };
    let lines = named.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    match lines.map(unquoted).find(|line| is_outside(line)) {
        None => Ok(()),
        Some(line) => refused(
            &file,
            &format!("names objects outside of the repository, `{line}`; `git repack -ad` copies them"),
        ),
    }
}

/// A line without quotes, which git also removes.
fn unquoted(line: &str) -> &str {
    line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line)
}

fn refused(path: &Path, why: &str) -> Result<(), String> {
    let problem = format!("the git repository is not read: {} {why}", path.display());
    tracing::warn!("{problem}");
    Err(problem)
}

/// Checks that the file at `path` can be opened safely, or does not exist. The error is the reason why it cannot.
pub(super) fn check_file(path: &Path, limit: u64) -> Result<(), String> {
    match path.metadata() {
        Ok(file) if !file.is_file() => refused(path, "is not a regular file"),
        Ok(file) if file.len() > limit => refused(path, "is too large"),
        Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            refused(path, &format!("cannot be read: {error}"))
        }
        _ => Ok(()),
    }
}
