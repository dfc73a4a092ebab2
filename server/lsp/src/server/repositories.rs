//! The writer's part in git repositories: when the versions with which files are compared change.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use answers::lsp::addresses::file_path;
use ide::File;

use tower_lsp::ls_types::Uri;

use super::inbox::Message;
use super::jobs;
use super::watcher::Watcher;
use super::writer::Writer;
use crate::git::EarlierVersion;

/// The delay after a change: git changes several files one after another when a branch moves.
const LOOKED_AT_AFTER: Duration = Duration::from_millis(200);

impl Writer {
    /// Reads the versions with which a document is compared, in a separate job and after its own findings were published.
    pub(super) fn read_versions(&mut self, uri: &Uri, unread_revisions: Vec<String>, file: Option<File>) {
        if unread_revisions.is_empty() {
            return;
        }
        let Some(path) = file_path(uri) else { return };
        if !self.reading.insert(path.clone()) {
            return;
        }
        let repositories = self.repositories.clone();
        let crashed = {
            let (repositories, path, unread_revisions) =
                (repositories.clone(), path.clone(), unread_revisions.clone());
            move || {
                unread_revisions.iter().for_each(|revision| repositories.crashed(&path, revision));
                Message::Compared(vec![path])
            }
        };
        let span = tracing::error_span!("versions", path = %path.display());
        jobs::start(&self.inbox, span, crashed, move |inbox| {
            unread_revisions.iter().for_each(|revision| repositories.read(&path, revision, file.as_ref()));
            inbox.send(Message::Compared(vec![path]));
        });
    }

    /// Watches the repository of a file that was compared. A problem with the comparison is reported once.
    pub(super) fn watch_repository(&mut self, compared: &EarlierVersion) {
        if let Some(problem) = &compared.problem {
            self.log_once(problem.clone());
        }
        self.watch_git(&compared.directories);
    }

    /// Watches directories of git.
    pub(super) fn watch_git(&mut self, directories: &[PathBuf]) {
        if self.git_watcher.is_none() && !directories.is_empty() {
            match Watcher::of_repositories(self.inbox.clone()) {
                Ok(watcher) => self.git_watcher = Some(watcher),
                Err(problem) => self.log_once(format!("changes of git branches are not detected: {problem}")),
            }
        }
        if let Some(watcher) = &mut self.git_watcher {
            watcher.watch(directories);
        }
    }

    pub(super) fn forget_version(&mut self, uri: &Uri) {
        if let Some(path) = file_path(uri) {
            self.repositories.forget(&path);
            self.reading.remove(&path);
        }
    }

    pub(super) fn refresh_soon(&mut self) {
        if !self.is_refreshing {
            self.is_refreshing = true;
            self.outbox.remind(self.inbox.clone(), Message::RefreshRepositories, LOOKED_AT_AFTER);
        }
    }

    pub(super) fn refresh_repositories(&mut self) {
        self.is_refreshing = false;
        self.recheck_closed();
        let (repositories, packages) = (self.repositories.clone(), self.packages.clone());
        let present =
            self.documents.values().filter_map(|document| Some((document.path()?, document.file()?)));
        let present: BTreeMap<PathBuf, File> = present.collect();
        let crashed = || Message::Compared(Vec::new());
        jobs::start(&self.inbox, tracing::error_span!("repositories"), crashed, move |inbox| {
            let mut moved = repositories.refresh(&present);
            moved.extend(packages.refresh());
            inbox.send(Message::Compared(moved));
        });
    }

    /// Analyses the documents of `paths` again, because their versions have changed.
    pub(super) fn compared(&mut self, paths: &[PathBuf]) {
        for path in paths {
            self.reading.remove(path);
            // The document was closed meanwhile.
            if !self.documents.values().any(|document| document.path().as_ref() == Some(path)) {
                self.repositories.forget(path);
            }
        }
        let uris: Vec<String> = self
            .documents
            .iter()
            .filter(|(_, document)| document.path().is_some_and(|path| paths.contains(&path)))
            .map(|(uri, _)| uri.clone())
            .collect();
        for uri in &uris {
            let revision = self.next_revision();
            if let Some(document) = self.documents.get_mut(uri) {
                document.revise(revision);
            }
            self.analyse(uri);
        }
    }
}
