//! Files that are read once, both for their definitions and for the check.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use dashmap::DashMap;
use ide::{Definitions, ParsedText};

use crate::definitions::{load_of, may_define, may_publish, on_all, source_name, text_of};
use crate::guarded_files;
use crate::kinds::Kinds;
use crate::limits::MAX_BYTES;

/// The maximum size, in bytes, of files that are searched for the kinds of their objects before they are checked.
const SMALL_BYTES: usize = 32 * 1024;

/// The maximum size of all texts that are kept between reading the definitions and the check, in bytes. A syntax tree takes eight
/// times as much.
const OPENED_BYTES: usize = 16 * 1024 * 1024;

/// The maximum number of definitions of a kind that are prepared in advance for the validation of resources. Repositories
/// keep the definitions of dozens of releases, and few of them validate a resource.
const MOST_OF_A_KIND: usize = 8;

/// The result of opening a file.
pub(crate) enum OpenResult<T> {
    /// The result of a file with definitions, whose text need not be kept.
    Done(T),
    /// The parsed text of a file with definitions, which is needed again.
    Parsed(ParsedText),
    /// The bytes of a file without definitions.
    Read(Vec<u8>),
}

/// The results of opening files.
pub(crate) struct AllOpened<T> {
    pub(crate) definitions: Vec<Definitions>,
    pub(crate) files: HashMap<PathBuf, OpenResult<T>>,
}

impl<T> Default for AllOpened<T> {
    fn default() -> Self {
        Self { definitions: Vec::new(), files: HashMap::new() }
    }
}

/// The kinds that objects in other files may have.
pub(crate) struct RequestedKinds {
    kinds: Kinds,
    /// The number of definitions of each kind that were asked for.
    counts: DashMap<String, usize>,
}

impl RequestedKinds {
    /// Whether resources of the kind are likely to need one more definition of it.
    pub(crate) fn wants(&self, kind: &str) -> bool {
        if !self.kinds.may_hold(kind) {
            return false;
        }
        let mut count = self.counts.entry(kind.to_owned()).or_default();
        *count += 1;
        *count <= MOST_OF_A_KIND
    }
}

/// Makes the definitions and a result from the text of a file.
pub(crate) type OpenFunction<'a, T> =
    &'a (dyn Fn(&Path, &ParsedText, &RequestedKinds) -> Option<(Definitions, T)> + Sync);

/// The definitions in all of `files`, and the results of `open` for the files that hold some. Other texts are kept, up to
/// [`OPENED_BYTES`].
pub(crate) fn open_all<T: Send>(files: &[PathBuf], open: OpenFunction<'_, T>) -> AllOpened<T> {
    open_within(files, open, OPENED_BYTES)
}

