//! Go files of packages with markers: the definitions that are generated from the texts in the editor, and the requests on
//! them.

mod analysis;
mod closed;
mod complete;
mod cursor;
mod declared_type;
mod expression;
mod hover;
mod named;
mod packages;
mod queries;
mod rename;
mod repaired;
mod tags;
mod unit;
mod usual;
mod written;

pub(super) use analysis::{GoFile, GoGeneration};
pub(super) use closed::{Calls, ClosedPackages, GeneratedFileFindings};
pub(super) use complete::CompletionInput;
pub(super) use named::GoPlace;
pub(super) use packages::{OpenText, OpenTexts, Packages};
pub(super) use unit::BaseRevision;
pub(super) use written::{DefinitionOrigin, GoSource, OpenDefinitions};

/// Whether a document is Go; without a language, by the file's name.
pub(super) fn is_go(language: &str, uri: &str) -> bool {
    let language = language.to_ascii_lowercase();
    if language.is_empty() { uri.to_ascii_lowercase().ends_with(".go") } else { language == "go" }
}
