//! Replaces repeated schemas with aliases of one anchor, and the reverse.

use text::{TextEdit, TextRange};
use yaml::edit::{Editor, NewEntry, NewValue};
use yaml::{Document, Entry, Value, ValueKind};

use super::target::RefactoringTarget;
use super::{EditGuarantee, Offer, RefactoringKind};
use crate::analysis::values::are_same;
use crate::migrate::comments::Notes;

/// The smallest size for which an alias is useful, in bytes.
const LEAST: u32 = 40;

/// Replaces all schemas that equal the one at the place with an alias, and adds an anchor to the first of
/// them.
pub(super) fn extract(target: &RefactoringTarget<'_, '_>, editor: &Editor<'_>) -> Vec<Offer> {
    let (Some((_, entry)), Some(at)) = (target.entry(), target.schema()) else { return Vec::new() };
    let own = entry.value();
    let is_schema = at.schema.value().range() == own.range() && own.as_mapping().is_some();
    // JSON has no anchors.
    if !is_schema || editor.is_json() || own.range().len() < LEAST || own.tag().is_some() {
        return Vec::new();
    }
    let notes = Notes::of(target.document);
    let mut same: Vec<Entry<'_>> = Vec::new();
    each_entry(target.definition.value(), &mut |other| {
        let value = other.value();
        if value.tag().is_none() && value.as_mapping().is_some() && are_same(value, own) {
            same.push(other);
        }
    });
    same.sort_by_key(|entry| entry.range().start);
    let Some((first, others)) = same.split_first() else { return Vec::new() };
    let others: Vec<&Entry<'_>> = others
        .iter()
        .filter(|other| other.value().anchor().is_none() && !notes.any_in(other.range()))
        .collect();
    let Some(colon) = first.colon().filter(|_| !others.is_empty()) else { return Vec::new() };
    let name = match first.value().anchor() {
        Some(anchor) => anchor.text.trim_start_matches('&').to_owned(),
        None => free_name(&first.key_text().unwrap_or_default(), target.document),
    };
    let edits = super::edits(editor, |editor| {
        others.iter().for_each(|other| editor.replace(other.value(), NewValue::Raw(format!("*{name}"))));
    });
    let edits = edits.map(|mut edits| {
        if first.value().anchor().is_none() {
            edits.push(TextEdit::insert(colon.range().end, format!(" &{name}")));
        }
        edits.sort();
        edits
    });
    let copies = if others.len() == 1 {
        "one other copy".to_owned()
    } else {
        format!("{} other copies", others.len())
    };
    vec![Offer {
        title: format!("Replace {copies} of this schema with the alias `*{name}`"),
        kind: RefactoringKind::Extract,
        edits,
        promise: EditGuarantee::SameData,
    }]
}

/// Replaces an alias with the schema that it refers to, at this place or at all places.
pub(super) fn inline(target: &RefactoringTarget<'_, '_>, editor: &Editor<'_>) -> Vec<Offer> {
    let Some((_, entry)) = target.entry() else { return Vec::new() };
    let value = entry.value();
    let (anchored, token) = match value.kind() {
        ValueKind::Alias(token) => (target.reader.anchor(token), Some(token)),
        _ => (value.anchor().map(|_| value), None),
    };
    let Some(anchored) = anchored else { return Vec::new() };
    let (Some(anchor), Some(copy)) = (anchored.anchor(), copied(anchored)) else { return Vec::new() };
    let name = anchor.text.trim_start_matches('&');
    let mut offers = Vec::new();
    if let Some(token) = token.filter(|_| !entry.is_merge()) {
        offers.push(Offer {
            title: format!("Expand `{}` here", token.text),
            kind: RefactoringKind::Inline,
            edits: super::edits(editor, |editor| editor.replace(value, copy.clone())),
            promise: EditGuarantee::SameData,
        });
    }
    let mut users = Vec::new();
    each_entry(target.definition.value(), &mut |entry| {
        if let ValueKind::Alias(token) = entry.value().kind()
            && target.reader.anchor(token).is_some_and(|other| other.range() == anchored.range())
        {
            users.push(entry);
        }
    });
    if !users.is_empty() && !users.iter().any(|entry| entry.is_merge()) {
        let edits = super::edits(editor, |editor| {
            users.iter().for_each(|entry| editor.replace(entry.value(), copy.clone()));
        });
        let edits = edits.map(|mut edits| {
            // Including the space before it.
            let range = anchor.range();
            edits.push(TextEdit::delete(TextRange::new(range.start.saturating_sub(1), range.end)));
            edits.sort();
            edits
        });
        offers.push(Offer {
            title: format!("Expand `*{name}` everywhere and remove the anchor"),
            kind: RefactoringKind::Inline,
            edits,
            promise: EditGuarantee::SameData,
        });
    }
    offers
}

/// The content of `value` without its anchor; `None` if it contains anchors or aliases.
fn copied(value: Value<'_>) -> Option<NewValue<'_>> {
    match value.kind() {
        ValueKind::Mapping(mapping) => {
            let entries: Option<Vec<NewEntry<'_>>> = mapping.entries().map(NewEntry::copy).collect();
            Some(NewValue::Mapping { entries: entries?, flow: mapping.is_flow() })
        }
        ValueKind::Sequence(sequence) => {
            let items = sequence.items().map(|item| NewValue::Copy(item.value())).collect();
            Some(NewValue::Sequence { items, flow: sequence.is_flow() })
        }
        ValueKind::Scalar(scalar) => {
            let text = scalar.token().text;
            let is_line = !text.contains(['\n', '\r']);
            Some(if is_line {
                NewValue::Raw(text.to_owned())
            } else {
                NewValue::Text(scalar.text().into_owned())
            })
        }
        ValueKind::Alias(_) | ValueKind::Absent => None,
    }
}

/// Calls `visit` for all entries below `value`, those of each mapping in order. Iterative, without recursion.
fn each_entry<'t>(value: Value<'t>, visit: &mut dyn FnMut(Entry<'t>)) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                let entries: Vec<Entry<'t>> = mapping.entries().collect();
                open.extend(entries.iter().map(|entry| entry.value()));
                entries.into_iter().for_each(&mut *visit);
            }
            ValueKind::Sequence(sequence) => open.extend(sequence.items().map(yaml::Item::value)),
            _ => {}
        }
    }
}

/// A name similar to `wanted` that no anchor has yet.
fn free_name(wanted: &str, document: Document<'_>) -> String {
    let plain: String = wanted.chars().filter(|char| char.is_ascii_alphanumeric()).collect();
    let plain = if plain.is_empty() { "schema".to_owned() } else { plain };
    let mut taken = Vec::new();
    if let Some(root) = document.root() {
        each_entry(root, &mut |entry| taken.extend(entry.value().anchor().map(|anchor| anchor.text)));
    }
    let is_free = |name: &String| !taken.iter().any(|text| text.trim_start_matches('&') == name);
    let numbered = (2..).map(|number| format!("{plain}{number}"));
    std::iter::once(plain.clone()).chain(numbered).find(is_free).unwrap_or_default()
}
