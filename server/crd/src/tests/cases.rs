//! The cases of `fixtures/crd/cases`: what the server says of each check, on create and on update.
//!
//! A case that is not equal yet counts for its row in `UNEQUAL`, exactly: who repairs one must say so there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::repository;
use crate::beside;
use crate::printed::shortened;
use crate::{
    AnswerKind, Cache, DocumentReport, KubernetesVersion, Options, check, check_update,
    non_structural_condition,
};

/// How many cases of a row (the number, or `D1`, that their names begin with) differ from the server's answer.
const UNEQUAL: &[(&str, usize)] = &[];

/// Kinds of answers that are compared.
const KINDS: &[AnswerKind] = &[
    AnswerKind::Error,
    AnswerKind::StrictError,
    AnswerKind::DecodeError,
    AnswerKind::Warning,
    AnswerKind::Condition,
];

/// Kind and text of an answer: of errors of validation the type, and the words as kubectl prints them.
pub(super) type Answer = (AnswerKind, String, String);

/// How many of the server's answers to other fixtures are missing. None may be made up.
const MISSING: usize = 0;

#[test]
fn no_answer_is_made_up_for_other_fixtures() {
    let mut missing = Vec::new();
    let mut extra = Vec::new();
    for folder in ["fixtures/crd/structural", "fixtures/crd/editor", "fixtures/documents"] {
        for path in cases(folder) {
            // Bytes that are no UTF-8 never reach the parser.
            if fs::read_to_string(&path).is_err() {
                continue;
            }
            let (theirs, ours) = (golden(&path), answers(&path, &Options::default()));
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            missing.extend(theirs.difference(&ours).map(|answer| format!("{name}: {answer:?}")));
            extra.extend(ours.difference(&theirs).map(|answer| format!("{name}: {answer:?}")));
        }
    }
    assert!(extra.is_empty(), "{} made up:\n{}", extra.len(), extra.join("\n"));
    assert!(missing.len() == MISSING, "{} missing:\n{}", missing.len(), missing.join("\n"));
}

#[test]
fn cases_from_elsewhere_are_answered_as_by_the_server() {
    let Some(folder) = environment::fixtures("crd/cases") else {
        beside::skipped("CRD_LS_FIXTURES names no folder with crd/cases, definitions and goldens");
        return;
    };
    let minor = environment::minor().unwrap_or(KubernetesVersion::NEWEST.minor);
    let options = Options { kubernetes_version: KubernetesVersion { minor }, ..Options::default() };
    let cases = cases(&folder.to_string_lossy());
    let different: Vec<String> = cases.iter().filter_map(|path| difference(path, &options)).collect();
    eprintln!("{} of {} cases differ", different.len(), cases.len());
    assert!(!cases.is_empty() && different.is_empty(), "{}", different.join("\n"));
}

/// How our answers to the case at `path` differ from the server's.
fn difference(path: &Path, options: &Options) -> Option<String> {
    let (theirs, ours) = (golden(path), answers(path, options));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let missing: Vec<_> = theirs.difference(&ours).collect();
    let extra: Vec<_> = ours.difference(&theirs).collect();
    (ours != theirs).then(|| format!("{name}\n  missing: {missing:#?}\n  extra: {extra:#?}"))
}

/// The fixtures in `folder`, of updates the new definitions.
pub(super) fn cases(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(repository().join(folder)).expect(folder);
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.expect("a case").path()).collect();
    cases.retain(|path| {
        path.extension().is_some_and(|extension| extension == "yaml")
            && !path.to_string_lossy().ends_with(".old.yaml")
    });
    cases.sort();
    cases
}

#[test]
fn cases_are_answered_as_by_the_server() {
    let cases = cases("fixtures/crd/cases");
    let mut rows: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut different = Vec::new();
    for path in &cases {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let row = rows.entry(name.split('-').next().unwrap_or_default().to_owned()).or_default();
        match difference(path, &Options::default()) {
            None => row.0 += 1,
            Some(one) => {
                row.1 += 1;
                different.push(one);
            }
        }
    }
    eprintln!("row equal unequal");
    for (row, (equal, unequal)) in &rows {
        eprintln!("{row:>3} {equal:>5} {unequal:>7}");
    }
    let unequal: Vec<(&str, usize)> = rows
        .iter()
        .filter(|(_, (_, unequal))| *unequal > 0)
        .map(|(row, (_, n))| (row.as_str(), *n))
        .collect();
    let equal: usize = rows.values().map(|(equal, _)| equal).sum();
    eprintln!("{equal} of {} cases are equal", cases.len());
    assert!(cases.len() >= 264, "only {} cases", cases.len());
    assert!(unequal == UNEQUAL, "unequal: {unequal:?}\n{}", different.join("\n"));
}

