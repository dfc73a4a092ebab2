//! The rules of the protocol layer, on the real program: order, cancelling, staleness, no waiting for the
//! client, a prompt end. A test beside the code checks that a panic is answered as an internal error.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
}

use std::io::Write;
use std::time::Duration;

use serde_json::{Value, json};
use support::client::{
    Client, URI, change, did_change, document, exit_status, framed, notification, spawn, start_of_document,
};

const REQUEST_CANCELLED: i64 = -32800;
const CONTENT_MODIFIED: i64 = -32801;
const PROMPTLY: Duration = Duration::from_secs(1);

/// Asserts that the answer is the right one, or the error that the text has changed meanwhile.
fn assert_right_or_stale(answer: &Value, right: &Value) {
    let code = &answer["error"]["code"];
    assert!(answer.get("result") == Some(right) || *code == CONTENT_MODIFIED, "{answer}");
}

#[test]
fn changes_apply_in_wire_order_with_concurrent_requests() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", "");
    let mut text = String::new();
    let mut expected = Vec::new();
    let mut hovers = Vec::new();
    for version in 2..=2001 {
        let piece = format!("{version},");
        let end = text.len() as u32;
        let mut messages = vec![did_change(version, json!([change((0, end), (0, end), &piece)]))];
        text.push_str(&piece);
        if version % 10 == 0 {
            let (id, request) = client.request("crd-ls/documentText", document());
            messages.push(request);
            expected.push((id, text.clone()));
        }
        if version % 7 == 0 {
            let (id, request) = client.request("textDocument/hover", start_of_document());
            messages.push(request);
            hovers.push(id);
        }
        client.send(&messages);
    }
    for (id, text) in expected {
        assert_eq!(client.answer(id)["result"], text);
    }
    for id in hovers {
        assert_right_or_stale(&client.answer(id), &Value::Null);
    }
    assert_eq!(client.text(), text);
    client.wait_for("diagnostics of the last version", |message| message["params"]["version"] == 2001);
}

#[test]
fn a_cancelled_request_is_answered_as_cancelled() {
    let (mut client, _) = Client::initialized(json!({}));
    let text = "# a comment\n".repeat(1_000_000);
    client.open("yaml", &text);
    // Waits for the analysis, which takes longer than the next message.
    let (id, request) = client.request("textDocument/documentSymbol", document());
    client.send(&[request, notification("$/cancelRequest", json!({"id": id}))]);
    assert_eq!(client.answer(id)["error"]["code"], REQUEST_CANCELLED);
    // A request that is not running is not cancelled, and an ID can be used again.
    client.notify("$/cancelRequest", json!({"id": 12345}));
    client.notify("$/cancelRequest", json!({}));
    let again = json!({"jsonrpc": "2.0", "id": id, "method": "crd-ls/documentText", "params": document()});
    client.send(&[again]);
    assert_eq!(client.answer(id)["result"], text);
}

#[test]
fn a_request_is_answered_for_the_text_at_its_place_in_the_stream() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", "one");
    let (hover, hover_request) = client.request("textDocument/hover", start_of_document());
    let (early, early_request) = client.request("crd-ls/documentText", document());
    let (late, late_request) = client.request("crd-ls/documentText", document());
    client.send(&[
        did_change(2, json!([change((0, 0), (0, 3), "two")])),
        hover_request,
        early_request,
        did_change(3, json!([{"text": "three"}])),
        late_request,
    ]);
    assert_eq!(client.answer(early)["result"], "two");
    assert_eq!(client.answer(late)["result"], "three");
    assert_right_or_stale(&client.answer(hover), &Value::Null);
}

#[test]
fn requests_to_the_client_hold_up_nothing() {
    let (mut client, _) = Client::initialized(json!({"workspace": {"configuration": true}}));
    client.open("yaml", "");
    for _ in 0..4 {
        client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    }
    for _ in 0..5 {
        client.receive("workspace/configuration");
    }
    // None of them is ever answered.
    for version in 2..=201 {
        client.send(&[did_change(version, json!([change((0, 0), (0, 0), "x")]))]);
    }
    assert_eq!(client.text(), "x".repeat(200));
}

#[test]
fn a_slow_reader_holds_up_nothing_for_ever() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", &"x".repeat(1_000_000));
    let ids: Vec<i64> = (0..300)
        .map(|_| {
            let (id, request) = client.request("crd-ls/documentText", document());
            client.send(&[request]);
            id
        })
        .collect();
    for id in ids {
        assert_eq!(client.answer(id)["result"].as_str().unwrap().len(), 1_000_000);
    }
}

