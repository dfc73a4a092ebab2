//! The JSON that scripts rely on; its keys and their order are kept stable.

use std::io::{self, Write};

use ide::{AnswerKind, Finding, Fix, ServerError, Severity};
use serde::Serialize;
use text::TextEdit;

use super::summary::SummaryOutput;
use super::{Span, Summary};
use crate::cli::Report;

/// Raised when a script could notice a change that adds no key.
const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    schema_version: u32,
    files: Vec<FileOutput<'a>>,
    summary: SummaryOutput<'a>,
}

#[derive(Serialize)]
struct FileOutput<'a> {
    path: &'a str,
    diagnostics: Vec<DiagnosticOutput<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DiagnosticOutput<'a> {
    code: &'a str,
    severity: &'static str,
    message: &'a str,
    range: Span,
    #[serde(skip_serializing_if = "str::is_empty")]
    field_path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_server: Option<ServerOutput<'a>>,
    fixes: Vec<FixOutput<'a>>,
}

#[derive(Serialize)]
struct ServerOutput<'a> {
    /// Absent for errors of validation.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    error_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    detail: &'a str,
}

#[derive(Serialize)]
struct FixOutput<'a> {
    title: &'a str,
    edits: Vec<EditOutput<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EditOutput<'a> {
    range: Span,
    new_text: &'a str,
}

pub(super) fn write(reports: &[Report], out: &mut dyn Write) -> io::Result<()> {
    let files = reports.iter().map(file).collect();
    let summary = SummaryOutput::from(&Summary::of(reports));
    serde_json::to_writer(&mut *out, &Output { schema_version: SCHEMA_VERSION, files, summary })?;
    writeln!(out)
}

fn file(report: &Report) -> FileOutput<'_> {
    let diagnostics = report.findings.iter().map(|finding| diagnostic(report, finding)).collect();
    FileOutput { path: &report.path, diagnostics }
}

fn diagnostic<'a>(report: &'a Report, finding: &'a Finding) -> DiagnosticOutput<'a> {
    DiagnosticOutput {
        code: finding.code,
        severity: severity(finding.severity),
        message: &finding.message,
        range: Span::of(&report.buffer, finding.range),
        field_path: &finding.field_path,
        api_server: finding.api_server.as_ref().map(server),
        fixes: report.fixes(finding).iter().map(|fix| fix_output(report, fix)).collect(),
    }
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information => "information",
        Severity::Hint => "hint",
    }
}

fn server(error: &ServerError) -> ServerOutput<'_> {
    let is_error = error.kind == AnswerKind::Error;
    ServerOutput {
        kind: (!is_error).then(|| error.kind.as_str()),
        error_type: is_error.then_some(error.error_type),
        field: is_error.then_some(error.field.as_str()),
        detail: &error.detail,
    }
}

fn fix_output<'a>(report: &Report, fix: &'a Fix) -> FixOutput<'a> {
    let edit = |edit: &'a TextEdit| EditOutput {
        range: Span::of(&report.buffer, edit.range),
        new_text: &edit.new_text,
    };
    FixOutput { title: &fix.title, edits: fix.edits.iter().map(edit).collect() }
}

#[cfg(test)]
mod tests {
    use super::super::samples::rendered;
    use super::*;

    #[test]
    fn the_shape_is_the_promised_one() {
        let expected = concat!(
            r#"{"schemaVersion":1,"files":[{"path":"dir/my file.yaml","diagnostics":["#,
            r#"{"code":"structural/type-required","severity":"error","message":"100% wrong,\nreally","#,
            r#""range":{"start":{"line":0,"character":6},"end":{"line":0,"character":7}},"fieldPath":"spec.a","#,
            r#""apiServer":{"type":"FieldValueRequired","field":"spec.a","detail":"must not be empty"},"#,
            r#""fixes":[]},"#,
            r#"{"code":"own/pruned","severity":"warning","message":"is pruned","#,
            r#""range":{"start":{"line":1,"character":3},"end":{"line":1,"character":9}},"fixes":[]}]}],"#,
            r#""summary":{"definitions":0,"rules":0,"resources":0,"errors":1,"warnings":1,"notJudged":["#,
            r#"{"path":"dir/my file.yaml","line":1,"apiVersion":"","kind":"","reason":"unreadable"}]}}"#,
            "\n"
        );
        assert_eq!(rendered(write), expected);
    }

    #[test]
    fn answers_that_are_no_errors_of_validation_say_their_kind() {
        let answer = ServerError::text(AnswerKind::StrictError, "unknown field \"spec.x\"".to_owned());
        assert_eq!(
            serde_json::to_value(server(&answer)).ok().map(|json| json.to_string()).unwrap_or_default(),
            r#"{"detail":"unknown field \"spec.x\"","kind":"strictError"}"#
        );
    }
}
