//! Definitions of files and directories.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use globset::GlobSet;
use ide::{Audience, Definitions, Load, SourceScope};
use ignore::DirEntry;
use memchr::memmem;

pub(crate) use answers::source_name;

use crate::globs;
use crate::guarded_files::{self, RepositoryRoot};
use crate::kinds::Kinds;
use crate::limits::{MAX_BYTES, STACK_BYTES, UndecodableBytes};
use crate::paths::{absolute, canonical};
use crate::walk::{entries, is_candidate};

/// A text that every file with definitions contains.
const NEEDLE: &[u8] = b"CustomResourceDefinition";

/// A text that every document that a server published for definitions contains.
const PUBLISHED: &[u8] = b"x-kubernetes-group-version-kind";

/// The definitions and kinds that were found in files.
#[derive(Debug, Default)]
pub(crate) struct FoundDefinitions {
    pub(crate) definitions: Vec<Definitions>,
    /// The kinds that objects in each file may have.
    pub(crate) kinds: Vec<(Arc<Path>, Kinds)>,
    /// The reasons why files were not read.
    pub(crate) problems: Vec<String>,
}

impl FoundDefinitions {
    /// The definitions and kinds in the file at `path`. Empty if the file was deleted after it was listed.
    fn of(path: &Path) -> Self {
        let mut found = Self::default();
        match guarded_files::read_found(path, MAX_BYTES) {
            Ok(bytes) => {
                found.kinds.push((path.into(), Kinds::of(&bytes)));
                match of_bytes(path, bytes) {
                    Ok(definitions) => found.definitions.extend(definitions),
                    Err(problem) => found.problems.push(problem),
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => found.problems.push(with_path(path, &error)),
        }
        found
    }

    /// The same, with the definitions in the files in `named` marked as named by the user.
    pub(crate) fn naming(mut self, named: &BTreeMap<PathBuf, SourceScope>) -> Self {
        let name = |one: Definitions| match named.get(Path::new(&**one.source())) {
            Some(naming) => one.with_scope(naming.clone()),
            None => one,
        };
        self.definitions = self.definitions.into_iter().map(name).collect();
        self
    }

    /// Adds the contents of `other`.
    pub(crate) fn add(&mut self, other: Self) {
        self.definitions.extend(other.definitions);
        self.kinds.extend(other.kinds);
        self.problems.extend(other.problems);
    }
}

fn with_path(path: &Path, problem: &dyn std::fmt::Display) -> String {
    format!("{}: {problem}", path.display())
}

/// The definitions in the file at `path` with these bytes; `None` if it has none. The error is the reason why it was not
/// read.
pub(crate) fn of_bytes(path: &Path, bytes: Vec<u8>) -> Result<Option<Definitions>, String> {
    let Some(text) = text_of(path, bytes)? else { return Ok(None) };
    Ok(Definitions::read(&source_name(path), &text, load_of(path)))
}

/// The text of the file at `path` if there may be definitions in it.
pub(crate) fn text_of(path: &Path, bytes: Vec<u8>) -> Result<Option<String>, String> {
    if bytes.len() > MAX_BYTES {
        return Err(with_path(path, &"the file is too large to search for definitions"));
    }
    if !may_define(&bytes) && !may_publish(&bytes) {
        return Ok(None);
    }
    if UndecodableBytes::at_start_of(&bytes).is_some() {
        return Err(with_path(path, &"the file is binary and is not searched for definitions"));
    }
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| with_path(path, &"the file is not UTF-8 and is not searched for definitions"))
}

/// Whether there may be definitions in `bytes`.
pub(crate) fn may_define(bytes: &[u8]) -> bool {
    memmem::find(bytes, NEEDLE).is_some()
}

/// Whether there may be a document of a server in `bytes`.
pub(crate) fn may_publish(bytes: &[u8]) -> bool {
    memmem::find(bytes, PUBLISHED).is_some()
}

/// The files below `directory` that may hold definitions, and the problems of the walk. `is_wanted` gets a path and whether
/// it is a directory; entries that it refuses are skipped.
pub(crate) fn files_below(
    directory: &Path,
    is_wanted: impl Fn(&Path, bool) -> bool + Send + Sync + 'static,
) -> (Vec<PathBuf>, Vec<String>) {
    let is_wanted =
        move |entry: &DirEntry| is_wanted(entry.path(), entry.file_type().is_some_and(|kind| kind.is_dir()));
    let (entries, walked) = entries(directory, is_wanted);
    let files = entries.into_iter().filter(is_candidate).map(DirEntry::into_path);
    let problems = walked.problems.into_iter().chain(walked.remarks);
    (files.collect(), problems.collect())
}

/// Calls `take` with the contents of each of `files`, on all processors.
pub(crate) fn of_files(files: &[PathBuf], take: &(dyn Fn(FoundDefinitions) + Sync)) {
    on_all(files, &|path| {
        let crashed = |_| {
            let problems = vec![with_path(path, &"reading the definitions crashed; please report it")];
            FoundDefinitions { problems, ..FoundDefinitions::default() }
        };
        take(catch_unwind(AssertUnwindSafe(|| FoundDefinitions::of(path))).unwrap_or_else(crashed));
    });
}

/// Calls `work` for all of `files`, on all processors.
pub(crate) fn on_all(files: &[PathBuf], work: &(dyn Fn(&Path) + Sync)) {
    on_some(files, thread::available_parallelism().map_or(1, NonZero::get), work);
}

/// The same on at most `at_once` processors.
pub(crate) fn on_some(files: &[PathBuf], at_once: usize, work: &(dyn Fn(&Path) + Sync)) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(path);
        }
    };
    let threads = at_once.min(files.len());
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        if (0..threads).filter_map(|at| start(at).ok()).count() == 0 {
            work();
        }
    });
}

