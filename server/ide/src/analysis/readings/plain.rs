//! Plain scalars as read by the decoder of the API server, and by the core schema of YAML 1.2 (its section 10.3.2).

use std::borrow::Cow;

use yaml::scalar::{ResolvedScalar, ScalarStyle, key_text, resolve_key, to_json};
use yaml::{Scalar, SyntaxKind, TokenRef, Value};

/// A plain scalar that the server reads as a boolean or a number.
#[derive(Clone, Debug)]
pub(super) struct TypedScalar<'t> {
    pub(super) text: &'t str,
    pub(super) resolved: ResolvedScalar<'static>,
}

/// Returns `value` if the server reads a boolean or a number without a tag. Null is skipped, as its reading
/// is obvious.
pub(super) fn typed(value: Value<'_>) -> Option<TypedScalar<'_>> {
    let scalar = value.as_scalar().filter(|scalar| scalar.style() == ScalarStyle::Plain)?;
    if value.tag().is_some() {
        return None;
    }
    let text = Scalar::token(scalar).text;
    Some(TypedScalar { text, resolved: number_or_boolean(text)? })
}

/// Returns whether `token` is a plain scalar whose text differs from the value that the server reads.
pub(super) fn is_odd(token: TokenRef<'_>) -> bool {
    token.kind == SyntaxKind::Plain
        && number_or_boolean(token.text)
            .is_some_and(|resolved| to_json(&resolved) != token.text || key(&resolved) != token.text)
}

fn number_or_boolean(text: &str) -> Option<ResolvedScalar<'static>> {
    // Most scalars are words.
    let may_be = match text.as_bytes() {
        [b'0'..=b'9' | b'.' | b'+' | b'-', ..] => true,
        [b'y' | b'Y' | b'n' | b'N' | b'o' | b'O' | b't' | b'T' | b'f' | b'F', rest @ ..] => rest.len() < 5,
        _ => false,
    };
    if !may_be {
        return None;
    }
    match resolve_key(Cow::Borrowed(text), ScalarStyle::Plain, None).ok()? {
        ResolvedScalar::Bool(value) => Some(ResolvedScalar::Bool(value)),
        ResolvedScalar::Int(value) => Some(ResolvedScalar::Int(value)),
        ResolvedScalar::Uint(value) => Some(ResolvedScalar::Uint(value)),
        ResolvedScalar::Float(value) => Some(ResolvedScalar::Float(value)),
        ResolvedScalar::Null | ResolvedScalar::String(_) => None,
    }
}

/// `resolved` as the text of a key; empty if it cannot be a key, which is a separate error.
fn key(resolved: &ResolvedScalar<'_>) -> String {
    key_text(resolved).map_or_else(|_| String::new(), Cow::into_owned)
}

impl TypedScalar<'_> {
    /// The reading in words: ``kube-apiserver parses `on` as the boolean `true` ``.
    pub(super) fn described(&self) -> String {
        let kind = if self.is_boolean() { "boolean" } else { "number" };
        let (text, read) = (self.text, self.json());
        match self.is_read_differently() {
            true => format!("kube-apiserver parses `{text}` as the {kind} `{read}`"),
            false => format!("`{read}` is a {kind}"),
        }
    }

    /// Whether the value that the server reads, as JSON, differs from the text.
    pub(super) fn is_read_differently(&self) -> bool {
        self.text != self.json()
    }

    pub(super) fn is_boolean(&self) -> bool {
        matches!(self.resolved, ResolvedScalar::Bool(_))
    }

    /// The value that the server reads, as JSON.
    pub(super) fn json(&self) -> String {
        to_json(&self.resolved)
    }

    /// The JSON key that the server reads, if it differs from the text.
    pub(super) fn other_key(&self) -> Option<String> {
        Some(key(&self.resolved)).filter(|key| !key.is_empty() && key != self.text)
    }

    /// Whether JSON has the value. It has no infinities, which the server rejects.
    pub(super) fn is_finite(&self) -> bool {
        !matches!(self.resolved, ResolvedScalar::Float(value) if !value.is_finite())
    }

    /// The value in YAML 1.2, as JSON; `None` if it is a string.
    pub(super) fn in_core_schema(&self) -> Option<String> {
        match (self.text, &self.resolved) {
            ("true" | "True" | "TRUE" | "false" | "False" | "FALSE", resolved) => Some(to_json(resolved)),
            (_, ResolvedScalar::Bool(_)) => None,
            (text, _) => core_number(text).map(|number| to_json(&number)),
        }
    }
}

/// The number in YAML 1.2 of a text that the server reads as a number.
fn core_number(text: &str) -> Option<ResolvedScalar<'static>> {
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            return plain.then(|| u64::from_str_radix(digits, radix).ok().map(ResolvedScalar::Uint))?;
        }
    }
    if !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'+' | b'-' | b'e' | b'E')) {
        return None;
    }
    let whole = text.parse().map(ResolvedScalar::Int).or_else(|_| text.parse().map(ResolvedScalar::Uint));
    whole.ok().or_else(|| text.parse().ok().map(ResolvedScalar::Float))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::analysis::readings::plain::*;

    /// The readings of a text by the server and by YAML 1.2.
    fn readings(text: &str) -> Option<(String, Option<String>)> {
        let typed = TypedScalar { text, resolved: number_or_boolean(text)? };
        Some((typed.json(), typed.in_core_schema()))
    }

    #[test]
    fn the_two_readings() {
        let both = |text: &str, server: &str, core: Option<&str>| {
            assert_eq!(readings(text).unwrap(), (server.to_owned(), core.map(str::to_owned)), "{text}");
        };
        both("true", "true", Some("true"));
        both("TRUE", "true", Some("true"));
        both("on", "true", None);
        both("N", "false", None);
        both("80", "80", Some("80"));
        both("012", "10", Some("12"));
        both("08", "8", Some("8"));
        both("0o17", "15", Some("15"));
        both("0x1F", "31", Some("31"));
        both("0X1F", "31", None);
        both("-0x1F", "-31", None);
        both("0b11", "3", None);
        both("1_000", "1000", None);
        both("1.10", "1.1", Some("1.1"));
        both("1.", "1", Some("1"));
        both("+.5", "0.5", Some("0.5"));
        both("1e3", "1000", Some("1000"));
        both("-0.0", "-0", Some("-0"));
        both("18446744073709551616", "18446744073709552000", Some("18446744073709552000"));
        for text in ["1:30", "2001-01-01", "0b12", "tRue", "~", "", "nothing", "1e400", "1_000x"] {
            assert_eq!(readings(text), None, "{text}");
        }
    }
}