fn open_within<T: Send>(files: &[PathBuf], open: OpenFunction<'_, T>, bytes: usize) -> AllOpened<T> {
    let room = TextBudget { bytes, taken: AtomicUsize::new(0) };
    let (candidates, kinds, read) = sifted(files, &room);
    let demand = RequestedKinds { kinds, counts: DashMap::new() };
    let all = Mutex::new(AllOpened { files: read, ..AllOpened::default() });
    on_all(&candidates, &|path| {
        // A crash happens again when the file is checked, and is reported then.
        let opened = catch_unwind(AssertUnwindSafe(|| open_one(path, open, &demand, &room)));
        let Ok(Some((definitions, opened))) = opened else { return };
        let all = &mut *all.lock().unwrap_or_else(PoisonError::into_inner);
        all.definitions.push(definitions);
        all.files.extend(opened.map(|opened| (path.to_owned(), opened)));
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn open_one<T>(
    path: &Path,
    open: OpenFunction<'_, T>,
    demand: &RequestedKinds,
    room: &TextBudget,
) -> Option<(Definitions, Option<OpenResult<T>>)> {
    // A file that cannot be read is reported when it is checked.
    let text = text_of(path, guarded_files::regular(path, MAX_BYTES).ok()?).ok()??;
    let length = text.len();
    let parsed = ParsedText::new(text);
    if let Some((definitions, done)) = open(path, &parsed, demand) {
        return Some((definitions, Some(OpenResult::Done(done))));
    }
    let source = source_name(path);
    if room.take(length) {
        return Some((parsed.definitions(&source)?, Some(OpenResult::Parsed(parsed))));
    }
    let definitions =
        parsed.definitions_of_dropped_text(&source, load_of(path), &|kind| demand.wants(kind))?;
    Some((definitions, None))
}

/// The files of `files` that may hold definitions, the kinds that objects in the others may have, and their texts, as far
/// as these are small.
fn sifted<T: Send>(
    files: &[PathBuf],
    room: &TextBudget,
) -> (Vec<PathBuf>, Kinds, HashMap<PathBuf, OpenResult<T>>) {
    let all = Mutex::new((Vec::new(), Vec::new(), HashMap::new()));
    on_all(files, &|path| {
        let small = read_small(path).filter(|bytes| !may_define(bytes) && !may_publish(bytes));
        let small = small.map(|bytes| (Kinds::of(&bytes), bytes));
        let (candidates, known, texts) = &mut *all.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((kinds, bytes)) = small else { return candidates.push(path.to_owned()) };
        known.push(kinds);
        if room.take(bytes.len()) {
            texts.insert(path.to_owned(), OpenResult::Read(bytes));
        }
    });
    let (candidates, kinds, texts) = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    (candidates, Kinds::union(&kinds), texts)
}

/// The bytes of a file of at most [`SMALL_BYTES`], the size of most files without definitions.
fn read_small(path: &Path) -> Option<Vec<u8>> {
    // A file that is larger, or grows meanwhile, is read later as a whole. A walk finds no links, and links that the user
    // names may lead anywhere.
    path.metadata().ok().filter(|file| file.len() <= SMALL_BYTES as u64)?;
    guarded_files::regular(path, SMALL_BYTES).ok().filter(|bytes| bytes.len() <= SMALL_BYTES)
}

/// The remaining size of the texts that may be kept.
struct TextBudget {
    bytes: usize,
    taken: AtomicUsize,
}

impl TextBudget {
    fn take(&self, bytes: usize) -> bool {
        self.taken.fetch_add(bytes, Ordering::Relaxed) + bytes <= self.bytes
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::{Kinds, MOST_OF_A_KIND, OpenResult, RequestedKinds, open_within};

    #[test]
    fn memory_is_bounded_and_the_result_is_independent_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let text = format!(
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\n---\napiVersion: apiextensions.k8s.io/v1\n\
                 kind: CustomResourceDefinition\nmetadata: {{name: {name}s.example.com}}\nspec:\n  group: example.com\n  \
                 names: {{plural: {name}s, kind: {name}}}\n"
            );
            let path = folder.path().join(format!("{name}.yaml"));
            fs::write(&path, &text).unwrap();
            (path, text.len())
        };
        let files = ["gadget", "widget", "device"].map(write);
        let paths = files.clone().map(|(path, _)| path);
        let largest = files.iter().map(|(_, length)| *length).max().unwrap();
        for (bytes, expected) in [(usize::MAX, 3), (largest, 1), (0, 0)] {
            let opened = open_within::<()>(&paths, &|_, _, _| None, bytes);
            let mut kinds: Vec<String> = opened
                .definitions
                .iter()
                .flat_map(|one| one.defined().map(|(_, kind)| kind.to_owned()))
                .collect();
            kinds.sort();
            assert_eq!(kinds, ["device", "gadget", "widget"]);
            let kept = opened.files.values().filter(|opened| matches!(opened, OpenResult::Parsed(_))).count();
            assert_eq!(kept, expected, "{bytes} bytes may be kept");
        }
    }

    #[test]
    fn only_the_first_of_dozens_of_definitions_of_a_kind_are_prepared() {
        let demand = RequestedKinds { kinds: Kinds::of(b"kind: Widget"), counts: Default::default() };
        let wanted = (0..50).filter(|_| demand.wants("Widget")).count();
        assert_eq!(wanted, MOST_OF_A_KIND);
        assert!(!demand.wants("Gadget"), "no object has this kind");
    }
}
