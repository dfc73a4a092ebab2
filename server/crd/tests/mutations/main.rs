//! Errors inserted into definitions: our prediction of the server's answer must equal that of the server's
//! own code.
//!
//! The definitions are those of the corpus, or of the fixtures if there is no corpus. With `CRD_LS_ORACLE`
//! (the program in `tests/oracle`), the test asks the program for the answers; without it, it uses the
//! answers recorded in `fixtures/crd/mutations.jsonl`, which `CRD_LS_UPDATE=1` rewrites. `CRD_LS_CASES` sets
//! the number of cases and `CRD_LS_SEED` selects them; `CRD_LS_MINOR` is the release of the oracle, if it is
//! not the newest.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "../../../../tests/support/beside.rs"]
mod beside;

#[path = "../../../../tests/support/edits.rs"]
#[allow(dead_code)]
mod edits;
mod kinds;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crd::{AnswerKind, Cache, KubernetesVersion, Options, check};
use edits::Random;
use kinds::KINDS;
use serde_json::{Value, json};

/// Type, field and detail of an error.
type ErrorKey = (String, String, String);

/// A definition with an inserted error.
struct Case {
    name: String,
    kind: &'static str,
    text: String,
}

#[test]
fn the_server_answers_the_same() {
    let seed = environment::seed(1);
    match environment::oracle() {
        Some(oracle) => {
            let definitions = corpus().unwrap_or_else(fixtures);
            let cases = cases(&definitions, environment::made_up(1_500), seed);
            println!("{} cases from {} definitions, seed {seed}", cases.len(), definitions.len());
            let answers = ask(&oracle, &cases);
            let minor = environment::minor().unwrap_or(KubernetesVersion::NEWEST.minor);
            compare(&cases, &answers, KubernetesVersion { minor });
        }
        None => {
            beside::skipped("CRD_LS_ORACLE names no oracle; the recorded mistakes alone are compared");
        }
    }
    recorded();
}

