//! Go's regular expressions for expressions in CEL.

use std::cell::Cell;
use std::sync::Arc;

use cel::{Regex, RegexEngine};

use super::matcher::Matcher;

/// Runs patterns as Go does. What Go takes and is not run here never matches; then [`Engine::is_unsure`] says so.
#[derive(Debug)]
pub struct Engine {
    runs: bool,
    unsure: Cell<bool>,
}

impl Engine {
    /// One that runs patterns.
    #[must_use]
    pub fn new() -> Self {
        Self { runs: true, unsure: Cell::new(false) }
    }

    /// One that only says whether Go takes them, which is much less work.
    #[must_use]
    pub fn of_syntax() -> Self {
        Self { runs: false, unsure: Cell::new(false) }
    }

    /// Whether a pattern was met that is not run here.
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

/// A pattern that is not run here.
#[derive(Debug)]
struct NotRun;

impl Regex for NotRun {
    fn find_at(&self, _text: &str, _from: usize) -> Option<(usize, usize)> {
        None
    }
}
