//! The writer, which alone changes the server's state.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use serde_json::Value;
use text::TextSize;
use tokio_util::sync::CancellationToken;
use tower_lsp::ls_types::{DidChangeTextDocumentParams, MessageType, TextDocumentItem};

use super::analysis::{FinishedAnalysis, Outcome};
use super::closed_files::ClosedFileChecks;
use super::document::{Document, FindingsChange};
use super::golang::Packages;
use super::inbox::{Inbox, Message};
use super::indexing::Scope;
use super::jobs;
use super::outbox::Outbox;
use super::resource_counts::Counts;
use super::snapshot::{Proofs, Snapshot};
use super::watcher::Watcher;
use super::workspace::Workspace;
use crate::config::{self, Choices, Cluster, FILE_NAME, Projects};
use crate::git::Repositories;
use crate::walk::has_our_name;
use answers::lsp::profile::ClientProfile;

/// The maximum number of different problems that are reported in the life of the process.
const MAX_REPORTED: usize = 1000;

/// The state of the server: open documents, settings, and the capabilities of the client.
pub(super) struct Writer {
    pub(super) inbox: Inbox,
    pub(super) outbox: Outbox,
    pub(super) profile: Arc<ClientProfile>,
    pub(super) editor: Arc<config::Editor>,
    pub(super) projects: Projects,
    pub(super) workspace: Workspace,
    /// The cluster that was asked for its definitions.
    pub(super) requested_cluster: Option<Cluster>,
    /// The watcher for clients that do not watch files.
    watcher: Option<Watcher>,
    /// The watcher of git repositories.
    pub(super) git_watcher: Option<Watcher>,
    pub(super) repositories: Repositories,
    /// The files whose versions are being read.
    pub(super) reading: BTreeSet<PathBuf>,
    /// Whether repositories will be read again soon.
    pub(super) is_refreshing: bool,
    /// The watcher of folders for clients that do not watch files.
    pub(super) tree_watcher: Option<Watcher>,
    pub(super) documents: BTreeMap<String, Document>,
    /// Counts changes of any document or setting.
    revision: u64,
    /// Whether the client is ready for requests.
    pub(super) is_initialized: bool,
    /// Whether documents will get new definitions soon.
    pub(super) is_reminded: bool,
    /// Whether the client will soon be asked to refresh its code lenses.
    pub(super) is_refreshing_lenses: bool,
    /// The Go packages.
    pub(super) packages: Packages,
    /// The documents to which new definitions may matter; `revising` has those of them that are being analysed.
    pub(super) to_revise: BTreeSet<String>,
    pub(super) revised_last: String,
    /// How many of these analyses run at once. Computed once, because the system call takes a tenth of a millisecond.
    pub(super) at_once: usize,
    pub(super) revising: BTreeSet<String>,
    /// The current state, once a request has needed it.
    pub(super) snapshot: Option<Arc<Snapshot>>,
    counts: Arc<Counts>,
    proofs: Proofs,
    /// Findings in files that are not open.
    pub(super) closed: ClosedFileChecks,
    /// The problems that were reported, so that each is reported once.
    reported: BTreeSet<String>,
}

impl Writer {
    pub(super) fn new(inbox: Inbox, outbox: Outbox) -> Self {
        let projects = Projects::default();
        Self {
            inbox,
            outbox,
            profile: Arc::default(),
            editor: Arc::default(),
            packages: Packages::new(projects.clone()),
            projects,
            workspace: Workspace::default(),
            requested_cluster: None,
            watcher: None,
            git_watcher: None,
            repositories: Repositories::default(),
            reading: BTreeSet::new(),
            is_refreshing: false,
            tree_watcher: None,
            documents: BTreeMap::new(),
            revision: 0,
            is_initialized: false,
            is_reminded: false,
            is_refreshing_lenses: false,
            to_revise: BTreeSet::new(),
            revised_last: String::new(),
            at_once: thread::available_parallelism().map_or(1, NonZero::get),
            revising: BTreeSet::new(),
            snapshot: None,
            counts: Arc::default(),
            proofs: Proofs::default(),
            closed: ClosedFileChecks::default(),
            reported: BTreeSet::new(),
        }
    }