#[test]
fn exit_ends_the_process_with_stdin_open() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", "a: b\n");
    client.ask("shutdown", Value::Null);
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_status(PROMPTLY), Some(0));
}

#[test]
fn exit_without_shutdown_is_a_failure() {
    let (mut client, _) = Client::initialized(json!({}));
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_status(PROMPTLY), Some(1));
}

#[test]
fn exit_before_initialize_is_a_failure_too() {
    let mut client = Client::start();
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_status(PROMPTLY), Some(1));
}

#[test]
fn the_end_of_stdin_ends_the_process() {
    let (mut client, _) = Client::initialized(json!({}));
    client.close_stdin();
    assert_eq!(client.exit_status(PROMPTLY), Some(1));

    let (mut client, _) = Client::initialized(json!({}));
    client.ask("shutdown", Value::Null);
    client.close_stdin();
    assert_eq!(client.exit_status(PROMPTLY), Some(0));
}

#[test]
fn exit_ends_the_process_even_if_no_answer_is_read() {
    let mut child = spawn();
    let mut stdin = child.stdin.take().unwrap();
    let request = |id: i32, method: &str, params: Value| {
        framed(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    };
    let open = json!({"uri": URI, "languageId": "yaml", "version": 1, "text": "x".repeat(300_000)});
    stdin.write_all(&request(1, "initialize", json!({"capabilities": {}}))).unwrap();
    // A client that does not read cannot know when the server is initialized.
    std::thread::sleep(Duration::from_millis(300));
    stdin.write_all(&framed(&notification("textDocument/didOpen", json!({"textDocument": open})))).unwrap();
    for id in 2..6 {
        stdin.write_all(&request(id, "crd-ls/documentText", document())).unwrap();
    }
    stdin.write_all(&framed(&notification("exit", Value::Null))).unwrap();
    assert_eq!(exit_status(&mut child, PROMPTLY + Duration::from_millis(500)), Some(1));
}

#[test]
fn the_life_cycle_follows_the_protocol() {
    let mut client = Client::start();
    let (early, request) = client.request("textDocument/hover", start_of_document());
    client.send(&[request]);
    assert_eq!(client.answer(early)["error"]["code"], -32002);
    client.ask("initialize", json!({"capabilities": {}}));
    let (again, request) = client.request("initialize", json!({"capabilities": {}}));
    client.send(&[request]);
    assert_eq!(client.answer(again)["error"]["code"], -32600);
    let (unknown, request) = client.request("textDocument/nonsense", document());
    client.send(&[request]);
    assert_eq!(client.answer(unknown)["error"]["code"], -32601);
    client.ask("shutdown", Value::Null);
    let (late, request) = client.request("textDocument/hover", start_of_document());
    client.send(&[request]);
    assert_eq!(client.answer(late)["error"]["code"], -32600);
}

#[test]
fn the_server_survives_invalid_parameters() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", "a: b\n");
    client.notify("textDocument/didChange", json!({"textDocument": 7}));
    client.notify("textDocument/didOpen", json!([]));
    client.notify("$/unknown", json!({}));
    client.notify("workspace/unknown", json!({}));
    let (id, request) = client.request("textDocument/hover", json!({"textDocument": {"uri": URI}}));
    client.send(&[request]);
    assert_eq!(client.answer(id)["error"]["code"], -32602);
    let (id, request) = client.request("textDocument/hover", json!({}));
    client.send(&[request]);
    assert_eq!(client.answer(id)["error"]["code"], -32602);
    assert_eq!(client.text(), "a: b\n");
}

#[test]
fn invalid_messages_are_reported_and_survived() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", "a: b\n");
    for bad in ["{\"broken\"", "[]", "\u{fffd}"] {
        client.send_raw(format!("Content-Length: {}\r\n\r\n{bad}", bad.len()).as_bytes());
        let answer =
            client.wait_for("an error without id", |message| message.get("id") == Some(&Value::Null));
        assert_eq!(answer["error"]["code"], -32700);
    }
    client.send_raw(b"no header\r\n\r\n");
    assert_eq!(client.text(), "a: b\n");
}

/// A change as from an editor whose strings are UTF-16: half of a character arrives before the other half.
#[test]
fn half_a_surrogate_pair_takes_one_utf16_unit() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", "ab");
    let body = did_change(2, json!([change((0, 1), (0, 1), "HALF")])).to_string().replace("HALF", "\\ud83d");
    client.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    client.send(&[did_change(3, json!([change((0, 1), (0, 2), "😀")]))]);
    assert_eq!(client.text(), "a😀b");
}
