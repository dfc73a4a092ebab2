//! The catalogue of quick-fixes: for each case in `fixtures/fixes/catalogue`, the result of the fixes for
//! `before` is the data of `after`, or another text without findings.
//!
//! Fix-all runs first. If errors remain, suggestions are followed, to the data of `after` if possible.
//! `fixed` is the result, and `outcomes.txt` the path to it; `CRD_LS_UPDATE=1` writes both again. The API
//! server's code accepts all results that are not in [`LEFT`].
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "support/fix_all.rs"]
mod fix_all;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fix_all::{applied, fixed};
use ide::{File, Finding, Settings, Severity, UnknownFields};
use suites::Case;

/// The result of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// The data of `after`, by fix-all only.
    SafeEqual,
    /// Accepted, by fix-all only.
    Safe,
    /// The data of `after`, by one suggestion or several.
    Equal,
    /// Accepted, by one suggestion or several.
    Accepted,
    /// Nothing to repair: the server accepts it, and there is no lint.
    NoFinding,
    /// Some errors remain.
    Left,
}

/// The cases that only their author can repair, with the reason.
const LEFT: &[(&str, &str)] = &[];

fn folder() -> PathBuf {
    suites::fixtures().join("fixes/catalogue")
}

fn is_error(finding: &Finding) -> bool {
    finding.severity <= Severity::Warning && finding.code != "lint/status-subresource"
}

fn errors(text: &str) -> usize {
    File::new(text, &Settings::default()).findings().iter().filter(|finding| is_error(finding)).count()
}

fn data(text: &str) -> String {
    let tree = yaml::Tree::parse(text);
    tree.documents().filter_map(|document| Some(yaml::decode(document).ok()?.json.to_string())).collect()
}

/// The texts that suggestions lead to, the nearest first, each with the titles of the suggestions.
fn followed(text: &str, wanted: &str) -> Option<(String, Vec<String>, bool)> {
    let mut known = BTreeSet::new();
    let mut open = vec![(text.to_owned(), Vec::new())];
    let mut accepted = None;
    for _ in 0..4 {
        let mut next = Vec::new();
        for (text, titles) in open {
            let file = File::new(&text, &Settings::default());
            let whole = text::TextRange::new(0, text.len() as u32);
            let fixes = file.fixes(whole).into_iter().map(|fix| (fix.title, fix.edits));
            let migrations = file.migrations(whole, UnknownFields::Drop).into_iter().flatten();
            let migrations = migrations.map(|migration| ("Migrate to v1".to_owned(), migration.edits));
            for (title, edits) in fixes.chain(migrations) {
                let after = fixed(&applied(&text, &edits));
                if !known.insert(after.clone()) || known.len() > 60 {
                    continue;
                }
                let mut titles: Vec<String> = titles.clone();
                titles.push(title);
                if data(&after) == wanted {
                    return Some((after, titles, true));
                }
                if accepted.is_none() && errors(&after) == 0 {
                    accepted = Some((after.clone(), titles.clone(), false));
                }
                next.push((after, titles));
            }
        }
        open = next;
    }
    accepted
}

fn outcome(before: &str, after: &str) -> (Outcome, Vec<String>, String) {
    let safe = fixed(before);
    let wanted = data(after);
    if data(&safe) == wanted {
        return (Outcome::SafeEqual, Vec::new(), safe);
    }
    if errors(&safe) == 0 && safe != before {
        return (Outcome::Safe, Vec::new(), safe);
    }
    match followed(&safe, &wanted) {
        Some((text, titles, true)) => (Outcome::Equal, titles, text),
        Some((text, titles, false)) => (Outcome::Accepted, titles, text),
        None if errors(before) == 0 => (Outcome::NoFinding, Vec::new(), safe),
        None => (Outcome::Left, Vec::new(), safe),
    }
}

/// Compares the text with the file, or writes the file.
fn golden(path: &Path, text: &str) {
    if environment::updates() {
        std::fs::write(path, text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap(), "{}", path.display());
}

/// The result of a case.
fn outcome_of(case: &Case) -> (Outcome, Vec<String>, String) {
    let part = |part| case.part(part).unwrap().as_utf8().unwrap();
    outcome(part("before"), part("after"))
}

#[test]
fn each_case_is_repaired() {
    let cases = suites::cases(&folder()).unwrap();
    let outcomes: BTreeMap<&str, _> =
        cases.iter().map(|case| (case.name.as_str(), outcome_of(case))).collect();
    if environment::updates() {
        suites::record(&folder(), "yaml fixed", |case| Some(outcomes[case.name.as_str()].2.clone())).unwrap();
    }
    let mut counts: BTreeMap<Outcome, usize> = BTreeMap::new();
    let mut left = Vec::new();
    let mut table = String::new();
    for case in suites::cases(&folder()).unwrap() {
        let (outcome, titles, text) = &outcomes[case.name.as_str()];
        let line = format!("{} {outcome:?} {}", case.name, titles.join(" / "));
        println!("{line}");
        table.push_str(line.trim_end());
        table.push('\n');
        // Even if the data equals that of `after`, the layout may differ.
        let expected = case.part("fixed").unwrap().as_utf8().unwrap();
        assert!(text == expected, "{}", case.failed(expected, text));
        *counts.entry(*outcome).or_default() += 1;
        if *outcome == Outcome::Left {
            let file = File::new(text, &Settings::default());
            for finding in file.findings().iter().filter(|finding| is_error(finding)) {
                println!("    {} {}", finding.code.as_str(), finding.message);
            }
            left.push(case.name);
        }
    }
    println!("{counts:?}");
    golden(&folder().join("outcomes.txt"), &table);
    assert_eq!(left, LEFT.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    assert!(cases.len() >= 98, "only {} cases", cases.len());
}
