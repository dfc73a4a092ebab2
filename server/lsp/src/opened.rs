//! Files that are read once, for their definitions and to be checked.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ide::{Definitions, Parsed};

use crate::definitions::{may_define, may_publish, of_bytes, on_all, source_name, text_of};
use crate::guarded;
use crate::kinds::Kinds;
use crate::limits::MAX_BYTES;

/// Files that are larger, in bytes, are not asked for the kinds of their objects before they are checked.
const SMALL_BYTES: usize = 32 * 1024;

/// How much text of files is kept from reading the definitions to the check, in bytes.
const OPENED_BYTES: usize = 64 * 1024 * 1024;

/// What is known of a file.
pub(crate) enum Opened<T> {
    /// It holds definitions; what was made of it. Its text need not be kept.
    Done(T),
    /// It holds definitions; its text, which will be looked at again.
    Parsed(Parsed),
    /// It holds none; its bytes.
    Read(Vec<u8>),
}

/// What is known of files.
pub(crate) struct AllOpened<T> {
    pub(crate) definitions: Vec<Definitions>,
    pub(crate) files: HashMap<PathBuf, Opened<T>>,
}

impl<T> Default for AllOpened<T> {
    fn default() -> Self {
        Self { definitions: Vec::new(), files: HashMap::new() }
    }
}

/// Makes something of the text of a file; the kinds are those that objects in other files may have.
pub(crate) type Open<'a, T> = &'a (dyn Fn(&Path, &Parsed, &Kinds) -> Option<(Definitions, T)> + Sync);

/// The definitions in all of `files`, and what `open` makes of those that hold some. Other texts are kept, up to
/// [`OPENED_BYTES`].
pub(crate) fn open_all<T: Send>(files: &[PathBuf], open: Open<'_, T>) -> AllOpened<T> {
    let room = Room::default();
    let (candidates, kinds, read) = sifted(files, &room);
    let all = Mutex::new(AllOpened { files: read, ..AllOpened::default() });
    on_all(&candidates, &|path| {
        // A crash will come again when the file is checked, and be told.
        let opened = catch_unwind(AssertUnwindSafe(|| open_one(path, open, &kinds, &room)));
        let Ok(Some((definitions, opened))) = opened else { return };
        let all = &mut *all.lock().unwrap_or_else(PoisonError::into_inner);
        all.definitions.push(definitions);
        all.files.extend(opened.map(|opened| (path.to_owned(), opened)));
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn open_one<T>(
    path: &Path,
    open: Open<'_, T>,
    kinds: &Kinds,
    room: &Room,
) -> Option<(Definitions, Option<Opened<T>>)> {
    // What cannot be read is told when it is checked.
    let text = text_of(path, guarded::regular(path, MAX_BYTES).ok()?).ok()??;
    let length = text.len();
    let parsed = Parsed::new(text);
    if let Some((definitions, done)) = open(path, &parsed, kinds) {
        return Some((definitions, Some(Opened::Done(done))));
    }
    if !room.take(length) {
        let definitions = of_bytes(path, parsed.text().as_bytes().to_vec()).ok()??;
        return Some((definitions, None));
    }
    let definitions = parsed.definitions(&source_name(path))?;
    Some((definitions, Some(Opened::Parsed(parsed))))
}

/// The files of `files` that may hold definitions, the kinds that objects in the others may have, and their texts, as far
/// as these are small.
fn sifted<T: Send>(files: &[PathBuf], room: &Room) -> (Vec<PathBuf>, Kinds, HashMap<PathBuf, Opened<T>>) {
    let all = Mutex::new((Vec::new(), Vec::new(), HashMap::new()));
    on_all(files, &|path| {
        let small = read_small(path).filter(|bytes| !may_define(bytes) && !may_publish(bytes));
        let small = small.map(|bytes| (Kinds::of(&bytes), bytes));
        let (candidates, known, texts) = &mut *all.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((kinds, bytes)) = small else { return candidates.push(path.to_owned()) };
        known.push(kinds);
        if room.take(bytes.len()) {
            texts.insert(path.to_owned(), Opened::Read(bytes));
        }
    });
    let (candidates, kinds, texts) = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    (candidates, Kinds::together(&kinds), texts)
}

/// The bytes of a file that is no larger than most without definitions are.
fn read_small(path: &Path) -> Option<Vec<u8>> {
    // One that is larger, or grows meanwhile, is left to those who read it whole. A walk comes upon no links, and those
    // that the user names lead anywhere.
    path.metadata().ok().filter(|file| file.len() <= SMALL_BYTES as u64)?;
    guarded::regular(path, SMALL_BYTES).ok().filter(|bytes| bytes.len() <= SMALL_BYTES)
}

/// What may still be kept.
#[derive(Default)]
struct Room {
    taken: AtomicUsize,
}

impl Room {
    fn take(&self, bytes: usize) -> bool {
        self.taken.fetch_add(bytes, Ordering::Relaxed) <= OPENED_BYTES
    }
}
