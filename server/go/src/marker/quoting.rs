//! Maps bytes of a marker's value as written to bytes of its decoded text, through quotes and escapes.

use std::ops::Range;

/// How a text is quoted in a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quote {
    /// Without quotes.
    Bare,
    /// Between `"`, with escapes.
    Double,
    /// Between backticks.
    Raw,
}

/// A value as written, with its text.
#[derive(Clone, Debug)]
pub struct QuotedValue {
    /// The kind of quotes.
    pub quote: Quote,
    /// The decoded text. If the closing quote is missing, the text up to the end.
    pub text: String,
    /// Whether the closing quote exists.
    pub is_closed: bool,
    pieces: Vec<QuotedPiece>,
}

/// Written bytes and the bytes of the text that they represent, in order.
#[derive(Clone, Debug)]
struct QuotedPiece {
    written: Range<usize>,
    text: Range<usize>,
    /// Whether written bytes and text are identical.
    is_verbatim: bool,
}

impl QuotedValue {
    /// Parses a value as written.
    #[must_use]
    pub fn read(written: &str) -> Self {
        let quote = match written.chars().next() {
            Some('"') => Quote::Double,
            Some('`') => Quote::Raw,
            _ => Quote::Bare,
        };
        let mut read =
            Self { quote, text: String::new(), is_closed: quote == Quote::Bare, pieces: Vec::new() };
        let mut at = usize::from(quote != Quote::Bare);
        while let Some(ch) = written.get(at..).and_then(|rest| rest.chars().next()) {
            let next = at + ch.len_utf8();
            match (quote, ch) {
                (Quote::Double, '"') | (Quote::Raw, '`') => {
                    read.is_closed = true;
                    break;
                }
                (Quote::Double, '\\') => {
                    let (len, bytes) = escape(written.get(next..).unwrap_or(""));
                    read.push(at..next + len, &bytes, false);
                    at = next + len;
                }
                // Go omits it.
                (Quote::Raw, '\r') => at = next,
                _ => {
                    read.push(at..next, ch.encode_utf8(&mut [0; 4]), true);
                    at = next;
                }
            }
        }
        read
    }

    fn push(&mut self, written: Range<usize>, text: &str, is_verbatim: bool) {
        let start = self.text.len();
        self.text.push_str(text);
        let text = start..self.text.len();
        match self.pieces.last_mut() {
            Some(last) if is_verbatim && last.is_verbatim && last.written.end == written.start => {
                last.written.end = written.end;
                last.text.end = text.end;
            }
            _ => self.pieces.push(QuotedPiece { written, text, is_verbatim }),
        }
    }

    /// The offset in the written value of the character or escape that produces byte `at` of the text; the end
    /// of the written text if `at` is at its end.
    #[must_use]
    pub fn to_written(&self, at: usize) -> usize {
        let index = self.pieces.partition_point(|piece| piece.text.end <= at);
        match self.pieces.get(index) {
            Some(piece) if piece.is_verbatim => piece.written.start + at.saturating_sub(piece.text.start),
            Some(piece) => piece.written.start,
            None => {
                self.pieces.last().map_or(usize::from(self.quote != Quote::Bare), |piece| piece.written.end)
            }
        }
    }

    /// The byte of the text that the written byte `at` contributes to; `None` outside the text.
    #[must_use]
    pub fn to_text(&self, at: usize) -> Option<usize> {
        let start = usize::from(self.quote != Quote::Bare);
        let end = self.pieces.last().map_or(start, |piece| piece.written.end);
        if at < start || at > end {
            return None;
        }
        let index = self.pieces.partition_point(|piece| piece.written.end <= at);
        Some(match self.pieces.get(index) {
            Some(piece) if piece.is_verbatim => piece.text.start + at.saturating_sub(piece.written.start),
            Some(piece) => piece.text.start,
            None => self.text.len(),
        })
    }

    /// The written bytes that represent a range of the text.
    #[must_use]
    pub fn range(&self, text: Range<usize>) -> Range<usize> {
        let start = self.to_written(text.start);
        let end = if text.end > text.start { self.end_of(text.end) } else { start };
        start..end.max(start)
    }

