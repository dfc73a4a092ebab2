//! Converts ranges between a text before edits and the edited text.

use text::{TextEdit, TextRange, TextSize};
use yaml::Tree;

/// The tree after sorted `edits` of `text`, whose tree is `tree`. It shares the nodes that no edit touches.
pub(crate) fn tree_after(tree: &Tree, text: &str, edits: &[TextEdit]) -> Tree {
    let edits = joined(text, edits);
    if let [edit] = edits.as_slice() {
        return tree.edited(edit, &|range| slice_after(text, edit, range));
    }
    let (mut tree, mut text) = (tree.clone(), text.to_owned());
    for edit in edits.iter().rev() {
        text.replace_range(edit.range.as_usize(), &edit.new_text);
        tree = tree.edited(edit, &|range| text.get(range.as_usize()).unwrap_or_default().to_owned());
    }
    tree
}

/// The text at `range` after `edit` of `text`, which is not copied.
fn slice_after(text: &str, edit: &TextEdit, range: TextRange) -> String {
    let new_end = edit.range.start + edit.new_text.len() as TextSize;
    let behind = |at: TextSize| at.saturating_sub(new_end) + edit.range.end;
    let part = |of: &str, start: TextSize, end: TextSize| {
        of.get(start as usize..end as usize).unwrap_or_default().to_owned()
    };
    let mut out = part(text, range.start.min(edit.range.start), range.end.min(edit.range.start));
    let within = |at: TextSize| at.clamp(edit.range.start, new_end) - edit.range.start;
    out.push_str(&part(&edit.new_text, within(range.start), within(range.end)));
    if range.end > new_end {
        out.push_str(&part(text, behind(range.start), behind(range.end)));
    }
    out
}

/// The maximum number of bytes between edits that are made as one.
const MOST_BETWEEN: TextSize = 200;

/// The number of parts of the text that [`tree_after`] parses for sorted `edits`.
pub(crate) fn parsed_parts(edits: &[TextEdit]) -> usize {
    groups(edits).count()
}

/// `edits` in groups of those on neighbouring lines.
fn groups(edits: &[TextEdit]) -> impl Iterator<Item = &[TextEdit]> {
    edits.chunk_by(|one, next| {
        next.range.start.checked_sub(one.range.end).is_some_and(|between| between <= MOST_BETWEEN)
    })
}

/// `edits` of `text`, with those on neighbouring lines as one, so that these lines are parsed once.
fn joined(text: &str, edits: &[TextEdit]) -> Vec<TextEdit> {
    let join = |group: &[TextEdit]| {
        let ([first, ..], [.., last]) = (group, group) else { return None };
        let whole = TextRange::new(first.range.start, last.range.end);
        let replaced = text.get(whole.as_usize()).filter(|_| group.len() > 1);
        Some(match replaced {
            Some(replaced) => TextEdit::replace(whole, text::applied(replaced, whole.start, group)),
            None => first.clone(),
        })
    };
    groups(edits).filter_map(join).collect()
}

/// The distances by which edits move the text after them.
pub(crate) struct Shifts {
    shifts: Vec<Shift>,
}

/// The effect of one edit.
struct Shift {
    /// The replaced range in the text before the edits.
    old: TextRange,
    /// The start and the end of the new text in the edited text.
    start: i64,
    end: i64,
    /// The shift of all text after it.
    by: i64,
}

impl Shifts {
    /// The shifts of sorted edits.
    pub(crate) fn of(edits: &[TextEdit]) -> Self {
        let mut by = 0_i64;
        let all = edits.iter().map(|edit| {
            let start = i64::from(edit.range.start) + by;
            by += edit.new_text.len() as i64 - i64::from(edit.range.len());
            Shift { old: edit.range, start, end: start + edit.new_text.len() as i64, by }
        });
        Self { shifts: all.collect() }
    }