/// The cases in `fixtures/crd/mutations.jsonl`, with one object for each line.
fn recorded() {
    let path = repository().join("fixtures/crd/mutations.jsonl");
    let cases = cases(&fixtures(), 400, 7);
    if let Some(oracle) = environment::oracle().filter(|_| environment::updates()) {
        let answers = ask(&oracle, &cases);
        let lines = cases.iter().zip(answers).map(|(case, answers)| {
            format!("{}\n", json!({"name": case.name, "kind": case.kind, "errors": answers}))
        });
        fs::write(&path, lines.collect::<String>()).unwrap();
    }
    let text = fs::read_to_string(&path).expect("the recorded answers");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = lines.iter().map(|line| line["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        cases.iter().map(|case| case.name.as_str()).collect::<Vec<_>>(),
        "recorded of other cases"
    );
    let answers: Vec<Option<BTreeSet<ErrorKey>>> =
        lines.iter().map(|line| serde_json::from_value(line["errors"].clone()).unwrap()).collect();
    compare(&cases, &answers, KubernetesVersion::NEWEST);
}

fn compare(cases: &[Case], answers: &[Option<BTreeSet<ErrorKey>>], kubernetes_version: KubernetesVersion) {
    let options = Options { kubernetes_version, ..Options::default() };
    let mut rows: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut different = Vec::new();
    for (case, theirs) in cases.iter().zip(answers) {
        let Some(theirs) = theirs else { continue };
        let ours = ours(&case.text, &options);
        let row = rows.entry(case.kind).or_default();
        if ours == *theirs {
            row.0 += 1;
            continue;
        }
        row.1 += 1;
        let missing: Vec<_> = theirs.difference(&ours).take(3).collect();
        let extra: Vec<_> = ours.difference(theirs).take(3).collect();
        different.push(format!("{}: missing {missing:#?} extra {extra:#?}", case.name));
    }
    println!("kind equal unequal");
    for (kind, (equal, unequal)) in &rows {
        println!("{kind} {equal} {unequal}");
    }
    let shown = different.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(different.is_empty(), "{} of {} differ:\n{shown}", different.len(), cases.len());
}

fn ours(text: &str, options: &Options) -> BTreeSet<ErrorKey> {
    let tree = yaml::Tree::parse(text);
    let mut cache = Cache::default();
    let findings = tree.documents().flat_map(|document| check(document, options, &mut cache).findings);
    let answers = findings.filter_map(|finding| finding.api_server);
    let errors = answers.filter(|answer| answer.kind == AnswerKind::Error);
    errors.map(|answer| (answer.type_name().to_owned(), answer.field, answer.detail)).collect()
}

/// The answer of the server's code to each case; `None` if it crashes because of its bugs.
fn ask(oracle: &Path, cases: &[Case]) -> Vec<Option<BTreeSet<ErrorKey>>> {
    let work = std::env::temp_dir().join(format!("crd-ls-mutations-{}", std::process::id()));
    fs::create_dir_all(&work).unwrap();
    let paths: Vec<PathBuf> = (0..cases.len()).map(|index| work.join(format!("{index}.json"))).collect();
    for (path, case) in paths.iter().zip(cases) {
        fs::write(path, &case.text).unwrap();
    }
    let mut answers = BTreeMap::new();
    for some in paths.chunks(200) {
        let mut some: Vec<&PathBuf> = some.iter().collect();
        loop {
            let output = Command::new(oracle).arg("crd").args(&some).output().expect("the oracle runs");
            if output.status.success() {
                answers.extend(answers_in(&output.stdout));
                break;
            }
            let problem = String::from_utf8_lossy(&output.stderr).into_owned();
            let crashing = some.iter().position(|path| problem.contains(&*path.to_string_lossy()));
            assert!(problem.contains("the API server's code panics"), "{problem}");
            some.remove(crashing.unwrap_or_else(|| panic!("{problem}")));
        }
    }
    fs::remove_dir_all(&work).unwrap();
    println!("the server crashes in {} cases", cases.len() - answers.len());
    paths.iter().map(|path| answers.remove(path)).collect()
}

fn answers_in(output: &[u8]) -> impl Iterator<Item = (PathBuf, BTreeSet<ErrorKey>)> {
    str::from_utf8(output).unwrap().lines().map(|line| {
        let verdict: Value = serde_json::from_str(line).unwrap();
        let errors = verdict["errors"].as_array().cloned().unwrap_or_default();
        let field = |error: &Value, name: &str| error[name].as_str().unwrap_or_default().to_owned();
        let error = |error: &Value| (field(error, "type"), field(error, "field"), field(error, "detail"));
        (PathBuf::from(verdict["file"].as_str().unwrap()), errors.iter().map(error).collect())
    })
}

fn cases(definitions: &[(String, Value)], count: usize, seed: u64) -> Vec<Case> {
    let mut random = Random(seed);
    let mut cases = Vec::new();
    let mut tries = 0;
    while cases.len() < count && tries < count.saturating_mul(20) {
        // The kinds alternate, so that all are about equally frequent.
        let (kind, insert) = KINDS[tries % KINDS.len()];
        tries += 1;
        let (name, definition) = &definitions[random.below(definitions.len())];
        let mut definition = definition.clone();
        if insert(&mut definition, &mut random).is_some() {
            let name = format!("{kind} in {name} ({})", cases.len());
            cases.push(Case { name, kind, text: definition.to_string() });
        }
    }
    assert_eq!(cases.len(), count, "mistakes could not be planted");
    cases
}

/// The definitions of the corpus below 300,000 bytes, if the corpus is available.
fn corpus() -> Option<Vec<(String, Value)>> {
    let folder = beside::shared("corpus", "plants mistakes in the fixtures")?;
    let mut definitions = Vec::new();
    let mut folders = vec![folder.clone()];
    while let Some(next) = folders.pop() {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml")
                && fs::metadata(&path).unwrap().len() < 300_000
            {
                let name = path.strip_prefix(&folder).unwrap().display().to_string();
                let text = fs::read_to_string(&path).unwrap();
                definitions.extend(of_text(&text).into_iter().map(|definition| (name.clone(), definition)));
            }
        }
    }
    Some(definitions)
}

/// The definitions in our fixtures that are accepted.
fn fixtures() -> Vec<(String, Value)> {
    let folder = repository().join("fixtures/crd");
    let mut definitions = Vec::new();
    for folder in ["structural", "editor"].map(|name| folder.join(name)) {
        for (path, text) in suites::texts(&folder).unwrap() {
            if ours(&text, &Options::default()).is_empty() {
                let name = path.file_name().unwrap().to_str().unwrap();
                definitions.extend(of_text(&text).into_iter().map(|value| (name.to_owned(), value)));
            }
        }
    }
    definitions
}

fn of_text(text: &str) -> Vec<Value> {
    let tree = yaml::Tree::parse(text);
    let mut values = Vec::new();
    for document in tree.documents() {
        let Ok(decoded) = yaml::decode(document) else { continue };
        let Ok(value) = serde_json::from_str::<Value>(&decoded.json.to_string()) else { continue };
        // Kustomize patches have no versions; they are not checked.
        let has_versions = value["spec"]["versions"].is_array();
        if value["kind"] == "CustomResourceDefinition"
            && value["apiVersion"] == "apiextensions.k8s.io/v1"
            && has_versions
        {
            values.push(value);
        }
    }
    values
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
