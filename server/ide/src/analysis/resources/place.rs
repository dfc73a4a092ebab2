//! The key or value at an offset, and its possible values.

use crd::customresource::ResourceVersion;
use crd::{FieldPath, OtherText};
use text::{TextRange, TextSize};
use yaml::{Document, Entry, Reader, Tree, Value, ValueKind};

use crate::analysis::catalog::FoundDefinition;
use crate::analysis::kind_corrections::intended_definition;
use crate::analysis::kinds::{Kind, objects};
use crate::analysis::resources::shape::{Member, SchemaNode, Shape};
use crate::{Settings, Surroundings};

/// The text that a feature reads, and its settings and surroundings.
#[derive(Clone, Copy)]
pub(crate) struct View<'s> {
    pub(crate) tree: &'s Tree,
    pub(crate) settings: &'s Settings,
    pub(crate) surroundings: &'s Surroundings,
}

/// A custom resource whose definition is known.
pub(crate) struct Resource<'t, 's> {
    pub(crate) value: Value<'t>,
    pub(crate) kind: Kind,
    pub(crate) definition: FoundDefinition<'s>,
}

/// A key or value.
pub(crate) struct ResourcePlace<'t, 's> {
    /// The mapping of the key, or the value itself.
    pub(crate) target: Target<'t>,
    /// The path from the root of the object to the value, or to the value of the key.
    pub(crate) path: FieldPath,
    /// For a key, the shape of its mapping; for a value, its own shape.
    pub(crate) shape: Shape<'s>,
    /// The innermost entry with this key or value.
    pub(crate) entry: Option<Entry<'t>>,
    /// Whether it is within brackets or braces.
    pub(crate) in_flow: bool,
    /// The field with this key or value; `None` if it is unknown.
    pub(crate) member: Option<Member<'s>>,
}

/// The part of the text at an offset.
#[derive(Clone, Copy)]
pub(crate) enum Target<'t> {
    /// A key in this mapping.
    Key(Value<'t>),
    /// A scalar, an alias, an absent value, or a pair of empty brackets.
    Value(Value<'t>),
}

impl<'t, 's> Resource<'t, 's> {
    /// The resource at `offset` (in bytes), if its definition is known.
    pub(crate) fn at(
        document: Document<'t>,
        reader: &Reader<'t>,
        surroundings: &'s Surroundings,
        offset: TextSize,
    ) -> Option<Self> {
        Self::all(document, reader, surroundings, |value| value.range().touches(offset)).next()
    }

    /// The resources in `document` whose definitions are known, with the intended kind if theirs is misspelt.
    pub(crate) fn all(
        document: Document<'t>,
        reader: &Reader<'t>,
        surroundings: &'s Surroundings,
        is_wanted: impl Fn(Value<'t>) -> bool,
    ) -> impl Iterator<Item = Self> {
        let objects = objects(document, reader).into_iter();
        objects.filter(move |(_, value, _)| is_wanted(*value)).filter_map(|(_, value, kind)| {
            let Surroundings { catalog, source, .. } = surroundings;
            let (kind, definition) = match catalog.validating_definition(&kind, source) {
                Some(definition) => (kind, definition),
                None => intended_definition(catalog, &kind, source)?,
            };
            Some(Self { value, kind, definition })
        })
    }

    /// Its version in the definition.
    pub(crate) fn version(&self) -> Option<&'s ResourceVersion> {
        self.definition.version(&self.kind.version)
    }

    /// Whether the server drops that field of `value` on create: its status, if that is a subresource.
    pub(crate) fn drops(&self, value: Value<'_>, name: &str) -> bool {
        let is_itself = value.range() == self.value.range();
        name == "status" && is_itself && self.version().is_some_and(|version| version.has_status)
    }

    /// Its shape; open if the version is not known.
    pub(crate) fn shape(&self) -> Shape<'s> {
        self.definition.shape(&self.kind.version)
    }
}

impl<'s> FoundDefinition<'s> {
    /// The version `name`.
    fn version(&self, name: &str) -> Option<&'s ResourceVersion> {
        self.definition.versions.iter().find(|version| version.name == name)
    }

    /// The shape of resources of `version`; open if the definition does not have that version.
    pub(crate) fn shape(&self, version: &str) -> Shape<'s> {
        let schema = self.version(version).and_then(|version| version.schema.as_ref());
        let text = self.loaded.text.buffer();
        schema.map_or(Shape::Open, |(schema, base)| Shape::Schema(SchemaNode::root(schema, *base, text)))
    }
}

/// Returns the key or value at `offset` (in bytes) below `root`, which has that `shape`. `None` on white
/// space, in comments and below keys that cannot be read. Unknown fields are open. It descends in a loop.
pub(crate) fn find<'t, 's>(
    root: Value<'t>,
    shape: Shape<'s>,
    offset: TextSize,
) -> Option<ResourcePlace<'t, 's>> {
    let place = ResourcePlace {
        target: Target::Value(root),
        path: FieldPath::root(),
        shape,
        entry: None,
        in_flow: false,
        member: None,
    };
    descend(place, root, offset)
}

/// The same below `value`, which is at `place`.
pub(crate) fn descend<'t, 's>(
    mut place: ResourcePlace<'t, 's>,
    mut value: Value<'t>,
    offset: TextSize,
) -> Option<ResourcePlace<'t, 's>> {
    loop {
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                place.in_flow |= mapping.is_flow();
                let Some(entry) = mapping.entries_touching(TextRange::empty(offset)).next_back() else {
                    let is_empty = mapping.entries().next().is_none() && value.range().touches(offset);
                    place.target = Target::Value(value);
                    return is_empty.then_some(place);
                };
                let key = entry.key_text()?;
                place.entry = Some(entry);
                let member = place.shape.member(&key);
                match member.as_ref().is_none_or(|member| member.is_named) {
                    true => place.path.push_name(key.into_owned()),
                    false => place.path.push_key(&key),
                }
                if entry.key_range().touches(offset) {
                    place.target = Target::Key(value);
                    place.member = member;
                    return Some(place);
                }
                value = entry.value();
                place.shape = member.as_ref().map_or(Shape::Open, |member| member.shape);
                place.member = member;
            }
            ValueKind::Sequence(sequence) => {
                place.in_flow |= sequence.is_flow();
                let items = sequence.items().enumerate();
                let Some((index, item)) = items.filter(|(_, item)| item.range().touches(offset)).last()
                else {
                    let is_empty = sequence.items().next().is_none() && value.range().touches(offset);
                    place.target = Target::Value(value);
                    return is_empty.then_some(place);
                };
                place.path.push_index(index);
                let shape = place.shape.item();
                place.member = place.member.filter(|_| shape.is_some());
                place.shape = shape.unwrap_or(Shape::Open);
                value = item.value();
            }
            ValueKind::Scalar(_) | ValueKind::Alias(_) | ValueKind::Absent => {
                place.target = Target::Value(value);
                let is_here = matches!(value.kind(), ValueKind::Absent) || value.range().touches(offset);
                return is_here.then_some(place);
            }
        }
    }
}

impl ResourcePlace<'_, '_> {
    /// Its range.
    pub(crate) fn range(&self) -> TextRange {
        match self.target {
            Target::Key(_) => self.entry.map(Entry::key_range).unwrap_or_default(),
            Target::Value(value) => value.range(),
        }
    }

    /// Whether it is this field of the object itself, or its value.
    pub(crate) fn is_head(&self, name: &str) -> bool {
        matches!(self.path.segments(), [only] if only.key() == Some(name))
    }
}
