//! Data for evaluations, and their schemas.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code, missing_docs, unreachable_pub)]

use std::collections::BTreeMap;
use std::sync::Arc;

use cel::value::{DataSchema, Json, JsonKind, ListType, StringFormat};
use serde_json::Value;

/// A JSON value.
#[derive(Debug)]
pub enum Data {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(String),
    List(Vec<Data>),
    Map(BTreeMap<String, Data>),
}

impl Data {
    /// Integers are ints, as in the recorder.
    pub fn of(json: &Value) -> Self {
        match json {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => match (number.as_i64(), number.as_f64().unwrap()) {
                (Some(int), _) => Self::Int(int),
                (None, float) if float as i64 as f64 == float => Self::Int(float as i64),
                (None, float) => Self::Float(float),
            },
            Value::String(text) => Self::String(text.clone()),
            Value::Array(items) => Self::List(items.iter().map(Self::of).collect()),
            Value::Object(members) => {
                Self::Map(members.iter().map(|(key, value)| (key.clone(), Self::of(value))).collect())
            }
        }
    }
}

impl Json for Data {
    fn kind(&self) -> JsonKind<'_> {
        match self {
            Self::Null => JsonKind::Null,
            Self::Bool(value) => JsonKind::Bool(*value),
            Self::Int(number) => JsonKind::Int(*number),
            Self::Float(number) => JsonKind::Float(*number),
            Self::String(text) => JsonKind::String(text),
            Self::List(items) => JsonKind::List(items.len()),
            Self::Map(members) => JsonKind::Map(members.len()),
        }
    }

    fn item(&self, index: usize) -> Option<&dyn Json> {
        match self {
            Self::List(items) => items.get(index).map(|item| item as &dyn Json),
            _ => None,
        }
    }

    fn member(&self, key: &str) -> Option<&dyn Json> {
        match self {
            Self::Map(members) => members.get(key).map(|member| member as &dyn Json),
            _ => None,
        }
    }

    fn members(&self) -> Vec<(&str, &dyn Json)> {
        match self {
            Self::Map(members) => {
                members.iter().map(|(key, value)| (key.as_str(), value as &dyn Json)).collect()
            }
            _ => vec![],
        }
    }
}

/// The data schema of a JSON schema.
pub fn data_schema(schema: &Value, root: bool) -> DataSchema {
    let of = unbound(schema, root);
    if schema["nullable"] == true { DataSchema::Nullable(Arc::new(of)) } else { of }
}

fn unbound(schema: &Value, root: bool) -> DataSchema {
    if schema["x-kubernetes-int-or-string"] == true {
        return DataSchema::IntOrString;
    }
    match schema["type"].as_str() {
        Some("boolean") => DataSchema::Boolean,
        Some("integer") => DataSchema::Integer,
        Some("number") => DataSchema::Number,
        Some("string") => DataSchema::String(match schema["format"].as_str() {
            Some("byte") => StringFormat::Byte,
            Some("duration") => StringFormat::Duration,
            Some("date") => StringFormat::Date,
            Some("date-time") => StringFormat::DateTime,
            _ => StringFormat::Plain,
        }),
        Some("array") => {
            let list_type = match schema["x-kubernetes-list-type"].as_str() {
                Some("set") => ListType::Set,
                Some("map") => {
                    let keys = schema["x-kubernetes-list-map-keys"].as_array().unwrap();
                    let keys = keys.iter().map(|key| {
                        let key = key.as_str().unwrap();
                        cel::declarations::escape(key).unwrap_or_else(|| key.to_owned())
                    });
                    ListType::Map(keys.collect())
                }
                _ => ListType::Atomic,
            };
            let items = schema.get("items").map(|items| Arc::new(data_schema(items, false)));
            DataSchema::List(items, list_type)
        }
        Some("object") => {
            let embedded = root || schema["x-kubernetes-embedded-resource"] == true;
            if schema["properties"].is_object() || embedded {
                return DataSchema::object(properties(schema, embedded));
            }
            let values = &schema["additionalProperties"];
            DataSchema::Map(values.is_object().then(|| Arc::new(data_schema(values, false))))
        }
        _ if schema["x-kubernetes-preserve-unknown-fields"] == true => DataSchema::Preserved,
        _ => DataSchema::Untyped,
    }
}

fn properties(schema: &Value, embedded: bool) -> Vec<(Box<str>, Arc<DataSchema>)> {
    let empty = serde_json::Map::new();
    let mut properties = schema["properties"].as_object().unwrap_or(&empty).clone();
    if embedded && !super::types_its_metadata(schema) {
        let string = serde_json::json!({"type": "string"});
        properties.insert("apiVersion".into(), string.clone());
        properties.insert("kind".into(), string.clone());
        let names = serde_json::json!({"name": string, "generateName": string});
        properties.insert("metadata".into(), serde_json::json!({"type": "object", "properties": names}));
    }
    properties.iter().map(|(name, of)| (name.as_str().into(), Arc::new(data_schema(of, false)))).collect()
}
