//! Checks 82 to 94: the spine.

use super::markers::{check, check_schema};
use super::reports;

#[test]
fn an_array_has_items() {
    check_schema(
        "\
type: object
properties:
  list:
  ^^^^ error[structural/items-required]: missing `items`
    type: array
  scalar:
    type: array
    items: true
    ^^^^^ error[structural/items-required]: missing `items`
  good:
    type: array
    items: {type: string}
",
    );
}

#[test]
fn additional_properties_are_forbidden_at_the_root() {
    check_schema(
        "\
type: object
additionalProperties: false
^^^^^^^^^^^^^^^^^^^^ error[structural/additional-properties-root]: `additionalProperties` is not allowed at the root
",
    );
}

#[test]
fn every_node_of_the_spine_has_a_type() {
    check_schema(
        "\
type: object
properties:
  field: {}
  ^^^^^ error[structural/type-required]: missing `type`; add `type: string` or another type
  nothing:
  ^^^^^^^ error[structural/type-required]: missing `type`; add `type: string` or another type
  empty:
    type: ''
          ^^ error[structural/type-required]: missing `type`; add `type: string` or another type
  list:
    type: array
    items:
    ^^^^^ error[structural/type-required]: missing `type`; add the `type` of the items
      description: no type
  map:
    type: object
    additionalProperties:
    ^^^^^^^^^^^^^^^^^^^^ error[structural/type-required]: missing `type`; add `type: string` or another type
      maxLength: 5
  port:
    x-kubernetes-int-or-string: true
  any:
    x-kubernetes-preserve-unknown-fields: true
",
    );
}

#[test]
fn the_root_is_an_object() {
    check_schema(
        "\
type: string
      ^^^^^^ error[structural/root-object]: `type` must be `object` at the root
",
    );
    check(
        "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    storage: true
    schema:
      openAPIV3Schema:
      ^^^^^^^^^^^^^^^ error[structural/type-required]: missing `type`; add `type: object`
        description: no type
",
    );
}

#[test]
fn an_embedded_resource_is_an_object_with_properties() {
    check_schema(
        "\
type: object
properties:
  a:
  ^ error[structural/embedded-type]: an embedded resource must be an object
  ^ error[structural/embedded-properties]: an embedded resource must declare or preserve its fields
    x-kubernetes-embedded-resource: true
  b:
    type: string
          ^^^^^^ error[structural/embedded-type]: an embedded resource must be an object
    x-kubernetes-embedded-resource: true
    x-kubernetes-preserve-unknown-fields: true
  c:
    type: object
    x-kubernetes-embedded-resource: true
    properties: {}
    ^^^^^^^^^^ error[structural/embedded-properties]: an embedded resource must declare or preserve its fields
    additionalProperties: true
    ^^^^^^^^^^^^^^^^^^^^ error[structural/embedded-additional-properties]: `additionalProperties` is not allowed beside `x-kubernetes-embedded-resource`
",
    );
}

#[test]
fn the_fields_of_every_object_have_their_types() {
    check_schema(
        "\
type: object
properties:
  kind:
    type: object
          ^^^^^^ error[structural/kind-type]: `kind` must have `type: string`
  apiVersion:
  ^^^^^^^^^^ error[structural/type-required]: missing `type`; add `type: string` or another type
  ^^^^^^^^^^ error[structural/api-version-type]: `apiVersion` must have `type: string`
    maxLength: 5
  metadata:
    type: string
          ^^^^^^ error[structural/metadata-type]: `metadata` must have `type: object`
  spec:
    type: object
    properties:
      kind: {type: integer}
      metadata: {type: string}
  template:
    type: object
    x-kubernetes-embedded-resource: true
    properties:
      kind: {type: integer}
                   ^^^^^^^ error[structural/kind-type]: `kind` must have `type: string`
",
    );
}

#[test]
fn metadata_restricts_only_names() {
    check_schema(
        "\
type: object
properties:
  metadata:
  ^^^^^^^^ error[structural/metadata-fields]: `metadata` may declare only `name` and `generateName`
    type: object
    description: told by the server
    nullable: false
    enum: []
    properties:
      name: {type: string, maxLength: 10}
      labels: {type: object}
",
    );
    let report = &reports(&super::markers::definition(
        "type: object\nproperties:\n  metadata:\n    type: object\n    description: x\n    properties:\n      labels: {type: object}",
    ))[0];
    let related = &report.findings[0].related;
    assert_eq!(related.len(), 2, "the description and the label: {related:?}");
}

#[test]
fn int_or_string_has_no_fields() {
    check_schema(
        "\
type: object
properties:
  port:
    x-kubernetes-int-or-string: true
    x-kubernetes-preserve-unknown-fields: true
                                          ^^^^ error[structural/int-or-string-preserve]: `x-kubernetes-preserve-unknown-fields` is not allowed beside `x-kubernetes-int-or-string`
    type: object
    x-kubernetes-embedded-resource: true
                                    ^^^^ error[structural/int-or-string-embedded]: `x-kubernetes-embedded-resource` is not allowed beside `x-kubernetes-int-or-string`
",
    );
}

#[test]
fn the_last_of_duplicate_keys_counts() {
    check_schema(
        "\
type: string
type: object
properties:
  a: {type: string}
  a: {}
  ^ error[structural/type-required]: missing `type`; add `type: string` or another type
",
    );
}

#[test]
fn keys_are_read_as_the_server_reads_them() {
    check_schema(
        "\
\"type\": object
'properties':
  y: {type: string}
  \"on\": {}
  ^^^^ error[structural/type-required]: missing `type`; add `type: string` or another type
",
    );
    let finding = &reports(&super::markers::definition("type: object\nproperties:\n  y: {}"))[0].findings[0];
    let server = finding.api_server.as_ref().expect("reported");
    assert_eq!(server.field, "spec.validation.openAPIV3Schema.properties[true].type");
}
