//! A file without what its functions do and what its variables begin with.
//!
//! No schema depends on these. The grammar does not know all that new releases of Go allow in them, and an error there
//! must cost nothing.

use super::Span;

/// A text without what no schema depends on.
pub(super) struct Hidden {
    /// The text with blanks in place of bodies and of the values of variables; every other byte keeps its place.
    pub(super) text: String,
    /// Where values of variables were.
    pub(super) values: Vec<Span>,
    /// Comments like markers in what is blank.
    pub(super) markers: Vec<Span>,
}

pub(super) fn hidden(text: &str) -> Hidden {
    let mut lexer = Lexer { bytes: text.as_bytes(), at: 0, values: Vec::new(), markers: Vec::new() };
    let mut out = text.as_bytes().to_vec();
    let mut depth = 0_usize;
    let mut begins = true;
    while let Some(token) = lexer.next() {
        match token {
            Token::Open(_) => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Word(word) if depth == 0 && begins && word == b"func" => lexer.function(&mut out),
            Token::Word(word) if depth == 0 && begins && word == b"var" => lexer.variables(&mut out),
            _ => {}
        }
        begins = matches!(token, Token::Break) || depth == 0 && lexer.is_at_line_start();
    }
    // Only whole characters were replaced, by ASCII.
    let mut markers = lexer.markers;
    markers.retain(|comment| out.get(comment.start as usize) == Some(&b' '));
    Hidden { text: String::from_utf8(out).unwrap_or_else(|_| text.to_owned()), values: lexer.values, markers }
}

#[derive(Clone, Copy)]
enum Token<'t> {
    Word(&'t [u8]),
    Open(u8),
    Close,
    /// A line break behind something that may end a statement.
    Break,
    Other(u8),
}

struct Lexer<'t> {
    bytes: &'t [u8],
    at: usize,
    /// The values of variables so far.
    values: Vec<Span>,
    /// Comments like markers so far.
    markers: Vec<Span>,
}

