//! What the rules of a file's definitions cost.

use crd::rules::costs;
use text::{TextRange, TextSize};
use yaml::Document;

use crate::Settings;
use crate::analysis::caches::Caches;

pub use crd::cel::Unbounded;
pub use crd::rules::{DefinitionCost, RuleCost, VersionCost};

/// The costs of the definitions in one document.
#[derive(Clone, Debug)]
pub struct DocumentCosts {
    /// Counts the documents of the file that hold something, from 0.
    pub index: usize,
    /// Where the document starts, in bytes: its marker, if it has one.
    pub start: TextSize,
    /// One for each definition. Ranges are those of the file.
    pub definitions: Vec<DefinitionCost>,
}

/// The costs of `document`, the one with that index, or nothing if it has no definitions.
pub(crate) fn of_document(
    document: Document<'_>,
    index: usize,
    settings: &Settings,
    caches: &mut Caches,
) -> Option<DocumentCosts> {
    let mut definitions = costs(document.alone(), &settings.options(), &mut caches.crd);
    let start = document.range().start;
    let moved = |range: TextRange| range.shifted(start);
    for rule in definitions.iter_mut().flat_map(|one| &mut one.versions).flat_map(|one| &mut one.rules) {
        rule.range = moved(rule.range);
        rule.unbounded.iter_mut().for_each(|one| one.range = moved(one.range));
    }
    (!definitions.is_empty()).then_some(DocumentCosts { index, start, definitions })
}