    /// Processes one message without blocking.
    pub(super) fn process(&mut self, message: Message) {
        match message {
            Message::Snapshot(wanted) => {
                // A request that was cancelled meanwhile no longer waits.
                let _ = wanted.send(self.snapshot());
            }
            Message::Initialize { profile, options, folders } => {
                self.profile = profile;
                self.workspace.folders = folders;
                self.snapshot = None;
                if let Some(options) = options {
                    let initial = self.choices(&options);
                    self.change_settings(config::Editor { initial, ..config::Editor::default() });
                }
            }
            Message::Initialized => self.initialized(),
            Message::Open(params) => self.open(params.text_document),
            Message::Change(params) => self.change(params),
            Message::Close(params) => {
                self.snapshot = None;
                let uri = params.text_document.uri;
                self.forget_buffer(&uri);
                self.forget_version(&uri);
                let closed = self.documents.remove(uri.as_str());
                if closed.is_some() && !self.closed_file(&uri) && !self.profile.pulls_diagnostics {
                    self.outbox.publish(uri, Vec::new(), None);
                }
                if let Some((path, _)) = closed.and_then(|document| document.go_text()) {
                    self.go_closed(path);
                }
                // Unsaved changes are lost, and the file is used again.
                self.run_suites(self.open_suites());
            }
            Message::ConfigurationChanged(params) if params.settings.is_object() => {
                self.configure(&params.settings);
            }
            Message::ConfigurationChanged(_) if self.profile.configuration => {
                self.outbox.ask_configuration(self.inbox.clone());
            }
            Message::ConfigurationChanged(_) => {}
            Message::Configuration(value) => self.configure(&value),
            Message::FilesChanged(paths) => self.files_changed(&paths),
            Message::FoldersChanged { added, removed } => {
                self.snapshot = None;
                self.folders_changed(added, &removed);
            }
            Message::Indexed(indexed) => self.indexed(*indexed),
            Message::OfCluster(answer) => self.cluster_answered(*answer),
            Message::Watching(watching) => self.watching(watching),
            Message::CatchUp => self.catch_up(),
            Message::CheckAll { is_pulled } => self.check_all(is_pulled),
            Message::CheckClosed => self.reminded_of_closed(),
            Message::ClosedChecked(checked) => self.closed_checked(*checked),
            Message::RefreshLenses => self.refresh_lenses(),
            Message::RepositoryChanged => self.refresh_soon(),
            Message::RefreshRepositories => self.refresh_repositories(),
            Message::Compared(paths) => self.compared(&paths),
            Message::Analysed(analysed) => self.finish(*analysed),
            Message::Unreadable(problem) => self.log_once(problem),
        }
    }

    fn initialized(&mut self) {
        self.is_initialized = true;
        if self.profile.configuration {
            self.outbox.ask_configuration(self.inbox.clone());
        }
        if self.profile.registers_configuration {
            self.outbox.register_configuration();
        }
        if self.profile.formats_yaml() {
            self.outbox.register_formatting();
        }
        if self.profile.registers_watching {
            self.outbox.register_watching();
        } else {
            match Watcher::start(self.inbox.clone()) {
                Ok(watcher) => self.watcher = Some(watcher),
                Err(problem) => self.log_once(format!("changes of {FILE_NAME} are not detected: {problem}")),
            }
            self.watch_folders();
        }
        self.index(Scope::All);
        self.ask_cluster();
    }

