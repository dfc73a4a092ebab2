//! Comparisons of definitions with other versions of their file, on the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
    pub(crate) mod program;
    pub(crate) mod repository;
}

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use git2::Repository;
use serde_json::{Value, json};
use support::client::Client;
use support::program::{directory, json_of, run, status, stderr};
use support::repository::commit_all;
use tempfile::TempDir;

const UPDATE: &str = "update/scope-immutable";

fn definition(scope: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.com}}\n\
         spec:\n  group: example.com\n  scope: {scope}\n  names: {{plural: widgets, kind: Widget}}\n  versions:\n  \
         - {{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object}}}}}}\n"
    )
}

/// A repository with a namespaced definition in HEAD.
fn repository() -> (TempDir, Repository) {
    let root = directory(&[("crd.yaml", definition("Namespaced").as_bytes())]);
    let repository = Repository::init(root.path()).unwrap();
    commit_all(&repository);
    (root, repository)
}

fn uri(root: &TempDir) -> String {
    support::client::uri(&root.path().join("crd.yaml"))
}

fn start(options: Value) -> Client {
    let mut client = Client::start();
    client.ask(
        "initialize",
        json!({"processId": null, "rootUri": null, "capabilities": {}, "initializationOptions": options}),
    );
    client.notify("initialized", json!({}));
    client
}

/// The findings about an update.
fn updates(diagnostics: &Value) -> Vec<Value> {
    let all = diagnostics.as_array().unwrap();
    all.iter().filter(|one| one["code"] == UPDATE).cloned().collect()
}

#[test]
fn an_open_file_is_compared_with_head() {
    let (root, _repository) = repository();
    let mut client = start(json!({}));
    client.open_as(&uri(&root), "yaml", &definition("Cluster"));
    let found = updates(&client.compared_diagnostics(&uri(&root), 1));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["severity"], 2);
    assert!(found[0]["message"].as_str().unwrap().starts_with("compared with HEAD: "), "{}", found[0]);
    let back = json!({"textDocument": {"uri": uri(&root), "version": 2}, "contentChanges": [{"text": definition("Namespaced")}]});
    client.notify("textDocument/didChange", back);
    assert_eq!(updates(&client.diagnostics(&uri(&root), 2)), Vec::<Value>::new());
}

#[test]
fn a_commit_is_noticed() {
    let (root, repository) = repository();
    let mut client = start(json!({}));
    fs::write(root.path().join("crd.yaml"), definition("Cluster")).unwrap();
    client.open_as(&uri(&root), "yaml", &definition("Cluster"));
    assert_eq!(updates(&client.compared_diagnostics(&uri(&root), 1)).len(), 1);
    commit_all(&repository);
    assert_eq!(updates(&client.compared_diagnostics(&uri(&root), 1)), Vec::<Value>::new());
}

#[test]
fn the_setting_names_the_revision_or_turns_comparison_off() {
    let (root, repository) = repository();
    let first = repository.head().unwrap().peel_to_commit().unwrap();
    repository.branch("release", &first, false).unwrap();
    fs::write(root.path().join("crd.yaml"), definition("Cluster")).unwrap();
    commit_all(&repository);
    for (options, found) in [
        (json!({}), 0),
        (json!({"compareWith": "release"}), 1),
        (json!({"compareWith": "off"}), 0),
        (json!({"compareWith": "nowhere"}), 0),
    ] {
        let mut client = start(options.clone());
        client.open_as(&uri(&root), "yaml", &definition("Cluster"));
        assert_eq!(updates(&client.compared_diagnostics(&uri(&root), 1)).len(), found, "{options}");
        if options["compareWith"] == "nowhere" {
            let logged = client.receive("window/logMessage");
            assert!(
                logged["params"]["message"].as_str().unwrap().contains("nowhere cannot be read"),
                "{logged}"
            );
        }
    }
}

#[test]
fn the_command_line_validates_updates_of_a_base() {
    let (root, _repository) = repository();
    fs::write(root.path().join("crd.yaml"), definition("Cluster")).unwrap();
    fs::write(root.path().join("new.yaml"), definition("Cluster").replace("idget", "adget")).unwrap();
    let check = |arguments: &[&str]| run(root.path(), &[&["check", "--output", "json"], arguments].concat());
    assert_eq!(status(&check(&["."])), 0, "only what is named counts");
    let output = check(&["--base", "HEAD", "."]);
    assert_eq!(status(&output), 1);
    let files = json_of(&output)["files"].as_array().unwrap().clone();
    let errors = |file: &Value| {
        let all = file["diagnostics"].as_array().unwrap().clone();
        all.into_iter().filter(|one| one["severity"] == "error").collect::<Vec<_>>()
    };
    assert_eq!(files.iter().map(|file| errors(file).len()).collect::<Vec<_>>(), [1, 0]);
    let found = &errors(&files[0])[0];
    assert_eq!(found["code"], UPDATE);
    assert_eq!(
        found["apiServer"],
        json!({
            "type": "FieldValueInvalid", "field": "spec.scope", "detail": "field is immutable",
            "message": "spec.scope: Invalid value: \"Cluster\": field is immutable",
        })
    );
    let output = check(&["--base", "nowhere", "."]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("--base: .: "), "{}", stderr(&output));
    let outside = directory(&[("crd.yaml", definition("Cluster").as_bytes())]);
    assert_eq!(status(&run(outside.path(), &["check", "--base", "HEAD", "."])), 2);
}

/// The versions of the document for which diagnostics were published since the last call.
fn published(client: &mut Client) -> Vec<i64> {
    // Longer than a second publication of a version would take.
    sleep(Duration::from_millis(200));
    let all = client.take("textDocument/publishDiagnostics");
    all.iter().map(|message| message["params"]["version"].as_i64().unwrap()).collect()
}

#[test]
fn each_version_of_a_file_in_a_repository_is_published_once() {
    let (root, _repository) = repository();
    let mut client = start(json!({}));
    client.open_as(&uri(&root), "yaml", &definition("Namespaced"));
    assert_eq!(published(&mut client), [1], "it is as HEAD has it");
    for version in 2..6 {
        let scope = if version % 2 == 0 { "Cluster" } else { "Namespaced" };
        let change = json!({"textDocument": {"uri": uri(&root), "version": version}, "contentChanges": [{"text": definition(scope)}]});
        client.notify("textDocument/didChange", change);
        let diagnostics = client.diagnostics(&uri(&root), version);
        assert_eq!(updates(&diagnostics).len(), usize::from(version % 2 == 0));
        assert_eq!(published(&mut client), Vec::<i64>::new());
    }
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri(&root)}}));
    client.receive("textDocument/publishDiagnostics");
    client.open_as(&uri(&root), "yaml", &definition("Cluster"));
    let mut first = updates(&client.diagnostics(&uri(&root), 1));
    // The first findings do not wait for HEAD. On a busy machine, the compared findings replace them before they are sent.
    if first.is_empty() {
        first = updates(&client.diagnostics(&uri(&root), 1));
    }
    assert_eq!(first.len(), 1, "it comes once");
    assert_eq!(published(&mut client), Vec::<i64>::new());
}
