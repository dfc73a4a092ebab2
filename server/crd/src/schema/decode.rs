//! The values that kube-apiserver's decoder rejects: it decodes JSON to Go types, and one wrong type fails
//! the object.

use crate::reading::integer;
use crate::reading::is_byte;
use api::{FieldType, JSON_SCHEMA_PROPS, KubernetesVersion, ObjectType};
use yaml::scalar::ResolvedScalar;
use yaml::{Reader, Scalar, Value, ValueKind};

use crate::reading::Budget;
use crate::reading::is_action;
use crate::reading::{is_null, is_unreadable, members};
use crate::schema::{Flags, texts};

/// Decodes values without keeping them.
pub(crate) struct Decoder<'c, 't> {
    pub(crate) reader: &'c Reader<'t>,
    pub(crate) budget: &'c mut Budget,
    /// The version of the server that decodes.
    pub(crate) server: KubernetesVersion,
}

impl<'t> Decoder<'_, 't> {
    /// Whether `value` decodes as `ty`. A separate walk visits schemas: here, any mapping is accepted for
    /// one.
    pub(crate) fn decode(&mut self, value: Value<'t>, ty: FieldType) -> Flags {
        let Some(value) = self.reader.follow(value) else { return Flags::UNDECODABLE };
        if matches!(ty, FieldType::Json) {
            return self.json(value);
        }
        if is_null(value) {
            return Flags::NONE;
        }
        if !self.budget.enter() {
            return Flags::UNDECODABLE;
        }
        let flags = match ty {
            FieldType::Object(object) => self.object(value, object),
            FieldType::List(item) => self.list(value, *item),
            FieldType::Map(member) => self.map(value, *member),
            FieldType::SchemaOrBool => schema_or_bool(value),
            FieldType::Bytes if value.as_sequence().is_some() => self.bytes(value),
            FieldType::SchemaOrArray | FieldType::SchemaOrStringArray => Flags::NONE,
            _ => value.as_scalar().map_or_else(|| refuse(value), |scalar| decode_scalar(scalar, ty)),
        };
        self.budget.leave();
        flags
    }

    fn object(&mut self, value: Value<'t>, object: &'static ObjectType) -> Flags {
        let Some(mapping) = value.as_mapping() else { return refuse(value) };
        if std::ptr::eq(object, &raw const JSON_SCHEMA_PROPS) {
            return Flags::NONE;
        }
        let members = members(mapping, self.reader);
        let mut flags = if members.unreadable { refuse(value) } else { Flags::NONE };
        self.budget.spend(members.entries.len());
        for (key, entry) in members.entries {
            let field = object.field(&key).filter(|field| field.is_known_to(self.server));
            if field.is_none_or(|field| field.dropped_until(self.server).is_some()) {
                flags |= Flags::UNKNOWN_FIELDS;
            }
            let ty = field.map_or(FieldType::Json, |field| field.ty);
            flags |= self.decode(entry.value(), ty);
        }
        flags
    }

    fn map(&mut self, value: Value<'t>, member: FieldType) -> Flags {
        let Some(mapping) = value.as_mapping() else { return refuse(value) };
        let members = members(mapping, self.reader);
        let mut flags = if members.unreadable { refuse(value) } else { Flags::NONE };
        self.budget.spend(members.entries.len());
        for (_, entry) in members.entries {
            flags |= self.decode(entry.value(), member);
        }
        flags
    }

    fn list(&mut self, value: Value<'t>, item: FieldType) -> Flags {
        let Some(sequence) = value.as_sequence() else { return refuse(value) };
        let mut flags = Flags::NONE;
        for element in sequence.items() {
            flags |= self.decode(element.value(), item);
        }
        flags
    }

    /// Go's decoder accepts a list of numbers in place of base64.
    fn bytes(&mut self, value: Value<'t>) -> Flags {
        let mut flags = Flags::NONE;
        for item in value.as_sequence().into_iter().flat_map(yaml::Sequence::items) {
            flags |= match self.reader.follow(item.value()) {
                Some(value) if is_null(value) || is_byte(value) => Flags::NONE,
                Some(value) => refuse(value),
                None => Flags::UNDECODABLE,
            };
        }
        flags
    }

    /// Whether `value` can be represented in JSON: no infinities, only scalars as keys, no alias bombs.
    fn json(&mut self, value: Value<'t>) -> Flags {
        let Some(value) = self.reader.follow(value) else { return Flags::UNDECODABLE };
        if !self.budget.enter() {
            return Flags::UNDECODABLE;
        }
        let mut flags = Flags::NONE;
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                for entry in mapping.entries() {
                    if is_unreadable(entry) && !entry.is_merge() {
                        flags |= refuse(value);
                    }
                    flags |= self.json(entry.value());
                }
            }
            ValueKind::Sequence(sequence) => {
                for item in sequence.items() {
                    flags |= self.json(item.value());
                }
            }
            ValueKind::Scalar(scalar) if scalar.is_broken() || scalar.resolve().is_err() => {
                flags |= Flags::UNDECODABLE
            }
            ValueKind::Scalar(_) | ValueKind::Alias(_) | ValueKind::Absent => {}
        }
        self.budget.leave();
        flags
    }
}

