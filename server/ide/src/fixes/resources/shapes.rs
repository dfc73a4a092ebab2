//! Values of a resource in another shape: an object in place of a list of named items, a list of names and values
//! in place of an object, and a text in place of an object.

use api::{FieldType, split_without_colon};
use crd::schema::structural::Structural;
use yaml::edit::{NewEntry, NewValue};
use yaml::scalar::{ResolvedScalar, ScalarStyle};
use yaml::{Entry, Scalar, Value, ValueKind};

use crate::analysis::resources::Shape;
use crate::analysis::resources::place::{ResourcePlace, Target};
use crate::analysis::values::{own_entry, string, text};
use crate::fixes::rewrite::in_style_of;

/// The fields of an item that have the name of a value and the value.
const NAMES: [&str; 2] = ["name", "key"];
const VALUE: &str = "value";
/// The maximum number of characters of a value that a title repeats.
const MOST_SHOWN: usize = 40;

/// The conversion of a value to the shape that the schema requires.
pub(super) struct Conversion<'t> {
    pub(super) title: String,
    pub(super) value: Value<'t>,
    pub(super) new: NewValue<'t>,
}

/// The conversion of the value at `place`, whose key has the finding.
pub(super) fn conversion<'t>(place: &ResourcePlace<'t, '_>) -> Option<Conversion<'t>> {
    let Target::Key(_) = place.target else { return None };
    let (entry, shape) = (place.entry?, place.member.as_ref()?.shape);
    let (value, key) = (entry.value(), entry.key_text()?);
    let (title, new) = match value.kind() {
        ValueKind::Mapping(_) => {
            let items = named_items(value, shape.item()?)?;
            let list = NewValue::Sequence { items, flow: value.is_flow() };
            (format!("Convert the keys of `{key}` to a list"), list)
        }
        ValueKind::Sequence(_) if takes_text(shape) => {
            let entries = named_values(value)?;
            let object = NewValue::Mapping { entries, flow: value.is_flow() };
            (format!("Convert the items of `{key}` to keys"), object)
        }
        ValueKind::Sequence(_) if shape.is_object() => {
            let entries = joined_items(value, shape)?;
            let object = NewValue::Mapping { entries, flow: value.is_flow() };
            (format!("Convert the items of `{key}` to keys"), object)
        }
        _ => return None,
    };
    Some(Conversion { title, value, new })
}

/// The list of the shape `shape` that the text `value` represents: its parts between commas, or one item. `None` if the
/// value is no text, or the shape no list.
pub(super) fn list_of<'t>(value: Value<'t>, shape: Shape<'_>) -> Option<NewValue<'t>> {
    let scalar = value.as_scalar().filter(|scalar| !scalar.style().is_block())?;
    let item = shape.item().filter(|_| shape.is_list())?;
    let text = scalar.text();
    if item.is_object() {
        let name = field_of_value(item, &text, "string").filter(|_| !text.is_empty())?;
        let entries = vec![NewEntry::new(name, in_style_of(scalar, &text))];
        let items = vec![NewValue::Mapping { entries, flow: false }];
        return Some(NewValue::Sequence { items, flow: false });
    }
    let parts: Vec<&str> = text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    let items = match parts.as_slice() {
        [_, _, ..] => parts.into_iter().map(|part| NewValue::Raw(yaml::edit::quoted(part, true))).collect(),
        _ => vec![NewValue::Copy(value)],
    };
    Some(NewValue::Sequence { items, flow: true })
}

/// The entries of the items of `list`, each another field of the shape `shape`.
fn joined_items<'t>(list: Value<'t>, shape: Shape<'_>) -> Option<Vec<NewEntry<'t>>> {
    let mut names: Vec<String> = Vec::new();
    let mut entries = Vec::new();
    for item in list.as_sequence()?.items() {
        for entry in item.value().as_mapping()?.entries() {
            let name = entry.key_text()?.into_owned();
            let is_field = shape.member(&name).is_some_and(|member| member.is_named);
            if !is_field || names.contains(&name) {
                return None;
            }
            names.push(name);
            entries.push(NewEntry::copy(entry)?);
        }
    }
    Some(entries).filter(|entries| !entries.is_empty())
}

