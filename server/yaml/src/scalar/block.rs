//! Literal and folded block scalars.

use std::ops::Range;

use super::breaks;
use super::decode::{ScalarError, Sink};

/// The treatment of trailing line breaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    /// `-`: all are removed.
    Strip,
    /// Only the line break of the last line is kept.
    Clip,
    /// `+`: all are kept.
    Keep,
}

struct Header {
    chomping: Chomping,
    /// The indentation indicator, if there is one.
    increment: Option<usize>,
    /// The offset after the header's line break.
    end: usize,
}

/// Passes the text of a block scalar to `sink`; `raw` begins at `|` or `>`.
pub(super) fn walk(raw: &str, literal: bool, parent_indent: i32, sink: &mut impl Sink) -> usize {
    let header = header(raw, sink);
    let base = usize::try_from(parent_indent).ok();
    let mut indent = header.increment.map(|increment| base.unwrap_or(0) + increment);
    let minimum = base.map_or(1, |base| base + 1);

    let mut gap = gap(raw, header.end, indent, sink);
    let content_indent = *indent.get_or_insert(gap.widest.max(minimum));
    // The break at the end of the last line of text, not yet emitted, because folding may remove it.
    let mut pending: Option<Range<usize>> = None;
    let mut last_was_blank = false;

    while gap.column == content_indent && gap.end < raw.len() {
        let line = gap.end..breaks::line_end(raw, gap.end);
        let starts_blank = breaks::is_blank(raw, line.start);
        let folds = !literal && !last_was_blank && !starts_blank;
        if let Some(broken) = pending.take() {
            if !folds || !breaks::is_folded(raw, &broken) {
                breaks::emit_break(raw, broken, sink);
            } else if gap.breaks.is_empty() {
                sink.replace(broken.start..line.start, " ");
            }
        }
        breaks::emit_breaks(raw, gap.breaks.clone(), sink);
        sink.copy(line.clone());
        last_was_blank = starts_blank;

        let width = breaks::break_width(raw, line.end).unwrap_or(0);
        pending = (width > 0).then_some(line.end..line.end + width);
        gap = self::gap(raw, line.end + width, indent, sink);
    }

    if header.chomping != Chomping::Strip
        && let Some(broken) = pending
    {
        breaks::emit_break(raw, broken, sink);
    }
    if header.chomping == Chomping::Keep {
        breaks::emit_breaks(raw, gap.breaks.clone(), sink);
    }
    gap.breaks.end
}

/// The indicators after `|` or `>`, the comment, and the line break.
fn header(raw: &str, sink: &mut impl Sink) -> Header {
    let bytes = raw.as_bytes();
    let mut at = usize::from(raw.starts_with(['|', '>']));
    let mut header = Header { chomping: Chomping::Clip, increment: None, end: 0 };
    let mut seen_chomping = false;
    loop {
        match bytes.get(at) {
            Some(sign @ (b'+' | b'-')) if !seen_chomping => {
                seen_chomping = true;
                header.chomping = if *sign == b'+' { Chomping::Keep } else { Chomping::Strip };
            }
            Some(b'0') if header.increment.is_none() => {
                sink.error(ScalarError {
                    range: at..at + 1,
                    mark: at,
                    message: "an indentation indicator must be 1 to 9".to_owned(),
                    server: "found an indentation indicator equal to 0",
                });
            }
            Some(digit @ b'1'..=b'9') if header.increment.is_none() => {
                header.increment = Some(usize::from(digit - b'0'));
            }
            _ => break,
        }
        at += 1;
    }
    while breaks::is_blank(raw, at) {
        at += 1;
    }
    let end = breaks::line_end(raw, at);
    if at < end && bytes.get(at) != Some(&b'#') {
        sink.error(ScalarError {
            range: at..end,
            mark: at,
            message: "only a comment may follow the block scalar's indicator on its line".to_owned(),
            server: "did not find expected comment or line break",
        });
    }
    header.end = end + breaks::break_width(raw, end).unwrap_or(0);
    header
}

/// Blank lines and the indentation of the line below them.
struct BlankLines {
    /// From the first blank line to the start of the line that is not blank.
    breaks: Range<usize>,
    /// The offset after that line's indentation.
    end: usize,
    /// Columns of that line's indentation.
    column: usize,
    /// Columns of the widest indentation seen.
    widest: usize,
}

/// Skips blank lines from `start` on and up to `indent` spaces of the next line, or all its spaces if the
/// indentation is not known yet.
fn gap(raw: &str, start: usize, indent: Option<usize>, sink: &mut impl Sink) -> BlankLines {
    let bytes = raw.as_bytes();
    let mut gap = BlankLines { breaks: start..start, end: start, column: 0, widest: 0 };
    if let Some(indent) = indent.filter(|indent| is_indented(bytes.get(start..).unwrap_or_default(), *indent))
    {
        return BlankLines { end: start + indent, column: indent, widest: indent, ..gap };
    }
    loop {
        let rest = bytes.get(gap.end..).unwrap_or_default();
        let most = indent.unwrap_or(usize::MAX).saturating_sub(gap.column);
        let spaces = rest.iter().take(most).take_while(|byte| **byte == b' ').count();
        gap.end += spaces;
        gap.column += spaces;
        gap.widest = gap.widest.max(gap.column);
        let indented = indent.is_some_and(|indent| gap.column >= indent);
        if !indented && bytes.get(gap.end) == Some(&b'\t') {
            sink.error(ScalarError {
                range: gap.end..gap.end + 1,
                mark: gap.end,
                message: "a tab is not indentation; use spaces".to_owned(),
                server: "found a tab character where an indentation space is expected",
            });
            if indent.is_some() {
                // The line does not fit the block, so it counts as blank and the text below it is kept.
                gap.end = breaks::line_end(raw, gap.end);
            }
        }
        let Some(width) = breaks::break_width(raw, gap.end) else { return gap };
        gap.end += width;
        gap.column = 0;
        gap.breaks.end = gap.end;
    }
}

/// Whether `line` starts with `indent` spaces followed by an ASCII letter or another space, as most lines do.
fn is_indented(line: &[u8], indent: usize) -> bool {
    const SPACES: &[u8] = &[b' '; 64];
    let spaces = SPACES.get(..indent);
    spaces.is_some()
        && line.get(..indent) == spaces
        && line.get(indent).is_some_and(|byte| matches!(byte, 0x20..0x7F))
}
