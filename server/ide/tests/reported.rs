//! The findings that crd-ls reports on each case of the suites: the block `findings`, which `CRD_LS_UPDATE=1`
//! writes again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

use std::fmt::Write;
use std::sync::Arc;

use ide::{Catalog, Definitions, File, Finding, Settings, StoredObjects, Surroundings};
use suites::Case;

/// The longest line that is shown; longer ones are identified only by their numbers.
const LONGEST_LINE: usize = 200;

#[test]
fn definitions_by_check() {
    compare("crd/cases", 648);
    compare("crd/structural", 354);
}

#[test]
fn definitions_as_people_type_them() {
    compare("crd/editor", 167);
}

#[test]
fn resources() {
    compare("cr", 647);
}

#[test]
fn definitions_before_their_fixes() {
    compare("fixes", 41);
    compare("fixes/suggested", 4);
    compare("fixes/cost", 16);
    compare("fixes/catalogue", 98);
}

/// Compares the cases in `folder`, which has at least `at_least` of them.
fn compare(folder: &str, at_least: usize) {
    let folder = suites::fixtures().join(folder);
    if environment::updates() {
        let changed = suites::record(&folder, "findings", reported_findings).unwrap();
        println!("{}: {changed} suites have changed", folder.display());
    }
    let (mut compared, mut findings, mut different) = (0, 0, Vec::new());
    for case in suites::cases(&folder).unwrap() {
        let Some(found) = reported_findings(&case) else { continue };
        let expected = case.findings.as_deref().unwrap_or("no block `findings`");
        if found != expected {
            different.push(case.failed(expected, &found));
        }
        compared += 1;
        findings +=
            found.lines().filter(|line| line.trim_start_matches([' ', '|', '\t']).starts_with('^')).count();
    }
    println!("{}: {compared} cases, {findings} findings", folder.display());
    assert!(different.is_empty(), "{} of {compared} differ:\n{}", different.len(), different.join("\n"));
    assert!(compared >= at_least, "only {compared} cases");
}

/// The findings on a definition, or on a resource with its definition; `None` for bytes that are not UTF-8,
/// which never reach the parser.
fn reported_findings(case: &Case) -> Option<String> {
    let text = case.part("cr").or(case.part("before")).or(case.checked()).unwrap().as_utf8()?;
    let part = |part| case.part(part).map(|text| text.as_utf8().unwrap());
    let mut surroundings =
        Surroundings { stored: part("old").map(StoredObjects::in_cluster), ..Surroundings::default() };
    if let Some(definition) = part("crd") {
        let source: Arc<str> = "crd.yaml".into();
        let definitions = Definitions::read(&source, definition, Definitions::load_kept(definition));
        surroundings.catalog = Catalog::default().with([(source, definitions)]);
    }
    let file = File::with_surroundings(text, &settings(text), surroundings);
    Some(marked_lines(text, file.findings()))
}

/// The settings with the release in the second line of a resource.
fn settings(text: &str) -> Settings {
    let mut settings = Settings::default();
    let line = text.lines().nth(1).unwrap_or_default();
    if let Some(minor) = line.strip_prefix("# kubernetes-version: 1.") {
        settings.kubernetes_version.minor = minor.trim().parse().unwrap();
    }
    settings
}

/// Each line with findings, marked as in the tests of `server/crd`.
fn marked_lines(text: &str, findings: &[Finding]) -> String {
    let mut shown = String::new();
    let mut last = None;
    for finding in findings {
        let start = finding.range.start as usize;
        let at = text[..start].rfind('\n').map_or(0, |end| end + 1);
        let number = text[..at].matches('\n').count() + 1;
        let line = text[at..].lines().next().unwrap_or_default();
        let before = &text[at..start];
        let is_short = line.len() <= LONGEST_LINE;
        if last != Some(number) {
            last = Some(number);
            let _ = writeln!(shown, "{number:3} | {}", if is_short { line } else { "…" });
        }
        let marked = text[finding.range.as_usize()].split('\n').next().unwrap_or_default().chars().count();
        // Tabs are kept, so that the marks are below their text.
        let blanks = before.chars().map(|char| if char == '\t' { '\t' } else { ' ' });
        let (indent, carets) = if is_short { (blanks.collect(), marked.max(1)) } else { (String::new(), 1) };
        let more = text[finding.range.as_usize()].matches('\n').count();
        let more = if more > 0 { format!(" and {more} lines below") } else { String::new() };
        let place = if is_short {
            String::new()
        } else {
            format!(" (column {}, {marked} long)", before.chars().count() + 1)
        };
        let severity = format!("{:?}", finding.severity).to_lowercase();
        let message = finding.message.to_string().replace('\n', "\n    |   ");
        let (carets, code) = ("^".repeat(carets), finding.code);
        let _ = writeln!(shown, "    | {indent}{carets}{place}{more} {severity}[{code}]: {message}");
    }
    shown
}
