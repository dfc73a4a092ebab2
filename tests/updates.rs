//! Stored definitions and resources: `--old` and `--base` have the same meaning in all commands.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod program;
    pub(crate) mod repository;
}

use std::fs;

use git2::Repository;
use serde_json::{Value, json};
use support::program::{directory, json_of, run, run_with, status, stderr, stdout};
use support::repository::commit_all;
use tempfile::TempDir;

const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            x-kubernetes-validations:
            - rule: self.size >= oldSelf.size
              message: may not shrink
            properties:
              size: {type: integer, maximum: 50}
              name: {type: string}
";

/// A widget with this name and `spec`.
fn widget(name: &str, spec: &str) -> String {
    format!("apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: {name}}}\nspec: {spec}\n")
}

/// A list with these widgets.
fn list(widgets: &[(&str, &str)]) -> String {
    let item = |(name, spec): &(&str, &str)| {
        format!(
            "- apiVersion: example.com/v1\n  kind: Widget\n  metadata: {{name: {name}}}\n  spec: {spec}\n"
        )
    };
    format!("apiVersion: v1\nkind: List\nitems:\n{}", widgets.iter().map(item).collect::<String>())
}

/// The definition, the stored widgets, and the new ones: one shrinks, one keeps a size that is too large, one is new.
fn files() -> TempDir {
    let stored = list(&[("shrinks", "{size: 9}"), ("stays", "{size: 60}")]);
    let new = [
        widget("shrinks", "{size: 8}"),
        widget("stays", "{size: 60, name: a}"),
        widget("appears", "{size: 60}"),
    ];
    directory(&[
        ("crd.yaml", DEFINITION.as_bytes()),
        ("stored/all.yaml", stored.as_bytes()),
        ("new.yaml", new.join("---\n").as_bytes()),
    ])
}

/// The messages of the server: the line of each finding, and the message as kubectl prints it.
fn server_messages(output: &std::process::Output) -> Vec<(u64, String)> {
    let report = json_of(output);
    let files = report["files"].as_array().unwrap();
    let findings = files.iter().flat_map(|file| file["diagnostics"].as_array().unwrap());
    let findings = findings.filter(|finding| !finding["code"].as_str().unwrap().starts_with("lint/"));
    let words = |one: &Value| one["apiServer"]["message"].as_str().unwrap_or_default().to_owned();
    findings.map(|one| (one["range"]["start"]["line"].as_u64().unwrap(), words(one))).collect()
}

#[test]
fn check_validates_resources_as_updates_of_stored_ones() {
    let root = files();
    let too_large = |line| {
        let detail = "spec.size in body should be less than or equal to 50";
        (line, format!("spec.size: Invalid value: 60: {detail}"))
    };
    let shrinks = (3, "spec: Invalid value: may not shrink".to_owned());
    let check = |arguments: &[&str]| {
        run(root.path(), &[&["check", "--output", "json", "new.yaml", "crd.yaml"], arguments].concat())
    };
    let created = server_messages(&check(&[]));
    assert_eq!(created, [too_large(8), too_large(13)]);
    for old in ["stored/all.yaml", "stored"] {
        assert_eq!(server_messages(&check(&["--old", old])), [shrinks.clone(), too_large(13)], "{old}");
    }
    // The new definition validates the widgets, and unchanged stored values are still allowed.
    let wider = DEFINITION.replace("maximum: 50", "maximum: 70");
    fs::write(root.path().join("crd.yaml"), wider).unwrap();
    assert_eq!(server_messages(&check(&["--old", "stored"])), [shrinks]);
}

#[test]
fn items_of_lists_are_updates_of_documents_and_vice_versa() {
    let root = files();
    let stored = widget("shrinks", "{size: 9}");
    fs::write(root.path().join("stored/all.yaml"), format!("---\n{stored}---\nkind: Other\n")).unwrap();
    fs::write(root.path().join("new.yaml"), list(&[("shrinks", "{size: 8}")])).unwrap();
    let output =
        run(root.path(), &["check", "--output", "json", "--crd", "crd.yaml", "--old", "stored", "new.yaml"]);
    assert_eq!(server_messages(&output).len(), 1);
    assert_eq!(server_messages(&output)[0].1, "spec: Invalid value: may not shrink");
}

