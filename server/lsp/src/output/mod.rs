//! Findings as text for people and programs.

mod checkstyle;
mod concise;
pub(crate) mod fingerprint;
mod github;
mod gitlab;
mod human;
mod json;
mod junit;
mod sarif;
mod table;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::MAIN_SEPARATOR;

use ide::Finding;
use text::{PositionEncoding, TextBuffer, TextSize};

use crate::args::{FailOn, OutputFormat};
use crate::report::Report;

pub(crate) use answers::summary::Summary;
use answers::{MAX_RELATED, Span, StreamedList, severity_word};
pub(crate) use human::MAX_REMARKS;
pub(crate) use junit::without_controls;

/// Whether the human output may use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Coloured,
}

impl Style {
    /// Colours only on a terminal, and only if NO_COLOR has no value (no-color.org).
    pub(crate) fn for_terminal(is_terminal: bool) -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if is_terminal && !refused { Self::Coloured } else { Self::Plain }
    }
}

/// The options of the output, besides the format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) style: Style,
    /// Whether people get only the findings, without table and summary.
    pub(crate) quiet: bool,
    /// Whether people get all findings in full.
    pub(crate) verbose: bool,
    /// The findings that make a run fail.
    pub(crate) fail_on: FailOn,
    /// The number of findings in the baseline, which are not in the reports.
    pub(crate) baseline_count: usize,
}

/// Writes `reports`, which are in path order.
pub(crate) fn write(
    format: OutputFormat,
    reports: &[Report],
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        OutputFormat::Human => human::write(reports, options, out),
        OutputFormat::Concise => concise::write(reports, out),
        OutputFormat::Json => json::write(reports, out),
        OutputFormat::Github => github::write(reports, out),
        OutputFormat::Sarif => sarif::write(reports, out),
        OutputFormat::Junit => junit::write(reports, options.fail_on, out),
        OutputFormat::Gitlab => gitlab::write(reports, out),
        OutputFormat::Checkstyle => checkstyle::write(reports, out),
    }
}

/// All findings, errors first; those of the same severity in the order of the files and of the places in them.
fn by_severity(reports: &[Report]) -> Vec<(&Report, &Finding)> {
    let each = reports.iter().flat_map(|report| report.findings.iter().map(move |finding| (report, finding)));
    let mut all: Vec<_> = each.collect();
    all.sort_by_key(|(_, finding)| finding.severity);
    all
}

/// A path as services find it in the repository: the same on every system.
pub(crate) fn plain_path(path: &str) -> Cow<'_, str> {
    plain_path_with(path, MAIN_SEPARATOR)
}

fn plain_path_with(path: &str, separator: char) -> Cow<'_, str> {
    let relative =
        path.strip_prefix('.').and_then(|rest| rest.strip_prefix(['/', separator])).unwrap_or(path);
    match separator {
        '/' => Cow::Borrowed(relative),
        other => Cow::Owned(relative.replace(other, "/")),
    }
}

/// Line and column of a place, both from 1, in characters.
fn line_and_column(buffer: &TextBuffer, offset: TextSize) -> (u32, u32) {
    let position = buffer.position(offset, PositionEncoding::Utf32);
    (position.line + 1, position.character + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_get_the_same_path_from_every_system() {
        let windows = |path| plain_path_with(path, '\\').into_owned();
        assert_eq!(windows(r".\config\crd.yaml"), "config/crd.yaml");
        assert_eq!(windows("./config/crd.yaml"), "config/crd.yaml");
        assert_eq!(windows(r"..\crd.yaml"), "../crd.yaml");
        let unix = |path| plain_path_with(path, '/').into_owned();
        assert_eq!(unix("./config/crd.yaml"), "config/crd.yaml");
        assert_eq!(unix(r".\crd.yaml"), r".\crd.yaml");
    }
}

#[cfg(test)]
mod samples {
    #![allow(clippy::panic)]

    use ide::{Code, ErrorType, FieldPath, Finding, RelatedInformation, ServerError, Severity};
    use text::TextRange;

    use super::*;

    /// A report with an error of kube-apiserver after non-BMP text, and a warning of crd-ls without a path.
    pub(super) fn report() -> Report {
        let text = "a: 😀 x\r\nb: object\r\n";
        let error = Finding {
            code: Code::StructuralTypeRequired,
            severity: Severity::Error,
            message: "100% wrong,\nreally".into(),
            range: TextRange::new(8, 9),
            field_path: FieldPath::of_names(["spec", "a"]),
            api_server: Some(ServerError::error(
                ErrorType::Required,
                "spec.a".to_owned(),
                "must not be empty".to_owned(),
            )),
            related: vec![RelatedInformation::here(TextRange::new(11, 12), "missing here")],
        };
        let warning = Finding {
            code: Code::LintNumber,
            severity: Severity::Warning,
            message: "is pruned".into(),
            range: TextRange::new(14, 20),
            field_path: FieldPath::root(),
            api_server: None,
            related: Vec::new(),
        };
        Report::unanalysed("dir/my file.yaml".to_owned(), text, vec![error, warning])
    }

    /// The default options.
    pub(super) const OPTIONS: Options = Options {
        style: Style::Plain,
        quiet: false,
        verbose: false,
        fail_on: FailOn::Error,
        baseline_count: 0,
    };

    /// A report on `text` with a finding of each severity and code at the start of these lines, from 0.
    pub(super) fn of_lines(path: &str, text: &str, found: &[(Severity, &'static str, &str, u32)]) -> Report {
        let buffer = TextBuffer::new(text);
        let findings = found.iter().map(|(severity, code, message, line)| {
            let start = buffer.offset(text::Position { line: *line, character: 0 }, PositionEncoding::Utf8);
            Finding {
                code: ide::rule(code).map(|rule| rule.code).unwrap_or_else(|| panic!("no rule {code}")),
                severity: *severity,
                message: (*message).into(),
                range: TextRange::new(start, start + 1),
                field_path: FieldPath::root(),
                api_server: None,
                related: Vec::new(),
            }
        });
        Report::unanalysed(path.to_owned(), text, findings.collect())
    }

    /// The report whose error has `count` fixes, each of `bytes` bytes.
    pub(super) fn with_fixes(count: usize, bytes: usize) -> Report {
        let report = report();
        let repairs: Vec<_> =
            report.findings.first().map(|error| (error.code, error.range)).into_iter().collect();
        let fix = |number: usize| {
            let edits = vec![text::TextEdit::insert(0, "x".repeat(bytes))];
            let applicability = ide::Applicability::Suggested;
            ide::Fix::with_title(format!("Fix {number}"), edits, applicability, repairs.clone())
        };
        report.offering((0..count).map(fix).collect())
    }

    /// The output of `write` for reports.
    pub(super) fn output_text(
        reports: &[Report],
        write: impl FnOnce(&[Report], &mut dyn Write) -> io::Result<()>,
    ) -> String {
        let mut out = Vec::new();
        assert!(write(reports, &mut out).is_ok());
        String::from_utf8_lossy(&out).into_owned()
    }

    pub(super) fn rendered(write: impl FnOnce(&[Report], &mut dyn Write) -> io::Result<()>) -> String {
        output_text(&[report()], write)
    }
}
