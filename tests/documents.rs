//! Texts, diagnostics and settings of open documents, on the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
}

use serde_json::{Value, json};
use support::client::{Client, URI, change, did_change, document};

const TOO_LARGE: usize = 32 * 1024 * 1024 + 1;

fn with_encoding(encoding: &str) -> Client {
    let (client, result) = Client::initialized(json!({"general": {"positionEncodings": [encoding]}}));
    assert_eq!(result["capabilities"]["positionEncoding"], encoding);
    client
}

#[test]
fn positions_count_in_the_negotiated_encoding() {
    // The `x` follows a BOM, a letter of two bytes, a character outside the Basic Multilingual Plane, and a
    // combining pair.
    let text = "\u{feff}key: ä😀e\u{301} x\n";
    for (encoding, character) in [("utf-8", 18), ("utf-16", 12), ("utf-32", 11)] {
        let mut client = with_encoding(encoding);
        client.open("yaml", text);
        client.send(&[did_change(2, json!([change((0, character), (0, character + 1), "y")]))]);
        assert_eq!(client.text(), text.replace('x', "y"), "{encoding}");
    }
}

#[test]
fn a_position_inside_a_character_is_its_start() {
    for (encoding, character) in [("utf-8", 4), ("utf-16", 2)] {
        let mut client = with_encoding(encoding);
        client.open("yaml", "a😀b");
        client.send(&[did_change(2, json!([change((0, character), (0, character), "|")]))]);
        assert_eq!(client.text(), "a|😀b", "{encoding}");
    }
}

#[test]
fn lines_end_with_lf_crlf_or_cr_and_are_kept() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", "a: 1\r\nb: 2\rc: 3\nd: 4");
    let changes = json!([
        change((0, 3), (0, 4), "one"),
        change((1, 3), (1, 4), "two"),
        change((2, 3), (2, 4), "three"),
        change((3, 3), (3, 4), "four"),
        // A position past the end of a line is its end, one past the last line is the end of the text.
        change((0, 99), (0, 99), "!"),
        change((9, 9), (9, 9), "\r\n"),
    ]);
    client.send(&[did_change(2, changes)]);
    assert_eq!(client.text(), "a: one!\r\nb: two\rc: three\nd: four\r\n");
}

#[test]
fn a_change_that_cannot_be_applied_does_not_affect_the_others() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", "a: b\n");
    let elsewhere = json!({"uri": "file:///other.yaml", "version": 2});
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": elsewhere, "contentChanges": [{"text": "lost"}]}),
    );
    client.receive("window/logMessage");
    client.send(&[did_change(2, json!([change((0, 3), (0, 1), "!"), change((0, 3), (0, 4), "c")]))]);
    client.receive("window/logMessage");
    assert_eq!(client.text(), "a: c\n");
}

#[test]
fn diagnostics_name_their_version_and_are_cleared_with_the_document() {
    let (mut client, result) = Client::initialized(json!({"textDocument": {"diagnostic": {}}}));
    assert_eq!(result["capabilities"].get("diagnosticProvider"), None);
    client.open("yaml", "a: b\n");
    let published = client.receive("textDocument/publishDiagnostics");
    assert_eq!(published["params"], json!({"uri": URI, "version": 1, "diagnostics": []}));
    client.send(&[did_change(5, json!([{"text": "a: c\n"}]))]);
    assert_eq!(client.receive("textDocument/publishDiagnostics")["params"]["version"], 5);
    client.notify("textDocument/didClose", document());
    let cleared = client.receive("textDocument/publishDiagnostics");
    assert_eq!(cleared["params"], json!({"uri": URI, "diagnostics": []}));
}

#[test]
fn a_client_that_supports_a_refresh_pulls() {
    let (mut client, result) = Client::initialized(json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": true}},
    }));
    assert!(result["capabilities"].get("diagnosticProvider").is_some());
    client.open("yaml", "a: b\n");
    let report = client.ask("textDocument/diagnostic", document());
    assert_eq!((&report["kind"], &report["items"]), (&json!("full"), &json!([])));
    let with_result = json!({"textDocument": {"uri": URI}, "previousResultId": report["resultId"]});
    assert_eq!(client.ask("textDocument/diagnostic", with_result.clone())["kind"], "unchanged");
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"kubernetesVersion": "1.30"}}));
    client.receive("workspace/diagnostic/refresh");
    assert_eq!(client.ask("textDocument/diagnostic", with_result)["kind"], "full");
    assert_eq!(client.so_far("textDocument/publishDiagnostics"), Vec::<Value>::new());
}