#[test]
fn a_resource_is_the_same_by_kind_name_and_namespace() {
    let (old, new) = (widget("one", "{size: 9}"), widget("one", "{size: 8}"));
    let within = |text: &str, namespace: &str| {
        text.replace("{name: one}", &format!("{{name: one, namespace: {namespace}}}"))
    };
    let root = directory(&[("crd.yaml", DEFINITION.as_bytes())]);
    let shrinks = |definition: &str, old: &str, new: &str| {
        fs::write(root.path().join("crd.yaml"), definition).unwrap();
        fs::write(root.path().join("old.yaml"), old).unwrap();
        fs::write(root.path().join("new.yaml"), new).unwrap();
        let output = run(
            root.path(),
            &["check", "--output", "json", "--crd", "crd.yaml", "--old", "old.yaml", "new.yaml"],
        );
        assert!(status(&output) < 2, "{}", stderr(&output));
        stdout(&output).contains("may not shrink")
    };
    assert!(shrinks(DEFINITION, &old, &new));
    assert!(shrinks(DEFINITION, &within(&old, "a"), &within(&new, "a")));
    assert!(!shrinks(DEFINITION, &within(&old, "a"), &within(&new, "b")));
    // A request without a namespace goes to `default`.
    assert!(shrinks(DEFINITION, &within(&old, "default"), &new));
    assert!(!shrinks(DEFINITION, &within(&old, "a"), &new));
    assert!(!shrinks(DEFINITION, &old.replace("one", "two"), &new));
    assert!(!shrinks(DEFINITION, &old.replace("Widget", "Gadget"), &new));
    // For cluster-scoped kinds, the namespace is ignored.
    let cluster = DEFINITION.replace("Namespaced", "Cluster");
    assert!(shrinks(&cluster, &within(&old, "a"), &new));
    // Of several objects with the same name the last one is used, because kubectl applies it last.
    let smaller = widget("one", "{size: 7}");
    assert!(!shrinks(DEFINITION, &format!("{old}---\n{smaller}"), &new));
    assert!(shrinks(DEFINITION, &format!("{smaller}---\n{old}"), &new));
}

/// The server converts stored objects before it compares them.
#[test]
fn objects_stored_in_another_version_are_read_in_this_one() {
    let schema = DEFINITION.split_once("    schema:\n").unwrap().1;
    let two =
        format!("{DEFINITION}  - name: v2\n    served: true\n    storage: false\n    schema:\n{schema}");
    let webhook = two.replace(
        "  versions:\n",
        "  conversion:\n    strategy: Webhook\n    webhook:\n      conversionReviewVersions: [v1]\n      \
         clientConfig: {url: 'https://example.com'}\n  versions:\n",
    );
    let new = widget("one", "{size: 8}").replace("/v1", "/v2");
    let root = directory(&[
        ("none.yaml", two.as_bytes()),
        ("webhook.yaml", webhook.as_bytes()),
        ("old.yaml", widget("one", "{size: 9}").as_bytes()),
        ("new.yaml", new.as_bytes()),
    ]);
    let check = |definition: &str| {
        let of = ["check", "--output", "github", "--crd", definition, "--old", "old.yaml", "new.yaml"];
        stdout(&run(root.path(), &of))
    };
    assert!(check("none.yaml").contains("may not shrink"), "{}", check("none.yaml"));
    let report = check("webhook.yaml");
    assert!(report.contains("title=resource/not-compared::the stored object has version `example.com/v1`, which a webhook converts; crd-ls validates the resource as a new object"), "{report}");
    assert!(!report.contains("may not shrink"), "{report}");
}

