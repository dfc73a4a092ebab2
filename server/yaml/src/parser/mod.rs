//! The parser: recursive descent over columns, in one pass, with access to the old tree.
//!
//! A node depends only on its kind, its [`Context`] and the text from its start to the end of its look-ahead.
//! An edit outside that range leaves the node unchanged. The incremental parse relies on this, so every
//! function here that examines text records how far it looked (`touch`).

mod block;
mod block_scalar;
mod character;
mod directive;
mod document;
mod entry;
mod escape;
mod flow;
mod property;
mod repeat;
mod reuse;
mod scan;
mod tabs;
#[cfg(test)]
mod tests;
mod unit;

use std::sync::Arc;

use text::{TextRange, TextSize};

use crate::syntax::{Context, Element, Node, SyntaxError, SyntaxErrorKind, SyntaxKind};
use repeat::KnownBlocks;
use reuse::Edit;
use scan::Key;

pub(crate) use document::{parse, reparse};

/// Block nodes beyond this column are not parsed, to bound recursion. Real files stay below 100.
const MAX_COLUMN: usize = 400;
/// Brackets nested deeper are not parsed.
const MAX_FLOW_DEPTH: usize = 200;

/// Parses one document.
struct Parser<'s> {
    src: &'s str,
    bytes: &'s [u8],
    /// Length of the byte order mark at the start of the file.
    bom: usize,
    /// The end of the content, before a `...`.
    limit: usize,
    /// How far the open nodes have looked.
    furthest: usize,
    /// The elements of the open nodes so far, the innermost last.
    elements: Vec<Element>,
    text: String,
    errors: Vec<SyntaxError>,
    edit: Option<Edit>,
    last_sig: Option<(usize, Sig)>,
    /// The position of the last search for a key, its result, and how far it looked.
    last_key: Option<(usize, Option<Key>, usize)>,
    /// The position of the last search for the end of a line, and the result: each value of a long line
    /// repeats the search.
    last_line: Option<(usize, usize)>,
    /// The blocks that were parsed before, in this document or in those before it. None for an edit: the old tree
    /// has them.
    known: Option<&'s mut KnownBlocks>,
}

/// A node under construction.
struct OpenNode {
    kind: SyntaxKind,
    context: Context,
    start: usize,
    elements: usize,
    text: usize,
    errors: usize,
    seen_outside: usize,
}

/// The next text that is neither white space nor a comment.
#[derive(Clone, Copy)]
struct Sig {
    pos: usize,
    /// Valid only if it is the first on its line; otherwise unused.
    column: usize,
    /// Whether it is the first on its line.
    fresh_line: bool,
    /// The offset of a tab in its line's indentation.
    tab: Option<usize>,
    /// Whether there are tabs before it.
    tabs: bool,
    /// Whether the end of the text is reached.
    end: bool,
}

impl<'s> Parser<'s> {
    fn new(src: &'s str, bom: usize, limit: usize, edit: Option<Edit>) -> Self {
        Self {
            src,
            bytes: src.as_bytes(),
            bom,
            limit,
            furthest: 0,
            elements: Vec::new(),
            text: String::new(),
            errors: Vec::new(),
            edit,
            last_sig: None,
            last_key: None,
            last_line: None,
            known: None,
        }
    }

    /// Records that the text before `pos` affects the result.
    fn touch(&mut self, pos: usize) {
        // The end of the content depends on the marker after it.
        let pos = if pos > self.limit { pos.max(self.limit + 4) } else { pos };
        self.furthest = self.furthest.max(pos);
    }

    fn open_node(&mut self, kind: SyntaxKind, context: Context, start: usize) -> OpenNode {
        let seen_outside = std::mem::replace(&mut self.furthest, start);
        OpenNode {
            kind,
            context,
            start,
            elements: self.elements.len(),
            text: self.text.len(),
            errors: self.errors.len(),
            seen_outside,
        }
    }

    fn close(&mut self, open: OpenNode, end: usize) -> Arc<Node> {
        let elements = self.elements.split_off(open.elements.min(self.elements.len())).into_boxed_slice();
        let text: Box<str> = self.text.get(open.text..).unwrap_or_default().into();
        self.text.truncate(open.text);
        let errors = self.errors.split_off(open.errors.min(self.errors.len())).into_boxed_slice();
        let lookahead = self.furthest.saturating_sub(end) as TextSize;
        self.touch(open.seen_outside);
        let len = (end - open.start) as TextSize;
        Arc::new(Node::new(open.kind, open.context, len, lookahead, elements, text, errors))
    }

    /// Closes `open` and puts the node into `parent`.
    fn close_into(&mut self, parent: &OpenNode, open: OpenNode, end: usize) -> usize {
        let start = open.start;
        let node = self.close(open, end);
        self.push_node(parent, start, node);
        end
    }

    fn push_node(&mut self, parent: &OpenNode, start: usize, node: Arc<Node>) {
        self.elements.push(Element::node((start - parent.start) as TextSize, node));
    }

    fn token(&mut self, open: &OpenNode, kind: SyntaxKind, start: usize, end: usize) {
        if start >= end {
            return;
        }
        self.touch(end);
        self.characters(open, kind, start, end);
        let at = (self.text.len() - open.text) as TextSize;
        self.text.push_str(self.src.get(start..end).unwrap_or_default());
        let (start, len) = ((start - open.start) as TextSize, (end - start) as TextSize);
        self.elements.push(Element::token(kind, start, len, at));
    }

    fn error(&mut self, open: &OpenNode, kind: SyntaxErrorKind, start: usize, mut end: usize) {
        while end < self.src.len() && !self.src.is_char_boundary(end) {
            end += 1;
        }
        let end = text::ceil_char_boundary(self.src, end);
        let range = TextRange::new((start - open.start) as TextSize, (end - open.start) as TextSize);
        self.errors.push(SyntaxError { kind, range });
    }

    /// White space and comments from `from` to `to` as tokens.
    fn trivia(&mut self, open: &OpenNode, from: usize, to: usize) {
        let mut start = from;
        while start < to {
            let comment = if self.bytes.get(start) == Some(&b'#') {
                start
            } else {
                let gap = self.bytes.get(start..to).unwrap_or_default();
                memchr::memchr(b'#', gap).map_or(to, |at| start + at)
            };
            self.token(open, SyntaxKind::Whitespace, start, comment);
            let end = if comment < to { self.line_end(comment).min(to) } else { to };
            self.token(open, SyntaxKind::Comment, comment, end);
            start = end;
        }
    }
}
