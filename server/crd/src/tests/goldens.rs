//! Our findings are the API server's errors: the fixtures against its own code's answers.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{reports, repository};

/// Type, field and detail of an error.
type Error = (String, String, String);

/// The details of checks 82 to 97 that do not say more by a path or an error text.
const DETAILS: &[&str] = &[
    "must be specified",
    "must not be used at the root",
    "must not be empty at the root",
    "must not be empty for specified array items",
    "must not be empty for specified object fields",
    "must be object if x-kubernetes-embedded-resource is true",
    "must not be used if x-kubernetes-embedded-resource is set",
    "must be object at the root",
    "must be string",
    "must be object",
    "must not specify anything other than name and generateName, but metadata is implicitly specified",
    "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
    "must be false if x-kubernetes-int-or-string is true",
    "must be empty to be structural",
    "must be undefined to be structural",
    "must be false to be structural",
    "must not be specified in a nested context",
];

#[test]
fn structural_fixtures() {
    compare_folder("fixtures/crd/structural", 300);
}

#[test]
fn editor_fixtures() {
    compare_folder("fixtures/crd/editor", 100);
}

#[test]
fn documents_fixtures() {
    compare_folder("fixtures/documents", 20);
}

fn compare_folder(folder: &str, at_least: usize) {
    let mut compared = 0;
    let mut different = Vec::new();
    let mut paths: Vec<_> = fs::read_dir(repository().join(folder))
        .expect(folder)
        .map(|entry| entry.expect(folder).path())
        .collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "yaml")) {
        // Bytes that are no UTF-8 never reach the parser.
        let Ok(text) = String::from_utf8(fs::read(path).expect("readable")) else { continue };
        let golden = golden(&path.with_extension("expect.json"));
        let ours = ours(&text);
        if ours != golden {
            let missing = difference(&golden, &ours);
            let extra = difference(&ours, &golden);
            different.push(format!("{}\n  missing: {missing:#?}\n  extra: {extra:#?}", path.display()));
        }
        compared += 1;
    }
    assert!(compared >= at_least, "only {compared} fixtures in {folder}");
    assert!(different.is_empty(), "{} of {compared} differ:\n{}", different.len(), different.join("\n"));
}

/// The errors of checks 82 to 97, for each document that has any.
fn golden(path: &Path) -> Vec<BTreeSet<Error>> {
    let text = fs::read_to_string(path).expect("a golden beside each fixture");
    let golden: Value = serde_json::from_str(&text).expect("JSON");
    let mut documents: Vec<(Option<u64>, BTreeSet<Error>)> = Vec::new();
    let entries = match golden.get("documents") {
        Some(entries) => entries.as_array().expect("a list").clone(),
        None => vec![golden],
    };
    for entry in entries {
        let document = entry.get("document").and_then(Value::as_u64);
        let found = errors(&entry);
        match documents.last_mut() {
            Some((last, errors)) if *last == document => errors.extend(found),
            _ => documents.push((document, found)),
        }
    }
    documents.into_iter().map(|(_, errors)| errors).filter(|errors| !errors.is_empty()).collect()
}

fn errors(entry: &Value) -> BTreeSet<Error> {
    let list = entry.get("errors").and_then(Value::as_array).cloned().unwrap_or_default();
    let text = |error: &Value, key: &str| error[key].as_str().unwrap_or_default().to_owned();
    let triples = list.iter().map(|error| (text(error, "type"), text(error, "field"), text(error, "detail")));
    triples.filter(is_structural).collect()
}

fn is_structural((_, _, detail): &Error) -> bool {
    DETAILS.contains(&detail.as_str())
        || detail.starts_with("because it is defined in ")
        || detail.starts_with("must be a valid regular expression, but isn't: ")
}

fn ours(text: &str) -> Vec<BTreeSet<Error>> {
    let documents = reports(text).into_iter().map(|report| {
        let own = report.violations.into_iter().filter(|found| found.code.starts_with("structural/"));
        let servers = own.filter_map(|violation| violation.server);
        servers.map(|server| (server.error_type.to_owned(), server.field, server.detail)).collect()
    });
    documents.filter(|errors: &BTreeSet<Error>| !errors.is_empty()).collect()
}

fn difference(one: &[BTreeSet<Error>], other: &[BTreeSet<Error>]) -> Vec<Error> {
    let other: BTreeSet<&Error> = other.iter().flatten().collect();
    one.iter().flatten().filter(|error| !other.contains(error)).cloned().collect()
}
