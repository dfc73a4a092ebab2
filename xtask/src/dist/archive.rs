//! Archives: one for each platform, with the program and all accompanying files at the top.

use std::io::{Cursor, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::programs::Program;
use super::release::Release;
use super::{files, read, slashed, write};

/// A file in an archive.
pub(crate) struct Entry {
    /// The path from the top of the archive, with slashes.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_program: bool,
}

impl Entry {
    pub(crate) fn text(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), bytes: text.into().into_bytes(), is_program: false }
    }

    pub(crate) fn program(path: impl Into<String>, program: &Program) -> Result<Self, String> {
        Ok(Self { path: path.into(), bytes: read(&program.path)?, is_program: true })
    }

    /// All files below `directory`, each below `top`.
    pub(crate) fn all(directory: &Path, top: &str) -> Result<Vec<Self>, String> {
        let entry = |path: &Path| {
            let bytes = read(&directory.join(path))?;
            Ok(Self { path: format!("{top}{}", slashed(path)), bytes, is_program: false })
        };
        files(directory)?.iter().map(|path| entry(path)).collect()
    }

    fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// Writes the archive for the program's platform into `out`.
pub(crate) fn pack(release: &Release, program: &Program, common: &Path, out: &Path) -> Result<(), String> {
    let mut entries = vec![Entry::program(program.target.program(), program)?];
    entries.extend(Entry::all(common, "")?);
    let bytes = if program.target.is_windows() { zip(&entries)? } else { tar_gz(&entries, release.time)? };
    write(&out.join(program.target.archive()), bytes)
}

/// Entries as `.tar.gz`, all with the same time and without an owner.
pub(crate) fn tar_gz(entries: &[Entry], time: u64) -> Result<Vec<u8>, String> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for entry in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(entry.bytes.len() as u64);
        header.set_mode(entry.mode());
        header.set_mtime(time);
        let added = archive.append_data(&mut header, &entry.path, entry.bytes.as_slice());
        added.map_err(|error| format!("{}: {error}", entry.path))?;
    }
    archive.into_inner().and_then(GzEncoder::finish).map_err(|error| error.to_string())
}

/// Entries as `.zip`, all with the earliest time that the format supports.
pub(crate) fn zip(entries: &[Entry]) -> Result<Vec<u8>, String> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in entries {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(entry.mode());
        archive.start_file(&entry.path, options).map_err(|error| format!("{}: {error}", entry.path))?;
        archive.write_all(&entry.bytes).map_err(|error| format!("{}: {error}", entry.path))?;
    }
    archive.finish().map(Cursor::into_inner).map_err(|error| error.to_string())
}
