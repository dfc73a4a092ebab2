//! Errors of an evaluation, with the texts of cel-go and of the libraries.

use std::fmt;
use std::sync::Arc;

/// The reason why an evaluation has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// The arguments match no implementation.
    NoSuchOverload,
    /// The evaluation was stopped because its cost exceeded the limit. No operator absorbs this error.
    CostLimit,
    /// The API server panics here; the text is Go's. No operator absorbs this error.
    Panic(&'static str),
    /// Anything else.
    Other(Arc<str>),
}

impl EvalError {
    /// An error with that text.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self::Other(message.into().into())
    }

    /// `no such key: …`
    pub(crate) fn no_such_key(key: impl fmt::Display) -> Self {
        Self::new(format!("no such key: {key}"))
    }

    /// Whether the error ends the evaluation, so that neither `||` nor `&&` absorbs it.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::CostLimit | Self::Panic(_))
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchOverload => f.write_str("no such overload"),
            Self::CostLimit => f.write_str("operation cancelled: actual cost limit exceeded"),
            Self::Panic(text) => write!(f, "internal error: {text}"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for EvalError {}
