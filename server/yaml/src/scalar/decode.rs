//! From source text to decoded text: the styles, the errors, and the common traversal.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2, memchr3};

use super::{block, breaks, quoted};

/// The style of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScalarStyle {
    /// No quotes; its type follows from its text.
    Plain,
    /// `'...'`
    SingleQuoted,
    /// `"..."`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

impl ScalarStyle {
    /// Whether it is the style of a block scalar.
    #[must_use]
    pub const fn is_block(self) -> bool {
        matches!(self, Self::Literal | Self::Folded)
    }
}

/// An error within one scalar. Decoding continues after it, although go-yaml stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScalarError {
    /// The range of the error, in bytes of the raw text.
    pub range: Range<usize>,
    /// Position of go-yaml when it fails, as a byte offset in the raw text; its line number is computed from here.
    pub mark: usize,
    /// The problem, for a person.
    pub message: String,
    /// go-yaml's text, without the prefix `yaml: line N: `.
    pub server: &'static str,
}

/// A scalar's text without its quotes, escapes, folds and indentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedScalar<'a> {
    /// The decoded text; borrowed if the raw text contains it unchanged.
    pub text: Cow<'a, str>,
    /// The errors in source order. go-yaml reports only the first.
    pub errors: Vec<ScalarError>,
    /// How many bytes of the raw text go-yaml reads as this scalar: up to and including the closing quote, or
    /// to the first line that a block scalar's indentation excludes. Less than the raw length if the input
    /// has more text.
    pub end: usize,
}

/// Decodes the source text of one scalar as go-yaml v2 does, in time linear in `raw`.
///
/// `raw` is the source text from the first character of a plain scalar, the opening quote, or the `|` or `>`,
/// to the end. It may span lines; whole lines follow a block scalar's header. `parent_indent` is the column
/// of the surrounding block collection, -1 at the top level: block scalars count their indentation from it.
///
/// Where YAML 1.2 and go-yaml v2 differ, this function follows go-yaml: NEL, LS and PS break lines, `\'` is
/// an escape and `\/` is not, and additional leading spaces on a blank first line increase a block's
/// indentation.
#[must_use]
pub fn decode(style: ScalarStyle, raw: &str, parent_indent: i32) -> DecodedScalar<'_> {
    if style == ScalarStyle::Plain && is_one_line(raw) {
        return DecodedScalar { text: Cow::Borrowed(raw), errors: Vec::new(), end: raw.len() };
    }
    let mut sink = TextSink { raw, borrowed: 0..0, owned: None, errors: Vec::new() };
    let end = walk(style, raw, parent_indent, &mut sink);
    let text = match sink.owned {
        Some(text) => Cow::Owned(text),
        None => Cow::Borrowed(raw.get(sink.borrowed).unwrap_or_default()),
    };
    DecodedScalar { text, errors: sink.errors, end }
}

/// Whether a plain scalar has no line break and no blank at its end. This holds for most scalars; those with
/// tabs or characters beyond ASCII take the slow path.
#[inline]
pub(super) fn is_one_line(raw: &str) -> bool {
    let (words, rest) = raw.as_bytes().as_chunks::<8>();
    // Without an early exit, the compiler can process many words at once.
    let is_plain = words.iter().fold(true, |plain, word| plain & is_printable(u64::from_le_bytes(*word)));
    is_plain && rest.iter().all(|byte| matches!(byte, 0x20..0x7F)) && !raw.ends_with(' ')
}

/// Whether all eight bytes are printable ASCII.
#[inline]
fn is_printable(word: u64) -> bool {
    const ONES: u64 = u64::MAX / 0xFF;
    const HIGH: u64 = ONES << 7;
    // A carry affects only bytes above a byte that sets its own high bit.
    let below_space = word.wrapping_sub(ONES * 0x20);
    let above_tilde = word.wrapping_add(ONES);
    (word | below_space | above_tilde) & HIGH == 0
}

/// Calls `visit` with each piece of the decoded text, without allocating the whole.
pub fn for_each_piece(style: ScalarStyle, raw: &str, parent_indent: i32, visit: &mut dyn FnMut(&str)) {
    if style == ScalarStyle::Plain && is_one_line(raw) {
        return visit(raw);
    }
    walk(style, raw, parent_indent, &mut PieceSink { raw, visit });
}

/// Whether [`decode`] reports errors for the same arguments. A quoted scalar must be closed.
#[must_use]
pub fn has_errors(style: ScalarStyle, raw: &str, parent_indent: i32) -> bool {
    let bytes = raw.as_bytes();
    let may_have = match style {
        ScalarStyle::Plain => memchr(b'\t', bytes).is_some(),
        ScalarStyle::SingleQuoted => memchr2(b'\n', b'\r', bytes).is_some() || !raw.is_ascii(),
        ScalarStyle::DoubleQuoted => memchr3(b'\\', b'\n', b'\r', bytes).is_some() || !raw.is_ascii(),
        ScalarStyle::Literal | ScalarStyle::Folded => {
            let header = raw.get(1..breaks::line_end(raw, 0));
            !matches!(header, Some("" | "-" | "+")) || memchr(b'\t', bytes).is_some()
        }
    };
    let mut sink = ErrorSink { has_error: false };
    if may_have {
        walk(style, raw, parent_indent, &mut sink);
    }
    sink.has_error
}

