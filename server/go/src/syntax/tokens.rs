//! The tokens of a whole file with their places, for the search of the first error in it.

use super::Span;
use super::lexer::{Lexer, Token};

/// The words that Go reserves.
const KEYWORDS: [&str; 25] = [
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "interface",
    "map",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "type",
    "var",
];

/// The keywords of declarations.
const OF_DECLARATIONS: [&str; 5] = ["const", "func", "import", "type", "var"];

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name, a keyword or a number.
    Word,
    /// A text or a character, by its quotes.
    Literal(u8),
    /// A bracket or another sign.
    Sign(u8),
    /// The end of the file.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GoToken {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    /// Whether a line break is between the previous token and this one.
    pub(crate) begins_line: bool,
    /// Whether it is the first byte of its line.
    pub(crate) is_at_margin: bool,
}

impl GoToken {
    pub(crate) fn text(self, text: &str) -> &str {
        text.get(self.span.range()).unwrap_or_default()
    }

    pub(super) const fn is(self, sign: u8) -> bool {
        matches!(self.kind, TokenKind::Sign(found) if found == sign)
    }

    /// Whether it is a word that Go reserves.
    pub(crate) fn is_keyword(self, text: &str) -> bool {
        self.kind == TokenKind::Word && KEYWORDS.contains(&self.text(text))
    }

    /// Whether it is a word that may be the name of something.
    pub(super) fn is_name(self, text: &str) -> bool {
        self.kind == TokenKind::Word
            && !self.is_keyword(text)
            && !self.text(text).starts_with(|first: char| first.is_ascii_digit())
    }

    /// Whether a declaration begins here: its keyword is the first word of an unindented line, as `gofmt` writes it.
    pub(crate) fn begins_declaration(self, text: &str) -> bool {
        self.is_at_margin && self.kind == TokenKind::Word && OF_DECLARATIONS.contains(&self.text(text))
    }

    /// Whether a line break after it ends a declaration or a field.
    pub(super) fn ends_statement(self, text: &str) -> bool {
        match self.kind {
            TokenKind::Word => {
                !self.is_keyword(text)
                    || matches!(self.text(text), "break" | "continue" | "fallthrough" | "return")
            }
            TokenKind::Literal(_) => true,
            TokenKind::Sign(sign) => matches!(sign, b')' | b']' | b'}'),
            TokenKind::End => false,
        }
    }
}

/// All tokens of a text; the last one is its end.
pub(super) fn tokens(text: &str) -> Vec<GoToken> {
    let mut lexer = Lexer::new(text);
    let mut tokens = Vec::new();
    let mut begins_line = true;
    while let Some(token) = lexer.next() {
        if matches!(token, Token::Break) {
            begins_line = true;
            continue;
        }
        let span = Span { start: lexer.start as u32, end: lexer.position as u32 };
        let kind = match token {
            Token::Word(_) => TokenKind::Word,
            Token::Other(quote @ (b'"' | b'\'' | b'`')) => TokenKind::Literal(quote),
            Token::Break | Token::Open(_) | Token::Close | Token::Other(_) => {
                TokenKind::Sign(text.as_bytes().get(lexer.start).copied().unwrap_or_default())
            }
        };
        let is_at_margin = lexer.start == 0 || text.as_bytes().get(lexer.start - 1) == Some(&b'\n');
        tokens.push(GoToken { kind, span, begins_line, is_at_margin });
        // A text that is not closed ends with its line.
        begins_line = text.as_bytes().get(lexer.position.saturating_sub(1)) == Some(&b'\n');
    }
    if let Some(start) = lexer.open_comment {
        let span = Span { start: start as u32, end: start as u32 + 2 };
        tokens.push(GoToken { kind: TokenKind::Sign(b'/'), span, begins_line: true, is_at_margin: false });
    }
    let end = text.len() as u32;
    let span = Span { start: end, end };
    tokens.push(GoToken { kind: TokenKind::End, span, begins_line: true, is_at_margin: true });
    tokens
}
