//! `|` and `>` blocks.

use super::{OpenNode, Parser};
use crate::syntax::{SyntaxErrorKind, SyntaxKind};

impl Parser<'_> {
    /// A `|` or `>` block at `pos`, below a block at column `outer`.
    pub(super) fn block_scalar(&mut self, open: &OpenNode, outer: i32, pos: usize) -> usize {
        let kind = if self.byte(pos) == Some(b'|') { SyntaxKind::Literal } else { SyntaxKind::Folded };
        let header_end = self.line_end(pos);
        let (digit, keep) = self.block_header(open, pos, header_end);
        let mut indentation = digit.map(|digit| outer.max(0) + digit);
        let mut widest_blank = 0;
        let mut end = header_end;
        let mut line = header_end;
        while line < self.limit {
            line = self.after_break(line);
            let mut content = line;
            while self.byte(content) == Some(b' ') {
                content += 1;
            }
            self.touch(content + 1);
            let column = (content - line) as i32;
            let line_end = self.line_end(content);
            let tab = self.byte(content) == Some(b'\t');
            // A tab at the text's own column is text, and so is one if the column is not known yet.
            let tab_is_text = tab && column > outer && indentation.is_none_or(|known| column >= known);
            if self.break_at(content) || (tab && !tab_is_text && self.line_is_over(content)) {
                if tab {
                    self.error(open, SyntaxErrorKind::BlockTab, content, content + 1);
                }
                if indentation.is_none() {
                    widest_blank = widest_blank.max(column);
                }
                let below = indentation.is_some_and(|indentation| column > indentation);
                if keep || below {
                    end = self.after_break(line_end);
                }
            } else {
                if column <= outer || indentation.is_some_and(|indentation| column < indentation) {
                    break;
                }
                if indentation.is_none() {
                    self.first_line(open, content, line_end, column < widest_blank);
                }
                indentation.get_or_insert(column);
                end = self.after_break(line_end);
            }
            line = line_end;
        }
        self.token(open, kind, pos, end);
        end
    }

    /// The indentation digit, and whether trailing line breaks are kept.
    pub(super) fn block_header(
        &mut self,
        open: &OpenNode,
        pos: usize,
        header_end: usize,
    ) -> (Option<i32>, bool) {
        let mut at = pos + 1;
        let (mut digit, mut sign) = (None, None);
        loop {
            match self.byte(at) {
                Some(byte @ (b'+' | b'-')) if sign.is_none() => sign = Some(byte),
                Some(byte @ b'0'..=b'9') if digit.is_none() => digit = Some(i32::from(byte - b'0')),
                _ => break,
            }
            at += 1;
        }
        if self.byte(at) == Some(b'#') {
            self.error(open, SyntaxErrorKind::CommentSpace, at, at + 1);
        } else if digit == Some(0) {
            self.error(open, SyntaxErrorKind::ZeroIndentation, pos, at);
        } else if !self.line_is_over(at) {
            self.error(open, SyntaxErrorKind::BlockHeader, at.min(header_end), header_end.max(at));
        }
        (digit, sign == Some(b'+'))
    }

    /// Examines the first line that is not blank, which determines the indentation.
    fn first_line(&mut self, open: &OpenNode, content: usize, line_end: usize, below_blank: bool) {
        let kind = match self.byte(content) {
            Some(b'\t') => SyntaxErrorKind::BlockLeadingTab,
            Some(b'#') if below_blank => SyntaxErrorKind::LeadingBlankComment,
            _ if below_blank => SyntaxErrorKind::LeadingBlank,
            _ => return,
        };
        let end = if kind == SyntaxErrorKind::BlockLeadingTab { content + 1 } else { line_end };
        self.error(open, kind, content, end);
    }
}