/// Receives the decoded text in pieces, in order, with the raw bytes of each piece.
pub(super) trait Sink {
    /// These raw bytes are copied unchanged.
    fn copy(&mut self, raw: Range<usize>);
    /// These raw bytes decode to `text`.
    fn replace(&mut self, raw: Range<usize>, text: &str);
    /// Reports an error.
    fn error(&mut self, error: ScalarError);
}

/// Passes the decoded text of `raw` to `sink` and returns how many bytes of `raw` belong to the scalar.
pub(super) fn walk(style: ScalarStyle, raw: &str, parent_indent: i32, sink: &mut impl Sink) -> usize {
    match style {
        ScalarStyle::Plain => decode_plain(raw, parent_indent, sink),
        ScalarStyle::SingleQuoted => quoted::single(raw, sink),
        ScalarStyle::DoubleQuoted => quoted::double(raw, sink),
        ScalarStyle::Literal => block::walk(raw, true, parent_indent, sink),
        ScalarStyle::Folded => block::walk(raw, false, parent_indent, sink),
    }
}

/// Lines and the blanks between them; trailing blanks are not part of the scalar.
fn decode_plain(raw: &str, parent_indent: i32, sink: &mut impl Sink) -> usize {
    let mut at = 0;
    loop {
        let line = at..breaks::without_blanks(raw, at, breaks::line_end(raw, at));
        at = line.end;
        sink.copy(line);
        let blank = breaks::blank_run(raw, at);
        report_tabs(raw, &blank.range, parent_indent, sink);
        if blank.range.end >= raw.len() {
            return at;
        }
        breaks::fold(raw, &blank, sink);
        at = blank.range.end;
    }
}

/// go-yaml rejects a tab on a continuation line of a plain scalar to the left of the column where its text
/// may begin.
fn report_tabs(raw: &str, blank: &Range<usize>, parent_indent: i32, sink: &mut impl Sink) {
    let mut column = None;
    let mut at = blank.start;
    while at < blank.end {
        if let Some(width) = breaks::break_width(raw, at) {
            column = Some(0);
            at += width;
            continue;
        }
        if let Some(column) = &mut column {
            if *column <= i64::from(parent_indent) && raw.as_bytes().get(at) == Some(&b'\t') {
                sink.error(ScalarError {
                    range: at..at + 1,
                    mark: at,
                    message: "a tab is not indentation; use spaces".to_owned(),
                    server: "found a tab character that violates indentation",
                });
                return;
            }
            *column += 1;
        }
        at += 1;
    }
}

/// Collects the text, and borrows it as long as it is one range of the raw text.
struct TextSink<'a> {
    raw: &'a str,
    borrowed: Range<usize>,
    owned: Option<String>,
    errors: Vec<ScalarError>,
}

impl TextSink<'_> {
    fn owned(&mut self) -> &mut String {
        let (raw, borrowed) = (self.raw, self.borrowed.clone());
        self.owned.get_or_insert_with(|| {
            let mut text = String::with_capacity(raw.len());
            text.push_str(raw.get(borrowed).unwrap_or_default());
            text
        })
    }
}

impl Sink for TextSink<'_> {
    fn copy(&mut self, raw: Range<usize>) {
        if raw.is_empty() {
            return;
        }
        if self.owned.is_none() && (self.borrowed.is_empty() || self.borrowed.end == raw.start) {
            let start = if self.borrowed.is_empty() { raw.start } else { self.borrowed.start };
            self.borrowed = start..raw.end;
            return;
        }
        let text = self.raw.get(raw).unwrap_or_default();
        self.owned().push_str(text);
    }

    fn replace(&mut self, _raw: Range<usize>, text: &str) {
        self.owned().push_str(text);
    }

    fn error(&mut self, error: ScalarError) {
        self.errors.push(error);
    }
}

/// Passes each piece to the visitor.
struct PieceSink<'a> {
    raw: &'a str,
    visit: &'a mut dyn FnMut(&str),
}

impl Sink for PieceSink<'_> {
    fn copy(&mut self, raw: Range<usize>) {
        (self.visit)(self.raw.get(raw).unwrap_or_default());
    }

    fn replace(&mut self, _raw: Range<usize>, text: &str) {
        (self.visit)(text);
    }

    fn error(&mut self, _error: ScalarError) {}
}

/// Records only whether there is an error.
struct ErrorSink {
    has_error: bool,
}

impl Sink for ErrorSink {
    fn copy(&mut self, _raw: Range<usize>) {}

    fn replace(&mut self, _raw: Range<usize>, _text: &str) {}

    fn error(&mut self, _error: ScalarError) {
        self.has_error = true;
    }
}
