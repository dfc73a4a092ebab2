//! Findings in files that are not open. The files are checked again where the definition of a kind that they may hold means
//! something else than before, whether it is saved or not; all of them once somebody asks for the whole workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ide::Catalog;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tower_lsp::ls_types::{Diagnostic, DiagnosticSeverity, MessageType, Uri};

use super::checking::{Checked, ClosedJob, GroupKind, LedFiles};
use super::golang::{Apart, Calls};
use super::inbox::Message;
use super::jobs;
use super::workspace::ClosedFiles;
use super::writer::Writer;
use crate::golang::is_go_file;

/// Resources wait until nobody has edited their definition for this long: they come after all that the editor itself shows.
const CHECKED_AFTER: Duration = Duration::from_millis(300);
/// More findings in files that are not open are not shown: nobody reads them, and clients keep them all.
const MOST_FINDINGS: usize = 10_000;

/// What is found in one file that is not open.
#[derive(Debug)]
pub(super) struct FoundInFile {
    pub(super) uri: Uri,
    /// Another number for other findings.
    pub(super) result: u64,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// What is found in files that are not open, by path; only files with findings.
#[derive(Clone, Debug, Default)]
pub(super) struct ClosedFindings {
    pub(super) files: BTreeMap<PathBuf, Arc<FoundInFile>>,
    /// How many findings these are.
    count: usize,
    /// Whether all files were checked.
    pub(super) is_whole: bool,
}

/// What the writer keeps of them.
#[derive(Debug, Default)]
pub(super) struct Closed {
    /// The kinds of which the definition has changed, with a hash of what it meant when resources were checked last.
    kinds: BTreeMap<GroupKind, Option<u64>>,
    /// Those that may have changed since, with what was known before.
    changed: BTreeMap<GroupKind, Catalog>,
    /// Files to be checked.
    due: BTreeSet<PathBuf>,
    /// Those that are generated of Go.
    led: LedFiles,
    /// Whether somebody wants all files, and whether they are yet to be checked.
    wants_all: bool,
    all_due: bool,
    is_running: bool,
    is_reminded: bool,
    /// Before this nothing is checked.
    not_before: Option<Instant>,
    /// Counts checks; a check that is not of the last number stops.
    latest: Arc<AtomicU64>,
    results: u64,
    found: watch::Sender<Arc<ClosedFindings>>,
    /// Whether the client asks for them, so that they are not published.
    is_pulled: bool,
    is_cut: bool,
}

impl Closed {
    /// What is found, now and later.
    pub(super) fn found(&self) -> watch::Receiver<Arc<ClosedFindings>> {
        self.found.subscribe()
    }

    /// Whether the findings in the file are shown while it is not open.
    fn watches(&self, path: &Path, known: &ClosedFiles) -> bool {
        self.wants_all || self.kinds.keys().any(|(_, kind)| known.may_hold(path, kind))
    }

    fn is_shown(&self, path: &Path) -> bool {
        self.found.borrow().files.contains_key(path)
    }

    fn shown(&self) -> Vec<PathBuf> {
        self.found.borrow().files.keys().cloned().collect()
    }

