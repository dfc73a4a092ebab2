//! Rules in CEL, on the real program: completion, signatures, costs, names and colours.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
}

use serde_json::{Value, json};
use support::client::{Client, URI, change, did_change, document};

const RULES: &str = include_str!("../fixtures/editors/rules.yaml");

/// A client with `rule` in place of the rule of the fixture.
fn client_with(capabilities: Value, rule: &str) -> Client {
    let (mut client, _) = Client::initialized(capabilities);
    client.open("yaml", &RULES.replace(RULE, rule));
    client
}

const RULE: &str = "self.ports.all(p, p.port > 1023)";

/// The position after `before` in the line of the rule.
fn at(rule: &str, before: &str) -> Value {
    let (line, start) = place();
    let column = start + rule.find(before).unwrap() + before.len();
    json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": column}})
}

/// Line and column of the rule.
fn place() -> (usize, usize) {
    let before = RULES.split(RULE).next().unwrap();
    (before.matches('\n').count(), before.rsplit('\n').next().unwrap().len())
}

fn labels(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect()
}

#[test]
fn fields_are_proposed_while_they_are_typed() {
    let rule = "self.";
    let mut client = client_with(json!({}), rule);
    let list = client.ask("textDocument/completion", at(rule, "self."));
    assert_eq!(labels(&list)[..3], ["mode", "ports", "replicas"]);
    let (line, start) = place();
    let end = json!({"line": line, "character": start + 5});
    assert_eq!(list[0]["textEdit"], json!({"newText": "mode", "range": {"start": end, "end": end}}));
    assert_eq!(list[0]["detail"], "string");
}

#[test]
fn snippets_are_sent_only_to_clients_that_support_them() {
    let rule = "self.ports.a";
    let snippet = |capabilities| {
        let mut client = client_with(capabilities, rule);
        let list = client.ask("textDocument/completion", at(rule, rule));
        let all = list.as_array().unwrap().iter().find(|item| item["label"] == "all").unwrap().clone();
        (all["textEdit"]["newText"].as_str().unwrap().to_owned(), all["insertTextFormat"].clone())
    };
    let knows = json!({"textDocument": {"completion": {"completionItem": {"snippetSupport": true}}}});
    assert_eq!(snippet(knows), ("all(${1:x}, ${2:condition})".to_owned(), json!(2)));
    assert_eq!(snippet(json!({})), ("all(".to_owned(), Value::Null));
}

#[test]
fn expressions_are_proposed_only_in_rules() {
    let mut client = client_with(json!({}), RULE);
    let place = json!({"textDocument": {"uri": URI}, "position": {"line": 1, "character": 7}});
    // The kind of a definition can have only this value.
    assert_eq!(client.ask("textDocument/completion", place.clone()), Value::Null);
    assert_eq!(client.ask("textDocument/signatureHelp", place.clone()), Value::Null);
    assert_eq!(client.ask("textDocument/definition", place.clone()), Value::Null);
    assert_eq!(client.ask("textDocument/documentHighlight", place), Value::Null);
}

#[test]
fn a_call_shows_its_signature() {
    let rule = "self.mode.replace('a', 'b')";
    let mut client = client_with(json!({}), rule);
    let help = client.ask("textDocument/signatureHelp", at(rule, "'a', "));
    assert_eq!(help["signatures"][0]["label"], "string.replace(string, string) -> string");
    assert_eq!(help["signatures"][0]["parameters"][1]["label"], json!([23, 29]));
    assert_eq!((&help["activeSignature"], &help["activeParameter"]), (&json!(0), &json!(1)));
}

#[test]
fn an_expensive_rule_shows_its_cost_if_the_settings_ask_for_it() {
    let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}});
    let params = json!({"textDocument": {"uri": URI}, "range": all});
    let mut client = client_with(json!({}), RULE);
    assert_eq!(client.ask("textDocument/inlayHint", params.clone()), json!([]), "it is cheap");
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"crd-ls": {"inlayHints": {"costFrom": 0}}}}),
    );
    let hints = client.ask("textDocument/inlayHint", params.clone());
    let (line, start) = place();
    assert_eq!(hints[0]["label"], "cost 51 → less than 0.1 % of the limit");
    assert_eq!(hints[0]["position"], json!({"line": line, "character": start + RULE.len()}));
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"crd-ls": {"inlayHints": {"cost": false}}}}),
    );
    assert_eq!(client.ask("textDocument/inlayHint", params), json!([]));
}

