//! Messages for the errors in `fixtures/cr`: no terms of Go or of the implementation of CEL.

use std::collections::BTreeSet;

use yaml::Tree;

use super::resources::{identity, own_documents, release, versions};
use crate::customresource::{Facts, Failure, ValueError, admit, admit_update, message};

/// Terms of the server that do not help the author of a resource.
const JARGON: [&str; 12] = [
    "cannot unmarshal",
    "evaluating rule",
    "accessor error",
    "float64",
    "int64\"",
    "map[",
    "v1.ObjectMeta",
    "GroupVersion",
    "google.protobuf",
    "RFC 1123",
    "failed rule:",
    "must be of type",
];
/// The longest message, in characters.
const LONGEST: usize = 160;

#[test]
fn messages_on_resources_are_short_and_without_jargon() {
    let (mut wrong, mut all) = (BTreeSet::new(), BTreeSet::new());
    for case in &suites::cases(&suites::fixtures().join("cr")).unwrap() {
        let part = |part| case.part(part).and_then(|text| text.as_utf8()).unwrap_or_default();
        let stored = Tree::parse(part("old"));
        let (versions, tree) = (versions(part("crd")), Tree::parse(part("cr")));
        for document in own_documents(&tree, part("cr")) {
            let kind = identity(document);
            let stored = stored.documents().find(|stored| identity(*stored) == kind);
            for version in versions.iter().filter(|version| version.kind == kind[0]) {
                let admission = match stored {
                    Some(stored) => admit_update(document, stored, version, release(part("cr"))),
                    None => admit(document, version, release(part("cr"))),
                };
                for error in admission.errors.iter().chain(admission.unreadable.as_deref()) {
                    let line = message(error).to_string();
                    if !is_of_author(error)
                        && (line.chars().count() > LONGEST || JARGON.iter().any(|word| line.contains(word)))
                    {
                        wrong.insert(format!("{}: {line}", case.name));
                    }
                    assert!(!line.trim().is_empty() && !line.starts_with(' '), "{}: {error:?}", case.name);
                    all.insert(line);
                }
            }
        }
    }
    assert!(all.len() > 250, "only {} messages", all.len());
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}

/// Whether the message comes from the author of the rule.
fn is_of_author(error: &ValueError) -> bool {
    matches!(&error.facts, Some(Facts::Rule(failed)) if matches!(failed.failure, Failure::False(Some(_))))
}
