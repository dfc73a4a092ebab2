//! Editing custom resources, on the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support {
    pub(crate) mod client;
    pub(crate) mod program;
    pub(crate) mod widgets;
}

use serde_json::{Value, json};
use support::client::{Client, uri};
use support::program::directory;
use support::widgets::{definition, widget};

const SIZE: &str = "{type: integer, description: How large., enum: [1, 2]}";

/// Waits until the resource at `uri` is validated, so that its definition is known.
fn expect_finding(client: &mut Client, uri: &str) -> Value {
    let published = client.wait_for("a finding", |message| {
        let diagnostics = message["params"]["diagnostics"].as_array();
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"]["uri"] == uri
            && diagnostics.is_some_and(|all| !all.is_empty())
    });
    published["params"]["diagnostics"].clone()
}

fn position(uri: &str, line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}

#[test]
fn resources_have_hovers_completions_and_links_to_their_definition() {
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

    let hover = client.ask("textDocument/hover", position(&cr, 4, 3));
    let shown_text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        shown_text.starts_with("**`spec.size`**: `integer`") && shown_text.contains("How large."),
        "{shown_text}"
    );

    let values = client.ask("textDocument/completion", position(&cr, 4, 8));
    let edits: Vec<_> = values.as_array().unwrap().iter().map(|one| &one["textEdit"]["newText"]).collect();
    assert_eq!(edits, ["1", "2"]);
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": cr, "version": 2}, "contentChanges": [{
            "range": {"start": {"line": 4, "character": 0}, "end": {"line": 5, "character": 0}}, "text": "  \n"
        }]}),
    );
    let keys = client.ask("textDocument/completion", position(&cr, 4, 2));
    assert_eq!(keys[0]["textEdit"]["newText"], "size: ${1:1}");
    assert_eq!(keys[0]["insertTextFormat"], 2);

    client.open_as(&cr, "yaml", &widget("1"));
    let definition = client.ask("textDocument/definition", position(&cr, 4, 3));
    assert_eq!((&definition["uri"], &definition["range"]["start"]["line"]), (&json!(crd), &json!(18)));

    let references = |client: &mut Client, uri: &str, line, character| {
        let mut params = position(uri, line, character);
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
    assert_eq!(references(&mut client, &crd, 18, 15), expected);
    // The same from each of these places, and from a column.
    let column =
        "    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]\n    schema:\n";
    client.open_as(&crd, "yaml", &crate::definition(SIZE).replacen("    schema:\n", column, 1));
    let file = |name: &str, line| (name.to_owned(), line);
    let expected = [file("cr.yaml", 4), file("crd.yaml", 11), file("crd.yaml", 19), file("other.yaml", 4)];
    for (uri, line, character) in [(&crd, 19, 15), (&crd, 11, 75), (&cr, 4, 3)] {
        assert_eq!(references(&mut client, uri, line, character), expected, "{uri}:{line}");
    }
}

/// A client with these capabilities and options, which has `text` open.
fn editor(capabilities: &Value, options: &Value, uri: &str, text: &str) -> (Client, Value) {
    let mut client = Client::start();
    let answer = client.ask(
        "initialize",
        json!({"processId": null, "rootUri": null, "capabilities": capabilities,
            "initializationOptions": options}),
    );
    client.notify("initialized", json!({}));
    client.open_as(uri, "yaml", text);
    (client, answer["capabilities"].clone())
}

const URI: &str = "file:///crd.yaml";

fn open_definition(rest: &str) -> String {
    let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n";
    format!("{head}{rest}")
}

