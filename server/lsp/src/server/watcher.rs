//! Watches directories for clients that do not watch files themselves.

use std::collections::BTreeSet;
use std::path::PathBuf;

use notify::event::EventKind;
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::inbox::{Inbox, Message};

/// Beyond so many directories further ones are not watched.
const MOST: usize = 1_000;

/// Tells the writer of files that change in the directories that it is given, and not below.
#[derive(Debug)]
pub(super) struct Watcher {
    watcher: RecommendedWatcher,
    watched: BTreeSet<PathBuf>,
}

impl Watcher {
    pub(super) fn start(inbox: Inbox) -> notify::Result<Self> {
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            // An event that could not be read is as good as none: the next one comes.
            if let Ok(event) = event
                && !matches!(event.kind, EventKind::Access(_))
            {
                // The writer ends only with the process.
                let _ = inbox.send(Message::FilesChanged(event.paths));
            }
        })?;
        Ok(Self { watcher, watched: BTreeSet::new() })
    }

    pub(super) fn watch(&mut self, directories: &[PathBuf]) {
        for directory in directories {
            if self.watched.len() < MOST && !self.watched.contains(directory) {
                // A directory that cannot be watched, as one that was removed, is left out.
                let _ = self.watcher.watch(directory, RecursiveMode::NonRecursive);
                self.watched.insert(directory.clone());
            }
        }
    }
}
