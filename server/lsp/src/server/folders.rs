//! The writer's part in the workspace: when files are indexed, and when documents get new definitions.

use std::ops::Bound;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tower_lsp::ls_types::Uri;

use super::analysis::FinishedAnalysis;
use super::document::Document;
use super::inbox::Message;
use super::indexing::{IndexJob, IndexProgress, Scope};
use super::jobs;
use super::watcher::Watcher;
use super::writer::Writer;
use crate::config::{FILE_NAME, Project};
use crate::walk::has_our_name;
use answers::lsp::convert::source_of;

/// The delay that joins the many results of an indexing run, and the refreshes of code lenses, for which clients ask again
/// each time.
const UPDATE_DELAY: Duration = Duration::from_millis(50);

impl Writer {
    /// Searches files for definitions, now or once the current run has ended.
    pub(super) fn index(&mut self, scope: Scope) {
        self.workspace.request_scope(scope);
        self.index_next();
    }

    fn index_next(&mut self) {
        let Some(scope) = self.workspace.next_scope() else { return };
        let done = CancellationToken::new();
        if self.profile.progress && matches!(scope, Scope::All) {
            let number = self.next_revision();
            self.outbox.progress("Looking for definitions".to_owned(), number, done.clone());
        }
        let job = IndexJob {
            folders: self.workspace.folders.clone(),
            homes: self.workspace.homes.clone(),
            editor: Arc::clone(&self.editor),
            projects: self.projects.clone(),
            scope,
        };
        let span = tracing::error_span!("index", scope = %job.scope);
        // Dropped however the job ends.
        let done = done.drop_guard();
        let scope = job.scope.clone();
        jobs::start(
            &self.inbox,
            span,
            || IndexProgress::crashed(scope),
            move |inbox| {
                let _done = done;
                job.run(inbox);
            },
        );
        self.send_index_state();
    }

    /// Reports the progress of indexing to a client that shows it.
    fn send_index_state(&mut self) {
        if self.profile.shows_index
            && let Some(state) = self.workspace.changed_index_state()
        {
            self.outbox.index(&state);
        }
    }

    /// Indexes files that have changed.
    pub(super) fn files_to_index(&mut self, paths: &[PathBuf]) {
        let decides =
            |path: &PathBuf| path.file_name().is_some_and(|name| name == FILE_NAME || name == ".gitignore");
        if paths.iter().any(decides) {
            return self.index(Scope::All);
        }
        // A path without an extension may be a directory.
        let matters = |path: &&PathBuf| has_our_name(path) || path.extension().is_none();
        let paths: Vec<&PathBuf> = paths.iter().filter(matters).collect();
        if !paths.is_empty() {
            self.index(Scope::Below(paths.into_iter().cloned().collect()));
        }
    }

    pub(super) fn folders_changed(&mut self, added: Vec<PathBuf>, removed: &[PathBuf]) {
        let folders = &mut self.workspace.folders;
        folders.retain(|folder| !removed.contains(folder));
        folders.extend(added);
        if !self.profile.registers_watching {
            self.watch_folders();
        }
        self.index(Scope::All);
        self.recheck_closed();
    }

    /// Watches the folders for a client that does not. For large folders this takes a while.
    pub(super) fn watch_folders(&mut self) {
        let folders = self.workspace.folders.clone();
        if folders.is_empty() {
            self.tree_watcher = None;
            return;
        }
        let crashed = || Message::Watching(Err("searching the folders crashed; please report it".to_owned()));
        jobs::start(&self.inbox, tracing::error_span!("watch"), crashed, move |inbox| {
            let watcher = Watcher::of_trees(&folders, inbox.clone()).map_err(|problem| problem.to_string());
            inbox.send(Message::Watching(watcher));
        });
    }

    pub(super) fn watching(&mut self, watching: Result<Watcher, String>) {
        match watching {
            Ok(watcher) => self.tree_watcher = Some(watcher),
            Err(problem) => self.log_once(format!("changes of closed files are not detected: {problem}")),
        }
    }

    pub(super) fn indexed(&mut self, mut indexed: IndexProgress) {
        for problem in std::mem::take(&mut indexed.definitions.problems) {
            self.log_once(problem);
        }
        self.snapshot = None;
        let is_done = indexed.end.is_some();
        if indexed.end.as_ref().is_some_and(|done| done.has_patches) {
            self.patches_found();
        }
        let looked_at: Vec<_> = indexed.definitions.kinds.iter().map(|(path, _)| Arc::clone(path)).collect();
        let below = indexed.end.as_ref().and_then(|done| match &done.scope {
            Scope::All => None,
            Scope::Below(paths) => Some(paths.clone()),
        });
        let was_complete = self.workspace.resources().is_complete;
        self.workspace.take_indexed(indexed);
        if was_complete {
            self.closed_files_changed(looked_at.iter().map(|path| &**path), below.as_ref());
        }
        if is_done {
            self.refresh_lenses_soon();
            self.check_closed();
        }
        self.catch_up_soon();
        self.index_next();
        self.send_index_state();
    }

