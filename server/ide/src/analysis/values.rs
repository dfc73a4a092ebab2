//! Reads and compares values, and builds values to be written.

use text::{TextEdit, TextRange, TextSize};
use yaml::edit::NewValue;
use yaml::{Document, Entry, Value, ValueKind};

use crate::analysis::text_at::text_of;

/// The string `value`; `None` if it is not a string or is empty.
pub(crate) fn string(value: Value<'_>) -> Option<String> {
    let text = value.as_scalar()?.as_str()?;
    (!text.is_empty()).then(|| text.into_owned())
}

/// The entry for `key` in the mapping `of` itself, without merges.
pub(crate) fn own_entry<'t>(of: Value<'t>, key: &str) -> Option<Entry<'t>> {
    of.as_mapping()?.entries().rfind(|entry| entry.key_text().is_some_and(|text| text == key))
}

/// Whether two values have the same keys and scalars, in any layout and any order of keys.
pub(crate) fn are_same(one: Value<'_>, other: Value<'_>) -> bool {
    match (one.kind(), other.kind()) {
        (ValueKind::Mapping(one), ValueKind::Mapping(other)) => {
            one.entries().count() == other.entries().count()
                && one.entries().all(|entry| {
                    let same = other
                        .entries()
                        .find(|other| entry.key_text().is_some() && other.key_text() == entry.key_text());
                    same.is_some_and(|same| are_same(entry.value(), same.value()))
                })
        }
        (ValueKind::Sequence(one), ValueKind::Sequence(other)) => {
            one.items().count() == other.items().count()
                && one.items().zip(other.items()).all(|(one, other)| are_same(one.value(), other.value()))
        }
        (ValueKind::Scalar(one), ValueKind::Scalar(other)) => {
            one.resolve().is_ok_and(|read| other.resolve() == Ok(read))
        }
        (ValueKind::Absent, ValueKind::Absent) => true,
        _ => false,
    }
}

/// `text` as a new string.
pub(crate) fn text<'t>(text: impl Into<String>) -> NewValue<'t> {
    NewValue::Text(text.into())
}

/// `text` as a new scalar, exactly as given.
pub(crate) fn raw<'t>(text: impl Into<String>) -> NewValue<'t> {
    NewValue::Raw(text.into())
}

/// The entry whose key is at `range`, and its mapping.
pub(crate) fn entry_at(document: Document<'_>, range: TextRange) -> Option<(Value<'_>, Entry<'_>)> {
    let mut node = document.syntax();
    loop {
        let value = Value::of_node(node);
        let mut entries = value.as_mapping().into_iter().flat_map(yaml::Mapping::entries);
        if let Some(entry) = entries.find(|entry| entry.key_range() == range) {
            return Some((value, entry));
        }
        node = node.nodes().find(|child| child.range().contains_range(range))?;
    }
}

/// The edit that inserts a line with `key` at `column` above the line of `at`; `None` if that is the first
/// line.
pub(crate) fn key_above(document: Document<'_>, at: TextSize, column: usize, key: &str) -> Option<TextEdit> {
    let start = document.range().start;
    let before = text_of(document.syntax(), TextRange::new(start, at));
    let line = start + (before.rfind('\n')? + 1) as TextSize;
    Some(TextEdit::insert(line, key_line(column, key, newline(&before))))
}

/// A line with `key` at `column` and no value.
pub(crate) fn key_line(column: usize, key: &str, newline: &str) -> String {
    format!("{}{key}:{newline}", " ".repeat(column))
}

/// The line ending of `text`.
pub(crate) fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}
