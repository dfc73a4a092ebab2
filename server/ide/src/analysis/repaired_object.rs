//! The repaired text of an object whose `apiVersion`, `kind` or `metadata` is missing or wrong.
//!
//! This text is checked, so that the slip hides no other mistakes.

use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Tree};

use crate::analysis::fix::Title;
use crate::analysis::repaired_text::RepairedText;
use crate::analysis::shifts::tree_after;
use crate::analysis::unidentified::UnidentifiedObject;
use crate::{Finding, Surroundings};

/// The size of the largest document that is repaired: each keystroke builds the repaired text again.
const MOST_BYTES: TextSize = 1_000_000;

/// The repaired text of a document, which shares the syntax nodes that the repair does not touch.
pub(crate) struct RepairedObject {
    pub(crate) repaired: RepairedText,
    /// The title and the edits of the repair, with ranges in the file.
    pub(crate) title: Title,
    pub(crate) edits: Vec<TextEdit>,
    /// The finding on the slip in the file.
    pub(crate) slip: Finding,
}

impl RepairedObject {
    /// The repaired text of `document`, if it has such a slip and only one repair is possible.
    pub(crate) fn of(document: Document<'_>, surroundings: &Surroundings) -> Option<Self> {
        let Surroundings { catalog, source, .. } = surroundings;
        Self::of_unidentified(document, &UnidentifiedObject::of(document, catalog, source)?, surroundings)
    }

    /// Like [`Self::of`], for a slip that the caller has found.
    pub(crate) fn of_unidentified(
        document: Document<'_>,
        unidentified: &UnidentifiedObject<'_>,
        surroundings: &Surroundings,
    ) -> Option<Self> {
        let whole = document.range();
        let (title, edits) = unidentified.change(document).filter(|_| whole.len() <= MOST_BYTES)?;
        let start = whole.start;
        let relative = |edit: &TextEdit| {
            let range = TextRange::new(edit.range.start - start, edit.range.end - start);
            TextEdit::replace(range, edit.new_text.clone())
        };
        let steps: Vec<TextEdit> = edits.iter().map(relative).collect();
        let tree = tree_after(&Tree::of(document), &document.syntax().text(), &steps);
        let Surroundings { catalog, source, .. } = surroundings;
        let first = tree.documents().next()?;
        let is_whole = UnidentifiedObject::of(first, catalog, source).is_none();
        let repaired = RepairedText::new(document, tree, &steps);
        is_whole.then(|| Self { repaired, title, edits, slip: unidentified.finding() })
    }
}
