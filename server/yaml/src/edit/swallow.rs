//! Comments that would become part of a block scalar above them.

use text::{TextEdit, TextSize};

use super::{EditError, Editor};
use crate::Tree;
use crate::syntax::{ElementRef, NodeRef, SyntaxKind};

impl Editor<'_> {
    /// Rejects `edits` that would make an indented comment part of the block scalar above it.
    pub(super) fn refuse_swallowed_comments(&self, edits: &[TextEdit]) -> Result<(), EditError> {
        let at_risk: Vec<TextSize> = edits
            .iter()
            .filter(|edit| self.may_end_in_block_scalar(edit))
            .filter_map(|edit| self.source.indented_comment_below(edit.range.end))
            .collect();
        if at_risk.is_empty() {
            return Ok(());
        }
        let after = Tree::parse(&self.source.apply(edits));
        // The growth of the text up to and including each edit.
        let grown: Vec<i64> = edits
            .iter()
            .scan(0, |grown, edit| {
                *grown += edit.new_text.len() as i64 - i64::from(edit.range.len());
                Some(*grown)
            })
            .collect();
        let stays = |at: TextSize| {
            let before = edits.partition_point(|edit| edit.range.end <= at);
            if edits.get(before).is_some_and(|edit| edit.range.start <= at) {
                return true;
            }
            let grown = before.checked_sub(1).and_then(|last| grown.get(last)).copied().unwrap_or(0);
            let at = i64::from(at - self.document.range().start) + grown;
            TextSize::try_from(at).is_ok_and(|at| is_comment(after.root(), at))
        };
        if at_risk.into_iter().all(stays) { Ok(()) } else { Err(EditError::Comment) }
    }

    fn may_end_in_block_scalar(&self, edit: &TextEdit) -> bool {
        if edit.new_text.trim().is_empty() {
            ends_in_block_scalar(self.document.syntax(), edit.range.start)
        } else {
            edit.new_text.contains(['|', '>'])
        }
    }
}

/// Whether the last token before `offset` that is not white space or a comment is a block scalar.
fn ends_in_block_scalar(node: NodeRef<'_>, offset: TextSize) -> bool {
    match node.elements_before(offset).rfind(|element| !element.kind().is_trivia()) {
        Some(ElementRef::Node(last)) => ends_in_block_scalar(last, offset),
        Some(ElementRef::Token(token)) => token.kind.is_block_scalar(),
        None => false,
    }
}

fn is_comment(node: NodeRef<'_>, offset: TextSize) -> bool {
    match node.elements_from(offset).next().filter(|element| element.range().start == offset) {
        Some(ElementRef::Token(token)) => token.kind == SyntaxKind::Comment,
        Some(ElementRef::Node(_)) => false,
        None => match node.elements_before(offset).next_back() {
            Some(ElementRef::Node(holds)) => is_comment(holds, offset),
            _ => false,
        },
    }
}
