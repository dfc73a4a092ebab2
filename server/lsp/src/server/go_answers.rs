//! The answers on Go files that differ from those on YAML.

use std::path::Path;

use answers::lsp::addresses::file_path;
use answers::lsp::code_actions::{
    FIX_ALL_TITLE, FileEdits, MOST_ACTIONS, edit_of, is_automatic, is_requested, requested_range,
    workspace_edit,
};
use answers::lsp::convert::{Converter, source_of, uri_of};
use answers::lsp::profile::FIX_ALL;
use answers::lsp::{JsonText, Subject};
use ide::picture::{Picture, Place};
use ide::{
    Applicability, Completion, File, Finding, Fix, Hint, Hover, Signatures, SourcePlace, StopSignal,
    TokenClass,
};
use serde_json::Value;
use text::{TextBuffer, TextRange, TextSize};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CodeAction, CodeActionKind, CodeActionParams, DocumentHighlight, DocumentHighlightParams,
    ExecuteCommandParams, GotoDefinitionParams, Location, Position, ReferenceParams, RenameParams,
    WorkspaceEdit,
};

use super::go_rename;
use super::golang::{CompletionInput, GoFile};
use super::requests::{Context, body, protocol_error, read};
use crate::generated_definitions::AnalysisInputs;

/// A Go file, with the context of a request.
pub(super) struct GoSubject<'a> {
    pub(super) go: &'a GoFile,
    pub(super) context: &'a Context,
}

impl Subject for GoSubject<'_> {
    fn hover(&self, offset: TextSize) -> Option<Hover> {
        self.go.hover(offset)
    }

    fn completions(&self, offset: TextSize) -> Vec<Completion> {
        let settings = |path: &Path| self.context.snapshot.settings_of(path);
        let input = CompletionInput { packages: &self.context.snapshot.packages, settings: &settings };
        self.go.completions(offset, &input)
    }

    fn signatures(&self, offset: TextSize) -> Option<Signatures> {
        self.go.signatures(offset)
    }

    fn hints(&self, range: TextRange) -> Vec<Hint> {
        self.go.hints(range)
    }

    fn tokens(&self, range: TextRange) -> Vec<(TextRange, TokenClass)> {
        self.go.tokens(range)
    }

    fn pictures(&self, _: &TextBuffer, place: &dyn Fn(TextSize) -> Place) -> Vec<Picture> {
        self.go.pictures(place)
    }
}

/// The answer to a request on `go`; `None` if the request is answered as for any text.
pub(super) fn answer(
    context: &Context,
    go: &GoFile,
    method: &str,
    params: &Value,
) -> Option<Result<JsonText>> {
    let params = params.clone();
    Some(match method {
        "textDocument/codeAction" => {
            read(params).and_then(|params| body(&Some(actions(context, go, &params))))
        }
        "textDocument/definition" => read(params).and_then(|params| body(&definition(context, go, &params))),
        "textDocument/references" => read(params).and_then(|params| body(&references(context, go, &params)?)),
        "textDocument/documentHighlight" => {
            read(params).and_then(|params| body(&highlights(context, go, &params)))
        }
        "textDocument/prepareRename" => {
            read(params).and_then(|params| body(&go_rename::prepare(context, go, &params)))
        }
        "textDocument/rename" => read(params).and_then(|params| body(&rename(context, go, &params)?)),
        "workspace/executeCommand" => read(params).and_then(|params| preview(context, go, params)),
        "crd-ls/kubernetesVersion" => body(&kubernetes_version(context)),
        _ => return None,
    })
}

/// The Kubernetes release against which the generated definitions are checked, as `1.NN`.
fn kubernetes_version(context: &Context) -> String {
    let path = file_path(&context.view.uri).unwrap_or_default();
    format!("1.{}", context.snapshot.settings_of(&path).kubernetes_version.minor)
}

