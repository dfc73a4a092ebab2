//! Custom resources, by the definitions of the workspace: which version and which definition they are of.

use crate::Severity;
use crate::rules::Rule;

/// A definition with such a version, beside `v2`, and a resource of it.
macro_rules! example {
    ($version:literal) => {
        concat!(
            "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {",
            $version,
            ", storage: false, schema: {openAPIV3Schema: {type: object}}}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: one}"
        )
    };
}

const SOURCE: &str = "The API server's handler for custom resources; docs/architecture.md says which definition judges a resource.";

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "resource/deprecated-version",
        severity: Severity::Warning,
        since: None,
        title: "The version of the resource is deprecated.",
        checks: r#"`deprecated` and `deprecationWarning` of the version, whose words these are if the author of the definition wrote any.

    example.com/v1 Widget is deprecated; use example.com/v2 Widget"#,
        why: "The server accepts the object with this warning; a later release of the definition may no longer serve the version.",
        wrong: example!("name: v1, served: true, deprecated: true, deprecationWarning: use v2"),
        right: example!("name: v1, served: true"),
        fix: "*Suggested*: writes a version that is not deprecated, where the resource fits it.",
        source: SOURCE,
    },
    Rule {
        code: "resource/not-served",
        severity: Severity::Error,
        since: None,
        title: "The version of the resource is not served.",
        checks: "`served` of the version in the definition of the workspace that judges the resource. Nothing else is looked at then.",
        why: "The server has no endpoint for it; kubectl says `no matches for kind`.",
        wrong: example!("name: v1, served: false"),
        right: example!("name: v1, served: true"),
        fix: "*Suggested*: writes a version that is served.",
        source: SOURCE,
    },
    Rule {
        code: "resource/unknown-version",
        severity: Severity::Warning,
        since: None,
        title: "The definition does not have the version of the resource.",
        checks: r#"The versions in the definition of the workspace that judges the resource. It may be older than that of the cluster, so this
is a warning. Nothing else is looked at then."#,
        why: "A server with this definition has no endpoint for the resource; kubectl says `no matches for kind`.",
        wrong: example!("name: v3, served: true"),
        right: example!("name: v1, served: true"),
        fix: "*Suggested*: writes a version that is served. Otherwise bring the definition up to date.",
        source: SOURCE,
    },
    Rule {
        code: "resource/rival-definitions",
        severity: Severity::Warning,
        since: None,
        title: "A kind is defined in several ways.",
        checks: r#"All definitions of the workspace of the same group and kind, except those that the server could not read. Copies that judge
resources alike are fine: descriptions and printer columns may differ."#,
        why: r#"Only one of them can be in a cluster. A resource is checked against the one in its own file, else against the nearest by
directories, else against the first by path."#,
        wrong: "",
        right: "",
        fix: "None: remove one, or bring them in line.",
        source: "crd-ls.",
    },
];
