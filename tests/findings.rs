//! The diagnostics of a definition with errors: their form, their places, and that they do not depend on how the text was
//! edited.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
    pub(crate) mod edits;
    pub(crate) mod texts;
}

use serde_json::{Value, json};
use support::client::{Client, URI, change, did_change, document};
use support::edits::{Random, random_edit};
use support::texts::{expected, marked};

const WIDGETS: &str = include_str!("../fixtures/first-light/widgets.yaml");
const STRUCTURAL: &str = "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema";

/// Characters of one and two UTF-16 units precede the second finding.
const BEYOND_THE_BMP: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com} # 😀
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
          spec: {description: \"ä😀\", anyOf: [{type: string}]}
";

/// The diagnostics of a fresh server.
fn of_a_fresh_server(text: &str) -> Value {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", text);
    client.diagnostics(URI, 1)
}

#[test]
fn every_finding_marks_the_word_at_fault() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", WIDGETS);
    let diagnostics = client.diagnostics(URI, 1);
    let findings = expected(&[
        (19, "metadata", "structural/metadata-fields"),
        (28, "spec", "structural/type-required"),
        (32, "size", "structural/type-required"),
        (34, "type", "structural/junctor-type"),
        (36, "type", "structural/junctor-type"),
        (38, "replicas", "structural/type-required"),
        (40, "type", "structural/junctor-type"),
    ]);
    assert_eq!(marked(WIDGETS, &diagnostics), findings);
}

#[test]
fn a_diagnostic_names_its_rule_its_source_and_its_page() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", WIDGETS);
    let published = client.receive("textDocument/publishDiagnostics");
    assert_eq!((&published["params"]["uri"], &published["params"]["version"]), (&json!(URI), &json!(1)));
    let first_in_junctor = json!({
        "range": {"start": {"line": 33, "character": 22}, "end": {"line": 33, "character": 26}},
        "severity": 1,
        "code": "structural/junctor-type",
        "codeDescription": {"href": STRUCTURAL},
        "source": "crd-ls",
        "message": "`type` is not allowed inside `anyOf`; move `type` outside `anyOf`\n\
            kube-apiserver: spec.validation.openAPIV3Schema.properties[spec].properties[size].anyOf[0].type: \
            Forbidden: must be empty to be structural",
    });
    assert_eq!(published["params"]["diagnostics"][3], first_in_junctor);
}

/// A client that shows related information, with these settings.
fn with_related_information(settings: Value) -> Client {
    let mut client = Client::start();
    let capabilities = json!({
        "textDocument": {
            "publishDiagnostics": {"relatedInformation": true},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
        }
    });
    client.ask(
        "initialize",
        json!({"processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": settings}),
    );
    client.notify("initialized", json!({}));
    client
}

#[test]
fn related_places_are_sent_to_clients_that_support_them() {
    let mut client = with_related_information(json!({"groupErrors": false}));
    client.open("yaml", WIDGETS);
    let diagnostics = client.diagnostics(URI, 1);
    let size = json!([{
        "location": {
            "uri": URI,
            "range": {"start": {"line": 31, "character": 16}, "end": {"line": 31, "character": 20}},
        },
        "message": "`type` is missing here",
    }]);
    assert_eq!(diagnostics[3]["relatedInformation"], size);
    // Everything else is equal.
    let mut without = diagnostics;
    for diagnostic in without.as_array_mut().unwrap() {
        diagnostic.as_object_mut().unwrap().remove("relatedInformation");
    }
    assert_eq!(without, of_a_fresh_server(WIDGETS));
}

