//! Default values.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "defaults/preserve-unknown-fields",
        severity: Severity::Error,
        since: None,
        title: "Defaults need `preserveUnknownFields: false`.",
        checks: r#"A schema has a `default` while `spec.preserveUnknownFields` is `true`.

    spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema"#,
        why: "Defaults are put where the schema is the whole truth about an object.",
        wrong: "",
        right: "",
        fix: "*Suggested*: writes `preserveUnknownFields: false`, or moves it to the schemas.",
        source: "Check 23 of this project's list of server checks.",
    },
    Rule {
        code: "defaults/unknown-fields",
        severity: Severity::Error,
        since: None,
        title: "A default has fields that its schema does not declare.",
        checks: r#"Pruning the default by its own schema would change it.

    <path>.default: Invalid value: {...}: must not have unknown fields"#,
        why: "The server would drop the fields as soon as it had put them there.",
        wrong: r#"type: object
properties:
  spec:
    type: object
    default: {size: 1, color: red}
    properties:
      size: {type: integer}"#,
        right: r#"type: object
properties:
  spec:
    type: object
    default: {size: 1}
    properties:
      size: {type: integer}"#,
        fix: "*Suggested*: renames a field that is misspelled, removes it from the default, or removes the default.",
        source: "Check 98 of this project's list of server checks.",
    },
    Rule {
        code: "defaults/metadata",
        severity: Severity::Error,
        since: None,
        title: "A default within `metadata` makes no valid metadata.",
        checks: r#"A default below `metadata`, `kind` or `apiVersion`, of the root or of an embedded resource, put into an object, fits what is known of these fields.

    <path>.default: Invalid value: ...: must result in valid metadata: ..."#,
        why: "Every object would be refused for what its author has not written.",
        wrong: "",
        right: "",
        fix: "*Suggested*: removes the default.",
        source: "Check 99 of this project's list of server checks.",
    },
    Rule {
        code: "defaults/embedded",
        severity: Severity::Error,
        since: None,
        title: "A default holds a resource without `apiVersion` or `kind`.",
        checks: r#"Where the schema says that a value is a resource of its own, the default has what every resource has.

    <path>.default.kind: Required value: must not be empty"#,
        why: "Every object would be refused for what its author has not written.",
        wrong: "",
        right: "",
        fix: "None: complete the default.",
        source: "Check 100 of this project's list of server checks.",
    },
    Rule {
        code: "defaults/schema",
        severity: Severity::Error,
        since: None,
        title: "A default does not fit its own schema.",
        checks: r#"The default is validated by the schema of its node, without the defaults of fields within.

    <path>.default: Invalid value: "string": <path>.default in body must be of type integer: "string""#,
        why: "Every object that leaves the field out would be refused.",
        wrong: r#"type: object
properties:
  size:
    type: integer
    default: small"#,
        right: r#"type: object
properties:
  size:
    type: integer
    default: 1"#,
        fix: "*Safe*: puts a scalar in quotes, or takes them off, where the schema wants that. *Suggested*: a value of the enum, the fields that are missing, or no default.",
        source: "Check 101 of this project's list of server checks.",
    },
    Rule {
        code: "defaults/cel",
        severity: Severity::Error,
        since: None,
        title: "A default breaks a rule of its schema.",
        checks: r#"The rules of `x-kubernetes-validations` at the node and below are evaluated on the default: first as an update
that leaves it as it is, then, from Kubernetes 1.30 on, as a value that is new. All defaults of a schema share a budget of
10,000,000 units.

    <path>.default: Invalid value: 0: must be positive
    <path>.default: Invalid value: "integer": rule compile error: compilation failed: …"#,
        why: "Every object that leaves the field out would be refused.",
        wrong: r#"type: object
properties:
  size:
    type: integer
    default: 0
    x-kubernetes-validations:
    - rule: self > 0
      message: must be positive"#,
        right: r#"type: object
properties:
  size:
    type: integer
    default: 1
    x-kubernetes-validations:
    - rule: self > 0
      message: must be positive"#,
        fix: "None: correct the default or the rule.",
        source: "Check 102 of this project's list of server checks.",
    },
    Rule {
        code: "defaults/forbidden",
        severity: Severity::Error,
        since: None,
        title: "A default is not allowed here.",
        checks: r#"A default for `apiVersion`, `kind` or `metadata` as a whole, at the root or in an embedded resource.

    <path>.default: Forbidden: must not be set in top-level metadata"#,
        why: "What these fields hold is the server's business, or the author's.",
        wrong: r#"type: object
properties:
  kind:
    type: string
    default: Widget"#,
        right: r#"type: object
properties:
  kind:
    type: string"#,
        fix: "*Safe*: removes the default.",
        source: "Check 107 of this project's list of server checks.",
    },
];
