//! Go's regular expressions: the result, the error text and the tree of `regexp.Compile`.
//!
//! kube-apiserver compiles every `pattern` of a schema with it. Go rejects patterns only while parsing; the
//! rules are those of Go 1.26 (`regexp/syntax`, flags `Perl`). [`Matcher`] evaluates accepted patterns.

mod ast;
mod class;
mod engine;
mod error;
mod factor;
mod go_tree;
mod length;
mod limits;
mod matcher;
mod sampler;
mod scan;
#[cfg(test)]
mod tests;
mod token;
mod unicode;
mod unicode_tables;

pub use ast::{Node, NodeId, Regexp};
pub use class::{Class, ClassItem};
pub use engine::Engine;
pub use error::{Error, ErrorKind};
pub use length::MatchLengths;
pub use matcher::{Matcher, TooComplex};
pub use sampler::matching;
pub use unicode::UnicodeClass;

/// Parses a pattern like Go's `regexp.Compile`.
pub fn parse(pattern: &str) -> Result<Regexp, Error> {
    let outcome = ast::build(pattern);
    // Go checks its limits while it parses: an exceeded limit precedes any later error.
    match limits::first_exceeded(pattern, &outcome) {
        Some(error) => Err(error),
        None => outcome.result,
    }
}
