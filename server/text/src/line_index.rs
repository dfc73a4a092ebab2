use crate::{Position, PositionEncoding, PositionRange, TextRange, TextSize, floor_char_boundary};

/// The starts of the lines of a text that does not change. For open files see [`TextBuffer`](crate::TextBuffer).
#[derive(Clone, Debug)]
pub struct LineIndex<'a> {
    text: &'a str,
    /// The start of each line; the first entry is 0.
    starts: Vec<TextSize>,
    /// The number of units before each block of [`BLOCK`] bytes, or before the character that contains its
    /// first byte; empty if each byte is a character.
    counts: Vec<Counts>,
}

/// Lines may be long: characters are counted from the start of a block, not of a line.
const BLOCK: usize = 512;

/// A number of units in each encoding.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    utf16: u32,
    utf32: u32,
}

impl<'a> LineIndex<'a> {
    /// Finds the lines of `text`. Text beyond 4 GiB is ignored.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let is_cr_of_crlf = bytes.get(at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n');
            if !is_cr_of_crlf && let Ok(start) = TextSize::try_from(at + 1) {
                starts.push(start);
            }
        }
        Self { text, starts, counts: counts(text) }
    }

    /// The position of `range`.
    #[must_use]
    pub fn range(&self, range: TextRange, encoding: PositionEncoding) -> PositionRange {
        let position = |offset| self.position(offset, encoding);
        PositionRange { start: position(range.start), end: position(range.end) }
    }

    /// The number of units before `offset`, which is a character's start.
    fn units_before(&self, offset: usize, encoding: PositionEncoding) -> u32 {
        let block = offset / BLOCK;
        let Some(counts) = self.counts.get(block) else { return offset as u32 };
        let from = floor_char_boundary(self.text, block * BLOCK);
        let rest = encoding.measure(self.text.get(from..offset).unwrap_or_default());
        match encoding {
            PositionEncoding::Utf8 => offset as u32,
            PositionEncoding::Utf16 => counts.utf16 + rest,
            PositionEncoding::Utf32 => counts.utf32 + rest,
        }
    }

    /// The number of lines; a text that ends with a line break has an empty last line.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The byte range of a line without its line break; `None` after the last line.
    #[must_use]
    pub fn line(&self, line: u32) -> Option<TextRange> {
        let start = *self.starts.get(line as usize)?;
        let end = self.starts.get(line as usize + 1).map_or(self.text.len(), |next| *next as usize);
        let content = self.text.get(start as usize..end)?;
        let content = content.strip_suffix('\n').unwrap_or(content);
        let content = content.strip_suffix('\r').unwrap_or(content);
        Some(TextRange::at(start, content.len() as TextSize))
    }

    /// The position of the byte at `offset`. An offset inside a character counts as the character's start,
    /// one inside or before a line break as the end of the line, one after the end as the end of the text.
    #[must_use]
    pub fn position(&self, offset: TextSize, encoding: PositionEncoding) -> Position {
        let line = self.line_at(offset);
        let range = self.line(line).unwrap_or_default();
        let (start, end) =
            (range.start as usize, floor_char_boundary(self.text, offset.min(range.end) as usize));
        let character = if end.saturating_sub(start) <= BLOCK {
            encoding.measure(self.text.get(start..end).unwrap_or_default())
        } else {
            self.units_before(end, encoding).saturating_sub(self.units_before(start, encoding))
        };
        Position { line, character }
    }

    /// The line that contains the byte at `offset`; the last line for an offset after the end.
    #[must_use]
    pub fn line_at(&self, offset: TextSize) -> u32 {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1) as u32
    }

    /// The byte offset of `position`, clamped as LSP requires: a character after the end of its line is the
    /// end of the line, one inside a character is the character's start, a line after the last is the end of
    /// the text.
    #[must_use]
    pub fn offset(&self, position: Position, encoding: PositionEncoding) -> TextSize {
        let Some(range) = self.line(position.line) else { return self.text.len() as TextSize };
        let line = self.text.get(range.as_usize()).unwrap_or_default();
        range.start + encoding.byte_in_line(line, position.character) as TextSize
    }
}

/// The units before each block of `text`; empty if each byte is a character.
fn counts(text: &str) -> Vec<Counts> {
    if text.is_ascii() {
        return Vec::new();
    }
    let (mut counts, mut before, mut from) = (Vec::new(), Counts::default(), 0);
    for start in (0..=text.len()).step_by(BLOCK) {
        let to = floor_char_boundary(text, start);
        let block = text.get(from..to).unwrap_or_default();
        before.utf16 += PositionEncoding::Utf16.measure(block);
        before.utf32 += PositionEncoding::Utf32.measure(block);
        from = to;
        counts.push(before);
    }
    counts
}
