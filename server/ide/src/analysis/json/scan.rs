//! Reads JSON up to the first error, and finds the characters that may be missing there.

/// The first error in a text, and the characters that may repair it: the offset of each, likeliest first.
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) missing: Vec<(usize, char)>,
}

/// The token that may come next in an object or a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// A key, or the end of an object.
    Key,
    Colon,
    Value,
    /// An item, or the end of a list.
    Item,
    /// A comma or the end.
    Comma,
}

struct Frame {
    is_object: bool,
    next: Next,
    /// The line of its opening bracket, and the indentation of that line.
    line: usize,
    indent: usize,
    /// The start of the last value of an object.
    value: Option<usize>,
}

impl Frame {
    const fn close(&self) -> char {
        if self.is_object { '}' } else { ']' }
    }
}

#[derive(Clone, Copy)]
struct Token {
    start: usize,
    end: usize,
    is_string: bool,
    is_comma: bool,
}

/// The number of tokens before an error after which a character may be missing.
const KEPT: usize = 3;
/// The maximum number of offsets in a string where a quote may be missing.
const MOST_IN_STRING: usize = 6;

/// Returns the first error of `text` as JSON. A comma before the end of an object or a list is accepted.
pub(super) fn fault(text: &str) -> Option<Fault> {
    let mut scanner = Scanner { text, ..Scanner::default() };
    loop {
        match scanner.step() {
            Some(true) => {}
            Some(false) => return None,
            None => return Some(scanner.fault()),
        }
    }
}

#[derive(Default)]
struct Scanner<'s> {
    text: &'s str,
    at: usize,
    line: usize,
    indent: usize,
    frames: Vec<Frame>,
    is_done: bool,
    /// The last tokens, last one first.
    last: Vec<Token>,
    /// The offset where, by the indentation, an object or a list ends, and its closing bracket.
    ended: Option<(usize, char)>,
    /// The end of the line of a string that is not closed.
    torn: Option<usize>,
}

