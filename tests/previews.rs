//! The commands that show the effects of definitions and resources: openapi, apply, sample, eval.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod program;
}

use serde_json::Value;
use support::program::{directory, json_of, run, run_with, status, stderr, stdout};
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
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            x-kubernetes-validations:
            - rule: self.size > 2 || self.sizes.exists(s, s > 4)
              message: too small
            properties:
              size: {type: integer, description: How large it is.}
              sizes: {type: array, maxItems: 9, default: [1, 5], items: {type: integer}}
              colour: {type: string, enum: [red, blue], nullable: true}
              port: {x-kubernetes-int-or-string: true}
          status: {type: object, properties: {ready: {type: boolean}}}
";
const RESOURCE: &str = "apiVersion: example.com/v1
kind: Widget
metadata: {name: one}
spec: {size: 1}
status: {ready: true}
";

fn files() -> TempDir {
    let patched = RESOURCE.replace("size: 1", "size: 1, sizes: [1], seiz: 2");
    directory(&[
        ("crd.yaml", DEFINITION.as_bytes()),
        ("cr.yaml", RESOURCE.as_bytes()),
        ("bad.yaml", patched.as_bytes()),
        ("other.yaml", b"apiVersion: other.example.com/v1\nkind: Gadget\nmetadata: {name: one}\n"),
        ("core.yaml", b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n"),
        ("broken.yaml", DEFINITION.replace("type: array", "type: 1").as_bytes()),
    ])
}

/// The output of the program, which must succeed.
fn output_of(arguments: &[&str]) -> String {
    let output = run(files().path(), arguments);
    assert_eq!((status(&output), stderr(&output)), (0, String::new()), "{arguments:?}");
    stdout(&output)
}

#[test]
fn openapi_shows_what_is_published_of_each_version() {
    let text = output_of(&["openapi", "crd.yaml"]);
    assert!(text.starts_with("# widgets.example.com v1: com.example.v1.Widget\n"), "{text}");
    assert!(
        text.contains("port:\n        anyOf:\n        - type: integer\n        - type: string\n"),
        "{text}"
    );
    let of = |arguments: &[&str]| -> Value {
        let all: Value = serde_json::from_str(&output_of(arguments)).unwrap();
        all["schemas"]["com.example.v1.Widget"]["properties"]["spec"].clone()
    };
    let v3 = of(&["openapi", "--output", "json", "crd.yaml"]);
    let v2 = of(&["openapi", "--v2", "--output", "json", "crd.yaml"]);
    let skeleton = of(&["openapi", "--skeleton", "--output", "json", "crd.yaml"]);
    let colour = |spec: &Value| spec["properties"]["colour"].to_string();
    assert_eq!(colour(&v3), r#"{"enum":["red","blue"],"nullable":true,"type":"string"}"#);
    assert_eq!(colour(&v2), r#"{"enum":["red","blue"]}"#);
    assert_eq!(colour(&skeleton), r#"{"nullable":true,"type":"string"}"#);
    assert_eq!((v3["required"][0].as_str(), skeleton.get("required")), (Some("size"), None));
}

#[test]
fn openapi_writes_the_document_of_a_group_and_version() {
    let document: Value =
        serde_json::from_str(&output_of(&["openapi", "--group-version", "example.com/v1", "crd.yaml"]))
            .unwrap();
    assert_eq!(document["openapi"], "3.0.0");
    let list = &document["paths"]["/apis/example.com/v1/widgets"]["get"];
    assert_eq!(list["operationId"], "listExampleComV1WidgetForAllNamespaces");
    let model = "#/components/schemas/com.example.v1.WidgetList";
    assert_eq!(list["responses"]["200"]["content"]["application/json"]["schema"]["$ref"], model);
    assert!(document["components"]["schemas"]["com.example.v1.WidgetList"].is_object());
    let output = run(files().path(), &["openapi", "--group-version", "example.com/v2", "crd.yaml"]);
    assert_eq!((status(&output), stdout(&output)), (2, String::new()));
    assert!(stderr(&output).contains("no definition serves example.com/v2"), "{}", stderr(&output));
}

/// A walk that shows nothing says so.
#[test]
fn apply_without_resources_is_reported() {
    let folder = directory(&[(
        "other.yaml",
        b"apiVersion: other.example.com/v1\nkind: Gadget\nmetadata: {name: a}\n",
    )]);
    let output = run(folder.path(), &["apply", "--dry-run", "."]);
    let message = "crd-ls: no custom resource with a definition found; name definitions with --crd PATH\n";
    assert_eq!((status(&output), stdout(&output), stderr(&output)), (2, String::new(), message.to_owned()));
    let output = run(folder.path(), &["gates"]);
    assert_eq!(
        (status(&output), stderr(&output)),
        (0, "no definition has feature gates on fields\n".to_owned())
    );
}

/// A template that a walk finds is reported, but is not an error; a template that the user names is not shown.
#[test]
fn a_template_is_not_published() {
    let template = DEFINITION.replace("spec:\n", "spec:\n  {{- if .Values.a }}\n");
    let folder =
        directory(&[("crd.yaml", DEFINITION.as_bytes()), ("templates/crd.yaml", template.as_bytes())]);
    let message = "templates/crd.yaml: widgets.example.com is in a template and is not shown\n";
    let walked = run(folder.path(), &["openapi"]);
    assert_eq!(status(&walked), 0);
    assert!(stderr(&walked).ends_with(message), "{}", stderr(&walked));
    let alone = run(folder.path(), &["openapi", "crd.yaml"]);
    assert_eq!(
        stdout(&walked).matches("description:").count(),
        stdout(&alone).matches("description:").count()
    );
    let named = run(folder.path(), &["openapi", "templates/crd.yaml"]);
    assert_eq!((status(&named), stderr(&named)), (2, format!("crd-ls: {message}")));
}

#[test]
fn definitions_that_cannot_be_published_are_reported() {
    for (path, words) in [
        ("cr.yaml", "cr.yaml: no definition found that kube-apiserver accepts"),
        ("broken.yaml", "broken.yaml: kube-apiserver cannot decode this: "),
        ("none.yaml", "none.yaml: "),
    ] {
        let output = run(files().path(), &["openapi", path]);
        assert_eq!((status(&output), stdout(&output)), (2, String::new()), "{path}");
        assert!(stderr(&output).contains(words), "{path}: {}", stderr(&output));
    }
}

#[test]
fn apply_shows_what_would_be_stored() {
    assert_eq!(
        output_of(&["apply", "--dry-run", "cr.yaml", "--crd", "crd.yaml"]),
        "# cr.yaml: example.com/v1 Widget one
# dropped: status
apiVersion: example.com/v1
kind: Widget
metadata:
  generation: 1 # set by the server
  name: one
  namespace: default # set by the server
spec:
  size: 1
  sizes: # default
  - 1
  - 5
"
    );
    let output = run_with(
        files().path(),
        &["apply", "--dry-run", "-", "--crd", "crd.yaml", "--output", "json"],
        RESOURCE.as_bytes(),
    );
    let all = json_of(&output);
    assert_eq!(
        (status(&output), &all["accepted"], &all["defaulted"][0]),
        (0, &true.into(), &"spec.sizes".into())
    );
    assert_eq!(all["object"]["spec"]["sizes"].to_string(), "[1,5]");
}

#[test]
fn apply_states_why_a_request_is_rejected() {
    let output = run(files().path(), &["apply", "--dry-run", "bad.yaml", "--crd", "crd.yaml"]);
    assert_eq!(status(&output), 1);
    assert_eq!(
        stdout(&output),
        "# bad.yaml: example.com/v1 Widget one is rejected
# error: strict decoding error: unknown field \"spec.seiz\"
# error: spec: Invalid value: too small
"
    );
    for (path, words) in [
        ("other.yaml", "no definition serves other.example.com/v1 Gadget; name one with --crd PATH"),
        ("core.yaml", "no custom resource found"),
        ("none.yaml", "No such file"),
    ] {
        let output = run(files().path(), &["apply", "--dry-run", path, "--crd", "crd.yaml"]);
        assert_eq!((status(&output), stdout(&output)), (2, String::new()), "{path}");
        assert!(stderr(&output).contains(&format!("{path}: {words}")), "{}", stderr(&output));
    }
}

#[test]
fn a_sample_can_be_applied() {
    let expected = "apiVersion: example.com/v1
kind: Widget
metadata:
  name: sample
spec:
  # How large it is.
  size: 1
  # # one of \"red\", \"blue\"
  # colour: red
  # port: 1
  # # default [1,5]; maxItems 9
  # sizes: [1,5]
";
    assert_eq!(output_of(&["sample", "crd.yaml"]), expected);
    for name in ["widget", "widgets", "Widgets.example.com"] {
        assert_eq!(output_of(&["sample", name, "--crd", "crd.yaml"]), expected, "{name}");
    }
    let files = files();
    let output =
        run_with(files.path(), &["check", "-", "--crd", "crd.yaml", "--output", "json"], expected.as_bytes());
    assert_eq!(json_of(&output)["files"][0]["diagnostics"].as_array().map(Vec::len), Some(0));
    let output = run(files.path(), &["sample", "Gadget", "--crd", "crd.yaml"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("Gadget: neither a file nor a known kind"), "{}", stderr(&output));
}

#[test]
fn eval_shows_the_values_of_all_parts_of_a_rule() {
    assert_eq!(
        output_of(&["eval", "crd.yaml", "cr.yaml"]),
        "example.com/v1 Widget one
rule 1 at spec: true (cost 18)
  self.size > 2 || self.sizes.exists(s, s > 4)  =>  true
    self.size > 2  =>  false
      self.size  =>  1
    self.sizes.exists(s, s > 4)  =>  true
      self.sizes  =>  [1, 5]
      s > 4  =>  false, true
        s  =>  1, 5
"
    );
    let output = run(files().path(), &["eval", "crd.yaml", "bad.yaml", "--rule", "1", "--output", "json"]);
    let rule = json_of(&output)["rules"][0].clone();
    assert_eq!((status(&output), &rule["value"], &rule["path"]), (1, &"false".into(), &"spec".into()));
}

/// Two fields with the same schema, once repeated and once as an alias.
#[test]
fn eval_numbers_rules_by_place_even_if_their_schemas_are_equal() {
    let part = "
              part:
                type: object
                description: A part that both sides of the widget have, with the same limits.
                x-kubernetes-validations:
                - rule: self.size > 3
                properties: {size: {type: integer}}
              rest: {type: string}";
    let side = format!("\n            type: object\n            properties:{part}");
    let fields = ["left", "right"].map(|name| format!("\n          {name}:{side}")).concat();
    let (definition, _) = DEFINITION.split_once("\n          spec:").unwrap();
    let alias = format!("\n          left: &side{side}\n          right: *side");
    let resource = "apiVersion: example.com/v1
kind: Widget
metadata: {name: one}
left: {part: {size: 5}}
right: {part: {size: 1}}
";
    for fields in [fields, alias] {
        let crd = format!("{definition}{fields}\n");
        let files = directory(&[("crd.yaml", crd.as_bytes()), ("cr.yaml", resource.as_bytes())]);
        let all = stdout(&run(files.path(), &["eval", "crd.yaml", "cr.yaml"]));
        let heads: Vec<&str> = all.lines().filter(|line| line.starts_with("rule")).collect();
        let expected = ["rule 1 at left.part: true (cost 3)", "rule 2 at right.part: false (cost 3)"];
        assert_eq!(heads, expected, "{crd}");
        let second = stdout(&run(files.path(), &["eval", "crd.yaml", "cr.yaml", "--rule", "2"]));
        assert!(second.contains(expected[1]) && !second.contains(expected[0]), "{second}");
    }
}

#[test]
fn eval_takes_any_expression() {
    let text = output_of(&["eval", "crd.yaml", "cr.yaml", "--expression", "self.spec.sizes.map(s, s * 2)"]);
    assert!(text.starts_with("example.com/v1 Widget one\nat the resource: [2, 10] (cost "), "{text}");
    for (arguments, words) in [
        (["--expression", "self.spec.colour ==="], "Syntax error"),
        (["--expression", "self.spec.size + 'a'"], "no matching overload"),
    ] {
        let output = run(files().path(), &[&["eval", "crd.yaml", "cr.yaml"], arguments.as_slice()].concat());
        assert_eq!(status(&output), 1);
        assert!(stdout(&output).contains(words), "{}", stdout(&output));
    }
    for (arguments, words) in [
        (
            ["eval", "crd.yaml", "cr.yaml", "--rule", "2"].as_slice(),
            "rule 2 does not exist; the schema of Widget has 1",
        ),
        (&["eval", "cr.yaml", "cr.yaml"], "cr.yaml: no definition found"),
        (&["eval", "crd.yaml", "other.yaml"], "no resource has a kind that crd.yaml defines"),
    ] {
        let output = run(files().path(), arguments);
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}
