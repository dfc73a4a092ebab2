//! Errors in defaults beside other errors.

use super::{expect_hidden, expect_only, findings_in};

#[test]
fn defaults_are_checked_against_the_implied_type() {
    let schema = "type: object\nproperties:\n  a: {minLength: 3, default: ab}\n";
    expect_hidden(schema, "defaults/schema", "ab");
    expect_only(
        "type: object\nproperties:\n  a: {default: {x: 1}, properties: {x: {type: integer}}}\n",
        &["structural/type-required"],
    );
    // With `type: object`, which the default implies, the server drops `x`.
    expect_only(
        "type: object\nproperties:\n  a: {default: {x: 1}}\n",
        &["defaults/unknown-fields", "structural/type-required"],
    );
}

#[test]
fn an_invalid_default_is_reported_beside_structural_errors() {
    let schema = "type: object\nproperties:\n  a: {type: int, default: text}\n";
    let with_more = format!("{schema}  b: {{}}\n");
    let reported = |schema: &str| {
        findings_in(schema).into_iter().find(|(code, ..)| *code == "defaults/schema").map(|it| it.1)
    };
    assert_eq!(reported(schema).as_deref(), Some("text"));
    assert_eq!(reported(&with_more), reported(schema));
}

#[test]
fn a_default_of_another_type_is_reported_beside_a_conversion_error() {
    for other in ["{type: string}", "{type: string, $schema: x}", "{type: string, maxLength: '3'}"] {
        let schema = format!(
            "type: object\nproperties:\n  a: {other}\n  l:\n    type: array\n    x-kubernetes-list-type: map\n    x-kubernetes-list-map-keys: [k]\n    default: [{{k: x}}]\n    items: {{type: array, required: [k], properties: {{k: {{type: string}}}}}}\n"
        );
        expect_hidden(&schema, "defaults/schema", "{k: x}");
    }
}

#[test]
fn an_invalid_default_hides_no_rule_that_does_not_compile() {
    let schema = |default: &str| {
        format!(
            "type: object\nproperties:\n  a:\n    type: object\n    required: [b]\n    properties:\n      b: {{type: string}}\n      c: {{type: object, properties: {{d: {{type: string}}}}, x-kubernetes-validations: [{{rule: self.d > 1}}]}}\n    default: {default}\n    x-kubernetes-validations:\n    - rule: self.b > 1\n"
        )
    };
    let compiled = |default: &str| {
        let found = findings_in(&schema(default));
        let about: Vec<bool> =
            found.iter().filter(|(code, ..)| *code == "defaults/cel").map(|(.., server)| *server).collect();
        about
    };
    assert_eq!(compiled("{b: x}"), [true], "the server comes to the rule");
    assert_eq!(compiled("{}"), [false], "it lacks a field");
    assert_eq!(compiled("{b: 1, c: {}}"), [false, false], "another rule below");
    let required = schema("{}").replace("required: [b]", "required: [b, c]");
    let count = findings_in(&required).iter().filter(|(code, ..)| *code == "defaults/cel").count();
    assert_eq!(count, 2, "below what it lacks, too");
}

#[test]
fn the_elements_of_a_default_imply_the_type_of_the_items() {
    let schema =
        |default: &str| format!("type: object\nproperties:\n  l: {{type: array, default: {default}}}\n");
    for default in ["[{a: 1}, b, 3]", "[3, b, c, {a: 1}]"] {
        expect_hidden(&schema(default), "defaults/schema", "{a: 1}");
        expect_hidden(&schema(default), "defaults/schema", "3");
    }
    expect_hidden(&schema("[1, 2.5, true]"), "defaults/schema", "true");
    for default in ["[a, b]", "[a, 1]", "[1, 2.5]", "[{a: 1}, {b: 2}]", "[[a], [b], c]", "[]", "[null]"] {
        expect_only(&schema(default), &["structural/items-required"]);
    }
}

#[test]
fn a_default_that_is_not_a_resource_hides_no_other_error_in_it() {
    let schema = "type: object\nproperties:\n  f:\n    type: object\n    x-kubernetes-embedded-resource: true\n    required: [size]\n    properties:\n      size: {type: integer}\n      kind: {type: string}\n    default: {a: 1}\n";
    let found = findings_in(schema);
    let codes: Vec<_> = found.iter().map(|(code, _, server)| (*code, *server)).collect();
    assert_eq!(
        codes,
        [
            ("defaults/embedded", true),
            ("defaults/embedded", true),
            ("defaults/schema", false),
            ("defaults/unknown-fields", true)
        ]
    );
}

#[test]
fn an_object_marked_as_int_or_string_hides_no_error_in_its_default() {
    let schema = "type: object\nproperties:\n  f:\n    type: object\n    x-kubernetes-int-or-string: true\n    x-kubernetes-preserve-unknown-fields: true\n    required: [size]\n    properties:\n      size: {type: integer}\n    default: {a: 1}\n";
    let found = findings_in(schema);
    assert!(found.iter().any(|(code, ..)| *code == "defaults/schema"), "{found:?}");
}
