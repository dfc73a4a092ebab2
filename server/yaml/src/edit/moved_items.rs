//! Items that move within their sequence.

use text::{TextEdit, TextRange};

use super::holder::Holder;
use super::overlap::merged;
use super::{EditError, Editor, Group, extent};
use crate::ast::{Item, Value};

impl<'t> Editor<'t> {
    /// Moves `item` of the sequence `from` after its last item, with its comments and the changes in it.
    pub fn move_to_end(&mut self, from: Value<'t>, item: Item<'t>) {
        self.group(from).moved = Some(item.range().start);
    }

    /// `edits`, the changes to `group` and its contents, combined with the move of its item.
    ///
    /// # Errors
    /// If the item shares a line with other text.
    pub(super) fn with_moved(
        &self,
        group: &Group<'t>,
        edits: Vec<TextEdit>,
    ) -> Result<Vec<TextEdit>, EditError> {
        let index = group.members.iter().position(|member| Some(member.start) == group.moved);
        let Some((index, member)) = index.and_then(|index| Some((index, group.members.get(index)?))) else {
            return Ok(edits);
        };
        let Some(last) = group.members.last().filter(|last| last.start != member.start) else {
            return Ok(edits);
        };
        if !extent::is_block_collection(group.value) || !self.source.starts_line(member.range.start) {
            return Err(EditError::Place);
        }
        let holder = Holder::of(group.value, self.document).ok_or(EditError::Place)?;
        let bound = self.lines(group, holder, &[]).ok_or(EditError::Place)?.bound(index, self);
        let above = self.source.comments_above(member.range.start, bound);
        let lines = TextRange::new(above, self.source.next_line(member.range.end));
        let is_within = |edit: &TextEdit| edit.range.start < lines.end && lines.contains_range(edit.range);
        let (within, mut edits): (Vec<_>, Vec<_>) = edits.into_iter().partition(is_within);
        let text = text::applied(self.source.slice(lines), above, &merged(within, &self.source)?);
        let at = self.source.line_end(last.range.end);
        self.refuse_cut_off(at)?;
        edits.push(TextEdit::delete(lines));
        edits.push(TextEdit::insert(
            at,
            format!("{}{}", self.style.line_break, text.trim_end_matches(['\n', '\r'])),
        ));
        Ok(edits)
    }
}
