//! Definitions that are generated from Go and open beside it.

use std::process::Command;

use serde_json::{Value, json};

use crate::editor::{Editor, TYPES};

/// The calls of controller-gen in the module.
pub(crate) const MAKEFILE: &str = "manifests:\n\tcontroller-gen crd paths=./... output:crd:dir=config/crd\n";

/// The path of the written definition.
const FILE: &str = "config/crd/a.example.com_things.yaml";

/// Types with an error that only the definition shows.
fn types() -> String {
    TYPES.replace(
        "\tMode Mode",
        "\t// +kubebuilder:validation:UniqueItems=true\n\tNames []string `json:\"names,omitempty\"`\n\n\tMode Mode",
    )
}

/// An editor with open types, and the definition that is generated from them, changed by `change`.
fn with_definition(types: &str, change: impl Fn(&str) -> String) -> (Editor, String, String) {
    with_definition_among(types, &[("Makefile", MAKEFILE)], change)
}

/// The same, with other files.
fn with_definition_among(
    types: &str,
    files: &[(&str, &str)],
    change: impl Fn(&str) -> String,
) -> (Editor, String, String) {
    let mut editor = Editor::with(types, files);
    let output = Command::new(env!("CARGO_BIN_EXE_crd-ls"))
        .args(["generate", "./..."])
        .current_dir(editor.folder.path())
        .env("GOMODCACHE", editor.folder.path().join("none"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = change(&std::fs::read_to_string(editor.folder.path().join(FILE)).unwrap());
    let uri = editor.uri(FILE);
    editor.client.open_as(&uri, "yaml", &text);
    (editor, uri, text)
}

/// The codes of the diagnostics of a definition, with the texts in Go to which they point.
fn codes(editor: &Editor, diagnostics: &Value) -> Vec<(String, Vec<String>)> {
    let types = editor.types();
    let origins = |one: &Value| {
        let related = one["relatedInformation"].as_array().cloned().unwrap_or_default();
        let in_go = related.iter().filter(|related| related["location"]["uri"] == types.as_str());
        in_go.map(|related| editor.at(&related["location"]["range"])).collect()
    };
    let all = diagnostics.as_array().unwrap().iter();
    all.map(|one| (one["code"].as_str().unwrap().to_owned(), origins(one))).collect()
}

/// The diagnostics of a definition once its Go source is known.
fn diagnostics(editor: &mut Editor, uri: &str) -> Vec<(String, Vec<String>)> {
    let found = editor.client.compared_diagnostics(uri, 1);
    codes(editor, &found)
}

/// Waits until the diagnostics of a definition are as expected after an edit of Go.
fn await_codes(editor: &mut Editor, uri: &str, expected: &[&str]) {
    for _ in 0..600 {
        let document = json!({"textDocument": {"uri": uri}});
        let report = editor.client.ask("textDocument/diagnostic", document);
        let found = codes(editor, &report["items"]);
        if found.iter().map(|(code, _)| code.as_str()).eq(expected.iter().copied()) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("the definition never had {expected:?}");
}

fn actions(editor: &mut Editor, uri: &str, text: &str, at: &str) -> Vec<Value> {
    let line = text.lines().position(|line| line.contains(at)).unwrap();
    let place = json!({"line": line, "character": 0});
    let params = json!({"textDocument": {"uri": uri}, "range": {"start": place, "end": place},
        "context": {"diagnostics": [], "only": ["quickfix"]}});
    editor.client.ask("textDocument/codeAction", params).as_array().cloned().unwrap_or_default()
}

#[test]
fn findings_of_a_generated_definition_link_to_go() {
    let (mut editor, uri, _) = with_definition(&types(), str::to_owned);
    let found = diagnostics(&mut editor, &uri);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "schema/unique-items");
    assert_eq!(found[0].1, ["true"]);
}

/// Findings on definitions on disk are reported, even if they are not open; those that Go reports are not repeated.
#[test]
fn a_closed_generated_definition_shows_only_findings_that_go_files_do_not() {
    let (mut editor, uri, text) = with_definition(&types(), str::to_owned);
    editor.client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    let mut await_written = |text: &str, expected: &[(&str, &[&str])]| {
        std::fs::write(editor.folder.path().join(FILE), text).unwrap();
        let changes = json!({"changes": [{"uri": uri, "type": 1}]});
        editor.client.notify("workspace/didChangeWatchedFiles", changes);
        let mut last = Value::Null;
        for _ in 0..600 {
            let parameters = json!({"identifier": "crd-ls", "previousResultIds": []});
            last = editor.client.ask("workspace/diagnostic", parameters);
            let report =
                last["items"].as_array().unwrap().iter().find(|report| report["uri"] == uri.as_str());
            let found = report.map(|report| codes(&editor, &report["items"])).unwrap_or_default();
            if found
                .iter()
                .map(|(code, origins)| (code.as_str(), origins.iter().map(String::as_str).collect()))
                .eq(expected.iter().map(|(code, origins)| (*code, origins.to_vec())))
            {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("never {expected:?}: {last}");
    };
    let older = text.replace("maximum: 100", "maximum: 200");
    await_written(&older, &[("go/stale", &["100"])]);
    await_written(&text, &[]);
}

#[test]
fn a_fix_of_a_generated_definition_changes_go_and_generates_it_again() {
    let (mut editor, uri, text) = with_definition(&types(), str::to_owned);
    diagnostics(&mut editor, &uri);
    let found = actions(&mut editor, &uri, &text, "uniqueItems");
    let titles: Vec<&str> = found.iter().filter_map(|action| action["title"].as_str()).collect();
    let set = found.iter().find(|action| action["title"].as_str().unwrap().contains("set")).unwrap();
    let changes = set["edit"]["changes"].as_object().unwrap();
    assert_eq!(changes.len(), 2, "{titles:?} {changes:?}");
    let go = editor.applied(set);
    assert!(go.contains("// +listType=set\n") && !go.contains("UniqueItems"), "{go}");
    assert!(changes[&uri].to_string().contains("x-kubernetes-list-type: set"), "{changes:?}");
}

#[test]
fn a_definition_that_is_older_than_the_types_in_the_editor_is_one_finding() {
    let (mut editor, uri, text) = with_definition(TYPES, str::to_owned);
    assert_eq!(diagnostics(&mut editor, &uri), []);
    editor.findings();
    editor.edit("Maximum=100", "Maximum=200");
    await_codes(&mut editor, &uri, &["go/stale"]);
    let again = actions(&mut editor, &uri, &text, "controller-gen.kubebuilder.io/version");
    assert_eq!(again.len(), 1, "{again:?}");
    assert_eq!(again[0]["title"], "Generate the definition again");
    assert!(again[0]["edit"]["changes"][&uri].to_string().contains("maximum: 200"), "{again:?}");
    editor.edit("Maximum=200", "Maximum=100");
    await_codes(&mut editor, &uri, &[]);
}

/// The next generation would revert an edit of the file.
#[test]
fn an_edit_of_a_generated_definition_makes_it_stale_and_is_not_fixed_there() {
    let unique = |text: &str| {
        let line = text.lines().find(|line| line.trim() == "maximum: 100").unwrap();
        let indent = line.len() - line.trim_start().len();
        text.replace(line, &format!("{line}\n{:indent$}uniqueItems: true", ""))
    };
    let (mut editor, uri, text) = with_definition(TYPES, unique);
    let found = diagnostics(&mut editor, &uri);
    let codes: Vec<&str> = found.iter().map(|(code, _)| code.as_str()).collect();
    assert_eq!(codes, ["go/stale", "schema/unique-items"]);
    let found = actions(&mut editor, &uri, &text, "uniqueItems");
    assert!(!found.is_empty());
    for action in found {
        assert!(action["edit"].is_null() && action["disabled"]["reason"].is_string(), "{action}");
    }
}

/// A fix that is not possible in Go states the reason.
#[test]
fn a_fix_that_is_impossible_in_go_states_the_reason() {
    let types = TYPES.replace("+kubebuilder:subresource:status", "+kubebuilder:resource:shortName=THING");
    let (mut editor, uri, text) = with_definition(&types, str::to_owned);
    diagnostics(&mut editor, &uri);
    for action in actions(&mut editor, &uri, &text, "THING") {
        let is_in_go =
            action["edit"]["changes"].as_object().is_some_and(|files| files.contains_key(&editor.types()));
        assert!(is_in_go || action["disabled"]["reason"].is_string(), "{action}");
    }
}

#[test]
fn a_node_of_a_generated_definition_links_to_its_field() {
    let (mut editor, uri, text) = with_definition(TYPES, str::to_owned);
    diagnostics(&mut editor, &uri);
    let line = text.lines().position(|line| line.trim() == "size:").unwrap();
    let character = text.lines().nth(line).unwrap().find("size").unwrap() + 1;
    let place = json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
    let found = editor.client.ask("textDocument/definition", place);
    assert_eq!(found["uri"], editor.types());
    assert_eq!(editor.at(&found["range"]), "size");
}

/// The annotation identifies the file, and the repository has the types.
#[test]
fn a_generated_definition_links_to_go_without_a_call() {
    let (mut editor, uri, text) = with_definition_among(&types(), &[], str::to_owned);
    assert_eq!(diagnostics(&mut editor, &uri), [("schema/unique-items".to_owned(), vec!["true".to_owned()])]);
    let found = actions(&mut editor, &uri, &text, "uniqueItems");
    let set = found.iter().find(|action| action["title"].as_str().unwrap().contains("set")).unwrap();
    assert_eq!(set["edit"]["changes"].as_object().unwrap().len(), 2, "{set}");
    editor.findings();
    editor.edit("Maximum=100", "Maximum=200");
    await_codes(&mut editor, &uri, &["go/stale", "schema/unique-items"]);
}

/// In a bundle, the definitions that controller-gen wrote have fixes of Go, and the others their own fixes. A bundle is never
/// stale, because another program builds it.
#[test]
fn a_definition_in_a_bundle_has_fixes_only_in_go() {
    let (mut editor, _, definition) = with_definition(&types(), str::to_owned);
    let own = definition
        .replace("\n  annotations:\n    controller-gen.kubebuilder.io/version: ", "\n  labels:\n    a: ")
        .replace("things", "others")
        .replace("uniqueItems", "uniqueItems ");
    let text = format!("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n{definition}{own}");
    std::fs::create_dir_all(editor.folder.path().join("deploy")).unwrap();
    std::fs::write(editor.folder.path().join("deploy/bundle.yaml"), &text).unwrap();
    let uri = editor.uri("deploy/bundle.yaml");
    editor.client.open_as(&uri, "yaml", &text);
    let mut found = diagnostics(&mut editor, &uri);
    found.retain(|(code, _)| code == "schema/unique-items");
    let origins: Vec<Vec<String>> = found.into_iter().map(|(_, origins)| origins).collect();
    assert_eq!(origins, [vec!["true".to_owned()], Vec::new()]);
    let changed = |action: &Value| -> Vec<String> {
        action["edit"]["changes"].as_object().into_iter().flatten().map(|(uri, _)| uri.clone()).collect()
    };
    let of_go = actions(&mut editor, &uri, &text, "uniqueItems:");
    let files: Vec<Vec<String>> = of_go.iter().map(changed).collect();
    assert!(!files.is_empty() && files.iter().all(|files| *files == [editor.types()]), "{of_go:?}");
    let own = actions(&mut editor, &uri, &text, "uniqueItems :");
    assert!(!own.is_empty() && own.iter().map(changed).all(|files| files == [uri.clone()]), "{own:?}");
    // A finding that the types no longer cause has no fix, and nothing is stale.
    editor.findings();
    editor.edit("+kubebuilder:validation:UniqueItems=true", "+kubebuilder:validation:MaxItems=3");
    for _ in 0..600 {
        let document = json!({"textDocument": {"uri": uri}});
        let report = editor.client.ask("textDocument/diagnostic", document);
        let now = report["items"].as_array().unwrap();
        let in_go = editor.types();
        if now.iter().all(|one| !one["relatedInformation"].to_string().contains(&in_go)) {
            assert!(now.iter().all(|one| one["code"] != "go/stale"), "{now:?}");
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("the bundle still leads to Go");
}
