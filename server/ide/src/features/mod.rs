//! What an editor shows beside findings. Each answer is made from the tree alone, so half-typed text is as good as any.

mod brief;
mod cursor;
mod folds;
mod grammar;
mod hover;
mod schema;
mod symbols;
#[cfg(test)]
mod tests;

pub(crate) use brief::shorten;
pub(crate) use folds::folds;
pub(crate) use hover::hover;
pub(crate) use symbols::symbols;
