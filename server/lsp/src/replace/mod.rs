//! Replaces the text of a user's file. A version that was saved meanwhile is not overwritten. The other properties of the file
//! (links, owner, mode, extended attributes) are kept. Whenever the process ends, by a signal or because the disk is full, the
//! file holds either the old or the new text, and the next run removes any temporary file beside it.

#[cfg(unix)]
mod file_properties;
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

/// Writes `after` to the file at `path`, if it still holds `before`. A symbolic link is kept.
pub(crate) fn replace(path: &Path, before: &str, after: &str) -> io::Result<()> {
    let (target, before, after) = (dunce::canonicalize(path)?, before.as_bytes(), after.as_bytes());
    match system::replace(&target, before, after) {
        // Another run may have changed the file; if it wrote the same text, the second attempt succeeds.
        Err(error) if error.kind() == ErrorKind::ResourceBusy => system::replace(&target, before, after),
        replaced => replaced,
    }
}

/// Completes an interrupted replacement of the file at `path`, and removes the temporary files beside it.
pub(crate) fn recover(path: &Path) -> io::Result<()> {
    match dunce::canonicalize(path) {
        Ok(target) => system::recover(&target),
        // There is nothing to recover; the code that reads the file reports the problem.
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
