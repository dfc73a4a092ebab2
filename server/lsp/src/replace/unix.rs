//! A new file replaces the old one in one step if only their texts differ. A file with other names, or with an owner that a new
//! file cannot have, must stay: it is overwritten, with a record beside it from which an interrupted write is completed.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use super::side::{SidePath, TemporaryFile};
use super::{changed, file_properties, read_only};
use crate::guarded_files;
use crate::limits::MAX_BYTES;

/// The maximum time to wait for a lock; no run holds a file for longer.
const LOCKED_FOR: Duration = Duration::from_secs(2);
/// The role of the new file before it replaces the old one.
const NEW: &str = "new";
/// The role of the record of a write.
const RECORD: &str = "record";
/// The maximum size of a record, in bytes: two texts as JSON.
const MAX_RECORD: usize = 16 * MAX_BYTES;

pub(super) fn replace(target: &Path, before: &[u8], after: &[u8]) -> io::Result<()> {
    let old = opened(target)?;
    let metadata = old.metadata()?;
    clear(target, &old)?;
    if !has_content(&old, before)? {
        // The same file was already replaced by the same text under another name.
        return if has_content(&old, after)? { Ok(()) } else { Err(changed()) };
    }
    let mut new = TemporaryFile::new(SidePath::next_to(target, NEW))?;
    new.file.write_all(after)?;
    if file_properties::carry_over(&old, &metadata, &new.file)? {
        new.file.sync_all()?;
        return swap(target, &old, before, &mut new);
    }
    drop(new);
    let mut record = TemporaryFile::new(SidePath::next_to(target, RECORD))?;
    record.file.write_all(&serde_json::to_vec(&(before, after))?)?;
    record.file.sync_all()?;
    record.appear()?;
    if !is_at(target, &metadata) || !has_content(&old, before)? {
        return Err(changed());
    }
    write_over(&old, before, after)
}

/// The file, to be read and written, and locked against other runs of this program.
fn opened(target: &Path) -> io::Result<File> {
    // A privileged user could write to the file, but its permissions say that nobody should.
    if fs::symlink_metadata(target)?.mode() & 0o222 == 0 {
        return Err(read_only());
    }
    let flags = (OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY).bits().cast_signed();
    let file = OpenOptions::new().read(true).write(true).custom_flags(flags).open(target)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not a regular file"));
    }
    let deadline = Instant::now() + LOCKED_FOR;
    while flock(&file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
        if Instant::now() > deadline {
            return Err(changed());
        }
        thread::sleep(LOCKED_FOR / 100);
    }
    // The file is locked, or the file system has no locks. Meanwhile another run may have put a new file there.
    if is_at(target, &file.metadata()?) { Ok(file) } else { Err(changed()) }
}

/// Whether the file holds these bytes and no others.
fn has_content(file: &File, bytes: &[u8]) -> io::Result<bool> {
    Ok(file.metadata()?.len() == bytes.len() as u64 && content(file)? == bytes)
}

fn content(file: &File) -> io::Result<Vec<u8>> {
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX).min(MAX_BYTES);
    let mut content = vec![0; length];
    let mut at = 0;
    while let Some(rest) = content.get_mut(at..).filter(|rest| !rest.is_empty()) {
        match file.read_at(rest, at as u64)? {
            0 => break,
            read => at += read,
        }
    }
    content.truncate(at);
    Ok(content)
}

/// Whether the file with `metadata` is still at `path`.
fn is_at(path: &Path, metadata: &Metadata) -> bool {
    fs::symlink_metadata(path).is_ok_and(|now| is_same(&now, metadata))
}

fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Exchanges the old file with the new one. The exchange keeps the old file, so that it can be restored if another program
/// saved a file there in the meantime.
fn swap(target: &Path, old: &File, before: &[u8], new: &mut TemporaryFile) -> io::Result<()> {
    let (of_old, of_new) = (old.metadata()?, new.file.metadata()?);
    new.appear()?;
    if !is_at(target, &of_old) || !has_content(old, before)? {
        return Err(changed());
    }
    match exchange(new.path(), target) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => return fs::rename(new.path(), target),
        exchanged => exchanged?,
    }
    if is_at(new.path(), &of_old) && has_content(old, before)? {
        return Ok(());
    }
    exchange(new.path(), target)?;
    if !is_at(new.path(), &of_new) {
        // Another program has saved the file once more; its version wins.
        exchange(new.path(), target)?;
    }
    Err(changed())
}

#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> rustix::io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> rustix::io::Result<()> {
    Err(Errno::NOSYS)
}

/// Overwrites `before` with `after`. If that fails, `before` is restored.
fn write_over(file: &File, before: &[u8], after: &[u8]) -> io::Result<()> {
    reserve(file, after.len() as u64)?;
    let written = write(file, after);
    if written.is_err() {
        write(file, before)?;
    }
    written
}

fn write(file: &File, bytes: &[u8]) -> io::Result<()> {
    file.write_all_at(bytes, 0)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// Reserves `length` bytes for a file, so that a full disk is detected before anything is written.
fn reserve(file: &File, length: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{FallocateFlags, fallocate};
        match fallocate(file, FallocateFlags::KEEP_SIZE, 0, length.max(1)) {
            // The file system does not support it.
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => {}
            reserved => reserved?,
        }
    }
    let _ = (file, length);
    Ok(())
}

pub(super) fn recover(target: &Path) -> io::Result<()> {
    let places = [NEW, RECORD].map(|role| SidePath::next_to(target, role));
    if places.iter().all(|place| fs::symlink_metadata(&place.path).is_err()) {
        return Ok(());
    }
    clear(target, &opened(target)?)
}

/// Cleans up after an earlier run. `file` is locked, so no other run is using the files.
fn clear(target: &Path, file: &File) -> io::Result<()> {
    SidePath::next_to(target, NEW).clear()?;
    let record = SidePath::next_to(target, RECORD);
    let is_file = fs::symlink_metadata(&record.path).is_ok_and(|metadata| metadata.is_file());
    if let Some(bytes) = is_file.then(|| guarded_files::read_found(&record.path, MAX_RECORD)).transpose()?
        // Without a valid record, no write had begun.
        && let Ok((before, after)) = serde_json::from_slice::<(Vec<u8>, Vec<u8>)>(&bytes)
        && is_between(&content(file)?, &before, &after)
    {
        write_over(file, &before, &after)?;
    }
    record.clear()
}

/// Whether `now` is the result of an interrupted write of `after` over `before`.
fn is_between(now: &[u8], before: &[u8], after: &[u8]) -> bool {
    let written = now.iter().zip(after).take_while(|(now, after)| now == after).count();
    let is_rest = now.get(written..) == Some(before.get(written..).unwrap_or_default());
    is_rest && now != before && now != after
}
