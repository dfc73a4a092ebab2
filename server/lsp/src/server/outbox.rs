//! Everything said to the client. Nobody waits for it: a client that reads slowly must not hold up the writer.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use tower_lsp::Client;
use tower_lsp::ls_types::notification::{LogMessage, Notification, ShowMessage};
use tower_lsp::ls_types::{
    ConfigurationItem, Diagnostic, LogMessageParams, MessageType, ProgressToken, PublishDiagnosticsParams,
    Registration, ShowMessageParams, Uri,
};

use super::inbox::{Inbox, Message};
use super::output::{Outgoing, Output};
use super::workspace::IndexState;
use crate::config::{FILE_NAME, SECTION};
use answers::lsp::profile::INDEX_METHOD;

/// How long a client may take to answer a request of ours.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// Shorter work shows no progress.
const PROGRESS_AFTER: Duration = Duration::from_millis(500);

/// A way to talk to the client without waiting.
#[derive(Clone, Debug)]
pub(super) struct Outbox {
    client: Client,
    output: Output,
    begun: Arc<Mutex<Begun>>,
}

/// How far the look at the workspace has come, for clients that say `"experimental": {"crd-ls/index": true}`.
enum IndexChanged {}

impl Notification for IndexChanged {
    type Params = IndexState;
    const METHOD: &'static str = INDEX_METHOD;
}

impl Outbox {
    pub(super) fn new(client: Client, output: Output) -> Self {
        Self { client, output, begun: Arc::default() }
    }

    /// Replaces what the client shows for a document; a publication that has not left yet is replaced too.
    pub(super) fn publish(&self, uri: Uri, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
        self.output.publish(PublishDiagnosticsParams { uri, diagnostics, version });
    }

    /// For the client's log.
    pub(super) fn log(&self, typ: MessageType, message: String) {
        self.notify::<LogMessage>(&LogMessageParams { typ, message });
    }

    /// For the user's eyes.
    pub(super) fn show(&self, typ: MessageType, message: String) {
        self.notify::<ShowMessage>(&ShowMessageParams { typ, message });
    }

    /// For the editor's status.
    pub(super) fn index(&self, state: &IndexState) {
        self.notify::<IndexChanged>(state);
    }

    /// Asks for our settings; the answer comes through the inbox.
    pub(super) fn ask_configuration(&self, inbox: Inbox) {
        let client = self.client.clone();
        tokio::spawn(async move {
            let section = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
            let answer = timeout(ANSWER_WITHIN, client.configuration(vec![section])).await;
            if let Ok(Ok(values)) = answer
                && let Some(value) = values.into_iter().next().filter(|value| !value.is_null())
            {
                inbox.send(Message::Configuration(value));
            }
        });
    }

    /// Asks to be told when our settings change.
    pub(super) fn register_configuration(&self) {
        self.register("workspace/didChangeConfiguration", json!({"section": SECTION}));
    }

    /// Asks to be told when files change that may hold definitions or settings.
    pub(super) fn register_watching(&self) {
        let patterns = [
            format!("**/{FILE_NAME}"),
            "**/*.{yaml,yml,json}".to_owned(),
            "**/.gitignore".to_owned(),
            "**/Kustomization".to_owned(),
            "**/{*.go,go.mod,go.work,Makefile}".to_owned(),
        ];
        let watchers: Vec<Value> = patterns.iter().map(|pattern| json!({"globPattern": pattern})).collect();
        self.register("workspace/didChangeWatchedFiles", json!({"watchers": watchers}));
    }

    /// Offers to format YAML.
    pub(super) fn register_formatting(&self) {
        for method in ["textDocument/formatting", "textDocument/rangeFormatting"] {
            self.register(method, json!({"documentSelector": [{"language": "yaml"}]}));
        }
    }

    fn register(&self, method: &str, options: Value) {
        let client = self.client.clone();
        let registration = Registration {
            id: method.to_owned(),
            method: method.to_owned(),
            register_options: Some(options),
        };
        tokio::spawn(timeout(
            ANSWER_WITHIN,
            async move { client.register_capability(vec![registration]).await },
        ));
    }

    /// Leaves a message in the inbox after a while.
    pub(super) fn remind(&self, inbox: Inbox, message: Message, after: Duration) {
        tokio::spawn(async move {
            sleep(after).await;
            inbox.send(message);
        });
    }

    /// Asks a client that pulls diagnostics to pull again.
    pub(super) fn refresh_diagnostics(&self) {
        let client = self.client.clone();
        tokio::spawn(timeout(ANSWER_WITHIN, async move { client.workspace_diagnostic_refresh().await }));
    }

    /// Asks the client to ask again what is said above definitions.
    pub(super) fn refresh_lenses(&self) {
        let client = self.client.clone();
        tokio::spawn(timeout(ANSWER_WITHIN, async move { client.code_lens_refresh().await }));
    }

    /// Shows progress from [`PROGRESS_AFTER`] on until `done` is cancelled. What takes less starts no task: there is such work
    /// with each keystroke.
    pub(super) fn progress(&self, title: String, number: u64, done: CancellationToken) {
        let mut begun = self.begun();
        begun.work.push_back(Work { title, number, done, is_slow_at: Instant::now() + PROGRESS_AFTER });
        if !std::mem::replace(&mut begun.is_watched, true) {
            tokio::spawn(self.clone().watch_progress());
        }
    }

    /// Shows work that has become slow, for as long as there is any.
    async fn watch_progress(self) {
        while let Some(is_slow_at) = self.next_slow() {
            sleep_until(is_slow_at).await;
        }
    }

    /// When to look again; none when there is no work.
    fn next_slow(&self) -> Option<Instant> {
        let mut begun = self.begun();
        begun.work.retain(|work| !work.done.is_cancelled());
        let now = Instant::now();
        while let Some(work) = begun.slow(now) {
            tokio::spawn(work.show(self.client.clone()));
        }
        let next = begun.work.front().map(|work| work.is_slow_at);
        begun.is_watched = next.is_some();
        next
    }

    fn begun(&self) -> MutexGuard<'_, Begun> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves a notification for whoever writes once the writer has acted.
    fn notify<N: Notification>(&self, params: &N::Params) {
        if let Some(message) = Outgoing::notification::<N>(params) {
            self.output.leave(message, None);
        }
    }
}

/// Work that may become slow, the oldest first.
#[derive(Debug, Default)]
struct Begun {
    work: VecDeque<Work>,
    /// Whether a task waits for the first of it.
    is_watched: bool,
}

#[derive(Debug)]
struct Work {
    title: String,
    number: u64,
    done: CancellationToken,
    is_slow_at: Instant,
}

impl Begun {
    /// The oldest work that is slow at this time and was not shown.
    fn slow(&mut self, now: Instant) -> Option<Work> {
        let is_slow = self.work.front().is_some_and(|work| work.is_slow_at <= now);
        if is_slow { self.work.pop_front() } else { None }
    }
}

impl Work {
    /// Shows it until it is done.
    async fn show(self, client: Client) {
        let token = ProgressToken::String(format!("crd-ls/{}", self.number));
        let created = timeout(ANSWER_WITHIN, client.create_work_done_progress(token.clone())).await;
        if matches!(created, Ok(Ok(()))) && !self.done.is_cancelled() {
            let progress = client.progress(token, self.title).begin().await;
            self.done.cancelled().await;
            progress.finish().await;
        }
    }
}
