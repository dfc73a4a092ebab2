//! Generates CustomResourceDefinitions as controller-gen does from Go types with kubebuilder markers.
//!
//! [`generate`](mod@generate) takes folders and the options of a call, and reads Go packages through [`load::Disk`]. It gives
//! an outcome: the files, the errors, and the places in Go that cause both. The files equal those of controller-gen's generator
//! `crd` in the requested version, byte for byte; neither Go nor controller-gen is necessary. The crate does not depend on editors
//! or on kube-apiserver.

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

pub use mistakes::{ANY_VALUE, Mistake, MistakeKind, Repair, SYNTAX_ERROR, SyntaxSlip, json_name};
