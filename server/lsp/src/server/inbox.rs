//! Everything that can change the server's state, in one queue.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tower_lsp::ls_types::{
    DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, FileEvent,
    WorkspaceFolder,
};

use super::analysis::Analysed;
use super::checking::Checked;
use super::cluster::Answer;
use super::indexing::Indexed;
use super::profile::ClientProfile;
use super::snapshot::Snapshot;
use super::watcher::Watcher;

/// Where messages are left for the writer. Unbounded: the writer does no long work, and a bound would stop the
/// transport from reading.
pub(super) type Inbox = mpsc::UnboundedSender<Message>;

/// What the writer acts on.
#[derive(Debug)]
pub(super) enum Message {
    /// The client has introduced itself.
    Initialize {
        profile: Arc<ClientProfile>,
        options: Option<Value>,
        folders: Vec<PathBuf>,
    },
    /// The client is ready to be asked.
    Initialized,
    Open(DidOpenTextDocumentParams),
    Change(DidChangeTextDocumentParams),
    Close(DidCloseTextDocumentParams),
    /// The client says that settings changed, with or without their values.
    ConfigurationChanged(DidChangeConfigurationParams),
    /// The client's answer to `workspace/configuration`.
    Configuration(Value),
    /// Files have changed: the client says so, or the watcher.
    FilesChanged(Vec<PathBuf>),
    /// The client has opened and closed folders.
    FoldersChanged {
        added: Vec<PathBuf>,
        removed: Vec<PathBuf>,
    },
    /// Definitions were found in files.
    Indexed(Box<Indexed>),
    /// A cluster was asked for its definitions.
    OfCluster(Box<Answer>),
    /// The folders are watched, or why not.
    Watching(Result<Watcher, String>),
    /// It is time to tell documents of new definitions.
    CatchUp,
    /// Somebody wants the findings of all files of the workspace.
    CheckAll {
        /// Whether by pulling them.
        is_pulled: bool,
    },
    /// It is time to check files that are not open.
    CheckClosed,
    /// Files that are not open were checked.
    ClosedChecked(Box<Checked>),
    /// It is time for clients to ask again what is said above definitions.
    RefreshLenses,
    /// Something has changed in a git repository.
    RepositoryChanged,
    /// It is time to look what.
    RefreshRepositories,
    /// Files are compared with other versions from now on.
    Compared(Vec<PathBuf>),
    /// A request wants the state as it is after all messages before this one.
    Snapshot(oneshot::Sender<Arc<Snapshot>>),
    /// An analysis has ended.
    Analysed(Box<Analysed>),
    /// A notification whose parameters cannot be read.
    Unreadable(String),
}

impl Message {
    /// The message of a notification, if it is one that changes the state.
    pub(super) fn of_notification(method: &str, params: Option<Value>) -> Option<Self> {
        let read = match method {
            "initialized" => Ok(Self::Initialized),
            "textDocument/didOpen" => read(params).map(Self::Open),
            "textDocument/didChange" => read(params).map(Self::Change),
            "textDocument/didClose" => read(params).map(Self::Close),
            "workspace/didChangeConfiguration" => read(params).map(Self::ConfigurationChanged),
            "workspace/didChangeWatchedFiles" => read(params).map(|params: DidChangeWatchedFilesParams| {
                let path = |event: FileEvent| event.uri.to_file_path().map(Cow::into_owned);
                Self::FilesChanged(params.changes.into_iter().filter_map(path).collect())
            }),
            "workspace/didChangeWorkspaceFolders" => {
                read(params).map(|params: DidChangeWorkspaceFoldersParams| {
                    let paths = |folders: &[WorkspaceFolder]| folders.iter().filter_map(path_of).collect();
                    Self::FoldersChanged {
                        added: paths(&params.event.added),
                        removed: paths(&params.event.removed),
                    }
                })
            }
            _ => return None,
        };
        Some(read.unwrap_or_else(|error| Self::Unreadable(format!("{method}: {error}"))))
    }
}

/// The path of a folder, if it is one of the file system.
pub(super) fn path_of(folder: &WorkspaceFolder) -> Option<PathBuf> {
    folder.uri.to_file_path().map(Cow::into_owned)
}

fn read<P: DeserializeOwned>(params: Option<Value>) -> Result<P, serde_json::Error> {
    serde_json::from_value(params.unwrap_or_default())
}
