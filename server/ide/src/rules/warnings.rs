//! Warnings that kube-apiserver itself gives.

use crate::rules::Rule;
use crate::{KubernetesVersion, Severity};

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "warn/unrecognized-format",
        severity: Severity::Warning,
        since: Some(KubernetesVersion { minor: 34 }),
        title: "kube-apiserver does not know this `format`.",
        checks: r#"The format of a string is none that the server checks; from 1.36 on also formats of other types.

    unrecognized format "phone"

`crd-ls check` reports each format once for a definition, with the number of places, but for `--output json`, unless the settings give the rule a level of its own."#,
        why: "The server ignores a format that it does not know, so that nothing is checked.",
        wrong: r#"type: object
properties:
  phone:
    type: string
    format: phone"#,
        right: r#"type: object
properties:
  phone:
    type: string
    pattern: ^[0-9]+$"#,
        fix: "*Suggested*: corrects the name, or removes it. Otherwise write a `pattern`.",
        source: "Warning W1 of this project's list of server checks.",
    },
    Rule {
        code: "warn/list-set-non-scalar",
        severity: Severity::Warning,
        since: Some(KubernetesVersion { minor: 37 }),
        title: "A set whose items are objects or lists is of little use.",
        checks: r#"A list with `x-kubernetes-list-type: set` has items of type `object` or `array`.

    x-kubernetes-list-type: set for items of type "object" is not supported by server-side apply or CEL validation rules"#,
        why: "Server-side apply replaces such a list as a whole, and rules in CEL compare it as a list.",
        wrong: r#"type: object
properties:
  ports:
    type: array
    x-kubernetes-list-type: set
    items:
      type: object
      x-kubernetes-map-type: atomic
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
        fix: "*Suggested*: makes it a map by a field of the items, or writes `atomic`.",
        source: "Warning W2 of this project's list of server checks.",
    },
];
