//! Scanning of text: the next token, and the ends of lines, keys and scalars.

use super::{Parser, Sig};

/// A key on one line and its colon.
#[derive(Clone, Copy)]
pub(super) struct Key {
    pub(super) end: usize,
    pub(super) colon: usize,
}

/// The end of a quoted scalar.
#[derive(Clone, Copy)]
pub(super) struct QuotedEnd {
    pub(super) end: usize,
    pub(super) closed: bool,
}

/// The text after the part of a plain scalar that is on one line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PlainEnd {
    Line,
    Comment,
    /// A colon that turns the scalar into a key.
    Colon(usize),
}

impl Parser<'_> {
    pub(super) fn byte(&self, pos: usize) -> Option<u8> {
        if pos < self.limit { self.bytes.get(pos).copied() } else { None }
    }

    /// Whether a space, a tab, a line break or the end of the text is at `pos`.
    pub(super) fn blank_at(&self, pos: usize) -> bool {
        matches!(self.byte(pos), None | Some(b' ' | b'\t' | b'\n' | b'\r'))
    }

    pub(super) fn break_at(&self, pos: usize) -> bool {
        matches!(self.byte(pos), None | Some(b'\n' | b'\r'))
    }

    /// The end of the line that holds `pos`, before its break.
    pub(super) fn line_end(&mut self, pos: usize) -> usize {
        let end = self.find_line_end(pos);
        self.touch(end + 1);
        end
    }

    /// The end of the line, for a caller that records what it reads of the line.
    fn find_line_end(&mut self, pos: usize) -> usize {
        match self.last_line {
            Some((from, end)) if (from..=end).contains(&pos) => end,
            _ => {
                let rest = self.bytes.get(pos..self.limit).unwrap_or_default();
                let end = memchr::memchr2(b'\n', b'\r', rest).map_or(self.limit, |at| pos + at);
                self.last_line = Some((pos, end));
                end
            }
        }
    }

    /// The start of the line after the line break at `pos`.
    pub(super) fn after_break(&mut self, pos: usize) -> usize {
        self.touch(pos + 2);
        match (self.byte(pos), self.byte(pos + 1)) {
            (Some(b'\r'), Some(b'\n')) => pos + 2,
            (Some(_), _) => pos + 1,
            (None, _) => pos,
        }
    }

    pub(super) fn skip_blanks(&mut self, mut pos: usize) -> usize {
        while matches!(self.byte(pos), Some(b' ' | b'\t')) {
            pos += 1;
        }
        self.touch(pos + 1);
        pos
    }

    /// Whether nothing but a comment follows on the line after `pos`.
    pub(super) fn line_is_over(&mut self, pos: usize) -> bool {
        let next = self.skip_blanks(pos);
        self.break_at(next) || (self.byte(next) == Some(b'#') && (next > pos || self.at_line_start(pos)))
    }

    fn line_start(&self, pos: usize) -> usize {
        let before = self.bytes.get(..pos).unwrap_or_default();
        match memchr::memrchr2(b'\n', b'\r', before) {
            Some(at) => at + 1,
            None => self.bom,
        }
    }

    pub(super) fn at_line_start(&self, pos: usize) -> bool {
        match pos.checked_sub(1).and_then(|before| self.bytes.get(before)) {
            None | Some(b'\n' | b'\r') => true,
            Some(_) => pos == self.bom,
        }
    }

    pub(super) fn is_first_on_line(&self, pos: usize) -> bool {
        let start = self.line_start(pos);
        self.bytes.get(start..pos).unwrap_or_default().iter().all(|byte| matches!(byte, b' ' | b'\t'))
    }

    /// The column of `pos`. A tab in the indentation counts as two, which keeps most such lines in their block.
    pub(super) fn column(&self, pos: usize) -> usize {
        let start = self.line_start(pos);
        let indentation = self.bytes.get(start..pos).unwrap_or_default().iter();
        let tabs = indentation.take_while(|byte| matches!(byte, b' ' | b'\t')).filter(|&&byte| byte == b'\t');
        pos - start + tabs.count()
    }

    /// The next text from `from` on that is neither white space nor a comment.
    pub(super) fn sig(&mut self, from: usize) -> Sig {
        let sig = match self.last_sig {
            Some((at, sig)) if at == from => sig,
            _ => self.find_sig(from),
        };
        self.last_sig = Some((from, sig));
        self.touch(sig.pos + 2);
        sig
    }

    fn find_sig(&self, from: usize) -> Sig {
        let mut pos = from;
        if pos == 0 {
            pos = self.bom;
        }
        let mut fresh_line = self.at_line_start(pos);
        let mut tab = None;
        let mut tabs = false;
        let mut blank = fresh_line;
        // The start of the line, once the loop has passed a line break.
        let mut line = None;
        let bytes = self.bytes.get(..self.limit).unwrap_or_default();
        loop {
            match bytes.get(pos) {
                Some(b' ') => {
                    blank = true;
                    // Most of this text is indentation.
                    while bytes.get(pos + 1..pos + 9) == Some(b"        ") {
                        pos += 8;
                    }
                }
                Some(b'\t') => {
                    (blank, tabs) = (true, true);
                    if fresh_line && tab.is_none() {
                        tab = Some(pos);
                    }
                }
                Some(b'\n' | b'\r') => {
                    (fresh_line, blank, tab) = (true, true, None);
                    line = Some(pos + 1);
                }
                Some(b'#') if blank => {
                    let rest = bytes.get(pos..).unwrap_or_default();
                    pos += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                    continue;
                }
                Some(_) => {
                    let column = match line {
                        Some(line) if !tabs => pos - line,
                        None if !fresh_line => 0,
                        _ => self.column(pos),
                    };
                    return Sig { pos, column, fresh_line, tab, tabs, end: false };
                }
                None => return Sig { pos: self.limit, column: 0, fresh_line, tab: None, tabs, end: true },
            }
            pos += 1;
        }
    }

    /// Whether `indicator` is at `pos`, followed by white space.
    pub(super) fn indicator(&mut self, pos: usize, indicator: u8) -> bool {
        self.touch(pos + 2);
        self.byte(pos) == Some(indicator) && self.blank_at(pos + 1)
    }

    /// The key that starts at `pos`, if its colon is on the same line. Consecutive calls ask for the same key.
    pub(super) fn implicit_key(&mut self, pos: usize) -> Option<Key> {
        if let Some((at, key, looked)) = self.last_key
            && at == pos
        {
            self.furthest = self.furthest.max(looked);
            return key;
        }
        let seen = std::mem::take(&mut self.furthest);
        let key = self.find_key(pos);
        self.last_key = Some((pos, key, self.furthest));
        self.furthest = self.furthest.max(seen);
        key
    }

    fn find_key(&mut self, pos: usize) -> Option<Key> {
        let end = match self.byte(pos)? {
            quote @ (b'"' | b'\'') => {
                let line_end = self.line_end(pos);
                self.quote_end_on_line(pos, quote, line_end)?
            }
            b'[' | b'{' => {
                let line_end = self.line_end(pos);
                self.flow_end_on_line(pos, line_end)?
            }
            b'*' => self.name_end(pos + 1),
            b'|' | b'>' | b'#' | b'@' | b'`' | b'%' | b',' | b']' | b'}' | b'&' | b'!' => return None,
            b'-' | b'?' if self.blank_at(pos + 1) => return None,
            _ => {
                let line_end = self.find_line_end(pos);
                let (end, stop) = self.plain_on_line(pos, line_end);
                let colon = match stop {
                    PlainEnd::Colon(colon) => Some(colon),
                    _ => None,
                };
                self.touch(colon.unwrap_or(line_end) + 2);
                return colon.map(|colon| Key { end, colon });
            }
        };
        let colon = self.skip_blanks(end);
        (self.byte(colon) == Some(b':') && self.blank_at(colon + 1)).then_some(Key { end, colon })
    }

    /// Whether a key from `start` to its colon is longer than the 1,024 characters that YAML allows.
    pub(super) fn is_long_key(&self, start: usize, colon: usize) -> bool {
        const MOST: usize = 1_024;
        colon - start > MOST && self.src.get(start..colon).is_some_and(|key| key.chars().nth(MOST).is_some())
    }

    /// The part of a plain block scalar from `pos` to the end of its line, without trailing white space.
    pub(super) fn plain_on_line(&self, pos: usize, line_end: usize) -> (usize, PlainEnd) {
        let mut at = pos;
        let (stop, kind) = loop {
            let rest = self.bytes.get(at..line_end).unwrap_or_default();
            let Some(found) = memchr::memchr2(b':', b'#', rest) else { break (line_end, PlainEnd::Line) };
            let found = at + found;
            if self.bytes.get(found) == Some(&b':') {
                if self.blank_at(found + 1) {
                    break (found, PlainEnd::Colon(found));
                }
            } else if found > pos && matches!(self.bytes.get(found - 1), Some(b' ' | b'\t')) {
                break (found, PlainEnd::Comment);
            }
            at = found + 1;
        };
        (self.trim_end(pos, stop), kind)
    }

    /// `end` moved back over white space, not before `start`.
    pub(super) fn trim_end(&self, start: usize, end: usize) -> usize {
        let text = self.bytes.get(start..end).unwrap_or_default();
        let blank = text.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
        end - blank
    }

    /// The end of the name of an anchor, alias or tag.
    pub(super) fn name_end(&mut self, pos: usize) -> usize {
        let mut end = pos;
        while !self.blank_at(end) && !matches!(self.byte(end), Some(b',' | b'[' | b']' | b'{' | b'}')) {
            end += 1;
        }
        self.touch(end + 1);
        end
    }

    /// The end of the quoted scalar at `pos`, if it is before `line_end`.
    pub(super) fn quote_end_on_line(&self, pos: usize, quote: u8, line_end: usize) -> Option<usize> {
        let end = self.closing_quote(pos + 1, quote, line_end)?;
        (end < line_end).then_some(end + 1)
    }

    /// The quote that closes a scalar whose content starts at `pos`, before `limit`.
    fn closing_quote(&self, mut pos: usize, quote: u8, limit: usize) -> Option<usize> {
        loop {
            let rest = self.bytes.get(pos..limit)?;
            let found = pos
                + if quote == b'"' {
                    memchr::memchr2(b'"', b'\\', rest)?
                } else {
                    memchr::memchr(quote, rest)?
                };
            match self.bytes.get(found) {
                Some(b'\\') => pos = found + 2,
                _ if quote == b'\'' && found + 1 < limit && self.bytes.get(found + 1) == Some(&quote) => {
                    pos = found + 2;
                }
                _ => return Some(found),
            }
            if pos > limit {
                return None;
            }
        }
    }

    fn flow_end_on_line(&self, pos: usize, line_end: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut at = pos;
        while at < line_end {
            match self.bytes.get(at)? {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                quote @ (b'"' | b'\'') if self.opens_quote(at) => {
                    at = self.closing_quote(at + 1, *quote, line_end)?;
                }
                b'#' if matches!(self.bytes.get(at - 1), Some(b' ' | b'\t')) => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Whether the quote at `pos`, within brackets, starts a scalar rather than being a character of a plain
    /// scalar.
    pub(super) fn opens_quote(&self, pos: usize) -> bool {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let before = self.bytes.get(..pos).unwrap_or_default();
        let end = before.iter().rposition(|byte| !blank(byte)).map_or(0, |at| at + 1);
        match before.get(..end).unwrap_or_default() {
            [] | [.., b'[' | b'{' | b','] => true,
            [.., b':' | b'?' | b'-'] if end < pos => true,
            // A colon without a space separates only after quotes and brackets: `{a:'b'}` is one plain scalar.
            [key @ .., b':'] => {
                let key = key.iter().rev().find(|byte| !blank(byte));
                matches!(key, Some(b'"' | b'\'' | b']' | b'}'))
            }
            _ => false,
        }
    }

    /// The quoted scalar at `pos`, below a block at column `outer`. It may span lines. If a line looks like
    /// the next entry and no proper closing quote follows, the scalar counts as unclosed and ends with its
    /// line.
    pub(super) fn quoted(&mut self, pos: usize, outer: i32, limit: usize, flow: bool) -> QuotedEnd {
        let quote = self.bytes.get(pos).copied().unwrap_or(b'"');
        let first_line = self.line_end(pos).min(limit);
        if let Some(end) = self.quote_end_on_line(pos, quote, first_line) {
            return QuotedEnd { end, closed: true };
        }
        let unclosed = QuotedEnd { end: self.trim_end(pos, first_line).max(pos + 1), closed: false };
        let Some(end) = self.closing_quote(pos + 1, quote, limit) else {
            self.touch(limit + 1);
            return unclosed;
        };
        self.touch(end + 2);
        let mut line = first_line;
        while line < end {
            line = self.after_break(line);
            let content = self.skip_blanks(line);
            if content < end && (self.column(content) as i32) <= outer && self.looks_like_entry(content) {
                let proper = self.properly_closed(line, quote, limit, flow);
                return if proper { QuotedEnd { end: end + 1, closed: true } } else { unclosed };
            }
            line = self.line_end(line);
        }
        QuotedEnd { end: end + 1, closed: true }
    }

    /// Whether the first quote from `pos` on is followed by text that can follow a closing quote.
    fn properly_closed(&mut self, pos: usize, quote: u8, limit: usize, flow: bool) -> bool {
        let Some(end) = self.closing_quote(pos, quote, limit) else { return false };
        let after = self.skip_blanks(end + 1);
        match self.byte(after) {
            None | Some(b'\n' | b'\r') => true,
            Some(b'#') => after > end + 1,
            Some(byte) => flow && matches!(byte, b',' | b']' | b'}' | b':'),
        }
    }

    /// Whether the content at `pos` of its line looks like an entry or item of a block.
    pub(super) fn looks_like_entry(&mut self, pos: usize) -> bool {
        if self.indicator(pos, b'-') {
            return true;
        }
        let line_end = self.line_end(pos);
        let last = self.trim_end(pos, line_end);
        let open = last > pos && matches!(self.bytes.get(last - 1), Some(b',' | b'{' | b'[' | b'}' | b']'));
        !open && self.implicit_key(pos).is_some()
    }
}
