//! Which byte of the decoded text comes from which byte of the source.

use std::ops::Range;

use super::decode::{ScalarError, ScalarStyle, Sink, walk};

/// Relates byte offsets in a scalar's raw text to byte offsets in its decoded text.
///
/// Both directions are monotonic and stay in bounds, an offset on a character boundary gives one on a
/// character boundary, and a byte that stands for itself maps there and back.
#[derive(Debug, Clone)]
pub struct Mapping {
    pieces: Vec<Piece>,
    decoded_len: usize,
}

/// A stretch of raw text and the decoded text it stands for. Pieces are in order in both texts, without
/// gaps in the decoded one.
#[derive(Debug, Clone)]
struct Piece {
    raw: Range<usize>,
    decoded: Range<usize>,
    /// Whether the bytes stand for themselves.
    verbatim: bool,
}

impl Mapping {
    /// The mapping of the scalar that [`decode`](super::decode) decodes from the same arguments.
    #[must_use]
    pub fn new(style: ScalarStyle, raw: &str, parent_indent: i32) -> Self {
        let mut mapping = Self { pieces: Vec::new(), decoded_len: 0 };
        walk(style, raw, parent_indent, &mut mapping);
        mapping
    }

    /// The byte of the raw text from which byte `decoded` comes: where an escape or a fold starts, if it
    /// comes from one. The end of the decoded text, and all beyond, is where its last character ends.
    #[must_use]
    pub fn to_raw(&self, decoded: usize) -> usize {
        let index = self.pieces.partition_point(|piece| piece.decoded.end <= decoded);
        match self.pieces.get(index) {
            Some(piece) if piece.verbatim => piece.raw.start + (decoded - piece.decoded.start),
            Some(piece) => piece.raw.start,
            None => self.pieces.last().map_or(0, |piece| piece.raw.end),
        }
    }

    /// The byte of the decoded text that byte `raw` helps to make. A byte that makes none, such as a quote
    /// or indentation, gives the next one that is made.
    #[must_use]
    pub fn to_decoded(&self, raw: usize) -> usize {
        let index = self.pieces.partition_point(|piece| piece.raw.end <= raw);
        match self.pieces.get(index) {
            Some(piece) if piece.verbatim => piece.decoded.start + raw.saturating_sub(piece.raw.start),
            Some(piece) => piece.decoded.start,
            None => self.decoded_len,
        }
    }

    /// The raw bytes that make the decoded bytes in `decoded`: whole escapes, and no blanks beside them.
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
            _ => self.pieces.push(Piece { raw, decoded, verbatim }),
        }
    }
}

impl Sink for Mapping {
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
