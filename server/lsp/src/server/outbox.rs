//! Everything said to the client. Nobody waits for it: a client that reads slowly must not hold up the writer.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tower_lsp::Client;
use tower_lsp::ls_types::{
    ConfigurationItem, Diagnostic, MessageType, ProgressToken, PublishDiagnosticsParams, Registration, Uri,
};

use super::inbox::{Inbox, Message};
use super::profile::INDEX_METHOD;
use super::workspace::IndexState;
use crate::config::{FILE_NAME, SECTION};

/// How long a client may take to answer a request of ours.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// Shorter work shows no progress.
const PROGRESS_AFTER: Duration = Duration::from_millis(500);

/// A way to talk to the client without waiting.
#[derive(Clone, Debug)]
pub(super) struct Outbox {
    client: Client,
    notifications: mpsc::UnboundedSender<Notification>,
}

#[derive(Debug)]
enum Notification {
    Diagnostics(PublishDiagnosticsParams),
    Log(MessageType, String),
    Show(MessageType, String),
    Index(IndexState),
}

/// How far the look at the workspace has come, for clients that say `"experimental": {"crd-ls/index": true}`.
enum IndexChanged {}

impl tower_lsp::ls_types::notification::Notification for IndexChanged {
    type Params = IndexState;
    const METHOD: &'static str = INDEX_METHOD;
}

impl Outbox {
    /// Starts the task that sends notifications.
    pub(super) fn start(client: Client) -> Self {
        let (notifications, queue) = mpsc::unbounded_channel();
        tokio::spawn(send(client.clone(), queue));
        Self { client, notifications }
    }

    /// Replaces what the client shows for a document; a publication that has not left yet is replaced too.
    pub(super) fn publish(&self, uri: Uri, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
        self.notify(Notification::Diagnostics(PublishDiagnosticsParams { uri, diagnostics, version }));
    }

    /// For the client's log.
    pub(super) fn log(&self, kind: MessageType, text: String) {
        self.notify(Notification::Log(kind, text));
    }

    /// For the user's eyes.
    pub(super) fn show(&self, kind: MessageType, text: String) {
        self.notify(Notification::Show(kind, text));
    }

    /// For the editor's status.
    pub(super) fn index(&self, state: IndexState) {
        self.notify(Notification::Index(state));
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
                // The writer ends only with the process.
                let _ = inbox.send(Message::Configuration(value));
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
            // The writer ends only with the process.
            let _ = inbox.send(message);
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

    /// Shows progress from [`PROGRESS_AFTER`] on until `done` is cancelled.
    pub(super) fn progress(&self, title: String, number: u64, done: CancellationToken) {
        let client = self.client.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = done.cancelled() => return,
                () = sleep(PROGRESS_AFTER) => {}
            }
            let token = ProgressToken::String(format!("crd-ls/{number}"));
            let created = timeout(ANSWER_WITHIN, client.create_work_done_progress(token.clone())).await;
            if matches!(created, Ok(Ok(()))) && !done.is_cancelled() {
                let progress = client.progress(token, title).begin().await;
                done.cancelled().await;
                progress.finish().await;
            }
        });
    }

    fn notify(&self, notification: Notification) {
        // The task ends only with the process.
        let _ = self.notifications.send(notification);
    }
}

async fn send(client: Client, mut queue: mpsc::UnboundedReceiver<Notification>) {
    while let Some(first) = queue.recv().await {
        let mut publications = BTreeMap::new();
        let mut next = Some(first);
        while let Some(notification) = next {
            match notification {
                Notification::Diagnostics(publication) => {
                    publications.insert(publication.uri.as_str().to_owned(), publication);
                }
                Notification::Log(kind, text) => client.log_message(kind, text).await,
                Notification::Show(kind, text) => client.show_message(kind, text).await,
                Notification::Index(state) => client.send_notification::<IndexChanged>(state).await,
            }
            next = queue.try_recv().ok();
        }
        for PublishDiagnosticsParams { uri, diagnostics, version } in publications.into_values() {
            client.publish_diagnostics(uri, diagnostics, version).await;
        }
    }
}
