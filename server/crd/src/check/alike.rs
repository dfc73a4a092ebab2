//! Whether schemas differ only in what is wrong with them, so that repair makes them the same.

use text::TextRange;
use yaml::{Reader, Value, ValueKind};

use super::Budget;
use crate::schema::members;

/// Compares texts of schemas beside the places of errors.
pub(super) struct Comparison<'c, 't> {
    pub(super) reader: &'c Reader<'t>,
    pub(super) budget: &'c mut Budget,
    /// Where something is wrong.
    pub(super) errors: &'c [TextRange],
}

/// One of the two values that are compared, with the key that holds it.
type Side<'t> = (TextRange, Value<'t>);

impl<'t> Comparison<'_, 't> {
    /// Whether an error stands wherever `one` and `other` differ.
    pub(super) fn are_alike(&mut self, one: Side<'t>, other: Side<'t>) -> bool {
        if !self.budget.enter() {
            return false;
        }
        let are_alike = self.compare(one, other);
        self.budget.leave();
        are_alike
    }

    fn compare(&mut self, one: Side<'t>, other: Side<'t>) -> bool {
        let (Some(a), Some(b)) = (self.reader.follow(one.1), self.reader.follow(other.1)) else {
            return false;
        };
        match (a.kind(), b.kind()) {
            (ValueKind::Mapping(_), ValueKind::Mapping(_)) => self.mappings((one.0, a), (other.0, b)),
            (ValueKind::Sequence(first), ValueKind::Sequence(second)) => {
                let mut second = second.items();
                let are_alike = first.items().all(|item| {
                    let other = second.next().map(|other| (other.value().range(), other.value()));
                    other.is_some_and(|other| self.are_alike((item.value().range(), item.value()), other))
                });
                are_alike && second.next().is_none() || self.is_wrong(a.range()) || self.is_wrong(b.range())
            }
            (ValueKind::Scalar(first), ValueKind::Scalar(second)) if first.text() == second.text() => true,
            _ => [one.0, a.range(), other.0, b.range()].into_iter().any(|range| self.is_wrong(range)),
        }
    }

    fn mappings(&mut self, one: Side<'t>, other: Side<'t>) -> bool {
        let (Some(a), Some(b)) = (one.1.as_mapping(), other.1.as_mapping()) else { return false };
        let (first, second) = (members(a, self.reader), members(b, self.reader));
        if !self.budget.spend(first.entries.len() + second.entries.len()) {
            return false;
        }
        for (key, entry) in &first.entries {
            let is_alike = match second.get(key) {
                Some(same) => {
                    self.are_alike((entry.key_range(), entry.value()), (same.key_range(), same.value()))
                }
                None => self.is_wrong(entry.range()) || self.is_wrong_itself(other),
            };
            if !is_alike {
                return false;
            }
        }
        let added = second.entries.iter().filter(|(key, _)| first.get(key).is_none());
        added.into_iter().all(|(_, entry)| self.is_wrong(entry.range()) || self.is_wrong_itself(one))
    }

    /// Whether something is wrong with a mapping itself, rather than with one below it.
    fn is_wrong_itself(&self, (key, value): Side<'t>) -> bool {
        let entries = value.as_mapping().into_iter().flat_map(yaml::Mapping::entries);
        let own = entries.flat_map(|entry| {
            let scalar = entry.value().as_scalar().map(|_| entry.value().range());
            std::iter::once(entry.key_range()).chain(scalar)
        });
        std::iter::once(key).chain(own).any(|range| self.is_wrong(range))
    }

    fn is_wrong(&self, range: TextRange) -> bool {
        self.errors.iter().any(|error| error.overlaps(range))
    }
}
