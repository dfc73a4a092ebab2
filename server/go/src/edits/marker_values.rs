//! Values in the syntax of markers.

use crate::json::Json;
use crate::marker::{ArgumentType, Shape};
use crate::strings::quoted;

/// A value after `=`; `None` if markers cannot express it. `before` is the current text of the value.
pub(super) fn marker_value(shape: Shape, value: &Json, before: Option<&str>) -> Option<String> {
    match shape {
        Shape::Empty | Shape::Arguments(_) => None,
        Shape::Float(_) | Shape::Integer(_) => number(value),
        Shape::Json => Some(value.encoded()),
        Shape::Value(kind) | Shape::OptionalValue(kind) => argument(kind, value, before),
    }
}

/// The value of an argument.
pub(super) fn argument(kind: ArgumentType, value: &Json, before: Option<&str>) -> Option<String> {
    match (kind, value) {
        (ArgumentType::Int | ArgumentType::Number, value) => number(value),
        (ArgumentType::Text, Json::Text(text)) => Some(self::text(text, before)),
        (ArgumentType::Bool, Json::Bool(flag)) => Some(flag.to_string()),
        (ArgumentType::Any, Json::Text(_)) if before.is_some_and(is_bare_word) => list_element(value),
        (ArgumentType::Any, value) => json_value(value),
        (ArgumentType::Texts | ArgumentType::Anys, Json::List(items)) if !items.is_empty() => {
            let items: Option<Vec<String>> = items.iter().map(list_element).collect();
            Some(items?.join(";"))
        }
        _ => None,
    }
}

fn number(value: &Json) -> Option<String> {
    match value {
        Json::Int(_) | Json::Unsigned(_) | Json::Float(_) => Some(value.encoded()),
        _ => None,
    }
}

/// A text: in its current quotes, or in quotes that need no escapes.
fn text(text: &str, before: Option<&str>) -> String {
    let in_backticks = !text.contains(['`', '\n', '\r']);
    let quotes = before.and_then(|before| before.chars().next());
    let is_word = !text.is_empty()
        && text.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '.' | '-' | '_' | '/'));
    match quotes {
        Some('`') if in_backticks => format!("`{text}`"),
        Some('"') => quoted(text),
        _ if is_word => text.to_owned(),
        _ if in_backticks && text.contains(['"', '\\']) => format!("`{text}`"),
        _ => quoted(text),
    }
}

/// An element of a list: a word stays without quotes unless it would be misread.
fn list_element(value: &Json) -> Option<String> {
    match value {
        Json::Text(text) => Some(if is_bare_word(text) { text.clone() } else { quoted(text) }),
        Json::Bool(flag) => Some(flag.to_string()),
        Json::List(_) | Json::Map(_) | Json::Shared(_) | Json::Null => None,
        number => Some(number.encoded()),
    }
}

/// Whether controller-gen reads a word without quotes as this text.
fn is_bare_word(text: &str) -> bool {
    text.starts_with(|ch: char| ch.is_ascii_alphabetic())
        && text.chars().all(|ch| ch.is_ascii_alphanumeric() || ch == '_')
        && !matches!(text, "true" | "false")
}

fn json_value(value: &Json) -> Option<String> {
    match value {
        Json::Null => None,
        Json::Text(text) => Some(quoted(text)),
        Json::List(items) => {
            let items: Option<Vec<String>> = items.iter().map(json_value).collect();
            Some(format!("{{{}}}", items?.join(", ")))
        }
        // A blank would hide the sign of a number.
        Json::Map(entries) => {
            let entries: Option<Vec<String>> = entries
                .iter()
                .map(|(key, value)| Some(format!("{}:{}", quoted(key), json_value(value)?)))
                .collect();
            Some(format!("{{{}}}", entries?.join(", ")))
        }
        other => Some(other.encoded()),
    }
}
