//! What kube-apiserver says of CustomResourceDefinitions, at the place where it says so.
//!
//! [`check`] gives the verdict on a document; [`object`] and [`schema`] are the typed views that it reads, and
//! [`locate`] leads from field paths to places in the text and back.

pub mod cel;
mod check;
pub mod compat;
pub mod customresource;
mod decoding;
pub mod experimental;
mod field_path;
pub mod formats;
pub mod generate;
mod go;
pub mod jsonpath;
pub mod lints;
mod locate;
pub mod object;
mod options;
mod printed;
pub mod publish;
pub mod regexp;
mod report;
pub mod schema;
mod stop;
mod validation;

pub use api::{KubernetesVersion, Severity};
pub use check::{Cache, HIDDEN, check, check_update, check_updates, non_structural_condition};
pub use decoding::{closest, nearest_field};
pub use field_path::{FieldPath, Segment};
pub use locate::{FieldAt, Located, Part, locate, path_at, value_at};
pub use options::Options;
pub use report::{
    AnswerKind, ApiVersion, DocumentKind, DocumentReport, ErrorType, Origin, ServerError, Violation,
    duplicate_keys_error,
};
pub use stop::Stop;
pub use validation::{Mismatch, ServiceUrl, column_mismatch, column_type, service_of_url};

#[cfg(test)]
#[path = "../../../tests/support/beside.rs"]
mod beside;
#[cfg(test)]
mod tests;
