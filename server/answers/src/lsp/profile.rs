//! The capabilities of the client, and ours.

use ide::File;
use ls_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    CompletionOptions, DiagnosticOptions, DiagnosticServerCapabilities, DocumentLinkOptions,
    DocumentOnTypeFormattingOptions, ExecuteCommandOptions, FoldingRangeProviderCapability,
    HoverProviderCapability, InitializeResult, MarkupKind, OneOf, PositionEncodingKind, RenameOptions,
    SelectionRangeProviderCapability, SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions,
    ServerCapabilities, ServerInfo, SignatureHelpOptions, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, WorkDoneProgressOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};
use serde_json::Value;
use text::PositionEncoding;

use super::expressions::TOKEN_TYPES;
use super::previews::COMMANDS;
use super::typing::NEW_LINE;

/// The client's command that shows locations.
pub const SHOW_REFERENCES: &str = "crd-ls.showReferences";

/// The command that checks all files of the workspace.
pub const CHECK: &str = "crd-ls.workspace.check";

/// The command that runs the test cases of a document, or the one at a line of it.
pub const TEST: &str = "crd-ls.test.run";

/// The kind of the action that applies all safe fixes.
pub const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.crd-ls");

/// The kinds of refactorings.
pub const REFACTORINGS: [CodeActionKind; 3] =
    [CodeActionKind::REFACTOR_EXTRACT, CodeActionKind::REFACTOR_INLINE, CodeActionKind::REFACTOR_REWRITE];

/// The command of clients such as VS Code that opens the list of proposals.
pub const SUGGEST: &str = "editor.action.triggerSuggest";

/// The notification about the search through the workspace. A client that wants it announces this name among
/// its experimental capabilities.
pub const INDEX_METHOD: &str = "crd-ls/index";

/// The experimental capability of a client that pulls diagnostics, but wants those of closed files published.
const CLOSED_METHOD: &str = "crd-ls/publishesClosed";

/// The client's capabilities that affect our messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientProfile {
    /// The unit of positions.
    pub encoding: PositionEncoding,
    /// Diagnostics may have related places.
    pub related_information: bool,
    /// The client pulls diagnostics and supports a request to pull again. Without that request, pulled
    /// answers would be stale after a change of settings, so diagnostics are published to such a client.
    pub pulls_diagnostics: bool,
    /// The client pulls the findings of open files, but wants those of closed files published. It keeps the
    /// two separate.
    pub publishes_closed: bool,
    /// Edits may carry the version of their document.
    pub document_changes: bool,
    /// Code actions need not be commands.
    pub code_action_literals: bool,
    /// Code actions may be marked as preferred.
    pub preferred_actions: bool,
    /// The client shows disabled actions with the reason.
    pub disabled_actions: bool,
    /// Hovers may be Markdown.
    pub markdown_hover: bool,
    /// The documentation of proposals may be Markdown.
    pub markdown_completion: bool,
    /// Inserted text may have placeholders.
    pub snippets: bool,
    /// A proposal may show beside its label the type that it belongs to.
    pub label_details: bool,
    /// Symbols may be nested.
    pub nested_symbols: bool,
    /// Folds are whole lines.
    pub line_folding_only: bool,
    /// The maximum number of folds that the client accepts.
    pub fold_limit: Option<u32>,
    /// The client answers requests for its settings.
    pub configuration: bool,
    /// The client reports changed settings after a registration.
    pub registers_configuration: bool,
    /// The client watches files after a registration.
    pub registers_watching: bool,
    /// The client asks for the range of a rename before it asks for the new name.
    pub prepares_rename: bool,
    /// The client supports a request to update its lenses.
    pub refreshes_lenses: bool,
    /// The client has the commands of the lenses.
    pub has_commands: bool,
    /// The client shows progress.
    pub progress: bool,
    /// The client shows the number of known definitions.
    pub shows_index: bool,
    /// The client has a command that opens the list of proposals again.
    pub suggests_again: bool,
    /// The client supports registrations of formatters for some languages. For JSON, its own formatter is
    /// good enough.
    pub registers_formatting: bool,
    /// Another tool formats texts, so formatting is not offered.
    pub is_formatted_elsewhere: bool,
}

impl ClientProfile {
    /// Whether findings of `file` with one cause are grouped. A client without related places sees each of
    /// them.
    pub fn groups(&self, file: &File) -> bool {
        self.related_information && file.settings().group_errors
    }

    /// The profile with the options of the initialization.
    pub fn with(self, options: Option<&Value>) -> Self {
        let chosen = options
            .and_then(|options| options.get("format").or_else(|| options.get("crd-ls")?.get("format")));
        Self { is_formatted_elsewhere: chosen == Some(&Value::Bool(false)), ..self }
    }

