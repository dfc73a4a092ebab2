//! Texts that a rule compares with values which are never such a text.

use super::value::{Text, Value};
use super::{Possible, text_of};
use crate::ast::ExprId;

/// A text in a rule that the value it is compared with never is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// The text.
    pub literal: ExprId,
    /// All texts that the value may be.
    pub known: Vec<Box<str>>,
}

impl Possible<'_> {
    /// The texts that were compared with values which are never such a text, as far as [`Self::of`] came to them.
    #[must_use]
    pub fn beyond(self) -> Vec<Beyond> {
        self.beyond
    }

    /// Keeps the text `literal` if the schema says of the value `of` that it is another one. What conditions before it say does not
    /// count.
    pub(super) fn note(&mut self, of: ExprId, literal: ExprId) {
        let Some(text) = text_of(self.ast, literal) else { return };
        let Some(path) = self.path(of) else { return };
        let Value::Text(Text { known: Some(known), .. }) = (self.source)(&path).value else { return };
        let is_kept = self.beyond.iter().any(|one| one.literal == literal);
        if !is_kept && !known.iter().any(|one| **one == *text) {
            self.beyond.push(Beyond { literal, known });
        }
    }
}
