//! What we say beyond the server of schemas.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "lint/additional-properties-false",
        severity: Severity::Warning,
        since: None,
        title: "`additionalProperties: false` without `properties` admits no field.",
        checks: "Objects with `additionalProperties: false` that declare no `properties`. At the root, in embedded resources and beside `properties` the server itself refuses the keyword.",
        why: "kube-apiserver drops undeclared fields only of objects that it knows the fields of. Of such an object it refuses each field: `spec.options.a in body is a forbidden property`.",
        wrong: r#"type: object
properties:
  options:
    type: object
    additionalProperties: false"#,
        right: r#"type: object
properties:
  options:
    type: object
    properties:
      verbose: {type: boolean}"#,
        fix: "*Suggested*: removes it, after which all fields are dropped, writes `properties`, to be filled in, or keeps all fields.",
        source: "The validation library of kube-apiserver, `k8s.io/kube-openapi/pkg/validation/validate`, and pruning in apiextensions-apiserver.",
    },
    Rule {
        code: "lint/bounds",
        severity: Severity::Warning,
        since: None,
        title: "No value keeps these bounds.",
        checks: "A lower bound above the upper one (`minimum` and `maximum`, `minLength` and `maxLength`, `minItems` and `maxItems`, `minProperties` and `maxProperties`), equal bounds that exclude themselves, upper bounds of sizes below 0, `multipleOf` that is not positive; also `multipleOf` below 1, which no whole number passes, and bounds of integers that are no whole numbers, with which 1.36 and newer refuse every integer.",
        why: "kube-apiserver accepts the definition and then refuses every object that has the field.",
        wrong: r#"type: object
properties:
  name:
    type: string
    minLength: 10
    maxLength: 5"#,
        right: r#"type: object
properties:
  name:
    type: string
    minLength: 5
    maxLength: 10"#,
        fix: "None: correct one of them.",
        source: "The validation library of kube-apiserver, `k8s.io/kube-openapi/pkg/validation/validate`.",
    },
    Rule {
        code: "lint/enum-type",
        severity: Severity::Warning,
        since: None,
        title: "A value of an `enum` is not of the type.",
        checks: "Each value of `enum` against the `type` beside it. null never passes an enum, not even with `nullable: true`. Plain values in the enum of a string are told by `yaml/string-reading`.",
        why: "No value of the field equals it; where all are so, the field can have no value.",
        wrong: r#"type: object
properties:
  size:
    type: integer
    enum: ["1", "2"]"#,
        right: r#"type: object
properties:
  size:
    type: integer
    enum: [1, 2]"#,
        fix: "None: write the value in the type, or change the type.",
        source: "The validation library of kube-apiserver, `k8s.io/kube-openapi/pkg/validation/validate`.",
    },
    Rule {
        code: "lint/integer-range",
        severity: Severity::Warning,
        since: None,
        title: "A bound of an integer is beyond what can hold it.",
        checks: "`minimum` and `maximum` of type `integer`: with `format: int32` beyond 32 bits, else beyond 64 bits, both with a sign. Numbers beyond ±9007199254740991 are told by `lint/number`, and formats that the server does not know, such as `uint64`, by `warn/unrecognized-format`.",
        why: "The bound promises values that do not get through: kube-apiserver 1.36 and newer enforce `int32`, clients in Go fail to read such objects, and beyond 64 bits nothing keeps all digits. Fields without a sign are often generated so.",
        wrong: r#"type: object
properties:
  weight:
    type: integer
    format: int32
    minimum: 0
    maximum: 4294967295"#,
        right: r#"type: object
properties:
  weight:
    type: integer
    format: int64
    minimum: 0
    maximum: 4294967295"#,
        fix: "None: correct the format or the bound.",
        source: "The conventions of the Kubernetes API, and the validation of formats in kube-apiserver.",
    },
    Rule {
        code: "lint/keyword-type",
        severity: Severity::Warning,
        since: None,
        title: "A keyword has no effect on values of this type.",
        checks: "`pattern`, `minLength` and `maxLength` are for strings, `minimum`, `maximum` and `multipleOf` for numbers, `minItems` and `maxItems` for lists, `minProperties` and `maxProperties` for objects.",
        why: "The server does not look at it; what it should keep out comes in.",
        wrong: r#"type: object
properties:
  names:
    type: array
    pattern: ^[a-z]+$
    items: {type: string}"#,
        right: r#"type: object
properties:
  names:
    type: array
    items:
      type: string
      pattern: ^[a-z]+$"#,
        fix: "*Suggested*: moves it to `items`, or removes it.",
        source: "The validation library of kube-apiserver, `k8s.io/kube-openapi/pkg/validation/validate`.",
    },
    Rule {
        code: "lint/required-undefined",
        severity: Severity::Warning,
        since: None,
        title: "`required` names a property that is not declared.",
        checks: "Each name in `required`, also in the branches of `allOf`, `anyOf` and `oneOf`, against `properties` beside it. Where fields that are not declared are kept (`additionalProperties`, `x-kubernetes-preserve-unknown-fields`, `preserveUnknownFields`) nothing is said.",
        why: "The server drops fields that are not declared before it looks at `required`, so that no object is ever accepted.",
        wrong: r#"type: object
required: [nmae]
properties:
  name: {type: string}"#,
        right: r#"type: object
required: [name]
properties:
  name: {type: string}"#,
        fix: "*Suggested*: corrects the name, removes it from `required`, or declares the property.",
        source: "Pruning in apiextensions-apiserver; the documentation on structural schemas.",
    },
];
