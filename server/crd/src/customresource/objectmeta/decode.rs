//! Decodes ObjectMeta like the server: unknown fields are dropped, and a wrong type fails the whole object.

use api::{Field, FieldType, OBJECT_META, ObjectType};

use super::time::time_error;
use crate::customresource::error::{Facts, ValueError};
use crate::customresource::message::with_article;
use crate::field_path::FieldPath;
use crate::message::Message;
use crate::value::{Kind, Map, Member, Place, Value, quoted};

/// The maximum number of strict errors for one object, as in the server's decoder.
const MAX_UNKNOWN: usize = 100;

/// The reason why the server cannot decode metadata.
pub(crate) struct Unreadable {
    /// The server's text.
    pub(crate) text: String,
    /// Our message.
    pub(crate) message: Message,
    /// The path of the value, which starts with `metadata`.
    pub(crate) path: FieldPath,
    /// The place of the value in the text.
    pub(crate) place: Place,
}

impl Unreadable {
    /// The error that `of_metadata` builds from the server's text, with the place of the value and our message.
    pub(crate) fn error(self, of_metadata: impl FnOnce(String) -> ValueError) -> ValueError {
        let error = of_metadata(self.text);
        ValueError { place: self.place.or(error.place), facts: Facts::message(self.message), ..error }
    }
}

/// The reason why the server cannot decode `metadata`; `None` if it can.
pub(crate) fn decode_error(metadata: &Value) -> Option<Unreadable> {
    let mut trail = FieldTrail { names: Vec::new(), path: FieldPath::of_names(["metadata"]) };
    match &metadata.kind {
        Kind::Null => None,
        Kind::Map(map) => object_error(map, &OBJECT_META, &mut trail),
        other => {
            let text =
                format!("json: cannot unmarshal {} into Go value of type v1.ObjectMeta", go_kind(other));
            Some(trail.unreadable(metadata, FieldType::Object(&OBJECT_META), text))
        }
    }
}

/// The path to a value.
struct FieldTrail {
    /// The names of the fields in Go's errors.
    names: Vec<&'static str>,
    /// The same path with keys and indices.
    path: FieldPath,
}

impl FieldTrail {
    /// The error for a value at this path that cannot be decoded as `ty`.
    fn unreadable(&self, value: &Value, ty: FieldType, text: String) -> Unreadable {
        let subject = self.path.ending();
        let is_scalar = matches!(value.kind, Kind::Bool(_) | Kind::Int(_) | Kind::Float(_));
        let remedy = match ty {
            FieldType::String if is_scalar => "put it in quotes",
            FieldType::String => "write a string",
            FieldType::Bool => "write `true` or `false`",
            FieldType::Int64 if matches!(value.kind, Kind::Float(_)) => "write a whole number",
            FieldType::Int64 => "write an integer",
            FieldType::List(_) => "write a list",
            FieldType::Map(_) => "write pairs such as `key: value`",
            FieldType::Object(object) if std::ptr::eq(object, &OBJECT_META) => {
                "write an object with fields such as `name`"
            }
            FieldType::Time => "write a time such as `2024-01-02T15:04:05Z`, or remove it",
            _ => "write an object",
        };
        let problem = match (ty, &value.kind) {
            (FieldType::Time, Kind::String(text)) => {
                format!("{subject} {} is not a valid time", quoted(text))
            }
            (FieldType::Int64, Kind::Float(_)) => {
                format!("{subject} is {}, which is not a 64-bit integer", value.to_json())
            }
            _ => format!("{subject} cannot be {}", with_article(value.type_name())),
        };
        let message = Message::new(problem).advise(remedy);
        Unreadable { text, message, path: self.path.clone(), place: value.place }
    }
}

fn object_error(map: &Map, object: &'static ObjectType, trail: &mut FieldTrail) -> Option<Unreadable> {
    for (key, member) in map {
        let Some(field) = object.field(key) else { continue };
        trail.names.push(field.name);
        trail.path.push_name(field.name);
        let error = value_error(&member.value, field.ty, object, trail);
        if error.is_some() {
            return error;
        }
        trail.path.pop();
        trail.names.pop();
    }
    None
}

