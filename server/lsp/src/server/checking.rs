//! A check of files that are not open, in parallel with the writer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use answers::lsp::addresses::file_uri;
use answers::lsp::convert::Converter;
use ide::{Catalog, StopSignal};
use text::TextBuffer;
use tower_lsp::ls_types::{Diagnostic, Uri};

use super::analysis::{Analysis, Job, Language};
use super::go_origins::{GoSettings, may_be_generated};
use super::golang::{Calls, ClosedPackages, GeneratedFileFindings, GoFile, OpenTexts, Packages};
use super::snapshot::Snapshot;
use super::suites::OpenFiles;
use super::texts::{MOST_FILES, closed_files_of, closed_files_of_kind, may_be_closed, open_files};
use crate::definitions::on_some;
use crate::generated_definitions::AnalysisInputs;
use crate::git::Repositories;
use crate::go_package::{go_files_in, packages_below};
use crate::golang::is_go_file;
use crate::guarded_files;
use crate::limits::MAX_BYTES;
use answers::lsp::profile::ClientProfile;

/// The group and the name of a kind.
pub(super) type GroupKind = (String, String);

/// The maximum number of files with resources that are checked after a definition has changed.
const MOST_RESOURCE_FILES: usize = 2_000;
/// The minimum time between two batches of findings.
const BATCH_INTERVAL: Duration = Duration::from_millis(100);

/// A file, its URI, and the findings in it.
type FileDiagnostics = (PathBuf, Uri, Vec<Diagnostic>);

/// The files that are generated from Go, each with the folders of its Go files.
pub(super) type GeneratedFiles = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

/// A check of files that are not open.
#[derive(Debug)]
pub(super) struct ClosedJob {
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) repositories: Repositories,
    /// The calls that generate definitions.
    pub(super) calls: Calls,
    /// The Go packages without open files, if the client wants the findings of all files.
    pub(super) closed_packages: Option<ClosedPackages>,
    /// The number of files that are checked at a time.
    pub(super) at_once: usize,
    /// The kinds whose definition may have changed, with the catalog before the change.
    pub(super) changed: BTreeMap<GroupKind, Catalog>,
    /// The hashes of the meanings of definitions when their resources were last checked.
    pub(super) known_meanings: BTreeMap<GroupKind, Option<u64>>,
    /// Further files to check.
    pub(super) due: BTreeSet<PathBuf>,
    /// Whether all files are to be checked.
    pub(super) is_all: bool,
    pub(super) latest: Arc<AtomicU64>,
    pub(super) revision: u64,
}

/// The findings of a check since its last report.
#[derive(Debug, Default)]
pub(super) struct CheckProgress {
    pub(super) diagnostics: Vec<FileDiagnostics>,
    pub(super) end: Option<CheckEnd>,
}

/// The end of a check.
#[derive(Debug, Default)]
pub(super) struct CheckEnd {
    /// The hashes of the meanings of the definitions whose resources are checked.
    pub(super) known_meanings: BTreeMap<GroupKind, Option<u64>>,
    /// The kinds whose definition currently cannot be read, with the catalog before that.
    pub(super) unclear: BTreeMap<GroupKind, Catalog>,
    /// The files that are still to be checked, because the check was stopped.
    pub(super) remaining: Vec<PathBuf>,
    pub(super) is_stopped: bool,
    /// Whether there are more files than the limit.
    pub(super) is_cut: bool,
    /// The checked files that are generated from Go.
    pub(super) generated_files: GeneratedFiles,
}

impl ClosedJob {
    /// The report of a check that crashes: it has ended.
    pub(super) fn crashed(&self) -> CheckProgress {
        CheckProgress { diagnostics: Vec::new(), end: Some(CheckEnd::default()) }
    }

