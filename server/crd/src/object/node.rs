//! A field of a definition with its place, even if it is missing.

use std::borrow::Cow;

use api::{CUSTOM_RESOURCE_DEFINITION_V1, CUSTOM_RESOURCE_DEFINITION_V1BETA1, FieldType, Step};
use text::TextRange;
use yaml::scalar::{ResolvedScalar, ScalarStyle};
use yaml::{Reader, Value, ValueKind};

use crate::field_path::{FieldPath, Segment};
use crate::reading::integer;
use crate::reading::is_null;
use crate::reading::item_range;

/// A field as written; a missing field has the place where it would have to be added.
#[derive(Clone, Debug)]
pub(crate) struct Node<'r, 't> {
    reader: &'r Reader<'t>,
    /// The value, with aliases followed; `None` if the field is absent or null.
    value: Option<Value<'t>>,
    /// The key or item; for a missing field, the nearest key above.
    key: TextRange,
    /// The path as the user wrote it, from the document's root.
    path: FieldPath,
    /// Whether it is the field of a value that is not an object.
    is_misplaced: bool,
}

impl<'r, 't> Node<'r, 't> {
    /// The object at `path`.
    pub(crate) fn root(value: Value<'t>, path: FieldPath, reader: &'r Reader<'t>) -> Self {
        let first = value.as_mapping().and_then(|mapping| mapping.entries().next());
        let key = first.map_or(TextRange::empty(value.range().start), yaml::Entry::key_range);
        Self { reader, value: Some(value), key, path, is_misplaced: false }
    }

    /// The field `name` of this object.
    pub(crate) fn child(&self, name: &'static str) -> Self {
        let [child] = self.children([name]);
        child
    }

    /// The fields `names` of this object, in one pass over its entries.
    pub(crate) fn children<const N: usize>(&self, names: [&'static str; N]) -> [Self; N] {
        let mapping = self.value.and_then(Value::as_mapping);
        let may_merge = mapping.is_some_and(|mapping| mapping.syntax().node().flags().unusual);
        let Some(mapping) = mapping.filter(|_| !may_merge) else {
            return names.map(|name| self.step(name, Segment::Name(Cow::Borrowed(name))));
        };
        let mut found: [Option<yaml::Entry<'t>>; N] = [None; N];
        for entry in mapping.entries() {
            let Some(key) = key_of(entry) else { continue };
            let slot = names.iter().position(|name| *name == key).and_then(|at| found.get_mut(at));
            if let Some(slot) = slot {
                *slot = Some(entry);
            }
        }
        let mut found = found.into_iter();
        names.map(|name| self.child_of_entry(found.next().flatten(), Segment::Name(Cow::Borrowed(name))))
    }

    /// The value of `key` in this map.
    pub(crate) fn entry(&self, key: &str) -> Self {
        self.step(key, Segment::Key(key.into()))
    }

    fn step(&self, key: &str, segment: Segment) -> Self {
        let mapping = self.value.and_then(Value::as_mapping);
        self.child_of_entry(mapping.and_then(|mapping| self.reader.entry(mapping, key)), segment)
    }

    /// The node of `entry`, an entry of this mapping; without an entry, the node of a missing field.
    fn child_of_entry(&self, entry: Option<yaml::Entry<'t>>, segment: Segment) -> Self {
        let value = entry.and_then(|entry| self.reader.follow(entry.value()));
        let mut path = self.path.clone();
        path.push(segment);
        Self {
            reader: self.reader,
            value: value.filter(|value| !is_null(*value)),
            key: entry.map_or(self.key, yaml::Entry::key_range),
            path,
            is_misplaced: self.is_misplaced || self.value.is_some_and(|value| value.as_mapping().is_none()),
        }
    }

    /// The items of this list, including null ones.
    pub(crate) fn items(&self) -> impl Iterator<Item = Self> + use<'_, 'r, 't> {
        let sequence = self.value.and_then(Value::as_sequence);
        sequence.into_iter().flat_map(yaml::Sequence::items).enumerate().map(|(index, item)| {
            let value = self.reader.follow(item.value()).filter(|value| !is_null(*value));
            Self {
                reader: self.reader,
                value,
                key: item_range(item),
                path: self.path.index(index),
                is_misplaced: false,
            }
        })
    }

    /// The entries of this map: each key with its node. Keys that are not strings are skipped.
    pub(crate) fn entries(&self) -> Vec<(Cow<'t, str>, Self)> {
        let Some(mapping) = self.value.and_then(Value::as_mapping) else { return Vec::new() };
        let members = crate::reading::members(mapping, self.reader).entries.into_iter();
        let node = |(key, entry): (Cow<'t, str>, yaml::Entry<'t>)| {
            let value = self.reader.follow(entry.value()).filter(|value| !is_null(*value));
            let path = self.path.key(&key);
            (key, Self { reader: self.reader, value, key: entry.key_range(), path, is_misplaced: false })
        };
        members.map(node).collect()
    }

    /// Whether the field has a value other than null.
    pub(crate) fn is_set(&self) -> bool {
        self.value.is_some()
    }

    /// Whether it is a list or a map that is not empty.
    pub(crate) fn has_members(&self) -> bool {
        match self.value.map(Value::kind) {
            Some(ValueKind::Mapping(mapping)) => mapping.entries().next().is_some(),
            Some(ValueKind::Sequence(sequence)) => sequence.items().next().is_some(),
            _ => false,
        }
    }

    /// The string; empty if there is none.
    pub(crate) fn text(&self) -> Cow<'t, str> {
        self.optional_text().unwrap_or_default()
    }

