//! The entries that `.gitignore`, `.ignore` and git's own lists exclude from a walk. The crate `ignore` would open these
//! files even if they are devices or pipes; here they are read with the same guards as all files of a repository.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, Match};

use crate::globs::bounded;
use crate::guarded_files;
use crate::paths::absolute;

/// The maximum size of a list, in bytes.
const MAX_BYTES: usize = 256 * 1024;
/// The maximum number of lines of a list; further lines are ignored.
const MOST_LINES: usize = 10_000;

/// The entries that one walk excludes. Cheap to clone; clones share the lists that were read.
#[derive(Clone, Debug)]
pub(crate) struct IgnoreRules {
    /// The directory that is walked, as it was named, and its absolute path.
    named_directory: PathBuf,
    absolute: PathBuf,
    /// The user's own list.
    everywhere: Arc<Gitignore>,
    lists: Arc<Mutex<IgnoreLists>>,
}

#[derive(Debug, Default)]
struct IgnoreLists {
    /// The lists that apply in a directory.
    levels: HashMap<PathBuf, Option<Arc<Level>>>,
    problems: Vec<String>,
}

/// The lists of a directory that has at least one.
#[derive(Debug)]
struct Level {
    /// `.ignore`, `.gitignore`, `.git/info/exclude`: the first that names a path decides.
    lists: [Gitignore; 3],
    /// The lists of the directories above.
    above: Option<Arc<Level>>,
}

impl IgnoreRules {
    /// The excluded entries of a walk over `directory`.
    pub(crate) fn below(directory: &Path) -> Self {
        Self {
            named_directory: directory.to_owned(),
            absolute: absolute(directory),
            everywhere: Arc::new(Gitignore::global().0),
            lists: Arc::default(),
        }
    }

    /// Whether the walk skips an entry because it is hidden or a list names it.
    pub(crate) fn excludes(&self, entry: &DirEntry) -> bool {
        if entry.depth() == 0 {
            return false;
        }
        let below = entry.path().strip_prefix(&self.named_directory).unwrap_or(entry.path());
        let path = self.absolute.join(below);
        match self.matched(&path, entry.file_type().is_some_and(|kind| kind.is_dir())) {
            Match::None => is_hidden(entry),
            matched => matched.is_ignore(),
        }
    }

    /// Whether a list names a file or a directory above it, below the directory of the walk.
    pub(crate) fn covers(&self, file: &Path) -> bool {
        let mut above = file.ancestors().take_while(|path| **path != *self.absolute);
        let is_ignored = |path: &Path| self.matched(path, path != file).is_ignore();
        file.starts_with(&self.absolute) && above.any(is_ignored)
    }

    /// Takes the messages on lists that were not read and on lines that were ignored.
    pub(crate) fn problems(&self) -> Vec<String> {
        std::mem::take(&mut self.lists.lock().unwrap_or_else(PoisonError::into_inner).problems)
    }

    /// The match in the nearest list of each kind that names `path`; the kinds take precedence in their order.
    fn matched(&self, path: &Path, is_directory: bool) -> Match<()> {
        let nearest = path.parent().and_then(|directory| self.level(directory));
        let mut matches = [const { Match::None }; 3];
        let mut level = nearest.as_deref();
        while let Some(Level { lists, above }) = level {
            for (one, list) in matches.iter_mut().zip(lists) {
                if one.is_none() {
                    *one = list.matched(path, is_directory).map(|_| ());
                }
            }
            level = above.as_deref();
        }
        let own = self.everywhere.matched(path, is_directory).map(|_| ());
        matches.into_iter().fold(Match::None, Match::or).or(own)
    }

    fn level(&self, directory: &Path) -> Option<Arc<Level>> {
        if let Some(level) = self.lock().levels.get(directory) {
            return level.clone();
        }
        let above = directory.parent().and_then(|above| self.level(above));
        let lists = [".ignore", ".gitignore", ".git/info/exclude"].map(|name| self.list(directory, name));
        let level = if lists.iter().all(Gitignore::is_empty) {
            above
        } else {
            Some(Arc::new(Level { lists, above }))
        };
        self.lock().levels.insert(directory.to_owned(), level.clone());
        level
    }

    fn list(&self, directory: &Path, name: &str) -> Gitignore {
        let path = directory.join(name);
        let text = match guarded_files::read_found(&path, MAX_BYTES) {
            Ok(bytes) if bytes.len() <= MAX_BYTES => bytes,
            Ok(_) => {
                self.report(&path, &format!("it is larger than {} KiB and is ignored", MAX_BYTES / 1024));
                return Gitignore::empty();
            }
            Err(error) => {
                let is_usual = matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory
                );
                if !is_usual {
                    self.report(&path, &format!("it is ignored: {error}"));
                }
                return Gitignore::empty();
            }
        };
        let text = String::from_utf8_lossy(&text);
        let mut list = GitignoreBuilder::new(directory);
        for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            if at >= MOST_LINES {
                self.report(&path, &format!("only its first {MOST_LINES} lines are used"));
                break;
            }
            match bounded(line) {
                // git reports invalid lines.
                Ok(()) => drop(list.add_line(None, line)),
                Err(problem) => self.report(&path, &format!("line {} is ignored: {problem}", at + 1)),
            }
        }
        list.build().unwrap_or_else(|problem| {
            self.report(&path, &format!("it is ignored: {problem}"));
            Gitignore::empty()
        })
    }

    fn report(&self, path: &Path, problem: &str) {
        self.lock().problems.push(format!("{}: {problem}", path.display()));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, IgnoreLists> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_hidden(entry: &DirEntry) -> bool {
    #[cfg(windows)]
    {
        use std::os::windows::fs::MetadataExt;
        const HIDDEN: u32 = 2;
        if entry.metadata().is_ok_and(|metadata| metadata.file_attributes() & HIDDEN != 0) {
            return true;
        }
    }
    entry.file_name().as_encoded_bytes().starts_with(b".")
}
