//! The API's types along a walk: the type of each key and each item of a value.

use api::{Field, FieldType};

/// Returns the field and the type of the value of `key` in a value of type `ty`. The field is `None` if the
/// type has arbitrary keys; the result is `None` if the type does not have the key.
pub(crate) fn key(ty: FieldType, key: &str) -> Option<(Option<&'static Field>, FieldType)> {
    if let Some(object) = ty.object() {
        return object.field(key).map(|field| (Some(field), field.ty));
    }
    match ty {
        FieldType::Map(member) => Some((None, *member)),
        FieldType::Json => Some((None, FieldType::Json)),
        _ => None,
    }
}

/// The type of the items of a value of type `ty`; `None` if it has no items.
pub(crate) fn item(ty: FieldType) -> Option<FieldType> {
    match ty {
        FieldType::Json => Some(FieldType::Json),
        ty => ty.item(),
    }
}

/// `ty` in words, for example `[]JSONSchemaProps`.
pub(crate) fn name(ty: FieldType) -> String {
    let name = match ty {
        FieldType::String => "string",
        FieldType::Bool => "boolean",
        FieldType::Int32 | FieldType::Int64 => "integer",
        FieldType::Float64 => "number",
        FieldType::Bytes => "string (base64)",
        FieldType::Time => "string (date-time)",
        FieldType::Json => "any",
        FieldType::Object(object) => object.name,
        FieldType::List(item) => return format!("[]{}", name(*item)),
        FieldType::Map(member) => return format!("map[string]{}", name(*member)),
        FieldType::SchemaOrBool => "JSONSchemaProps or boolean",
        FieldType::SchemaOrArray => "JSONSchemaProps or []JSONSchemaProps",
        FieldType::SchemaOrStringArray => "JSONSchemaProps or []string",
    };
    name.to_owned()
}
