//! Custom resources, by the definitions of the workspace: what stands in them.

use crate::Severity;
use crate::rules::Rule;

/// A definition whose field `size` has the schema `$schema`, and a resource that begins with the usual lines.
macro_rules! example {
    ($schema:literal, $resource:literal) => {
        concat!(
            "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: ",
            $schema,
            "
---
apiVersion: example.com/v1
kind: Widget
",
            $resource
        )
    };
}

const SOURCE: &str = "The API server's create handler for custom resources; docs/architecture.md says which definition judges a resource.";

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "resource/unknown-field",
        severity: Severity::Error,
        since: None,
        title: "The schema of the resource does not have this field.",
        checks: r#"All fields of the resource, by `properties`, `additionalProperties` and `x-kubernetes-preserve-unknown-fields` of its
version, and those of `metadata`. The setting `fieldValidation` says what the request asks for: with `Strict` it is an error,
with `Warn` a warning, with `Ignore` a hint.

    unknown field "spec.sizes""#,
        why: "With strict field validation, which is kubectl's default, the object is refused; otherwise the field is pruned and does nothing.",
        wrong: example!("{type: integer}", "metadata: {name: one}\nspec: {sizes: 1}"),
        right: example!("{type: integer}", "metadata: {name: one}\nspec: {size: 1}"),
        fix: "*Suggested*: writes the name that is most like it, or removes the field.",
        source: SOURCE,
    },
    Rule {
        code: "resource/decode",
        severity: Severity::Error,
        since: None,
        title: "The resource cannot be read.",
        checks: r#"`metadata`, of the resource and of resources embedded in it, whose fields have types of their own. Each value that should
be a text has a finding; the server stops at the first.

    json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string"#,
        why: "The object is refused before anything else is looked at.",
        wrong: example!("{type: integer}", "metadata: {name: one, labels: {a: 1}}\nspec: {size: 1}"),
        right: example!("{type: integer}", "metadata: {name: one, labels: {a: \"1\"}}\nspec: {size: 1}"),
        fix: "*Suggested*: puts the value in quotes. Values of labels and annotations need them where they look like numbers or booleans.",
        source: SOURCE,
    },
    Rule {
        code: "resource/type",
        severity: Severity::Error,
        since: None,
        title: "A value has another type than the schema says.",
        checks: r#"`type`, `nullable` and `x-kubernetes-int-or-string` of the value's schema.

    spec.size: Invalid value: "string": spec.size in body must be of type integer: "string""#,
        why: "The server refuses the object.",
        wrong: example!("{type: integer}", "metadata: {name: one}\nspec: {size: \"1\"}"),
        right: example!("{type: integer}", "metadata: {name: one}\nspec: {size: 1}"),
        fix: "*Suggested*: puts the value in quotes or takes it out of them, or makes a list of it. Otherwise write a value of the type.",
        source: SOURCE,
    },
    Rule {
        code: "resource/required",
        severity: Severity::Error,
        since: None,
        title: "A field is missing that the schema requires.",
        checks: r#"`required`, after defaults have been filled in. The finding stands at the key of what lacks the field. Patches for kustomize,
which are told by their name or by `$patch`, may lack anything.

    spec.size: Required value"#,
        why: "The server refuses the object.",
        wrong: example!(
            "{type: object, required: [height], properties: {height: {type: integer}}}",
            "metadata: {name: one}\nspec: {size: {}}"
        ),
        right: example!(
            "{type: object, required: [height], properties: {height: {type: integer}}}",
            "metadata: {name: one}\nspec: {size: {height: 1}}"
        ),
        fix: "*Suggested*: adds the field with a value of its type.",
        source: SOURCE,
    },
    Rule {
        code: "resource/enum",
        severity: Severity::Error,
        since: None,
        title: "A value is none of those that the schema allows.",
        checks: r#"`enum` of the value's schema.

    spec.size: Unsupported value: "huge": supported values: "small", "large""#,
        why: "The server refuses the object.",
        wrong: example!("{type: string, enum: [small, large]}", "metadata: {name: one}\nspec: {size: huge}"),
        right: example!("{type: string, enum: [small, large]}", "metadata: {name: one}\nspec: {size: large}"),
        fix: "*Suggested*: writes the allowed value that is most like it, or offers those there are.",
        source: SOURCE,
    },
    Rule {
        code: "resource/pattern",
        severity: Severity::Error,
        since: None,
        title: "A text does not match the pattern of its schema.",
        checks: r#"`pattern`, a regular expression of Go, which need not match the text as a whole.

    spec.size: Invalid value: "1x": spec.size in body should match '^[0-9]+$'"#,
        why: "The server refuses the object.",
        wrong: example!("{type: string, pattern: '^[0-9]+$'}", "metadata: {name: one}\nspec: {size: 1x}"),
        right: example!("{type: string, pattern: '^[0-9]+$'}", "metadata: {name: one}\nspec: {size: \"1\"}"),
        fix: "None: write a text that matches.",
        source: SOURCE,
    },
    Rule {
        code: "resource/format",
        severity: Severity::Error,
        since: None,
        title: "A text does not have the format that its schema names.",
        checks: r#"`format`, as far as the server knows it in the chosen release: `date`, `date-time`, `duration`, `email`, `ipv4`, `uuid` and
others.

    spec.size: Invalid value: "soon": spec.size in body must be of type date: "soon""#,
        why: "The server refuses the object.",
        wrong: example!("{type: string, format: date}", "metadata: {name: one}\nspec: {size: soon}"),
        right: example!(
            "{type: string, format: date}",
            "metadata: {name: one}\nspec: {size: \"2026-01-31\"}"
        ),
        fix: "None: write a text of the format.",
        source: SOURCE,
    },
    Rule {
        code: "resource/bounds",
        severity: Severity::Error,
        since: None,
        title: "A number, a length or a count is out of the bounds of its schema.",
        checks: r#"`minimum`, `maximum` and whether they are exclusive, `multipleOf`, `minLength`, `maxLength`, `minItems`, `maxItems`,
`minProperties`, `maxProperties`.

    spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1"#,
        why: "The server refuses the object.",
        wrong: example!("{type: integer, minimum: 1}", "metadata: {name: one}\nspec: {size: 0}"),
        right: example!("{type: integer, minimum: 1}", "metadata: {name: one}\nspec: {size: 1}"),
        fix: "None: write a value within the bounds.",
        source: SOURCE,
    },
    Rule {
        code: "resource/junctor",
        severity: Severity::Error,
        since: None,
        title: "A value does not fit the branches of its schema as it should.",
        checks: r#"`allOf`, `anyOf`, `oneOf` and `not`. What is wrong with the value in the branch that it fits best is reported beside it.

    <nil>: Invalid value: "": "spec.size" must not validate the schema (not)"#,
        why: "The server refuses the object.",
        wrong: example!("{type: integer, not: {maximum: 0}}", "metadata: {name: one}\nspec: {size: 0}"),
        right: example!("{type: integer, not: {maximum: 0}}", "metadata: {name: one}\nspec: {size: 1}"),
        fix: "None: write a value that fits.",
        source: SOURCE,
    },
    Rule {
        code: "resource/list-type",
        severity: Severity::Error,
        since: None,
        title: "A list has the same item twice, or the same keys.",
        checks: r#"Lists with `x-kubernetes-list-type: set`, whose items are compared as a whole, and those with `map`, of which the fields in
`x-kubernetes-list-map-keys` are compared.

    spec.size[1]: Duplicate value: "a""#,
        why: "The server refuses the object.",
        wrong: example!(
            "{type: array, items: {type: string}, x-kubernetes-list-type: set}",
            "metadata: {name: one}\nspec: {size: [a, a]}"
        ),
        right: example!(
            "{type: array, items: {type: string}, x-kubernetes-list-type: set}",
            "metadata: {name: one}\nspec: {size: [a, b]}"
        ),
        fix: "*Suggested*: removes the item that stands in the list before.",
        source: SOURCE,
    },
    Rule {
        code: "resource/metadata",
        severity: Severity::Error,
        since: None,
        title: "The metadata of the resource is not valid.",
        checks: r#"Names, labels, annotations, owners and finalizers, of the resource and of resources embedded in it. That a finalizer should have
a domain is a warning.

    metadata.name: Invalid value: "One": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"#,
        why: "The server refuses the object.",
        wrong: example!("{type: integer}", "metadata: {name: One}\nspec: {size: 1}"),
        right: example!("{type: integer}", "metadata: {name: one}\nspec: {size: 1}"),
        fix: "None: the message says what is allowed.",
        source: SOURCE,
    },
    Rule {
        code: "resource/broken-rule",
        severity: Severity::Hint,
        since: None,
        title: "A rule in CEL of the definition does not compile.",
        checks: r#"Whether all of `x-kubernetes-validations` in the schema of the version compile. The definition has the finding itself, at the
expression; a resource is told once that a rule was not evaluated.

    spec: Invalid value: "object": rule compile error: compilation failed: ERROR: <input>:1:8: Syntax error"#,
        why: "With a definition that were stored so, the server would refuse each resource. It does not store such a definition.",
        wrong: "",
        right: "",
        fix: "None: repair the rule in the definition.",
        source: SOURCE,
    },
    Rule {
        code: "resource/rule",
        severity: Severity::Error,
        since: None,
        title: "A rule in CEL is not met.",
        checks: r#"`x-kubernetes-validations` of the schema, where the server gets to them: after an error of type, of a missing field, of an enum
or of a length it leaves them out.

    spec.size: Invalid value: 0: must be positive"#,
        why: "The server refuses the object.",
        wrong: "",
        right: "",
        fix: "None: the rule's message says what is wanted.",
        source: SOURCE,
    },
    Rule {
        code: "resource/not-compared",
        severity: Severity::Information,
        since: None,
        title: "A stored resource cannot be compared.",
        checks: r#"Whether the resource of the same name in what `--old` or `--base` names can be read in the version of this one. It cannot
where it cannot be decoded, and where it is of another version and a webhook converts between the two.

The server does not say this."#,
        why: "The resource is judged as if it were new: transition rules are not evaluated, and values that stay as they are are not
forgiven.",
        wrong: "",
        right: "",
        fix: "None: repair the stored object, or write it in the version of this one.",
        source: SOURCE,
    },
    Rule {
        code: "resource/rules-not-checked",
        severity: Severity::Information,
        since: None,
        title: "Rules in CEL are left out because of other errors.",
        checks: r#"Whether the schema has `x-kubernetes-validations` while the resource has errors of type, of missing fields, of enums or of
lengths.

    <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation

`crd-ls check` leaves it out, but for `--output json`, unless the settings give the rule a level of its own."#,
        why: "Once the other errors are repaired there may be more.",
        wrong: "",
        right: "",
        fix: "None: repair the other errors.",
        source: SOURCE,
    },
    Rule {
        code: "resource/value",
        severity: Severity::Error,
        since: None,
        title: "The server refuses a value for another reason.",
        checks: r#"All that has no code of its own, such as the fields of the scale endpoint (`specReplicasPath`) and properties that
`additionalProperties: false` forbids."#,
        why: "The server refuses the object.",
        wrong: "",
        right: "",
        fix: "None: the message says what is wrong.",
        source: SOURCE,
    },
];
