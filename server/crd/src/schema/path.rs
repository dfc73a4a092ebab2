//! The path language of `fieldPath` and `selectableFields` (`ValidFieldPath` of the API server):
//! `(.name | ['name'])*`, where a name is a property, or any key below `additionalProperties`.

use std::borrow::Cow;
use std::fmt;

use super::structural::{Structural, StructuralOrBool};
use super::{Keyword, Schema};
use crate::field_path::{FieldPath, Segment};
use crate::message::Message;

/// Whether `['name']` is allowed in place of `.name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayNotation {
    /// As in `fieldPath`.
    Allowed,
    /// As in `selectableFields`.
    Refused,
}

/// The target of a path.
#[derive(Clone, Debug)]
pub struct ResolvedPath<S> {
    /// The path as the server prints it: `.name` for properties, `[key]` below `additionalProperties`. Equal paths
    /// are the same field.
    pub path: FieldPath,
    /// The schema of the field; `None` if `additionalProperties: true` allows it without a schema.
    pub schema: Option<S>,
}

/// A schema that paths can be followed through.
pub trait Fields: Clone {
    /// Whether it has properties.
    fn has_properties(&self) -> bool;

    /// The property, if it is declared. The inner `None` means that it has no schema.
    fn property(&self, name: &str) -> Option<Option<Self>>;

    /// The value of `additionalProperties`, if it is set. The inner `None` means that it is a boolean.
    fn additional(&self) -> Option<Option<Self>>;
}

impl Fields for Schema<'_, '_> {
    fn has_properties(&self) -> bool {
        !self.members(Keyword::Properties).entries.is_empty()
    }

    fn property(&self, name: &str) -> Option<Option<Self>> {
        let members = self.members(Keyword::Properties);
        Some(Self::read(members.get(name)?.value(), self.reader()))
    }

    fn additional(&self) -> Option<Option<Self>> {
        self.get(Keyword::AdditionalProperties).map(|_| self.schema(Keyword::AdditionalProperties))
    }
}

impl Fields for &Structural {
    fn has_properties(&self) -> bool {
        !self.properties.is_empty()
    }

    fn property(&self, name: &str) -> Option<Option<Self>> {
        self.properties.get(name).map(|child| Some(&*child.node))
    }

    fn additional(&self) -> Option<Option<Self>> {
        self.additional_properties.as_ref().map(|additional| match additional {
            StructuralOrBool::Bool(_) => None,
            StructuralOrBool::Structural(child) => Some(&*child.node),
        })
    }
}

/// Why a path is invalid; `Display` prints the server's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathError {
    /// `[` where only `.name` is allowed.
    ArrayNotation,
    /// The path ends after `.`, `[` or `['name'`.
    UnexpectedEnd,
    /// Another token than `'name'` after `[`.
    NotQuoted(String),
    /// `\q` within quotes.
    InvalidEscape(String),
    /// The schema has no such field.
    NoSuchField,
    /// Another token than `]` after `['name'`.
    NotClosed(String),
    /// Another token than `.` or `[` between names.
    NoStep(String),
    /// A step below `additionalProperties: true`: the server fails with status 500 and no specific message.
    ServerFails,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ArrayNotation => f.write_str("array notation is not allowed"),
            Self::UnexpectedEnd => f.write_str("unexpected end of JSON path"),
            Self::NotQuoted(found) => write!(f, "expected single quoted string but got {found}"),
            Self::InvalidEscape(found) => {
                write!(f, "invalid string literal: invalid escape char {found}")
            }
            Self::NoSuchField => f.write_str("does not refer to a valid field"),
            Self::NotClosed(found) => write!(f, "expected ] but got {found}"),
            Self::NoStep(found) => write!(f, "expected [ or . but got: {found}"),
            Self::ServerFails => f.write_str("leads through `additionalProperties: true`"),
        }
    }
}

impl std::error::Error for PathError {}

