//! Findings that a report on a whole project shows once for all its files.

use std::collections::{BTreeMap, BTreeSet};

use api::Code;
use ide::RelatedInformation;

use crate::report::Report;

/// A finding about the kind instead of the resource: all resources of the kind have it.
pub const ONCE: Code = Code::ResourceDeprecatedVersion;
/// The maximum number of further files that are named.
const MOST_NAMED: usize = 3;

/// Equal findings.
#[derive(Default)]
struct EqualFindings {
    /// The number of findings after the first.
    more: usize,
    /// The files that have them, sorted.
    paths: BTreeSet<String>,
}

/// Keeps the first of equal findings on a kind, and adds the number of the others to it. Files whose settings
/// ask for the rule keep all findings.
pub fn collapse(reports: &mut [Report]) {
    let mut all: BTreeMap<String, EqualFindings> = BTreeMap::new();
    for report in reports.iter_mut().filter(|report| report.is_brief) {
        let path = report.path.clone();
        report.findings.retain(|finding| {
            if finding.code != ONCE {
                return true;
            }
            let Some(equal) = all.get_mut(&finding.message.to_string()) else {
                let first = EqualFindings { more: 0, paths: BTreeSet::from([path.clone()]) };
                all.insert(finding.message.to_string(), first);
                return true;
            };
            equal.more += 1;
            equal.paths.insert(path.clone());
            false
        });
    }
    for report in reports.iter_mut().filter(|report| report.is_brief) {
        for finding in report.findings.iter_mut().filter(|finding| finding.code == ONCE) {
            let Some(EqualFindings { more, paths }) =
                all.get(&finding.message.to_string()).filter(|equal| equal.more > 0)
            else {
                continue;
            };
            let others: Vec<&str> =
                paths.iter().map(String::as_str).filter(|path| *path != report.path).collect();
            // The message does not change, because services identify findings by it.
            finding.related.push(RelatedInformation::here(finding.range, note(*more, &others)));
        }
    }
}

/// Says that `more` resources have the finding, some of them in `others`.
fn note(more: usize, others: &[&str]) -> String {
    let s = if more == 1 { "" } else { "s" };
    let named = others.get(..MOST_NAMED.min(others.len())).unwrap_or_default().join(", ");
    match (others.len(), others.len().saturating_sub(MOST_NAMED)) {
        (0, _) => format!("the same finding for {more} more resource{s} in this file"),
        (_, 0) => format!("the same finding for {more} more resource{s}, also in {named}"),
        (_, 1) => format!("the same finding for {more} more resource{s}, also in {named} and 1 more file"),
        (_, rest) => {
            format!("the same finding for {more} more resource{s}, also in {named} and {rest} more files")
        }
    }
}
