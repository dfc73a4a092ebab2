//! Errors in the arguments of a marker.

use std::fmt;
use std::ops::Range;

use super::scanner::ErrorPosition;
use crate::strings;

/// A token that the parser expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedToken {
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

impl ExpectedToken {
    const fn description(self) -> &'static str {
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

/// An error. Its `Display` form is the message of controller-gen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The expected token, and the actual one.
    Expected(ExpectedToken, String),
    /// Extra text after the value or the last argument.
    Extra(String),
    /// A missing argument. The name is empty for the value after `=`.
    Missing(&'static str),
    /// An argument that the marker does not have.
    Unknown(String),
    /// The value after `=` is not the integer or the number that the marker takes.
    NotNumber {
        /// The name that controller-gen uses for the value.
        value: &'static str,
        /// Whether an integer is expected.
        is_integer: bool,
        /// The reason.
        why: String,
    },
    /// A string, number or escape that is not valid in Go.
    Literal(String),
    /// The value after `=` is not valid JSON.
    Json(String),
    /// Another error.
    Other(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected(wanted, got) => {
                write!(f, "expected {}, got {}", wanted.description(), strings::quoted(got))
            }
            Self::Extra(rest) => write!(f, "extra arguments provided: {}", strings::quoted(rest)),
            Self::Missing(name) => write!(f, "missing argument {}", strings::quoted(name)),
            Self::Unknown(name) => write!(f, "unknown argument {}", strings::quoted(name)),
            Self::NotNumber { value, why, .. } => write!(f, "invalid {value} value: {why}"),
            Self::Literal(message) | Self::Json(message) | Self::Other(message) => f.write_str(message),
        }
    }
}

/// Why and where controller-gen rejects the arguments of a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The error.
    pub fault: Fault,
    /// The position in the scanned text.
    pub at: ErrorPosition,
    /// The bytes of the marker that the error concerns, counted from the `+`.
    pub range: Range<usize>,
}

impl Refusal {
    /// The text that controller-gen prints.
    #[must_use]
    pub fn printed(&self) -> String {
        match self.at {
            ErrorPosition::Column(column) => format!("{} (at <input>:1:{column})", self.fault),
            ErrorPosition::Start => format!("{} (at <input>)", self.fault),
            ErrorPosition::Whole => self.fault.to_string(),
        }
    }
}
