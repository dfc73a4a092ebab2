//! What conventions ask of definitions; off unless the settings name it.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "lint/description",
        severity: Severity::Hint,
        since: None,
        title: "A field has no description.",
        checks: "Each property but those within `metadata`.",
        why: "`kubectl explain`, editors and generated references show it.",
        wrong: r#"type: object
properties:
  size: {type: integer}"#,
        right: r#"type: object
properties:
  size: {type: integer, description: How many there are.}"#,
        fix: "None: write what the field is for.",
        source: "The conventions of the Kubernetes API.",
    },
    Rule {
        code: "lint/list-map",
        severity: Severity::Hint,
        since: None,
        title: "A list of keys with one value each could be a map.",
        checks: "Lists with `x-kubernetes-list-type: map` and one key, whose items have one other field.",
        why: "A map is shorter to write, and a rule finds a value by its key. The conventions of Kubernetes itself prefer lists where items may gain fields.",
        wrong: r#"type: object
properties:
  labels:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties:
        name: {type: string}
        value: {type: string}"#,
        right: r#"type: object
properties:
  labels:
    type: object
    additionalProperties: {type: string}"#,
        fix: "None: it changes the API.",
        source: "The conventions of the Kubernetes API.",
    },
    Rule {
        code: "lint/list-type",
        severity: Severity::Hint,
        since: None,
        title: "A list of objects has no `x-kubernetes-list-type`.",
        checks: "Lists whose items are of type `object`.",
        why: "Server-side apply then replaces the list as a whole: two appliers undo each other's items.",
        wrong: r#"type: object
properties:
  ports:
    type: array
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
        fix: "*Suggested*: writes `map` with a key by which the items differ, or `atomic` where one client owns all of them. Objects that are stored must fit.",
        source: "The documentation on server-side apply.",
    },
    Rule {
        code: "lint/number",
        severity: Severity::Hint,
        since: None,
        title: "A number may change on its way through a client.",
        checks: "`type: number`; bounds of integers beyond ±9007199254740991.",
        why: "Languages print and compare such numbers differently, so that a value may change on its way through a client. Those that keep all numbers as doubles, such as JavaScript, round large whole ones. Unsigned formats are told by `warn/unrecognized-format`.",
        wrong: r#"type: object
properties:
  ratio: {type: number}"#,
        right: r#"type: object
properties:
  ratioPercent: {type: integer}"#,
        fix: "None: it changes the API.",
        source: "The conventions of the Kubernetes API.",
    },
    Rule {
        code: "lint/unbounded-in-rule",
        severity: Severity::Hint,
        since: None,
        title: "The cost of a rule rests on a list, map or text without a bound.",
        checks: "What `crd-ls cost` names as the reason of a rule's cost, also where the rule is within the limits.",
        why: "Without `maxItems`, `maxProperties` or `maxLength` the server counts with the largest value that a request can hold; a little more in the rule may then be too much.",
        wrong: r#"type: object
properties:
  names:
    type: array
    items: {type: string, maxLength: 63}
    x-kubernetes-validations:
    - rule: self.all(name, name != '')"#,
        right: r#"type: object
properties:
  names:
    type: array
    maxItems: 16
    items: {type: string, maxLength: 63}
    x-kubernetes-validations:
    - rule: self.all(name, name != '')"#,
        fix: "None: write a bound.",
        source: "The cost estimate of kube-apiserver for rules in CEL.",
    },
];
