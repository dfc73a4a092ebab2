//! The state at one point of the inbox, as requests see it.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ide::{Catalog, Settings};
use text::{TextBuffer, TextSize};
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;
use tower_lsp::jsonrpc::Error;
use tower_lsp::ls_types::Uri;

use super::analysis::Analysis;
use super::closed::ClosedFindings;
use super::counted::Counts;
use super::golang::Packages;
use super::workspace::ClosedFiles;
use crate::config::{self, Projects};
use answers::lsp::profile::ClientProfile;

/// The open documents after all messages up to one.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    pub(super) profile: Arc<ClientProfile>,
    /// The folders of the workspace.
    pub(super) folders: Vec<PathBuf>,
    /// What is known of definitions.
    pub(super) catalog: Catalog,
    pub(super) editor: Arc<config::Editor>,
    pub(super) projects: Projects,
    /// What is known of Go packages.
    pub(super) packages: Packages,
    /// Which kinds files may hold.
    pub(super) resources: Arc<ClosedFiles>,
    /// What is known of resources in files that are not open.
    pub(super) counts: Arc<Counts>,
    /// What is found in files that are not open, now and later.
    pub(super) closed: Option<watch::Receiver<Arc<ClosedFindings>>>,
    /// Who may prove fixes.
    pub(super) proofs: Proofs,
    /// By URI.
    pub(super) documents: BTreeMap<String, View>,
}

impl Snapshot {
    /// The settings for a file that is not open.
    pub(super) fn settings_of(&self, path: &Path) -> Settings {
        let settings = self.editor.settings(&self.projects.of(path).choices_of(path));
        self.projects.settings_of(path, settings)
    }
}

/// How many questions that take proofs are worked on at once: others, which take a moment, must find a processor. Clones share
/// the permits.
#[derive(Clone, Debug)]
pub(super) struct Proofs(pub(super) Arc<Semaphore>);

impl Default for Proofs {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self(Arc::new(Semaphore::new(2 * processors)))
    }
}

/// How long code actions wait for versions in git, which their answer is poorer without. Mostly these are read by the time that
/// somebody asks.
const VERSIONS_WITHIN: Duration = Duration::from_secs(1);

/// One open document at one revision.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) uri: Uri,
    /// The client's number for this text.
    pub(super) version: i32,
    /// Our number for this text and these settings; grows with every change of any document.
    pub(super) revision: u64,
    pub(super) buffer: TextBuffer,
    /// Where the last edit ends.
    pub(super) typed_at: Option<TextSize>,
    /// The last finished analysis, which may be of an earlier or a later revision.
    pub(super) analysis: watch::Receiver<Option<Arc<Analysis>>>,
    /// The revision of the last change of the text that the writer knows of.
    pub(super) edited: Arc<AtomicU64>,
    /// How many requests about it may be worked on at once: one document never takes the pool from the others.
    pub(super) permits: Arc<Semaphore>,
}

impl View {
    /// Whether the text is still the one of this snapshot.
    pub(super) fn is_current(&self) -> bool {
        self.edited.load(Ordering::SeqCst) <= self.revision
    }

    /// The analysis of this revision, awaited if need be, or a later one of the same text among other definitions or
    /// settings; ContentModified where it was skipped for a newer text, or the document has been closed.
    pub(super) async fn analysis(self) -> Result<Arc<Analysis>, Error> {
        self.analysis_that(|_| true).await
    }

    /// The same once the versions in git were read that the text is compared with, if that takes no longer than
    /// [`VERSIONS_WITHIN`].
    pub(super) async fn compared_analysis(self) -> Result<Arc<Analysis>, Error> {
        let compared = self.clone().analysis_that(|analysis| analysis.is_compared);
        match timeout(VERSIONS_WITHIN, compared).await {
            Ok(compared) => compared,
            Err(_) => self.analysis().await,
        }
    }

    async fn analysis_that(mut self, is_wanted: impl Fn(&Analysis) -> bool) -> Result<Arc<Analysis>, Error> {
        let revision = self.revision;
        let reached = |analysis: &Option<Arc<Analysis>>| {
            analysis.as_ref().is_some_and(|analysis| analysis.revision >= revision && is_wanted(analysis))
        };
        let analysis = self.analysis.wait_for(reached).await.map_err(|_| Error::content_modified())?;
        let is_of_text =
            |analysis: &&Arc<Analysis>| analysis.revision == revision || analysis.buffer == self.buffer;
        analysis.as_ref().filter(is_of_text).cloned().ok_or_else(Error::content_modified)
    }
}
