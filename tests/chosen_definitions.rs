//! The definition that validates a resource, and its alternatives, as an editor shows them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
    pub(crate) mod folders;
    pub(crate) mod program;
    pub(crate) mod widgets;
}

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::client::Client;
use support::folders::{expect_codes, uri, with_folders};
use support::program::directory;
use support::widgets::{definition, widget};

const INTEGER: &str = "{type: integer, minimum: 1}";
const STRING: &str = "{type: string}";

/// A client that has `folder` open, watches its files, and shows related information.
fn with_folder(folder: &Path) -> Client {
    let capabilities = json!({
        "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}},
        "textDocument": {"publishDiagnostics": {"relatedInformation": true}},
    });
    with_folders(&[folder], capabilities)
}

/// Opens a text, and waits for its findings.
fn open(client: &mut Client, path: &Path, text: &str, expected: &[&str]) -> Value {
    client.open_as(&uri(path), "yaml", text);
    expect_codes(client, &uri(path), expected)
}

fn hover(client: &mut Client, path: &Path, line: u32) -> String {
    let position = json!({"line": line, "character": 8});
    let answer =
        client.ask("textDocument/hover", json!({"textDocument": {"uri": uri(path)}, "position": position}));
    answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn settings_name_the_definitions_of_some_files() {
    let settings = "exclude = [\"released\"]\n[[overrides]]\npaths = [\"old/**\"]\ncrds = [\"released\"]\n";
    let root = directory(&[
        ("released/crd.yaml", definition(STRING).as_bytes()),
        (".crd-ls.toml", settings.as_bytes()),
        ("crds/crd.yaml", definition(INTEGER).as_bytes()),
    ]);
    let work = root.path();
    let (old, new) = (work.join("old/cr.yaml"), work.join("new/cr.yaml"));
    let mut client = with_folder(work);
    open(&mut client, &new, &widget("x"), &["resource/type"]);
    open(&mut client, &old, &widget("1"), &["resource/type"]);
    assert!(
        hover(&mut client, &old, 1).contains(
            "released/crd.yaml`, which takes precedence over one other definition (named for this file by `crds` in `[[overrides]]`)"
        ),
        "{}",
        hover(&mut client, &old, 1)
    );
    // Elsewhere the definition does not apply.
    let elsewhere = hover(&mut client, &new, 1);
    assert!(elsewhere.ends_with("Defined in `crds/crd.yaml`"), "{elsewhere}");
    // Without the setting, the workspace's own definition validates the resource.
    fs::write(work.join(".crd-ls.toml"), "exclude = [\"released\"]\n").unwrap();
    let changed = json!({"changes": [{"uri": uri(&work.join(".crd-ls.toml")), "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changed);
    expect_codes(&mut client, &uri(&old), &[]);
}

#[test]
fn a_hover_states_which_definition_is_used_and_why() {
    let root = directory(&[
        ("config/crd/crd.yaml", definition(INTEGER).as_bytes()),
        ("releases/1.0/crd.yaml", definition(STRING).as_bytes()),
    ]);
    let cr = root.path().join("samples/cr.yaml");
    let mut client = with_folder(root.path());
    let found = open(&mut client, &cr, &widget("x"), &["resource/type"]);
    let place = &found[0]["relatedInformation"][0]["location"]["uri"];
    assert_eq!(*place, json!(uri(&root.path().join("config/crd/crd.yaml"))));
    let text = hover(&mut client, &cr, 1);
    let expected = "Defined in `config/crd/crd.yaml`, which takes precedence over one other definition \
                (its directory or generator ranks higher)";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_definition_has_a_hint_about_its_rivals() {
    let root = directory(&[
        ("config/crd/crd.yaml", definition(INTEGER).as_bytes()),
        ("releases/1.0/crd.yaml", definition(STRING).as_bytes()),
    ]);
    let (shipped, released) =
        (root.path().join("config/crd/crd.yaml"), root.path().join("releases/1.0/crd.yaml"));
    let mut client = with_folder(root.path());
    // Each of them has the finding, regardless of which takes precedence.
    for (path, text, other) in [
        (&shipped, definition(INTEGER), "releases/1.0/crd.yaml"),
        (&released, definition(STRING), "config/crd/crd.yaml"),
    ] {
        let found = open(&mut client, path, &text, &["resource/rival-definitions"]);
        let hint = 4;
        assert_eq!(found[0]["severity"], hint);
        let message = found[0]["message"].as_str().unwrap();
        assert!(message.contains(&format!("is defined differently in {other}")), "{message}");
        let place = &found[0]["relatedInformation"][0]["location"]["uri"];
        assert_eq!(*place, json!(uri(&root.path().join(other))));
    }
    // An edit that makes them equal removes the finding.
    let uri = uri(&shipped);
    let change =
        json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": definition(STRING)}]});
    client.notify("textDocument/didChange", change);
    expect_codes(&mut client, &uri, &[]);
}

#[test]
fn items_of_a_list_are_validated_by_a_definition_in_the_same_list() {
    let indented = |text: &str| text.lines().map(|line| format!("  {line}\n")).collect::<String>();
    let item = |text: &str| indented(text).replacen("  ", "- ", 1);
    let list = |size: &str| {
        let items = item(&definition(INTEGER)) + &item(&widget(size));
        format!("apiVersion: v1\nkind: List\nitems:\n{items}")
    };
    let root = directory(&[]);
    let mut client = with_folder(root.path());
    let path = root.path().join("all.yaml");
    let found = open(&mut client, &path, &list("x"), &["resource/type"]);
    assert_eq!(
        found[0]["message"],
        "`size` cannot be a string; write an integer\nkube-apiserver: spec.size: Invalid value: \"string\": spec.size in body must be of type integer: \"string\""
    );
    let uri = uri(&path);
    // The definition in it is edited.
    let other = list("x").replace(INTEGER, STRING);
    let change = json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": other}]});
    client.notify("textDocument/didChange", change);
    expect_codes(&mut client, &uri, &[]);
}

#[test]
fn items_of_a_list_of_one_kind_are_validated() {
    let root = directory(&[("crd.yaml", definition(INTEGER).as_bytes())]);
    let mut client = with_folder(root.path());
    let list = "apiVersion: example.com/v1\nkind: WidgetList\nitems:\n- apiVersion: example.com/v1\n  kind: Widget\n  \
                metadata: {name: a}\n  spec:\n    size: 0\n";
    let found = open(&mut client, &root.path().join("list.yaml"), list, &["resource/bounds"]);
    assert_eq!(found[0]["range"]["start"], json!({"line": 7, "character": 10}));
}
