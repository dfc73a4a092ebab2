//! What we report of a definition as a whole beyond the server's checks.

use api::{Code, Severity};
use text::TextRange;

use crate::finding::Finding;
use crate::message::Message;
use crate::object::CustomResourceDefinition;
use crate::report::ApiVersion;

/// A definition of a version of the API that no known server serves. The request ends with 404 before any check, so
/// that kube-apiserver has no words for it.
pub(crate) fn check_served(definition: &CustomResourceDefinition<'_, '_>, findings: &mut Vec<Finding>) {
    if definition.api_version() == ApiVersion::V1Beta1 {
        let problem = "Kubernetes 1.22 and newer do not serve `apiextensions.k8s.io/v1beta1`";
        let message = Message::new(problem).advise("migrate the definition to `apiextensions.k8s.io/v1`");
        findings.push(finding(definition, Code::DefinitionNotServed, Severity::Error, "apiVersion", message));
    }
}

/// A definition without most of what each has, which nothing marks as a patch.
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

/// A finding at the value of the field `name` of the object.
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
