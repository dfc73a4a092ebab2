//! Systems without what `unix` needs: a new file takes the place of the old one.

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

/// The system removes a temporary file with the process.
pub(super) fn recover(_: &Path) -> io::Result<()> {
    Ok(())
}
