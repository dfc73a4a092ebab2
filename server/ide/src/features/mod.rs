//! Editor features other than findings. They are based on the syntax tree, so they also work in incomplete
//! text.

pub(crate) mod cel;
mod complete;
pub(crate) mod experimental;
mod folds;
mod format;
pub(crate) mod hover;
mod indent;
mod mentions;
pub(crate) mod named_objects;
mod outline;
pub mod picture;
pub mod preview;
mod references;
pub(crate) mod rename;
pub(crate) mod resources;
mod symbols;
#[cfg(test)]
mod tests;
mod unvalidated_hover;
pub(crate) mod value_paths;

pub(crate) use complete::{complete, complete_in_suite};
pub(crate) use format::format;
pub(crate) use indent::on_new_line;
pub use outline::{DocumentPart, MOST_LEVELS};
pub(crate) use outline::{folded, outline};
pub(crate) use references::{definition_of_mention, hover_of_mention, property, references};
pub(crate) use unvalidated_hover::hover as hover_of_not_judged;
