//! Plants mistakes in the text of a definition, and keeps its comments and layout.

use serde_json::Value as Json;
use text::TextEdit;
use yaml::edit::{Comments, Editor, NewEntry, NewValue, Position};
use yaml::{Document, Value, ValueKind};

/// The edits that change `document`, which contains `old`, to `new`; `None` if the text has aliases or merge
/// keys there.
pub(crate) fn edits(document: Document<'_>, old: &Json, new: &Json) -> Option<Vec<TextEdit>> {
    let mut editor = Editor::new(document);
    change(document.root()?, old, new, &mut editor)?;
    editor.finish().ok()
}

fn change<'t>(value: Value<'t>, old: &Json, new: &Json, editor: &mut Editor<'t>) -> Option<()> {
    if old == new {
        return Some(());
    }
    match (value.kind(), old, new) {
        (ValueKind::Mapping(mapping), Json::Object(old), Json::Object(new)) => {
            for entry in mapping.entries() {
                let key = entry.key_text()?;
                match (old.get(key.as_ref()), new.get(key.as_ref())) {
                    (Some(old), Some(new)) => change(entry.value(), old, new, editor)?,
                    (Some(_), None) => editor.remove(value, entry, Comments::Keep),
                    _ => return None,
                }
            }
            for (key, new) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
                editor.insert(value, Position::End, NewEntry::new(key.clone(), new_value(new)));
            }
            // The entries of a merge key are at another place.
            let own = mapping.entries().filter_map(yaml::Entry::key_text).count();
            (own == old.len()).then_some(())
        }
        (ValueKind::Sequence(sequence), Json::Array(old), Json::Array(new)) if old.len() <= new.len() => {
            for (item, (old, new)) in sequence.items().zip(old.iter().zip(new)) {
                change(item.value(), old, new, editor)?;
            }
            new.iter().skip(old.len()).for_each(|new| editor.push(value, new_value(new)));
            Some(())
        }
        (ValueKind::Alias(_), ..) => None,
        _ => {
            editor.replace(value, new_value(new));
            Some(())
        }
    }
}

fn new_value<'t>(json: &Json) -> NewValue<'t> {
    match json {
        Json::String(text) => NewValue::Text(text.clone()),
        Json::Array(items) => {
            NewValue::Sequence { items: items.iter().map(new_value).collect(), flow: false }
        }
        Json::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| NewEntry::new(key.clone(), new_value(value)));
            NewValue::Mapping { entries: entries.collect(), flow: false }
        }
        scalar => NewValue::Raw(scalar.to_string()),
    }
}
