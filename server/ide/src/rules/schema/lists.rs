//! Types of lists, and schemas that cannot be converted.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "schema/list-type-array",
        severity: Severity::Error,
        since: None,
        title: "`x-kubernetes-list-type` needs `type: array`.",
        checks: r#"The node's type is another one, or missing.

    <path>.type: Invalid value: "object": must be array if x-kubernetes-list-type is specified"#,
        why: "The keyword says how lists are merged by server-side apply.",
        wrong: r#"type: object
properties:
  sizes:
    type: object
    x-kubernetes-list-type: atomic"#,
        right: r#"type: object
properties:
  sizes:
    type: array
    x-kubernetes-list-type: atomic
    items: {type: string}"#,
        fix: "*Suggested*: removes the line. Otherwise correct the type.",
        source: "Check 115 of this project's list of server checks.",
    },
    Rule {
        code: "schema/set-items-atomic",
        severity: Severity::Error,
        since: None,
        title: "The items of a set must be scalars or atomic.",
        checks: r#"In a list with `x-kubernetes-list-type: set`, items that are lists have `x-kubernetes-list-type: atomic` and items that are objects have `x-kubernetes-map-type: atomic`.

    <path>.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set"#,
        why: "Items of a set are compared as a whole, so that nothing within them can be merged.",
        wrong: "",
        right: "",
        fix: "*Suggested*: writes the keyword with `atomic` in `items`, makes the list a map of objects with a key, or makes it atomic.",
        source: "Check 116 of this project's list of server checks.",
    },
    Rule {
        code: "schema/list-type-unsupported",
        severity: Severity::Error,
        since: None,
        title: "`x-kubernetes-list-type` must be `atomic`, `set` or `map`.",
        checks: r#"The text is another one.

    <path>.x-kubernetes-list-type: Unsupported value: "list": supported values: "atomic", "set", "map""#,
        why: "There are no other ways to merge a list.",
        wrong: r#"type: object
properties:
  sizes:
    type: array
    x-kubernetes-list-type: list
    items: {type: string}"#,
        right: r#"type: object
properties:
  sizes:
    type: array
    x-kubernetes-list-type: set
    items: {type: string}"#,
        fix: "*Safe*: corrects one letter; *suggested*, each of the three.",
        source: "Check 117 of this project's list of server checks.",
    },
    Rule {
        code: "schema/list-map-keys-type",
        severity: Severity::Error,
        since: None,
        title: "`x-kubernetes-list-map-keys` needs `x-kubernetes-list-type: map`.",
        checks: r#"Keys are given, and the list's type is missing or another one.

    <path>.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty"#,
        why: "Only lists of type `map` have keys.",
        wrong: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties:
        name: {type: string}"#,
        right: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties:
        name: {type: string}"#,
        fix: "*Suggested*: writes `x-kubernetes-list-type: map`, or removes the keys.",
        source: "Check 118 of this project's list of server checks.",
    },
    Rule {
        code: "schema/list-map-keys-required",
        severity: Severity::Error,
        since: None,
        title: "A list of type `map` needs keys.",
        checks: r#"`x-kubernetes-list-map-keys` is missing or empty.

    <path>.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map"#,
        why: "Items are found and merged by their keys.",
        wrong: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    items:
      type: object
      required: [name]
      properties:
        name: {type: string}"#,
        right: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties:
        name: {type: string}"#,
        fix: "*Suggested*: takes a required field by which items differ, or makes the list atomic.",
        source: "Check 119 of this project's list of server checks.",
    },
    Rule {
        code: "schema/list-map-items-required",
        severity: Severity::Error,
        since: None,
        title: "A list of type `map` needs `items`.",
        checks: r#"`items` is missing; the server reports that of every list as well.

    <path>.items: Required value: must have a schema if x-kubernetes-list-type is map"#,
        why: "The keys are fields of the items.",
        wrong: "",
        right: "",
        fix: "None: write the schema of the items.",
        source: "Check 120 of this project's list of server checks.",
    },
    Rule {
        code: "schema/list-map-items-single",
        severity: Severity::Error,
        since: None,
        title: "A list of type `map` has one schema for its items.",
        checks: r#"`items` is a list of schemas.

    <path>.items: Invalid value: ...: must only have a single schema if x-kubernetes-list-type is map"#,
        why: "All items have the same keys.",
        wrong: "",
        right: "",
        fix: "None: write one schema.",
        source: "Check 121 of this project's list of server checks.",
    },
    Rule {
        code: "schema/list-map-items-object",
        severity: Severity::Error,
        since: None,
        title: "The items of a list of type `map` must be objects.",
        checks: r#"`items.type` is another one, or missing.

    <path>.items.type: Invalid value: "string": must be object if parent array's x-kubernetes-list-type is map"#,
        why: "The keys are fields of the items.",
        wrong: "",
        right: "",
        fix: "*Suggested*: takes the list type `set`, where the items are scalars. Otherwise write `type: object`.",
        source: "Check 122 of this project's list of server checks.",
    },
    Rule {
        code: "schema/list-map-key-scalar",
        severity: Severity::Error,
        since: None,
        title: "A key of a list of type `map` must be a scalar.",
        checks: r#"The field that the key names is a list or an object.

    <path>.items.properties[name].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map"#,
        why: "Keys are compared and written into paths.",
        wrong: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties:
        name: {type: object}"#,
        right: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties:
        name: {type: string}"#,
        fix: "None: take another field for the key.",
        source: "Check 123 of this project's list of server checks.",
    },
    Rule {
        code: "schema/list-map-key-unknown",
        severity: Severity::Error,
        since: None,
        title: "A key of a list of type `map` is no field of its items.",
        checks: r#"Each name in `x-kubernetes-list-map-keys` is in `items.properties`.

    <path>.x-kubernetes-list-map-keys: Invalid value: ["nmae"]: entries must all be names of item properties"#,
        why: "Items are found and merged by their keys.",
        wrong: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [nmae]
    items:
      type: object
      required: [name]
      properties:
        name: {type: string}"#,
        right: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties:
        name: {type: string}"#,
        fix: "*Safe*: corrects a name that is off by one letter. *Suggested*: corrects more than that, or removes the key where others are left. Otherwise declare the field.",
        source: "Check 124 of this project's list of server checks.",
    },
    Rule {
        code: "schema/list-map-key-duplicate",
        severity: Severity::Error,
        since: None,
        title: "A key of a list of type `map` is named twice.",
        checks: r#"The names in `x-kubernetes-list-map-keys` are all different.

    <path>.x-kubernetes-list-map-keys: Invalid value: ["name","name"]: must not contain duplicate entries"#,
        why: "The second one says nothing.",
        wrong: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name, name]
    items:
      type: object
      required: [name]
      properties:
        name: {type: string}"#,
        right: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties:
        name: {type: string}"#,
        fix: "*Safe*: removes the second one.",
        source: "Check 125 of this project's list of server checks.",
    },
    Rule {
        code: "schema/list-items-nullable",
        severity: Severity::Error,
        since: None,
        title: "The items of a set or map cannot be null.",
        checks: r#"`items.nullable` is `true` in a list of type `set` or `map`.

    <path>.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set"#,
        why: "Items are compared or have keys; null has none.",
        wrong: r#"type: object
properties:
  names:
    type: array
    x-kubernetes-list-type: set
    items: {type: string, nullable: true}"#,
        right: r#"type: object
properties:
  names:
    type: array
    x-kubernetes-list-type: set
    items: {type: string}"#,
        fix: "*Suggested*: removes `nullable`.",
        source: "Check 126 of this project's list of server checks.",
    },
    Rule {
        code: "schema/list-map-key-default",
        severity: Severity::Error,
        since: None,
        title: "A key of a list of type `map` must be required or have a default.",
        checks: r#"The field that the key names is not in `items.required` and has no `default`.

    <path>.items.properties[name].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property"#,
        why: "An item without the key could not be told from others.",
        wrong: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      properties:
        name: {type: string}"#,
        right: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties:
        name: {type: string}"#,
        fix: "*Suggested*: adds the name to `required`, or gives the field a default.",
        source: "Check 127 of this project's list of server checks.",
    },
    Rule {
        code: "schema/list-map-key-nullable",
        severity: Severity::Error,
        since: None,
        title: "A key of a list of type `map` cannot be null.",
        checks: r#"The field that the key names has `nullable: true`.

    <path>.items.properties[name].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable"#,
        why: "Items are found by their keys.",
        wrong: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties:
        name: {type: string, nullable: true}"#,
        right: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties:
        name: {type: string}"#,
        fix: "*Safe*: removes `nullable`.",
        source: "Check 128 of this project's list of server checks.",
    },
    Rule {
        code: "schema/convert",
        severity: Severity::Error,
        since: None,
        title: "No structural schema can be made of this one.",
        checks: r#"A keyword stands in the schema that structural schemas do not have, above all `$schema`. It is reported only where nothing else is wrong.

    spec.validation.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema 'schema' is not supported"#,
        why: "The server works with the structural schema.",
        wrong: r#"$schema: https://json-schema.org/draft-07/schema
type: object"#,
        right: "type: object",
        fix: "*Safe*: removes `$schema`. Other reasons have a finding of their own.",
        source: "Check 148 of this project's list of server checks.",
    },
];
