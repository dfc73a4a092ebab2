//! Findings in files that are not open. A file is checked again if the meaning of the definition of a kind that it may hold
//! has changed, even if the definition is not saved. All files are checked once the client asks for the whole workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use answers::lsp::addresses::file_path;
use ide::Catalog;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tower_lsp::ls_types::{Diagnostic, DiagnosticSeverity, MessageType, Uri};

use super::checking::{CheckProgress, ClosedJob, GeneratedFiles, GroupKind};
use super::document::Document;
use super::golang::{Calls, ClosedPackages};
use super::inbox::Message;
use super::jobs;
use super::workspace::ClosedFiles;
use super::writer::Writer;
use crate::golang::is_go_file;

/// The time without edits of a definition after which its resources are checked: everything that the editor shows comes first.
const CHECKED_AFTER: Duration = Duration::from_millis(300);
/// The maximum number of findings in files that are not open: nobody reads more, and clients keep them all in memory.
const MOST_FINDINGS: usize = 10_000;

/// The findings in one file that is not open.
#[derive(Debug)]
pub(super) struct FoundInFile {
    pub(super) uri: Uri,
    /// A number that changes with the findings.
    pub(super) result: u64,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// The findings in files that are not open, by path; only files with findings.
#[derive(Clone, Debug, Default)]
pub(super) struct ClosedFindings {
    pub(super) files: BTreeMap<PathBuf, Arc<FoundInFile>>,
    /// The number of these findings.
    count: usize,
    /// Whether all files were checked.
    pub(super) is_complete: bool,
}

/// The state of the checks of files that are not open.
#[derive(Debug, Default)]
pub(super) struct ClosedFileChecks {
    /// The kinds whose definition has changed, with a hash of its meaning when resources were last checked.
    kinds: BTreeMap<GroupKind, Option<u64>>,
    /// The kinds that may have changed since, with the catalog before the change.
    changed: BTreeMap<GroupKind, Catalog>,
    /// The files to check.
    due: BTreeSet<PathBuf>,
    /// The files that are generated from Go.
    generated_files: GeneratedFiles,
    /// Whether the client wants all files, and whether they are still to be checked.
    wants_all: bool,
    all_due: bool,
    is_running: bool,
    is_reminded: bool,
    /// No check starts before this time.
    not_before: Option<Instant>,
    /// Counts checks; a check with an earlier number stops.
    latest: Arc<AtomicU64>,
    results: u64,
    findings: watch::Sender<Arc<ClosedFindings>>,
    /// Whether the client pulls the findings, so that they are not published.
    is_pulled: bool,
    is_cut: bool,
}

impl ClosedFileChecks {
    /// The current and later findings.
    pub(super) fn subscribe(&self) -> watch::Receiver<Arc<ClosedFindings>> {
        self.findings.subscribe()
    }

    /// Whether the findings in the file are shown while it is not open.
    fn watches(&self, path: &Path, known: &ClosedFiles) -> bool {
        self.wants_all || self.kinds.keys().any(|(_, kind)| known.may_hold(path, kind))
    }

    fn is_shown(&self, path: &Path) -> bool {
        self.findings.borrow().files.contains_key(path)
    }

    fn files_with_findings(&self) -> Vec<PathBuf> {
        self.findings.borrow().files.keys().cloned().collect()
    }

    /// Replaces the findings in the file, and returns them if they have changed. At most [`MOST_FINDINGS`] are kept in total.
    fn replace_findings(
        &mut self,
        path: PathBuf,
        uri: Uri,
        mut diagnostics: Vec<Diagnostic>,
    ) -> Option<Arc<FoundInFile>> {
        let before = self.findings.borrow().files.get(&path).cloned();
        let old = before.as_ref().map(|before| before.diagnostics.len()).unwrap_or_default();
        let others = self.findings.borrow().count - old;
        let room = MOST_FINDINGS.saturating_sub(others);
        self.is_cut |= diagnostics.len() > room;
        diagnostics.truncate(room);
        let is_same = match &before {
            Some(before) => before.diagnostics == diagnostics,
            None => diagnostics.is_empty(),
        };
        if is_same {
            return None;
        }
        self.results += 1;
        let found = Arc::new(FoundInFile { uri, result: self.results, diagnostics });
        self.findings.send_modify(|all| {
            let all = Arc::make_mut(all);
            all.count = others + found.diagnostics.len();
            if found.diagnostics.is_empty() {
                all.files.remove(&path);
            } else {
                all.files.insert(path, Arc::clone(&found));
            }
        });
        Some(found)
    }
}

impl ClosedFindings {
    /// The number of findings that a list of problems shows.
    pub(super) fn summary(&self, open: impl Iterator<Item = Diagnostic>) -> Value {
        let closed = self.files.values().flat_map(|found| found.diagnostics.iter().cloned());
        let shown = closed.chain(open).filter(|one| one.severity != Some(DiagnosticSeverity::HINT)).count();
        json!({ "findings": shown })
    }
}

impl Writer {
    /// Records that definitions of these kinds differ from those in `before`; their resources are checked soon.
    pub(super) fn kinds_changed(&mut self, kinds: BTreeSet<GroupKind>, before: &Catalog) {
        // While files are read for the first time, new definitions are not changes by a user.
        if !self.workspace.resources().is_complete {
            return;
        }
        // Searching for resources of these kinds would be too slow here, because the user is typing.
        for kind in kinds {
            self.closed.changed.entry(kind).or_insert_with(|| before.clone());
        }
        if !self.closed.changed.is_empty() {
            self.check_closed_soon(CHECKED_AFTER);
        }
    }

