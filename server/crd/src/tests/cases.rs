//! One small definition for each check of the API server: our answers are the server's, kind by kind and byte for
//! byte. Updates are pairs of `NAME.old.yaml` and `NAME.new.yaml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use yaml::Tree;

use super::repository;
use crate::{AnswerKind, Cache, DocumentReport, Options, check, check_update, non_structural_condition};

/// How many cases of each row differ, because a part of their answer is not there yet. Rows are those of the written
/// rules: 102 are rules on defaults, 138 to 146 compile rules.
#[rustfmt::skip]
const DIFFERENT: &[(&str, usize)] = &[
    ("001", 2),
    ("002", 2),
    ("003", 2),
    ("004", 3),
    ("005", 1),
    ("007", 7),
    ("008", 3),
    ("009", 3),
    ("010", 1),
    ("011", 6),
    ("012", 2),
    ("013", 1),
    ("014", 1),
    ("015", 1),
    ("016", 2),
    ("017", 3),
    ("018", 1),
    ("019", 2),
    ("020", 2),
    ("021", 5),
    ("022", 1),
    ("023", 1),
    ("024", 5),
    ("025", 2),
    ("026", 2),
    ("027", 1),
    ("028", 5),
    ("030", 2),
    ("031", 1),
    ("038", 1),
    ("039", 3),
    ("040", 1),
    ("042", 1),
    ("043", 1),
    ("044", 1),
    ("045", 1),
    ("046", 3),
    ("047", 1),
    ("048", 3),
    ("049", 2),
    ("050", 2),
    ("051", 1),
    ("052", 1),
    ("053", 1),
    ("054", 1),
    ("055", 2),
    ("056", 2),
    ("057", 2),
    ("058", 2),
    ("059", 2),
    ("060", 3),
    ("061", 3),
    ("062", 4),
    ("063", 2),
    ("064", 2),
    ("065", 4),
    ("066", 1),
    ("067", 1),
    ("068", 1),
    ("069", 1),
    ("070", 1),
    ("071", 1),
    ("072", 1),
    ("073", 1),
    ("074", 1),
    ("075", 1),
    ("076", 6),
    ("077", 3),
    ("078", 2),
    ("102", 6),
    ("138", 6),
    ("139", 6),
    ("140", 16),
    ("141", 5),
    ("142", 3),
    ("143", 7),
    ("144", 6),
    ("145", 1),
    ("146", 3),
    ("149", 3),
    ("150", 1),
    ("151", 4),
    ("152", 2),
    ("153", 1),
    ("154", 1),
    ("155", 2),
    ("156", 3),
    ("157", 1),
    ("158", 2),
    ("159", 1),
    ("160", 1),
    ("161", 3),
    ("162", 1),
    ("163", 15),
    ("164", 2),
    ("165", 5),
    ("166", 2),
    ("167", 2),
    ("170", 2),
    ("171", 1),
    ("172", 1),
    ("173", 1),
    ("174", 1),
    ("175", 1),
    ("C1", 1),
    ("D1", 3),
    ("D2", 2),
    ("D3", 1),
];

/// An answer: its kind, and type, field and detail.
type Answer = (&'static str, String, String, String);

#[test]
fn answers_are_the_servers() {
    let mut rows: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut different = Vec::new();
    for path in cases() {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let row = name.split('-').next().expect("a row").to_owned();
        let (expected, ours) = (expected(&path), ours(&path));
        let (equal, unequal) = rows.entry(row).or_default();
        if expected == ours {
            *equal += 1;
            continue;
        }
        *unequal += 1;
        let missing: Vec<_> = expected.difference(&ours).collect();
        let extra: Vec<_> = ours.difference(&expected).collect();
        different.push(format!("{name}\n  missing: {missing:#?}\n  extra: {extra:#?}"));
    }
    for (row, (equal, unequal)) in &rows {
        eprintln!("row {row}: {equal} equal, {unequal} different");
    }
    let found: Vec<(&str, usize)> = rows
        .iter()
        .filter(|(_, (_, unequal))| *unequal > 0)
        .map(|(row, (_, unequal))| (row.as_str(), *unequal))
        .collect();
    assert_eq!(found, DIFFERENT, "{}", different.join("\n"));
}

/// The fixtures, without the stored definitions.
fn cases() -> Vec<PathBuf> {
    let folder = repository().join("fixtures/crd/cases");
    let entries = fs::read_dir(folder).expect("the cases").map(|entry| entry.expect("a case").path());
    let is_case = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".yaml") && !name.ends_with(".old.yaml")
    };
    let mut cases: Vec<PathBuf> = entries.filter(is_case).collect();
    cases.sort();
    assert!(cases.len() > 400, "only {} cases", cases.len());
    cases
}

fn expected(path: &Path) -> BTreeSet<Answer> {
    let golden = fs::read_to_string(path.with_extension("expect.json")).expect("a golden beside each case");
    let golden: Value = serde_json::from_str(&golden).expect("JSON");
    let entries = match golden.get("documents") {
        Some(documents) => documents.as_array().expect("a list").clone(),
        None => vec![golden],
    };
    let list = |entry: &Value, key: &str| entry[key].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let mut answers = BTreeSet::new();
    for entry in &entries {
        for error in list(entry, "errors") {
            let [error_type, field, detail] = ["type", "field", "detail"].map(|key| text(&error[key]));
            answers.insert(("error", error_type, field, detail));
        }
        for (key, kind) in [
            ("strict", "strictError"),
            ("decode", "decodeError"),
            ("warnings", "warning"),
            ("conditions", "condition"),
        ] {
            for said in list(entry, key) {
                answers.insert((kind, String::new(), String::new(), text(&said)));
            }
        }
    }
    answers
}

fn ours(path: &Path) -> BTreeSet<Answer> {
    let options = Options::default();
    let mut cache = Cache::default();
    let tree = Tree::parse(&fs::read_to_string(path).expect("readable"));
    let stored = path.to_str().and_then(|path| path.strip_suffix(".new.yaml"));
    let stored = stored.map(|name| fs::read_to_string(format!("{name}.old.yaml")).expect("what is stored"));
    let stored = stored.map(|text| Tree::parse(&text));
    let mut answers = BTreeSet::new();
    for document in tree.documents() {
        let report: DocumentReport = match stored.as_ref().and_then(|stored| stored.documents().next()) {
            Some(stored) => check_update(document, stored, &options, &mut cache),
            None => check(document, &options, &mut cache),
        };
        for server in report.violations.into_iter().filter_map(|violation| violation.server) {
            // The messages of conditions are compared below, as the server writes all of them to `status`.
            if server.kind != AnswerKind::Condition {
                answers.insert((
                    server.kind.as_str(),
                    server.error_type.to_owned(),
                    server.field,
                    server.detail,
                ));
            }
        }
        for message in non_structural_condition(document, &options, &mut cache) {
            answers.insert(("condition", String::new(), String::new(), message));
        }
    }
    answers
}
