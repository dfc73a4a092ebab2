//! Replacing the text of a file that belongs to somebody: what was saved meanwhile is not overwritten, what the file is
//! beside its text (links, owner, mode, extended attributes) stays, and whenever the process is ended, by a signal or a
//! full disk, the file holds the text of before or the new one, and nothing is left beside it that the next run does not
//! clear away.

#[cfg(unix)]
mod kept;
#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod side;
#[cfg(unix)]
mod unix;

use std::io::{self, ErrorKind};
use std::path::Path;

#[cfg(not(unix))]
use portable as system;
#[cfg(unix)]
use unix as system;

/// Writes `after` to the file at `path`, if that still holds `before`. A symbolic link stays one.
pub(crate) fn replace(path: &Path, before: &str, after: &str) -> io::Result<()> {
    let (target, before, after) = (path.canonicalize()?, before.as_bytes(), after.as_bytes());
    match system::replace(&target, before, after) {
        // Another run may have been at it; if it has done the same, all is well.
        Err(error) if error.kind() == ErrorKind::ResourceBusy => system::replace(&target, before, after),
        replaced => replaced,
    }
}

/// Clears away what a run left beside the file at `path` that was ended while it replaced it, and ends what it had begun.
pub(crate) fn recover(path: &Path) -> io::Result<()> {
    match path.canonicalize() {
        Ok(target) => system::recover(&target),
        // There is nothing to recover; who reads the file tells what is wrong.
        Err(_) => Ok(()),
    }
}

fn changed() -> io::Error {
    io::Error::new(ErrorKind::ResourceBusy, "the file has changed since it was read; run the command again")
}

fn read_only() -> io::Error {
    io::Error::new(ErrorKind::PermissionDenied, "the file is read-only; make it writable first")
}

#[cfg(all(test, unix))]
mod tests;
