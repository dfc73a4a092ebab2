//! What we say beyond the server of versions, columns, subresources, webhooks and the whole definition.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
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
        code: "lint/column-type",
        severity: Severity::Warning,
        since: None,
        title: "A printer column has a type that does not show its field.",
        checks: "The `type` of each column against the schema that its `jsonPath` leads to, through filters and `[*]` as well: of several values the first is shown. `type: string` shows everything, lists and objects as JSON. `boolean`, `integer` and `number` show values of their own type and leave the cell empty for all others; `integer` cuts fractions off; `date` shows the age of a time of RFC 3339, and `<invalid>` for other strings. `x-kubernetes-int-or-string` may hold a string. Strings without a `format`, an `enum` or a short `maxLength` may be times.",
        why: "kube-apiserver accepts the definition, and `kubectl get` shows an empty cell or a wrong one.",
        wrong: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .size}
    schema:
      openAPIV3Schema: {properties: {size: {type: string}}}"#,
        right: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: .size}
    schema:
      openAPIV3Schema: {properties: {size: {type: string}}}"#,
        fix: "*Safe*: writes the type of the field. *Suggested* where some values are shown already, and for lists and objects, of which the path may have to name a part.",
        source: "`cellForJSONValue` in the table convertor of apiextensions-apiserver.",
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
    Rule {
        code: "lint/webhook-localhost",
        severity: Severity::Warning,
        since: None,
        title: "The conversion webhook is called on the machine of kube-apiserver.",
        checks: "The host of `clientConfig.url`: `localhost` and names below it, `127.0.0.0/8`, `::1`, `0.0.0.0` and `::`.",
        why: "kube-apiserver calls the webhook, so `localhost` is its own machine. Conversion fails on each control plane node where no webhook runs, and in a new cluster.",
        wrong: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {url: "https://localhost:9443/convert"}"#,
        right: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig:
        service: {namespace: tools, name: hook, port: 9443, path: /convert}"#,
        fix: "*Suggested*: writes `service`, to be filled in. Otherwise write a host that every kube-apiserver reaches.",
        source: "The documentation of `WebhookClientConfig` in the API reference.",
    },
    Rule {
        code: "lint/webhook-service",
        severity: Severity::Warning,
        since: None,
        title: "The conversion webhook is a service of the cluster, and is called by a URL.",
        checks: "The host of `clientConfig.url`: names that end in `.svc` or `.svc.cluster.local`.",
        why: "kube-apiserver resolves the host of a URL by the DNS of its own machine, which may not know the names of the cluster. It finds a `service` without DNS.",
        wrong: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {url: "https://hook.tools.svc:9443/convert"}"#,
        right: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig:
        service: {namespace: tools, name: hook, port: 9443, path: /convert}"#,
        fix: "*Suggested*: writes `service` with the namespace, name, port and path of the URL; the certificate of the webhook must then be for `<name>.<namespace>.svc`.",
        source: "The documentation of `WebhookClientConfig` in the API reference.",
    },
];
