//! The published form of a schema: extensions are unfolded, and only fields of structural schemas are kept
//! (`ToKubeOpenAPI`).

use yaml::Json;

use super::{Object, array, member, object};
use crate::schema::TYPES;

/// Keywords that only validate values.
const VALUE_VALIDATION: [&str; 15] = [
    "format",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "multipleOf",
    "enum",
    "maxProperties",
    "minProperties",
];
/// Keywords of structure and documentation.
const GENERIC: [&str; 7] = ["type", "nullable", "description", "title", "default", "externalDocs", "example"];
/// Extensions except rules.
const EXTENSIONS: [&str; 6] = [
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];
const RULE: [&str; 5] = ["message", "messageExpression", "reason", "fieldPath", "optionalOldSelf"];
const JUNCTORS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// A node of the spine, with or without value validations.
pub(super) fn structural_node(schema: &Object, has_validations: bool) -> Object {
    let mut published = common(schema);
    let below = |schema: &Object| structural_node(schema, has_validations);
    published.extend(children(schema, below));
    match member(schema, "additionalProperties") {
        Some(Json::Object(schema)) => {
            published.insert("additionalProperties".to_owned(), Json::Object(below(schema)));
        }
        Some(Json::Bool(allows)) => {
            published.insert("additionalProperties".to_owned(), Json::Bool(*allows));
        }
        _ => {}
    }
    if has_validations {
        published.extend(value_validation(schema));
        unfold(&mut published);
    }
    published
}

/// A node within a junctor.
fn junctor_node(schema: &Object) -> Object {
    let mut published = common(schema);
    published.extend(children(schema, junctor_node));
    published.extend(value_validation(schema));
    published
}

/// The parts that both kinds of nodes have, without their children.
fn common(schema: &Object) -> Object {
    let mut published = effective_fields(schema, GENERIC.iter().chain(&EXTENSIONS));
    let rules: Vec<Json> = array(schema, "x-kubernetes-validations").iter().map(rule).collect();
    if !rules.is_empty() {
        published.insert("x-kubernetes-validations".to_owned(), Json::Array(rules));
    }
    if let Some(Json::Object(docs)) = published.get_mut("externalDocs") {
        *docs = effective_fields(docs, &["description", "url"]);
    }
    published
}

fn rule(rule: &Json) -> Json {
    let Some(rule) = object(Some(rule)) else { return Json::Null };
    let mut published = effective_fields(rule, &RULE);
    if let Some(Json::Bool(false)) = rule.get("optionalOldSelf") {
        published.insert("optionalOldSelf".to_owned(), Json::Bool(false));
    }
    published.insert("rule".to_owned(), Json::String(super::text(rule, "rule")));
    Json::Object(published)
}

fn children(schema: &Object, below: impl Fn(&Object) -> Object) -> Object {
    let mut published = Object::new();
    if let Some(items) = object(member(schema, "items")) {
        published.insert("items".to_owned(), Json::Object(below(items)));
    }
    if let Some(properties) = object(member(schema, "properties")).filter(|them| !them.is_empty()) {
        let nothing = Object::new();
        let of = |schema| Json::Object(below(object(Some(schema)).unwrap_or(&nothing)));
        let properties = properties.iter().map(|(name, schema)| (name.clone(), of(schema))).collect();
        published.insert("properties".to_owned(), Json::Object(properties));
    }
    published
}

fn value_validation(schema: &Object) -> Object {
    let mut published = effective_fields(schema, VALUE_VALIDATION.iter().chain(&["required"]));
    for junctor in JUNCTORS {
        let branches: Vec<Json> = array(schema, junctor)
            .iter()
            .map(|branch| Json::Object(object(Some(branch)).map(junctor_node).unwrap_or_default()))
            .collect();
        if !branches.is_empty() {
            published.insert(junctor.to_owned(), Json::Array(branches));
        }
    }
    if let Some(not) = object(member(schema, "not")) {
        published.insert("not".to_owned(), Json::Object(junctor_node(not)));
    }
    published
}

/// The fields with these names that have an effect.
fn effective_fields<'n>(schema: &Object, names: impl IntoIterator<Item = &'n &'n str>) -> Object {
    let is_default = |name: &str, value: &Json| match value {
        Json::Null | Json::Bool(false) => !matches!((name, value), ("default" | "example", Json::Bool(_))),
        Json::String(text) => {
            text.is_empty()
                && !matches!(name, "default" | "example" | "x-kubernetes-list-type" | "x-kubernetes-map-type")
        }
        Json::Array(items) => items.is_empty() && !matches!(name, "default" | "example"),
        _ => false,
    };
    let one = |name: &&str| {
        let value = schema.get(*name).filter(|value| !is_default(name, value))?;
        Some(((*name).to_owned(), value.clone()))
    };
    names.into_iter().filter_map(one).collect()
}

/// Adds to nodes with `x-kubernetes-int-or-string` an `anyOf` with both types (`Unfold`).
fn unfold(published: &mut Object) {
    if published.get("x-kubernetes-int-or-string") != Some(&Json::Bool(true)) {
        return;
    }
    let type_of =
        |name: &str| Json::Object(Object::from([("type".to_owned(), Json::String(name.to_owned()))]));
    let both = Json::Array(vec![type_of("integer"), type_of("string")]);
    let first_branch = array(published, "allOf").first();
    let is_int_or_string =
        |schema: Option<&Object>| schema.and_then(|schema| schema.get("anyOf")) == Some(&both);
    if is_int_or_string(Some(published)) || is_int_or_string(object(first_branch)) {
        return;
    }
    if !published.contains_key("anyOf") {
        published.insert("anyOf".to_owned(), both);
        return;
    }
    let mut branches = vec![Json::Object(Object::from([("anyOf".to_owned(), both)]))];
    branches.extend_from_slice(array(published, "allOf"));
    published.insert("allOf".to_owned(), Json::Array(branches));
}

/// Whether this node or a descendant has a type that OpenAPI does not have; then no part of the schema is published.
pub(super) fn has_unknown_types(schema: &Object) -> bool {
    let is_known =
        |name: &Json| matches!(name, Json::String(name) if name.is_empty() || TYPES.contains(&name.as_str()));
    if !member(schema, "type").is_none_or(is_known) {
        return true;
    }
    let single = ["items", "additionalProperties", "not"].into_iter().filter_map(|name| member(schema, name));
    let listed = JUNCTORS.into_iter().flat_map(|name| array(schema, name));
    let properties = object(member(schema, "properties")).into_iter().flat_map(Object::values);
    let mut below = single.chain(listed).chain(properties);
    below.any(|below| object(Some(below)).is_some_and(has_unknown_types))
}
