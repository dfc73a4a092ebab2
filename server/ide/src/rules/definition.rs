//! Definitions as a whole.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "definition/not-served",
        severity: Severity::Error,
        since: None,
        title: "The definition is written for `apiextensions.k8s.io/v1beta1`, which no supported version of Kubernetes serves.",
        checks: r#"The `apiVersion` of a definition. kube-apiserver answers the request with status 404 before any check; kubectl says:

    no matches for kind "CustomResourceDefinition" in version "apiextensions.k8s.io/v1beta1"

Findings beside it are what servers before Kubernetes 1.22 report of the rest."#,
        why: "Kubernetes 1.22 removed `v1beta1`. The definition cannot be created or updated, and tools that apply it stop there.",
        wrong: r#"apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  version: v1
  names:
    plural: widgets
    kind: Widget
  preserveUnknownFields: false
  validation:
    openAPIV3Schema:
      type: object"#,
        right: r#"apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    plural: widgets
    kind: Widget
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object"#,
        fix: r#"*Suggested*: migrates the definition. Where `preserveUnknownFields` is not `false`, there is a choice: fields that the
schema does not declare are kept, as before, or dropped, as `v1` does by default. `crd-ls migrate` does the same for whole
directories."#,
        source: "https://kubernetes.io/docs/reference/using-api/deprecation-guide/#customresourcedefinition-v122",
    },
    Rule {
        code: "definition/partial",
        severity: Severity::Information,
        since: None,
        title: "The definition lacks most of its parts and may be a patch.",
        checks: r#"A definition without at least two of `spec.group`, `spec.names` and `spec.versions`. It is judged like any other, so
that errors stand beside this remark, unless something shows that it is a patch:

- a kustomization names the file in `patches`, `patchesStrategicMerge` or `patchesJson6902`;
- the name of the file or of its directory has the word `patch` or `patches`, or one of the two directories above is
  called so;
- a key such as `$patch` tells how to merge it;
- a comment `# crd-ls: patch` stands at the head of the document."#,
        why: "Patches leave out what they do not change, and that is no mistake. A `spec` that stands at the wrong depth looks the same, and kube-apiserver refuses it.",
        wrong: "",
        right: "",
        fix: "*Suggested*: marks the document with `# crd-ls: patch`. A `spec` within `metadata` is moved where it belongs by the fix of `decode/unknown-field`.",
        source: "crd-ls.",
    },
];
