//! The names of a resource.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "names/plural-required",
        severity: Severity::Error,
        since: None,
        title: "A definition needs `spec.names.plural`.",
        checks: r#"`plural` is missing or empty.

    spec.names.plural: Required value"#,
        why: "The plural is the name of the resource in URLs: `/apis/<group>/<version>/<plural>`.",
        wrong: r#"metadata: {name: .example.com}
spec:
  names: {plural: "", kind: Widget}"#,
        right: r#"metadata: {name: widgets.example.com}
spec:
  names: {plural: widgets, kind: Widget}"#,
        fix: "*Safe*: writes what `metadata.name` has before the group. *Suggested*: makes it of the kind.",
        source: "Check 42 of this project's list of server checks.",
    },
    Rule {
        code: "names/singular-required",
        severity: Severity::Error,
        since: None,
        title: "A definition needs `spec.names.singular`, or a kind to make it from.",
        checks: r#"`singular` and `kind` are both empty. Where only `singular` is, the server takes the kind in lower case.

    spec.names.singular: Required value"#,
        why: "kubectl takes the singular as a name of the resource.",
        wrong: "",
        right: "",
        fix: "*Safe*: writes the kind, from which the rest follows, where `listKind` tells it.",
        source: "Check 43 of this project's list of server checks.",
    },
    Rule {
        code: "names/kind-required",
        severity: Severity::Error,
        since: None,
        title: "A definition needs `spec.names.kind`.",
        checks: r#"`kind` is missing or empty.

    spec.names.kind: Required value"#,
        why: "The kind stands in every object. Where it is missing, the singular and the kind of the list are missing too, as they are made from it.",
        wrong: "",
        right: "",
        fix: "*Safe*: writes what `listKind` has before `List`. *Suggested*: makes it of the singular.",
        source: "Check 44 of this project's list of server checks.",
    },
    Rule {
        code: "names/list-kind-required",
        severity: Severity::Error,
        since: None,
        title: "A definition needs `spec.names.listKind`, or a kind to make it from.",
        checks: r#"`listKind` and `kind` are both empty. Where only `listKind` is, the server takes the kind with `List` behind it.

    spec.names.listKind: Required value"#,
        why: "It is the kind of a list of the objects.",
        wrong: "",
        right: "",
        fix: "None: write `kind`, from which the rest follows.",
        source: "Check 45 of this project's list of server checks.",
    },
    Rule {
        code: "names/plural",
        severity: Severity::Error,
        since: None,
        title: "`plural` must be a DNS label in lower case.",
        checks: "At most 63 letters, digits and `-`, in lower case, that begin with a letter and do not end with `-`.",
        why: "The plural is part of URLs and of `metadata.name`.",
        wrong: r#"metadata: {name: 1widgets.example.com}
spec:
  names: {plural: 1widgets, kind: Widget}"#,
        right: r#"metadata: {name: my-widgets.example.com}
spec:
  names: {plural: my-widgets, kind: Widget}"#,
        fix: "*Safe*: writes plural and name in lower case, where they agree; otherwise *suggested*.",
        source: "Check 46 of this project's list of server checks.",
    },
    Rule {
        code: "names/singular",
        severity: Severity::Error,
        since: None,
        title: "`singular` must be a DNS label in lower case.",
        checks: "At most 63 letters, digits and `-`, in lower case, that begin with a letter and do not end with `-`. Where `singular` is not written, the server makes it from `kind`.",
        why: "kubectl takes the singular as a name of the resource.",
        wrong: r#"spec:
  names: {plural: widgets, kind: Widget, singular: Widget}"#,
        right: r#"spec:
  names: {plural: widgets, kind: Widget, singular: widget}"#,
        fix: "*Safe*: writes it in lower case.",
        source: "Check 47 of this project's list of server checks.",
    },
    Rule {
        code: "names/kind",
        severity: Severity::Error,
        since: None,
        title: "`kind` must be a DNS label but for its capitals.",
        checks: r#"The kind in lower case is at most 63 letters, digits and `-`, begins with a letter and does not end with `-`.

    spec.names.kind: Invalid value: "My_Widget": may have mixed case, but should otherwise match: ..."#,
        why: "The kind is compared with other names in lower case, and other names are made from it.",
        wrong: "",
        right: "",
        fix: "*Suggested*: writes it in camel case.",
        source: "Check 48 of this project's list of server checks.",
    },
    Rule {
        code: "names/list-kind",
        severity: Severity::Error,
        since: None,
        title: "`listKind` must be a DNS label but for its capitals.",
        checks: "The kind of the list in lower case is at most 63 letters, digits and `-`, begins with a letter and does not end with `-`.",
        why: "It is a kind like others.",
        wrong: r#"spec:
  names: {plural: widgets, kind: Widget, listKind: Widget_List}"#,
        right: r#"spec:
  names: {plural: widgets, kind: Widget, listKind: WidgetList}"#,
        fix: "*Safe*: writes the kind with `List` behind it.",
        source: "Check 49 of this project's list of server checks.",
    },
    Rule {
        code: "names/short-name",
        severity: Severity::Error,
        since: None,
        title: "A short name must be a DNS label in lower case.",
        checks: "At most 63 letters, digits and `-`, in lower case, that begin with a letter and do not end with `-`.",
        why: "Short names are names of the resource in kubectl.",
        wrong: r#"spec:
  names: {plural: widgets, kind: Widget, shortNames: [WG]}"#,
        right: r#"spec:
  names: {plural: widgets, kind: Widget, shortNames: [wg]}"#,
        fix: "*Safe*: writes it in lower case, or removes it if it is empty; *suggested*, where other characters have to go.",
        source: "Check 50 of this project's list of server checks.",
    },
    Rule {
        code: "names/kind-list-kind-equal",
        severity: Severity::Error,
        since: None,
        title: "`kind` and `listKind` must differ.",
        checks: r#"Both are the same and not empty.

    spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same"#,
        why: "A client could not tell an object from a list of them.",
        wrong: r#"spec:
  names: {plural: widgets, kind: Widget, listKind: Widget}"#,
        right: r#"spec:
  names: {plural: widgets, kind: Widget, listKind: WidgetList}"#,
        fix: "*Safe*: writes the kind with `List` behind it.",
        source: "Check 51 of this project's list of server checks.",
    },
    Rule {
        code: "names/category",
        severity: Severity::Error,
        since: None,
        title: "A category must be a DNS label in lower case.",
        checks: "At most 63 letters, digits and `-`, in lower case, that begin with a letter and do not end with `-`.",
        why: "A category is a name for several resources in kubectl, as in `kubectl get all`.",
        wrong: r#"spec:
  names: {plural: widgets, kind: Widget, categories: [All]}"#,
        right: r#"spec:
  names: {plural: widgets, kind: Widget, categories: [all]}"#,
        fix: "*Safe*: writes it in lower case; *suggested*, where other characters have to go.",
        source: "Check 52 of this project's list of server checks.",
    },
];
