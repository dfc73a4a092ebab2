//! What an editor shows beside findings. Each answer is made from the tree alone, so half-typed text is as good as any.

mod complete;
mod folds;
mod not_judged;
mod symbols;
#[cfg(test)]
mod tests;

pub(crate) use complete::complete;
pub(crate) use folds::folds;
pub(crate) use not_judged::hover as hover_of_not_judged;
pub(crate) use symbols::symbols;
