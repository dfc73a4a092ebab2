//! Proposals for a line in a wrong column, with the edit that moves it.

use text::{TextEdit, TextRange, TextSize};

use super::proposals as proposals_at;
use crate::analysis::resources::View;
use crate::analysis::text_at::text_of;
use crate::features::cel::Completion;
use crate::features::indent;

/// The proposals for the column where the line belongs.
pub(super) enum ColumnProposals {
    /// Nothing is valid in the current column.
    Instead(Vec<Completion>),
    /// Proposals for the current column are valid, too. Empty if the line is already in the right column.
    Besides(Vec<Completion>),
}

/// Returns the proposals for the column where the line of `offset` belongs, if it is in another one: if the
/// current column has no proposals or is invalid, or if a key above has no value yet and the line is not
/// indented enough for it.
pub(super) fn proposals(view: View<'_>, offset: TextSize, nothing_fits: bool) -> ColumnProposals {
    proposals_in_column(view, offset, nothing_fits).unwrap_or(ColumnProposals::Besides(Vec::new()))
}

fn proposals_in_column(view: View<'_>, offset: TextSize, nothing_fits: bool) -> Option<ColumnProposals> {
    let indent::WordLine { blanks, next, open_columns: open } = indent::of_line(view, offset)?;
    let written = text_of(view.tree.root(), blanks);
    let column = written.len();
    let is_between = column < next.column && !open.contains(&column) || written.contains('\t');
    if next.column == column && !is_between
        || !(nothing_fits || is_between || next.is_below && column < next.column)
    {
        return None;
    }
    let edit = TextEdit::replace(blanks, " ".repeat(next.column));
    let added = next.column as TextSize;
    let end = blanks.start + added;
    // The edited text, as far as the parser reads it.
    let tree = view.tree.edited(&edit, &|range| {
        let old =
            |start: TextSize, end: TextSize| text_of(view.tree.root(), TextRange::new(start, end.max(start)));
        let mut text = old(range.start.min(blanks.start), range.end.min(blanks.start));
        let within = |at: TextSize| at.clamp(blanks.start, end) - blanks.start;
        text.push_str(&" ".repeat((within(range.end) - within(range.start)) as usize));
        let behind = |at: TextSize| at.max(end) - end + blanks.end;
        text.push_str(&old(behind(range.start), behind(range.end)));
        text
    });
    let in_text = |at: TextSize| at.max(end) - end + blanks.end;
    let found = proposals_at(View { tree: &tree, ..view }, offset_after_move(offset, blanks, end), None);
    // The range to replace must be on the line, behind the blanks.
    let fits = found.into_iter().filter(|one| one.range.start >= end);
    let moved = fits.map(|one| Completion {
        range: TextRange::new(in_text(one.range.start), in_text(one.range.end)),
        // They are sorted behind the proposals for the current column.
        sort: format!("9{}", one.sort),
        indent: Some(edit.clone()),
        ..one
    });
    let moved: Vec<_> = moved.collect();
    Some(if is_between && !moved.is_empty() {
        ColumnProposals::Instead(moved)
    } else {
        ColumnProposals::Besides(moved)
    })
}

/// The position of `offset`, which is behind `blanks`, after these end at `end`.
fn offset_after_move(offset: TextSize, blanks: TextRange, end: TextSize) -> TextSize {
    offset - blanks.end + end
}
