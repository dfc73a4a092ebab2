//! The YAML test suite: every valid case produces the suite's events, every invalid one an error.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

#[path = "../../../tests/support/beside.rs"]
mod beside;

#[path = "support/events.rs"]
mod events;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use yaml::{RejectedBy, SyntaxErrorKind, Tree};

/// A case of the suite.
struct Case {
    /// The name of its folder: four letters, and a number if the case has several parts.
    id: String,
    text: String,
    /// The events of a YAML 1.2 parser; for an invalid case, those before its error.
    events: Vec<String>,
    valid: bool,
}

/// All cases; without the suite, prints a message and returns none.
fn cases() -> Vec<Case> {
    let Some(root) = beside::shared("yaml-test-suite", "skipped") else { return Vec::new() };
    let mut cases = Vec::new();
    for folder in folders(&root) {
        let parts = folders(&folder);
        let parts = if parts.is_empty() { vec![folder] } else { parts };
        cases.extend(parts.iter().map(|part| case(&root, part)));
    }
    assert_eq!(cases.len(), 402);
    cases
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn case(root: &Path, folder: &Path) -> Case {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    Case {
        id: folder.strip_prefix(root).unwrap().display().to_string(),
        text: read("in.yaml"),
        events: read("test.event").lines().map(str::to_owned).collect(),
        valid: !folder.join("error").exists(),
    }
}

/// kube-apiserver's error for each case; `None` if it accepts the case.
fn verdicts() -> HashMap<&'static str, Option<&'static str>> {
    let table = include_str!("../../../fixtures/yaml/suite.tsv");
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let [id, _, server] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("three fields: {row}") };
        (id, (server != "accepts").then_some(server))
    })
    .collect()
}

/// Our reports on a text, with their verdicts.
fn reports(tree: &Tree) -> Vec<Report> {
    let errors = tree.errors().into_iter().map(|error| Report {
        start: error.range.start,
        verdict: error.kind.verdict(),
        server: format!("yaml: {}", error.kind.server_text().unwrap_or_default()),
    });
    let refused = |start, server| Report { start, verdict: RejectedBy::OnlyServer, server };
    let aliases = tree.documents().flat_map(yaml::alias_problems);
    let aliases = aliases.map(|(range, problem)| refused(range.start, format!("yaml: {problem}")));
    let values = tree.documents().flat_map(yaml::value_problems);
    let values = values.map(|problem| refused(problem.range.start, problem.server));
    let mut reports: Vec<Report> = errors.chain(aliases).chain(values).collect();
    reports.sort_by_key(|report| report.start);
    reports
}

struct Report {
    /// The byte offset.
    start: u32,
    verdict: RejectedBy,
    server: String,
}

/// A valid case whose events differ from those of YAML 1.2.
struct Difference {
    id: &'static str,
    /// The server's error; `None` if it accepts the case.
    server: Option<&'static str>,
    /// The error that our user sees.
    seen_error: SyntaxErrorKind,
}

/// For go-yaml, the colon in `{a:, b}` is part of the text, as in `[2001:db8::]`. We read the text like the
/// server, whose value for `{a:, b}` is `{"a:": null, "b": null}`; a tree with the key `a` would hide that.
/// The user gets a warning at the colon, and in the second case also an error at an empty key, for which
/// go-yaml rejects the text.
const DIFFERENT: &[Difference] = &[
    Difference { id: "4ABK", server: None, seen_error: SyntaxErrorKind::FlowColonTail },
    Difference {
        id: "FRK4",
        server: Some("yaml: line 2: did not find expected node content"),
        seen_error: SyntaxErrorKind::EmptyFlowKey,
    },
];

