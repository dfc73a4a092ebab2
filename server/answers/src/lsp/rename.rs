//! Renames of a property in all files of the workspace.

use ls_types::{PrepareRenameResponse, RenameParams, TextDocumentPositionParams, Uri, WorkspaceEdit};

use super::code_actions::{FileEdits, workspace_edit};
use super::convert::Converter;
use super::error::{Error, Result};
use super::{Context, WorkspaceText};

pub(super) fn prepare(
    context: &Context<'_>,
    params: TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>> {
    let converter = context.converter();
    let Some(file) = context.file else { return Ok(None) };
    let target = file.rename_target(converter.offset(params.position)).map_err(Error::request_failed)?;
    let (range, placeholder) = (converter.range(target.range), target.name);
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }))
}

pub(super) fn rename(context: &Context<'_>, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
    let offset = context.converter().offset(params.text_document_position.position);
    let Some(file) = context.file else { return Ok(None) };
    let rename = file.rename(offset, &params.new_name).map_err(Error::request_failed)?;
    let at = |uri: &Uri, problem: String| Error::request_failed(format!("{}: {problem}", uri.path()));

    let mut all: Vec<FileEdits> = Vec::new();
    // The definition may also be outside the workspace.
    let mut is_declared = false;
    for one in context.workspace.all_texts(rename.words().to_vec())? {
        let WorkspaceText { uri, buffer, version, is_current } = one?;
        let text = buffer.to_string();
        is_declared =
            is_declared || text.contains("CustomResourceDefinition") && rename.is_declared_in(&text);
        let edits = rename.edits(&text).map_err(|problem| at(&uri, problem))?;
        if !edits.is_empty() && !context.profile.document_changes && !is_current {
            return Err(Error::content_modified());
        }
        all.extend(FileEdits::new(Converter::new(&buffer, &uri, context.profile), version, &edits));
    }
    if !is_declared {
        let problem = "the definition is outside the workspace; open it first";
        return Err(Error::request_failed(problem));
    }
    Ok(Some(workspace_edit(context.profile, all)))
}
