//! One open document, as the writer keeps it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ide::{File, Settings};
use text::{Position, PositionEncoding, TextBuffer, TextEdit, TextRange};
use tokio::sync::watch;
use tower_lsp::ls_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};

use super::analysis::{Analysed, Analysis, Job};
use super::profile::ClientProfile;
use super::snapshot::View;
use crate::analyse::{MAX_STEPS, Step};

/// The text of an open document and how far its analysis has come.
#[derive(Debug)]
pub(super) struct Document {
    uri: Uri,
    incarnation: u64,
    foreign: bool,
    version: i32,
    revision: u64,
    buffer: TextBuffer,
    /// The analysis from which `steps` lead to `buffer`; `None` while it must start from scratch.
    base: Option<File>,
    steps: Vec<Step>,
    running: bool,
    /// The settings have changed since the running job started.
    outdated: bool,
    latest: Arc<AtomicU64>,
    analysis: watch::Sender<Option<Arc<Analysis>>>,
}

impl Document {
    /// A document that has just been opened; `revision` doubles as its incarnation.
    pub(super) fn open(item: TextDocumentItem, revision: u64) -> Self {
        Self {
            foreign: !is_ours(&item.language_id, item.uri.as_str()),
            uri: item.uri,
            incarnation: revision,
            version: item.version,
            revision,
            buffer: TextBuffer::new(&item.text),
            base: None,
            steps: Vec::new(),
            running: false,
            outdated: false,
            latest: Arc::new(AtomicU64::new(revision)),
            analysis: watch::Sender::new(None),
        }
    }

    /// Applies the content changes one after another and returns what was wrong with them; a change that cannot
    /// be applied is left out.
    pub(super) fn change(
        &mut self,
        version: i32,
        revision: u64,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: PositionEncoding,
    ) -> Vec<String> {
        let mut problems = Vec::new();
        if version <= self.version {
            problems
                .push(format!("{}: a change has no newer version than the one before", self.uri.as_str()));
        }
        self.version = version;
        self.reach(revision);
        for change in changes {
            match self.edit_of(change, encoding) {
                Ok(edit) => problems.extend(edit.and_then(|edit| self.edit(edit).err())),
                Err(problem) => problems.push(problem),
            }
        }
        problems
    }

    /// The settings have changed: nothing known before holds.
    pub(super) fn start_over(&mut self, revision: u64) {
        self.reach(revision);
        self.outdated = true;
        self.base = None;
        self.steps.clear();
    }

    /// The next analysis, if one is due and none is running.
    pub(super) fn next_job(&mut self, settings: &Arc<Settings>, profile: &Arc<ClientProfile>) -> Option<Job> {
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
            foreign: self.foreign,
            base: self.base.clone().map(|base| (base, steps)),
            settings: Arc::clone(settings),
            profile: Arc::clone(profile),
            latest: Arc::clone(&self.latest),
        })
    }

    /// Takes the result of the last job; whether it is of the present text and settings.
    pub(super) fn finish(&mut self, analysed: &Analysed) -> bool {
        self.running = false;
        // The steps since the job started lead on from its text, unless they were too many to keep.
        let follows = !self.outdated && self.steps.len() <= MAX_STEPS;
        self.base = analysed.analysis.file().filter(|_| follows).cloned();
        if self.base.is_none() {
            self.steps.clear();
        }
        self.analysis.send_replace(Some(Arc::new(analysed.analysis.clone())));
        analysed.analysis.revision == self.revision
    }

    /// Whether `analysed` was a job of this document, and not of one that was closed before.
    pub(super) const fn started(&self, analysed: &Analysed) -> bool {
        self.incarnation == analysed.incarnation
    }

    /// The document as requests see it.
    pub(super) fn view(&self) -> View {
        View {
            uri: self.uri.clone(),
            version: self.version,
            revision: self.revision,
            buffer: self.buffer.clone(),
            analysis: self.analysis.subscribe(),
            latest: Arc::clone(&self.latest),
        }
    }

    fn reach(&mut self, revision: u64) {
        self.revision = revision;
        self.latest.store(revision, Ordering::SeqCst);
    }

    /// `None` where nothing changes.
    fn edit_of(
        &self,
        change: TextDocumentContentChangeEvent,
        encoding: PositionEncoding,
    ) -> Result<Option<TextEdit>, String> {
        let Some(range) = change.range else { return Ok(self.buffer.difference(&change.text)) };
        if range.end < range.start {
            return Err(format!("a change ends before it starts: {range:?}"));
        }
        let offset = |line, character| self.buffer.offset(Position { line, character }, encoding);
        let start = offset(range.start.line, range.start.character);
        let end = offset(range.end.line, range.end.character);
        let nothing = start == end && change.text.is_empty();
        Ok((!nothing).then(|| TextEdit::replace(TextRange::new(start, end), change.text)))
    }

    fn edit(&mut self, edit: TextEdit) -> Result<(), String> {
        self.buffer.apply(&edit).map_err(|error| error.to_string())?;
        if self.base.is_none() && !self.running {
            return Ok(());
        }
        // One too many marks that the steps are incomplete; the next analysis starts from scratch.
        if self.steps.len() <= MAX_STEPS {
            self.steps.push(Step { edit, after: self.buffer.clone() });
        }
        Ok(())
    }
}

/// YAML and JSON in their many names; without a language, by the file's name.
fn is_ours(language: &str, uri: &str) -> bool {
    let language = language.to_ascii_lowercase();
    if language.is_empty() {
        let uri = uri.to_ascii_lowercase();
        return [".yaml", ".yml", ".json"].iter().any(|extension| uri.ends_with(extension));
    }
    ["yaml", "yml", "json"].iter().any(|ours| language.contains(ours))
}
