//! The findings for a document: kube-apiserver's errors for its definitions, in the order of its code, and
//! other findings.

mod condition;
mod defaults;
mod document;
mod expressions;
mod site;
mod status_root;
mod stored_definition;
mod walked_schema;

pub(crate) use condition::is_structural;
pub use condition::non_structural_condition;
pub use document::{check, check_replacement, check_update, check_updates};
pub use site::SchemaSite;
