#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use yaml::{Reader, Tree};

use super::{Hints, Settings, candidates, generate};
use crate::customresource::{SchemaForm, ValidationOptions, validate, validate_list_types};
use crate::schema::structural::{Structural, structural};
use crate::value::Value;
use crate::{Cache, FieldPath, KubernetesVersion};

pub(super) fn schema(text: &str) -> Arc<Structural> {
    let tree = Tree::parse(text);
    let document = tree.documents().next().unwrap();
    let reader = Reader::new(document);
    structural(document.root().unwrap(), &reader, &mut Cache::default()).unwrap().0
}

/// The candidates as JSON, all of which the server accepts.
fn candidates_as_json(text: &str, rules: &[&str]) -> Vec<String> {
    let schema = schema(text);
    let found = candidates(&schema, &Hints::of(rules.iter().copied()), KubernetesVersion::NEWEST);
    found.iter().for_each(|value| assert_admitted(value, &schema));
    found.iter().map(|value| value.to_json().to_string()).collect()
}

pub(super) fn assert_admitted(value: &Value, schema: &Structural) {
    let options = ValidationOptions {
        kubernetes_version: KubernetesVersion::NEWEST,
        form: SchemaForm::Resource,
        prefix: FieldPath::root(),
    };
    let errors = validate(value, schema, 0, &options).errors;
    let lists = validate_list_types(value, schema, 0, &FieldPath::root());
    assert!(errors.is_empty() && lists.is_empty(), "{}: {errors:?} {lists:?}", value.to_json());
}

#[track_caller]
fn assert_has(found: &[String], wanted: &[&str]) {
    let missing: Vec<_> = wanted.iter().filter(|one| !found.iter().any(|found| found == *one)).collect();
    assert!(missing.is_empty(), "lacking {missing:?} in {found:#?}");
}

