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
        fix: "*Suggested*: writes a version that is not deprecated. Fields may have other names there.",
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
        severity: Severity::Information,
        since: None,
        title: "A kind is defined in several ways.",
        checks: r#"All definitions of the workspace of the same group and kind, except those that the server could not read. Copies that judge
resources alike are fine: descriptions and printer columns may differ. `crd-ls check` reports each kind once, at the definition that goes
first; editors show a hint at each definition. Five places are listed, the others are counted."#,
        why: r#"Only one of them can be in a cluster. A resource is checked against one in this order: the one in its own file; one that
serves its version; one that `crds` or `--crd` names; one without syntax errors; one in the same directory or test case; one that is kept as
projects keep what they ship (`config/crd`, `crds`, charts, manifests to install, files with the mark of controller-gen) before vendored
copies, examples, tests and earlier releases; the nearest by directories; the first by path. `crd-ls check --explain-definitions` lists the
choice for each kind."#,
        wrong: "",
        right: "",
        fix: "None: remove one, bring them in line, or name the right one with `crds` in `.crd-ls.toml`.",
        source: "crd-ls.",
    },
    Rule {
        code: "resource/definitions-disagree",
        severity: Severity::Information,
        since: None,
        title: "A resource has errors by one definition of its kind and none by another.",
        checks: r#"Resources with errors whose kind has several definitions that mean different things. Asked are those that rank as high as
the one that judges, but for their path, and those that are kept better and only lie further away; up to four. A definition in the same
file, and one that `crds` or `--crd` names, has the last word."#,
        why: r#"The errors rest on nothing but which definition was chosen, so they are not reported. Both definitions are named: the one that
rejects the resource and the one that accepts it."#,
        wrong: "",
        right: "",
        fix: "None: name the right definition with `crds` in `.crd-ls.toml`, or bring the two in line.",
        source: "crd-ls.",
    },
];
