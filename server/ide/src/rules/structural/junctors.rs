//! What may not stand in junctors: the fields of a structure.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "structural/junctor-type",
        severity: Severity::Error,
        since: None,
        title: "`type` must not stand inside `allOf`, `anyOf`, `oneOf` or `not`.",
        checks: r#"`type` is set in a schema below a junctor, at any depth.

    <path>.anyOf[0].type: Forbidden: must be empty to be structural

One form is allowed: `anyOf` with exactly the branches `type: integer` and `type: string`, in this order and with nothing else in them, directly on a node or as the first branch of its `allOf`. It goes with `x-kubernetes-int-or-string: true`."#,
        why: "One schema must tell the structure of a value without the junctors: pruning, defaulting and publishing never look at them. A branch only adds conditions on a value whose shape is fixed outside. A type that depends on the branch would leave the value without a type.",
        wrong: r#"type: object
properties:
  port:
    type: integer
    oneOf:
    - type: integer
      enum: [80]
    - type: integer
      enum: [443]"#,
        right: r#"type: object
properties:
  port:
    type: integer
    oneOf:
    - enum: [80]
    - enum: [443]"#,
        fix: "Moves the type out of the branches to the node, when all branches agree and the node has none or the same; creates the node if it is missing. Integer beside string becomes `x-kubernetes-int-or-string: true`. Other mixtures, e.g. boolean beside object, have no structural form: it is offered to take any value, by `x-kubernetes-preserve-unknown-fields: true`.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": forbidden generics and extensions.
- Kubernetes documentation on CustomResourceDefinitions, section "Specifying a structural schema", rule 3.
- Check 95 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/junctor-description",
        severity: Severity::Error,
        since: None,
        title: "`description` must not stand inside `allOf`, `anyOf`, `oneOf` or `not`.",
        checks: r#"`description` is set in a schema below a junctor, at any depth.

    <path>.anyOf[0].description: Forbidden: must be empty to be structural"#,
        why: "One schema must tell the structure of a value without the junctors: pruning, defaulting and publishing never look at them. A branch only adds conditions on a value whose shape is fixed outside. Clients are shown one description for each field, so it stands on the field.",
        wrong: r#"type: object
properties:
  phase:
    type: string
    oneOf:
    - description: Nothing to do
      enum: [Idle]
    - description: Working
      enum: [Busy]"#,
        right: r#"type: object
properties:
  phase:
    type: string
    description: |-
      - Idle: Nothing to do
      - Busy: Working
    oneOf:
    - enum: [Idle]
    - enum: [Busy]"#,
        fix: "Moves the description to the node when that has none and only one text occurs; deletes it when the node says the same. Otherwise it offers to delete the branches' texts. Generators that turn enums with documentation into `oneOf` produce this form.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": forbidden generics and extensions.
- Kubernetes documentation on CustomResourceDefinitions, section "Specifying a structural schema", rule 3.
- Check 95 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/junctor-title",
        severity: Severity::Error,
        since: None,
        title: "`title` must not stand inside `allOf`, `anyOf`, `oneOf` or `not`.",
        checks: r#"`title` is set in a schema below a junctor, at any depth.

    <path>.anyOf[0].title: Forbidden: must be empty to be structural"#,
        why: "One schema must tell the structure of a value without the junctors: pruning, defaulting and publishing never look at them. A branch only adds conditions on a value whose shape is fixed outside. A title has no place in the published schema of the value when only one of several branches carries it.",
        wrong: r#"type: object
properties:
  port:
    type: integer
    anyOf:
    - title: Plain
      enum: [80]
    - title: Secure
      enum: [443]"#,
        right: r#"type: object
properties:
  port:
    type: integer
    title: Port
    anyOf:
    # Plain
    - enum: [80]
    # Secure
    - enum: [443]"#,
        fix: "Moves the title to the node when that has none and only one text occurs; deletes it when the node says the same. Otherwise it offers to delete the branches' titles. To keep a text, put it into a comment or the node's `description`.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": forbidden generics and extensions.
- Check 95 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/junctor-nullable",
        severity: Severity::Error,
        since: None,
        title: "`nullable` must not stand inside `allOf`, `anyOf`, `oneOf` or `not`.",
        checks: r#"`nullable` is set in a schema below a junctor, at any depth.

    <path>.anyOf[0].nullable: Forbidden: must be false to be structural

`nullable: false` says nothing and passes."#,
        why: "One schema must tell the structure of a value without the junctors: pruning, defaulting and publishing never look at them. A branch only adds conditions on a value whose shape is fixed outside. Whether null is kept or dropped is decided before validation, so it cannot depend on a branch.",
        wrong: r#"type: object
