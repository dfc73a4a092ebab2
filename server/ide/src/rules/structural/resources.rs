//! The root of a schema, embedded resources, and integers that may be strings.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "structural/api-version-type",
        severity: Severity::Error,
        since: None,
        title: "A declared `apiVersion` must be `type: string`.",
        checks: r#"The root, or a node with `x-kubernetes-embedded-resource: true`, declares `properties.apiVersion` with another type than `string`.

    <path>.properties[apiVersion].type: Invalid value: "integer": must be string

Anywhere else, `apiVersion` is an ordinary field of any type."#,
        why: "`apiVersion` is part of every Kubernetes object and always a string, which the server checks by itself. Declaring it is not needed, and declaring it otherwise would let no object pass.",
        wrong: r#"type: object
properties:
  apiVersion:
    type: integer
  spec:
    type: object"#,
        right: r#"type: object
properties:
  apiVersion:
    type: string
  spec:
    type: object"#,
        fix: "Replaces the type by `string`. Deleting the property does as well: `apiVersion` is implied.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Metadata": the fields of the object's header are implied.
- Kubernetes documentation on CustomResourceDefinitions, section "RawExtension".
- Check 88 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/kind-type",
        severity: Severity::Error,
        since: None,
        title: "A declared `kind` must be `type: string`.",
        checks: r#"The root, or a node with `x-kubernetes-embedded-resource: true`, declares `properties.kind` with another type than `string`.

    <path>.properties[kind].type: Invalid value: "integer": must be string

Anywhere else, `kind` is an ordinary field of any type."#,
        why: "`kind` is part of every Kubernetes object and always a string, which the server checks by itself. Declaring it is not needed, and declaring it otherwise would let no object pass.",
        wrong: r#"type: object
properties:
  kind:
    type: integer
  spec:
    type: object"#,
        right: r#"type: object
properties:
  kind:
    type: string
  spec:
    type: object"#,
        fix: "Replaces the type by `string`. Deleting the property does as well: `kind` is implied.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Metadata": the fields of the object's header are implied.
- Kubernetes documentation on CustomResourceDefinitions, section "RawExtension".
- Check 88 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/metadata-type",
        severity: Severity::Error,
        since: None,
        title: "A declared `metadata` must be `type: object`.",
        checks: r#"The root, or a node with `x-kubernetes-embedded-resource: true`, declares `properties.metadata` with another type than `object`.

    <path>.properties[metadata].type: Invalid value: "string": must be object

Anywhere else, `metadata` is an ordinary field of any type."#,
        why: "`metadata` of a Kubernetes object is always an ObjectMeta. The server validates it by itself, whatever the schema says.",
        wrong: r#"type: object
properties:
  metadata:
    type: string
  spec:
    type: object"#,
        right: r#"type: object
properties:
  metadata:
    type: object
  spec:
    type: object"#,
        fix: "Replaces the type by `object`. At the root, deleting the property does as well.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Metadata".
- Check 89 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/metadata-fields",
        severity: Severity::Error,
        since: None,
        title: "The schema of the root's `metadata` may only restrict `name` and `generateName`.",
        checks: r#"`properties.metadata` at the root holds anything but `type`, `default` and `properties` with the names `name` and `generateName`. What these two hold is free. A `description`, `title`, `required` or `x-kubernetes-*` counts as well, and so do `required: []` and `externalDocs: {}`.

    <root>.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified

Embedded resources and nested fields called `metadata` are free of this rule. A `default` is refused by another check."#,
        why: "Owner references, finalizers, labels and server-side apply must work on every object of the cluster in the same way. A CRD that could forbid or reshape parts of ObjectMeta would break the tools that rely on it.",
        wrong: r#"type: object
properties:
  metadata:
    type: object
    properties:
      name:
        type: string
        maxLength: 40
      labels:
        type: object
        additionalProperties:
          type: string
  spec:
    type: object"#,
        right: r#"type: object
properties:
  metadata:
    type: object
    properties:
      name:
        type: string
        maxLength: 40
  spec:
    type: object"#,
        fix: "Deletes everything that is not allowed under `metadata`, and keeps `name` and `generateName`. The server loses nothing but the restriction: metadata is neither pruned nor left unchecked. To restrict labels or annotations use a ValidatingAdmissionPolicy; CEL rules of a CRD cannot read them.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Metadata", rule 1.
- Kubernetes documentation on CustomResourceDefinitions, section "Specifying a structural schema", rule 4.
- Check 90 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/embedded-additional-properties",
        severity: Severity::Error,
        since: None,
        title: "An embedded resource must not have `additionalProperties`.",
        checks: r#"A node has both `x-kubernetes-embedded-resource: true` and `additionalProperties`.

    <path>.additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set"#,
        why: "An embedded resource has the fixed fields `apiVersion`, `kind` and `metadata`; a map has free keys of one schema. The two contradict each other.",
        wrong: r#"type: object
