//! JSON, printed as Go's `encoding/json` prints it.

use std::collections::BTreeMap;
use std::fmt;

use crate::scalar::{self, ResolvedScalar};

/// A JSON value; displays as compact text with sorted keys.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer that fits a signed 64-bit integer.
    Int(i64),
    /// An integer that fits only an unsigned 64-bit integer.
    Uint(u64),
    /// Any other number; finite.
    Float(f64),
    /// Text.
    String(String),
    /// `[…]`.
    Array(Vec<Self>),
    /// `{…}`.
    Object(BTreeMap<String, Self>),
}

impl Json {
    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The member `name` of an object.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.get(name),
            _ => None,
        }
    }

    /// The member `name` of an object, to change it.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Self> {
        match self {
            Self::Object(members) => members.get_mut(name),
            _ => None,
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Uint(value) => write!(f, "{value}"),
            Self::Float(value) => f.write_str(&scalar::to_json(&ResolvedScalar::Float(*value))),
            Self::String(text) => f.write_str(&quoted(text)),
            Self::Array(items) => {
                let mut separator = "[";
                for item in items {
                    write!(f, "{separator}{item}")?;
                    separator = ",";
                }
                f.write_str(if items.is_empty() { "[]" } else { "]" })
            }
            Self::Object(members) => {
                let mut separator = "{";
                for (key, value) in members {
                    write!(f, "{separator}{}:{value}", quoted(key))?;
                    separator = ",";
                }
                f.write_str(if members.is_empty() { "{}" } else { "}" })
            }
        }
    }
}

fn quoted(text: &str) -> String {
    scalar::to_json(&ResolvedScalar::String(text.into()))
}