#[test]
fn enter_indents_the_cursor_for_the_next_key() {
    let text = open_definition("  names:\r\n    singular: \"😀\" \r\n    categories:\r\n    \r\n");
    let (mut client, offered) = editor(&json!({}), &json!({}), URI, &text);
    assert_eq!(offered["documentOnTypeFormattingProvider"], json!({"firstTriggerCharacter": "\n"}));
    let mut params = position(URI, 6, 4);
    params["ch"] = json!("\n");
    params["options"] = json!({"tabSize": 2, "insertSpaces": true});
    // Nothing in the text shows how lists are indented: they start in the column of their key.
    assert_eq!(client.ask("textDocument/onTypeFormatting", params.clone()), Value::Null);
    client.open_as(URI, "yaml", &open_definition("  names:\n  \n"));
    params["position"] = json!({"line": 4, "character": 2});
    let edits = client.ask("textDocument/onTypeFormatting", params.clone());
    let range = json!({"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 2}});
    assert_eq!(edits, json!([{"range": range, "newText": "    "}]));
    params["ch"] = json!("}");
    assert_eq!(client.ask("textDocument/onTypeFormatting", params), Value::Null);
}

#[test]
fn formatting_is_offered_unless_another_tool_formats() {
    let text = open_definition("  group:   example.com  \n  scope:   Cluster\n");
    let options = json!({"tabSize": 2, "insertSpaces": true});
    let (mut client, offered) = editor(&json!({}), &json!({}), URI, &text);
    assert_eq!(
        (&offered["documentFormattingProvider"], &offered["documentRangeFormattingProvider"]),
        (&json!(true), &json!(true))
    );
    let whole = json!({"textDocument": {"uri": URI}, "options": options});
    assert_eq!(client.ask("textDocument/formatting", whole).as_array().unwrap().len(), 3);
    let line = json!({"start": {"line": 4, "character": 0}, "end": {"line": 5, "character": 0}});
    let part = json!({"textDocument": {"uri": URI}, "options": options, "range": line});
    let edits = client.ask("textDocument/rangeFormatting", part);
    assert_eq!((edits.as_array().unwrap().len(), &edits[0]["newText"]), (1, &json!(" ")));
    let (_, offered) = editor(&json!({}), &json!({"format": false}), URI, &text);
    assert!(offered["documentFormattingProvider"].is_null());
    // A client with dynamic registration gets a formatter for YAML only.
    let registers = json!({"textDocument": {"formatting": {"dynamicRegistration": true}}});
    let (mut client, offered) = editor(&registers, &json!({}), URI, &text);
    assert!(offered["documentFormattingProvider"].is_null());
    client.wait_for("a registration", |message| {
        let first = &message["params"]["registrations"][0];
        first["method"] == "textDocument/formatting"
            && first["registerOptions"]["documentSelector"] == json!([{"language": "yaml"}])
    });
}

#[test]
fn a_proposal_triggers_the_next_moves_its_line_and_is_filtered_by_its_kind() {
    let capabilities = json!({
        "textDocument": {"completion": {"completionItem": {"snippetSupport": true, "labelDetailsSupport": true}}},
        "experimental": {"commands": {"commands": ["editor.action.triggerSuggest"]}},
    });
    let (mut client, _) = editor(&capabilities, &json!({}), URI, "Cust");
    let kinds = client.ask("textDocument/completion", position(URI, 0, 4));
    let first = &kinds[0];
    assert_eq!((&first["label"], &first["filterText"]), (&json!("CustomResourceDefinition"), &Value::Null));
    assert_eq!(first["labelDetails"]["description"], "apiextensions.k8s.io/v1");

    // In the wrong column: the key belongs below `names`.
    client.open_as(URI, "yaml", &open_definition("  names:\n  plu\n"));
    let names = client.ask("textDocument/completion", position(URI, 4, 5));
    let plural = names.as_array().unwrap().iter().find(|one| one["label"] == "plural").unwrap();
    assert_eq!(plural["additionalTextEdits"][0]["newText"], "    ");
    assert_eq!(plural["textEdit"]["range"]["start"], json!({"line": 4, "character": 2}));

    let schema = "  versions:\n  - schema:\n      openAPIV3Schema:\n        ty\n";
    client.open_as(URI, "yaml", &open_definition(schema));
    let keywords = client.ask("textDocument/completion", position(URI, 6, 10));
    assert_eq!(
        (&keywords[0]["label"], &keywords[0]["command"]["command"]),
        (&json!("type"), &json!("editor.action.triggerSuggest"))
    );

    let (mut client, _) = editor(&json!({}), &json!({}), URI, &open_definition(schema));
    let keywords = client.ask("textDocument/completion", position(URI, 6, 10));
    assert!(keywords[0]["command"].is_null(), "the client has no such command");
}
