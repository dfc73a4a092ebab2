//! Temporary files beside another file.

use std::fs::{File, OpenOptions};
use std::hash::Hasher;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use fnv::FnvHasher;

/// The path of a temporary file beside a target. It is derived from the name of the target, so that the next run knows it.
#[derive(Debug)]
pub(super) struct SidePath {
    directory: PathBuf,
    pub(super) path: PathBuf,
}

impl SidePath {
    /// The path beside `target` for a file with this `role`.
    pub(super) fn next_to(target: &Path, role: &str) -> Self {
        let directory = target.parent().unwrap_or(Path::new("/")).to_owned();
        let mut hasher = FnvHasher::default();
        hasher.write(target.file_name().unwrap_or_default().as_bytes());
        let path = directory.join(format!(".crd-ls-{:016x}.{role}", hasher.finish()));
        Self { directory, path }
    }

    /// Removes the file at this path, if there is one.
    pub(super) fn clear(&self) -> io::Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// A file that is being written for a path. If the system supports it, the file has no name until it is complete, and vanishes
/// when the process ends.
#[derive(Debug)]
pub(super) struct TemporaryFile {
    pub(super) file: File,
    place: SidePath,
    has_name: bool,
}

impl TemporaryFile {
    /// A new file that nobody else can read.
    pub(super) fn new(place: SidePath) -> io::Result<Self> {
        if let Some(file) = without_name(&place.directory) {
            return Ok(Self { file, place, has_name: false });
        }
        place.clear()?;
        let file =
            OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&place.path)?;
        Ok(Self { file, place, has_name: true })
    }

    /// Gives the file its name, and replaces a file that an earlier run left there.
    pub(super) fn appear(&mut self) -> io::Result<&Path> {
        if !self.has_name {
            self.place.clear()?;
            link(&self.file, &self.place.path)?;
            self.has_name = true;
        }
        Ok(&self.place.path)
    }

    /// The path of the file. After the files were exchanged, the file there differs from the one that was written.
    pub(super) fn path(&self) -> &Path {
        &self.place.path
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if self.has_name {
            // If this fails, the next run removes the file.
            let _ = self.place.clear();
        }
    }
}

#[cfg(target_os = "linux")]
fn without_name(directory: &Path) -> Option<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    // `link` names the file through this directory.
    if !Path::new("/proc/self/fd").exists() {
        return None;
    }
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    openat(CWD, directory, flags, Mode::RUSR | Mode::WUSR).ok().map(File::from)
}

#[cfg(not(target_os = "linux"))]
fn without_name(_: &Path) -> Option<File> {
    None
}

#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let name = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, name, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}