#[test]
fn scalars_are_members_of_enums_bounds_and_literals_of_rules() {
    assert_eq!(candidates_as_json("{type: string, enum: [b, a]}", &[]), [r#""b""#, r#""a""#]);
    assert_eq!(candidates_as_json("{type: boolean}", &[]), ["true", "false"]);
    assert_has(
        &candidates_as_json("{type: integer, minimum: 3, maximum: 90}", &["self > 10"]),
        &["3", "4", "89", "90", "9", "10", "11"],
    );
    assert_has(
        &candidates_as_json("{type: number, minimum: 0}", &["self < 2.5"]),
        &["0", "2.5", "1.5", "0.5"],
    );
    assert_has(&candidates_as_json("{type: integer, multipleOf: 7}", &[]), &["7", "0", "14", "-7"]);
    assert_has(
        &candidates_as_json("{type: string, maxLength: 9}", &["self.startsWith('x-') || size(self) == 4"]),
        &[r#""""#, r#""x-""#, r#""x-a""#, r#""aaaa""#, r#""aaaaaaaaa""#],
    );
    assert_has(&candidates_as_json("{type: string, nullable: true}", &[]), &["null", r#""""#]);
    assert_has(
        &candidates_as_json("{x-kubernetes-int-or-string: true}", &["self != '5%'"]),
        &["1", "0", r#""10Gi""#, r#""50%""#, r#""5%""#],
    );
    let found = candidates_as_json("{x-kubernetes-preserve-unknown-fields: true}", &["self.a == 3"]);
    assert_has(&found, &["{}", "[]", "3", r#""""#, "true", r#"{"a":"example"}"#]);
}

#[test]
fn texts_have_their_patterns_and_formats() {
    for node in [
        "{type: string, pattern: '^[a-z]{3}-[0-9]{2,4}$', minLength: 7}",
        "{type: string, pattern: '^arn:aws:[a-z]+::[0-9]{12}:.+$', allOf: [{pattern: 'role/'}]}",
        "{type: string, format: date-time}",
        "{type: string, format: ipv6, pattern: '::1$'}",
        "{type: string, format: k8s-short-name, maxLength: 3}",
        "{type: string, allOf: [{pattern: '^a'}, {pattern: 'b$'}], not: {pattern: c}}",
    ] {
        assert!(!candidates_as_json(node, &[]).is_empty(), "{node}");
    }
    let formats = crate::formats::Format::named("uuid4").is_some();
    assert!(formats && !candidates_as_json("{type: string, format: uuid4}", &[]).is_empty());
    assert!(
        candidates_as_json("{type: string, pattern: '^a$', minLength: 2}", &[]).is_empty(),
        "contradictions give nothing"
    );
}

#[test]
fn objects_occur_with_and_without_each_field() {
    let node = "{type: object, required: [a], properties: {a: {type: string}, b: {type: string}, \
                c: {type: integer, default: 7}, d: {type: object, properties: {e: {type: boolean}}}}}";
    let found = candidates_as_json(node, &["!has(self.b) || self.a == 'x' || self.c > 3 || self.d.e"]);
    assert_has(
        &found,
        &[
            r#"{"a":"example","c":7}"#,
            r#"{"a":"x","c":7}"#,
            r#"{"a":"example","b":"example","c":7}"#,
            r#"{"a":"example","c":3}"#,
            r#"{"a":"example","c":4}"#,
            r#"{"a":"example","c":7,"d":{}}"#,
            r#"{"a":"example","c":7,"d":{"e":true}}"#,
            r#"{"a":"example","c":7,"d":{"e":false}}"#,
            r#"{"a":"x","b":"example","c":7}"#,
        ],
    );
    assert_eq!(
        found.first().map(String::as_str),
        Some(r#"{"a":"","c":7}"#),
        "the smallest first: {found:#?}"
    );
    let schema = schema(node);
    let settings = Settings { fills_defaults: false, ..Settings::new(KubernetesVersion::NEWEST) };
    let written = generate(&schema, &Hints::default(), &settings);
    assert!(written.iter().any(|value| value.to_json().to_string() == r#"{"a":"example"}"#));
}

#[test]
fn each_branch_of_a_junctor_is_satisfied() {
    let union = "{type: object, properties: {type: {type: string, enum: [A, B]}, a: {type: object}, b: {type: object}}, \
                 required: [type], oneOf: [{required: [a], properties: {type: {enum: [A]}}}, \
                 {required: [b], properties: {type: {enum: [B]}}}]}";
    let found = candidates_as_json(union, &[]);
    assert_has(&found, &[r#"{"a":{},"type":"A"}"#, r#"{"b":{},"type":"B"}"#]);
    let found = candidates_as_json(
        "{type: object, minProperties: 1, maxProperties: 1, properties: {a: {type: string}, b: {type: string}}}",
        &[],
    );
    assert_has(&found, &[r#"{"a":"example"}"#, r#"{"b":"example"}"#]);
    let found = candidates_as_json(
        "{type: integer, anyOf: [{minimum: 10}, {maximum: -10}], not: {enum: [10, -10]}}",
        &[],
    );
    assert_has(&found, &["11", "-11"]);
}

#[test]
fn lists_are_empty_short_and_with_duplicates() {
    let found = candidates_as_json("{type: array, items: {type: string}}", &["self.exists(e, e == 'x')"]);
    assert_has(&found, &["[]", r#"["x"]"#, r#"["example"]"#, r#"["example","example"]"#]);
    let set = candidates_as_json(
        "{type: array, x-kubernetes-list-type: set, minItems: 3, items: {type: string}}",
        &[],
    );
    assert!(!set.is_empty() && set.iter().all(|list| list.matches(',').count() >= 2), "{set:?}");
    let map = candidates_as_json(
        "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, \
         required: [name], properties: {name: {type: string}, value: {type: integer}}}}",
        &["self.all(e, e.value > 1)"],
    );
    assert_has(&map, &["[]"]);
    assert!(map.iter().any(|list| list.matches("name").count() == 2), "{map:#?}");
}

#[test]
fn maps_have_named_members() {
    let found = candidates_as_json(
        "{type: object, additionalProperties: {type: string}}",
        &["!('k' in self) || self['k'] == 'v'"],
    );
    assert_has(&found, &["{}", r#"{"k":"v"}"#, r#"{"k":"example"}"#, r#"{"example":"example"}"#]);
}

#[test]
fn resources_and_embedded_resources_have_kind_and_metadata() {
    let whole = schema("{type: object, properties: {spec: {type: object}}}");
    let settings = Settings { is_resource: true, ..Settings::new(KubernetesVersion::NEWEST) };
    let found = generate(&whole, &Hints::default(), &settings);
    assert!(found.iter().all(|value| value.get("metadata").is_some_and(|data| data.get("name").is_some())));
    let embedded = candidates_as_json(
        "{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}",
        &[],
    );
    assert!(
        !embedded.is_empty() && embedded.iter().all(|value| value.contains("apiVersion")),
        "{embedded:?}"
    );
}

#[test]
fn generation_is_deterministic() {
    let node = "{type: object, properties: {a: {type: string, pattern: '^[a-z]{2,9}$'}, b: {type: integer}, c: {type: boolean}}}";
    assert_eq!(candidates_as_json(node, &["self.a == 'xy'"]), candidates_as_json(node, &["self.a == 'xy'"]));
}
