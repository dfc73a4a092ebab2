//! The answers of servers of older releases for the cases: recorded if they differ from the newest server's answer.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::cases::{CASES, ServerAnswer, answers, answers_in, cases, golden, name, unlike};
use super::repository;
use crate::{KubernetesVersion, Options};

/// Minor releases with recorded answers.
const MINORS: &[u8] = &[35, 33, 30];

/// Before 1.34, servers print an object in Go's format. We do so too in the one answer that shows the client's
/// object; the goldens have values in the newer format.
const IN_GO_SYNTAX: (u8, &str) = (34, "100-defaults-embedded-f.yaml");

#[test]
fn older_releases_have_the_answers_of_their_servers() {
    let mut wrong = Vec::new();
    for minor in MINORS {
        let different = differences(*minor);
        eprintln!("1.{minor}: {} cases differ", different.len());
        if !different.is_empty() {
            wrong.push(format!("1.{minor}: {} differ\n{}", different.len(), different.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The cases for which our answer differs from that of the server of 1.`minor`.
fn differences(minor: u8) -> Vec<String> {
    let recorded = recorded(minor);
    let options = Options { kubernetes_version: KubernetesVersion { minor }, ..Options::default() };
    let mut different = Vec::new();
    let cases = cases(&CASES);
    assert!(cases.len() >= 1_002, "only {} cases", cases.len());
    for case in &cases {
        let name = name(case);
        let theirs = recorded.get(&name).map_or_else(|| golden(case), answers_in);
        let ours = answers(case, &options);
        let (since, fixture) = IN_GO_SYNTAX;
        if minor < since && name == fixture {
            let printed = |(_, _, text): &ServerAnswer| {
                text.contains(r#"Invalid value: map[string]interface {}{"labels""#)
            };
            assert!(ours.iter().any(printed), "{name}: {ours:?}");
            continue;
        }
        different.extend(unlike(case, &theirs, &ours));
    }
    different
}

/// The answers that differ from the newest server's, by fixture.
fn recorded(minor: u8) -> BTreeMap<String, Value> {
    let path = repository().join(format!("fixtures/crd/minors/1.{minor}.jsonl"));
    let text = fs::read_to_string(&path).expect("recorded answers");
    let line = |line| {
        let one: Value = serde_json::from_str(line).expect("JSON");
        (one["fixture"].as_str().expect("a fixture").to_owned(), one["answer"].clone())
    };
    text.lines().map(line).collect()
}
