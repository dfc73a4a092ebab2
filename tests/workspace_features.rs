//! Features that span the files of a workspace: rename, lenses, links, previews; on the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support {
    pub(crate) mod client;
    pub(crate) mod program;
    pub(crate) mod widgets;
}

use std::path::Path;

use serde_json::{Value, json};
use support::client::{Client, uri};
use support::program::{directory, json_of, run, run_with, status, stdout};
use support::widgets::{definition, widget};
use tempfile::TempDir;

const SIZE: &str = "{type: integer, default: 3, minimum: 1, x-kubernetes-validations: [{rule: self < 9}]}";

fn position(uri: &str, line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}

fn workspace() -> TempDir {
    let json = r#"{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "j"}, "spec": {"size": 2}}"#;
    directory(&[
        ("crds/crd.yaml", definition(SIZE).as_bytes()),
        ("samples/good.yaml", widget("2").as_bytes()),
        ("samples/bad.yaml", widget("many").as_bytes()),
        ("samples/other.json", json.as_bytes()),
        ("samples/unrelated.yaml", widget("2").replace("Widget", "Gadget").as_bytes()),
    ])
}

/// A client in that workspace with the definition and a bad resource open, once the resource's definition is known.
fn client(root: &Path, capabilities: Value) -> Client {
    let mut client = start(root, capabilities);
    client.open_as(&uri(&root.join("crds/crd.yaml")), "yaml", &definition(SIZE));
    open_bad(&mut client, &uri(&root.join("samples/bad.yaml")));
    client
}

fn start(root: &Path, capabilities: Value) -> Client {
    let mut client = Client::start();
    client.ask(
        "initialize",
        json!({"processId": null, "rootUri": null, "capabilities": capabilities,
            "workspaceFolders": [{"uri": uri(root), "name": "folder"}]}),
    );
    client.notify("initialized", json!({}));
    client
}

fn open_bad(client: &mut Client, bad: &str) {
    client.open_as(bad, "yaml", &widget("many"));
    client.wait_for("a finding", |message| {
        let diagnostics = message["params"]["diagnostics"].as_array();
        message["params"]["uri"] == bad && diagnostics.is_some_and(|all| !all.is_empty())
    });
}

/// The edits by file, as line and new text.
fn edits(answer: &Value) -> Vec<(String, u64, String)> {
    let name = |uri: &str| uri.rsplit('/').next().unwrap().to_owned();
    let line = |edit: &Value| {
        (edit["range"]["start"]["line"].as_u64().unwrap(), edit["newText"].as_str().unwrap().to_owned())
    };
    let mut all = Vec::new();
    for file in answer["documentChanges"].as_array().into_iter().flatten() {
        let uri = file["textDocument"]["uri"].as_str().unwrap();
        assert_eq!(
            file["textDocument"]["version"].is_null(),
            !(uri.ends_with("crd.yaml") || uri.ends_with("bad.yaml"))
        );
        all.extend(
            file["edits"].as_array().unwrap().iter().map(|edit| (name(uri), line(edit).0, line(edit).1)),
        );
    }
    for (uri, edits) in answer["changes"].as_object().into_iter().flatten() {
        all.extend(edits.as_array().unwrap().iter().map(|edit| (name(uri), line(edit).0, line(edit).1)));
    }
    all.sort();
    all
}

#[test]
fn a_property_is_renamed_in_open_and_closed_files() {
    let directory = workspace();
    let crd = uri(&directory.path().join("crds/crd.yaml"));
    let bad = uri(&directory.path().join("samples/bad.yaml"));
    let expected = [
        ("bad.yaml", 4, "count"),
        ("crd.yaml", 18, "count"),
        ("good.yaml", 4, "count"),
        ("other.json", 0, "\"count\""),
    ];
    let expected = expected.map(|(file, line, text)| (file.to_owned(), line, text.to_owned()));
    let rename = |client: &mut Client, uri: &str, line, character| {
        let mut params = position(uri, line, character);
        params["newName"] = json!("count");
        edits(&client.ask("textDocument/rename", params))
    };

    let versioned = json!({"workspace": {"workspaceEdit": {"documentChanges": true}}});
    let mut versioned = client(directory.path(), versioned);
    let prepared = versioned.ask("textDocument/prepareRename", position(&crd, 18, 16));
    assert_eq!(prepared["placeholder"], "size");
    assert_eq!(prepared["range"]["start"], json!({"line": 18, "character": 14}));
    assert_eq!(rename(&mut versioned, &crd, 18, 16), expected);
    assert_eq!(rename(&mut versioned, &bad, 4, 3), expected);

    let mut plain = client(directory.path(), json!({}));
    assert_eq!(rename(&mut plain, &crd, 18, 16), expected);
    let (id, request) = plain.request("textDocument/prepareRename", position(&bad, 1, 1));
    plain.send(&[request]);
    let refused = plain.answer(id);
    assert_eq!(refused["error"]["message"], "`kind` is part of every API object and cannot be renamed");
}

