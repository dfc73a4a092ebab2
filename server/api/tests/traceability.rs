//! The rules and checks in code, comments and fixtures are exactly those in the tables.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use api::{CHECKS, RULES};
use regex::Regex;

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The source files below `folder`.
fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// Each file of our crates with its text.
fn texts() -> Vec<(PathBuf, String)> {
    let mut paths = Vec::new();
    for part in ["answers/src", "crd/src", "ide/src", "lsp/src"] {
        sources(&repository().join("server").join(part), &mut paths);
    }
    assert!(paths.len() > 400, "{}", paths.len());
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The texts without tests.
fn code(texts: &[(PathBuf, String)]) -> impl Iterator<Item = (&Path, &str)> {
    let is_test = |path: &Path| {
        let mut parts = path.components().map(|part| part.as_os_str().to_string_lossy());
        parts.any(|part| part.ends_with("tests") || part == "tests.rs")
    };
    let texts = texts.iter().filter(move |(path, _)| !is_test(path));
    texts.map(|(path, text)| (path.as_path(), text.split("#[cfg(test)]\nmod ").next().unwrap_or(text)))
}

#[test]
fn rules_and_checks_are_listed_once() {
    assert!(RULES.is_sorted_by(|one, other| one.code < other.code));
    assert!(RULES.is_sorted_by(|one, other| one.code.as_str() < other.code.as_str()));
    let rows: BTreeSet<_> = CHECKS.iter().map(|check| (check.number, check.rule)).collect();
    assert_eq!(rows.len(), CHECKS.len());
}

#[test]
fn every_rule_is_reported_somewhere() {
    let texts = texts();
    let named = Regex::new(r"\bCode::([A-Za-z0-9]+)").unwrap();
    let reported: BTreeSet<String> = code(&texts)
        .flat_map(|(_, text)| named.captures_iter(text).map(|found| found[1].to_owned()))
        .collect();
    for rule in &RULES {
        assert!(reported.contains(rule.code.in_one_word()), "nothing reports {}", rule.code);
    }
}

#[test]
fn codes_are_named_by_their_constants() {
    let texts = texts();
    let literal = Regex::new(r#""([a-z]+(?:-[a-z]+)*/[a-z0-9-]+)""#).unwrap();
    for (path, text) in code(&texts) {
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for found in literal.captures_iter(line) {
                assert!(api::rule(&found[1]).is_none(), "{}: {}", path.display(), line.trim());
            }
        }
    }
}

#[test]
fn every_check_that_a_comment_cites_has_a_row() {
    let texts = texts();
    let cited =
        Regex::new(r"\b[Cc]hecks? ((?:\d+|[DWC]\d)(?:(?:, | and | to |, and )(?:\d+|[DWC]\d))*)").unwrap();
    let number = Regex::new(r"\d+|[DWC]\d").unwrap();
    let known: BTreeSet<&str> = CHECKS.iter().map(|check| check.number).collect();
    let mut count = 0;
    for (path, text) in &texts {
        for line in text.lines().filter(|line| line.trim_start().starts_with("//")) {
            assert!(!line.contains('§'), "{}: {line} names a document that is not here", path.display());
            for found in cited.captures_iter(line) {
                for number in number.find_iter(&found[1]) {
                    assert!(
                        known.contains(number.as_str()),
                        "{}: no check {}",
                        path.display(),
                        number.as_str()
                    );
                    count += 1;
                }
            }
        }
    }
    assert!(count > 50, "only {count} citations");
}

#[test]
fn every_check_has_fixtures_and_every_fixture_a_check() {
    let folders = ["crd/cases", "crd/structural"].map(|folder| suites::fixtures().join(folder));
    let cases: Vec<_> = folders.iter().flat_map(|folder| suites::cases(folder).unwrap()).collect();
    assert!(cases.len() >= 1_002, "only {} cases", cases.len());
    let number = |name: &str| name.split('-').next().unwrap_or_default().trim_start_matches('0').to_owned();
    let numbers: BTreeSet<String> = cases.iter().map(|case| number(&case.name)).collect();
    for check in CHECKS.iter().filter(|check| check.rule.is_some()) {
        assert!(numbers.contains(check.number), "no fixture shows check {} ({})", check.number, check.what);
    }
    for number in numbers {
        assert!(CHECKS.iter().any(|check| check.number == number), "no check {number}");
    }
}

#[test]
fn a_check_is_as_old_as_its_rule() {
    for rule in &RULES {
        for check in rule.server_checks() {
            assert!(
                check.since == rule.since || check.number == "D4",
                "{}: check {}",
                rule.code,
                check.number
            );
        }
    }
}
