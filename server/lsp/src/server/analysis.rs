//! Analyses of open documents, which run in parallel with the writer.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ide::compat;
use ide::{AnalysisBasis, Catalog, Definitions, File, Finding, Settings, Severity, StopSignal, Surroundings};
use text::TextBuffer;
use tower_lsp::ls_types::{Diagnostic, Uri};

use super::go_origins::{GoSettings, OriginSearch, RemainingWork, may_be_generated};
use super::golang::{GoFile, GoGeneration, GoSource, OpenTexts, Packages};
use super::suites::{self, OpenFiles};
use crate::analyse::{MAX_STEPS, Step, advanced};
use crate::config::{self, Project, Projects};
use crate::definitions::may_define;
use crate::git::{EarlierVersion, Repositories};
use crate::limits::{MAX_BYTES, too_large};
use crate::suites::{Cases, may_have_suites, results_in};
use answers::lsp::addresses::{belongs_to_workspace, file_path};
use answers::lsp::convert::{Converter, source_of};
use answers::lsp::profile::ClientProfile;

/// The result of the analysis of one revision of a document.
#[derive(Clone, Debug)]
pub(super) struct Analysis {
    pub(super) revision: u64,
    /// The revision of the first analysis with these findings in this text.
    pub(super) since: u64,
    pub(super) buffer: TextBuffer,
    pub(super) outcome: Outcome,
    /// Whether settings exclude the file: nothing is reported in it.
    pub(super) is_excluded: bool,
    /// Whether all versions that it is compared with were read, and its Go source as well.
    pub(super) is_compared: bool,
    /// The results of the test cases in it; `None` if it has no suite.
    pub(super) cases: Option<Arc<Cases>>,
    /// The Go source from which it is generated; `None` if controller-gen did not write it.
    pub(super) go_source: Option<Arc<GoSource>>,
}

/// The outcome of an analysis.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Done(File),
    /// The text is larger than [`MAX_BYTES`].
    TooLarge,
    /// The document is in a language that the server does not support.
    Foreign,
    /// A Go file, from which definitions may be generated.
    Go(Arc<GoFile>),
    /// The analysis panicked.
    Crashed,
    /// The analysis was stopped because there is a newer text.
    Superseded,
}

/// The language of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// YAML or JSON.
    Yaml,
    Go,
    /// Any other language.
    Foreign,
}

impl Analysis {
    /// The result for a Go file.
    pub(super) const fn go(&self) -> Option<&Arc<GoFile>> {
        match &self.outcome {
            Outcome::Go(file) => Some(file),
            _ => None,
        }
    }

    pub(super) const fn file(&self) -> Option<&File> {
        match &self.outcome {
            Outcome::Done(file) => Some(file),
            _ => None,
        }
    }

    /// Whether both report the same on one text.
    pub(super) fn has_same_findings(&self, other: &Self) -> bool {
        match (&self.outcome, &other.outcome) {
            _ if self.is_excluded || other.is_excluded => self.is_excluded == other.is_excluded,
            _ if self.cases != other.cases => false,
            _ if self.findings_with_origins() != other.findings_with_origins() => false,
            (Outcome::Done(one), Outcome::Done(other)) => {
                one.settings() == other.settings() && one.findings() == other.findings()
            }
            (Outcome::Go(one), Outcome::Go(other)) => one.findings == other.findings,
            (Outcome::TooLarge, Outcome::TooLarge) | (Outcome::Foreign, Outcome::Foreign) => true,
            _ => false,
        }
    }

    /// The findings that a client with this profile shows.
    pub(super) fn findings(&self, profile: &ClientProfile) -> Cow<'_, [Finding]> {
        match &self.outcome {
            _ if self.is_excluded => Cow::Borrowed(&[]),
            Outcome::Done(file) => {
                self.findings_with_origins().map_or_else(|| of_file(file, profile), Cow::Borrowed)
            }
            Outcome::TooLarge => Cow::Owned(vec![too_large(Severity::Error)]),
            Outcome::Go(file) => {
                Cow::Borrowed(file.grouped(profile).map_or(&file.findings, |grouped| &grouped.findings))
            }
            Outcome::Foreign | Outcome::Crashed | Outcome::Superseded => Cow::Borrowed(&[]),
        }
    }

    /// The findings that point to Go.
    fn findings_with_origins(&self) -> Option<&[Finding]> {
        self.go_source.as_ref().map(|source| &*source.findings)
    }

    /// All findings as diagnostics for a client.
    pub(super) fn diagnostics(&self, converter: &Converter<'_>, profile: &ClientProfile) -> Vec<Diagnostic> {
        self.diagnostics_of(&self.findings(profile), converter)
    }

    /// The diagnostics for other findings on the same text.
    pub(super) fn diagnostics_of(&self, findings: &[Finding], converter: &Converter<'_>) -> Vec<Diagnostic> {
        let findings = findings.iter().map(|finding| converter.diagnostic(finding));
        findings.chain(suites::diagnostics(self, converter)).collect()
    }
}

