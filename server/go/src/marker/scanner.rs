//! The tokens of a marker's arguments, as Go's `text/scanner` splits them in the mode that controller-gen sets.
//!
//! Errors depend on the state of that scanner, so its quirk is reproduced: peeking one character ahead discards the
//! position and the text of the last token.

use super::fault::Fault;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    End,
    Ident,
    Int,
    Float,
    String,
    RawString,
    /// Any other character.
    Char(char),
}

/// The position of an error in the scanned text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorPosition {
    /// The column, in characters from 1.
    Column(usize),
    /// Nothing was scanned.
    Start,
    /// The error has no position because the text was not scanned at all.
    Whole,
}

pub(super) struct Scanner<'t> {
    text: &'t str,
    /// The offset of the next character.
    next: usize,
    /// The length of the last character that was read; 0 at the end.
    last_len: usize,
    /// The number of characters read so far. The end counts as one.
    column: usize,
    /// The character ahead; the outer `Option` is `None` before the first character is read.
    ahead: Option<Option<char>>,
    /// Whether numbers are separate tokens.
    numbers: bool,
    token_start: Option<usize>,
    token_end: usize,
    /// The start of the last token, in bytes. It remains when the token is discarded.
    offset: usize,
    position: Option<usize>,
    pub(super) errors: Vec<(Fault, ErrorPosition)>,
}

