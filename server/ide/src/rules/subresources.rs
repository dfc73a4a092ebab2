//! The subresource scale.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "scale/spec-replicas-required",
        severity: Severity::Error,
        since: None,
        title: "The scale subresource needs `specReplicasPath`.",
        checks: r#"The path is missing or empty.

    spec.subresources.scale.specReplicasPath: Required value"#,
        why: "`kubectl scale` and autoscalers write the number of replicas there.",
        wrong: r#"spec:
  versions:
  - subresources:
      scale: {specReplicasPath: "", statusReplicasPath: .status.replicas}"#,
        right: r#"spec:
  versions:
  - subresources:
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}"#,
        fix: "*Suggested*: writes `.spec.replicas`.",
        source: "Check 149 of this project's list of server checks.",
    },
    Rule {
        code: "scale/spec-replicas-path",
        severity: Severity::Error,
        since: None,
        title: "`specReplicasPath` must lead below `.spec`.",
        checks: r#"The path begins with `.spec.`.

    spec.subresources.scale.specReplicasPath: Invalid value: ".replicas": should be a json path under .spec"#,
        why: "What a user wants stands in `spec`.",
        wrong: r#"spec:
  versions:
  - subresources:
      scale: {specReplicasPath: .replicas, statusReplicasPath: .status.replicas}"#,
        right: r#"spec:
  versions:
  - subresources:
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}"#,
        fix: "*Safe*: puts the dot before it. *Suggested*: puts it below `.spec`.",
        source: "Checks 150, 151 of this project's list of server checks.",
    },
    Rule {
        code: "scale/status-replicas-required",
        severity: Severity::Error,
        since: None,
        title: "The scale subresource needs `statusReplicasPath`.",
        checks: r#"The path is missing or empty.

    spec.subresources.scale.statusReplicasPath: Required value"#,
        why: "Autoscalers read there how many replicas there are.",
        wrong: r#"spec:
  versions:
  - subresources:
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: ""}"#,
        right: r#"spec:
  versions:
  - subresources:
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}"#,
        fix: "*Suggested*: writes `.status.replicas`.",
        source: "Check 152 of this project's list of server checks.",
    },
    Rule {
        code: "scale/status-replicas-path",
        severity: Severity::Error,
        since: None,
        title: "`statusReplicasPath` must lead below `.status`.",
        checks: r#"The path begins with `.status.`.

    spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.replicas": should be a json path under .status"#,
        why: "What is the case stands in `status`.",
        wrong: r#"spec:
  versions:
  - subresources:
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .spec.replicas}"#,
        right: r#"spec:
  versions:
  - subresources:
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}"#,
        fix: "*Safe*: puts the dot before it. *Suggested*: puts it below `.status`.",
        source: "Checks 153, 154 of this project's list of server checks.",
    },
    Rule {
        code: "scale/label-selector-path",
        severity: Severity::Error,
        since: None,
        title: "`labelSelectorPath` must lead below `.spec` or `.status`.",
        checks: r#"The path, where there is one, begins with `.spec.` or `.status.`.

    spec.subresources.scale.labelSelectorPath: Invalid value: ".selector": should be a json path under either .spec or .status"#,
        why: "The horizontal autoscaler finds the pods by the selector there.",
        wrong: r#"spec:
  versions:
  - subresources:
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .selector}"#,
        right: r#"spec:
  versions:
  - subresources:
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}"#,
        fix: "*Safe*: puts the dot before it. *Suggested*: puts it below `.status`.",
        source: "Check 155 of this project's list of server checks.",
    },
];