    fn open(&mut self, item: TextDocumentItem) {
        let uri = item.uri.as_str().to_owned();
        if TextSize::try_from(item.text.len()).is_err() {
            return self.log_once(format!("{uri}: the text exceeds 4 GiB and is ignored"));
        }
        let revision = self.next_revision();
        self.opened_file(&item.uri);
        self.documents.insert(uri.clone(), Document::open(item, revision));
        self.go_edited(&uri);
        self.analyse(&uri);
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let revision = self.next_revision();
        let uri = params.text_document.uri.as_str();
        let Some(document) = self.documents.get_mut(uri) else {
            return self.log_once(format!("{uri}: a change of a document that is not open"));
        };
        let version = params.text_document.version;
        let problems = document.change(version, revision, params.content_changes, self.profile.encoding);
        for problem in problems {
            self.log_once(problem);
        }
        self.go_edited(uri);
        self.analyse(uri);
    }

    fn configure(&mut self, sent: &Value) {
        let current = self.choices(sent);
        self.change_settings(config::Editor { initial: self.editor.initial.clone(), current });
    }

    /// The choices in `sent`; problems with them are shown.
    fn choices(&mut self, sent: &Value) -> Choices {
        let (choices, problems) = Choices::from_editor(sent);
        problems.into_iter().for_each(|problem| self.show_once(problem));
        choices
    }

    fn change_settings(&mut self, editor: config::Editor) {
        if editor != *self.editor {
            self.projects = self.projects.trusted(editor.is_trusted());
            self.editor = Arc::new(editor);
            self.start_all_over();
            if self.is_initialized {
                // The settings may name other places of definitions.
                self.index(Scope::All);
                self.ask_cluster();
            }
        }
    }

