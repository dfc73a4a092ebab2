//! Bases of comparisons that are missing, or at another path: reported once, and without blocking other findings.
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
use support::program::{run, status, stderr, stdout};
use support::repository::commit_all;
use support::widgets::definition_of_spec as definition;

const WIDE: &str = "{type: object, properties: {size: {type: integer, maximum: 10}}}";
const TIGHT: &str = "{type: object, properties: {size: {type: integer, maximum: 5}}}";

/// The messages of a first analysis and of one after each of three further edits, and what was logged.
fn typed(client: &mut Client, uri: &str, text: &str) -> (Vec<Vec<Value>>, Vec<String>) {
    client.open_as(uri, "yaml", text);
    let mut all = vec![broken(&client.compared_diagnostics(uri, 1))];
    for version in 2..5 {
        let text = format!("{text}{}", "# more\n".repeat(version as usize));
        let change =
            json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]});
        client.notify("textDocument/didChange", change);
        all.push(broken(&client.diagnostics(uri, version)));
    }
    let logged = client.so_far("window/logMessage");
    let warnings = logged.iter().filter(|message| message["params"]["type"].as_i64().unwrap() <= 2);
    (all, warnings.map(|message| message["params"]["message"].as_str().unwrap().to_owned()).collect())
}

#[test]
fn a_missing_base_is_reported_once() {
    let (root, _repository) = branched(&[("crd.yaml", &definition(WIDE))]);
    let mut client = editor(&json!({"compat": {"base": "nowhere"}, "compareWith": "off"}));
    let (findings, logged) = typed(&mut client, &uri(root.path(), "crd.yaml"), &definition(TIGHT));
    assert_eq!(findings, vec![Vec::<Value>::new(); 4]);
    let messages_with: Vec<&String> = logged.iter().filter(|line| line.contains("nowhere")).collect();
    assert!(messages_with.len() == 1 && messages_with[0].contains("nowhere cannot be read"), "{logged:?}");
}

