//! Breaking changes of definitions, on the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod branches;
    pub(crate) mod client;
    pub(crate) mod program;
    pub(crate) mod repository;
    pub(crate) mod texts;
    pub(crate) mod widgets;
}

use std::fs;

use git2::Repository;
use serde_json::{Value, json};
use support::branches::{self, branched, editor};
use support::client::uri;
use support::program::{directory, run, status, stderr, stdout};
use support::repository::commit_all;
use support::texts::edited;
use support::widgets;
use tempfile::TempDir;

/// A definition whose `.spec.size` has that schema.
fn definition(version: &str, size: &str) -> String {
    widgets::definition(size).replace("  - name: v1\n", &format!("  - name: {version}\n"))
}

/// A repository whose main branch bounds the size by 10, with a branch for work that is checked out.
fn repository() -> (TempDir, Repository) {
    branched(&[("crd.yaml", &definition("v1", "{type: integer, maximum: 10}"))])
}

#[test]
fn two_files_are_compared_change_by_change() {
    let old = definition("v1", "{type: integer, maximum: 10}");
    let new = definition("v1", "{type: integer, maximum: 5}") + "              color: {type: string}\n";
    let root = directory(&[("old.yaml", old.as_bytes()), ("new.yaml", new.as_bytes())]);
    let output = run(root.path(), &["diff", "old.yaml", "new.yaml"]);
    assert_eq!(status(&output), 1);
    assert_eq!(
        stdout(&output),
        "widgets.example.com
  breaking  new.yaml:19:37: `.spec.size` in v1: `maximum` changed from 10 to 5; values in between are rejected (affects stored objects, clients that write) [compat/bound-tightened]
  safe      new.yaml:20:15: `.spec.color` in v1: the field was added [compat/field-added]
new.yaml: 1 breaking, 0 risky, 1 safe changes
"
    );
    let json = run(root.path(), &["diff", "--output", "json", "--fail-on", "never", "old.yaml", "new.yaml"]);
    assert_eq!(status(&json), 0);
    let text = stdout(&json);
    let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let expected = json!({
        "file": "new.yaml", "line": 19, "column": 37, "oldFile": "old.yaml", "oldLine": 19, "oldColumn": 37,
        "definition": "widgets.example.com", "version": "v1", "path": ".spec.size",
        "code": "compat/bound-tightened", "class": "breaking", "alpha": false,
        "cause": "`maximum` changed from 10 to 5; values in between are rejected",
        "affects": ["stored objects", "clients that write"], "ratchets": true,
        "message": "`.spec.size` in v1: `maximum` changed from 10 to 5; values in between are rejected",
    });
    assert_eq!(first, expected);
    assert_eq!(status(&run(root.path(), &["diff", "new.yaml", "new.yaml"])), 0);
}

#[test]
fn changes_are_a_table_in_markdown() {
    let old = definition("v1", "{type: integer, maximum: 10}");
    let new = definition("v1", "{type: integer, maximum: 5}") + "              color: {type: string}\n";
    let root = directory(&[("old.yaml", old.as_bytes()), ("new.yaml", new.as_bytes())]);
    let output = run(root.path(), &["diff", "--output", "markdown", "old.yaml", "new.yaml"]);
    assert_eq!(status(&output), 1);
    assert_eq!(
        stdout(&output),
        "### `new.yaml`: 1 breaking, 0 risky, 1 safe changes

| | Change | Definition | Line | Affects |
|---|---|---|---|---|
| breaking | \\`.spec.size\\` in v1: \\`maximum\\` changed from 10 to 5; values in between are rejected | `widgets.example.com` | 19 | stored objects, clients that write |
| safe | \\`.spec.color\\` in v1: the field was added | `widgets.example.com` | 20 |  |

"
    );
}

