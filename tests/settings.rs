//! `.crd-ls.toml` and the editor's settings, on the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
    pub(crate) mod program;
}

use std::fs;

use serde_json::{Value, json};
use support::client::{Client, uri};
use support::program::{directory, json_of, run, status, stderr};

const WIDGETS: &str = include_str!("../fixtures/first-light/widgets.yaml");

/// The severities of the findings of `structural/junctor-type` among `diagnostics`.
fn severities(diagnostics: &Value) -> Vec<i64> {
    let diagnostics = diagnostics.as_array().unwrap().iter();
    let of_rule = diagnostics.filter(|diagnostic| diagnostic["code"] == "structural/junctor-type");
    of_rule.map(|diagnostic| diagnostic["severity"].as_i64().unwrap()).collect()
}

/// The next diagnostics of `uri`.
fn next(client: &mut Client, uri: &str) -> Value {
    let published = client.wait_for("diagnostics", |message| {
        message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri
    });
    published["params"]["diagnostics"].clone()
}

#[test]
fn the_command_line_reads_the_project_file() {
    let files = directory(&[
        (".crd-ls.toml", b"[rules]\nstructural = \"hint\"\n\"structural/junctor-type\" = \"off\"\n"),
        ("crd/a.yaml", WIDGETS.as_bytes()),
    ]);
    let output = run(files.path(), &["check", "--output", "json", "crd/a.yaml"]);
    let report = json_of(&output);
    let diagnostics = report["files"][0]["diagnostics"].as_array().unwrap();
    assert!(!diagnostics.is_empty());
    assert!(diagnostics.iter().all(|found| found["severity"] == "hint"), "{diagnostics:?}");
    assert!(diagnostics.iter().all(|found| found["code"] != "structural/junctor-type"), "{diagnostics:?}");
    assert_eq!(status(&output), 0, "hints are no failure");
}

#[test]
fn the_command_line_rejects_an_invalid_project_file() {
    let files = directory(&[(".crd-ls.toml", b"kubernetesVersion = 1.3\n"), ("a.yaml", b"a: b\n")]);
    let output = run(files.path(), &["check", "a.yaml"]);
    assert_eq!(status(&output), 2);
    let message = stderr(&output);
    assert!(
        message.contains(".crd-ls.toml: line 1, column 21: invalid type: floating point `1.3`"),
        "{message}"
    );
}

#[test]
fn an_excluded_file_gets_no_diagnostics() {
    let settings =
        b"exclude = [\"old\"]\n[[overrides]]\npaths = [\"hints/**\"]\nrules = {structural = \"hint\"}\n";
    let widgets = WIDGETS.as_bytes();
    let files = directory(&[
        (".crd-ls.toml", settings),
        ("a.yaml", widgets),
        ("hints/b.yaml", widgets),
        ("old/c.yaml", widgets),
    ]);
    let (mut client, _) = Client::initialized(json!({}));
    let mut severities_of = |path: &str| {
        let file = uri(&files.path().join(path));
        client.open_as(&file, "yaml", WIDGETS);
        severities(&next(&mut client, &file))
    };
    assert_eq!(severities_of("a.yaml").first(), Some(&1));
    assert_eq!(severities_of("hints/b.yaml").first(), Some(&4));
    assert!(severities_of("old/c.yaml").is_empty());
}

#[test]
fn a_client_that_watches_files_reports_the_project_file() {
    let files = directory(&[("a.yaml", WIDGETS.as_bytes())]);
    let watches = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let (mut client, _) = Client::initialized(watches);
    let registered = client.receive("client/registerCapability");
    let registration = &registered["params"]["registrations"][0];
    assert_eq!(registration["method"], "workspace/didChangeWatchedFiles");
    assert_eq!(registration["registerOptions"]["watchers"][0]["globPattern"], "**/.crd-ls.toml");
    let file = uri(&files.path().join("a.yaml"));
    client.open_as(&file, "yaml", WIDGETS);
    assert!(severities(&next(&mut client, &file)).iter().all(|&severity| severity == 1));
    let settings = files.path().join(".crd-ls.toml");
    fs::write(&settings, "rules = { structural = \"warning\" }\n").unwrap();
    let changes = json!([{"uri": uri(&settings), "type": 1}]);
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    assert!(severities(&next(&mut client, &file)).iter().all(|&severity| severity == 2));
}

#[test]
fn the_server_watches_files_for_other_clients() {
    let files = directory(&[("crd/a.yaml", WIDGETS.as_bytes())]);
    let (mut client, _) = Client::initialized(json!({}));
    let file = uri(&files.path().join("crd/a.yaml"));
    client.open_as(&file, "yaml", WIDGETS);
    assert!(severities(&next(&mut client, &file)).iter().all(|&severity| severity == 1));
    // The writer processes the first message after the diagnostics once it watches files.
    client.ask(
        "textDocument/hover",
        json!({"textDocument": {"uri": file}, "position": {"line": 0, "character": 0}}),
    );
    fs::write(files.path().join(".crd-ls.toml"), "rules = { structural = \"warning\" }\n").unwrap();
    // The server may read a file before it is completely written.
    while severities(&next(&mut client, &file)).contains(&1) {}
}

#[test]
fn an_invalid_project_file_is_reported_once_and_changes_nothing() {
    let files = directory(&[(".crd-ls.toml", b"rules = 7\n"), ("a.yaml", WIDGETS.as_bytes())]);
    let (mut client, _) = Client::initialized(json!({}));
    let file = uri(&files.path().join("a.yaml"));
    client.open_as(&file, "yaml", WIDGETS);
    let message = client.receive("window/showMessage");
    let text = message["params"]["message"].as_str().unwrap();
    assert!(text.contains(".crd-ls.toml: line 1, column 9: invalid type: integer `7`"), "{text}");
    assert!(!severities(&next(&mut client, &file)).is_empty());
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"rules": {"structural": "hint"}}}));
    next(&mut client, &file);
    assert!(client.so_far("window/showMessage").is_empty());
}

#[test]
fn a_withdrawn_setting_has_its_earlier_value() {
    let (mut client, _) = Client::initialized(json!({}));
    let file = "file:///nowhere/a.yaml";
    client.open_as(file, "yaml", WIDGETS);
    let before = next(&mut client, file);
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"rules": {"structural": "off"}}}));
    assert_eq!(next(&mut client, file), json!([]));
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"crd-ls": {}}}));
    assert_eq!(next(&mut client, file), before);
}

#[test]
fn settings_of_a_repository_are_used_once_it_is_trusted() {
    let files = directory(&[
        (".crd-ls.toml", b"[rules]\n\"structural/junctor-type\" = \"hint\"\n"),
        ("a.yaml", WIDGETS.as_bytes()),
    ]);
    let uri = uri(&files.path().join("a.yaml"));
    let mut client = Client::start();
    let options = json!({"workspaceTrusted": false});
    client.ask(
        "initialize",
        json!({"processId": null, "rootUri": null, "capabilities": {}, "initializationOptions": options}),
    );
    client.notify("initialized", json!({}));
    client.open_as(&uri, "yaml", WIDGETS);
    assert_eq!(severities(&next(&mut client, &uri)), [1, 1, 1]);
    let trusted = json!({"settings": {"crd-ls": {"workspaceTrusted": true}}});
    client.notify("workspace/didChangeConfiguration", trusted);
    assert_eq!(severities(&next(&mut client, &uri)), [4, 4, 4]);
}
