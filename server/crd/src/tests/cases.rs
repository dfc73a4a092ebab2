//! The cases of `fixtures/crd/cases` and `fixtures/crd/structural`: the server's answers for each check, on
//! create and on update.
//!
//! A case that still differs counts for its row in `UNEQUAL`, exactly: a repair of the case must change that
//! number.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use suites::Case;

use super::repository;
use crate::beside;
use crate::printed::shortened;
use crate::{
    AnswerKind, Cache, DocumentReport, KubernetesVersion, Options, check, check_update,
    non_structural_condition,
};

/// The number of cases of a row (the number, or `D1`, at the start of their names) that differ from the
/// server's answer.
const UNEQUAL: &[(&str, usize)] = &[];

/// The kinds of answers that are compared.
const KINDS: &[AnswerKind] = &[
    AnswerKind::Error,
    AnswerKind::StrictError,
    AnswerKind::DecodeError,
    AnswerKind::Warning,
    AnswerKind::Condition,
];

/// The kind of an answer, its type if it is an error of validation, and its text as kubectl prints it.
pub(super) type ServerAnswer = (AnswerKind, String, String);

/// The folders of the cases of each check.
pub(super) const CASES: [&str; 2] = ["fixtures/crd/cases", "fixtures/crd/structural"];

/// The number of missing server's answers to other fixtures. They must not be invented.
const MISSING: usize = 0;

#[test]
fn every_fixture_has_a_recorded_answer() {
    let mut missing = 0;
    let mut extra = 0;
    let mut different = Vec::new();
    let cases = cases(&["fixtures/crd/structural", "fixtures/crd/editor", "fixtures/documents"]);
    for case in &cases {
        let (theirs, ours) = (golden(case), answers(case, &Options::default()));
        missing += theirs.difference(&ours).count();
        extra += ours.difference(&theirs).count();
        different.extend(difference(case, &Options::default()));
    }
    eprintln!("{} cases", cases.len());
    assert!(cases.len() >= 543, "only {} cases", cases.len());
    assert!(
        extra == 0 && missing == MISSING,
        "{extra} made up, {missing} missing:\n{}",
        different.join("\n")
    );
}

#[test]
fn external_cases_have_the_answers_of_the_server() {
    let Some(folder) = environment::fixtures("crd/cases") else {
        beside::skipped("CRD_LS_FIXTURES names no folder with crd/cases, definitions and goldens");
        return;
    };
    let minor = environment::minor().unwrap_or(KubernetesVersion::NEWEST.minor);
    let options = Options { kubernetes_version: KubernetesVersion { minor }, ..Options::default() };
    let cases = cases(&[&folder.to_string_lossy()]);
    let different: Vec<String> = cases.iter().filter_map(|case| difference(case, &options)).collect();
    eprintln!("{} of {} cases differ", different.len(), cases.len());
    assert!(!cases.is_empty() && different.is_empty(), "{}", different.join("\n"));
}

/// A description of `case`, if our answers differ from the server's.
fn difference(case: &Case, options: &Options) -> Option<String> {
    unlike(case, &golden(case), &answers(case, options))
}

/// A description of `case`, if `ours` differ from `theirs`.
pub(super) fn unlike(
    case: &Case,
    theirs: &BTreeSet<ServerAnswer>,
    ours: &BTreeSet<ServerAnswer>,
) -> Option<String> {
    let missing: Vec<_> = theirs.difference(ours).collect();
    let extra: Vec<_> = ours.difference(theirs).collect();
    (ours != theirs).then(|| case.failed(&format!("{missing:#?}"), &format!("{extra:#?}")))
}

/// The cases in `folders` by the names of their definitions, without those that are not UTF-8, which never
/// reach the parser.
pub(super) fn cases(folders: &[&str]) -> Vec<Case> {
    let cases = folders.iter().flat_map(|folder| suites::cases(&repository().join(folder)).expect(folder));
    let mut cases: Vec<Case> =
        cases.filter(|case| case.checked().is_some_and(|text| text.as_utf8().is_some())).collect();
    cases.sort_by_key(name);
    cases
}

/// The name of the definition that is checked.
pub(super) fn name(case: &Case) -> String {
    case.checked().expect("a definition").file_name()
}

#[test]
fn cases_have_the_answers_of_the_server() {
    let cases = cases(&CASES);
    let mut rows: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut different = Vec::new();
    for case in &cases {
        let row = rows.entry(case.name.split('-').next().unwrap_or_default().to_owned()).or_default();
        match difference(case, &Options::default()) {
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
    assert!(cases.len() >= 1_002, "only {} cases", cases.len());
    assert!(unequal == UNEQUAL, "unequal: {unequal:?}\n{}", different.join("\n"));
}

/// The server's answers to `case`.
pub(super) fn golden(case: &Case) -> BTreeSet<ServerAnswer> {
    let text = case.server.as_deref().expect("an answer of the server in each case");
    answers_in(&serde_json::from_str(text).expect("JSON"))
}

/// The answers in a golden.
pub(super) fn answers_in(golden: &Value) -> BTreeSet<ServerAnswer> {
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
    // Syntax errors of YAML are tested elsewhere.
    let is_syntax = |(kind, .., text): &ServerAnswer| {
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
    // The field is printed even if it is empty.
    let parts = parts.iter().enumerate().filter(|(at, part)| *at == 0 || !part.is_empty());
    parts.map(|(_, part)| part.as_str()).collect::<Vec<_>>().join(": ")
}

/// The answers to `case` that we attribute to the server.
pub(super) fn answers(case: &Case, options: &Options) -> BTreeSet<ServerAnswer> {
    let text = |part: &suites::Text| part.as_utf8().expect("UTF-8").to_owned();
    let tree = yaml::Tree::parse(&text(case.checked().expect("a definition")));
    let mut cache = Cache::default();
    let old = case.part("old").map(|old| yaml::Tree::parse(&text(old)));
    let stored = old.as_ref().and_then(|tree| tree.documents().next());
    let report_on = |document| match stored {
        Some(stored) => check_update(document, stored, options, &mut cache),
        None => check(document, options, &mut cache),
    };
    let reports: Vec<DocumentReport> = tree.documents().map(report_on).collect();
    let servers = reports.into_iter().flat_map(|report| report.findings).filter_map(|found| found.api_server);
    let own = servers.map(|server| (server.kind, server.type_name().to_owned(), server.message()));
    let duplicates = tree.documents().filter_map(crate::duplicate_keys_error);
    let duplicates = duplicates.map(|answer| (answer.kind, String::new(), answer.detail));
    // The goldens of other fixtures have no remarks.
    let folder = case.path.parent().and_then(|folder| folder.file_name());
    let has_remarks = folder.is_some_and(|folder| folder == "cases" || folder == "structural");
    let conditions = tree.documents().filter(|_| has_remarks);
    let conditions: Vec<String> =
        conditions.flat_map(|one| non_structural_condition(one, options, &mut cache)).collect();
    let conditions = conditions.into_iter().map(|text| (AnswerKind::Condition, String::new(), text));
    let own_answers = own.filter(|(kind, ..)| has_remarks || *kind != AnswerKind::Warning);
    own_answers.chain(duplicates).chain(conditions).filter(|(kind, ..)| KINDS.contains(kind)).collect()
}
