//! Splits a pattern into tokens, and reports all errors that do not depend on nesting.

use std::ops::Range;

use super::class::{Class, ClassItem, MAX_RUNE, RuneRange, perl_class, posix_class};
use super::error::{Error, ErrorKind};
use super::token::{Flags, MAX_REPEAT, Repeat, RepeatOp, Token, TokenKind};
use super::unicode::UnicodeClass;

/// Reads tokens off a pattern.
pub(super) struct Scanner<'a> {
    pattern: &'a str,
    position: usize,
    flags: Flags,
    /// The flags outside each open group.
    outer: Vec<Flags>,
    /// The end of the literal text of `\Q`.
    quoted_to: Option<usize>,
    /// The start of the previous token, if it is a repetition.
    repeat_from: Option<usize>,
    /// Whether it is known that no `:]` follows.
    no_posix_end: bool,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(pattern: &'a str) -> Scanner<'a> {
        Scanner {
            pattern,
            position: 0,
            flags: Flags::default(),
            outer: Vec::new(),
            quoted_to: None,
            repeat_from: None,
            no_posix_end: false,
        }
    }

    /// The flags in effect here.
    pub(super) fn flags(&self) -> Flags {
        self.flags
    }

    /// The next token; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Token>, Error> {
        loop {
            let quoted_from = self.position;
            if let Some(literal) = self.quoted() {
                return Ok(Some(self.token(quoted_from, self.flags, literal)));
            }
            let (start, before) = (self.position, self.flags);
            let Some(first) = self.peek() else { return Ok(None) };
            let kind = match first {
                b'(' if self.rest().starts_with("(?") => self.perl_group()?,
                b'(' => {
                    self.position += 1;
                    self.outer.push(self.flags);
                    Some(TokenKind::Capture(None))
                }
                b')' => {
                    self.position += 1;
                    self.flags = self.outer.pop().unwrap_or_default();
                    Some(TokenKind::Close)
                }
                b'|' => self.single(TokenKind::Bar),
                b'^' => self.single(TokenKind::LineStart),
                b'$' => self.single(TokenKind::LineEnd),
                b'.' => self.single(TokenKind::Any),
                b'[' => Some(TokenKind::Class(self.bracket()?)),
                b'*' => Some(self.operator(RepeatOp::Star)?),
                b'+' => Some(self.operator(RepeatOp::Plus)?),
                b'?' => Some(self.operator(RepeatOp::Quest)?),
                b'{' => Some(self.counted()?),
                b'\\' => self.escape()?,
                _ => self.char().map(TokenKind::Literal),
            };
            // A group of flags alone, such as `(?i)`, or an empty `\Q\E` is not a token, but separates the
            // two `*` of `a**`.
            let is_repeat = matches!(kind, Some(TokenKind::Repeat(_)));
            self.repeat_from = is_repeat.then_some(start);
            if let Some(kind) = kind {
                return Ok(Some(self.token(start, before, kind)));
            }
        }
    }

    fn token(&self, start: usize, before: Flags, kind: TokenKind) -> Token {
        Token { range: start..self.position, kind, before, flags: self.flags }
    }

    fn rest(&self) -> &'a str {
        self.pattern.get(self.position..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.pattern.as_bytes().get(self.position).copied()
    }

    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.pattern.as_bytes().get(self.position + ahead).copied()
    }

    fn char(&mut self) -> Option<u32> {
        let c = self.rest().chars().next()?;
        self.position += c.len_utf8();
        Some(u32::from(c))
    }

    fn single(&mut self, kind: TokenKind) -> Option<TokenKind> {
        self.position += 1;
        Some(kind)
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.position += usize::from(found);
        found
    }

    /// An error from `start` to the current position, which is both its fragment and its range.
    fn error_from(&self, kind: ErrorKind, start: usize) -> Error {
        self.error(kind, start..self.position, start..self.position)
    }

    fn error(&self, kind: ErrorKind, fragment: Range<usize>, range: Range<usize>) -> Error {
        let fragment = self.pattern.get(fragment).unwrap_or_default().to_owned();
        Error { kind, fragment, range }
    }

    /// The next character of the text between `\Q` and `\E`.
    fn quoted(&mut self) -> Option<TokenKind> {
        let end = self.quoted_to?;
        if self.position < end {
            return self.char().map(TokenKind::Literal);
        }
        self.quoted_to = None;
        if self.rest().starts_with("\\E") {
            self.position += 2;
        }
        self.quoted()
    }

    /// `(?...`: a named capture, a group with flags, or flags alone.
    fn perl_group(&mut self) -> Result<Option<TokenKind>, Error> {
        let start = self.position;
        let rest = self.rest();
        if rest.len() > 4 && rest.starts_with("(?P<") {
            return self.named_capture(4).map(Some);
        }
        if rest.len() > 3 && rest.starts_with("(?<") {
            return self.named_capture(3).map(Some);
        }
        self.position += 2;
        let mut flags = self.flags;
        let mut set = true;
        let mut seen_after_minus = true;
        while let Some(c) = self.char().and_then(char::from_u32) {
            match c {
                'i' => flags.fold = set,
                'm' => flags.multi_line = set,
                's' => flags.dot_all = set,
                'U' => flags.swap_greed = set,
                '-' if set => {
                    set = false;
                    seen_after_minus = false;
                    continue;
                }
                ':' | ')' if seen_after_minus => {
                    if c == ':' {
                        self.outer.push(self.flags);
                    }
                    self.flags = flags;
                    return Ok((c == ':').then_some(TokenKind::Group));
                }
                _ => break,
            }
            seen_after_minus = true;
        }
        Err(self.error_from(ErrorKind::InvalidPerlOp, start))
    }

    /// `(?P<name>` or `(?<name>`, whose name starts after `intro` bytes.
    fn named_capture(&mut self, intro: usize) -> Result<TokenKind, Error> {
        let start = self.position;
        let name_start = start + intro;
        let kind = ErrorKind::InvalidNamedCapture;
        let Some(length) = self.rest().find('>') else {
            return Err(self.error(kind, start..self.pattern.len(), start..name_start));
        };
        let name_end = start + length;
        self.position = name_end + 1;
        let name = self.pattern.get(name_start..name_end).unwrap_or_default();
        if name.is_empty() {
            return Err(self.error_from(kind, start));
        }
        if !name.bytes().all(|b| b == b'_' || b.is_ascii_alphanumeric()) {
            return Err(self.error(kind, start..self.position, name_start..name_end));
        }
        self.outer.push(self.flags);
        Ok(TokenKind::Capture(Some(name.to_owned())))
    }

    fn operator(&mut self, op: RepeatOp) -> Result<TokenKind, Error> {
        self.position += 1;
        let (min, max) = match op {
            RepeatOp::Plus => (1, None),
            RepeatOp::Quest => (0, Some(1)),
            RepeatOp::Star | RepeatOp::Counted => (0, None),
        };
        self.repeat(op, min, max)
    }

    /// `{2}`, `{2,}`, `{2,3}`; before anything else, `{` is a literal.
    fn counted(&mut self) -> Result<TokenKind, Error> {
        let start = self.position;
        self.position += 1;
        let Some((min, max)) = self.counts() else {
            self.position = start + 1;
            return Ok(TokenKind::Literal(u32::from('{')));
        };
        let greatest = max.unwrap_or(min);
        if min > MAX_REPEAT || greatest > MAX_REPEAT || min > greatest {
            return Err(self.error_from(ErrorKind::InvalidRepeatSize, start));
        }
        self.repeat(RepeatOp::Counted, min, max)
    }

    fn counts(&mut self) -> Option<(u32, Option<u32>)> {
        let min = self.integer()?;
        let max = match self.take(b',') {
            false => Some(min),
            true if self.peek() == Some(b'}') => None,
            true => Some(self.integer()?),
        };
        self.take(b'}').then_some((min, max))
    }

    /// Decimal digits without a leading zero; larger numbers become the greatest number.
    fn integer(&mut self) -> Option<u32> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let text = self.rest().get(..digits).filter(|text| !text.is_empty())?;
        if digits > 1 && text.starts_with('0') {
            return None;
        }
        self.position += digits;
        Some(text.parse().unwrap_or(u32::MAX))
    }

    fn repeat(&mut self, op: RepeatOp, min: u32, max: Option<u32>) -> Result<TokenKind, Error> {
        let lazy = self.take(b'?');
        if let Some(before) = self.repeat_from {
            return Err(self.error_from(ErrorKind::InvalidRepeatOp, before));
        }
        Ok(TokenKind::Repeat(Repeat { op, min, max, greedy: lazy == self.flags.swap_greed }))
    }

    /// Reads a backslash outside brackets and the token that it starts.
    fn escape(&mut self) -> Result<Option<TokenKind>, Error> {
        let start = self.position;
        let kind = match self.peek_at(1) {
            Some(b'A') => TokenKind::TextStart,
            Some(b'z') => TokenKind::TextEnd,
            Some(b'b') => TokenKind::WordBoundary,
            Some(b'B') => TokenKind::NotWordBoundary,
            Some(b'Q') => {
                self.position += 2;
                let length = self.rest().find("\\E").unwrap_or(self.rest().len());
                self.quoted_to = Some(self.position + length);
                return Ok(None);
            }
            _ => match self.class_escape()? {
                Some(item) => {
                    return Ok(Some(TokenKind::Class(Class {
                        negated: false,
                        fold: self.flags.fold,
                        items: vec![item],
                    })));
                }
                None => return self.rune_escape().map(|rune| Some(TokenKind::Literal(rune))),
            },
        };
        self.position = start + 2;
        Ok(Some(kind))
    }

    /// Reads `\d` or `\p{Greek}`, if there is one at the current position.
    fn class_escape(&mut self) -> Result<Option<ClassItem>, Error> {
        let Some(letter) = self.peek_at(1).filter(|_| self.peek() == Some(b'\\')) else { return Ok(None) };
        if matches!(letter, b'p' | b'P') {
            return self.unicode_class(letter == b'P').map(Some);
        }
        let class = perl_class(letter);
        self.position += if class.is_some() { 2 } else { 0 };
        Ok(class)
    }

    fn unicode_class(&mut self, negated: bool) -> Result<ClassItem, Error> {
        let start = self.position;
        self.position += 2;
        let name = if self.take(b'{') {
            let Some(length) = self.rest().find('}') else {
                let kind = ErrorKind::InvalidCharRange;
                return Err(self.error(kind, start..self.pattern.len(), start..self.position));
            };
            let name = self.rest().get(..length).unwrap_or_default();
            self.position += length + 1;
            name
        } else {
            let name_start = self.position;
            self.char();
            self.pattern.get(name_start..self.position).unwrap_or_default()
        };
        let (name, negated) = match name.strip_prefix('^') {
            Some(name) => (name, !negated),
            None => (name, negated),
        };
        let class = UnicodeClass::named(name);
        let class = class.ok_or_else(|| self.error_from(ErrorKind::InvalidCharRange, start))?;
        Ok(ClassItem::Unicode { class, negated })
    }

    /// Reads an escape that represents one code point.
    fn rune_escape(&mut self) -> Result<u32, Error> {
        let start = self.position;
        self.position += 1;
        let Some(c) = self.char() else {
            let end = self.position;
            return Err(self.error(ErrorKind::TrailingBackslash, end..end, start..end));
        };
        let rune = match char::from_u32(c).unwrap_or_default() {
            'a' => Some(7),
            'f' => Some(12),
            'n' => Some(10),
            'r' => Some(13),
            't' => Some(9),
            'v' => Some(11),
            'x' => self.hexadecimal(),
            // `\1` alone would be a backreference.
            '1'..='7' if !matches!(self.peek(), Some(b'0'..=b'7')) => None,
            '0'..='7' => Some(self.octal(c - u32::from('0'))),
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(u32::from(c)),
            _ => None,
        };
        rune.ok_or_else(|| self.error_from(ErrorKind::InvalidEscape, start))
    }

    fn octal(&mut self, first: u32) -> u32 {
        let mut rune = first;
        for _ in 1..3 {
            let Some(digit @ b'0'..=b'7') = self.peek() else { break };
            rune = rune * 8 + u32::from(digit - b'0');
            self.position += 1;
        }
        rune
    }

    /// Reads the digits after `\x`: two, or any number of them in braces. Stops after an error.
    fn hexadecimal(&mut self) -> Option<u32> {
        if !self.take(b'{') {
            let first = self.char()?;
            // Go reads both before it checks either.
            let second = self.char()?;
            return Some(hex_digit(first)? * 16 + hex_digit(second)?);
        }
        let mut rune = None;
        while !self.take(b'}') {
            let digit = hex_digit(self.char()?)?;
            rune = Some(rune.unwrap_or(0) * 16 + digit).filter(|rune| *rune <= MAX_RUNE);
            rune?;
        }
        rune
    }

    /// `[...]`
    fn bracket(&mut self) -> Result<Class, Error> {
        let start = self.position;
        self.position += 1;
        let negated = self.take(b'^');
        let mut items = Vec::new();
        while items.is_empty() || self.peek() != Some(b']') {
            if let Some(item) = self.posix()? {
                items.push(item);
            } else if let Some(item) = self.class_escape()? {
                items.push(item);
            } else {
                let (lo, hi) = self.class_range(start)?;
                items.push(ClassItem::Range(lo, hi));
            }
        }
        self.position += 1;
        Ok(Class { negated, fold: self.flags.fold, items })
    }

    /// Reads `[:alpha:]`, if there is one at the current position.
    fn posix(&mut self) -> Result<Option<ClassItem>, Error> {
        if self.no_posix_end || !self.rest().starts_with("[:") {
            return Ok(None);
        }
        let start = self.position;
        let inside = self.rest().get(2..).unwrap_or_default();
        let Some(length) = inside.find(":]") else {
            // Searched only once, so that many `[:` take no longer than one.
            self.no_posix_end = true;
            return Ok(None);
        };
        self.position += 2 + length + 2;
        let class = posix_class(inside.get(..length).unwrap_or_default());
        class.ok_or_else(|| self.error_from(ErrorKind::InvalidCharRange, start)).map(Some)
    }

    /// `a` or `a-z` inside the brackets that open at `bracket`.
    fn class_range(&mut self, bracket: usize) -> Result<RuneRange, Error> {
        let start = self.position;
        let lo = self.class_rune(bracket)?;
        // The - of [a-] is a literal.
        let is_range = self.peek() == Some(b'-') && !matches!(self.peek_at(1), None | Some(b']'));
        if !is_range {
            return Ok((lo, lo));
        }
        self.position += 1;
        let hi = self.class_rune(bracket)?;
        if hi < lo { Err(self.error_from(ErrorKind::InvalidCharRange, start)) } else { Ok((lo, hi)) }
    }

    fn class_rune(&mut self, bracket: usize) -> Result<u32, Error> {
        if self.peek() == Some(b'\\') {
            return self.rune_escape();
        }
        let kind = ErrorKind::MissingBracket;
        self.char().ok_or_else(|| self.error(kind, bracket..self.pattern.len(), bracket..bracket + 1))
    }
}

fn hex_digit(c: u32) -> Option<u32> {
    char::from_u32(c)?.to_digit(16)
}
