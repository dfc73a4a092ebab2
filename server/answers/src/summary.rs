//! The summary of all reports: the checked objects, the findings, and the objects that were not checked.

use std::io::{self, Write};

use ide::{Severity, UnvalidatedReason};
use serde::Serialize;

use crate::report::{Coverage, Report, UnvalidatedObject};

/// The summary of all reports.
#[derive(Clone, Debug, Default)]
pub struct Summary<'a> {
    /// The number of definitions that were checked.
    pub definitions: usize,
    /// The number of rules in them.
    pub rules: usize,
    /// The number of resources.
    pub resources: usize,
    /// The number of Go files from which definitions are generated.
    pub go_files: usize,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of other findings.
    pub remarks: usize,
    /// The number of files that were overwritten with their fixes.
    pub fixed: usize,
    /// The objects that were not checked, by path, then position.
    pub not_judged: Vec<(&'a str, &'a UnvalidatedObject)>,
}

impl<'a> Summary<'a> {
    /// The summary of all `reports`.
    pub fn of(reports: &'a [Report]) -> Self {
        let mut summary = Self::default();
        for report in reports {
            let Coverage { definitions, rules, resources, go_files, not_judged } = &report.coverage;
            summary.definitions += definitions;
            summary.rules += rules;
            summary.resources += resources;
            summary.go_files += go_files;
            summary.not_judged.extend(not_judged.iter().map(|one| (report.path.as_str(), one)));
            summary.fixed += usize::from(report.fixed);
            for finding in &report.findings {
                *match finding.severity {
                    Severity::Error => &mut summary.errors,
                    Severity::Warning => &mut summary.warnings,
                    Severity::Information | Severity::Hint => &mut summary.remarks,
                } += 1;
            }
        }
        summary
    }

    /// Whether a check must report some unchecked object: see [`UnvalidatedReason::is_gap`].
    pub fn has_gaps(&self) -> bool {
        self.not_judged.iter().any(|(_, one)| one.reason.is_gap())
    }

    /// The summary in one line for a person.
    pub fn line(&self) -> String {
        let checked = [
            counted(self.definitions, "definition"),
            counted(self.rules, "rule"),
            counted(self.resources, "resource"),
            counted(self.go_files, "Go file"),
        ];
        let checked: Vec<String> = checked.into_iter().flatten().collect();
        let checked = if checked.is_empty() { "nothing".to_owned() } else { text::listed(&checked) };
        let found = [
            counted(self.errors, "error"),
            counted(self.warnings, "warning"),
            counted(self.remarks, "remark"),
        ];
        let found: Vec<String> = found.into_iter().flatten().collect();
        let found = if found.is_empty() { "no findings".to_owned() } else { found.join(", ") };
        let mut line = format!("{checked} checked: {found}");
        let fixed = counted(self.fixed, "file").map(|files| format!("{files} fixed"));
        for part in [self.unchecked(), fixed].into_iter().flatten() {
            line.push_str("; ");
            line.push_str(&part);
        }
        line
    }

    /// Writes a line for each object that was not checked, and an empty line after them.
    pub fn write_unchecked(&self, out: &mut dyn Write) -> io::Result<()> {
        for (path, UnvalidatedObject { line, api_version, kind, reason }) in &self.not_judged {
            let what = if kind.is_empty() { "the file".to_owned() } else { format!("{api_version} {kind}") };
            let how =
                if *reason == UnvalidatedReason::Placeholder { "not fully checked" } else { "not checked" };
            writeln!(out, "{path}:{}: {what} is {how}: {}", line + 1, reason_text(*reason).0)?;
        }
        if self.not_judged.is_empty() { Ok(()) } else { writeln!(out) }
    }

