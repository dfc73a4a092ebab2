//! Texts made to break a parser, opened beside a definition: requests on them are answered in time, and the definition's
//! findings are still published.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
}

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::client::{Client, URI, change, notification};

const WIDGETS: &str = include_str!("../fixtures/first-light/widgets.yaml");
/// The number of findings of the fixture.
const WIDGETS_FINDINGS: usize = 7;
const HOSTILE: &str = "file:///work/hostile.yaml";
/// The maximum time for one text and all requests on it, on a busy machine.
const LIMIT: Duration = Duration::from_secs(10);

const HEAD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
";

fn schema(properties: &str) -> String {
    format!("{HEAD}{properties}")
}

/// Opens the text, sends all requests on it, edits it, closes it, and then opens a definition with findings.
/// Returns the codes of the text's findings.
fn survives(what: &str, text: &str) -> Vec<String> {
    let (mut client, _) = Client::initialized(json!({
        "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
    }));
    let start = Instant::now();
    client.open_as(HOSTILE, "yaml", text);
    let diagnostics = client.diagnostics(HOSTILE, 1);
    ask_everything(&mut client);
    let edited = json!({"uri": HOSTILE, "version": 2});
    let changes =
        json!([change((0, 0), (0, 0), "\n"), change((0, 0), (1, 0), "# a\n"), change((1, 0), (1, 1), "")]);
    client.send(&[notification(
        "textDocument/didChange",
        json!({"textDocument": edited, "contentChanges": changes}),
    )]);
    client.diagnostics(HOSTILE, 2);
    ask_everything(&mut client);
    let took = start.elapsed();
    assert!(took < LIMIT, "{what}: {took:?}");

    client.open("yaml", WIDGETS);
    assert_eq!(client.diagnostics(URI, 1).as_array().unwrap().len(), WIDGETS_FINDINGS, "{what}");
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": HOSTILE}}));
    client.ask("shutdown", Value::Null);
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_status(LIMIT), Some(0), "{what}");
    let code = |diagnostic: &Value| diagnostic["code"].as_str().unwrap().to_owned();
    diagnostics.as_array().unwrap().iter().map(code).collect()
}

fn ask_everything(client: &mut Client) {
    let place = json!({"line": 0, "character": 1});
    let params = json!({
        "textDocument": {"uri": HOSTILE}, "position": place, "range": {"start": place, "end": place},
        "context": {"diagnostics": []},
    });
    for method in ["hover", "documentSymbol", "foldingRange", "codeAction"] {
        client.ask(&format!("textDocument/{method}"), params.clone());
    }
}

#[test]
fn an_empty_text() {
    assert_eq!(survives("empty", ""), Vec::<String>::new());
}

#[test]
fn bytes_of_a_binary() {
    let garbage: String = (0..200_000_u32).map(|at| char::from((at * 7919 % 251) as u8)).collect();
    survives("garbage", &garbage);
    survives("garbage in a definition", &schema(&garbage));
}

#[test]
fn brackets_in_brackets() {
    for (open, close) in [("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", "")] {
        let open = open.repeat(100_000);
        survives(&open[..2], &open);
        survives(&open[..2], &schema(&format!("          a: {open}1{}\n", close.repeat(100_000))));
    }
}

#[test]
fn schemas_in_schemas() {
    let depth = 20_000;
    let opened = "{type: object, properties: {a: ".repeat(depth);
    survives("properties", &schema(&format!("          a: {opened}{{}}{}\n", "}}".repeat(depth))));
    let opened = "{anyOf: [".repeat(depth);
    survives("junctors", &schema(&format!("          a: {opened}{{}}{}\n", "]}".repeat(depth))));
}

#[test]
fn an_alias_bomb() {
    let mut bomb = "          a0: &a0 {type: string, description: lol}\n".to_owned();
    for level in 1..40 {
        let below = format!("*a{}", level - 1);
        let many: Vec<String> = (0..9).map(|at| format!("p{at}: {below}")).collect();
        bomb.push_str(&format!(
            "          a{level}: &a{level} {{type: object, properties: {{{}}}}}\n",
            many.join(", ")
        ));
    }
    let codes = survives("bomb", &schema(&bomb));
    assert!(codes.contains(&"yaml/alias".to_owned()), "{codes:?}");
}

#[test]
fn an_alias_within_its_own_anchor() {
    let codes = survives("cycle", &schema("          a: &a {type: object, properties: {b: *a}}\n"));
    assert_eq!(codes, ["yaml/alias"]);
}

#[test]
fn a_document_over_the_limits() {
    let codes = survives("33 MiB", &"a: b # and so on\n".repeat(33 * 1024 * 1024 / 17 + 1));
    assert_eq!(codes, ["file/too-large"]);
}

#[test]
fn one_line_of_many_keys() {
    let keys: Vec<String> = (0..20_000).map(|at| format!("k{at}: {{type: string}}")).collect();
    let text = schema(&format!("          a: {{type: object, properties: {{{}}}}}\n", keys.join(", ")));
    // The copy that kubectl keeps in an annotation would be too large.
    assert_eq!(survives("keys", &text), ["lint/size"]);
}
