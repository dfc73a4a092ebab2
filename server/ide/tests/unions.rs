//! Unions in the form that current servers support, and back: the API server's code accepts the results of
//! the fix if `CRD_LS_ORACLE` names it, and the refactoring declares the original union again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod oracle;

use ide::{Experiments, File, Finding, Fix, Settings, Severity};
use serde_json::Value;
use text::TextRange;
use yaml::Tree;

const KEYWORD: &str = "x-kubernetes-unions";

/// Schemas of `.spec` with unions: of two and more fields, beside another `oneOf`, two of them, with and
/// without the values of the discriminator, in block and in flow style.
const SCHEMAS: [&str; 6] = [
    "
            type: object
            x-kubernetes-unions:
            - discriminator: type
              fields:
                emptyDir: EmptyDir
                hostPath: HostPath
            properties:
              type: {type: string}
              emptyDir: {type: object}
              hostPath: {type: object, properties: {path: {type: string}}}
",
    "
            type: object
            x-kubernetes-unions:
            - {discriminator: kind, fields: {a: A, b: B, c: C}}
            required: [kind]
            properties:
              kind: {type: string, enum: [A, B, C]}
              a: {type: string}
              b: {type: integer}
              c: {type: array, items: {type: string}}
",
    "
            type: object
            x-kubernetes-unions:
            - discriminator: type
              fields: {a: A, b: B}
            oneOf:
            - required: [type]
            - required: [other]
            properties:
              type: {type: string}
              a: {type: string}
              b: {type: string}
              other: {type: string}
",
    "
            type: object
            x-kubernetes-unions:
            - discriminator: first
              fields: {a: A, b: B}
            - discriminator: second
              fields: {c: C, d: D}
            properties:
              first: {type: string}
              second: {type: string}
              a: {type: string}
              b: {type: string}
              c: {type: string}
              d: {type: string}
",
    " {type: object, x-kubernetes-unions: [{discriminator: type, fields: {a: A, b: B}}], properties: {type: {type: string}, a: {type: string}, b: {type: string}}}
",
    "
            type: object
            properties:
              sources:
                type: array
                items:
                  type: object
                  x-kubernetes-unions:
                  - discriminator: type
                    fields: {git: Git, bucket: Bucket}
                  allOf:
                  - required: [type]
                  properties:
                    type:
                      type: string
                      description: Which of them it is.
                    git: {type: string}
                    bucket: {type: string}
",
];

fn definition(spec: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    plural: widgets
    kind: Widget
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:{spec}"
    )
}

/// These schemas, and all fixtures with unions except for those of whole repositories.
fn texts() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = SCHEMAS
        .iter()
        .enumerate()
        .map(|(index, spec)| (format!("schema {index}"), definition(spec)))
        .collect();
    for (path, text) in suites::texts_below(&suites::fixtures()).unwrap() {
        let has_union = text.lines().any(|line| line.trim_start().starts_with(KEYWORD));
        if has_union && !path.starts_with(suites::fixtures().join("repositories")) {
            all.push((path.file_name().unwrap().to_string_lossy().into_owned(), text));
        }
    }
    all
}

fn with_unions() -> Settings {
    Settings { experiments: Experiments { feature_gates: false, unions: true }, ..Settings::default() }
}

fn text_after(text: &str, edits: &[text::TextEdit]) -> String {
    let mut after = text.to_owned();
    edits.iter().rev().for_each(|edit| after.replace_range(edit.range.as_usize(), &edit.new_text));
    after
}

/// The text without findings of the rule `code`, each repaired by its own fix.
fn repaired(text: &str, settings: &Settings, code: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..10 {
        let file = File::new(&text, settings);
        let Some(finding) = file.findings().iter().find(|one| is_union(one, code, &text)) else { break };
        let repairs =
            |fix: &Fix| fix.repairs.iter().any(|(of, range)| *of == code && *range == finding.range);
        let fix = file.fixes(finding.range).into_iter().find(repairs);
        text = text_after(&text, &fix.unwrap_or_else(|| panic!("no fix for {finding:?} in\n{text}")).edits);
    }
    text
}

fn is_union(finding: &Finding, code: &str, text: &str) -> bool {
    finding.code.as_str() == code && text[finding.range.as_usize()].starts_with(KEYWORD)
}

/// The text with a declared union for each `oneOf` that permits it.
fn declared(text: &str) -> String {
    let mut text = text.to_owned();
    let mut from = 0;
    while let Some(at) = text[from..].find("oneOf").map(|found| from + found) {
        from = at + 1;
        let offers = File::new(&text, &with_unions()).refactorings(TextRange::empty(at as u32));
        if let Some(offer) = offers.into_iter().find(|offer| offer.title.contains(KEYWORD)) {
            text = text_after(&text, &offer.edits);
            from += KEYWORD.len();
        }
    }
    text
}

fn data(text: &str) -> Value {
    let tree = Tree::parse(text);
    let decoded = yaml::decode(tree.documents().next().unwrap()).unwrap();
    serde_json::from_str(&decoded.json.to_string()).unwrap()
}

#[test]
fn unions_unfold_to_accepted_schemas_and_are_declared_again() {
    let (mut unfolded_count, mut declared_count, mut checked) = (0, 0, 0);
    for (name, text) in texts() {
        // One fixture has a mistake beside its union.
        if File::new(&text, &with_unions()).findings().iter().any(|one| one.severity == Severity::Error) {
            println!("not unfolded, as it is refused before: {name}");
            continue;
        }
        let unfolded = repaired(&text, &with_unions(), "unions/not-enforced");
        assert_ne!(unfolded, text, "{name}");
        assert_eq!(File::new(&unfolded, &with_unions()).findings(), [], "{name}: {unfolded}");
        // The server does not know the keyword.
        let plain = repaired(&unfolded, &Settings::default(), "decode/unknown-field");
        assert!(!plain.lines().any(|line| line.trim_start().starts_with(KEYWORD)), "{name}: {plain}");
        assert_eq!(File::new(&plain, &Settings::default()).findings(), [], "{name}: {plain}");
        if let Some(refused) = oracle::refused(&plain) {
            assert_eq!(refused, "", "{name}: {plain}");
            checked += 1;
        }
        unfolded_count += 1;
        // A `oneOf` in a branch of `allOf` is not declared, because it may have another purpose.
        if plain.contains("- oneOf:") {
            continue;
        }
        let back = declared(&plain);
        assert_eq!(data(&back), data(&unfolded), "{name}: {back}");
        declared_count += 1;
    }
    println!(
        "{unfolded_count} texts unfolded, {checked} accepted by the API server, {declared_count} declared again"
    );
    assert!(declared_count >= 4);
    if environment::oracle().is_none() {
        println!("the API server's code was not asked: CRD_LS_ORACLE is not set");
    }
}
