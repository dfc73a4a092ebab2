use std::fmt::Write;

use text::TextRange;
use yaml::Tree;

use super::definition;
use crate::features::symbols::symbol;

type Symbol = crate::Symbol<TextRange>;

fn symbols(text: &str) -> Vec<Symbol> {
    Tree::parse(text).documents().map(symbol).collect()
}

/// The outline of `text`, one symbol per line: its name, its detail, and the selected text if that differs
/// from the name.
fn outline(text: &str) -> String {
    let mut out = String::new();
    print(&symbols(text), text, 0, &mut out);
    out
}

fn print(symbols: &[Symbol], text: &str, depth: usize, out: &mut String) {
    for symbol in symbols {
        let Symbol { name, detail, kind, selection, .. } = symbol;
        let selected = &text[selection.as_usize()];
        let pad = "  ".repeat(depth);
        let detail = if detail.is_empty() { String::new() } else { format!(" = {detail}") };
        let selected = if selected == name { String::new() } else { format!(" @{selected:?}") };
        writeln!(out, "{pad}{name}{detail} ({kind:?}){selected}").expect("a string");
        print(&symbol.children, text, depth + 1, out);
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let found = outline(text);
    assert_eq!(found, expected, "\n{found}");
}

#[test]
fn schemas_are_listed_by_their_properties() {
    let schema = "\
type: object
description: A widget.
required: [spec]
properties:
  spec:
    type: object
    properties:
      ports:
        type: array
        items:
          type: object
          properties:
            name: {type: string, format: hostname}
            port: {x-kubernetes-int-or-string: true}
      labels: {type: object, additionalProperties: {type: integer}}
    anyOf:
    - required: [ports]
    - properties: {labels: {minProperties: 1}}
x-kubernetes-validations:
- rule: self.a < self.b
  message: nope
";
    check(
        &definition(schema),
        r#"CustomResourceDefinition widgets.example.com (Document) @"widgets.example.com"
  apiVersion = apiextensions.k8s.io/v1 (String)
  kind = CustomResourceDefinition (String)
  metadata (Object)
    name = widgets.example.com (String)
  spec (Object)
    group = example.com (String)
    scope = Namespaced (String)
    names (Object)
      kind = Widget (String)
      plural = widgets (String)
    versions (List)
      v1 (Object)
        name = v1 (String)
        served = true (Boolean)
        storage = true (Boolean)
        schema (Object)
          openAPIV3Schema = object (Object)
            spec = object (Object)
              ports = []object (List)
                name = string (hostname) (String)
                port = int-or-string (Object)
              labels = map[string]integer (Object)
              anyOf (List)
                [0] (Object) @"-"
                [1] (Object) @"-"
                  labels (Object)
            x-kubernetes-validations (List)
              [0] = self.a < self.b (Object) @"-"
                rule = self.a < self.b (String)
                message = nope (String)
"#,
    );
}

#[test]
fn other_documents_have_their_plain_outline() {
    let text = "\
# nothing but a comment
---
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  paused: no
  template:
  env:
  - name: A
    value: '1'
  - key: B
  - {x: 1}
  - last
---
kind: Pod
---
- 1.5
---
---
text: |
  two
  lines
";
    check(
        text,
        r#"Deployment web (Document) @"web"
  kind = Deployment (String)
  metadata (Object)
    name = web (String)
  spec (Object)
    replicas = 3 (Number)
    paused = no (Boolean)
    template (Null)
    env (List)
      A (Object)
        name = A (String)
        value = 1 (String)
      B (Object)
        key = B (String)
      [2] (Object) @"-"
        x = 1 (Number)
      [3] = last (String) @"-"
Pod (Document)
  kind = Pod (String)
 (Document)
  [0] = 1.5 (Number) @"-"
 (Document)
 (Document)
  text = two lines (String)
"#,
    );
}

#[test]
fn definitions_in_a_list_are_named_as_objects_are() {
    let text = "\
apiVersion: v1
kind: List
items:
- apiVersion: apiextensions.k8s.io/v1
  kind: CustomResourceDefinition
  metadata: {name: as.b.c}
  spec: {versions: [{name: v1, schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}}]}
";
    check(
        text,
        r#"List (Document)
  apiVersion = v1 (String)
  kind = List (String)
  items (List)
    CustomResourceDefinition as.b.c (Object) @"as.b.c"
      apiVersion = apiextensions.k8s.io/v1 (String)
      kind = CustomResourceDefinition (String)
      metadata (Object)
        name = as.b.c (String)
      spec (Object)
        versions (List)
          v1 (Object)
            name = v1 (String)
            schema (Object)
              openAPIV3Schema = object (Object)
                a = string (String)
"#,
    );
}

#[test]
fn aliases_show_their_type_and_are_not_entered() {
    let schema = "\
type: object
properties:
  a: &a {type: object, properties: {x: {type: string}}}
  b: *a
  c: {<<: *a, description: c}
";
    let found = outline(&definition(schema));
    let expected = r#"          openAPIV3Schema = object (Object)
            a = object (Object)
              x = string (String)
            b = object (Object)
            c = object (Object)
              << = *a (Object)
"#;
    assert!(found.ends_with(expected), "{found}");
}

#[test]
fn every_symbol_has_a_name() {
    check(
        "'': 1\n~: 2\n: 3\n? [a, b]\n: 4\n",
        r#" (Document)
  "" = 1 (Number) @"''"
  ~ = 2 (Number)
  null = 3 (Number) @""
  [a, b] = 4 (Number)
"#,
    );
}

#[test]
fn half_typed_entries_are_listed_too() {
    check(
        "kind: \"Pod\nmetadata:\n  na\nspec:\n\tx: 1\n  y: 'a\n",
        r#"Pod (Document) @"\"Pod"
  kind = Pod (String)
  metadata = na (String)
  spec (Object)
    x = 1 (Number)
    y = a (String)
"#,
    );
}

#[test]
fn ranges_end_with_the_content() {
    let text = "a:\n  b: |\n    text\n\n\nc: 1 # why\n";
    let symbols = symbols(text);
    let ranges: Vec<&str> = symbols[0].children.iter().map(|symbol| &text[symbol.range.as_usize()]).collect();
    assert_eq!(ranges, ["a:\n  b: |\n    text", "c: 1"]);
}