/// The error for a field of the type `object`.
fn value_error(
    value: &Value,
    ty: FieldType,
    object: &'static ObjectType,
    trail: &mut FieldTrail,
) -> Option<Unreadable> {
    let cannot = |trail: &FieldTrail, what: String| {
        let (holder, field) = (object.name, trail.names.join("."));
        let target = if trail.names.last() == Some(&"uid") { "types.UID".to_owned() } else { go_type(ty) };
        let text =
            format!("json: cannot unmarshal {what} into Go struct field {holder}.{field} of type {target}");
        Some(trail.unreadable(value, ty, text))
    };
    match (ty, &value.kind) {
        (FieldType::Json, _) | (_, Kind::Null) => None,
        (FieldType::String, Kind::String(_))
        | (FieldType::Bool, Kind::Bool(_))
        | (FieldType::Int64, Kind::Int(_)) => None,
        (FieldType::Int64, Kind::Float(_)) => cannot(trail, format!("number {}", value.to_json())),
        (FieldType::Time, Kind::String(text)) => {
            time_error(text).map(|text| trail.unreadable(value, ty, text))
        }
        (FieldType::Time, other) => {
            let text = format!("json: cannot unmarshal {} into Go value of type string", go_kind(other));
            Some(trail.unreadable(value, ty, text))
        }
        (FieldType::Map(inner), Kind::Map(map)) => map.iter().find_map(|(key, member)| {
            trail.path.push_key(key);
            let error = value_error(&member.value, *inner, object, trail);
            trail.path.pop();
            error
        }),
        (FieldType::List(inner), Kind::List(items)) => items.iter().enumerate().find_map(|(index, item)| {
            trail.path.push_index(index);
            let error = value_error(item, *inner, object, trail);
            trail.path.pop();
            error
        }),
        (FieldType::Object(inner), Kind::Map(map)) => object_error(map, inner, trail),
        (_, other) => cannot(trail, go_kind(other).to_owned()),
    }
}

/// `metadata` with scalars converted to texts where the schema requires texts, and without fields that remain
/// invalid: the probable meaning if the author forgot quotes. `None` if `metadata` is not an object.
pub(crate) fn readable(metadata: &Value) -> Option<Value> {
    let Kind::Map(map) = &metadata.kind else { return None };
    let mut kept = Map::new();
    for (key, member) in map {
        let mut member = member.clone();
        if let Some(field) = OBJECT_META.field(key) {
            as_texts(&mut member.value, field.ty);
        }
        let alone = Map::from_iter([(key.clone(), member.clone())]);
        let mut trail = FieldTrail { names: Vec::new(), path: FieldPath::root() };
        if object_error(&alone, &OBJECT_META, &mut trail).is_none() {
            kept.insert(key.clone(), member);
        }
    }
    Some(Value { place: metadata.place, kind: Kind::Map(kept) })
}

fn as_texts(value: &mut Value, ty: FieldType) {
    match (ty, &mut value.kind) {
        (FieldType::String, Kind::Bool(_) | Kind::Int(_) | Kind::Float(_)) => {
            value.kind = Kind::String(value.to_json().to_string().into());
        }
        (FieldType::Map(inner), Kind::Map(map)) => {
            map.values_mut().for_each(|member| as_texts(&mut member.value, *inner));
        }
        (FieldType::List(inner), Kind::List(items)) => {
            items.iter_mut().for_each(|item| as_texts(item, *inner));
        }
        _ => {}
    }
}

fn go_kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Bool(_) => "bool",
        Kind::Int(_) | Kind::Float(_) => "number",
        Kind::String(_) => "string",
        Kind::List(_) => "array",
        Kind::Map(_) => "object",
    }
}

