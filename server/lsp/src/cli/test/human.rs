//! Results for people: the failures, and the number of passed cases.

use std::fmt::Write;

use super::Outcome;

pub(super) fn write(results: &[Outcome<'_>], out: &mut String) {
    let failed = results.iter().filter(|outcome| outcome.failure.is_some());
    for outcome in failed.clone() {
        let Some(failure) = &outcome.failure else { continue };
        // Writing to a text cannot fail.
        let _ = writeln!(out, "FAIL {}:{} {}", outcome.suite.path, outcome.case.line, outcome.title());
        if let Some(definition) = outcome.definition {
            let _ = writeln!(out, "  definition: {}", definition.display());
        }
        let diff = outcome.diff();
        for line in failure.reason.lines().chain(diff.lines()) {
            let _ = writeln!(out, "  {line}");
        }
        out.push('\n');
    }
    let failed = failed.count();
    let passed = results.len() - failed;
    let _ = match failed {
        0 => writeln!(out, "{} passed", cases(passed)),
        failed => writeln!(out, "{} passed, {failed} failed", cases(passed)),
    };
}

fn cases(count: usize) -> String {
    format!("{count} {}", if count == 1 { "case" } else { "cases" })
}
