//! Proposals of values: those of an enumeration in a comparison, and those of the field `reason`.

use cel::ast::{ExprId, ExprKind, Function, Operator};
use cel::{TokenKind, Type};
use crd::cel::{InspectedExpression, SchemaNode};
use crd::value::Kind;
use text::TextSize;

use crate::features::cel::complete::item::{CompletionKind, ProposalDraft, ProposalList};
use crate::features::cel::complete::{CompletionPlace, token_before};
use crate::features::cel::field_text::InsertedPiece;
use crate::features::cel::origin::Origins;

const VALUE: u8 = 0;

/// The types of values of a schema.
const TYPES: [&str; 7] = ["string", "int", "double", "bool", "list", "map", "null_type"];

/// The reasons, with the type of the error that the server returns.
const REASONS: [(&str, &str); 4] = [
    ("FieldValueInvalid", "Invalid value (default)."),
    ("FieldValueForbidden", "Valid value, not allowed here."),
    ("FieldValueRequired", "Missing or empty field."),
    ("FieldValueDuplicate", "Duplicate of another value."),
];

/// Proposes the reasons.
pub(super) fn reasons(items: &mut ProposalList<'_>) {
    items.replace_all();
    for (name, doc) in REASONS {
        items.push(ProposalDraft {
            kind: CompletionKind::Value,
            rank: VALUE,
            label: name,
            detail: String::new(),
            documentation: doc.to_owned(),
            pieces: vec![InsertedPiece::Text(name.into())],
        });
    }
}

/// Proposes the values of the enumeration that is compared with the operand.
pub(super) fn compared(place: &CompletionPlace<'_>, items: &mut ProposalList<'_>) {
    propose(place, place.word, None, items);
}

/// The same within an unclosed string that starts at `start`.
pub(super) fn strings(place: &CompletionPlace<'_>, start: usize, quote: char, items: &mut ProposalList<'_>) {
    let is_closed = place.after.starts_with(quote);
    items.replace(place.before.len() - start, usize::from(is_closed));
    propose(place, start, Some(quote), items);
}

fn propose(place: &CompletionPlace<'_>, start: usize, quote: Option<char>, items: &mut ProposalList<'_>) {
    if quote.is_none() {
        types(place, start, items);
    }
    let Some(values) = values(place, start) else { return };
    for value in values {
        let text = match &value {
            Kind::String(text) => literal(text, quote),
            _ if quote.is_some() => continue,
            Kind::Int(number) => number.to_string(),
            _ => continue,
        };
        items.push(ProposalDraft {
            kind: CompletionKind::Value,
            rank: VALUE,
            label: &text,
            detail: "enum".to_owned(),
            documentation: String::new(),
            pieces: vec![InsertedPiece::Text(text.clone().into())],
        });
    }
}

/// Proposes the names of types in a comparison with the result of `type`.
fn types(place: &CompletionPlace<'_>, start: usize, items: &mut ProposalList<'_>) {
    let compares = || {
        let operator = comparison(place, start)?;
        let inspected = place.inspect("''")?;
        let left = compared_with(&inspected, operator)?;
        matches!(inspected.checked.type_of(left), Type::Type(_)).then_some(())
    };
    if compares().is_none() {
        return;
    }
    for name in TYPES {
        items.push(ProposalDraft {
            kind: CompletionKind::Keyword,
            rank: VALUE,
            label: name,
            detail: "type".to_owned(),
            documentation: String::new(),
            pieces: vec![InsertedPiece::Text(name.into())],
        });
    }
}

/// The left side of the comparison with that operator.
fn compared_with(inspected: &InspectedExpression, operator: TextSize) -> Option<ExprId> {
    CompletionPlace::node_at(inspected, operator, |kind| match kind {
        ExprKind::Call {
            function: Function::Operator(Operator::Equals | Operator::NotEquals | Operator::In),
            args,
            ..
        } => inspected.ast.list(*args).first().copied(),
        _ => None,
    })
}

/// The values of the enumeration that is compared with the operand at `start`.
fn values(place: &CompletionPlace<'_>, start: usize) -> Option<Vec<Kind>> {
    let operator = comparison(place, start)?;
    let mut text = place.before.get(..start)?.to_owned();
    text.push_str("''");
    let inspected = place.view.inspect(place.purpose, &text)?;
    let itself = place.view.itself()?;
    let origins = Origins::of(&inspected.ast, &inspected.checked, itself);
    let left = compared_with(&inspected, operator)?;
    let node: SchemaNode<'_> = origins.node(left)?;
    Some(node.schema.value_validation.enumeration.iter().map(|value| value.kind.clone()).collect())
}

/// The operator whose right side begins at `start`, or is the list that contains `start`.
fn comparison(place: &CompletionPlace<'_>, start: usize) -> Option<TextSize> {
    use TokenKind as T;
    let mut token = token_before(&place.tokens, start)?;
    if matches!(token.kind, T::EqualEqual | T::NotEqual) {
        return Some(token.range.start);
    }
    while matches!(token.kind, T::Comma | T::String | T::Int) {
        token = token_before(&place.tokens, token.range.start as usize)?;
    }
    if token.kind != T::LeftBracket {
        return None;
    }
    let before = token_before(&place.tokens, token.range.start as usize)?;
    (before.kind == T::In).then_some(before.range.start)
}

/// A CEL string literal, with `quote` or with the quote that needs no escape.
pub(crate) fn literal(text: &str, quote: Option<char>) -> String {
    let quote = quote.unwrap_or(if text.contains('\'') && !text.contains('"') { '"' } else { '\'' });
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            _ if c == quote => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out.push(quote);
    out
}
