//! The annotation that API groups of the Kubernetes community need (`validateAPIApproval`): checks 76 and 77.

use api::Code;
use cel::value::Url;

use super::findings::{Findings, Problem};
use crate::message::Message;
use crate::object::Node;
use crate::report::ErrorType;

const ANNOTATION: &str = "api-approved.kubernetes.io";
const FIELD: &str = "metadata.annotations[api-approved.kubernetes.io]";
const SEE: &str = "see https://github.com/kubernetes/enhancements/pull/1111";

#[derive(Clone, Copy, PartialEq, Eq)]
enum ApprovalState {
    Missing,
    Invalid,
    Bypassed,
    Approved,
}

/// Checks the annotation of a definition in `group`. On update, the server checks it only if its state changes.
pub(super) fn check(
    group: &Node<'_, '_>,
    metadata: &Node<'_, '_>,
    old_metadata: Option<&Node<'_, '_>>,
    findings: &mut Findings<'_>,
) {
    let name = group.text();
    let is_intended = || name.chars().any(char::is_uppercase) && is_protected(&name.to_lowercase());
    if !is_protected(&name) && !is_intended() {
        return;
    }
    let annotation =
        |metadata: &Node<'_, '_>| metadata.child("annotations").entry(ANNOTATION).text().into_owned();
    let state = state_of(&annotation(metadata));
    if old_metadata.is_some_and(|old| state_of(&annotation(old)) == state) {
        return;
    }
    let node = metadata.child("annotations").entry(ANNOTATION);
    let (code, error, detail) = match state {
        ApprovalState::Missing => (
            Code::ApprovalMissing,
            ErrorType::Required,
            format!("protected groups must have approval annotation \"{ANNOTATION}\", {SEE}"),
        ),
        ApprovalState::Invalid => (
            Code::ApprovalInvalid,
            ErrorType::Invalid,
            format!(
                "protected groups must have approval annotation \"{ANNOTATION}\" with either a URL or a reason starting with \"unapproved\", {SEE}"
            ),
        ),
        ApprovalState::Bypassed | ApprovalState::Approved => return,
    };
    // The group requires the annotation. The finding is at the annotation if it is set, otherwise at the group.
    let range = if node.is_set() { node.range() } else { group.range() };
    let problem = Problem { code, error, field: FIELD, detail, advice: "" };
    match is_protected(&name) {
        true => findings.add_at(range, &node, problem),
        // The server rejects a group with capital letters itself.
        false => findings.hidden(|findings| findings.add_at(range, &node, problem)),
    }
    let (problem, remedy) = match code {
        Code::ApprovalInvalid => (
            format!("the value of `{ANNOTATION}` is not a URL"),
            "write the `https://` URL of the API review, or `unapproved`, or use your own group",
        ),
        _ => (
            format!("group `{name}` belongs to the Kubernetes project"),
            "use your own group, or set the annotation `api-approved.kubernetes.io`",
        ),
    };
    findings.reword(Message::new(problem).advise(remedy));
}

fn state_of(annotation: &str) -> ApprovalState {
    if annotation.is_empty() {
        ApprovalState::Missing
    } else if annotation.starts_with("unapproved") {
        ApprovalState::Bypassed
    } else {
        match Url::read_request_uri(annotation) {
            Ok(url) if !url.host().is_empty() && !url.scheme().is_empty() => ApprovalState::Approved,
            _ => ApprovalState::Invalid,
        }
    }
}

fn is_protected(group: &str) -> bool {
    ["k8s.io", "kubernetes.io"].iter().any(|domain| {
        group.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    })
}
