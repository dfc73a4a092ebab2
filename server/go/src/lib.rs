//! CustomResourceDefinitions as controller-gen writes them of Go types with kubebuilder markers.
//!
//! The crate reads Go packages and needs neither Go nor controller-gen. What it writes is, byte for byte, what the generator
//! `crd` of controller-gen writes, in the version that is asked for. It knows nothing of editors and of kube-apiserver.

mod changes;
pub mod definition;
pub mod discover;
pub mod edits;
pub mod generate;
pub mod invocation;
pub mod json;
pub mod load;
pub mod marker;
mod mistakes;
mod nodes;
pub mod plural;
pub mod schema;
pub mod source;
mod strings;
pub mod syntax;
pub mod version;
pub mod yaml;

pub use mistakes::{ANY_VALUE, Mistake, MistakeKind, Repair, json_name};
