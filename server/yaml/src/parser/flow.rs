//! Flow style: brackets and braces, closed or not.

use super::block::Place;
use super::{MAX_FLOW_DEPTH, Open, Parser};
use crate::syntax::{Context, SyntaxErrorKind, SyntaxKind};

/// The brackets that are open, and where they must have ended.
struct Frame {
    /// Where the text of the outermost bracket ends, closed or not.
    limit: usize,
    /// The column of the block around it.
    outer: i32,
    closers: Vec<u8>,
}

impl Parser<'_> {
    /// The brackets at `pos`, below a block at column `outer`.
    pub(super) fn flow(&mut self, open: &Open, pos: usize, outer: i32) -> usize {
        let limit = self.flow_limit(pos, outer);
        self.flow_within(open, pos, outer, limit)
    }

    /// The brackets at `pos`, which end at `limit`, closed or not.
    fn flow_within(&mut self, open: &Open, pos: usize, outer: i32, limit: usize) -> usize {
        let mut frame = Frame { limit, outer, closers: Vec::new() };
        self.flow_collection(open, pos, &mut frame)
    }

    /// Brackets from `pos` to `end` as a key.
    pub(super) fn flow_key(&mut self, open: &Open, pos: usize, outer: i32, end: usize) {
        let read = self.flow_within(open, pos, outer, end);
        if read < end {
            let extra = self.skip_flow_trivia(read, end);
            self.trivia(open, read, extra);
            if extra < end {
                self.error(open, SyntaxErrorKind::ExtraContent, extra, end);
            }
            self.token(open, SyntaxKind::Garbage, extra, end);
        }
    }

    /// Where the brackets at `pos` end. They may go on at any column, as the API server's decoder allows; but where
    /// they are not closed before a line that looks like the next entry, they end before that line.
    fn flow_limit(&mut self, pos: usize, outer: i32) -> usize {
        let mut depth = 0_usize;
        let mut at = pos;
        let mut last = pos + 1;
        while let Some(byte) = self.byte(at) {
            match byte {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        self.touch(at + 1);
                        return at + 1;
                    }
                }
                b'"' | b'\'' if self.opens_quote(at) => {
                    at = self.quoted(at, outer, self.limit, true).end;
                    last = at;
                    continue;
                }
                b'#' if matches!(self.bytes.get(at - 1), Some(b' ' | b'\t' | b'\n' | b'\r')) => {
                    at = self.line_end(at);
                    continue;
                }
                b'\n' | b'\r' => {
                    at = self.behind_break(at);
                    let content = self.skip_blanks(at);
                    if self.ends_flow(content, outer) {
                        return self.unclosed_limit(pos, last);
                    }
                    at = content;
                    continue;
                }
                _ => {}
            }
            if !matches!(byte, b' ' | b'\t') {
                last = at + 1;
            }
            at += 1;
        }
        self.touch(self.limit + 1);
        self.unclosed_limit(pos, last)
    }

    fn ends_flow(&mut self, content: usize, outer: i32) -> bool {
        !self.break_at(content) && self.column(content) as i32 <= outer && self.looks_like_entry(content)
    }

    /// Unclosed brackets reach to `last`, or only to the end of their line where block entries follow.
    fn unclosed_limit(&mut self, pos: usize, last: usize) -> usize {
        let line_end = self.line_end(pos);
        let sig = self.sig(line_end);
        if sig.pos < last && self.looks_like_entry(sig.pos) {
            return self.trim_end(pos, line_end).max(pos + 1);
        }
        last
    }

    fn flow_collection(&mut self, parent: &Open, pos: usize, frame: &mut Frame) -> usize {
        let brace = self.byte(pos) == Some(b'{');
        let (kind, left, right, closer) = if brace {
            (SyntaxKind::FlowMapping, SyntaxKind::LeftBrace, SyntaxKind::RightBrace, b'}')
        } else {
            (SyntaxKind::FlowSequence, SyntaxKind::LeftBracket, SyntaxKind::RightBracket, b']')
        };
        let open = self.open(kind, Context::default(), pos);
        if frame.closers.len() >= MAX_FLOW_DEPTH {
            self.error(&open, SyntaxErrorKind::TooDeep, pos, pos + 1);
            self.token(&open, SyntaxKind::Garbage, pos, frame.limit);
            return self.close_into(parent, open, frame.limit);
        }
        frame.closers.push(closer);
        self.token(&open, left, pos, pos + 1);
        let mut end = pos + 1;
        let mut separated = true;
        let mut closed = false;
        loop {
            let next = self.skip_flow_trivia(end, frame.limit);
            if next >= frame.limit {
                break;
            }
            let byte = self.byte(next).unwrap_or(closer);
            if byte != closer && matches!(byte, b']' | b'}') && frame.closers.contains(&byte) {
                break;
            }
            self.trivia(&open, end, next);
            end = match byte {
                _ if byte == closer => {
                    self.token(&open, right, next, next + 1);
                    closed = true;
                    next + 1
                }
                b',' => {
                    if separated {
                        self.error(&open, SyntaxErrorKind::UnexpectedIndicator, next, next + 1);
                    }
                    separated = true;
                    self.token(&open, SyntaxKind::Comma, next, next + 1);
                    next + 1
                }
                b']' | b'}' => {
                    self.error(&open, SyntaxErrorKind::UnexpectedIndicator, next, next + 1);
                    self.token(&open, SyntaxKind::Garbage, next, next + 1);
                    next + 1
                }
                _ => {
                    if !separated {
                        self.error(&open, SyntaxErrorKind::MissingComma, next, next + 1);
                    }
                    separated = false;
                    self.flow_entry(&open, next, brace, frame)
                }
            };
            if closed {
                break;
            }
        }
        if !closed {
            self.error(&open, SyntaxErrorKind::UnclosedBracket, pos, pos + 1);
        }
        frame.closers.pop();
        self.close_into(parent, open, end)
    }

    fn skip_flow_trivia(&mut self, mut pos: usize, limit: usize) -> usize {
        while pos < limit {
            match self.byte(pos) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => pos += 1,
                Some(b'#') if matches!(self.bytes.get(pos - 1), Some(b' ' | b'\t' | b'\n' | b'\r')) => {
                    pos = self.line_end(pos).min(limit);
                }
                _ => break,
            }
        }
        pos.min(limit)
    }

    /// One entry of brackets: in braces a pair, in brackets a value or a pair.
    fn flow_entry(&mut self, parent: &Open, pos: usize, brace: bool, frame: &mut Frame) -> usize {
        if !brace && !self.flow_pair_ahead(pos, frame) {
            return self.flow_value(parent, pos, frame);
        }
        let open = self.open(SyntaxKind::FlowEntry, Context::default(), pos);
        let mut end = pos;
        if self.indicator(pos, b'?') {
            self.token(&open, SyntaxKind::Question, pos, pos + 1);
            end = pos + 1;
        }
        let next = self.skip_flow_trivia(end, frame.limit);
        if next < frame.limit && !self.flow_colon(next, false) && !self.ends_entry(next) {
            self.trivia(&open, end, next);
            end = self.flow_value(&open, next, frame);
        }
        let colon = self.skip_flow_trivia(end, frame.limit);
        let quoted = end > pos && matches!(self.bytes.get(end - 1), Some(b'"' | b'\'' | b']' | b'}'));
        if colon < frame.limit && self.flow_colon(colon, quoted) {
            self.trivia(&open, end, colon);
            self.token(&open, SyntaxKind::Colon, colon, colon + 1);
            end = colon + 1;
            let next = self.skip_flow_trivia(end, frame.limit);
            if next < frame.limit && !self.ends_entry(next) {
                self.trivia(&open, end, next);
                end = self.flow_value(&open, next, frame);
            }
        }
        self.close_into(parent, open, end)
    }

    fn ends_entry(&self, pos: usize) -> bool {
        matches!(self.byte(pos), None | Some(b',' | b']' | b'}'))
    }

    /// Whether a colon that separates key and value stands at `pos`; behind quotes and brackets it needs no space.
    fn flow_colon(&mut self, pos: usize, quoted: bool) -> bool {
        self.touch(pos + 2);
        self.byte(pos) == Some(b':')
            && (quoted
                || self.blank_at(pos + 1)
                || matches!(self.byte(pos + 1), Some(b',' | b'[' | b']' | b'{' | b'}')))
    }

    /// Whether a single pair without braces starts at `pos`.
    fn flow_pair_ahead(&mut self, pos: usize, frame: &Frame) -> bool {
        if self.indicator(pos, b'?') || self.flow_colon(pos, false) {
            return true;
        }
        let end = match self.byte(pos) {
            Some(b'"' | b'\'') => self.quoted(pos, frame.outer, frame.limit, true).end,
            Some(b'[' | b'{' | b'&' | b'!' | b'*') => return false,
            _ => self.flow_plain_end(pos, frame.limit),
        };
        let quoted = matches!(self.byte(pos), Some(b'"' | b'\''));
        let colon = self.skip_blanks(end);
        colon < frame.limit && self.flow_colon(colon, quoted)
    }

    fn flow_value(&mut self, open: &Open, pos: usize, frame: &mut Frame) -> usize {
        let mut pos = pos;
        if matches!(self.byte(pos), Some(b'&' | b'!')) {
            let end = self.properties(open, pos).min(frame.limit);
            pos = self.skip_flow_trivia(end, frame.limit);
            if pos >= frame.limit || self.ends_entry(pos) {
                return end;
            }
            self.trivia(open, end, pos);
        }
        match self.byte(pos) {
            Some(b'[' | b'{') => self.flow_collection(open, pos, frame),
            Some(quote @ (b'"' | b'\'')) => {
                self.quoted_token(open, quote, pos, frame.outer, frame.limit, true)
            }
            Some(b'*') => {
                let end = self.name_end(pos + 1);
                if end == pos + 1 {
                    self.error(open, SyntaxErrorKind::MissingName, pos, end);
                }
                self.token(open, SyntaxKind::Alias, pos, end);
                end
            }
            Some(b'@' | b'`' | b'%' | b'|' | b'>' | b'#') => {
                let end = self.flow_plain_end(pos, frame.limit).max(pos + 1);
                self.error(open, SyntaxErrorKind::UnexpectedCharacter, pos, end);
                self.token(open, SyntaxKind::Garbage, pos, end);
                end
            }
            _ => {
                let end = self.flow_plain_end(pos, frame.limit).max(pos + 1);
                self.token(open, SyntaxKind::Plain, pos, end);
                end
            }
        }
    }

    /// The end of the plain scalar at `pos`, which may span lines.
    fn flow_plain_end(&mut self, pos: usize, limit: usize) -> usize {
        let mut at = pos;
        let mut end = pos;
        while at < limit {
            match self.byte(at) {
                Some(b',' | b'[' | b']' | b'{' | b'}') => break,
                Some(b':') if self.flow_colon(at, false) => break,
                Some(b'#')
                    if at > pos && matches!(self.bytes.get(at - 1), Some(b' ' | b'\t' | b'\n' | b'\r')) =>
                {
                    break;
                }
                Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
                Some(_) => {
                    at += 1;
                    end = at;
                }
                None => break,
            }
        }
        self.touch(at + 2);
        end.min(limit)
    }

    /// What stands in a document behind its value.
    pub(super) fn extra(&mut self, open: &Open, pos: usize) -> usize {
        if self.may_be_entry(pos) {
            return self.value(open, -1, pos, Place::Compact, None);
        }
        self.garbage(open, SyntaxErrorKind::ExtraContent, pos)
    }
}
