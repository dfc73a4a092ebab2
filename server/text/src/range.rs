use std::fmt;

/// A byte offset or a length in bytes. Callers refuse files above 4 GiB.
pub type TextSize = u32;

/// A half-open range of bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TextRange {
    /// The offset of the first byte.
    pub start: TextSize,
    /// The offset after the last byte; never less than `start`.
    pub end: TextSize,
}

impl TextRange {
    /// The range from `start` to `end`; an `end` before `start` gives the empty range at `start`.
    #[must_use]
    pub const fn new(start: TextSize, end: TextSize) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// The empty range at `offset`.
    #[must_use]
    pub const fn empty(offset: TextSize) -> Self {
        Self { start: offset, end: offset }
    }

    /// The range of `len` bytes from `start`.
    #[must_use]
    pub const fn at(start: TextSize, len: TextSize) -> Self {
        Self { start, end: start.saturating_add(len) }
    }

    /// Length in bytes.
    #[must_use]
    pub const fn len(self) -> TextSize {
        self.end - self.start
    }

    /// Whether the range is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `offset` is in the range or at its end, like a cursor after a word.
    #[must_use]
    pub const fn touches(self, offset: TextSize) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Whether `other` is entirely within the range.
    #[must_use]
    pub const fn contains_range(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two share a byte, or one is empty and touches the other.
    #[must_use]
    pub const fn overlaps(self, other: Self) -> bool {
        if self.is_empty() || other.is_empty() {
            self.start <= other.end && other.start <= self.end
        } else {
            self.start < other.end && other.start < self.end
        }
    }

    /// The range moved `by` bytes towards the end.
    #[must_use]
    pub const fn shifted(self, by: TextSize) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// The range moved `by` bytes. Wraps around, because a range that is relative to a node may be before it.
    #[must_use]
    pub const fn wrapping_shifted(self, by: TextSize) -> Self {
        Self { start: self.start.wrapping_add(by), end: self.end.wrapping_add(by) }
    }

    /// The range of string indices; indices beyond the maximum are clamped to it.
    #[must_use]
    pub fn from_usize(range: std::ops::Range<usize>) -> Self {
        let at = |offset: usize| TextSize::try_from(offset).unwrap_or(TextSize::MAX);
        Self::new(at(range.start), at(range.end))
    }

    /// The range as string indices.
    #[must_use]
    pub const fn as_usize(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for TextRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Replaces the bytes of `range` by `new_text`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextEdit {
    /// The replaced bytes in the text before the edit.
    pub range: TextRange,
    /// The replacement.
    pub new_text: String,
}

impl TextEdit {
    /// Replaces `range` by `new_text`.
    #[must_use]
    pub fn replace(range: TextRange, new_text: impl Into<String>) -> Self {
        Self { range, new_text: new_text.into() }
    }

    /// Inserts `new_text` at `offset`.
    #[must_use]
    pub fn insert(offset: TextSize, new_text: impl Into<String>) -> Self {
        Self::replace(TextRange::empty(offset), new_text)
    }

    /// Removes `range`.
    #[must_use]
    pub fn delete(range: TextRange) -> Self {
        Self::replace(range, String::new())
    }
}

/// The last character boundary of `text` at or before `at` (bytes).
#[must_use]
pub fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The first character boundary of `text` at or after `at` (bytes).
#[must_use]
pub fn ceil_char_boundary(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}
