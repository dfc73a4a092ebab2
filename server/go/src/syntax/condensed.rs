//! A file shortened for the grammar: without functions, initial values of variables, and comments.
//!
//! No schema depends on functions and values. The grammar does not support all their syntax in new releases of Go, and an
//! error there must have no effect. Comments are most of an API's text, and the lexer here skips them several times as fast.

use super::lexer::{HiddenBytes, Lexer, Token};
use super::{EncodingMethod, Span};

/// A text without the parts on which no schema depends.
pub(super) struct CondensedText {
    /// The text for the grammar.
    pub(super) text: String,
    /// The positions of that text in the file.
    pub(super) places: Places,
    /// Comments outside of functions and of the values of variables.
    pub(super) comments: Vec<Span>,
    /// Comments in functions and values that look like markers.
    pub(super) markers: Vec<Span>,
}

/// Maps each byte of the condensed text to its position in the file.
pub(super) struct Places {
    /// The starts of runs that are contiguous in both texts: in the condensed text and in the file.
    runs: Vec<(u32, u32)>,
}

impl Places {
    fn original_offset(&self, condensed: u32) -> u32 {
        let run = self.runs.partition_point(|(start, _)| *start <= condensed).checked_sub(1);
        let (start, place) = run.and_then(|run| self.runs.get(run)).copied().unwrap_or_default();
        place + (condensed - start)
    }

    /// The bytes of the file for a span of the condensed text. An empty span is directly after the previous token.
    pub(super) fn span(&self, condensed: Span) -> Span {
        let end = condensed.end.checked_sub(1).map_or(0, |last| self.original_offset(last) + 1);
        let start = if condensed.start < condensed.end { self.original_offset(condensed.start) } else { end };
        Span { start, end }
    }
}

pub(super) fn condensed(text: &str) -> CondensedText {
    let mut lexer = Lexer::new(text);
    lexer.file();
    let Lexer { gaps, comments, markers, .. } = lexer;
    let (text, places) = replace_gaps(text, &gaps);
    CondensedText { text, places, comments, markers }
}

/// The text with each gap replaced.
fn replace_gaps(text: &str, gaps: &[HiddenBytes]) -> (String, Places) {
    let mut joined = String::with_capacity(text.len() / 2);
    let mut runs = Vec::with_capacity(gaps.len() * 2 + 1);
    let mut from = 0;
    for gap in gaps {
        runs.push((joined.len() as u32, from));
        joined.push_str(text.get(from as usize..gap.span.start as usize).unwrap_or_default());
        if !gap.by.is_empty() {
            runs.push((joined.len() as u32, gap.at));
            joined.push_str(gap.by);
        }
        from = gap.span.end;
    }
    runs.push((joined.len() as u32, from));
    joined.push_str(text.get(from as usize..).unwrap_or_default());
    (joined, Places { runs })
}

/// Whether a method of this name decides how a type is encoded.
fn is_of_encoding(name: &[u8]) -> bool {
    [EncodingMethod::Json, EncodingMethod::Text].iter().any(|encoding| encoding.method().as_bytes() == name)
}

