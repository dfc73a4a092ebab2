//! Renaming the JSON name of a field in Go: the edits of all files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use answers::lsp::WorkspaceText;
use answers::lsp::code_actions::{FileEdits, workspace_edit};
use answers::lsp::convert::{Converter, uri_of};
use go::edits::{JsonName, SourceEdit};
use ide::{Rename, SourcePlace};
use text::{TextBuffer, TextEdit};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{PrepareRenameResponse, RenameParams, TextDocumentPositionParams, WorkspaceEdit};

use super::go_answers;
use super::golang::GoFile;
use super::requests::{Context, protocol_error};
use crate::generated_definitions::AnalysisInputs;
use crate::go_package::{RenameChanges, text_edit};

/// The range of a name that can be renamed. gopls renames everything else in a Go file.
pub(super) fn prepare(
    context: &Context,
    go: &GoFile,
    params: &TextDocumentPositionParams,
) -> Option<PrepareRenameResponse> {
    let converter = context.converter();
    let (range, name) = go.rename_target(converter.offset(params.position))?;
    let range = converter.range(range);
    Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: name.name })
}

/// The edits of Go files and of resources. The generator updates generated definitions.
pub(super) fn rename(
    context: &Context,
    go: &GoFile,
    params: &RenameParams,
    around: &AnalysisInputs<'_>,
) -> Result<Option<WorkspaceEdit>> {
    let offset = context.converter().offset(params.text_document_position.position);
    match go.rename_target(offset) {
        Some((_, name)) => renamed(context, go, &name, &params.new_name, around).map(Some),
        None => Ok(None),
    }
}

/// The same edits, from a resource whose definition is generated from Go files, one of which is open; `None` for other
/// resources.
pub(super) fn from_resource(
    context: &Context,
    params: &RenameParams,
) -> Option<Result<Option<WorkspaceEdit>>> {
    let offset = context.converter().offset(params.text_document_position.position);
    let found = context.analysis.file()?.definition(offset)?;
    let made = found.elsewhere.as_ref().filter(|elsewhere| elsewhere.is_made())?;
    let SourcePlace { source, range, .. } = made.origin(found.target)?;
    context.snapshot.documents.values().find_map(|view| {
        let analysis = view.analysis.borrow().clone()?;
        let go = analysis.go()?;
        let name = go.named_at(Path::new(&*source), range.start)?;
        Some(go_answers::with_inputs(context, |around| {
            renamed(context, go, &name, &params.new_name, around).map(Some)
        }))
    })
}

fn renamed(
    context: &Context,
    go: &GoFile,
    name: &JsonName,
    new: &str,
    around: &AnalysisInputs<'_>,
) -> Result<WorkspaceEdit> {
    let renamed = go.renamed((name, new), &context.snapshot.packages, around);
    let RenameChanges { edits, properties } = renamed.map_err(failed)?;
    let mut all = in_go(context, go, edits)?;
    all.extend(in_resources(context, &properties)?);
    Ok(workspace_edit(&context.profile, all))
}

fn failed(problem: String) -> Error {
    protocol_error(answers::lsp::error::Error::request_failed(problem))
}

fn in_go(context: &Context, go: &GoFile, edits: Vec<SourceEdit>) -> Result<Vec<FileEdits>> {
    let mut by_path: BTreeMap<PathBuf, Vec<TextEdit>> = BTreeMap::new();
    for edit in edits {
        by_path.entry(edit.path.clone()).or_default().push(text_edit(edit));
    }
    edits_of_go(context, &|path| go.source(path), &by_path).ok_or_else(Error::internal_error)
}

/// Edits of Go files; `source` has the texts of those that are not open. `None` if [`edits_in_go`] returns `None` for one of
/// them.
pub(super) fn edits_of_go<'a>(
    context: &Context,
    source: &dyn Fn(&Path) -> Option<&'a str>,
    edits: &BTreeMap<PathBuf, Vec<TextEdit>>,
) -> Option<Vec<FileEdits>> {
    let edits = edits.iter();
    edits.map(|(path, edits)| edits_in_go(context, path, source(path).unwrap_or_default(), edits)).collect()
}

/// Edits of a Go file, which has `text` unless it is open. `None` if the path has no URI, or if there are no edits.
fn edits_in_go(context: &Context, path: &Path, text: &str, edits: &[TextEdit]) -> Option<FileEdits> {
    let open = context.snapshot.document_at(path);
    let (buffer, uri) = match open {
        Some(view) => (view.buffer.clone(), view.uri.clone()),
        None => (TextBuffer::new(text), uri_of(&path.display().to_string())?),
    };
    let converter = Converter::new(&buffer, &uri, &context.profile);
    FileEdits::new(converter, open.map(|view| view.version), edits)
}

fn in_resources(context: &Context, properties: &[Rename]) -> Result<Vec<FileEdits>> {
    let shared = context.shared(None);
    let mut found: BTreeMap<String, (WorkspaceText, Vec<TextEdit>)> = BTreeMap::new();
    for property in properties {
        for one in shared.workspace.all_texts(property.words().to_vec()).map_err(protocol_error)? {
            let one = one.map_err(protocol_error)?;
            if one.uri.as_str().ends_with(".go") {
                continue;
            }
            let edits = property.edits_of_resources(&one.buffer.to_string());
            let edits = edits.map_err(|problem| failed(format!("{}: {problem}", one.uri.path())))?;
            if !edits.is_empty() {
                let key = one.uri.as_str().to_owned();
                found.entry(key).or_insert_with(|| (one, Vec::new())).1.extend(edits);
            }
        }
    }
    let files = found.into_values().filter_map(|(text, mut edits)| {
        edits.sort_by_key(|edit| edit.range);
        edits.dedup();
        let converter = Converter::new(&text.buffer, &text.uri, &context.profile);
        FileEdits::new(converter, text.version, &edits)
    });
    Ok(files.collect())
}
