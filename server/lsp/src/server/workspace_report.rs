//! Requests for the findings of the whole workspace.

use std::collections::BTreeMap;

use answers::lsp::JsonText;
use answers::lsp::convert::Converter;
use answers::lsp::profile::CHECK;
use serde_json::Value;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    Diagnostic, FullDocumentDiagnosticReport, PreviousResultId, UnchangedDocumentDiagnosticReport, Uri,
    WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDocumentDiagnosticReport,
    WorkspaceFullDocumentDiagnosticReport, WorkspaceUnchangedDocumentDiagnosticReport,
};

use super::closed_files::ClosedFindings;
use super::inbox::Message;
use super::requests::{Workspace, body, read};
use super::snapshot::Snapshot;

const PULL: &str = "workspace/diagnostic";

/// The result ID of a file without findings, if the client still has some.
const NOTHING: &str = "0";

/// The message to process before a request for all files is answered.
pub(super) fn preparation(method: &str, params: &Value) -> Option<Message> {
    match method {
        PULL => Some(Message::CheckAll { is_pulled: true }),
        _ if is_check(method, params) => Some(Message::CheckAll { is_pulled: false }),
        _ => None,
    }
}

/// Whether a request is the command [`CHECK`].
pub(super) fn is_check(method: &str, params: &Value) -> bool {
    method == "workspace/executeCommand" && params.get("command").is_some_and(|name| name == CHECK)
}

/// The answer of [`CHECK`].
pub(super) fn summary(workspace: &Workspace, closed: &ClosedFindings, _: Value) -> Result<JsonText> {
    body(&closed.summary(in_open(&workspace.snapshot).into_iter().flat_map(|file| file.diagnostics)))
}

/// The known findings of a file.
struct FileFindings {
    uri: Uri,
    /// The version of an open document.
    version: Option<i64>,
    /// Identifies the result for the client.
    result: String,
    diagnostics: Vec<Diagnostic>,
}

/// The known findings in open documents.
fn in_open(snapshot: &Snapshot) -> Vec<FileFindings> {
    let of = |view: &super::snapshot::View| {
        let analysis = view.analysis.borrow().clone()?;
        let converter = Converter::new(&analysis.buffer, &view.uri, &snapshot.profile);
        let found = analysis.findings(&snapshot.profile);
        Some(FileFindings {
            uri: view.uri.clone(),
            version: Some(i64::from(view.version)),
            result: format!("o{}", analysis.since),
            diagnostics: found.iter().map(|finding| converter.diagnostic(finding)).collect(),
        })
    };
    snapshot.workspace_documents().filter_map(of).collect()
}

/// The findings of all files; for results that the client has, only that they are unchanged.
pub(super) fn report(workspace: &Workspace, closed: &ClosedFindings, params: Value) -> Result<JsonText> {
    let params: WorkspaceDiagnosticParams = read(params)?;
    let mut known: BTreeMap<String, String> = params
        .previous_result_ids
        .into_iter()
        .map(|PreviousResultId { uri, value }| (uri.as_str().to_owned(), value))
        .collect();
    let mut items = Vec::new();
    let closed = closed.files.values().map(|found| FileFindings {
        uri: found.uri.clone(),
        version: None,
        result: format!("c{}", found.result),
        diagnostics: found.diagnostics.clone(),
    });
    for file in in_open(&workspace.snapshot).into_iter().chain(closed) {
        let FileFindings { uri, version, result, diagnostics: found } = file;
        let is_known = known.remove(uri.as_str()).is_some_and(|before| before == result);
        items.push(if is_known {
            let report = UnchangedDocumentDiagnosticReport { result_id: result };
            WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
                uri,
                version,
                unchanged_document_diagnostic_report: report,
            })
        } else {
            full(uri, version, result, found)
        });
    }
    // Files that no longer have findings; reported once.
    let gone = known.into_iter().filter(|(_, result)| result != NOTHING);
    let gone =
        gone.filter_map(|(uri, _)| Some(full(uri.parse().ok()?, None, NOTHING.to_owned(), Vec::new())));
    items.extend(gone);
    body(&WorkspaceDiagnosticReport { items })
}

fn full(
    uri: Uri,
    version: Option<i64>,
    result: String,
    items: Vec<Diagnostic>,
) -> WorkspaceDocumentDiagnosticReport {
    let report = FullDocumentDiagnosticReport { result_id: Some(result), items };
    WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
        uri,
        version,
        full_document_diagnostic_report: report,
    })
}
