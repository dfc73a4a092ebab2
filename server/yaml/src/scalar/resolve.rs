//! The type of a decoded scalar: null, a boolean, a number or a string.

use std::borrow::Cow;
use std::fmt;

use text::Shortcut;

use super::decode::{ScalarStyle, is_one_line};
use super::number::{self, Number};
use super::tag::Tag;
use super::{base64, timestamp};

/// A scalar with the type that the API server's YAML decoder gives it.
#[derive(Debug, Clone, PartialEq)]
pub enum ResolvedScalar<'a> {
    /// `~`, `null` or nothing at all.
    Null,
    /// `true`, `yes`, `on`, `y` and their opposites.
    Bool(bool),
    /// An integer that fits a signed 64-bit integer.
    Int(i64),
    /// An integer that fits only an unsigned 64-bit integer.
    Uint(u64),
    /// Any other number; infinite or NaN only from [`resolve_key`].
    Float(f64),
    /// Text.
    String(Cow<'a, str>),
}

/// Why the API server's YAML decoder rejects a scalar; displays as the server's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResolveError {
    /// `.inf` or `.nan` as a value: `+Inf`, `-Inf` or `NaN`, which JSON cannot represent.
    UnsupportedValue(&'static str),
    /// The text does not have the type of its tag.
    WrongTag {
        /// The type of the text, as a short tag such as `!!str`.
        text_type: &'static str,
        /// The decoded text.
        text: String,
        /// The tag of the scalar, in short form.
        tag: &'static str,
    },
    /// `!!binary` with text that is not base64.
    InvalidBase64,
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnsupportedValue(value) => write!(f, "json: unsupported value: {value}"),
            Self::WrongTag { text_type: found, text, tag } => {
                write!(f, "yaml: cannot decode {found} `{text}` as a {tag}")
            }
            Self::InvalidBase64 => f.write_str("yaml: !!binary value contains invalid base64 data"),
        }
    }
}

impl std::error::Error for ResolveError {}

impl ResolvedScalar<'_> {
    /// The short tag of its type.
    fn tag(&self) -> Tag {
        match self {
            Self::Null => Tag::Null,
            Self::Bool(_) => Tag::Bool,
            Self::Int(_) | Self::Uint(_) => Tag::Int,
            Self::Float(_) => Tag::Float,
            Self::String(_) => Tag::Str,
        }
    }
}

/// Determines the type of a value from its decoded text, as go-yaml v2 does (YAML 1.1 with deviations).
///
/// Quoted and block scalars are strings unless a tag says otherwise; sexagesimal numbers and timestamps are
/// always strings. `tag` is the tag as written (`!!int`) or resolved through `%TAG`
/// (`tag:yaml.org,2002:int`); a scalar with a tag that go-yaml does not know is a string.
pub fn resolve<'a>(
    text: Cow<'a, str>,
    style: ScalarStyle,
    tag: Option<&str>,
) -> Result<ResolvedScalar<'a>, ResolveError> {
    match resolve_key(text, style, tag)? {
        ResolvedScalar::Float(value) if value.is_nan() => Err(ResolveError::UnsupportedValue("NaN")),
        ResolvedScalar::Float(f64::INFINITY) => Err(ResolveError::UnsupportedValue("+Inf")),
        ResolvedScalar::Float(f64::NEG_INFINITY) => Err(ResolveError::UnsupportedValue("-Inf")),
        value => Ok(value),
    }
}

