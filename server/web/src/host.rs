//! A language server with texts in memory: the same answers as the program's, without files, git and threads.
//! Messages arrive in batches, so a text is analysed once for any number of edits in a batch.

mod document;
mod file_settings;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use answers::lsp::convert::{Converter, is_ours};
use answers::lsp::error::{Error, Result};
use answers::lsp::profile::ClientProfile;
use answers::lsp::{
    Context, CountedResources, PendingRequest, Subject, Workspace, WorkspaceText, handler, read, symbols,
};
use answers::settings::Choices;
use ide::{Catalog, Property, Query};
use ls_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, InitializeParams,
    Location, PublishDiagnosticsParams, Uri, WorkspaceSymbolParams,
};
use serde::Deserialize;
use serde_json::{Value, json};

use document::Document;
use file_settings::HostSettings;

/// The paths of the document's URI in parameters: of most requests, of resolve requests, of commands.
const PLACES_OF_URI: [&str; 3] = ["/textDocument/uri", "/data/uri", "/arguments/0/uri"];

/// Capabilities of the program that this host does not have: findings are pushed, and there are no folders.
const NOT_OFFERED: [&str; 2] = ["diagnosticProvider", "workspace"];

/// The notification `crd-ls/closedText`: the client has read a text that it does not show, or the text is gone.
#[derive(Deserialize)]
struct ClosedText {
    uri: Uri,
    text: Option<String>,
}

/// The notification `crd-ls/closedTexts`: whether the client has sent all relevant texts of its workspace.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClosedTexts {
    is_whole: bool,
}

/// The texts of one client and the results of their analysis.
#[derive(Debug, Default)]
pub struct Host {
    profile: ClientProfile,
    settings: HostSettings,
    /// Whether the settings of texts may have changed.
    has_other_choices: bool,
    catalog: Catalog,
    /// By URI.
    documents: BTreeMap<String, Document>,
    /// Texts that the client has closed, whose findings are still shown.
    cleared: Vec<Uri>,
    /// Problems of the settings, which the client shows.
    problems: Vec<String>,
    /// Whether texts of the workspace are missing: requests that need all texts are refused.
    has_missing_texts: bool,
    /// Whether counts of resources may have changed since the client last requested lenses.
    has_other_counts: bool,
    is_shut_down: bool,
}

/// Requests cannot be cancelled: a message is read only after the previous one is answered.
struct Uncancellable;

impl PendingRequest for Uncancellable {
    fn is_cancelled(&self) -> bool {
        false
    }

    fn is_current(&self) -> bool {
        true
    }
}

impl Host {
    /// Handles messages in their order and returns the messages for the client, as JSON.
    #[must_use]
    pub fn take(&mut self, messages: Vec<Value>) -> Vec<String> {
        let cancelled: Vec<Value> = messages
            .iter()
            .filter(|message| message.get("method").is_some_and(|method| method == "$/cancelRequest"))
            .filter_map(|message| message.pointer("/params/id").cloned())
            .collect();
        let mut replies = Vec::new();
        for mut message in messages {
            let method = message.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
            let params = message.get_mut("params").map(Value::take).unwrap_or_default();
            let Some(id) = message.get("id") else {
                if let Err(error) = self.notified(&method, params) {
                    replies.push(logged(&error.message));
                }
                continue;
            };
            // A message without a method is an answer of the client. The host sends no request whose answer
            // matters.
            if method.is_empty() {
                continue;
            }
            let answer = if cancelled.contains(id) {
                Err(Error::request_cancelled())
            } else {
                self.publish(&mut replies);
                self.requested(&method, params)
            };
            replies.push(match answer {
                Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
                Err(Error { code, message }) => {
                    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
                        .to_string()
                }
            });
        }
        self.publish(&mut replies);
        replies
    }

    fn notified(&mut self, method: &str, params: Value) -> Result<()> {
        match method {
            "textDocument/didOpen" => {
                let DidOpenTextDocumentParams { text_document } = read(params)?;
                if is_ours(&text_document.language_id, text_document.uri.as_str()) {
                    self.insert(Document::open(text_document));
                }
            }
            "textDocument/didChange" => {
                let DidChangeTextDocumentParams { text_document, content_changes } = read(params)?;
                let encoding = self.profile.encoding;
                if let Some(document) = self.documents.get_mut(text_document.uri.as_str()) {
                    document
                        .change(text_document.version, content_changes, encoding)
                        .map_err(Error::invalid_params)?;
                }
            }
            "textDocument/didClose" => {
                let DidCloseTextDocumentParams { text_document } = read(params)?;
                if let Some(document) = self.documents.get_mut(text_document.uri.as_str()) {
                    document.is_gone = true;
                    self.cleared.push(document.uri.clone());
                }
            }
            "crd-ls/closedText" => self.closed(read(params)?),
            "crd-ls/closedTexts" => {
                let ClosedTexts { is_whole } = read(params)?;
                self.has_missing_texts = !is_whole;
                self.has_other_counts = true;
            }
            "workspace/didChangeConfiguration" => {
                self.choose(params.get("settings").unwrap_or(&Value::Null));
            }
            // Other notifications are ignored.
            _ => {}
        }
        Ok(())
    }

