//! Checks 95 to 97 for junctors, and the related lint.

use super::markers::{check_schema, definition};
use super::reports;
use crate::Finding;

fn findings(schema: &str) -> Vec<Finding> {
    reports(&definition(schema)).remove(0).findings
}

#[test]
fn structural_keywords_are_forbidden_in_a_junctor() {
    check_schema(
        "\
type: object
properties:
  a:
    type: string
    oneOf:
    - type: string
      ^^^^ error[structural/junctor-type]: `type` is not allowed inside `oneOf`
      title: t
      ^^^^^ error[structural/junctor-title]: `title` is not allowed inside `oneOf`
      description: d
      ^^^^^^^^^^^ error[structural/junctor-description]: `description` is not allowed inside `oneOf`
      default: 1
      ^^^^^^^ error[structural/junctor-default]: `default` is not allowed inside `oneOf`
      nullable: true
      ^^^^^^^^ error[structural/junctor-nullable]: `nullable` is not allowed inside `oneOf`
    - additionalProperties: true
      ^^^^^^^^^^^^^^^^^^^^ error[structural/junctor-additional-properties]: `additionalProperties` is not allowed inside `oneOf`
      x-kubernetes-preserve-unknown-fields: true
      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[structural/junctor-preserve-unknown-fields]: `x-kubernetes-preserve-unknown-fields` is not allowed inside `oneOf`
      x-kubernetes-embedded-resource: true
      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[structural/junctor-embedded-resource]: `x-kubernetes-embedded-resource` is not allowed inside `oneOf`
      x-kubernetes-int-or-string: true
      ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[structural/junctor-int-or-string]: `x-kubernetes-int-or-string` is not allowed inside `oneOf`
    not:
      x-kubernetes-list-map-keys: [a]
      ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[structural/junctor-list-map-keys]: `x-kubernetes-list-map-keys` is not allowed inside `not`
      x-kubernetes-list-type: ''
      ^^^^^^^^^^^^^^^^^^^^^^ error[structural/junctor-list-type]: `x-kubernetes-list-type` is not allowed inside `not`
      ^^^^^^^^^^^^^^^^^^^^^^ error[schema/list-type-array]: `x-kubernetes-list-type` is not allowed inside `not`
                              ^^ error[schema/list-type-unsupported]: unsupported `x-kubernetes-list-type` \"\"; use `atomic` (the default), `set` or `map`
                              ^^ error[schema/list-map-keys-type]: `x-kubernetes-list-map-keys` is not allowed inside `not`
      x-kubernetes-map-type: atomic
      ^^^^^^^^^^^^^^^^^^^^^ error[structural/junctor-map-type]: `x-kubernetes-map-type` is not allowed inside `not`
      ^^^^^^^^^^^^^^^^^^^^^ error[schema/map-type-object]: `x-kubernetes-map-type` is not allowed inside `not`
      x-kubernetes-validations: [{rule: 'true'}]
      ^^^^^^^^^^^^^^^^^^^^^^^^ error[structural/junctor-validations]: `x-kubernetes-validations` is not allowed inside `not`
",
    );
}

#[test]
fn values_that_decode_to_nothing_are_fine_in_a_junctor() {
    check_schema(
        "\
type: object
properties:
  a:
    type: string
    allOf:
    - type: ''
      title: ~
      description: \"\"
      default: null
      nullable: false
      additionalProperties: false
      x-kubernetes-int-or-string: false
      x-kubernetes-list-map-keys: []
      x-kubernetes-validations: []
      x-kubernetes-list-type: null
",
    );
}

#[test]
fn int_or_string_may_name_its_types_in_one_order() {
    check_schema(
        "\
type: object
properties:
  good:
    x-kubernetes-int-or-string: true
    anyOf:
    - type: integer
    - type: string
  also_good:
    x-kubernetes-int-or-string: true
    allOf:
    - anyOf: [{type: integer}, {type: string, description: ''}]
      pattern: '^x'
    - maxLength: 5
  wrong_order:
    x-kubernetes-int-or-string: true
    anyOf:
    - type: string
      ^^^^ error[structural/junctor-type]: `type` is not allowed inside `anyOf`
    - type: integer
      ^^^^ error[structural/junctor-type]: `type` is not allowed inside `anyOf`
  second:
    x-kubernetes-int-or-string: true
    allOf:
    - maxLength: 5
    - anyOf: [{type: integer}, {type: string}]
               ^^^^ error[structural/junctor-type]: `type` is not allowed inside `anyOf`
                                ^^^^ error[structural/junctor-type]: `type` is not allowed inside `anyOf`
",
    );
}

