//! Converts field paths to places in the text, and back.

use crate::reading::item_range;
use std::borrow::Cow;

use api::{CUSTOM_RESOURCE_DEFINITION_V1, CUSTOM_RESOURCE_DEFINITION_V1BETA1, FieldType};
use text::{TextRange, TextSize};
use yaml::{Document, Mapping, Reader, Sequence, Value, ValueKind};

use crate::field_path::{FieldPath, Segment};
use crate::object::api_version;
use crate::report::ApiVersion;

/// The place of a field, or its nearest existing ancestor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocatedField {
    /// The key (or the item) of the field, or of the nearest existing ancestor; in bytes of the file.
    pub range: TextRange,
    /// Whether the field itself exists.
    pub exact: bool,
}

/// The part of a field at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocatedPart {
    /// The key.
    Key,
    /// The value, or the text between key and value.
    Value,
}

/// A field at an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldAt {
    /// The path of the innermost field there.
    pub path: FieldPath,
    /// The part of the field at the offset.
    pub part: LocatedPart,
}

/// The place of `path` below `root`, to which the path's first step applies.
#[must_use]
pub fn locate<'t>(root: Value<'t>, path: &FieldPath, reader: &Reader<'t>) -> LocatedField {
    let mut located = LocatedField { range: TextRange::empty(root.range().start), exact: path.is_empty() };
    let mut value = root;
    for segment in path.segments() {
        let Some((range, below)) = step(value, segment, reader) else {
            return LocatedField { exact: false, ..located };
        };
        located = LocatedField { range, exact: true };
        value = below;
    }
    located
}

/// The value of `path` below `root`, with aliases resolved.
#[must_use]
pub fn value_at<'t>(root: Value<'t>, path: &[Segment], reader: &Reader<'t>) -> Option<Value<'t>> {
    let value =
        path.iter().try_fold(root, |value, segment| step(value, segment, reader).map(|(_, below)| below))?;
    reader.follow(value)
}

fn step<'t>(value: Value<'t>, segment: &Segment, reader: &Reader<'t>) -> Option<(TextRange, Value<'t>)> {
    let value = reader.follow(value)?;
    match segment {
        Segment::Index(index) => {
            let item = value.as_sequence()?.items().nth(*index)?;
            Some((item_range(item), item.value()))
        }
        Segment::Name(key) => entry(value, key, reader),
        Segment::Key(key) => entry(value, key, reader),
    }
}

fn entry<'t>(value: Value<'t>, key: &str, reader: &Reader<'t>) -> Option<(TextRange, Value<'t>)> {
    let entry = reader.entry(value.as_mapping()?, key)?;
    Some((entry.key_range(), entry.value()))
}

/// The innermost field of `document` at `offset` (in bytes), as written: aliases are not resolved.
#[must_use]
pub fn path_at(document: Document<'_>, offset: TextSize) -> FieldAt {
    let mut found = FieldAt { path: FieldPath::root(), part: LocatedPart::Value };
    let Some(root) = document.root() else { return found };
    let mut next = Some((root, root_type(document)));
    while let Some((value, ty)) = next {
        next = match value.kind() {
            ValueKind::Mapping(mapping) => descend_mapping(mapping, offset, ty, &mut found),
            ValueKind::Sequence(sequence) => descend_sequence(sequence, offset, ty, &mut found),
            _ => None,
        };
        if found.part == LocatedPart::Key {
            break;
        }
    }
    found
}

type NextValue<'t> = Option<(Value<'t>, Option<FieldType>)>;

fn descend_mapping<'t>(
    mapping: Mapping<'t>,
    offset: TextSize,
    ty: Option<FieldType>,
    found: &mut FieldAt,
) -> NextValue<'t> {
    let entry =
        mapping.entries_touching(TextRange::empty(offset)).rfind(|entry| entry.range().touches(offset))?;
    let key = match (entry.key_text(), entry.key().as_scalar()) {
        (Some(text), _) => text,
        (None, Some(scalar)) => scalar.text(),
        (None, None) => return None,
    };
    let (segment, below) = field(ty, key);
    found.path.push(segment);
    if entry.key_range().touches(offset) {
        found.part = LocatedPart::Key;
        return None;
    }
    Some((entry.value(), below)).filter(|(value, _)| value.range().touches(offset))
}

fn descend_sequence<'t>(
    sequence: Sequence<'t>,
    offset: TextSize,
    ty: Option<FieldType>,
    found: &mut FieldAt,
) -> NextValue<'t> {
    let (index, item) =
        sequence.items().enumerate().filter(|(_, item)| item.range().touches(offset)).last()?;
    found.path.push_index(index);
    Some((item.value(), ty.and_then(FieldType::item))).filter(|(value, _)| value.range().touches(offset))
}

/// The step to `key` in a value of type `ty`, and the type of the member.
fn field(ty: Option<FieldType>, key: Cow<'_, str>) -> (Segment, Option<FieldType>) {
    if let Some(FieldType::Map(member)) = ty {
        return (Segment::Key(key.as_ref().into()), Some(*member));
    }
    let object = ty.and_then(FieldType::object);
    let below = object.and_then(|object| object.field(&key)).map(|field| field.ty);
    (Segment::Name(key.into_owned().into()), below)
}

fn root_type(document: Document<'_>) -> Option<FieldType> {
    let mapping = document.root()?.as_mapping()?;
    let reader = Reader::new(document);
    Some(FieldType::Object(match api_version(mapping, &reader)? {
        ApiVersion::V1 => &CUSTOM_RESOURCE_DEFINITION_V1,
        ApiVersion::V1Beta1 => &CUSTOM_RESOURCE_DEFINITION_V1BETA1,
    }))
}