impl Lexer<'_> {
    /// Scans a file and cuts the parts on which no schema depends.
    fn file(&mut self) {
        let mut depth = 0_usize;
        let mut begins = true;
        while let Some(token) = self.next() {
            match token {
                Token::Open(_) => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                Token::Word(b"func") if depth == 0 && begins => self.function(),
                Token::Word(b"var") if depth == 0 && begins => self.variables(),
                _ => {}
            }
            begins = matches!(token, Token::Break) || depth == 0 && self.is_at_line_start();
        }
    }

    /// Cuts the text after `func`. Of methods that encode a value, only the body is cut. A function without a name stays for
    /// the grammar.
    fn function(&mut self) {
        let start = self.at;
        let mut name = None;
        let mut has_parameters = false;
        let mut is_type = false;
        loop {
            let before = self.at;
            let body = match self.next() {
                None => return,
                // The function has no body.
                Some(Token::Break) => {
                    self.at = before;
                    None
                }
                Some(Token::Open(b'{')) if !is_type => {
                    let body = self.at;
                    if !self.close() {
                        return;
                    }
                    Some(body)
                }
                Some(Token::Open(bracket)) => {
                    if !self.close() {
                        return;
                    }
                    has_parameters |= name.is_some() && bracket == b'(';
                    is_type = false;
                    continue;
                }
                Some(Token::Word(word)) => {
                    name = name.or(Some(word));
                    is_type = matches!(word, b"struct" | b"interface");
                    continue;
                }
                Some(_) => {
                    is_type = false;
                    continue;
                }
            };
            if has_parameters && !name.is_some_and(is_of_encoding) {
                self.cut(start, self.at, " f()");
            } else if let Some(body) = body {
                self.cut(body, self.at - 1, "");
            }
            return;
        }
    }

    /// Cuts the text after `var`: a whole group, or the value.
    fn variables(&mut self) {
        let mut is_first = true;
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
                    if self.close() && is_first && bracket == b'(' {
                        self.cut(start, self.at - 1, "");
                        return;
                    }
                }
                Some(Token::Other(b'=')) => {
                    let start = self.at;
                    self.statement();
                    // Without a byte after `=`, there is no value yet.
                    if self.at > start {
                        self.cut(start, self.at, "0");
                    }
                    return;
                }
                Some(_) => {}
            }
            is_first = false;
        }
    }

    /// Advances to the end of a statement.
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
    use super::{Span, condensed};

    #[test]
    fn bodies_values_and_comments_are_cut() {
        let text = "package a // b\n\nfunc (x *T) F(f func() int) struct{ A int } {\n\treturn \"}\" // }\n}\n\n// X.\nvar X = map[string]int{\n\t\"a\": 1,\n}\n\nvar (\n\ty = 1\n)\n\ntype T struct {\n\tA func() int /* A. */ `a://b`\n}\n";
        let expected = "package a\nfunc f()\nvar X =0\nvar ()\ntype T struct {\nA func() int `a://b`\n}\n";
        assert_eq!(condensed(text).text, expected);
        let comments = condensed(text).comments;
        let comments: Vec<&str> = comments.iter().map(|comment| &text[comment.range()]).collect();
        assert_eq!(comments, ["// b", "// X.", "/* A. */"]);
    }

    #[test]
    fn only_encoding_methods_keep_their_signature() {
        let text = "package a\n\nfunc (t T) MarshalJSON() ([]byte, error) {\n\treturn nil, nil\n}\n\nfunc (t T) Other(\n\ta int,\n) {\n}\n\nfunc outside(a int) int\n";
        let condensed = condensed(text);
        assert_eq!(
            condensed.text,
            "package a\nfunc (t T) MarshalJSON() ([]byte, error) {}\nfunc f()\nfunc f()\n"
        );
        let at = condensed.text.find("func f()").unwrap_or_default() as u32;
        let function = condensed.places.span(Span { start: at, end: at + "func f()".len() as u32 });
        assert_eq!(&text[function.range()], "func (t T) Other(\n\ta int,\n) {\n}");
    }

    #[test]
    fn kept_text_keeps_its_place() {
        let text = "package a\n\n// T.\ntype T struct {\n\tA int // A.\n\n\tBcd string\n}\n";
        let condensed = condensed(text);
        let kept = ["package", "a\n", "type T", "struct", "A", "int", "Bcd", "string", "}"];
        let shown = kept.map(|kept| {
            let start = condensed.text.find(kept).unwrap_or_default();
            let span = Span { start: start as u32, end: (start + kept.len()) as u32 };
            &text[condensed.places.span(span).range()]
        });
        assert_eq!(shown, kept);
        let end = condensed.text.len() as u32;
        assert_eq!(&text[condensed.places.span(Span { start: 0, end }).range()], text);
    }

    #[test]
    fn markers_in_removed_text_are_noted() {
        let text = "func f() {\n\t// +kubebuilder:object:root=true\n}\n\nvar x = []int{\n\t// +optional\n\t1,\n}\n// +required\n";
        let condensed = condensed(text);
        let shown = |spans: &[Span]| spans.iter().map(|span| &text[span.range()]).collect::<Vec<_>>();
        assert_eq!(shown(&condensed.markers), ["// +kubebuilder:object:root=true", "// +optional"]);
        assert_eq!(shown(&condensed.comments), ["// +required"]);
    }

    #[test]
    fn incomplete_text_is_left_to_the_grammar() {
        for text in ["func f() {", "var x =", "func", "var (", "'", "/*", "func f() struct{", "a /* b"] {
            assert_eq!(condensed(text).text, text, "{text}");
        }
    }
}
