//! Entries of block mappings and items of block sequences.

use super::block::Place;
use super::property::SeenProperties;
use super::reuse::OldNode;
use super::{OpenNode, Parser, Sig};
use crate::syntax::{Content, Context, SyntaxErrorKind, SyntaxKind};

impl Parser<'_> {
    pub(super) fn item(&mut self, parent: &OpenNode, sig: Sig, old: Option<OldNode<'_>>) -> usize {
        let pos = sig.pos;
        let old = old.and_then(|old| old.child(self.edit.as_ref(), pos, SyntaxKind::BlockItem));
        let open =
            self.open_node(SyntaxKind::BlockItem, Context { column: sig.column as u16, outer: 0 }, pos);
        let column = sig.column as i32;
        let end = if self.indicator(pos, b'-') {
            self.token(&open, SyntaxKind::Dash, pos, pos + 1);
            self.separation(&open, pos + 1);
            self.value(&open, column, pos + 1, Place::Compact, old)
        } else {
            let line_end = self.line_end(pos);
            let to = self.trim_end(pos, line_end);
            self.error(&open, SyntaxErrorKind::MissingDash, pos, to);
            self.entry(&open, sig, false, old)
        };
        let end = self.stray_block(&open, column, end, old);
        self.close_into(parent, open, end)
    }

    /// `on_top`: the entry is the first of a document.
    pub(super) fn entry(
        &mut self,
        parent: &OpenNode,
        sig: Sig,
        on_top: bool,
        old: Option<OldNode<'_>>,
    ) -> usize {
        let pos = sig.pos;
        let column = sig.column as i32;
        let old = old.and_then(|old| old.child(self.edit.as_ref(), pos, SyntaxKind::BlockEntry));
        let context = Context { column: sig.column as u16, outer: u16::from(on_top) };
        let open = self.open_node(SyntaxKind::BlockEntry, context, pos);
        let mut end = if self.indicator(pos, b'?') {
            self.explicit_key(&open, column, pos, old)
        } else if self.indicator(pos, b'-') {
            self.error(&open, SyntaxErrorKind::DashAmongKeys, pos, pos + 1);
            self.collection(&open, SyntaxKind::BlockSequence, pos, column - 1, old)
        } else {
            self.implicit_entry(&open, column, pos, old)
        };
        end = self.stray_block(&open, column, end, old);
        self.close_into(parent, open, end)
    }

    fn explicit_key(&mut self, open: &OpenNode, column: i32, pos: usize, old: Option<OldNode<'_>>) -> usize {
        self.token(open, SyntaxKind::Question, pos, pos + 1);
        self.separation(open, pos + 1);
        let end = self.value(open, column, pos + 1, Place::Explicit, old);
        let sig = self.sig(end);
        if sig.end || !sig.fresh_line || sig.column as i32 != column || !self.indicator(sig.pos, b':') {
            return end;
        }
        self.reach(open, end, sig);
        self.token(open, SyntaxKind::Colon, sig.pos, sig.pos + 1);
        self.separation(open, sig.pos + 1);
        self.value(open, column, sig.pos + 1, Place::Explicit, old)
    }

    fn implicit_entry(
        &mut self,
        open: &OpenNode,
        column: i32,
        pos: usize,
        old: Option<OldNode<'_>>,
    ) -> usize {
        let mut seen = SeenProperties::default();
        let properties_end = self.properties(open, pos, false, &mut seen);
        let key_start = if seen.any() { self.skip_blanks(properties_end) } else { pos };
        self.trivia(open, properties_end, key_start);
        if seen.any() {
            self.alias_after_properties(open, key_start, false);
        }
        if self.indicator(key_start, b':') {
            if !seen.any() {
                self.error(open, SyntaxErrorKind::EmptyKey, key_start, key_start + 1);
            }
            self.token(open, SyntaxKind::Colon, key_start, key_start + 1);
            return self.value(open, column, key_start + 1, Place::Entry, old);
        }
        let Some(key) = self.implicit_key(key_start) else {
            return self.unfinished(open, key_start);
        };
        if self.is_long_key(pos, key.colon) {
            self.error(open, SyntaxErrorKind::LongKey, key_start, key.end);
        }
        match self.byte(key_start) {
            Some(b'[' | b'{') => self.flow_key(open, key_start, column, key.end),
            byte => {
                if byte == Some(b'"') {
                    self.escapes(open, key_start, key.end);
                }
                let kind = match byte {
                    Some(b'"') => SyntaxKind::DoubleQuoted,
                    Some(b'\'') => SyntaxKind::SingleQuoted,
                    Some(b'*') => SyntaxKind::Alias,
                    _ => SyntaxKind::Plain,
                };
                if kind == SyntaxKind::Alias {
                    self.anchor_or_alias(open, kind, key_start, key.end);
                } else {
                    self.token(open, kind, key_start, key.end);
                }
            }
        }
        self.trivia(open, key.end, key.colon);
        self.token(open, SyntaxKind::Colon, key.colon, key.colon + 1);
        self.value(open, column, key.colon + 1, Place::Entry, old)
    }

    /// A line among the entries without a colon: most likely an unfinished key.
    fn unfinished(&mut self, open: &OpenNode, pos: usize) -> usize {
        if !self.starts_plain(pos) && !matches!(self.byte(pos), Some(b'"' | b'\'' | b'*')) {
            let kind = match self.byte(pos) {
                Some(b'[' | b'{') => SyntaxErrorKind::MissingColon,
                Some(b'|' | b'>') => {
                    let line_end = self.line_end(pos);
                    self.block_header(open, pos, line_end);
                    SyntaxErrorKind::ExtraContent
                }
                _ => self.unexpected(pos),
            };
            return self.garbage(open, kind, pos);
        }
        let line_end = self.line_end(pos);
        let kind = match self.byte(pos) {
            Some(b'"') => SyntaxKind::DoubleQuoted,
            Some(b'\'') => SyntaxKind::SingleQuoted,
            Some(b'*') => SyntaxKind::Alias,
            _ => SyntaxKind::Plain,
        };
        let end = match kind {
            SyntaxKind::Plain => self.plain_on_line(pos, line_end).0,
            _ => self.trim_end(pos, line_end),
        };
        let end = end.max(pos + 1);
        let alone = open.context.outer == 1 && kind == SyntaxKind::Plain && self.ends_document(end);
        let quote = self.byte(pos).filter(|byte| matches!(byte, b'"' | b'\''));
        let unclosed = quote.is_some_and(|quote| self.quote_end_on_line(pos, quote, line_end).is_none());
        match (alone, unclosed) {
            (true, _) => self.error(open, SyntaxErrorKind::MissingTopColon, pos, end),
            (_, true) => self.error(open, SyntaxErrorKind::UnclosedQuote, pos, pos + 1),
            _ => self.error(open, SyntaxErrorKind::MissingColon, pos, end),
        }
        self.token(open, kind, pos, end);
        end
    }

    /// Whether, for go-yaml, the document ends after the text that ends at `end` and should be its first key.
    /// Other text may continue on the next line up to a colon, but not after a comment, and the colon cannot
    /// start that line.
    fn ends_document(&mut self, end: usize) -> bool {
        let next = self.sig(end);
        self.comment_between(end, next.pos) || self.indicator(next.pos, b':')
    }

    /// A block below a key or item that already has a value, or below a key without a colon: most likely the
    /// author is about to change the text before it, so the block keeps its position.
    fn stray_block(&mut self, open: &OpenNode, column: i32, end: usize, old: Option<OldNode<'_>>) -> usize {
        let sig = self.sig(end);
        if sig.end || !sig.fresh_line || sig.column as i32 <= column || !self.may_be_entry(sig.pos) {
            return end;
        }
        // A line below brackets with content is most likely the next entry, indented too far.
        if self.ends_with_full_brackets(open) {
            return end;
        }
        // Below a key without a colon, only the colon is missing.
        let is_below_key = self.is_lone_key(open);
        self.reach(open, end, sig);
        if !is_below_key {
            let line_end = self.line_end(sig.pos);
            let to = self.trim_end(sig.pos, line_end);
            self.error(open, SyntaxErrorKind::Indentation, sig.pos, to);
        }
        self.content(open, column, sig.pos, true, old)
    }

    /// Whether the entry ends with a key without a colon. A key that may be the whole document for go-yaml
    /// does not count.
    fn is_lone_key(&self, open: &OpenNode) -> bool {
        let elements = self.elements.get(open.elements..).unwrap_or_default();
        let is_key = |kind: SyntaxKind| kind.is_scalar() || kind == SyntaxKind::Alias;
        open.kind == SyntaxKind::BlockEntry
            && open.context.outer != 1
            && elements.last().is_some_and(|last| is_key(last.kind))
            && !elements
                .iter()
                .any(|element| matches!(element.kind, SyntaxKind::Colon | SyntaxKind::Question))
    }

    fn ends_with_full_brackets(&self, open: &OpenNode) -> bool {
        let last = self.elements.get(open.elements..).and_then(<[_]>::last);
        let node = last.and_then(|element| match element.content() {
            Content::Node(node) => Some(node),
            Content::Token(_) => None,
        });
        node.is_some_and(|node| {
            let inner = node.elements.iter().filter(|element| !element.kind.is_trivia());
            matches!(node.kind, SyntaxKind::FlowMapping | SyntaxKind::FlowSequence) && inner.count() > 2
        })
    }
}
