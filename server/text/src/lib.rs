//! Text: byte ranges, edits, the rope behind an open file, and position encodings.

mod range;

pub use range::{TextEdit, TextRange, TextSize};