#[test]
fn alpha_versions_fail_only_on_request() {
    let (old, new) = (definition("v1alpha1", "{type: integer}"), definition("v1alpha1", "{type: string}"));
    let root = directory(&[("old.yaml", old.as_bytes()), ("new.yaml", new.as_bytes())]);
    let output = run(root.path(), &["diff", "old.yaml", "new.yaml"]);
    assert_eq!(status(&output), 0);
    assert_eq!(
        stdout(&output),
        "new.yaml: 0 breaking, 0 risky, 0 safe changes; not counted, in alpha versions: 1 breaking, 0 risky, 0 safe \
         changes (--alpha counts and lists them)\n"
    );
    let output = run(root.path(), &["diff", "--alpha", "old.yaml", "new.yaml"]);
    assert_eq!(status(&output), 1);
    let text = stdout(&output);
    assert!(text.starts_with("widgets.example.com\n  breaking  new.yaml:"), "{text}");
    assert!(text.ends_with("\nnew.yaml: 1 breaking, 0 risky, 0 safe changes\n"), "{text}");
    // Scripts get all changes, with a mark on those that are not counted.
    let json = run(root.path(), &["diff", "--output", "json", "old.yaml", "new.yaml"]);
    let change: Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!((status(&json), &change["alpha"], &change["class"]), (0, &json!(true), &json!("breaking")));
}

/// One change, such as a pattern of a shared type, is one line, regardless of the number of uses of the type.
#[test]
fn changes_of_one_cause_are_one_line() {
    let fields = |pattern: &str| -> String {
        let field = |name| format!("              {name}: {{type: string{pattern}}}\n");
        ["a", "b", "c", "d", "e"].map(field).concat()
    };
    let old = definition("v1", "{type: integer}") + &fields("");
    let new = definition("v1", "{type: integer, default: 3}") + &fields(", pattern: x");
    let root = directory(&[("old.yaml", old.as_bytes()), ("new.yaml", new.as_bytes())]);
    let output = run(root.path(), &["diff", "old.yaml", "new.yaml"]);
    assert_eq!(status(&output), 1);
    assert_eq!(
        stdout(&output),
        "widgets.example.com
  breaking  new.yaml:20:33: `.spec.a`, `.spec.b`, `.spec.c` and 2 more in v1: `pattern: x` was added; values that do not match are rejected (affects stored objects, clients that write) [compat/pattern-changed]
  risky     new.yaml:19:37: `.spec.size` in v1: the default 3 was added; objects that omit the field now have it (affects stored objects, clients that write, clients that read) [compat/default-changed]
new.yaml: 5 breaking, 1 risky, 0 safe changes
"
    );
    let each = stdout(&run(root.path(), &["diff", "--each", "old.yaml", "new.yaml"]));
    assert_eq!(each.matches("[compat/pattern-changed]").count(), 5, "{each}");
    let json = stdout(&run(root.path(), &["diff", "--output", "json", "old.yaml", "new.yaml"]));
    let changes: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let cause = "`pattern: x` was added; values that do not match are rejected";
    assert_eq!(changes.iter().filter(|change| change["cause"] == cause).count(), 5, "{json}");
}

#[test]
fn a_revision_is_named_or_found() {
    let (root, repository) = repository();
    fs::write(root.path().join("crd.yaml"), definition("v1", "{type: integer, maximum: 7}")).unwrap();
    commit_all(&repository);
    let head = repository.head().unwrap().peel(git2::ObjectType::Commit).unwrap();
    repository.tag_lightweight("v1.0", &head, false).unwrap();
    fs::write(root.path().join("crd.yaml"), definition("v1", "{type: integer, maximum: 5}")).unwrap();
    for (base, from) in [("merge-base", "10"), ("main", "10"), ("HEAD", "7"), ("tag:v*", "7")] {
        let output = run(root.path(), &["diff", "--base", base, "."]);
        assert_eq!(status(&output), 1, "{base}: {}", stderr(&output));
        let expected = format!("`maximum` changed from {from} to 5");
        assert!(stdout(&output).contains(&expected), "{base}: {}", stdout(&output));
    }
    for base in ["nowhere", "tag:x*"] {
        let output = run(root.path(), &["diff", "--base", base, "crd.yaml"]);
        assert_eq!(status(&output), 2);
        assert!(stderr(&output).contains("cannot be read"), "{}", stderr(&output));
    }
}

