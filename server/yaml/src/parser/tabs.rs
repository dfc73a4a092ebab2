//! Tabs in significant white space. go-yaml rejects some that YAML allows: it skips a tab only where no key
//! may start.

use super::{OpenNode, Parser, Sig};
use crate::syntax::{Content, Element, SyntaxErrorKind, SyntaxKind};

/// The last token before a position, and the column of the entry or item that contains it; -1 at the top.
#[derive(Clone, Copy)]
struct LastToken {
    kind: SyntaxKind,
    column: i32,
}

impl Parser<'_> {
    /// White space and comments from `from` up to `sig`, in block style.
    pub(super) fn reach(&mut self, open: &OpenNode, from: usize, sig: Sig) {
        if sig.tabs {
            self.blank_tabs(open, from, sig.pos);
        }
        self.trivia(open, from, sig.pos);
        if let Some(tab) = sig.tab {
            let entry = self.may_be_entry(sig.pos);
            let kind = if entry { SyntaxErrorKind::TabIndentation } else { SyntaxErrorKind::TabBeforeValue };
            self.error(open, kind, tab, tab + 1);
        }
    }

    /// The text after the last value, up to the end at `sig`.
    pub(super) fn parse_rest(&mut self, open: &OpenNode, from: usize, sig: Sig) {
        if sig.tabs {
            self.blank_tabs(open, from, sig.pos);
        }
        self.trivia(open, from, sig.pos);
    }

    /// Reports tabs at the start of the blank lines and comments between `from` and `to`.
    fn blank_tabs(&mut self, open: &OpenNode, from: usize, to: usize) {
        let leaf = self.last_leaf(open);
        if leaf.kind.is_block_scalar() {
            // The block scalar has reported them.
            return;
        }
        let mut in_plain = leaf.kind == SyntaxKind::Plain;
        let mut line = from;
        if !self.at_line_start(line) {
            let line_end = self.line_end(line).min(to);
            in_plain &= self.is_blank_between(line, line_end);
            line = self.after_break(line_end);
        }
        while line < to {
            let content = self.skip_blanks(line).min(to);
            let line_end = self.line_end(content).min(to);
            let blanks = self.bytes.get(line..content).unwrap_or_default();
            in_plain &= content == line_end;
            let tab = memchr::memchr(b'\t', blanks).map(|at| line + at);
            // The indentation of the content itself is checked elsewhere.
            let last = line_end >= to && !self.break_at(to);
            if let Some(tab) = tab.filter(|_| !last) {
                let refused = !in_plain || (tab - line) as i32 <= leaf.column;
                let kind =
                    if in_plain { SyntaxErrorKind::BlankTabBelowText } else { SyntaxErrorKind::BlankTab };
                if refused {
                    self.error(open, kind, tab, tab + 1);
                }
            }
            let next = self.after_break(line_end);
            if next <= line {
                break;
            }
            line = next;
        }
    }

    fn is_blank_between(&self, from: usize, to: usize) -> bool {
        self.bytes.get(from..to).unwrap_or_default().iter().all(|byte| matches!(byte, b' ' | b'\t'))
    }

    /// The last token that was read. It may belong to a reused entry.
    fn last_leaf(&self, open: &OpenNode) -> LastToken {
        let holds = matches!(open.kind, SyntaxKind::BlockEntry | SyntaxKind::BlockItem);
        let mut leaf =
            LastToken { kind: open.kind, column: if holds { i32::from(open.context.column) } else { -1 } };
        let own = self.elements.get(open.elements..).unwrap_or_default();
        let significant = |element: &&Element| !element.kind.is_trivia();
        let mut element = own.iter().rfind(significant);
        while let Some(last) = element {
            leaf.kind = last.kind;
            let Content::Node(node) = last.content() else { break };
            if matches!(node.kind, SyntaxKind::BlockEntry | SyntaxKind::BlockItem) {
                leaf.column = i32::from(node.context.column);
            }
            element = node.elements.iter().rfind(significant);
        }
        leaf
    }

    /// Whether the content of `open` so far ends in a plain scalar.
    pub(super) fn ends_in_plain(&self, open: &OpenNode) -> bool {
        self.last_leaf(open).kind == SyntaxKind::Plain
    }

    /// Reports a tab between the indicator that ends at `from` and the next text on its line. For go-yaml, a
    /// key may start after `-`, `?` and an explicit `:`.
    pub(super) fn separation(&mut self, open: &OpenNode, from: usize) {
        let next = self.skip_blanks(from);
        let blanks = self.bytes.get(from..next).unwrap_or_default();
        if let Some(tab) = memchr::memchr(b'\t', blanks).map(|at| from + at) {
            let block = self.may_be_entry(next);
            let kind =
                if block { SyntaxErrorKind::TabSeparation } else { SyntaxErrorKind::TabAfterIndicator };
            self.error(open, kind, tab, tab + 1);
        }
    }

    /// Reports the first tab before a continuation line of a plain scalar, between `from` and `to`.
    pub(super) fn continuation_tab(&mut self, open: &OpenNode, outer: i32, from: usize, to: usize) {
        let text = self.bytes.get(from..to).unwrap_or_default();
        if memchr::memchr(b'\t', text).is_none() {
            return;
        }
        let mut line_start = None;
        for (at, byte) in text.iter().enumerate() {
            match (byte, line_start) {
                (b'\n' | b'\r', _) => line_start = Some(at + 1),
                (b'\t', Some(start)) if ((at - start) as i32) <= outer => {
                    self.error(open, SyntaxErrorKind::ContinuationTab, from + at, from + at + 1);
                    return;
                }
                (b' ' | b'\t', _) => {}
                // After text, a tab is not indentation.
                _ => line_start = None,
            }
        }
    }
}
