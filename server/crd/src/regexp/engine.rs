//! Go's regular expressions for expressions in CEL.

use std::cell::Cell;
use std::sync::Arc;

use cel::{Regex, RegexEngine};

use super::matcher::Matcher;

/// Evaluates patterns like Go. A pattern that Go accepts and that is not evaluated here never matches; then
/// [`Engine::is_unsure`] is true.
#[derive(Debug)]
pub struct Engine {
    runs: bool,
    unsure: Cell<bool>,
}

impl Engine {
    /// An engine that evaluates patterns.
    #[must_use]
    pub fn new() -> Self {
        Self { runs: true, unsure: Cell::new(false) }
    }

    /// An engine that only checks whether Go accepts patterns, which is much less work.
    #[must_use]
    pub fn of_syntax() -> Self {
        Self { runs: false, unsure: Cell::new(false) }
    }

    /// Whether a pattern occurred that is not evaluated here.
    #[must_use]
    pub fn is_unsure(&self) -> bool {
        self.unsure.get()
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl RegexEngine for Engine {
    fn compile(&self, pattern: &str) -> Result<Arc<dyn Regex>, String> {
        let regexp = super::parse(pattern).map_err(|error| error.to_string())?;
        if !self.runs {
            return Ok(Arc::new(NotRun));
        }
        match Matcher::with_places(&regexp) {
            Ok(matcher) => Ok(Arc::new(matcher)),
            Err(_) => {
                self.unsure.set(true);
                Ok(Arc::new(NotRun))
            }
        }
    }
}

impl Regex for Matcher {
    fn find_at(&self, text: &str, from: usize) -> Option<(usize, usize)> {
        Self::find_at(self, text, from)
    }
}

/// A pattern that is not evaluated here.
#[derive(Debug)]
struct NotRun;

impl Regex for NotRun {
    fn find_at(&self, _text: &str, _from: usize) -> Option<(usize, usize)> {
        None
    }
}
