//! The service that wraps the one of tower-lsp. `call` runs in wire order, but an awaited handler does not. Therefore,
//! everything that must be in order happens here: notifications enter the inbox, and requests get their snapshot from it.

use std::future::{Future, ready};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use dashmap::DashMap;
use serde_json::Value;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tower::Service;
use tower_lsp::jsonrpc::{Error, Id, Request, Result};
use tower_lsp::ls_types::{InitializeParams, InitializeResult};
use tower_lsp::{Client, LanguageServer, LspService};
use tracing::Instrument;

use super::exit::Exit;
use super::inbox::{Inbox, Message};
use super::output::Outgoing;
use super::requests::{self, RequestWork};
use super::workspace_report;
use answers::lsp::addresses::file_path;
use answers::lsp::profile::ClientProfile;

/// The methods that tower-lsp itself handles: the life cycle, and the rejection of unknown methods.
pub(super) struct Lifecycle {
    client: Client,
}

impl Lifecycle {
    pub(super) const fn new(client: Client) -> Self {
        Self { client }
    }

    pub(super) const fn client(&self) -> &Client {
        &self.client
    }
}

impl LanguageServer for Lifecycle {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let profile = ClientProfile::of(&params.capabilities);
        Ok(profile.with(params.initialization_options.as_ref()).initialize_result())
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }
}

/// The running requests, by ID.
type RunningRequests = Arc<DashMap<Id, CancellationToken>>;

/// The future answer to a request.
pub(super) type PendingResponse = Pin<Box<dyn Future<Output = Option<Outgoing>> + Send>>;

/// The service that wraps the one of tower-lsp.
pub(super) struct Adapter {
    inner: LspService<Lifecycle>,
    inbox: Inbox,
    exit: Exit,
    /// Whether the server is between `initialize` and `shutdown`; otherwise tower-lsp answers according to the protocol.
    serving: bool,
    pending: RunningRequests,
}

impl Adapter {
    pub(super) fn new(inner: LspService<Lifecycle>, inbox: Inbox, exit: Exit) -> Self {
        Self { inner, inbox, exit, serving: false, pending: RunningRequests::default() }
    }

    fn leave(&self, message: Message) {
        self.inbox.process(message);
    }

    fn initialize(&mut self, request: Request) -> PendingResponse {
        let params = request.params().cloned().unwrap_or_default();
        // If this fails, tower-lsp rejects the request for the same reason.
        if let Ok(params) = serde_json::from_value::<InitializeParams>(params)
            && !self.serving
        {
            self.serving = true;
            let profile = ClientProfile::of(&params.capabilities);
            let profile = Arc::new(profile.with(params.initialization_options.as_ref()));
            let folders = folders(&params);
            self.leave(Message::Initialize { profile, options: params.initialization_options, folders });
        }
        self.pass_on(request)
    }

    /// Lets tower-lsp answer.
    fn pass_on(&mut self, request: Request) -> PendingResponse {
        let answer = self.inner.call(request);
        // If there is no answer, tower-lsp has exited.
        Box::pin(async move { answer.await.ok().flatten().as_ref().and_then(Outgoing::of) })
    }

    fn cancel(&self, params: Option<Value>) {
        let id = params.and_then(|mut params| params.get_mut("id").map(Value::take));
        if let Some(id) = id.and_then(|id| serde_json::from_value::<Id>(id).ok())
            && let Some(token) = self.pending.get(&id)
        {
            token.cancel();
        }
    }

    /// Starts a request, with the snapshot after all messages before it.
    fn request(&self, work: RequestWork, method: &str, id: Id, params: Value) -> PendingResponse {
        let token = CancellationToken::new();
        if self.pending.insert(id.clone(), token.clone()).is_some() {
            return Box::pin(ready(Outgoing::answer(id, Err(Error::invalid_request()))));
        }
        if let Some(preparation) = workspace_report::preparation(method, &params) {
            self.leave(preparation);
        }
        let (wanted, snapshot) = oneshot::channel();
        self.leave(Message::Snapshot(wanted));
        let pending = Arc::clone(&self.pending);
        let span = tracing::error_span!("request", method, %id);
        let work = (work, method.to_owned());
        let answering = async move {
            let answer = requests::answer(work, params, snapshot, token).await;
            if let Err(error) = &answer {
                tracing::info!("refused: {}", error.message);
            }
            pending.remove(&id);
            Outgoing::answer(id, answer)
        };
        Box::pin(answering.instrument(span))
    }

    /// Processes a request or a notification. Everything that must be in order happens before this returns. The caller awaits
    /// the answer in parallel with reading.
    pub(super) fn call(&mut self, request: Request) -> Option<PendingResponse> {
        match request.method() {
            "initialize" => return Some(self.initialize(request)),
            "shutdown" if request.id().is_some() => {
                if self.serving {
                    self.exit.shut_down();
                }
                self.serving = false;
                return Some(self.pass_on(request));
            }
            "exit" => {
                self.exit.begin();
                return Some(self.pass_on(request));
            }
            _ if !self.serving => return Some(self.pass_on(request)),
            _ => {}
        }
        let work = requests::work(request.method(), request.params().unwrap_or(&Value::Null));
        if request.id().is_some() && work.is_none() {
            return Some(self.pass_on(request));
        }
        let (method, id, params) = request.into_parts();
        match (id, work) {
            (Some(id), Some(work)) => {
                return Some(self.request(work, &method, id, params.unwrap_or_default()));
            }
            _ if method == "$/cancelRequest" => self.cancel(params),
            _ => {
                if let Some(message) = Message::of_notification(&method, params) {
                    self.leave(message);
                }
            }
        }
        None
    }
}

/// The folders of the workspace, or the root for a client that has only one.
#[expect(deprecated, reason = "older clients send a root only")]
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    match &params.workspace_folders {
        Some(folders) if !folders.is_empty() => {
            folders.iter().filter_map(|folder| file_path(&folder.uri)).collect()
        }
        _ => params.root_uri.iter().filter_map(file_path).collect(),
    }
}