/// The findings that are shown of a file that is not generated from Go.
fn of_file<'f>(file: &'f File, profile: &ClientProfile) -> Cow<'f, [Finding]> {
    match profile.groups(file) {
        true => Cow::Owned(file.grouped().findings),
        false => Cow::Owned(file.all_findings()),
    }
}

/// An analysis to run.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) uri: Uri,
    /// Distinguishes documents that were opened under the same URI one after the other.
    pub(super) incarnation: u64,
    pub(super) version: i32,
    pub(super) revision: u64,
    pub(super) buffer: TextBuffer,
    pub(super) language: Language,
    pub(super) packages: Packages,
    pub(super) go_texts: OpenTexts,
    /// Whether findings in a definition that controller-gen wrote point to Go.
    pub(super) links_to_go: bool,
    /// The Go source that the last analysis found.
    pub(super) go_source: Option<Arc<GoSource>>,
    /// The other open texts, for a document that may have test cases.
    pub(super) open_files: OpenFiles,
    /// The result of an earlier analysis, and the edits since; `None` to start from scratch.
    pub(super) base: Option<(AnalysisBasis, Vec<Step>)>,
    /// The definitions in the text of that analysis.
    pub(super) own: Option<Definitions>,
    pub(super) editor: Arc<config::Editor>,
    pub(super) projects: Projects,
    pub(super) catalog: Catalog,
    pub(super) repositories: Repositories,
    pub(super) profile: Arc<ClientProfile>,
    pub(super) latest: Arc<AtomicU64>,
}

/// The versions that a file was compared with.
#[derive(Debug, Default)]
pub(super) struct Comparisons {
    /// The version that an update of the file would replace.
    pub(super) update: EarlierVersion,
    /// The version against which breaking changes are reported, and whether those of alpha versions are reported.
    pub(super) base: EarlierVersion,
    pub(super) alpha: bool,
}

/// A finished job.
#[derive(Debug)]
pub(super) struct FinishedAnalysis {
    pub(super) uri: Uri,
    pub(super) incarnation: u64,
    pub(super) version: i32,
    pub(super) analysis: Analysis,
    /// `None` if they are not needed: the language is not supported, the client pulls them, or the text has changed meanwhile.
    pub(super) diagnostics: Option<Vec<Diagnostic>>,
    /// The project that the document belongs to.
    pub(super) project: Project,
    /// The versions that it was compared with.
    pub(super) compared: Comparisons,
    /// The revisions for the comparison that were not read yet.
    pub(super) unread_revisions: Vec<String>,
    /// The remaining work on a definition that controller-gen wrote.
    pub(super) remaining: Option<RemainingWork>,
    /// The name of the document as a source of definitions, and its definitions.
    pub(super) source: String,
    pub(super) definitions: Option<Definitions>,
    /// The progress of a superseded analysis, and the remaining edits.
    pub(super) left: Option<(AnalysisBasis, Vec<Step>)>,
    /// The definitions that are generated from a Go file.
    pub(super) go: Option<GoGeneration>,
}

/// The outcome of an analysis, the definitions in the text, and the remaining work.
type AnalysisParts = (Outcome, Option<Definitions>, Option<(AnalysisBasis, Vec<Step>)>);