/// The declaration of a name in an expression.
fn definition(
    context: &Context,
    go: &GoFile,
    params: &GotoDefinitionParams,
) -> Option<tower_lsp::ls_types::Location> {
    let offset = context.converter().offset(params.text_document_position_params.position);
    location_of(&go.definition(offset, &context.snapshot.packages)?, context)
}

/// A place in Go as clients receive it; `None` if the file has no address.
pub(super) fn location_of(place: &SourcePlace, context: &Context) -> Option<Location> {
    let uri = uri_of(&place.source)?;
    Some(Converter::new(&place.buffer, &uri, &context.profile).location(place.range))
}

/// All references to the field at a place: in Go, and in the resources of the workspace.
fn references(context: &Context, go: &GoFile, params: &ReferenceParams) -> Result<Option<Vec<Location>>> {
    let offset = context.converter().offset(params.text_document_position.position);
    let Some((places, property)) = go.references(offset, &context.snapshot.packages) else { return Ok(None) };
    let skipped = usize::from(!params.context.include_declaration);
    let places = places.iter().skip(skipped);
    let mut found: Vec<Location> = places.filter_map(|place| location_of(place, context)).collect();
    if let Some(property) = property {
        found.extend(context.shared(None).workspace.uses(&property).map_err(protocol_error)?);
    }
    Ok(Some(found))
}

/// All references in the same file to the field at a place.
fn highlights(
    context: &Context,
    go: &GoFile,
    params: &DocumentHighlightParams,
) -> Option<Vec<DocumentHighlight>> {
    let converter = context.converter();
    let offset = converter.offset(params.text_document_position_params.position);
    let (places, _) = go.references(offset, &context.snapshot.packages)?;
    let own = source_of(&context.view.uri);
    let here = places.iter().filter(|place| *place.source == *own);
    let highlight = |range| DocumentHighlight { range: converter.range(range), kind: None };
    Some(here.map(|place| highlight(place.range)).collect())
}

/// The edits that rename a field.
fn rename(context: &Context, go: &GoFile, params: &RenameParams) -> Result<Option<WorkspaceEdit>> {
    with_inputs(context, |around| go_rename::rename(context, go, params, around))
}

