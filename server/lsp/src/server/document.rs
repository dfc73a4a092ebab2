//! An open document in the state of the writer.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use answers::lsp::addresses::file_path;
use answers::lsp::convert::{edit_of, is_ours};
use answers::lsp::profile::ClientProfile;
use ide::{AnalysisBasis, Catalog, Definitions, File, Surroundings};
use text::{PositionEncoding, TextBuffer, TextEdit, TextSize};
use tokio::sync::{Semaphore, watch};
use tower_lsp::ls_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};

use super::analysis::{Analysis, FinishedAnalysis, Job, Language, Outcome};
use super::go_origins::may_be_generated;
use super::golang::{GoSource, OpenText, Packages, is_go};
use super::snapshot::View;
use super::suites::OpenFiles;
use crate::analyse::{MAX_STEPS, Step};
use crate::config::{self, Projects};
use crate::git::Repositories;

/// The text of an open document, and the progress of its analysis.
#[derive(Debug)]
pub(super) struct Document {
    uri: Uri,
    incarnation: u64,
    language: Language,
    version: i32,
    revision: u64,
    buffer: TextBuffer,
    /// The last result, for the text from which `steps` lead to `buffer`; `None` if the next analysis starts from scratch.
    base: Option<AnalysisBasis>,
    /// The definitions in the text of the last analysis.
    own_definitions: Option<Definitions>,
    steps: Vec<Step>,
    /// The end of the last edit, where the cursor is while the user types.
    typed_at: Option<TextSize>,
    /// Whether that edit was one of keys: it inserted a part of a line, or an empty line.
    is_typing: bool,
    running: bool,
    /// Whether the settings have changed since the running job started.
    outdated: bool,
    /// `revision`, for jobs that run in parallel with the writer.
    latest: Arc<AtomicU64>,
    /// The revision of the last change of the text.
    edited: Arc<AtomicU64>,
    analysis: watch::Sender<Option<Arc<Analysis>>>,
    /// The last analysis that the client got, and the revision of the last change of its text.
    last_analysis: Option<(u64, Arc<Analysis>)>,
    /// The revision of the last change that was passed on to other Go files.
    propagated: u64,
    permits: Arc<Semaphore>,
}

/// The difference between an analysis and the one before, for the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FindingsChange {
    /// No difference: the same findings in the same text.
    None,
    /// The findings in a changed text.
    OfText,
    /// Changed findings in the same text.
    OfSurroundings,
}

/// The maximum number of concurrent requests on one document.
const REQUESTS_AT_ONCE: usize = 4;

impl Document {
    /// A document that has just been opened; `revision` doubles as its incarnation.
    pub(super) fn open(item: TextDocumentItem, revision: u64) -> Self {
        Self {
            language: language(&item.language_id, item.uri.as_str()),
            uri: item.uri,
            incarnation: revision,
            version: item.version,
            revision,
            buffer: TextBuffer::new(&item.text),
            base: None,
            own_definitions: None,
            steps: Vec::new(),
            typed_at: None,
            is_typing: false,
            running: false,
            outdated: false,
            latest: Arc::new(AtomicU64::new(revision)),
            edited: Arc::new(AtomicU64::new(revision)),
            analysis: watch::Sender::new(None),
            last_analysis: None,
            propagated: 0,
            permits: Arc::new(Semaphore::new(REQUESTS_AT_ONCE)),
        }
    }

    /// Applies the content changes one after another and returns the problems with them; a change that cannot be applied is
    /// skipped.
    pub(super) fn change(
        &mut self,
        version: i32,
        revision: u64,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: PositionEncoding,
    ) -> Vec<String> {
        let mut problems = Vec::new();
        if version <= self.version {
            let (uri, known) = (self.uri.as_str(), self.version);
            problems.push(format!(
                "{uri}: a change has version {version}, but the text already has version {known}"
            ));
        }
        self.version = version;
        self.set_revision(revision);
        self.edited.store(revision, Ordering::SeqCst);
        for change in changes {
            match edit_of(&self.buffer, change, encoding) {
                Ok(edit) => problems.extend(edit.and_then(|edit| self.edit(edit).err())),
                Err(problem) => problems.push(problem),
            }
        }
        problems
    }

    /// Its path, if it is in the file system.
    pub(super) fn path(&self) -> Option<PathBuf> {
        file_path(&self.uri)
    }

