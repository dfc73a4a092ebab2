//! Why the arguments of a marker are refused.

use std::fmt;
use std::ops::Range;

use super::scanner::At;
use crate::strings;

/// What is expected where something else is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// An integer.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// The name of an argument.
    Name,
    /// `=`
    Equals,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
}

impl Wanted {
    const fn told(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Number => "integer or float",
            Self::Bool => "true or false",
            Self::Name => "argument name",
            Self::Equals => "equals",
            Self::Comma => "comma",
            Self::Colon => "colon",
            Self::OpenBrace => "open curly brace",
            Self::CloseBrace => "close curly brace",
        }
    }
}

/// What is wrong; displayed in the words of controller-gen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A token that is expected, and the one that is there.
    Expected(Wanted, String),
    /// What follows the value or the last argument.
    Extra(String),
    /// An argument that is missing; the name is empty for the value behind `=`.
    Missing(&'static str),
    /// An argument that the marker does not have.
    Unknown(String),
    /// What is behind `=` is not the integer or the number that the marker takes.
    NotNumber {
        /// What controller-gen calls the value.
        value: &'static str,
        /// Whether it is an integer.
        is_integer: bool,
        /// What is wrong with it.
        why: String,
    },
    /// A text, a number or an escape that is not written as Go writes it.
    Literal(String),
    /// What is behind `=` is no JSON.
    Json(String),
    /// Something else.
    Other(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected(wanted, got) => {
                write!(f, "expected {}, got {}", wanted.told(), strings::quoted(got))
            }
            Self::Extra(rest) => write!(f, "extra arguments provided: {}", strings::quoted(rest)),
            Self::Missing(name) => write!(f, "missing argument {}", strings::quoted(name)),
            Self::Unknown(name) => write!(f, "unknown argument {}", strings::quoted(name)),
            Self::NotNumber { value, why, .. } => write!(f, "invalid {value} value: {why}"),
            Self::Literal(message) | Self::Json(message) | Self::Other(message) => f.write_str(message),
        }
    }
}

/// Why the arguments of a marker are refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub fault: Fault,
    /// Where it stands in the text that was scanned.
    pub at: At,
    /// The bytes of the marker's text that it is about, counted from the `+`.
    pub range: Range<usize>,
}

impl Refusal {
    /// What controller-gen prints.
    #[must_use]
    pub fn printed(&self) -> String {
        match self.at {
            At::Column(column) => format!("{} (at <input>:1:{column})", self.fault),
            At::Start => format!("{} (at <input>)", self.fault),
            At::Whole => self.fault.to_string(),
        }
    }
}
