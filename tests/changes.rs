//! Each kind of breaking change in an editor, at the edited line: its message, whom it breaks, and that a comment with a
//! reason silences it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod branches;
    pub(crate) mod client;
    pub(crate) mod program;
    pub(crate) mod repository;
    pub(crate) mod widgets;
}

use std::fs;

use serde_json::{Value, json};
use support::branches::{branched, broken, editor, uri};
use support::client::Client;
use support::repository::commit_all;
use support::widgets::definition_of_spec;

/// A change of the schema of `.spec`, over several lines: before, after, the rule, the line of the finding, and a word of the
/// hover over it. Lines are indented to fit the line above them.
const CHANGES: [(&str, &str, &str, &str, &str); 21] = [
    (
        "a: {type: string}\nb: {type: string}",
        "b: {type: string}",
        "compat/field-removed",
        "properties:",
        "lost on the next write",
    ),
    ("a: {type: integer}", "a:\n  type: string", "compat/type-changed", "type: string", "Stored objects"),
    ("a: {type: integer}", "a:\n  type: number", "compat/type-changed", "type: number", "Clients that read"),
    (
        "a: {type: array, items: {type: string}}",
        "a:\n  type: array\n  x-kubernetes-list-type: set\n  items: {type: string}",
        "compat/list-type-changed",
        "x-kubernetes-list-type: set",
        "Stored objects",
    ),
    (
        "a: {type: string}",
        "a: {type: string}\n--required: [a]",
        "compat/required-added",
        "required: [a]",
        "Give the field a `default`",
    ),
    (
        "a: {type: string}",
        "a: {type: string}\nb: {type: string}\n--required: [b]",
        "compat/required-added",
        "required: [b]",
        "Give the field a `default`",
    ),
    (
        "a: {type: string, enum: [x, z]}",
        "a:\n  type: string\n  enum: [x]",
        "compat/enum-removed",
        "enum: [x]",
        "Clients that write",
    ),
    (
        "a: {type: string, enum: [x]}",
        "a:\n  type: string\n  enum: [x, z]",
        "compat/enum-added",
        "enum: [x, z]",
        "Clients that read",
    ),
    (
        "a: {type: integer, maximum: 9}",
        "a:\n  type: integer\n  maximum: 5",
        "compat/bound-tightened",
        "maximum: 5",
        "add a version with the new schema",
    ),
    (
        "a: {type: string}",
        "a:\n  type: string\n  maxLength: 5",
        "compat/bound-tightened",
        "maxLength: 5",
        "add a version",
    ),
    (
        "a: {type: string, pattern: x}",
        "a:\n  type: string\n  pattern: z",
        "compat/pattern-changed",
        "pattern: z",
        "Risky",
    ),
    (
        "a: {type: string}",
        "a:\n  type: string\n  format: ipv4",
        "compat/format-changed",
        "format: ipv4",
        "Breaking",
    ),
    (
        "a: {type: string, default: x}",
        "a:\n  type: string\n  default: z",
        "compat/default-changed",
        "default: z",
        "applies at once",
    ),
    (
        "a: {type: string, default: x}",
        "a:\n  type: string",
        "compat/default-changed",
        "a:",
        "applies at once",
    ),
    (
        "a: {type: array, items: {type: string, nullable: true}}",
        "a:\n  type: array\n  items: {type: string}",
        "compat/nullable-withdrawn",
        "items: {type: string}",
        "Stored objects",
    ),
    (
        "a: {type: string}",
        "a:\n  type: string\n  nullable: true",
        "compat/nullable-added",
        "nullable: true",
        "Clients that read",
    ),
    (
        "a: {type: string}",
        "a: {type: string}\n--x-kubernetes-validations:\n--- rule: has(self.a)",
        "compat/rule-added",
        "- rule: has(self.a)",
        "before Kubernetes 1.30",
    ),
    (
        "a: {type: string}",
        "a: {type: string}\n--x-kubernetes-validations:\n--- rule: has(self.a) && self == oldSelf",
        "compat/rule-added",
        "- rule: has(self.a)",
        "until the value is valid",
    ),
    (
        "a: {type: string}",
        "a:\n  type: string\n  not: {enum: [x]}",
        "compat/condition-changed",
        "not: {enum: [x]}",
        "Breaking",
    ),
    ("a: {type: string}\n--required: [a]", "a: {type: string}", "compat/required-removed", "spec:", "Risky"),
    (
        "a: {type: object, x-kubernetes-preserve-unknown-fields: true}",
        "a:\n  type: object",
        "compat/field-removed",
        "a:",
        "lost on the next write",
    ),
];

/// The definition with these properties of `.spec`; lines that begin with `--` are put beside `properties`.
fn with_properties(lines: &str) -> String {
    let lines: Vec<String> = lines
        .lines()
        .map(|line| match line.strip_prefix("--") {
            Some(beside) => format!("            {beside}"),
            None => format!("              {line}"),
        })
        .collect();
    definition_of_spec(&format!("\n            type: object\n            properties:\n{}", lines.join("\n")))
}

fn line_of<'t>(text: &'t str, found: &Value) -> &'t str {
    text.lines().nth(found["range"]["start"]["line"].as_u64().unwrap() as usize).unwrap().trim()
}