    /// Adds a text that is not open; an open text with the same URI takes precedence.
    fn closed(&mut self, ClosedText { uri, text }: ClosedText) {
        self.has_other_choices |= self.settings.take(&uri, text.as_deref()).unwrap_or_else(|problem| {
            self.problems.push(problem);
            true
        });
        if file_settings::has_settings(&uri) {
            return;
        }
        let key = uri.as_str().to_owned();
        // Nothing is counted while texts are missing.
        self.has_other_counts = !self.has_missing_texts;
        match (self.documents.get_mut(&key), text) {
            // A document that closes in the same batch is already gone.
            (Some(document), _) if document.is_open && !document.is_gone => {}
            (_, Some(text)) => self.insert(Document::closed(uri, &text)),
            (Some(document), None) => document.is_gone = true,
            (None, None) => {}
        }
    }

    /// Applies the settings of the editor, which replace earlier ones. A value other than an object, from a
    /// client that expects to be asked for its settings, is ignored.
    fn choose(&mut self, sent: &Value) {
        if sent.is_object() {
            let (current, problems) = Choices::from_editor(sent);
            self.settings.editor.current = current;
            self.problems.extend(problems);
            self.has_other_choices = true;
        }
    }

    fn insert(&mut self, mut document: Document) {
        document.apply_settings(&self.settings);
        self.documents.insert(document.uri.as_str().to_owned(), document);
    }

    fn requested(&mut self, method: &str, params: Value) -> Result<String> {
        match method {
            "initialize" => self.initialize(params),
            "shutdown" => {
                self.is_shut_down = true;
                Ok("null".to_owned())
            }
            _ if self.is_shut_down => {
                Err(Error { code: -32_600, message: "the server is shut down".to_owned() })
            }
            "workspace/symbol" => {
                let WorkspaceSymbolParams { query, .. } = read(params)?;
                Ok(json!(self.symbols(&Query::new(&query))).to_string())
            }
            "crd-ls/documentText" => {
                let document = self.document(&params)?;
                Ok(json!(document.map(|document| document.buffer.to_string())).to_string())
            }
            _ => {
                let unknown = || Error { code: -32_601, message: format!("Method not found: {method}") };
                let handler = handler(method).ok_or_else(unknown)?;
                let Some(document) = self.document(&params)? else { return Ok("null".to_owned()) };
                let file = document.file.as_ref();
                let context = Context {
                    uri: &document.uri,
                    version: document.version,
                    typed_at: document.typed_at,
                    buffer: &document.buffer,
                    file,
                    subject: file.map(|file| file as &dyn Subject),
                    profile: &self.profile,
                    catalog: &self.catalog,
                    request: Arc::new(Uncancellable),
                    workspace: self,
                };
                handler(&context, params).map(|body| body.as_str().to_owned())
            }
        }
    }

    fn initialize(&mut self, params: Value) -> Result<String> {
        let params: InitializeParams = read(params)?;
        let options = params.initialization_options.as_ref();
        let profile = ClientProfile::of(&params.capabilities).with(options);
        // Findings are always pushed: a web page has no reason to request them.
        self.profile = ClientProfile { pulls_diagnostics: false, ..profile };
        let (initial, problems) = Choices::from_editor(options.unwrap_or(&Value::Null));
        self.settings.editor.initial = initial;
        self.problems.extend(problems);
        self.has_other_choices = true;
        let mut result = serde_json::to_value(self.profile.initialize_result())
            .map_err(|error| Error { code: -32_603, message: error.to_string() })?;
        if let Some(capabilities) = result.get_mut("capabilities").and_then(Value::as_object_mut) {
            capabilities.retain(|name, _| !NOT_OFFERED.contains(&name.as_str()));
        }
        Ok(result.to_string())
    }

    fn symbols(&self, query: &Query) -> Vec<ls_types::SymbolInformation> {
        let of_document = |document: &Document| {
            let converter = Converter::new(&document.buffer, &document.uri, &self.profile);
            symbols::in_text(&converter, &self.catalog, query)
        };
        symbols::best(self.files().flat_map(of_document).collect())
    }

    /// The texts, except those that the project excludes and that are not open.
    fn files(&self) -> impl Iterator<Item = &Document> {
        self.documents.values().filter(|document| document.is_open || !document.is_excluded)
    }

    fn document(&self, params: &Value) -> Result<Option<&Document>> {
        let uri = PLACES_OF_URI.iter().find_map(|place| params.pointer(place)).and_then(Value::as_str);
        let uri = uri.ok_or_else(|| Error::invalid_params("the URI of a document is missing"))?;
        Ok(self.documents.get(uri))
    }