    /// Starts a check of all files, because the client wants their findings.
    pub(super) fn check_all(&mut self, is_pulled: bool) {
        if is_pulled && !self.closed.is_pulled {
            self.closed.is_pulled = true;
            let published: Vec<Arc<FoundInFile>> =
                self.closed.findings.borrow().files.values().cloned().collect();
            published.iter().for_each(|found| self.outbox.publish(found.uri.clone(), Vec::new(), None));
        }
        // A client that pulls asks repeatedly; changed files were already checked again.
        if !is_pulled || !self.closed.wants_all {
            self.closed.wants_all = true;
            self.closed.all_due = true;
            self.closed.findings.send_modify(|all| Arc::make_mut(all).is_complete = false);
            self.check_closed_soon(Duration::ZERO);
        }
    }

    /// Removes the findings of a file that was opened: those in its buffer replace them.
    pub(super) fn opened_file(&mut self, uri: &Uri) {
        let Some(path) = file_path(uri) else { return };
        if self.closed.is_shown(&path) {
            self.show_closed(path, uri.clone(), Vec::new());
        }
    }

    /// Checks a file that was closed. Returns whether its findings stay visible.
    pub(super) fn closed_file(&mut self, uri: &Uri) -> bool {
        let Some(path) = file_path(uri) else { return false };
        let is_ours = self.workspace.folders.iter().any(|folder| path.starts_with(folder));
        let stays = is_ours && self.closed.watches(&path, self.workspace.resources());
        if stays {
            self.closed.due.insert(path);
            self.check_closed_soon(Duration::ZERO);
        }
        stays
    }

    /// Checks files that have changed or were deleted: the watched ones of `looked_at`, and the shown ones at or below
    /// `below`.
    pub(super) fn closed_files_changed<'a>(
        &mut self,
        looked_at: impl Iterator<Item = &'a Path>,
        below: Option<&BTreeSet<PathBuf>>,
    ) {
        let known = Arc::clone(self.workspace.resources());
        let watched = looked_at.filter(|path| self.closed.watches(path, &known)).map(Path::to_owned);
        let watched: Vec<PathBuf> = watched.collect();
        let is_below =
            |path: &PathBuf| below.is_some_and(|below| below.iter().any(|above| path.starts_with(above)));
        self.closed.due.extend(self.closed.files_with_findings().into_iter().filter(is_below));
        self.closed.due.extend(watched);
        if !self.closed.due.is_empty() {
            self.check_closed_soon(CHECKED_AFTER);
        }
    }

    /// Checks the Go files of changed packages soon, if they are not open.
    pub(super) fn go_changed(&mut self, named: &[PathBuf]) {
        let open: BTreeSet<PathBuf> = self.documents.values().filter_map(Document::path).collect();
        let closed: Vec<PathBuf> = named.iter().filter(|path| !open.contains(*path)).cloned().collect();
        if !closed.is_empty() {
            self.closed.due.extend(closed);
            self.check_closed_soon(CHECKED_AFTER);
        }
    }

