//! The verdict on a document: what kube-apiserver says of the definitions in it, in the order of its code, and what is wrong
//! beside that.

mod condition;
mod defaults;
mod document;
mod expressions;
mod repaired;
mod site;
mod status_root;

pub(crate) use condition::is_structural;
pub use condition::non_structural_condition;
pub use document::{check, check_replacement, check_update, check_updates};
pub use site::SchemaSite;
