//! From names to what they name, and back, also in other files.

use super::error::Result;
use ide::LinkTarget;
use ls_types::{
    DocumentHighlight, DocumentHighlightParams, DocumentLink, DocumentLinkParams, GotoDefinitionParams,
    GotoDefinitionResponse, Location, ReferenceParams, SelectionRange, SelectionRangeParams, Uri,
};
use text::TextRange;

use super::Context;

pub(super) fn definition(
    context: &Context<'_>,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>> {
    let converter = context.converter();
    let offset = converter.offset(params.text_document_position_params.position);
    let found = context.file.and_then(|file| file.definition(offset));
    let location = found.and_then(|found| match &found.elsewhere {
        None => Some(converter.location(found.target)),
        Some(elsewhere) => converter.elsewhere(elsewhere, found.target),
    });
    Ok(location.map(GotoDefinitionResponse::Scalar))
}

/// The places in rules of the same definition, and those in resources of all files.
pub(super) fn references(context: &Context<'_>, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
    let converter = context.converter();
    let offset = converter.offset(params.text_document_position.position);
    let Some(file) = context.file else { return Ok(None) };
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
        found.extend(context.workspace.uses(&property)?);
    }
    Ok(Some(found))
}

pub(super) fn highlights(
    context: &Context<'_>,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>> {
    let converter = context.converter();
    let offset = converter.offset(params.text_document_position_params.position);
    let highlight = |range: TextRange| DocumentHighlight { range: converter.range(range), kind: None };
    // None where nothing in a rule is named, so that a client does what it does elsewhere.
    let found = context.file.map(|file| file.references(offset)).filter(|found| !found.is_empty());
    Ok(found.map(|found| found.into_iter().map(highlight).collect()))
}

/// For each position what is selected around it, step by step.
pub(super) fn selections(
    context: &Context<'_>,
    params: SelectionRangeParams,
) -> Result<Option<Vec<SelectionRange>>> {
    let converter = context.converter();
    let Some(file) = context.file else { return Ok(None) };
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

pub(super) fn links(context: &Context<'_>, _: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
    let converter = context.converter();
    let link = |link: ide::Link| {
        let (target, tooltip) = match &link.target {
            LinkTarget::Address(address) => (address.parse().ok()?, None),
            LinkTarget::Text(elsewhere, range) => {
                let location = converter.elsewhere(elsewhere, *range)?;
                // Clients that know the form go to the line, others to the file.
                let line = location.range.start.line + 1;
                let target: Uri = format!("{}#L{line}", location.uri.as_str()).parse().ok()?;
                (target, Some("The definition of this kind".to_owned()))
            }
        };
        Some(DocumentLink { range: converter.range(link.range), target: Some(target), tooltip, data: None })
    };
    Ok(context.file.map(|file| file.links().into_iter().filter_map(link).collect()))
}
