//! Writing a fixed file.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Replaces the file's content in one step and keeps its permissions; a symbolic link stays one.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let target = fs::canonicalize(path)?;
    let directory = target.parent().unwrap_or(Path::new("."));
    let mut new = NamedTempFile::new_in(directory)?;
    new.write_all(text.as_bytes())?;
    new.as_file().set_permissions(fs::metadata(&target)?.permissions())?;
    new.as_file().sync_all()?;
    new.persist(&target).map_err(|failure| failure.error)?;
    Ok(())
}
