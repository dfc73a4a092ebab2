//! Real projects, checked at their roots as a pipeline does, and compared with the API server's own code: kube-apiserver
//! reports each error on a resource as well, with the definition that the project ships.
//!
//! The projects are those of `../shared/corpus`; `CRD_LS_CR_ORACLE` names the program with the API server's code.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support {
    pub(crate) mod beside;
    pub(crate) mod program;
}

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::beside;
use support::program::{json_of, run};

/// The reasons for which a definition may take precedence over the one that a project ships.
const REASONS: [&str; 4] = ["same-file", "beside", "version", "override"];

/// The answer of the API server's code for one document.
struct ServerAnswer {
    /// The first line of the document, from 1.
    line: u64,
    /// Its errors, from the definitions that validate its kind.
    errors: BTreeSet<String>,
}

/// The answers by file, then document.
type Answers = BTreeMap<String, Vec<ServerAnswer>>;

#[test]
fn errors_at_the_roots_of_projects_are_those_of_the_api_server() {
    let Some(oracle) = environment::resource_oracle() else {
        return beside::skipped("CRD_LS_CR_ORACLE names no oracle");
    };
    let Some(corpus) = beside::shared("corpus", "skipped") else { return };
    let entries = std::fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path());
    let projects: BTreeSet<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    let (mut shared, mut own) = (0, Vec::new());
    for project in projects {
        let report = json_of(&run(&project, &["check", "--output", "json", "."]));
        let errors = errors(&report);
        let answers = answers(&oracle, &project, &validating_definitions(&project, &report), &errors);
        for (path, errors) in errors {
            for (line, error) in errors {
                let documents = answers.get(path).map(Vec::as_slice).unwrap_or_default();
                let document = documents.iter().rfind(|answer| answer.line <= line);
                if document.is_some_and(|answer| answer.errors.contains(error)) {
                    shared += 1;
                } else {
                    own.push(format!("{}: {path}:{line}: {error}", project.display()));
                }
            }
        }
    }
    eprintln!("{shared} errors are shared");
    assert!(own.is_empty(), "the API server's code does not share\n{}", own.join("\n"));
    assert!(shared > 300, "{shared}");
}

/// The errors of kube-apiserver on resources by file, each with its line, from 1. The tests of goldens compare errors on
/// definitions. An error without a message of the server makes no claim about the server.
fn errors(report: &Value) -> BTreeMap<&str, Vec<(u64, &str)>> {
    let mut all: BTreeMap<&str, Vec<(u64, &str)>> = BTreeMap::new();
    for file in report["files"].as_array().unwrap() {
        for finding in file["diagnostics"].as_array().unwrap() {
            let is_on_resource = finding["code"].as_str().unwrap().starts_with("resource/");
            if !is_on_resource || finding["severity"] != "error" {
                continue;
            }
            let line = finding["range"]["start"]["line"].as_u64().unwrap() + 1;
            if let Some(message) = finding["apiServer"]["message"].as_str() {
                all.entry(file["path"].as_str().unwrap()).or_default().push((line, message));
            }
        }
    }
    all
}

/// The sources of the definitions that validate resources. For each kind this is the definition that the project ships,
/// unless a resource has a specific reason for another one.
fn validating_definitions(project: &Path, report: &Value) -> BTreeSet<String> {
    let explained = json_of(&run(project, &["check", "--output", "json", "--explain-definitions", "."]));
    let (mut sources, mut resources) = (BTreeSet::new(), 0);
    for kind in explained["kinds"].as_array().unwrap() {
        let definitions = kind["definitions"].as_array().unwrap();
        let validating = definitions.iter().enumerate().filter(|(_, one)| one["resources"] != 0);
        for (at, definition) in validating {
            resources += definition["resources"].as_u64().unwrap();
            let reasons = definition["choices"].as_object().unwrap();
            let has_reason = reasons.keys().all(|reason| REASONS.contains(&reason.as_str()));
            assert!(at == 0 || has_reason, "{}: {kind}", project.display());
            sources.insert(definition["path"].as_str().unwrap().to_owned());
        }
    }
    assert_eq!(report["summary"]["resources"], resources, "{}: all are counted", project.display());
    sources
}

/// The answers of the API server's code for the files with `errors`, with each of the definitions in `sources`.
fn answers(
    oracle: &Path,
    project: &Path,
    sources: &BTreeSet<String>,
    errors: &BTreeMap<&str, Vec<(u64, &str)>>,
) -> Answers {
    let mut answers = Answers::new();
    for source in sources.iter().filter(|_| !errors.is_empty()) {
        let mut command = Command::new(oracle);
        command.current_dir(project).args(["cr", "--crd", source]).args(errors.keys());
        let output = command.output().unwrap();
        for answer in serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Value>() {
            let answer = answer.unwrap_or_else(|error| panic!("{source}: {error}"));
            if answer["matched"] != true {
                continue;
            }
            let texts = |key: &str| answer[key].as_array().cloned().unwrap_or_default();
            let messages = texts("errors").into_iter().map(|error| error["message"].clone());
            let messages = messages.chain(texts("strictErrors")).chain(texts("decodeErrors"));
            let messages = messages.map(|text| text.as_str().unwrap().to_owned());
            let of_file = answers.entry(answer["file"].as_str().unwrap().to_owned()).or_default();
            let line = answer["line"].as_u64().unwrap();
            let at = of_file.partition_point(|one| one.line < line);
            if of_file.get(at).is_none_or(|one| one.line != line) {
                of_file.insert(at, ServerAnswer { line, errors: BTreeSet::new() });
            }
            of_file[at].errors.extend(messages);
        }
    }
    answers
}
