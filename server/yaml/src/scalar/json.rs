//! JSON and other text of scalars as Go prints them.

use super::float::Shortest;
use super::resolve::ResolvedScalar;

/// The JSON text of a scalar as Go's `encoding/json` prints it: `<`, `>`, `&`, U+2028 and U+2029 are
/// escaped, and floats have an exponent below 1e-6 and from 1e21 on.
///
/// JSON cannot represent infinities and NaN, which [`resolve`](super::resolve) rejects; they are printed as `null`.
#[must_use]
pub fn to_json(resolved: &ResolvedScalar<'_>) -> String {
    match resolved {
        ResolvedScalar::Null => "null".to_owned(),
        ResolvedScalar::Bool(value) => value.to_string(),
        ResolvedScalar::Int(value) => value.to_string(),
        ResolvedScalar::Uint(value) => value.to_string(),
        ResolvedScalar::Float(value) if !value.is_finite() => "null".to_owned(),
        ResolvedScalar::Float(value) => float(*value),
        ResolvedScalar::String(text) => string(text),
    }
}

fn float(value: f64) -> String {
    let shortest = Shortest::of_f64(value);
    let size = value.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) { shortest.exponential(1) } else { shortest.decimal() }
}

fn string(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\x08' => json.push_str("\\b"),
            '\x0C' => json.push_str("\\f"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            '\0'..='\x1F' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                json.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            other => json.push(other),
        }
    }
    json.push('"');
    json
}
