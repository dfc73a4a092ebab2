//! A text in a scalar: maps bytes of the file to bytes of the text, and back.

use std::borrow::Cow;

use crd::schema::structural::ScalarPlace;
use text::{TextRange, TextSize};
use yaml::Scalar;
use yaml::scalar::{self, OffsetMap, ScalarStyle};

use crate::analysis::cel::rule_field::{RuleFieldPosition, RuleFieldText};

/// A text in a scalar, or one to be written.
pub(super) struct FieldText {
    /// The text.
    pub(super) text: String,
    /// Its style; `None` if nothing is written yet.
    style: Option<ScalarStyle>,
    place: ScalarPlace,
    /// The number of bytes before the text: the header of a block scalar, or a quote.
    head: usize,
    /// Whether a quote closes it.
    is_closed: bool,
    in_flow: bool,
    /// The column of its mapping.
    outer: i32,
}

/// A piece of a text to be inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InsertedPiece {
    /// Text.
    Text(Cow<'static, str>),
    /// A place to fill in, with its initial text.
    Stop(Cow<'static, str>),
    /// The same with a number: the user visits the numbers in order, and edits all places with the same
    /// number at once.
    Place(u8, Cow<'static, str>),
}

impl InsertedPiece {
    /// Its text.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Stop(text) | Self::Place(_, text) => text,
        }
    }

    /// Whether the user fills it in.
    pub(crate) const fn is_stop(&self) -> bool {
        !matches!(self, Self::Text(_))
    }
}

/// The position of a cursor in a text.
pub(super) struct TextCursor {
    /// The bytes of the text before it.
    pub(super) at: usize,
    /// The number of blanks between the end of the text and the cursor; these are not part of the text yet.
    pub(super) blanks: usize,
}

impl FieldText {
    /// The text of `position`.
    pub(super) fn of(position: &RuleFieldPosition<'_>) -> Self {
        match &position.text {
            &RuleFieldText::Scalar(scalar) => Self {
                text: scalar.text().into_owned(),
                style: Some(scalar.style()),
                place: place(scalar),
                head: header_length(scalar),
                is_closed: is_closed(scalar),
                in_flow: position.in_flow,
                outer: scalar.outer_column(),
            },
            RuleFieldText::Tagged(line) => Self {
                text: line.text.clone(),
                style: Some(ScalarStyle::Plain),
                place: ScalarPlace {
                    range: line.range,
                    mapping: OffsetMap::new(ScalarStyle::Plain, &line.text, -1),
                },
                head: 0,
                is_closed: false,
                in_flow: position.in_flow,
                outer: -1,
            },
            RuleFieldText::Nothing => Self {
                text: String::new(),
                style: None,
                place: ScalarPlace {
                    range: TextRange::empty(position.behind_colon),
                    mapping: OffsetMap::new(ScalarStyle::Plain, "", -1),
                },
                head: 0,
                is_closed: false,
                in_flow: position.in_flow,
                outer: -1,
            },
        }
    }

    /// Returns the position in the text of `offset` (in bytes of the file). `None` before its first byte, and
    /// behind its last one unless `gap` accepts the blanks between.
    pub(super) fn cursor(&self, offset: TextSize, gap: impl Fn(TextRange) -> bool) -> Option<TextCursor> {
        if self.style.is_none() {
            let between = TextRange::new(self.place.range.start, offset.max(self.place.range.start));
            return gap(between).then_some(TextCursor { at: 0, blanks: 0 });
        }
        let TextRange { start, end } = self.place.range;
        if offset > end {
            let blanks = (offset - end) as usize;
            return gap(TextRange::new(end, offset)).then_some(TextCursor { at: self.text.len(), blanks });
        }
        let raw = offset.checked_sub(start)? as usize;
        if raw < self.head || self.is_closed && offset == end {
            return None;
        }
        let at = text::floor_char_boundary(&self.text, self.place.mapping.to_decoded(raw));
        Some(TextCursor { at, blanks: 0 })
    }

    /// Whether text that is typed behind `gap`, which follows the scalar, becomes a part of the scalar.
    pub(super) fn continues_after(&self, gap: &str) -> bool {
        match self.style {
            None | Some(ScalarStyle::Plain) => gap.bytes().all(|byte| matches!(byte, b' ' | b'\t')),
            Some(ScalarStyle::Literal | ScalarStyle::Folded) => {
                let indent = gap.rsplit(['\n', '\r']).next().unwrap_or_default();
                gap.trim().is_empty() && i32::try_from(indent.len()).is_ok_and(|column| column > self.outer)
            }
            _ => false,
        }
    }

