//! A server of the protocol with texts in memory: the same answers as the program's, without files, git and threads. Messages come
//! in batches, so that a text is analysed once however many edits wait.

mod document;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use answers::lsp::convert::{Converter, is_ours};
use answers::lsp::error::{Error, Result};
use answers::lsp::profile::ClientProfile;
use answers::lsp::{Context, Subject, Waiting, Workspace, handler, read};
use answers::settings::parse_version;
use ide::{Catalog, Property, Settings};
use ls_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, InitializeParams,
    Location, PublishDiagnosticsParams, Uri,
};
use serde::Deserialize;
use serde_json::{Value, json};

use document::Document;

/// Where parameters name the document that they are about: of most requests, of commands.
const PLACES_OF_URI: [&str; 2] = ["/textDocument/uri", "/arguments/0/uri"];

/// What the program offers and this host does not: these answers need more texts than are open, or a process.
const NOT_OFFERED: [&str; 5] =
    ["renameProvider", "codeLensProvider", "workspaceSymbolProvider", "diagnosticProvider", "workspace"];

/// The notification `crd-ls/closedText`: a text that the client has read and does not show, or that is gone.
#[derive(Deserialize)]
struct ClosedText {
    uri: Uri,
    text: Option<String>,
}

/// The texts of one client and what is known of them.
#[derive(Debug, Default)]
pub struct Host {
    profile: ClientProfile,
    settings: Settings,
    catalog: Catalog,
    /// By address.
    documents: BTreeMap<String, Document>,
    /// Texts that the client has closed, whose findings are still shown.
    cleared: Vec<Uri>,
    is_shut_down: bool,
}

/// Nobody can cancel: a message is read when the one before is answered.
struct Patient;

impl Waiting for Patient {
    fn is_cancelled(&self) -> bool {
        false
    }

    fn is_current(&self) -> bool {
        true
    }
}

impl Host {
    /// Takes messages in their order and gives what the client is to be told, as JSON.
    #[must_use]
    pub fn take(&mut self, messages: Vec<Value>) -> Vec<String> {
        let cancelled: Vec<Value> = messages
            .iter()
            .filter(|message| message.get("method").is_some_and(|method| method == "$/cancelRequest"))
            .filter_map(|message| message.pointer("/params/id").cloned())
            .collect();
        let mut told = Vec::new();
        for mut message in messages {
            let method = message.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
            let params = message.get_mut("params").map(Value::take).unwrap_or_default();
            let Some(id) = message.get("id") else {
                if let Err(error) = self.notified(&method, params) {
                    told.push(logged(&error.message));
                }
                continue;
            };
            // An answer of the client's has no method, and we ask nothing.
            if method.is_empty() {
                continue;
            }
            let answer = if cancelled.contains(id) {
                Err(Error::request_cancelled())
            } else {
                self.publish(&mut told);
                self.asked(&method, params)
            };
            told.push(match answer {
                Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
                Err(Error { code, message }) => {
                    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
                        .to_string()
                }
            });
        }
        self.publish(&mut told);
        told
    }