/// The flags of a `value` that the decoder rejects, possibly because it is a template action.
pub(crate) fn refuse(value: Value<'_>) -> Flags {
    match value.node() {
        Some(node) if is_action(node) => Flags::UNDECODABLE | Flags::TEMPLATE,
        _ => Flags::UNDECODABLE,
    }
}

/// `JSONSchemaPropsOrBool`: anything but a mapping or a boolean fails with `boolean or JSON schema expected`.
fn schema_or_bool(value: Value<'_>) -> Flags {
    match value.kind() {
        ValueKind::Mapping(_) => Flags::NONE,
        ValueKind::Scalar(scalar) => match scalar.resolve() {
            Ok(resolved) if misfit(&resolved, FieldType::SchemaOrBool).is_none() => Flags::NONE,
            _ => refuse(value),
        },
        _ => refuse(value),
    }
}

/// Why Go's decoder does not accept a scalar for a type.
pub(crate) enum Misfit {
    /// The scalar has another JSON type.
    Kind,
    /// The number has a fraction, or is too large.
    Number,
    /// The string is not a time; Go's error.
    Time(String),
    /// The string is not base64; Go's error.
    Base64(String),
}

/// Why a scalar that resolves to `resolved` is not of type `ty`; `None` if it is. All checks of scalars in a
/// definition depend on this function.
pub(crate) fn misfit(resolved: &ResolvedScalar<'_>, ty: FieldType) -> Option<Misfit> {
    let is_int32 = |number: i64| i32::try_from(number).is_ok();
    match (ty, resolved) {
        (_, ResolvedScalar::Null) => None,
        (FieldType::String, ResolvedScalar::String(_)) => None,
        (FieldType::Bool | FieldType::SchemaOrBool, ResolvedScalar::Bool(_)) => None,
        (FieldType::Bytes, ResolvedScalar::String(text)) => texts::base64(text).map(Misfit::Base64),
        (FieldType::Time, ResolvedScalar::String(text)) => texts::time(text).map(Misfit::Time),
        (FieldType::Float64, ResolvedScalar::Int(_) | ResolvedScalar::Uint(_) | ResolvedScalar::Float(_)) => {
            None
        }
        (FieldType::Int64, ResolvedScalar::Int(_) | ResolvedScalar::Uint(_) | ResolvedScalar::Float(_)) => {
            integer(resolved).is_none().then_some(Misfit::Number)
        }
        (FieldType::Int32, ResolvedScalar::Int(_) | ResolvedScalar::Uint(_) | ResolvedScalar::Float(_)) => {
            (!integer(resolved).is_some_and(is_int32)).then_some(Misfit::Number)
        }
        _ => Some(Misfit::Kind),
    }
}

fn decode_scalar(scalar: Scalar<'_>, ty: FieldType) -> Flags {
    if scalar.is_broken() {
        return Flags::UNDECODABLE;
    }
    if matches!(ty, FieldType::String) && scalar.is_string() {
        return Flags::NONE;
    }
    match scalar.resolve() {
        Ok(resolved) if misfit(&resolved, ty).is_none() => Flags::NONE,
        _ => Flags::UNDECODABLE,
    }
}
