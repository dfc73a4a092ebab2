//! What every node of a schema needs.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "structural/type-required",
        severity: Severity::Error,
        since: None,
        title: "Every node outside of junctors must say its `type`.",
        checks: r#"`type` is absent or empty at the root, at a property, at the value schema of `additionalProperties` or at `items`, and the node has none of `x-kubernetes-int-or-string: true`, `x-kubernetes-preserve-unknown-fields: true` and `x-kubernetes-embedded-resource: true`. The text depends on the place:

    <root>.type: Required value: must not be empty at the root
    <path>.type: Required value: must not be empty for specified array items
    <path>.type: Required value: must not be empty for specified object fields

The exceptions hold at the root too. A `type` in a branch of `allOf`, `anyOf`, `oneOf` or `not` does not count. With `x-kubernetes-embedded-resource: true` the missing type is reported as `structural/embedded-type` instead."#,
        why: "A structural schema tells the type of every value without looking at the junctors. Pruning, defaulting, server-side apply and the published OpenAPI document all rely on it.",
        wrong: r#"type: object
properties:
  spec:
    properties:
      replicas:
        type: integer
      hosts:
        type: array
        items:
          pattern: '^[a-z.]+$'"#,
        right: r#"type: object
properties:
  spec:
    type: object
    properties:
      replicas:
        type: integer
      hosts:
        type: array
        items:
          type: string
          pattern: '^[a-z.]+$'"#,
        fix: "Adds `type` with the type that the other keywords tell: `properties`, `additionalProperties` or `required` make an object; `items`, `minItems` or `maxItems` an array; `pattern` or `maxLength` a string; `minimum` or `multipleOf` an integer or a number; `enum` and `default` the type of their values; a type that all branches of a junctor share is moved up. Where the evidence is weak, the fix is offered as a suggestion.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": structural completeness.
- Kubernetes documentation on CustomResourceDefinitions, section "Specifying a structural schema", rule 1.
- Check 84 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/items-required",
        severity: Severity::Error,
        since: None,
        title: "A schema of `type: array` must have `items`.",
        checks: r#"A node with `type: array` has no `items`, or `items` is neither a mapping nor a list (`items: true` decodes as nothing).

    <path>.items: Required value: must be specified

A list under `items` is another mistake, which the server reports by itself."#,
        why: "Pruning and defaulting walk the value along the schema. Without `items` the server would not know which fields the objects in the list have.",
        wrong: r#"type: object
properties:
  spec:
    type: object
    properties:
      args:
        type: array"#,
        right: r#"type: object
properties:
  spec:
    type: object
    properties:
      args:
        type: array
        items:
          type: string"#,
        fix: "When a junctor on the same node names `items`, the quick-fix writes an `items` with the structure found there. Otherwise nothing tells what the items are, and strings, integers and objects are offered. For items of any kind write `items: {x-kubernetes-preserve-unknown-fields: true}`.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": every array value has a type.
- Kubernetes documentation on CustomResourceDefinitions, section "Specifying a structural schema", rule 1.
- Check 82 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/root-object",
        severity: Severity::Error,
        since: None,
        title: "The root of a schema must be `type: object`.",
        checks: r#"The root has a `type` other than `object`. (A root without type is `structural/type-required`.)

    <root>.type: Invalid value: "array": must be object at the root"#,
        why: "The root describes a custom resource, which is an object with `apiVersion`, `kind` and `metadata`. Nothing else could ever match.",
        wrong: r#"type: array
items:
  type: string"#,
        right: r#"type: object
properties:
  items:
    type: array
    items:
      type: string"#,
        fix: "Replaces the type by `object`. What the schema said about another type is to be moved into a property by hand. With the status subresource on, the server reports the root's type a second time.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Metadata".
- Check 87 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/additional-properties-root",
        severity: Severity::Error,
        since: None,
        title: "The root of a schema must not have `additionalProperties`.",
        checks: r#"`additionalProperties` stands at the root of `openAPIV3Schema`, with any value, `false` included.

    <root>.additionalProperties: Forbidden: must not be used at the root"#,
        why: "A custom resource is an object with fixed fields: `apiVersion`, `kind`, `metadata` and those that the CRD declares. A map would leave the server unable to tell its own fields from free keys.",
        wrong: r#"type: object
additionalProperties:
  type: string"#,
        right: r#"type: object
