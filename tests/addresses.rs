//! Files have one path, but clients write their addresses differently; on the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
    pub(crate) mod go_module;
    pub(crate) mod program;
    pub(crate) mod widgets;
    pub(crate) mod widgets_in_go;
}

use std::path::Path;

use serde_json::{Value, json};
use support::client::Client;
use support::go_module;
use support::program::directory;
use support::widgets::{definition, widget};
use support::widgets_in_go;

/// The address of a file as this server never writes it: `@` is not encoded, and a drive is in lower case.
fn address(path: &Path) -> String {
    let path = path.to_str().unwrap().replace('\\', "/");
    match path.split_once(':') {
        Some((drive, rest)) => format!("file:///{}%3A{rest}", drive.to_lowercase()),
        None => format!("file://{path}"),
    }
}

fn start(root: &Path) -> Client {
    let mut client = Client::start_with("GOMODCACHE", &root.join("none"));
    client.ask(
        "initialize",
        json!({"processId": null, "rootUri": null, "capabilities": {},
            "workspaceFolders": [{"uri": address(root), "name": "folder"}]}),
    );
    client.notify("initialized", json!({}));
    client
}

/// The codes of the findings on a resource, once it has any.
fn findings(client: &mut Client, uri: &str) -> Vec<Value> {
    let published = client.wait_for("findings", |message| {
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"]["uri"] == uri
            && message["params"]["diagnostics"] != json!([])
    });
    let diagnostics = published["params"]["diagnostics"].as_array().unwrap().clone();
    diagnostics.into_iter().map(|one| one["code"].clone()).collect()
}

#[test]
fn an_open_definition_replaces_its_file() {
    let files = directory(&[
        ("team@work/crd.yaml", definition("{type: integer}").as_bytes()),
        ("team@work/widget.yaml", widget("2").as_bytes()),
    ]);
    let root = files.path().join("team@work");
    let mut client = start(&root);
    let (crd, resource) = (address(&root.join("crd.yaml")), address(&root.join("widget.yaml")));
    client.open_as(&resource, "yaml", &widget("2"));
    client.open_as(&crd, "yaml", &definition("{type: string}"));
    assert_eq!(findings(&mut client, &resource), ["resource/type"]);
    let kinds = client.ask("workspace/symbol", json!({"query": "Widget"}));
    let kinds: Vec<&Value> = kinds.as_array().unwrap().iter().filter(|one| one["name"] == "Widget").collect();
    assert_eq!(kinds.len(), 1, "{kinds:?}");
}

#[test]
fn the_references_in_an_open_go_file_are_highlighted() {
    let files = directory(&[]);
    let root = files.path().join("team@work");
    widgets_in_go::write_module(&root);
    let mut client = start(&root);
    let types = address(&root.join(widgets_in_go::FILE));
    client.open_as(&types, "go", widgets_in_go::TYPES);
    client.diagnostics(&types, 1);
    let field = json!({"textDocument": {"uri": types}, "position": {"line": 19, "character": 20}});
    let highlights = client.ask("textDocument/documentHighlight", field);
    assert_eq!(highlights.as_array().map(Vec::len), Some(2), "{highlights}");
}

#[test]
fn another_version_of_a_file_does_not_replace_it() {
    let files = directory(&[
        ("crd.yaml", definition("{type: integer}").as_bytes()),
        ("widget.yaml", widget("many").as_bytes()),
    ]);
    let mut client = start(files.path());
    let committed =
        format!("git:{}?HEAD", address(&files.path().join("crd.yaml")).trim_start_matches("file://"));
    client.open_as(&committed, "yaml", &definition("{type: string}"));
    client.diagnostics(&committed, 1);
    let resource = address(&files.path().join("widget.yaml"));
    client.open_as(&resource, "yaml", &widget("many"));
    assert_eq!(findings(&mut client, &resource), ["resource/type"]);
    let kinds = client.ask("workspace/symbol", json!({"query": "Widget"}));
    let kinds = kinds.as_array().unwrap().iter().filter(|one| one["name"] == "Widget");
    let uris: Vec<&str> = kinds.map(|one| one["location"]["uri"].as_str().unwrap()).collect();
    assert!(uris.iter().all(|uri| uri.starts_with("file:")), "{uris:?}");
}