impl Job {
    /// Runs to the end for any text; a panic becomes [`Outcome::Crashed`].
    pub(super) fn run(self) -> FinishedAnalysis {
        let path = file_path(&self.uri);
        let project = path.as_ref().map(|path| self.projects.project_of(path)).unwrap_or_default();
        let is_excluded = path.is_some_and(|path| self.projects.exclude(&path));
        let source = source_of(&self.uri);
        let mut go = None;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            if self.language == Language::Go {
                let (outcome, generation) = self.go_outcome();
                go = generation;
                return ((outcome, None, None), Comparisons::default(), Vec::new());
            }
            let (compared, unread_revisions) = self.compared(&project);
            (self.outcome(&project, &source, &compared), compared, unread_revisions)
        }));
        let crashed = |_| ((Outcome::Crashed, None, None), Comparisons::default(), Vec::new());
        let ((outcome, definitions, left), compared, unread_revisions) = outcome.unwrap_or_else(crashed);
        let (revision, buffer) = (self.revision, self.buffer.clone());
        let is_compared = unread_revisions.is_empty(); // A panic in the cases does not affect the findings on the file.
        let cases = catch_unwind(AssertUnwindSafe(|| self.cases(&outcome))).unwrap_or(None);
        let cases = cases.filter(|_| !is_excluded); // Neither does a panic in the generation.
        let source_and_work = catch_unwind(AssertUnwindSafe(|| self.find_go_source(&outcome)));
        let (go_source, remaining) = source_and_work.unwrap_or((None, None));
        let is_compared = is_compared && remaining.is_none();
        let analysis = Analysis {
            revision,
            since: revision,
            buffer,
            outcome,
            is_excluded,
            is_compared,
            cases,
            go_source,
        };
        let diagnostics = catch_unwind(AssertUnwindSafe(|| self.diagnostics(&analysis))).unwrap_or(None);
        let definitions = definitions.filter(|_| !is_excluded && belongs_to_workspace(&self.uri));
        let Self { uri, incarnation, version, .. } = self;
        FinishedAnalysis {
            uri,
            incarnation,
            version,
            analysis,
            diagnostics,
            project,
            compared,
            unread_revisions,
            remaining,
            source,
            definitions,
            left,
            go: go.filter(|_| !is_excluded),
        }
    }

    /// Runs the job for a file that is not open, compared with its other versions, which are read now and not kept.
    pub(super) fn run_compared(self) -> FinishedAnalysis {
        let Some(path) = file_path(&self.uri) else { return self.run() }; // Only definitions are compared, and most files have only resources.
        if !may_define(self.buffer.to_string().as_bytes()) {
            return self.run();
        }
        let project = self.projects.project_of(&path);
        let (_, unread_revisions) = self.compared(&project);
        let repositories = self.repositories.clone();
        for revision in &unread_revisions {
            // A panic in the comparison does not affect the findings on the file itself.
            if catch_unwind(AssertUnwindSafe(|| repositories.read(&path, revision, None))).is_err() {
                repositories.crashed(&path, revision);
            }
        }
        let analysed = self.run();
        repositories.forget(&path);
        analysed
    }

    /// The result if [`Self::run`] itself panics.
    pub(super) fn crashed(&self) -> FinishedAnalysis {
        let outcome = Outcome::Crashed;
        let (revision, buffer) = (self.revision, self.buffer.clone());
        FinishedAnalysis {
            uri: self.uri.clone(),
            incarnation: self.incarnation,
            version: self.version,
            analysis: Analysis {
                revision,
                since: revision,
                buffer,
                outcome,
                is_excluded: false,
                is_compared: true,
                cases: None,
                go_source: None,
            },
            diagnostics: None,
            project: Project::default(),
            compared: Comparisons::default(),
            unread_revisions: Vec::new(),
            remaining: None,
            source: source_of(&self.uri),
            definitions: None,
            left: None,
            go: None,
        }
    }

    /// The results of its test cases. They depend on files beside it, which are read only if the workspace is trusted.
    fn cases(&self, outcome: &Outcome) -> Option<Arc<Cases>> {
        let Outcome::Done(file) = outcome else { return None };
        let path = file_path(&self.uri).filter(|path| self.editor.is_trusted() && may_have_suites(path))?;
        let server = file.settings().kubernetes_version;
        let open = |path: &Path| self.open_files.text(path);
        results_in(&path, &self.buffer.to_string(), server, &open).map(Arc::new)
    }

    fn diagnostics(&self, analysis: &Analysis) -> Option<Vec<Diagnostic>> {
        let is_foreign = self.language == Language::Foreign;
        if is_foreign || self.profile.pulls_diagnostics || !self.is_current() {
            return None;
        }
        let converter = Converter::new(&analysis.buffer, &self.uri, &self.profile);
        Some(analysis.diagnostics(&converter, &self.profile))
    }

    /// The versions for the comparison that were read, and the revisions that were not. A version is read after the first
    /// findings, which do not wait for it.
    fn compared(&self, project: &Project) -> (Comparisons, Vec<String>) {
        let is_compared = self.language != Language::Foreign && self.editor.is_trusted();
        let Some(path) = file_path(&self.uri).filter(|_| is_compared) else {
            return Default::default();
        };
        let choices = project.choices_of(&path);
        let base = self.editor.compat_base(&choices);
        let alpha = base.as_ref().is_some_and(|(_, alpha)| *alpha);
        let mut unread_revisions = Vec::new();
        let mut compared = |revision: Option<String>| {
            let Some(revision) = revision else { return EarlierVersion::default() };
            self.repositories.cached_version(&path, &revision).unwrap_or_else(|| {
                unread_revisions.push(revision);
                EarlierVersion::default()
            })
        };
        let update = compared(self.editor.compare_with(&choices));
        let base = compared(base.map(|(base, _)| base));
        (Comparisons { update, base, alpha }, unread_revisions)
    }

    fn is_current(&self) -> bool {
        self.latest.load(Ordering::SeqCst) == self.revision
    }

    fn outcome(&self, project: &Project, source: &str, compared: &Comparisons) -> AnalysisParts {
        if self.language == Language::Foreign {
            return (Outcome::Foreign, None, None);
        }
        if self.buffer.len() as usize > MAX_BYTES {
            return (Outcome::TooLarge, None, None);
        }
        let surroundings = Surroundings {
            catalog: self.catalog.clone(),
            source: source.into(),
            stored: compared.update.stored.clone(),
            base: compared.base.stored.clone().map(|stored| compat::Base::new(stored, compared.alpha)),
        };
        let (known, left, surroundings) = match &self.base {
            Some((known, steps)) if steps.len() <= MAX_STEPS => {
                // The catalog gets the definitions in the text a little later.
                let surroundings = known.surroundings_with(surroundings, self.own.clone());
                let (known, left) = advanced(known.clone(), steps, &self.stop());
                (known, left, surroundings)
            }
            _ => {
                (AnalysisBasis::new(&self.buffer.to_string(), &self.settings(project)), &[][..], surroundings)
            }
        };
        if !left.is_empty() {
            return (Outcome::Superseded, self.own.clone(), Some((known, left.to_vec())));
        }
        let file = match known.analyse(surroundings, &self.stop()) {
            Ok(file) => file,
            Err(known) => return (Outcome::Superseded, self.own.clone(), Some((known, Vec::new()))),
        }; // The findings on a text also depend on the definitions in the text itself.
        let own = file.definitions(source, &self.buffer);
        let surroundings = file.surroundings_with(file.surroundings().clone(), own.clone());
        match file.in_surroundings_until(surroundings, &self.stop()) {
            Ok(file) => (Outcome::Done(file), own, None),
            Err(known) => (Outcome::Superseded, own, Some((known, Vec::new()))),
        }
    }

    /// The definitions that are generated from a Go file, and the findings on them.
    fn go_outcome(&self) -> (Outcome, Option<GoGeneration>) {
        if self.buffer.len() as usize > MAX_BYTES {
            return (Outcome::TooLarge, None);
        }
        let Some(path) = file_path(&self.uri) else { return (Outcome::Foreign, None) };
        let settings = self.go_settings();
        let revision = settings.base(&path);
        let generated = settings.with_inputs(&self.stop(), |around| {
            GoFile::analyse(&path, &self.packages, &self.go_texts, revision.as_ref(), around)
        });
        match generated {
            Some((file, generation)) => (Outcome::Go(Arc::new(file)), Some(generation)),
            None => (Outcome::Superseded, None),
        }
    }

    /// The Go source of a definition that controller-gen wrote, as far as it is known, and the remaining work. Other files are
    /// read for it only if the workspace is trusted.
    fn find_go_source(&self, outcome: &Outcome) -> (Option<Arc<GoSource>>, Option<RemainingWork>) {
        let Outcome::Done(file) = outcome else { return (None, None) };
        if !self.links_to_go || !self.editor.is_trusted() || !may_be_generated(&self.buffer) {
            return (None, None);
        }
        let Some(path) = file_path(&self.uri) else { return (None, None) };
        let (packages, texts) = (self.packages.clone(), Arc::clone(&self.go_texts));
        let origin_search =
            OriginSearch { path, buffer: self.buffer.clone(), settings: self.go_settings(), packages, texts };
        let is_typed = self.base.as_ref().is_some_and(|(_, steps)| !steps.is_empty());
        let before = self.go_source.as_deref().filter(|_| is_typed);
        let (source, remaining) = origin_search.source(&of_file(file, &self.profile), before, &self.stop());
        (source.map(Arc::new), remaining)
    }

    fn go_settings(&self) -> GoSettings {
        GoSettings { editor: Arc::clone(&self.editor), projects: self.projects.clone() }
    }

    fn settings(&self, project: &Project) -> Settings {
        let Some(path) = file_path(&self.uri) else { return self.editor.settings(&project.choices) };
        let settings = self.editor.settings(&project.choices_of(&path));
        self.projects.settings_of(&path, settings)
    }

    /// Stops the analysis when there is a newer text, or when settings or definitions have changed.
    fn stop(&self) -> StopSignal {
        let (latest, revision) = (Arc::clone(&self.latest), self.revision);
        StopSignal::when(move || latest.load(Ordering::SeqCst) != revision)
    }
}
