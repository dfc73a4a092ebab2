//! Flow style: brackets and braces, closed or not.

use super::{MAX_FLOW_DEPTH, OpenNode, Parser};
use text::TextSize;

use super::property::SeenProperties;
use crate::syntax::{Context, SyntaxErrorKind, SyntaxKind};

/// How many lines below a line that looks like an entry are searched for the closing bracket.
const DOUBTFUL_LINES: usize = 8;

/// A pair of brackets, with the errors of a collection within them.
struct Brackets {
    collection: SyntaxKind,
    left: SyntaxKind,
    right: SyntaxKind,
    closer: u8,
    missing_comma: SyntaxErrorKind,
    unclosed: SyntaxErrorKind,
}

/// `{` and `}`
const CURLY: Brackets = Brackets {
    collection: SyntaxKind::FlowMapping,
    left: SyntaxKind::LeftBrace,
    right: SyntaxKind::RightBrace,
    closer: b'}',
    missing_comma: SyntaxErrorKind::MissingBraceComma,
    unclosed: SyntaxErrorKind::UnclosedBrace,
};

/// `[` and `]`
const SQUARE: Brackets = Brackets {
    collection: SyntaxKind::FlowSequence,
    left: SyntaxKind::LeftBracket,
    right: SyntaxKind::RightBracket,
    closer: b']',
    missing_comma: SyntaxErrorKind::MissingComma,
    unclosed: SyntaxErrorKind::UnclosedBracket,
};

/// The open brackets and their latest end.
struct OpenBrackets {
    /// The end of the outermost bracket's text, closed or not.
    limit: usize,
    /// The column of the surrounding block.
    outer: i32,
    closers: Vec<u8>,
}

