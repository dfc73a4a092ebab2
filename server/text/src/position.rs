/// The unit of `Position::character`: the three encodings of LSP 3.17.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum PositionEncoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units: a character outside the Basic Multilingual Plane counts two.
    #[default]
    Utf16,
    /// Unicode scalar values.
    Utf32,
}

impl PositionEncoding {
    /// The number of units of `c`.
    #[must_use]
    pub const fn units(self, c: char) -> u32 {
        match self {
            Self::Utf8 => c.len_utf8() as u32,
            Self::Utf16 => c.len_utf16() as u32,
            Self::Utf32 => 1,
        }
    }

    /// The number of units of `text`.
    #[must_use]
    pub fn measure(self, text: &str) -> u32 {
        match self {
            Self::Utf8 => text.len() as u32,
            // This applies to nearly all texts; `is_ascii` checks many bytes at once.
            Self::Utf16 | Self::Utf32 if text.is_ascii() => text.len() as u32,
            Self::Utf16 | Self::Utf32 => text.chars().map(|c| self.units(c)).sum(),
        }
    }

    /// The byte offset in `line` after `character` units: never inside a character, never after the end.
    #[must_use]
    pub fn byte_in_line(self, line: &str, character: u32) -> usize {
        let mut passed = 0;
        for (byte, c) in line.char_indices() {
            passed += self.units(c);
            if passed > character {
                return byte;
            }
        }
        line.len()
    }
}

/// A range in LSP positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct PositionRange {
    /// The start.
    pub start: Position,
    /// The end, exclusive.
    pub end: Position,
}

impl PositionRange {
    /// The same range for a text that begins `lines` further down.
    #[must_use]
    pub const fn below(self, lines: u32) -> Self {
        let Self { mut start, mut end } = self;
        start.line += lines;
        end.line += lines;
        Self { start, end }
    }
}

/// A position in a text as defined by LSP: lines end with LF, CRLF or CR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// The line, from 0.
    pub line: u32,
    /// The offset in the line, from 0, in units of the [`PositionEncoding`]; never beyond the line's end.
    pub character: u32,
}
