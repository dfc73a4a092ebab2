//! Mapping keys: JSON has only string keys, so `sigs.k8s.io/yaml` converts other keys to strings.

use std::borrow::Cow;
use std::fmt;

use super::decode::ScalarStyle;
use super::float::Shortest;
use super::resolve::ResolvedScalar;
use super::tag::Tag;

/// Why a scalar cannot be a key. The server's text contains the key's value too: [`KeyError::message`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyError {
    kind: &'static str,
    key: String,
}

impl KeyError {
    /// The server's text, with the value of the key in Go syntax; [`go_syntax`] returns that of a scalar.
    #[must_use]
    pub fn message(&self, value: &str) -> String {
        format!("{self}, value: {value}")
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unsupported map key of type: {}, key: {}", self.kind, self.key)
    }
}

impl std::error::Error for KeyError {}

/// The JSON object key that a scalar becomes: `y` is `true`, `1e3` is `1000`, `0.1` is `0.1`.
///
/// Floats are first rounded to 32 bits, so 16777217.0 is `1.6777216e+07` and 1e300 is `.inf`. Null and
/// integers beyond 9223372036854775807 are errors.
pub fn key_text<'r>(resolved: &'r ResolvedScalar<'_>) -> Result<Cow<'r, str>, KeyError> {
    match resolved {
        ResolvedScalar::Null => Err(KeyError { kind: "%!s(<nil>)", key: go_syntax(resolved) }),
        ResolvedScalar::Uint(_) => Err(KeyError { kind: "uint64", key: go_syntax(resolved) }),
        ResolvedScalar::Bool(true) => Ok(Cow::Borrowed("true")),
        ResolvedScalar::Bool(false) => Ok(Cow::Borrowed("false")),
        ResolvedScalar::Int(value) => Ok(Cow::Owned(value.to_string())),
        ResolvedScalar::Float(value) => Ok(Cow::Owned(float_key(*value))),
        ResolvedScalar::String(text) => Ok(Cow::Borrowed(text)),
    }
}

/// Whether a key is the merge key: `<<` in plain text, or with the tag `!` or `!!merge` in any style.
#[must_use]
pub fn is_merge_key(text: &str, style: ScalarStyle, tag: Option<&str>) -> bool {
    text == "<<"
        && match tag.filter(|tag| !tag.is_empty()).map(Tag::parse) {
            None => style == ScalarStyle::Plain,
            Some(tag) => matches!(tag, Tag::Merge | Tag::NonSpecific),
        }
}

/// A scalar in Go syntax, as `%#v` prints it in the server's messages.
#[must_use]
pub fn go_syntax(resolved: &ResolvedScalar<'_>) -> String {
    match resolved {
        ResolvedScalar::Null => "<nil>".to_owned(),
        ResolvedScalar::Bool(value) => value.to_string(),
        ResolvedScalar::Int(value) => value.to_string(),
        ResolvedScalar::Uint(value) => format!("{value:#x}"),
        ResolvedScalar::Float(value) => float_syntax(*value),
        ResolvedScalar::String(text) => go_quote(text),
    }
}

fn float_key(value: f64) -> String {
    let rounded = value as f32;
    if rounded.is_nan() {
        ".nan".to_owned()
    } else if rounded.is_infinite() {
        if rounded > 0.0 { ".inf".to_owned() } else { "-.inf".to_owned() }
    } else {
        general(&Shortest::of_f32(rounded))
    }
}

fn float_syntax(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "+Inf".to_owned() } else { "-Inf".to_owned() }
    } else {
        general(&Shortest::of_f64(value))
    }
}

/// Go's shortest `%g`: an exponent, of at least two digits, below 1e-4 and from 1e6 on.
fn general(shortest: &Shortest) -> String {
    if (-4..6).contains(&shortest.exponent()) { shortest.decimal() } else { shortest.exponential(2) }
}

/// Go's `strconv.Quote`.
#[must_use]
pub fn go_quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\x07' => quoted.push_str("\\a"),
            '\x08' => quoted.push_str("\\b"),
            '\x0C' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\x0B' => quoted.push_str("\\v"),
            '\0'..='\x1F' | '\x7F' => quoted.push_str(&format!("\\x{:02x}", u32::from(character))),
            other if is_printable(other) => quoted.push(other),
            other if other <= '\u{FFFF}' => quoted.push_str(&format!("\\u{:04x}", u32::from(other))),
            other => quoted.push_str(&format!("\\U{:08x}", u32::from(other))),
        }
    }
    quoted.push('"');
    quoted
}

/// Go's `unicode.IsPrint`: letters, marks, numbers, punctuation, symbols and the ASCII space, as in Rust's
/// own escaping. Rust's Unicode version may be newer than Go's, so a recently assigned character may be
/// printed although Go escapes it.
#[must_use]
pub fn is_printable(character: char) -> bool {
    if character.is_ascii() {
        return !character.is_ascii_control();
    }
    // After another character, because a combining mark at the start of a text is escaped.
    format!("a{character}").escape_debug().nth(1) != Some('\\')
}
