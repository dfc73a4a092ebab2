//! Whether two schemas are equal for the server: equal once decoded, with empty lists and maps treated as
//! absent (`equality.Semantic.DeepEqual`, with which the conversion from v1 compares versions).

use std::hash::{DefaultHasher, Hash, Hasher};

use api::{FieldType, ObjectType};
use yaml::scalar::ResolvedScalar;
use yaml::{Reader, Value, ValueKind};

use super::zero::is_empty;
use super::{Keyword, Schema};
use crate::cache::Cache;
use crate::reading::Budget;
use crate::reading::integer;
use crate::reading::{is_null, is_plain, members};

/// Hashes the decoded form of schemas: equal schemas have equal hashes.
pub(crate) struct Fingerprinter<'c, 't> {
    pub(crate) reader: &'c Reader<'t>,
    pub(crate) cache: &'c mut Cache,
    pub(crate) budget: &'c mut Budget,
    /// The number of hashed levels of schemas; `None` for all. Most differences are near the top.
    pub(crate) levels: Option<u32>,
}

impl<'t> Fingerprinter<'_, 't> {
    /// The hash of the schema in `value`; null is the empty schema.
    pub(crate) fn schema(&mut self, value: Value<'t>) -> u64 {
        let Some(value) = self.reader.follow(value) else { return 0 };
        let below = match self.levels {
            Some(0) => return 0,
            levels => levels.map(|levels| levels - 1),
        };
        let lasting = value.node().map(|node| node.node()).filter(|node| !node.flags().aliases);
        let known = lasting.and_then(|node| match self.levels {
            Some(levels) => self.cache.top_fingerprint(node, levels),
            None => self.cache.fingerprint(node),
        });
        if let Some(hash) = known {
            return hash;
        }
        if !self.budget.enter() {
            return 0;
        }
        let levels = std::mem::replace(&mut self.levels, below);
        let hash = self.compute(value);
        self.levels = levels;
        self.budget.leave();
        match (lasting, levels) {
            (Some(node), Some(levels)) => self.cache.keep_top_fingerprint(node, levels, hash),
            (Some(node), None) => self.cache.keep_fingerprint(node, hash),
            (None, _) => {}
        }
        hash
    }

    fn compute(&mut self, value: Value<'t>) -> u64 {
        let reader = self.reader;
        let Some(schema) = Schema::read(value, reader) else { return 1 };
        let mut hasher = DefaultHasher::new();
        for &keyword in Keyword::ALL {
            if let (Some(value), Some(field)) = (schema.get(keyword), keyword.field()) {
                self.field(value, field.ty, is_pointer(keyword.as_str()), keyword as u8, &mut hasher);
            }
        }
        hasher.finish()
    }

    /// Hashes a field unless it has its Go type's zero value; for a `pointer`, an empty value differs from an
    /// absent one.
    fn field(&mut self, value: Value<'t>, ty: FieldType, pointer: bool, tag: u8, hasher: &mut DefaultHasher) {
        let absent = match ty {
            FieldType::List(_) | FieldType::Map(_) => is_empty(value),
            FieldType::String | FieldType::Bool if !pointer => is_zero(value),
            _ => false,
        };
        if !absent {
            tag.hash(hasher);
            self.value(value, ty, hasher);
        }
    }

    fn value(&mut self, value: Value<'t>, ty: FieldType, hasher: &mut DefaultHasher) {
        let Some(value) = self.reader.follow(value) else { return };
        match (ty, value.kind()) {
            (FieldType::Object(object), _) if object.name == "JSONSchemaProps" => {
                self.schema(value).hash(hasher)
            }
            (
                FieldType::SchemaOrBool | FieldType::SchemaOrArray | FieldType::SchemaOrStringArray,
                ValueKind::Mapping(_),
            ) => {
                self.schema(value).hash(hasher);
            }
            (FieldType::SchemaOrBool, _) => self.json(value).hash(hasher),
            (FieldType::SchemaOrArray, ValueKind::Sequence(sequence)) => {
                for item in sequence.items() {
                    // A list with one schema differs from the schema.
                    "[".hash(hasher);
                    self.schema(item.value()).hash(hasher);
                }
            }
            (FieldType::SchemaOrStringArray, ValueKind::Sequence(_)) => self.json(value).hash(hasher),
            // Any other scalar decodes to an empty value.
            (FieldType::SchemaOrArray | FieldType::SchemaOrStringArray, _) => {}
            (FieldType::Object(object), _) => self.object(value, object, hasher),
            (FieldType::List(item), ValueKind::Sequence(sequence)) => {
                let mut count = 0_u32;
                for element in sequence.items() {
                    self.value(element.value(), *item, hasher);
                    count += 1;
                }
                count.hash(hasher);
            }
            (FieldType::Map(member), ValueKind::Mapping(mapping)) => {
                let mut entries = members(mapping, self.reader).entries;
                entries.sort_by(|(a, _), (b, _)| a.cmp(b));
                for (key, entry) in entries {
                    key.hash(hasher);
                    self.value(entry.value(), *member, hasher);
                }
            }
            _ => self.json(value).hash(hasher),
        }
    }

    fn object(&mut self, value: Value<'t>, object: &'static ObjectType, hasher: &mut DefaultHasher) {
        let Some(mapping) = value.as_mapping() else { return 0_u8.hash(hasher) };
        let members = members(mapping, self.reader);
        for (tag, field) in (1_u8..).zip(object.fields) {
            let value = members.get(field.name).and_then(|entry| self.reader.follow(entry.value()));
            if let Some(value) = value.filter(|value| !is_null(*value)) {
                self.field(value, field.ty, is_pointer(field.name), tag, hasher);
            }
        }
        0_u8.hash(hasher);
    }

    /// The hash of a JSON value; equal integers have equal hashes in any spelling.
    fn json(&mut self, value: Value<'t>) -> u64 {
        let mut hasher = DefaultHasher::new();
        let Some(value) = self.reader.follow(value) else { return 0 };
        if !self.budget.enter() {
            return 0;
        }
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                let mut entries = members(mapping, self.reader).entries;
                entries.sort_by(|(a, _), (b, _)| a.cmp(b));
                "{".hash(&mut hasher);
                for (key, entry) in entries {
                    key.hash(&mut hasher);
                    self.json(entry.value()).hash(&mut hasher);
                }
            }
            ValueKind::Sequence(sequence) => {
                "[".hash(&mut hasher);
                sequence.items().for_each(|item| self.json(item.value()).hash(&mut hasher));
            }
            ValueKind::Scalar(scalar) if value.tag().is_none() && scalar.is_string() => {
                hash_text(scalar, &mut hasher)
            }
            ValueKind::Scalar(scalar) => {
                hash_scalar(&scalar.resolve().unwrap_or(ResolvedScalar::Null), &mut hasher)
            }
            ValueKind::Alias(_) | ValueKind::Absent => hash_scalar(&ResolvedScalar::Null, &mut hasher),
        }
        self.budget.leave();
        hasher.finish()
    }
}

