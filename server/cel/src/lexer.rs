//! The lexer: the longest match wins, as in cel-go's grammar.

use text::{TextRange, TextSize};

use crate::token::{Token, TokenKind};

/// Text that starts no token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LexError {
    /// The skipped bytes: up to and including the character that cannot continue any token.
    pub(crate) range: TextRange,
    /// The number of tokens before it.
    pub(crate) before_token: usize,
}

/// The valid tokens of a text, without white space, comments and the end token. Editors use them to colour
/// text, even if it is not a valid expression.
#[must_use]
pub fn tokenize(text: &str) -> Vec<Token> {
    let (mut tokens, _) = tokens(text);
    tokens.pop();
    tokens
}

/// The name directly before the token at `start`.
#[must_use]
pub fn name_before(tokens: &[Token], start: TextSize) -> Option<TextRange> {
    let at = tokens.binary_search_by_key(&start, |token| token.range.start).ok()?;
    let token = tokens.get(at.checked_sub(1)?)?;
    matches!(token.kind, TokenKind::Identifier).then_some(token.range)
}

/// The tokens of a text without white space and comments; the last one is [`TokenKind::Eof`].
pub(crate) fn tokens(text: &str) -> (Vec<Token>, Vec<LexError>) {
    let mut lexer = Lexer { text, bytes: text.as_bytes() };
    let mut tokens = Vec::with_capacity(text.len() / 3 + 2);
    let mut errors = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        match lexer.scan(at) {
            Scan::Token(kind, end) => {
                tokens.push(Token { kind, range: range(start, end) });
                at = end;
            }
            Scan::Blank(end) => at = end,
            Scan::Failed(end) => {
                errors.push(LexError { range: range(start, end), before_token: tokens.len() });
                at = end;
            }
        }
    }
    tokens.push(Token { kind: TokenKind::Eof, range: range(at, at) });
    (tokens, errors)
}

fn range(start: usize, end: usize) -> TextRange {
    TextRange::new(start as u32, end as u32)
}

enum Scan {
    Token(TokenKind, usize),
    Blank(usize),
    /// No token starts here; the end of the invalid text.
    Failed(usize),
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
}