    /// Reports the findings in batches.
    pub(super) fn run(mut self, report: &(dyn Fn(CheckProgress) + Sync)) {
        let mut done = CheckEnd::default();
        let files = self.files(&mut done);
        let batch = Mutex::new((Vec::new(), Instant::now()));
        let (left, generated_files) = (Mutex::new(Vec::new()), Mutex::new(GeneratedFiles::new()));
        let profile =
            Arc::new(ClientProfile { pulls_diagnostics: false, ..(*self.snapshot.profile).clone() });
        on_some(&files, self.at_once, &|path| {
            let found =
                if self.is_stopped() { None } else { self.findings_in(path, &profile, &generated_files) };
            let Some(found) = found else {
                return left.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
            };
            let (all, since) = &mut *batch.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(found);
            if since.elapsed() >= BATCH_INTERVAL {
                report(CheckProgress { diagnostics: std::mem::take(all), end: None });
                *since = Instant::now();
            }
        });
        done.remaining = left.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.generated_files = generated_files.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.is_stopped = self.is_stopped();
        let (found, _) = batch.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Data that was read only for this check is not kept.
        let Self { calls, closed_packages, snapshot, .. } = self;
        drop((calls, closed_packages));
        snapshot.projects.library.shrink();
        report(CheckProgress { diagnostics: found, end: Some(done) });
    }

    fn is_stopped(&self) -> bool {
        self.latest.load(Ordering::SeqCst) != self.revision
    }

    /// The files to check.
    fn files(&mut self, done: &mut CheckEnd) -> Vec<PathBuf> {
        let mut files = std::mem::take(&mut self.due);
        let open = open_files(&self.snapshot);
        for (kind, before) in std::mem::take(&mut self.changed) {
            let (group, name) = (&kind.0, &kind.1);
            // Most kinds have no resources in files that are not open. Then the earlier definition need not be read.
            if !may_be_closed(&self.snapshot, name, &open) {
                continue;
            }
            // If the texts of the definitions are the same, the findings are the same.
            if before.state(group, name) == self.snapshot.catalog.state(group, name) {
                continue;
            }
            let meaning = self.snapshot.catalog.meaning_of(group, name);
            if meaning.is_none() {
                // While a definition is being typed, no findings are reported on resources that are not open.
                done.unclear.insert(kind, before);
                continue;
            }
            let checked_meaning =
                self.known_meanings.get(&kind).copied().unwrap_or_else(|| before.meaning_of(group, name));
            if checked_meaning == meaning {
                continue;
            }
            let of_kind = closed_files_of_kind(&self.snapshot, name);
            done.is_cut |= of_kind.len() > MOST_RESOURCE_FILES;
            files.extend(of_kind.into_iter().take(MOST_RESOURCE_FILES));
            done.known_meanings.insert(kind, meaning);
        }
        if self.is_all {
            let all = closed_files_of(&self.snapshot);
            done.is_cut |= all.len() > MOST_FILES;
            files.extend(all.into_iter().take(MOST_FILES));
            let folders = self.snapshot.folders.iter().map(PathBuf::as_path);
            files.extend(
                packages_below(folders, &self.snapshot.projects).of_kinds.into_iter().take(MOST_FILES),
            );
        } else if self.closed_packages.is_some() {
            // Other files of a package use the declarations in a file.
            let folders: BTreeSet<&Path> =
                files.iter().filter(|path| is_go_file(path)).filter_map(|path| path.parent()).collect();
            let package_files: Vec<PathBuf> = folders.into_iter().flat_map(go_files_in).collect();
            files.extend(package_files);
        }
        files.retain(|path| !open.contains(path));
        files.into_iter().collect()
    }

    /// Whether the findings on a file are shown.
    fn is_ours(&self, path: &Path) -> bool {
        self.snapshot.folders.iter().any(|folder| path.starts_with(folder))
            && !self.snapshot.projects.exclude(path)
    }

