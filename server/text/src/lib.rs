//! Text: byte ranges, edits, the rope behind an open file, and position encodings.

mod buffer;
mod cut;
mod edits;
mod line_index;
mod position;
mod range;
mod shortcut;

pub use buffer::{EditError, TextBuffer};
pub use cut::{cut, listed, start};
pub use edits::{applied, compose};
pub use line_index::LineIndex;
pub use position::{Position, PositionEncoding, PositionRange};
pub use range::{TextEdit, TextRange, TextSize, ceil_char_boundary, floor_char_boundary};
pub use shortcut::Shortcut;
