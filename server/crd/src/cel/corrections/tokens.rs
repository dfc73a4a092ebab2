//! The tokens of an expression, by their index.

use cel::{Token, TokenKind};
use text::TextRange;

/// An expression with its tokens.
pub(super) struct Tokens<'e> {
    pub(super) text: &'e str,
    pub(super) list: Vec<Token>,
}

impl<'e> Tokens<'e> {
    pub(super) fn of(text: &'e str) -> Self {
        Self { text, list: cel::tokenize(text) }
    }

    /// The number of tokens.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn kind(&self, index: usize) -> Option<TokenKind> {
        self.list.get(index).map(|token| token.kind)
    }

    /// The range of a token; after the last one, the end of the text.
    pub(super) fn range(&self, index: usize) -> TextRange {
        self.list.get(index).map_or(TextRange::empty(self.text.len() as u32), |token| token.range)
    }

    /// The text of a token; empty after the last one.
    pub(super) fn word(&self, index: usize) -> &'e str {
        self.slice(self.range(index))
    }

    pub(super) fn slice(&self, range: TextRange) -> &'e str {
        self.text.get(range.as_usize()).unwrap_or_default()
    }
}
