//! Decoding of a definition's fields.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "decode/type",
        severity: Severity::Error,
        since: None,
        title: "A field has a value of the wrong type.",
        checks: r#"Each field holds what its Go type can hold: a text, a number, `true` or `false`, a list or a mapping. Below `metadata` the server has other words for it.

    json: cannot unmarshal string into Go struct field CustomResourceDefinitionNames.spec.names.shortNames of type []string"#,
        why: "The object cannot be read, so that nothing else is checked.",
        wrong: r#"spec:
  names: {plural: widgets, kind: Widget, shortNames: wg}"#,
        right: r#"spec:
  names: {plural: widgets, kind: Widget, shortNames: [wg]}"#,
        fix: "*Safe*: puts a text in quotes that reads as something else, takes the quotes off a number or boolean, makes a list of a single value; says in the way of definitions a list of types (`nullable`, `x-kubernetes-int-or-string`), `required: true` of a property, and a number in `exclusiveMinimum` or `exclusiveMaximum`. Otherwise write a value of the right type.",
        source: "Step D2 of this project's list of server checks.",
    },
    Rule {
        code: "decode/unknown-field",
        severity: Severity::Error,
        since: None,
        title: "This field does not exist.",
        checks: r#"The names of fields of definitions, of their schemas and of `metadata`; capitals count. Within a schema below `items` or `additionalProperties` the server itself does not look.

    strict decoding error: unknown field "spec.versions[0].schema.openAPIV3Schema.requierd""#,
        why: "With strict field validation, which is kubectl's default, the object is refused; otherwise the field is dropped and does nothing.",
        wrong: r#"type: object
requierd: [spec]
properties:
  spec: {type: string}"#,
        right: r#"type: object
required: [spec]
properties:
  spec: {type: string}"#,
        fix: "*Safe*: renames a field that is off by its case or one letter (*suggested*, where more is wrong); moves what v1beta1 has elsewhere; writes `const` as `enum`, `if` and `then` as `anyOf` with `not`, `dependentRequired` as a rule, `$comment` as a comment. *Suggested*: keeps the first of `examples`, moves a property that stands beside `properties` into it, removes the field. If a newer version of Kubernetes has it, choose that (`kubernetesVersion`).",
        source: "Step D1 of this project's list of server checks.",
    },
    Rule {
        code: "decode/dropped-field",
        severity: Severity::Warning,
        since: None,
        title: "This field has no effect on the chosen version of Kubernetes.",
        checks: "Fields behind a feature gate that is off by default in the chosen version (`kubernetesVersion`): `selectableFields` in 1.30, `optionalOldSelf` in 1.29.",
        why: "kube-apiserver accepts the definition and drops the field without a word, unless somebody turned the gate on.",
        wrong: "",
        right: "",
        fix: "*Suggested*: removes the field. Otherwise choose a newer version, or turn on the feature gate.",
        source: "The feature gates CustomResourceFieldSelectors and CRDValidationRatcheting of kube-apiserver.",
    },
];
