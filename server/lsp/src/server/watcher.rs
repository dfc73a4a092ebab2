//! Watches directories for clients that do not watch files themselves.

use std::collections::BTreeSet;
use std::path::PathBuf;

use notify::event::{EventKind, ModifyKind};
use notify::{Config, Event, EventHandler, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::inbox::{Inbox, Message};
use crate::config::FILE_NAME;
use crate::walk::has_our_name;

/// The files of a repository, at least one of which changes when a branch moves: on a commit, a checkout, a fetch.
const MOVES: [&str; 4] = ["HEAD", "COMMIT_EDITMSG", "FETCH_HEAD", "packed-refs"];

/// The maximum number of directories that are watched.
const MOST: usize = 1_000;

/// Reports to the writer the files that change in the watched directories, but not below them.
#[derive(Debug)]
pub(super) struct Watcher {
    watcher: RecommendedWatcher,
    watched: BTreeSet<PathBuf>,
}

/// A watcher that follows no symbolic links: a link to the root would make it watch all directories.
fn watcher(handler: impl EventHandler) -> notify::Result<RecommendedWatcher> {
    RecommendedWatcher::new(handler, Config::default().with_follow_symlinks(false))
}

impl Watcher {
    pub(super) fn start(inbox: Inbox) -> notify::Result<Self> {
        let watcher = watcher(move |event: notify::Result<Event>| {
            // An event that could not be read is ignored; further events follow.
            if let Ok(event) = event
                && !matches!(event.kind, EventKind::Access(_))
            {
                inbox.send(Message::FilesChanged(event.paths));
            }
        })?;
        Ok(Self { watcher, watched: BTreeSet::new() })
    }

    /// Watches `directories` and everything below them, and reports files that may hold definitions, and directories.
    pub(super) fn of_trees(directories: &[PathBuf], inbox: Inbox) -> notify::Result<Self> {
        let mut watcher = watcher(move |event: notify::Result<Event>| {
            if let Ok(mut event) = event
                && !matches!(event.kind, EventKind::Access(_))
            {
                // A path without an extension may be a directory, which matters only if it is created or removed.
                let is_content =
                    matches!(event.kind, EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_)));
                event.paths.retain(|path| {
                    has_our_name(path)
                        || path.file_name().is_some_and(|name| name == FILE_NAME || name == ".gitignore")
                        || !is_content && path.extension().is_none()
                });
                if !event.paths.is_empty() {
                    inbox.send(Message::FilesChanged(event.paths));
                }
            }
        })?;
        for directory in directories {
            watcher.watch(directory, RecursiveMode::Recursive)?;
        }
        Ok(Self { watcher, watched: directories.iter().cloned().collect() })
    }

    /// Reports to the writer that a branch moved in one of the watched git directories.
    pub(super) fn of_repositories(inbox: Inbox) -> notify::Result<Self> {
        let watcher = watcher(move |event: notify::Result<Event>| {
            let is_relevant =
                |path: &PathBuf| path.file_name().is_some_and(|name| MOVES.iter().any(|m| name == *m));
            if let Ok(event) = event
                && !matches!(event.kind, EventKind::Access(_))
                && event.paths.iter().any(is_relevant)
            {
                inbox.send(Message::RepositoryChanged);
            }
        })?;
        Ok(Self { watcher, watched: BTreeSet::new() })
    }

    pub(super) fn watch(&mut self, directories: &[PathBuf]) {
        for directory in directories {
            if self.watched.len() < MOST && !self.watched.contains(directory) {
                // A directory that cannot be watched, for example because it was removed, is skipped.
                let _ = self.watcher.watch(directory, RecursiveMode::NonRecursive);
                self.watched.insert(directory.clone());
            }
        }
    }
}
