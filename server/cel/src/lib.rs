//! The Common Expression Language as kube-apiserver compiles, types and prices it.
//!
//! The crate knows nothing of YAML, of CustomResourceDefinitions or of editors.

pub mod ast;
pub mod issue;
mod lexer;
mod parser;
mod token;
pub mod types;

pub use issue::{Issue, IssueCode};
pub use parser::{ACCUMULATOR, ParseOptions, is_reserved, parse};
pub use token::TokenKind;
pub use types::{Type, TypeProvider};