impl PathError {
    /// The problem of the path `text`, and the remedy.
    pub(crate) fn in_words(&self, text: &str) -> Message {
        let (problem, remedy) = match self {
            Self::ArrayNotation => {
                ("has brackets, which are not supported here", "separate the names with dots")
            }
            Self::UnexpectedEnd if text.ends_with('\'') => ("has a `[` without a `]`", "add the `]`"),
            Self::UnexpectedEnd => ("does not end with the name of a field", "add it, as in `.spec.color`"),
            Self::NotQuoted(found) if found.starts_with('"') => {
                ("has a name in double quotes", "use single quotes, as in `['name']`")
            }
            Self::NotQuoted(_) => (
                "has brackets without a name in single quotes",
                "write the path of a field; lists have no paths",
            ),
            Self::InvalidEscape(_) => ("has an unsupported escape sequence", "write the character itself"),
            Self::NoSuchField => ("is not a declared field", "declare it, or correct the path"),
            Self::NotClosed(_) => ("has a `[` without a `]`", "add the `]`"),
            Self::NoStep(_) if text.trim() != text => ("has spaces around it", "remove them"),
            Self::NoStep(_) if text.starts_with(char::is_alphabetic) => {
                ("does not begin with a dot", "add it")
            }
            Self::NoStep(_) => {
                ("has characters that are not part of a path", "write a path such as `.spec.color`")
            }
            Self::ServerFails => ("leads through `additionalProperties: true`", "end it one step earlier"),
        };
        Message::new(format!("`{text}` {problem}")).advise(remedy)
    }
}

/// Follows `path` from `root`, which the server must be able to convert to a structural schema.
pub fn resolve<S: Fields>(
    path: &str,
    root: &S,
    notation: ArrayNotation,
) -> Result<ResolvedPath<S>, PathError> {
    let mut tokens = Tokens { remaining: path };
    let mut found = ResolvedPath { path: FieldPath::root(), schema: Some(root.clone()) };
    while let Some(token) = tokens.next() {
        match token {
            "[" if notation == ArrayNotation::Refused => return Err(PathError::ArrayNotation),
            "[" => {
                let quoted = tokens.next().ok_or(PathError::UnexpectedEnd)?;
                found.step(&unquoted(quoted)?)?;
                match tokens.next() {
                    Some("]") => {}
                    Some(other) => return Err(PathError::NotClosed(other.to_owned())),
                    None => return Err(PathError::UnexpectedEnd),
                }
            }
            "." => found.step(tokens.next().ok_or(PathError::UnexpectedEnd)?)?,
            other => return Err(PathError::NoStep(other.to_owned())),
        }
    }
    Ok(found)
}

impl<S: Fields> ResolvedPath<S> {
    /// Continues to the field `name`. If a schema has properties, `additionalProperties` is ignored.
    fn step(&mut self, name: &str) -> Result<(), PathError> {
        let schema = self.schema.as_ref().ok_or(PathError::ServerFails)?;
        if schema.has_properties() {
            self.schema = schema.property(name).ok_or(PathError::NoSuchField)?;
            self.path.push(Segment::Name(Cow::Owned(name.to_owned())));
            return Ok(());
        }
        self.schema = schema.additional().ok_or(PathError::NoSuchField)?;
        self.path.push_key(name);
        Ok(())
    }
}

/// The text within the quotes of a token after `[`.
fn unquoted(token: &str) -> Result<String, PathError> {
    let inner = token.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    let inner = inner.ok_or_else(|| PathError::NotQuoted(token.to_owned()))?;
    let mut text = String::with_capacity(inner.len());
    let mut invalid = None;
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('a') => text.push('\u{7}'),
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('t') => text.push('\t'),
            Some('v') => text.push('\u{b}'),
            Some(quoted @ ('\'' | '\\')) => text.push(quoted),
            // Not an escape: the server's pattern matches neither a line break nor the end.
            Some('\n') => text.push_str("\\\n"),
            None => text.push('\\'),
            // The server continues, and names the last invalid escape.
            Some(other) => invalid = Some(format!("\\{other}")),
        }
    }
    invalid.map_or(Ok(text), |found| Err(PathError::InvalidEscape(found)))
}

