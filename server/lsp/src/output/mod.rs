//! Findings as text for people and programs.

mod github;
mod human;
mod json;
mod sarif;
mod summary;

use std::io::{self, Write};

use serde::Serialize;
use text::{PositionEncoding, TextBuffer, TextRange};

use crate::cli::{OutputFormat, Report};

pub(crate) use summary::{Coverage, Summary};

/// Whether the human output may use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Coloured,
}

impl Style {
    /// Colours only on a terminal, and not where NO_COLOR has a value (no-color.org).
    pub(crate) fn for_terminal(is_terminal: bool) -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if is_terminal && !refused { Self::Coloured } else { Self::Plain }
    }
}

/// Writes `reports`, which are in path order; for people, where it `is_verbose`, with each object that was left alone.
pub(crate) fn write(
    format: OutputFormat,
    reports: &[Report],
    style: Style,
    is_verbose: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        OutputFormat::Human => human::write(reports, style, is_verbose, out),
        OutputFormat::Json => json::write(reports, out),
        OutputFormat::Github => github::write(reports, out),
        OutputFormat::Sarif => sarif::write(reports, out),
    }
}

/// A place in a line: both from 0, the character in UTF-16 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Place {
    line: u32,
    character: u32,
}

/// Two places of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Span {
    start: Place,
    end: Place,
}

impl Span {
    fn of(buffer: &TextBuffer, range: TextRange) -> Self {
        let place = |offset| {
            let position = buffer.position(offset, PositionEncoding::Utf16);
            Place { line: position.line, character: position.character }
        };
        Self { start: place(range.start), end: place(range.end) }
    }
}

#[cfg(test)]
mod samples {
    use ide::{AnswerKind, Finding, Related, ServerError, Severity};

    use super::*;

    /// A report with a server's error behind non-BMP text, and a warning of our own without a path.
    pub(super) fn report() -> Report {
        let text = "a: 😀 x\r\nb: object\r\n";
        let error = Finding {
            code: "structural/type-required",
            severity: Severity::Error,
            message: "100% wrong,\nreally".to_owned(),
            range: TextRange::new(8, 9),
            field_path: "spec.a".to_owned(),
            api_server: Some(ServerError {
                kind: AnswerKind::Error,
                error_type: "FieldValueRequired",
                field: "spec.a".to_owned(),
                detail: "must not be empty".to_owned(),
            }),
            related: vec![Related::here(TextRange::new(11, 12), "missing here")],
        };
        let warning = Finding {
            code: "own/pruned",
            severity: Severity::Warning,
            message: "is pruned".to_owned(),
            range: TextRange::new(14, 20),
            field_path: String::new(),
            api_server: None,
            related: Vec::new(),
        };
        Report::unanalysed("dir/my file.yaml".to_owned(), text, vec![error, warning])
    }

    pub(super) fn rendered(write: impl FnOnce(&[Report], &mut dyn Write) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        assert!(write(&[report()], &mut out).is_ok());
        String::from_utf8(out).unwrap_or_default()
    }
}