    /// The objects that were not checked, or only in part.
    fn unchecked(&self) -> Option<String> {
        let of = |reason: UnvalidatedReason| {
            self.not_judged.iter().filter(|(_, one)| one.reason == reason).count()
        };
        let count = |reason: UnvalidatedReason| {
            let (one, many) = reason_text(reason);
            match of(reason) {
                0 => None,
                1 => Some(format!("1 {one}")),
                count => Some(format!("{count} {many}")),
            }
        };
        let in_part = of(UnvalidatedReason::Placeholder);
        let reasons =
            UnvalidatedReason::ALL.into_iter().filter(|reason| *reason != UnvalidatedReason::Placeholder);
        let reasons: Vec<String> = reasons.filter_map(count).collect();
        let unchecked_documents = counted(self.not_judged.len() - in_part, "document");
        let unchecked_documents = unchecked_documents
            .map(|unchecked_documents| format!("{unchecked_documents} not checked ({})", reasons.join(", ")));
        let in_part =
            counted(in_part, "document").map(|part| format!("{part} with placeholders not fully checked"));
        let all: Vec<String> = [unchecked_documents, in_part].into_iter().flatten().collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

/// A reason in words, for one document and for several.
const fn reason_text(reason: UnvalidatedReason) -> (&'static str, &'static str) {
    match reason {
        UnvalidatedReason::NoDefinition => ("no definition", "no definition"),
        UnvalidatedReason::UnknownVersion => ("unknown version", "unknown version"),
        UnvalidatedReason::Template => ("template", "templates"),
        UnvalidatedReason::Patch => ("patch", "patches"),
        UnvalidatedReason::Test => ("test", "tests"),
        UnvalidatedReason::Placeholder => ("placeholder", "placeholders"),
        UnvalidatedReason::Unreadable => ("unreadable", "unreadable"),
        UnvalidatedReason::UnsupportedKind => ("unsupported kind", "unsupported kinds"),
    }
}

/// The number with its noun, such as `2 fixes`; `None` for zero.
#[must_use]
pub fn counted(count: usize, noun: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {noun}")),
        _ if noun.ends_with('x') => Some(format!("{count} {noun}es")),
        _ => Some(format!("{count} {noun}s")),
    }
}

/// The JSON of the summary; keys and their order are stable.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SummaryOutput<'a> {
    definitions: usize,
    rules: usize,
    resources: usize,
    errors: usize,
    warnings: usize,
    not_judged: Vec<UnjudgedOutput<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UnjudgedOutput<'a> {
    path: &'a str,
    /// The line, counted from 1.
    line: u32,
    api_version: &'a str,
    kind: &'a str,
    reason: &'static str,
}

impl<'a> From<&Summary<'a>> for SummaryOutput<'a> {
    fn from(summary: &Summary<'a>) -> Self {
        let Summary { definitions, rules, resources, errors, warnings, .. } = *summary;
        let unjudged = |(path, one): &(&'a str, &'a UnvalidatedObject)| UnjudgedOutput {
            path,
            line: one.line + 1,
            api_version: &one.api_version,
            kind: &one.kind,
            reason: one.reason.as_str(),
        };
        let not_judged = summary.not_judged.iter().map(unjudged).collect();
        Self { definitions, rules, resources, errors, warnings, not_judged }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_states_checked_found_and_unchecked_things() {
        let unjudged =
            |reason| UnvalidatedObject { line: 0, api_version: String::new(), kind: String::new(), reason };
        let all: Vec<UnvalidatedObject> = [
            vec![unjudged(UnvalidatedReason::Template); 5],
            vec![unjudged(UnvalidatedReason::NoDefinition); 9],
            vec![unjudged(UnvalidatedReason::Placeholder)],
        ]
        .concat();
        let mut summary =
            Summary { definitions: 12, rules: 40, resources: 230, errors: 3, ..Summary::default() };
        assert_eq!(summary.line(), "12 definitions, 40 rules and 230 resources checked: 3 errors");
        summary.not_judged = all.iter().take(14).map(|one| ("a.yaml", one)).collect();
        assert_eq!(
            summary.line(),
            "12 definitions, 40 rules and 230 resources checked: 3 errors; 14 documents not checked (9 no \
             definition, 5 templates)"
        );
        let not_judged = all.iter().skip(13).map(|one| ("a.yaml", one)).collect();
        let few = Summary { resources: 1, fixed: 1, not_judged, ..Summary::default() };
        assert_eq!(
            few.line(),
            "1 resource checked: no findings; 1 document not checked (1 no definition); 1 document with placeholders \
             not fully checked; 1 file fixed"
        );
        assert_eq!(Summary::default().line(), "nothing checked: no findings");
    }
}
