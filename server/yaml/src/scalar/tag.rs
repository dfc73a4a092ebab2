//! The tags that determine the type of a scalar.

use std::borrow::Cow;

const CORE: &str = "tag:yaml.org,2002:";

/// A tag, as far as it affects go-yaml v2's treatment of scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Str,
    Bool,
    Int,
    Float,
    Null,
    Timestamp,
    Binary,
    Merge,
    /// `!` alone.
    NonSpecific,
    /// Any other tag: go-yaml does not change the text.
    Unknown,
}

impl Tag {
    /// Reads a tag as written (`!!int`, `!<tag:yaml.org,2002:int>`, `!foo`) or resolved
    /// (`tag:yaml.org,2002:int`).
    pub(super) fn parse(tag: &str) -> Self {
        let tag = unescape(tag);
        if tag == "!" || tag == "!<!>" {
            return Self::NonSpecific;
        }
        let verbatim = tag.strip_prefix("!<").and_then(|rest| rest.strip_suffix('>'));
        let name = match verbatim {
            Some(uri) => uri.strip_prefix(CORE),
            None => tag.strip_prefix("!!").or_else(|| tag.strip_prefix(CORE)),
        };
        match name {
            Some("str") => Self::Str,
            Some("bool") => Self::Bool,
            Some("int") => Self::Int,
            Some("float") => Self::Float,
            Some("null") => Self::Null,
            Some("timestamp") => Self::Timestamp,
            Some("binary") => Self::Binary,
            Some("merge") => Self::Merge,
            _ => Self::Unknown,
        }
    }

    /// The short form go-yaml prints.
    pub(super) fn short(self) -> &'static str {
        match self {
            Self::Str => "!!str",
            Self::Bool => "!!bool",
            Self::Int => "!!int",
            Self::Float => "!!float",
            Self::Null => "!!null",
            Self::Timestamp => "!!timestamp",
            Self::Binary => "!!binary",
            Self::Merge => "!!merge",
            Self::NonSpecific | Self::Unknown => "!",
        }
    }
}

/// Decodes escapes such as `%41` in a tag; a tag whose bytes are not UTF-8 does not change.
pub(crate) fn unescape(tag: &str) -> Cow<'_, str> {
    if !tag.contains('%') {
        return Cow::Borrowed(tag);
    }
    let mut bytes = Vec::with_capacity(tag.len());
    let mut rest = tag.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = match rest {
            [b'%', high, low, ..] => hex(*high).zip(hex(*low)),
            _ => None,
        };
        match escaped {
            Some((high, low)) => {
                bytes.push(high << 4 | low);
                rest = rest.get(3..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(tag), Cow::Owned)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
