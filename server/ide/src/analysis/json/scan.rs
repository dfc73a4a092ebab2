//! Reads JSON up to the first error.
//!
//! The API server reads such a text as YAML, so a comma before the end of an object, a comment after `#` and
//! words without quotes are no errors.

use super::strict::{CURLY, LenientToken};

/// The token that may come next in an object or a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExpectedToken {
    /// A key, or the end of an object.
    Key,
    Colon,
    Value,
    /// An item, or the end of a list.
    Item,
    /// A comma or the end.
    Comma,
}

/// An open object or list.
pub(super) struct OpenContainer {
    pub(super) is_object: bool,
    pub(super) next: ExpectedToken,
    /// The offset of its opening bracket.
    pub(super) at: usize,
    /// The line of its opening bracket, and the indentation of that line.
    line: usize,
    pub(super) indent: usize,
    /// The start of the last value of an object.
    pub(super) value: Option<usize>,
    /// The indentation of its first member or item that begins a line.
    inner: Option<usize>,
    /// The offset of the last comma between its members or items.
    pub(super) last_end: Option<usize>,
}

impl OpenContainer {
    pub(super) const fn close(&self) -> &'static str {
        if self.is_object { "}" } else { "]" }
    }

    pub(super) const fn may_end(&self) -> bool {
        matches!(self.next, ExpectedToken::Key | ExpectedToken::Item | ExpectedToken::Comma)
    }
}

/// Lines of an object or a list without the line that opens it: they are indented more than the lines before
/// them, up to a closing bracket in the column of these lines.
#[derive(Clone, Copy)]
pub(super) struct Unopened {
    /// The start of the first line.
    pub(super) line: usize,
    /// The indentation of the missing line.
    pub(super) indent: usize,
    /// Whether the missing line begins with a key.
    pub(super) is_member: bool,
    /// The missing bracket.
    pub(super) open: char,
    pub(super) newline: &'static str,
}

#[derive(Clone, Copy)]
pub(super) struct Token {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_string: bool,
    pub(super) is_comma: bool,
}

/// The number of tokens before an error after which a character may be missing.
const KEPT: usize = 3;

/// The state at the token that cannot be read, or at the end.
#[derive(Default)]
pub(super) struct Scanner<'s> {
    pub(super) text: &'s str,
    pub(super) position: usize,
    line: usize,
    pub(super) indent: usize,
    /// Whether the token at `at` is the first of its line.
    pub(super) begins_line: bool,
    pub(super) frames: Vec<OpenContainer>,
    pub(super) is_done: bool,
    /// Whether a string in double quotes was read. Otherwise, the text is YAML in braces.
    is_json: bool,
    /// The last tokens, last one first.
    pub(super) last: Vec<Token>,
    /// The offset where, by the indentation, an object or a list ends, and its closing bracket.
    pub(super) ended: Option<(usize, &'static str)>,
    /// The first closing bracket that is indented more than the line of its opening bracket, with the blanks
    /// before it.
    pub(super) misclosed: Option<(usize, usize)>,
    /// The first lines without the line that opens them.
    pub(super) unopened: Option<Unopened>,
    /// Whether a line is indented more than the lines before it. Only the lines after the first one are searched
    /// for a closing bracket.
    is_uneven: bool,
    /// The last token and its indentation, if it is a closing bracket that begins its line.
    closing: Option<(u8, usize)>,
    /// The end of the line of a string that is not closed.
    pub(super) torn: Option<usize>,
    /// The parts that are not JSON, with their ends.
    lenient: Vec<(usize, usize, LenientToken)>,
}

/// Reads `text` up to its first error; `None` if it has none.
pub(super) fn stopped(text: &str) -> Option<Scanner<'_>> {
    let (scanner, has_error) = read(text);
    has_error.then_some(scanner)
}