properties:
  data:
    type: object
    additionalProperties:
      type: string"#,
        fix: "Deletes `additionalProperties: false`: undeclared fields are pruned in any case. A schema or `true` is deleted only as a suggestion, since free keys need a field of their own, as above, and the resources change with it. To keep undeclared fields write `x-kubernetes-preserve-unknown-fields: true`.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition".
- Check 83 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/pattern",
        severity: Severity::Error,
        since: None,
        title: "A `pattern` must be a regular expression that Go can compile.",
        checks: r#"`pattern` does not compile as Go's RE2 syntax, anywhere in the schema, junctors included.

    <path>.pattern: Invalid value: "^(?!kube-).*$": must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: `(?!`

Not known to Go: lookaround `(?=`, `(?!`, `(?<=`, `(?<!`; backreferences; possessive `a++`; `\Z`; `\u0041`; repeat counts above 1000."#,
        why: "The server evaluates patterns with Go's package `regexp`, which runs in linear time on any input and leaves out what would break that promise. A pattern that does not compile could not be checked on resources.",
        wrong: r#"type: object
properties:
  name:
    type: string
    pattern: '^(?!kube-).*$'"#,
        right: r#"type: object
properties:
  name:
    type: string
    not:
      pattern: '^kube-'"#,
        fix: r#"A negative lookahead at the start becomes `not` with the rest as pattern, as above; a positive one becomes a second pattern under `allOf`. `\u0041` becomes `\x{41}`, and `\Z` becomes `\z`. A CEL rule with `matches` uses the same syntax."#,
        source: r#"- Syntax of Go's package `regexp/syntax`.
- Check 94 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/complete",
        severity: Severity::Error,
        since: None,
        title: "A field that a junctor at the root names must be declared outside of it.",
        checks: r#"`allOf`, `anyOf`, `oneOf` or `not` of the root names a property, or `items`, at any depth, and the schema outside of the junctors has no such field at that place.

    <root>.properties[tls]: Required value: because it is defined in <root>.anyOf[0].properties[tls]

The value schema of `additionalProperties` does not count as a declaration of the field. The server looks at junctors of the root only; see `structural/complete-nested` for the others."#,
        why: "Fields that are not declared in the structure are pruned before validation. A branch that asks for such a field could never match.",
        wrong: r#"type: object
properties:
  host:
    type: string
anyOf:
- properties:
    tls:
      enum: [true]
- required: [host]"#,
        right: r#"type: object
properties:
  host:
    type: string
  tls:
    type: boolean
anyOf:
- properties:
    tls:
      enum: [true]
- required: [host]"#,
        fix: "Adds the missing field outside, with the type that the branches tell by `type` or by their keywords, and moves the structure out of them. When nothing tells the type, there is no fix.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": structural completeness.
- Kubernetes documentation on CustomResourceDefinitions, section "Specifying a structural schema", rule 2.
- Check 97 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/complete-nested",
        severity: Severity::Warning,
        since: None,
        title: "A field that a junctor below the root names is not declared outside of it. A warning of crd-ls, not of kube-apiserver.",
        checks: "A junctor on a property, on `items` or on `additionalProperties` names a property, or `items`, that the schema outside of the junctors lacks at that place. The server accepts such a CRD: its check of completeness (`structural/complete`) starts at the root's junctors and goes no further. There is no text of the server.",
        why: "It does not, although the documented rule covers every level. What happens is worse: the field is pruned from each resource before validation, without an error, so a branch that requires it never matches.",
        wrong: r#"type: object
properties:
  source:
    type: object
    properties:
      git:
        type: string
    oneOf:
    - required: [git]
      properties:
        git:
          minLength: 1
    - required: [oci]
      properties:
        oci:
          minLength: 1"#,
        right: r#"type: object
properties:
  source:
    type: object
    properties:
      git:
        type: string
      oci:
        type: string
    oneOf:
    - required: [git]
      properties:
        git:
          minLength: 1
    - required: [oci]
      properties:
        oci:
          minLength: 1"#,
        fix: "Adds the missing field outside, with the type that the branch's keywords tell. It is a suggestion, since the server stores more from then on, unless structure has to move out of the branch anyway. When nothing tells the type, there is no fix.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition": structural completeness, meant for every level.
- Kubernetes documentation on CustomResourceDefinitions, section "Specifying a structural schema", rule 2.
- Measured: the server of Kubernetes 1.37 accepts the schema above and prunes `oci`."#,
    },
];
