//! Compares schemas that differ only at the places of errors, so that fixing the errors makes them the same.

use text::{TextRange, TextSize};
use yaml::{Reader, Value, ValueKind};

use crate::reading::Budget;
use crate::reading::members;

/// The places of errors: their starts in ascending order, each with the greatest end up to it.
pub(crate) struct ErrorPlaces(Vec<(TextSize, TextSize)>);

impl ErrorPlaces {
    pub(crate) fn new(errors: impl Iterator<Item = TextRange>) -> Self {
        let mut places: Vec<(TextSize, TextSize)> = errors.map(|error| (error.start, error.end)).collect();
        places.sort_unstable();
        let mut last = 0;
        for (_, end) in &mut places {
            last = last.max(*end);
            *end = last;
        }
        Self(places)
    }

    /// Whether an error overlaps or touches `range`.
    fn touches(&self, range: TextRange) -> bool {
        let before = self.0.partition_point(|(start, _)| *start <= range.end);
        let last = before.checked_sub(1).and_then(|at| self.0.get(at));
        last.is_some_and(|(_, end)| *end >= range.start)
    }
}

/// Compares two schemas, apart from the places of errors.
pub(crate) struct Comparison<'c, 't> {
    pub(crate) reader: &'c Reader<'t>,
    pub(crate) budget: &'c mut Budget,
    pub(crate) wrong: &'c ErrorPlaces,
}

/// One of the two values that are compared, with the key that holds it.
type ComparedValue<'t> = (TextRange, Value<'t>);

impl<'t> Comparison<'_, 't> {
    /// Whether `one` and `other` differ only at the places of errors.
    pub(crate) fn are_alike(&mut self, one: ComparedValue<'t>, other: ComparedValue<'t>) -> bool {
        if !self.budget.enter() {
            return false;
        }
        let are_alike = self.compare(one, other);
        self.budget.leave();
        are_alike
    }

    fn compare(&mut self, one: ComparedValue<'t>, other: ComparedValue<'t>) -> bool {
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
                are_alike && second.next().is_none()
                    || self.wrong.touches(a.range())
                    || self.wrong.touches(b.range())
            }
            (ValueKind::Scalar(first), ValueKind::Scalar(second)) if first.text() == second.text() => true,
            _ => [one.0, a.range(), other.0, b.range()].into_iter().any(|range| self.wrong.touches(range)),
        }
    }

    fn mappings(&mut self, one: ComparedValue<'t>, other: ComparedValue<'t>) -> bool {
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
                None => self.wrong.touches(entry.range()) || self.is_wrong_itself(other),
            };
            if !is_alike {
                return false;
            }
        }
        let added = second.entries.iter().filter(|(key, _)| first.get(key).is_none());
        added.into_iter().all(|(_, entry)| self.wrong.touches(entry.range()) || self.is_wrong_itself(one))
    }

    /// Whether an error is in the mapping itself: at its key, at one of its keys or in a scalar value.
    fn is_wrong_itself(&self, (key, value): ComparedValue<'t>) -> bool {
        let entries = value.as_mapping().into_iter().flat_map(yaml::Mapping::entries);
        let own = entries.flat_map(|entry| {
            let scalar = entry.value().as_scalar().map(|_| entry.value().range());
            std::iter::once(entry.key_range()).chain(scalar)
        });
        std::iter::once(key).chain(own).any(|range| self.wrong.touches(range))
    }
}