/// The definitions in all of `files`.
pub(crate) fn of_all(files: &[PathBuf]) -> FoundDefinitions {
    let all = Mutex::new(FoundDefinitions::default());
    of_files(files, &|found| {
        all.lock().unwrap_or_else(PoisonError::into_inner).add(found);
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Reads the text of the file at `path` again; links in paths that the user named may lead anywhere.
pub(crate) fn load_of(path: &Path) -> Load {
    let path = path.to_owned();
    Arc::new(move || String::from_utf8(guarded_files::regular(&path, MAX_BYTES).ok()?).ok())
}

/// A place of definitions in addition to the default ones: a file, a directory, or a pattern with `*`, `?`, `**`, `[…]` or
/// `{…}`.
#[derive(Clone, Debug)]
pub(crate) struct DefinitionPlace {
    /// The file or directory, or the part of the pattern before the first wildcard.
    pub(crate) path: PathBuf,
    pattern: Option<GlobSet>,
    /// The files for which it is named.
    pub(crate) naming: SourceScope,
}

impl DefinitionPlace {
    /// The place that the user names with `text`, relative to `base`.
    pub(crate) fn new(base: &Path, text: &str) -> Result<Self, String> {
        globs::bounded(text)?;
        let full_path = base.join(text);
        if full_path.exists() || !text.contains(['*', '?', '[', '{']) {
            return Ok(Self { path: full_path, pattern: None, naming: SourceScope::for_all() });
        }
        let is_plain =
            |part: &Component<'_>| !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{']);
        let path: PathBuf = full_path.components().take_while(is_plain).collect();
        let pattern: OsString = full_path.into();
        let pattern =
            globs::matcher(&pattern.to_string_lossy()).map_err(|error| format!("{text}: {error}"))?;
        Ok(Self { path, pattern: Some(pattern), naming: SourceScope::for_all() })
    }

    /// The same place, named only for some files.
    pub(crate) fn for_some(self, audience: Audience) -> Self {
        Self { naming: SourceScope::for_some(audience), ..self }
    }

    /// The place that a repository's settings in the directory `home` name with `text`, which must be in the repository.
    pub(crate) fn of_repository(home: &Path, text: &str) -> Result<Self, String> {
        let outside = |what: &str| {
            format!(
                "{text}: {what}; .crd-ls.toml can name only paths inside its repository; for others, use the editor's \
                 setting `crds` or --crd"
            )
        };
        globs::bounded(text)?;
        if let Some(what) = guarded_files::outside_reason(text) {
            return Err(outside(what));
        }
        let inside = RepositoryRoot::of(home);
        let mut full_path = canonical(home);
        // One component after the other, because real paths of Windows treat `/` as a letter.
        full_path.extend(Path::new(text).components());
        if !inside.contains(&absolute(&full_path)) {
            return Err(outside("`..` leads out of the repository"));
        }
        let place = Self::new(home, text)?;
        match inside.canonical(&place.path) {
            Err(error) if guarded_files::is_refusal(&error) => {
                Err(outside("a symbolic link leads out of the repository"))
            }
            // Whether the path exists is checked later.
            _ => Ok(place),
        }
    }

    /// Whether the path exists, without the pattern.
    pub(crate) fn exists(&self) -> bool {
        self.path.exists()
    }

    /// The files at this place, and the problems of the walk.
    pub(crate) fn files(&self) -> (Vec<PathBuf>, Vec<String>) {
        if self.path.is_file() {
            // The user named the file, so links may lead anywhere.
            let real = dunce::canonicalize(&self.path).ok().filter(|_| self.path.is_symlink());
            return (vec![real.unwrap_or_else(|| self.path.clone())], Vec::new());
        }
        let (mut files, problems) = files_below(&self.path, |_, _| true);
        if let Some(pattern) = &self.pattern {
            files.retain(|file| pattern.is_match(file));
        }
        (files, problems)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_was_deleted_after_the_listing_is_no_problem() {
        let directory = tempfile::tempdir().unwrap();
        let [gone, folder] = ["gone.yaml", "folder.yaml"].map(|name| directory.path().join(name));
        fs::create_dir(&folder).unwrap();
        let found = of_all(&[gone, folder.clone()]);
        assert!(found.definitions.is_empty());
        let [problem] = &*found.problems else { panic!("{:?}", found.problems) };
        assert!(problem.starts_with(&*folder.to_string_lossy()), "{problem}");
    }
}
