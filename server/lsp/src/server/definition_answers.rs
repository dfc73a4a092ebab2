//! The answers on a definition that controller-gen wrote, which differ from those on other YAML: it leads to Go, and fixes
//! change Go.

use std::path::Path;

use answers::lsp::JsonText;
use answers::lsp::code_actions::{
    FileEdits, MOST_ACTIONS, edit_of, is_requested, requested_range, workspace_edit,
};
use ide::{Applicability, Code, Finding};
use serde_json::Value;
use text::TextRange;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CodeAction, CodeActionDisabled, CodeActionKind, CodeActionParams, GotoDefinitionParams, Location,
    WorkspaceEdit,
};

use super::go_answers::{location_of, with_inputs};
use super::go_rename::edits_of_go;
use super::golang::GoSource;
use super::requests::{Context, body, read};
use crate::generated_definitions::title_in_go;
use crate::go_package::Offer;

/// The title of the action that generates a stale definition again.
const GENERATE: &str = "Generate the definition again";

/// The reason why a definition that differs from the generated one has no fixes.
const STALE: &str = "The file is generated from Go and is older than its types: generate it again first";

/// The answer to a request on a definition that is generated from `source`; `None` if the request is answered as for any text.
pub(super) fn answer(
    context: &Context,
    source: &GoSource,
    (method, params): (&str, &Value),
) -> Option<Result<JsonText>> {
    match method {
        "textDocument/codeAction" => match read::<CodeActionParams>(params.clone()) {
            Ok(params) => {
                let requested = requested_range(&context.shared(None), params.range);
                source.is_at(requested).then(|| body(&actions(context, source, &params)))
            }
            Err(error) => Some(Err(error)),
        },
        "textDocument/definition" => match read(params.clone()) {
            Ok(params) => definition(context, source, &params).map(|found| body(&found)),
            Err(error) => Some(Err(error)),
        },
        _ => None,
    }
}

/// The origin in Go of the node at a place, if the node itself does not refer to another place.
fn definition(context: &Context, source: &GoSource, params: &GotoDefinitionParams) -> Option<Location> {
    let offset = context.converter().offset(params.text_document_position_params.position);
    let file = context.analysis.file()?;
    let leads_on = |found: ide::Definition| found.elsewhere.is_some() || found.name != found.target;
    if file.definition(offset).is_some_and(leads_on) {
        return None;
    }
    location_of(&source.origin(file, offset, &context.snapshot.packages)?, context)
}

/// The fixes of Go that also update the definition, and the reasons why there are no others: the next generation would revert
/// any other edit.
fn actions(context: &Context, source: &GoSource, params: &CodeActionParams) -> Vec<CodeAction> {
    if !is_requested(&params.context, &CodeActionKind::QUICKFIX) {
        return Vec::new();
    }
    let requested = requested_range(&context.shared(None), params.range);
    let mut actions = Vec::new();
    let is_stale = |finding: &&Finding| finding.code == Code::GoStale && finding.range.overlaps(requested);
    let stale: Vec<&Finding> = source.findings.iter().filter(is_stale).collect();
    if !stale.is_empty() {
        let edit = edit_of(&context.shared(None), &source.generated_again());
        actions.push(fix(context, GENERATE.to_owned(), &stale, Some(edit)));
    }
    let offers = with_inputs(context, |around| source.offers(requested, &context.snapshot.packages, around));
    let Some(offers) = offers else {
        actions.extend(unavailable(context, requested, |_| STALE.to_owned()));
        return actions;
    };
    let offered: Vec<String> = offers.fixes.iter().map(|offer| offer.fix.title.clone()).collect();
    for offer in offers.fixes.iter().take(MOST_ACTIONS) {
        let repaired = |finding: &&Finding| offer.fix.repairs.iter().any(|(code, _)| *code == finding.code);
        let here =
            source.findings.iter().filter(|finding| finding.range.overlaps(requested)).filter(repaired);
        let edit = edit(context, source, offer);
        let is_safe = offer.fix.applicability == Applicability::Safe;
        let action = fix(context, offer.fix.title.clone(), &here.collect::<Vec<_>>(), edit);
        actions.push(CodeAction { is_preferred: Some(is_safe), ..action });
    }
    let reason = |title: &str| {
        let refused = offers.refused.iter().find(|(of, _)| of == title);
        let reason = refused.map_or("the Go type that this comes from is not known", |(_, reason)| reason);
        format!("The file is generated from Go: {reason}")
    };
    actions.extend(
        unavailable(context, requested, reason).into_iter().filter(|action| !offered.contains(&action.title)),
    );
    actions
}

/// The fixes of the text itself, as disabled actions with a reason.
fn unavailable(context: &Context, requested: TextRange, reason: impl Fn(&str) -> String) -> Vec<CodeAction> {
    let Some(file) = context.analysis.file().filter(|_| context.profile.disabled_actions) else {
        return Vec::new();
    };
    let mut titles: Vec<String> =
        file.fixes_within(requested, &file.budget()).iter().map(title_in_go).collect();
    titles.dedup();
    let action = |title: String| CodeAction {
        disabled: Some(CodeActionDisabled { reason: reason(&title) }),
        kind: Some(CodeActionKind::QUICKFIX),
        title,
        ..CodeAction::default()
    };
    titles.into_iter().take(MOST_ACTIONS).map(action).collect()
}

fn fix(context: &Context, title: String, repaired: &[&Finding], edit: Option<WorkspaceEdit>) -> CodeAction {
    let converter = context.converter();
    let diagnostics = repaired.iter().map(|finding| converter.diagnostic(finding)).collect();
    CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(diagnostics),
        edit,
        ..CodeAction::default()
    }
}

/// The edits of Go, and those of the definition that follow from them.
fn edit(context: &Context, source: &GoSource, offer: &Offer) -> Option<WorkspaceEdit> {
    let text = |path: &Path| source.source(path);
    let mut edits = offer.other_edits.clone();
    edits.insert(offer.path.clone(), offer.fix.edits.clone());
    edits.retain(|_, edits| !edits.is_empty());
    let mut files = edits_of_go(context, &text, &edits)?;
    let definition = source.rewritten(&offer.definitions);
    files.extend(FileEdits::new(context.converter(), Some(context.view.version), &definition));
    Some(workspace_edit(&context.profile, files))
}
