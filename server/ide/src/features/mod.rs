//! Placeholder.
use text::TextSize;
use yaml::Tree;
use crate::{Fold, Hover, Symbol};
pub(crate) fn hover(_: &Tree, _: TextSize) -> Option<Hover> { None }
pub(crate) fn symbols(_: &Tree) -> Vec<Symbol> { Vec::new() }
pub(crate) fn folds(_: &Tree) -> Vec<Fold> { Vec::new() }