    /// The last complete analysis.
    pub(super) fn file(&self) -> Option<File> {
        self.analysis.borrow().as_ref().and_then(|analysis| analysis.file().cloned())
    }

    /// Whether it has test cases, whose results depend on definitions.
    pub(super) fn has_cases(&self) -> bool {
        self.analysis.borrow().as_ref().is_some_and(|analysis| analysis.cases.is_some())
    }

    /// Starts from scratch, because the settings have changed.
    pub(super) fn start_over(&mut self, revision: u64) {
        self.set_revision(revision);
        self.outdated = true;
        self.base = None;
        self.steps.clear();
    }

    /// Whether the definitions that matter to it may have changed since the last analysis. False while an analysis is
    /// running: the next is due when it has ended.
    pub(super) fn is_affected_by(&self, catalog: &Catalog) -> bool {
        let known = self.base.as_ref().filter(|_| !self.running);
        known.is_some_and(|known| {
            let surroundings = Surroundings { catalog: catalog.clone(), ..known.surroundings().clone() };
            known.is_affected_by(&known.surroundings_with(surroundings, self.own_definitions.clone()))
        })
    }

    /// Makes a new analysis due, because definitions have changed. Results that do not depend on them are kept.
    pub(super) fn revise(&mut self, revision: u64) {
        self.set_revision(revision);
    }

    /// The next analysis, if one is due and none is running.
    pub(super) fn next_job(
        &mut self,
        editor: &Arc<config::Editor>,
        projects: &Projects,
        (catalog, repositories): (&Catalog, &Repositories),
        profile: &Arc<ClientProfile>,
        packages: &Packages,
    ) -> Option<Job> {
        let known = self.analysis.borrow().as_ref().map(|analysis| analysis.revision);
        if self.running || known == Some(self.revision) {
            return None;
        }
        self.running = true;
        self.outdated = false;
        let steps = std::mem::take(&mut self.steps);
        Some(Job {
            uri: self.uri.clone(),
            incarnation: self.incarnation,
            version: self.version,
            revision: self.revision,
            buffer: self.buffer.clone(),
            language: self.language,
            packages: packages.clone(),
            go_texts: packages.texts(),
            links_to_go: true,
            go_source: self.go_source(),
            open_files: OpenFiles::default(),
            base: self.base.clone().map(|base| (base, steps)),
            own_definitions: self.own_definitions.clone(),
            editor: Arc::clone(editor),
            projects: projects.clone(),
            catalog: catalog.clone(),
            repositories: repositories.clone(),
            profile: Arc::clone(profile),
            latest: Arc::clone(&self.latest),
        })
    }

    /// Takes the result of the last job. Returns whether it is for the current text and settings.
    pub(super) fn finish(&mut self, analysed: &FinishedAnalysis) -> bool {
        self.running = false;
        // The steps since the job started apply to its text, unless there were too many to keep.
        let follows = !self.outdated && self.steps.len() <= MAX_STEPS;
        let is_superseded = matches!(analysed.analysis.outcome, Outcome::Superseded);
        let (base, left) = match &analysed.progress {
            Some((known, left)) => (Some(known.clone()), left.clone()),
            None => (analysed.analysis.file().map(File::basis), Vec::new()),
        };
        self.base = base.filter(|_| follows);
        self.steps.splice(0..0, left);
        self.own_definitions.clone_from(&analysed.definitions);
        if self.base.is_none() {
            self.steps.clear();
        }
        // Nobody waits for an incomplete result, and the next job begins at once.
        if is_superseded {
            return false;
        }
        let mut analysis = analysed.analysis.clone();
        if let Some(before) = &*self.analysis.borrow()
            && before.revision >= self.edited.load(Ordering::SeqCst)
            && before.has_same_findings(&analysis)
        {
            analysis.since = before.since;
        }
        self.analysis.send_replace(Some(Arc::new(analysis)));
        analysed.analysis.revision == self.revision
    }

    /// Records that the client gets the last analysis, and returns the difference from the one before.
    pub(super) fn record_shown(&mut self, profile: &ClientProfile) -> FindingsChange {
        let edited = self.edited.load(Ordering::SeqCst);
        let Some(now) = self.analysis.borrow().clone() else { return FindingsChange::None };
        let findings_change = match &self.last_analysis {
            Some((text, _)) if *text != edited => FindingsChange::OfText,
            Some((_, before))
                if before.findings(profile) == now.findings(profile) && before.cases == now.cases =>
            {
                FindingsChange::None
            }
            Some(_) => FindingsChange::OfSurroundings,
            None => FindingsChange::OfText,
        };
        self.last_analysis = Some((edited, now));
        findings_change
    }

