//! The CEL types of schemas, and the expressions, which are compiled and whose costs are estimated as in
//! kube-apiserver (checks 138 to 146).
//!
//! An expression is compiled once for each declared type: the cache key is its text, a hash of the type and the
//! environment, so that a keystroke compiles only the expressions that it changed.

pub(crate) mod by_facts;
pub(crate) mod compile;
pub(crate) mod corrections;
mod declare;
pub(crate) mod excess;
pub(crate) mod facts;
pub(crate) mod literals;
pub(crate) mod messages;
mod node;
pub(crate) mod presence;
pub(crate) mod promise;
pub(crate) mod rule;
pub(crate) mod stored_expressions;
mod types;
pub(crate) mod walk;
pub(crate) mod wording;

pub use ::cel::cost::{EXPRESSION_LIMIT, SCHEMA_LIMIT};
pub(crate) use compile::{Expression, Runnable};
pub use compile::{InspectedExpression, Purpose};
pub use corrections::{Correction, CorrectionEffect, Suggestion, is_prose, nearest};
pub(crate) use declare::types_its_metadata;
pub use declare::{SchemaType, declared};
pub use excess::UnboundedValue;
pub use literals::WrongLiteral;
pub use node::SchemaNode;
pub(crate) use rule::detail;
pub(crate) use stored_expressions::StoredTexts;
pub use types::DeclaredTypes;
pub use wording::{cost_words, grouped, is_unbounded, issue_range, signature, sum_words, type_name};
