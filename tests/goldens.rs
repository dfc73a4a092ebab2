//! `crd-ls check` against the answers of kube-apiserver's own code, which the cases contain.
//!
//! Each reported error of the server is among its errors, byte for byte. If crd-ls reports an error of a kind anywhere, it
//! reports all errors of that kind that the server has.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod program;
}

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use suites::Case;
use support::program::{json_of, run, status};

/// Type, field and detail of an error.
type Error = (String, String, String);

const FOLDERS: [&str; 3] = ["crd/structural", "crd/editor", "documents"];

#[test]
fn errors_of_the_server_equal_the_recorded_answers() {
    let unpacked = tempfile::tempdir().unwrap();
    let mut cases: BTreeMap<String, Case> = BTreeMap::new();
    for folder in FOLDERS {
        let source = suites::fixtures().join(folder);
        suites::unpack(&source, &unpacked.path().join(folder)).unwrap();
        let named = |case: Case| Some((format!("{folder}/{}", case.checked()?.file_name()), case));
        cases.extend(suites::cases(&source).unwrap().into_iter().filter_map(named));
    }
    let mut arguments = vec!["check", "--output", "json"];
    arguments.extend(FOLDERS);
    let output = run(unpacked.path(), &arguments);
    assert_eq!(status(&output), 1);
    let ours: BTreeMap<String, BTreeSet<Error>> = reported(&json_of(&output));
    assert!(ours.len() >= 541, "only {} cases", ours.len());
    let known: BTreeSet<String> = ours.values().flatten().map(kind).collect();
    assert!(known.len() >= 18, "only {known:#?}");

    let mut different = Vec::new();
    for (path, ours) in &ours {
        let case = &cases[path];
        let golden = golden(case);
        let extra: Vec<_> = ours.difference(&golden).collect();
        let missing: Vec<_> = golden.difference(ours).filter(|error| known.contains(&kind(error))).collect();
        if !extra.is_empty() || !missing.is_empty() {
            different.push(case.failed(&format!("{missing:#?}"), &format!("{extra:#?}")));
        }
    }
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different.join("\n"));
}

/// The reported errors of the server, by file; none for files that are not text.
fn reported(report: &Value) -> BTreeMap<String, BTreeSet<Error>> {
    let files = report["files"].as_array().unwrap().iter();
    let yaml = files.filter(|file| {
        let path = file["path"].as_str().unwrap();
        path.ends_with(".yaml") && !file["diagnostics"].to_string().contains("\"file/not-utf8\"")
    });
    let errors = |file: &Value| {
        let diagnostics = file["diagnostics"].as_array().unwrap().iter();
        let answers = diagnostics.filter_map(|diagnostic| diagnostic.get("apiServer"));
        // Warnings and the like have no type.
        answers.map(error).filter(|(error_type, ..)| !error_type.is_empty()).collect()
    };
    yaml.map(|file| (file["path"].as_str().unwrap().to_owned(), errors(file))).collect()
}

/// The server's errors for all documents of a file.
fn golden(case: &Case) -> BTreeSet<Error> {
    let golden: Value = serde_json::from_str(case.server.as_deref().unwrap()).unwrap();
    let documents = golden.get("documents").and_then(Value::as_array).cloned();
    let entries = documents.unwrap_or_else(|| vec![golden]);
    let errors = entries.iter().filter_map(|entry| entry.get("errors")?.as_array());
    errors.flatten().map(error).collect()
}

fn error(of: &Value) -> Error {
    let text = |key: &str| of[key].as_str().unwrap_or_default().to_owned();
    (text("type"), text("field"), text("detail"))
}

/// The type and detail of an error, without a path or an error text at the end of the detail.
fn kind((error_type, _, detail): &Error) -> String {
    let general = detail.split("spec.").next().unwrap_or_default().split(": ").next().unwrap_or_default();
    format!("{error_type}: {general}")
}