fn hover(client: &mut Client, uri: &str, position: &Value) -> String {
    let answer =
        client.ask("textDocument/hover", json!({"textDocument": {"uri": uri}, "position": position}));
    answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn each_kind_of_change_is_reported_at_its_line_explained_and_suppressed_with_a_reason() {
    let (root, repository) = branched(&[("crd.yaml", "a: 1\n")]);
    let uri = uri(root.path(), "crd.yaml");
    for (old, new, code, line, word) in CHANGES {
        fs::write(root.path().join("crd.yaml"), with_properties(old)).unwrap();
        commit_all(&repository);
        let mut client = editor(&json!({"compat": {"base": "HEAD"}, "compareWith": "off"}));
        let text = with_properties(new);
        client.open_as(&uri, "yaml", &text);
        let diagnostics = client.compared_diagnostics(&uri, 1);
        let found = broken(&diagnostics);
        let reported: Vec<(&str, &str)> =
            found.iter().map(|one| (one["code"].as_str().unwrap(), line_of(&text, one))).collect();
        assert!(
            reported.len() == 1 && reported[0].0 == code && reported[0].1.starts_with(line),
            "{old} -> {new}: {diagnostics}"
        );
        let shown = hover(&mut client, &uri, &found[0]["range"]["start"]);
        assert!(shown.contains("compared with HEAD") && shown.contains(word), "{old} -> {new}: {shown}");
        let number = found[0]["range"]["start"]["line"].as_u64().unwrap() as usize;
        let suppressed = |(at, line): (usize, &str)| match at == number {
            true => format!("{line} # crd-ls: ignore[{code}] nobody has it\n"),
            false => format!("{line}\n"),
        };
        let ignored: String = text.lines().enumerate().map(suppressed).collect();
        let change =
            json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": ignored}]});
        client.notify("textDocument/didChange", change);
        assert_eq!(broken(&client.diagnostics(&uri, 2)), Vec::<Value>::new(), "{ignored}");
        let shown = hover(&mut client, &uri, &found[0]["range"]["start"]);
        assert!(!shown.contains("compared with HEAD"), "{shown}");
    }
}

/// A change outside the schemas: the old and the new text, the rule, the line, a word of the hover.
const AROUND: [(&str, &str, &str, &str, &str); 6] = [
    (
        "  - name: v1\n    served: true\n",
        "  - name: v1\n    served: false\n",
        "compat/version-unserved",
        "served: false",
        "deprecated: true",
    ),
    ("  - name: v1\n", "  - name: v1beta9\n", "compat/version-removed", "versions:", "status.storedVersions"),
    (
        "storage: true\n",
        "storage: true\n    subresources: {status: {}}\n",
        "compat/subresource-changed",
        "subresources:",
        "their requests fail",
    ),
    (
        "  scope:",
        "  conversion:\n    strategy: Webhook\n    webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://a.b'}}\n  scope:",
        "compat/conversion-changed",
        "strategy: Webhook",
        "stored objects can be read",
    ),
    (
        "    storage: true\n    schema",
        "    storage: false\n    schema",
        "compat/storage-moved",
        "storage: true",
        "Rewrite each object",
    ),
    ("    storage: true\n    schema", "    storage: true\n    selectableFields: []\n    schema", "", "", ""),
];

#[test]
fn changes_outside_schemas_are_reported_at_their_line_and_explained() {
    let (root, repository) = branched(&[("crd.yaml", "a: 1\n")]);
    let uri = uri(root.path(), "crd.yaml");
    let old = with_properties("a: {type: string}");
    fs::write(root.path().join("crd.yaml"), &old).unwrap();
    commit_all(&repository);
    for (from, to, code, line, word) in AROUND {
        let mut client = editor(&json!({"compat": {"base": "HEAD"}, "compareWith": "off"}));
        let mut text = old.replacen(from, to, 1);
        assert_ne!(text, old);
        if code == "compat/storage-moved" {
            text.push_str("  - name: v2\n    served: true\n    storage: true\n    schema: {openAPIV3Schema: {type: object}}\n");
        }
        client.open_as(&uri, "yaml", &text);
        let diagnostics = client.compared_diagnostics(&uri, 1);
        let found = broken(&diagnostics);
        if code.is_empty() {
            assert_eq!(found, Vec::<Value>::new());
            continue;
        }
        assert_eq!(found.len(), 1, "{code}: {diagnostics}");
        assert_eq!(found[0]["code"], code);
        assert!(line_of(&text, &found[0]).starts_with(line), "{code}: {}", line_of(&text, &found[0]));
        let shown = hover(&mut client, &uri, &found[0]["range"]["start"]);
        assert!(shown.contains(word), "{code}: {shown}");
    }
}

#[test]
fn a_hover_over_the_value_states_the_affected_clients_and_the_steps() {
    let (root, repository) = branched(&[("crd.yaml", "a: 1\n")]);
    let uri = uri(root.path(), "crd.yaml");
    fs::write(root.path().join("crd.yaml"), with_properties("a: {type: integer, maximum: 9}")).unwrap();
    commit_all(&repository);
    let mut client = editor(&json!({"compat": {"base": "HEAD"}, "compareWith": "off"}));
    let text = with_properties("a:\n  type: integer\n  maximum: 5");
    client.open_as(&uri, "yaml", &text);
    let found = broken(&client.compared_diagnostics(&uri, 1)).remove(0);
    let shown = hover(&mut client, &uri, &json!({"line": found["range"]["start"]["line"], "character": 25}));
    let expected = "**Breaking** compared with HEAD: `.spec.a` in v1: `maximum` changed from 9 to 5; values in between are rejected

- **Stored objects**: they remain; an update that changes the invalid value to another invalid one is rejected (before Kubernetes 1.30, every update is).
- **Clients that write**: manifests with such values are rejected, including unchanged ones.

Steps that avoid the breakage:

1. Keep `v1` unchanged and add a version with the new schema.
";
    assert!(shown.starts_with(expected), "{shown}");
}
