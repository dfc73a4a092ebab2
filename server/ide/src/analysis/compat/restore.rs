//! Fixes that take a breaking change back: they restore the earlier text of the change and keep the rest.

use api::Code;
use crd::compat::Change;
use text::{TextRange, TextSize};
use yaml::edit::{Comments, EditError, Editor, NewEntry, NewValue, Position};
use yaml::scalar::ResolvedScalar;
use yaml::{Document, Entry, Reader, Value, ValueKind};

use crate::Fix;
use crate::analysis::fix::Title;

/// The fix that takes `change` back if it is about one entry of a mapping. `new` and `old` are the compared
/// documents; `revision` names the old one.
pub(super) fn restore(change: &Change, new: Document<'_>, old: Document<'_>, revision: &str) -> Option<Fix> {
    let now = entry_at(new.root()?, change.range.start)?;
    let editor = Editor::new(new);
    let revision = revision_name(revision);
    let (title, edits) = if change.code == Code::CompatVersionRemoved {
        keep_version(change, now, (old, &revision), editor)?
    } else {
        let before = entry_at(old.root()?, change.before?.start)?;
        restore_entry(change, (now, before), (Reader::new(old), &revision), editor)?
    };
    let edits = edits.ok().filter(|edits| !edits.is_empty())?;
    Some(Fix::suggested(title, edits, change.code, change.range))
}

/// A revision for a title: `HEAD` in backticks, `the main branch` as it is.
fn revision_name(revision: &str) -> String {
    if revision.contains(' ') { revision.to_owned() } else { format!("`{revision}`") }
}

type RestoredText = (Title, Result<Vec<text::TextEdit>, EditError>);

fn restore_entry<'n>(
    change: &Change,
    (now, before): (HeldEntry<'n>, HeldEntry<'_>),
    (old, revision): (Reader<'_>, &str),
    mut editor: Editor<'n>,
) -> Option<RestoredText> {
    let (key, earlier) = (now.entry.key_text()?, before.entry.key_text()?);
    let title = if key == earlier && change.code != Code::CompatFieldRemoved {
        editor.replace(now.entry.value(), copied_value(before.entry.value(), &old)?);
        format!("Restore `{key}` from {revision}").into()
    } else if change.field_path.segments().last().and_then(crd::Segment::key) == Some(&*key)
        && is_keyword(change, &key)
    {
        editor.remove(now.holder, now.entry, Comments::Keep);
        Title::removal(format_args!("`{key}`, which {revision} does not have"))
    } else {
        let entry = NewEntry::new(earlier.clone().into_owned(), copied_value(before.entry.value(), &old)?);
        editor.insert(now.entry.value(), Position::End, entry);
        format!("Restore `{earlier}` from {revision}").into()
    };
    Some((title, editor.finish()))
}

/// Whether `key` is the keyword that the change is about, rather than a property with the same name.
fn is_keyword(change: &Change, key: &str) -> bool {
    change.code != Code::CompatFieldRemoved
        && matches!(change.field_path.segments().last(), Some(crd::Segment::Name(name)) if name == key)
}

/// Keeps the version without serving it.
fn keep_version<'n>(
    change: &Change,
    versions: HeldEntry<'n>,
    (old, revision): (Document<'_>, &str),
    mut editor: Editor<'n>,
) -> Option<RestoredText> {
    let item = item_at(old.root()?, change.before?.start)?;
    let NewValue::Mapping { mut entries, flow } = copied_value(item, &Reader::new(old))? else { return None };
    for entry in entries.iter_mut().filter(|entry| matches!(&*entry.key, "served" | "storage")) {
        entry.value = NewValue::Raw("false".to_owned());
    }
    versions.entry.value().as_sequence()?;
    editor.push(versions.entry.value(), NewValue::Mapping { entries, flow });
    let name = change.version.as_deref().unwrap_or_default();
    let title = format!("Restore version `{name}` from {revision} with `served: false`");
    Some((title.into(), editor.finish()))
}

/// An entry, and its mapping.
#[derive(Clone, Copy)]
pub(super) struct HeldEntry<'t> {
    holder: Value<'t>,
    pub(super) entry: Entry<'t>,
}

/// The entry whose key starts at `offset`.
pub(super) fn entry_at(root: Value<'_>, offset: TextSize) -> Option<HeldEntry<'_>> {
    let mut value = root;
    loop {
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                let entry = mapping.entries().find(|entry| contains_offset(entry.range(), offset))?;
                if entry.key_range().start == offset {
                    return Some(HeldEntry { holder: value, entry });
                }
                value = entry.value();
            }
            ValueKind::Sequence(sequence) => {
                value = sequence.items().find(|item| contains_offset(item.range(), offset))?.value();
            }
            _ => return None,
        }
    }
}

/// The value of the innermost item that starts at `offset`.
fn item_at(root: Value<'_>, offset: TextSize) -> Option<Value<'_>> {
    let mut value = root;
    let mut found = None;
    loop {
        value = match value.kind() {
            ValueKind::Mapping(mapping) => {
                match mapping.entries().find(|entry| contains_offset(entry.range(), offset)) {
                    Some(entry) => entry.value(),
                    None => return found,
                }
            }
            ValueKind::Sequence(sequence) => {
                let item = sequence.items().find(|item| contains_offset(item.range(), offset))?;
                if item.range().start == offset || item.value().range().start == offset {
                    found = Some(item.value());
                }
                item.value()
            }
            _ => return found,
        };
    }
}

fn contains_offset(range: TextRange, offset: TextSize) -> bool {
    range.start <= offset && offset < range.end
}

/// Returns `value`, which may be in another document, in a form to be written; aliases are replaced by their
/// values.
fn copied_value<'n>(value: Value<'_>, reader: &Reader<'_>) -> Option<NewValue<'n>> {
    let value = reader.follow(value)?;
    Some(match value.kind() {
        ValueKind::Mapping(mapping) => NewValue::Mapping {
            flow: mapping.is_flow(),
            entries: mapping
                .entries()
                .map(|entry| {
                    Some(NewEntry::new(entry.key_text()?.into_owned(), copied_value(entry.value(), reader)?))
                })
                .collect::<Option<_>>()?,
        },
        ValueKind::Sequence(sequence) => NewValue::Sequence {
            flow: sequence.is_flow(),
            items: sequence.items().map(|item| copied_value(item.value(), reader)).collect::<Option<_>>()?,
        },
        ValueKind::Scalar(scalar) => match scalar.resolve().ok()? {
            ResolvedScalar::String(text) => NewValue::Text(text.into_owned()),
            other => NewValue::Raw(yaml::scalar::to_json(&other)),
        },
        ValueKind::Alias(_) | ValueKind::Absent => NewValue::Raw("null".to_owned()),
    })
}
