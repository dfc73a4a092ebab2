//! Test cases of definitions in an editor: failures at their cases, lenses, and the command that runs them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
    pub(crate) mod folders;
    pub(crate) mod program;
}

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use support::client::Client;
use support::folders::{uri, with_folders};
use support::program::{directory, repository};
use tempfile::TempDir;

const SUITE: &str = "\
cases:
- name: a size alone is enough
  given:
    spec: {size: 2}
  expect: {accepted: true}
- name: a size of 8 is too large
  given:
    spec: {size: 8}
  expect:
    errors:
    - field: spec.size
";

/// An editor with the suite open beside its definition.
struct Editor {
    root: TempDir,
    client: Client,
}

impl Editor {
    fn open(suite: &str) -> Self {
        let definition = fs::read(repository().join("fixtures/testing/widgets.yaml")).unwrap();
        let root = directory(&[("widgets.yaml", &definition), ("widgets_test.yaml", suite.as_bytes())]);
        let mut client = with_folders(&[root.path()], json!({}));
        // Once a resource has findings, the definitions are known.
        let wrong = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: 99}\n";
        client.open_as("file:///nowhere/wrong.yaml", "yaml", wrong);
        client.wait_for("findings", |message| {
            message["params"]["diagnostics"].as_array().is_some_and(|findings| !findings.is_empty())
        });
        client.open_as(&uri(&root.path().join("widgets_test.yaml")), "yaml", suite);
        Self { root, client }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn suite(&self) -> String {
        uri(&self.path("widgets_test.yaml"))
    }

    /// The next diagnostics of the suite: the line, from 0, and the message of each.
    fn failures(&mut self) -> Vec<(u64, String)> {
        let suite = self.suite();
        let published = self.client.wait_for("diagnostics", |message| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == suite
        });
        let line_and_message = |one: &Value| {
            let line = one["range"]["start"]["line"].as_u64().unwrap();
            (line, one["message"].as_str().unwrap().to_owned())
        };
        published["params"]["diagnostics"].as_array().unwrap().iter().map(line_and_message).collect()
    }

    fn run(&mut self, argument: Value) -> Value {
        let params = json!({"command": "crd-ls.test.run", "arguments": [argument]});
        self.client.ask("workspace/executeCommand", params)
    }
}

#[test]
fn a_failing_case_is_a_diagnostic_until_the_definition_is_saved() {
    let mut editor = Editor::open(SUITE);
    let failures = editor.failures();
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert_eq!(failures[0].0, 5);
    assert!(failures[0].1.starts_with("the case fails: it is accepted"), "{failures:?}");
    let path = editor.path("widgets.yaml");
    let smaller = fs::read_to_string(&path).unwrap().replace("maximum: 9", "maximum: 5");
    fs::write(&path, smaller).unwrap();
    let changed = json!({"changes": [{"uri": uri(&path), "type": 2}]});
    editor.client.notify("workspace/didChangeWatchedFiles", changed);
    while !editor.failures().is_empty() {}
}

#[test]
fn cases_test_the_definition_in_the_editor_which_is_not_saved() {
    let mut editor = Editor::open(SUITE);
    assert_eq!(editor.failures().len(), 1);
    let path = editor.path("widgets.yaml");
    let saved = fs::read_to_string(&path).unwrap();
    editor.client.open_as(&uri(&path), "yaml", &saved.replace("maximum: 9", "maximum: 5"));
    while !editor.failures().is_empty() {}
    // After closing without saving, the file on disk is used again.
    editor.client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri(&path)}}));
    while editor.failures().len() != 1 {}
}

#[test]
fn a_mistake_in_a_suite_is_a_diagnostic_at_its_line() {
    let mut editor =
        Editor::open(&SUITE.replace("  expect: {accepted: true}", "  expects: {accepted: true}"));
    let failures = editor.failures();
    let of_line = |line: u64| failures.iter().filter(|failure| failure.0 == line).count();
    assert!(
        failures.iter().any(|(line, text)| *line == 4 && text.starts_with("`expects` is unknown")),
        "{failures:?}"
    );
    // The other case runs.
    assert_eq!(of_line(5), 1, "{failures:?}");
}

