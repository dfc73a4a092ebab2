//! Findings for a whole definition beyond the server's checks.

use api::{Code, Severity};
use text::TextRange;

use crate::finding::Finding;
use crate::message::Message;
use crate::object::CustomResourceDefinition;
use crate::report::ApiVersion;

/// Reports a definition in an API version that no supported server serves. The request fails with 404 before
/// any check, so that kube-apiserver has no message for it.
pub(crate) fn check_served(definition: &CustomResourceDefinition<'_, '_>, findings: &mut Vec<Finding>) {
    if definition.api_version() == ApiVersion::V1Beta1 {
        let problem = "Kubernetes 1.22 and newer do not serve `apiextensions.k8s.io/v1beta1`";
        let message = Message::new(problem).advise("migrate the definition to `apiextensions.k8s.io/v1`");
        findings.push(finding(definition, Code::DefinitionNotServed, Severity::Error, "apiVersion", message));
    }
}

/// Reports a definition without most of the required parts that is not marked as a patch.
pub(crate) fn check_partial(definition: &CustomResourceDefinition<'_, '_>, findings: &mut Vec<Finding>) {
    let missing: Vec<String> = definition.missing_parts().into_iter().map(str::to_owned).collect();
    let are = match missing.len() {
        0 => return,
        1 => "is",
        _ => "are",
    };
    let message = Message::new(format!("{} {are} missing", text::listed(&missing))).advise(
        "if this is a kustomize patch, list it in a kustomization or add `# crd-ls: patch` as line 1",
    );
    findings.push(finding(definition, Code::DefinitionPartial, Severity::Information, "kind", message));
}

/// A finding at the value of the object's field `name`.
fn finding(
    definition: &CustomResourceDefinition<'_, '_>,
    code: Code,
    severity: Severity,
    name: &'static str,
    message: Message,
) -> Finding {
    let node = definition.node().child(name);
    let range: TextRange = node.range();
    Finding {
        code,
        severity,
        message,
        range,
        field_path: node.path().clone(),
        api_server: None,
        related: Vec::new(),
    }
}