/// The errors in the branches of `size`, and its missing type, are one diagnostic, at the first of them. The fix names that
/// diagnostic, regardless of the place at which it is requested.
#[test]
fn findings_with_one_cause_are_merged() {
    let mut client = with_related_information(json!({}));
    client.open("yaml", WIDGETS);
    let diagnostics = client.diagnostics(URI, 1);
    let all = of_a_fresh_server(WIDGETS);
    assert!(diagnostics.as_array().unwrap().len() < all.as_array().unwrap().len());
    let cause = diagnostics.as_array().unwrap().iter().find(|one| one["range"] == all[3]["range"]).unwrap();
    let message = "move `type` outside `anyOf` (2 more findings with the same cause)\nkube-apiserver: spec.";
    assert!(cause["message"].as_str().unwrap().contains(message), "{cause}");
    let other = all[4]["range"].clone();
    let related = cause["relatedInformation"].as_array().unwrap();
    assert!(related.iter().any(|place| place["location"]["range"] == other), "{cause}");
    let actions = client.ask(
        "textDocument/codeAction",
        json!({"textDocument": {"uri": URI}, "range": other, "context": {"diagnostics": [], "only": ["quickfix"]}}),
    );
    let repaired = &actions[0]["diagnostics"];
    assert_eq!(repaired.as_array().unwrap().iter().filter(|one| *one == cause).count(), 1, "{actions}");
}

#[test]
fn places_count_in_the_negotiated_encoding_with_any_line_ends() {
    for (encoding, start, end) in [("utf-8", 49, 53), ("utf-16", 46, 50), ("utf-32", 45, 49)] {
        for line_end in ["\n", "\r\n", "\r"] {
            let announced = json!({"general": {"positionEncodings": [encoding]}});
            let (mut client, _) = Client::initialized(announced);
            client.open("yaml", &BEYOND_THE_BMP.replace('\n', line_end));
            let places: Vec<Value> =
                client.diagnostics(URI, 1).as_array().unwrap().iter().map(place).collect();
            let expected = [
                json!([15, 10, 14, "structural/type-required"]),
                json!([15, start, end, "structural/junctor-type"]),
            ];
            assert_eq!(places, expected, "{encoding} {line_end:?}");
        }
    }
}

/// Line, start, end (on the same line) and code.
fn place(diagnostic: &Value) -> Value {
    let range = &diagnostic["range"];
    assert_eq!(range["start"]["line"], range["end"]["line"], "{diagnostic}");
    let (start, end) = (&range["start"]["character"], &range["end"]["character"]);
    json!([range["start"]["line"], start, end, diagnostic["code"]])
}

#[test]
fn a_warning_of_our_own_is_a_warning() {
    let text = BEYOND_THE_BMP.replace(
        "spec: {description: \"ä😀\", anyOf: [{type: string}]}",
        "spec: {type: object, oneOf: [{properties: {git: {minLength: 1}}}]}",
    );
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", &text);
    let diagnostics = client.diagnostics(URI, 1);
    assert_eq!(marked(&text, &diagnostics), expected(&[(16, "spec", "structural/complete-nested")]));
    assert_eq!(diagnostics[0]["severity"], 2);
}

#[test]
fn after_each_typed_character_the_findings_are_those_of_the_whole_text() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", WIDGETS);
    let mut lines: Vec<String> = WIDGETS.lines().map(str::to_owned).collect();
    // Below `spec:` in the root schema.
    let (line, typed) = (28, "              type: object");
    lines.insert(line, String::new());
    client.send(&[did_change(2, json!([change((28, 0), (28, 0), "\n")]))]);
    for (at, character) in typed.chars().enumerate() {
        let (version, at) = (at as i32 + 3, at as u32);
        client.send(&[did_change(version, json!([change((28, at), (28, at), &character.to_string())]))]);
        lines[line].push(character);
        let text = lines.join("\n");
        assert_eq!(client.diagnostics(URI, version), of_a_fresh_server(&text), "after {:?}", lines[line]);
    }
}

#[test]
fn several_changes_in_one_notification_apply_one_after_another() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", WIDGETS);
    client.diagnostics(URI, 1);
    let changes = json!([
        change((28, 0), (28, 0), "              type: object\n"),
        // Each of these applies to the text after the previous one.
        change((33, 0), (33, 0), "                  type: string\n"),
        change((35, 22), (36, 22), ""),
        change((36, 22), (37, 22), ""),
    ]);
    client.send(&[did_change(2, changes)]);
    let diagnostics = client.diagnostics(URI, 2);
    let text = client.text();
    let left = expected(&[
        (19, "metadata", "structural/metadata-fields"),
        (38, "replicas", "structural/type-required"),
        (40, "type", "structural/junctor-type"),
    ]);
    assert_eq!(marked(&text, &diagnostics), left, "{text}");
    assert_eq!(diagnostics, of_a_fresh_server(&text));
}

