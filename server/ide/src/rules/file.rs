//! Files as a whole.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "file/not-utf8",
        severity: Severity::Error,
        since: None,
        title: "The file is binary, or its text is not UTF-8.",
        checks: r#"A file is read as text only if all of it is UTF-8 and its first 8,000 bytes hold no NUL. Other encodings, UTF-16 among
them, are not converted."#,
        why: r#"kubectl and the API server read YAML and JSON as UTF-8. Bytes that are none fail to parse or become replacement
characters in names and texts."#,
        wrong: "",
        right: "",
        fix: r#"None: save the file as UTF-8, or leave it out of the check. A file that was found by walking a directory only gets a
warning."#,
        source: "crd-ls; the decoder of the API server.",
    },
    Rule {
        code: "file/too-large",
        severity: Severity::Error,
        since: None,
        title: "The file is larger than 32 MiB and is not checked.",
        checks: "The size of the file, before anything is read.",
        why: "It takes no request beyond 3 MiB, and etcd no object beyond 1.5 MiB: a file of this size is either many objects or none.",
        wrong: "",
        right: "",
        fix: "None: split the file.",
        source: "crd-ls; the limits are those of kube-apiserver and etcd with their default settings.",
    },
    Rule {
        code: "file/too-many",
        severity: Severity::Information,
        since: None,
        title: "A document has more findings than are listed.",
        checks: "Of one document at most 10,000 findings about its schemas and 100 about its syntax are listed.",
        why: "It refuses the document for those that are listed, and for the others.",
        wrong: "",
        right: "",
        fix: "None: repair those that are listed; the others come up then.",
        source: "crd-ls.",
    },
];
