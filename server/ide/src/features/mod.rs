//! What an editor shows beside findings. Each answer is made from the tree alone, so half-typed text is as good as any.

mod brief;
mod complete;
mod cursor;
mod folds;
pub(crate) mod grammar;
mod hover;
mod schema;
mod symbols;
#[cfg(test)]
mod tests;
mod versions;

pub(crate) use brief::{code, shorten};
pub(crate) use complete::complete;
pub(crate) use folds::folds;
pub(crate) use hover::{document_at, hover, line_of, schema_text, text_of};
pub(crate) use symbols::symbols;
