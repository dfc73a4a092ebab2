//! Compares published schemas with the server's own.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use yaml::Tree;

use super::{PublishedDefinition, PublishedForm, published};
use crate::beside;
use crate::experimental::Experiments;
use crate::{Cache, Options};

/// Definitions that the server never accepts, because kind and list kind are equal: it would omit the types
/// that only the kind refers to.
const UNEQUAL: [&str; 1] = ["051-names-kind-list-kind-equal-a.yaml"];

/// The published definitions of each document of `text` that is not empty.
fn of_documents(text: &str, form: PublishedForm) -> Vec<Result<Vec<PublishedDefinition>, String>> {
    publish_text(text, form, Experiments::default())
}

fn publish_text(
    text: &str,
    form: PublishedForm,
    experiments: Experiments,
) -> Vec<Result<Vec<PublishedDefinition>, String>> {
    let tree = Tree::parse(text);
    let mut cache = Cache::default();
    let documents = tree.documents();
    documents
        .map(|document| published(document.alone(), form, &Options::default(), experiments, &mut cache))
        .collect()
}

fn only_published(text: &str, form: PublishedForm) -> Value {
    only_tried(text, form, Experiments::default())
}

fn only_tried(text: &str, form: PublishedForm, experiments: Experiments) -> Value {
    let all = publish_text(text, form, experiments).remove(0).unwrap();
    let version = &all[0].versions[0];
    serde_json::from_str(&version.schemas[&version.model].to_string()).unwrap()
}

fn widget(schema: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.com}}\n\
         spec:\n  group: example.com\n  scope: Namespaced\n  names: {{plural: widgets, kind: Widget}}\n  versions:\n  \
         - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {schema}\n"
    )
}

