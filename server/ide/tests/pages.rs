//! Each rule has a page, and the examples of each page have the effect that the page describes.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

use std::collections::BTreeSet;
use std::sync::Arc;

use ide::{
    Catalog, Definitions, Example, Experiments, File, Level, RULES, Rule, Settings, Severity, StoredObjects,
    Surroundings, compat,
};

#[path = "../../../tests/support/completed.rs"]
mod completed;

fn definition(code: &str, example: &str) -> String {
    completed::definition(code, example).unwrap()
}

/// The codes and severities of the findings in `text` when it replaces `old`. Of the rules that are off by
/// default, only `rule` is on.
fn findings(rule: &Rule, text: &str, old: Option<&str>) -> BTreeSet<(&'static str, Severity)> {
    let mut settings = Settings::default();
    if rule.is_optional {
        settings.rules.set(rule.code.as_str(), Level::As(rule.severity)).unwrap();
    }
    if rule.experiment().is_some() {
        settings.experiments = Experiments { feature_gates: true, unions: true };
    }
    if rule.is_optional || rule.experiment().is_some() {
        let found = findings_in(text, old, &Settings::default());
        assert!(found.iter().all(|(code, _)| *code != rule.code.as_str()), "{} is not off", rule.code);
    }
    findings_in(text, old, &settings)
}

fn findings_in(text: &str, old: Option<&str>, settings: &Settings) -> BTreeSet<(&'static str, Severity)> {
    let source: Arc<str> = "example.yaml".into();
    let definitions = Definitions::read(&source, text, Definitions::load_kept(text));
    let catalog = Catalog::default().with([(Arc::clone(&source), definitions)]);
    let stored = old.map(StoredObjects::in_cluster);
    let base = stored.clone().map(|stored| compat::Base::new(stored, true));
    let file = File::with_surroundings(text, settings, Surroundings { catalog, source, stored, base });
    file.findings().iter().map(|finding| (finding.code.as_str(), finding.severity)).collect()
}

/// The findings that only `crd-ls diff` reports: compatible changes, and definitions that are added, removed
/// or get another identity.
fn only_in_diff(old: &str, new: &str) -> impl Iterator<Item = (&'static str, Severity)> {
    compat::diff(old, new).into_iter().map(|one| (one.code.as_str(), one.code.rule().severity))
}

#[test]
fn codes_are_unique() {
    assert!(RULES.is_sorted_by(|one, other| one.code.as_str() < other.code.as_str()));
}

#[test]
fn a_title_is_one_sentence_and_every_rule_has_a_source() {
    for rule in &RULES {
        assert!(rule.title.ends_with('.') && !rule.title.contains('\n'), "{}: {:?}", rule.code, rule.title);
        assert!(rule.sources().next().is_some(), "{}", rule.code);
    }
}

/// The example has the finding of its page and those that the page names with `beside`; its replacement has
/// no findings.
#[test]
fn examples_have_the_finding_of_their_page_and_no_other() {
    let (mut compared, mut different) = (0, Vec::new());
    for rule in &RULES {
        let code = rule.code.as_str();
        let (wrong, old, right) = match rule.example {
            Example::None(_) | Example::Transcript(_) => continue,
            Example::Correction { wrong, right } => (wrong, None, Some(right)),
            Example::Change { old, new } => (new, Some(definition(code, old)), None),
        };
        let expected: BTreeSet<&str> = rule.beside.iter().map(|code| code.as_str()).chain([code]).collect();
        let wrong = definition(code, wrong);
        let mut found = findings(rule, &wrong, old.as_deref());
        if let Some(old) = old.as_ref().filter(|_| found.iter().all(|(found, _)| *found != code)) {
            found.extend(only_in_diff(old, &wrong));
        }
        let codes: BTreeSet<&str> = found.iter().map(|(code, _)| *code).collect();
        if codes != expected || !found.contains(&(code, rule.severity)) {
            different.push(format!("{code}: {found:?}"));
        }
        let unchanged = right.map(|right| definition(code, right)).or(old);
        let found = unchanged.map(|text| findings(rule, &text, None)).unwrap_or_default();
        if !found.is_empty() {
            different.push(format!("{code}, what is right: {found:?}"));
        }
        compared += 1;
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    println!("{compared} examples of {} rules", RULES.len());
}

/// Pages on Go have Go examples, in the part on markers. `tests/guide.rs` runs the pages with a transcript.
#[test]
fn every_page_has_an_example() {
    let without = RULES.iter().filter(|rule| matches!(rule.example, Example::None(_)));
    let without: Vec<&str> =
        without.filter(|rule| !rule.marker.contains("```go")).map(|rule| rule.code.as_str()).collect();
    assert_eq!(without, [] as [&str; 0]);
}

/// A page that mentions no quick-fix is wrong if the example has one.
#[test]
fn pages_state_whether_a_fix_exists() {
    let mut silent = Vec::new();
    for rule in RULES.iter().filter(|rule| !rule.fix.contains("quick-fix")) {
        let Example::Correction { wrong, .. } = rule.example else { continue };
        let text = definition(rule.code.as_str(), wrong);
        let experiments = Experiments { feature_gates: true, unions: true };
        let file = File::new(&text, &Settings { experiments, ..Settings::default() });
        let fixes = file.fixes(text::TextRange::new(0, text.len() as u32));
        let own = fixes.iter().filter(|fix| fix.repairs.iter().any(|(code, _)| *code == rule.code.as_str()));
        silent.extend(own.map(|fix| format!("{}: {}", rule.code.as_str(), fix.title)));
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// A page without a quick-fix agrees with the table of all fixes, which another test keeps complete.
#[test]
fn pages_that_deny_a_fix_have_none() {
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/fixes/titles.tsv");
    let table = std::fs::read_to_string(table).unwrap();
    let fixed: BTreeSet<&str> = table.lines().filter_map(|row| row.split('\t').next()).collect();
    let denies = |rule: &Rule| {
        let mut sentences = rule.fix.split(['\n', '.']).map(str::trim);
        sentences.any(|one| {
            let rest = one.strip_prefix("crd-ls offers no quick-fix");
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
        })
    };
    let wrong: Vec<&str> = RULES
        .iter()
        .filter(|rule| denies(rule) && fixed.contains(rule.code.as_str()))
        .map(|rule| rule.code.as_str())
        .collect();
    assert!(wrong.is_empty(), "these rules have a fix: {wrong:?}");
}
