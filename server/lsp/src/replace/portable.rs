//! For systems without the functions that `unix` needs: a new file replaces the old one.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use super::{changed, read_only};

pub(super) fn replace(target: &Path, before: &[u8], after: &[u8]) -> io::Result<()> {
    let permissions = fs::metadata(target)?.permissions();
    if permissions.readonly() {
        return Err(read_only());
    }
    let directory = target.parent().unwrap_or(Path::new("."));
    let mut new = NamedTempFile::new_in(directory)?;
    new.write_all(after)?;
    new.as_file().set_permissions(permissions)?;
    new.as_file().sync_all()?;
    if fs::read(target)? != before {
        return Err(changed());
    }
    new.persist(target).map_err(|failure| failure.error)?;
    Ok(())
}

/// Does nothing: the system removes a temporary file when the process ends.
pub(super) fn recover(_: &Path) -> io::Result<()> {
    Ok(())
}
