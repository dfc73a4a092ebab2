//! Line breaks and blanks as go-yaml v2 defines them, and folding.

use std::ops::Range;

use memchr::memchr3;

use super::decode::Sink;

/// The length in bytes of the line break at `at`, if any: LF, CR, CRLF, NEL, LS or PS (YAML 1.1, section 4.1.4).
pub(super) fn break_width(raw: &str, at: usize) -> Option<usize> {
    match raw.as_bytes().get(at..)? {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        [b'\r', ..] => Some(1),
        [0xC2, 0x85, ..] => Some(2),
        [0xE2, 0x80, 0xA8 | 0xA9, ..] => Some(3),
        _ => None,
    }
}

/// Whether a space or a tab is at `at`.
pub(super) fn is_blank(raw: &str, at: usize) -> bool {
    matches!(raw.as_bytes().get(at), Some(b' ' | b'\t'))
}

/// The offset of the first line break at or after `at`.
pub(super) fn line_end(raw: &str, at: usize) -> usize {
    run_end(raw, at, [b'\n'; 2])
}

/// The offset of the first line break or byte of `marks`, which are ASCII, at or after `at`.
pub(super) fn run_end(raw: &str, mut at: usize, marks: [u8; 2]) -> usize {
    let rest = raw.as_bytes().get(at..).unwrap_or_default();
    let end = at + memchr3(b'\n', marks[0], marks[1], rest).unwrap_or(rest.len());
    // The other line breaks are rare.
    while let Some(skipped) = raw.as_bytes().get(at..end).and_then(|run| memchr3(b'\r', 0xC2, 0xE2, run)) {
        at += skipped;
        if break_width(raw, at).is_some() {
            return at;
        }
        at += 1;
    }
    end
}

/// `end` moved back over the blanks before it, not before `start`.
pub(super) fn without_blanks(raw: &str, start: usize, end: usize) -> usize {
    let run = raw.as_bytes().get(start..end).unwrap_or_default();
    end - run.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Blanks and line breaks between two words.
pub(super) struct BlankRun {
    /// Its byte range in the raw text.
    pub(super) range: Range<usize>,
    /// The first line break in it.
    pub(super) first_break: Option<Range<usize>>,
    /// Whether a second line break follows.
    pub(super) more_breaks: bool,
}

/// The blanks and line breaks from `start` on.
pub(super) fn blank_run(raw: &str, start: usize) -> BlankRun {
    let mut run = BlankRun { range: start..start, first_break: None, more_breaks: false };
    loop {
        let at = run.range.end;
        if let Some(width) = break_width(raw, at) {
            run.more_breaks = run.first_break.is_some();
            run.first_break.get_or_insert(at..at + width);
            run.range.end += width;
        } else if is_blank(raw, at) {
            run.range.end += 1;
        } else {
            return run;
        }
    }
}

/// Emits the decoded form of a run of blanks between two words of a plain or quoted scalar.
///
/// Blanks within a line stay. A single line break is a space; of several, the first is dropped and the
/// others stay. LS and PS are never folded.
pub(super) fn fold(raw: &str, run: &BlankRun, sink: &mut impl Sink) {
    let Some(first) = &run.first_break else {
        sink.copy(run.range.clone());
        return;
    };
    if !is_folded(raw, first) {
        emit_break(raw, first.clone(), sink);
    } else if !run.more_breaks {
        sink.replace(run.range.clone(), " ");
        return;
    }
    emit_breaks(raw, first.end..run.range.end, sink);
}

/// Emits the line breaks of a range of blanks and breaks, without the blanks.
pub(super) fn emit_breaks(raw: &str, range: Range<usize>, sink: &mut impl Sink) {
    let mut at = range.start;
    while at < range.end {
        if let Some(width) = break_width(raw, at) {
            emit_break(raw, at..at + width, sink);
            at += width;
        } else {
            at += 1;
        }
    }
}

/// Emits one line break: LF, CR, CRLF and NEL become LF; LS and PS stay.
pub(super) fn emit_break(raw: &str, range: Range<usize>, sink: &mut impl Sink) {
    match raw.get(range.clone()) {
        Some("\r" | "\r\n" | "\u{85}") => sink.replace(range, "\n"),
        _ => sink.copy(range),
    }
}

/// Whether this line break becomes a line feed, which folding may remove.
pub(super) fn is_folded(raw: &str, range: &Range<usize>) -> bool {
    !matches!(raw.get(range.clone()), Some("\u{2028}" | "\u{2029}"))
}
