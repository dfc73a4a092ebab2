//! Proposals for a line that stands in a wrong column, with the edit that moves it.

use text::{TextEdit, TextRange, TextSize};

use super::proposals as proposals_at;
use crate::analysis::resources::View;
use crate::analysis::text_at::text_of;
use crate::features::cel::Completion;
use crate::features::indent;

/// What fits where the line of `offset` belongs, if that is another column than the one it stands in: where nothing fits
/// there, or where a key above waits for its value and the line is not indented as far.
pub(super) fn proposals(view: View<'_>, offset: TextSize, nothing_fits: bool) -> Vec<Completion> {
    moved(view, offset, nothing_fits).unwrap_or_default()
}

fn moved(view: View<'_>, offset: TextSize, nothing_fits: bool) -> Option<Vec<Completion>> {
    let (blanks, next) = indent::of_line(view, offset)?;
    let column = blanks.len() as usize;
    if next.column == column || !(nothing_fits || next.is_below && column < next.column) {
        return None;
    }
    let edit = TextEdit::replace(blanks, " ".repeat(next.column));
    let added = next.column as TextSize;
    let end = blanks.start + added;
    // Of the edited text as much as the parser asks for.
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
    let found = proposals_at(View { tree: &tree, ..view }, in_moved(offset, blanks, end), None);
    // What is replaced must be on the line, behind the blanks.
    let fits = found.into_iter().filter(|one| one.range.start >= end);
    let moved = fits.map(|one| Completion {
        range: TextRange::new(in_text(one.range.start), in_text(one.range.end)),
        // Behind what fits where the line stands.
        sort: format!("9{}", one.sort),
        indent: Some(edit.clone()),
        ..one
    });
    Some(moved.collect())
}

/// The place of `offset`, which is behind `blanks`, where these end at `end`.
fn in_moved(offset: TextSize, blanks: TextRange, end: TextSize) -> TextSize {
    offset - blanks.end + end
}