properties:
  template:
    type: object
    x-kubernetes-embedded-resource: true
    x-kubernetes-preserve-unknown-fields: true
    additionalProperties:
      type: object"#,
        right: r#"type: object
properties:
  template:
    type: object
    x-kubernetes-embedded-resource: true
    x-kubernetes-preserve-unknown-fields: true"#,
        fix: "Deletes `additionalProperties`, as a suggestion: the server cannot know which of the two was meant. For an object of a kind that the CRD does not know, keep `x-kubernetes-preserve-unknown-fields: true`; for a map, delete `x-kubernetes-embedded-resource` instead.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition", rule on RawExtension.
- Check 86 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/embedded-properties",
        severity: Severity::Error,
        since: None,
        title: "An embedded resource must declare fields, or preserve unknown ones.",
        checks: r#"A node with `x-kubernetes-embedded-resource: true` has neither `properties` with at least one field nor `x-kubernetes-preserve-unknown-fields: true`.

    <path>.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields"#,
        why: "Everything but `apiVersion`, `kind` and `metadata` would be pruned from the embedded object, which can hardly be meant.",
        wrong: r#"type: object
properties:
  template:
    type: object
    x-kubernetes-embedded-resource: true"#,
        right: r#"type: object
properties:
  template:
    type: object
    x-kubernetes-embedded-resource: true
    x-kubernetes-preserve-unknown-fields: true"#,
        fix: "Adds `x-kubernetes-preserve-unknown-fields: true`, which takes objects of any kind, as a suggestion. To take one kind declare its fields, e.g. `spec`, under `properties`.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition", rule on RawExtension.
- Kubernetes documentation on CustomResourceDefinitions, section "RawExtension".
- Check 91 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/embedded-type",
        severity: Severity::Error,
        since: None,
        title: "An embedded resource must have `type: object`.",
        checks: r#"A node with `x-kubernetes-embedded-resource: true` has another `type`, or none.

    <path>.type: Required value: must be object if x-kubernetes-embedded-resource is true
    <path>.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true"#,
        why: "The value is a whole Kubernetes object with `apiVersion`, `kind` and `metadata`. The marking lets the general rule about types pass, so this one asks for the only type that fits.",
        wrong: r#"type: object
properties:
  template:
    x-kubernetes-embedded-resource: true
    x-kubernetes-preserve-unknown-fields: true"#,
        right: r#"type: object
properties:
  template:
    type: object
    x-kubernetes-embedded-resource: true
    x-kubernetes-preserve-unknown-fields: true"#,
        fix: "Adds `type: object`, or replaces the type that stands there.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition", rule on RawExtension.
- Kubernetes documentation on CustomResourceDefinitions, section "RawExtension". Its example has no `type`; the server wants one.
- Check 85 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/int-or-string-embedded",
        severity: Severity::Error,
        since: None,
        title: "An int-or-string must not be an embedded resource.",
        checks: r#"A node has both `x-kubernetes-int-or-string: true` and `x-kubernetes-embedded-resource: true`.

    <path>.x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-string is true

The rules on embedded resources fire as well: they want `type: object` and fields."#,
        why: "One value cannot be a number or text and a whole Kubernetes object.",
        wrong: r#"type: object
properties:
  port:
    type: object
    x-kubernetes-int-or-string: true
    x-kubernetes-embedded-resource: true
    properties:
      spec:
        type: object"#,
        right: r#"type: object
properties:
  port:
    x-kubernetes-int-or-string: true"#,
        fix: "Deletes `x-kubernetes-embedded-resource`, as a suggestion: the server cannot know which of the two was meant. Where `type: object` or `properties` say that it is an object, `x-kubernetes-int-or-string` goes instead.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition", rule on IntOrString.
- Kubernetes documentation on CustomResourceDefinitions, section "IntOrString".
- Check 93 of this project's list of server checks."#,
    },
    Rule {
        code: "structural/int-or-string-preserve",
        severity: Severity::Error,
        since: None,
        title: "An int-or-string must not preserve unknown fields.",
        checks: r#"A node has both `x-kubernetes-int-or-string: true` and `x-kubernetes-preserve-unknown-fields: true`.

    <path>.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true"#,
        why: r#"An integer or a string has no fields to preserve. The second keyword without a type would mean "any JSON value", which contradicts the first."#,
        wrong: r#"type: object
properties:
  port:
    x-kubernetes-int-or-string: true
    x-kubernetes-preserve-unknown-fields: true"#,
        right: r#"type: object
properties:
  port:
    x-kubernetes-int-or-string: true"#,
        fix: "Deletes `x-kubernetes-preserve-unknown-fields`. Do not write `false` as the message proposes: that is refused too. Where `type: object` or `properties` say that it is an object, deletes `x-kubernetes-int-or-string` instead, as a suggestion.",
        source: r#"- Proposal "Vanilla CRD OpenAPI Subset: Structural Schemas", section "Formal Definition", rule on IntOrString.
- Kubernetes documentation on CustomResourceDefinitions, section "IntOrString".
- Check 92 of this project's list of server checks."#,
    },
];