#[test]
fn a_property_of_a_definition_elsewhere_keeps_its_name() {
    let directory = workspace();
    let samples = directory.path().join("samples");
    let bad = uri(&samples.join("bad.yaml"));
    std::fs::create_dir(directory.path().join(".git")).unwrap();
    std::fs::write(samples.join(".crd-ls.toml"), "crds = [\"../crds\"]\n").unwrap();
    let mut client = start(&samples, json!({}));
    open_bad(&mut client, &bad);
    let mut params = position(&bad, 4, 3);
    params["newName"] = json!("count");
    let (id, request) = client.request("textDocument/rename", params);
    client.send(&[request]);
    let refused = client.answer(id);
    assert_eq!(refused["error"]["message"], "the definition is outside the workspace; open it first");
}

#[test]
fn a_definition_shows_the_number_of_its_resources() {
    let directory = workspace();
    let crd = uri(&directory.path().join("crds/crd.yaml"));
    let lenses =
        |client: &mut Client| client.ask("textDocument/codeLens", json!({"textDocument": {"uri": crd}}));
    let commands = json!({"experimental": {"commands": {"commands": ["crd-ls.showReferences"]}}});
    let mut able = client(directory.path(), commands);
    let shown = lenses(&mut able);
    assert_eq!(shown.as_array().unwrap().len(), 2);
    assert_eq!(shown[1]["command"]["title"], "evaluate rules");
    let counted = able.ask("codeLens/resolve", shown[0].clone());
    assert_eq!(counted["command"]["title"], "3 resources, 1 with findings");
    assert_eq!(counted["command"]["arguments"][2].as_array().unwrap().len(), 3);

    // Both files on disk and the definition may change.
    // In one step: a file that is being written is empty for a moment, and the server looks as soon as it changes.
    let (good, written) =
        (directory.path().join("samples/good.yaml"), directory.path().join("samples/good.tmp"));
    std::fs::write(&written, widget("0")).unwrap();
    std::fs::rename(&written, &good).unwrap();
    assert_eq!(
        able.ask("codeLens/resolve", shown[0].clone())["command"]["title"],
        "3 resources, 2 with findings"
    );
    let change = json!({"textDocument": {"uri": crd, "version": 2}, "contentChanges": [{"text": definition("{type: string}")}]});
    able.notify("textDocument/didChange", change);
    able.wait_for("no finding", |message| {
        message["params"]["uri"].as_str().is_some_and(|uri| uri.ends_with("bad.yaml"))
            && message["params"]["diagnostics"] == json!([])
    });
    assert_eq!(
        able.ask("codeLens/resolve", shown[0].clone())["command"]["title"],
        "3 resources, 2 with findings"
    );

    let mut plain = client(directory.path(), json!({}));
    let shown = lenses(&mut plain);
    assert_eq!(shown.as_array().unwrap().len(), 1);
    let counted = plain.ask("codeLens/resolve", shown[0].clone());
    assert_eq!(counted["command"], json!({"title": "3 resources, 2 with findings", "command": ""}));
    plain.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"crd-ls": {"codeLens": {"resources": false}}}}),
    );
    assert_eq!(lenses(&mut plain), json!([]));
}

#[test]
fn previews_are_answers_to_commands() {
    let directory = workspace();
    let crd = uri(&directory.path().join("crds/crd.yaml"));
    let bad = uri(&directory.path().join("samples/bad.yaml"));
    let mut client = client(directory.path(), json!({}));
    let mut preview = |kind: &str, argument: Value| {
        let command = format!("crd-ls.preview.{kind}");
        let answer =
            client.ask("workspace/executeCommand", json!({"command": command, "arguments": [argument]}));
        answer.as_str().unwrap().to_owned()
    };
    let stored = preview("stored", json!({"uri": bad}));
    assert!(
        stored.starts_with("# bad.yaml: example.com/v1 Widget one is rejected\n# error: spec.size: "),
        "{stored}"
    );
    assert_eq!(preview("stored", json!({"uri": crd})), "# This file has no custom resource.\n");
    for uri in [&crd, &bad] {
        let published = preview("openapi", json!({"uri": uri}));
        assert!(published.starts_with("# widgets.example.com v1: com.example.v1.Widget\n"), "{published}");
        assert!(preview("openapiV2", json!({"uri": uri})).contains("x-kubernetes-group-version-kind"));
        assert!(!preview("skeleton", json!({"uri": uri})).contains("minimum"));
        assert!(preview("sample", json!({"uri": uri})).contains("kind: Widget"));
    }
    let evaluated = preview("evaluation", json!({"uri": crd, "position": {"line": 18, "character": 90}}));
    assert!(evaluated.starts_with("self < 9\n\nexample.com/v1 Widget "), "{evaluated}");
    assert_eq!(evaluated.matches("rule 1 at spec.size: true").count(), 2, "{evaluated}");
    assert!(preview("evaluation", json!({"uri": bad})).contains("example.com/v1 Widget one"));
}