    /// Analyses changed texts and the texts that depend on them, and reports their findings.
    fn publish(&mut self, replies: &mut Vec<String>) {
        replies.extend(self.problems.drain(..).map(|problem| problem_text(&problem)));
        if std::mem::take(&mut self.has_other_choices) {
            self.documents.values_mut().for_each(|document| document.apply_settings(&self.settings));
        }
        replies.extend(self.cleared.drain(..).map(|uri| published(&uri, None, Vec::new())));
        let mut changed: BTreeSet<String> = BTreeSet::new();
        let mut is_edited = false;
        self.documents.retain(|uri, document| {
            if document.is_gone {
                let source = document.source().to_owned();
                self.catalog = self.catalog.with([(source.into(), None)]);
                changed.insert(uri.clone());
            }
            !document.is_gone
        });
        for (uri, document) in &mut self.documents {
            if let Some((source, definitions)) = document.analyse(&self.catalog) {
                self.catalog = self.catalog.with([(source.into(), definitions)]);
                changed.insert(uri.clone());
                is_edited = is_edited || document.is_open;
            }
        }
        if std::mem::take(&mut self.has_other_counts) && self.profile.refreshes_lenses {
            replies.push(refresh_of_lenses());
        }
        if changed.is_empty() {
            return;
        }
        for (uri, document) in &mut self.documents {
            let follows = document.follow(&self.catalog);
            // Texts that are not open have findings after an edit of a definition that validates them.
            let is_shown =
                if document.is_open { follows || changed.contains(uri) } else { follows && is_edited };
            if is_shown {
                let converter = Converter::new(&document.buffer, &document.uri, &self.profile);
                let findings = document.findings(&self.profile);
                let diagnostics = findings.iter().map(|finding| converter.diagnostic(finding)).collect();
                let version = document.is_open.then_some(document.version);
                replies.push(published(&document.uri, version, diagnostics));
            }
        }
    }
}

impl Workspace for Host {
    fn all_texts<'w>(
        &'w self,
        words: Vec<&'w str>,
    ) -> Result<Box<dyn Iterator<Item = Result<WorkspaceText>> + 'w>> {
        if self.has_missing_texts {
            let problem =
                "not all files of the workspace are read, so a change in all of them is not possible";
            return Err(Error::request_failed(problem));
        }
        let texts = self.files().filter_map(move |document| {
            let (uri, buffer) = (document.uri.clone(), document.buffer.clone());
            if !document.is_open {
                let text = buffer.to_string();
                words.iter().all(|word| text.contains(word)).then_some(())?;
            }
            let version = document.is_open.then_some(document.version);
            Some(Ok(WorkspaceText { uri, buffer, version, is_current: true }))
        });
        Ok(Box::new(texts))
    }

    fn resources(&self, group: &str, kind: &str) -> Result<Option<CountedResources>> {
        if self.has_missing_texts {
            return Ok(None);
        }
        let mut all = CountedResources::default();
        for document in self.files() {
            let converter = Converter::new(&document.buffer, &document.uri, &self.profile);
            let found = document.file.iter().flat_map(|file| file.resources());
            for one in found.filter(|one| (one.group.as_str(), one.kind.as_str()) == (group, kind)) {
                all.places.push(converter.location(one.range));
                all.with_findings += usize::from(one.has_findings);
            }
        }
        Ok(Some(all))
    }

    fn texts_with<'w>(
        &'w self,
        kind: &'w str,
        _: &'w str,
    ) -> Box<dyn Iterator<Item = Result<(Uri, String)>> + 'w> {
        let texts = self.files().map(|document| (document.uri.clone(), document.buffer.to_string()));
        Box::new(texts.filter(move |(_, text)| text.contains(kind)).map(Ok))
    }

    fn uses(&self, property: &Property) -> Result<Vec<Location>> {
        let of_document = |document: &Document| {
            let converter = Converter::new(&document.buffer, &document.uri, &self.profile);
            let found = document.file.iter().flat_map(|file| file.uses(property));
            found.map(|range| converter.location(range)).collect::<Vec<_>>()
        };
        Ok(self.files().flat_map(of_document).collect())
    }

    fn committed(&self) -> Option<String> {
        None
    }
}

fn published(uri: &Uri, version: Option<i32>, diagnostics: Vec<ls_types::Diagnostic>) -> String {
    let params = PublishDiagnosticsParams { uri: uri.clone(), diagnostics, version };
    json!({ "jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params }).to_string()
}

/// The request to the client to fetch lenses again; the answer is ignored.
fn refresh_of_lenses() -> String {
    json!({ "jsonrpc": "2.0", "id": "lenses", "method": "workspace/codeLens/refresh" }).to_string()
}

fn problem_text(problem: &str) -> String {
    let params = json!({ "type": 2, "message": problem });
    json!({ "jsonrpc": "2.0", "method": "window/showMessage", "params": params }).to_string()
}

fn logged(problem: &str) -> String {
    let params = json!({ "type": 2, "message": problem });
    json!({ "jsonrpc": "2.0", "method": "window/logMessage", "params": params }).to_string()
}
