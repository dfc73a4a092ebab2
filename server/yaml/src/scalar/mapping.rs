//! The correspondence between bytes of the decoded text and bytes of the source.

use std::ops::Range;

use super::decode::{ScalarError, ScalarStyle, Sink, walk};

/// Maps byte offsets in a scalar's raw text to byte offsets in its decoded text, and back.
///
/// Both directions are monotonic and stay in bounds. An offset on a character boundary maps to one on a
/// character boundary, and a byte that decodes to itself maps there and back.
#[derive(Debug, Clone)]
pub struct OffsetMap {
    pieces: Vec<MappedRange>,
    decoded_len: usize,
}

/// A range of raw text and the decoded text for it. Pieces are in order in both texts, without gaps in the
/// decoded text.
#[derive(Debug, Clone)]
struct MappedRange {
    raw: Range<usize>,
    decoded: Range<usize>,
    /// Whether the raw bytes equal the decoded bytes.
    verbatim: bool,
}

impl OffsetMap {
    /// The mapping of the scalar that [`decode`](super::decode) decodes from the same arguments.
    #[must_use]
    pub fn new(style: ScalarStyle, raw: &str, parent_indent: i32) -> Self {
        let mut mapping = Self { pieces: Vec::new(), decoded_len: 0 };
        walk(style, raw, parent_indent, &mut mapping);
        mapping
    }

    /// The raw offset of the decoded byte at `decoded`: the start of the escape or fold that produces it, if
    /// any. Offsets at or beyond the end of the decoded text map to the end of its last character.
    #[must_use]
    pub fn to_raw(&self, decoded: usize) -> usize {
        let index = self.pieces.partition_point(|piece| piece.decoded.end <= decoded);
        match self.pieces.get(index) {
            Some(piece) if piece.verbatim => piece.raw.start + (decoded - piece.decoded.start),
            Some(piece) => piece.raw.start,
            None => self.pieces.last().map_or(0, |piece| piece.raw.end),
        }
    }

    /// The decoded offset of the byte that the raw byte at `raw` contributes to. A byte that contributes to
    /// none, such as a quote or indentation, maps to the next decoded byte.
    #[must_use]
    pub fn to_decoded(&self, raw: usize) -> usize {
        let index = self.pieces.partition_point(|piece| piece.raw.end <= raw);
        match self.pieces.get(index) {
            Some(piece) if piece.verbatim => piece.decoded.start + raw.saturating_sub(piece.raw.start),
            Some(piece) => piece.decoded.start,
            None => self.decoded_len,
        }
    }

    /// The raw bytes that produce the decoded bytes in `decoded`: whole escapes, without surrounding blanks.
    #[must_use]
    pub fn raw_range(&self, decoded: Range<usize>) -> Range<usize> {
        let start = self.to_raw(decoded.start);
        if decoded.end <= decoded.start {
            return start..start;
        }
        let last = decoded.end - 1;
        let index = self.pieces.partition_point(|piece| piece.decoded.end <= last);
        let end = match self.pieces.get(index) {
            Some(piece) if piece.verbatim => piece.raw.start + (decoded.end - piece.decoded.start),
            Some(piece) => piece.raw.end,
            None => self.to_raw(decoded.end),
        };
        start..end.max(start)
    }

    fn push(&mut self, raw: Range<usize>, length: usize, verbatim: bool) {
        let decoded = self.decoded_len..self.decoded_len + length;
        self.decoded_len = decoded.end;
        match self.pieces.last_mut() {
            Some(last) if verbatim && last.verbatim && last.raw.end == raw.start => {
                last.raw.end = raw.end;
                last.decoded.end = decoded.end;
            }
            _ => self.pieces.push(MappedRange { raw, decoded, verbatim }),
        }
    }
}

impl Sink for OffsetMap {
    fn copy(&mut self, raw: Range<usize>) {
        if !raw.is_empty() {
            let length = raw.len();
            self.push(raw, length, true);
        }
    }

    fn replace(&mut self, raw: Range<usize>, text: &str) {
        self.push(raw, text.len(), false);
    }

    fn error(&mut self, _error: ScalarError) {}
}
