//! Which definition judges a resource, and what else there is to judge it by, as an editor shows it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
    pub(crate) mod program;
    pub(crate) mod widgets;
}

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::client::Client;
use support::program::directory;
use support::widgets::{definition, widget};

const INTEGER: &str = "{type: integer, minimum: 1}";
const STRING: &str = "{type: string}";

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// A client that has `folder` open and tells of changed files.
fn with_folder(folder: &Path) -> Client {
    let mut client = Client::start();
    let capabilities = json!({
        "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}},
        "textDocument": {"publishDiagnostics": {"relatedInformation": true}},
    });
    let folders = json!([{"uri": uri(folder), "name": "folder"}]);
    client.ask(
        "initialize",
        json!({"processId": null, "rootUri": null, "capabilities": capabilities, "workspaceFolders": folders}),
    );
    client.notify("initialized", json!({}));
    client
}

/// Waits until the document has just these codes; what is published before that is over.
fn expect_codes(client: &mut Client, uri: &str, expected: &[&str]) -> Value {
    loop {
        let published = client.wait_for(&format!("{expected:?} in {uri}"), |message| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri
        });
        let diagnostics = published["params"]["diagnostics"].clone();
        if diagnostics.as_array().unwrap().iter().map(|one| &one["code"]).eq(expected.iter()) {
            return diagnostics;
        }
    }
}

/// Opens a text that is no file, and waits for its findings.
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
            "released/crd.yaml`, chosen before one other definition: named for this file by `crds` in `[[overrides]]`"
        ),
        "{}",
        hover(&mut client, &old, 1)
    );
    // Elsewhere nobody knows it.
    let elsewhere = hover(&mut client, &new, 1);
    assert!(elsewhere.ends_with("Defined in `crds/crd.yaml`"), "{elsewhere}");
    // Without the setting the workspace's own judges.
    fs::write(work.join(".crd-ls.toml"), "exclude = [\"released\"]\n").unwrap();
    let changed = json!({"changes": [{"uri": uri(&work.join(".crd-ls.toml")), "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changed);
    expect_codes(&mut client, &uri(&old), &[]);
}
