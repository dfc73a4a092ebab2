//! The form of a schema in OpenAPI v2 (`ToStructuralOpenAPIV2`, `PruneDefaults`).

use yaml::Json;

use super::{Object, array};

/// Drops keywords that v2 or kubectl's old validation does not support.
pub(super) fn weaken(schema: &mut Object) {
    for junctor in ["allOf", "oneOf", "anyOf", "not"] {
        schema.remove(junctor);
    }
    let is_true = |schema: &Object, name| schema.get(name) == Some(&Json::Bool(true));
    let is_of_type = |schema: &Object, name: &str| matches!(schema.get("type"), Some(Json::String(found)) if found == name);
    if is_true(schema, "nullable") {
        for name in ["type", "nullable", "items", "properties"] {
            schema.remove(name);
        }
    }
    let preserves = is_true(schema, "x-kubernetes-preserve-unknown-fields");
    if preserves {
        for name in ["items", "properties"] {
            schema.remove(name);
        }
    }
    if (is_of_type(schema, "array") && !schema.contains_key("items"))
        || (preserves && is_of_type(schema, "object"))
    {
        schema.remove("type");
    }
    relax_required(schema);
    children(schema).for_each(weaken);
}

/// Removes nullable properties from `required`.
fn relax_required(schema: &mut Object) {
    let is_nullable = |json: Option<&Json>| match json {
        Some(Json::Object(schema)) => schema.get("nullable") == Some(&Json::Bool(true)),
        _ => false,
    };
    let mut required = array(schema, "required").to_vec();
    if let Some(Json::Object(properties)) = schema.get("properties") {
        required.retain(|name| !matches!(name, Json::String(name) if is_nullable(properties.get(name))));
    }
    if required.is_empty() || is_nullable(schema.get("additionalProperties")) {
        schema.remove("required");
    } else {
        schema.insert("required".to_owned(), Json::Array(required));
    }
}

/// The document of v2 has no defaults.
pub(super) fn drop_defaults(schema: &mut Object) {
    schema.remove("default");
    children(schema).for_each(drop_defaults);
}

/// The child schemas, in `items`, `properties` and `additionalProperties`.
pub(super) fn children(schema: &mut Object) -> impl Iterator<Item = &mut Object> {
    let below = schema.iter_mut().flat_map(|(name, value)| match (name.as_str(), value) {
        ("items" | "additionalProperties", value) => vec![value],
        ("properties", Json::Object(properties)) => properties.values_mut().collect(),
        _ => Vec::new(),
    });
    below.filter_map(|value| match value {
        Json::Object(schema) => Some(schema),
        _ => None,
    })
}
