//! The JSON that scripts depend on; its keys and their order are stable.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use ide::{AnswerKind, Applicability, Finding, Fix, RelatedInformation, ServerError};
use serde::Serialize;
use text::TextEdit;

use crate::report::Report;
use crate::summary::{Summary, SummaryOutput};
use crate::{MAX_FIXES, MAX_RELATED, Span, StreamedList, reported_fix_count, severity_word};

/// Raised if scripts can notice a change other than a new key.
const SCHEMA_VERSION: u32 = 2;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a, Files> {
    schema_version: u32,
    files: Files,
    summary: SummaryOutput<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FileOutput<'a> {
    path: &'a str,
    diagnostics: Vec<DiagnosticOutput<'a>>,
    /// Each fix once, even if it repairs several findings.
    fixes: Vec<FixOutput<'a>>,
    /// The number of fixes that are omitted because they are too long.
    #[serde(skip_serializing_if = "is_zero")]
    fixes_omitted: usize,
    /// Whether unproven fixes were omitted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    fixes_unproven: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DiagnosticOutput<'a> {
    code: &'a str,
    severity: &'static str,
    /// Problem, remedy and notes in one line.
    message: String,
    problem: &'a str,
    /// The advice, as an imperative.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<&'a str>,
    /// Whether kube-apiserver reports it only after other errors are fixed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reported_later: bool,
    range: Span,
    #[serde(skip_serializing_if = "String::is_empty")]
    field_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_server: Option<ServerOutput<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<RelatedOutput<'a>>,
    /// The number of related places that are omitted.
    #[serde(skip_serializing_if = "is_zero")]
    related_omitted: usize,
    /// The address of the public source for the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// The `id`s of the file's fixes that repair it, best first.
    fixes: Vec<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ServerOutput<'a> {
    /// Absent for validation errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    error_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    detail: Cow<'a, str>,
    /// The message as kubectl prints it.
    message: String,
    /// The index of the file's diagnostic that has the full detail, if the detail is long and an earlier
    /// diagnostic has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail_of: Option<usize>,
}

#[derive(Serialize)]
struct RelatedOutput<'a> {
    path: &'a str,
    range: Span,
    message: &'a str,
}

#[derive(Serialize)]
struct FixOutput<'a> {
    id: usize,
    title: &'a str,
    applicability: &'static str,
    edits: Vec<EditOutput<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EditOutput<'a> {
    range: Span,
    new_text: &'a str,
}

/// Writes `reports`, which are in path order.
///
/// # Errors
///
/// If `out` cannot be written.
pub fn write(reports: &[Report], out: &mut dyn Write) -> io::Result<()> {
    let files = StreamedList(|| reports.iter().map(file));
    let summary = SummaryOutput::from(&Summary::of(reports));
    serde_json::to_writer(&mut *out, &Output { schema_version: SCHEMA_VERSION, files, summary })?;
    writeln!(out)
}

// Serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

fn file(report: &Report) -> FileOutput<'_> {
    let reported_fixes = reported_fix_count(report);
    let fixes = report.all_fixes().iter().take(reported_fixes).enumerate();
    let mut details = DetailIndex::default();
    let findings = report.findings.iter().enumerate();
    FileOutput {
        path: &report.path,
        diagnostics: findings
            .map(|(at, finding)| {
                let server =
                    finding.api_server.as_ref().map(|answer| server(answer, details.repeated_in(at, answer)));
                diagnostic(report, finding, server, reported_fixes)
            })
            .collect(),
        fixes: fixes.map(|(id, fix)| fix_output(report, id, fix)).collect(),
        fixes_omitted: report.all_fixes().len() - reported_fixes,
        fixes_unproven: report.omits_unproven_fixes(),
    }
}

/// The long details that have been written, with the index of their diagnostic.
#[derive(Default)]
struct DetailIndex<'a>(HashMap<&'a str, usize>);

impl<'a> DetailIndex<'a> {
    /// The index of the diagnostic before `number` that already has the full detail of `answer`, if any.
    fn repeated_in(&mut self, number: usize, answer: &'a ServerError) -> Option<usize> {
        if matches!(text::cut(&answer.detail), Cow::Borrowed(_)) {
            return None;
        }
        let first = *self.0.entry(&answer.detail).or_insert(number);
        (first != number).then_some(first)
    }
}

fn diagnostic<'a>(
    report: &'a Report,
    finding: &'a Finding,
    api_server: Option<ServerOutput<'a>>,
    reported_fixes: usize,
) -> DiagnosticOutput<'a> {
    let fixes = report.fix_numbers(finding).iter().copied().filter(|id| *id < reported_fixes);
    DiagnosticOutput {
        code: finding.code.as_str(),
        severity: severity_word(finding.severity),
        message: finding.message.to_string(),
        problem: &finding.message.problem,
        remedy: finding.message.remedy.as_deref(),
        reported_later: finding.message.is_later,
        range: Span::of(&report.text.get(), finding.range),
        field_path: finding.field_path.to_string(),
        api_server,
        related: finding.related.iter().take(MAX_RELATED).map(|one| related(report, one)).collect(),
        related_omitted: finding.related.len().saturating_sub(MAX_RELATED),
        url: finding.code.rule().url(),
        fixes: fixes.take(MAX_FIXES).collect(),
    }
}

fn related<'a>(report: &'a Report, related: &'a RelatedInformation) -> RelatedOutput<'a> {
    let (path, range) = match &related.elsewhere {
        Some(elsewhere) => (&*elsewhere.source, Span::of(elsewhere.text(), related.range)),
        None => (&*report.path, Span::of(&report.text.get(), related.range)),
    };
    RelatedOutput { path, range, message: &related.message }
}

/// The error of the server; its detail is shortened if the diagnostic `detail_of` has all of it.
fn server(error: &ServerError, detail_of: Option<usize>) -> ServerOutput<'_> {
    let is_complete = detail_of.is_none();
    let is_error = error.kind == AnswerKind::Error;
    ServerOutput {
        kind: (!is_error).then(|| error.kind.as_str()),
        error_type: is_error.then(|| error.type_name()),
        field: is_error.then_some(error.field.as_str()),
        detail: if is_complete { Cow::Borrowed(&error.detail) } else { text::cut(&error.detail) },
        message: if is_complete { error.message() } else { text::cut(&error.message()).into_owned() },
        detail_of,
    }
}

fn fix_output<'a>(report: &Report, id: usize, fix: &'a Fix) -> FixOutput<'a> {
    let edit = |edit: &'a TextEdit| EditOutput {
        range: Span::of(&report.text.get(), edit.range),
        new_text: &edit.new_text,
    };
    let applicability = match fix.applicability {
        Applicability::Safe => "safe",
        Applicability::Suggested => "suggested",
    };
    FixOutput { id, title: &fix.title, applicability, edits: fix.edits.iter().map(edit).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_answers_other_than_validation_errors_state_their_kind() {
        let answer = ServerError::text(AnswerKind::StrictError, "unknown field \"spec.x\"".to_owned());
        assert_eq!(
            serde_json::to_value(server(&answer, None)).ok().map(|json| json.to_string()).unwrap_or_default(),
            r#"{"detail":"unknown field \"spec.x\"","kind":"strictError","message":"unknown field \"spec.x\""}"#
        );
    }
}
