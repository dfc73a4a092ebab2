//! What we say beyond the server of rules in CEL.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "lint/cel-int-or-string",
        severity: Severity::Warning,
        since: None,
        title: "A rule fails on an integer or on a string that the schema admits.",
        checks: "Operators and functions that take one type, on a value with `x-kubernetes-int-or-string`, which is of either. The rules are evaluated on generated values; the message shows one on which the rule fails and that no other rule of the node refuses.",
        why: "On a value of the other type the rule is neither true nor false. The server refuses the object with `no such overload`, and not with the message of the rule.",
        wrong: r#"type: object
required: [port]
properties:
  port: {x-kubernetes-int-or-string: true}
x-kubernetes-validations:
- rule: self.port > 1024"#,
        right: r#"type: object
required: [port]
properties:
  port: {x-kubernetes-int-or-string: true}
x-kubernetes-validations:
- rule: type(self.port) == string || self.port > 1024"#,
        fix: "*Suggested*: asks for the type before the operand, so that the rule refuses the other type without an error, or lets it pass.",
        source: "The documentation on validation rules of CustomResourceDefinitions; `type` in the language definition of CEL.",
    },
    Rule {
        code: "lint/cel-never-fails",
        severity: Severity::Warning,
        since: None,
        title: "A rule is true of all values that the schema admits.",
        checks: "What follows from the schema alone: required fields and defaults, bounds of numbers and sizes, members of enumerations, and conditions within the rule. The rule is reported only where nothing else can come of it, never for want of an example.",
        why: "The rule refuses nothing. Either it repeats the schema, or it does not say what its author meant.",
        wrong: r#"type: object
required: [size]
properties:
  size: {type: integer, minimum: 1}
x-kubernetes-validations:
- rule: self.size >= 0"#,
        right: r#"type: object
required: [size]
properties:
  size: {type: integer, minimum: 1}
x-kubernetes-validations:
- rule: self.size % 2 == 1"#,
        fix: "None: correct or remove the rule.",
        source: "The language definition of CEL.",
    },
    Rule {
        code: "lint/cel-never-holds",
        severity: Severity::Warning,
        since: None,
        title: "A rule is true of no value that the schema admits.",
        checks: "What follows from the schema alone, as for `lint/cel-never-fails`. The rules `true` and `false` are left out: they are written on purpose.",
        why: "The server refuses every object that has the field.",
        wrong: r#"type: object
required: [size]
properties:
  size: {type: integer, maximum: 10}
x-kubernetes-validations:
- rule: self.size > 10"#,
        right: r#"type: object
required: [size]
properties:
  size: {type: integer, maximum: 10}
x-kubernetes-validations:
- rule: self.size > 1"#,
        fix: "None: correct the rule or the schema.",
        source: "The language definition of CEL.",
    },
    Rule {
        code: "lint/cel-optional-field",
        severity: Severity::Warning,
        since: None,
        title: "A rule reads a field that may be absent.",
        checks: "Fields that are neither required nor have a default, and literal keys of maps, where no condition around them says that they are there: `has(self.a) && …`, `!has(self.a) || …`, `?:`, macros, `self.?a`, `'a' in self.m`, the other rules of the same value. Fields that `anyOf`, `oneOf`, `allOf` or `not` name as required are left out. It is a hint where the rule would refuse the object with an empty value in place of the field too (`''`, 0, `false`, no items), as then the error changes no verdict.",
        why: "On an object without the field the rule is neither true nor false. The server refuses the object with `no such key: a`, and not with the message of the rule, even where the rule means to accept it.",
        wrong: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: self.size < 10"#,
        right: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size < 10""#,
        fix: "*Suggested*: puts the guard where the field is read, in the way that accepts the same objects as before, which is tried on generated objects; or requires the field, or gives it a default, which changes what is accepted.",
        source: "The documentation on validation rules of CustomResourceDefinitions; `has` in the language definition of CEL.",
    },
    Rule {
        code: "lint/cel-says-less",
        severity: Severity::Warning,
        since: None,
        title: "A transition rule accepts an update that its message rules out.",
        checks: "Rules with `oldSelf` about one value, whose message says without a condition that the value is immutable, or that nothing can be removed. Generated updates are tried; the message shows one that this rule and all others of the node accept.",
        why: "Users rely on the message. What it promises to refuse is accepted.",
        wrong: r#"type: object
properties:
  tags:
    type: array
    maxItems: 9
    items: {type: string, maxLength: 9}
    x-kubernetes-validations:
    - rule: self.all(x, x in oldSelf)
      message: the list is append-only"#,
        right: r#"type: object
properties:
  tags:
    type: array
    maxItems: 9
    items: {type: string, maxLength: 9}
    x-kubernetes-validations:
    - rule: oldSelf.all(x, x in self)
      message: the list is append-only"#,
        fix: "None: correct the rule or its message.",
        source: "The documentation on transition rules of CustomResourceDefinitions.",
    },
];
