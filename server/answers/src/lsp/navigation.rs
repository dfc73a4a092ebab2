//! Navigation from names to the items that they name, and back, also in other files.

use super::error::Result;
use ide::{Definition, File, LinkTarget};
use ls_types::{
    DocumentHighlight, DocumentHighlightParams, DocumentLink, DocumentLinkParams, GotoDefinitionParams,
    GotoDefinitionResponse, Location, ReferenceParams, SelectionRange, SelectionRangeParams, Uri,
};
use text::TextRange;

use super::Context;
use super::convert::Converter;

pub(super) fn definition(
    context: &Context<'_>,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>> {
    let converter = context.converter();
    let offset = converter.offset(params.text_document_position_params.position);
    let found = context.file.and_then(|file| file.definition(offset));
    let location = found.and_then(|found| match &found.elsewhere {
        None => Some(converter.location(found.target)),
        Some(elsewhere) => converter.location_in(elsewhere, found.target),
    });
    Ok(location.map(GotoDefinitionResponse::Scalar))
}

/// All references to a property: its key, the rules, lists and paths of its definition, and the resources of
/// all files. The answer is the same from each of these places.
pub(super) fn references(context: &Context<'_>, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
    let converter = context.converter();
    let offset = converter.offset(params.text_document_position.position);
    let Some(file) = context.file else { return Ok(None) };
    let here = file.references(offset);
    // In a definition, the first place is the property itself.
    let key = || here.first().and_then(|key| file.property(key.start));
    let property = file.property(offset).or_else(key);
    if here.is_empty() && property.is_none() {
        return Ok(None);
    }
    let mut found: Vec<Location> = match here.is_empty() {
        true => {
            file.definition(offset).map(|field| of_declared(file, &converter, &field)).unwrap_or_default()
        }
        false => here.iter().map(|range| converter.location(*range)).collect(),
    };
    if !params.context.include_declaration && !found.is_empty() {
        found.remove(0);
    }
    if let Some(property) = property {
        found.extend(context.workspace.uses(&property)?);
    }
    Ok(Some(found))
}

/// The places of the declaring definition that name the field of a resource, the declaration first.
fn of_declared(file: &File, converter: &Converter<'_>, field: &Definition) -> Vec<Location> {
    let target = field.target;
    let or_itself = |found: Vec<TextRange>| if found.is_empty() { vec![target] } else { found };
    let Some(elsewhere) = &field.elsewhere else {
        let found = or_itself(file.references(target.start));
        return found.into_iter().map(|range| converter.location(range)).collect();
    };
    let other = File::new(&elsewhere.text().to_string(), file.settings());
    let found = or_itself(other.references(target.start));
    found.into_iter().filter_map(|range| converter.location_in(elsewhere, range)).collect()
}

pub(super) fn highlights(
    context: &Context<'_>,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>> {
    let converter = context.converter();
    let offset = converter.offset(params.text_document_position_params.position);
    let highlight = |range: TextRange| DocumentHighlight { range: converter.range(range), kind: None };
    // `None` if nothing else names the property, so that the client uses its default highlights.
    let found = context.file.map(|file| file.references(offset)).filter(|found| found.len() > 1);
    Ok(found.map(|found| found.into_iter().map(highlight).collect()))
}

/// For each position, the enclosing ranges, from the smallest to the largest.
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
                let location = converter.location_in(elsewhere, *range)?;
                // Clients that know this form open the line, others the file.
                let line = location.range.start.line + 1;
                let target: Uri = format!("{}#L{line}", location.uri.as_str()).parse().ok()?;
                (target, Some("The definition of this kind".to_owned()))
            }
        };
        Some(DocumentLink { range: converter.range(link.range), target: Some(target), tooltip, data: None })
    };
    Ok(context.file.map(|file| file.links().into_iter().filter_map(link).collect()))
}
