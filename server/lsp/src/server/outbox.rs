//! All notifications and requests to the client. Sending never blocks: a client that reads slowly must not delay the writer.

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

/// The time within which a client must answer a request of the server.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// The time after which work shows progress.
const PROGRESS_AFTER: Duration = Duration::from_millis(500);

/// Sends messages to the client without blocking.
#[derive(Clone, Debug)]
pub(super) struct Outbox {
    client: Client,
    output: Output,
    begun: Arc<Mutex<BegunProgress>>,
}

/// The progress of indexing, for clients with the capability `"experimental": {"crd-ls/index": true}`.
enum IndexChanged {}

impl Notification for IndexChanged {
    type Params = IndexState;
    const METHOD: &'static str = INDEX_METHOD;
}

impl Outbox {
    pub(super) fn new(client: Client, output: Output) -> Self {
        Self { client, output, begun: Arc::default() }
    }

    /// Replaces the diagnostics of a document, including a publication that has not been sent yet.
    pub(super) fn publish(&self, uri: Uri, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
        self.output.publish(PublishDiagnosticsParams { uri, diagnostics, version });
    }

    /// Logs a message in the client.
    pub(super) fn log(&self, typ: MessageType, message: String) {
        self.notify::<LogMessage>(&LogMessageParams { typ, message });
    }

    /// Shows a message to the user.
    pub(super) fn show(&self, typ: MessageType, message: String) {
        self.notify::<ShowMessage>(&ShowMessageParams { typ, message });
    }

    /// Sends the progress of indexing for the editor's status bar.
    pub(super) fn index(&self, state: &IndexState) {
        self.notify::<IndexChanged>(state);
    }

    /// Requests the settings of the server; the answer comes through the inbox.
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

    /// Registers for changes of the server's settings.
    pub(super) fn register_configuration(&self) {
        self.register("workspace/didChangeConfiguration", json!({"section": SECTION}));
    }

    /// Registers for changes of files that may hold definitions or settings.
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

    /// Registers as a formatter of YAML.
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

    /// Leaves a message in the inbox after a delay.
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

    /// Asks the client to request code lenses again.
    pub(super) fn refresh_lenses(&self) {
        let client = self.client.clone();
        tokio::spawn(timeout(ANSWER_WITHIN, async move { client.code_lens_refresh().await }));
    }

    /// Shows progress from [`PROGRESS_AFTER`] on until `done` is cancelled. Shorter work starts no task, because each
    /// keystroke causes such work.
    pub(super) fn progress(&self, title: String, number: u64, done: CancellationToken) {
        let mut begun = self.begun();
        begun.work.push_back(ProgressWork {
            title,
            number,
            done,
            is_slow_at: Instant::now() + PROGRESS_AFTER,
        });
        if !std::mem::replace(&mut begun.is_watched, true) {
            tokio::spawn(self.clone().watch_progress());
        }
    }

    /// Shows work that has become slow, as long as there is any.
    async fn watch_progress(self) {
        while let Some(is_slow_at) = self.next_slow() {
            sleep_until(is_slow_at).await;
        }
    }

    /// Shows slow work. Returns the time of the next check; `None` if there is no work.
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

    fn begun(&self) -> MutexGuard<'_, BegunProgress> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves a notification, which is written once the writer has processed its message.
    fn notify<N: Notification>(&self, params: &N::Params) {
        if let Some(message) = Outgoing::notification::<N>(params) {
            self.output.leave(message, None);
        }
    }
}

/// Work that may become slow, the oldest first.
#[derive(Debug, Default)]
struct BegunProgress {
    work: VecDeque<ProgressWork>,
    /// Whether a task waits for the oldest work.
    is_watched: bool,
}

#[derive(Debug)]
struct ProgressWork {
    title: String,
    number: u64,
    done: CancellationToken,
    is_slow_at: Instant,
}

impl BegunProgress {
    /// Takes the oldest work that is slow at this time and is not shown yet.
    fn slow(&mut self, now: Instant) -> Option<ProgressWork> {
        let is_slow = self.work.front().is_some_and(|work| work.is_slow_at <= now);
        if is_slow { self.work.pop_front() } else { None }
    }
}

impl ProgressWork {
    /// Shows the progress of the work until it is done.
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
