//! A `pattern`, compiled on first use.

use std::fmt;
use std::sync::OnceLock;

use crate::regexp::{self, Matcher, TooComplex};

/// A regular expression of a schema.
#[derive(Debug)]
pub struct Pattern {
    text: Box<str>,
    compiled: OnceLock<Result<Matcher, PatternProblem>>,
}

/// The reason why a pattern cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternProblem {
    /// Go rejects it; `Display` writes Go's text.
    Invalid(regexp::Error),
    /// Go accepts it, but it is not evaluated here.
    TooComplex(TooComplex),
}

impl fmt::Display for PatternProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(error) => error.fmt(f),
            Self::TooComplex(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PatternProblem {}

impl Pattern {
    /// A pattern with this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { text: text.into(), compiled: OnceLock::new() }
    }

    /// The pattern as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether some part of `text` matches, like Go's `MatchString`.
    ///
    /// # Errors
    /// If the pattern cannot be evaluated.
    pub fn is_match(&self, text: &str) -> Result<bool, &PatternProblem> {
        let compile = || {
            let regexp = regexp::parse(&self.text).map_err(PatternProblem::Invalid)?;
            Matcher::new(&regexp).map_err(PatternProblem::TooComplex)
        };
        self.compiled.get_or_init(compile).as_ref().map(|matcher| matcher.is_match(text))
    }
}