    /// The findings in a file; `None` if the check was stopped. A deleted file has no findings.
    fn findings_in(
        &self,
        path: &Path,
        profile: &Arc<ClientProfile>,
        generated_files: &Mutex<GeneratedFiles>,
    ) -> Option<FileDiagnostics> {
        // A path without a URI is not a file.
        let nothing = |uri: Uri| Some((path.to_owned(), uri, Vec::new()));
        let uri = file_uri(path)?;
        if !self.is_ours(path) {
            return nothing(uri);
        }
        let text =
            guarded_files::read_found(path, MAX_BYTES).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let Some(text) = text else { return nothing(uri) };
        if is_go_file(path) {
            let found = self.of_go(path, &text, &uri, profile)?;
            return Some((path.to_owned(), uri, found));
        }
        let job = Job {
            uri: uri.clone(),
            incarnation: 0,
            version: 0,
            revision: self.revision,
            buffer: TextBuffer::new(&text),
            language: Language::Yaml,
            packages: Packages::default(),
            go_texts: OpenTexts::default(),
            // `findings_with_origins` does this below, call by call.
            links_to_go: false,
            go_source: None,
            open_files: OpenFiles::default(),
            base: None,
            own_definitions: None,
            editor: Arc::clone(&self.snapshot.editor),
            projects: self.snapshot.projects.clone(),
            catalog: self.snapshot.catalog.clone(),
            repositories: self.repositories.clone(),
            profile: Arc::clone(profile),
            latest: Arc::clone(&self.latest),
        };
        let analysed = job.run_compared();
        let own = analysed.diagnostics?;
        let Some((folders, diagnostics)) = self.findings_with_origins(path, &analysed.analysis, profile)
        else {
            return Some((path.to_owned(), uri, own));
        };
        generated_files.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), folders);
        Some((path.to_owned(), uri, diagnostics))
    }

    /// The findings in a Go file; `None` if the check was stopped.
    fn of_go(&self, path: &Path, text: &str, uri: &Uri, profile: &ClientProfile) -> Option<Vec<Diagnostic>> {
        let settings = self.go_settings();
        let (packages, revision) = (&self.snapshot.packages, settings.base(path));
        let (texts, stop) = (packages.texts(), self.stop());
        let file = settings.with_inputs(&stop, |around| {
            GoFile::of_closed(
                path,
                text,
                (packages, self.closed_packages.as_ref()),
                (&texts, revision.as_ref()),
                around,
            )
        });
        if self.is_stopped() {
            return None;
        }
        let buffer = TextBuffer::new(text);
        let converter = Converter::new(&buffer, uri, profile);
        let findings = file.map(|file| file.findings).unwrap_or_default();
        Some(findings.iter().map(|finding| converter.diagnostic(finding)).collect())
    }

    fn go_settings(&self) -> GoSettings {
        GoSettings { editor: Arc::clone(&self.snapshot.editor), projects: self.snapshot.projects.clone() }
    }

    /// Stops the analyses when the check was stopped.
    fn stop(&self) -> StopSignal {
        let (latest, revision) = (Arc::clone(&self.latest), self.revision);
        StopSignal::when(move || latest.load(Ordering::SeqCst) != revision)
    }

    /// The findings in a file of definitions that controller-gen wrote, with the Go tokens that cause them, and the folders
    /// of the Go files; `None` if controller-gen did not write the file.
    fn findings_with_origins(
        &self,
        path: &Path,
        analysis: &Analysis,
        profile: &ClientProfile,
    ) -> Option<(BTreeSet<PathBuf>, Vec<Diagnostic>)> {
        let settings = self.go_settings();
        if !settings.editor.is_trusted() || !may_be_generated(&analysis.buffer) {
            return None;
        }
        let stop = self.stop();
        let (text, findings) = (analysis.buffer.to_string(), analysis.findings(profile));
        let is_reported = |file: &Path| {
            self.closed_packages
                .as_ref()
                .is_some_and(|closed_packages| self.is_ours(file) && closed_packages.reports(file))
        };
        let findings_with_origins = |around: &AnalysisInputs<'_>| {
            self.calls.findings_with_origins((path, &text), &findings, &is_reported, around)
        };
        let GeneratedFileFindings { findings, folders } =
            settings.with_inputs(&stop, findings_with_origins)?;
        let uri = file_uri(path)?;
        Some((folders, analysis.diagnostics_of(&findings, &Converter::new(&analysis.buffer, &uri, profile))))
    }
}
