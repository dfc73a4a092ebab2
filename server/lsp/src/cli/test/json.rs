//! Results for programs: one JSON object per case and line.

use serde::Serialize;

use super::Outcome;
use crate::cli::print::CommandOutput;

pub(super) fn write(outcome: &Outcome<'_>, shown: &mut CommandOutput) {
    let diff = outcome.diff();
    shown.json_line(&Output {
        file: &outcome.suite.path,
        line: outcome.case.line,
        suite: &outcome.suite.suite.name,
        case: &outcome.case.name,
        definition: outcome.definition.map(|path| path.display().to_string()),
        passed: outcome.failure.is_none(),
        reason: outcome.failure.as_ref().map(|failure| failure.reason.as_str()),
        diff: (!diff.is_empty()).then_some(diff),
    });
}

#[derive(Serialize)]
struct Output<'a> {
    file: &'a str,
    line: usize,
    suite: &'a str,
    case: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    definition: Option<String>,
    passed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}
