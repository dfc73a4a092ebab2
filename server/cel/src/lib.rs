//! The Common Expression Language, compiled, type-checked and cost-estimated as in kube-apiserver.
//!
//! [`parse`] and [`check`] take an expression and the declared types of its variables, and give its issues with their
//! places and its type. [`estimate`] gives its cost, and a [`Program`] its value for the values of the variables.
//! The crate does not depend on YAML, CustomResourceDefinitions or editors.

pub mod ast;
pub mod checker;
pub mod cost;
pub mod declarations;
mod documentation;
pub mod env;
pub mod eval;
mod feature;
pub mod format;
pub mod issue;
mod lexer;
mod library;
mod macros;
mod parser;
pub mod possible;
pub mod presence;
mod regex;
pub mod requirement;
mod token;
pub mod types;
pub mod value;

pub use checker::{CheckedExpr, Context, Reference, Variable, check, takes_receiver};
pub use cost::{Bounds, Estimate, estimate, explain};
pub use declarations::{DeclField, DeclKind, DeclObject, DeclType, Declarations, StringBounds, escape};
pub use env::{Environment, Feature};
pub use eval::{Evaluation, PER_CALL_LIMIT, Program};
pub use issue::{Issue, IssueCode};
pub use lexer::{name_before, tokenize};
pub use library::text_of;
pub use parser::{ACCUMULATOR, ParseOptions, is_keyword, is_reserved, parse};
pub use regex::{Regex, RegexEngine};
pub use token::{Token, TokenKind};
pub use types::{Type, TypeProvider};
pub use value::{EvalError, Value};