    /// The profile that the client's capabilities describe.
    #[must_use]
    pub fn of(capabilities: &ClientCapabilities) -> Self {
        let document = capabilities.text_document.clone().unwrap_or_default();
        let workspace = capabilities.workspace.clone().unwrap_or_default();
        let actions = document.code_action.unwrap_or_default();
        let folding = document.folding_range.unwrap_or_default();
        let refreshes = workspace.diagnostics.and_then(|diagnostics| diagnostics.refresh_support);
        let formatting = document.formatting.and_then(|formatting| formatting.dynamic_registration);
        let completion = document.completion.unwrap_or_default();
        let proposals = completion.completion_item.unwrap_or_default();
        let window = capabilities.window.clone().unwrap_or_default();
        Self {
            encoding: encoding(capabilities),
            related_information: document
                .publish_diagnostics
                .and_then(|publish| publish.related_information)
                .unwrap_or_default(),
            pulls_diagnostics: document.diagnostic.is_some() && refreshes.unwrap_or_default(),
            publishes_closed: capabilities
                .experimental
                .as_ref()
                .and_then(|experimental| experimental.get(CLOSED_METHOD)?.as_bool())
                .unwrap_or_default(),
            document_changes: workspace
                .workspace_edit
                .and_then(|edit| edit.document_changes)
                .unwrap_or_default(),
            code_action_literals: actions.code_action_literal_support.is_some(),
            preferred_actions: actions.is_preferred_support.unwrap_or_default(),
            disabled_actions: actions.disabled_support.unwrap_or_default(),
            markdown_hover: document
                .hover
                .and_then(|hover| hover.content_format)
                .is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            markdown_completion: proposals
                .documentation_format
                .is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            snippets: proposals.snippet_support.unwrap_or_default(),
            label_details: proposals.label_details_support.unwrap_or_default(),
            nested_symbols: document
                .document_symbol
                .and_then(|symbols| symbols.hierarchical_document_symbol_support)
                .unwrap_or_default(),
            line_folding_only: folding.line_folding_only.unwrap_or_default(),
            fold_limit: folding.range_limit,
            configuration: workspace.configuration.unwrap_or_default(),
            registers_configuration: workspace
                .did_change_configuration
                .and_then(|change| change.dynamic_registration)
                .unwrap_or_default(),
            registers_watching: workspace
                .did_change_watched_files
                .and_then(|watching| watching.dynamic_registration)
                .unwrap_or_default(),
            prepares_rename: document.rename.and_then(|rename| rename.prepare_support).unwrap_or_default(),
            refreshes_lenses: workspace.code_lens.and_then(|lens| lens.refresh_support).unwrap_or_default(),
            has_commands: has_command(capabilities, SHOW_REFERENCES),
            registers_formatting: formatting.unwrap_or_default(),
            suggests_again: has_command(capabilities, SUGGEST),
            progress: window.work_done_progress.unwrap_or_default(),
            shows_index: capabilities
                .experimental
                .as_ref()
                .and_then(|experimental| experimental.get(INDEX_METHOD)?.as_bool())
                .unwrap_or_default(),
            is_formatted_elsewhere: false,
        }
    }

    /// Whether formatting is offered for all texts of the client.
    const fn formats_all(&self) -> bool {
        !self.is_formatted_elsewhere && !self.registers_formatting
    }

    /// Whether formatting is offered for YAML, through a registration at the client.
    pub const fn formats_yaml(&self) -> bool {
        !self.is_formatted_elsewhere && self.registers_formatting
    }

    fn pulled_diagnostics(&self) -> DiagnosticOptions {
        DiagnosticOptions {
            identifier: Some("crd-ls".to_owned()),
            workspace_diagnostics: !self.publishes_closed,
            ..DiagnosticOptions::default()
        }
    }