#[test]
fn metadata_is_forbidden_in_a_junctor() {
    check_schema(
        "\
type: object
properties:
  a:
    type: object
    properties:
      metadata: {type: object}
    anyOf:
    - properties:
        metadata: {}
        ^^^^^^^^ error[structural/junctor-metadata]: `metadata` is not allowed inside `anyOf`
",
    );
}

#[test]
fn the_spine_declares_the_fields_of_junctors() {
    check_schema(
        "\
type: object
properties:
^^^^^^^^^^ error[structural/complete]: `b` is declared only inside `not`; declare the field outside `not` as well
  a:
    type: object
    properties:
    ^^^^^^^^^^ error[structural/complete]: `x` is declared only inside `anyOf`; declare the field outside `anyOf` as well
      list:
      ^^^^ error[structural/complete]: `items` is declared only inside `allOf`; declare the field outside `allOf` as well
        type: string
anyOf:
- properties:
    a:
      properties:
        x: {maxLength: 1}
  allOf:
  - properties:
      a:
        properties:
          list: {items: {}}
not:
  properties:
    b: {}
",
    );
}

#[test]
fn below_the_root_an_undeclared_field_is_a_lint() {
    let schema = "\
type: object
properties:
  a:
  ^ warning[structural/complete-nested]: `x` is declared only inside `oneOf`
    type: object
    oneOf:
    - properties:
        x: {maxLength: 1}
";
    check_schema(schema);
    let found = findings(&schema.lines().filter(|line| !line.contains('^')).collect::<Vec<_>>().join("\n"));
    assert_eq!(found[0].api_server, None, "the server accepts it");
    assert_eq!(
        found[0].field_path.to_string(),
        "spec.versions[0].schema.openAPIV3Schema.properties[a].properties[x]"
    );
}

#[test]
fn a_type_in_a_junctor_points_at_the_spine() {
    let found =
        findings("type: object\nproperties:\n  a:\n    anyOf:\n    - type: string\n    - type: string\n");
    let texts: Vec<&str> = found
        .iter()
        .filter(|one| one.code == "structural/junctor-type")
        .map(|one| one.related[0].message.as_str())
        .collect();
    assert_eq!(texts, ["`type` is missing here"; 2]);
    let required =
        found.iter().find(|one| one.code == "structural/type-required").expect("the type is missing");
    assert_eq!(required.related.len(), 2, "both branches name a type");
    assert!(required.message.remedy.as_deref() == Some("add `type: string`"), "{}", required.message);
}

#[test]
fn each_of_two_equal_schemas_points_at_its_own_spine() {
    let part = "
      part:
        type: object
        description: A part that both sides have, and that is described in the same words.
        properties: {size: {type: integer}}
        anyOf: [{properties: {size: {type: integer}}}]
      rest: {type: string}";
    let side = format!("type: object\n    properties:{part}");
    let schema = format!("type: object\nproperties:\n  left:\n    {side}\n  right:\n    {side}\n");
    let text = definition(&schema);
    let found = reports(&text).remove(0).findings;
    let types = found.iter().filter(|one| one.code == "structural/junctor-type");
    let spines: Vec<u32> = types.map(|one| one.related[0].range.start).collect();
    let declared = " properties: {size: {";
    let expected: Vec<u32> =
        text.match_indices(declared).map(|(at, _)| (at + declared.len()) as u32).collect();
    assert_eq!((spines.len(), spines), (2, expected));
}

#[test]
fn a_field_that_is_kept_needs_no_declaration() {
    for keeps in ["x-kubernetes-preserve-unknown-fields: true", "additionalProperties: {type: string}"] {
        let schema = format!(
            "type: object\nproperties:\n  a:\n    type: object\n    {keeps}\n    oneOf:\n    - properties: {{x: {{}}}}\n"
        );
        assert_eq!(findings(&schema), [], "{keeps}");
    }
    let unpruned = "type: object\nproperties:\n  a:\n    type: object\n    not: {properties: {x: {}}}\n";
    assert_eq!(findings(unpruned).len(), 1);
    let beta = definition(unpruned).replace("io/v1\n", "io/v1beta1\n");
    assert!(!reports(&beta)[0].findings.iter().any(|found| found.code.as_str().starts_with("structural/")));
}

#[test]
fn several_branches_that_name_a_field_make_one_warning() {
    let found = findings(
        "type: object\nproperties:\n  a:\n    type: object\n    anyOf:\n    - properties: {x: {}}\n    - properties: {x: {}}\n",
    );
    assert_eq!(found.iter().map(|one| one.related.len()).collect::<Vec<_>>(), [2]);
}
