//! The versions of a definition.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "versions/schema-required",
        severity: Severity::Error,
        since: None,
        title: "Each version needs a schema.",
        checks: r#"`spec.versions[i].schema.openAPIV3Schema` is missing.

    spec.versions[0].schema.openAPIV3Schema: Required value"#,
        why: "Without a schema the server would drop every field.",
        wrong: r#"spec:
  versions:
  - schema: null"#,
        right: r#"type: object
x-kubernetes-preserve-unknown-fields: true"#,
        fix: "*Suggested*: adds one that takes any object and keeps all fields, or copies that of another version.",
        source: "Check 21 of this project's list of server checks.",
    },
    Rule {
        code: "versions/schema-required-pruned",
        severity: Severity::Error,
        since: None,
        title: "A version without a schema would lose all its fields.",
        checks: r#"On update, where the stored definition had no schema either: `preserveUnknownFields` is `false` and the version is served.

    spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned"#,
        why: "Pruning drops the fields that no schema declares.",
        wrong: "",
        right: "",
        fix: "*Suggested*: adds one that takes any object and keeps all fields, or copies that of another version.",
        source: "Check 22 of this project's list of server checks.",
    },
    Rule {
        code: "versions/name",
        severity: Severity::Error,
        since: None,
        title: "The name of a version must be a DNS label.",
        checks: "At most 63 letters, digits and `-`, in lower case, that begin with a letter and do not end with `-`. For the first version the server says it twice, the second time of its internal `spec.version`.",
        why: "The name is part of URLs and of the `apiVersion` of objects.",
        wrong: r#"spec:
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: V2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}"#,
        right: r#"spec:
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}"#,
        fix: "*Safe*: writes it in lower case, where no other version has that name. Otherwise rename it, e.g. `v1`, `v1beta1`.",
        source: "Check 24 of this project's list of server checks.",
    },
    Rule {
        code: "versions/version-name",
        severity: Severity::Error,
        since: None,
        title: "The name of the first version must be a DNS label.",
        checks: r#"The server keeps the first version's name in an internal field, `spec.version`, and checks it there again.

    spec.version: Invalid value: "V1": a DNS-1035 label must consist of ..."#,
        why: "It is the same mistake as `versions/name`, which stands beside it.",
        wrong: "",
        right: "",
        fix: "None: rename the version.",
        source: "Check 40 of this project's list of server checks.",
    },
    Rule {
        code: "versions/version-first",
        severity: Severity::Error,
        since: None,
        title: "`spec.version` of a `v1beta1` definition must be the first version.",
        checks: r#"`spec.version` and `spec.versions[0].name` are both set and differ.

    spec.version: Invalid value: "v2": must match the first version in spec.versions"#,
        why: "The field is an older way to say the same.",
        wrong: "",
        right: "",
        fix: "None: remove `spec.version`.",
        source: "Check 41 of this project's list of server checks.",
    },
    Rule {
        code: "versions/unique-names",
        severity: Severity::Error,
        since: None,
        title: "Two versions have the same name.",
        checks: r#"The names of `spec.versions` are all different.

    spec.versions: Invalid value: [...]: must contain unique version names"#,
        why: "A version is found by its name.",
        wrong: r#"spec:
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}"#,
        right: r#"spec:
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}"#,
        fix: "*Safe*: removes a version that is the same as an earlier one; *suggested*, where it is not.",
        source: "Check 38 of this project's list of server checks.",
    },
    Rule {
        code: "versions/one-storage",
        severity: Severity::Error,
        since: None,
        title: "Exactly one version must have `storage: true`.",
        checks: r#"How many versions have `storage: true`.

    spec.versions: Invalid value: [...]: must have exactly one version marked as storage version"#,
        why: "Objects are stored in one version and converted to the others.",
        wrong: "",
        right: "",
        fix: "*Suggested*: leaves `storage: true` with one version, by custom the newest that is stable; *safe*, where there is only one version.",
        source: "Check 39 of this project's list of server checks.",
    },
    Rule {
        code: "versions/exclusive-schema",
        severity: Severity::Error,
        since: None,
        title: "A `v1beta1` definition has a schema at the top and in its versions.",
        checks: r#"`spec.validation` and `spec.versions[*].schema` are both set.

    spec.validation: Forbidden: top-level and per-version schemas are mutually exclusive"#,
        why: "It would be unclear which one counts.",
        wrong: "",
        right: "",
        fix: "None: keep one of them; `v1` knows only those of versions.",
        source: "Check 32 of this project's list of server checks.",
    },
    Rule {
        code: "versions/exclusive-subresources",
        severity: Severity::Error,
        since: None,
        title: "A `v1beta1` definition has subresources at the top and in its versions.",
        checks: r#"`spec.subresources` and `spec.versions[*].subresources` are both set.

    spec.subresources: Forbidden: top-level and per-version subresources are mutually exclusive"#,
        why: "It would be unclear which one counts.",
        wrong: "",
        right: "",
        fix: "None: keep one of them; `v1` knows only those of versions.",
        source: "Check 33 of this project's list of server checks.",
    },
    Rule {
        code: "versions/exclusive-columns",
        severity: Severity::Error,
        since: None,
        title: "A `v1beta1` definition has printer columns at the top and in its versions.",
        checks: r#"`spec.additionalPrinterColumns` and `spec.versions[*].additionalPrinterColumns` are both set.

    spec.additionalPrinterColumns: Forbidden: top-level and per-version additionalPrinterColumns are mutually exclusive"#,
        why: "It would be unclear which one counts.",
        wrong: "",
        right: "",
        fix: "None: keep one of them; `v1` knows only those of versions.",
        source: "Check 34 of this project's list of server checks.",
    },
    Rule {
        code: "versions/identical-schema",
        severity: Severity::Error,
        since: None,
        title: "All versions of a `v1beta1` definition have the same schema.",
        checks: r#"The schemas of all versions are equal.

    spec.versions: Invalid value: [...]: per-version schemas may not all be set to identical values (top-level validation should be used instead)"#,
        why: "`v1beta1` has a place for a schema that holds for all versions.",
        wrong: "",
        right: "",
        fix: "None: move it to `spec.validation`, or make a `v1` definition.",
        source: "Check 35 of this project's list of server checks.",
    },
    Rule {
        code: "versions/identical-subresources",
        severity: Severity::Error,
        since: None,
        title: "All versions of a `v1beta1` definition have the same subresources.",
        checks: r#"The subresources of all versions are equal.

    spec.versions: Invalid value: [...]: per-version subresources may not all be set to identical values (top-level subresources should be used instead)"#,
        why: "`v1beta1` has a place for subresources that hold for all versions.",
        wrong: "",
        right: "",
        fix: "None: move them to `spec.subresources`, or make a `v1` definition.",
        source: "Check 36 of this project's list of server checks.",
    },
    Rule {
        code: "versions/identical-columns",
        severity: Severity::Error,
        since: None,
        title: "All versions of a `v1beta1` definition have the same printer columns.",
        checks: r#"The printer columns of all versions are equal.

    spec.versions: Invalid value: [...]: per-version additionalPrinterColumns may not all be set to identical values (top-level additionalPrinterColumns should be used instead)"#,
        why: "`v1beta1` has a place for columns that hold for all versions.",
        wrong: "",
        right: "",
        fix: "None: move them to `spec.additionalPrinterColumns`, or make a `v1` definition.",
        source: "Check 37 of this project's list of server checks.",
    },
    Rule {
        code: "versions/deprecation-warning-not-deprecated",
        severity: Severity::Error,
        since: None,
        title: "`deprecationWarning` stands in a version that is not deprecated.",
        checks: r#"`deprecationWarning` is set and `deprecated` is not `true`.

    spec.versions[0].deprecationWarning: Invalid value: "...": can only be set for deprecated versions"#,
        why: "Nobody would ever see the text.",
        wrong: r#"spec:
  versions:
  - deprecationWarning: use v2"#,
        right: r#"spec:
  versions:
  - deprecated: true
    deprecationWarning: use v2"#,
        fix: "*Suggested*: adds `deprecated: true`, or removes the warning.",
        source: "Check 25 of this project's list of server checks.",
    },
    Rule {
        code: "versions/deprecation-warning-length",
        severity: Severity::Error,
        since: None,
        title: "`deprecationWarning` is longer than 256 bytes.",
        checks: r#"The length of the text in bytes of UTF-8.

    spec.versions[0].deprecationWarning: Invalid value: "...": must be <= 256 characters long"#,
        why: "The text is sent in a header of each answer.",
        wrong: "",
        right: "",
        fix: "None: shorten it.",
        source: "Check 26 of this project's list of server checks.",
    },
    Rule {
        code: "versions/deprecation-warning-empty",
        severity: Severity::Error,
        since: None,
        title: "`deprecationWarning` is empty.",
        checks: r#"The text is the empty string.

    spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string"#,
        why: "Without the field the server writes a warning of its own; an empty one would say nothing.",
        wrong: r#"spec:
  versions:
  - deprecated: true
    deprecationWarning: """#,
        right: r#"spec:
  versions:
  - deprecated: true
    deprecationWarning: example.com/v1 Widget is deprecated; use example.com/v2 Widget"#,
        fix: "*Suggested*: removes the line. Otherwise write what to use instead.",
        source: "Check 27 of this project's list of server checks.",
    },
    Rule {
        code: "versions/deprecation-warning-printable",
        severity: Severity::Error,
        since: None,
        title: "`deprecationWarning` has characters that cannot be printed.",
        checks: r#"Each character is printable; of white space only the plain space is.

    spec.versions[0].deprecationWarning: Invalid value: "...": must only contain printable UTF-8 characters; non-printable character found at index 3"#,
        why: "The text is sent in a header and shown in terminals.",
        wrong: r#"spec:
  versions:
  - deprecated: true
    deprecationWarning: "use\tv2""#,
        right: r#"spec:
  versions:
  - deprecated: true
    deprecationWarning: use v2"#,
        fix: "*Suggested*: removes the line. Otherwise replace the character.",
        source: "Check 28 of this project's list of server checks.",
    },
];
