//! Rules in CEL that the server compiles and prices.

use crate::rules::Rule;
use crate::{KubernetesVersion, Severity};

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "cel/crd-cost-contributor",
        severity: Severity::Error,
        since: None,
        title: "The rule is one of those whose costs together exceed the limit of the schema.",
        checks: r#"The estimated costs of all rules of a schema come to more than 100,000,000. kube-apiserver names at most four of the most expensive rules that cost 1,000,000 or more.

    <path>.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"#,
        why: "Bounding what these rules look at is the shortest way below the limit.",
        wrong: r#"type: object
properties:
  names:
    type: array
    items: {type: string}
    x-kubernetes-validations:
    - rule: self.all(x, self.exists_one(y, x == y))"#,
        right: r#"type: object
properties:
  names:
    type: array
    maxItems: 10
    items: {type: string, maxLength: 63}
    x-kubernetes-validations:
    - rule: self.all(x, self.exists_one(y, x == y))"#,
        fix: "*Suggested*: the fix of `cel/crd-cost-total`, which sets bounds for all rules together. `crd-ls cost` lists the costs of all rules.",
        source: "Check 145 of this project's list of server checks.",
    },
    Rule {
        code: "cel/crd-cost-total",
        severity: Severity::Error,
        since: None,
        title: "The combined estimated cost of the schema's rules exceeds the limit.",
        checks: r#"The estimated costs of all rules and message expressions of a schema come to more than 100,000,000.

    <path>: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"#,
        why: "Rules run with every write; the estimate takes the largest value that the schema allows.",
        wrong: r#"type: object
properties:
  names:
    type: array
    items: {type: string}
    x-kubernetes-validations:
    - rule: self.all(x, self.exists_one(y, x == y))"#,
        right: r#"type: object
properties:
  names:
    type: array
    maxItems: 10
    items: {type: string, maxLength: 63}
    x-kubernetes-validations:
    - rule: self.all(x, self.exists_one(y, x == y))"#,
        fix: "*Suggested*: sets `maxItems`, `maxProperties` and `maxLength` for all rules together, as large as the limits allow, and writes expressions in cheaper words where no bound helps; the title says what the cost becomes.",
        source: "Check 146 of this project's list of server checks.",
    },
    Rule {
        code: "cel/message-expression-compile",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 27 }),
        title: "`messageExpression` does not compile.",
        checks: r#"The expression is parsed and typed as a rule is, and must evaluate to a string. The server looks at it only where the rule compiles.

    <path>.x-kubernetes-validations[0].messageExpression: Invalid value: {...}: messageExpression must evaluate to a string"#,
        why: "The server refuses the definition.",
        wrong: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0"
  messageExpression: self.size"#,
        right: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0"
  messageExpression: "'size is %d'.format([self.size])""#,
        fix: "Replaces a name that nothing has by the one that was meant, where one is alike; quotes what YAML reads otherwise.",
        source: "Check 141 of this project's list of server checks.",
    },
    Rule {
        code: "cel/message-expression-cost",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 27 }),
        title: "The estimated cost of `messageExpression` exceeds the limit.",
        checks: r#"The estimated cost of one evaluation is more than 10,000,000.

    <path>.x-kubernetes-validations[0].messageExpression: Forbidden: estimated messageExpression cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"#,
        why: "The estimate takes the largest value that the schema allows. What `string()` and some other functions give has no bound, and joining that with `+` costs accordingly.",
        wrong: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0"
  messageExpression: "'size is ' + string(self.size)""#,
        right: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0"
  messageExpression: "'size is %d'.format([self.size])""#,
        fix: "*Suggested*: builds the text with `format`, or bounds what the message shows; else writes a `message` that shows the rule in its place.",
        source: "Check 142 of this project's list of server checks.",
    },
    Rule {
        code: "cel/old-self-uncorrelatable",
        severity: Severity::Error,
        since: None,
        title: "`oldSelf` is used where no old value can be found.",
        checks: r#"The rule refers to `oldSelf` below the items of a list that is no `map`, or below an object of an unknown map type.

    <path>.x-kubernetes-validations[0].rule: Invalid value: "self >= oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within <path of the list>"#,
        why: "Items of such lists have no names, so that nothing tells which old item became which new one.",
        wrong: r#"type: object
properties:
  sizes:
    type: array
    maxItems: 10
    items:
      type: integer
      x-kubernetes-validations:
      - rule: self >= oldSelf"#,
        right: r#"type: object
properties:
  sizes:
    type: array
    maxItems: 10
    items: {type: integer}
    x-kubernetes-validations:
    - rule: self.size() >= oldSelf.size()"#,
        fix: "*Suggested*: makes the list a map by a field of its items. Otherwise move the rule to the list.",
        source: "Check 143 of this project's list of server checks.",
    },
    Rule {
        code: "cel/optional-old-self-unused",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 30 }),
        title: "`optionalOldSelf` is set on a rule without `oldSelf`.",
        checks: r#"`optionalOldSelf` is there, be it `true` or `false`, and the rule does not refer to `oldSelf`. So it is where the rule does not compile.

    <path>.x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule"#,
        why: "It would change nothing.",
        wrong: r#"type: object
