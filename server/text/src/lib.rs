//! Text: byte ranges, edits, the rope behind an open file, and position encodings.
//!
//! A [`TextBuffer`] takes the text of a file and the edits of a client; it converts between byte offsets, lines and the
//! positions of the protocol. The crate does not know any file format.

mod buffer;
mod cut;
mod edits;
mod line_index;
mod position;
mod range;
mod shortcut;

pub use buffer::{EditError, TextBuffer};
pub use cut::{capitalized, cut, indentation, listed, start};
pub use edits::{applied, are_disjoint, compose, joined};
pub use line_index::LineIndex;
pub use position::{Position, PositionEncoding, PositionRange};
pub use range::{TextEdit, TextRange, TextSize, ceil_char_boundary, floor_char_boundary};
pub use shortcut::Shortcut;
