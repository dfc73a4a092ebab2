//! The costs of the rules in the definitions of a file.

use crd::rules::costs;
use text::{TextRange, TextSize};
use yaml::Document;

use crate::Settings;
use crate::analysis::caches::Caches;

pub use crd::cel::UnboundedValue;
pub use crd::rules::{DefinitionCost, RuleCost, VersionCost};

/// The costs of the definitions in one document.
#[derive(Clone, Debug)]
pub struct DocumentCosts {
    /// The index of the document among the non-empty documents of the file, from 0.
    pub index: usize,
    /// The start of the document, in bytes: that of its marker, if it has one.
    pub start: TextSize,
    /// The costs of each definition. Ranges are relative to the file.
    pub definitions: Vec<DefinitionCost>,
}

/// The costs of `document`, the document with that index; `None` if it has no definitions.
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