    /// Whether `analysed` was a job of this document, and not of one that was closed earlier.
    pub(super) const fn started(&self, analysed: &FinishedAnalysis) -> bool {
        self.incarnation == analysed.incarnation
    }

    /// The document as requests see it.
    pub(super) fn view(&self) -> View {
        View {
            uri: self.uri.clone(),
            version: self.version,
            revision: self.revision,
            buffer: self.buffer.clone(),
            typed_at: self.typed_at,
            analysis: self.analysis.subscribe(),
            edited: Arc::clone(&self.edited),
            permits: Arc::clone(&self.permits),
        }
    }

    /// The text, if it is Go.
    pub(super) fn go_text(&self) -> Option<(PathBuf, OpenText)> {
        let path = self.path().filter(|_| self.language == Language::Go)?;
        let edited = self.edited.load(Ordering::SeqCst);
        let typed_at = self.typed_at.filter(|_| self.is_typing);
        Some((path, OpenText { edited, typed_at, buffer: self.buffer.clone() }))
    }

    /// Whether it may be a definition that controller-gen wrote.
    pub(super) fn may_be_generated(&self) -> bool {
        self.language == Language::Yaml && may_be_generated(&self.buffer)
    }

    /// The Go source from which it is generated, if it is known.
    pub(super) fn go_source(&self) -> Option<Arc<GoSource>> {
        self.analysis.borrow().as_ref().and_then(|analysis| analysis.go_source.clone())
    }

    /// Notes that the text was saved, so that nothing in it counts as being typed.
    pub(super) const fn saved(&mut self) {
        self.is_typing = false;
    }

    /// Whether it is Go and has changed since its last change was passed on to other Go files. Records that it is passed on
    /// now.
    pub(super) fn mark_propagated(&mut self) -> bool {
        let edited = self.edited.load(Ordering::SeqCst);
        self.language == Language::Go && std::mem::replace(&mut self.propagated, edited) != edited
    }

    fn set_revision(&mut self, revision: u64) {
        self.revision = revision;
        self.latest.store(revision, Ordering::SeqCst);
    }

    /// Applies an edit to the text and records it as a step.
    fn edit(&mut self, edit: TextEdit) -> Result<(), String> {
        self.buffer.apply(&edit).map_err(|error| error.to_string())?;
        self.typed_at = Some(edit.range.start + edit.new_text.len() as TextSize);
        let text = &edit.new_text;
        self.is_typing =
            edit.range.is_empty() && !text.is_empty() && (!text.contains('\n') || text.trim().is_empty());
        if self.base.is_none() && !self.running {
            return Ok(());
        }
        // One step over the limit marks the steps as incomplete; the next analysis starts from scratch.
        if self.steps.len() <= MAX_STEPS {
            self.steps.push(Step { edit, after: self.buffer.clone() });
        }
        Ok(())
    }
}

