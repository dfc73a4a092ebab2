//! Pulled diagnostics.

use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, FullDocumentDiagnosticReport,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport,
};

use super::requests::Context;

pub(super) fn diagnostics(
    context: &Context,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReport> {
    // A restarted server starts to count from the beginning, so the ID contains the process.
    let result_id = format!("{}.{}", std::process::id(), context.analysis.since);
    if params.previous_result_id.as_ref() == Some(&result_id) {
        let unchanged = UnchangedDocumentDiagnosticReport { result_id };
        return Ok(DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: unchanged,
        }));
    }
    let converter = context.converter();
    let items = context.analysis.diagnostics(&converter, &context.profile);
    Ok(DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(result_id), items },
    }))
}

/// The pulled diagnostics of a document that is not open.
pub(super) fn no_diagnostics() -> Value {
    json!({ "kind": "full", "items": [] })
}
