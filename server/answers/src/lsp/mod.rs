//! Answers of the protocol about one text: what a request asks, from the analysis that there is. Whoever serves a client hands in
//! a [`Context`]; neither threads nor files are known here.

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

/// Whoever waits for an answer.
pub trait Waiting: Send + Sync {
    /// Whether nobody does any more.
    fn is_cancelled(&self) -> bool;
    /// Whether the text is still the one that was asked about.
    fn is_current(&self) -> bool;
}

/// A text of the workspace.
#[derive(Clone, Debug)]
pub struct WorkspaceText {
    /// Its address.
    pub uri: Uri,
    /// The text.
    pub buffer: TextBuffer,
    /// The client's number for it, if it is open.
    pub version: Option<i32>,
    /// Whether the client has this text, as far as is known.
    pub is_current: bool,
}

/// The resources of a kind.
#[derive(Clone, Debug, Default)]
pub struct CountedResources {
    /// Where they are.
    pub places: Vec<Location>,
    /// How many of them have findings.
    pub with_findings: usize,
}

/// What the workspace holds beside the text.
pub trait Workspace {
    /// The open texts, and those of the others that hold all of `words`, until nobody waits any more.
    ///
    /// # Errors
    ///
    /// If these are too many, or not all known; the message is for people.
    fn all_texts<'w>(
        &'w self,
        words: Vec<&'w str>,
    ) -> Result<Box<dyn Iterator<Item = Result<WorkspaceText>> + 'w>>;

    /// The resources of `kind` in `group`; none while they are not known, or if too many files may hold some.
    ///
    /// # Errors
    ///
    /// If nobody waits any more.
    fn resources(&self, group: &str, kind: &str) -> Result<Option<CountedResources>>;

    /// The texts that may hold resources of `kind` in `group`, the open ones first, until nobody waits any more.
    fn texts_with<'w>(
        &'w self,
        kind: &'w str,
        group: &'w str,
    ) -> Box<dyn Iterator<Item = Result<(Uri, String)>> + 'w>;

    /// Where resources set `property`.
    ///
    /// # Errors
    ///
    /// Where nobody waits any more.
    fn uses(&self, property: &Property) -> Result<Vec<Location>>;

    /// The text as the last commit has it, where there is one.
    fn committed(&self) -> Option<String>;
}

/// What a request works on.
#[derive(Clone)]
pub struct Context<'a> {
    /// The address of the text.
    pub uri: &'a Uri,
    /// The client's number for it.
    pub version: i32,
    /// Where the last edit ends.
    pub typed_at: Option<TextSize>,
    /// The text.
    pub buffer: &'a TextBuffer,
    /// Its analysis, where it is YAML or JSON.
    pub file: Option<&'a File>,
    /// What answers at a place of it.
    pub subject: Option<&'a dyn Subject>,
    /// What the client can do.
    pub profile: &'a ClientProfile,
    /// What is known of definitions.
    pub catalog: &'a Catalog,
    /// Who waits for the answer.
    pub waiting: Arc<dyn Waiting>,
    /// What else there is.
    pub workspace: &'a dyn Workspace,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Context").field("uri", &self.uri).finish_non_exhaustive()
    }
}

impl Context<'_> {
    /// Between the places of the text and those of the protocol.
    #[must_use]
    pub const fn converter(&self) -> Converter<'_> {
        Converter::new(self.buffer, self.uri, self.profile)
    }
}

/// A value as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body(String);

impl Body {
    /// # Errors
    ///
    /// Where the value cannot be written as JSON.
    pub fn of(value: &impl Serialize) -> Result<Self> {
        serde_json::to_string(value).map(Self).map_err(|_| Error::internal())
    }

    /// The JSON.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What answers the requests of one method.
pub type Handler = fn(&Context<'_>, Value) -> Result<Body>;

/// How requests of `method` are answered. Those that reach over several files are not among them.
#[must_use]
pub fn handler(method: &str) -> Option<Handler> {
    Some(match method {
        // What an editor's status shows: also the project's file and the default decide.
        "crd-ls/kubernetesVersion" => |context, _| Body::of(&features::kubernetes_version(context)),
        // What it shows of objects that are not checked.
        "crd-ls/notJudged" => |context, _| Body::of(&features::not_judged(context)),
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
        "textDocument/codeLens" => |context, _| Body::of(&lenses::lenses(context)),
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

/// Reads what a client has sent.
///
/// # Errors
///
/// If it has another form.
pub fn read<P: DeserializeOwned>(params: Value) -> Result<P> {
    serde_json::from_value(params).map_err(|error| Error::invalid_params(error.to_string()))
}

/// Reads the parameters and writes the answer.
fn typed<P: DeserializeOwned, A: Serialize>(
    context: &Context<'_>,
    params: Value,
    handler: fn(&Context<'_>, P) -> Result<A>,
) -> Result<Body> {
    Body::of(&handler(context, read(params)?)?)
}
