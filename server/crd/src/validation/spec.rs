//! The scalars of `spec`: checks 16 to 20 and 78.

use api::Code;

use super::findings::{Findings, Problem, one_of};
use super::internal::InternalDefinition;
use crate::message::Message;
use crate::names::dns_1123_subdomain;
use crate::object::Node;
use crate::report::{ApiVersion, ErrorType};

/// `spec.group`.
pub(super) fn check_group(node: &Node<'_, '_>, findings: &mut Findings<'_>) {
    let group = node.text();
    let messages = dns_1123_subdomain(&group);
    let (code, error, detail, advice) = if group.is_empty() {
        (
            Code::SpecGroupRequired,
            ErrorType::Required,
            String::new(),
            "use a domain that you own, such as `example.com`",
        )
    } else if !messages.is_empty() {
        (Code::SpecGroupDns, ErrorType::Invalid, messages.join(","), "")
    } else if !group.contains('.') {
        let detail = "should be a domain with at least one dot".to_owned();
        (Code::SpecGroupDot, ErrorType::Invalid, detail, "use a domain such as `example.com`")
    } else {
        return;
    };
    findings.add(node, Problem { code, error, field: "spec.group", detail, advice });
    if code == Code::SpecGroupDot {
        findings.reword(Message::new("`group` has no dot"));
    }
}

/// `spec.scope`; v1beta1 sets a default.
pub(super) fn check_scope(internal: &InternalDefinition<'_, '_>, findings: &mut Findings<'_>) {
    let node = internal.spec.child("scope");
    let scope = node.text();
    let (code, error, detail) = match scope.as_ref() {
        "Cluster" | "Namespaced" => return,
        "" if internal.api_version == ApiVersion::V1Beta1 => return,
        "" => (Code::SpecScopeRequired, ErrorType::Required, ""),
        _ => {
            let detail = r#"supported values: "Cluster", "Namespaced""#;
            (Code::SpecScopeUnsupported, ErrorType::NotSupported, detail)
        }
    };
    let advice = one_of(&scope, ["Namespaced", "Cluster"]);
    let detail = detail.to_owned();
    findings.add(&node, Problem { code, error, field: "spec.scope", detail, advice: &advice });
}

/// `spec.preserveUnknownFields`, which may be true only if it already is in the stored definition.
pub(super) fn check_preserve_unknown_fields(
    internal: &InternalDefinition<'_, '_>,
    findings: &mut Findings<'_>,
) {
    if !internal.preserves() {
        return;
    }
    let node = internal.spec.child("preserveUnknownFields");
    findings.add(
        &node,
        Problem {
            code: Code::SpecPreserveUnknownFields,
            error: ErrorType::Invalid,
            field: "spec.preserveUnknownFields",
            detail: "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead".to_owned(),
            advice: "",
        },
    );
    findings.print_value(|| "true".to_owned());
    findings.reword(match node.is_set() {
        true => Message::new("`preserveUnknownFields: true` is not supported")
            .advise("replace it with `x-kubernetes-preserve-unknown-fields: true` in the schemas"),
        // This is the default of v1beta1.
        false => Message::new("the default `preserveUnknownFields: true` is not supported")
            .advise("add `preserveUnknownFields: false`"),
    });
}