/// The strings and booleans that are pointers in Go.
fn is_pointer(name: &str) -> bool {
    matches!(
        name,
        "$ref"
            | "x-kubernetes-preserve-unknown-fields"
            | "x-kubernetes-list-type"
            | "x-kubernetes-map-type"
            | "reason"
            | "optionalOldSelf"
    )
}

/// Whether a string or boolean is its type's zero value.
fn is_zero(value: Value<'_>) -> bool {
    let is_plain_text = |scalar: yaml::Scalar<'_>| is_plain(scalar) && scalar.is_string();
    if value.tag().is_none() && value.as_scalar().is_some_and(is_plain_text) {
        // An empty plain scalar is null.
        return false;
    }
    match value.as_scalar().map(yaml::Scalar::resolve) {
        Some(Ok(ResolvedScalar::String(text))) => text.is_empty(),
        Some(Ok(ResolvedScalar::Bool(value))) => !value,
        _ => false,
    }
}

/// Hashes a string like [`hash_scalar`], without building its text.
fn hash_text(scalar: yaml::Scalar<'_>, hasher: &mut DefaultHasher) {
    scalar.for_each_piece(&mut |piece| hasher.write(piece.as_bytes()));
    hasher.write_u8(0xFF);
}

fn hash_scalar(resolved: &ResolvedScalar<'_>, hasher: &mut DefaultHasher) {
    match resolved {
        ResolvedScalar::Null => "null".hash(hasher),
        ResolvedScalar::Bool(value) => value.hash(hasher),
        ResolvedScalar::String(text) => text.hash(hasher),
        number => match (integer(number), number) {
            (Some(number), _) => number.hash(hasher),
            (None, ResolvedScalar::Float(number)) => number.to_bits().hash(hasher),
            (None, ResolvedScalar::Uint(number)) => (*number as f64).to_bits().hash(hasher),
            (None, _) => {}
        },
    }
}
