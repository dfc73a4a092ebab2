//! Our findings are the API server's errors: the fixtures against its own code's answers.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::cases::printed;
use super::{reports, repository};
use crate::AnswerKind;

/// Type, field and detail of an error, and all of it as kubectl prints it.
type Error = (String, String, String, String);

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

/// The errors of schemas, for each document that has any.
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
    let errors = list
        .iter()
        .map(|error| (text(error, "type"), text(error, "field"), text(error, "detail"), printed(error)));
    errors.filter(is_of_schemas).collect()
}

/// Whether a check of schemas reports it. That there is a schema at all (check 21, which has no words) is another's.
fn is_of_schemas((_, field, detail, _): &Error) -> bool {
    let is_within = field.contains("openAPIV3Schema") && !detail.is_empty();
    is_within || detail == "must be false in order to use defaults in the schema"
}

fn ours(text: &str) -> Vec<BTreeSet<Error>> {
    let documents = reports(text).into_iter().map(|report| {
        let servers = report.violations.into_iter().filter_map(|violation| violation.server);
        let servers = servers.filter(|server| server.kind == AnswerKind::Error);
        servers
            .map(|server| {
                let printed = server.message();
                (server.type_name().to_owned(), server.field, server.detail, printed)
            })
            .filter(is_of_schemas)
            .collect()
    });
    documents.filter(|errors: &BTreeSet<Error>| !errors.is_empty()).collect()
}

fn difference(one: &[BTreeSet<Error>], other: &[BTreeSet<Error>]) -> Vec<Error> {
    let other: BTreeSet<&Error> = other.iter().flatten().collect();
    one.iter().flatten().filter(|error| !other.contains(error)).cloned().collect()
}
