//! The interface to an engine for regular expressions.

use std::fmt;
use std::sync::Arc;

/// Go's regular expressions, which this crate does not implement.
pub trait RegexEngine {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Go's error for the pattern, `error parsing regexp: …`.
    fn compile(&self, pattern: &str) -> Result<Arc<dyn Regex>, String>;
}

/// A compiled pattern.
pub trait Regex: Send + Sync + fmt::Debug {
    /// The byte range of the first match at or after `from`: the leftmost, and among those the one that Go prefers.
    fn find_at(&self, text: &str, from: usize) -> Option<(usize, usize)>;
}
