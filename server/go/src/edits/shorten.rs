//! Shortens two texts of one definition by replacing most of what both have in common.
//!
//! A definition may have megabytes, of which an edit changes one line. An unchanged value is the same in both texts and can
//! therefore be replaced by any placeholder.

use std::borrow::Cow;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

use super::change::is_whole;

/// The placeholder for a value that is the same in both texts.
const SAME: &str = "0";

/// Values with at most this number of lines are kept.
const FEW_LINES: usize = 8;

/// Two texts as the generator writes them, with `0` in place of long unchanged values. [`super::changes`] finds the same
/// changes between them as between the full texts. If a change moves unchanged lines to another value, returns both texts in
/// full.
#[must_use]
pub fn shortened<'t>(before: &'t str, after: &'t str) -> (Cow<'t, str>, Cow<'t, str>) {
    let (mut old, mut new) = (Lines::of(before), Lines::of(after));
    let head = old.texts.iter().zip(&new.texts).take_while(|(old, new)| old == new).count();
    let rests = (old.texts.get(head..).unwrap_or_default(), new.texts.get(head..).unwrap_or_default());
    let tail = rests.0.iter().rev().zip(rests.1.iter().rev()).take_while(|(old, new)| old == new).count();
    let mut input = InternedInput::default();
    input.update_before(rests.0.iter().copied().take(rests.0.len() - tail));
    input.update_after(rests.1.iter().copied().take(rests.1.len() - tail));
    for hunk in Diff::compute(Algorithm::Myers, &input).hunks() {
        let moved = |lines: &Range<u32>| head + lines.start as usize..head + lines.end as usize;
        let (old_range, new_range) = (moved(&hunk.before), moved(&hunk.after));
        let rest = match (old.rest_of_text(&old_range), new.rest_of_text(&new_range)) {
            (Some((old, rest)), Some((new, other))) if (old, rest) == (new, other) => rest,
            _ => 0,
        };
        let with_below = |range: Range<usize>| range.start..range.end + rest;
        if !old.change(with_below(old_range)) || !new.change(with_below(new_range)) {
            return (Cow::Borrowed(before), Cow::Borrowed(after));
        }
    }
    (Cow::Owned(old.shortened()), Cow::Owned(new.shortened()))
}

/// A text, split into lines.
struct Lines<'t> {
    texts: Vec<&'t str>,
    /// For each line, the line after the value of its key.
    values: Vec<usize>,
    /// For each line, the line after all lines below it; for the first line of an item, the line after the item.
    below: Vec<usize>,
    /// The changed lines and their neighbours: a line that is added next to a line may belong to its value.
    touched: Vec<bool>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let texts: Vec<&str> = text.lines().collect();
        let indents: Vec<usize> = texts.iter().map(|line| indent_of(line)).collect();
        let values = ends(&texts, &indents, |line| key_of(line).map_or(usize::MAX, |key| key.start));
        let below = ends(&texts, &indents, indent_of);
        let touched = vec![false; texts.len()];
        Self { texts, values, below, touched }
    }

    /// The key of the last line of `range`, with the text before it, and the number of lines after `range` that belong to its
    /// value or item; `None` if its value is not a text.
    fn rest_of_text(&self, range: &Range<usize>) -> Option<(&'t str, usize)> {
        let last = range.end.checked_sub(1).filter(|last| range.contains(last))?;
        let line = *self.texts.get(last)?;
        let key = key_of(line).filter(|key| has_text(line, key))?;
        Some((line.get(..key.end)?, self.below.get(last)?.checked_sub(range.end)?))
    }

    /// Marks lines as changed. Returns whether all lines below them are within `range` as well.
    fn change(&mut self, range: Range<usize>) -> bool {
        let range = range.start..range.end.min(self.touched.len());
        let start = range.start.saturating_sub(1);
        let end = (range.end + 1).min(self.touched.len());
        self.touched.get_mut(start..end).unwrap_or_default().fill(true);
        self.below.get(range.clone()).unwrap_or_default().iter().all(|end| *end <= range.end)
    }

    fn shortened(&self) -> String {
        let mut text = String::new();
        let mut at = 0;
        while let Some((line, end)) = self.texts.get(at).zip(self.values.get(at).copied()) {
            let is_touched = self.touched.get(at..end).unwrap_or_default().contains(&true);
            let kept = match key_of(line).filter(|_| end - at > FEW_LINES) {
                Some(key) if !is_touched => {
                    text.push_str(line.get(..key.end).unwrap_or_default());
                    text.push_str(": ");
                    text.push_str(SAME);
                    text.push('\n');
                    at = end;
                    continue;
                }
                Some(key) if self.is_one(at..end, &key) => at..end,
                _ => at..at + 1,
            };
            at = kept.end;
            for line in self.texts.get(kept).unwrap_or_default() {
                text.push_str(line);
                text.push('\n');
            }
        }
        text
    }

    /// Whether a changed value is kept in full: a text, a list with a new or removed item, or a value that a change replaces
    /// as a whole.
    fn is_one(&self, value: Range<usize>, key: &Range<usize>) -> bool {
        let line = |at: usize| self.texts.get(at).copied().unwrap_or_default();
        let (own, first) = (line(value.start), line(value.start + 1));
        let column = indent_of(first);
        let mut below = value.start + 1..value.end;
        has_text(own, key)
            || own.get(key.clone()).is_some_and(is_whole)
            || is_item(first, column)
                && below.any(|at| self.touched.get(at) == Some(&true) && is_item(line(at), column))
    }
}

/// For each line, the line after those that are indented further, where items of a list may have the same indentation. For
/// the first line of an item, `column` determines the indentation.
fn ends(lines: &[&str], indents: &[usize], column: impl Fn(&str) -> usize) -> Vec<usize> {
    let mut ends = vec![lines.len(); lines.len()];
    let mut open: Vec<(usize, usize, bool)> = Vec::new();
    for (at, (line, indent)) in lines.iter().zip(indents.iter().copied()).enumerate() {
        if line.is_empty() {
            continue;
        }
        let is_item = is_dash(line, indent);
        while let Some((of, column, has_items)) = open.last().copied() {
            if indent > column || has_items && is_item && indent == column {
                break;
            }
            open.pop();
            if let Some(end) = ends.get_mut(of) {
                *end = at;
            }
        }
        let column = if is_item { column(line) } else { indent };
        open.push((at, column, !is_item || column != indent));
    }
    ends
}

/// The bytes of the key that starts on a line, after the dashes of items.
fn key_of(line: &str) -> Option<Range<usize>> {
    let mut rest = line.trim_start();
    while let Some(rest_of_line) = rest.strip_prefix("- ") {
        rest = rest_of_line.trim_start();
    }
    let start = line.len() - rest.len();
    let end = rest.find(": ").or_else(|| rest.ends_with(':').then(|| rest.len() - 1))?;
    Some(start..start + end)
}

/// Whether a text follows the key of a line.
fn has_text(line: &str, key: &Range<usize>) -> bool {
    line.get(key.end..).is_some_and(|rest| rest.trim_end().len() > 1)
}

fn indent_of(line: &str) -> usize {
    line.bytes().position(|byte| byte != b' ').unwrap_or(line.len())
}

/// Whether an item of a list starts at a column, which is the line's indentation.
fn is_item(line: &str, column: usize) -> bool {
    indent_of(line) == column && is_dash(line, column)
}

/// Whether the dash of an item is at a column.
fn is_dash(line: &str, column: usize) -> bool {
    let rest = line.as_bytes().get(column..).unwrap_or_default();
    rest == b"-" || rest.starts_with(b"- ")
}