impl Parser<'_> {
    /// The brackets at `pos`, below a block at column `outer`.
    pub(super) fn flow(&mut self, open: &OpenNode, pos: usize, outer: i32) -> usize {
        let limit = self.flow_limit(pos, outer);
        let end = self.flow_within(open, pos, outer, limit);
        // The brackets may close before the limit, which `flow_limit` finds with simpler rules for quotes.
        self.flow_indentation(open, outer, pos, end, true);
        end
    }

    /// The brackets at `pos`, which end at `limit`, closed or not.
    fn flow_within(&mut self, open: &OpenNode, pos: usize, outer: i32, limit: usize) -> usize {
        let mut frame = OpenBrackets { limit, outer, closers: Vec::new() };
        self.flow_collection(open, pos, &mut frame)
    }

    /// Brackets from `pos` to `end` as a key.
    pub(super) fn flow_key(&mut self, open: &OpenNode, pos: usize, outer: i32, end: usize) {
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

    /// Reports the first line between `start` and `end`, within brackets or quotes, that is not indented more
    /// than the block at column `outer`. With `brackets`, a closing bracket is allowed there: this is common,
    /// and all parsers accept it.
    pub(super) fn flow_indentation(
        &mut self,
        open: &OpenNode,
        outer: i32,
        start: usize,
        end: usize,
        brackets: bool,
    ) {
        let mut at = start;
        loop {
            let rest = self.bytes.get(at..end).unwrap_or_default();
            let Some(found) = memchr::memchr2(b'\n', b'\r', rest) else { return };
            let line = self.after_break(at + found).min(end);
            let indentation = self.bytes.get(line..end).unwrap_or_default().iter();
            let content = line + indentation.take_while(|&&byte| byte == b' ').count();
            let next = self.skip_blanks(content);
            let blank = next >= end || self.break_at(next);
            if !blank
                && (content - line) as i32 <= outer
                && !(brackets && matches!(self.byte(next), Some(b']' | b'}')))
            {
                self.error(open, SyntaxErrorKind::FlowIndentation, next, next + 1);
                return;
            }
            at = content.max(at + found + 1);
        }
    }

    /// The end of the brackets at `pos`. They may continue at any column, as the API server's decoder allows.
    /// If they are not closed before a line that looks like the next entry, they end before that line.
    fn flow_limit(&mut self, pos: usize, outer: i32) -> usize {
        let mut depth = 0_usize;
        let mut at = pos;
        let mut last = pos + 1;
        // The end of the brackets if they are not closed within a few lines; set once a line looks like an entry.
        let mut doubt: Option<(usize, usize)> = None;
        while let Some(byte) = self.byte(at) {
            match byte {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        self.touch(at + 1);
                        return match doubt {
                            Some((limit, _)) if !self.line_is_over(at + 1) => limit,
                            _ => at + 1,
                        };
                    }
                }
                b'"' | b'\'' if self.opens_quote(at) => {
                    at = self.quoted(at, outer, self.limit, true).end;
                    last = at;
                    continue;
                }
                b'#' if self.flow_comment(at) => {
                    at = self.line_end(at);
                    continue;
                }
                b'\n' | b'\r' => {
                    at = self.after_break(at);
                    let content = self.skip_blanks(at);
                    doubt = match doubt {
                        Some((limit, 0)) => return limit,
                        Some((limit, lines)) => Some((limit, lines - 1)),
                        None if self.ends_flow(content, outer) => {
                            Some((self.unclosed_limit(pos, last), DOUBTFUL_LINES))
                        }
                        None => None,
                    };
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
        doubt.map_or_else(|| self.unclosed_limit(pos, last), |(limit, _)| limit)
    }

    fn ends_flow(&mut self, content: usize, outer: i32) -> bool {
        !self.break_at(content) && self.column(content) as i32 <= outer && self.looks_like_entry(content)
    }

    /// Unclosed brackets extend to `last`, or only to the end of their line if block entries follow.
    fn unclosed_limit(&mut self, pos: usize, last: usize) -> usize {
        let line_end = self.line_end(pos);
        let sig = self.sig(line_end);
        if sig.pos < last && self.looks_like_entry(sig.pos) {
            return self.trim_end(pos, line_end).max(pos + 1);
        }
        last
    }

    fn flow_collection(&mut self, parent: &OpenNode, pos: usize, frame: &mut OpenBrackets) -> usize {
        let brackets = if self.byte(pos) == Some(b'{') { CURLY } else { SQUARE };
        let open = self.open_node(brackets.collection, Context::default(), pos);
        if frame.closers.len() >= MAX_FLOW_DEPTH {
            self.error(&open, SyntaxErrorKind::TooDeep, pos, pos + 1);
            self.token(&open, SyntaxKind::Garbage, pos, frame.limit);
            return self.close_into(parent, open, frame.limit);
        }
        frame.closers.push(brackets.closer);
        self.token(&open, brackets.left, pos, pos + 1);
        let mut end = pos + 1;
        let mut separated = true;
        let mut closed = false;
        while !closed {
            let next = self.skip_flow_trivia(end, frame.limit);
            if next >= frame.limit {
                break;
            }
            let byte = self.byte(next).unwrap_or(brackets.closer);
            closed = byte == brackets.closer;
            if !closed && matches!(byte, b']' | b'}') && frame.closers.contains(&byte) {
                break;
            }
            self.trivia(&open, end, next);
            end = if closed {
                self.token(&open, brackets.right, next, next + 1);
                next + 1
            } else {
                self.flow_part(&open, next, &brackets, &mut separated, frame)
            };
        }
        if !closed {
            self.error(&open, brackets.unclosed, pos, pos + 1);
        }
        frame.closers.pop();
        self.close_into(parent, open, end)
    }

    /// A comma, an entry or an unexpected character within `brackets`; returns its end. `separated`: no entry
    /// precedes it since the last comma.
    fn flow_part(
        &mut self,
        open: &OpenNode,
        pos: usize,
        brackets: &Brackets,
        separated: &mut bool,
        frame: &mut OpenBrackets,
    ) -> usize {
        match self.byte(pos) {
            Some(b',') => {
                if *separated {
                    self.error(open, SyntaxErrorKind::UnexpectedIndicator, pos, pos + 1);
                }
                *separated = true;
                self.token(open, SyntaxKind::Comma, pos, pos + 1);
                pos + 1
            }
            Some(b'#') => {
                self.error(open, SyntaxErrorKind::CommentSpace, pos, pos + 1);
                let line_end = self.line_end(pos).min(frame.limit);
                self.trivia(open, pos, line_end);
                line_end
            }
            Some(b']' | b'}') => {
                self.error(open, SyntaxErrorKind::UnexpectedIndicator, pos, pos + 1);
                self.token(open, SyntaxKind::Garbage, pos, pos + 1);
                pos + 1
            }
            _ => {
                if !*separated {
                    self.error(open, brackets.missing_comma, pos, pos + 1);
                }
                *separated = false;
                self.flow_entry(open, pos, brackets.closer == b'}', frame)
            }
        }
    }

    /// Whether the `#` at `pos` starts a comment: after white space, and for go-yaml at any possible start of
    /// a token.
    fn flow_comment(&self, pos: usize) -> bool {
        let before = pos.checked_sub(1).and_then(|before| self.bytes.get(before));
        matches!(before, Some(b' ' | b'\t' | b'\n' | b'\r' | b',' | b'[' | b']' | b'{' | b'}'))
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

    /// One entry in brackets or braces: a pair in braces, a value or a pair in brackets.
    fn flow_entry(&mut self, parent: &OpenNode, pos: usize, brace: bool, frame: &mut OpenBrackets) -> usize {
        let open = self.open_node(SyntaxKind::FlowEntry, Context::default(), pos);
        let explicit = self.indicator(pos, b'?');
        let mut end = pos;
        if explicit {
            self.token(&open, SyntaxKind::Question, pos, pos + 1);
            end = pos + 1;
        }
        let key_start = self.skip_flow_trivia(end, frame.limit);
        let mut adjacent = false;
        if key_start < frame.limit && !self.flow_colon(key_start, false) && !self.ends_entry(key_start) {
            self.trivia(&open, end, key_start);
            (end, adjacent) = self.flow_value(&open, key_start, frame);
        } else if !explicit && self.byte(key_start) == Some(b':') {
            self.error(&open, SyntaxErrorKind::EmptyFlowKey, key_start, key_start + 1);
        }
        // In brackets, the colon of a pair is on the line of its key.
        let colon = if brace || explicit {
            self.skip_flow_trivia(end, frame.limit)
        } else {
            self.skip_blanks(end).min(frame.limit)
        };
        let is_pair = colon < frame.limit && self.flow_colon(colon, adjacent);
        if !brace && !explicit && !is_pair {
            return self.dissolve(parent, open, end);
        }
        if brace && !is_pair && end > pos && self.bytes.get(end - 1) == Some(&b':') && !adjacent {
            self.error(&open, SyntaxErrorKind::FlowColonTail, end - 1, end);
        }
        if is_pair {
            if !explicit {
                self.flow_key_length(&open, key_start, end, colon, brace);
            }
            if !adjacent && end > pos && !self.blank_at(colon + 1) {
                self.error(&open, SyntaxErrorKind::FlowColonSpace, colon, colon + 1);
            }
            self.trivia(&open, end, colon);
            self.token(&open, SyntaxKind::Colon, colon, colon + 1);
            end = colon + 1;
            let next = self.skip_flow_trivia(end, frame.limit);
            if next < frame.limit && !self.ends_entry(next) {
                self.trivia(&open, end, next);
                (end, _) = self.flow_value(&open, next, frame);
            }
        }
        self.close_into(parent, open, end)
    }

    /// Reports a key, from `start` to `end`, that is too far from its colon.
    fn flow_key_length(&mut self, open: &OpenNode, start: usize, end: usize, colon: usize, brace: bool) {
        let text = self.bytes.get(start..colon).unwrap_or_default();
        let kind = if memchr::memchr2(b'\n', b'\r', text).is_some() {
            if brace { SyntaxErrorKind::MultilineFlowKey } else { SyntaxErrorKind::MultilineKey }
        } else if self.is_long_key(start, colon) {
            SyntaxErrorKind::LongKey
        } else {
            return;
        };
        self.error(open, kind, start, end.max(start + 1));
    }

    /// Moves the elements of `open` to `parent`, as they do not form a node.
    fn dissolve(&mut self, parent: &OpenNode, open: OpenNode, end: usize) -> usize {
        let shift = (open.start - parent.start) as TextSize;
        let text_shift = (open.text - parent.text) as TextSize;
        for element in self.elements.iter_mut().skip(open.elements) {
            element.start += shift;
            element.shift_text(text_shift);
        }
        for error in self.errors.iter_mut().skip(open.errors) {
            error.range = error.range.shifted(shift);
        }
        self.touch(open.seen_outside);
        end
    }

    fn ends_entry(&self, pos: usize) -> bool {
        matches!(self.byte(pos), None | Some(b',' | b']' | b'}'))
    }

    /// Whether a colon at `pos` separates key and value. After quotes and brackets, it needs no space. In
    /// YAML 1.2 it needs none before `,`, `]` and `}` either, but go-yaml reads the colon as text there:
    /// `[2001:db8::]`.
    fn flow_colon(&mut self, pos: usize, quoted: bool) -> bool {
        self.touch(pos + 2);
        self.byte(pos) == Some(b':')
            && (quoted || self.blank_at(pos + 1) || matches!(self.byte(pos + 1), Some(b'[' | b'{')))
    }

    /// A value within brackets; returns its end, and whether a colon after it needs no space.
    fn flow_value(&mut self, open: &OpenNode, pos: usize, frame: &mut OpenBrackets) -> (usize, bool) {
        let mut pos = pos;
        let mut seen = SeenProperties::default();
        while matches!(self.byte(pos), Some(b'&' | b'!')) {
            let end = self.properties(open, pos, true, &mut seen).min(frame.limit);
            pos = self.skip_flow_trivia(end, frame.limit);
            if pos >= frame.limit || self.ends_entry(pos) || self.flow_colon(pos, false) {
                return (end, false);
            }
            self.trivia(open, end, pos);
        }
        match self.byte(pos) {
            Some(b'[' | b'{') => (self.flow_collection(open, pos, frame), true),
            Some(quote @ (b'"' | b'\'')) => {
                (self.quoted_token(open, quote, pos, frame.outer, frame.limit, true), true)
            }
            Some(b'*') => {
                let end = self.name_end(pos + 1);
                if seen.any() {
                    self.error(open, SyntaxErrorKind::PropertyOnAlias, pos, end);
                }
                self.anchor_or_alias(open, SyntaxKind::Alias, pos, end);
                (end, false)
            }
            Some(b'@' | b'`' | b'%' | b'|' | b'>' | b'#') => {
                let end = self.flow_plain_end(pos, frame.limit).max(pos + 1);
                self.error(open, SyntaxErrorKind::UnexpectedCharacter, pos, end);
                self.token(open, SyntaxKind::Garbage, pos, end);
                (end, false)
            }
            _ => (self.flow_plain(open, pos, frame), false),
        }
    }

    fn flow_plain(&mut self, open: &OpenNode, pos: usize, frame: &OpenBrackets) -> usize {
        let end = self.flow_plain_end(pos, frame.limit).max(pos + 1);
        // At first, go-yaml includes the white space after the text.
        let mut run_end = end;
        while matches!(self.byte(run_end), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            run_end += 1;
        }
        self.touch(run_end + 1);
        self.continuation_tab(open, frame.outer, pos, run_end);
        let first = self.byte(pos);
        if first == Some(b'-') && self.blank_at(pos + 1) {
            self.error(open, SyntaxErrorKind::FlowItem, pos, pos + 1);
        } else if first == Some(b'-') && end == pos + 1 {
            self.error(open, SyntaxErrorKind::FlowDash, pos, end);
        } else if first == Some(b'?') {
            let kind = match end - pos {
                _ if self.blank_at(pos + 1) => SyntaxErrorKind::MisplacedQuestion,
                1 => SyntaxErrorKind::FlowQuestion,
                _ => SyntaxErrorKind::FlowQuestionKey,
            };
            self.error(open, kind, pos, pos + 1);
        } else if first == Some(b':') {
            self.error(open, SyntaxErrorKind::FlowColon, pos, pos + 1);
        }
        let question = memchr::memchr(b'?', self.bytes.get(pos + 1..end).unwrap_or_default());
        if let Some(at) = question.map(|at| pos + 1 + at) {
            self.error(open, SyntaxErrorKind::FlowQuestion, at, at + 1);
        }
        self.token(open, SyntaxKind::Plain, pos, end);
        end
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
}
