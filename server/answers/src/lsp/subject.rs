//! What can be asked at a place, of whatever language the text is.

use ide::picture::{Picture, Place};
use ide::{Completion, File, Hint, Hover, Signatures, TokenClass};
use text::{TextBuffer, TextRange, TextSize};

/// A text that answers at its places.
pub trait Subject {
    /// What is said of the name at a place.
    fn hover(&self, offset: TextSize) -> Option<Hover>;
    /// What may be written at a place.
    fn completions(&self, offset: TextSize) -> Vec<Completion>;
    /// The signatures of the call that a place is in.
    fn signatures(&self, offset: TextSize) -> Option<Signatures>;
    /// What is shown beside the text.
    fn hints(&self, range: TextRange) -> Vec<Hint>;
    /// What the parts of expressions are, by place.
    fn tokens(&self, range: TextRange) -> Vec<(TextRange, TokenClass)>;
    /// The definitions of the text, `buffer`, to look at. `place` finds lines and columns.
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
