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
use super::closed_files::ClosedFindings;
use super::golang::Packages;
use super::resource_counts::Counts;
use super::workspace::ClosedFiles;
use crate::config::{self, Projects};
use answers::lsp::addresses::{belongs_to_workspace, file_path};
use answers::lsp::profile::ClientProfile;

/// The open documents after all messages up to one.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    pub(super) profile: Arc<ClientProfile>,
    /// The folders of the workspace.
    pub(super) folders: Vec<PathBuf>,
    /// The known definitions.
    pub(super) catalog: Catalog,
    pub(super) editor: Arc<config::Editor>,
    pub(super) projects: Projects,
    /// The Go packages.
    pub(super) packages: Packages,
    /// The kinds that files may hold.
    pub(super) resources: Arc<ClosedFiles>,
    /// The cache of resources in files that are not open.
    pub(super) counts: Arc<Counts>,
    /// The current and later findings in files that are not open.
    pub(super) closed: Option<watch::Receiver<Arc<ClosedFindings>>>,
    /// The permits to prove fixes.
    pub(super) proofs: Proofs,
    /// The open documents, by URI.
    pub(super) documents: BTreeMap<String, View>,
}

impl Snapshot {
    /// The open documents that belong to the workspace.
    pub(super) fn workspace_documents(&self) -> impl Iterator<Item = &View> {
        self.documents.values().filter(|view| belongs_to_workspace(&view.uri))
    }

    /// The open document in the file at `path`.
    pub(super) fn document_at(&self, path: &Path) -> Option<&View> {
        self.documents.values().find(|view| file_path(&view.uri).is_some_and(|own| own == path))
    }

    /// The settings for a file that is not open.
    pub(super) fn settings_of(&self, path: &Path) -> Settings {
        let settings = self.editor.settings(&self.projects.project_of(path).choices_of(path));
        self.projects.settings_of(path, settings)
    }
}

/// Limits the number of concurrent requests that need proofs, so that other requests, which are fast, find a processor. Clones
/// share the permits.
#[derive(Clone, Debug)]
pub(super) struct Proofs(pub(super) Arc<Semaphore>);

impl Default for Proofs {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self(Arc::new(Semaphore::new(2 * processors)))
    }
}

/// The maximum time that code actions wait for versions in git, without which their answer lacks some fixes. Usually the
/// versions are read before the request.
const VERSIONS_WITHIN: Duration = Duration::from_secs(1);

/// One open document at one revision.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) uri: Uri,
    /// The client's number for this text.
    pub(super) version: i32,
    /// The server's number for this text and these settings; increases with every change of any document.
    pub(super) revision: u64,
    pub(super) buffer: TextBuffer,
    /// The end of the last edit.
    pub(super) typed_at: Option<TextSize>,
    /// The last finished analysis, which may be for an earlier or a later revision.
    pub(super) analysis: watch::Receiver<Option<Arc<Analysis>>>,
    /// The revision of the last change of the text that the writer has processed.
    pub(super) edited: Arc<AtomicU64>,
    /// Limits the number of concurrent requests on it, so that one document never occupies the whole pool.
    pub(super) permits: Arc<Semaphore>,
}

impl View {
    /// Whether the text is still the one of this snapshot.
    pub(super) fn is_current(&self) -> bool {
        self.edited.load(Ordering::SeqCst) <= self.revision
    }

    /// The analysis of this revision, awaited if necessary, or a later one of the same text with other definitions or
    /// settings. The error is ContentModified if it was skipped for a newer text, or if the document was closed.
    pub(super) async fn analysis(self) -> Result<Arc<Analysis>, Error> {
        self.analysis_that(|_| true).await
    }

    /// The same after the versions in git for the comparison were read, if that takes no longer than
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
