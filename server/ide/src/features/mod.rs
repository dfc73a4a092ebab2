//! Placeholder.
use crate::{Fold, Hover, Symbol};
use text::TextSize;
use yaml::Tree;
pub(crate) fn hover(_: &Tree, _: TextSize) -> Option<Hover> {
    None
}
pub(crate) fn symbols(_: &Tree) -> Vec<Symbol> {
    Vec::new()
}
pub(crate) fn folds(_: &Tree) -> Vec<Fold> {
    Vec::new()
}
