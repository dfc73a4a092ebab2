//! Our findings equal the API server's errors: compares the fixtures with the answers of its code.

use std::collections::BTreeSet;

use serde_json::Value;
use suites::Case;

use super::cases::{cases, printed};
use super::reports;
use crate::AnswerKind;

/// Type, field and detail of an error, and the whole error in kubectl's output.
type Error = (String, String, String, String);

#[test]
fn structural_fixtures() {
    compare_folder("fixtures/crd/structural", 354);
}

#[test]
fn editor_fixtures() {
    compare_folder("fixtures/crd/editor", 167);
}

#[test]
fn documents_fixtures() {
    compare_folder("fixtures/documents", 22);
}

fn compare_folder(folder: &str, at_least: usize) {
    let cases = cases(&[folder]);
    let mut different = Vec::new();
    for case in &cases {
        let text = case.checked().and_then(|text| text.as_utf8()).expect("a definition");
        let (golden, ours) = (golden(case), ours(text));
        if ours != golden {
            let (missing, extra) = (difference(&golden, &ours), difference(&ours, &golden));
            different.push(case.failed(&format!("{missing:#?}"), &format!("{extra:#?}")));
        }
    }
    eprintln!("{folder}: {} cases", cases.len());
    assert!(cases.len() >= at_least, "only {} cases in {folder}", cases.len());
    assert!(different.is_empty(), "{} of {} differ:\n{}", different.len(), cases.len(), different.join("\n"));
}

/// The errors of schemas, for each document with errors.
fn golden(case: &Case) -> Vec<BTreeSet<Error>> {
    let text = case.server.as_deref().expect("an answer of the server in each case");
    let golden: Value = serde_json::from_str(text).expect("JSON");
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

/// Whether a check of schemas reports the error. The missing schema (check 21, which has no detail) belongs to
/// another check.
fn is_of_schemas((_, field, detail, _): &Error) -> bool {
    let is_within = field.contains("openAPIV3Schema") && !detail.is_empty();
    is_within || detail == "must be false in order to use defaults in the schema"
}

fn ours(text: &str) -> Vec<BTreeSet<Error>> {
    let documents = reports(text).into_iter().map(|report| {
        let servers = report.findings.into_iter().filter_map(|finding| finding.api_server);
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