#[test]
fn lenses_run_all_cases_or_the_one_at_the_cursor() {
    let mut editor = Editor::open(SUITE);
    let suite = editor.suite();
    let lenses = editor.client.ask("textDocument/codeLens", json!({"textDocument": {"uri": suite}}));
    let shown: Vec<(u64, &str)> = lenses
        .as_array()
        .unwrap()
        .iter()
        .map(|lens| {
            (lens["range"]["start"]["line"].as_u64().unwrap(), lens["command"]["title"].as_str().unwrap())
        })
        .collect();
    assert_eq!(shown, [(0, "run 2 test cases: 1 fail"), (1, "run: passes"), (5, "run: fails")]);
    let argument = lenses[2]["command"]["arguments"][0].clone();
    let answer = editor.run(argument);
    assert_eq!((&answer["passed"], &answer["failed"]), (&json!(0), &json!(1)), "{answer}");
    // The cursor is in the text of the first case.
    let answer = editor.run(json!({"uri": suite, "line": 3}));
    assert_eq!(answer["cases"][0]["name"], "a size alone is enough", "{answer}");
    // The unsaved definition in the editor is used.
    let path = editor.path("widgets.yaml");
    let smaller = fs::read_to_string(&path).unwrap().replace("maximum: 9", "maximum: 5");
    editor.client.open_as(&uri(&path), "yaml", &smaller);
    let answer = editor.run(json!({"uri": suite}));
    assert_eq!((&answer["passed"], &answer["failed"]), (&json!(2), &json!(0)), "{answer}");
}

/// The completions at `|` in a suite.
fn proposed(suite: &str) -> Vec<String> {
    let (before, following) = suite.split_once('|').unwrap();
    let mut editor = Editor::open(&format!("{before}{following}"));
    let position = json!({
        "line": before.matches('\n').count(),
        "character": before.rsplit('\n').next().unwrap().len(),
    });
    let params = json!({"textDocument": {"uri": editor.suite()}, "position": position});
    let answer = editor.client.ask("textDocument/completion", params);
    // `null` is an answer without completions.
    let items = answer["items"].as_array().or_else(|| answer.as_array());
    items.into_iter().flatten().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_fields_of_a_suite_and_of_the_objects_in_it_are_proposed() {
    assert_eq!(proposed("cases: []\n|\n"), ["name", "definition", "version"]);
    assert_eq!(proposed("cases:\n- name: a\n  |\n"), ["given", "expect", "update"]);
    let expect = "cases:\n- name: a\n  given: {spec: {size: 1}}\n  expect:\n    |\n";
    assert_eq!(proposed(expect), ["accepted", "errors", "stored", "warnings"]);
    assert_eq!(proposed(&expect.replace('|', "accepted: |")), ["true", "false"]);
    // An object of the kind that the definition beside the suite has.
    for field in ["given", "update", "expect:\n    stored"] {
        let indent = if field.starts_with("expect") { "      " } else { "    " };
        let object = format!("cases:\n- name: a\n  {field}:\n{indent}");
        let of_object = proposed(&format!("{object}|\n"));
        assert!(
            ["spec", "metadata", "file"].iter().all(|name| of_object.contains(&(*name).to_owned())),
            "{of_object:?}"
        );
        let of_spec = proposed(&format!("{object}spec:\n{indent}  |\n"));
        assert_eq!(of_spec[0], "size", "{of_spec:?}");
        let color = proposed(&format!("{object}spec: {{size: 1, color: |}}\n"));
        assert_eq!(color, ["red", "green"], "{color:?}");
    }
    // An object of a different kind.
    let other =
        "cases:\n- name: a\n  given:\n    apiVersion: example.com/v1\n    kind: Unknown\n    spec: {|}\n";
    assert_eq!(proposed(other), [] as [&str; 0]);
}

#[test]
fn hover_explains_fields_of_a_suite_and_of_the_objects_in_it() {
    let mut editor = Editor::open(SUITE);
    let suite = editor.suite();
    let hover = |editor: &mut Editor, line: u32, character: u32| {
        let position = json!({"line": line, "character": character});
        let params = json!({"textDocument": {"uri": suite}, "position": position});
        let answer = editor.client.ask("textDocument/hover", params);
        answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let expect = hover(&mut editor, 4, 3);
    assert!(expect.contains("The expected answer of kube-apiserver."), "{expect}");
    let size = hover(&mut editor, 3, 11);
    assert!(size.contains("`spec.size`") && size.contains("integer"), "{size}");
}
