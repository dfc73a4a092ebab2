//! Values generated from a schema: most are valid, some are just outside a bound.

use serde_json::{Map, Value, json};

use super::edits::Random;
use super::kinds::below;

/// A value for `schema`, at most `depth` levels deep.
pub(super) fn generated(schema: &Value, random: &mut Random, depth: usize) -> Value {
    if let Some(values) = schema["enum"].as_array().filter(|_| random.below(8) > 0) {
        return values[random.below(values.len())].clone();
    }
    if schema["x-kubernetes-int-or-string"] == true {
        return [json!(3), json!("50%"), json!("http")][random.below(3)].clone();
    }
    match schema["type"].as_str() {
        Some("boolean") => json!(random.below(2) == 0),
        Some("integer") => json!(number(schema, random) as i64),
        Some("number") => json!(number(schema, random) + 0.5),
        Some("array") => {
            let most = schema["maxItems"].as_u64().map_or(3, |most| usize::try_from(most).unwrap().min(5));
            let count = if depth == 0 { 0 } else { random.below(most + 2) };
            (0..count).map(|_| generated(&schema["items"], random, depth - 1)).collect()
        }
        Some("object") => object(schema, random, depth),
        Some("string") => json!(text(schema, random)),
        _ => json!({"any": "thing"}),
    }
}

fn number(schema: &Value, random: &mut Random) -> f64 {
    let least = schema["minimum"].as_f64().unwrap_or(0.0);
    let most = schema["maximum"].as_f64().unwrap_or(least + 100.0);
    match random.below(6) {
        0 => least,
        1 => most,
        2 => most + 1.0,
        3 => least - 1.0,
        _ => (least + most) / 2.0,
    }
}

fn text(schema: &Value, random: &mut Random) -> String {
    let known = match schema["format"].as_str() {
        Some("date-time") => "2024-02-03T04:05:06Z",
        Some("duration") => "1h30m",
        Some("byte") => "YWJj",
        Some("int64") | Some("int32") => "12",
        _ => "",
    };
    if !known.is_empty() && random.below(5) > 0 {
        return known.to_owned();
    }
    const TEXTS: [&str; 16] = [
        "a",
        "abc",
        "example.com",
        "https://a.b/c",
        "10.0.0.1",
        "1Gi",
        "5m",
        "10%",
        "*",
        "/path",
        "ABC",
        "a b",
        "*.example.com",
        "",
        "arn:aws:iam::123456789012:role/x",
        "2001:db8::1/64",
    ];
    let text = TEXTS[random.below(TEXTS.len())];
    match (schema["maxLength"].as_u64(), random.below(6)) {
        (Some(most), 0) if most < 3_000 => "x".repeat(usize::try_from(most).unwrap() + random.below(2)),
        _ => text.to_owned(),
    }
}

fn object(schema: &Value, random: &mut Random, depth: usize) -> Value {
    let mut made = Map::new();
    if depth == 0 {
        return Value::Object(made);
    }
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let wanted =
            if required.contains(&name.as_str()) { random.below(12) > 0 } else { random.below(4) == 0 };
        if wanted {
            made.insert(name.clone(), generated(property, random, depth - 1));
        }
    }
    if schema["additionalProperties"].is_object() {
        for key in ["a", "b.c/d"].into_iter().take(random.below(3)) {
            made.insert(key.to_owned(), generated(&schema["additionalProperties"], random, depth - 1));
        }
    }
    Value::Object(made)
}

/// All properties that the schema declares and that `of` may contain: holder, key and schema.
pub(super) fn properties_below<'s>(of: &Value, schema: &'s Value) -> Vec<(String, String, &'s Value)> {
    let mut found = Vec::new();
    let mut pending = vec![(String::new(), of, schema)];
    while let Some((at, value, schema)) = pending.pop() {
        match value {
            Value::Object(map) => {
                for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                    if !["apiVersion", "kind", "metadata"].contains(&name.as_str()) {
                        found.push((at.clone(), name.clone(), property));
                    }
                }
                for (key, value) in map {
                    let schema = schema["properties"].get(key).unwrap_or(&schema["additionalProperties"]);
                    pending.push((below(&at, key), value, schema));
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    pending.push((format!("{at}/{index}"), item, &schema["items"]));
                }
            }
            _ => {}
        }
    }
    found
}
