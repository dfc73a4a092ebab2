//! Keys that are missing above their values: the fields that can have a value, by the shape of the object
//! around it.

use api::FieldType;
use text::TextSize;
use yaml::{Document, Mapping, Reader, Value, ValueKind};

use crate::Surroundings;
use crate::analysis::resources::Shape;
use crate::analysis::resources::place::Resource;
use crate::analysis::text_at::values_to;
use crate::analysis::values::{own_entry, string};

const PROPERTIES: &str = "properties";
const REQUIRED: &str = "required";
/// The likeliest of several fields of a schema that can have a value.
const LIKELY: [&str; 3] = [PROPERTIES, "items", REQUIRED];

/// The key for the value of the entry at `offset` of `document`, whose own key is a placeholder: the only free
/// field of the enclosing object that can have this value, or the name of a required property that the schema
/// does not declare. `None` if the key is unknown.
pub(crate) fn key_of_placeholder(
    document: Document<'_>,
    surroundings: &Surroundings,
    offset: TextSize,
) -> Option<String> {
    let reader = Reader::new(document);
    let root = shape_of(document, &reader, surroundings)?;
    let (mut path, mut above) = (Vec::new(), Vec::new());
    for value in values_to(document, offset + 1) {
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                let entry = mapping.entry_before(offset + 1)?;
                above.push(value);
                if entry.key_range().start == offset {
                    let shape = shape_at(root, &path)?;
                    return field_for(shape, value, entry.value()).or_else(|| undeclared_property(&above));
                }
                path.push(Step::Name(entry.key_text()?.into_owned()));
            }
            ValueKind::Sequence(_) => path.push(Step::Index),
            _ => return None,
        }
    }
    None
}

/// The only free field of `holder`, which has the shape `shape`, that can have `value`, or the likeliest one.
fn field_for(shape: Shape<'_>, holder: Value<'_>, value: Value<'_>) -> Option<String> {
    let free = shape.members().into_iter().filter(|member| {
        member.is_named && own_entry(holder, &member.name).is_none() && fits(member.shape, value)
    });
    let fields: Vec<String> = free.map(|member| member.name.into_owned()).collect();
    match &*fields {
        [one] => Some(one.clone()),
        _ => fields.into_iter().find(|field| LIKELY.contains(&&**field)),
    }
}

/// The first property that a schema requires and does not declare; the last of `above` are the schema and its
/// `properties`.
fn undeclared_property(above: &[Value<'_>]) -> Option<String> {
    let [.., schema, properties] = above else { return None };
    own_entry(*schema, PROPERTIES).filter(|entry| entry.value().range() == properties.range())?;
    let required = own_entry(*schema, REQUIRED)?.value().as_sequence()?;
    let mut names = required.items().filter_map(|item| string(item.value()));
    names.find(|name| own_entry(*properties, name).is_none())
}

/// A step on the way to a mapping.
pub(crate) enum Step {
    Name(String),
    Index,
}

/// The shape of a document, if it is a definition or a resource with a known definition; otherwise `None`.
pub(crate) fn shape_of<'s>(
    document: Document<'_>,
    reader: &Reader<'_>,
    surroundings: &'s Surroundings,
) -> Option<Shape<'s>> {
    let whole = document.root()?.range();
    let definitions = crd::object::definitions(document, reader);
    if let Some(definition) = definitions.first() {
        let is_whole = definition.value().range() == whole;
        return is_whole.then(|| Shape::Api(FieldType::Object(definition.object_type())));
    }
    let mut resources = Resource::all(document, reader, surroundings, |value| value.range() == whole);
    resources.next().map(|resource| resource.shape())
}

/// The shape at `path` below `root`.
pub(crate) fn shape_at<'s>(root: Shape<'s>, path: &[Step]) -> Option<Shape<'s>> {
    path.iter().try_fold(root, |shape, step| match step {
        Step::Name(name) => Some(shape.member(name)?.shape),
        Step::Index => shape.item(),
    })
}

/// Whether `value` can have the shape `shape`, by the names of its keys.
pub(crate) fn fits(shape: Shape<'_>, value: Value<'_>) -> bool {
    match value.kind() {
        ValueKind::Mapping(mapping) if shape.members().is_empty() => {
            let is_of = |entry: yaml::Entry<'_>| {
                let member = entry.key_text().and_then(|key| shape.member(&key));
                member.is_some_and(|member| fits(member.shape, entry.value()))
            };
            mapping.entries().next().is_some() && mapping.entries().all(is_of)
        }
        ValueKind::Mapping(mapping) => has_keys(shape, mapping),
        ValueKind::Sequence(list) => {
            let item = shape.item().filter(|_| shape.is_list());
            let is_of = |one: yaml::Item<'_>| item.is_some_and(|item| fits(item, one.value()));
            list.items().next().is_some() && list.items().all(is_of)
        }
        ValueKind::Scalar(_) => match shape {
            Shape::Api(ty) => matches!(ty, FieldType::String),
            Shape::Schema(_) => !shape.is_list() && !shape.is_object(),
            Shape::Open => false,
        },
        _ => false,
    }
}

/// Whether all keys of `mapping` are fields of `shape`, and for a schema, whether they include enough of
/// them.
pub(crate) fn has_keys(shape: Shape<'_>, mapping: Mapping<'_>) -> bool {
    let is_field = |entry: yaml::Entry<'_>| {
        let member = entry.key_text().and_then(|key| shape.member(&key));
        member.is_some_and(|member| member.is_named)
    };
    let states_type = |entry: yaml::Entry<'_>| {
        entry.key_text().is_some_and(|key| key == "type" || key == "properties" || key.starts_with("x-"))
    };
    let is_schema = match shape {
        Shape::Api(ty) => ty.is_schema(),
        _ => false,
    };
    mapping.entries().next().is_some()
        && mapping.entries().all(is_field)
        && (!is_schema || mapping.entries().any(states_type))
}