/// What the server answers to the case at `path`.
pub(super) fn golden(path: &Path) -> BTreeSet<Answer> {
    let text = fs::read_to_string(path.with_extension("expect.json")).expect("a golden beside each case");
    answers_in(&serde_json::from_str(&text).expect("JSON"))
}

/// The answers that a golden holds.
pub(super) fn answers_in(golden: &Value) -> BTreeSet<Answer> {
    let definitions = golden["documents"].as_array().cloned().unwrap_or_else(|| vec![golden.clone()]);
    let list = |key: &str| -> Vec<Value> {
        definitions.iter().flat_map(|one| one[key].as_array().cloned().unwrap_or_default()).collect()
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let errors =
        list("errors").into_iter().map(|error| (AnswerKind::Error, text(&error["type"]), printed(&error)));
    let texts = [
        ("strict", AnswerKind::StrictError),
        ("decode", AnswerKind::DecodeError),
        ("warnings", AnswerKind::Warning),
        ("conditions", AnswerKind::Condition),
    ];
    let texts = texts.into_iter().flat_map(|(key, kind)| {
        list(key)
            .into_iter()
            .map(move |answer| (kind, String::new(), answer.as_str().unwrap_or_default().to_owned()))
    });
    // What is no YAML is said by others.
    let is_syntax = |(kind, .., text): &Answer| {
        *kind == AnswerKind::DecodeError
            && ["yaml: ", "unsupported map key"].iter().any(|start| text.starts_with(start))
    };
    errors.chain(texts).filter(|answer| KINDS.contains(&answer.0) && !is_syntax(answer)).collect()
}

/// An error of a golden as kubectl prints it. Values are shortened as ours are.
pub(super) fn printed(error: &Value) -> String {
    let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
    let words = match text("type").as_str() {
        "FieldValueRequired" => "Required value",
        "FieldValueForbidden" => "Forbidden",
        "FieldValueInvalid" | "FieldValueTypeInvalid" => "Invalid value",
        "FieldValueDuplicate" => "Duplicate value",
        "FieldValueNotSupported" => "Unsupported value",
        "FieldValueTooLong" => "Too long",
        "FieldValueTooMany" => "Too many",
        "InternalError" => "Internal error",
        other => panic!("an unknown type of error: {other}"),
    };
    let value = text("value");
    let value = if value.starts_with(['{', '[']) { shortened(value) } else { value };
    let parts = [text("field"), words.to_owned(), value, text("detail")];
    // A field may be empty, and is printed all the same.
    let parts = parts.iter().enumerate().filter(|(at, part)| *at == 0 || !part.is_empty());
    parts.map(|(_, part)| part.as_str()).collect::<Vec<_>>().join(": ")
}

/// What we say that the server answers to the case at `path`.
pub(super) fn answers(path: &Path, options: &Options) -> BTreeSet<Answer> {
    let text = fs::read_to_string(path).expect("readable");
    let tree = yaml::Tree::parse(&text);
    let mut cache = Cache::default();
    let old = path.to_string_lossy().strip_suffix(".new.yaml").map(|name| format!("{name}.old.yaml"));
    let old = old.map(|old| yaml::Tree::parse(&fs::read_to_string(old).expect("the stored definition")));
    let stored = old.as_ref().and_then(|tree| tree.documents().next());
    let judge = |document| match stored {
        Some(stored) => check_update(document, stored, options, &mut cache),
        None => check(document, options, &mut cache),
    };
    let reports: Vec<DocumentReport> = tree.documents().map(judge).collect();
    let servers = reports.into_iter().flat_map(|report| report.violations).filter_map(|found| found.server);
    let own = servers.map(|server| (server.kind, server.type_name().to_owned(), server.message()));
    let duplicates = tree.documents().filter_map(crate::duplicate_keys_error);
    let duplicates = duplicates.map(|answer| (answer.kind, String::new(), answer.detail));
    // Other fixtures have no remarks in their goldens.
    let has_remarks = path.parent().is_some_and(|folder| folder.ends_with("cases"));
    let conditions = tree.documents().filter(|_| has_remarks);
    let conditions: Vec<String> =
        conditions.flat_map(|one| non_structural_condition(one, options, &mut cache)).collect();
    let conditions = conditions.into_iter().map(|text| (AnswerKind::Condition, String::new(), text));
    let said = own.filter(|(kind, ..)| has_remarks || *kind != AnswerKind::Warning);
    said.chain(duplicates).chain(conditions).filter(|(kind, ..)| KINDS.contains(kind)).collect()
}