/// The messages on breaking changes.
fn broken(diagnostics: &Value) -> Vec<String> {
    let breaking = branches::broken(diagnostics);
    breaking.iter().map(|one| one["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn breaking_changes_are_reported_while_they_are_typed() {
    let (root, repository) = repository();
    let uri = uri(&root.path().join("crd.yaml"));
    let mut client = editor(&json!({}));
    let tighter = definition("v1", "{type: integer, maximum: 5}");
    client.open_as(&uri, "yaml", &tighter);
    let messages = broken(&client.compared_diagnostics(&uri, 1));
    assert_eq!(
        messages,
        [
            "compared with the main branch: `.spec.size` in v1: `maximum` changed from 10 to 5; values in between are rejected (affects stored objects and clients that write; since Kubernetes 1.30, unchanged stored values remain valid)"
        ]
    );
    // A commit on the branch changes nothing.
    fs::write(root.path().join("crd.yaml"), &tighter).unwrap();
    commit_all(&repository);
    let wider = definition("v1", "{type: integer, maximum: 50}");
    let change = json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": wider}]});
    client.notify("textDocument/didChange", change);
    assert_eq!(broken(&client.diagnostics(&uri, 2)), [""; 0]);
}

#[test]
fn settings_name_the_base_and_whether_alpha_versions_count() {
    let (root, _repository) = repository();
    let uri = uri(&root.path().join("crd.yaml"));
    let tighter = definition("v1", "{type: integer, maximum: 5}");
    for (options, count) in [
        (json!({"compat": {"base": "main"}}), 1),
        (json!({"compat": {"base": "off"}}), 0),
        (json!({"compat": {"base": "nowhere"}}), 0),
        (json!({"rules": {"compat": "off"}}), 0),
    ] {
        let mut client = editor(&options);
        client.open_as(&uri, "yaml", &tighter);
        assert_eq!(broken(&client.compared_diagnostics(&uri, 1)).len(), count, "{options}");
    }
}

/// An alpha version promises no compatibility, so its changes are hints, unless a setting says otherwise.
#[test]
fn changes_of_alpha_versions_are_hints_unless_they_count() {
    let root = directory(&[("crd.yaml", definition("v1alpha1", "{type: integer}").as_bytes())]);
    let repository = Repository::init(root.path()).unwrap();
    commit_all(&repository);
    let uri = uri(&root.path().join("crd.yaml"));
    for (options, severity) in
        [(json!({"compat": {"base": "HEAD"}}), 4), (json!({"compat": {"base": "HEAD", "alpha": true}}), 2)]
    {
        let mut client = editor(&options);
        client.open_as(&uri, "yaml", &definition("v1alpha1", "{type: string}"));
        let diagnostics = client.compared_diagnostics(&uri, 1);
        let broken = branches::broken(&diagnostics);
        assert_eq!(broken[0]["severity"], severity, "{options}: {broken:?}");
    }
}

#[test]
fn a_comment_suppresses_a_breaking_change() {
    let (root, _repository) = repository();
    let uri = uri(&root.path().join("crd.yaml"));
    let tighter = definition(
        "v1",
        "{type: integer, maximum: 5} # crd-ls: ignore[compat/bound-tightened] nobody uses more",
    );
    let mut client = editor(&json!({}));
    client.open_as(&uri, "yaml", &tighter);
    assert_eq!(broken(&client.compared_diagnostics(&uri, 1)), [""; 0]);
}

/// The titles of the fixes at each breaking change, applied one after the other, and the text after them.
fn taken_back(old: &str, new: &str) -> (Vec<String>, String) {
    let root = directory(&[("crd.yaml", old.as_bytes())]);
    let repository = Repository::init(root.path()).unwrap();
    commit_all(&repository);
    let uri = uri(&root.path().join("crd.yaml"));
    let mut client = editor(&json!({"compat": {"base": "HEAD"}, "compareWith": "off"}));
    client.open_as(&uri, "yaml", new);
    let diagnostics = client.compared_diagnostics(&uri, 1);
    let range = branches::broken(&diagnostics)[0]["range"].clone();
    let context = json!({"diagnostics": [], "only": ["quickfix"]});
    let parameters = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
    let actions = client.ask("textDocument/codeAction", parameters);
    let actions = actions.as_array().unwrap().clone();
    let title = |action: &Value| action["title"].as_str().unwrap().to_owned();
    let text = edited(new, &actions[0]["edit"]["changes"][&uri]);
    (actions.iter().map(title).collect(), text)
}

#[test]
fn a_breaking_change_is_undone_by_a_fix() {
    let with = |size: &str| definition("v1", size);
    for (old, new, title) in [
        ("{type: integer, maximum: 10}", "{type: integer, maximum: 5}", "Restore `maximum` from `HEAD`"),
        ("{type: integer}", "{type: integer, maximum: 5}", "Remove `maximum`, which `HEAD` does not have"),
        ("{type: string, nullable: true}", "{type: string}", "Restore `nullable` from `HEAD`"),
        ("{type: string, enum: [a, b]}", "{type: string, enum: [b]}", "Restore `enum` from `HEAD`"),
    ] {
        let (titles, text) = taken_back(&with(old), &with(new));
        assert_eq!(titles, [title], "{old} -> {new}");
        assert_eq!(text, with(old), "{old} -> {new}");
    }
}

#[test]
fn a_removed_field_is_restored_by_a_fix() {
    let old = definition("v1", "{type: integer}")
        + "              color:\n                type: string\n                enum:\n                - red\n";
    let (titles, text) = taken_back(&old, &definition("v1", "{type: integer}"));
    assert_eq!(titles, ["Restore `color` from `HEAD`"]);
    assert_eq!(text, old);
}

#[test]
fn a_removed_version_is_restored_by_a_fix_and_not_served() {
    let second = "  - name: v2
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
";
    let new = definition("v1", "{type: integer}").replace("storage: true", "storage: false") + second;
    let old = definition("v1", "{type: integer}");
    let (titles, text) = taken_back(&old, &new.replace("  - name: v1\n", "  - name: v1beta1\n"));
    assert_eq!(titles, ["Restore version `v1` from `HEAD` with `served: false`"]);
    assert!(
        text.ends_with("              size: {type: integer}\n")
            && text.contains("  - name: v1\n    served: false\n    storage: false\n"),
        "{text}"
    );
}

/// A definition of three versions, the second stored, whose `.spec` has these properties.
fn three_versions(conversion: &str) -> String {
    let version = |name: &str, storage: bool, properties: &str| {
        format!(
            "  - name: {name}
    served: true
    storage: {storage}
    schema:
      openAPIV3Schema: {{type: object, properties: {{spec: {{type: object, properties: {{{properties}}}}}}}}}
"
        )
    };
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: widgets.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: widgets, kind: Widget}}
{conversion}  versions:
{}{}{}",
        version(
            "v1alpha1",
            false,
            "old: {type: object, properties: {a: {type: string}, b: {type: integer}}}, size: {type: integer}"
        ),
        version("v1beta1", true, "size: {type: integer, minimum: 1}, mode: {type: string, enum: [a, b]}"),
        version("v1", false, "size: {type: integer, minimum: 1}, mode: {type: string, enum: [a]}"),
    )
}

