//! What we say beyond the server of versions, columns, subresources and the whole definition.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "lint/cel-optional-field",
        severity: Severity::Warning,
        since: None,
        title: "A rule reads a field that may be absent.",
        checks: "Fields that are neither required nor have a default, and literal keys of maps, where no condition around them says that they are there: `has(self.a) && …`, `!has(self.a) || …`, `?:`, macros, `self.?a`, `'a' in self.m`, the other rules of the same value. Fields that `anyOf`, `oneOf`, `allOf` or `not` name as required are left out.",
        why: "On an object without the field the rule is neither true nor false. The server refuses the object with `no such key: a`, and not with the message of the rule.",
        wrong: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: self.size > 0"#,
        right: r#"type: object
properties:
  size: {type: integer}
x-kubernetes-validations:
- rule: "!has(self.size) || self.size > 0""#,
        fix: "*Suggested*: lets the rule pass without the field, or makes it demand the field. Otherwise require the field, or give it a default.",
        source: "The documentation on validation rules of CustomResourceDefinitions; `has` in the language definition of CEL.",
    },
    Rule {
        code: "lint/column-json-path",
        severity: Severity::Warning,
        since: None,
        title: "The `jsonPath` of a printer column cannot be read.",
        checks: "Whether the path follows the grammar of `kubectl get -o jsonpath`; kube-apiserver itself looks only at its first character.",
        why: "The server falls back to its default columns, so that none of the version's columns is shown.",
        wrong: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: ".spec.sizes[0"}"#,
        right: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: ".spec.sizes[0]"}"#,
        fix: "None: correct the path.",
        source: "`k8s.io/client-go/util/jsonpath`, and the table convertor of apiextensions-apiserver.",
    },
    Rule {
        code: "lint/column-path",
        severity: Severity::Warning,
        since: None,
        title: "A printer column leads to a field that the schema does not declare.",
        checks: "Each field of the path, through `properties`, `additionalProperties` and `items`. `metadata` is always there; filters, wildcards and what `x-kubernetes-preserve-unknown-fields` keeps are not looked into.",
        why: "The server drops such a field from objects, so that the column is always empty.",
        wrong: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: .size}
    schema:
      openAPIV3Schema: {properties: {sizes: {type: integer}}}"#,
        right: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: .size}
    schema:
      openAPIV3Schema: {properties: {size: {type: integer}}}"#,
        fix: "*Suggested*: corrects steps that are misspelled. Otherwise declare the field.",
        source: "The table convertor of apiextensions-apiserver.",
    },
    Rule {
        code: "lint/conversion-data-loss",
        severity: Severity::Warning,
        since: None,
        title: "Objects lose a field between versions, as nothing converts them.",
        checks: "Under conversion `None`, each field that a served version declares and the storage version does not keep (a warning), and each field that the storage version declares and a served version does not keep (an information). `x-kubernetes-preserve-unknown-fields` and `additionalProperties` keep fields. A field that is lost with all below it has one finding, which names all versions that are concerned; ten fields of a definition have a finding of their own. Where `spec.conversion` is not written, a patch may set a webhook: three fields are told, as an information.",
        why: "The server changes `apiVersion` alone and drops what the schema of the other version does not specify. What the storage version does not keep is gone as soon as it is written. What a served version does not keep, its clients do not see, and it is gone once they write the object back, also with a patch.",
        wrong: r#"spec:
  conversion: {strategy: None}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {storageClassName: {type: string}}}
  - name: v1alpha1
    served: true
    storage: false
    schema:
      openAPIV3Schema: {type: object, properties: {className: {type: string}}}"#,
        right: r#"spec:
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: system, name: webhook}}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {storageClassName: {type: string}}}
  - name: v1alpha1
    served: true
    storage: false
    schema:
      openAPIV3Schema: {type: object, properties: {className: {type: string}}}"#,
        fix: "None: declare the field in both versions, keep unknown fields there, stop serving the version, or convert with a webhook.",
        source: "`schemaCoercingConverter` and `pruning.Prune` of apiextensions-apiserver; the documentation on versions of CustomResourceDefinitions.",
    },
    Rule {
        code: "lint/conversion-type",
        severity: Severity::Warning,
        since: None,
        title: "A field has another type in another version, and nothing converts it.",
        checks: "Under conversion `None`, the types of each field in the storage version and in the served versions, `x-kubernetes-int-or-string` included. Where `spec.conversion` is not written, it is an information, as a patch may set a webhook.",
        why: "The server changes `apiVersion` alone: what was written in one version is no valid value in the other, and an object that a client reads cannot be written back.",
        wrong: r#"spec:
  conversion: {strategy: None}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {size: {type: integer}}}
  - name: v1alpha1
    served: true
    storage: false
    schema:
      openAPIV3Schema: {type: object, properties: {size: {type: string}}}"#,
        right: r#"spec:
  conversion: {strategy: None}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {size: {type: integer}}}
  - name: v1alpha1
    served: true
    storage: false
    schema:
      openAPIV3Schema: {type: object, properties: {size: {type: integer}}}"#,
        fix: "None: use one type, or convert with a webhook.",
        source: "`schemaCoercingConverter` of apiextensions-apiserver.",
    },
    Rule {
        code: "lint/deprecation-warning",
        severity: Severity::Hint,
        since: None,
        title: "A deprecated version does not say what to use instead.",
        checks: "`deprecated: true` without `deprecationWarning`.",
        why: "Clients then get the server's own text, which names the version and no other.",
        wrong: r#"spec:
  versions:
  - deprecated: true"#,
        right: r#"spec:
  versions:
  - deprecated: true
    deprecationWarning: example.com/v1 Widget is deprecated; use example.com/v2 Widget"#,
        fix: "None: write the text.",
        source: "The documentation on versions of CustomResourceDefinitions.",
    },
    Rule {
        code: "lint/scale-path",
        severity: Severity::Warning,
        since: None,
        title: "A path of the scale subresource leads to nothing, or to a value of a wrong type.",
        checks: "`specReplicasPath` and `statusReplicasPath` lead to integers that the schema declares, `labelSelectorPath` to a string.",
        why: "The server drops fields that are not declared, and fails to read others: `kubectl scale` and autoscalers do not work.",
        wrong: r#"spec:
  versions:
  - schema:
      openAPIV3Schema:
        properties:
          spec: {type: object, properties: {size: {type: integer}}}
          status: {type: object, properties: {replicas: {type: integer}}}
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}"#,
        right: r#"spec:
  versions:
  - schema:
      openAPIV3Schema:
        properties:
          spec: {type: object, properties: {size: {type: integer}}}
          status: {type: object, properties: {replicas: {type: integer}}}
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.replicas}"#,
        fix: "*Suggested*: corrects steps that are misspelled. Otherwise declare the field.",
        source: "The documentation on subresources of CustomResourceDefinitions.",
    },
    Rule {
        code: "lint/size",
        severity: Severity::Warning,
        since: None,
        title: "The definition is too large for `kubectl apply`.",
        checks: "How long the JSON of the object is. `kubectl apply` keeps it in the annotation `kubectl.kubernetes.io/last-applied-configuration`, and all annotations together may have 262,144 bytes. From nine tenths of that on it is a hint.",
        why: "The server then refuses the object: `metadata.annotations: Too long: may not be more than 262144 bytes`.",
        wrong: "",
        right: "",
        fix: "None: use `kubectl apply --server-side`, or shorten the schema, for example its descriptions.",
        source: "`ValidateAnnotationsSize` of `k8s.io/apimachinery`.",
    },
    Rule {
        code: "lint/status-subresource",
        severity: Severity::Hint,
        since: None,
        title: "A `status` is declared, and the status subresource is off.",
        checks: "`properties.status` at the root of the schema without `subresources.status` in the version.",
        why: "Whoever may write the object may write its status, both are written at once, and a change of the status raises `metadata.generation`.",
        wrong: r#"spec:
  versions:
  - schema:
      openAPIV3Schema: {properties: {status: {type: object}}}"#,
        right: r#"spec:
  versions:
  - schema:
      openAPIV3Schema: {properties: {status: {type: object}}}
    subresources: {status: {}}"#,
        fix: "*Suggested*: adds `subresources: {status: {}}`; controllers must then write the status by itself.",
        source: "The documentation on subresources of CustomResourceDefinitions.",
    },
    Rule {
        code: "lint/storage-not-served",
        severity: Severity::Warning,
        since: None,
        title: "The version that objects are stored in is not served.",
        checks: "`storage: true` beside `served: false`.",
        why: "Nobody can read or write objects as they are stored; each request is converted. Where it is the only version, the resource does not exist at all.",
        wrong: r#"spec:
  versions:
  - {served: false, storage: true}"#,
        right: r#"spec:
  versions:
  - {served: true, storage: true}"#,
        fix: "*Suggested*: serves the version. Otherwise store another one.",
        source: "The documentation on versions of CustomResourceDefinitions.",
    },
];