    /// If the client wants all files, checks Go files that have changed on disk, and the files that are generated from them.
    pub(super) fn go_saved<'a>(&mut self, files: impl Iterator<Item = &'a PathBuf>) {
        if !self.closed.wants_all {
            return;
        }
        for file in files {
            self.closed.due.insert(file.clone());
            let is_of_it =
                |folders: &BTreeSet<PathBuf>| file.parent().is_some_and(|folder| folders.contains(folder));
            let generated_files = self.closed.generated_files.iter().filter(|(_, folders)| is_of_it(folders));
            self.closed.due.extend(generated_files.map(|(path, _)| path.clone()));
        }
        if !self.closed.due.is_empty() {
            self.check_closed_soon(CHECKED_AFTER);
        }
    }

    /// Checks the shown Go files again after one was closed: findings in closed Go files are shown only if a file of their
    /// packages is open, or if the client wants all files.
    pub(super) fn go_no_longer_open(&mut self, path: PathBuf) {
        let shown = self.closed.files_with_findings().into_iter().filter(|path| is_go_file(path));
        self.closed.due.extend(shown.chain([path]));
        if !self.closed.due.is_empty() {
            self.check_closed_soon(CHECKED_AFTER);
        }
    }

    /// Checks all shown files again, because settings, folders or versions in git have changed.
    pub(super) fn recheck_closed(&mut self) {
        self.closed.due.extend(self.closed.files_with_findings());
        self.closed.all_due |= self.closed.wants_all;
        if self.closed.all_due || !self.closed.due.is_empty() {
            self.check_closed_soon(CHECKED_AFTER);
        }
    }

    fn check_closed_soon(&mut self, after: Duration) {
        // Stops a running check, which uses outdated data; its remaining files are checked with the others.
        self.closed.latest.fetch_add(1, Ordering::SeqCst);
        if after.is_zero() {
            self.start_check();
            return;
        }
        self.closed.not_before = Instant::now().checked_add(after);
        if !self.closed.is_reminded {
            self.closed.is_reminded = true;
            self.outbox.remind(self.inbox.clone(), Message::CheckClosed, after);
        }
    }

    /// Starts a check, unless there were edits meanwhile; the next check begins when the current one has ended.
    pub(super) fn reminded_of_closed(&mut self) {
        let left = self.closed.not_before.map(|time| time.saturating_duration_since(Instant::now()));
        if let Some(left) = left.filter(|left| !left.is_zero()) {
            self.outbox.remind(self.inbox.clone(), Message::CheckClosed, left);
            return;
        }
        self.closed.is_reminded = false;
        self.start_check();
    }

    /// Starts a check of files that waited for the index or the catalog. Files that wait for a pause in typing continue to
    /// wait.
    pub(super) fn check_closed(&mut self) {
        if !self.closed.is_reminded {
            self.start_check();
        }
    }

    fn start_check(&mut self) {
        // Without the index, the kinds in files are unknown.
        let is_ready = self.workspace.resources().is_complete && !self.workspace.is_outdated();
        let closed = &self.closed;
        let is_nothing = closed.changed.is_empty() && closed.due.is_empty() && !closed.all_due;
        if closed.is_running || is_nothing || !is_ready {
            return;
        }
        let number = self.next_revision();
        let closed = &mut self.closed;
        closed.is_running = true;
        let is_all = std::mem::take(&mut closed.all_due);
        let (changed, due) = (std::mem::take(&mut closed.changed), std::mem::take(&mut closed.due));
        let (known_meanings, latest) = (closed.kinds.clone(), Arc::clone(&closed.latest));
        let revision = latest.load(Ordering::SeqCst);
        let done = CancellationToken::new();
        if self.profile.progress && is_all {
            self.outbox.progress("Checking the workspace".to_owned(), number, done.clone());
        }
        let snapshot = self.snapshot();
        let calls = Calls::new(snapshot.projects.clone(), snapshot.packages.texts());
        let closed_packages = self.closed.wants_all.then(|| ClosedPackages::new(snapshot.projects.clone()));
        let job = ClosedJob {
            snapshot,
            repositories: self.repositories.clone(),
            calls,
            closed_packages,
            at_once: if is_all { self.at_once } else { 1 },
            changed,
            known_meanings,
            due,
            is_all,
            latest,
            revision,
        };
        let done = done.drop_guard();
        let crashed = job.crashed();
        jobs::start(
            &self.inbox,
            tracing::error_span!("closed files"),
            || Message::ClosedChecked(Box::new(crashed)),
            move |inbox| {
                let _done = done;
                job.run(&|checked| {
                    // The writer lives as long as the process.
                    inbox.send(Message::ClosedChecked(Box::new(checked)));
                });
            },
        );
    }

    /// Takes the findings of a check, both during the check and at its end.
    pub(super) fn closed_checked(&mut self, checked: CheckProgress) {
        let before = self.closed.results;
        for (path, uri, diagnostics) in checked.diagnostics {
            // The findings of a file that was opened meanwhile come from its buffer.
            if !self.documents.contains_key(uri.as_str()) {
                self.show_closed(path, uri, diagnostics);
            }
        }
        if self.closed.is_pulled && self.closed.results != before {
            self.outbox.refresh_diagnostics();
        }
        let Some(done) = checked.end else { return };
        self.closed.is_running = false;
        self.closed.kinds.extend(done.known_meanings);
        self.closed.changed.extend(done.unclear);
        self.closed.due.extend(done.remaining);
        self.closed.generated_files.extend(done.generated_files);
        if self.closed.wants_all && !self.closed.all_due && self.closed.due.is_empty() {
            self.closed.findings.send_modify(|all| Arc::make_mut(all).is_complete = true);
        }
        if done.is_cut {
            self.log_once("too many resources in closed files: only some of them are checked".to_owned());
        }
        if done.is_stopped {
            self.check_closed();
        }
    }

    fn show_closed(&mut self, path: PathBuf, uri: Uri, diagnostics: Vec<Diagnostic>) {
        let Some(found) = self.closed.replace_findings(path, uri, diagnostics) else { return };
        if self.closed.is_cut {
            self.closed.is_cut = false;
            let text = format!("only the first {MOST_FINDINGS} findings in closed files are shown");
            self.outbox.log(MessageType::WARNING, text);
        }
        if !self.closed.is_pulled {
            self.outbox.publish(found.uri.clone(), found.diagnostics.clone(), None);
        }
    }
}