#[test]
fn findings_after_random_edits_are_independent_of_earlier_texts() {
    let (mut fresh, _) = Client::initialized(json!({}));
    // All its documents define the same kind.
    let rules = json!({"resource/rival-definitions": "off"});
    fresh.notify("workspace/didChangeConfiguration", json!({"settings": {"crd-ls": {"rules": rules}}}));
    for seed in 1..=4 {
        let (mut client, _) = Client::initialized(json!({"general": {"positionEncodings": ["utf-8"]}}));
        let mut random = Random(seed);
        let mut text = WIDGETS.to_owned();
        client.open("yaml", &text);
        for version in 2..=80 {
            let edit = random_edit(&text, &mut random);
            let range = outside_crlf(&text, edit.range.start)..outside_crlf(&text, edit.range.end);
            let place = |offset| place_in_bytes(&text, offset);
            let change = change(place(range.start), place(range.end), &edit.new_text);
            text.replace_range(range, &edit.new_text);
            client.send(&[did_change(version, json!([change]))]);
            let uri = format!("file:///{seed}/{version}.yaml");
            fresh.open_as(&uri, "yaml", &text);
            let (incremental, whole) = (client.diagnostics(URI, version), fresh.diagnostics(&uri, 1));
            assert_eq!(client.text(), text, "seed {seed}, version {version}");
            assert_eq!(summaries(&incremental), summaries(&whole), "seed {seed}, version {version}:\n{text}");
        }
    }
}

/// The protocol has no position between CR and LF.
fn outside_crlf(text: &str, offset: u32) -> usize {
    let offset = offset as usize;
    let between = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
    if between { offset - 1 } else { offset }
}

/// Line and byte in it.
fn place_in_bytes(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..offset];
    let mut line = 0;
    let mut start = 0;
    for (at, character) in before.char_indices() {
        if character == '\n' || character == '\r' && !text[at + 1..].starts_with('\n') {
            line += 1;
            start = at + 1;
        }
    }
    (line, (offset - start) as u32)
}

/// Codes, messages and lines: the two servers count characters differently.
fn summaries(diagnostics: &Value) -> Vec<Value> {
    let summary =
        |d: &Value| json!([d["code"], d["message"], d["range"]["start"]["line"], d["range"]["end"]["line"]]);
    diagnostics.as_array().unwrap().iter().map(summary).collect()
}

#[test]
fn diagnostics_of_an_older_version_never_follow_those_of_a_newer() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", WIDGETS);
    for version in 2..=300 {
        // A finding comes and goes.
        let text = if version % 2 == 0 { "array" } else { "object" };
        let end = if version % 2 == 0 { 22 } else { 21 };
        client.send(&[did_change(version, json!([change((16, 16), (16, end), text)]))]);
    }
    let last = client.wait_for("the last version", |message| message["params"]["version"] == 300);
    let published = client.so_far("textDocument/publishDiagnostics");
    let versions: Vec<i64> = published.iter().map(|p| p["params"]["version"].as_i64().unwrap()).collect();
    assert!(
        versions.is_sorted_by(|a, b| a < b) && versions.iter().all(|version| *version < 300),
        "{versions:?}"
    );
    assert_eq!(last["params"]["diagnostics"][1]["code"], "structural/root-object");
    assert_eq!(last["params"]["diagnostics"], of_a_fresh_server(&client.text()));
}

#[test]
fn closing_clears_findings_and_none_follow() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", WIDGETS);
    client.diagnostics(URI, 1);
    // The analysis of this change may still run when the document closes.
    client.send(&[did_change(2, json!([change((0, 0), (0, 0), "# a\n")]))]);
    client.notify("textDocument/didClose", document());
    client.wait_for("the clearing", |message| message["params"] == json!({"uri": URI, "diagnostics": []}));
    client.open_as("file:///work/other.yaml", "yaml", WIDGETS);
    client.diagnostics("file:///work/other.yaml", 1);
    let late: Vec<Value> = client.so_far("textDocument/publishDiagnostics");
    assert!(late.iter().all(|message| message["params"]["version"] == 2), "{late:?}");
    // A document that is opened again starts from scratch.
    client.open("yaml", WIDGETS);
    assert_eq!(client.diagnostics(URI, 1), of_a_fresh_server(WIDGETS));
}