impl Scanner<'_> {
    /// Reads one token, and returns whether there are more; `None` at an error.
    fn step(&mut self) -> Option<bool> {
        let begins_line = self.skip_blanks();
        let Some(byte) = self.byte(self.at) else {
            return (self.is_done && self.frames.is_empty()).then_some(false);
        };
        if self.is_done {
            return None;
        }
        if begins_line {
            self.note_indentation(byte);
        }
        let start = self.at;
        let end = match byte {
            b'{' | b'[' => self.open(byte == b'{')?,
            b'}' | b']' => self.close(byte as char)?,
            b':' => self.pass(Next::Colon, Next::Value)?,
            b',' => {
                let next = if self.frames.last()?.is_object { Next::Key } else { Next::Item };
                self.pass(Next::Comma, next)?
            }
            b'"' => self.string()?,
            _ => self.word()?,
        };
        self.last.insert(0, Token { start, end, is_string: byte == b'"', is_comma: byte == b',' });
        self.last.truncate(KEPT);
        self.at = end;
        Some(true)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Returns whether the next token is the first of its line.
    fn skip_blanks(&mut self) -> bool {
        let mut begins_line = self.at == 0;
        while let Some(byte) = self.byte(self.at).filter(u8::is_ascii_whitespace) {
            self.at += 1;
            if byte == b'\n' {
                begins_line = true;
                self.line += 1;
                self.indent = 0;
            } else if begins_line {
                self.indent += 1;
            }
        }
        begins_line
    }

    /// Notes that the innermost object or list ended before this line, if the line is not indented further.
    fn note_indentation(&mut self, byte: u8) {
        let Some(frame) = self.frames.last().filter(|frame| frame.line < self.line) else { return };
        let is_close = matches!(byte, b'}' | b']');
        if self.ended.is_none() && (self.indent < frame.indent || self.indent == frame.indent && !is_close) {
            let close = frame.close();
            self.ended = self.end_of_value().map(|end| (end, close));
        }
    }

    /// The end of the last value, before a comma.
    fn end_of_value(&self) -> Option<usize> {
        self.last.iter().find(|token| !token.is_comma).map(|token| token.end)
    }

    /// Begins a value.
    fn value(&mut self, after: Next) -> Option<()> {
        let at = self.at;
        let Some(frame) = self.frames.last_mut() else { return Some(()) };
        match frame.next {
            Next::Value | Next::Item => frame.next = after,
            _ => return None,
        }
        frame.value = Some(at);
        Some(())
    }

    fn open(&mut self, is_object: bool) -> Option<usize> {
        self.value(Next::Comma)?;
        let next = if is_object { Next::Key } else { Next::Item };
        self.frames.push(Frame { is_object, next, line: self.line, indent: self.indent, value: None });
        Some(self.at + 1)
    }

    fn close(&mut self, close: char) -> Option<usize> {
        let frame = self.frames.last()?;
        let may_end = matches!(frame.next, Next::Key | Next::Item | Next::Comma);
        if frame.close() != close || !may_end {
            return None;
        }
        self.frames.pop();
        self.is_done = self.frames.is_empty();
        Some(self.at + 1)
    }

    /// Reads a punctuation character, if `next` is expected; `after` is expected behind it.
    fn pass(&mut self, next: Next, after: Next) -> Option<usize> {
        let frame = self.frames.last_mut().filter(|frame| frame.next == next)?;
        frame.next = after;
        Some(self.at + 1)
    }

    fn string(&mut self) -> Option<usize> {
        let mut end = self.at + 1;
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
        match self.frames.last_mut().filter(|frame| frame.next == Next::Key) {
            Some(frame) => frame.next = Next::Colon,
            None => self.value(Next::Comma)?,
        }
        (!self.frames.is_empty()).then_some(end + 1)
    }

    /// A number, a boolean or null.
    fn word(&mut self) -> Option<usize> {
        let rest = self.text.get(self.at..)?;
        let end = rest.find(|char: char| char.is_whitespace() || "{}[],:\"".contains(char));
        let word = rest.get(..end.unwrap_or(rest.len()))?;
        let is_literal = matches!(word, "true" | "false" | "null")
            || word.starts_with(|first: char| first == '-' || first.is_ascii_digit())
                && word.parse::<f64>().is_ok();
        if !is_literal || self.frames.is_empty() {
            return None;
        }
        self.value(Next::Comma)?;
        Some(self.at + word.len())
    }

    /// The error at the token that was not read.
    fn fault(&self) -> Fault {
        let at = self.torn.unwrap_or(self.at).min(self.text.len());
        let mut missing = Vec::new();
        if let Some(end) = self.torn {
            missing.extend(quotes(self.text, self.at + 1, end));
        }
        let (before, byte) = (self.last.first(), self.byte(self.at));
        let next = self.frames.last().map(|frame| frame.next);
        // A string whose closing quote is missing includes the text behind it.
        let torn = self.last.iter().filter(|token| token.is_string);
        let of_strings = torn.flat_map(|token| quotes(self.text, token.start + 1, token.end - 1));
        let is_word = byte.is_some_and(|byte| !b"{}[],:\"".contains(&byte));
        missing.extend(is_word.then_some((self.at, '"')));
        match (next, before) {
            (Some(Next::Colon), Some(before)) => missing.push((before.end, ':')),
            (Some(Next::Comma), Some(before)) if byte != Some(b':') => missing.push((before.end, ',')),
            _ => {}
        }
        missing.extend(self.ended);
        missing.extend(of_strings);
        if let Some(frame) = self.frames.last() {
            missing.extend(self.end_of_value().map(|end| (end, frame.close())));
            // An item of a list with a colon behind it is the next key.
            let third = self.last.get(2).filter(|_| self.last.get(1).is_some_and(|token| token.is_comma));
            missing.extend(third.map(|token| (token.end, frame.close())));
            missing.extend(before.filter(|_| byte == Some(b':')).map(|token| (token.start, '{')));
            missing.extend(frame.value.into_iter().flat_map(|at| [(at, '['), (at, '{')]));
        }
        Fault { at, missing }
    }
}

/// The offsets in the text between `start` and `end` where a quote may be missing: before punctuation.
fn quotes(text: &str, start: usize, end: usize) -> Vec<(usize, char)> {
    let Some(torn) = text.get(start..end) else { return Vec::new() };
    let whole = torn.trim_end().trim_end_matches([',', '{', '[', '}', ']', ':', ' ']);
    let signs = torn.match_indices([':', ',', '{', '}', '[', ']']).map(|(at, _)| at);
    let ends = signs.filter_map(|at| Some(torn.get(..at)?.trim_end().len()));
    let mut ends: Vec<usize> = std::iter::once(whole.len()).chain(ends.take(MOST_IN_STRING)).collect();
    ends.dedup();
    ends.into_iter().map(|at| (start + at, '"')).collect()
}