    /// The string of a field that is a pointer in Go; `None` if there is none.
    pub(crate) fn optional_text(&self) -> Option<Cow<'t, str>> {
        self.value?.as_scalar()?.as_str()
    }

    /// The boolean; `None` if the value is not a boolean.
    pub(crate) fn boolean(&self) -> Option<bool> {
        match self.value?.as_scalar()?.resolve() {
            Ok(ResolvedScalar::Bool(value)) => Some(value),
            _ => None,
        }
    }

    /// Whether it is `true`, or intended to be: the server's decoder rejects the quoted word, and then
    /// reports nothing else.
    pub(crate) fn is_true(&self) -> bool {
        self.boolean().unwrap_or_else(|| self.text() == "true")
    }

    /// The integer; `None` if the value is not an integer.
    pub(crate) fn integer(&self) -> Option<i64> {
        integer(&self.value?.as_scalar()?.resolve().ok()?)
    }

    /// Whether it is a scalar of the wrong type, or the field of a value that is not an object: the server's
    /// decoder then rejects it.
    pub(crate) fn is_misread(&self) -> bool {
        if self.is_misplaced || self.value.is_none_or(|value| value.as_scalar().is_none()) {
            return self.is_misplaced;
        }
        match self.field_type() {
            Some(FieldType::Bool) => self.boolean().is_none(),
            Some(FieldType::Int32 | FieldType::Int64) => self.integer().is_none(),
            _ => self.optional_text().is_none(),
        }
    }

    /// The type of the field in the API; `None` if the API has no such field.
    fn field_type(&self) -> Option<FieldType> {
        let mut segments = self.path.segments();
        // A definition in a list.
        while let [Segment::Name(items), Segment::Index(_), below @ ..] = segments
            && items == "items"
        {
            segments = below;
        }
        let steps = || {
            segments.iter().map(|segment| match segment.key() {
                Some(name) => Step::Name(name),
                None => Step::Index,
            })
        };
        let of = |root| api::describe(root, steps()).map(|field| field.ty);
        of(&CUSTOM_RESOURCE_DEFINITION_V1).or_else(|| of(&CUSTOM_RESOURCE_DEFINITION_V1BETA1))
    }

    /// The range of a wrong value: a scalar itself, or the key of any other value.
    pub(crate) fn range(&self) -> TextRange {
        match self.value {
            Some(value) if value.as_scalar().is_some() && !value.range().is_empty() => value.range(),
            _ => self.key,
        }
    }

    /// The key or item; for a missing field, the nearest key above.
    pub(crate) fn key(&self) -> TextRange {
        self.key
    }

    /// The path as the user wrote it.
    pub(crate) fn path(&self) -> &FieldPath {
        &self.path
    }

    /// The value, with aliases followed; `None` if the field is absent or null.
    pub(crate) fn value(&self) -> Option<Value<'t>> {
        self.value
    }

    /// The reader that the node is read with.
    pub(crate) fn reader(&self) -> &'r Reader<'t> {
        self.reader
    }
}

/// The key of `entry`, unless it is a merge key. A plain key is used unchanged: no field of the API is
/// spelled like a number, a boolean or null.
fn key_of(entry: yaml::Entry<'_>) -> Option<Cow<'_, str>> {
    let key = entry.key().as_scalar()?;
    match key.style() {
        ScalarStyle::Plain if !key.token().text.contains(['\n', '\r']) => {
            Some(Cow::Borrowed(key.token().text))
        }
        _ => key.key_text(),
    }
}
