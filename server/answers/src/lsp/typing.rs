//! Requests while a person types, and for formatting.

use super::error::Result;
use ls_types::{
    DocumentFormattingParams, DocumentOnTypeFormattingParams, DocumentRangeFormattingParams, TextEdit,
};

use text::TextRange;

use super::Context;

/// The character that triggers indentation.
pub(super) const NEW_LINE: &str = "\n";

/// The indentation of a new line.
pub(super) fn on_type(
    context: &Context<'_>,
    params: DocumentOnTypeFormattingParams,
) -> Result<Option<Vec<TextEdit>>> {
    if params.ch != NEW_LINE {
        return Ok(None);
    }
    let converter = context.converter();
    let offset = converter.offset(params.text_document_position.position);
    let options = params.options;
    // YAML does not allow tabs as indentation.
    let tab = usize::try_from(options.tab_size).ok().filter(|_| options.insert_spaces);
    let edit = context.file.and_then(|file| file.indented(offset, tab));
    Ok(edit.map(|edit| vec![converter.edit(&edit)]))
}

pub(super) fn format(context: &Context<'_>, _: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
    Ok(formatted(context, TextRange::new(0, u32::MAX)))
}

pub(super) fn format_range(
    context: &Context<'_>,
    params: DocumentRangeFormattingParams,
) -> Result<Option<Vec<TextEdit>>> {
    Ok(formatted(context, context.converter().text_range(params.range)))
}

fn formatted(context: &Context<'_>, range: TextRange) -> Option<Vec<TextEdit>> {
    let converter = context.converter();
    let edits = context.file?.formatted(range);
    Some(edits.iter().map(|edit| converter.edit(edit)).collect())
}