    fn files_changed(&mut self, paths: &[PathBuf]) {
        let is_settings = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name == FILE_NAME) || self.projects.decides(path)
        };
        if paths.iter().any(is_settings) {
            self.projects.clear();
            self.start_all_over();
        }
        self.go_files_changed(paths);
        self.files_to_index(paths);
        self.run_cases_again(paths);
    }

    /// Runs the cases of open suites again if a file has changed that may define the tested kinds.
    fn run_cases_again(&mut self, paths: &[PathBuf]) {
        let uris = self.open_suites();
        if !uris.is_empty() && paths.iter().any(|path| has_our_name(path)) {
            self.start_over(uris);
        }
    }

    fn start_all_over(&mut self) {
        self.packages.change_settings(self.projects.clone());
        self.start_over(self.documents.keys().cloned().collect());
        self.recheck_closed();
    }

    /// Analyses these documents again; `outdate` drops their outdated results.
    pub(super) fn analyse_again(&mut self, uris: Vec<String>, outdate: fn(&mut Document, u64)) {
        for uri in uris {
            let revision = self.next_revision();
            if let Some(document) = self.documents.get_mut(&uri) {
                outdate(document, revision);
            }
            self.analyse(&uri);
        }
    }

    /// Analyses these documents from scratch, because settings have changed.
    pub(super) fn start_over(&mut self, uris: Vec<String>) {
        self.analyse_again(uris, Document::start_over);
        if self.profile.pulls_diagnostics {
            self.outbox.refresh_diagnostics();
        }
    }

    /// Starts the next analysis of a document in parallel with the writer, if one is due.
    pub(super) fn analyse(&mut self, uri: &str) {
        let document = self.documents.get_mut(uri);
        let Some(mut job) = document.and_then(|document| {
            let surroundings = (self.workspace.catalog(), &self.repositories);
            document.next_job(&self.editor, &self.projects, surroundings, &self.profile, &self.packages)
        }) else {
            return;
        };
        job.open_files = self.open_files_for(&job.uri);
        let done = CancellationToken::new();
        if self.profile.progress {
            let name = uri.rsplit('/').next().unwrap_or(uri);
            self.outbox.progress(format!("Checking {name}"), job.revision, done.clone());
        }
        let span = tracing::error_span!("analysis", %uri, version = job.version, bytes = job.buffer.len());
        let of_crash = job.crashed();
        // Dropped however the job ends.
        let done = done.drop_guard();
        jobs::start(
            &self.inbox,
            span,
            || Message::Analysed(Box::new(of_crash)),
            move |inbox| {
                let analysed = job.run();
                drop(done);
                inbox.process_and_write(Message::Analysed(Box::new(analysed)));
            },
        );
    }

    fn finish(&mut self, analysed: FinishedAnalysis) {
        let uri = analysed.uri.as_str().to_owned();
        self.revision_done(&uri);
        let Some(document) = self.documents.get_mut(&uri).filter(|document| document.started(&analysed))
        else {
            return;
        };
        let is_current = document.finish(&analysed);
        let findings_change =
            if is_current { document.record_shown(&self.profile) } else { FindingsChange::None };
        if !is_current {
            tracing::debug!(%uri, version = analysed.version, "the analysis is of an older text or older settings");
        }
        if matches!(analysed.analysis.outcome, Outcome::Superseded) {
            return self.analyse(&uri);
        }
        self.buffer_analysed(&analysed);
        self.definition_analysed(&analysed, findings_change);
        self.go_analysed(&analysed);
        if let Some(watcher) = &mut self.watcher {
            watcher.watch(&analysed.project.directories);
        }
        self.watch_repository(&analysed.compared.update);
        self.watch_repository(&analysed.compared.base);
        if let Some(problem) = analysed.project.problem {
            self.show_once(problem);
        }
        if matches!(analysed.analysis.outcome, Outcome::Crashed) {
            self.outbox.log(MessageType::ERROR, format!("{uri}: the analysis crashed; please report it"));
        }
        if let Some(diagnostics) = analysed.diagnostics.filter(|_| findings_change != FindingsChange::None) {
            self.outbox.publish(analysed.uri.clone(), diagnostics, Some(analysed.version));
        }
        self.read_versions(&analysed.uri, analysed.unread_revisions, analysed.analysis.file().cloned());
        self.find_go_origins(&analysed.uri, analysed.remaining);
        let is_due = self.revise(&uri);
        if self.profile.pulls_diagnostics && (is_due || findings_change == FindingsChange::OfSurroundings) {
            self.outbox.refresh_diagnostics();
        }
        self.analyse(&uri);
    }

    pub(super) fn snapshot(&mut self) -> Arc<Snapshot> {
        let make = || {
            let views = self.documents.iter().map(|(uri, document)| (uri.clone(), document.view()));
            let folders = self.workspace.folders.clone();
            Arc::new(Snapshot {
                profile: Arc::clone(&self.profile),
                folders,
                catalog: self.workspace.catalog().clone(),
                editor: Arc::clone(&self.editor),
                projects: self.projects.clone(),
                packages: self.packages.clone(),
                resources: Arc::clone(self.workspace.resources()),
                counts: Arc::clone(&self.counts),
                closed: Some(self.closed.subscribe()),
                proofs: self.proofs.clone(),
                documents: views.collect(),
            })
        };
        let snapshot = self.snapshot.take().unwrap_or_else(make);
        Arc::clone(self.snapshot.insert(snapshot))
    }

    pub(super) fn next_revision(&mut self) -> u64 {
        self.snapshot = None;
        self.revision += 1;
        self.revision
    }

    fn show_once(&mut self, problem: String) {
        if self.is_new(&problem) {
            self.outbox.show(MessageType::WARNING, format!("crd-ls: {problem}"));
        }
    }

    pub(super) fn log_once(&mut self, problem: String) {
        if self.is_new(&problem) {
            tracing::warn!("{problem}");
            self.outbox.log(MessageType::WARNING, problem);
        }
    }

    /// Whether a problem has not been reported yet. After [`MAX_REPORTED`] problems, nothing more is reported.
    fn is_new(&mut self, problem: &str) -> bool {
        self.reported.len() < MAX_REPORTED && self.reported.insert(problem.to_owned())
    }
}
