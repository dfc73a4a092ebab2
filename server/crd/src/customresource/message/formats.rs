//! Messages for values that do not have the format of their schema.

use super::details::with_article;
use super::types::fraction;
use crate::customresource::error::{Facts, ValueError};
use crate::formats::examples;
use crate::message::Message;

/// The message for a value without the required format, or of a type to which the format does not apply.
pub(super) fn wrong_format(error: &ValueError, subject: &str, format: &str, shown: &str) -> Message {
    let example = examples(format).first().copied();
    match &error.facts {
        Some(Facts::Value { type_name: "number", shown, .. }) if is_of_integers(format) => {
            fraction(subject, shown)
        }
        Some(Facts::Value { type_name, .. }) if !matches!(*type_name, "string" | "array") => {
            Message::new(format!("{subject} cannot be {}", with_article(type_name)))
                .advise(other_type(format, example))
        }
        _ => wrong_text(format, example, shown),
    }
}

fn is_of_integers(format: &str) -> bool {
    matches!(format, "int32" | "int64")
}

/// The remedy for a value of a type to which `format` does not apply.
fn other_type(format: &str, example: Option<&str>) -> String {
    match (format, example) {
        ("float" | "double", _) => "write a number".to_owned(),
        _ if is_of_integers(format) => "write an integer".to_owned(),
        (_, Some(example)) => format!("write a string such as `\"{example}\"`"),
        (_, None) => "write a string".to_owned(),
    }
}

/// The message for a text without the required format.
fn wrong_text(format: &str, example: Option<&str>, shown: &str) -> Message {
    let text = shown.trim_matches('"');
    let such_as = |example: &str| format!("write a value such as `{example}`");
    let (problem, remedy) = match (format, example) {
        ("byte", Some(example)) if text.is_empty() => (
            "an empty string does not match the format `byte`".to_owned(),
            format!("write base64 such as `{example}`"),
        ),
        ("byte", _) if text.contains(['-', '_']) => (
            format!("{shown} has the alphabet of base64 for URLs, which the format `byte` rejects"),
            "replace `-` with `+` and `_` with `/`".to_owned(),
        ),
        ("byte", Some(example)) => {
            (format!("{shown} is not base64 with padding (format `byte`)"), such_as(example))
        }
        ("hostname", _) if text.len() > 1 && text.ends_with('.') => (
            format!("{shown} ends with a dot, which the format `hostname` rejects"),
            "remove the dot".to_owned(),
        ),
        ("hostname", Some(example)) if has_short_end(text) => (
            format!("{shown} does not end with two letters or more, as the format `hostname` requires"),
            such_as(example),
        ),
        (_, Some(example)) => (format!("{shown} does not match the format `{format}`"), such_as(example)),
        (_, None) => (
            format!("{shown} does not match the format `{format}`"),
            "use a value that matches it".to_owned(),
        ),
    };
    Message::new(problem).advise(remedy)
}

/// Whether the last of several labels is a single character or a number.
fn has_short_end(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, last)| {
        last.len() == 1 || !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit())
    })
}
