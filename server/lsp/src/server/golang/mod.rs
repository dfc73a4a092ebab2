//! Go files of packages with markers: the definitions that are generated from the texts in the editor, and the requests on
//! them.

mod analysis;
mod being_typed;
mod closed_definitions;
mod complete;
mod cursor;
mod declared_type;
mod expression;
mod field_names;
mod hover;
mod known_fixes;
mod marker_completion;
mod open_definitions;
mod packages;
mod queries;
mod rename;
mod tags;
mod unit;
mod usual;

pub(super) use analysis::{GoFile, GoGeneration};
pub(super) use closed_definitions::{Calls, ClosedPackages, GeneratedFileFindings};
pub(super) use complete::CompletionInput;
pub(super) use open_definitions::{DefinitionOrigin, GoSource, OpenDefinitions};
pub(super) use packages::{OpenText, OpenTexts, Packages};
pub(super) use unit::BaseRevision;

/// Whether a document is Go; without a language, by the file's name.
pub(super) fn is_go(language: &str, uri: &str) -> bool {
    let language = language.to_ascii_lowercase();
    if language.is_empty() { uri.to_ascii_lowercase().ends_with(".go") } else { language == "go" }
}