properties:
  owner:
    type: string
    anyOf:
    - nullable: true
    - minLength: 1"#,
        right: r#"type: object
properties:
  owner:
    type: string
    nullable: true
    anyOf:
    - minLength: 1"#,
        fix: "Moves `nullable: true` to the node, as a suggestion where not all branches have it. An `anyOf` whose branches all become empty by that is deleted; where only some do, the others have no effect any more, so look at what remains. An `enum` on the node still refuses null.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": forbidden generics and extensions.
- Kubernetes documentation on CustomResourceDefinitions, section "Specifying a structural schema", rule 3.
- Check 95 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/junctor-default",
        severity: Severity::Error,
        since: None,
        title: "`default` must not stand inside `allOf`, `anyOf`, `oneOf` or `not`.",
        checks: r#"`default` is set in a schema below a junctor, at any depth.

    <path>.anyOf[0].default: Forbidden: must be undefined to be structural

The rule holds at any depth, also for a property named in a branch."#,
        why: "One schema must tell the structure of a value without the junctors: pruning, defaulting and publishing never look at them. A branch only adds conditions on a value whose shape is fixed outside. A default that depends on the branch could change which branch matches; defaulting runs before validation.",
        wrong: r#"type: object
properties:
  mode:
    type: string
    anyOf:
    - enum: [Fast]
      default: Fast
    - enum: [Safe]"#,
        right: r#"type: object
properties:
  mode:
    type: string
    default: Fast
    anyOf:
    - enum: [Fast]
    - enum: [Safe]"#,
        fix: "Moves the default to the node outside when only one value occurs, as a suggestion where not all branches have it. Two different defaults have no structural form: a CRD cannot default by condition. The moved default must satisfy the whole schema, or the server refuses it there.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": forbidden generics and extensions.
- Kubernetes documentation on CustomResourceDefinitions, section "Specifying a structural schema", rule 3.
- Check 95 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/junctor-additional-properties",
        severity: Severity::Error,
        since: None,
        title: "`additionalProperties` must not stand inside `allOf`, `anyOf`, `oneOf` or `not`.",
        checks: r#"`additionalProperties` is set in a schema below a junctor, at any depth.

    <path>.anyOf[0].additionalProperties: Forbidden: must be undefined to be structural

A schema and `true` count. `additionalProperties: false` is dropped in a junctor, without an error and without an effect."#,
        why: "One schema must tell the structure of a value without the junctors: pruning, defaulting and publishing never look at them. A branch only adds conditions on a value whose shape is fixed outside. Whether an object is a map is part of its shape.",
        wrong: r#"type: object
properties:
  limits:
    type: object
    additionalProperties:
      type: string
    anyOf:
    - additionalProperties:
        pattern: '^[0-9]+$'"#,
        right: r#"type: object
properties:
  limits:
    type: object
    additionalProperties:
      type: string
      pattern: '^[0-9]+$'"#,
        fix: "Moves the map's schema to the node when the junctor is `allOf`, where the branch always holds. Under `anyOf`, `oneOf` and `not` there is no quick-fix: conditions on the values of a map that depend on the branch need a CEL rule, e.g. `self.all(k, self[k].matches('^[0-9]+$'))`.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": forbidden generics and extensions.
- Kubernetes documentation on CustomResourceDefinitions, section "Specifying a structural schema", rule 3.
- Check 95 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/junctor-metadata",
        severity: Severity::Error,
        since: None,
        title: "A property `metadata` must not be named inside a junctor.",
        checks: r#"A schema below `allOf`, `anyOf`, `oneOf` or `not` has a property `metadata`, at any depth.

    <path>.anyOf[0].properties[metadata]: Forbidden: must not be specified in a nested context

The server makes no difference between the metadata of the resource and other fields of that name: in a junctor of an embedded resource, or of any nested object, `metadata` is refused as well."#,
        why: "The metadata of an object is common to all kinds. A junctor would be a way around the rule that a CRD may only restrict `name` and `generateName`. The proposal meant the root only, and allowed the name in embedded resources; the server's check is wider.",
        wrong: r#"type: object
properties:
  metadata:
    type: object
    properties:
      name:
        type: string
  spec:
    type: object
anyOf:
- properties:
    metadata:
      properties:
        name:
          maxLength: 20"#,
        right: r#"type: object
properties:
  metadata:
    type: object
    properties:
      name:
        type: string
        maxLength: 20
  spec:
    type: object"#,
        fix: "Deletes `metadata` from the branch, as a suggestion where other branches stand beside it: the condition is lost. A condition on the name may stand under the root's `properties.metadata` instead, or in a CEL rule at the root, which can read `self.metadata.name`.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Metadata", rule 2.
- Check 96 of this project's list of server checks."#,
    },
];