impl<'t> Scanner<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self {
            text,
            next: 0,
            last_len: 0,
            column: 0,
            ahead: None,
            numbers: true,
            token_start: None,
            token_end: 0,
            offset: 0,
            position: None,
            errors: Vec::new(),
        }
    }

    /// Reports an error at the last token.
    pub(super) fn error(&mut self, fault: Fault) {
        let at = self.position.map_or(ErrorPosition::Start, ErrorPosition::Column);
        self.errors.push((fault, at));
    }

    fn literal(&mut self, message: impl Into<String>) {
        self.error(Fault::Literal(message.into()));
    }

    fn read(&mut self) -> Option<char> {
        let Some(ch) = self.text.get(self.next..).and_then(|rest| rest.chars().next()) else {
            self.column += usize::from(self.last_len > 0);
            self.last_len = 0;
            return None;
        };
        self.last_len = ch.len_utf8();
        self.next += self.last_len;
        self.column += 1;
        if ch == '\0' {
            self.literal("invalid character NUL");
        }
        Some(ch)
    }

    /// The character ahead.
    pub(super) fn peek(&mut self) -> Option<char> {
        match self.ahead {
            Some(ch) => ch,
            None => {
                let mut ch = self.read();
                if ch == Some('\u{feff}') {
                    ch = self.read();
                }
                self.ahead = Some(ch);
                ch
            }
        }
    }

    /// The next character after white space, which is skipped.
    pub(super) fn peek_after_space(&mut self) -> Option<char> {
        let mut ch = self.peek();
        while is_space(ch) {
            self.token_start = None;
            self.position = None;
            let read = self.read();
            self.ahead = Some(read);
            ch = read;
        }
        ch
    }

    /// The start of the character ahead, in bytes.
    pub(super) const fn ahead_offset(&self) -> usize {
        self.next - self.last_len
    }

    /// The start of the last token, in bytes.
    pub(super) const fn offset(&self) -> usize {
        self.offset
    }

    /// The text of the last token; empty after the token is discarded.
    pub(super) fn token(&self) -> &'t str {
        self.token_start.and_then(|start| self.text.get(start..self.token_end)).unwrap_or("")
    }

    /// Sets whether numbers are tokens from here on. Returns the previous setting.
    pub(super) const fn set_numbers(&mut self, numbers: bool) -> bool {
        std::mem::replace(&mut self.numbers, numbers)
    }

    /// The next token.
    pub(super) fn scan(&mut self) -> Token {
        let mut ch = self.peek();
        while is_space(ch) {
            ch = self.read();
        }
        self.token_start = Some(self.ahead_offset());
        self.offset = self.ahead_offset();
        self.position = (self.column > 0).then_some(self.column);
        let (token, ahead) = match ch {
            None => (Token::End, None),
            Some(first) if is_ident(first, true) => {
                let mut ch = self.read();
                while ch.is_some_and(|ch| is_ident(ch, false)) {
                    ch = self.read();
                }
                (Token::Ident, ch)
            }
            Some(digit) if digit.is_ascii_digit() => {
                if self.numbers {
                    self.number(digit)
                } else {
                    (Token::Char(digit), self.read())
                }
            }
            Some('"') => {
                self.quoted();
                (Token::String, self.read())
            }
            Some('`') => {
                self.raw();
                (Token::RawString, self.read())
            }
            Some('.') => {
                let ch = self.read();
                if self.numbers && ch.is_some_and(|ch| ch.is_ascii_digit()) {
                    self.fraction(
                        ch,
                        Number { base: 10, prefix: None, digits: false, separators: false, invalid: None },
                    )
                } else {
                    (Token::Char('.'), ch)
                }
            }
            Some(other) => (Token::Char(other), self.read()),
        };
        self.token_end = self.next - self.last_len;
        self.ahead = Some(ahead);
        token
    }

    fn quoted(&mut self) {
        let mut ch = self.read();
        while ch != Some('"') {
            match ch {
                None | Some('\n') => {
                    self.literal("literal not terminated");
                    return;
                }
                Some('\\') => ch = self.escape(),
                Some(_) => ch = self.read(),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let ch = self.read();
        match ch {
            Some('a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '\\' | '"') => self.read(),
            Some('0'..='7') => self.escaped_digits(ch, 8, 3),
            Some('x') => {
                let ch = self.read();
                self.escaped_digits(ch, 16, 2)
            }
            Some('u') => {
                let ch = self.read();
                self.escaped_digits(ch, 16, 4)
            }
            Some('U') => {
                let ch = self.read();
                self.escaped_digits(ch, 16, 8)
            }
            other => {
                self.literal("invalid char escape");
                other
            }
        }
    }

    fn escaped_digits(&mut self, mut ch: Option<char>, base: u32, mut count: usize) -> Option<char> {
        while count > 0 && ch.is_some_and(|ch| ch.is_digit(base)) {
            ch = self.read();
            count -= 1;
        }
        if count > 0 {
            self.literal("invalid char escape");
        }
        ch
    }

    fn raw(&mut self) {
        let mut ch = self.read();
        while ch != Some('`') {
            if ch.is_none() {
                self.literal("literal not terminated");
                return;
            }
            ch = self.read();
        }
    }

    fn number(&mut self, first: char) -> (Token, Option<char>) {
        let mut number = Number { base: 10, prefix: None, digits: false, separators: false, invalid: None };
        let mut ch = Some(first);
        if first == '0' {
            ch = self.read();
            let prefix = ch.map(|ch| ch.to_ascii_lowercase());
            number.base = match prefix {
                Some('x') => 16,
                Some('o') => 8,
                Some('b') => 2,
                _ => 8,
            };
            if matches!(prefix, Some('x' | 'o' | 'b')) {
                number.prefix = prefix;
                ch = self.read();
            } else {
                number.prefix = Some('0');
                number.digits = true;
            }
        }
        ch = self.digits(ch, &mut number, true);
        if ch == Some('.') {
            ch = self.read();
            return self.fraction(ch, number);
        }
        self.exponent(ch, number, Token::Int)
    }

    fn fraction(&mut self, mut ch: Option<char>, mut number: Number) -> (Token, Option<char>) {
        if matches!(number.prefix, Some('o' | 'b')) {
            self.literal(format!("invalid radix point in {}", number.name()));
        }
        ch = self.digits(ch, &mut number, true);
        self.exponent(ch, number, Token::Float)
    }

    fn exponent(
        &mut self,
        mut ch: Option<char>,
        mut number: Number,
        mut token: Token,
    ) -> (Token, Option<char>) {
        if !number.digits {
            self.literal(format!("{} has no digits", number.name()));
        }
        let lower = ch.map(|ch| ch.to_ascii_lowercase());
        if let (Some('e' | 'p'), Some(letter)) = (lower, ch) {
            if lower == Some('e') && !matches!(number.prefix, None | Some('0')) {
                self.literal(format!("'{letter}' exponent requires decimal mantissa"));
            } else if lower == Some('p') && number.prefix != Some('x') {
                self.literal(format!("'{letter}' exponent requires hexadecimal mantissa"));
            }
            ch = self.read();
            token = Token::Float;
            if matches!(ch, Some('+' | '-')) {
                ch = self.read();
            }
            let before = std::mem::replace(&mut number.digits, false);
            let base = std::mem::replace(&mut number.base, 10);
            ch = self.digits(ch, &mut number, false);
            number.base = base;
            if !number.digits {
                self.literal("exponent has no digits");
            }
            number.digits |= before;
        } else if number.prefix == Some('x') && token == Token::Float {
            self.literal("hexadecimal mantissa requires a 'p' exponent");
        }
        if let (Token::Int, Some(digit)) = (token, number.invalid) {
            self.literal(format!("invalid digit '{digit}' in {}", number.name()));
        }
        if number.separators {
            self.token_end = self.next - self.last_len;
            if !separators_are_right(self.token()) {
                self.literal("'_' must separate successive digits");
            }
        }
        (token, ch)
    }

    fn digits(&mut self, mut ch: Option<char>, number: &mut Number, counts_invalid: bool) -> Option<char> {
        while let Some(digit) = ch {
            let fits = if number.base <= 10 { digit.is_ascii_digit() } else { digit.is_ascii_hexdigit() };
            if digit == '_' {
                number.separators = true;
            } else if fits {
                number.digits = true;
                if counts_invalid
                    && number.base <= 10
                    && !digit.is_digit(number.base)
                    && number.invalid.is_none()
                {
                    number.invalid = Some(digit);
                }
            } else {
                break;
            }
            ch = self.read();
        }
        ch
    }
}

/// The state of a number that is being scanned.
struct Number {
    base: u32,
    prefix: Option<char>,
    digits: bool,
    separators: bool,
    invalid: Option<char>,
}

impl Number {
    const fn name(&self) -> &'static str {
        match self.prefix {
            Some('x') => "hexadecimal literal",
            Some('o' | '0') => "octal literal",
            Some('b') => "binary literal",
            _ => "decimal literal",
        }
    }
}

/// Whether each `_` is between digits or after the prefix.
fn separators_are_right(token: &str) -> bool {
    let mut before = ' ';
    let mut rest = token;
    let mut hex = false;
    if let Some(prefixed) = token.strip_prefix('0')
        && prefixed.starts_with(['x', 'X', 'o', 'O', 'b', 'B'])
    {
        hex = prefixed.starts_with(['x', 'X']);
        rest = prefixed.get(1..).unwrap_or("");
        before = '0';
    }
    for ch in rest.chars() {
        let kind = match ch {
            '_' => '_',
            ch if ch.is_ascii_digit() || hex && ch.is_ascii_hexdigit() => '0',
            _ => '.',
        };
        if kind == '_' && before != '0' || kind == '.' && before == '_' {
            return false;
        }
        before = kind;
    }
    before != '_'
}

const fn is_space(ch: Option<char>) -> bool {
    matches!(ch, Some('\t' | '\n' | '\r' | ' '))
}

fn is_ident(ch: char, first: bool) -> bool {
    ch == '_' || ch.is_alphabetic() || !first && ch.is_numeric()
}
