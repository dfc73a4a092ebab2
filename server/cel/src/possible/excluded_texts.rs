//! Texts in comparisons that are always unequal.

use super::value::{Text, Value};
use super::{OutcomeAnalysis, text_of};
use crate::ast::ExprId;

/// A text in a rule that the compared value never has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExcludedText {
    /// The text.
    pub literal: ExprId,
    /// All texts that the value may have.
    pub known: Vec<Box<str>>,
}

impl OutcomeAnalysis<'_> {
    /// The texts that were compared with values that never have them, as far as [`Self::of`] evaluated the
    /// comparisons.
    #[must_use]
    pub fn excluded_texts(self) -> Vec<ExcludedText> {
        self.excluded_texts
    }

    /// Records the text `literal` if the schema excludes it for the value `of`. Earlier conditions are ignored.
    pub(super) fn note(&mut self, of: ExprId, literal: ExprId) {
        let Some(text) = text_of(self.ast, literal) else { return };
        let Some(path) = self.path(of) else { return };
        let Value::Text(Text { known: Some(known), .. }) = (self.source)(&path).value else { return };
        let is_kept = self.excluded_texts.iter().any(|one| one.literal == literal);
        if !is_kept && !known.iter().any(|one| **one == *text) {
            self.excluded_texts.push(ExcludedText { literal, known });
        }
    }
}
