//! The extent of values, entries and items, without the white space and comments after them.

use text::{TextRange, TextSize};

use super::source::Source;
use crate::ast::{Item, Value, ValueKind};
use crate::syntax::{ElementRef, NodeRef, SyntaxKind, TokenRef};

/// Whether `value` is a mapping or sequence in block style.
pub(crate) fn is_block_collection(value: Value<'_>) -> bool {
    match value.kind() {
        ValueKind::Mapping(mapping) => !mapping.is_flow(),
        ValueKind::Sequence(sequence) => !sequence.is_flow(),
        _ => false,
    }
}

/// The offset where the content of `node` ends.
pub(crate) fn end_of_node(node: NodeRef<'_>) -> TextSize {
    match node.elements().rev().find(|element| !element.kind().is_trivia()) {
        Some(ElementRef::Node(last)) => end_of_node(last),
        Some(ElementRef::Token(token)) => end_of_token(token),
        None => node.range().start,
    }
}

/// The range of `node` without the white space and comments after its content.
pub(crate) fn of_node(node: NodeRef<'_>) -> TextRange {
    TextRange::new(node.range().start, end_of_node(node))
}

/// The range of `item` with its dash; in brackets, with its anchor and tag.
pub(crate) fn of_item(item: Item<'_>) -> TextRange {
    let Some(node) = item.syntax() else {
        let value = item.value();
        let properties = value.anchor().into_iter().chain(value.tag()).map(|token| token.start);
        let range = item.range();
        return TextRange::new(properties.fold(range.start, TextSize::min), range.end);
    };
    of_node(node)
}

/// The offset where the content of `value` ends.
pub(crate) fn end_of_value(value: Value<'_>) -> TextSize {
    match (value.node(), value.kind()) {
        (Some(node), _) => end_of_node(node),
        (None, ValueKind::Scalar(scalar)) => end_of_token(scalar.token()),
        (None, _) => value.range().end,
    }
}

fn end_of_token(token: TokenRef<'_>) -> TextSize {
    if !token.kind.is_block_scalar() {
        return token.range().end;
    }
    let header = super::source::lines(token.text).next().unwrap_or_default();
    let header = header.split('#').next().unwrap_or_default();
    // With `+`, blank lines below are content; lines of white space may be content as well.
    let text = if header.contains('+') {
        let text = token.text;
        text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r'])).unwrap_or(text)
    } else {
        token.text.trim_end_matches(['\n', '\r'])
    };
    token.start + text.len() as TextSize
}

/// The range from the start of `value` to the end of its last line, which may have a comment.
pub(crate) fn with_trailing_comment(value: Value<'_>, source: &Source) -> TextRange {
    let end = source.line_end(end_of_value(value));
    let text = source.slice(TextRange::new(value.range().start, end)).trim_end_matches([' ', '\t']);
    TextRange::at(value.range().start, text.len() as TextSize)
}

/// Whether `value` contains comments.
pub(crate) fn has_comments(value: Value<'_>) -> bool {
    let mut found = Vec::new();
    if let Some(node) = value.node() {
        collect_comments(node, node.range(), &mut found);
    }
    let end = end_of_value(value);
    found.iter().any(|comment| comment.start < end)
}

/// The comments within `range`, in the order of the text.
pub(crate) fn collect_comments<'t>(node: NodeRef<'t>, range: TextRange, into: &mut Vec<TokenRef<'t>>) {
    for element in node.elements_touching(range) {
        if element.range().end <= range.start {
            continue;
        }
        if element.range().start >= range.end {
            break;
        }
        match element {
            ElementRef::Node(child) => collect_comments(child, range, into),
            ElementRef::Token(token) if token.kind == SyntaxKind::Comment => into.push(token),
            ElementRef::Token(_) => {}
        }
    }
}

/// Whether `node` ends in a block scalar without a final line break: appending one would change its value.
pub(crate) fn ends_in_block_scalar(node: NodeRef<'_>) -> bool {
    match node.elements().next_back() {
        Some(ElementRef::Node(last)) => ends_in_block_scalar(last),
        Some(ElementRef::Token(token)) if token.kind.is_block_scalar() => {
            let header = super::source::lines(token.text).next().unwrap_or_default();
            !token.text.ends_with(['\n', '\r']) && !header.split('#').next().unwrap_or_default().contains('-')
        }
        _ => false,
    }
}
