use crate::{TextEdit, TextRange, TextSize, floor_char_boundary};

/// A piece of the text after the first list of edits.
enum TextPiece<'a> {
    /// Bytes of the original text.
    Kept(TextRange),
    /// Text that an edit inserted.
    Inserted(&'a str),
}

/// The text after `edits`, which are sorted and do not overlap. `text` starts at `base`, as a document does
/// in its file; ranges outside the text are ignored.
#[must_use]
pub fn applied(text: &str, base: TextSize, edits: &[TextEdit]) -> String {
    let slice = |start: TextSize, end: TextSize| {
        let (start, end) = (start.saturating_sub(base), end.saturating_sub(base));
        text.get(start as usize..end as usize).unwrap_or_default()
    };
    let mut out = String::with_capacity(text.len());
    let mut done = base;
    for edit in edits {
        out.push_str(slice(done, edit.range.start));
        out.push_str(&edit.new_text);
        done = edit.range.end;
    }
    out.push_str(slice(done, base + text.len() as TextSize));
    out
}

/// The edits of all lists, sorted.
#[must_use]
pub fn joined<'e>(lists: impl IntoIterator<Item = &'e [TextEdit]>) -> Vec<TextEdit> {
    let mut edits: Vec<TextEdit> = lists.into_iter().flatten().cloned().collect();
    edits.sort();
    edits
}

/// Whether no two of the sorted `edits` overlap or insert at one place.
#[must_use]
pub fn are_disjoint(edits: &[TextEdit]) -> bool {
    edits.is_sorted_by(|one, other| one.range.end <= other.range.start && one.range != other.range)
}

/// One list of edits equivalent to `first` followed by `second`. Both lists are sorted and without overlap.
/// `first` applies to a text of `len` bytes, `second` to the result of `first`.
///
/// Edits of `second` must not split a character that `first` inserted; such an edit is cut at the character.
#[must_use]
pub fn compose(first: &[TextEdit], second: &[TextEdit], len: TextSize) -> Vec<TextEdit> {
    let mut rest = pieces(first, len).into_iter();
    let mut current = rest.next();
    let mut passed: TextSize = 0;
    let mut composed = ComposedEdits::default();
    for edit in second {
        take_until(edit.range.start, &mut passed, &mut current, &mut rest, &mut |piece| composed.push(piece));
        take_until(edit.range.end, &mut passed, &mut current, &mut rest, &mut |_| ());
        composed.push(TextPiece::Inserted(&edit.new_text));
    }
    take_until(TextSize::MAX, &mut passed, &mut current, &mut rest, &mut |piece| composed.push(piece));
    composed.finish(len)
}

fn pieces(edits: &[TextEdit], len: TextSize) -> Vec<TextPiece<'_>> {
    let mut pieces = Vec::with_capacity(edits.len() * 2 + 1);
    let mut at = 0;
    for edit in edits {
        pieces.push(TextPiece::Kept(TextRange::new(at, edit.range.start)));
        pieces.push(TextPiece::Inserted(&edit.new_text));
        at = edit.range.end;
    }
    pieces.push(TextPiece::Kept(TextRange::new(at, len)));
    pieces
}

/// Passes pieces to `take` until `passed` bytes of the middle text reach `until`; the last piece is split there.
fn take_until<'a>(
    until: TextSize,
    passed: &mut TextSize,
    current: &mut Option<TextPiece<'a>>,
    rest: &mut impl Iterator<Item = TextPiece<'a>>,
    take: &mut impl FnMut(TextPiece<'a>),
) {
    while let Some(piece) = current.take() {
        let (head, tail) = split(piece, until.saturating_sub(*passed));
        *passed = passed.saturating_add(length(&head));
        take(head);
        *current = tail;
        if current.is_some() {
            return;
        }
        *current = rest.next();
    }
}

const fn length(piece: &TextPiece<'_>) -> TextSize {
    match piece {
        TextPiece::Kept(range) => range.len(),
        TextPiece::Inserted(text) => text.len() as TextSize,
    }
}

/// The first `at` bytes of a piece, and its rest, if any.
fn split(piece: TextPiece<'_>, at: TextSize) -> (TextPiece<'_>, Option<TextPiece<'_>>) {
    if length(&piece) <= at {
        return (piece, None);
    }
    match piece {
        TextPiece::Kept(range) => {
            let middle = range.start + at;
            let tail = TextPiece::Kept(TextRange::new(middle, range.end));
            (TextPiece::Kept(TextRange::new(range.start, middle)), Some(tail))
        }
        TextPiece::Inserted(text) => {
            let (head, tail) = text.split_at(floor_char_boundary(text, at as usize));
            (TextPiece::Inserted(head), Some(TextPiece::Inserted(tail)))
        }
    }
}

/// Edits of the original text, collected from the pieces of the final text.
#[derive(Default)]
struct ComposedEdits {
    edits: Vec<TextEdit>,
    /// The end of the last kept range of the original text.
    kept_to: TextSize,
    inserted: String,
}

impl ComposedEdits {
    fn push(&mut self, piece: TextPiece<'_>) {
        match piece {
            TextPiece::Inserted(text) => self.inserted.push_str(text),
            TextPiece::Kept(range) if range.is_empty() => {}
            TextPiece::Kept(range) => {
                self.close(range.start);
                self.kept_to = range.end;
            }
        }
    }

    fn close(&mut self, end: TextSize) {
        let range = TextRange::new(self.kept_to, end);
        if !range.is_empty() || !self.inserted.is_empty() {
            self.edits.push(TextEdit::replace(range, std::mem::take(&mut self.inserted)));
        }
    }

    fn finish(mut self, len: TextSize) -> Vec<TextEdit> {
        self.close(len);
        self.edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_have_places_in_the_file_and_the_text_may_start_later() {
        let edits =
            [TextEdit::insert(12, "x"), TextEdit::insert(12, "y"), TextEdit::delete(TextRange::new(13, 15))];
        assert_eq!(applied("abcdef", 10, &edits), "abxycf");
        assert_eq!(applied("abcdef", 10, &[]), "abcdef");
    }

    #[test]
    fn missing_bytes_are_skipped() {
        assert_eq!(applied("ab", 0, &[TextEdit::replace(TextRange::new(1, 9), "x")]), "ax");
    }
}
