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

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn permissions_and_links_stay_and_nothing_is_left_behind() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("a.yaml"), directory.path().join("link.yaml"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a.yaml", &link).unwrap();
        replace(&link, "new\r\n").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new\r\n");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }
}
