//! Reuse of nodes that an edit left unchanged.

use std::sync::Arc;

use text::{TextRange, TextSize};

use super::{OpenNode, Parser, Sig};
use crate::syntax::{Content, Element, Node, SyntaxError, SyntaxKind};

/// The edited range, in offsets of one document before and after the edit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit {
    pub(super) start: usize,
    pub(super) old_end: usize,
    pub(super) new_end: usize,
}

impl Edit {
    /// The old offset of `pos`, if it is before the edit.
    pub(super) fn offset_before(self, pos: usize) -> Option<usize> {
        (pos <= self.start).then_some(pos)
    }

    /// The old offset of `pos`, if it is after the edit.
    pub(super) fn offset_after(self, pos: usize) -> Option<usize> {
        (pos >= self.new_end).then(|| pos - self.new_end + self.old_end)
    }

    fn is_before_edit(self, start: usize, node: &Node) -> bool {
        start + node.len as usize + node.lookahead as usize <= self.start
    }
}

/// A node of the tree before the edit, at its old position.
#[derive(Clone, Copy)]
pub(super) struct OldNode<'o> {
    pub(super) node: &'o Arc<Node>,
    pub(super) start: usize,
}

impl<'o> OldNode<'o> {
    /// The child of `kind` that started at the old offset of `pos`.
    pub(super) fn child(self, edit: Option<&Edit>, pos: usize, kind: SyntaxKind) -> Option<Self> {
        let edit = edit?;
        let found = |at: usize| self.child_at(at).filter(|(_, child)| child.node.kind == kind);
        let child =
            edit.offset_before(pos).and_then(found).or_else(|| edit.offset_after(pos).and_then(found))?;
        Some(child.1)
    }

    fn child_at(self, at: usize) -> Option<(usize, Self)> {
        let within = TextSize::try_from(at.checked_sub(self.start)?).ok()?;
        let elements = &self.node.elements;
        // An element without length cannot represent a node, so starts are unique among nodes.
        let mut index = elements.partition_point(|element| element.start < within);
        while let Some(element) = elements.get(index).filter(|element| element.start == within) {
            if let Content::Node(node) = element.content() {
                return Some((index, Self { node, start: at }));
            }
            index += 1;
        }
        None
    }
}

/// Whether the entry or item `node` has the context of an entry or item at `sig`.
pub(super) fn fits(node: &Node, sig: Sig, on_top: bool) -> bool {
    let on_top = on_top && node.kind == SyntaxKind::BlockEntry;
    usize::from(node.context.column) == sig.column && node.context.outer == u16::from(on_top)
}

impl Parser<'_> {
    /// Reuses the entries of `old` that are entirely before the edit; returns the end of the last of them.
    pub(super) fn reuse_front(&mut self, open: &OpenNode, old: OldNode<'_>) -> usize {
        let Some(edit) = self.edit.filter(|edit| edit.offset_before(old.start) == Some(open.start)) else {
            return open.start;
        };
        let mut count = 0;
        for (index, element) in old.node.elements.iter().enumerate() {
            // Whether a line interrupts a block depends on the lines below it.
            if element.kind == SyntaxKind::Garbage {
                break;
            }
            if let Content::Node(node) = element.content() {
                if !edit.is_before_edit(old.start + element.start as usize, node) {
                    break;
                }
                count = index + 1;
            }
        }
        let (front, _) = old.node.elements.split_at(count);
        let Some(last) = front.last() else { return open.start };
        let end = last.end();
        self.take_over(open, old.node, front, 0, 0..end);
        open.start + end as usize
    }

    /// Reuses the rest of `old` if it starts at `sig` and is entirely after the edit; returns its end.
    pub(super) fn reuse_back(
        &mut self,
        open: &OpenNode,
        old: OldNode<'_>,
        from: usize,
        sig: Sig,
        on_top: bool,
    ) -> Option<usize> {
        let at = self.edit?.offset_after(sig.pos)?;
        let (index, first) = old.child_at(at)?;
        if !fits(first.node, sig, on_top) {
            return None;
        }
        self.reach(open, from, sig);
        let (front, back) = old.node.elements.split_at(index);
        let old_start = front.last().map_or(0, Element::end);
        let shift = (sig.pos - open.start) as i64 - (at - old.start) as i64;
        let first_start = (at - old.start) as TextSize;
        debug_assert!(old_start <= first_start);
        self.take_over(open, old.node, back, shift, first_start..TextSize::MAX);
        let end = sig.pos + (old.node.len - first_start) as usize;
        self.touch(end + old.node.lookahead as usize);
        Some(end)
    }

    /// Reuses the entry of `old` at `sig`, if the edit left it unchanged.
    pub(super) fn reuse_one(
        &mut self,
        open: &OpenNode,
        old: OldNode<'_>,
        sig: Sig,
        on_top: bool,
    ) -> Option<usize> {
        let edit = self.edit?;
        let (_, entry) = old.child_at(edit.offset_before(sig.pos)?)?;
        if !fits(entry.node, sig, on_top) || !edit.is_before_edit(entry.start, entry.node) {
            return None;
        }
        let end = sig.pos + entry.node.len as usize;
        self.push_node(open, sig.pos, Arc::clone(entry.node));
        self.touch(end + entry.node.lookahead as usize);
        Some(end)
    }

    /// Copies `elements` of `old`, moved by `shift`, and the errors that start in `errors`.
    fn take_over(
        &mut self,
        open: &OpenNode,
        old: &Node,
        elements: &[Element],
        shift: i64,
        errors: std::ops::Range<TextSize>,
    ) {
        let token_at = |element: &Element| match element.content() {
            Content::Token(at) => Some((at, element.len)),
            Content::Node(_) => None,
        };
        let text_start = elements.iter().find_map(token_at).map_or(0, |(at, _)| at);
        let text_end = elements.iter().rev().find_map(token_at).map_or(text_start, |(at, len)| at + len);
        let base = (self.text.len() - open.text) as TextSize;
        self.text.push_str(old.text.get(text_start as usize..text_end as usize).unwrap_or_default());
        let moved = |offset: TextSize| (i64::from(offset) + shift) as TextSize;
        let mut looked = 0;
        self.elements.extend(elements.iter().map(|element| match element.content() {
            Content::Token(at) => {
                Element::token(element.kind, moved(element.start), element.len, at - text_start + base)
            }
            Content::Node(node) => {
                looked = looked.max(moved(element.end()) + node.lookahead);
                Element::node(moved(element.start), Arc::clone(node))
            }
        }));
        self.touch(open.start + looked as usize);
        let errors = old.errors.iter().filter(|error| errors.contains(&error.range.start));
        self.errors.extend(errors.map(|error| SyntaxError {
            kind: error.kind,
            range: TextRange::new(moved(error.range.start), moved(error.range.end)),
        }));
    }
}
