//! Kinds with several different definitions.

use api::Code;
use crd::FieldPath;
use crd::object::CustomResourceDefinition;
use text::TextRange;
use yaml::{Document, Reader};

use crate::analysis::catalog::{
    Catalog, DefinedName, Meanings, RivalDefinition, complete_definitions, name, text_hash,
};
use crate::{Finding, RelatedInformation, Settings, Severity, Surroundings};
use crd::Message;

/// The code of these findings.
pub(crate) const RIVALS: Code = Code::ResourceRivalDefinitions;

/// The maximum number of places that a finding lists. Further places are only counted.
const MOST_RELATED: usize = 5;

/// The findings on definitions in `document` whose kind is defined differently elsewhere: on each of them, or
/// only on the one that takes precedence. Copies that validate resources alike are not reported.
pub(crate) fn rivals(
    document: Document<'_>,
    surroundings: &Surroundings,
    settings: &Settings,
    meanings: &mut Meanings,
) -> Vec<Finding> {
    let catalog = &surroundings.catalog;
    let reader = Reader::new(document);
    let mut findings = Vec::new();
    for definition in complete_definitions(document, &reader) {
        let named = name(&definition).filter(|name| catalog.is_contested(&name.group, &name.kind));
        let Some(defined) = named.map(|named| DefinitionSummary::new(&definition, named)) else { continue };
        let meaning = || meanings.meaning_of(document, &definition);
        findings.extend(defined.rivals(catalog, &surroundings.source, settings.reports_each_rival, meaning));
    }
    findings
}

/// The parts of a definition that are compared with other definitions.
#[derive(Debug)]
pub(crate) struct DefinitionSummary {
    pub(crate) group: String,
    pub(crate) kind: String,
    /// The range of the name of the kind.
    pub(crate) range: TextRange,
    /// The path from the document's root.
    pub(crate) path: FieldPath,
    /// A hash of the text of the definition.
    pub(crate) text_hash: u64,
}

impl DefinitionSummary {
    /// The parts of `definition`, with its [`name`].
    pub(crate) fn new(
        definition: &CustomResourceDefinition<'_, '_>,
        DefinedName { group, kind, kind_range }: DefinedName,
    ) -> Self {
        Self {
            group,
            kind,
            range: kind_range,
            path: definition.path().clone(),
            text_hash: text_hash(definition),
        }
    }

    /// The finding if `catalog` has definitions of the kind with another meaning than this one in `source`.
    /// `None` if another definition takes precedence and `is_each` is false.
    pub(crate) fn rivals(
        &self,
        catalog: &Catalog,
        source: &str,
        is_each: bool,
        meaning: impl FnOnce() -> Option<u64>,
    ) -> Option<Finding> {
        let Self { group, kind, range, path, text_hash } = self;
        if !is_each && catalog.first_source(group, kind).is_none_or(|leader| **leader != *source) {
            return None;
        }
        let others = catalog.differing_definitions(group, kind, *text_hash);
        if others.is_empty() {
            return None;
        }
        let own = meaning()?;
        // If only one of them is in this source, it is this definition itself, perhaps before an edit.
        let is_own = |rival: &&RivalDefinition<'_>| **rival.source == *source;
        let own_count = others.iter().filter(is_own).count();
        let is_last = others.iter().rfind(is_own).is_none_or(|last| last.kind_meaning.kind_range == *range);
        if !is_each && own_count > 1 && !is_last {
            return None;
        }
        let others = others.iter().filter(|rival| !is_own(rival) || own_count > 1);
        let others: Vec<_> =
            others.filter(|rival| rival.kind_meaning.meaning.is_some_and(|meaning| meaning != own)).collect();
        let first = others.first()?;
        let related = others.iter().take(MOST_RELATED).map(|rival| RelatedInformation {
            range: rival.kind_meaning.kind_range,
            message: format!("`{kind}` is defined differently here"),
            elsewhere: Some(rival.other_source()),
        });
        let place = catalog.display_name(first.source);
        let places = match others.len() {
            1 => place.to_owned(),
            2 => format!("{place} and in one more definition"),
            count => format!("{place} and in {} more definitions", count - 1),
        };
        Some(Finding {
            code: RIVALS,
            severity: if is_each { Severity::Hint } else { Severity::Information },
            message: Message::new(format!("`{kind}` of `{group}` is defined differently in {places}"))
                .advise("run `crd-ls check --explain-definitions` to see which one counts"),
            range: *range,
            field_path: path.child("spec").child("names").child("kind"),
            api_server: None,
            related: related.collect(),
        })
    }
}
