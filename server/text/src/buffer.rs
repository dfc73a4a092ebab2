use std::borrow::Cow;
use std::fmt;

use ropey::{Rope, RopeSlice};

use crate::{
    Position, PositionEncoding, TextEdit, TextRange, TextSize, ceil_char_boundary, floor_char_boundary,
};

/// The text of an open file, exactly as in the editor: a BOM, CRLF and tabs are kept. Cheap to clone; a clone
/// keeps its text when the original changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextBuffer {
    rope: Rope,
}

/// Why an edit cannot be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditError {
    /// The range ends after the text, or starts or ends inside a character.
    NoSuchRange(TextRange),
    /// The text would be longer than `u32::MAX` bytes.
    TooLong,
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchRange(range) => write!(f, "the text has no range {range:?}"),
            Self::TooLong => write!(f, "the text would exceed 4 GiB"),
        }
    }
}

impl std::error::Error for EditError {}

impl From<&str> for TextBuffer {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl fmt::Display for TextBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rope.chunks().try_for_each(|chunk| f.write_str(chunk))
    }
}

impl TextBuffer {
    /// A buffer with `text`, which must be shorter than 4 GiB.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { rope: Rope::from_str(text) }
    }

    /// Length in bytes.
    #[must_use]
    pub fn len(&self) -> TextSize {
        self.rope.len_bytes() as TextSize
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rope.len_bytes() == 0
    }

    /// The text of `range`, clamped to the text; a bound inside a character moves to the character's start.
    #[must_use]
    pub fn slice(&self, range: TextRange) -> Cow<'_, str> {
        let start = self.char_at(range.start);
        let end = self.char_at(range.end).max(start);
        self.rope.slice(start..end).into()
    }

    /// Replaces the edit's range by its text; a refused edit changes nothing.
    ///
    /// # Errors
    /// If the range is not valid in this text, or the text would become too long.
    pub fn apply(&mut self, edit: &TextEdit) -> Result<(), EditError> {
        let (start, end) = self
            .boundary(edit.range.start)
            .zip(self.boundary(edit.range.end))
            .ok_or(EditError::NoSuchRange(edit.range))?;
        let kept = self.rope.len_bytes() - edit.range.len() as usize;
        if TextSize::try_from(kept + edit.new_text.len()).is_err() {
            return Err(EditError::TooLong);
        }
        if start != end {
            self.rope.remove(start..end);
        }
        if !edit.new_text.is_empty() {
            self.rope.insert(start, &edit.new_text);
        }
        Ok(())
    }

    /// The smallest single edit that turns this text into `new`; `None` if they are equal. For clients that
    /// send the whole text with every change.
    #[must_use]
    pub fn difference(&self, new: &str) -> Option<TextEdit> {
        let prefix = floor_char_boundary(new, common_prefix(&self.rope, new));
        let rest = new.get(prefix..)?;
        let old_rest = self.rope.byte_slice(prefix..);
        if old_rest.len_bytes() == 0 && rest.is_empty() {
            return None;
        }
        let shared = common_suffix(old_rest, rest);
        let inserted = rest.get(..rest.len() - shared)?;
        let range = TextRange::new(prefix as TextSize, self.len() - shared as TextSize);
        Some(TextEdit::replace(range, inserted))
    }

    /// The position of the byte at `offset`. An offset inside a character counts as the character's start,
    /// one inside or before a line break as the end of the line, one after the end as the end of the text.
    #[must_use]
    pub fn position(&self, offset: TextSize, encoding: PositionEncoding) -> Position {
        let at = self.char_at(offset);
        let line = self.rope.char_to_line(at);
        let (start, end) = self.line_chars(line);
        let at = at.min(end);
        let character = match encoding {
            PositionEncoding::Utf8 => self.rope.char_to_byte(at) - self.rope.char_to_byte(start),
            PositionEncoding::Utf16 => self.rope.char_to_utf16_cu(at) - self.rope.char_to_utf16_cu(start),
            PositionEncoding::Utf32 => at - start,
        };
        Position { line: line as u32, character: character as u32 }
    }

    /// The byte offset of `position`, clamped as LSP requires: a character after the end of its line is the
    /// end of the line, one inside a character is the character's start, a line after the last is the end of
    /// the text.
    #[must_use]
    pub fn offset(&self, position: Position, encoding: PositionEncoding) -> TextSize {
        let line = position.line as usize;
        if line >= self.rope.len_lines() {
            return self.len();
        }
        let (start, end) = self.line_chars(line);
        let character = position.character as usize;
        let at = match encoding {
            PositionEncoding::Utf8 => self.char_at(clamp(self.rope.char_to_byte(start) + character)),
            PositionEncoding::Utf16 => {
                let units = self.rope.char_to_utf16_cu(start) + character;
                self.rope.utf16_cu_to_char(units.min(self.rope.len_utf16_cu()))
            }
            PositionEncoding::Utf32 => start + character,
        };
        self.rope.char_to_byte(at.min(end)) as TextSize
    }

    /// The index of the character that contains the byte at `offset`, or the number of characters for an
    /// offset after the end.
    fn char_at(&self, offset: TextSize) -> usize {
        self.rope.byte_to_char((offset as usize).min(self.rope.len_bytes()))
    }

    /// The index of the character that begins at `offset`; `None` inside a character and after the end.
    fn boundary(&self, offset: TextSize) -> Option<usize> {
        let at = self.rope.try_byte_to_char(offset as usize).ok()?;
        (self.rope.char_to_byte(at) == offset as usize).then_some(at)
    }

    /// The indices of a line's first character and of the end of its text, without the line break.
    fn line_chars(&self, line: usize) -> (usize, usize) {
        let start = self.rope.line_to_char(line);
        let mut end = self.rope.line_to_char((line + 1).min(self.rope.len_lines()));
        for ending in ['\n', '\r'] {
            if end > start && self.rope.get_char(end - 1) == Some(ending) {
                end -= 1;
            }
        }
        (start, end)
    }
}

fn clamp(offset: usize) -> TextSize {
    TextSize::try_from(offset).unwrap_or(TextSize::MAX)
}

/// The number of leading bytes that the two share.
fn common_prefix(old: &Rope, new: &str) -> usize {
    let mut shared = 0;
    for chunk in old.chunks() {
        let rest = new.as_bytes().get(shared..).unwrap_or_default();
        // Most chunks are equal, which takes one comparison.
        if rest.starts_with(chunk.as_bytes()) {
            shared += chunk.len();
            continue;
        }
        shared += chunk.bytes().zip(rest).take_while(|(a, b)| a == *b).count();
        break;
    }
    shared
}

/// The number of trailing bytes that the two share, in whole characters.
fn common_suffix(old: RopeSlice<'_>, new: &str) -> usize {
    let (chunks, ..) = old.chunks_at_byte(old.len_bytes());
    let mut shared = 0;
    for chunk in chunks.reversed() {
        let rest = new.as_bytes().get(..new.len() - shared).unwrap_or_default();
        // Most chunks are equal, which takes one comparison.
        if rest.ends_with(chunk.as_bytes()) {
            shared += chunk.len();
            continue;
        }
        shared += chunk.bytes().rev().zip(rest.iter().rev()).take_while(|(a, b)| a == *b).count();
        break;
    }
    new.len() - ceil_char_boundary(new, new.len() - shared)
}