fn blank(out: &mut [u8], from: usize, to: usize) {
    if let Some(hidden) = out.get_mut(from..to.max(from)) {
        hidden.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
}

impl<'t> Lexer<'t> {
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn is_at_line_start(&self) -> bool {
        self.at == 0 || self.bytes.get(self.at - 1) == Some(&b'\n')
    }

    fn next(&mut self) -> Option<Token<'t>> {
        let mut after_break = false;
        loop {
            let byte = *self.bytes.get(self.at)?;
            match byte {
                b'\n' => {
                    self.at += 1;
                    after_break = true;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                _ if after_break => return Some(Token::Break),
                b'/' if self.byte(1) == b'/' => {
                    let start = self.at;
                    self.skip_to(b"\n", 0);
                    let comment = self.bytes.get(start + 2..self.at).unwrap_or(&[]);
                    // A comment that is looked at twice is one.
                    if comment.trim_ascii_start().starts_with(b"+")
                        && self.markers.last().is_none_or(|last| (last.start as usize) < start)
                    {
                        self.markers.push(Span { start: start as u32, end: self.at as u32 });
                    }
                }
                b'/' if self.byte(1) == b'*' => {
                    self.at += 2;
                    self.skip_to(b"*/", 2);
                }
                b'"' | b'\'' => {
                    self.quoted(byte);
                    return Some(Token::Other(byte));
                }
                b'`' => {
                    self.at += 1;
                    self.skip_to(b"`", 1);
                    return Some(Token::Other(byte));
                }
                b'(' | b'[' | b'{' => {
                    self.at += 1;
                    return Some(Token::Open(byte));
                }
                b')' | b']' | b'}' => {
                    self.at += 1;
                    return Some(Token::Close);
                }
                _ if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 => {
                    let start = self.at;
                    while self.byte(0).is_ascii_alphanumeric() || self.byte(0) == b'_' || self.byte(0) >= 0x80
                    {
                        self.at += 1;
                    }
                    return Some(Token::Word(self.bytes.get(start..self.at).unwrap_or(&[])));
                }
                _ => {
                    self.at += 1;
                    return Some(Token::Other(byte));
                }
            }
        }
    }

    /// Goes to a mark and `behind` bytes further, or to the end.
    fn skip_to(&mut self, mark: &[u8], behind: usize) {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        let found = rest.windows(mark.len()).position(|window| window == mark);
        self.at = found.map_or(self.bytes.len(), |found| self.at + found + behind);
    }

    fn quoted(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.bytes.get(self.at) {
            self.at += 1;
            match *byte {
                b'\\' => self.at += 1,
                b'\n' => return,
                byte if byte == quote => return,
                _ => {}
            }
        }
    }

    /// Goes behind the bracket that closes the one that is open. Says whether there is one.
    fn close(&mut self) -> bool {
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

    /// Hides the body of a function, behind `func`.
    fn function(&mut self, out: &mut [u8]) {
        let mut is_type = false;
        loop {
            let before = self.at;
            match self.next() {
                None => return,
                // Without a body.
                Some(Token::Break) => {
                    self.at = before;
                    return;
                }
                Some(Token::Open(b'{')) if !is_type => {
                    let start = self.at;
                    if self.close() {
                        blank(out, start, self.at - 1);
                    }
                    return;
                }
                Some(Token::Open(_)) => {
                    if !self.close() {
                        return;
                    }
                    is_type = false;
                }
                Some(Token::Word(word)) => is_type = matches!(word, b"struct" | b"interface"),
                Some(_) => is_type = false,
            }
        }
    }

    /// Hides what stands behind `var`: all of a group, or the value.
    fn variables(&mut self, out: &mut [u8]) {
        loop {
            let before = self.at;
            match self.next() {
                None => return,
                Some(Token::Break) => {
                    self.at = before;
                    return;
                }
                Some(Token::Open(bracket)) => {
                    let start = self.at;
                    let is_group = bracket == b'('
                        && out.get(..start).is_some_and(|text| text.trim_ascii_end().ends_with(b"("));
                    let is_first = is_group
                        && out.get(..before).is_some_and(|text| text.trim_ascii_end().ends_with(b"var"));
                    if self.close() && is_first {
                        blank(out, start, self.at - 1);
                        return;
                    }
                }
                Some(Token::Other(b'=')) => {
                    let start = self.at;
                    self.statement();
                    // At least one byte behind `=`, or there is no value yet.
                    if self.at > start {
                        blank(out, start, self.at);
                        self.values.push(Span { start: start as u32, end: self.at as u32 });
                        if let Some(first) = out.get_mut(start) {
                            *first = b'0';
                        }
                    }
                    return;
                }
                Some(_) => {}
            }
        }
    }

    /// Goes to the end of a statement.
    fn statement(&mut self) {
        let mut ends = false;
        loop {
            let before = self.at;
            match self.next() {
                None => return,
                Some(Token::Break) if ends => {
                    self.at = before;
                    return;
                }
                Some(Token::Break) => {}
                Some(Token::Open(_)) => {
                    if !self.close() {
                        return;
                    }
                    ends = true;
                }
                Some(Token::Close | Token::Word(_)) => ends = true,
                Some(Token::Other(byte)) => ends = matches!(byte, b'"' | b'\'' | b'`'),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::hidden;

    #[test]
    fn bodies_and_values_are_blank() {
        let text = "package a\n\nfunc (x *T) F(f func() int) struct{ A int } {\n\treturn \"}\" // }\n}\n\nvar X = map[string]int{\n\t\"a\": 1,\n}\n\nvar (\n\ty = 1\n)\n\ntype T struct {\n\tA func() int\n}\n";
        let lines: Vec<String> = hidden(text).text.lines().map(|line| line.trim_end().to_owned()).collect();
        let expected = [
            "package a",
            "",
            "func (x *T) F(f func() int) struct{ A int } {",
            "",
            "}",
            "",
            "var X =0",
            "",
            "",
            "",
            "var (",
            "",
            ")",
            "",
            "type T struct {",
            "\tA func() int",
            "}",
        ];
        assert_eq!(lines, expected);
        assert_eq!(hidden(text).text.len(), text.len());
    }

    #[test]
    fn text_that_is_not_whole_keeps_its_length() {
        for text in ["func f() {", "var x =", "var x = \"", "func", "var (", "'", "/*", "func f() struct{"] {
            assert_eq!(hidden(text).text.len(), text.len(), "{text}");
        }
    }
}