/// Runs `work`, which generates for an answer, until the request is cancelled.
pub(super) fn with_inputs<T>(context: &Context, work: impl FnOnce(&AnalysisInputs<'_>) -> T) -> T {
    let (cancelled, view) = (context.cancelled.clone(), context.view.clone());
    let stop = StopSignal::when(move || cancelled.is_cancelled() || !view.is_current());
    let settings = |path: &Path| context.snapshot.settings_of(path);
    work(&AnalysisInputs { settings: &settings, base: &|_| None, stop: &stop })
}

/// The fixes of a place or of the file, and rewrites of a rule.
fn actions(context: &Context, go: &GoFile, params: &CodeActionParams) -> Vec<CodeAction> {
    let mut actions = Vec::new();
    if is_requested(&params.context, &CodeActionKind::QUICKFIX) {
        actions.extend(with_inputs(context, |around| fixes(context, go, params, around)));
    }
    if is_requested(&params.context, &CodeActionKind::REFACTOR_REWRITE) {
        let offset = context.converter().offset(params.range.start);
        let formatted = go.format_rule(offset);
        actions.extend(formatted.map(|(title, edit)| CodeAction {
            title,
            kind: Some(CodeActionKind::REFACTOR_REWRITE),
            edit: Some(edit_of(&context.shared(None), &[edit])),
            ..CodeAction::default()
        }));
    }
    // Each fix takes a generation, so this is skipped for editors that only show a menu.
    if params.context.only.is_some() && is_requested(&params.context, &FIX_ALL) {
        let edits = with_inputs(context, |around| go.fix_all(&context.snapshot.packages, around));
        actions.extend((!edits.is_empty()).then(|| CodeAction {
            title: FIX_ALL_TITLE.to_owned(),
            kind: Some(FIX_ALL),
            edit: Some(edit_of(&context.shared(None), &edits)),
            ..CodeAction::default()
        }));
    }
    actions
}

/// The fixes of the markers and tags at a place, and of the definitions that are generated from it.
fn fixes(
    context: &Context,
    go: &GoFile,
    params: &CodeActionParams,
    around: &AnalysisInputs<'_>,
) -> Vec<CodeAction> {
    let shared = context.shared(None);
    let requested = requested_range(&shared, params.range);
    let converter = context.converter();
    let here = go.fixes.iter().filter(|fix| fix.repairs.iter().any(|(_, range)| range.overlaps(requested)));
    let packages = &context.snapshot.packages;
    let of_definitions = go.fixes_of_definitions(requested, packages, around);
    let alone = of_definitions.iter().filter(|offer| offer.other_edits.is_empty()).map(|offer| &offer.fix);
    let alone: Vec<Fix> = here.clone().chain(alone).cloned().collect();
    let similar = match is_automatic(&params.context) {
        true => Vec::new(),
        false => go.similar_fixes(&alone, packages, around),
    };
    let of_definitions = of_definitions.iter().filter_map(|offer| {
        let mut files = go_rename::edits_of_go(context, &|path| go.source(path), &offer.other_edits)?;
        files.extend(FileEdits::new(converter, Some(context.view.version), &offer.fix.edits));
        Some((&offer.fix, workspace_edit(&context.profile, files)))
    });
    let here = here.map(|fix| (fix, edit_of(&shared, &fix.edits)));
    let similar = similar.iter().map(|fix| (fix, edit_of(&shared, &fix.edits)));
    let fixes = here.chain(of_definitions).take(MOST_ACTIONS).chain(similar);
    let action = |(fix, edit): (&Fix, WorkspaceEdit)| {
        let is_repaired = |finding: &&Finding| fix.repairs.contains(&(finding.code, finding.range));
        let repaired: Vec<&Finding> = match go.grouped(&context.profile) {
            Some(grouped) => {
                fix.repairs.iter().filter_map(|(code, range)| grouped.representative(*code, *range)).collect()
            }
            None => go.findings.iter().filter(is_repaired).collect(),
        };
        let repaired = repaired.into_iter().map(|finding| converter.diagnostic(finding));
        CodeAction {
            title: fix.title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(repaired.collect()),
            edit: Some(edit),
            is_preferred: Some(fix.applicability == Applicability::Safe),
            ..CodeAction::default()
        }
    };
    fixes.map(action).collect()
}

/// Previews of the definitions that are generated from a Go file.
fn preview(context: &Context, go: &GoFile, mut params: ExecuteCommandParams) -> Result<JsonText> {
    let arguments = params.arguments.first().cloned().unwrap_or_default();
    match params.command.as_str() {
        "crd-ls.preview.generated" => {
            let position = arguments.get("position").cloned().and_then(|at| read::<Position>(at).ok());
            let offset = position.map(|position| context.converter().offset(position));
            body(&go.schema(offset))
        }
        "crd-ls.preview.openapi"
        | "crd-ls.preview.openapiV2"
        | "crd-ls.preview.skeleton"
        | "crd-ls.preview.sample"
        | "crd-ls.preview.versions" => {
            let text = go.schema(None);
            let path = file_path(&context.view.uri).unwrap_or_default();
            let file = File::new(&text, &context.snapshot.settings_of(&path));
            let buffer = TextBuffer::new(&text);
            let generated =
                answers::lsp::Context { buffer: &buffer, file: Some(&file), ..context.shared(None) };
            // The position refers to the Go file.
            params.arguments.clear();
            let shown = answers::lsp::previews::execute(&generated, params).map_err(protocol_error)?;
            body(&shown)
        }
        // Commands that need YAML have an empty answer.
        _ => {
            let subject = GoSubject { go, context };
            let shared = context.shared(Some(&subject));
            body(&answers::lsp::previews::execute(&shared, params).map_err(protocol_error)?)
        }
    }
}
