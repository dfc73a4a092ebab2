//! Where nothing but the text differs between the old file and a new one, the new one takes the place of the old one in one
//! step. Where the file itself must stay, as it has other names or an owner that we cannot give away, it is written over,
//! with a record beside it from which an interrupted write is completed.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use super::side::{Side, SidePath};
use super::{changed, kept, read_only};
use crate::guarded;
use crate::limits::MAX_BYTES;

/// No run holds a file for longer.
const LOCKED_FOR: Duration = Duration::from_secs(2);
/// The role of the new file, before it takes the place of the old one.
const NEW: &str = "new";
/// The role of the record of a write.
const RECORD: &str = "record";
/// No record is larger, in bytes: two texts as JSON.
const MAX_RECORD: usize = 16 * MAX_BYTES;

pub(super) fn replace(target: &Path, before: &[u8], after: &[u8]) -> io::Result<()> {
    let old = opened(target)?;
    let metadata = old.metadata()?;
    clear(target, &old)?;
    if !holds(&old, before)? {
        // Under another name the same file was replaced by the same text.
        return if holds(&old, after)? { Ok(()) } else { Err(changed()) };
    }
    let mut new = Side::new(SidePath::beside(target, NEW))?;
    new.file.write_all(after)?;
    if kept::carry_over(&old, &metadata, &new.file)? {
        new.file.sync_all()?;
        return swap(target, &old, before, &mut new);
    }
    drop(new);
    let mut record = Side::new(SidePath::beside(target, RECORD))?;
    record.file.write_all(&serde_json::to_vec(&(before, after))?)?;
    record.file.sync_all()?;
    record.appear()?;
    if !is_at(target, &metadata) || !holds(&old, before)? {
        return Err(changed());
    }
    write_over(&old, before, after)
}

/// The file, to be read and written, and locked against other runs of this program.
fn opened(target: &Path) -> io::Result<File> {
    // Whoever may write all the same has said that nobody shall.
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
    // Locked, or on a file system without locks. Meanwhile another run may have put a new file there.
    if is_at(target, &file.metadata()?) { Ok(file) } else { Err(changed()) }
}

/// Whether the file holds these bytes and no others.
fn holds(file: &File, bytes: &[u8]) -> io::Result<bool> {
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

/// Whether the file of which `metadata` is still stands at `path`.
fn is_at(path: &Path, metadata: &Metadata) -> bool {
    fs::symlink_metadata(path).is_ok_and(|now| is_same(&now, metadata))
}

fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Puts the new file in place of the old one. Both change places, so that what was saved until that very moment is at hand
/// and can be put back.
fn swap(target: &Path, old: &File, before: &[u8], new: &mut Side) -> io::Result<()> {
    let (of_old, of_new) = (old.metadata()?, new.file.metadata()?);
    new.appear()?;
    if !is_at(target, &of_old) || !holds(old, before)? {
        return Err(changed());
    }
    match exchange(new.path(), target) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => return fs::rename(new.path(), target),
        exchanged => exchanged?,
    }
    if is_at(new.path(), &of_old) && holds(old, before)? {
        return Ok(());
    }
    exchange(new.path(), target)?;
    if !is_at(new.path(), &of_new) {
        // Somebody has saved once more in between; that counts.
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

/// Writes `after` over `before`. Where that fails, `before` is put back.
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

/// Makes room for a file of so many bytes, so that a full disk is known before anything is written.
fn reserve(file: &File, length: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{FallocateFlags, fallocate};
        match fallocate(file, FallocateFlags::KEEP_SIZE, 0, length.max(1)) {
            // A file system that cannot.
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => {}
            reserved => reserved?,
        }
    }
    let _ = (file, length);
    Ok(())
}

pub(super) fn recover(target: &Path) -> io::Result<()> {
    let places = [NEW, RECORD].map(|role| SidePath::beside(target, role));
    if places.iter().all(|place| fs::symlink_metadata(&place.path).is_err()) {
        return Ok(());
    }
    clear(target, &opened(target)?)
}

/// Clears away what an earlier run left; `file` is locked, so it is not another run of now.
fn clear(target: &Path, file: &File) -> io::Result<()> {
    SidePath::beside(target, NEW).clear()?;
    let record = SidePath::beside(target, RECORD);
    let is_file = fs::symlink_metadata(&record.path).is_ok_and(|metadata| metadata.is_file());
    if let Some(bytes) = is_file.then(|| guarded::found(&record.path, MAX_RECORD)).transpose()?
        // What is no record is none of a write that had begun.
        && let Ok((before, after)) = serde_json::from_slice::<(Vec<u8>, Vec<u8>)>(&bytes)
        && is_between(&content(file)?, &before, &after)
    {
        write_over(file, &before, &after)?;
    }
    record.clear()
}

/// Whether `now` is what a write of `after` over `before` left when it was interrupted.
fn is_between(now: &[u8], before: &[u8], after: &[u8]) -> bool {
    let written = now.iter().zip(after).take_while(|(now, after)| now == after).count();
    let is_rest = now.get(written..) == Some(before.get(written..).unwrap_or_default());
    is_rest && now != before && now != after
}
