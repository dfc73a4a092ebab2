//! What an editor shows in custom resources: hover, hints, links, lenses, navigation, and the defaults to write.

mod defaults;
pub(crate) mod explain;
mod hints;
mod hover;
mod lenses;
mod links;
mod navigate;
#[cfg(test)]
mod tests;

pub(crate) use defaults::write_defaults;
pub(crate) use explain::{body, default, flow, of_any_object, signature, type_name};
pub(crate) use hints::hints;
pub(crate) use hover::{hover, hover_in_suite};
pub use lenses::{DefinedKind, ResourceOfKind};
pub(crate) use lenses::{defined_kinds, resources};
pub(crate) use links::links;
pub use links::{Link, LinkTarget};
pub use navigate::Property;
pub(crate) use navigate::{PropertyStep, collect, declared_at, declared_by, definition, property};
