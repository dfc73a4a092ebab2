//! Branches and fields that a plan leaves empty say nothing any more; they go as well where that changes nothing.

use std::collections::BTreeSet;

use crd::schema::{Keyword, Schema, is_null};
use text::{TextRange, TextSize};
use yaml::{Entry, Reader, Value};

use super::draft::Draft;
use super::node::Node;
use super::plan::Change;

/// What the plan removes and where it adds, by where it starts.
struct Emptied<'r, 't> {
    removed: BTreeSet<TextSize>,
    added_to: BTreeSet<TextSize>,
    reader: &'r Reader<'t>,
}

/// Removes what `draft` leaves empty in the branches of `node`. An `anyOf` or `allOf` of empty branches holds always;
/// an empty branch of `oneOf` or `not` means something and stays.
pub(super) fn tidy<'r, 't>(node: &Node<'r, 't>, draft: &mut Draft<'t>) {
    let mut emptied = Emptied { removed: BTreeSet::new(), added_to: BTreeSet::new(), reader: node.reader };
    for change in &draft.changes {
        match change {
            Change::Remove(_, entry) => emptied.removed.insert(entry.range().start),
            Change::Insert(into, _) => emptied.added_to.insert(into.range().start),
            Change::Replace(value, _) => emptied.added_to.insert(value.range().start),
        };
    }
    let mut gone: Vec<(Value<'t>, Entry<'t>)> = Vec::new();
    for junctor in [Keyword::AllOf, Keyword::AnyOf, Keyword::OneOf] {
        let Some(entry) = node.schema.entry(junctor) else { continue };
        let branches: Vec<Value<'t>> = node.schema.items(junctor).map(|item| item.value()).collect();
        let touched = branches.iter().any(|branch| emptied.touches(branch.range()));
        let all = touched && branches.iter().all(|branch| emptied.is_empty(*branch));
        if all && junctor != Keyword::OneOf {
            gone.push((node.value(), entry));
        } else {
            branches.into_iter().for_each(|branch| emptied.fields(branch, &mut gone));
        }
    }
    for (from, entry) in gone {
        let range = entry.range();
        draft.changes.retain(|change| match change {
            Change::Remove(_, entry) => !range.contains_range(entry.range()),
            _ => true,
        });
        draft.changes.push(Change::Remove(from, entry));
    }
}

impl<'r, 't> Emptied<'r, 't> {
    fn touches(&self, range: TextRange) -> bool {
        self.removed.range(range.start..=range.end).next().is_some()
    }

    /// Whether nothing is left of the schema at `value`.
    fn is_empty(&self, value: Value<'t>) -> bool {
        let Some(schema) = Schema::read(value, self.reader).filter(|_| !is_null(value)) else { return false };
        let stays = |(keyword, entry): (Keyword, Entry<'t>)| {
            let fields = || schema.members(Keyword::Properties).entries;
            let says_nothing = match keyword {
                Keyword::Properties => fields().iter().all(|(_, field)| self.is_empty(field.value())),
                Keyword::Items => self.is_empty(entry.value()),
                _ => false,
            };
            !(self.removed.contains(&entry.range().start) || says_nothing)
        };
        !self.added_to.contains(&value.range().start)
            && schema.unknown().is_empty()
            && !schema.entries().any(stays)
    }

    /// The fields of the branch at `value` of which nothing is left.
    fn fields(&self, value: Value<'t>, gone: &mut Vec<(Value<'t>, Entry<'t>)>) {
        let Some(schema) = Schema::read(value, self.reader) else { return };
        if let (Some(entry), Some(holder)) =
            (schema.entry(Keyword::Properties), schema.get(Keyword::Properties))
        {
            let fields = schema.members(Keyword::Properties).entries;
            let left = |field: &Entry<'t>| !self.touches(field.range()) || !self.is_empty(field.value());
            if fields.iter().any(|(_, field)| left(field)) {
                for (_, field) in fields {
                    if left(&field) {
                        self.fields(field.value(), gone);
                    } else {
                        gone.push((holder, field));
                    }
                }
            } else if !fields.is_empty() {
                gone.push((schema.value(), entry));
            }
        }
        if let Some(entry) = schema.entry(Keyword::Items).filter(|entry| self.touches(entry.range())) {
            if self.is_empty(entry.value()) {
                gone.push((schema.value(), entry));
            } else {
                self.fields(entry.value(), gone);
            }
        }
        for junctor in Keyword::BRANCHING {
            schema.items(junctor).for_each(|item| self.fields(item.value(), gone));
        }
    }
}