/// Like [`resolve`], for a mapping key, which may also be `.inf` or `.nan`.
pub fn resolve_key<'a>(
    text: Cow<'a, str>,
    style: ScalarStyle,
    tag: Option<&str>,
) -> Result<ResolvedScalar<'a>, ResolveError> {
    let expected = match tag.filter(|tag| !tag.is_empty()).map(Tag::parse) {
        None if style == ScalarStyle::Plain => {
            return Ok(typed(&text).unwrap_or(ResolvedScalar::String(text)));
        }
        None | Some(Tag::Str | Tag::Merge | Tag::NonSpecific | Tag::Unknown) => {
            return Ok(ResolvedScalar::String(text));
        }
        Some(Tag::Binary) => return base64::decode(&text).map(string_of_bytes),
        Some(Tag::Timestamp) if timestamp::is_timestamp(&text) => return Ok(ResolvedScalar::String(text)),
        Some(expected) => expected,
    };
    let found = typed(&text).unwrap_or(ResolvedScalar::String(Cow::Borrowed("")));
    match found {
        // go-yaml converts only integers that fit `i64`.
        ResolvedScalar::Int(value) if expected == Tag::Float => Ok(ResolvedScalar::Float(value as f64)),
        found if found.tag() == expected => Ok(found),
        found => Err(ResolveError::WrongTag {
            text_type: found.tag().short(),
            text: text.into_owned(),
            tag: expected.short(),
        }),
    }
}

/// Whether a plain scalar without a tag is a string, as far as the first bytes of its source show.
pub(crate) fn is_text(raw: &str) -> bool {
    if !Shortcut::PlainText.is_on() {
        return false;
    }
    // Other scalars start with another character, as numbers and timestamps do, or are at most as long as `false`.
    let first = raw.as_bytes().get(..="false".len()).unwrap_or_default();
    first.iter().all(u8::is_ascii_graphic) && first.first().is_some_and(u8::is_ascii_alphabetic)
}

/// Whether a plain scalar without a tag is a string equal to its source text, as nearly all are. Returns
/// `false` for some such strings that need a closer look: words that may abbreviate a boolean, and text that
/// spans lines.
#[inline]
pub(crate) fn is_own_text(raw: &str) -> bool {
    Shortcut::PlainText.is_on() && is_string_on_line(raw) && is_one_line(raw)
}

/// The same for a scalar on one line.
#[inline]
pub(crate) fn is_string_on_line(raw: &str) -> bool {
    match raw.as_bytes() {
        [] | [b'~' | b'.' | b'+' | b'-' | b'0'..=b'9', ..] => false,
        [b'y' | b'Y' | b'n' | b'N'] => false,
        // `yes`, `no` and `null`, `on` and `off`, `true` and `false` begin like this.
        [b'y' | b'Y', b'e' | b'E', ..]
        | [b'n' | b'N', b'o' | b'O' | b'u' | b'U', ..]
        | [b'o' | b'O', b'n' | b'N' | b'f' | b'F', ..]
        | [b't' | b'T', b'r' | b'R', ..]
        | [b'f' | b'F', b'a' | b'A', ..] => raw.len() > "false".len(),
        _ => true,
    }
}

/// The type of plain text; `None` is a string.
fn typed(text: &str) -> Option<ResolvedScalar<'static>> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Some(ResolvedScalar::Null),
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => {
            return Some(ResolvedScalar::Bool(true));
        }
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => {
            return Some(ResolvedScalar::Bool(false));
        }
        ".nan" | ".NaN" | ".NAN" => return Some(ResolvedScalar::Float(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
            return Some(ResolvedScalar::Float(f64::INFINITY));
        }
        "-.inf" | "-.Inf" | "-.INF" => return Some(ResolvedScalar::Float(f64::NEG_INFINITY)),
        _ => {}
    }
    match text.as_bytes().first()? {
        b'.' => number::parse_dotted(text).map(ResolvedScalar::Float),
        b'0'..=b'9' | b'+' | b'-' => number::parse(text).map(|number| match number {
            Number::Int(value) => ResolvedScalar::Int(value),
            Number::Uint(value) => ResolvedScalar::Uint(value),
            Number::Float(value) => ResolvedScalar::Float(value),
        }),
        _ => None,
    }
}

/// Go keeps bytes that are not UTF-8 in its strings and prints each of them as U+FFFD in JSON.
fn string_of_bytes(bytes: Vec<u8>) -> ResolvedScalar<'static> {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    ResolvedScalar::String(Cow::Owned(text))
}
