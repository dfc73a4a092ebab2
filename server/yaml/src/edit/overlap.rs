//! Changes within other changes, and adjacent edits.

use text::{TextEdit, TextRange, TextSize};

use super::source::Source;
use super::{EditError, render};

/// The removed or replaced ranges, each with the start of the collection that contains it, or of the value
/// itself. Only the outermost ranges are kept; several entries for the same range are adjacent.
pub(super) struct RemovedRanges {
    ranges: Vec<(TextRange, TextSize)>,
}

impl RemovedRanges {
    pub(super) fn new(mut all: Vec<(TextRange, TextSize)>) -> Self {
        all.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut ranges: Vec<(TextRange, TextSize)> = Vec::new();
        for (range, from) in all {
            if ranges.last().is_none_or(|(last, _)| !last.contains_range(range) || *last == range) {
                ranges.push((range, from));
            }
        }
        Self { ranges }
    }

    /// Whether `range` is within a removed range that does not belong to `own`.
    pub(super) fn contains(&self, range: TextRange, own: TextSize) -> bool {
        let within = |removed: &TextRange| {
            range.start < removed.end || (range.is_empty() && range.start == removed.end)
        };
        let end = self.ranges.partition_point(|(removed, _)| removed.start <= range.start);
        let before = self.ranges.iter().take(end).rev();
        before.take_while(|(removed, _)| within(removed)).any(|(_, from)| *from != own)
    }
}

/// Sorts `edits` and joins adjacent ones.
pub(super) fn merged(mut edits: Vec<TextEdit>, source: &Source) -> Result<Vec<TextEdit>, EditError> {
    edits.sort_by_key(|edit| render::bounds(edit.range));
    let mut merged: Vec<TextEdit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match merged.last_mut() {
            Some(last) if edit.range.start < last.range.end => {
                let lines = lines_after_removed(last, &edit, source).ok_or(EditError::Overlap)?;
                last.new_text.push_str(&lines);
            }
            Some(last) if edit.range.start == last.range.end => {
                last.range.end = edit.range.end;
                last.new_text.push_str(&edit.new_text);
            }
            _ => merged.push(edit),
        }
    }
    Ok(merged)
}

/// The new lines of `edit`, if it adds them directly after the line that `removal` removes entirely.
fn lines_after_removed(removal: &TextEdit, edit: &TextEdit, source: &Source) -> Option<String> {
    let at_line_end = edit.range.is_empty() && source.next_line(edit.range.start) == removal.range.end;
    if !at_line_end || !source.starts_line(removal.range.start) {
        return None;
    }
    let text = edit.new_text.strip_prefix("\r\n").or_else(|| edit.new_text.strip_prefix(['\n', '\r']))?;
    let line_break = edit.new_text.get(..edit.new_text.len() - text.len())?;
    Some(format!("{text}{line_break}"))
}