#[test]
fn kinds_and_addresses_are_links_and_defaults_can_be_written() {
    let directory = workspace();
    let bad = uri(&directory.path().join("samples/bad.yaml"));
    let mut client = client(
        directory.path(),
        json!({"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}}),
    );
    let links = client.ask("textDocument/documentLink", json!({"textDocument": {"uri": bad}}));
    assert!(links[0]["target"].as_str().unwrap().ends_with("crds/crd.yaml#L7"), "{links}");
    assert_eq!(links[0]["range"]["start"], json!({"line": 1, "character": 6}));
    client.open_as(&bad, "yaml", "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {}\n");
    let place = json!({"line": 3, "character": 2});
    let actions = client.ask(
        "textDocument/codeAction",
        json!({"textDocument": {"uri": bad}, "range": {"start": place, "end": place},
            "context": {"diagnostics": [], "only": ["refactor"]}}),
    );
    assert_eq!(actions[0]["title"], "Insert the default `size: 3`");
    assert_eq!(actions[0]["kind"], "refactor.rewrite");
    let text = &actions[0]["edit"]["changes"][&bad][0]["newText"];
    assert!(text.as_str().unwrap().contains("size: 3"), "{actions}");
}

#[test]
fn templates_and_patches_have_fewer_findings() {
    let directory = directory(&[
        (
            "crd.yaml",
            definition("{type: integer}")
                .replace(
                    "properties:\n              size",
                    "required: [other]\n            properties:\n              size",
                )
                .as_bytes(),
        ),
        ("kustomization.yaml", b"patches: [{path: one.yaml}]\n"),
        ("overlay/kustomization.yaml", b"patches: [{path: ../base/four.yaml}]\n"),
        ("base/four.yaml", widget("2").as_bytes()),
        ("one.yaml", widget("2").as_bytes()),
        ("two.yaml", widget("2").as_bytes()),
        ("three.yaml", widget("${SIZE:=2}").as_bytes()),
    ]);
    let codes = |file: &str| -> Vec<String> {
        let output = run(directory.path(), &["check", "--output", "json", "--crd", "crd.yaml", file]);
        let found = json_of(&output)["files"][0]["diagnostics"].clone();
        found.as_array().into_iter().flatten().map(|one| one["code"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(codes("one.yaml"), Vec::<String>::new());
    assert_eq!(codes("two.yaml"), ["resource/required"]);
    assert_eq!(codes("three.yaml"), ["resource/required"]);
    // A kustomization elsewhere applies if it was found: among the checked files, and in the folders of an editor.
    assert_eq!(codes("base/four.yaml"), ["resource/required"]);
    assert_eq!(codes("."), Vec::<String>::new(), "the first file is in base");
    let four = uri(&directory.path().join("base/four.yaml"));
    let mut client = start(directory.path(), json!({}));
    client.open_as(&four, "yaml", &widget("2"));
    client.wait_for("no finding", |message| {
        message["params"]["uri"] == four && message["params"]["diagnostics"] == json!([])
    });
    client.open_as(&four, "yaml", &widget("x"));
    let wrong = client.wait_for("a finding", |message| {
        message["params"]["uri"] == four && message["params"]["diagnostics"] != json!([])
    });
    let wrong = wrong["params"]["diagnostics"].as_array().unwrap();
    assert!(wrong.len() == 1 && wrong[0]["code"] == "resource/type", "{wrong:?}");
}

/// A part of a definition is a patch where something shows it, and a definition with errors elsewhere.
#[test]
fn parts_of_definitions_are_patches_if_the_project_shows_it() {
    let part =
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.c}\n";
    let marked = format!("# crd-ls: patch\n{part}");
    let merged = format!("{part}spec: {{$patch: merge}}\n");
    let directory = directory(&[
        ("kustomization.yaml", b"patches: [{path: named.yaml}]\n"),
        ("named.yaml", part.as_bytes()),
        ("patches/webhook_in_a.yaml", part.as_bytes()),
        ("a_patch.yaml", part.as_bytes()),
        ("marked.yaml", marked.as_bytes()),
        ("merged.yaml", merged.as_bytes()),
        ("other.yaml", part.as_bytes()),
    ]);
    let errors = |arguments: &[&str], input: &str| {
        let output = run_with(
            directory.path(),
            &[&["check", "--output", "json"], arguments].concat(),
            input.as_bytes(),
        );
        let found = json_of(&output)["files"][0]["diagnostics"].clone();
        let of_server = |one: &&Value| one.get("apiServer").is_some_and(Value::is_object);
        let all: Vec<Value> = found.as_array().cloned().unwrap_or_default();
        (
            all.iter().filter(of_server).count(),
            all.iter().filter(|one| one["code"] == "definition/partial").count(),
        )
    };
    for file in ["named.yaml", "patches/webhook_in_a.yaml", "a_patch.yaml", "marked.yaml", "merged.yaml"] {
        assert_eq!(errors(&[file], ""), (0, 0), "{file}");
    }
    assert_eq!(errors(&["other.yaml"], ""), (9, 1));
    assert_eq!(errors(&["-"], part), (9, 1));
    // A definition that a user begins to write has the server's error and one remark.
    let mut client = start(directory.path(), json!({}));
    client.open_as("untitled:Untitled-1", "yaml", part);
    let published = client.wait_for("findings", |message| {
        message["params"]["uri"] == "untitled:Untitled-1" && message["params"]["diagnostics"] != json!([])
    });
    let diagnostics = published["params"]["diagnostics"].as_array().unwrap();
    let codes: Vec<&str> = diagnostics.iter().map(|one| one["code"].as_str().unwrap()).collect();
    let remarks = codes.iter().filter(|code| **code == "definition/partial").count();
    assert!(codes.contains(&"spec/group-required") && remarks == 1, "{diagnostics:?}");
}

#[test]
fn a_rule_that_does_not_compile_is_a_hint_in_resources() {
    let rules = "{type: integer, x-kubernetes-validations: [{rule: self >}, {rule: self <}]}";
    let directory =
        directory(&[("crd.yaml", definition(rules).as_bytes()), ("cr.yaml", widget("2").as_bytes())]);
    let output = run(directory.path(), &["check", "--output", "json", "--crd", "crd.yaml", "cr.yaml"]);
    assert_eq!(status(&output), 0, "{}", stdout(&output));
    let found = &json_of(&output)["files"][0]["diagnostics"];
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&json!("resource/broken-rule"), &json!("hint")));
    assert_eq!(found[0]["range"]["start"], json!({"line": 1, "character": 0}));
}

/// Definitions, versions and resources by name: in open documents from their current texts, otherwise from files.
#[test]
fn symbols_of_the_workspace_are_found_by_name() {
    let folder = workspace();
    let root = folder.path();
    let mut client = client(root, json!({}));
    let mut names = |query: &str| -> Vec<(String, String, String)> {
        let answer = client.ask("workspace/symbol", json!({"query": query}));
        let symbols = answer.as_array().unwrap_or_else(|| panic!("{answer}")).clone();
        let text =
            |symbol: &Value, place: &str| symbol.pointer(place).and_then(Value::as_str).unwrap().to_owned();
        let file = |symbol: &Value| text(symbol, "/location/uri").rsplit('/').next().unwrap().to_owned();
        let found = symbols
            .iter()
            .map(|symbol| (text(symbol, "/name"), text(symbol, "/containerName"), file(symbol)));
        found.collect()
    };
    let of =
        |name: &str, container: &str, file: &str| (name.to_owned(), container.to_owned(), file.to_owned());
    let definition = of("Widget", "example.com", "crd.yaml");
    let version = of("Widget v1", "example.com", "crd.yaml");
    assert_eq!(names("widg")[..2], [definition.clone(), version.clone()]);
    assert_eq!(names("Widget v1")[0], version);
    assert!(names("").contains(&definition));
    let resource = of("j", "Widget.example.com", "other.json");
    assert!(names("j widget").contains(&resource));
    // Resources of an undefined kind are not listed.
    assert!(names("gadget").iter().all(|(.., file)| file != "unrelated.yaml"));
    assert_eq!(names("zzzz"), []);
}