    /// The bytes of the file for the bytes `part` of the text.
    pub(super) fn range(&self, part: TextRange) -> TextRange {
        self.place.range_of(part, 0)
    }

    /// The whole scalar.
    pub(super) fn scalar_range(&self) -> TextRange {
        self.place.range
    }

    /// Returns `pieces` as written within this scalar, at the byte `at` of its text; `None` if its style
    /// cannot hold them.
    pub(super) fn encode(&self, pieces: &[InsertedPiece], at: usize) -> Option<Vec<InsertedPiece>> {
        let is_plain = matches!(self.style, None | Some(ScalarStyle::Plain));
        if is_plain && !self.stays_plain(pieces, at) {
            return None;
        }
        let text = |text: &str| -> Cow<'static, str> {
            match self.style {
                Some(ScalarStyle::SingleQuoted) => text.replace('\'', "''").into(),
                Some(ScalarStyle::DoubleQuoted) => text.replace('\\', "\\\\").replace('"', "\\\"").into(),
                _ => text.to_owned().into(),
            }
        };
        let encode = |piece: &InsertedPiece| match piece {
            InsertedPiece::Text(inner) => InsertedPiece::Text(text(inner)),
            InsertedPiece::Stop(inner) => InsertedPiece::Stop(text(inner)),
            InsertedPiece::Place(number, inner) => InsertedPiece::Place(*number, text(inner)),
        };
        Some(pieces.iter().map(encode).collect())
    }

    /// The text that writes a whole expression as the value, in quotes if necessary; `None` if the value is quoted or
    /// is a block scalar.
    pub(super) fn whole_text(&self, text: &str) -> Option<String> {
        let is_plain = matches!(self.style, None | Some(ScalarStyle::Plain));
        is_plain.then(|| yaml::edit::quoted(text, self.in_flow))
    }

    /// Whether a plain scalar remains a plain string with `pieces` in it.
    fn stays_plain(&self, pieces: &[InsertedPiece], at: usize) -> bool {
        let mut text = String::new();
        for piece in pieces {
            text.push_str(piece.text());
        }
        let ends = self.in_flow && text.contains([',', '[', ']', '{', '}']);
        let is_other = text.contains(": ") || text.contains(" #") || text.ends_with(':');
        let starts_other = at == 0
            && text.starts_with(['\'', '"', '[', '{', '!', '&', '*', '|', '>', '%', '@', '`', '#', '?', '-']);
        // Some words alone are values of other types.
        let is_value = at == 0 && matches!(&*text, "true" | "false" | "null");
        !(ends || is_other || starts_other || is_value)
    }

    /// Whether text inserted at `offset` needs a blank before it, because it follows the colon.
    pub(super) fn needs_blank(&self, offset: TextSize) -> bool {
        self.style.is_none() && offset == self.place.range.start
    }
}

/// The mapping from bytes of the file to bytes of the scalar's text.
pub(crate) fn place(scalar: Scalar<'_>) -> ScalarPlace {
    let token = scalar.token();
    let mapping = OffsetMap::new(scalar.style(), token.text, scalar.outer_column());
    ScalarPlace { range: token.range(), mapping }
}

fn header_length(scalar: Scalar<'_>) -> usize {
    match scalar.style() {
        ScalarStyle::Plain => 0,
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => 1,
        ScalarStyle::Literal | ScalarStyle::Folded => {
            let raw = scalar.token().text;
            raw.find(['\n', '\r']).map_or(raw.len(), |end| end + 1)
        }
    }
}

fn is_closed(scalar: Scalar<'_>) -> bool {
    let quote = match scalar.style() {
        ScalarStyle::SingleQuoted => '\'',
        ScalarStyle::DoubleQuoted => '"',
        _ => return false,
    };
    let raw = scalar.token().text;
    // The decoder reads an unclosed scalar to its end.
    let end = scalar::decode(scalar.style(), raw, scalar.outer_column());
    raw.len() > 1 && raw.ends_with(quote) && end.errors.iter().all(|error| error.range.start != 0)
}
