//! Test cases of CustomResourceDefinitions: suites are read from YAML, cases run with the answers of
//! kube-apiserver, and missing coverage is counted. It takes the texts of suites and definitions, and gives failures,
//! counts and generated cases; it reads no files.

pub mod coverage;
pub mod definition;
pub mod generate;
pub mod manifest;
pub mod mutate;
pub mod openshift;
pub mod own_format;
mod patch;
pub mod rehearse;
mod run;
mod suite;
mod suite_values;

pub use crd::KubernetesVersion;
pub use crd::customresource::{Admission, ResourceVersion};
pub use crd::value::Value;
pub use definition::Definition;
pub use run::{Failure, run};
pub use suite::{Case, CaseFormat, ExpectedError, ExpectedResponse, Object, Patch, Problem, Suite};
pub use suite_values::object_of_text;
