//! Texts with only definitions. Most findings on them do not depend on other texts, so they need not be kept.

use std::sync::{Arc, PoisonError};

use crd::object::definitions;
use text::TextRange;
use yaml::{Document, Reader};

use crate::analysis::caches::SharedCaches;
use crate::analysis::catalog::{complete_definitions, name};
use crate::analysis::ignore::Ignores;
use crate::analysis::resources::{DefinitionSummary, RIVALS};
use crate::{Catalog, Definitions, File, Finding, Load, ParsedText, Settings, Severity, Surroundings};
use crd::Message;

/// A text with only definitions.
#[derive(Debug)]
pub struct DefinitionsOnly {
    /// Its analysis without other definitions.
    pub file: File,
    /// Its definitions. They hold no tree.
    pub definitions: Definitions,
    /// The definitions that are compared with others.
    pub comparisons: Comparisons,
}

/// Definitions that are compared with others. They hold no tree.
#[derive(Debug)]
pub struct Comparisons {
    definitions: Definitions,
    summaries: Vec<DefinitionSummary>,
    settings: Arc<Settings>,
}

impl DefinitionsOnly {
    /// Analyses a text without other definitions. `load` reads the text again. The definitions of kinds that
    /// are `is_requested` are read now, as resources need them. `None` for a text that has other objects and
    /// is therefore kept.
    #[must_use]
    pub fn of(
        parsed: &ParsedText,
        settings: &Settings,
        alone: Surroundings,
        load: Load,
        is_requested: &dyn Fn(&str) -> bool,
    ) -> Option<Self> {
        if !parsed.tree.documents().all(|document| document.is_blank() || defines(document)) {
            return None;
        }
        let mut all: Vec<DefinitionSummary> = parsed.tree.documents().flat_map(defined).collect();
        let texts = all.iter().map(|one| one.text_hash).collect();
        let caches: SharedCaches = Arc::default();
        let source = Arc::clone(&alone.source);
        let definitions = {
            let mut caches = caches.lock().unwrap_or_else(PoisonError::into_inner);
            Definitions::of_dropped_text(&source, parsed, texts, load, is_requested, &mut caches.crd)?
        };
        let file = File::with_caches(parsed, settings, alone, caches);
        all.retain(|one| {
            let document =
                file.compared_documents().find(|document| document.range().contains_range(one.range));
            document.is_some_and(|document| !Ignores::of(document).silences(&probe(one.range)))
        });
        let comparisons = Comparisons {
            definitions: definitions.clone(),
            summaries: all,
            settings: Arc::new(settings.clone()),
        };
        Some(Self { file, definitions, comparisons })
    }
}

impl Comparisons {
    /// The findings that depend on other definitions in `catalog`, in the order of the text.
    #[must_use]
    pub fn findings(&self, catalog: &Catalog) -> Vec<Finding> {
        let definitions = &self.definitions;
        let contested = self.summaries.iter().filter(|one| catalog.is_contested(&one.group, &one.kind));
        let found = contested.filter_map(|one| {
            let is_each = self.settings.reports_each_rival;
            one.rivals(catalog, definitions.source(), is_each, || definitions.meaning_at(one.range))
        });
        found.filter_map(|mut finding| self.settings.rules.admit(&mut finding).then_some(finding)).collect()
    }
}

/// Whether `document` has definitions and nothing else.
fn defines(document: Document<'_>) -> bool {
    let reader = Reader::new(document);
    let is_definition = |object: &crate::analysis::objects::Object<'_>| object.kind.is_definition();
    !definitions(document, &reader).is_empty()
        && crate::analysis::objects::objects(document, &reader).iter().all(is_definition)
}

/// The definitions of `document` that may be compared with others.
fn defined(document: Document<'_>) -> Vec<DefinitionSummary> {
    let reader = Reader::new(document);
    let whole = complete_definitions(document, &reader).into_iter();
    whole.filter_map(|definition| Some(DefinitionSummary::new(&definition, name(&definition)?))).collect()
}

/// The finding that a comparison would report at `range`.
fn probe(range: TextRange) -> Finding {
    Finding::of_text(RIVALS, Severity::Warning, range, Message::default())
}
