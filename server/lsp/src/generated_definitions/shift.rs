//! The mapping of places between an earlier text and a later one.

use go::syntax::{common_end, common_start};
use text::{TextRange, TextSize};

/// The difference between two texts with a common beginning and a common end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shift {
    /// The number of equal bytes at the beginning.
    start: usize,
    before: usize,
    after: usize,
}

impl Shift {
    pub(crate) fn between(before: &str, after: &str) -> Self {
        let (old, new) = (before.as_bytes(), after.as_bytes());
        let start = common_start(old, new);
        let end = common_end(old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
        Self { start, before: before.len() - end, after: after.len() - end }
    }

    /// The shift with the change extended to whole lines, so that no range on a changed line is outside the change.
    pub(crate) fn of_lines(before: &str, after: &str) -> Self {
        let shift = Self::between(before, after);
        if shift.is_none() {
            return shift;
        }
        let start = before.get(..shift.start).and_then(|text| text.rfind('\n')).map_or(0, |at| at + 1);
        let rest = before.get(shift.before..).unwrap_or_default();
        let end = rest.find('\n').unwrap_or(rest.len());
        Self { start, before: shift.before + end, after: shift.after + end }
    }

    /// Whether nothing changed.
    const fn is_none(self) -> bool {
        self.start == self.before && self.start == self.after
    }

    /// The offset in the later text for `at` in the earlier one. An offset within the change maps to its beginning or its end.
    fn to_later(self, at: usize) -> usize {
        match at {
            _ if at <= self.start => at,
            _ if at >= self.before => at - self.before + self.after,
            _ => at.min(self.after).max(self.start),
        }
    }

    /// The offset in the earlier text for `at` in the later one.
    pub(crate) fn to_earlier(self, at: TextSize) -> TextSize {
        let turned = Self { start: self.start, before: self.after, after: self.before };
        TextSize::try_from(turned.to_later(at as usize)).unwrap_or(at)
    }

    /// A range of the earlier text in the later one; `None` if the change touches it.
    pub(crate) fn unaffected(self, range: TextRange) -> Option<TextRange> {
        let (start, end) = (range.start as usize, range.end as usize);
        (self.is_none() || end < self.start || start > self.before).then(|| self.range(range)).flatten()
    }

    /// A range of the earlier text in the later one; `None` if all of it was replaced.
    pub(crate) fn range(self, range: TextRange) -> Option<TextRange> {
        let (start, end) = (range.start as usize, range.end as usize);
        let is_gone = start > self.start && end < self.before || start == self.start && end == self.before;
        if is_gone && self.before > self.start {
            return None;
        }
        let at = |at: usize| TextSize::try_from(self.to_later(at)).unwrap_or(TextSize::MAX);
        let (start, end) = (at(start), at(end));
        Some(TextRange::new(start, end.max(start)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_around_a_change_move_with_it() {
        let shift = Shift::between("ab cd ef", "ab XXX cd ef");
        assert_eq!(shift.range(TextRange::new(0, 2)), Some(TextRange::new(0, 2)));
        assert_eq!(shift.range(TextRange::new(6, 8)), Some(TextRange::new(10, 12)));
        assert_eq!(shift.to_earlier(10), 6);
        let same = Shift::between("ab", "ab");
        assert_eq!((same.range(TextRange::new(0, 2)), same.to_earlier(1)), (Some(TextRange::new(0, 2)), 1));
    }

    #[test]
    fn ranges_that_a_change_touches_are_not_unaffected() {
        let shift = Shift::between("ab cd ef", "ab cXd ef");
        assert_eq!(shift.unaffected(TextRange::new(0, 2)), Some(TextRange::new(0, 2)));
        assert_eq!(shift.unaffected(TextRange::new(3, 5)), None);
        assert_eq!(shift.unaffected(TextRange::new(4, 5)), None);
        assert_eq!(shift.unaffected(TextRange::new(6, 8)), Some(TextRange::new(7, 9)));
        assert_eq!(Shift::between("ab", "ab").unaffected(TextRange::new(0, 2)), Some(TextRange::new(0, 2)));
    }

    #[test]
    fn ranges_on_a_changed_line_are_not_unaffected() {
        let shift = Shift::of_lines("a b\nc d\ne f\n", "a b\nc xd\ne f\n");
        assert_eq!(shift.unaffected(TextRange::new(0, 3)), Some(TextRange::new(0, 3)));
        assert_eq!(shift.unaffected(TextRange::new(4, 5)), None);
        assert_eq!(shift.unaffected(TextRange::new(6, 7)), None);
        assert_eq!(shift.unaffected(TextRange::new(8, 9)), Some(TextRange::new(9, 10)));
        assert_eq!(Shift::of_lines("ab", "ab").unaffected(TextRange::new(0, 2)), Some(TextRange::new(0, 2)));
    }

    #[test]
    fn replaced_ranges_are_removed_and_ranges_around_them_stay() {
        let shift = Shift::between("a [b] c", "a [xyz] c");
        assert_eq!(shift.range(TextRange::new(3, 4)), None);
        assert_eq!(shift.range(TextRange::new(2, 5)), Some(TextRange::new(2, 7)));
    }
}
