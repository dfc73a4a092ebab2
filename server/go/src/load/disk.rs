//! Access to files.

use std::fs;
use std::io::Read;
use std::path::Path;

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// Whether it is a directory.
    pub is_directory: bool,
}

impl Entry {
    /// The entries of an opened directory, by name. Entries whose names are not UTF-8 are omitted.
    #[must_use]
    pub fn all_in(directory: fs::ReadDir) -> Vec<Self> {
        let entries = directory.filter_map(|entry| {
            let entry = entry.ok()?;
            // The go command does not follow links to directories.
            let is_directory = entry.file_type().ok()?.is_dir();
            Some(Self { name: entry.file_name().into_string().ok()?, is_directory })
        });
        let mut entries: Vec<Self> = entries.collect();
        entries.sort();
        entries
    }
}

/// The place from which files are read, by several threads. Nothing is ever written to it.
pub trait Disk: Sync {
    /// The text of a file; `None` if it is missing, too large, or refused.
    fn read(&self, path: &Path) -> Option<String>;

    /// The entries of a directory, by name; empty if it cannot be read.
    fn list(&self, path: &Path) -> Vec<Entry>;

    /// Whether the directory exists.
    fn is_directory(&self, path: &Path) -> bool;

    /// Whether the files of a directory never change, as in the module cache.
    fn never_changes(&self, _: &Path) -> bool {
        false
    }
}

/// The actual file system.
#[derive(Clone, Copy, Debug)]
pub struct FileSystem {
    /// The maximum size of a file, in bytes.
    pub largest: u64,
}

/// The maximum size of a Go file, in bytes.
pub const LARGEST_FILE: u64 = 64 << 20;

impl Default for FileSystem {
    fn default() -> Self {
        Self { largest: LARGEST_FILE }
    }
}

impl Disk for FileSystem {
    fn read(&self, path: &Path) -> Option<String> {
        let file = fs::File::open(path).ok()?;
        let found = file.metadata().ok()?;
        if !found.is_file() || found.len() > self.largest {
            return None;
        }
        let mut bytes = Vec::with_capacity(usize::try_from(found.len()).ok()?);
        file.take(self.largest).read_to_end(&mut bytes).ok()?;
        Some(
            String::from_utf8(bytes)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        )
    }

    fn list(&self, path: &Path) -> Vec<Entry> {
        fs::read_dir(path).map_or_else(|_| Vec::new(), Entry::all_in)
    }

    fn is_directory(&self, path: &Path) -> bool {
        path.is_dir()
    }
}
