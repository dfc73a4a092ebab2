//! The places that name a property in its definition: its key, rules, lists of names and paths.

use crd::locate;
use text::{TextRange, TextSize};
use yaml::{Document, Reader, Tree};

use crate::analysis::caches::Caches;
use crate::analysis::resources::View;
use crate::analysis::text_at::document_at;
use crate::features::cel::{self, Source};
use crate::features::hover::hover;
use crate::features::mentions::{Mention, mention_at};
use crate::features::rename;
use crate::features::resources::{self, Property, declared_at};
use crate::{Definition, Hover};

/// The declaration of the property that a list of names or a path names at `offset` (in bytes).
pub(crate) fn definition_of_mention(tree: &Tree, offset: TextSize) -> Option<Definition> {
    let document = document_at(tree, offset)?;
    let reader = Reader::new(document);
    let mention = mention_at(document, &reader, offset)?;
    let target = key_of(document, &reader, &mention)?;
    Some(Definition { name: mention.range, target, elsewhere: None })
}

/// The hover of the property that a list of names or a path names at `offset` (in bytes).
pub(crate) fn hover_of_mention(tree: &Tree, offset: TextSize) -> Option<Hover> {
    let definition_of_mention = definition_of_mention(tree, offset)?;
    let property = hover(tree, definition_of_mention.target.start)?;
    Some(Hover { range: definition_of_mention.name, ..property })
}

/// The property at `offset` (in bytes) that a key, a list of names or a path names.
pub(crate) fn property(view: View<'_>, offset: TextSize) -> Option<Property> {
    resources::property(view, offset).or_else(|| {
        let document = document_at(view.tree, offset)?;
        let reader = Reader::new(document);
        let mention = mention_at(document, &reader, offset)?;
        declared_at(document, &reader, offset, &mention.property)
    })
}

/// All places of a definition that name the property at `offset` (in bytes), its key first; or all places
/// that name the macro's variable at `offset`.
pub(crate) fn references(
    source: Source<'_>,
    view: View<'_>,
    offset: TextSize,
    caches: &mut Caches,
) -> Vec<TextRange> {
    let Some(document) = document_at(view.tree, offset) else { return Vec::new() };
    let reader = Reader::new(document);
    let mention = mention_at(document, &reader, offset);
    let key = mention.as_ref().and_then(|mention| key_of(document, &reader, mention));
    let start = key.map_or(offset, |key| key.start);
    let mut found = cel::references(source, start, caches);
    // If a rule names the property, the first place is the key.
    let at = found.first().map_or(start, |first| first.start);
    let Some(property) = resources::declared_by(document, &reader, at) else { return found };
    let mentions = rename::mentions(document, &reader, &property);
    if found.is_empty() {
        let path = crd::path_at(document, at).path;
        found.extend(document.root().map(|root| locate(root, &path, &reader).range));
    }
    let others: Vec<TextRange> = mentions.into_iter().filter(|range| !found.contains(range)).collect();
    found.extend(others);
    if let Some((_, rest)) = found.split_first_mut() {
        rest.sort();
    }
    found
}

/// The key of the property that `mention` names, if its schema declares it.
fn key_of<'t>(document: Document<'t>, reader: &Reader<'t>, mention: &Mention) -> Option<TextRange> {
    let located = locate(document.root()?, &mention.property, reader);
    located.exact.then_some(located.range)
}
