//! Text of a `|` or `>` that is not indented more than its key. YAML reads the text as empty, and its lines
//! as keys without colons.

use text::{TextRange, TextSize};
use yaml::{Document, Entry, Mapping, Scalar, ValueKind};

use crate::analysis::text_at::{text_of, values_to};

/// An unindented text.
pub(crate) struct UnindentedText<'t> {
    /// The entry with that text as its intended value.
    pub(crate) entry: Entry<'t>,
    /// The `|` or `>`.
    pub(crate) scalar: Scalar<'t>,
    /// Its lines, from the first character to the last.
    pub(crate) lines: TextRange,
}

/// The unindented text with its first line at `start`.
pub(crate) fn beginning_at(document: Document<'_>, start: TextSize) -> Option<UnindentedText<'_>> {
    let mut mappings = values_to(document, start).filter_map(yaml::Value::as_mapping);
    let begins =
        |mapping: &Mapping<'_>| mapping.entry_before(start).is_some_and(|entry| entry.range().start == start);
    let mapping = mappings.find(begins)?;
    let entry = mapping.entry_before(start.checked_sub(1)?)?;
    let scalar = entry.value().as_scalar()?;
    if !scalar.style().is_block() || !scalar.text().trim().is_empty() {
        return None;
    }
    let behind = TextRange::new(start, mapping.range().end);
    let lines = mapping.entries_touching(behind).filter(|entry| entry.range().start >= start);
    let mut end = start;
    for line in
        lines.take_while(|entry| entry.colon().is_none() && matches!(entry.value().kind(), ValueKind::Absent))
    {
        // A blank line or a comment ends the text.
        let between = text_of(document.syntax(), TextRange::new(end, line.range().start));
        if end > start && (between.contains('#') || between.matches('\n').count() > 1) {
            break;
        }
        end = line.range().end;
    }
    (end > start).then_some(UnindentedText { entry, scalar, lines: TextRange::new(start, end) })
}
