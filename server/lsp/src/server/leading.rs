//! Definitions that controller-gen wrote lead to Go once it is known what they are generated of.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ide::{Finding, Stop};
use text::{TextBuffer, TextRange, TextSize};
use tower_lsp::ls_types::Uri;

use super::golang::{BaseRevision, GoSource, OpenTexts, Packages};
use super::inbox::Message;
use super::jobs;
use super::writer::Writer;
use crate::config::{self, Projects};
use crate::generated::{Around, HEAD_BYTES, is_written};

/// Whether a text may be a definition that controller-gen wrote.
pub(super) fn may_lead(buffer: &TextBuffer) -> bool {
    is_written(&buffer.slice(TextRange::new(0, buffer.len().min(HEAD_BYTES as TextSize))))
}

/// The settings by which Go is generated for an editor.
#[derive(Clone, Debug)]
pub(super) struct GoSettings {
    pub(super) editor: Arc<config::Editor>,
    pub(super) projects: Projects,
}

impl GoSettings {
    /// The revision that what is generated of a Go file is compared with.
    pub(super) fn base(&self, path: &Path) -> Option<BaseRevision> {
        let choices = self.projects.of(path).choices_of(path);
        self.editor.compat_base(&choices).filter(|_| self.editor.is_trusted())
    }

    /// Does what depends on them.
    pub(super) fn around<T>(&self, stop: &Stop, work: impl FnOnce(&Around<'_>) -> T) -> T {
        let settings = |path: &Path| {
            let settings = self.editor.settings(&self.projects.of(path).choices_of(path));
            self.projects.settings_of(path, settings)
        };
        work(&Around { settings: &settings, base: &|_| None, stop })
    }
}

/// What a definition that controller-gen wrote is asked of Go.
#[derive(Clone, Debug)]
pub(super) struct Lead {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) settings: GoSettings,
    pub(super) packages: Packages,
    pub(super) texts: OpenTexts,
}

impl Lead {
    /// Whether it was found out what the definition is generated of, so that the next time takes no longer than an edit of Go.
    pub(super) fn is_prepared(&self) -> bool {
        self.packages.is_prepared(&self.path)
    }

    fn prepare(&self) {
        let _ = self.source(&[], &Stop::default());
        self.packages.prepared(self.path.clone());
    }

    /// What the definition is generated of, with `findings` on it.
    pub(super) fn source(&self, findings: &[Finding], stop: &Stop) -> Option<GoSource> {
        let go = (&self.packages, &self.texts);
        let base = |path: &Path| self.settings.base(path);
        self.settings
            .around(stop, |around| GoSource::of((&self.path, &self.text), findings, go, &base, around))
    }
}

impl Writer {
    /// Finds out what a definition is generated of, beside this task and once its own findings are out.
    pub(super) fn lead_to_go(&mut self, uri: &Uri, lead: Option<Lead>) {
        let Some(lead) = lead else { return };
        let Some(path) = uri.to_file_path().map(|path| path.into_owned()) else { return };
        if !self.reading.insert(path.clone()) {
            return;
        }
        let crashed = {
            let (packages, path) = (lead.packages.clone(), path.clone());
            move || {
                packages.prepared(path.clone());
                Message::Compared(vec![path])
            }
        };
        let span = tracing::error_span!("source", path = %path.display());
        jobs::start(&self.inbox, span, crashed, move |inbox| {
            lead.prepare();
            inbox.send(Message::Compared(vec![path]));
        });
    }
}