/// A list in place of a scalar, and its only item.
pub(super) struct OneScalarList<'t> {
    pub(super) list: Value<'t>,
    pub(super) item: Value<'t>,
}

/// The list at `place`, if it has a single item where a scalar is required.
pub(super) fn one_scalar_list<'t>(place: &ResourcePlace<'t, '_>) -> Option<OneScalarList<'t>> {
    let (value, shape) = match place.target {
        Target::Key(_) => (place.entry?.value(), place.member.as_ref()?.shape),
        Target::Value(value) => (value, place.shape),
    };
    let takes_scalar = is_text(shape)
        || shape.schema().is_some_and(|node| {
            let name = &*node.schema.generic.type_name;
            matches!(name, "integer" | "number" | "boolean") || node.schema.extensions.int_or_string
        });
    let mut items = value.as_sequence()?.items();
    let (Some(only), None) = (items.next(), items.next()) else { return None };
    (takes_scalar && only.value().as_scalar().is_some())
        .then(|| OneScalarList { list: value, item: only.value() })
}

/// Whether the values are texts.
fn is_text(shape: Shape<'_>) -> bool {
    match shape {
        Shape::Schema(node) => &*node.schema.generic.type_name == "string",
        Shape::Api(ty) => matches!(ty, FieldType::String),
        Shape::Open => false,
    }
}

/// Whether the values are objects whose keys the author chooses, with texts as values.
pub(super) fn takes_text(shape: Shape<'_>) -> bool {
    shape.member("").is_some_and(|member| !member.is_named && is_text(member.shape))
}

/// The entries of `object` as items with the shape `item`, each with its key as its name.
fn named_items<'t>(object: Value<'t>, item: Shape<'_>) -> Option<Vec<NewValue<'t>>> {
    let members = item.members();
    let mut identifying = members.iter().filter(|member| member.identifies);
    let name = match (identifying.next(), identifying.next()) {
        (Some(only), None) => only,
        _ => members.iter().find(|member| NAMES.contains(&&*member.name))?,
    };
    let is_field = |key: &str| members.iter().any(|member| member.name == key && member.name != name.name);
    let mapping = object.as_mapping()?;
    let new = |entry: Entry<'t>| {
        let mut fields = vec![NewEntry::new(name.name.to_string(), text(&*entry.key_text()?))];
        match entry.value().kind() {
            ValueKind::Mapping(inner) => {
                for field in inner.entries() {
                    field.key_text().filter(|key| is_field(key))?;
                    fields.push(NewEntry::copy(field)?);
                }
            }
            ValueKind::Scalar(_) if is_field(VALUE) => {
                fields.push(NewEntry::new(VALUE, NewValue::Copy(entry.value())));
            }
            _ => return None,
        }
        Some(NewValue::Mapping { entries: fields, flow: mapping.is_flow() })
    };
    let items: Option<Vec<NewValue<'t>>> = mapping.entries().map(new).collect();
    // A key that is a field of the items shows a single item without its dash.
    let has_fields = mapping.entries().any(|entry| {
        entry.key_text().is_some_and(|key| members.iter().any(|member| member.is_named && member.name == key))
    });
    items.filter(|items| !items.is_empty() && !has_fields)
}

/// The items of `list` as entries, if each consists of another name and a value.
fn named_values<'t>(list: Value<'t>) -> Option<Vec<NewEntry<'t>>> {
    let mut names: Vec<String> = Vec::new();
    let entry = |item: yaml::Item<'t>| {
        let mut entries = item.value().as_mapping()?.entries();
        let (first, second) = (entries.next()?, entries.next());
        let (name, value) = match second {
            None => (first.key_text()?.into_owned(), first.value()),
            Some(_) => {
                let name = NAMES.iter().find_map(|name| own_entry(item.value(), name))?;
                (string(name.value())?, own_entry(item.value(), VALUE)?.value())
            }
        };
        let is_new = !names.contains(&name);
        names.push(name.clone());
        (is_new && entries.next().is_none() && value.as_scalar().is_some())
            .then(|| NewEntry::new(name, NewValue::Copy(value)))
    };
    let entries: Option<Vec<NewEntry<'t>>> = list.as_sequence()?.items().map(entry).collect();
    entries.filter(|entries| !entries.is_empty())
}

