//! What an update must not change.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "update/scope-immutable",
        severity: Severity::Error,
        since: None,
        title: "The scope of a resource cannot be changed.",
        checks: r#"On update of an established definition: `spec.scope` differs from the stored one.

    spec.scope: Invalid value: "Cluster": field is immutable"#,
        why: "Objects are stored below their namespace; those that are there would be lost.",
        wrong: "",
        right: "",
        fix: "None: take back the change, or delete the definition (and all its objects) and create it anew.",
        source: "Check 172 of this project's list of server checks.",
    },
    Rule {
        code: "update/kind-immutable",
        severity: Severity::Error,
        since: None,
        title: "The kind of a resource cannot be changed.",
        checks: r#"On update of an established definition: `spec.names.kind` differs from the stored one.

    spec.names.kind: Invalid value: "Gadget": field is immutable"#,
        why: "The kind stands in every stored object.",
        wrong: "",
        right: "",
        fix: "None: take back the change, or make another definition.",
        source: "Check 173 of this project's list of server checks.",
    },
    Rule {
        code: "update/group-immutable",
        severity: Severity::Error,
        since: None,
        title: "The group of a resource cannot be changed.",
        checks: r#"On update: `spec.group` differs from the stored one.

    spec.group: Invalid value: "example.org": field is immutable"#,
        why: "The group is part of the definition's name and stands in every stored object.",
        wrong: "",
        right: "",
        fix: "None: take back the change, or make another definition.",
        source: "Check 174 of this project's list of server checks.",
    },
    Rule {
        code: "update/plural-immutable",
        severity: Severity::Error,
        since: None,
        title: "The plural of a resource cannot be changed.",
        checks: r#"On update: `spec.names.plural` differs from the stored one.

    spec.names.plural: Invalid value: "gadgets": field is immutable"#,
        why: "The plural is part of the definition's name and of the place of every stored object.",
        wrong: "",
        right: "",
        fix: "None: take back the change, or make another definition.",
        source: "Check 175 of this project's list of server checks.",
    },
    Rule {
        code: "update/immutable",
        severity: Severity::Error,
        since: None,
        title: "This field of `metadata` cannot be changed.",
        checks: r#"On update: `deletionTimestamp`, `deletionGracePeriodSeconds` and the like are as they are stored.

    metadata.deletionTimestamp: Invalid value: "...": field is immutable"#,
        why: "The server itself keeps them.",
        wrong: "",
        right: "",
        fix: "None: remove the line.",
        source: "Check 170 of this project's list of server checks.",
    },
    Rule {
        code: "update/resource-version",
        severity: Severity::Error,
        since: None,
        title: "An update needs the `resourceVersion` of what it replaces.",
        checks: r#"`metadata.resourceVersion` is empty on update. kubectl fills it in.

    metadata.resourceVersion: Invalid value: 0: must be specified for an update"#,
        why: "So nobody overwrites what he has not seen.",
        wrong: "",
        right: "",
        fix: "None: clients fill it in.",
        source: "Check 168 of this project's list of server checks.",
    },
    Rule {
        code: "update/finalizers",
        severity: Severity::Error,
        since: None,
        title: "An object that is being deleted gets no new finalizers.",
        checks: r#"On update of a definition with a `deletionTimestamp`: each finalizer was there before.

    metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"..."}"#,
        why: "A deletion that has begun must come to its end.",
        wrong: "",
        right: "",
        fix: "None: remove the new finalizer.",
        source: "Check 171 of this project's list of server checks.",
    },
];
