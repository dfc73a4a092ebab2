//! Messages for values of the wrong type, and for numbers outside the range of their type.

use super::details::{TypeMismatch, with_article};
use crate::customresource::error::{Facts, ValueError};
use crate::field_path::Segment;
use crate::message::Message;

const WHOLE_NUMBER: &str = "write a whole number";
const CLOSER: &str = "write a number closer to 0";

/// The message for a value of the wrong type.
pub(super) fn wrong_type(error: &ValueError, subject: &str, types: TypeMismatch<'_>) -> Message {
    let TypeMismatch { expected, actual } = types;
    let shown = shown_value(error);
    let text = shown.trim_matches('"');
    let of = |problem: String, remedy: &str| Message::new(problem).advise(remedy);
    let is_number = matches!(expected, "integer" | "number");
    match (expected, actual) {
        ("integer", "number") if !shown.is_empty() => fraction(subject, shown),
        ("integer,string", "number") if !shown.is_empty() => of(
            format!("{subject} is {shown}, which is neither an integer nor a string"),
            "write an integer, or put it in quotes",
        ),
        // YAML has no limit on the size of numbers.
        (_, "string") if is_number && text.parse().is_ok_and(f64::is_infinite) && is_digit_first(text) => {
            of(format!("{subject} is too large for a number, so YAML reads it as a string"), CLOSER)
        }
        (_, "string") if is_unquoted(expected, text) => {
            of(format!("{subject} cannot be a string"), "remove the quotes")
        }
        ("string", "boolean" | "integer" | "number") => {
            of(format!("{subject} cannot be {}", with_article(actual)), "put it in quotes")
        }
        (_, "null") => {
            let is_item = matches!(error.path.last(), Some(Segment::Index(_)));
            let what = if is_item { "item" } else { "field" };
            of(
                format!("{subject} cannot be null"),
                &format!("write {}, or remove the {what}", with_article(expected)),
            )
        }
        _ => {
            let remedy = match &error.facts {
                Some(Facts::Value { remedy: Some(remedy), .. }) => remedy.to_string(),
                _ => format!("write {}", with_article(expected)),
            };
            of(format!("{subject} cannot be {}", with_article(actual)), &remedy)
        }
    }
}

/// Whether `text` without quotes has the type `expected`.
fn is_unquoted(expected: &str, text: &str) -> bool {
    match expected {
        "boolean" => matches!(text, "true" | "false"),
        "integer" => text.parse::<i64>().is_ok_and(|number| number.to_string() == text),
        "number" => is_digit_first(text) && text.parse().is_ok_and(f64::is_finite),
        _ => false,
    }
}

fn is_digit_first(text: &str) -> bool {
    text.trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit())
}

/// The message for a number outside the range of its type or format.
pub(super) fn out_of_range(error: &ValueError, subject: &str, bits: Option<&str>) -> Message {
    let shown = shown_value(error);
    let is = |test: fn(f64) -> bool| shown.parse().is_ok_and(test);
    let is_integer = error.detail.contains("of type integer");
    let of = |problem: String, remedy: &str| Message::new(problem).advise(remedy);
    match bits {
        _ if is_integer && is(|number| number.fract() != 0.0) => fraction(subject, shown),
        Some("32") if is_integer && is(|number| number > f64::from(i32::MAX)) => {
            of(format!("{subject} exceeds the largest 32-bit integer"), "write 2147483647 or less")
        }
        Some("32") if is_integer && is(|number| number < f64::from(i32::MIN)) => {
            of(format!("{subject} is below the smallest 32-bit integer"), "write -2147483648 or more")
        }
        Some(bits) => of(format!("{subject} does not fit into {bits} bits"), CLOSER),
        None => of(format!("{subject} does not fit into a 64-bit integer"), CLOSER),
    }
}

/// The message for a number with a fraction, or beyond 64 bits, where an integer is required.
pub(super) fn fraction(subject: &str, shown: &str) -> Message {
    match shown.parse::<f64>() {
        Ok(number) if number.fract() == 0.0 => {
            Message::new(format!("{subject} is {shown}, which does not fit into a 64-bit integer"))
                .advise(CLOSER)
        }
        _ => Message::new(format!("{subject} is {shown}, which is not an integer")).advise(WHOLE_NUMBER),
    }
}

/// The value as JSON, truncated if it is a text; empty for values that are not scalars.
fn shown_value(error: &ValueError) -> &str {
    match &error.facts {
        Some(Facts::Value { shown, .. }) => shown,
        _ => "",
    }
}