    /// The range before the edits of `range` in the edited text; `None` if the edits touch it.
    pub(crate) fn range_before(&self, range: TextRange) -> Option<TextRange> {
        let before = self.shifts.partition_point(|shift| shift.start < i64::from(range.end));
        let by = match before.checked_sub(1).and_then(|last| self.shifts.get(last)) {
            Some(shift) if i64::from(range.start) < shift.end => return None,
            Some(shift) => shift.by,
            None => 0,
        };
        let moved = |at: TextSize| TextSize::try_from(i64::from(at) - by).ok();
        Some(TextRange::new(moved(range.start)?, moved(range.end)?))
    }

    /// The range before the edits of `range` in the edited text; for new text, the range that it replaces.
    pub(crate) fn replaced_range(&self, range: TextRange) -> TextRange {
        let before = |at: TextSize, is_end: bool| {
            let is_before = |start: i64| start < i64::from(at) || !is_end && start == i64::from(at);
            let count = self.shifts.partition_point(|shift| is_before(shift.start));
            match count.checked_sub(1).and_then(|last| self.shifts.get(last)) {
                Some(shift) if i64::from(at) < shift.end => {
                    if is_end {
                        shift.old.end
                    } else {
                        shift.old.start
                    }
                }
                Some(shift) => TextSize::try_from(i64::from(at) - shift.by).unwrap_or(shift.old.end),
                None => at,
            }
        };
        let start = before(range.start, false);
        TextRange::new(start, before(range.end, true).max(start))
    }

    /// The range in the edited text of `range` in the text before the edits.
    pub(crate) fn range_after(&self, range: TextRange) -> TextRange {
        let after = |at: TextSize| {
            let count = self.shifts.partition_point(|shift| shift.old.end <= at);
            let by = count.checked_sub(1).and_then(|last| self.shifts.get(last)).map_or(0, |shift| shift.by);
            TextSize::try_from(i64::from(at) + by).unwrap_or(at)
        };
        let start = after(range.start);
        TextRange::new(start, after(range.end).max(start))
    }
}

#[cfg(test)]
mod tests {
    use text::{TextEdit, TextRange};

    use yaml::Tree;

    use super::{Shifts, parsed_parts, tree_after};

    #[test]
    fn the_tree_after_edits_is_that_of_the_edited_text() {
        let text = "a:\n  b: 1\n  c: ü2\nd: 3\n";
        let insert = |at, new: &str| TextEdit::insert(at, new.to_owned());
        for edits in [
            vec![insert(0, "x: 1\n")],
            vec![TextEdit::replace(TextRange::new(5, 9), "bb: 12".to_owned())],
            vec![insert(3, "  "), insert(10, "  ")],
            vec![TextEdit::replace(TextRange::new(3, 10), String::new()), insert(23, "e: 1\n")],
            vec![insert(text.len() as u32, "e: ü\n")],
        ] {
            let edited = text::applied(text, 0, &edits);
            assert_eq!(tree_after(&Tree::parse(text), text, &edits).text(), edited);
        }
    }

    /// A move of the lines of a block edits each of them.
    #[test]
    fn neighbouring_lines_are_parsed_once() {
        let line = "  a: 1\n".len() as u32;
        let all: Vec<TextEdit> =
            (0..100).map(|index| TextEdit::insert(index * line, "  ".to_owned())).collect();
        assert_eq!(parsed_parts(&all), 1);
        let apart = [all.first(), all.last()].into_iter().flatten().cloned().collect::<Vec<_>>();
        assert_eq!(parsed_parts(&apart), 2);
    }

    #[test]
    fn untouched_ranges_map_before_and_after_edits() {
        let insert = TextEdit::insert(2, "xyz".to_owned());
        let removal = TextEdit::replace(TextRange::new(4, 6), String::new());
        let shifts = Shifts::of(&[insert, removal]);
        for (before, after) in [((0, 1), (0, 1)), ((3, 4), (6, 7)), ((6, 8), (7, 9))] {
            let (before, after) = (TextRange::new(before.0, before.1), TextRange::new(after.0, after.1));
            assert_eq!(shifts.range_after(before), after);
            assert_eq!(shifts.range_before(after), Some(before));
            assert_eq!(shifts.replaced_range(after), before);
        }
        let written = TextRange::new(3, 5);
        assert_eq!(shifts.range_before(written), None);
        assert_eq!(shifts.replaced_range(written), TextRange::empty(2));
    }
}
