//! The view that expressions have of a resource: its values, read through its schema.

use std::sync::{Arc, OnceLock};

use cel::value::{DataSchema, Json, JsonKind, ListType, StringFormat};

use crate::cel::types_its_metadata;
use crate::schema::structural::{Structural, StructuralOrBool};
use crate::value::{Kind, Value};

/// Caches the view that expressions have of a node's values: as a part of another value, and as a resource.
#[derive(Debug, Default)]
struct DataCell {
    part: OnceLock<Arc<DataSchema>>,
    resource: OnceLock<Arc<DataSchema>>,
}

/// The view that expressions have of values of `schema`; `is_resource` is true for whole resources.
pub(super) fn data_schema(schema: &Structural, is_resource: bool) -> &Arc<DataSchema> {
    let is_resource = is_resource || schema.extensions.embedded_resource;
    let cells: &DataCell = schema.remembered.answer();
    let cell = if is_resource { &cells.resource } else { &cells.part };
    cell.get_or_init(|| {
        let of = build_data_schema(schema, is_resource);
        Arc::new(if schema.generic.nullable { DataSchema::Nullable(Arc::new(of)) } else { of })
    })
}

fn build_data_schema(schema: &Structural, is_resource: bool) -> DataSchema {
    if schema.extensions.int_or_string {
        return DataSchema::IntOrString;
    }
    match &*schema.generic.type_name {
        "boolean" => DataSchema::Boolean,
        "integer" => DataSchema::Integer,
        "number" => DataSchema::Number,
        "string" => DataSchema::String(match &*schema.value_validation.format {
            "byte" => StringFormat::Byte,
            "duration" => StringFormat::Duration,
            "date" => StringFormat::Date,
            "date-time" => StringFormat::DateTime,
            _ => StringFormat::Plain,
        }),
        "array" => {
            let items = schema.items.as_ref().map(|child| Arc::clone(data_schema(&child.node, false)));
            DataSchema::List(items, list_type(schema))
        }
        "object" if is_resource || !schema.properties.is_empty() => object(schema, is_resource),
        "object" => DataSchema::Map(match &schema.additional_properties {
            Some(StructuralOrBool::Structural(child)) => Some(Arc::clone(data_schema(&child.node, false))),
            _ => None,
        }),
        _ if schema.extensions.preserve_unknown_fields => DataSchema::Preserved,
        _ => DataSchema::Untyped,
    }
}

fn list_type(schema: &Structural) -> ListType {
    match schema.extensions.list_type.as_deref() {
        Some("set") => ListType::Set,
        Some("map") => {
            let escaped = |key: &str| cel::declarations::escape(key).unwrap_or_else(|| key.to_owned());
            ListType::Map(schema.extensions.list_map_keys.iter().map(|key| escaped(key)).collect())
        }
        _ => ListType::Atomic,
    }
}

fn object(schema: &Structural, is_resource: bool) -> DataSchema {
    let properties = schema.properties.iter();
    let properties =
        properties.map(|(name, child)| (name.clone(), Arc::clone(data_schema(&child.node, false))));
    if !is_resource || types_its_metadata(schema) {
        return DataSchema::object(properties);
    }
    let text = Arc::new(DataSchema::String(StringFormat::Plain));
    let names = ["name", "generateName"].map(|name| (Box::from(name), Arc::clone(&text)));
    let added = [
        (Box::from("apiVersion"), Arc::clone(&text)),
        (Box::from("kind"), text),
        (Box::from("metadata"), Arc::new(DataSchema::object(names))),
    ];
    DataSchema::object(properties.chain(added))
}

impl Json for Value {
    fn kind(&self) -> JsonKind<'_> {
        match &self.kind {
            Kind::Null => JsonKind::Null,
            Kind::Bool(value) => JsonKind::Bool(*value),
            Kind::Int(value) => JsonKind::Int(*value),
            Kind::Float(value) => JsonKind::Float(*value),
            Kind::String(text) => JsonKind::String(text),
            Kind::List(items) => JsonKind::List(items.len()),
            Kind::Map(map) => JsonKind::Map(map.len()),
        }
    }

    fn item(&self, index: usize) -> Option<&dyn Json> {
        self.as_list()?.get(index).map(|item| item as &dyn Json)
    }

    fn member(&self, key: &str) -> Option<&dyn Json> {
        self.get(key).map(|value| value as &dyn Json)
    }

    fn members(&self) -> Vec<(&str, &dyn Json)> {
        let members = self.as_map().into_iter().flatten();
        members.map(|(key, member)| (&**key, &member.value as &dyn Json)).collect()
    }
}
