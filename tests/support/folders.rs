//! A client with open folders.

// Each test program uses a part of it.
#![allow(dead_code)]

use std::path::Path;

use serde_json::{Value, json};

use super::client::Client;
pub(crate) use super::client::uri;

/// A client with these open folders.
pub(crate) fn with_folders(folders: &[&Path], capabilities: Value) -> Client {
    in_folders(Client::start(), folders, capabilities, Value::Null)
}

/// The same, with a client that was already started, and with options of the server.
pub(crate) fn in_folders(
    mut client: Client,
    folders: &[&Path],
    capabilities: Value,
    options: Value,
) -> Client {
    let folders: Vec<Value> =
        folders.iter().map(|folder| json!({"uri": uri(folder), "name": "folder"})).collect();
    client.ask(
        "initialize",
        json!({
            "processId": null,
            "rootUri": null,
            "capabilities": capabilities,
            "workspaceFolders": folders,
            "initializationOptions": options,
        }),
    );
    client.notify("initialized", json!({}));
    client
}

/// Waits until the document has exactly these codes, and returns its diagnostics; drops earlier publications.
pub(crate) fn expect_codes(client: &mut Client, uri: &str, expected: &[&str]) -> Value {
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
