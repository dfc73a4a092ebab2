//! Single- and double-quoted scalars.

use std::ops::Range;

use super::breaks;
use super::decode::{ScalarError, Sink};

/// `'...'`: only `''` is special.
pub(super) fn single(raw: &str, sink: &mut impl Sink) -> usize {
    let mut at = usize::from(raw.starts_with('\''));
    loop {
        let start = at;
        at = run_end(raw, at, [b'\''; 2]);
        sink.copy(start..at);
        match raw.as_bytes().get(at..) {
            Some([b'\'', b'\'', ..]) => {
                sink.replace(at..at + 2, "'");
                at += 2;
            }
            Some([b'\'', ..]) => return at + 1,
            None | Some([]) => return unclosed(raw, sink),
            Some(_) => at = blanks(raw, at, b'\'', sink),
        }
    }
}

/// `"..."`: backslashes escape.
pub(super) fn double(raw: &str, sink: &mut impl Sink) -> usize {
    let mut at = usize::from(raw.starts_with('"'));
    loop {
        let start = at;
        at = run_end(raw, at, [b'"', b'\\']);
        sink.copy(start..at);
        match raw.as_bytes().get(at..) {
            Some([b'\\', ..]) => at = escape(raw, at, sink),
            Some([b'"', ..]) => return at + 1,
            None | Some([]) => return unclosed(raw, sink),
            Some(_) => at = blanks(raw, at, b'"', sink),
        }
    }
}

/// The end of the verbatim text from `at` on: one of `marks`, or the blanks before a line break.
fn run_end(raw: &str, at: usize, marks: [u8; 2]) -> usize {
    let end = breaks::run_end(raw, at, marks);
    match breaks::break_width(raw, end) {
        Some(_) => breaks::without_blanks(raw, at, end),
        None => end,
    }
}

/// Folds the blanks at `at`. Blanks before the closing quote are content; those at the end of an unclosed
/// scalar are not, because the following text is unknown.
fn blanks(raw: &str, at: usize, quote: u8, sink: &mut impl Sink) -> usize {
    let run = breaks::blank_run(raw, at);
    let end = run.range.end;
    if end < raw.len() || run.first_break.is_none() {
        breaks::fold(raw, &run, sink);
    }
    if run.first_break.is_some() && raw.as_bytes().get(end) != Some(&quote) {
        report_document_marker(raw, end, sink);
    }
    end
}

/// `---` or `...` at the start of a line ends the document, even within quotes.
fn report_document_marker(raw: &str, at: usize, sink: &mut impl Sink) {
    let at_line_start =
        raw.get(..at).is_some_and(|before| before.ends_with(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']));
    if !at_line_start || !matches!(raw.get(at..at + 3), Some("---" | "...")) {
        return;
    }
    let after = at + 3;
    if after < raw.len() && !breaks::is_blank(raw, after) && breaks::break_width(raw, after).is_none() {
        return;
    }
    sink.error(ScalarError {
        range: at..after,
        mark: at,
        message: "this line ends the document inside quoted text; indent the line".to_owned(),
        server: "found unexpected document indicator",
    });
}

fn unclosed(raw: &str, sink: &mut impl Sink) -> usize {
    sink.error(ScalarError {
        range: 0..raw.chars().next().map_or(0, char::len_utf8),
        mark: raw.len(),
        message: "this quote is never closed".to_owned(),
        server: "found unexpected end of stream",
    });
    raw.len()
}

/// Emits the decoded form of the escape at `at` and returns its end.
fn escape(raw: &str, at: usize, sink: &mut impl Sink) -> usize {
    if let Some(width) = breaks::break_width(raw, at + 1) {
        return escaped_break(raw, at + 1 + width, sink);
    }
    let Some(letter) = raw.get(at + 1..).and_then(|rest| rest.chars().next()) else {
        return unknown_escape(raw, at..raw.len(), sink);
    };
    let end = at + 1 + letter.len_utf8();
    let text = match letter {
        '0' => "\0",
        'a' => "\x07",
        'b' => "\x08",
        't' | '\t' => "\t",
        'n' => "\n",
        'v' => "\x0B",
        'f' => "\x0C",
        'r' => "\r",
        'e' => "\x1B",
        ' ' => " ",
        '"' => "\"",
        '\'' => "'",
        '\\' => "\\",
        'N' => "\u{85}",
        '_' => "\u{A0}",
        'L' => "\u{2028}",
        'P' => "\u{2029}",
        'x' => return code(raw, at, 2, sink),
        'u' => return code(raw, at, 4, sink),
        'U' => return code(raw, at, 8, sink),
        _ => return unknown_escape(raw, at..end, sink),
    };
    sink.replace(at..end, text);
    end
}

/// A backslash before a line break joins the lines; blank lines below it still count.
fn escaped_break(raw: &str, after: usize, sink: &mut impl Sink) -> usize {
    let run = breaks::blank_run(raw, after);
    if run.range.end < raw.len() {
        breaks::emit_breaks(raw, run.range.clone(), sink);
        report_document_marker(raw, run.range.end, sink);
    }
    run.range.end
}

/// `\x`, `\u` or `\U` with its digits. If they do not encode a character, the escape is kept unchanged.
fn code(raw: &str, at: usize, length: usize, sink: &mut impl Sink) -> usize {
    let start = at + 2;
    let rest = raw.get(start..).unwrap_or_default();
    let digits = rest.bytes().take(length).take_while(u8::is_ascii_hexdigit).count();
    let end = start + digits;
    if digits < length {
        sink.copy(at..end);
        sink.error(ScalarError {
            range: at..end,
            mark: start,
            message: format!("this escape needs {length} hexadecimal digits and has {digits}"),
            server: "did not find expected hexdecimal number",
        });
        return end;
    }
    let value = u32::from_str_radix(raw.get(start..end).unwrap_or_default(), 16).ok();
    match value.and_then(char::from_u32) {
        Some(character) => sink.replace(at..end, character.encode_utf8(&mut [0; 4])),
        None => {
            sink.copy(at..end);
            sink.error(ScalarError {
                range: at..end,
                mark: start,
                message: "this escape is not a Unicode character".to_owned(),
                server: "found invalid Unicode character escape code",
            });
        }
    }
    end
}

/// Keeps an unknown escape unchanged.
fn unknown_escape(raw: &str, range: Range<usize>, sink: &mut impl Sink) -> usize {
    let written = raw.get(range.clone()).unwrap_or_default();
    let advice = match written {
        "\\/" => {
            // Its meaning in YAML 1.2 and JSON.
            sink.replace(range.clone(), "/");
            "; write `/`"
        }
        _ => {
            sink.copy(range.clone());
            "; use `\\\\` for a backslash"
        }
    };
    sink.error(ScalarError {
        range: range.clone(),
        mark: range.start,
        message: format!("`{written}` is not an escape{advice}"),
        server: "found unknown escape character",
    });
    range.end
}
