//! Compares the buffer, the line index and the composition of edits with naive implementations of the same
//! contract, on texts with CRLF, lone CR, combining characters, a BOM and characters outside the Basic
//! Multilingual Plane.

use proptest::prelude::*;
use text::{
    LineIndex, Position, PositionEncoding, TextBuffer, TextEdit, TextRange, compose, floor_char_boundary,
};

const ENCODINGS: [PositionEncoding; 3] =
    [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32];

/// Lines without their line breaks, with their start offsets.
fn naive_lines(text: &str) -> Vec<(usize, &str)> {
    let mut lines = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let width = match (bytes[at], bytes.get(at + 1)) {
            (b'\r', Some(b'\n')) => 2,
            (b'\r' | b'\n', _) => 1,
            _ => 0,
        };
        if width > 0 {
            lines.push((start, &text[start..at]));
            start = at + width;
        }
        at += width.max(1);
    }
    lines.push((start, &text[start..]));
    lines
}

fn naive_units(text: &str, encoding: PositionEncoding) -> usize {
    match encoding {
        PositionEncoding::Utf8 => text.len(),
        PositionEncoding::Utf16 => text.encode_utf16().count(),
        PositionEncoding::Utf32 => text.chars().count(),
    }
}

fn naive_position(text: &str, offset: usize, encoding: PositionEncoding) -> Position {
    let lines = naive_lines(text);
    let line = lines.iter().rposition(|(start, _)| *start <= offset).unwrap_or(0);
    let (start, content) = lines[line];
    let mut within = (offset - start).min(content.len());
    while !content.is_char_boundary(within) {
        within -= 1;
    }
    let character = naive_units(&content[..within], encoding);
    Position { line: line as u32, character: character as u32 }
}

fn naive_offset(text: &str, position: Position, encoding: PositionEncoding) -> usize {
    let lines = naive_lines(text);
    let Some((start, content)) = lines.get(position.line as usize) else { return text.len() };
    let boundaries = (0..=content.len()).filter(|at| content.is_char_boundary(*at));
    let fits = |at: &usize| naive_units(&content[..*at], encoding) <= position.character as usize;
    start + boundaries.filter(fits).max().unwrap_or(0)
}

fn any_text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "key: ",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        "ä",
        "e\u{301}",
        "€",
        "😀",
        "👩‍👩‍👧",
        "\t",
        "\u{feff}",
        "\u{2028}",
        "\u{85}",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn floor(text: &str, at: usize) -> u32 {
    floor_char_boundary(text, at) as u32
}

/// Sorted edits without overlap, from pairs of offsets.
fn edits_of(text: &str, mut places: Vec<usize>, new: &[String]) -> Vec<TextEdit> {
    places.sort_unstable();
    places.dedup();
    let ranges =
        places.chunks_exact(2).map(|pair| TextRange::new(floor(text, pair[0]), floor(text, pair[1])));
    let mut last = None;
    let apart = ranges.filter(|range| {
        let fresh = last.is_none_or(|end| end < range.start);
        last = Some(range.end);
        fresh
    });
    apart.zip(new).map(|(range, new)| TextEdit::replace(range, new)).collect()
}

fn applied(text: &str, edits: &[TextEdit]) -> String {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.range.as_usize(), &edit.new_text);
    }
    text
}

proptest! {
    #[test]
    fn positions_of_every_byte(text in any_text()) {
        let (buffer, index) = (TextBuffer::new(&text), LineIndex::new(&text));
        for encoding in ENCODINGS {
            for offset in 0..text.len() + 3 {
                let expected = naive_position(&text, offset.min(text.len()), encoding);
                prop_assert_eq!(buffer.position(offset as u32, encoding), expected);
                prop_assert_eq!(index.position(offset as u32, encoding), expected);
            }
        }
    }

    #[test]
    fn positions_in_a_long_line(text in any_text(), times in 20..60_usize) {
        let text = text.replace(['\n', '\r'], "").repeat(times);
        let index = LineIndex::new(&text);
        for encoding in ENCODINGS {
            for offset in (0..text.len()).step_by(61) {
                let expected = naive_position(&text, offset, encoding);
                prop_assert_eq!(index.position(offset as u32, encoding), expected);
            }
        }
    }

    #[test]
    fn offsets_of_every_position_and_after_the_end(text in any_text()) {
        let (buffer, index) = (TextBuffer::new(&text), LineIndex::new(&text));
        prop_assert_eq!(index.line_count() as usize, naive_lines(&text).len());
        for encoding in ENCODINGS {
            for line in 0..index.line_count() + 2 {
                for character in (0..30).chain([u32::MAX]) {
                    let position = Position { line, character };
                    let expected = naive_offset(&text, position, encoding) as u32;
                    prop_assert_eq!(buffer.offset(position, encoding), expected);
                    prop_assert_eq!(index.offset(position, encoding), expected);
                }
            }
        }
    }

    #[test]
    fn edits_change_the_buffer_like_a_string(
        text in any_text(),
        changes in prop::collection::vec((0..200_usize, 0..200_usize, any_text()), 0..8),
    ) {
        let mut naive = text.clone();
        let mut buffer = TextBuffer::new(&text);
        for (a, b, new) in changes {
            let (start, end) = (floor(&naive, a.min(b)), floor(&naive, a.max(b)));
            let edit = TextEdit::replace(TextRange::new(start, end), new);
            prop_assert_eq!(buffer.apply(&edit), Ok(()));
            naive.replace_range(edit.range.as_usize(), &edit.new_text);
            prop_assert_eq!(buffer.to_string(), naive.as_str());
            prop_assert_eq!(buffer.slice(TextRange::new(0, end)), &naive[..floor(&naive, end as usize) as usize]);
        }
    }

    #[test]
    fn the_difference_results_in_the_new_text(old in any_text(), new in any_text()) {
        let mut buffer = TextBuffer::new(&old);
        match buffer.difference(&new) {
            None => prop_assert_eq!(old, new),
            Some(edit) => {
                prop_assert_eq!(buffer.apply(&edit), Ok(()));
                prop_assert_eq!(buffer.to_string(), new);
            }
        }
    }

    #[test]
    fn composed_edits_equal_both_edits(
        text in any_text(),
        first in prop::collection::vec(0..120_usize, 0..8),
        second in prop::collection::vec(0..120_usize, 0..8),
        new in prop::collection::vec(any_text(), 8),
    ) {
        let first = edits_of(&text, first, &new);
        let middle = applied(&text, &first);
        let second = edits_of(&middle, second, &new);
        let both = compose(&first, &second, text.len() as u32);
        prop_assert_eq!(applied(&text, &both), applied(&middle, &second));
        prop_assert!(both.is_sorted_by(|a, b| a.range.end < b.range.start));
    }
}

#[test]
fn invalid_edits_change_nothing() {
    let mut buffer = TextBuffer::new("aä");
    for range in [TextRange::new(0, 9), TextRange::new(2, 3), TextRange::empty(4)] {
        assert!(buffer.apply(&TextEdit::replace(range, "x")).is_err(), "{range:?}");
    }
    assert_eq!(buffer.to_string(), "aä");
}

#[test]
fn a_difference_is_minimal() {
    let buffer = TextBuffer::new("type: object\r\nx: ä\r\n");
    let edit = buffer.difference("type: string\r\nx: ä\r\n");
    assert_eq!(edit, Some(TextEdit::replace(TextRange::new(6, 12), "string")));
    assert_eq!(buffer.difference("type: object\r\nx: ä\r\n"), None);
}
