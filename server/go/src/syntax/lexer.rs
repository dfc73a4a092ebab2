//! Splits Go into tokens, as far as needed to find the ends of functions and variables.

use memchr::memmem;

use super::{Span, marker_text};

#[derive(Clone, Copy, Debug)]
pub(super) enum Token<'t> {
    Word(&'t [u8]),
    Open(u8),
    Close,
    /// A line break after a token that may end a statement.
    Break,
    Other(u8),
}

/// Bytes that are hidden from the grammar.
#[derive(Debug)]
pub(super) struct HiddenBytes {
    pub(super) span: Span,
    /// The replacement that the grammar sees, and the byte of the file that it represents.
    pub(super) replacement: &'static str,
    pub(super) at: u32,
}

/// Reads tokens one by one, some of them twice.
#[derive(Debug)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    pub(super) position: usize,
    /// The start of the last token.
    pub(super) start: usize,
    /// The start of a comment without an end.
    pub(super) open_comment: Option<usize>,
    /// The gaps between the tokens so far, in the order of the text.
    pub(super) gaps: Vec<HiddenBytes>,
    /// The comments so far.
    pub(super) comments: Vec<Span>,
    /// Comments in the cut parts that look like markers.
    pub(super) markers: Vec<Span>,
}

impl<'t> Lexer<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self {
            text,
            position: 0,
            start: 0,
            open_comment: None,
            gaps: Vec::new(),
            comments: Vec::new(),
            markers: Vec::new(),
        }
    }

    const fn bytes(&self) -> &'t [u8] {
        self.text.as_bytes()
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.bytes().get(self.position + ahead).copied().unwrap_or(0)
    }

    pub(super) fn is_at_line_start(&self) -> bool {
        self.position == 0 || self.bytes().get(self.position - 1) == Some(&b'\n')
    }

    pub(super) fn next(&mut self) -> Option<Token<'t>> {
        if self.skip() {
            return Some(Token::Break);
        }
        let byte = *self.bytes().get(self.position)?;
        self.start = self.position;
        Some(match byte {
            b'"' | b'\'' => {
                self.quoted(byte);
                Token::Other(byte)
            }
            b'`' => {
                self.position += 1;
                self.skip_to(b"`", 1);
                Token::Other(byte)
            }
            b'(' | b'[' | b'{' => {
                self.position += 1;
                Token::Open(byte)
            }
            b')' | b']' | b'}' => {
                self.position += 1;
                Token::Close
            }
            _ if is_of_word(byte) => {
                let rest = self.bytes().get(self.position..).unwrap_or_default();
                let len = rest.iter().position(|byte| !is_of_word(*byte)).unwrap_or(rest.len());
                self.position += len;
                Token::Word(rest.get(..len).unwrap_or_default())
            }
            _ => {
                self.position += 1;
                Token::Other(byte)
            }
        })
    }

    /// Skips blanks and comments. Returns whether there is a line break outside of comments.
    fn skip(&mut self) -> bool {
        let start = self.position;
        let mut line_break = None;
        while let Some(byte) = self.bytes().get(self.position) {
            match byte {
                b'\n' => {
                    line_break.get_or_insert(self.position);
                    self.position += 1;
                }
                b' ' | b'\t' | b'\r' => self.position += 1,
                b'/' if self.byte(1) == b'/' => {
                    let start = self.position;
                    self.skip_to(b"\n", 0);
                    self.comment(start);
                }
                b'/' if self.byte(1) == b'*' => {
                    let start = self.position;
                    self.position += 2;
                    if !self.skip_to(b"*/", 2) {
                        // The grammar must see the unterminated comment.
                        self.open_comment = Some(start);
                        self.gap(start, start, line_break);
                        return line_break.is_some();
                    }
                    self.comment(start);
                }
                _ => break,
            }
        }
        self.gap(start, self.position, line_break);
        line_break.is_some()
    }

    /// Notes a comment, unless it was noted before.
    fn comment(&mut self, start: usize) {
        if self.comments.last().is_none_or(|last| (last.start as usize) < start) {
            self.comments.push(Span { start: start as u32, end: self.position as u32 });
        }
    }

    /// Notes the gap between two tokens, unless it was noted before.
    fn gap(&mut self, start: usize, end: usize, line_break: Option<usize>) {
        if start < end && self.gaps.last().is_none_or(|last| (last.span.start as usize) < start) {
            let by = if line_break.is_some() { "\n" } else { " " };
            let span = Span { start: start as u32, end: end as u32 };
            self.gaps.push(HiddenBytes { span, replacement: by, at: line_break.unwrap_or(start) as u32 });
        }
    }

    /// Cuts tokens that have been read. The replacement represents their last bytes.
    pub(super) fn cut(&mut self, start: usize, end: usize, by: &'static str) {
        let span = Span { start: start as u32, end: end as u32 };
        let gaps = self.gaps.partition_point(|gap| gap.span.start < span.start);
        self.gaps.truncate(gaps);
        self.gaps.push(HiddenBytes { span, replacement: by, at: span.end.saturating_sub(by.len() as u32) });
        let comments = self.comments.partition_point(|comment| comment.start < span.start);
        // Comments after the cut are read again.
        let cut = self.comments.drain(comments..).take_while(|comment| comment.start < span.end);
        let text = self.text;
        self.markers.extend(cut.filter(|comment| text.get(comment.range()).and_then(marker_text).is_some()));
    }

    /// Advances to a mark and `after` bytes further, or to the end. Returns whether the mark exists.
    fn skip_to(&mut self, mark: &[u8], after: usize) -> bool {
        let rest = self.bytes().get(self.position..).unwrap_or(&[]);
        let found = memmem::find(rest, mark);
        self.position = found.map_or(self.bytes().len(), |found| self.position + found + after);
        found.is_some()
    }

    fn quoted(&mut self, quote: u8) {
        self.position += 1;
        while let Some(byte) = self.bytes().get(self.position) {
            self.position += 1;
            match *byte {
                b'\\' => self.position += 1,
                b'\n' => return,
                byte if byte == quote => return,
                _ => {}
            }
        }
    }

    /// Advances past the bracket that closes the open one. Returns whether it exists.
    pub(super) fn close(&mut self) -> bool {
        let mut depth = 1_usize;
        while let Some(token) = self.next() {
            match token {
                Token::Open(_) => depth += 1,
                Token::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return true;
            }
        }
        false
    }
}

const fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
