//! The report of GitLab Code Quality: the part of the format of Code Climate that GitLab supports.

use std::borrow::Cow;
use std::io::{self, Write};

use ide::{Finding, Severity};
use serde::Serialize;

use super::fingerprint::Fingerprints;
use super::{StreamedList, line_and_column, plain_path};
use crate::report::Report;

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: Cow<'a, str>,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

pub(super) fn write(reports: &[Report], out: &mut dyn Write) -> io::Result<()> {
    let issues = StreamedList(|| {
        let mut fingerprints = Fingerprints::default();
        let all = reports.iter().flat_map(|report| report.findings.iter().map(move |one| (report, one)));
        all.map(move |(report, finding)| {
            issue(report, finding, fingerprints.fingerprint_of(&plain_path(&report.path), finding))
        })
    });
    serde_json::to_writer(&mut *out, &issues)?;
    writeln!(out)
}

fn issue<'a>(report: &'a Report, finding: &'a Finding, fingerprint: String) -> Issue<'a> {
    let text = report.text.get();
    let (begin, _) = line_and_column(&text, finding.range.start);
    let (end, _) = line_and_column(&text, finding.range.end);
    Issue {
        description: finding.message.to_string(),
        check_name: finding.code.as_str(),
        fingerprint,
        severity: severity(finding.severity),
        location: Location { path: plain_path(&report.path), lines: Lines { begin, end } },
    }
}

/// The severity in GitLab. `blocker` is not used, so that users can assign it themselves.
const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "critical",
        Severity::Warning => "minor",
        Severity::Information | Severity::Hint => "info",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::samples::rendered;
    use super::*;

    #[test]
    fn an_issue_for_each_finding() {
        let report: Value = serde_json::from_str(&rendered(write)).unwrap_or(Value::Null);
        let [error, warning] = report.as_array().map(Vec::as_slice).unwrap_or_default() else {
            unreachable!("{report}")
        };
        assert_eq!(error["description"], "100% wrong,\nreally");
        assert_eq!(error["check_name"], "structural/type-required");
        assert_eq!((&error["severity"], &warning["severity"]), (&json!("critical"), &json!("minor")));
        assert_eq!(warning["location"], json!({"path": "dir/my file.yaml", "lines": {"begin": 2, "end": 2}}));
        assert_ne!(error["fingerprint"], warning["fingerprint"]);
    }
}
