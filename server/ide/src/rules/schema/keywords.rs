//! Keywords of a schema.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "subresources/status-root-type",
        severity: Severity::Error,
        since: None,
        title: "With a status subresource the root must be of `type: object`.",
        checks: r#"The root's `type` is another one while a version has `subresources.status`. The server reports the root's type itself as well.

    spec.validation.openAPIV3Schema.type: Invalid value: "array": only "object" is allowed as the type at the root of the schema if the status subresource is enabled"#,
        why: "The status is stored apart from the rest of an object.",
        wrong: "",
        right: "",
        fix: "None: write `type: object`.",
        source: "Check 79 of this project's list of server checks.",
    },
    Rule {
        code: "subresources/status-root-fields",
        severity: Severity::Error,
        since: None,
        title: "With a status subresource the root may have only some keywords.",
        checks: r#"The root has a keyword beside `type`, `description`, `title`, `format`, `properties`, `required`, `items`, `externalDocs`, `example`, `x-kubernetes-preserve-unknown-fields`, `x-kubernetes-validations` and bounds of numbers, strings and lists: above all `anyOf`, `allOf`, `oneOf`, `not`, `enum` and `minProperties` are refused. The server names the first one only by a dump of the schema.

    spec.validation.openAPIV3Schema: Invalid value: ...: only [Description Type ...] fields are allowed at the root of the schema if the status subresource is enabled"#,
        why: "The status is validated without the rest of the object, where such conditions would fail.",
        wrong: r#"spec:
  versions:
  - subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        anyOf:
        - required: [spec]
        properties:
          spec: {type: string}
          status: {type: object}"#,
        right: r#"spec:
  versions:
  - subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec: {type: string}
          status: {type: object}"#,
        fix: "*Suggested*: removes them. Otherwise move the condition to `spec`, or write it as a rule in `x-kubernetes-validations`.",
        source: "Check 80 of this project's list of server checks.",
    },
    Rule {
        code: "schema/nullable-root",
        severity: Severity::Error,
        since: None,
        title: "The root of a schema must not be `nullable`.",
        checks: r#"`nullable: true` at the root.

    spec.validation.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root"#,
        why: "An object cannot be null.",
        wrong: r#"type: object
nullable: true"#,
        right: "type: object",
        fix: "*Safe*: removes the line.",
        source: "Check 81 of this project's list of server checks.",
    },
    Rule {
        code: "schema/type-unsupported",
        severity: Severity::Error,
        since: None,
        title: "`type` is none that a schema can have.",
        checks: r#"The text is `array`, `boolean`, `integer`, `number`, `object` or `string`.

    <path>.type: Unsupported value: "int": supported values: "array", "boolean", "integer", "number", "object", "string""#,
        why: "JSON has no other types.",
        wrong: r#"type: object
properties:
  size:
    type: int"#,
        right: r#"type: object
properties:
  size:
    type: integer"#,
        fix: "*Safe*: writes the type that is meant, e.g. `integer` for `int`, where the other keywords do not speak against it; otherwise *suggested*.",
        source: "Check 104 of this project's list of server checks.",
    },
    Rule {
        code: "schema/type-null",
        severity: Severity::Error,
        since: None,
        title: r#"`type: "null"` is not possible."#,
        checks: r#"The type is the text `null`. The server reports an unsupported type beside it.

    <path>.type: Forbidden: type cannot be set to null, use nullable as an alternative"#,
        why: "A field that can hold only null says nothing.",
        wrong: "",
        right: "",
        fix: "*Safe*: writes the type that the other keywords tell, and `nullable: true`. *Suggested*, where they tell none: string or object.",
        source: "Check 105 of this project's list of server checks.",
    },
    Rule {
        code: "schema/forbidden-id",
        severity: Severity::Error,
        since: None,
        title: "`id` is not supported.",
        checks: r#"`id` is set and not empty.

    <path>.id: Forbidden: id is not supported"#,
        why: "Schemas of definitions cannot refer to each other.",
        wrong: "",
        right: "",
        fix: "*Safe*: removes it.",
        source: "Check 106 of this project's list of server checks.",
    },
    Rule {
        code: "schema/forbidden-additional-items",
        severity: Severity::Error,
        since: None,
        title: "`additionalItems` is not supported.",
        checks: r#"`additionalItems` is set, also to `false`.

    <path>.additionalItems: Forbidden: additionalItems is not supported"#,
        why: "All items of a list have the same schema.",
        wrong: "",
        right: "",
        fix: "*Safe*: removes it; `items` holds for all.",
        source: "Check 106 of this project's list of server checks.",
    },
    Rule {
        code: "schema/forbidden-pattern-properties",
        severity: Severity::Error,
        since: None,
        title: "`patternProperties` is not supported.",
        checks: r#"`patternProperties` is set and not empty.

    <path>.patternProperties: Forbidden: patternProperties is not supported"#,
        why: "Pruning and published schemas need the names of all fields, or one schema for all of them.",
        wrong: "",
        right: "",
        fix: "*Suggested*: writes `additionalProperties`, a rule for the keys, and `maxProperties: 64`, without which the rule would cost too much; or removes it.",
        source: "Check 106 of this project's list of server checks.",
    },
    Rule {
        code: "schema/forbidden-definitions",
        severity: Severity::Error,
        since: None,
        title: "`definitions` are not supported.",
        checks: r#"`definitions` is set and not empty.

    <path>.definitions: Forbidden: definitions is not supported"#,
        why: "Nothing could refer to them.",
        wrong: "",
        right: "",
        fix: "*Safe*: removes them once nothing refers to them; the fixes for `$ref` write them where they are used.",
        source: "Check 106 of this project's list of server checks.",
    },
    Rule {
        code: "schema/forbidden-dependencies",
        severity: Severity::Error,
        since: None,
        title: "`dependencies` are not supported.",
        checks: r#"`dependencies` is set, also when empty.

    <path>.dependencies: Forbidden: dependencies is not supported"#,
        why: "They mix conditions and structure.",
        wrong: "",
        right: "",
        fix: "*Safe*: writes them as rules, such as `!has(self.a) || has(self.b)`, where all the fields are declared. *Suggested*: removes them.",
        source: "Check 106 of this project's list of server checks.",
    },
    Rule {
        code: "schema/forbidden-ref",
        severity: Severity::Error,
        since: None,
        title: "`$ref` is not supported.",
        checks: r#"`$ref` is set, also when empty.

    <path>.$ref: Forbidden: $ref is not supported"#,
        why: "A definition is complete in itself. References to other documents would have to be read, and could have cycles.",
        wrong: "",
        right: "",
        fix: "*Safe*: writes out what it refers to, with all references within, where `definitions` or `$defs` of the same schema have it. A definition that holds itself cannot be written out: *suggested*, any object is taken in its place.",
        source: "Check 106 of this project's list of server checks.",
    },
    Rule {
        code: "schema/items-array",
        severity: Severity::Error,
        since: None,
        title: "`items` must be one schema, not a list.",
        checks: r#"`items` is a list of schemas, as for tuples.

    <path>.items: Forbidden: items must be a schema object and not an array"#,
        why: "All items of a list have the same schema.",
        wrong: "",
        right: "",
        fix: "*Safe*: writes the schema without the list, where it is the only one. *Suggested*: equal schemas once, integers and strings as `x-kubernetes-int-or-string`, with `maxItems`.",
        source: "Check 108 of this project's list of server checks.",
    },
    Rule {
        code: "schema/embedded-in-meta",
        severity: Severity::Error,
        since: None,
        title: "An embedded resource stands within `apiVersion`, `kind` or `metadata`.",
        checks: r#"`x-kubernetes-embedded-resource: true` below one of the three, at the root or in an embedded resource.

    <path>.x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta"#,
        why: "What these fields hold is fixed.",
        wrong: "",
        right: "",
        fix: "*Safe*: removes the line.",
        source: "Check 109 of this project's list of server checks.",
    },
    Rule {
        code: "schema/unique-items",
        severity: Severity::Error,
        since: None,
        title: "`uniqueItems: true` is not supported.",
        checks: r#"`uniqueItems` is `true`.

    <path>.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic"#,
        why: "The server would have to compare each item with each other one.",
        wrong: r#"type: object
properties:
  names:
    type: array
    uniqueItems: true
    items: {type: string}"#,
        right: r#"type: object
properties:
  names:
    type: array
    x-kubernetes-list-type: set
    items: {type: string}"#,
        fix: "*Safe*: writes `x-kubernetes-list-type: set` where the items are texts or booleans. *Suggested*: the same where they are numbers, as `1` and `1.0` of a JSON request are two items of a set; a map of objects with a key, or no `uniqueItems`.",
        source: "Check 110 of this project's list of server checks.",
    },
    Rule {
        code: "schema/properties-and-additional",
        severity: Severity::Error,
        since: None,
        title: "`properties` and `additionalProperties` exclude each other.",
        checks: r#"A node has properties, and `additionalProperties` is `false` or a schema.

    <path>.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive"#,
        why: "A node is either an object with known fields or a map. Unknown fields of an object are dropped anyway.",
        wrong: r#"type: object
properties:
  spec:
    type: object
    additionalProperties: false
    properties:
      size: {type: integer}"#,
        right: r#"type: object
properties:
  spec:
    type: object
    properties:
      size: {type: integer}"#,
        fix: "*Safe*: removes `additionalProperties: false`. *Suggested*, where it is a schema: removes one of the two, or keeps all fields.",
        source: "Check 111 of this project's list of server checks.",
    },
    Rule {
        code: "schema/preserve-false",
        severity: Severity::Error,
        since: None,
        title: "`x-kubernetes-preserve-unknown-fields` must be `true` or absent.",
        checks: r#"It is `false`.

    <path>.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined"#,
        why: "Dropping unknown fields is the rule, and a node below one that keeps them drops them again by declaring its properties.",
        wrong: "",
        right: "",
        fix: "*Safe*: removes the line.",
        source: "Check 112 of this project's list of server checks.",
    },
    Rule {
        code: "schema/map-type-object",
        severity: Severity::Error,
        since: None,
        title: "`x-kubernetes-map-type` needs `type: object`.",
        checks: r#"The node's type is another one, or missing.

    <path>.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified"#,
        why: "The keyword says how objects are merged by server-side apply.",
        wrong: r#"type: object
properties:
  size:
    type: string
    x-kubernetes-map-type: atomic"#,
        right: r#"type: object
properties:
  size:
    type: object
    x-kubernetes-map-type: atomic"#,
        fix: "*Suggested*: removes the line. Otherwise correct the type.",
        source: "Check 113 of this project's list of server checks.",
    },
    Rule {
        code: "schema/map-type-unsupported",
        severity: Severity::Error,
        since: None,
        title: "`x-kubernetes-map-type` must be `atomic` or `granular`.",
        checks: r#"The text is another one.

    <path>.x-kubernetes-map-type: Unsupported value: "map": supported values: "atomic", "granular""#,
        why: "There are no other ways to merge an object.",
        wrong: r#"type: object
properties:
  size:
    type: object
    x-kubernetes-map-type: map"#,
        right: r#"type: object
properties:
  size:
    type: object
    x-kubernetes-map-type: granular"#,
        fix: "*Safe*: corrects one letter; *suggested*, each of the two.",
        source: "Check 114 of this project's list of server checks.",
    },
];