    fn notified(&mut self, method: &str, params: Value) -> Result<()> {
        match method {
            "textDocument/didOpen" => {
                let DidOpenTextDocumentParams { text_document } = read(params)?;
                if is_ours(&text_document.language_id, text_document.uri.as_str()) {
                    let uri = text_document.uri.as_str().to_owned();
                    self.documents.insert(uri, Document::open(text_document));
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
            "workspace/didChangeConfiguration" => {
                self.choose(params.get("settings").unwrap_or(&Value::Null))?;
            }
            // What else a client tells changes nothing here.
            _ => {}
        }
        Ok(())
    }

    /// Takes a text that is not open; what is open already goes before it.
    fn closed(&mut self, ClosedText { uri, text }: ClosedText) {
        let key = uri.as_str().to_owned();
        match (self.documents.get_mut(&key), text) {
            // One that closes in the same batch is gone by then.
            (Some(document), _) if document.is_open && !document.is_gone => {}
            (_, Some(text)) => {
                self.documents.insert(key, Document::closed(uri, &text));
            }
            (Some(document), None) => document.is_gone = true,
            (None, None) => {}
        }
    }

    /// Takes over settings: `kubernetesVersion`, by itself or under `crd-ls`. Settings without it choose the default; no settings
    /// at all, which is what a client says that waits to be asked, choose nothing.
    fn choose(&mut self, sent: &Value) -> Result<()> {
        let Some(sent) = sent.get("crd-ls").unwrap_or(sent).as_object() else { return Ok(()) };
        let version = match sent.get("kubernetesVersion").and_then(Value::as_str) {
            Some(version) => parse_version(version).map_err(Error::invalid_params)?,
            None => Settings::default().kubernetes_version,
        };
        if version != self.settings.kubernetes_version {
            self.settings.kubernetes_version = version;
            self.documents.values_mut().for_each(Document::start_over);
        }
        Ok(())
    }

    fn asked(&mut self, method: &str, params: Value) -> Result<String> {
        match method {
            "initialize" => self.initialize(params),
            "shutdown" => {
                self.is_shut_down = true;
                Ok("null".to_owned())
            }
            _ if self.is_shut_down => {
                Err(Error { code: -32_600, message: "the server is shut down".to_owned() })
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
                    waiting: Arc::new(Patient),
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
        // Findings are always pushed: a page has no reason to ask for them.
        self.profile = ClientProfile { pulls_diagnostics: false, ..profile };
        self.choose(options.unwrap_or(&Value::Null))?;
        let mut result = serde_json::to_value(self.profile.initialize_result())
            .map_err(|error| Error { code: -32_603, message: error.to_string() })?;
        if let Some(capabilities) = result.get_mut("capabilities").and_then(Value::as_object_mut) {
            capabilities.retain(|name, _| !NOT_OFFERED.contains(&name.as_str()));
        }
        Ok(result.to_string())
    }

    fn document(&self, params: &Value) -> Result<Option<&Document>> {
        let uri = PLACES_OF_URI.iter().find_map(|place| params.pointer(place)).and_then(Value::as_str);
        let uri = uri.ok_or_else(|| Error::invalid_params("the URI of a document is missing"))?;
        Ok(self.documents.get(uri))
    }

    /// Analyses what has changed and what rests on it, and tells the findings.
    fn publish(&mut self, told: &mut Vec<String>) {
        told.extend(self.cleared.drain(..).map(|uri| published(&uri, None, Vec::new())));
        let mut changed: BTreeSet<String> = BTreeSet::new();
        self.documents.retain(|uri, document| {
            if document.is_gone {
                let source = document.source().to_owned();
                self.catalog = self.catalog.with([(source.into(), None)]);
                changed.insert(uri.clone());
            }
            !document.is_gone
        });
        for (uri, document) in &mut self.documents {
            if let Some((source, definitions)) = document.analyse(&self.catalog, &self.settings) {
                self.catalog = self.catalog.with([(source.into(), definitions)]);
                changed.insert(uri.clone());
            }
        }
        if changed.is_empty() {
            return;
        }
        for (uri, document) in self.documents.iter_mut().filter(|(_, document)| document.is_open) {
            if document.follow(&self.catalog) || changed.contains(uri) {
                let converter = Converter::new(&document.buffer, &document.uri, &self.profile);
                let findings = document.findings(&self.profile);
                let diagnostics = findings.iter().map(|finding| converter.diagnostic(finding)).collect();
                told.push(published(&document.uri, Some(document.version), diagnostics));
            }
        }
    }
}

impl Workspace for Host {
    fn texts_with<'w>(
        &'w self,
        kind: &'w str,
        _: &'w str,
    ) -> Box<dyn Iterator<Item = Result<(Uri, String)>> + 'w> {
        let texts =
            self.documents.values().map(|document| (document.uri.clone(), document.buffer.to_string()));
        Box::new(texts.filter(move |(_, text)| text.contains(kind)).map(Ok))
    }

    fn uses(&self, property: &Property) -> Result<Vec<Location>> {
        let of_document = |document: &Document| {
            let converter = Converter::new(&document.buffer, &document.uri, &self.profile);
            let found = document.file.iter().flat_map(|file| file.uses(property));
            found.map(|range| converter.location(range)).collect::<Vec<_>>()
        };
        Ok(self.documents.values().flat_map(of_document).collect())
    }

    fn committed(&self) -> Option<String> {
        None
    }
}

fn published(uri: &Uri, version: Option<i32>, diagnostics: Vec<ls_types::Diagnostic>) -> String {
    let params = PublishDiagnosticsParams { uri: uri.clone(), diagnostics, version };
    json!({ "jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params }).to_string()
}

fn logged(problem: &str) -> String {
    let params = json!({ "type": 2, "message": problem });
    json!({ "jsonrpc": "2.0", "method": "window/logMessage", "params": params }).to_string()
}