fn go_type(ty: FieldType) -> String {
    match ty {
        FieldType::String => "string".to_owned(),
        FieldType::Bool => "bool".to_owned(),
        FieldType::Int64 => "int64".to_owned(),
        FieldType::List(inner) => format!("[]{}", go_type(*inner)),
        FieldType::Map(inner) => format!("map[string]{}", go_type(*inner)),
        FieldType::Object(object) => format!("v1.{}", object.name),
        _ => "v1.Time".to_owned(),
    }
}

/// The paths of fields below `metadata` that ObjectMeta does not have, in the form of strict decoding errors.
pub(crate) fn unknown_fields(metadata: &Value, prefix: &str) -> Vec<String> {
    let mut paths = Vec::new();
    if let Kind::Map(map) = &metadata.kind {
        unknown_in(map, &OBJECT_META, prefix, &mut paths);
    }
    paths
}

fn unknown_in(map: &Map, object: &'static ObjectType, path: &str, paths: &mut Vec<String>) {
    for (key, member) in map {
        if paths.len() >= MAX_UNKNOWN {
            return;
        }
        let path = format!("{path}.{key}");
        match (object.field(key).map(|field| field.ty), &member.value.kind) {
            (None, _) => paths.push(path),
            (Some(FieldType::List(FieldType::Object(inner))), Kind::List(items)) => {
                for (index, item) in items.iter().enumerate() {
                    if let Kind::Map(map) = &item.kind {
                        unknown_in(map, inner, &format!("{path}[{index}]"), paths);
                    }
                }
            }
            _ => {}
        }
    }
}

/// `metadata` in the form that the server encodes: without unknown and empty fields. It must be decodable.
pub(crate) fn normalized(metadata: &Value) -> Value {
    let Kind::Map(map) = &metadata.kind else {
        return Value { place: metadata.place, kind: Kind::Map(Map::new()) };
    };
    Value { place: metadata.place, kind: Kind::Map(normalized_object(map, &OBJECT_META)) }
}

fn normalized_object(map: &Map, object: &'static ObjectType) -> Map {
    let mut kept = Map::new();
    for field in object.fields {
        let member = map.get(field.name);
        let value = member.map(|member| normalized_value(&member.value, field.ty));
        match (value, member) {
            (Some(value), Some(member)) if !is_omitted(&value, field) => {
                kept.insert(field.name.into(), Member { key: member.key, value });
            }
            // The fields of an owner reference are encoded even if they are empty.
            _ if field.required => {
                let value = Value::text("");
                kept.insert(field.name.into(), Member { key: Default::default(), value });
            }
            _ => {}
        }
    }
    kept
}

fn is_omitted(value: &Value, field: &Field) -> bool {
    match &value.kind {
        Kind::Null => true,
        Kind::String(text) => text.is_empty(),
        Kind::List(items) => items.is_empty(),
        Kind::Map(map) => map.is_empty(),
        Kind::Int(number) => *number == 0 && field.name == "generation",
        _ => false,
    }
}

fn normalized_value(value: &Value, ty: FieldType) -> Value {
    let kind = match (ty, &value.kind) {
        (FieldType::Object(object), Kind::Map(map)) => Kind::Map(normalized_object(map, object)),
        (FieldType::List(inner), Kind::List(items)) => {
            Kind::List(items.iter().map(|item| normalized_item(item, *inner)).collect())
        }
        (FieldType::Map(inner), Kind::Map(map)) => {
            let mut kept = Map::new();
            for (key, member) in map {
                let value = normalized_item(&member.value, *inner);
                kept.insert(key.clone(), Member { key: member.key, value });
            }
            Kind::Map(kept)
        }
        _ => value.kind.clone(),
    };
    Value { place: value.place, kind }
}

/// A null item of a list or map becomes the zero value of its type.
fn normalized_item(value: &Value, ty: FieldType) -> Value {
    match (ty, &value.kind) {
        (FieldType::String, Kind::Null) => Value { place: value.place, kind: Kind::String("".into()) },
        (FieldType::Object(object), Kind::Null) => {
            Value { place: value.place, kind: Kind::Map(normalized_object(&Map::new(), object)) }
        }
        _ => normalized_value(value, ty),
    }
}