/// `.`, `[`, `]`, a quoted string, or the text up to the next of the first three.
struct Tokens<'p> {
    remaining: &'p str,
}

impl<'p> Tokens<'p> {
    fn next(&mut self) -> Option<&'p str> {
        let first = self.remaining.chars().next()?;
        let end = match first {
            '.' | '[' | ']' => 1,
            '\'' => end_of_quoted(self.remaining),
            _ => self.remaining.find(['.', '[', ']']).unwrap_or(self.remaining.len()),
        };
        let (token, rest) = self.remaining.split_at_checked(end)?;
        self.remaining = rest;
        Some(token)
    }
}

/// The index after the next quote that has no backslash before it, even if the backslash itself is escaped.
fn end_of_quoted(text: &str) -> usize {
    let bytes = text.as_bytes();
    let closes = |pair: &[u8]| matches!(pair, [before, b'\''] if *before != b'\\');
    bytes.windows(2).position(closes).map_or(bytes.len(), |at| at + 2)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use yaml::{Reader, Tree};

    use super::*;

    const SCHEMA: &str = "\
properties:
  a:
    properties: {b: {type: string}, 'x.y': {}, \"it's\": {}, '': {}}
  map:
    additionalProperties: {properties: {c: {}}}
  open:
    additionalProperties: true
  list:
    items: {properties: {c: {}}}
";

    /// The path as it is printed, or the error.
    fn resolved(path: &str, notation: ArrayNotation) -> String {
        let tree = Tree::parse(SCHEMA);
        let document = tree.documents().next().expect("a document");
        let reader = Reader::new(document);
        let root = Schema::read(document.root().expect("a value"), &reader).expect("a schema");
        match resolve(path, &root, notation) {
            Ok(found) => found.path.to_string(),
            Err(error) => format!("{error}"),
        }
    }

    #[test]
    fn names_are_properties_or_keys_of_maps() {
        for (path, expected) in [
            (".a.b", "a.b"),
            (".a['x.y']", "a.x.y"),
            ("['a']['b']", "a.b"),
            (".map.any.c", "map[any].c"),
            (".map['any'].c", "map[any].c"),
            (".open.x", "open[x]"),
            (".map..c", "expected [ or . but got: c"),
            (".a['it\\'s']", "a.it's"),
            (".a['']", "a."),
            (".x", "does not refer to a valid field"),
            (".a.x.y", "does not refer to a valid field"),
            (".list.c", "does not refer to a valid field"),
            (".open.x.y", "leads through `additionalProperties: true`"),
        ] {
            assert_eq!(resolved(path, ArrayNotation::Allowed), expected, "{path}");
        }
    }

    #[test]
    fn errors_are_the_servers() {
        for (path, expected) in [
            (".", "unexpected end of JSON path"),
            ("[", "unexpected end of JSON path"),
            ("['a'", "unexpected end of JSON path"),
            ("a", "expected [ or . but got: a"),
            (".a]", "expected [ or . but got: ]"),
            ("[a]", "expected single quoted string but got a"),
            ("['a", "expected single quoted string but got 'a"),
            ("['", "expected single quoted string but got '"),
            (".a['\\q\\z']", "invalid string literal: invalid escape char \\z"),
            ("['a'.b", "expected ] but got ."),
        ] {
            assert_eq!(resolved(path, ArrayNotation::Allowed), expected, "{path}");
        }
        assert_eq!(resolved("['a']", ArrayNotation::Refused), "array notation is not allowed");
        assert_eq!(resolved(".a.b", ArrayNotation::Refused), "a.b");
    }
}
