//! Names, labels and other metadata of a definition.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "metadata/generate-name",
        severity: Severity::Error,
        since: None,
        title: "`generateName` does not lead to the name that the definition must have.",
        checks: r#"`metadata.generateName` is set and is not `<plural>.<group>`.

    metadata.generateName: Invalid value: "w-": must be spec.names.plural+"."+spec.group"#,
        why: "The name of a definition is fixed by its plural and group, so that no two definitions can serve the same resource. A generated name never fits.",
        wrong: r#"metadata:
  generateName: widgets-"#,
        right: r#"metadata:
  name: widgets.example.com"#,
        fix: "Removes it where there is a name. Otherwise write `metadata.name` instead.",
        source: "Check 1 of this project's list of server checks.",
    },
    Rule {
        code: "metadata/name-required",
        severity: Severity::Error,
        since: None,
        title: "A definition needs `metadata.name`.",
        checks: r#"`metadata.name` and `metadata.generateName` are both missing or empty.

    metadata.name: Required value: name or generateName is required"#,
        why: "Objects are stored by name.",
        wrong: r#"metadata:
  name: """#,
        right: r#"metadata:
  name: widgets.example.com"#,
        fix: "*Safe*: writes `<plural>.<group>`.",
        source: "Check 2 of this project's list of server checks.",
    },
    Rule {
        code: "metadata/name-dns",
        severity: Severity::Error,
        since: None,
        title: "`metadata.name` must be a DNS subdomain.",
        checks: r#"The name has letters, digits, `-` and `.` in lower case only, begins and ends with a letter or digit, and is at most 253 characters long.

    metadata.name: Invalid value: "Widgets.example.com": a lowercase RFC 1123 subdomain must consist of ..."#,
        why: "The name is part of URLs.",
        wrong: r#"metadata:
  name: Widgets.example.com"#,
        right: r#"metadata:
  name: widgets.example.com"#,
        fix: "*Safe*: writes the name from the plural and the group, and these in lower case, where they agree with it.",
        source: "Check 3 of this project's list of server checks.",
    },
    Rule {
        code: "names/metadata-name",
        severity: Severity::Error,
        since: None,
        title: "`metadata.name` must be plural and group, joined by a dot.",
        checks: r#"`metadata.name` differs from `<spec.names.plural>.<spec.group>`.

    metadata.name: Invalid value: "widget.example.com": must be spec.names.plural+"."+spec.group"#,
        why: "So no two definitions can serve the same resource of a group.",
        wrong: r#"metadata:
  name: widget.example.com"#,
        right: r#"metadata:
  name: widgets.example.com"#,
        fix: "*Safe*: writes `<plural>.<group>`, where the old name shares one of the two or the plural is that of the kind. *Suggested*: changes the group or the plural to what the name has.",
        source: "Check 4 of this project's list of server checks.",
    },
    Rule {
        code: "metadata/namespace-forbidden",
        severity: Severity::Error,
        since: None,
        title: "Definitions have no namespace.",
        checks: r#"`metadata.namespace` is set.

    metadata.namespace: Forbidden: not allowed on this type"#,
        why: "A definition belongs to the whole cluster, also when its objects live in namespaces.",
        wrong: r#"metadata:
  name: widgets.example.com
  namespace: default"#,
        right: r#"metadata:
  name: widgets.example.com"#,
        fix: "*Safe*: removes the line.",
        source: "Check 5 of this project's list of server checks.",
    },
    Rule {
        code: "metadata/label-key",
        severity: Severity::Error,
        since: None,
        title: "A label's key is not a qualified name.",
        checks: "The key is at most 63 letters, digits, `-`, `_` and `.`, begins and ends with a letter or digit, and may have a DNS subdomain and `/` before it.",
        why: "Label keys are used in selectors, whose syntax leaves no room for other characters.",
        wrong: r#"metadata:
  name: widgets.example.com
  labels:
    a b: c"#,
        right: r#"metadata:
  name: widgets.example.com
  labels:
    a-b: c"#,
        fix: "*Suggested*: renames the key, with `-` for what it may not have.",
        source: "Check 7 of this project's list of server checks.",
    },
    Rule {
        code: "metadata/label-value",
        severity: Severity::Error,
        since: None,
        title: "A label's value has characters that labels cannot have.",
        checks: "The value is empty, or at most 63 letters, digits, `-`, `_` and `.` that begin and end with a letter or digit.",
        why: "Label values are used in selectors. What is longer or freer belongs in an annotation.",
        wrong: r#"metadata:
  name: widgets.example.com
  labels:
    about: a widget"#,
        right: r#"metadata:
  name: widgets.example.com
  labels:
    about: a-widget"#,
        fix: "*Suggested*: writes `-` for what it may not have. For other texts make it an annotation.",
        source: "Check 8 of this project's list of server checks.",
    },
    Rule {
        code: "metadata/annotation-key",
        severity: Severity::Error,
        since: None,
        title: "An annotation's key is not a qualified name.",
        checks: "The key, taken in lower case, follows the rules of label keys.",
        why: "Keys are names with an optional DNS subdomain of their owner, so that tools do not take each other's.",
        wrong: r#"metadata:
  name: widgets.example.com
  annotations:
    a b: c"#,
        right: r#"metadata:
  name: widgets.example.com
  annotations:
    example.com/a-b: c"#,
        fix: "*Suggested*: renames the key, with `-` for what it may not have.",
        source: "Check 9 of this project's list of server checks.",
    },
    Rule {
        code: "metadata/annotations-size",
        severity: Severity::Error,
        since: None,
        title: "The annotations together are larger than 262,144 bytes.",
        checks: r#"Keys and values of all annotations, in bytes.

    metadata.annotations: Too long: may not be more than 262144 bytes"#,
        why: "Objects are meant to stay small. A client-side `kubectl apply` adds a copy of the whole object as one more annotation, which is why large definitions need `--server-side`.",
        wrong: "",
        right: "",
        fix: "None: shorten or remove annotations; use `kubectl apply --server-side` for a large definition.",
        source: "Check 10 of this project's list of server checks.",
    },
    Rule {
        code: "metadata/owner-reference",
        severity: Severity::Error,
        since: None,
        title: "An owner reference lacks `apiVersion`, `kind`, `name` or `uid`.",
        checks: r#"Each of the four is there and not empty.

    metadata.ownerReferences[0].uid: Required value: must not be empty"#,
        why: "The garbage collector finds the owner by them.",
        wrong: r#"metadata:
  name: widgets.example.com
  ownerReferences:
  - apiVersion: v1
    kind: ConfigMap
    name: widgets
    uid: """#,
        right: r#"metadata:
  name: widgets.example.com"#,
        fix: "None: fill in the field, or remove the reference.",
        source: "Check 11 of this project's list of server checks.",
    },
    Rule {
        code: "metadata/owner-reference-version",
        severity: Severity::Error,
        since: None,
        title: "The `apiVersion` of an owner reference is not `<group>/<version>` or `<version>`.",
        checks: r#"The text has at most one `/` and a version behind it.

    metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>"#,
        why: "The garbage collector finds the owner by it.",
        wrong: r#"metadata:
  name: widgets.example.com
  ownerReferences:
  - apiVersion: apps/v1/x
    kind: Deployment
    name: widgets
    uid: 5f2cd2ae-6a2a-4a5b-8d0e-7a2c5a4b7c11"#,
        right: r#"metadata:
  name: widgets.example.com
  ownerReferences:
  - apiVersion: apps/v1
    kind: Deployment
    name: widgets
    uid: 5f2cd2ae-6a2a-4a5b-8d0e-7a2c5a4b7c11"#,
        fix: "None: write group and version.",
        source: "Check 12 of this project's list of server checks.",
    },
    Rule {
        code: "metadata/owner-reference-controller",
        severity: Severity::Error,
        since: None,
        title: "Two owner references say that they are the controller.",
        checks: "At most one has `controller: true`.",
        why: "The controller of an object is the one owner that manages it.",
        wrong: r#"metadata:
  name: widgets.example.com
  ownerReferences:
  - {apiVersion: apps/v1, kind: Deployment, name: a, uid: "1", controller: true}
  - {apiVersion: apps/v1, kind: Deployment, name: b, uid: "2", controller: true}"#,
        right: r#"metadata:
  name: widgets.example.com
  ownerReferences:
  - {apiVersion: apps/v1, kind: Deployment, name: a, uid: "1", controller: true}
  - {apiVersion: apps/v1, kind: Deployment, name: b, uid: "2"}"#,
        fix: "None: leave `controller` with one of them.",
        source: "Check 13 of this project's list of server checks.",
    },
    Rule {
        code: "metadata/finalizer",
        severity: Severity::Error,
        since: None,
        title: "A finalizer is not a qualified name.",
        checks: "Each finalizer follows the rules of label keys.",
        why: "A finalizer names who has to act before the object is gone.",
        wrong: r#"metadata:
  name: widgets.example.com
  finalizers: [a b]"#,
        right: r#"metadata:
  name: widgets.example.com
  finalizers: [example.com/a-b]"#,
        fix: "None: rename it.",
        source: "Check 14 of this project's list of server checks.",
    },
    Rule {
        code: "metadata/finalizers-conflict",
        severity: Severity::Error,
        since: None,
        title: "The finalizers `orphan` and `foregroundDeletion` exclude each other.",
        checks: r#"Both are listed.

    metadata.finalizers: Invalid value: [...]: finalizer orphan and foregroundDeletion cannot be both set"#,
        why: "One keeps what depends on the object, the other waits until it is deleted.",
        wrong: r#"metadata:
  name: widgets.example.com
  finalizers: [orphan, foregroundDeletion]"#,
        right: r#"metadata:
  name: widgets.example.com
  finalizers: [orphan]"#,
        fix: "*Suggested*: removes one.",
        source: "Check 15 of this project's list of server checks.",
    },
];