#[test]
fn int_or_string_names_its_types() {
    for (written, any_of, all_of) in [
        ("", r#"[{"type":"integer"},{"type":"string"}]"#, "null"),
        (", anyOf: [{type: integer}, {type: string}]", r#"[{"type":"integer"},{"type":"string"}]"#, "null"),
        (
            ", anyOf: [{minimum: 1}], allOf: [{maximum: 2}]",
            r#"[{"minimum":1}]"#,
            r#"[{"anyOf":[{"type":"integer"},{"type":"string"}]},{"maximum":2}]"#,
        ),
    ] {
        let schema =
            format!("{{type: object, properties: {{port: {{x-kubernetes-int-or-string: true{written}}}}}}}");
        let port = only_published(&widget(&schema), PublishedForm::V3)["properties"]["port"].clone();
        assert_eq!(port["anyOf"].to_string(), any_of, "{written}");
        assert_eq!(port["allOf"].to_string(), all_of, "{written}");
    }
}

/// The expansion by the proposal on structural schemas: `oneOf` and `enum`, or the same in `allOf` if these
/// keywords exist.
#[test]
fn a_union_is_unfolded_if_the_proposal_is_enabled() {
    let union = "x-kubernetes-unions: [{discriminator: type, fields: {foo: Foo, bar: Bar}}]";
    let of = |type_of: &str, more: &str| {
        format!(
            "{{type: object, properties: {{spec: {{type: object, {union}, properties: {{type: {{type: string{type_of}}}, foo: {{type: object}}, bar: {{type: object}}}}{more}}}}}}}"
        )
    };
    let both = r#"[{"required":["bar"]},{"required":["foo"]}]"#;
    let values = r#"["Bar","Foo"]"#;
    let experiments = Experiments { unions: true, ..Experiments::default() };
    for (type_of, more, one_of, all_of, allowed) in [
        ("", "", both, "null".to_owned(), values),
        (
            ", enum: [Foo, Bar]",
            ", oneOf: [{required: [foo]}, {required: [bar]}]",
            r#"[{"required":["foo"]},{"required":["bar"]}]"#,
            "null".to_owned(),
            r#"["Foo","Bar"]"#,
        ),
        (
            "",
            ", oneOf: [{required: [x]}]",
            r#"[{"required":["x"]}]"#,
            format!(r#"[{{"oneOf":{both}}}]"#),
            values,
        ),
        (
            "",
            ", oneOf: [{required: [x]}], allOf: [{oneOf: [{required: [bar]}, {required: [foo]}]}]",
            r#"[{"required":["x"]}]"#,
            format!(r#"[{{"oneOf":{both}}}]"#),
            values,
        ),
    ] {
        let text = widget(&of(type_of, more));
        let spec = only_tried(&text, PublishedForm::V3, experiments)["properties"]["spec"].clone();
        assert_eq!(spec["oneOf"].to_string(), one_of, "{more}");
        assert_eq!(spec["allOf"].to_string(), all_of, "{more}");
        assert_eq!(spec["properties"]["type"]["enum"].to_string(), allowed, "{type_of}");
        assert_eq!(spec["x-kubernetes-unions"][0]["discriminator"], "type");
        let skeleton = only_tried(&text, PublishedForm::Skeleton, experiments)["properties"]["spec"].clone();
        assert_eq!((&skeleton["oneOf"], skeleton["x-kubernetes-unions"].is_array()), (&Value::Null, true));
        assert_eq!(
            only_published(&text, PublishedForm::V3)["properties"]["spec"]["x-kubernetes-unions"],
            Value::Null
        );
    }
    let other = widget(&of(", enum: [Foo]", ""));
    let kind = only_tried(&other, PublishedForm::V3, experiments)["properties"]["spec"]["properties"]["type"]
        .clone();
    assert_eq!(kind["allOf"].to_string(), format!(r#"[{{"enum":{values}}}]"#));
}

#[test]
fn the_gate_of_a_field_is_published_if_the_proposal_is_enabled() {
    let schema = "{type: object, properties: {spec: {type: object, properties: {a: {type: string}, b: {type: string}}}}}";
    let gates = "  customFeatureGates:\n    component: istio\n    featureGates:\n    - {name: A, preRelease: alpha, fieldPaths: [.spec.a, .spec.none]}\n";
    let text = format!("{}{gates}", widget(schema));
    let experiments = Experiments { feature_gates: true, ..Experiments::default() };
    let fields =
        only_tried(&text, PublishedForm::V3, experiments)["properties"]["spec"]["properties"].clone();
    let gate = r#"{"component":"istio","enabled":false,"name":"A","preRelease":"alpha"}"#;
    assert_eq!(fields["a"]["x-kubernetes-feature-gate"].to_string(), gate);
    assert_eq!(fields["b"].to_string(), r#"{"type":"string"}"#);
    assert_eq!(
        only_published(&text, PublishedForm::V3)["properties"]["spec"]["properties"]["a"].to_string(),
        r#"{"type":"string"}"#
    );
}

#[test]
fn keywords_unsupported_by_v2_are_omitted() {
    let schema = "{type: object, properties: {spec: {type: object, required: [a, b], oneOf: [{required: [a]}], \
                  properties: {a: {type: string, nullable: true, default: x}, b: {type: string, pattern: b, default: y}}}}}";
    let spec = only_published(&widget(schema), PublishedForm::V2)["properties"]["spec"].clone();
    let expected =
        r#"{"properties":{"a":{},"b":{"pattern":"b","type":"string"}},"required":["b"],"type":"object"}"#;
    assert_eq!(spec, serde_json::from_str::<Value>(expected).unwrap());
}

#[test]
fn the_skeleton_has_no_value_validations() {
    let schema = "{type: object, properties: {spec: {type: object, required: [a], minProperties: 1, \
                  properties: {a: {type: string, format: date, default: x, description: A.}}}}}";
    let spec = only_published(&widget(schema), PublishedForm::Skeleton)["properties"]["spec"].clone();
    let expected =
        r#"{"properties":{"a":{"default":"x","description":"A.","type":"string"}},"type":"object"}"#;
    assert_eq!(spec, serde_json::from_str::<Value>(expected).unwrap());
}

#[test]
fn nonstructural_schemas_are_not_published() {
    for schema in ["{properties: {a: {type: string}}}", "{type: object, properties: {a: {type: text}}}"] {
        let kind = only_published(&widget(schema), PublishedForm::V3);
        assert_eq!((kind.get("properties"), kind["type"].as_str()), (None, Some("object")), "{schema}");
    }
}

#[test]
fn an_unreadable_document_is_an_error() {
    let error = of_documents(&widget("{type: 1}"), PublishedForm::V3).remove(0).unwrap_err();
    assert!(error.contains("cannot unmarshal number"), "{error}");
    assert_eq!(of_documents("kind: Other\n", PublishedForm::V3), [Ok(Vec::new())]);
}

/// The files of the project's own fixtures, unpacked to `folder`, and of the corpus, if it is available. The
/// files of `tests/repositories.rs` are not included.
fn files(folder: &Path) -> Vec<PathBuf> {
    for (path, text) in suites::texts_below(&suites::fixtures()).unwrap() {
        let below = path.strip_prefix(suites::fixtures()).unwrap();
        if !below.starts_with("repositories") {
            let path = folder.join(below);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }
    let mut pending = vec![folder.to_owned()];
    pending.extend(beside::shared("corpus", "compares those of the fixtures"));
    let mut files = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ["yaml", "yml"].contains(&ending.to_str().unwrap())) {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn published_schemas_are_those_of_the_oracle() {
    let Some(oracle) = environment::resource_oracle() else {
        beside::skipped("CRD_LS_CR_ORACLE names no oracle");
        return;
    };
    let (mut equal, mut unread, mut unequal) = (0, 0, Vec::new());
    let unpacked = tempfile::tempdir().unwrap();
    let texts = files(unpacked.path())
        .into_iter()
        .filter_map(|path| Some((std::fs::read_to_string(&path).ok()?, path)));
    let is_unequal = |path: &Path| UNEQUAL.iter().any(|name| path.ends_with(name));
    let texts: Vec<(String, PathBuf)> =
        texts.filter(|(text, path)| text.contains("CustomResourceDefinition") && !is_unequal(path)).collect();
    let answered = texts.chunks(10).flat_map(|chunk| {
        let all = ask(&oracle, chunk);
        // A file that the oracle cannot read ends its run.
        all.unwrap_or_else(|| {
            chunk.iter().flat_map(|one| ask(&oracle, std::slice::from_ref(one)).unwrap_or_default()).collect()
        })
    });
    let mut answered: std::collections::BTreeMap<PathBuf, Vec<Value>> =
        answered.fold(std::collections::BTreeMap::new(), |mut all, answer| {
            all.entry(PathBuf::from(answer["file"].as_str().unwrap())).or_default().push(answer);
            all
        });
    for (text, path) in texts {
        let all = [of_documents(&text, PublishedForm::V3), of_documents(&text, PublishedForm::V2)]
            .map(|all| all.into_iter().flatten().flatten().collect::<Vec<_>>());
        let answers = answered.remove(&path).unwrap_or_default();
        unread += usize::from(answers.is_empty());
        for answer in answers {
            let name = answer["name"].as_str().unwrap();
            // A part of a definition, such as a patch.
            if answer["versions"].as_array().unwrap().is_empty() {
                continue;
            }
            let Some(index) = all[0].iter().position(|one| one.name == name) else {
                unequal.push(format!("{}: {name} is not published", path.display()));
                continue;
            };
            for version in answer["versions"].as_array().unwrap() {
                for (form, field) in [(0, "v3"), (1, "v2"), (0, "v3Paths")] {
                    let Some(own) = all[form]
                        .get(index)
                        .and_then(|own| own.versions.iter().find(|own| own.name == version["version"]))
                    else {
                        unequal.push(format!("{}: {name} {field}: no such version", path.display()));
                        continue;
                    };
                    let own = if field == "v3Paths" { &own.paths } else { &own.schemas };
                    let own: Value =
                        serde_json::from_str(&yaml::Json::Object(own.clone()).to_string()).unwrap();
                    match difference(&own, &version[field], String::new()) {
                        None => equal += 1,
                        Some(place) => unequal.push(format!("{}: {name} {field}: {place}", path.display())),
                    }
                }
            }
        }
    }
    eprintln!(
        "{equal} documents equal, {} unequal, {unread} files that the oracle does not read",
        unequal.len()
    );
    assert!(unequal.is_empty(), "{}", unequal[..unequal.len().min(40)].join("\n"));
    assert!(equal > 0);
}

/// The oracle's answers; `None` if it cannot read one of the files.
fn ask(oracle: &Path, chunk: &[(String, PathBuf)]) -> Option<Vec<Value>> {
    let paths = chunk.iter().map(|(_, path)| path);
    let output = Command::new(oracle).args(["openapi", "--paths"]).args(paths).output().unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers = serde_json::Deserializer::from_str(&answers).into_iter().collect::<Result<_, _>>();
    answers.ok().filter(|_| output.status.success())
}

/// The first place where two JSON values differ in Go, where `1e3` and `1000` are equal.
fn difference(own: &Value, other: &Value, path: String) -> Option<String> {
    match (own, other) {
        (Value::Number(own), Value::Number(other)) if own.as_f64() == other.as_f64() => None,
        (Value::Array(own), Value::Array(other)) if own.len() == other.len() => own
            .iter()
            .zip(other)
            .enumerate()
            .find_map(|(index, (own, other))| difference(own, other, format!("{path}[{index}]"))),
        (Value::Object(own), Value::Object(other)) => {
            let missing = other.keys().find(|key| !own.contains_key(*key));
            let missing = missing.map(|key| format!("{path}.{key}: ours lacks it"));
            missing.or_else(|| {
                own.iter().find_map(|(key, value)| match other.get(key) {
                    Some(other) => difference(value, other, format!("{path}.{key}")),
                    None => Some(format!("{path}.{key}: only ours has it")),
                })
            })
        }
        (own, other) if own == other => None,
        (own, other) => Some(format!("{path}: ours {own}, the server's {other}")),
    }
}