    /// The end of the written bytes that represent the byte before `at`.
    fn end_of(&self, at: usize) -> usize {
        let index = self.pieces.partition_point(|piece| piece.text.end < at);
        match self.pieces.get(index) {
            Some(piece) if piece.is_verbatim => piece.written.start + at.saturating_sub(piece.text.start),
            Some(piece) => piece.written.end,
            None => self.to_written(at),
        }
    }

    /// `text` as written within these quotes; `None` if these quotes cannot contain it.
    #[must_use]
    pub fn encode(&self, text: &str) -> Option<String> {
        match self.quote {
            Quote::Double => Some(text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")),
            Quote::Raw => (!text.contains(['`', '\n'])).then(|| text.to_owned()),
            Quote::Bare => {
                (!text.contains([',', ';', '}', ':', '"', '`', '\'', '\n'])).then(|| text.to_owned())
            }
        }
    }
}

/// The length of an escape after its `\`, and the text that it represents.
fn escape(rest: &str) -> (usize, String) {
    let Some(first) = rest.chars().next() else { return (0, String::new()) };
    let digits = |from: usize, count: usize, base: u32| {
        let digits = rest.get(from..from + count)?;
        let value = u32::from_str_radix(digits, base).ok()?;
        Some((from + count, char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER).to_string()))
    };
    let simple = |text: &str| Some((1, text.to_owned()));
    let read = match first {
        'a' => simple("\u{7}"),
        'b' => simple("\u{8}"),
        'f' => simple("\u{c}"),
        'n' => simple("\n"),
        'r' => simple("\r"),
        't' => simple("\t"),
        'v' => simple("\u{b}"),
        '0'..='7' => digits(0, 3, 8),
        'x' => digits(1, 2, 16),
        'u' => digits(1, 4, 16),
        'U' => digits(1, 8, 16),
        other => simple(&other.to_string()),
    };
    read.map_or_else(
        || (first.len_utf8(), first.to_string()),
        |(len, text)| (len.max(first.len_utf8()), text),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn positions_map_through_quotes_and_escapes_and_back() {
        for (written, text) in [
            (r#""self.a == 'b'""#, "self.a == 'b'"),
            (r#""a.matches(\"^\\d\")""#, r#"a.matches("^\d")"#),
            ("`self.a == \"b\"`", "self.a == \"b\""),
            ("bare", "bare"),
            (r#""é\u00e9\n""#, "éé\n"),
        ] {
            let read = QuotedValue::read(written);
            assert_eq!((read.text.as_str(), read.is_closed), (text, true), "{written}");
            for (at, _) in text.char_indices() {
                let back = read.to_text(read.to_written(at)).unwrap();
                assert_eq!(back, at, "{written} {at}");
            }
            let whole = read.range(0..text.len());
            assert!(written.get(whole).is_some_and(|inner| !inner.is_empty()), "{written}");
        }
    }

    #[test]
    fn the_range_of_an_escape_is_complete() {
        let read = QuotedValue::read(r#""a\"b""#);
        assert_eq!((read.range(1..2), read.range(2..3)), (2..4, 4..5));
        assert_eq!((read.to_text(0), read.to_text(1), read.to_text(6)), (None, Some(0), None));
    }

    #[test]
    fn a_text_that_is_being_typed_is_read_to_its_end() {
        let read = QuotedValue::read(r#""self."#);
        assert_eq!((read.text.as_str(), read.is_closed, read.to_text(6)), ("self.", false, Some(5)));
        assert_eq!(QuotedValue::read("\"").to_text(1), Some(0));
    }

    #[test]
    fn inserted_text_is_quoted_like_the_rest() {
        assert_eq!(QuotedValue::read("\"\"").encode("a == \"b\"").unwrap(), "a == \\\"b\\\"");
        assert_eq!(QuotedValue::read("``").encode("a == \"b\"").unwrap(), "a == \"b\"");
        assert_eq!(QuotedValue::read("``").encode("`"), None);
    }
}
