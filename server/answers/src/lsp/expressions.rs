//! Requests about rules and resources: completion, signatures, hints and colours.

use super::error::Result;
use ide::{Completion, CompletionKind, TokenClass};
use ls_types::{
    Command, CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionList,
    CompletionParams, CompletionResponse, CompletionTextEdit, Documentation, InlayHint, InlayHintLabel,
    InlayHintParams, InlayHintTooltip, InsertTextFormat, MarkupContent, MarkupKind, ParameterInformation,
    ParameterLabel, SemanticToken, SemanticTokenType, SemanticTokens, SemanticTokensParams,
    SemanticTokensRangeParams, SignatureHelp, SignatureHelpParams, SignatureInformation, TextEdit,
};
use text::TextRange;

use super::Context;
use super::convert::Converter;
use super::profile::SUGGEST;

/// The names of [`TokenClass`]es to the client, in the order of [`class_number`].
pub(super) const TOKEN_TYPES: [SemanticTokenType; 9] = [
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::MACRO,
    SemanticTokenType::STRING,
    SemanticTokenType::NUMBER,
    SemanticTokenType::KEYWORD,
    SemanticTokenType::OPERATOR,
];

const fn class_number(class: TokenClass) -> u32 {
    match class {
        TokenClass::Variable => 0,
        TokenClass::Parameter => 1,
        TokenClass::Property => 2,
        TokenClass::Function => 3,
        TokenClass::Macro => 4,
        TokenClass::String => 5,
        TokenClass::Number => 6,
        TokenClass::Keyword => 7,
        TokenClass::Operator => 8,
    }
}

pub(super) fn completion(
    context: &Context<'_>,
    params: CompletionParams,
) -> Result<Option<CompletionResponse>> {
    let converter = context.converter();
    let offset = converter.offset(params.text_document_position.position);
    let Some(subject) = context.subject else { return Ok(None) };
    let list = subject.completions(offset);
    let is_incomplete = list.iter().any(|one| one.is_draft);
    let items: Vec<_> = list.into_iter().map(|one| item(context, &converter, one)).collect();
    Ok((!items.is_empty()).then_some(match is_incomplete {
        true => CompletionResponse::List(CompletionList { is_incomplete, items }),
        false => CompletionResponse::Array(items),
    }))
}

fn item(context: &Context<'_>, converter: &Converter<'_>, one: Completion) -> CompletionItem {
    let snippet = one.snippet.filter(|_| context.profile.snippets);
    let format = snippet.as_ref().map(|_| InsertTextFormat::SNIPPET);
    let range = converter.range(one.range);
    let documentation = (!one.documentation.is_empty()).then(|| documentation(context, one.documentation));
    // A client compares the typed text with the filter; inside quotes, the typed text differs from the label.
    // After the colon of a key, the name is complete, so the filter does not include the colon.
    let typed = || one.text.trim_start().trim_end_matches([':', ' ', '(', ')']).to_owned();
    let filter = one.filter.clone().unwrap_or_else(typed);
    let suggests_again = one.suggests_again && context.profile.suggests_again;
    let again = suggests_again.then(|| Command {
        title: String::new(),
        command: SUGGEST.to_owned(),
        arguments: None,
    });
    // If the client shows text beside the label, the detail is free for the description of the proposal.
    let has_room = context.profile.label_details && !one.belongs_to.is_empty();
    let label_details =
        CompletionItemLabelDetails { detail: None, description: Some(one.belongs_to.clone()) };
    let detail = if one.detail.is_empty() && !has_room { one.belongs_to } else { one.detail };
    CompletionItem {
        filter_text: (filter != one.label).then_some(filter),
        label: one.label,
        label_details: has_room.then_some(label_details),
        command: again,
        additional_text_edits: one.indent.map(|edit| vec![converter.edit(&edit)]),
        kind: Some(kind(one.kind)),
        detail: (!detail.is_empty()).then_some(detail),
        documentation,
        sort_text: Some(one.sort),
        insert_text_format: format,
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: snippet.unwrap_or(one.text) })),
        ..CompletionItem::default()
    }
}

const fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Field => CompletionItemKind::FIELD,
        CompletionKind::Variable => CompletionItemKind::VARIABLE,
        CompletionKind::Function => CompletionItemKind::FUNCTION,
        CompletionKind::Method => CompletionItemKind::METHOD,
        CompletionKind::Macro => CompletionItemKind::SNIPPET,
        CompletionKind::Value => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Object | CompletionKind::Expression => CompletionItemKind::SNIPPET,
    }
}

fn documentation(context: &Context<'_>, value: String) -> Documentation {
    let kind = if context.profile.markdown_completion { MarkupKind::Markdown } else { MarkupKind::PlainText };
    Documentation::MarkupContent(MarkupContent { kind, value })
}

pub(super) fn signature_help(
    context: &Context<'_>,
    params: SignatureHelpParams,
) -> Result<Option<SignatureHelp>> {
    let offset = context.converter().offset(params.text_document_position_params.position);
    let found = context.subject.and_then(|subject| subject.signatures(offset));
    Ok(found.map(|found| {
        let argument = u32::try_from(found.argument).ok();
        let signatures = found.list.into_iter().map(|one| {
            // Labels are ASCII, so bytes equal units of any encoding.
            let units = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let parameters = one.parameters.iter().map(|range| ParameterInformation {
                label: ParameterLabel::LabelOffsets([units(range.start), units(range.end)]),
                documentation: None,
            });
            SignatureInformation {
                parameters: Some(parameters.collect()),
                label: one.label,
                documentation: Some(Documentation::String(one.documentation)),
                active_parameter: None,
            }
        });
        SignatureHelp {
            signatures: signatures.collect(),
            active_signature: u32::try_from(found.active).ok(),
            active_parameter: argument,
        }
    }))
}

pub(super) fn inlay_hints(context: &Context<'_>, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
    let converter = context.converter();
    let range = converter.text_range(params.range);
    let hints = context.subject.map(|subject| subject.hints(range));
    Ok(hints.map(|hints| {
        let hint = |hint: ide::Hint| InlayHint {
            position: converter.position(hint.offset),
            label: InlayHintLabel::String(hint.label),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::MarkupContent(MarkupContent {
                kind: MarkupKind::Markdown,
                value: hint.tooltip,
            })),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        };
        // A hint that appears or grows at the typing position would move the cursor.
        let is_typed_at = |offset: text::TextSize| context.typed_at == Some(offset);
        hints.into_iter().filter(|one| !is_typed_at(one.offset)).map(hint).collect()
    }))
}

pub(super) fn tokens(context: &Context<'_>, _: SemanticTokensParams) -> Result<Option<SemanticTokens>> {
    Ok(Some(tokens_within(context, TextRange::new(0, u32::MAX))))
}

pub(super) fn tokens_in_range(
    context: &Context<'_>,
    params: SemanticTokensRangeParams,
) -> Result<Option<SemanticTokens>> {
    let range = context.converter().text_range(params.range);
    Ok(Some(tokens_within(context, range)))
}

fn tokens_within(context: &Context<'_>, range: TextRange) -> SemanticTokens {
    let converter = context.converter();
    let found = context.subject.map(|subject| subject.tokens(range)).unwrap_or_default();
    let mut data = Vec::with_capacity(found.len());
    let (mut line, mut character) = (0, 0);
    for (range, class) in found {
        let range = converter.range(range);
        // Tokens of the protocol are on one line.
        if range.start.line != range.end.line {
            continue;
        }
        let start = range.start.character;
        data.push(SemanticToken {
            delta_line: range.start.line - line,
            delta_start: if range.start.line == line { start - character } else { start },
            length: range.end.character - start,
            token_type: class_number(class),
            token_modifiers_bitset: 0,
        });
        (line, character) = (range.start.line, start);
    }
    SemanticTokens { result_id: None, data }
}
