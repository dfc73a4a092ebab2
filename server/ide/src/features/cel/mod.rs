//! Editor features for rules in the Common Expression Language, in the scalars of a definition.
//!
//! A [`RuleFieldPosition`](crate::analysis::cel::rule_field::RuleFieldPosition) is a field of a rule at an offset of the text. A
//! [`Site`](site::Site) is an expression at that offset, with its tree, its types and its schema.

mod complete;
mod field_text;
mod hints;
mod hover;
mod navigate;
mod origin;
mod part;
mod select;
mod signature;
pub(crate) mod site;
#[cfg(test)]
mod tests;
mod tokens;
mod wording;

pub(crate) use complete::path::{step as step_text, steps as field_path_steps};
pub use complete::{Completion, CompletionKind};
pub(crate) use complete::{complete, literal, plain_text, snippet};
pub(crate) use field_text::{InsertedPiece, place};
pub use hints::{Hint, RuleAt};
pub(crate) use hints::{hints, rules_at};
pub(crate) use hover::hover;
pub use navigate::Definition;
pub(crate) use navigate::{definition, names_of, references};
pub(crate) use select::selections;
pub(crate) use signature::signatures;
pub use signature::{Signature, Signatures};
pub(crate) use site::Source;
pub use tokens::TokenClass;
pub(crate) use tokens::tokens;
