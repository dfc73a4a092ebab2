//! kube-apiserver's findings for CustomResourceDefinitions, at their places in the text.
//!
//! [`check`] validates a document; [`object`] and [`schema`] are the typed views that it reads, and [`locate`]
//! converts between field paths and places in the text.

mod cache;
pub mod cel;
mod check;
pub mod compat;
pub mod customresource;
mod decoding;
pub mod experimental;
mod field_path;
mod finding;
pub mod formats;
pub mod gates;
pub mod generate;
mod go;
pub mod jsonpath;
pub mod lints;
mod locate;
mod message;
mod names;
pub mod object;
mod options;
mod printed;
pub mod publish;
pub mod reading;
pub mod regexp;
mod report;
pub mod rules;
pub mod schema;
mod stop;
pub mod suggest;
mod validation;
pub mod value;
mod verdict;

pub use api::{KubernetesVersion, Severity};
pub use cache::Cache;
pub use decoding::field_meant;
pub use field_path::{FieldPath, Segment};
pub use finding::{DocumentReport, Finding, OtherSource, OtherText, RelatedInformation, SourcePlace};
pub use locate::{FieldAt, LocatedField, LocatedPart, locate, path_at, value_at};
pub use message::{CompileStep, Message, ProblemClass};
pub use options::{OptionalLint, OptionalLints, Options};
pub use report::{
    AnswerKind, ApiVersion, Completeness, DocumentKind, ErrorType, ServerError, duplicate_keys_error,
};
pub use stop::StopSignal;
pub use suggest::{closest, closest_in_words, meta_field, nearest_field, root_field};
pub use validation::{Mismatch, ServiceUrl, column_mismatch, column_type, service_of_url};
pub use verdict::{
    SchemaSite, check, check_replacement, check_update, check_updates, non_structural_condition,
};

#[cfg(test)]
#[path = "../../../tests/support/beside.rs"]
mod beside;
#[cfg(test)]
mod tests;
