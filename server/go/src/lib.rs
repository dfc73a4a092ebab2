//! CustomResourceDefinitions as controller-gen writes them of Go types with kubebuilder markers.
//!
//! The crate reads Go packages and needs neither Go nor controller-gen. What it writes is, byte for byte, what the generator
//! `crd` of controller-gen writes, in the version that is asked for. It knows nothing of editors and of kube-apiserver.

pub mod json;
pub mod marker;
pub mod plural;
mod strings;
pub mod version;
pub mod yaml;
