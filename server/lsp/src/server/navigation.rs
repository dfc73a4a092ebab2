//! From names to what they name, and back, also in other files.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ide::Property;
use memchr::memmem;
use text::{TextBuffer, TextRange};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{
    DocumentHighlight, DocumentHighlightParams, GotoDefinitionParams, GotoDefinitionResponse, Location,
    ReferenceParams, SelectionRange, SelectionRangeParams, Uri,
};

use super::convert::Converter;
use super::requests::Context;
use crate::definitions::{files_below, read};
use crate::limits::MAX_BYTES;

/// More places than a person looks through.
const MOST_PLACES: usize = 2_000;
/// More files are not looked into.
const MOST_FILES: usize = 50_000;

pub(super) fn definition(
    context: &Context,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>> {
    let converter = context.converter();
    let offset = converter.offset(params.text_document_position_params.position);
    let found = context.analysis.file().and_then(|file| file.definition(offset));
    let location = found.and_then(|found| match &found.elsewhere {
        None => Some(converter.location(found.target)),
        Some(elsewhere) => converter.elsewhere(elsewhere, found.target),
    });
    Ok(location.map(GotoDefinitionResponse::Scalar))
}

/// The places in rules of the same definition, and those in resources of all files.
pub(super) fn references(context: &Context, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
    let converter = context.converter();
    let offset = converter.offset(params.text_document_position.position);
    let Some(file) = context.analysis.file() else { return Ok(None) };
    let here = file.references(offset);
    let property = file.property(offset);
    if here.is_empty() && property.is_none() {
        return Ok(None);
    }
    // In a definition the first place is the property itself, in a resource the definition of the field.
    let mut found: Vec<Location> = here.iter().map(|range| converter.location(*range)).collect();
    let declared = file
        .definition(offset)
        .filter(|_| here.is_empty())
        .and_then(|found| converter.elsewhere(found.elsewhere.as_ref()?, found.target));
    found.splice(0..0, declared);
    if !params.context.include_declaration && !found.is_empty() {
        found.remove(0);
    }
    if let Some(property) = property {
        found.extend(uses(context, &property)?);
    }
    Ok(Some(found))
}

/// Where resources set `property`: in open documents as they are there, else in the files of the workspace.
fn uses(context: &Context, property: &Property) -> Result<Vec<Location>> {
    let mut found = Vec::new();
    let mut open: BTreeSet<PathBuf> = BTreeSet::new();
    for view in context.snapshot.documents.values() {
        open.extend(view.uri.to_file_path().map(std::borrow::Cow::into_owned));
        let analysis = view.analysis.borrow().clone();
        let Some((analysis, file)) = analysis.as_ref().and_then(|one| Some((one, one.file()?))) else {
            continue;
        };
        let converter = Converter::new(&analysis.buffer, &view.uri, &context.profile);
        found.extend(file.uses(property).into_iter().map(|range| converter.location(range)));
    }
    let all = context.snapshot.folders.iter().flat_map(|folder| files_below(folder, |_| true).0);
    for path in all.take(MOST_FILES).filter(|path| !open.contains(path)) {
        if context.cancelled.is_cancelled() {
            return Err(Error::request_cancelled());
        }
        if found.len() >= MOST_PLACES {
            break;
        }
        // What cannot be read was told when it was looked at for definitions.
        let Ok(bytes) = read(&path) else { continue };
        let lacks = |word: &str| memmem::find(&bytes, word.as_bytes()).is_none();
        if bytes.len() > MAX_BYTES || property.words().iter().any(|word| lacks(word)) {
            continue;
        }
        let (Ok(text), Some(uri)) = (String::from_utf8(bytes), Uri::from_file_path(&path)) else { continue };
        let buffer = TextBuffer::new(&text);
        let converter = Converter::new(&buffer, &uri, &context.profile);
        found.extend(property.uses(&text).into_iter().map(|range| converter.location(range)));
    }
    found.truncate(MOST_PLACES);
    Ok(found)
}

pub(super) fn highlights(
    context: &Context,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>> {
    let converter = context.converter();
    let offset = converter.offset(params.text_document_position_params.position);
    let highlight = |range: TextRange| DocumentHighlight { range: converter.range(range), kind: None };
    // None where nothing in a rule is named, so that a client does what it does elsewhere.
    let found = context.analysis.file().map(|file| file.references(offset)).filter(|found| !found.is_empty());
    Ok(found.map(|found| found.into_iter().map(highlight).collect()))
}

/// For each position what is selected around it, step by step.
pub(super) fn selections(
    context: &Context,
    params: SelectionRangeParams,
) -> Result<Option<Vec<SelectionRange>>> {
    let converter = context.converter();
    let Some(file) = context.analysis.file() else { return Ok(None) };
    let around = |position| {
        let offset = converter.offset(position);
        let outermost_first = file.selections(offset).into_iter().rev();
        let nested = outermost_first.fold(None, |parent: Option<SelectionRange>, range| {
            Some(SelectionRange { range: converter.range(range), parent: parent.map(Box::new) })
        });
        let nothing = || SelectionRange { range: converter.range(TextRange::empty(offset)), parent: None };
        nested.unwrap_or_else(nothing)
    };
    Ok(Some(params.positions.into_iter().map(around).collect()))
}