    /// Makes these the findings in the file; whether they are news. At most [`MOST_FINDINGS`] are kept in all.
    fn put(&mut self, path: PathBuf, uri: Uri, mut diagnostics: Vec<Diagnostic>) -> Option<Arc<FoundInFile>> {
        let before = self.found.borrow().files.get(&path).cloned();
        let old = before.as_ref().map(|before| before.diagnostics.len()).unwrap_or_default();
        let others = self.found.borrow().count - old;
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
        self.found.send_modify(|all| {
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
    /// How many there are that a list of problems shows.
    pub(super) fn summary(&self, open: impl Iterator<Item = Diagnostic>) -> Value {
        let closed = self.files.values().flat_map(|found| found.diagnostics.iter().cloned());
        let shown = closed.chain(open).filter(|one| one.severity != Some(DiagnosticSeverity::HINT)).count();
        json!({ "findings": shown })
    }
}

impl Writer {
    /// Definitions of these kinds are other ones than in `before`: what that means to resources is found out soon.
    pub(super) fn kinds_changed(&mut self, kinds: BTreeSet<GroupKind>, before: &Catalog) {
        // As long as files are read for the first time, what is new is no change that somebody made.
        if !self.workspace.resources().is_complete {
            return;
        }
        // Whether there are resources of them at all is not found out here: somebody types.
        for kind in kinds {
            self.closed.changed.entry(kind).or_insert_with(|| before.clone());
        }
        if !self.closed.changed.is_empty() {
            self.check_closed_soon(CHECKED_AFTER);
        }
    }

    /// Somebody wants the findings of all files.
    pub(super) fn check_all(&mut self, is_pulled: bool) {
        if is_pulled && !self.closed.is_pulled {
            self.closed.is_pulled = true;
            let published: Vec<Arc<FoundInFile>> =
                self.closed.found.borrow().files.values().cloned().collect();
            published.iter().for_each(|found| self.outbox.publish(found.uri.clone(), Vec::new(), None));
        }
        // One that pulls asks again and again; what has changed since was checked again already.
        if !is_pulled || !self.closed.wants_all {
            self.closed.wants_all = true;
            self.closed.all_due = true;
            self.closed.found.send_modify(|all| Arc::make_mut(all).is_whole = false);
            self.check_closed_soon(Duration::ZERO);
        }
    }

    /// The file is open now: its buffer speaks for it.
    pub(super) fn opened_file(&mut self, uri: &Uri) {
        let Some(path) = uri.to_file_path() else { return };
        if self.closed.is_shown(&path) {
            self.show_closed(path.into_owned(), uri.clone(), Vec::new());
        }
    }

    /// The file is not open any more; whether its findings stay.
    pub(super) fn closed_file(&mut self, uri: &Uri) -> bool {
        let Some(path) = uri.to_file_path().map(std::borrow::Cow::into_owned) else { return false };
        let is_ours = self.workspace.folders.iter().any(|folder| path.starts_with(folder));
        let stays = is_ours && self.closed.watches(&path, self.workspace.resources());
        if stays {
            self.closed.due.insert(path);
            self.check_closed_soon(Duration::ZERO);
        }
        stays
    }

    /// The files at or below these paths have changed, or are gone.
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
        self.closed.due.extend(self.closed.shown().into_iter().filter(is_below));
        self.closed.due.extend(watched);
        if !self.closed.due.is_empty() {
            self.check_closed_soon(CHECKED_AFTER);
        }
    }

    /// Go files of these packages mean something else: those that are not open are checked soon.
    pub(super) fn go_changed(&mut self, named: &[PathBuf]) {
        let is_open = |path: &PathBuf| {
            let uri = Uri::from_file_path(path);
            uri.is_some_and(|uri| self.documents.contains_key(uri.as_str()))
        };
        let closed: Vec<PathBuf> = named.iter().filter(|path| !is_open(path)).cloned().collect();
        if !closed.is_empty() {
            self.closed.due.extend(closed);
            self.check_closed_soon(CHECKED_AFTER);
        }
    }

    /// Go files have changed on disk: where all files are wanted, so are they, and what is generated of them.
    pub(super) fn go_saved<'a>(&mut self, files: impl Iterator<Item = &'a PathBuf>) {
        if !self.closed.wants_all {
            return;
        }
        for file in files {
            self.closed.due.insert(file.clone());
            let is_of_it =
                |folders: &BTreeSet<PathBuf>| file.parent().is_some_and(|folder| folders.contains(folder));
            let led = self.closed.led.iter().filter(|(_, folders)| is_of_it(folders));
            self.closed.due.extend(led.map(|(path, _)| path.clone()));
        }
        if !self.closed.due.is_empty() {
            self.check_closed_soon(CHECKED_AFTER);
        }
    }

    /// A Go file was closed: it is one of the others now, of which nothing is shown without one that is open, unless all
    /// files are wanted.
    pub(super) fn go_no_longer_open(&mut self, path: PathBuf) {
        let shown = self.closed.shown().into_iter().filter(|path| is_go_file(path));
        self.closed.due.extend(shown.chain([path]));
        if !self.closed.due.is_empty() {
            self.check_closed_soon(CHECKED_AFTER);
        }
    }

    /// Settings, folders or versions in git are other ones.
    pub(super) fn recheck_closed(&mut self) {
        self.closed.due.extend(self.closed.shown());
        self.closed.all_due |= self.closed.wants_all;
        if self.closed.all_due || !self.closed.due.is_empty() {
            self.check_closed_soon(CHECKED_AFTER);
        }
    }

    fn check_closed_soon(&mut self, after: Duration) {
        // What runs rests on what was known before; what it leaves is checked with the rest.
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

    /// It is time to check, unless there were edits meanwhile; the next check begins when the present one is over.
    pub(super) fn reminded_of_closed(&mut self) {
        let left = self.closed.not_before.map(|time| time.saturating_duration_since(Instant::now()));
        if let Some(left) = left.filter(|left| !left.is_zero()) {
            self.outbox.remind(self.inbox.clone(), Message::CheckClosed, left);
            return;
        }
        self.closed.is_reminded = false;
        self.start_check();
    }

    /// Checks what has waited for what is known now; what waits for somebody who types goes on waiting.
    pub(super) fn check_closed(&mut self) {
        if !self.closed.is_reminded {
            self.start_check();
        }
    }

    fn start_check(&mut self) {
        // Without the index nobody knows which files hold what.
        let is_ready = self.workspace.resources().is_complete && !self.workspace.is_behind();
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
        let (meant, latest) = (closed.kinds.clone(), Arc::clone(&closed.latest));
        let revision = latest.load(Ordering::SeqCst);
        let done = CancellationToken::new();
        if self.profile.progress && is_all {
            self.outbox.progress("Checking the workspace".to_owned(), number, done.clone());
        }
        let snapshot = self.snapshot();
        let calls = Calls::new(snapshot.projects.clone(), snapshot.packages.texts());
        let apart = self.closed.wants_all.then(|| Apart::new(snapshot.projects.clone()));
        let job = ClosedJob {
            snapshot,
            repositories: self.repositories.clone(),
            calls,
            apart,
            at_once: if is_all { self.at_once } else { 1 },
            changed,
            meant,
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
                    // The writer ends only with the process.
                    inbox.send(Message::ClosedChecked(Box::new(checked)));
                });
            },
        );
    }

