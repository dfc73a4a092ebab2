//! The API's types along a walk: what a key or an item of a value is.

use api::{Field, FieldType, JSON_SCHEMA_PROPS, ObjectType};

static SCHEMA: FieldType = FieldType::Object(&JSON_SCHEMA_PROPS);

/// What stands behind `key` in a value of type `ty`: its field, unless keys are free there, and its type. None for a
/// key that the type does not have.
pub(crate) fn key(ty: FieldType, key: &str) -> Option<(Option<&'static Field>, FieldType)> {
    if let Some(object) = object(ty) {
        return object.field(key).map(|field| (Some(field), field.ty));
    }
    match ty {
        FieldType::Map(member) => Some((None, *member)),
        FieldType::Json => Some((None, FieldType::Json)),
        _ => None,
    }
}

/// The type with named fields that mappings of type `ty` have; none where their keys are free.
pub(crate) fn object(ty: FieldType) -> Option<&'static ObjectType> {
    Some(match ty {
        FieldType::Object(object) => object,
        FieldType::SchemaOrBool | FieldType::SchemaOrArray | FieldType::SchemaOrStringArray => {
            &JSON_SCHEMA_PROPS
        }
        _ => return None,
    })
}

/// The type of the items of a value of type `ty`; none where there are no items.
pub(crate) fn item(ty: FieldType) -> Option<FieldType> {
    match ty {
        FieldType::List(item) => Some(*item),
        FieldType::SchemaOrArray => Some(SCHEMA),
        FieldType::SchemaOrStringArray => Some(FieldType::String),
        FieldType::Json => Some(FieldType::Json),
        _ => None,
    }
}

/// Whether a mapping of type `ty` is a schema.
pub(crate) fn is_schema(ty: FieldType) -> bool {
    match ty {
        FieldType::Object(object) => std::ptr::eq(object, &raw const JSON_SCHEMA_PROPS),
        FieldType::SchemaOrBool | FieldType::SchemaOrArray | FieldType::SchemaOrStringArray => true,
        _ => false,
    }
}

/// `ty` in words, e.g. `[]JSONSchemaProps`.
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