#[test]
fn no_hint_appears_at_the_cursor_while_typing() {
    let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}});
    let params = json!({"textDocument": {"uri": URI}, "range": all});
    let mut client = client_with(json!({}), RULE);
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"crd-ls": {"inlayHints": {"costFrom": 0}}}}),
    );
    let (line, start) = place();
    let (line, end) = (u32::try_from(line).unwrap(), u32::try_from(start + RULE.len()).unwrap());
    client.send(&[did_change(2, json!([change((line, end), (line, end), " ")]))]);
    client.send(&[did_change(3, json!([change((line, end), (line, end + 1), "")]))]);
    assert_eq!(client.ask("textDocument/inlayHint", params.clone()), json!([]), "the cursor is there");
    client.send(&[did_change(4, json!([change((0, 0), (0, 0), "# elsewhere\n")]))]);
    assert_eq!(client.ask("textDocument/inlayHint", params).as_array().unwrap().len(), 1);
}

#[test]
fn a_field_in_a_rule_and_its_property_are_linked() {
    let mut client = client_with(json!({}), RULE);
    let found = client.ask("textDocument/definition", at(RULE, "p.por"));
    let line = RULES.lines().position(|line| line.trim() == "port: {type: integer}").unwrap();
    assert_eq!(found["range"]["start"], json!({"line": line, "character": 20}));
    let mut asked = at(RULE, "p.por");
    asked["context"] = json!({"includeDeclaration": true});
    // The property, `required` and the rule.
    assert_eq!(client.ask("textDocument/references", asked.clone()).as_array().unwrap().len(), 3);
    asked["context"] = json!({"includeDeclaration": false});
    assert_eq!(client.ask("textDocument/references", asked).as_array().unwrap().len(), 2);
    let highlights = client.ask("textDocument/documentHighlight", at(RULE, "all(p, p"));
    assert_eq!(highlights.as_array().unwrap().len(), 2, "a variable and its use");
}

#[test]
fn the_parts_of_a_rule_have_colours() {
    let mut client = client_with(json!({}), RULE);
    let tokens = client.ask("textDocument/semanticTokens/full", document());
    let (line, start) = place();
    let data: Vec<u64> =
        tokens["data"].as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect();
    assert_eq!(data[..10], [line as u64, start as u64, 4, 0, 0, 0, 5, 5, 2, 0], "self and ports");
    assert_eq!(data.len(), 5 * 8);
}

#[test]
fn a_selection_grows_in_a_rule() {
    let mut client = client_with(json!({}), RULE);
    let mut asked = at(RULE, "p.po");
    asked["positions"] = json!([asked["position"], {"line": 0, "character": 0}]);
    let found = client.ask("textDocument/selectionRange", asked);
    let (line, start) = place();
    let columns = |range: &Value| {
        assert_eq!(range["range"]["start"]["line"], line);
        let column = |end: &str| range["range"][end]["character"].as_u64().unwrap() as usize - start;
        &RULE[column("start")..column("end")]
    };
    let mut step = &found[0];
    for expected in ["port", "p.port", "p.port > 1023", RULE] {
        assert_eq!(columns(step), expected);
        step = &step["parent"];
    }
    assert!(step["range"].is_object(), "the entry of the rule");
    assert_eq!(found.as_array().unwrap().len(), 2);
}

#[test]
fn actions_format_a_rule_and_add_guards() {
    let rule = "self.replicas>1";
    let capabilities = json!({"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}});
    let mut client = client_with(capabilities, rule);
    let mut asked = at(rule, "self.re");
    asked["range"] = json!({"start": asked["position"], "end": asked["position"]});
    asked["context"] = json!({"diagnostics": []});
    let found = client.ask("textDocument/codeAction", asked);
    let actions: Vec<(&str, &str, &str)> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|action| {
            let edit = action["edit"].pointer("/changes").and_then(|changes| changes.as_object()).unwrap();
            let new = edit.values().next().unwrap()[0]["newText"].as_str().unwrap();
            (action["kind"].as_str().unwrap(), action["title"].as_str().unwrap(), new)
        })
        .collect();
    assert_eq!(
        actions,
        [
            (
                "quickfix",
                "Add the guard `has(self.replicas) && …` (the rule accepts the same objects)",
                "has(self.replicas) && self.replicas>1"
            ),
            (
                "quickfix",
                "Add `replicas` to `required` (rejects objects without it)",
                "\n            required:\n            - replicas"
            ),
            ("quickfix", "Add `default: 0` to `replicas`", "\n                default: 0"),
            ("refactor.rewrite", "Format this rule", "self.replicas > 1"),
        ]
    );
}
