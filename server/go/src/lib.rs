//! Generates CustomResourceDefinitions as controller-gen does from Go types with kubebuilder markers.
//!
//! The crate reads Go packages and needs neither Go nor controller-gen. Its output equals that of controller-gen's generator
//! `crd` in the requested version, byte for byte. It does not depend on editors or on kube-apiserver.

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