#[test]
fn a_shallow_clone_without_the_base_states_how_to_fetch_it() {
    let (root, repository) = branched(&[("crd.yaml", &definition(WIDE))]);
    // Another commit on each branch, without their common history.
    fs::write(root.path().join("other.yaml"), "a: 1\n").unwrap();
    let work = commit_all(&repository).to_string();
    repository.set_head("refs/heads/main").unwrap();
    fs::write(root.path().join("other.yaml"), "a: 2\n").unwrap();
    let main = commit_all(&repository).to_string();
    repository.set_head("refs/heads/work").unwrap();
    fs::write(root.path().join(".git/shallow"), format!("{work}\n{main}\n")).unwrap();
    let mut client = editor(&json!({}));
    let (findings, logged) = typed(&mut client, &uri(root.path(), "crd.yaml"), &definition(TIGHT));
    assert_eq!(findings, vec![Vec::<Value>::new(); 4]);
    let messages_with = logged.iter().filter(|line| line.contains("git fetch --unshallow"));
    assert_eq!(messages_with.count(), 1, "{logged:?}");
    let output = run(root.path(), &["diff", "--base", "merge-base", "crd.yaml"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("git fetch --unshallow"), "{}", stderr(&output));
    // Commits that exist can be named.
    fs::write(root.path().join("crd.yaml"), definition(TIGHT)).unwrap();
    assert_eq!(status(&run(root.path(), &["diff", "--base", "HEAD", "crd.yaml"])), 1);
}

#[test]
fn a_renamed_file_is_compared_with_its_earlier_version() {
    let other = definition(WIDE).replace("widgets", "gadgets").replace("Widget", "Gadget");
    let (root, repository) = branched(&[("old/widgets.yaml", &definition(WIDE)), ("other.yaml", &other)]);
    fs::remove_file(root.path().join("old/widgets.yaml")).unwrap();
    fs::create_dir(root.path().join("new")).unwrap();
    fs::write(root.path().join("new/w.yaml"), definition(TIGHT)).unwrap();
    for is_committed in [false, true] {
        if is_committed {
            commit_all(&repository);
        }
        let mut client = editor(&json!({"compareWith": "off"}));
        let (findings, logged) = typed(&mut client, &uri(root.path(), "new/w.yaml"), &definition(TIGHT));
        for found in findings {
            let message = found[0]["message"].as_str().unwrap();
            assert_eq!(found.len(), 1);
            assert!(
                message.starts_with("compared with the main branch (old/widgets.yaml): `.spec.size`"),
                "{message}"
            );
        }
        assert_eq!(logged, Vec::<String>::new());
        let output = run(root.path(), &["diff", "--base", "main", "."]);
        let text = stdout(&output);
        assert!(text.contains("\n./new/w.yaml: 1 breaking, 0 risky, 0 safe changes\n"), "{text}");
        assert!(status(&output) == 1 && !text.contains("definition-removed"), "{text}");
    }
}

#[test]
fn a_definition_that_moved_out_of_a_bundle_is_compared_with_its_earlier_version() {
    let other = definition(WIDE).replace("widgets", "gadgets").replace("Widget", "Gadget");
    let bundle = format!("{}---\n{other}", definition(WIDE));
    let (root, _repository) = branched(&[("bundle.yaml", &bundle)]);
    fs::write(root.path().join("bundle.yaml"), &other).unwrap();
    fs::write(root.path().join("widgets.yaml"), definition(TIGHT)).unwrap();
    let mut client = editor(&json!({"compareWith": "off"}));
    client.open_as(&uri(root.path(), "widgets.yaml"), "yaml", &definition(TIGHT));
    let found = broken(&client.compared_diagnostics(&uri(root.path(), "widgets.yaml"), 1));
    assert!(found[0]["message"].as_str().unwrap().contains("(bundle.yaml)"), "{found:?}");
    // No definition was removed: the one that left one file is in the other.
    let output = run(root.path(), &["diff", "--base", "main", "."]);
    assert!(!stdout(&output).contains("definition-removed"), "{}", stdout(&output));
    assert!(stdout(&output).contains("`maximum` changed from 10 to 5"), "{}", stdout(&output));
}

#[test]
fn without_a_path_all_files_below_are_compared_and_unchanged_ones_are_only_counted() {
    let other = definition(WIDE).replace("widgets", "gadgets").replace("Widget", "Gadget");
    let template = definition("{{ .Values.size }}\n{{- end }}").replace("widgets", "charms");
    let broken = definition("[").replace("widgets", "gears");
    let files: &[(&str, &str)] = &[
        ("chart/templates/charms.yaml", &template),
        ("gadgets.yaml", &other),
        ("gears.yaml", &broken),
        ("widgets.yaml", &definition(WIDE)),
    ];
    let (root, _repository) = branched(files);
    let unchanged = run(root.path(), &["diff", "--base", "main"]);
    assert_eq!(
        (status(&unchanged), stdout(&unchanged), stderr(&unchanged)),
        (0, "4 files with definitions: unchanged\n".to_owned(), String::new())
    );
    let markdown = run(root.path(), &["diff", "--base", "main", "--output", "markdown"]);
    assert_eq!((status(&markdown), stdout(&markdown)), (0, String::new()));

    // A template is not an error; a syntax error is.
    fs::write(root.path().join("chart/templates/charms.yaml"), format!("# A comment.\n{template}")).unwrap();
    let template = run(root.path(), &["diff", "--base", "main"]);
    assert_eq!(status(&template), 0);
    assert!(
        stderr(&template).contains("charms.yaml: charms.example.com is in a template and is not compared\n"),
        "{}",
        stderr(&template)
    );
    assert_eq!(stdout(&template), "3 files with definitions: unchanged\n");
    fs::write(root.path().join("gears.yaml"), format!("# A comment.\n{broken}")).unwrap();
    let broken = run(root.path(), &["diff", "--base", "main"]);
    assert_eq!(status(&broken), 2);
    assert!(
        stderr(&broken).contains("gears.yaml: gears.example.com has syntax errors and is not compared\n"),
        "{}",
        stderr(&broken)
    );
}

#[test]
fn a_definition_whose_file_was_deleted_is_reported_by_the_command_line() {
    let other = definition(WIDE).replace("widgets", "gadgets").replace("Widget", "Gadget");
    let (root, _repository) = branched(&[("crds/a.yaml", &definition(WIDE)), ("crds/b.yaml", &other)]);
    fs::remove_file(root.path().join("crds/b.yaml")).unwrap();
    let output = run(root.path(), &["diff", "--base", "main", "crds"]);
    assert_eq!(status(&output), 1);
    let text = stdout(&output);
    assert!(
        text.contains("gadgets.example.com\n  breaking  main:crds/b.yaml:1:1: the definition was removed"),
        "{text}"
    );
}

#[test]
fn a_definition_that_does_not_parse_at_the_base_is_reported_once_and_not_compared() {
    let half_typed = definition(WIDE).replace("  scope: Namespaced\n", "  scope: [Namespaced\n");
    let (root, _repository) = branched(&[("crd.yaml", &half_typed)]);
    let mut client = editor(&json!({"compareWith": "off"}));
    let (findings, logged) = typed(&mut client, &uri(root.path(), "crd.yaml"), &definition(TIGHT));
    assert_eq!(findings, vec![Vec::<Value>::new(); 4]);
    let messages_with = logged.iter().filter(|line| line.contains("syntax errors"));
    assert_eq!(messages_with.count(), 1, "{logged:?}");
    fs::write(root.path().join("crd.yaml"), definition(TIGHT)).unwrap();
    let output = run(root.path(), &["diff", "--base", "main", "crd.yaml"]);
    assert_eq!(status(&output), 2);
    assert_eq!(
        stderr(&output).lines().next().unwrap(),
        "crd-ls: main:crd.yaml: widgets.example.com has syntax errors and is not compared"
    );
    assert!(!stdout(&output).contains("breaking  "), "{}", stdout(&output));
}