    /// The answer to `initialize`.
    pub fn initialize_result(&self) -> InitializeResult {
        let capabilities = ServerCapabilities {
            position_encoding: Some(match self.encoding {
                PositionEncoding::Utf8 => PositionEncodingKind::UTF8,
                PositionEncoding::Utf16 => PositionEncodingKind::UTF16,
                PositionEncoding::Utf32 => PositionEncodingKind::UTF32,
            }),
            text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                ..TextDocumentSyncOptions::default()
            })),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            document_symbol_provider: Some(OneOf::Left(true)),
            workspace_symbol_provider: Some(OneOf::Left(true)),
            folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some([".", "?", "'", "\"", " ", "+", ","].map(str::to_owned).to_vec()),
                ..CompletionOptions::default()
            }),
            signature_help_provider: Some(SignatureHelpOptions {
                trigger_characters: Some(["(", ","].map(str::to_owned).to_vec()),
                ..SignatureHelpOptions::default()
            }),
            inlay_hint_provider: Some(OneOf::Left(true)),
            definition_provider: Some(OneOf::Left(true)),
            references_provider: Some(OneOf::Left(true)),
            rename_provider: Some(match self.prepares_rename {
                true => OneOf::Right(RenameOptions {
                    prepare_provider: Some(true),
                    work_done_progress_options: WorkDoneProgressOptions::default(),
                }),
                false => OneOf::Left(true),
            }),
            document_link_provider: Some(DocumentLinkOptions {
                resolve_provider: Some(false),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            }),
            code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(true) }),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: COMMANDS.into_iter().chain([CHECK, TEST]).map(str::to_owned).collect(),
                ..ExecuteCommandOptions::default()
            }),
            document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
                first_trigger_character: NEW_LINE.to_owned(),
                more_trigger_character: None,
            }),
            document_formatting_provider: self.formats_all().then_some(OneOf::Left(true)),
            document_range_formatting_provider: self.formats_all().then_some(OneOf::Left(true)),
            document_highlight_provider: Some(OneOf::Left(true)),
            selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
            semantic_tokens_provider: Some(semantic_tokens().into()),
            code_action_provider: self
                .code_action_literals
                .then(|| CodeActionProviderCapability::Options(code_actions())),
            diagnostic_provider: self
                .pulls_diagnostics
                .then(|| DiagnosticServerCapabilities::Options(self.pulled_diagnostics())),
            workspace: Some(WorkspaceServerCapabilities {
                workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                    supported: Some(true),
                    change_notifications: Some(OneOf::Left(true)),
                }),
                ..WorkspaceServerCapabilities::default()
            }),
            ..ServerCapabilities::default()
        };
        let version = Some(env!("CARGO_PKG_VERSION").to_owned());
        let server_info = Some(ServerInfo { name: "crd-ls".to_owned(), version });
        InitializeResult { capabilities, server_info, offset_encoding: None }
    }
}

fn code_actions() -> CodeActionOptions {
    CodeActionOptions {
        code_action_kinds: Some(
            [CodeActionKind::QUICKFIX, FIX_ALL].into_iter().chain(REFACTORINGS).collect(),
        ),
        ..CodeActionOptions::default()
    }
}

fn semantic_tokens() -> SemanticTokensOptions {
    SemanticTokensOptions {
        legend: SemanticTokensLegend { token_types: TOKEN_TYPES.to_vec(), token_modifiers: Vec::new() },
        range: Some(true),
        full: Some(SemanticTokensFullOptions::Bool(true)),
        ..SemanticTokensOptions::default()
    }
}

/// Whether the client announces `command`.
fn has_command(capabilities: &ClientCapabilities, command: &str) -> bool {
    let commands = capabilities.experimental.as_ref().and_then(|more| more.pointer("/commands/commands"));
    let commands = commands.and_then(Value::as_array);
    commands.is_some_and(|commands| commands.iter().any(|name| name == command))
}

/// Prefers UTF-8, which needs no conversion. The default of the protocol is UTF-16.
fn encoding(capabilities: &ClientCapabilities) -> PositionEncoding {
    let general = capabilities.general.as_ref();
    let offered = general.and_then(|general| general.position_encodings.as_deref()).unwrap_or_default();
    if offered.contains(&PositionEncodingKind::UTF8) {
        PositionEncoding::Utf8
    } else if offered == [PositionEncodingKind::UTF32] {
        PositionEncoding::Utf32
    } else {
        PositionEncoding::Utf16
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use serde_json::json;

    use super::*;

    fn profile(capabilities: Value) -> ClientProfile {
        ClientProfile::of(&serde_json::from_value(capabilities).unwrap())
    }

    #[test]
    fn the_cheapest_encoding_of_the_client_is_chosen() {
        let negotiated = |offered| profile(json!({"general": {"positionEncodings": offered}})).encoding;
        assert_eq!(negotiated(json!(["utf-16", "utf-8"])), PositionEncoding::Utf8);
        assert_eq!(negotiated(json!(["utf-32", "utf-16"])), PositionEncoding::Utf16);
        assert_eq!(negotiated(json!(["utf-32"])), PositionEncoding::Utf32);
        assert_eq!(profile(json!({})).encoding, PositionEncoding::Utf16);
    }

    #[test]
    fn only_clients_that_support_a_refresh_pull_diagnostics() {
        let neovim = json!({"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {}}});
        let vscode = json!({
            "textDocument": {"diagnostic": {}},
            "workspace": {"diagnostics": {"refreshSupport": true}},
        });
        assert!(profile(neovim).initialize_result().capabilities.diagnostic_provider.is_none());
        assert!(profile(vscode).initialize_result().capabilities.diagnostic_provider.is_some());
    }
}