impl Lexer<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn after_char(&self, at: usize) -> usize {
        self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(at, |c| at + c.len_utf8())
    }

    fn while_byte(&self, mut at: usize, is: impl Fn(u8) -> bool) -> usize {
        while at < self.bytes.len() && is(self.byte(at)) {
            at += 1;
        }
        at
    }

    fn scan(&mut self, at: usize) -> Scan {
        use TokenKind as T;
        let one = |kind| Scan::Token(kind, at + 1);
        let pair = |second: u8, kind| {
            if self.byte(at + 1) == second {
                Scan::Token(kind, at + 2)
            } else {
                Scan::Failed(self.after_char(at + 1))
            }
        };
        let or_pair = |second: u8, both, alone| {
            if self.byte(at + 1) == second { Scan::Token(both, at + 2) } else { Scan::Token(alone, at + 1) }
        };
        match self.byte(at) {
            b'\t' | b' ' | b'\r' | b'\n' | 0x0C => {
                Scan::Blank(self.while_byte(at, |b| matches!(b, b'\t' | b' ' | b'\r' | b'\n' | 0x0C)))
            }
            b'/' if self.byte(at + 1) == b'/' => Scan::Blank(self.while_byte(at, |b| b != b'\n')),
            b'=' => pair(b'=', T::EqualEqual),
            b'&' => pair(b'&', T::And),
            b'|' => pair(b'|', T::Or),
            b'!' => or_pair(b'=', T::NotEqual, T::Exclamation),
            b'<' => or_pair(b'=', T::LessEqual, T::Less),
            b'>' => or_pair(b'=', T::GreaterEqual, T::Greater),
            b'[' => one(T::LeftBracket),
            b']' => one(T::RightBracket),
            b'{' => one(T::LeftBrace),
            b'}' => one(T::RightBrace),
            b'(' => one(T::LeftParen),
            b')' => one(T::RightParen),
            b',' => one(T::Comma),
            b'-' => one(T::Minus),
            b'?' => one(T::Question),
            b':' => one(T::Colon),
            b'+' => one(T::Plus),
            b'*' => one(T::Star),
            b'/' => one(T::Slash),
            b'%' => one(T::Percent),
            b'.' if self.byte(at + 1).is_ascii_digit() => self.number(at),
            b'.' => one(T::Dot),
            b'0'..=b'9' => self.number(at),
            b'"' | b'\'' => self.quoted(at, T::String),
            b'`' => self.escaped_identifier(at),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => self.scan_word(at),
            _ => Scan::Failed(self.after_char(at)),
        }
    }

    fn scan_word(&self, at: usize) -> Scan {
        use TokenKind as T;
        let prefix = |b: u8| b.to_ascii_lowercase();
        let quote = |at| matches!(self.byte(at), b'"' | b'\'');
        let literal = match (prefix(self.byte(at)), prefix(self.byte(at + 1))) {
            (b'r', _) if quote(at + 1) => self.string_end(at + 1, true).map(|end| (T::String, end)),
            (b'b', b'r') if quote(at + 2) => self.string_end(at + 2, true).map(|end| (T::Bytes, end)),
            (b'b', _) if quote(at + 1) => self.string_end(at + 1, false).map(|end| (T::Bytes, end)),
            _ => Err(at),
        };
        if let Ok((kind, end)) = literal {
            return Scan::Token(kind, end);
        }
        let end = self.while_byte(at, |b| b == b'_' || b.is_ascii_alphanumeric());
        let kind = match &self.bytes[at..end] {
            b"in" => T::In,
            b"true" => T::True,
            b"false" => T::False,
            b"null" => T::Null,
            _ => T::Identifier,
        };
        Scan::Token(kind, end)
    }

    fn number(&self, at: usize) -> Scan {
        use TokenKind as T;
        let digits = |at| self.while_byte(at, |b| b.is_ascii_digit());
        let unsigned = |end, kind| match self.byte(end) {
            b'u' | b'U' => Scan::Token(T::Uint, end + 1),
            _ => Scan::Token(kind, end),
        };
        if self.byte(at) == b'0' && self.byte(at + 1) == b'x' && self.byte(at + 2).is_ascii_hexdigit() {
            return unsigned(self.while_byte(at + 2, |b| b.is_ascii_hexdigit()), T::Int);
        }
        let mut end = digits(at);
        let mut kind = T::Int;
        if self.byte(end) == b'.' && self.byte(end + 1).is_ascii_digit() {
            end = digits(end + 1);
            kind = T::Float;
        }
        if matches!(self.byte(end), b'e' | b'E') {
            let exponent = if matches!(self.byte(end + 1), b'+' | b'-') { end + 2 } else { end + 1 };
            if self.byte(exponent).is_ascii_digit() {
                return Scan::Token(T::Float, digits(exponent));
            }
        }
        if kind == T::Int { unsigned(end, kind) } else { Scan::Token(kind, end) }
    }

    fn escaped_identifier(&self, at: usize) -> Scan {
        let end = self.while_byte(at + 1, |b| {
            b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-' | b'/' | b' ')
        });
        if end > at + 1 && self.byte(end) == b'`' {
            Scan::Token(TokenKind::EscapedIdentifier, end + 1)
        } else {
            Scan::Failed(self.after_char(end))
        }
    }

    fn quoted(&self, at: usize, kind: TokenKind) -> Scan {
        match self.string_end(at, false) {
            Ok(end) => Scan::Token(kind, end),
            Err(end) => Scan::Failed(end),
        }
    }

    /// The end of the string whose quote is at `at`, or the end of the invalid text.
    fn string_end(&self, at: usize, raw: bool) -> Result<usize, usize> {
        let quote = self.byte(at);
        if self.byte(at + 1) != quote {
            return self.single(at, raw);
        }
        if self.byte(at + 2) != quote {
            return Ok(at + 2);
        }
        // If three quotes start no string, the first two are an empty string.
        Ok(self.triple(at, raw).unwrap_or(at + 2))
    }

    fn single(&self, start: usize, raw: bool) -> Result<usize, usize> {
        let quote = self.byte(start);
        let mut at = start + 1;
        while at < self.bytes.len() {
            match self.byte(at) {
                b if b == quote => return Ok(at + 1),
                b'\n' | b'\r' => return Err(at + 1),
                b'\\' if !raw => at = self.escape(at)?,
                _ => at += 1,
            }
        }
        Err(at)
    }

    fn triple(&self, start: usize, raw: bool) -> Option<usize> {
        let quote = self.byte(start);
        let mut at = start + 3;
        while at < self.bytes.len() {
            match self.byte(at) {
                b if b == quote && self.byte(at + 1) == quote && self.byte(at + 2) == quote => {
                    return Some(at + 3);
                }
                b'\\' if !raw => at = self.escape(at).ok()?,
                _ => at += 1,
            }
        }
        None
    }

    /// The end of the escape sequence whose backslash is at `at`, or the end of the invalid text.
    fn escape(&self, at: usize) -> Result<usize, usize> {
        let digits = |from: usize, count: usize, is: fn(u8) -> bool| match (from..from + count)
            .find(|at| !is(self.byte(*at)))
        {
            Some(wrong) => Err(self.after_char(wrong)),
            None => Ok(from + count),
        };
        let hex = |b: u8| b.is_ascii_hexdigit();
        let octal = |b: u8| (b'0'..=b'7').contains(&b);
        match self.byte(at + 1) {
            b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'"' | b'\'' | b'\\' | b'?' | b'`' => Ok(at + 2),
            b'x' | b'X' => digits(at + 2, 2, hex),
            b'u' => digits(at + 2, 4, hex),
            b'U' => digits(at + 2, 8, hex),
            b'0'..=b'3' => digits(at + 2, 2, octal),
            _ => Err(self.after_char(at + 1)),
        }
    }
}
