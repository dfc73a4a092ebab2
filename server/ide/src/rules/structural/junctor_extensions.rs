//! What may not stand in junctors: extensions of Kubernetes.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "structural/junctor-embedded-resource",
        severity: Severity::Error,
        since: None,
        title: "`x-kubernetes-embedded-resource` must not stand inside `allOf`, `anyOf`, `oneOf` or `not`.",
        checks: r#"`x-kubernetes-embedded-resource` is set in a schema below a junctor, at any depth.

    <path>.anyOf[0].x-kubernetes-embedded-resource: Forbidden: must be false to be structural"#,
        why: "One schema must tell the structure of a value without the junctors: pruning, defaulting and publishing never look at them. A branch only adds conditions on a value whose shape is fixed outside. Whether a value is a whole Kubernetes object decides what is pruned and coerced before validation.",
        wrong: r#"type: object
properties:
  template:
    type: object
    x-kubernetes-preserve-unknown-fields: true
    allOf:
    - x-kubernetes-embedded-resource: true"#,
        right: r#"type: object
properties:
  template:
    type: object
    x-kubernetes-embedded-resource: true
    x-kubernetes-preserve-unknown-fields: true"#,
        fix: "Moves the keyword to the node outside when that is of `type: object` and has fields or `x-kubernetes-preserve-unknown-fields: true`, as the rules for embedded resources want it there; as a suggestion where not all branches have it.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": forbidden generics and extensions.
- Kubernetes documentation on CustomResourceDefinitions, section "Specifying a structural schema", rule 3.
- Check 95 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/junctor-int-or-string",
        severity: Severity::Error,
        since: None,
        title: "`x-kubernetes-int-or-string` must not stand inside `allOf`, `anyOf`, `oneOf` or `not`.",
        checks: r#"`x-kubernetes-int-or-string` is set in a schema below a junctor, at any depth.

    <path>.anyOf[0].x-kubernetes-int-or-string: Forbidden: must be false to be structural

The keyword belongs on the node; only the pair of types belongs into its `anyOf`."#,
        why: "One schema must tell the structure of a value without the junctors: pruning, defaulting and publishing never look at them. A branch only adds conditions on a value whose shape is fixed outside. It stands for a type.",
        wrong: r#"type: object
properties:
  port:
    x-kubernetes-int-or-string: true
    allOf:
    - x-kubernetes-int-or-string: true"#,
        right: r#"type: object
properties:
  port:
    x-kubernetes-int-or-string: true
    anyOf:
    - type: integer
    - type: string"#,
        fix: "Moves the keyword to the node outside when that has no type, or deletes it from the branch when the node has it.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": forbidden generics and extensions.
- Kubernetes documentation on CustomResourceDefinitions, section "Specifying a structural schema", rule 3.
- Check 95 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/junctor-list-map-keys",
        severity: Severity::Error,
        since: None,
        title: "`x-kubernetes-list-map-keys` must not stand inside `allOf`, `anyOf`, `oneOf` or `not`.",
        checks: r#"`x-kubernetes-list-map-keys` is set in a schema below a junctor, at any depth.

    <path>.anyOf[0].x-kubernetes-list-map-keys: Forbidden: must be empty to be structural

Another error comes along, as a schema in a junctor has no list type: `<path>.allOf[0].x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty`."#,
        why: "One schema must tell the structure of a value without the junctors: pruning, defaulting and publishing never look at them. A branch only adds conditions on a value whose shape is fixed outside. How a list merges is part of its shape.",
        wrong: r#"type: object
properties:
  ports:
    type: array
    items:
      type: object
      required: [name]
      properties:
        name:
          type: string
    allOf:
    - x-kubernetes-list-map-keys: [name]"#,
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
        name:
          type: string"#,
        fix: "Moves the keyword to the list, when that has `x-kubernetes-list-type: map` and has none of its own; as a suggestion where it stands in some branches of `anyOf` or `oneOf` only.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": forbidden generics and extensions.
- Check 95 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/junctor-list-type",
        severity: Severity::Error,
        since: None,
        title: "`x-kubernetes-list-type` must not stand inside `allOf`, `anyOf`, `oneOf` or `not`.",
        checks: r#"`x-kubernetes-list-type` is set in a schema below a junctor, at any depth.

    <path>.anyOf[0].x-kubernetes-list-type: Forbidden: must be undefined to be structural

Another error comes along, as a schema in a junctor has no type: `<path>.allOf[0].type: Required value: must be array if x-kubernetes-list-type is specified`."#,
        why: "One schema must tell the structure of a value without the junctors: pruning, defaulting and publishing never look at them. A branch only adds conditions on a value whose shape is fixed outside. How a list merges is part of its shape.",
        wrong: r#"type: object
