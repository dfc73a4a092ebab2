//! How far the API server reads a document: go-yaml stops at the end of the document's first value, and ignores the rest.

use text::{TextRange, TextSize};

use crate::ast::{Document, Value};
use crate::syntax::{ElementRef, SyntaxError, SyntaxErrorKind};

/// The maximum distance, in bytes, from a `|` or `>` to a fault of its header: after a digit and a sign.
const HEADER: TextSize = 3;

impl<'t> Document<'t> {
    /// The start of the text that the API server ignores, in bytes; `TextSize::MAX` if it reads everything.
    #[must_use]
    pub fn end_for_server(self) -> TextSize {
        let mut end = TextSize::MAX;
        self.syntax().for_each_error(&mut |error| match error.kind {
            SyntaxErrorKind::Dropped => end = end.min(error.range.start),
            SyntaxErrorKind::MissingTopColon => end = end.min(error.range.end),
            _ => {}
        });
        end
    }

    /// The syntax errors for which the API server rejects the document, in the order of the text.
    #[must_use]
    pub fn refusals(self) -> Vec<SyntaxError> {
        let mut errors = Vec::new();
        self.syntax().for_each_error(&mut |error| errors.push(error));
        if errors.is_empty() {
            return errors;
        }
        let end = self.end_for_server();
        // go-yaml reads the first token of the text that it ignores.
        errors.retain(|error| {
            let first = match error.kind {
                SyntaxErrorKind::BlockHeader | SyntaxErrorKind::ZeroIndentation => end.saturating_add(HEADER),
                kind if is_lexical(kind) => end,
                _ => end.saturating_sub(1),
            };
            let read = error.range.start <= first;
            read && error.kind.verdict().server_rejects()
        });
        errors.sort_by_key(|error| error.range.start);
        errors
    }

    /// For an error of code `yaml/unclosed`, whose range is the opening quote or bracket: the byte range of
    /// all text that was read as quoted or as within the brackets.
    #[must_use]
    pub fn unclosed(self, error: SyntaxError) -> Option<TextRange> {
        let mut node = self.syntax();
        while error.range.start >= node.range().start {
            match node.elements_from(error.range.start).next() {
                Some(element) if element.range().start == error.range.start => match element {
                    ElementRef::Node(below) if !below.kind().is_value() => node = below,
                    _ => return Some(element.range()),
                },
                _ => match node.element_at(error.range.start)? {
                    ElementRef::Node(below) => node = below,
                    ElementRef::Token(_) => return None,
                },
            }
        }
        None
    }

    /// The first value in the text, which is the value that the API server reads.
    pub(crate) fn first_value(self) -> Option<Value<'t>> {
        let root = self.first_root()?;
        let first = root.as_mapping().and_then(|mapping| mapping.entries().next());
        let on_top = first.filter(|entry| {
            let errors = &entry.syntax().node().errors;
            errors.iter().any(|error| error.kind == SyntaxErrorKind::MissingTopColon)
        });
        Some(on_top.map_or(root, |entry| entry.key()))
    }
}

/// Whether the fault concerns characters, which go-yaml's scanner detects regardless of the token's position.
fn is_lexical(kind: SyntaxErrorKind) -> bool {
    use SyntaxErrorKind as Kind;
    matches!(
        kind,
        Kind::TabIndentation
            | Kind::TabBeforeValue
            | Kind::UnclosedQuote
            | Kind::UnexpectedCharacter
            | Kind::ControlCharacter
            | Kind::MissingName
            | Kind::AnchorName
            | Kind::TagCharacter
            | Kind::EmptyTag
            | Kind::UnclosedTag
            | Kind::TagEscape
            | Kind::UnknownDirective
            | Kind::DirectiveSyntax
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::{Tree, decode};

    /// The JSON that the server reads, or its error.
    fn read(text: &str) -> String {
        let tree = Tree::parse(text);
        let document = tree.documents().next().unwrap();
        decode(document).map_or_else(|error| error.message, |decoded| decoded.json.to_string())
    }

    #[test]
    fn text_after_the_end_is_not_rejected() {
        assert_eq!(read("  a: 1\nb\nc: [\n"), r#"{"a":1}"#);
        assert_eq!(read("  a:\n- b: c: d\n"), r#"{"a":null}"#);
        assert_eq!(read("  - a\n]\n"), r#"["a"]"#);
    }

    #[test]
    fn the_first_token_after_the_end_is_read() {
        assert_eq!(read("  a: 1\n@b\n"), "yaml: found character that cannot start any token");
    }

    #[test]
    fn a_first_line_with_a_comment_is_the_document() {
        assert_eq!(read("apiVe # c\nkind: x\n"), r#""apiVe""#);
        assert_eq!(read("ports\n: a\n"), r#""ports""#);
        assert_eq!(read("apiVe\nkind: x\n"), "yaml: could not find expected ':'");
        assert_eq!(read("a:\n  apiVe # c\n  kind: x\n"), "yaml: could not find expected ':'");
    }
}
