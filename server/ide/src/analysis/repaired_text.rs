//! A repaired text of a document, and the conversion of ranges between the two.

use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Tree};

use crate::Finding;
use crate::analysis::shifts::Shifts;

/// The repaired text of a document.
pub(crate) struct RepairedText {
    /// The repaired text, which begins at the start of the document.
    pub(crate) tree: Tree,
    shifts: Shifts,
    start: TextSize,
}

impl RepairedText {
    /// The text `tree`, which sorted `steps` make of `document`; their ranges are relative to its start.
    pub(crate) fn new(document: Document<'_>, tree: Tree, steps: &[TextEdit]) -> Self {
        Self { tree, shifts: Shifts::of(steps), start: document.range().start }
    }

    /// The range in the file that corresponds to `range` in the repaired text.
    pub(crate) fn range_in_file(&self, range: TextRange) -> TextRange {
        self.shifts.replaced_range(range).shifted(self.start)
    }

    /// Whether `range` in the repaired text overlaps text that the repair wrote.
    pub(crate) fn is_inserted(&self, range: TextRange) -> bool {
        self.shifts.range_before(range).is_none()
    }

    /// The range in the repaired text that corresponds to `range` in the file.
    pub(crate) fn range_in_repaired(&self, range: TextRange) -> TextRange {
        let at = |at: TextSize| at.saturating_sub(self.start);
        self.shifts.range_after(TextRange::new(at(range.start), at(range.end)))
    }

    /// Converts the ranges of `finding` from the file to the repaired text.
    pub(crate) fn finding_in_repaired(&self, finding: &Finding) -> Finding {
        finding.moved(|range| self.range_in_repaired(range))
    }

    /// Converts the ranges of `finding` from the repaired text to the file.
    pub(crate) fn finding_in_file(&self, finding: &Finding) -> Finding {
        finding.moved(|range| self.range_in_file(range))
    }

    /// Converts `edit` from the repaired text to the file; `None` if it changes text that the repair wrote.
    pub(crate) fn edit_in_file(&self, edit: &TextEdit) -> Option<TextEdit> {
        let range = self.shifts.range_before(edit.range)?.shifted(self.start);
        Some(TextEdit::replace(range, edit.new_text.clone()))
    }
}
