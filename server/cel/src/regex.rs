//! What the crate asks of an engine for regular expressions.

use std::fmt;
use std::sync::Arc;

/// Go's regular expressions, which this crate does not know.
pub trait RegexEngine {
    /// Makes a pattern ready.
    ///
    /// # Errors
    /// What Go says of the pattern, `error parsing regexp: …`.
    fn compile(&self, pattern: &str) -> Result<Arc<dyn Regex>, String>;
}

/// A pattern that is ready to run.
pub trait Regex: Send + Sync + fmt::Debug {
    /// The bytes of the first match at or behind byte `from`, the leftmost and among those the one that Go prefers.
    fn find_at(&self, text: &str, from: usize) -> Option<(usize, usize)>;
}
