//! What the server keeps of stored versions, and approvals of protected groups.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "stored-versions/empty",
        severity: Severity::Error,
        since: None,
        title: "No version was ever stored.",
        checks: r#"`status.storedVersions` is empty; on create the server puts the storage version there, so that this comes with the lack of one.

    status.storedVersions: Invalid value: null: must have at least one stored version"#,
        why: "The list tells in which versions objects may lie in the store.",
        wrong: "",
        right: "",
        fix: "None: give one version `storage: true`.",
        source: "Check 73 of this project's list of server checks.",
    },
    Rule {
        code: "stored-versions/storage-missing",
        severity: Severity::Error,
        since: None,
        title: "A storage version is not among the stored versions.",
        checks: r#"Each version with `storage: true` is in `status.storedVersions`; on create the server puts the first one there.

    status.storedVersions: Invalid value: ["v1"]: must have the storage version v2"#,
        why: "The list tells in which versions objects may lie in the store.",
        wrong: "",
        right: "",
        fix: "None: leave `storage: true` with one version.",
        source: "Check 74 of this project's list of server checks.",
    },
    Rule {
        code: "stored-versions/missing-in-spec",
        severity: Severity::Error,
        since: None,
        title: "A version in which objects may be stored is gone.",
        checks: r#"Each name in `status.storedVersions` is a version of `spec.versions`.

    status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions"#,
        why: "Objects that lie in the store in this version could not be read any more.",
        wrong: "",
        right: "",
        fix: "None: keep the version with `served: false` until all objects are stored in another one and the name is removed from `status.storedVersions`.",
        source: "Check 75 of this project's list of server checks.",
    },
    Rule {
        code: "approval/missing",
        severity: Severity::Error,
        since: None,
        title: "A group of Kubernetes itself needs an approval.",
        checks: r#"The group is `k8s.io` or `kubernetes.io` or ends with `.k8s.io` or `.kubernetes.io`, and the annotation `api-approved.kubernetes.io` is missing or empty. `x-k8s.io` is free.

    metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111"#,
        why: "These groups belong to the Kubernetes project, which reviews their API.",
        wrong: r#"metadata: {name: widgets.apps.k8s.io}
spec:
  group: apps.k8s.io"#,
        right: r#"metadata: {name: widgets.apps.x-k8s.io}
spec:
  group: apps.x-k8s.io"#,
        fix: "*Suggested*: adds the annotation with `unapproved, ...`, which says that nobody reviewed the API. A group of your own needs none.",
        source: "Check 76 of this project's list of server checks.",
    },
    Rule {
        code: "approval/invalid",
        severity: Severity::Error,
        since: None,
        title: "The approval is neither an address nor a reason.",
        checks: r#"The annotation `api-approved.kubernetes.io` of a protected group is a URL with scheme and host, or begins with `unapproved`.

    metadata.annotations[api-approved.kubernetes.io]: Invalid value: "yes": protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111"#,
        why: "Whoever sees the definition wants to find its review.",
        wrong: r#"metadata:
  name: widgets.apps.k8s.io
  annotations: {api-approved.kubernetes.io: "yes"}
spec:
  group: apps.k8s.io"#,
        right: r#"metadata:
  name: widgets.apps.k8s.io
  annotations: {api-approved.kubernetes.io: unapproved experiment}
spec:
  group: apps.k8s.io"#,
        fix: "*Suggested*: writes `unapproved` before the text. Otherwise write the address of the review.",
        source: "Check 77 of this project's list of server checks.",
    },
];
