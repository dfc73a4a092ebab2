//! The changes at one schema node.

use std::collections::BTreeSet;

use text::{TextEdit, TextRange};
use yaml::Value;
use yaml::edit::{Comments, EditError, Editor, NewEntry, NewValue, Position};

use crate::Applicability;
use crate::analysis::fix::Title;
use crate::analysis::place;

/// Changes that belong together.
#[derive(Clone, Debug)]
pub(super) struct Plan<'t> {
    /// The effect, for a menu.
    pub(super) title: Title,
    pub(super) applicability: Applicability,
    pub(super) changes: Vec<Change<'t>>,
    /// The field paths of the findings that they repair.
    pub(super) paths: Vec<String>,
    /// Whether it is offered only if no other plan repairs the same findings.
    pub(super) is_fallback: bool,
}

/// A change to the text.
#[derive(Clone, Debug)]
pub(super) enum Change<'t> {
    /// A new keyword in a schema.
    Insert(Value<'t>, NewEntry<'t>),
    /// A new field in `properties`.
    AddField(Value<'t>, NewEntry<'t>),
    /// A removed entry of a mapping. Its comments stay.
    Remove(Value<'t>, yaml::Entry<'t>),
    /// An entry of a mapping that is replaced with these comments.
    Comment(Value<'t>, yaml::Entry<'t>, Vec<String>),
    /// A removed item of a list.
    RemoveItem(Value<'t>, yaml::Item<'t>),
    /// An item of a list that moves after the last one.
    MoveToEnd(Value<'t>, yaml::Item<'t>),
    /// A new value.
    Replace(Value<'t>, NewValue<'t>),
    /// A new key.
    Rename(yaml::Entry<'t>, String),
    /// A new item of a list.
    Push(Value<'t>, NewValue<'t>),
    /// Quotes around a plain scalar.
    Quote(Value<'t>),
}

impl Plan<'_> {
    /// The first part of the codes that plans repair.
    pub(super) const GROUP: &'static str = "structural";
    /// Whether the plan changes anything within `range`.
    pub(super) fn touches(&self, range: TextRange) -> bool {
        self.changes.iter().any(|change| {
            let place = match change {
                Change::Insert(value, _)
                | Change::AddField(value, _)
                | Change::Replace(value, _)
                | Change::Push(value, _)
                | Change::Quote(value) => value.range(),
                Change::Remove(_, entry) | Change::Comment(_, entry, _) | Change::Rename(entry, _) => {
                    entry.range()
                }
                Change::RemoveItem(_, item) | Change::MoveToEnd(_, item) => item.range(),
            };
            range.contains_range(place)
        })
    }
}

/// The edits of `changes`; `None` if the editor cannot make them.
pub(super) fn edits<'t>(editor: &Editor<'t>, changes: &[Change<'t>]) -> Option<Vec<TextEdit>> {
    let mut editor = editor.fresh();
    apply(changes, &mut editor).ok()?;
    editor.finish().ok()
}

/// Passes `changes` to `editor`.
///
/// # Errors
/// If a scalar cannot be quoted.
pub(super) fn apply<'t>(changes: &[Change<'t>], editor: &mut Editor<'t>) -> Result<(), EditError> {
    let mut inserted: Vec<Insertion<'_, 't>> = Vec::new();
    for change in changes {
        match change {
            Change::Insert(into, entry) => {
                inserted.push(Insertion { into: *into, entry, is_keyword: true });
            }
            Change::AddField(into, entry) => {
                inserted.push(Insertion { into: *into, entry, is_keyword: false });
            }
            Change::Remove(from, entry) => editor.remove(*from, *entry, Comments::Keep),
            Change::Comment(from, entry, lines) => editor.comment_out(*from, *entry, lines.clone()),
            Change::RemoveItem(from, item) => editor.remove_item(*from, *item, Comments::Keep),
            Change::MoveToEnd(list, item) => editor.move_to_end(*list, *item),
            Change::Replace(value, with) => editor.replace(*value, with.clone()),
            Change::Rename(entry, key) => editor.rename(*entry, key),
            Change::Push(onto, item) => editor.push(*onto, item.clone()),
            Change::Quote(value) => editor.quote(*value)?,
        }
    }
    insert(inserted, editor);
    Ok(())
}

/// An entry to insert into a mapping.
struct Insertion<'c, 't> {
    into: Value<'t>,
    entry: &'c NewEntry<'t>,
    /// Whether its place follows from the order of the keywords.
    is_keyword: bool,
}

/// Inserts entries; entries at the same place keep their order.
fn insert<'t>(mut inserted: Vec<Insertion<'_, 't>>, editor: &mut Editor<'t>) {
    inserted.sort_by_cached_key(|Insertion { into, entry, is_keyword }| {
        let sorted = into.as_mapping().is_some_and(place::is_sorted);
        let name = sorted.then(|| entry.key.to_string());
        let rank = place::rank(&entry.key).filter(|_| *is_keyword).unwrap_or(u8::MAX);
        (into.range().start, name, rank)
    });
    // A mapping with an anchor occurs once for each of its aliases.
    let mut known = BTreeSet::new();
    inserted.retain(|Insertion { into, entry, .. }| known.insert((into.range().start, entry.key.as_ref())));
    for Insertion { into, entry, is_keyword } in inserted {
        match into.as_mapping() {
            Some(mapping) if place::is_sorted(mapping) => {
                editor.insert(into, place::by_name(mapping, &entry.key), place::sorted(entry.clone()));
            }
            Some(mapping) if is_keyword => {
                editor.insert(into, place::by_rank(mapping, &entry.key), entry.clone());
            }
            _ => editor.insert(into, Position::End, entry.clone()),
        }
    }
}