properties:
  tags:
    type: array
    items:
      type: string
    allOf:
    - x-kubernetes-list-type: set"#,
        right: r#"type: object
properties:
  tags:
    type: array
    x-kubernetes-list-type: set
    items:
      type: string"#,
        fix: "Moves the keyword to the list, when that is of `type: array` and has none of its own; as a suggestion where it stands in some branches of `anyOf` or `oneOf` only.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": forbidden generics and extensions.
- Check 95 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/junctor-map-type",
        severity: Severity::Error,
        since: None,
        title: "`x-kubernetes-map-type` must not stand inside `allOf`, `anyOf`, `oneOf` or `not`.",
        checks: r#"`x-kubernetes-map-type` is set in a schema below a junctor, at any depth.

    <path>.anyOf[0].x-kubernetes-map-type: Forbidden: must be undefined to be structural

Another error comes along, as a schema in a junctor has no type: `<path>.allOf[0].type: Required value: must be object if x-kubernetes-map-type is specified`."#,
        why: "One schema must tell the structure of a value without the junctors: pruning, defaulting and publishing never look at them. A branch only adds conditions on a value whose shape is fixed outside. How an object merges is part of its shape.",
        wrong: r#"type: object
properties:
  selector:
    type: object
    additionalProperties:
      type: string
    allOf:
    - x-kubernetes-map-type: atomic"#,
        right: r#"type: object
properties:
  selector:
    type: object
    x-kubernetes-map-type: atomic
    additionalProperties:
      type: string"#,
        fix: "Moves the keyword to the object, when that is of `type: object` and has none of its own; as a suggestion where it stands in some branches of `anyOf` or `oneOf` only.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": forbidden generics and extensions.
- Check 95 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/junctor-preserve-unknown-fields",
        severity: Severity::Error,
        since: None,
        title: "`x-kubernetes-preserve-unknown-fields` must not stand inside `allOf`, `anyOf`, `oneOf` or `not`.",
        checks: r#"`x-kubernetes-preserve-unknown-fields` is set in a schema below a junctor, at any depth.

    <path>.anyOf[0].x-kubernetes-preserve-unknown-fields: Forbidden: must be false to be structural

`false` is refused as well, by another check."#,
        why: "One schema must tell the structure of a value without the junctors: pruning, defaulting and publishing never look at them. A branch only adds conditions on a value whose shape is fixed outside. Pruning would have to know which branch matches before it prunes.",
        wrong: r#"type: object
properties:
  config:
    type: object
    anyOf:
    - x-kubernetes-preserve-unknown-fields: true"#,
        right: r#"type: object
properties:
  config:
    type: object
    x-kubernetes-preserve-unknown-fields: true"#,
        fix: "Moves the keyword to the node outside, as a suggestion where not all branches have it: fields that were pruned are kept from then on.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": forbidden generics and extensions.
- Kubernetes documentation on CustomResourceDefinitions, section "Specifying a structural schema", rule 3.
- Check 95 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/junctor-validations",
        severity: Severity::Error,
        since: None,
        title: "`x-kubernetes-validations` must not stand inside `allOf`, `anyOf`, `oneOf` or `not`.",
        checks: r#"`x-kubernetes-validations` is set in a schema below a junctor, at any depth.

    <path>.anyOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural

An empty list passes."#,
        why: "One schema must tell the structure of a value without the junctors: pruning, defaulting and publishing never look at them. A branch only adds conditions on a value whose shape is fixed outside. Rules in CEL have types taken from the structure, which a branch does not have.",
        wrong: r#"type: object
properties:
  size:
    type: object
    properties:
      min:
        type: integer
      max:
        type: integer
    allOf:
    - x-kubernetes-validations:
      - rule: '!has(self.min) || !has(self.max) || self.min <= self.max'"#,
        right: r#"type: object
properties:
  size:
    type: object
    properties:
      min:
        type: integer
      max:
        type: integer
    x-kubernetes-validations:
    - rule: '!has(self.min) || !has(self.max) || self.min <= self.max'"#,
        fix: "Moves the rules to the node outside when the junctor is `allOf`. Under `anyOf` and `oneOf`, where the branch requires fields, it offers to move them as `!has(self.a) || (...)`, so that they hold for objects with these fields. Otherwise write the condition of the branch into the rule, e.g. `self.kind != 'Pair' || self.min <= self.max`.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": forbidden generics and extensions.
- Check 95 of this project's list of server checks."#,
    },
];
