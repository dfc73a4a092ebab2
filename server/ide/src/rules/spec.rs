//! Group, scope and other fields of `spec`.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "spec/group-required",
        severity: Severity::Error,
        since: None,
        title: "A definition needs `spec.group`.",
        checks: r#"`group` is missing or empty.

    spec.group: Required value"#,
        why: "The group stands in the `apiVersion` of every object.",
        wrong: r#"metadata: {name: widgets.}
spec:
  group: """#,
        right: r#"metadata: {name: widgets.example.com}
spec:
  group: example.com"#,
        fix: "*Safe*: writes what `metadata.name` has behind the plural. Otherwise write a domain that is yours.",
        source: "Check 16 of this project's list of server checks.",
    },
    Rule {
        code: "spec/group-dns",
        severity: Severity::Error,
        since: None,
        title: "`group` must be a DNS subdomain.",
        checks: "Letters, digits, `-` and `.` in lower case; each part begins and ends with a letter or digit; at most 253 characters.",
        why: "The group is part of URLs and of `metadata.name`.",
        wrong: "",
        right: "",
        fix: "*Safe*: writes it in lower case, and `metadata.name` with it, where the two agree; otherwise *suggested*.",
        source: "Check 17 of this project's list of server checks.",
    },
    Rule {
        code: "spec/group-dot",
        severity: Severity::Error,
        since: None,
        title: "`group` must be a domain with a dot.",
        checks: r#"The group is a valid name without a dot.

    spec.group: Invalid value: "example": should be a domain with at least one dot"#,
        why: "Groups without a dot are those of Kubernetes itself, such as `apps`.",
        wrong: r#"metadata: {name: widgets.example}
spec:
  group: example"#,
        right: r#"metadata: {name: widgets.example.com}
spec:
  group: example.com"#,
        fix: "*Safe*: writes the group that `metadata.name` has. *Suggested*: adds `.com`, if that domain is yours.",
        source: "Check 18 of this project's list of server checks.",
    },
    Rule {
        code: "spec/scope-required",
        severity: Severity::Error,
        since: None,
        title: "A definition needs `spec.scope`.",
        checks: r#"`scope` is missing or empty.

    spec.scope: Required value"#,
        why: "Whether objects live in namespaces cannot be changed later, so there is no default.",
        wrong: r#"spec:
  scope: """#,
        right: r#"spec:
  scope: Namespaced"#,
        fix: "*Suggested*: writes `Namespaced` or `Cluster`.",
        source: "Check 19 of this project's list of server checks.",
    },
    Rule {
        code: "spec/scope-unsupported",
        severity: Severity::Error,
        since: None,
        title: "`scope` must be `Cluster` or `Namespaced`.",
        checks: r#"The text is another one; capitals count.

    spec.scope: Unsupported value: "namespaced": supported values: "Cluster", "Namespaced""#,
        why: "There are no other scopes.",
        wrong: r#"spec:
  scope: namespaced"#,
        right: r#"spec:
  scope: Namespaced"#,
        fix: "*Safe*: writes it with its capital; *suggested*, where it is neither, each of the two.",
        source: "Check 20 of this project's list of server checks.",
    },
    Rule {
        code: "spec/preserve-unknown-fields",
        severity: Severity::Error,
        since: None,
        title: "`spec.preserveUnknownFields` must not be `true`.",
        checks: r#"The field is `true` on create, or becomes so on update.

    spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"#,
        why: "It was the way of `v1beta1` to keep fields without a schema. In `v1` a schema says where unknown fields are kept.",
        wrong: r#"spec:
  preserveUnknownFields: true"#,
        right: r#"type: object
x-kubernetes-preserve-unknown-fields: true"#,
        fix: "*Suggested*: writes `false`, with which undeclared fields are dropped, or moves it to the schemas as `x-kubernetes-preserve-unknown-fields: true`, with which they are kept.",
        source: "Check 78 of this project's list of server checks.",
    },
];