fn language(language: &str, uri: &str) -> Language {
    match () {
        () if is_ours(language, uri) => Language::Yaml,
        () if is_go(language, uri) => Language::Go,
        () => Language::Foreign,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use serde_json::json;
    use text::TextRange;

    use super::*;

    fn open(language: &str, text: &str) -> Document {
        let uri = "file:///a.yaml".parse().unwrap();
        Document::open(
            TextDocumentItem { uri, language_id: language.to_owned(), version: 1, text: text.to_owned() },
            1,
        )
    }

    fn next_job(document: &mut Document) -> Option<Job> {
        let surroundings = (&Catalog::default(), &Repositories::default());
        document.next_job(
            &Arc::default(),
            &Projects::default(),
            surroundings,
            &Arc::default(),
            &Packages::default(),
        )
    }

    /// Inserts `count` letters at the start, one with each content change.
    fn type_letters(document: &mut Document, revision: u64, count: usize) {
        let start = json!({"line": 0, "character": 0});
        let change = json!({"range": {"start": start, "end": start}, "text": "x"});
        let changes = vec![serde_json::from_value(change).unwrap(); count];
        let problems = document.change(revision as i32, revision, changes, PositionEncoding::Utf16);
        assert_eq!(problems, Vec::<String>::new());
    }

    #[test]
    fn the_first_analysis_is_from_scratch_and_the_next_is_incremental() {
        let mut document = open("yaml", "a");
        let first = next_job(&mut document).unwrap();
        assert!(first.base.is_none());
        assert!(document.finish(&first.run()));
        assert!(next_job(&mut document).is_none());
        type_letters(&mut document, 2, 2);
        let (_, steps) = next_job(&mut document).unwrap().base.unwrap();
        let texts: Vec<String> = steps.iter().map(|step| step.after.to_string()).collect();
        assert_eq!(texts, ["xa", "xxa"]);
    }

    #[test]
    fn edits_during_an_analysis_are_kept_for_the_next_and_make_it_stale() {
        let mut document = open("yaml", "a");
        let first = next_job(&mut document).unwrap().run();
        type_letters(&mut document, 2, 1);
        type_letters(&mut document, 3, 1);
        assert!(next_job(&mut document).is_none(), "one analysis at a time");
        assert!(!document.finish(&first));
        let next = next_job(&mut document).unwrap();
        assert_eq!((next.revision, next.base.as_ref().unwrap().1.len()), (3, 2));
        let analysed = next.run();
        assert!(document.finish(&analysed));
        assert_eq!(analysed.analysis.buffer.to_string(), "xxa");
    }

    #[test]
    fn an_outdated_analysis_stops_and_the_next_continues_from_its_result() {
        let mut document = open("yaml", "a");
        let first = next_job(&mut document).unwrap();
        type_letters(&mut document, 2, 1);
        let first = first.run();
        assert!(matches!(first.analysis.outcome, Outcome::Superseded));
        assert!(!document.finish(&first));
        let again = next_job(&mut document).unwrap().run();
        assert!(document.finish(&again));

        type_letters(&mut document, 3, 2);
        let second = next_job(&mut document).unwrap();
        type_letters(&mut document, 4, 1);
        let second = second.run();
        assert!(matches!(second.analysis.outcome, Outcome::Superseded));
        document.finish(&second);
        let third = next_job(&mut document).unwrap();
        assert_eq!(third.base.as_ref().unwrap().1.len(), 3);
        let third = third.run();
        assert!(document.finish(&third));
        assert_eq!(third.analysis.buffer.to_string(), "xxxxa");
    }

    #[test]
    fn after_too_many_edits_the_analysis_starts_from_scratch() {
        let mut document = open("yaml", "a");
        let first = next_job(&mut document).unwrap().run();
        type_letters(&mut document, 2, MAX_STEPS + 5);
        document.finish(&first);
        let next = next_job(&mut document).unwrap();
        assert!(next.base.is_none());
        document.finish(&next.run());
        type_letters(&mut document, 3, 1);
        assert_eq!(next_job(&mut document).unwrap().base.unwrap().1.len(), 1);
    }

    #[test]
    fn new_settings_invalidate_known_and_running_analyses() {
        let mut document = open("yaml", "a");
        let first = next_job(&mut document).unwrap();
        document.start_over(2);
        type_letters(&mut document, 3, 1);
        assert!(!document.finish(&first.run()));
        let next = next_job(&mut document).unwrap();
        assert!(next.base.is_none());
        assert!(document.finish(&next.run()));
        document.start_over(4);
        assert!(next_job(&mut document).unwrap().base.is_none());
    }

    #[test]
    fn a_change_of_the_whole_text_becomes_a_minimal_edit() {
        let mut document = open("yaml", "a: b\r\nc: d\r\n");
        let first = next_job(&mut document).unwrap();
        document.finish(&first.run());
        let complete_text = serde_json::from_value(json!({"text": "a: b\r\nc: e\r\n"})).unwrap();
        document.change(2, 2, vec![complete_text], PositionEncoding::Utf16);
        let (_, steps) = next_job(&mut document).unwrap().base.unwrap();
        assert_eq!(steps[0].edit, TextEdit::replace(TextRange::new(9, 10), "e"));
    }

    #[test]
    fn yaml_and_json_have_many_names() {
        for ours in ["yaml", "YAML", "yaml.helm-values", "json", "jsonc", "dockercompose-yml"] {
            assert!(is_ours(ours, "untitled:1"), "{ours}");
        }
        assert!(is_ours("", "file:///A.YAML"));
        assert!(!is_ours("", "file:///a.rs"));
        assert!(!is_ours("helm", "file:///a.yaml"));
    }
}
