//! What `docs/style.md` asks for and a machine can see.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ide::{Example, File, Finding, RULES, Settings};

/// Phrases at which readers stop. Before and behind them stand no letters.
const BANNED: [&str; 14] = [
    "dear",
    "dearer",
    "dearest",
    "is none of",
    "are none of",
    "such a one",
    "is told",
    "are told",
    "in the words of",
    "without a word",
    "that there are",
    "speaks of",
    "puts right",
    "so it is",
];

/// A message of a problem and its remedy fits into a list of problems.
const LONGEST_MESSAGE: usize = 160;
/// Without a remedy that is set off, it is read at a glance.
const LONGEST_TITLE: usize = 100;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The banned phrases in `text`.
fn banned(text: &str) -> Vec<&'static str> {
    let text = text.to_lowercase();
    let is_letter = |char: Option<char>| char.is_some_and(char::is_alphabetic);
    let is_in = |phrase: &str| {
        text.match_indices(phrase).any(|(at, _)| {
            let (before, behind) = (&text[..at], &text[at + phrase.len()..]);
            !is_letter(before.chars().next_back()) && !is_letter(behind.chars().next())
        })
    };
    BANNED.into_iter().filter(|phrase| is_in(phrase)).collect()
}

#[test]
fn a_phrase_is_found_as_words() {
    assert_eq!(banned("The rule is too dear."), ["dear"]);
    assert_eq!(banned("A dearth of endearing words."), Vec::<&str>::new());
}

#[test]
fn pages_have_short_titles_and_plain_words() {
    let mut wrong = Vec::new();
    for rule in &RULES {
        if rule.title.len() > LONGEST_TITLE {
            wrong.push(format!("{}: the title has {} bytes", rule.code, rule.title.len()));
        }
        let page = rule.page();
        let prose: Vec<&str> = page.lines().filter(|line| !line.starts_with("    ")).collect();
        wrong.extend(banned(&prose.join("\n")).into_iter().map(|phrase| format!("{}: {phrase}", rule.code)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `Display` of the example says why there is none.
#[test]
fn pages_have_all_parts_and_sources_that_lead_somewhere() {
    const PARTS: [&str; 8] = [
        "Summary",
        "What kube-apiserver does",
        "Example",
        "How to fix",
        "When to ignore",
        "kubebuilder marker",
        "Since",
        "Sources",
    ];
    for rule in &RULES {
        let page = rule.page();
        let parts: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(parts, PARTS, "{}", rule.code);
        assert!(rule.sources().next().is_some(), "{} has no source", rule.code);
        for (title, url) in rule.sources() {
            assert!(url.starts_with("https://") && !title.is_empty(), "{}: {title}: {url}", rule.code);
        }
    }
}

#[test]
fn documents_for_users_have_plain_words() {
    let names = [
        "README.md",
        "docs/ci.md",
        "docs/cli.md",
        "docs/editors.md",
        "docs/experiments.md",
        "docs/testing-definitions.md",
        "vscode-extension/README.md",
    ];
    for name in names {
        let text = std::fs::read_to_string(repository().join(name)).unwrap();
        assert_eq!(banned(&text), Vec::<&str>::new(), "{name}");
    }
}

/// What is found in all fixtures and in the examples of all pages.
fn findings() -> Vec<Finding> {
    let mut findings = Vec::new();
    for folder in ["fixtures/crd/cases", "fixtures/crd/structural"] {
        for case in suites::cases(&repository().join(folder)).unwrap() {
            let Some(text) = case.judged().and_then(|text| text.as_utf8()) else { continue };
            findings.extend_from_slice(File::new(text, &Settings::default()).findings());
        }
    }
    for rule in &RULES {
        if let Example::Correction { wrong, .. } = rule.example {
            findings.extend_from_slice(File::new(wrong, &Settings::default()).findings());
        }
    }
    findings
}

/// What the server says stays as it is, however long.
#[test]
fn messages_are_short_and_plain() {
    let findings = findings();
    let mut wrong = BTreeSet::new();
    for finding in &findings {
        let server = finding.api_server.as_ref().map(|server| server.detail.as_str()).unwrap_or_default();
        // A syntax error in CEL is in the server's words as well.
        if server.contains(&finding.message) {
            continue;
        }
        let own =
            if server.is_empty() { finding.message.clone() } else { finding.message.replace(server, "") };
        let length = own.chars().count();
        if length > LONGEST_MESSAGE && !own.contains("kube-apiserver reports it after") {
            wrong.insert(format!("{}: {length} characters: {own}", finding.code));
        }
        wrong.extend(banned(&own).into_iter().map(|phrase| format!("{}: `{phrase}`: {own}", finding.code)));
    }
    println!("{} messages", findings.len());
    assert!(findings.len() > 1_000, "only {} messages", findings.len());
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}
