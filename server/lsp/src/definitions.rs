//! Definitions of files and directories.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use globset::{GlobBuilder, GlobMatcher};
use ide::{Definitions, Parsed};
use memchr::memmem;

use crate::limits::{BINARY_PROBE, MAX_BYTES, STACK_BYTES};
use crate::walk::{is_candidate, walker};

/// What no file with definitions lacks.
const NEEDLE: &[u8] = b"CustomResourceDefinition";

/// What no document lacks that a server published of definitions.
const PUBLISHED: &[u8] = b"x-kubernetes-group-version-kind";

/// How much text of files is kept from reading the definitions to the check, in bytes.
const OPENED_BYTES: usize = 64 * 1024 * 1024;

/// What was found in files.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) definitions: Vec<Definitions>,
    /// Why files were not looked at.
    pub(crate) problems: Vec<String>,
}

impl Found {
    fn add(&mut self, read: Result<Definitions, String>) {
        match read {
            Ok(definitions) => self.definitions.push(definitions),
            Err(problem) => self.problems.push(problem),
        }
    }
}

/// The name of a file as a source of definitions.
pub(crate) fn source_name(path: &Path) -> String {
    path.display().to_string()
}

/// The definitions in the file at `path`; none where it has none. The error tells why it was not looked at.
pub(crate) fn of_file(path: &Path) -> Result<Option<Definitions>, String> {
    let Some(text) = text_of(path)? else { return Ok(None) };
    let again = path.to_owned();
    let load = Arc::new(move || String::from_utf8(read(&again).ok()?).ok());
    Ok(Definitions::read(&source_name(path), &text, load))
}

/// The text of the file at `path` if there may be definitions in it.
fn text_of(path: &Path) -> Result<Option<String>, String> {
    let problem = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
    let bytes = read(path).map_err(|error| problem(&error))?;
    if bytes.len() > MAX_BYTES {
        return Err(problem(&"the file is too large to be looked at for definitions"));
    }
    if !may_define(&bytes) && memmem::find(&bytes, PUBLISHED).is_none() {
        return Ok(None);
    }
    if bytes.iter().take(BINARY_PROBE).any(|byte| *byte == 0) {
        return Err(problem(&"this is a binary file; it is not looked at for definitions"));
    }
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| problem(&"the file is not UTF-8; it is not looked at for definitions"))
}

/// Whether there may be definitions in `bytes`.
pub(crate) fn may_define(bytes: &[u8]) -> bool {
    memmem::find(bytes, NEEDLE).is_some()
}

/// The bytes of a file, up to one more than we look at.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let limit = MAX_BYTES + 1;
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    let mut bytes = Vec::with_capacity(usize::try_from(length).map_or(limit, |length| length.min(limit)));
    file.take(limit as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The files below `directory` that may hold definitions, and what could not be looked at. What `is_wanted` refuses is
/// not walked into.
pub(crate) fn files_below(
    directory: &Path,
    is_wanted: impl Fn(&Path) -> bool + Send + Sync + 'static,
) -> (Vec<PathBuf>, Vec<String>) {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    for entry in walker(directory).filter_entry(move |entry| is_wanted(entry.path())).build() {
        match entry {
            Ok(entry) if is_candidate(&entry) => files.push(entry.into_path()),
            Ok(_) => {}
            Err(error) => problems.push(error.to_string()),
        }
    }
    (files, problems)
}

/// Hands `take` the definitions in `files` as they are found, on all processors.
pub(crate) fn of_files(files: &[PathBuf], take: &(dyn Fn(Found) + Sync)) {
    on_all(files, &of_file, &|read| {
        let mut found = Found::default();
        found.add(read);
        take(found);
    });
}

/// Hands `take` what `read` makes of `files`, on all processors.
fn on_all<T>(
    files: &[PathBuf],
    read: &(dyn Fn(&Path) -> Result<Option<T>, String> + Sync),
    take: &(dyn Fn(Result<T, String>) + Sync),
) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let crashed =
                |_| Err(format!("{}: reading the definitions crashed; please report it", path.display()));
            let read = catch_unwind(AssertUnwindSafe(|| read(path))).unwrap_or_else(crashed);
            read.transpose().into_iter().for_each(take);
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(files.len());
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        if (0..threads).filter_map(|at| start(at).ok()).count() == 0 {
            work();
        }
    });
}

/// The definitions in all of `files`.
pub(crate) fn of_all(files: &[PathBuf]) -> Found {
    let all = Mutex::new(Found::default());
    of_files(files, &|found| {
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.definitions.extend(found.definitions);
        all.problems.extend(found.problems);
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The definitions in all of `files`, and the files that hold them, up to [`OPENED_BYTES`]: they will be checked, too,
/// and are read once.
pub(crate) fn open_all(files: &[PathBuf]) -> (Vec<Definitions>, BTreeMap<PathBuf, Parsed>) {
    let bytes = AtomicUsize::new(0);
    let open = |path: &Path| {
        let Some(text) = text_of(path)? else { return Ok(None) };
        if bytes.fetch_add(text.len(), Ordering::Relaxed) > OPENED_BYTES {
            return Ok(of_file(path)?.map(|definitions| (definitions, None)));
        }
        let parsed = Parsed::new(text);
        let definitions = parsed.definitions(&source_name(path));
        Ok(definitions.map(|definitions| (definitions, Some((path.to_owned(), parsed)))))
    };
    let all = Mutex::new((Vec::new(), BTreeMap::new()));
    on_all(files, &open, &|read| {
        // What cannot be read is told when it is checked.
        let Ok((definitions, opened)) = read else { return };
        let (all, all_opened) = &mut *all.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(definitions);
        all_opened.extend(opened);
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Where definitions are beside those that are looked at in any case: a file, a directory, or a pattern with `*`, `?`,
/// `**`, `[…]` or `{…}`.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The file or directory, or the part of the pattern before the first wildcard.
    pub(crate) path: PathBuf,
    pattern: Option<GlobMatcher>,
}

impl Place {
    /// The place that `text` names, relative to `base`.
    pub(crate) fn new(base: &Path, text: &str) -> Result<Self, String> {
        let whole = base.join(text);
        if whole.exists() || !text.contains(['*', '?', '[', '{']) {
            return Ok(Self { path: whole, pattern: None });
        }
        let is_plain =
            |part: &Component<'_>| !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{']);
        let path: PathBuf = whole.components().take_while(is_plain).collect();
        let pattern: OsString = whole.into();
        let glob = GlobBuilder::new(&pattern.to_string_lossy()).literal_separator(true).build();
        let pattern = glob.map_err(|error| format!("{text}: {error}"))?.compile_matcher();
        Ok(Self { path, pattern: Some(pattern) })
    }

    /// Whether there is anything, not looking at the pattern.
    pub(crate) fn exists(&self) -> bool {
        self.path.exists()
    }

    /// The files there, and what could not be looked at.
    pub(crate) fn files(&self) -> (Vec<PathBuf>, Vec<String>) {
        if self.path.is_file() {
            return (vec![self.path.clone()], Vec::new());
        }
        let (mut files, problems) = files_below(&self.path, |_| true);
        if let Some(pattern) = &self.pattern {
            files.retain(|file| pattern.is_match(file));
        }
        (files, problems)
    }
}
