//! Navigation from the fields of resources to the schema, and back.

use crd::{FieldPath, LocatedPart, Segment, path_at};
use text::{TextRange, TextSize};
use yaml::{Document, Entry, Mapping, Reader, Tree, Value, ValueKind};

use crate::Definition;
use crate::analysis::catalog::{DefinedName, name};
use crate::analysis::kinds::objects;
use crate::analysis::resources::place::{Resource, View, find};
use crate::analysis::resources::shape::Shape;
use crate::analysis::text_at::{definition_at, document_at};

/// The maximum number of uses in one text.
const MOST: usize = 1_000;

/// A property of a kind of resources, as a schema declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub(crate) group: String,
    pub(crate) kind: String,
    /// The version whose schema declares it; `None` if all versions have one schema.
    pub(crate) version: Option<String>,
    pub(crate) steps: Vec<PropertyStep>,
}

/// One step from a resource down to a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PropertyStep {
    /// The field of that name.
    Field(String),
    /// Each value of a map.
    AnyKey,
    /// Each item of a list.
    AnyItem,
}

impl Property {
    /// Words that every text has in which a resource sets it.
    #[must_use]
    pub fn words(&self) -> [&str; 2] {
        let name = self.steps.iter().rev().find_map(|step| match step {
            PropertyStep::Field(name) => Some(name.as_str()),
            _ => None,
        });
        [&self.kind, name.unwrap_or_default()]
    }

    /// The keys by which resources in `text` set it, in bytes.
    #[must_use]
    pub fn uses(&self, text: &str) -> Vec<TextRange> {
        self.uses_in(&Tree::parse(text))
    }

    /// The same for a tree.
    pub(crate) fn uses_in(&self, tree: &Tree) -> Vec<TextRange> {
        let mut found = Vec::new();
        for document in tree.documents() {
            let reader = Reader::new(document);
            for (_, value, kind) in objects(document, &reader) {
                let is_of = (&kind.group, &kind.kind) == (&self.group, &self.kind);
                if is_of && self.version.as_ref().is_none_or(|version| *version == kind.version) {
                    collect(value, &self.steps, &mut |_, entry| {
                        found.push(entry.key_range());
                        found.len() < MOST
                    });
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }
}

/// Passes the entries at the end of `steps` below `value` to `take`, each with its mapping, until `take`
/// returns `false`. Each step is one level deeper, so the depth is limited by that of a schema.
pub(crate) fn collect<'t>(
    value: Value<'t>,
    steps: &[PropertyStep],
    take: &mut dyn FnMut(Mapping<'t>, Entry<'t>) -> bool,
) -> bool {
    let Some((step, rest)) = steps.split_first() else { return true };
    match (step, value.kind()) {
        (PropertyStep::AnyItem, ValueKind::Sequence(sequence)) => {
            sequence.items().all(|item| collect(item.value(), rest, take))
        }
        (PropertyStep::AnyKey | PropertyStep::Field(_), ValueKind::Mapping(mapping)) => {
            let is_at_step = |entry: &Entry<'_>| match step {
                PropertyStep::Field(name) => entry.key_text().as_deref() == Some(name),
                _ => true,
            };
            mapping.entries().filter(is_at_step).all(|entry| match rest {
                [] => take(mapping, entry),
                _ => collect(entry.value(), rest, take),
            })
        }
        _ => true,
    }
}

/// The definition of the key or value at `offset` (in bytes) of a resource: the property of the schema, or
/// for the kind and the version the whole definition.
pub(crate) fn definition(view: View<'_>, offset: TextSize) -> Option<Definition> {
    let document = document_at(view.tree, offset)?;
    let reader = Reader::new(document);
    let resource = Resource::at(document, &reader, view.surroundings, offset)?;
    let place = find(resource.value, resource.shape(), offset)?;
    let target = if place.is_head("kind") || place.is_head("apiVersion") {
        resource.definition.definition.kind_range
    } else {
        let member = place.member.as_ref()?;
        let of_map = || member.shape.schema().map(|node| TextRange::empty(node.base));
        member.key.or_else(of_map)?
    };
    Some(Definition { name: place.range(), target, elsewhere: Some(resource.definition.other_source()) })
}

/// The property that the key at `offset` (in bytes) declares in a definition or sets in a resource.
pub(crate) fn property(view: View<'_>, offset: TextSize) -> Option<Property> {
    let document = document_at(view.tree, offset)?;
    let reader = Reader::new(document);
    declared_by(document, &reader, offset).or_else(|| property_set_at(view, document, &reader, offset))
}

/// The property that the key at `offset` (in bytes) declares in a definition.
pub(crate) fn declared_by<'t>(
    document: Document<'t>,
    reader: &Reader<'t>,
    offset: TextSize,
) -> Option<Property> {
    let at = path_at(document, offset);
    if at.part != LocatedPart::Key {
        return None;
    }
    declared_at(document, reader, offset, &at.path)
}