/// The entries that a text in place of an object at `place` represents: fields without their colons, or the value
/// of the field that it must belong to.
pub(super) fn fields_of<'t>(
    place: &ResourcePlace<'_, '_>,
    scalar: Scalar<'_>,
) -> Option<(String, Vec<NewEntry<'t>>)> {
    let written = scalar.text();
    let is_plain = scalar.style() == ScalarStyle::Plain;
    if is_plain && takes_text(place.shape) {
        return pairs(&written);
    }
    if is_plain
        && let Some((name, rest)) = split_without_colon(&written).filter(|(_, rest)| !rest.is_empty())
        && let Some(member) = place.shape.member(name)
    {
        let rest = rest.trim_start_matches([':', '=']).trim_start().to_owned();
        let entry = NewEntry::new(member.name.to_string(), NewValue::Raw(rest));
        return Some((format!("Add `:` after `{name}`"), vec![entry]));
    }
    let type_name = match yaml::scalar::resolve(written.as_ref().into(), scalar.style(), None) {
        Ok(ResolvedScalar::Bool(_)) => "boolean",
        Ok(ResolvedScalar::Int(_)) => "integer",
        _ => "string",
    };
    let name = field_of_value(place.shape, &written, type_name)?;
    let title = format!("Add `{name}:` before `{}`", text::start(&written, MOST_SHOWN));
    let value = match type_name {
        "string" => in_style_of(scalar, &written),
        _ => NewValue::Raw(written.into_owned()),
    };
    Some((title, vec![NewEntry::new(name, value)]))
}

/// The keys and values that `written` has, each with another character in place of the colon.
fn pairs<'t>(written: &str) -> Option<(String, Vec<NewEntry<'t>>)> {
    let pair = |part: &str| {
        let (key, value) = part.split_once(['=', ':'])?;
        let value = value.trim_matches(['"', '\'']);
        let is_pair = !key.is_empty() && !value.is_empty();
        is_pair.then(|| (key.to_owned(), value.to_owned()))
    };
    let mut words = written.split_whitespace();
    let found: Option<Vec<(String, String)>> = match (words.next(), words.next(), words.next()) {
        // The colon between a key and its value is missing.
        (Some(key), Some(value), None) if !written.contains(['=', ':', ',']) => {
            Some(vec![(key.to_owned(), value.to_owned())])
        }
        _ => written.split_whitespace().map(pair).collect(),
    };
    let found = found.filter(|found| !found.is_empty())?;
    let title = match found.as_slice() {
        [(key, _)] => format!("Add `:` after `{key}`"),
        _ => "Add `:` after each key".to_owned(),
    };
    let entries = found.into_iter().map(|(key, value)| NewEntry::new(key, text(value.as_str())));
    Some((title, entries.collect()))
}

/// The field of an object of the shape `shape` whose value `written` must be: the only required one, the one that
/// lists it, the name, or the only one.
fn field_of_value(shape: Shape<'_>, written: &str, type_name: &str) -> Option<String> {
    let node = shape.schema()?;
    let required = node.schema.only_required_text().filter(|_| type_name == "string");
    if let Some(name) = required {
        return Some(name.to_owned());
    }
    let of_type: Vec<(&str, &Structural)> = node
        .schema
        .properties
        .iter()
        .map(|(name, child)| (&**name, &*child.node))
        .filter(|(_, child)| &*child.generic.type_name == type_name)
        .collect();
    let lists = |value: &crd::value::Value| value.as_str() == Some(written);
    let mut listing =
        of_type.iter().filter(|(_, child)| child.value_validation.enumeration.iter().any(lists));
    if let (Some((name, _)), None) = (listing.next(), listing.next()) {
        return Some((*name).to_owned());
    }
    let free: Vec<&str> = of_type
        .iter()
        .filter(|(_, child)| child.value_validation.enumeration.is_empty())
        .map(|(name, _)| *name)
        .collect();
    match free.as_slice() {
        [only] => Some((*only).to_owned()),
        _ => free.iter().find(|name| **name == "name").map(|name| (*name).to_owned()),
    }
}
