//! A `pattern`, compiled when it is first tried.

use std::fmt;
use std::sync::OnceLock;

use crate::regexp::{self, Matcher, TooComplex};

/// A regular expression of a schema.
#[derive(Debug)]
pub struct Pattern {
    text: Box<str>,
    compiled: OnceLock<Result<Matcher, PatternProblem>>,
}

/// Why a pattern cannot be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternProblem {
    /// Go refuses it; displays as Go's text.
    Invalid(regexp::Error),
    /// Go takes it, but it is not tried here.
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
    /// The pattern that `text` is.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { text: text.into(), compiled: OnceLock::new() }
    }

    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether some part of `text` matches, as Go's `MatchString` says.
    ///
    /// # Errors
    /// Where the pattern cannot be tried.
    pub fn is_match(&self, text: &str) -> Result<bool, &PatternProblem> {
        let compile = || {
            let regexp = regexp::parse(&self.text).map_err(PatternProblem::Invalid)?;
            Matcher::new(&regexp).map_err(PatternProblem::TooComplex)
        };
        self.compiled.get_or_init(compile).as_ref().map(|matcher| matcher.is_match(text))
    }
}
