use std::borrow::Cow;

use super::EditError;
use crate::ast::{Entry, Value};
use crate::scalar::{self as scalars, ResolvedScalar, ScalarStyle};

/// The longest key with its quotes, in characters (YAML 1.2, implicit keys).
const LONGEST_KEY: usize = 1_024;

/// A value to be written.
#[derive(Clone, Debug)]
pub enum NewValue<'t> {
    /// The source text of a scalar, including quotes; one line.
    Raw(String),
    /// A string, quoted if the server would otherwise read another value; a string with line breaks becomes a
    /// block scalar.
    Text(String),
    /// Keys and values.
    Mapping {
        /// In this order.
        entries: Vec<NewEntry<'t>>,
        /// Whether to write it in braces even where block style is possible.
        flow: bool,
    },
    /// Items.
    Sequence {
        /// In this order.
        items: Vec<NewValue<'t>>,
        /// Whether to write it in brackets even where block style is possible.
        flow: bool,
    },
    /// A copy of a value in the document, with its comments and new indentation.
    Copy(Value<'t>),
}

/// A key with its value, to be written.
#[derive(Clone, Debug)]
pub struct NewEntry<'t> {
    /// The key as the server should read it.
    pub key: Cow<'t, str>,
    /// The value.
    pub value: NewValue<'t>,
    /// Comments with their `#`, for the lines above the entry.
    pub comments: Vec<String>,
}

impl<'t> NewEntry<'t> {
    /// An entry without comments.
    pub fn new(key: impl Into<Cow<'t, str>>, value: NewValue<'t>) -> Self {
        Self { key: key.into(), value, comments: Vec::new() }
    }

    /// A copy of an entry in the document; `None` if its key has no text.
    #[must_use]
    pub fn copy(entry: Entry<'t>) -> Option<Self> {
        Some(Self::new(entry.key_text()?, NewValue::Copy(entry.value())))
    }
}

impl NewValue<'_> {
    /// `true`.
    #[must_use]
    pub fn yes() -> Self {
        Self::Raw("true".to_owned())
    }
}

/// `text` as a scalar of one line that the server reads as exactly this string, in any position.
#[must_use]
pub fn scalar(text: &str) -> String {
    quoted(text, true)
}

/// `text` as a key. A key that is too long cannot share a line with its value.
pub(crate) fn key(text: &str, in_flow: bool) -> Result<String, EditError> {
    let key = quoted(text, in_flow);
    if key.chars().count() > LONGEST_KEY { Err(EditError::Place) } else { Ok(key) }
}

/// `text` as a scalar of one line, plain if the server reads the plain scalar as exactly this string.
/// `in_flow`: within brackets or braces.
#[must_use]
pub fn quoted(text: &str, in_flow: bool) -> String {
    if is_plain(text, in_flow) { text.to_owned() } else { in_quotes(text, false) }
}

/// `text` as a quoted scalar on one line: in double quotes if `double`, or if only they can represent it.
pub(crate) fn in_quotes(text: &str, double: bool) -> String {
    if double || text.chars().any(has_to_be_escaped) {
        double_quoted(text)
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

fn is_plain(text: &str, in_flow: bool) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let second = text.chars().nth(1);
    let starts = match first {
        '-' | '?' | ':' => second.is_some_and(|char| char != ' ' && !in_flow),
        ',' | '[' | ']' | '{' | '}' | '#' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => {
            false
        }
        _ => true,
    };
    // As a key, it would merge a mapping.
    let merge = text == "<<";
    let document_marker = matches!(text.get(..3), Some("---" | "..."));
    starts
        && !document_marker
        && !merge
        && text.trim() == text
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && !text.chars().any(|char| has_to_be_escaped(char) || (char.is_whitespace() && char != ' '))
        && !(in_flow && text.chars().any(|char| is_flow_indicator(char) || matches!(char, ':' | '?')))
        && matches!(
            scalars::resolve(Cow::Borrowed(text), ScalarStyle::Plain, None),
            Ok(ResolvedScalar::String(read)) if read == text
        )
}

/// Whether `char` is a control character, a line break, a byte order mark or a character that go-yaml does
/// not read.
pub(crate) fn has_to_be_escaped(char: char) -> bool {
    char.is_control() || matches!(char, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

fn is_flow_indicator(char: char) -> bool {
    matches!(char, ',' | '[' | ']' | '{' | '}')
}

fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            char if has_to_be_escaped(char) => {
                out.push_str(&format!("\\u{:04x}", u32::from(char)));
            }
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

/// Whether `text` can be a `|` block: more than one line, none of them unusual.
pub(crate) fn fits_literal(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    body.contains('\n')
        && !body.starts_with([' ', '\n'])
        && !body.ends_with('\n')
        && !body.chars().any(|char| char != '\n' && has_to_be_escaped(char))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn strings_are_quoted_only_if_a_plain_one_would_be_read_differently() {
        let block = |text| quoted(text, false);
        assert_eq!(block("object"), "object");
        assert_eq!(block("^[a-z]+$"), "^[a-z]+$");
        assert_eq!(block("true"), "'true'");
        assert_eq!(block("on"), "'on'");
        assert_eq!(block("1.10"), "'1.10'");
        assert_eq!(block(""), "''");
        assert_eq!(block("it's: odd"), "'it''s: odd'");
        assert_eq!(block("a\nb"), "\"a\\nb\"");
        assert_eq!(block("- x"), "'- x'");
        assert_eq!(block("-x"), "-x");
    }

    #[test]
    fn more_strings_are_quoted_within_brackets() {
        assert_eq!(quoted("a, b", false), "a, b");
        assert_eq!(quoted("a, b", true), "'a, b'");
        assert_eq!(quoted("[x]", true), "'[x]'");
        assert_eq!(quoted("0? -", true), "'0? -'");
    }
}
