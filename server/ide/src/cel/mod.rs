//! Rules in the Common Expression Language, in the scalars of a definition: what an editor shows in them.
//!
//! A [`Spot`](spot::Spot) is a field of a rule at an offset of the text; a [`Site`](site::Site) is an expression there
//! with its tree, its types and the schema behind them.

mod at;
mod complete;
mod hover;
mod origin;
mod site;
mod spot;
#[cfg(test)]
mod tests;
mod words;
mod written;

pub(crate) use complete::complete;
pub use complete::{Completion, CompletionKind};
pub(crate) use hover::hover;
pub(crate) use site::Source;
