//! The findings of one document.

use crd::{DocumentKind, Origin, Violation};
use yaml::Document;

use crate::{Finding, Related, ServerError, Severity, duplicates, syntax};

/// What is known of parts of documents from earlier texts.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    crd: crd::Cache,
    duplicates: duplicates::Known,
}

/// All findings of `document`, by range, then code. Nothing is said of documents that are not ours, and of templates,
/// which are no YAML yet.
pub(crate) fn findings(document: Document<'_>, caches: &mut Caches) -> Vec<Finding> {
    let report = crd::check(document, &mut caches.crd);
    if report.kind == DocumentKind::Other || report.origin == Origin::Template {
        return Vec::new();
    }
    let mut findings: Vec<Finding> = report.violations.into_iter().map(finding).collect();
    findings.extend(syntax::findings(document));
    caches.duplicates.sweep();
    caches.duplicates.findings(document.syntax(), &mut findings);
    findings.sort_by(|one, other| (one.range, one.code).cmp(&(other.range, other.code)));
    findings
}

fn finding(violation: Violation) -> Finding {
    Finding {
        code: violation.code,
        severity: match violation.severity {
            crd::Severity::Error => Severity::Error,
            crd::Severity::Warning => Severity::Warning,
            crd::Severity::Information => Severity::Information,
            crd::Severity::Hint => Severity::Hint,
        },
        message: violation.message,
        range: violation.range,
        field_path: violation.field_path.to_string(),
        api_server: violation.server.map(|server| ServerError {
            error_type: server.error_type,
            field: server.field,
            detail: server.detail,
        }),
        related: violation.related.into_iter().map(|(range, message)| Related { range, message }).collect(),
    }
}
