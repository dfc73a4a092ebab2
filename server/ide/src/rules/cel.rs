//! Rules in CEL, as far as they can be judged without CEL.

use crate::rules::Rule;
use crate::{KubernetesVersion, Severity};

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "cel/rule-required",
        severity: Severity::Error,
        since: None,
        title: "A validation needs a `rule`.",
        checks: r#"The rule is missing, or nothing but white space.

    <path>.x-kubernetes-validations[0].rule: Required value: rule is not specified"#,
        why: "There is nothing to check without it.",
        wrong: r#"type: object
x-kubernetes-validations:
- rule: " ""#,
        right: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0""#,
        fix: "Quotes a rule that YAML reads as something else; else none: write the rule, or remove the entry.",
        source: "Check 129 of this project's list of server checks.",
    },
    Rule {
        code: "cel/message-blank",
        severity: Severity::Error,
        since: None,
        title: "`message` says nothing.",
        checks: r#"The message is there and nothing but white space.

    <path>.x-kubernetes-validations[0].message: Invalid value: "": must be non-empty if specified"#,
        why: "Without a message the server shows the rule; an empty one would hide even that.",
        wrong: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0"
  message: " ""#,
        right: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0"
  message: size must be positive"#,
        fix: "None yet: write what is wrong when the rule fails, or remove the line.",
        source: "Check 130 of this project's list of server checks.",
    },
    Rule {
        code: "cel/message-newline",
        severity: Severity::Error,
        since: None,
        title: "`message` must be one line.",
        checks: r#"The message, but for white space around it, has a line break.

    <path>.x-kubernetes-validations[0].message: Invalid value: "...": must not contain line breaks"#,
        why: "It becomes part of a line in the answer.",
        wrong: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0"
  message: |
    size
    must be positive"#,
        right: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0"
  message: size must be positive"#,
        fix: "None yet: write it on one line, or with `>-`.",
        source: "Check 131 of this project's list of server checks.",
    },
    Rule {
        code: "cel/message-required",
        severity: Severity::Error,
        since: None,
        title: "A rule of several lines needs a `message`.",
        checks: r#"The rule, but for white space around it, has a line break, and there is no `message`; `messageExpression` does not help.

    <path>.x-kubernetes-validations[0].message: Required value: message must be specified if rule contains line breaks"#,
        why: "Without a message the server shows the rule, which must then be one line.",
        wrong: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: |
    !has(self.size) ||
    self.size > 0"#,
        right: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: |
    !has(self.size) ||
    self.size > 0
  message: size must be positive"#,
        fix: "None yet: add a message, or write the rule with `>-`.",
        source: "Check 132 of this project's list of server checks.",
    },
    Rule {
        code: "cel/message-expression-blank",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 27 }),
        title: "`messageExpression` says nothing.",
        checks: r#"The expression is there and nothing but white space.

    <path>.x-kubernetes-validations[0].messageExpression: Required value: messageExpression must be non-empty if specified"#,
        why: "It would make no message.",
        wrong: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0"
  messageExpression: " ""#,
        right: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0"
  messageExpression: "'size is %d'.format([self.size])""#,
        fix: "None yet: write the expression, or remove the line.",
        source: "Check 133 of this project's list of server checks.",
    },
    Rule {
        code: "cel/reason-unsupported",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 28 }),
        title: "`reason` is none of the four that there are.",
        checks: r#"The text is `FieldValueDuplicate`, `FieldValueForbidden`, `FieldValueInvalid` or `FieldValueRequired`.

    <path>.x-kubernetes-validations[0].reason: Unsupported value: "Invalid": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired""#,
        why: "Clients act on the reason.",
        wrong: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0"
  reason: Invalid"#,
        right: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0"
  reason: FieldValueInvalid"#,
        fix: "None yet: write one of the four.",
        source: "Check 134 of this project's list of server checks.",
    },
    Rule {
        code: "cel/field-path-blank",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 28 }),
        title: "`fieldPath` says nothing.",
        checks: r#"The path is there and nothing but white space. The server says beside it that it is no valid path.

    <path>.x-kubernetes-validations[0].fieldPath: Invalid value: "": must be non-empty if specified"#,
        why: "The path tells clients which field a failed rule speaks of.",
        wrong: "",
        right: "",
        fix: "None: write the path, or remove the line.",
        source: "Check 135 of this project's list of server checks.",
    },
    Rule {
        code: "cel/field-path-newline",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 28 }),
        title: "`fieldPath` must be one line.",
        checks: r#"The path has a line break. The server mostly says beside it that it is no valid path.

    <path>.x-kubernetes-validations[0].fieldPath: Invalid value: "...": must not contain line breaks"#,
        why: "It becomes part of a line in the answer.",
        wrong: "",
        right: "",
        fix: "None: write it on one line.",
        source: "Check 136 of this project's list of server checks.",
    },
    Rule {
        code: "cel/field-path-invalid",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 28 }),
        title: "`fieldPath` leads nowhere.",
        checks: r#"The path is made of `.name` and `['name']`, begins at the node of the rule and leads to a field of the schema. It cannot lead through lists.

    <path>.x-kubernetes-validations[0].fieldPath: Invalid value: ".sise": must be a valid path"#,
        why: "The path tells clients which field a failed rule speaks of.",
        wrong: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0"
  fieldPath: .sise"#,
        right: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0"
  fieldPath: .size"#,
        fix: "None: correct the path.",
        source: "Check 137 of this project's list of server checks.",
    },
];