#[test]
fn stored_definitions_are_updated_and_validate_without_another() {
    let root = files();
    let cluster = DEFINITION.replace("Namespaced", "Cluster");
    fs::write(root.path().join("stored/crd.yaml"), DEFINITION).unwrap();
    let check = |paths: &[&str]| {
        run(root.path(), &[&["check", "--output", "json", "--old", "stored"], paths].concat())
    };
    // No other definition is known, so the stored one is used.
    assert_eq!(server_messages(&check(&["new.yaml"])).len(), 2);
    // A new definition takes precedence, and is itself an update.
    fs::write(root.path().join("crd.yaml"), cluster.replace("maximum: 50", "maximum: 70")).unwrap();
    let answers: Vec<String> =
        server_messages(&check(&["crd.yaml", "new.yaml"])).into_iter().map(|(_, of)| of).collect();
    assert_eq!(
        answers,
        ["spec.scope: Invalid value: \"Cluster\": field is immutable", "spec: Invalid value: may not shrink",]
    );
    // Definitions in a list, stored in several documents.
    let other = DEFINITION.replace("widgets", "gadgets").replace("idget", "adget");
    let indented = |text: &str| format!("- {}", text.trim_end().replace('\n', "\n  "));
    let changed = [&cluster, &other.replace("Namespaced", "Cluster")].map(|text| indented(text)).join("\n");
    fs::write(root.path().join("crd.yaml"), format!("apiVersion: v1\nkind: List\nitems:\n{changed}\n"))
        .unwrap();
    fs::write(root.path().join("stored/other.yaml"), other).unwrap();
    let output = check(&["crd.yaml"]);
    assert_eq!(stdout(&output).matches(r#""detail":"field is immutable""#).count(), 2, "{}", stdout(&output));
}

#[test]
fn base_names_the_stored_version_of_resources_as_well() {
    let root = files();
    let repository = Repository::init(root.path()).unwrap();
    fs::write(root.path().join("new.yaml"), widget("shrinks", "{size: 9}")).unwrap();
    commit_all(&repository);
    fs::write(root.path().join("new.yaml"), widget("shrinks", "{size: 8}")).unwrap();
    let check = ["check", "--output", "github", "new.yaml", "crd.yaml"];
    assert!(!stdout(&run(root.path(), &check)).contains("may not shrink"));
    assert!(
        stdout(&run(root.path(), &[&check[..], &["--base", "HEAD"]].concat())).contains("may not shrink")
    );
    let eval = ["eval", "crd.yaml", "new.yaml", "--base", "HEAD"];
    assert!(stdout(&run(root.path(), &eval)).contains("rule 1 at spec: false"));
    let apply = ["apply", "--dry-run", "--crd", "crd.yaml", "new.yaml", "--base", "HEAD"];
    assert_eq!(status(&run(root.path(), &apply)), 1);
    for command in [&check[..], &["eval", "crd.yaml", "new.yaml"], &apply[..5]] {
        let output = run(root.path(), &[command, &["--base", "nowhere"]].concat());
        assert_eq!(status(&output), 2, "{command:?}");
        assert!(stderr(&output).contains("--base: "), "{}", stderr(&output));
    }
}

#[test]
fn eval_evaluates_transition_rules() {
    let root = files();
    let eval = |resource: &str, more: &[&str]| {
        fs::write(root.path().join("one.yaml"), resource).unwrap();
        run(root.path(), &[&["eval", "crd.yaml", "one.yaml", "--old", "stored"], more].concat())
    };
    let output = eval(&widget("shrinks", "{size: 8}"), &[]);
    assert_eq!(status(&output), 1);
    assert_eq!(
        stdout(&output),
        "example.com/v1 Widget shrinks
rule 1 at spec: false (cost 5)
  self.size >= oldSelf.size  =>  false
    self.size  =>  8
    oldSelf.size  =>  9
"
    );
    assert_eq!(status(&eval(&widget("shrinks", "{size: 10}"), &[])), 0);
    let created = eval(&widget("appears", "{size: 1}"), &[]);
    assert_eq!(status(&created), 0);
    assert!(stdout(&created).contains("rule 1 at spec: not evaluated: only an update has oldSelf"));
    let expression =
        eval(&widget("shrinks", "{size: 8}"), &["--expression", "oldSelf.spec.size - self.spec.size"]);
    assert!(stdout(&expression).contains("the resource: 1 "), "{}", stdout(&expression));
    let json = eval(&widget("shrinks", "{size: 8}"), &["--output", "json"]);
    assert_eq!(
        (&json_of(&json)["update"], &json_of(&json)["rules"][0]["value"]),
        (&json!(true), &json!("false"))
    );
}

/// `oldSelf` of values in lists and maps is the stored value with the same key; values without one have no `oldSelf`.
#[test]
fn eval_correlates_values_with_stored_ones() {
    let list = "{type: array, maxItems: 9, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, \
                required: [name, size], properties: {name: {type: string}, size: {type: integer}}, \
                x-kubernetes-validations: [{rule: oldSelf.size <= self.size}, {rule: self.size < 5}]}}";
    let map = "{type: object, additionalProperties: {type: string, x-kubernetes-validations: [{rule: \
               \"!oldSelf.hasValue() || oldSelf.value() == self\", optionalOldSelf: true}]}}";
    let definition = DEFINITION.replace("name: {type: string}", &format!("map: {map}")).replace(
        "size: {type: integer, maximum: 50}",
        &format!("size: {{type: integer}}\n              list: {list}"),
    );
    let stored = "{size: 1, list: [{name: a, size: 3}, {name: b, size: 9}], map: {k: u}}";
    let new =
        "{size: 1, list: [{name: b, size: 9}, {name: c, size: 1}, {name: a, size: 2}], map: {k: v, l: w}}";
    let root = directory(&[
        ("crd.yaml", definition.as_bytes()),
        ("old.yaml", widget("one", stored).as_bytes()),
        ("new.yaml", widget("one", new).as_bytes()),
    ]);
    let output = run(root.path(), &["eval", "crd.yaml", "new.yaml", "--old", "old.yaml"]);
    let text = stdout(&output);
    for line in [
        "at spec.list[0]: true",
        "at spec.list[0]: false, only a warning because the value is unchanged",
        "at spec.list[1]: not evaluated: there is no stored value for oldSelf",
        "at spec.list[2]: false (",
        "at spec.map[k]: false (",
        "at spec.map[l]: true (",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn apply_takes_a_directory_and_reports_unreadable_files() {
    let root = files();
    fs::write(root.path().join("stored/crd.yaml"), DEFINITION).unwrap();
    let apply = ["apply", "--dry-run", "--output", "json", "--old", "stored", "new.yaml"];
    let output = run(root.path(), &apply);
    let accepted: Vec<bool> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["accepted"].as_bool().unwrap())
        .collect();
    assert_eq!((status(&output), accepted), (1, vec![false, true, false]));
    fs::write(root.path().join("stored/all.yaml"), widget("shrinks", "{size: [9}")).unwrap();
    for command in [&apply[..], &["check", "--old", "stored", "new.yaml"]] {
        let output = run(root.path(), command);
        assert_eq!(status(&output), 2);
        let expected = "crd-ls: --old: Widget shrinks has syntax errors and is not compared\n";
        assert_eq!(stderr(&output), expected);
    }
    for command in ["check", "apply"] {
        let rest: &[&str] = if command == "apply" { &["--dry-run"] } else { &[] };
        let output = run(root.path(), &[&[command, "--old", "nowhere", "new.yaml"], rest].concat());
        assert_eq!(status(&output), 2);
        assert!(stderr(&output).starts_with("crd-ls: --old: nowhere: "), "{}", stderr(&output));
    }
}

#[test]
fn field_validation_takes_precedence_over_the_setting() {
    let new = widget("one", "{size: 1, seiz: 2}");
    let root = directory(&[
        ("crd.yaml", DEFINITION.as_bytes()),
        ("new.yaml", new.as_bytes()),
        (".crd-ls.toml", b"fieldValidation = 'Warn'\n"),
    ]);
    let check = |more: &[&str]| {
        let output = run(
            root.path(),
            &[&["check", "--output", "json", "--crd", "crd.yaml", "new.yaml"], more].concat(),
        );
        (status(&output), json_of(&output)["files"][0]["diagnostics"][0]["severity"].clone())
    };
    assert_eq!(check(&[]), (0, json!("warning")));
    assert_eq!(check(&["--field-validation", "Strict"]), (1, json!("error")));
    assert_eq!(check(&["--field-validation", "Ignore"]).0, 0);
    assert_ne!(check(&["--field-validation", "Ignore"]).1, json!("error"));
    let apply = |validation: &str| {
        let arguments = ["apply", "--dry-run", "--crd", "crd.yaml", "--field-validation", validation, "-"];
        status(&run_with(root.path(), &arguments, new.as_bytes()))
    };
    assert_eq!([apply("Strict"), apply("Warn"), apply("Ignore")], [1, 0, 0]);
    assert_eq!(apply("Loose"), 2);
}
