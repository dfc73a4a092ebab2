//! Patterns for evaluations.
#![allow(dead_code, missing_docs, unreachable_pub)]

use std::sync::Arc;

use cel::{Regex, RegexEngine};

/// Go's syntax check of a pattern, with Rust's matches; the patterns of the cases have the same meaning in both.
pub struct Engine;

#[derive(Debug)]
struct Pattern(regex::Regex);

impl RegexEngine for Engine {
    fn compile(&self, pattern: &str) -> Result<Arc<dyn Regex>, String> {
        crd::regexp::parse(pattern).map_err(|error| error.to_string())?;
        let ascii = pattern.replace(r"\w", "[0-9A-Za-z_]").replace(r"\d", "[0-9]");
        Ok(Arc::new(Pattern(regex::Regex::new(&ascii).map_err(|error| error.to_string())?)))
    }
}

impl Regex for Pattern {
    fn find_at(&self, text: &str, from: usize) -> Option<(usize, usize)> {
        self.0.find_at(text, from).map(|found| (found.start(), found.end()))
    }
}
