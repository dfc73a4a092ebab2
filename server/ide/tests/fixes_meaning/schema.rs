//! The meaning of a schema in JSON Schema, with `nullable` of OpenAPI and two keywords of Kubernetes, even if
//! the API server rejects the schema.

use serde_json::Value as Json;

/// Whether `schema` accepts `value`.
pub(crate) fn takes(schema: &Json, value: &Json) -> bool {
    let Some(node) = schema.as_object() else { return schema != &Json::Bool(false) };
    if value.is_null() && node.get("nullable") == Some(&Json::Bool(true)) {
        return true;
    }
    node.iter().all(|(keyword, operand)| meets(node, keyword, operand, value))
}

fn meets(node: &serde_json::Map<String, Json>, keyword: &str, operand: &Json, value: &Json) -> bool {
    let number = |of: &dyn Fn(f64, f64) -> bool| match (operand.as_f64(), value.as_f64()) {
        (Some(operand), Some(value)) => of(value, operand),
        _ => true,
    };
    let size = |size: Option<usize>, of: &dyn Fn(u64, u64) -> bool| match (size, operand.as_u64()) {
        (Some(size), Some(operand)) => of(size as u64, operand),
        _ => true,
    };
    let list = || operand.as_array().into_iter().flatten();
    let length = value.as_str().map(|text| text.chars().count());
    let (items, members) = (value.as_array(), value.as_object());
    let excludes = |name: &str| node.get(name) == Some(&Json::Bool(true));
    match keyword {
        "type" => match operand {
            Json::Array(types) => types.iter().any(|of| is_of(of, value)),
            of => is_of(of, value),
        },
        "x-kubernetes-int-or-string" if operand == &Json::Bool(true) => {
            value.is_string() || value.is_i64() || value.is_u64()
        }
        "enum" => list().any(|one| one == value),
        "const" => operand == value,
        "minimum" if excludes("exclusiveMinimum") => number(&|value, least| value > least),
        "minimum" => number(&|value, least| value >= least),
        "maximum" if excludes("exclusiveMaximum") => number(&|value, most| value < most),
        "maximum" => number(&|value, most| value <= most),
        "exclusiveMinimum" => number(&|value, least| value > least),
        "exclusiveMaximum" => number(&|value, most| value < most),
        "multipleOf" => number(&|value, of| (value / of).fract() == 0.0),
        "minLength" => size(length, &|size, least| size >= least),
        "maxLength" => size(length, &|size, most| size <= most),
        "minItems" => size(items.map(Vec::len), &|size, least| size >= least),
        "maxItems" => size(items.map(Vec::len), &|size, most| size <= most),
        "minProperties" => size(members.map(serde_json::Map::len), &|size, least| size >= least),
        "maxProperties" => size(members.map(serde_json::Map::len), &|size, most| size <= most),
        "pattern" => match (operand.as_str(), value.as_str()) {
            (Some(pattern), Some(text)) => matches(pattern, text),
            _ => true,
        },
        // The test values contain no times.
        "format" => operand != "date-time" || !value.is_string(),
        "x-kubernetes-list-type" if operand == "set" => are_different(items),
        "uniqueItems" if operand == &Json::Bool(true) => are_different(items),
        "required" => {
            members.is_none_or(|members| list().all(|name| members.contains_key(name.as_str().unwrap_or(""))))
        }
        "dependencies" => members.is_none_or(|members| {
            let needs =
                operand.as_object().into_iter().flatten().filter(|(name, _)| members.contains_key(*name));
            let needed = needs.filter_map(|(_, names)| names.as_array()).flatten();
            needed.filter_map(Json::as_str).all(|name| members.contains_key(name))
        }),
        "properties" => members.is_none_or(|members| {
            // As in the drafts before 4.
            let demands = |schema: &Json| schema["required"] == true;
            let demanded = operand.as_object().into_iter().flatten().filter(|(_, schema)| demands(schema));
            demanded.map(|(name, _)| name).all(|name| members.contains_key(name))
                && members
                    .iter()
                    .all(|(name, value)| operand.get(name).is_none_or(|schema| takes(schema, value)))
        }),
        "additionalProperties" => members.is_none_or(|members| {
            let is_named = |name: &str| node.get("properties").is_some_and(|named| named.get(name).is_some());
            members.iter().all(|(name, value)| is_named(name) || takes(operand, value))
        }),
        "items" => items.is_none_or(|items| {
            items.iter().enumerate().all(|(index, item)| match operand {
                Json::Array(schemas) => schemas.get(index).is_none_or(|schema| takes(schema, item)),
                schema => takes(schema, item),
            })
        }),
        "allOf" => list().all(|schema| takes(schema, value)),
        "anyOf" => list().any(|schema| takes(schema, value)),
        "oneOf" => list().filter(|schema| takes(schema, value)).count() == 1,
        "not" => !takes(operand, value),
        "if" => {
            let then = node.get(if takes(operand, value) { "then" } else { "else" });
            then.is_none_or(|schema| takes(schema, value))
        }
        _ => true,
    }
}

fn are_different(items: Option<&Vec<Json>>) -> bool {
    let others = |index: usize| items.into_iter().flatten().skip(index + 1);
    items.into_iter().flatten().enumerate().all(|(index, one)| others(index).all(|other| one != other))
}

/// Whether `text` matches. Handles `^(?!A)B`, because the server's engine does not support negative
/// lookaheads.
fn matches(pattern: &str, text: &str) -> bool {
    let is_match = |pattern: &str| {
        crd::schema::structural::Pattern::new(pattern).is_match(text).expect("a pattern of the fixtures")
    };
    match pattern.strip_prefix("^(?!").and_then(|rest| rest.split_once(')')) {
        Some((unwanted, rest)) => !is_match(&format!("^(?:{unwanted})")) && is_match(&format!("^{rest}")),
        None => is_match(pattern),
    }
}

fn is_of(name: &Json, value: &Json) -> bool {
    match name.as_str() {
        Some("string") => value.is_string(),
        Some("integer") => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("null") => value.is_null(),
        _ => true,
    }
}

/// Only the types of `schema`, without conditions on values.
pub(crate) fn skeleton(schema: &Json) -> Json {
    let Some(node) = schema.as_object() else { return schema.clone() };
    let kept = node.iter().filter_map(|(keyword, operand)| {
        let operand = match keyword.as_str() {
            "type" | "nullable" | "x-kubernetes-int-or-string" => operand.clone(),
            "items" | "additionalProperties" => skeleton(operand),
            "properties" => {
                operand.as_object()?.iter().map(|(name, schema)| (name.clone(), skeleton(schema))).collect()
            }
            _ => return None,
        };
        Some((keyword.clone(), operand))
    });
    kept.collect()
}
