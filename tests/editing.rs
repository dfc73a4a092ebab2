//! Editing custom resources, on the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support {
    pub(crate) mod client;
    pub(crate) mod program;
    pub(crate) mod widgets;
}

use std::path::Path;

use serde_json::{Value, json};
use support::client::Client;
use support::program::directory;
use support::widgets::{definition, widget};

const SIZE: &str = "{type: integer, description: How large., enum: [1, 2]}";

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Waits until the resource at `uri` is judged, so that its definition is known.
fn expect_finding(client: &mut Client, uri: &str) -> Value {
    let published = client.wait_for("a finding", |message| {
        let diagnostics = message["params"]["diagnostics"].as_array();
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"]["uri"] == uri
            && diagnostics.is_some_and(|all| !all.is_empty())
    });
    published["params"]["diagnostics"].clone()
}

fn at(uri: &str, line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}

#[test]
fn a_resource_is_explained_completed_and_linked_with_its_definition() {
    let directory = directory(&[
        ("crds/crd.yaml", definition(SIZE).as_bytes()),
        ("samples/other.yaml", widget("2").as_bytes()),
        ("samples/unrelated.yaml", widget("2").replace("Widget", "Gadget").as_bytes()),
    ]);
    let root = directory.path();
    let (cr, crd) = (uri(&root.join("samples/cr.yaml")), uri(&root.join("crds/crd.yaml")));
    let mut client = Client::start();
    let capabilities = json!({"textDocument": {
        "completion": {"completionItem": {"snippetSupport": true}}, "hover": {"contentFormat": ["markdown"]}
    }});
    client.ask(
        "initialize",
        json!({"processId": null, "rootUri": null, "capabilities": capabilities,
            "workspaceFolders": [{"uri": uri(root), "name": "folder"}]}),
    );
    client.notify("initialized", json!({}));
    client.open_as(&cr, "yaml", &widget("7"));
    expect_finding(&mut client, &cr);

    let hover = client.ask("textDocument/hover", at(&cr, 4, 3));
    let said = hover["contents"]["value"].as_str().unwrap();
    assert!(said.starts_with("**`spec.size`**: `integer`") && said.contains("How large."), "{said}");

    let values = client.ask("textDocument/completion", at(&cr, 4, 8));
    let edits: Vec<_> = values.as_array().unwrap().iter().map(|one| &one["textEdit"]["newText"]).collect();
    assert_eq!(edits, ["1", "2"]);
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": cr, "version": 2}, "contentChanges": [{
            "range": {"start": {"line": 4, "character": 0}, "end": {"line": 5, "character": 0}}, "text": "  \n"
        }]}),
    );
    let keys = client.ask("textDocument/completion", at(&cr, 4, 2));
    assert_eq!(keys[0]["textEdit"]["newText"], "size: ${1:1}");
    assert_eq!(keys[0]["insertTextFormat"], 2);

    client.open_as(&cr, "yaml", &widget("1"));
    let definition = client.ask("textDocument/definition", at(&cr, 4, 3));
    assert_eq!((&definition["uri"], &definition["range"]["start"]["line"]), (&json!(crd), &json!(18)));

    let references = |client: &mut Client, uri: &str, line, character| {
        let mut params = at(uri, line, character);
        params["context"] = json!({"includeDeclaration": true});
        let found = client.ask("textDocument/references", params);
        let place = |one: &Value| {
            let name = one["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            (name, one["range"]["start"]["line"].as_u64().unwrap())
        };
        let mut found: Vec<_> = found.as_array().unwrap().iter().map(place).collect();
        found.sort();
        found
    };
    let expected = [("cr.yaml".to_owned(), 4), ("crd.yaml".to_owned(), 18), ("other.yaml".to_owned(), 4)];
    assert_eq!(references(&mut client, &cr, 4, 3), expected);
    client.open_as(&crd, "yaml", &crate::definition(SIZE));
    assert_eq!(references(&mut client, &crd, 18, 15)[..], [expected[0].clone(), expected[2].clone()]);
}
