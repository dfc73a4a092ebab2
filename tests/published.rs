//! The documents that the server publishes for all definitions of a group and version.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

#[path = "support/beside.rs"]
mod beside;

mod support {
    pub(crate) mod program;
}

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value, json};
use support::program::{directory, json_of, repository, run, status, stderr};

fn definition(plural: &str, kind: &str, more: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {plural}.example.com}}\n\
         spec:\n  group: example.com\n  scope: Namespaced\n  names: {{plural: {plural}, kind: {kind}}}\n  versions:\n  \
         - {{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object}}}}{more}}}\n"
    )
}

#[test]
fn definitions_of_a_group_and_version_share_a_document_and_the_last_of_a_name_is_used() {
    let status_too = ", subresources: {status: {}}";
    let root = directory(&[
        ("crds/a.yaml", definition("widgets", "Widget", status_too).as_bytes()),
        ("crds/b.yaml", definition("gadgets", "Gadget", "").as_bytes()),
        ("crds/c.yaml", definition("widgets", "Widget", "").as_bytes()),
    ]);
    let output = run(root.path(), &["openapi", "--group-version", "example.com/v1", "crds"]);
    assert_eq!(status(&output), 0);
    assert_eq!(
        stderr(&output),
        "widgets.example.com is defined in crds/a.yaml and in crds/c.yaml; the latter is used\n"
    );
    let document = json_of(&output);
    let paths: Vec<&String> = document["paths"].as_object().unwrap().keys().collect();
    assert!(paths.iter().any(|path| path.ends_with("/gadgets/{name}")), "{paths:?}");
    assert!(paths.iter().any(|path| path.ends_with("/widgets/{name}")), "{paths:?}");
    assert!(!paths.iter().any(|path| path.ends_with("/status")), "nothing is left of the first: {paths:?}");
}

/// Each project of the corpus is a workspace.
#[test]
fn documents_of_projects_equal_those_of_the_oracle() {
    let Some(oracle) = environment::resource_oracle() else {
        return beside::skipped("CRD_LS_CR_ORACLE names no oracle");
    };
    let Some(corpus) = beside::shared("corpus", "skipped") else { return };
    let projects = std::fs::read_dir(corpus).unwrap();
    let mut projects: Vec<PathBuf> = projects.map(|entry| entry.unwrap().path()).collect();
    projects.push(repository().join("fixtures/documents"));
    let mut equal = 0;
    for project in projects.into_iter().filter(|path| path.is_dir()) {
        for (group_version, expected) in published(&oracle, &project) {
            let path = project.to_str().unwrap();
            let output = run(&project, &["openapi", "--group-version", &group_version, path]);
            let own = json_of(&output);
            let name = format!("{}: {group_version}", project.display());
            assert_eq!(numbers(&own), numbers(&expected), "{name}");
            equal += 1;
        }
    }
    eprintln!("{equal} documents are equal");
    assert!(equal > 50, "{equal}");
}

/// The two parts of a document that differ from one to the other.
type SchemasAndPaths = (Map<String, Value>, Map<String, Value>);

/// The documents of the oracle for the definitions below `project`, by group and version; of definitions with the same name,
/// the last one is used.
fn published(oracle: &Path, project: &Path) -> BTreeMap<String, Value> {
    let mut definitions = BTreeMap::new();
    for file in files(project) {
        let output = Command::new(oracle).args(["openapi", "--paths"]).arg(&file).output().unwrap();
        let all = serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Value>();
        // Templates are not read.
        for definition in all.map_while(Result::ok) {
            definitions.insert(definition["name"].as_str().unwrap().to_owned(), definition);
        }
    }
    let mut documents: BTreeMap<String, SchemasAndPaths> = BTreeMap::new();
    for definition in definitions.values() {
        for version in definition["versions"].as_array().unwrap() {
            let paths = version["v3Paths"].as_object().unwrap();
            // /apis/GROUP/VERSION/...
            let path = paths.keys().next().unwrap();
            let group_version = path.split('/').skip(2).take(2).collect::<Vec<_>>().join("/");
            let document = documents.entry(group_version).or_default();
            document.0.extend(version["v3"].as_object().unwrap().clone());
            document.1.extend(paths.clone());
        }
    }
    let document_json = |(schemas, paths)| {
        json!({"openapi": "3.0.0", "info": {"title": "Kubernetes CRD Swagger", "version": "v0.1.0"},
            "paths": Value::Object(paths), "components": {"schemas": Value::Object(schemas)}})
    };
    documents.into_iter().map(|(name, parts)| (name, document_json(parts))).collect()
}

/// The files below `directory` that may hold definitions, in path order.
fn files(directory: &Path) -> BTreeSet<PathBuf> {
    let mut pending = vec![directory.to_owned()];
    let mut files = BTreeSet::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml")
            && std::fs::read_to_string(&path).is_ok_and(|text| text.contains("CustomResourceDefinition"))
        {
            files.insert(path);
        }
    }
    files
}

/// The value with numbers that compare as in Go, in which `1e3` and `1000` are equal.
fn numbers(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(numbers).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), numbers(value))).collect())
        }
        other => other.clone(),
    }
}
