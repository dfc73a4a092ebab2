//! From an offset down to the key or value there, with what it may be.

use crd::customresource::ResourceVersion;
use crd::{FieldPath, OtherText};
use text::{TextRange, TextSize};
use yaml::{Document, Entry, Reader, Tree, Value, ValueKind};

use crate::analysis::catalog::FoundDefinition;
use crate::analysis::kinds::{Kind, objects};
use crate::analysis::resources::shape::{Member, SchemaNode, Shape};
use crate::{Settings, Surroundings};

/// What is asked about.
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
    /// What it is part of, or itself is.
    pub(crate) target: Target<'t>,
    /// From the root of the object to the value, or to the value behind the key.
    pub(crate) path: FieldPath,
    /// Of a key, what the mapping that it stands in may be; of a value, what itself may be.
    pub(crate) shape: Shape<'s>,
    /// The innermost entry that it is the value of, or that it is the key of.
    pub(crate) entry: Option<Entry<'t>>,
    /// Whether it stands within brackets or braces.
    pub(crate) in_flow: bool,
    /// The field that it is the key of, or a part of the value of; none where nobody knows it.
    pub(crate) member: Option<Member<'s>>,
}

/// What an offset is on.
#[derive(Clone, Copy)]
pub(crate) enum Target<'t> {
    /// A key in this mapping.
    Key(Value<'t>),
    /// A scalar, an alias, nothing, or a pair of empty brackets.
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

    /// The resources in `document` whose definitions are known.
    pub(crate) fn all(
        document: Document<'t>,
        reader: &Reader<'t>,
        surroundings: &'s Surroundings,
        is_wanted: impl Fn(Value<'t>) -> bool,
    ) -> impl Iterator<Item = Self> {
        let objects = objects(document, reader).into_iter();
        objects.filter(move |(_, value, _)| is_wanted(*value)).filter_map(|(_, value, kind)| {
            let definition = surroundings.catalog.judge(&kind, &surroundings.source)?;
            Some(Self { value, kind, definition })
        })
    }

    /// What the definition says of its version.
    pub(crate) fn version(&self) -> Option<&'s ResourceVersion> {
        self.definition.known.versions.iter().find(|version| version.name == self.kind.version)
    }

    /// Whether the server drops that field of `value` on create: its status, where that is a subresource.
    pub(crate) fn drops(&self, value: Value<'_>, name: &str) -> bool {
        let is_itself = value.range() == self.value.range();
        name == "status" && is_itself && self.version().is_some_and(|version| version.has_status)
    }

    /// What it may be; open where the version is not known.
    pub(crate) fn shape(&self) -> Shape<'s> {
        let schema = self.version().and_then(|version| version.schema.as_ref());
        let text = self.definition.loaded.text.buffer();
        schema.map_or(Shape::Open, |(schema, base)| Shape::Schema(SchemaNode::root(schema, *base, text)))
    }
}

/// The key or value at `offset` (in bytes) below `root`, which may be `shape`; none on white space, in comments and in
/// what has no key that can be read. Fields that nobody knows are open. Goes down in a loop.
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
    /// Where it stands.
    pub(crate) fn range(&self) -> TextRange {
        match self.target {
            Target::Key(_) => self.entry.map(Entry::key_range).unwrap_or_default(),
            Target::Value(value) => value.range(),
        }
    }

    /// Whether it is, or is behind, this field of the object itself.
    pub(crate) fn is_head(&self, name: &str) -> bool {
        matches!(self.path.segments(), [only] if only.key() == Some(name))
    }
}
