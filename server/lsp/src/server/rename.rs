//! Another name for a property, in all files of the workspace.

use text::TextBuffer;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{
    PrepareRenameResponse, RenameParams, TextDocumentPositionParams, Uri, WorkspaceEdit,
};

use super::requests::Context;
use super::texts::{MOST_FILES, closed_files, go_on, text_with};
use answers::lsp::code_actions::{FileEdits, workspace_edit};
use answers::lsp::convert::Converter;

pub(super) fn prepare(
    context: &Context,
    params: TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>> {
    let converter = context.converter();
    let Some(file) = context.analysis.file() else { return Ok(None) };
    let target = file.rename_target(converter.offset(params.position)).map_err(refused)?;
    let (range, placeholder) = (converter.range(target.range), target.name);
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }))
}

pub(super) fn rename(context: &Context, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
    let offset = context.converter().offset(params.text_document_position.position);
    let Some(file) = context.analysis.file() else { return Ok(None) };
    let rename = file.rename(offset, &params.new_name).map_err(refused)?;
    let at = |uri: &Uri, problem: String| refused(format!("{}: {problem}", uri.path()));

    let mut all: Vec<FileEdits> = Vec::new();
    // Definitions may also come from places outside of the workspace.
    let mut is_declared = false;
    let mut look = |text: &str| {
        is_declared = is_declared || text.contains("CustomResourceDefinition") && rename.is_declared_in(text);
    };
    for view in context.snapshot.documents.values() {
        let text = view.buffer.to_string();
        look(&text);
        let edits = rename.edits(&text).map_err(|problem| at(&view.uri, problem))?;
        let converter = Converter::new(&view.buffer, &view.uri, &context.profile);
        if !edits.is_empty() && !context.profile.document_changes && !view.is_current() {
            return Err(Error::content_modified());
        }
        all.extend(FileEdits::new(converter, Some(view.version), &edits));
    }
    let files = closed_files(context);
    if files.len() > MOST_FILES {
        let problem = format!("the workspace has more than {MOST_FILES} files, too many to search");
        return Err(refused(problem));
    }
    for path in files {
        go_on(context)?;
        let Some((uri, text)) = text_with(&path, &rename.words()) else { continue };
        look(&text);
        let edits = rename.edits(&text).map_err(|problem| at(&uri, problem))?;
        let buffer = TextBuffer::new(&text);
        all.extend(FileEdits::new(Converter::new(&buffer, &uri, &context.profile), None, &edits));
    }
    if !is_declared {
        return Err(refused("the definition is outside the workspace; open it first".to_owned()));
    }
    Ok(Some(workspace_edit(&context.profile, all)))
}

/// What a client shows to the user.
fn refused(problem: String) -> Error {
    // `RequestFailed` of the protocol.
    Error { code: ErrorCode::ServerError(-32_803), message: problem.into(), data: None }
}
