//! Definitions that controller-gen wrote: they lead to Go once their Go sources are known.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use answers::lsp::addresses::file_path;
use ide::{Finding, StopSignal};
use text::{TextBuffer, TextRange, TextSize};
use tower_lsp::ls_types::Uri;

use super::golang::{BaseRevision, DefinitionOrigin, GoSource, OpenDefinitions, OpenTexts, Packages};
use super::inbox::Message;
use super::jobs;
use super::writer::Writer;
use crate::config::{self, Projects};
use crate::generated_definitions::{AnalysisInputs, HEAD_BYTES, is_written};

/// Whether a text may be a definition that controller-gen wrote.
pub(super) fn may_be_generated(buffer: &TextBuffer) -> bool {
    is_written(&buffer.slice(TextRange::new(0, buffer.len().min(HEAD_BYTES as TextSize))))
}

/// The settings with which definitions are generated from Go for an editor.
#[derive(Clone, Debug)]
pub(super) struct GoSettings {
    pub(super) editor: Arc<config::Editor>,
    pub(super) projects: Projects,
}

impl GoSettings {
    /// The revision with which the definitions from a Go file are compared.
    pub(super) fn base(&self, path: &Path) -> Option<BaseRevision> {
        let choices = self.projects.project_of(path).choices_of(path);
        self.editor.compat_base(&choices).filter(|_| self.editor.is_trusted())
    }

    /// Runs `work` with these settings.
    pub(super) fn with_inputs<T>(&self, stop: &StopSignal, work: impl FnOnce(&AnalysisInputs<'_>) -> T) -> T {
        let settings = |path: &Path| {
            let settings = self.editor.settings(&self.projects.project_of(path).choices_of(path));
            self.projects.settings_of(path, settings)
        };
        work(&AnalysisInputs { settings: &settings, base: &|_| None, stop })
    }
}

/// The delay after an edit before a definition is compared with the generated one.
const COMPARED_AFTER: Duration = Duration::from_millis(400);

/// The input of the search for the Go source of a definition that controller-gen wrote.
#[derive(Clone, Debug)]
pub(super) struct OriginSearch {
    pub(super) path: PathBuf,
    pub(super) buffer: TextBuffer,
    pub(super) settings: GoSettings,
    pub(super) packages: Packages,
    pub(super) texts: OpenTexts,
}

/// The remaining work on a definition.
#[derive(Debug)]
pub(super) enum RemainingWork {
    /// To find its Go source.
    Origin(OriginSearch),
    /// To compare it with the generated definition, which is delayed while the user types in it.
    Comparison,
}

impl OriginSearch {
    /// The Go source of the definition, with `findings` on it, and the remaining work; `before` is the source of the text
    /// before the user typed.
    pub(super) fn source(
        self,
        findings: &[Finding],
        before: Option<&GoSource>,
        stop: &StopSignal,
    ) -> (Option<GoSource>, Option<RemainingWork>) {
        match self.packages.origins(&self.path) {
            None => (None, Some(RemainingWork::Origin(self))),
            Some(origins) if origins.is_empty() => (None, None),
            Some(origins) => {
                let source = self.source_of(&origins, findings, before, stop);
                let is_late = source.as_ref().is_some_and(|source| !source.is_compared);
                (source, is_late.then_some(RemainingWork::Comparison))
            }
        }
    }

    fn source_of(
        &self,
        origins: &[DefinitionOrigin],
        findings: &[Finding],
        before: Option<&GoSource>,
        stop: &StopSignal,
    ) -> Option<GoSource> {
        let text = self.buffer.to_string();
        let open = OpenDefinitions { path: &self.path, text: &text, findings, source_before: before };
        let go = (&self.packages, &self.texts);
        let base = |path: &Path| self.settings.base(path);
        self.settings.with_inputs(stop, |around| GoSource::of(open, origins, go, &base, around))
    }

    /// Finds the Go sources of the definitions, and generates them.
    fn prepare(self) {
        let origins = self.packages.origins_of(&self.path, &self.buffer, &self.texts);
        if !origins.is_empty() {
            self.source_of(&origins, &[], None, &StopSignal::default());
        }
        self.packages.found_origins(self.path, origins.into());
    }
}

impl Writer {
    /// Does the remaining work on a definition, in a separate job and after its own findings were published.
    pub(super) fn find_go_origins(&mut self, uri: &Uri, remaining: Option<RemainingWork>) {
        let Some(remaining) = remaining else { return };
        let Some(path) = file_path(uri) else { return };
        if !self.reading.insert(path.clone()) {
            return;
        }
        let RemainingWork::Origin(origin_search) = remaining else {
            let message = Message::Compared(vec![path]);
            return self.outbox.remind(self.inbox.clone(), message, COMPARED_AFTER);
        };
        let crashed = {
            let (packages, path) = (origin_search.packages.clone(), path.clone());
            move || {
                packages.found_origins(path.clone(), Arc::default());
                Message::Compared(vec![path])
            }
        };
        let span = tracing::error_span!("source", path = %path.display());
        jobs::start(&self.inbox, span, crashed, move |inbox| {
            origin_search.prepare();
            inbox.send(Message::Compared(vec![path]));
        });
    }
}