    /// Takes what a check has found so far, or in the end.
    pub(super) fn closed_checked(&mut self, checked: Checked) {
        let before = self.closed.results;
        for (path, uri, diagnostics) in checked.found {
            // One that was opened meanwhile speaks for itself.
            if !self.documents.contains_key(uri.as_str()) {
                self.show_closed(path, uri, diagnostics);
            }
        }
        if self.closed.is_pulled && self.closed.results != before {
            self.outbox.refresh_diagnostics();
        }
        let Some(done) = checked.done else { return };
        self.closed.is_running = false;
        self.closed.kinds.extend(done.meant);
        self.closed.changed.extend(done.unclear);
        self.closed.due.extend(done.left);
        self.closed.led.extend(done.led);
        if self.closed.wants_all && !self.closed.all_due && self.closed.due.is_empty() {
            self.closed.found.send_modify(|all| Arc::make_mut(all).is_whole = true);
        }
        if done.is_cut {
            self.log_once("too many resources in closed files: only some of them are checked".to_owned());
        }
        if done.is_stopped {
            self.check_closed();
        }
    }

    fn show_closed(&mut self, path: PathBuf, uri: Uri, diagnostics: Vec<Diagnostic>) {
        let Some(found) = self.closed.put(path, uri, diagnostics) else { return };
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