#[test]
fn the_effective_version_can_be_requested() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", "a: b\n");
    assert_eq!(client.ask("crd-ls/kubernetesVersion", document()), "1.37");
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"kubernetesVersion": "1.30"}}));
    assert_eq!(client.ask("crd-ls/kubernetesVersion", document()), "1.30");
}

#[test]
fn unchecked_resources_can_be_requested() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", "apiVersion: example.com/v1\nkind: Widget\n---\nreplicas: 1\n");
    assert_eq!(
        client.ask("crd-ls/notJudged", document()),
        json!([{
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 12}},
            "apiVersion": "example.com/v1",
            "kind": "Widget",
            "reason": "no-definition",
        }])
    );
    let on_kind = json!({"textDocument": {"uri": URI}, "position": {"line": 1, "character": 7}});
    let shown = client.ask("textDocument/hover", on_kind)["contents"]["value"].clone();
    assert!(shown.as_str().unwrap().starts_with("The object is not checked: "), "{shown}");
}

#[test]
fn an_editor_can_leave_syntax_errors_to_another_server() {
    let (mut client, _) = Client::initialized(json!({}));
    // The missing fields of a patch do not matter here.
    let text =
        "# crd-ls: patch\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: [\n";
    client.open("yaml", text);
    let count = |published: &Value| published["params"]["diagnostics"].as_array().unwrap().len();
    assert_eq!(count(&client.receive("textDocument/publishDiagnostics")), 1);
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"syntaxErrors": false}}));
    assert_eq!(count(&client.receive("textDocument/publishDiagnostics")), 0);
}

#[test]
fn documents_of_other_languages_get_no_diagnostics() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("markdown", "# a\n");
    assert_eq!(client.ask("textDocument/documentSymbol", document()), json!([]));
    assert_eq!(client.text(), "# a\n");
    assert_eq!(client.so_far("textDocument/publishDiagnostics"), Vec::<Value>::new());
}

#[test]
fn a_text_that_is_too_large_has_one_finding_until_it_shrinks() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", &"#".repeat(TOO_LARGE));
    let published = client.receive("textDocument/publishDiagnostics");
    let diagnostics = published["params"]["diagnostics"].as_array().unwrap();
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0]["code"], "file/too-large");
    assert_eq!(diagnostics[0]["source"], "crd-ls");
    client.send(&[did_change(2, json!([change((0, 0), (0, 1), "")]))]);
    let published = client.receive("textDocument/publishDiagnostics");
    assert_eq!(published["params"], json!({"uri": URI, "version": 2, "diagnostics": []}));
}

#[test]
fn an_invalid_setting_is_reported_once() {
    let (mut client, _) = Client::initialized(json!({}));
    for _ in 0..2 {
        let settings = json!({"settings": {"crd-ls": {"kubernetesVersion": "2.0"}}});
        client.notify("workspace/didChangeConfiguration", settings);
    }
    client.open("yaml", "");
    client.receive("textDocument/publishDiagnostics");
    let shown = client.receive("window/showMessage");
    assert!(shown["params"]["message"].as_str().unwrap().contains("2.0"), "{shown}");
    assert_eq!(client.so_far("window/showMessage"), Vec::<Value>::new());
}

#[test]
fn the_server_requests_settings_and_uses_the_answer() {
    let (mut client, _) = Client::initialized(json!({
        "workspace": {"configuration": true, "didChangeConfiguration": {"dynamicRegistration": true}},
    }));
    client.receive("client/registerCapability");
    let request = client.receive("workspace/configuration");
    assert_eq!(request["params"], json!({"items": [{"section": "crd-ls"}]}));
    let answer = json!([{"kubernetesVersion": "soon"}]);
    client.send(&[json!({"jsonrpc": "2.0", "id": request["id"], "result": answer})]);
    let shown = client.receive("window/showMessage");
    assert!(shown["params"]["message"].as_str().unwrap().contains("soon"), "{shown}");
}

#[test]
fn every_request_is_answered_for_an_empty_and_a_closed_document() {
    let (mut client, _) = Client::initialized(json!({
        "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
    }));
    let place = json!({"line": 0, "character": 0});
    let params = json!({
        "textDocument": {"uri": URI}, "position": place, "range": {"start": place, "end": place},
        "context": {"diagnostics": []},
    });
    let methods = ["hover", "documentSymbol", "foldingRange", "codeAction"];
    client.open("yaml", "");
    let open: Vec<Value> =
        methods.iter().map(|method| client.ask(&format!("textDocument/{method}"), params.clone())).collect();
    assert_eq!(open, [json!(null), json!([]), json!([]), json!([])]);
    client.notify("textDocument/didClose", document());
    for method in methods {
        assert_eq!(client.ask(&format!("textDocument/{method}"), params.clone()), Value::Null, "{method}");
    }
}