#[test]
fn documents_read_differently_are_read_like_the_server_and_reported() {
    let (verdicts, cases) = (verdicts(), cases());
    for difference in DIFFERENT {
        assert_eq!(verdicts[difference.id], difference.server, "{}", difference.id);
        let Some(case) = cases.iter().find(|case| case.id == difference.id) else { continue };
        let kinds: Vec<_> = Tree::parse(&case.text).errors().into_iter().map(|error| error.kind).collect();
        assert!(kinds.contains(&difference.seen_error), "{}: {kinds:?}", difference.id);
    }
    let tree = Tree::parse("{a:, b}\n");
    let decoded = yaml::decode(tree.documents().next().unwrap()).unwrap();
    assert_eq!(decoded.json.to_string(), r#"{"a:":null,"b":null}"#);
}

#[test]
fn valid_cases_give_the_events_of_yaml_1_2() {
    let mut wrong = Vec::new();
    for case in cases().iter().filter(|case| case.valid) {
        let tree = Tree::parse(&case.text);
        let ours = events::events(&tree);
        let same = ours.iter().zip(&case.events).take_while(|(ours, theirs)| ours == theirs).count();
        let difference = DIFFERENT.iter().any(|difference| difference.id == case.id);
        assert!(!difference || ours != case.events, "{} is read as YAML 1.2 by now", case.id);
        if ours != case.events && !difference {
            let (ours, theirs) = (ours.get(same), case.events.get(same));
            wrong.push(format!("{}: event {same}: {ours:?}, suite {theirs:?}", case.id));
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

/// Whether YAML 1.2 rejects the text.
fn is_yaml_1_2(verdict: RejectedBy) -> bool {
    matches!(verdict, RejectedBy::Both | RejectedBy::OnlyYaml12)
}

#[test]
fn valid_cases_have_no_error_of_yaml_1_2() {
    let mut wrong = Vec::new();
    for case in cases().iter().filter(|case| case.valid) {
        let errors = Tree::parse(&case.text).errors();
        let refused = errors.iter().find(|error| is_yaml_1_2(error.kind.verdict()));
        wrong.extend(refused.map(|error| format!("{}: {:?}", case.id, error.kind)));
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn invalid_cases_have_an_error_of_yaml_1_2() {
    let cases = cases();
    let silent = cases.iter().filter(|case| {
        let tree = Tree::parse(&case.text);
        // An undeclared tag handle is not a syntax error.
        let undefined_handle = tree.documents().any(|document| !yaml::value_problems(document).is_empty());
        !undefined_handle && !tree.errors().iter().any(|error| is_yaml_1_2(error.kind.verdict()))
    });
    let silent: Vec<&str> = silent.filter(|case| !case.valid).map(|case| case.id.as_str()).collect();
    assert!(silent.is_empty(), "{} cases: {}", silent.len(), silent.join(" "));
}

#[test]
fn an_error_is_reported_exactly_if_the_server_rejects_the_document() {
    let verdicts = verdicts();
    let mut wrong = Vec::new();
    let (mut refused, mut same_words) = (0, 0);
    for case in cases() {
        // The server reads only the first document, so it gives no verdict on several documents.
        if case.events.iter().filter(|event| event.starts_with("+DOC")).count() > 1 {
            continue;
        }
        let server = verdicts[case.id.as_str()];
        let reports = reports(&Tree::parse(&case.text));
        let ours = reports.iter().find(|report| report.verdict.server_rejects());
        match (ours, server) {
            (Some(ours), Some(server)) => {
                refused += 1;
                let words = without_line(server);
                let same = reports.iter().any(|report| report.server == words);
                same_words += usize::from(same);
                if !same {
                    println!("{}: {server}; we say {}", case.id, ours.server);
                }
            }
            (None, None) => {}
            (Some(ours), None) => wrong.push(format!("{}: only we refuse: {}", case.id, ours.server)),
            (None, Some(server)) => wrong.push(format!("{}: only the server refuses: {server}", case.id)),
        }
    }
    println!("{refused} cases refused, {same_words} with the server's words");
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

/// `text` without `line 12: `.
fn without_line(text: &str) -> String {
    match text.strip_prefix("yaml: line ").and_then(|rest| rest.split_once(": ")) {
        Some((_, words)) => format!("yaml: {words}"),
        None => text.to_owned(),
    }
}
