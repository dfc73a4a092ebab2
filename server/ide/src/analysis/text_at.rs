//! The document, the definition and the text at an offset.

use crd::object::{CustomResourceDefinition, definitions};
use text::{TextRange, TextSize};
use yaml::syntax::ElementRef;
use yaml::{Document, Entry, Item, NodeRef, Reader, Tree, Value, ValueKind};

/// The number of bytes that are read at a time to find the end of a line.
const LINE_PIECE: TextSize = 256;

/// The document that contains `offset` (in bytes).
pub(crate) fn document_at(tree: &Tree, offset: TextSize) -> Option<Document<'_>> {
    let before = tree.documents().take_while(|document| document.range().start <= offset);
    before.last().filter(|document| document.range().touches(offset))
}

/// The values on the path from the root of `document` to the value that starts last before `offset` (in
/// bytes).
pub(crate) fn values_to(document: Document<'_>, offset: TextSize) -> impl Iterator<Item = Value<'_>> {
    std::iter::successors(document.root(), move |value| match value.kind() {
        ValueKind::Mapping(mapping) => mapping.entry_before(offset).map(Entry::value),
        ValueKind::Sequence(list) => list.item_before(offset).map(Item::value),
        _ => None,
    })
}

/// The end of the bracket or brace that closes `value`, in bytes; `None` if `value` is not closed.
pub(crate) fn closed_at(value: Value<'_>) -> Option<TextSize> {
    let last = value.node()?.tokens().next_back()?;
    matches!(last.text, "]" | "}").then(|| last.range().end)
}

/// The definition in `document` that contains `offset` (in bytes).
pub(crate) fn definition_at<'r, 't>(
    document: Document<'t>,
    reader: &'r Reader<'t>,
    offset: TextSize,
) -> Option<CustomResourceDefinition<'r, 't>> {
    let mut definitions = definitions(document, reader).into_iter();
    definitions.rfind(|definition| definition.value().range().touches(offset))
}

/// The text of `range`, without incomplete characters.
pub(crate) fn text_of(node: NodeRef<'_>, range: TextRange) -> String {
    let mut out = String::new();
    collect(node, range, &mut out);
    out
}

/// The text of `range` up to the end of its first line.
pub(crate) fn line_of(node: NodeRef<'_>, range: TextRange) -> String {
    let mut line = String::new();
    let mut start = range.start;
    // The text is read in pieces, because lines are short.
    while start < range.end {
        let end = range.end.min(start + LINE_PIECE);
        let piece = text_of(node, TextRange::new(start, end));
        if let Some(end_of_line) = piece.find(['\n', '\r']) {
            line.push_str(piece.get(..end_of_line).unwrap_or_default());
            break;
        }
        start = end.max(start + piece.len() as TextSize);
        line.push_str(&piece);
    }
    line
}

/// Appends the text of `range`, without incomplete characters.
fn collect(node: NodeRef<'_>, range: TextRange, out: &mut String) {
    for element in node.elements_touching(range) {
        match element {
            ElementRef::Node(node) => collect(node, range, out),
            ElementRef::Token(token) => {
                let from = range.start.saturating_sub(token.start) as usize;
                let to = range.end.saturating_sub(token.start) as usize;
                let from = text::ceil_char_boundary(token.text, from);
                let to = text::floor_char_boundary(token.text, to);
                out.push_str(token.text.get(from..to).unwrap_or_default());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use text::TextRange;
    use yaml::Tree;

    use crate::analysis::text_at::line_of;

    #[test]
    fn a_long_line_is_read_in_time_proportional_to_its_length() {
        let text = format!("[{}1]\nnext", "'a long item', ".repeat(140_000));
        let tree = Tree::parse(&text);
        let started = Instant::now();
        let line = line_of(tree.root(), TextRange::new(0, text.len() as u32));
        assert_eq!(line, text.trim_end_matches("\nnext"));
        // It took seconds when each piece was joined to the line before the search for its end.
        assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
    }
}
