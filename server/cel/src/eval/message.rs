//! Well-known protobuf messages, which become plain values when they are created.

use crate::value::{EvalError, Key, Map, MapBuilder, Outcome, Timestamp, Value};

/// A message with that name; the last value counts for a field that is set twice.
pub(super) fn make<'a>(name: &str, fields: Vec<(&str, Value<'a>)>) -> Outcome<Value<'a>> {
    let short = name.strip_prefix("google.protobuf.").unwrap_or(name);
    let field =
        |wanted: &str| fields.iter().find(|(field, _)| *field == wanted).map(|(_, value)| value.clone());
    let value = field("value");
    Ok(match short {
        "BoolValue" => value.unwrap_or(Value::Bool(false)),
        "BytesValue" => value.unwrap_or_else(|| Value::Bytes([].into())),
        "DoubleValue" => value.unwrap_or(Value::Double(0.0)),
        "FloatValue" => match value.unwrap_or(Value::Double(0.0)) {
            Value::Double(number) => Value::Double(f64::from(number as f32)),
            other => other,
        },
        "Int64Value" => value.unwrap_or(Value::Int(0)),
        "UInt64Value" => value.unwrap_or(Value::Uint(0)),
        "StringValue" => value.unwrap_or_else(|| Value::text("")),
        "Int32Value" => match value.unwrap_or(Value::Int(0)) {
            Value::Int(number) if i32::try_from(number).is_err() => return Err(overflow(name, "integer")),
            other => other,
        },
        "UInt32Value" => match value.unwrap_or(Value::Uint(0)) {
            Value::Uint(number) if u32::try_from(number).is_err() => {
                return Err(overflow(name, "unsigned integer"));
            }
            other => other,
        },
        "Duration" => {
            let (seconds, nanos) = seconds_and_nanos(&field);
            let nanos = seconds.checked_mul(crate::value::NANOS).and_then(|n| n.checked_add(nanos));
            Value::Duration(nanos.unwrap_or(if seconds < 0 { i64::MIN } else { i64::MAX }))
        }
        "Timestamp" => {
            let (seconds, nanos) = seconds_and_nanos(&field);
            Value::Timestamp(Timestamp::from_seconds(seconds)?.plus(nanos)?)
        }
        "Struct" => field("fields").map_or_else(empty, as_json),
        "ListValue" => field("values").map_or_else(|| Value::list(vec![]), as_json),
        "Value" => match fields.into_iter().next_back() {
            Some(("null_value", _)) | None => Value::Null,
            Some((_, value)) => as_json(value),
        },
        "Empty" => empty(),
        // The API server unpacks the contents of an Any, and no types except these are registered.
        "Any" => {
            let url = field("type_url");
            let shown = url.as_ref().and_then(Value::as_str).unwrap_or_default();
            let text = crate::value::quote(shown);
            let message = format!("unsupported conversion to ref.Val: (*dynamicpb.Message)type_url:{text}");
            return Err(EvalError::new(message));
        }
        _ => return Err(EvalError::new(format!("unknown type '{name}'"))),
    })
}

fn empty<'a>() -> Value<'a> {
    Value::Map(Map::of(MapBuilder::default()))
}

fn overflow(name: &str, what: &str) -> EvalError {
    EvalError::new(format!("field type conversion error for {name}.value value type: {what} overflow"))
}

fn seconds_and_nanos<'a>(field: &impl Fn(&str) -> Option<Value<'a>>) -> (i64, i64) {
    let number = |name: &str| match field(name) {
        Some(Value::Int(number)) => number,
        _ => 0,
    };
    (number("seconds"), number("nanos"))
}

/// Values as in JSON: all numbers are doubles.
fn as_json(value: Value<'_>) -> Value<'_> {
    match value {
        Value::Int(number) => Value::Double(number as f64),
        Value::Uint(number) => Value::Double(number as f64),
        Value::List(list) => Value::list(list.iter().filter_map(Result::ok).map(as_json).collect()),
        Value::Map(map) => {
            let entries = map.entries().into_iter();
            let entries = entries.filter_map(|(key, value)| Some((Key::of(&key), as_json(value.ok()?))));
            Value::Map(Map::of(entries.collect()))
        }
        other => other,
    }
}
