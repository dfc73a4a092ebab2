//! Tests of whole verdicts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod cases;
mod conventions;
mod conversion;
mod corpus;
mod corrected_costs;
mod expressions;
mod goldens;
mod guards;
mod hostile;
mod incremental;
mod junctor;
mod lints;
pub(crate) mod markers;
mod minors;
mod objects;
mod paths;
mod replacement;
mod rule_messages;
mod schema_checks;
mod several_errors;
mod structural;
mod suppression;

use std::path::{Path, PathBuf};

use crate::{Cache, DocumentReport, Options, check};

/// The root of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The reports on all documents of `text`.
fn reports(text: &str) -> Vec<DocumentReport> {
    let tree = yaml::Tree::parse(text);
    let mut cache = Cache::default();
    tree.documents().map(|document| check(document, &Options::default(), &mut cache)).collect()
}
