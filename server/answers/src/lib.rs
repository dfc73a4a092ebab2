//! The answers of crd-ls: messages of the protocol, JSON for scripts, and previews, all from the analyses of
//! `ide`. This crate reads no files, starts no threads and does not know its clients, so that the program and
//! a browser share its code.

pub mod analyse;
pub mod forms;
pub mod json;
pub mod limits;
pub mod lsp;
mod output;
pub mod pages;
pub mod previews;
pub mod remarks;
pub mod report;
pub mod settings;
pub mod summary;

use std::path::Path;

pub use output::{
    FIX_BYTES, FIX_BYTES_EACH, MAX_FIXES, MAX_RELATED, Span, StreamedList, fix_bytes, reported_fix_count,
    severity_word,
};

/// The name of a file as a source of definitions.
#[must_use]
pub fn source_name(path: &Path) -> String {
    path.display().to_string()
}
