//! The YAML test suite: every valid case gives the suite's events, every invalid one an error.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

#[path = "support/events.rs"]
mod events;

use std::path::{Path, PathBuf};

use yaml::Tree;

/// A case of the suite.
struct Case {
    /// Its folder: four letters, and a number where it has several parts.
    id: String,
    text: String,
    /// The events that a YAML 1.2 parser gives; of an invalid case those before its error.
    events: Vec<String>,
    valid: bool,
}

/// All cases, or none where the suite is not at hand, which is said.
fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/yaml-test-suite");
    if !root.is_dir() {
        println!("skipped: no YAML test suite beside the checkout");
        return Vec::new();
    }
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

#[test]
fn valid_cases_give_the_events_of_yaml_1_2() {
    let mut wrong = Vec::new();
    for case in cases().iter().filter(|case| case.valid) {
        let tree = Tree::parse(&case.text);
        let ours = events::events(&tree);
        let same = ours.iter().zip(&case.events).take_while(|(ours, theirs)| ours == theirs).count();
        if ours != case.events {
            let (ours, theirs) = (ours.get(same), case.events.get(same));
            wrong.push(format!("{}: event {same}: {ours:?}, suite {theirs:?}", case.id));
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn invalid_cases_have_an_error() {
    let cases = cases();
    let silent = cases.iter().filter(|case| !case.valid && Tree::parse(&case.text).errors().is_empty());
    let silent: Vec<&str> = silent.map(|case| case.id.as_str()).collect();
    assert!(silent.is_empty(), "{} cases: {}", silent.len(), silent.join(" "));
}
#[test]
fn zz() {
    for case in cases().iter().filter(|case| case.valid) {
        let e = Tree::parse(&case.text).errors();
        if !e.is_empty() { println!("{} {:?}", case.id, e.iter().map(|e|(e.kind,e.range.as_usize())).collect::<Vec<_>>()); }
    }
}