    /// Analyses again the documents that were not known to be patches.
    fn patches_found(&mut self) {
        let is_patch =
            |document: &&Document| document.path().is_some_and(|path| self.projects.is_part(&path));
        let patches = self.documents.iter().filter(|(_, document)| is_patch(document));
        self.start_over(patches.map(|(uri, _)| uri.clone()).collect());
    }

    /// Takes the definitions in an analysed buffer, and the places of further definitions in its project.
    pub(super) fn buffer_analysed(&mut self, analysed: &FinishedAnalysis) {
        // Definitions that are generated from Go come with `go_analysed`.
        if analysed.go.is_none() {
            self.workspace.edited(&analysed.source, analysed.definitions.clone());
            self.catch_up_next();
        }
        self.open_repository(&analysed.project);
        if let Some(home) = &analysed.project.home
            && analysed.project.names_definitions()
            && self.workspace.homes.insert(home.clone())
        {
            self.index(Scope::All);
        }
    }

    /// Uses the repository of a buffer as the workspace of a client without folders, for example after a single file was
    /// opened.
    fn open_repository(&mut self, project: &Project) {
        if let Some(top) = project.top.as_ref().filter(|_| self.workspace.folders.is_empty()) {
            self.folders_changed(vec![top.clone()], &[]);
        }
    }

    pub(super) fn forget_buffer(&mut self, uri: &Uri) {
        self.workspace.closed(&source_of(uri));
        self.catch_up_next();
    }

    pub(super) fn catch_up_soon(&mut self) {
        if self.workspace.is_outdated() && !self.is_reminded {
            self.is_reminded = true;
            self.outbox.remind(self.inbox.clone(), Message::CatchUp, UPDATE_DELAY);
        }
    }

    /// Catches up after the messages that are waiting: once for a burst of edits, and without a delay.
    pub(super) fn catch_up_next(&mut self) {
        if self.workspace.is_outdated() {
            self.inbox.send(Message::CatchUp);
        }
    }

    fn refresh_lenses_soon(&mut self) {
        if self.profile.refreshes_lenses && !self.is_refreshing_lenses {
            self.is_refreshing_lenses = true;
            self.outbox.remind(self.inbox.clone(), Message::RefreshLenses, UPDATE_DELAY);
        }
    }

    pub(super) fn refresh_lenses(&mut self) {
        self.is_refreshing_lenses = false;
        self.outbox.refresh_lenses();
    }

    /// Analyses the documents to which new definitions matter.
    pub(super) fn catch_up(&mut self) {
        self.is_reminded = false;
        let before = self.workspace.catalog().clone();
        let caught = self.workspace.catch_up();
        self.send_index_state();
        if !caught.is_different {
            return self.check_closed();
        }
        self.snapshot = None;
        self.kinds_changed(caught.kinds, &before);
        self.check_closed();
        self.refresh_lenses_soon();
        let catalog = self.workspace.catalog();
        let touched = self.documents.iter().filter(|(_, document)| document.is_affected_by(catalog));
        let touched: Vec<String> = touched.map(|(uri, _)| uri.clone()).collect();
        self.to_revise.extend(touched);
        self.revise_next();
    }

    /// Starts analyses of documents to which new definitions matter. Only a few run at once, so that a keystroke does not
    /// wait for all of them. They take turns, so that each is analysed even if new definitions arrive during a round.
    fn revise_next(&mut self) {
        while self.revising.len() < self.at_once {
            let after_last = (Bound::Excluded(self.revised_last.as_str()), Bound::Unbounded);
            let next = self.to_revise.range::<str, _>(after_last).next().or(self.to_revise.first()).cloned();
            let Some(uri) = next else { return };
            self.to_revise.remove(&uri);
            self.revised_last.clone_from(&uri);
            if self.revise(&uri) {
                self.analyse(&uri);
                self.revising.insert(uri);
            }
        }
    }

    /// Continues after an analysis has ended, if `revise_next` started it.
    pub(super) fn revision_done(&mut self, uri: &str) {
        if self.revising.remove(uri) {
            self.revise_next();
        }
    }

    /// Makes a new analysis of a document due if its definitions have changed. Returns whether they have.
    pub(super) fn revise(&mut self, uri: &str) -> bool {
        let catalog = self.workspace.catalog();
        if !self.documents.get(uri).is_some_and(|document| document.is_affected_by(catalog)) {
            return false;
        }
        let revision = self.next_revision();
        if let Some(document) = self.documents.get_mut(uri) {
            document.revise(revision);
        }
        true
    }
}