/// The parts of `text` that are not JSON; `None` if it has an error.
pub(super) fn lenient_tokens(text: &str) -> Option<Vec<(usize, usize, LenientToken)>> {
    let (scanner, has_error) = read(text);
    (!has_error).then_some(scanner.lenient)
}

/// Reads `text` to its end, or up to its first error. Returns whether it has one.
fn read(text: &str) -> (Scanner<'_>, bool) {
    let mut scanner = Scanner { text, ..Scanner::default() };
    loop {
        match scanner.step() {
            Some(true) => {}
            Some(false) => return (scanner, false),
            None => return (scanner, true),
        }
    }
}

impl Scanner<'_> {
    /// The offset of the error.
    pub(super) fn error(&self) -> usize {
        self.torn.unwrap_or(self.position).min(self.text.len())
    }

    /// Reads one token, and returns whether there are more; `None` at an error.
    fn step(&mut self) -> Option<bool> {
        self.begins_line = self.skip_blanks();
        let Some(byte) = self.byte(self.position) else {
            return (self.is_done && self.frames.is_empty()).then_some(false);
        };
        if self.is_done {
            return None;
        }
        if self.begins_line {
            self.note_indentation(byte);
        }
        let start = self.position;
        let end = match byte {
            b'{' | b'[' => self.open(byte == b'{')?,
            b'}' | b']' => self.close(byte)?,
            b':' => self.pass(ExpectedToken::Colon, ExpectedToken::Value)?,
            b',' => {
                let next =
                    if self.frames.last()?.is_object { ExpectedToken::Key } else { ExpectedToken::Item };
                self.pass(ExpectedToken::Comma, next)?
            }
            b'"' => self.string()?,
            b'\'' => self.single_quoted()?,
            _ if self.text.get(self.position..)?.starts_with(CURLY) => self.curly_quoted()?,
            _ => self.word()?,
        };
        self.is_json |= byte == b'"';
        let is_close = self.begins_line && matches!(byte, b'}' | b']');
        self.closing = is_close.then_some((byte, self.indent));
        self.last.insert(0, Token { start, end, is_string: byte == b'"', is_comma: byte == b',' });
        self.last.truncate(KEPT);
        self.position = end;
        Some(true)
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Skips blanks and comments, and returns whether the next token is the first of its line.
    fn skip_blanks(&mut self) -> bool {
        let mut begins_line = self.position == 0;
        let mut is_behind_blank = begins_line;
        while let Some(byte) = self.byte(self.position) {
            match byte {
                b'\n' => {
                    begins_line = true;
                    self.line += 1;
                    self.indent = 0;
                }
                _ if byte.is_ascii_whitespace() => self.indent += usize::from(begins_line),
                b'#' if is_behind_blank => {
                    let end = self.end_of_line(self.position);
                    self.lenient.push((self.position, end, LenientToken::Comment));
                    self.position = end;
                    continue;
                }
                _ => break,
            }
            is_behind_blank = true;
            self.position += 1;
        }
        begins_line
    }

    pub(super) fn end_of_line(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        at + rest.find('\n').unwrap_or(rest.len())
    }

    /// Notes that the innermost object or list ended before this line, if the line is not indented further.
    fn note_indentation(&mut self, byte: u8) {
        let Some(frame) = self.frames.last().filter(|frame| frame.line < self.line) else { return };
        let is_close = matches!(byte, b'}' | b']');
        if self.ended.is_none() && (self.indent < frame.indent || self.indent == frame.indent && !is_close) {
            let close = frame.close();
            self.ended = self.end_of_value().map(|end| (end, close));
        }
        // A bracket of the other kind may lack its opening bracket.
        let is_extra = frame.close().as_bytes() == [byte] || self.closing == Some((byte, self.indent));
        if self.misclosed.is_none() && is_close && is_extra && self.indent > frame.indent {
            self.misclosed = self.last.first().map(|before| (before.end, self.position + 1));
        }
        if !is_close {
            self.note_member();
        }
    }

    /// Notes the indentation of a member or an item that begins a line, and whether the line that opens it is
    /// missing.
    fn note_member(&mut self) {
        let (indent, step) = (self.indent, self.step_of_indentation());
        let Some(frame) =
            self.frames.last_mut().filter(|one| matches!(one.next, ExpectedToken::Key | ExpectedToken::Item))
        else {
            return;
        };
        let is_member = frame.is_object;
        let expected = match (frame.inner, step) {
            (Some(inner), _) => inner,
            (None, Some(step)) if indent == frame.indent + 2 * step => frame.indent + step,
            (None, _) => indent,
        };
        frame.inner = Some(expected);
        if !self.is_uneven && indent > expected {
            self.is_uneven = true;
            self.unopened = self.unopened(expected, is_member);
        }
    }

    /// The number of columns by which the innermost object or list is indented in the one around it.
    fn step_of_indentation(&self) -> Option<usize> {
        let [.., outer, inner] = &*self.frames else { return None };
        inner.indent.checked_sub(outer.indent).filter(|step| *step > 0)
    }

    /// The lines from this one to a closing bracket in the column `indent`.
    fn unopened(&self, indent: usize, is_member: bool) -> Option<Unopened> {
        let line = self.text.get(..self.position)?.rfind('\n')? + 1;
        let lines = self.text.get(line..)?.split('\n').filter(|line| !line.trim().is_empty());
        let column = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let end = lines.skip(1).find(|line| column(line) <= indent).filter(|line| column(line) == indent)?;
        let open = match end.get(indent..)?.chars().next()? {
            '}' => '{',
            ']' => '[',
            _ => return None,
        };
        let newline = if end.ends_with('\r') { "\r\n" } else { "\n" };
        Some(Unopened { line, indent, is_member, open, newline })
    }

    /// The end of the last value, before a comma.
    pub(super) fn end_of_value(&self) -> Option<usize> {
        self.last.iter().find(|token| !token.is_comma).map(|token| token.end)
    }

    /// Begins a value.
    fn value(&mut self, after: ExpectedToken) -> Option<()> {
        let at = self.position;
        let Some(frame) = self.frames.last_mut() else { return Some(()) };
        match frame.next {
            ExpectedToken::Value | ExpectedToken::Item => frame.next = after,
            _ => return None,
        }
        frame.value = Some(at);
        Some(())
    }

    fn open(&mut self, is_object: bool) -> Option<usize> {
        self.value(ExpectedToken::Comma)?;
        let next = if is_object { ExpectedToken::Key } else { ExpectedToken::Item };
        let (at, line, indent) = (self.position, self.line, self.indent);
        self.frames.push(OpenContainer {
            is_object,
            next,
            at,
            line,
            indent,
            value: None,
            inner: None,
            last_end: None,
        });
        Some(self.position + 1)
    }

    fn close(&mut self, close: u8) -> Option<usize> {
        let frame = self.frames.last()?;
        if frame.close().as_bytes() != [close] || !frame.may_end() {
            return None;
        }
        // A bracket is written twice if it closes an earlier line that is indented less.
        if let Some(comma) = self.last.first().filter(|last| last.is_comma) {
            self.lenient.push((comma.start, comma.end, LenientToken::Comma));
        }
        let is_behind_another = self.last.first().is_some_and(|before| {
            before.end == self.position && matches!(self.byte(before.start), Some(b'}' | b']'))
        });
        if is_behind_another
            && self.misclosed.is_none()
            && frame.line < self.line
            && frame.indent < self.indent
        {
            self.misclosed = Some((self.position, self.position + 1));
        }
        self.frames.pop();
        self.is_done = self.frames.is_empty();
        Some(self.position + 1)
    }

    /// Reads a punctuation character, if `next` is expected; `after` is expected behind it.
    fn pass(&mut self, next: ExpectedToken, after: ExpectedToken) -> Option<usize> {
        let at = self.position;
        let frame = self.frames.last_mut().filter(|frame| frame.next == next)?;
        if next == ExpectedToken::Comma {
            frame.last_end = Some(at);
        }
        frame.next = after;
        Some(at + 1)
    }

    fn string(&mut self) -> Option<usize> {
        let mut end = self.position + 1;
        loop {
            match self.byte(end) {
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                None | Some(b'\n') => {
                    self.torn = Some(end);
                    return None;
                }
                Some(_) => end += 1,
            }
        }
        self.key_or_value()?;
        Some(end + 1)
    }

    fn single_quoted(&mut self) -> Option<usize> {
        let rest =
            self.text.get(self.position + 1..self.end_of_line(self.position)).filter(|_| self.is_json)?;
        let end = self.position + 1 + rest.find('\'')? + 1;
        self.key_or_value()?;
        self.lenient.push((self.position, end, LenientToken::Text));
        Some(end)
    }

    fn curly_quoted(&mut self) -> Option<usize> {
        let rest = self.text.get(self.position..self.end_of_line(self.position)).filter(|_| self.is_json)?;
        let first = rest.chars().next()?.len_utf8();
        let (at, sign) = rest.get(first..)?.char_indices().find(|(_, sign)| CURLY.contains(sign))?;
        let end = self.position + first + at + sign.len_utf8();
        self.key_or_value()?;
        self.lenient.push((self.position, end, LenientToken::Text));
        Some(end)
    }

    fn key_or_value(&mut self) -> Option<()> {
        match self.frames.last_mut().filter(|frame| frame.next == ExpectedToken::Key) {
            Some(frame) => frame.next = ExpectedToken::Colon,
            None => self.value(ExpectedToken::Comma)?,
        }
        (!self.frames.is_empty()).then_some(())
    }

    /// A number, a boolean, null, or a word without quotes.
    fn word(&mut self) -> Option<usize> {
        let rest = self.text.get(self.position..)?;
        let end = rest.find(|char: char| char.is_whitespace() || "{}[],:;=)\"".contains(char));
        let (word, behind) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
        let is_literal = matches!(word, "true" | "false" | "null")
            || word.starts_with(|first: char| "+-".contains(first) || first.is_ascii_digit())
                && word.parse::<f64>().is_ok();
        let is_read = is_literal || self.is_json && self.is_plain(word, behind);
        if self.frames.is_empty() || !is_read {
            return None;
        }
        match is_literal {
            true => {
                self.value(ExpectedToken::Comma)?;
                if word != number_in_json(word) {
                    self.lenient.push((self.position, self.position + word.len(), LenientToken::Number));
                }
            }
            false => {
                self.key_or_value()?;
                self.lenient.push((self.position, self.position + word.len(), LenientToken::Text));
            }
        }
        Some(self.position + word.len())
    }

    /// Whether `word` is a key or a value without quotes, with the text `behind` it.
    fn is_plain(&self, word: &str, behind: &str) -> bool {
        let is_key = self.frames.last().is_some_and(|frame| frame.next == ExpectedToken::Key);
        let line = behind.split('\n').next().unwrap_or_default().trim_end();
        let ends = match is_key {
            true => line.starts_with(": "),
            false => line.is_empty() || line.trim_start().starts_with([',', '}', ']']),
        };
        ends && word.starts_with(|first: char| first.is_ascii_alphabetic())
            && word.chars().all(|char| char.is_ascii_alphanumeric() || "-_./+$".contains(char))
    }
}

/// The number `word` as JSON writes it.
pub(super) fn number_in_json(word: &str) -> &str {
    let number = word.strip_prefix('+').unwrap_or(word).trim_end_matches('.');
    let digits = number.trim_start_matches('0');
    let is_whole = digits.starts_with(|first: char| first.is_ascii_digit());
    if is_whole { digits } else { number }
}
