//! Documents that are JSON: new text in them is JSON, too.

use super::EditError;
use super::new_values::in_quotes;
use crate::ast::{Document, ValueKind};
use crate::scalar::{ResolvedScalar, ScalarStyle, resolve};
use crate::syntax::SyntaxKind;

/// Whether `document` is in braces or brackets, with all strings in double quotes.
pub(crate) fn is_json(document: Document<'_>) -> bool {
    let in_brackets = match document.root().map(|root| root.kind()) {
        Some(ValueKind::Mapping(mapping)) => mapping.is_flow(),
        Some(ValueKind::Sequence(sequence)) => sequence.is_flow(),
        _ => false,
    };
    if !in_brackets {
        return false;
    }
    let mut open = vec![document.syntax()];
    while let Some(node) = open.pop() {
        let is_foreign = |kind: SyntaxKind, text: &str| match kind {
            SyntaxKind::SingleQuoted | SyntaxKind::Anchor | SyntaxKind::Alias | SyntaxKind::Tag => true,
            SyntaxKind::Plain => !is_literal(text),
            _ => false,
        };
        if node.tokens().any(|token| is_foreign(token.kind, token.text)) {
            return false;
        }
        open.extend(node.nodes());
    }
    true
}

/// Whether `text` is a number, a boolean or null in JSON.
fn is_literal(text: &str) -> bool {
    match resolve(text.into(), ScalarStyle::Plain, None) {
        Ok(ResolvedScalar::Null) => text == "null",
        Ok(ResolvedScalar::Bool(_)) => matches!(text, "true" | "false"),
        Ok(ResolvedScalar::Int(_) | ResolvedScalar::Uint(_) | ResolvedScalar::Float(_)) => is_number(text),
        _ => false,
    }
}

/// Whether `text`, a number in YAML, is a number in JSON: digits around a dot, without leading zeros.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, rest) =
        digits.split_at(digits.find(|char: char| !char.is_ascii_digit()).unwrap_or(digits.len()));
    let is_whole = !whole.is_empty() && (whole == "0" || !whole.starts_with('0'));
    is_whole && rest.chars().all(|char| char.is_ascii_digit() || matches!(char, '.' | 'e' | 'E' | '+' | '-'))
}

/// The text of a YAML value of one line as JSON.
pub(crate) fn json_text(raw: &str) -> Result<String, EditError> {
    if is_literal(raw) {
        return Ok(raw.to_owned());
    }
    let tree = crate::Tree::parse(raw);
    let document = tree.documents().next().ok_or(EditError::Place)?;
    Ok(crate::decode(document).map_err(|_| EditError::Place)?.json.to_string())
}

/// `text` as a string.
pub(crate) fn string(text: &str) -> String {
    in_quotes(text, true)
}
