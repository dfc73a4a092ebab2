//! Findings for people: the source line underlined, what kube-apiserver says, what can be done.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use ide::{AnswerKind, Applicability, Finding, Severity};
use text::{Position, PositionEncoding, TextBuffer, TextRange, TextSize};

use super::{Span, Style, Summary};
use crate::cli::Report;

/// How many lines of a long range are shown.
const MAX_LINES: u32 = 6;
/// Of a longer line (as in minified JSON) only the surroundings are shown; bytes before and behind the start.
const SURROUNDINGS: (TextSize, TextSize) = (60, 140);

pub(super) fn write(
    reports: &[Report],
    style: Style,
    is_verbose: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    for report in reports {
        for finding in &report.findings {
            writeln!(out, "{}\n", render(report, finding, &renderer))?;
        }
    }
    let summary = Summary::of(reports);
    if is_verbose {
        summary.write_left_alone(out)?;
    }
    writeln!(out, "{}", summary.line())
}

fn render(report: &Report, finding: &Finding, renderer: &Renderer) -> String {
    let place = report.buffer.position(finding.range.start, PositionEncoding::Utf32);
    let line = place.line as usize + 1;
    let excerpt = Excerpt::around(&report.buffer, finding.range);
    let snippet = Snippet::source(excerpt.text)
        .line_start(line)
        .annotation(AnnotationKind::Primary.span(excerpt.marked));
    let title = level(finding.severity).primary_title(finding.message.as_str()).id(finding.code);
    let mut group = if excerpt.starts_line {
        title.element(snippet.path(report.path.as_str()))
    } else {
        // Of a cut line the renderer cannot know the column.
        let column = place.character as usize + 1;
        title.element(Origin::path(report.path.as_str()).line(line).char_column(column)).element(snippet)
    };
    for note in notes(report, finding) {
        group = group.element(Level::NOTE.message(note));
    }
    for fix in report.fixes(finding) {
        let automatic = if fix.applicability == Applicability::Safe { " (--fix does it)" } else { "" };
        group = group.element(Level::HELP.message(format!("{}{automatic}", fix.title)));
    }
    renderer.render(&[group])
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Information => Level::INFO,
        Severity::Hint => Level::NOTE,
    }
}

fn notes(report: &Report, finding: &Finding) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(server) = &finding.api_server {
        // Strict errors, decode errors and warnings are one text each.
        notes.push(match server.kind {
            AnswerKind::Error => {
                format!("kube-apiserver: {}: {}: {}", server.field, server.error_type, server.detail)
            }
            _ => format!("kube-apiserver: {}", server.detail),
        });
    } else if !finding.field_path.is_empty() {
        notes.push(format!("at {}", finding.field_path));
    }
    for related in &finding.related {
        let text = related.elsewhere.as_ref().map_or(&report.buffer, |elsewhere| elsewhere.text());
        let line = Span::of(text, related.range).start.line + 1;
        notes.push(match &related.elsewhere {
            Some(elsewhere) if *elsewhere.source != *report.path => {
                format!("{}:{line}: {}", elsewhere.source, related.message)
            }
            _ => format!("line {line}: {}", related.message),
        });
    }
    notes
}

/// The part of a text that is shown, and what of it is underlined (bytes of `text`).
struct Excerpt {
    text: String,
    marked: Range<usize>,
    /// Whether the text begins where its line does.
    starts_line: bool,
}

impl Excerpt {
    fn around(buffer: &TextBuffer, range: TextRange) -> Self {
        let encoding = PositionEncoding::Utf8;
        let first = buffer.position(range.start, encoding).line;
        let last = buffer.position(range.end, encoding).line.min(first + MAX_LINES - 1);
        let line_start = buffer.offset(Position { line: first, character: 0 }, encoding);
        let mut start = line_start;
        let mut end = buffer.offset(Position { line: last, character: TextSize::MAX }, encoding);
        let (before, behind) = SURROUNDINGS;
        if end - start > (before + behind) * (last - first + 1) {
            start = start.max(floor(buffer, range.start.saturating_sub(before)));
            end = end.min(floor(buffer, range.start.saturating_add(behind)));
        }
        let text = with_plain_line_ends(buffer.slice(TextRange::new(start, end)));
        let marked_start = range.start.clamp(start, end.max(start)) - start;
        let marked_end = range.end.clamp(start + marked_start, end.max(start + marked_start)) - start;
        let marked = marked_start as usize..marked_end as usize;
        Self { text, marked, starts_line: start == line_start }
    }
}

/// The start of the character at `offset`.
fn floor(buffer: &TextBuffer, offset: TextSize) -> TextSize {
    buffer.offset(buffer.position(offset, PositionEncoding::Utf8), PositionEncoding::Utf8)
}

/// The renderer knows LF only; every character keeps its place.
fn with_plain_line_ends(text: Cow<'_, str>) -> String {
    if !text.contains('\r') {
        return text.into_owned();
    }
    text.replace("\r\n", " \n").replace('\r', "\n")
}

#[cfg(test)]
mod tests {
    use super::super::samples::rendered;
    use super::*;

    #[test]
    fn the_source_line_is_underlined() {
        let text = rendered(|reports, out| write(reports, Style::Plain, false, out));
        let expected = "\
error[structural/type-required]: 100% wrong,
                                 really
 --> dir/my file.yaml:1:6
  |
1 | a: 😀 x
  |       ^
  |
  = note: kube-apiserver: spec.a: FieldValueRequired: must not be empty
  = note: line 2: missing here

warning[own/pruned]: is pruned
 --> dir/my file.yaml:2:4
  |
2 | b: object
  |    ^^^^^^

nothing checked: 1 error, 1 warning; 1 document not checked (1 unreadable)
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_colour_only_where_it_is_wanted() {
        assert!(rendered(|reports, out| write(reports, Style::Coloured, false, out)).contains('\x1b'));
        assert!(!rendered(|reports, out| write(reports, Style::Plain, false, out)).contains('\x1b'));
    }

    #[test]
    fn of_a_long_line_the_surroundings_are_shown() {
        let buffer = TextBuffer::new(&"ä".repeat(100_000));
        let excerpt = Excerpt::around(&buffer, TextRange::new(100_000, 199_000));
        assert_eq!((excerpt.text.len(), excerpt.marked), (200, 60..200));
    }

    #[test]
    fn of_a_long_range_the_first_lines_are_shown() {
        let buffer = TextBuffer::new(&"a: b\r".repeat(50));
        let excerpt = Excerpt::around(&buffer, TextRange::new(5, 200));
        assert_eq!(excerpt.text, "a: b\n".repeat(6).trim_end());
        assert_eq!(excerpt.marked, 0..29);
    }

    #[test]
    fn any_range_of_any_text_can_be_shown() {
        let renderer = Renderer::plain();
        for text in ["", "\n", "a", "\r\r\n\t", "ä\u{feff}😀\u{200d}\u{7}", "a\r\nb"] {
            let len = text.len() as TextSize;
            for start in (0..=len).filter(|at| text.is_char_boundary(*at as usize)) {
                for end in (start..=len).filter(|at| text.is_char_boundary(*at as usize)) {
                    let finding = crate::limits::not_utf8(Severity::Error, false, TextRange::new(start, end));
                    let report = Report::unanalysed("p".to_owned(), text, vec![finding.clone()]);
                    assert!(
                        render(&report, &finding, &renderer).contains("--> p:"),
                        "{text:?} {start}..{end}"
                    );
                }
            }
        }
    }
}