#[test]
fn versions_are_compared_side_by_side_with_the_effect_on_their_fields() {
    let webhook = "  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://a.b'}}
";
    let root = directory(&[
        ("none.yaml", three_versions("").as_bytes()),
        ("webhook.yaml", three_versions(webhook).as_bytes()),
    ]);
    let table = "widgets.example.com
                                  v1                  v1beta1 (storage)   v1alpha1
  .spec.mode                      string, \"a\"         string, \"a\"|\"b\"     -
  .spec.old (and 2 fields below)  -                   -                   object
  .spec.size                      integer, minimum 1  integer, minimum 1  integer
";
    let none = "  `-`: kube-apiserver drops the field for clients of that version, and objects that they write \
                lose it (4 fields). Fields missing from the storage version are lost (3 fields). 1 field \
                differs: one version may accept or default a value that another rejects.\n";
    let order = "  Discovery lists v1, v1beta1, v1alpha1; kubectl uses v1 by default.\n";
    assert_eq!(stdout(&run(root.path(), &["versions", "none.yaml"])), format!("{table}{none}{order}"));
    let by_webhook = "  A webhook converts between the versions and must map 5 fields. `-`: the version does not have the field (4 fields). \
                      Fields missing from the storage version are lost unless the webhook keeps them in another field or an \
                      annotation (3 fields). One version may accept a value that another rejects (1 field).\n";
    assert_eq!(
        stdout(&run(root.path(), &["versions", "webhook.yaml"])),
        format!("{table}{by_webhook}{order}")
    );
    for (arguments, expected) in [
        (&["none.yaml"][..], 1),
        (&["webhook.yaml"], 0),
        (&["none.yaml", "--fail-on", "never"], 0),
        (&["webhook.yaml", "--fail-on", "different"], 1),
    ] {
        assert_eq!(
            status(&run(root.path(), &[&["versions"], arguments].concat())),
            expected,
            "{arguments:?}"
        );
    }
}