/// The property at the end of `path` in the definition at `offset` (in bytes).
pub(crate) fn declared_at<'t>(
    document: Document<'t>,
    reader: &Reader<'t>,
    offset: TextSize,
    path: &FieldPath,
) -> Option<Property> {
    let definition = definition_at(document, reader, offset)?;
    let DefinedName { group, kind, .. } = name(&definition)?;
    let schemas = definition.schemas();
    let schema = schemas.iter().find(|schema| path.starts_with(&schema.path))?;
    let steps = steps_below(&schema.path, path)?;
    let version = match schema.version {
        Some(index) => {
            Some(definition.versions().find(|version| version.index == index)?.name()?.into_owned())
        }
        None => None,
    };
    Some(Property { group, kind, version, steps })
}

/// The steps in a resource to the property at `path`, in the schema at `schema`; `None` if `path` is not a
/// property.
fn steps_below(schema: &FieldPath, path: &FieldPath) -> Option<Vec<PropertyStep>> {
    let mut keywords = path.strip_prefix(schema)?.iter();
    let mut steps = Vec::new();
    while let Some(keyword) = keywords.next() {
        match keyword.key()? {
            "properties" => steps.push(PropertyStep::Field(keywords.next()?.key()?.to_owned())),
            "items" => steps.push(PropertyStep::AnyItem),
            "additionalProperties" => steps.push(PropertyStep::AnyKey),
            "allOf" | "anyOf" | "oneOf" => drop(keywords.next()?),
            "not" => {}
            _ => return None,
        }
    }
    let is_property =
        |segments: &[Segment]| matches!(segments, [.., before, _] if before.key() == Some("properties"));
    is_property(path.segments()).then_some(steps)
}

fn property_set_at<'t>(
    view: View<'_>,
    document: Document<'t>,
    reader: &Reader<'t>,
    offset: TextSize,
) -> Option<Property> {
    let resource = Resource::at(document, reader, view.surroundings, offset)?;
    let place = find(resource.value, resource.shape(), offset)?;
    let range = place.range();
    let is_key = place.entry.is_some_and(|entry| entry.key_range() == range);
    place.member.as_ref().filter(|member| is_key && member.key.is_some())?;
    let mut shape = resource.shape();
    let mut steps = Vec::new();
    for segment in place.path.segments() {
        shape = match segment.key() {
            Some(key) => {
                let member = shape.member(key)?;
                steps.push(if member.is_named {
                    PropertyStep::Field(key.to_owned())
                } else {
                    PropertyStep::AnyKey
                });
                member.shape
            }
            None => {
                steps.push(PropertyStep::AnyItem);
                shape.item().unwrap_or(Shape::Open)
            }
        };
    }
    let kind = resource.kind;
    Some(Property { group: kind.group, kind: kind.kind, version: Some(kind.version), steps })
}
