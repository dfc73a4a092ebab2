//! Values in the format of the recorder.
#![allow(clippy::unwrap_used, dead_code, missing_docs, unreachable_pub)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use cel::value::Value;
use serde_json::{Value as Json, json};

/// A value in the format of the recorder.
pub fn encode(value: &Value<'_>) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => json!(value),
        Value::Int(number) => json!(number),
        Value::Uint(number) => json!(number),
        Value::Double(number) if number.is_nan() => json!("NaN"),
        Value::Double(number) if number.is_infinite() => json!(if *number > 0.0 { "+Inf" } else { "-Inf" }),
        Value::Double(number) => json!(number),
        Value::String(text) => json!(&**text),
        Value::Bytes(bytes) => json!(BASE64.encode(bytes)),
        Value::Type(name) => json!(&**name),
        Value::Optional(value) => {
            json!({"optional": value.iter().map(|value| encode(value)).collect::<Vec<_>>()})
        }
        Value::List(list) => list.iter().map(|item| encode_outcome(&item)).collect(),
        Value::Map(map) => {
            let entries: Vec<_> =
                map.entries().into_iter().map(|(key, value)| (key, encode_outcome(&value))).collect();
            if entries.iter().all(|(key, _)| key.as_str().is_some()) {
                let named = entries.into_iter().map(|(key, value)| (key.as_str().unwrap().to_owned(), value));
                return Json::Object(named.collect());
            }
            let mut pairs: Vec<_> = entries.iter().map(|(key, value)| json!([encode(key), value])).collect();
            // In the order of Go's texts for them, which have no quotes.
            pairs.sort_by_key(|pair| pair.to_string().replace('"', ""));
            json!({"pairs": pairs})
        }
        Value::Duration(_) | Value::Timestamp(_) | Value::Ip(_) | Value::Cidr(_) => {
            json!(cel::text_of(value).unwrap())
        }
        Value::Url(url) => json!(url.to_string()),
        Value::Quantity(quantity) => json!(quantity.to_string()),
        Value::Semver(version) => json!(version.to_string()),
        Value::Format(format) => json!(format!("{format:?}")),
        Value::Preserved(_) => json!("preserved"),
    }
}

/// Data that its schema does not allow is encoded as its error.
fn encode_outcome(value: &Result<Value<'_>, cel::EvalError>) -> Json {
    value.as_ref().map_or_else(|error| json!(error.to_string()), encode)
}

/// Numbers are equal if their values are: the recorder writes 1.0 as 1.
pub fn same(ours: &Json, theirs: &Json) -> bool {
    match (ours, theirs) {
        (Json::Number(a), Json::Number(b)) => {
            // The JSON reader is inaccurate in the last digit of some numbers.
            let near = |a: f64, b: f64| a == b || ((a - b) / b).abs() < 1e-15;
            a == b || ((a.is_f64() || b.is_f64()) && near(a.as_f64().unwrap(), b.as_f64().unwrap()))
        }
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
        }
        (a, b) => a == b,
    }
}
