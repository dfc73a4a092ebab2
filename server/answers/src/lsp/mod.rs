//! Answers of the protocol about one text, from its analysis. The caller that serves a client passes a
//! [`Context`]; this module knows neither threads nor files.

pub mod addresses;
pub mod code_actions;
pub mod convert;
pub mod error;
mod expressions;
mod features;
pub mod lenses;
mod navigation;
pub mod previews;
pub mod profile;
mod rename;
mod subject;
pub mod symbols;
mod typing;

use std::sync::Arc;

use ide::{Catalog, File, Property};
use ls_types::{Location, Uri};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use text::{TextBuffer, TextSize};

use convert::Converter;
use error::{Error, Result};
use profile::ClientProfile;
pub use subject::Subject;

/// The client that waits for an answer.
pub trait PendingRequest: Send + Sync {
    /// Whether the client cancelled the request.
    fn is_cancelled(&self) -> bool;
    /// Whether the text has not changed since the request.
    fn is_current(&self) -> bool;
}

/// A text of the workspace.
#[derive(Clone, Debug)]
pub struct WorkspaceText {
    /// Its address.
    pub uri: Uri,
    /// The text.
    pub buffer: TextBuffer,
    /// The version that the client gave it, if it is open.
    pub version: Option<i32>,
    /// Whether the client has the same text, as far as is known.
    pub is_current: bool,
}

/// The resources of a kind.
#[derive(Clone, Debug, Default)]
pub struct CountedResources {
    /// Their places.
    pub places: Vec<Location>,
    /// How many of them have findings.
    pub with_findings: usize,
}

/// The other texts of the workspace.
pub trait Workspace {
    /// The open texts, and the other texts that contain all of `words`, until the request is cancelled.
    ///
    /// # Errors
    ///
    /// If there are too many, or not all are known; the message is for people.
    fn all_texts<'w>(
        &'w self,
        words: Vec<&'w str>,
    ) -> Result<Box<dyn Iterator<Item = Result<WorkspaceText>> + 'w>>;

    /// The resources of `kind` in `group`; `None` while they are not known, or if too many files may contain
    /// some.
    ///
    /// # Errors
    ///
    /// If the request is cancelled.
    fn resources(&self, group: &str, kind: &str) -> Result<Option<CountedResources>>;

    /// The texts that may contain resources of `kind` in `group`, the open ones first, until the request is
    /// cancelled.
    fn texts_with<'w>(
        &'w self,
        kind: &'w str,
        group: &'w str,
    ) -> Box<dyn Iterator<Item = Result<(Uri, String)>> + 'w>;

    /// The places where resources set `property`.
    ///
    /// # Errors
    ///
    /// If the request is cancelled.
    fn uses(&self, property: &Property) -> Result<Vec<Location>>;

    /// The text in the last commit, if any.
    fn committed(&self) -> Option<String>;
}

/// The input of a request.
#[derive(Clone)]
pub struct Context<'a> {
    /// The address of the text.
    pub uri: &'a Uri,
    /// The version that the client gave it.
    pub version: i32,
    /// The end of the last edit.
    pub typed_at: Option<TextSize>,
    /// The text.
    pub buffer: &'a TextBuffer,
    /// Its analysis, if it is YAML or JSON.
    pub file: Option<&'a File>,
    /// The object that answers requests about positions in it.
    pub subject: Option<&'a dyn Subject>,
    /// The capabilities of the client.
    pub profile: &'a ClientProfile,
    /// The known definitions.
    pub catalog: &'a Catalog,
    /// The client that waits for the answer.
    pub waiting: Arc<dyn PendingRequest>,
    /// The other texts.
    pub workspace: &'a dyn Workspace,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Context").field("uri", &self.uri).finish_non_exhaustive()
    }
}

impl Context<'_> {
    /// The converter between byte offsets and positions of the protocol.
    #[must_use]
    pub const fn converter(&self) -> Converter<'_> {
        Converter::new(self.buffer, self.uri, self.profile)
    }
}

/// A value as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonText(String);

impl JsonText {
    /// # Errors
    ///
    /// If the value cannot be written as JSON.
    pub fn of(value: &impl Serialize) -> Result<Self> {
        serde_json::to_string(value).map(Self).map_err(|_| Error::internal())
    }

    /// The JSON.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The function that answers the requests of one method.
pub type Handler = fn(&Context<'_>, Value) -> Result<JsonText>;

/// The handler of `method`. Methods that concern several files have none.
#[must_use]
pub fn handler(method: &str) -> Option<Handler> {
    Some(match method {
        // Editors show it in the status bar; the project's file and the default affect it, too.
        "crd-ls/kubernetesVersion" => |context, _| JsonText::of(&features::kubernetes_version(context)),
        // Editors show it for objects that are not checked.
        "crd-ls/notJudged" => |context, _| JsonText::of(&features::not_judged(context)),
        "textDocument/hover" => |context, value| typed(context, value, features::hover),
        "textDocument/documentSymbol" => |context, value| typed(context, value, features::symbols),
        "textDocument/foldingRange" => |context, value| typed(context, value, features::folds),
        "textDocument/completion" => |context, value| typed(context, value, expressions::completion),
        "textDocument/signatureHelp" => |context, value| typed(context, value, expressions::signature_help),
        "textDocument/inlayHint" => |context, value| typed(context, value, expressions::inlay_hints),
        "textDocument/definition" => |context, value| typed(context, value, navigation::definition),
        "textDocument/references" => |context, value| typed(context, value, navigation::references),
        "textDocument/documentLink" => |context, value| typed(context, value, navigation::links),
        "textDocument/documentHighlight" => |context, value| typed(context, value, navigation::highlights),
        "textDocument/selectionRange" => |context, value| typed(context, value, navigation::selections),
        "textDocument/prepareRename" => |context, value| typed(context, value, rename::prepare),
        "textDocument/rename" => |context, value| typed(context, value, rename::rename),
        "textDocument/codeLens" => |context, _| JsonText::of(&lenses::lenses(context)),
        "codeLens/resolve" => |context, value| typed(context, value, lenses::resolve),
        "textDocument/codeAction" => |context, value| typed(context, value, code_actions::code_actions),
        "textDocument/onTypeFormatting" => |context, value| typed(context, value, typing::on_type),
        "textDocument/formatting" => |context, value| typed(context, value, typing::format),
        "textDocument/rangeFormatting" => |context, value| typed(context, value, typing::format_range),
        "textDocument/semanticTokens/full" => |context, value| typed(context, value, expressions::tokens),
        "textDocument/semanticTokens/range" => {
            |context, value| typed(context, value, expressions::tokens_in_range)
        }
        "workspace/executeCommand" => |context, value| typed(context, value, previews::execute),
        _ => return None,
    })
}

/// Reads the parameters that a client sent.
///
/// # Errors
///
/// If they have a different form.
pub fn read<P: DeserializeOwned>(params: Value) -> Result<P> {
    serde_json::from_value(params).map_err(|error| Error::invalid_params(error.to_string()))
}

/// Reads the parameters and writes the answer.
fn typed<P: DeserializeOwned, A: Serialize>(
    context: &Context<'_>,
    params: Value,
    handler: fn(&Context<'_>, P) -> Result<A>,
) -> Result<JsonText> {
    JsonText::of(&handler(context, read(params)?)?)
}