/// The server lists the versions in this order, regardless of the text (documentation on versions of
/// CustomResourceDefinitions).
#[test]
fn versions_are_listed_in_the_order_of_discovery() {
    let names =
        ["v1", "v10", "v2", "foo10", "foo1", "v11alpha2", "v12alpha1", "v3beta1", "v10beta3", "v11beta2"];
    let version = |name: &&str| {
        format!(
            "  - {{name: {name}, served: {}, storage: {}, schema: {{openAPIV3Schema: {{type: object}}}}}}\n",
            *name != "v10",
            *name == "v1"
        )
    };
    let (head, _) =
        three_versions("").split_once("  - name").map(|(head, rest)| (head.to_owned(), rest.len())).unwrap();
    let text = head + &names.iter().map(version).collect::<String>();
    let root = directory(&[("crd.yaml", text.as_bytes())]);
    let output = run(root.path(), &["versions", "crd.yaml", "--output", "json"]);
    let table: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let order = json!([
        "v10",
        "v2",
        "v1",
        "v11beta2",
        "v10beta3",
        "v3beta1",
        "v12alpha1",
        "v11alpha2",
        "foo1",
        "foo10"
    ]);
    assert_eq!(
        (&table["versions"], &table["preferred"], &table["storage"]),
        (&order, &json!("v2"), &json!("v1"))
    );
    assert_eq!(
        stdout(&run(root.path(), &["versions", "crd.yaml"])),
        "widgets.example.com
  all versions have the same fields
  Discovery lists v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1, v11alpha2, foo1, foo10; kubectl uses v2 by default.
"
    );
}

#[test]
fn diff_fails_on_fields_that_versions_lose() {
    let webhook = "  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://a.b'}}
";
    let root = directory(&[
        ("old.yaml", three_versions(webhook).as_bytes()),
        ("new.yaml", three_versions("").as_bytes()),
    ]);
    let output = run(root.path(), &["diff", "old.yaml", "new.yaml"]);
    assert_eq!(status(&output), 1);
    assert!(
        stdout(&output).contains("`.spec.mode` is lost when an object is written through `v1alpha1`, which does not have it (conversion strategy `None`)"),
        "{}",
        stdout(&output)
    );
    assert!(stdout(&output).contains("[compat/conversion-loss]"));
    assert_eq!(status(&run(root.path(), &["diff", "new.yaml", "new.yaml"])), 0);
}

#[test]
fn code_actions_right_after_opening_use_the_version_in_git() {
    let old = definition("v1", "{type: integer, maximum: 10}");
    let root = directory(&[("crd.yaml", old.as_bytes())]);
    commit_all(&Repository::init(root.path()).unwrap());
    let uri = uri(&root.path().join("crd.yaml"));
    let mut client = editor(&json!({"compat": {"base": "HEAD"}, "compareWith": "off"}));
    let new = definition("v1", "{type: integer, maximum: 5}");
    let line = new.lines().position(|line| line.contains("maximum")).unwrap();
    client.open_as(&uri, "yaml", &new);
    let place =
        json!({"line": line, "character": new.lines().nth(line).unwrap().find("maximum").unwrap() + 9});
    let parameters = json!({
        "textDocument": {"uri": uri}, "range": {"start": place, "end": place},
        "context": {"diagnostics": [], "only": ["quickfix"]},
    });
    let actions = client.ask("textDocument/codeAction", parameters);
    let titles: Vec<&str> =
        actions.as_array().unwrap().iter().map(|action| action["title"].as_str().unwrap()).collect();
    assert!(titles.iter().any(|title| title.contains("HEAD")), "{titles:?}");
}