properties:
  size:
    type: integer
    x-kubernetes-validations:
    - rule: self > 0
      optionalOldSelf: true"#,
        right: r#"type: object
properties:
  size:
    type: integer
    x-kubernetes-validations:
    - rule: "!oldSelf.hasValue() || self >= oldSelf.value()"
      optionalOldSelf: true"#,
        fix: "*Safe*: removes `optionalOldSelf`.",
        source: "Check 144 of this project's list of server checks.",
    },
    Rule {
        code: "cel/rule-compile",
        severity: Severity::Error,
        since: None,
        title: "The rule does not compile.",
        checks: r#"The rule is no CEL, its types do not fit, it uses what the schema does not declare or what the Kubernetes release does not have, or it does not evaluate to a bool.

    <path>.x-kubernetes-validations[0].rule: Invalid value: {...}: compilation failed: ERROR: <input>:1:5: undefined field 'sise'"#,
        why: "The server refuses the definition.",
        wrong: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.sise) || self.sise > 0""#,
        right: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0""#,
        fix: "Replaces a name that nothing has by the one that was meant, where one is alike; quotes what YAML reads otherwise.",
        source: "Check 140 of this project's list of server checks.",
    },
    Rule {
        code: "cel/rule-cost",
        severity: Severity::Error,
        since: None,
        title: "The estimated cost of the rule exceeds the limit.",
        checks: r#"The estimated cost of one evaluation times the number of evaluations is more than 10,000,000. An unbounded list or map around the rule counts as often as fits into a request.

    <path>.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of 4.3x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"#,
        why: "Rules run with every write; the estimate takes the largest value that the schema allows.",
        wrong: r#"type: object
properties:
  names:
    type: array
    items:
      type: string
      maxLength: 100
      x-kubernetes-validations:
      - rule: self.contains('a')"#,
        right: r#"type: object
properties:
  names:
    type: array
    maxItems: 10
    items:
      type: string
      maxLength: 100
      x-kubernetes-validations:
      - rule: self.contains('a')"#,
        fix: "*Suggested*: sets `maxItems`, `maxProperties` and `maxLength` as large as the limit allows, and writes expressions in cheaper words where they say the same; the title says what the cost becomes.",
        source: "Check 139 of this project's list of server checks.",
    },
    Rule {
        code: "cel/type-info",
        severity: Severity::Error,
        since: None,
        title: "Rules stand where CEL knows no type.",
        checks: r#"The node has no type that CEL knows: it has none at all, or it is a list or map whose items or values have none.

    <path>.x-kubernetes-validations: Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations"#,
        why: "Without a type there is no `self`.",
        wrong: r#"type: object
properties:
  any:
    x-kubernetes-preserve-unknown-fields: true
    x-kubernetes-validations:
    - rule: "true""#,
        right: r#"type: object
properties:
  any:
    type: object
    x-kubernetes-preserve-unknown-fields: true
    x-kubernetes-validations:
    - rule: "true""#,
        fix: "None yet: give the node a type, or move the rule.",
        source: "Check 138 of this project's list of server checks.",
    },
];
