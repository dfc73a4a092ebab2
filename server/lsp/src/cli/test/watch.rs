//! Runs again whenever files change.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use notify::event::EventKind;
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::walk::has_our_name;

/// An editor writes a file in several steps.
const SETTLED: Duration = Duration::from_millis(100);

/// Reports changes of files.
pub(super) struct Changes {
    events: Receiver<()>,
    // Watching ends when this is dropped.
    _watcher: RecommendedWatcher,
}

impl Changes {
    /// Watches `paths` and all below them. For a file its directory is watched, because definitions may be beside a suite.
    pub(super) fn below(paths: &[String]) -> Result<Self, String> {
        let (sender, events) = channel();
        let handler = move |event: notify::Result<Event>| {
            if let Ok(event) = event
                && !matches!(event.kind, EventKind::Access(_))
                && event.paths.iter().any(|path| has_our_name(path))
            {
                // Sending fails only when the process ends and nobody waits any more.
                let _ = sender.send(());
            }
        };
        let config = Config::default().with_follow_symlinks(false);
        let mut watcher = RecommendedWatcher::new(handler, config).map_err(|error| error.to_string())?;
        for path in paths.iter().map(PathBuf::from) {
            let directory =
                if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")).to_owned() };
            let directory = if directory == Path::new("") { PathBuf::from(".") } else { directory };
            watcher
                .watch(&directory, RecursiveMode::Recursive)
                .map_err(|error| format!("{}: {error}", directory.display()))?;
        }
        Ok(Self { events, _watcher: watcher })
    }

    /// Waits until something has changed. Returns false if no further change can be reported.
    pub(super) fn wait(&self) -> bool {
        if self.events.recv().is_err() {
            return false;
        }
        while self.events.recv_timeout(SETTLED).is_ok() {}
        true
    }
}
