//! Requests about a position, independent of the language of the text.

use ide::picture::{Picture, Place};
use ide::{Completion, File, Hint, Hover, Signatures, TokenClass};
use text::{TextBuffer, TextRange, TextSize};

/// A text that answers requests about its positions.
pub trait Subject {
    /// The hover of the name at a position.
    fn hover(&self, offset: TextSize) -> Option<Hover>;
    /// The proposals at a position.
    fn completions(&self, offset: TextSize) -> Vec<Completion>;
    /// The signatures of the call around a position.
    fn signatures(&self, offset: TextSize) -> Option<Signatures>;
    /// The hints beside the text.
    fn hints(&self, range: TextRange) -> Vec<Hint>;
    /// The classes of the parts of expressions, by range.
    fn tokens(&self, range: TextRange) -> Vec<(TextRange, TokenClass)>;
    /// The definitions of the text, `buffer`, as data for pages. `place` converts an offset to a line and a
    /// column.
    fn pictures(&self, buffer: &TextBuffer, place: &dyn Fn(TextSize) -> Place) -> Vec<Picture>;
}

impl Subject for File {
    fn hover(&self, offset: TextSize) -> Option<Hover> {
        self.hover(offset)
    }

    fn completions(&self, offset: TextSize) -> Vec<Completion> {
        self.completions(offset)
    }

    fn signatures(&self, offset: TextSize) -> Option<Signatures> {
        self.signatures(offset)
    }

    fn hints(&self, range: TextRange) -> Vec<Hint> {
        self.hints(range)
    }

    fn tokens(&self, range: TextRange) -> Vec<(TextRange, TokenClass)> {
        self.tokens(range)
    }

    fn pictures(&self, buffer: &TextBuffer, place: &dyn Fn(TextSize) -> Place) -> Vec<Picture> {
        self.pictures(buffer, place)
    }
}
