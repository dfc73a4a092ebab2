//! The walk after an edit: reuses its results for the declarations that the edit does not affect.
//!
//! The walk does not depend on later text, so it starts at the first affected declaration. If the walk is in the same state
//! as before the edit after the last affected declaration, its further results are the same.

use std::ops::Range;
use std::sync::Arc;

use super::{MarkerComment, Target, Walk};
use crate::syntax::ByPlace;

/// The state of the walk between two declarations, and the number of results so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boundary {
    next: usize,
    last_line: Option<usize>,
    /// Whether no marker waits for a type.
    is_clear: bool,
    package: usize,
    moved: usize,
    types: usize,
    fields: usize,
}

impl Boundary {
    /// The group of the last line, if it still matters.
    fn line(self) -> Option<usize> {
        self.last_line.filter(|line| *line >= self.next)
    }
}

impl Walk<'_> {
    /// Notes the state of the walk.
    pub(super) fn at_boundary(&mut self) {
        let now = self.boundary();
        self.found.boundaries.push(now);
    }

    fn boundary(&self) -> Boundary {
        Boundary {
            next: self.next,
            last_line: self.last_line,
            is_clear: self.declaration.is_empty(),
            package: self.found.package.len(),
            moved: self.moved.len(),
            types: self.found.types.len(),
            fields: self.found.fields.len(),
        }
    }

    /// Advances to the first declaration that an edit affects, with the results before it. Returns the index
    /// of the declaration.
    pub(super) fn resumed(&mut self) -> Option<usize> {
        let earlier = self.earlier?;
        let before = &earlier.associated;
        let first = earlier.declarations.start;
        let at = *before.boundaries.get(first)?;
        // At the last group, the walk takes fewer steps.
        if !at.is_clear || at.next >= earlier.groups || at.next >= self.file.groups.len() {
            return None;
        }
        let package = before.package.get(..at.package)?;
        let moved = before.package.get(before.moved..before.moved + at.moved)?;
        self.found.package.extend_from_slice(package);
        self.moved.extend_from_slice(moved);
        self.found.types.extend(before.types.slice(0..at.types).iter().cloned());
        self.found.fields.extend(before.fields.slice(0..at.fields).iter().cloned());
        self.note_all(0..at.types, 0..at.fields);
        self.found.boundaries.extend_from_slice(before.boundaries.get(..first)?);
        (self.next, self.last_line) = (at.next, at.last_line);
        Some(first)
    }

    /// Reuses all following results if the walk, before the declaration with this index, is in the same state as before the
    /// edit; `None` otherwise.
    pub(super) fn caught_up(&mut self, number: usize) -> Option<()> {
        let earlier = self
            .earlier
            .filter(|earlier| number == earlier.declarations.start + earlier.replacement_count)?;
        let (before, shift) = (&earlier.associated, earlier.shift);
        let (last, end) = (before.boundaries.get(earlier.declarations.end)?, before.boundaries.last()?);
        let now = self.boundary();
        let is_same = last.is_clear
            && now.is_clear
            && last.next >= earlier.rest_group
            && now.next == shift.group_number(last.next)
            && now.line() == last.line().map(|line| shift.group_number(line));
        if !is_same {
            return None;
        }
        let following = before.boundaries.get(earlier.declarations.end + 1..)?;
        let package = before.package.get(last.package..end.package)?;
        let moved_before = before.package.get(before.moved + last.moved..)?;
        let moved = |comments: &[MarkerComment]| -> Vec<MarkerComment> {
            comments.iter().map(|comment| comment.shifted(shift)).collect()
        };
        self.found.package.extend(moved(package));
        self.moved.extend(moved(moved_before));
        let rest = |lists: &ByPlace, from: usize, to: &mut ByPlace| {
            let rest = lists.slice(from..lists.len()).iter();
            to.extend(rest.map(|(start, list)| (shift.shifted_offset(*start), Arc::from(moved(list)))));
        };
        rest(&before.types, last.types, &mut self.found.types);
        rest(&before.fields, last.fields, &mut self.found.fields);
        self.note_all(now.types..self.found.types.len(), now.fields..self.found.fields.len());
        self.found.boundaries.extend(following.iter().map(|boundary| Boundary {
            next: shift.group_number(boundary.next),
            last_line: boundary.line().map(|line| shift.group_number(line)),
            is_clear: boundary.is_clear,
            package: boundary.package - last.package + now.package,
            moved: boundary.moved - last.moved + now.moved,
            types: boundary.types - last.types + now.types,
            fields: boundary.fields - last.fields + now.fields,
        }));
        let end = *self.found.boundaries.last()?;
        (self.next, self.last_line) = (end.next, end.last_line);
        Some(())
    }

    /// Notes the results of parsing some lists.
    fn note_all(&mut self, types: Range<usize>, fields: Range<usize>) {
        let types = self.found.types.slice(types).iter().map(|(_, list)| (Target::Type, list));
        let fields = self.found.fields.slice(fields).iter().map(|(_, list)| (Target::Field, list));
        let lists: Vec<(Target, Arc<[MarkerComment]>)> =
            types.chain(fields).map(|(target, list)| (target, Arc::clone(list))).collect();
        for (target, list) in lists {
            list.iter().for_each(|comment| self.note(comment, target));
        }
    }
}
