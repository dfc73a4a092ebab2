//! The analysis of one text.

mod basis;

use basis::AnalysedDocument;
pub use basis::AnalysisBasis;

use std::sync::{Arc, MutexGuard, PoisonError};

use crd::StopSignal;
use text::{TextBuffer, TextEdit, TextRange, TextSize};
use yaml::{Document, Reader, Tree};

use crate::analysis::caches::{Caches, SharedCaches};
use crate::analysis::inputs::DocumentInputs;
use crate::analysis::surroundings::Surroundings;
use crate::analysis::validation_coverage::{self, NotJudged, ValidationCoverage};
use crate::{Choice, Definitions, Finding, ParsedText, Settings, StoredObjects};

/// The analysis of one text. Cheap to clone.
#[derive(Clone, Debug)]
pub struct File {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// With results for all documents of the text.
    basis: AnalysisBasis,
    findings: Vec<Finding>,
}

impl File {
    /// Analyses `text` from scratch and alone: no definitions are known for its resources.
    #[must_use]
    pub fn new(text: &str, settings: &Settings) -> Self {
        Self::with_surroundings(text, settings, Surroundings::default())
    }

    /// Analyses `text` from scratch, with the definitions around it.
    #[must_use]
    pub fn with_surroundings(text: &str, settings: &Settings, surroundings: Surroundings) -> Self {
        Self::of(&ParsedText::new(text), settings, surroundings)
    }

    /// Analyses a parsed text, with the definitions around it.
    #[must_use]
    pub fn of(parsed: &ParsedText, settings: &Settings, surroundings: Surroundings) -> Self {
        Self::with_caches(parsed, settings, surroundings, Arc::default())
    }

    /// The same with caches, which may have results for parts of the text.
    pub(crate) fn with_caches(
        parsed: &ParsedText,
        settings: &Settings,
        surroundings: Surroundings,
        caches: SharedCaches,
    ) -> Self {
        AnalysisBasis::of(parsed.tree.clone(), Arc::new(settings.clone()), caches).complete(surroundings)
    }

    /// The analysis of the text of `basis`, which has results for all documents, with their findings.
    pub(crate) fn of_basis(basis: AnalysisBasis, findings: Vec<Finding>) -> Self {
        Self { inner: Arc::new(Inner { basis, findings }) }
    }

    /// The starting point of the next analysis, of the text after edits or in other surroundings.
    #[must_use]
    pub fn basis(&self) -> AnalysisBasis {
        self.inner.basis.clone()
    }

    /// The documents whose definitions are compared with others.
    pub(crate) fn compared_documents(&self) -> impl Iterator<Item = Document<'_>> {
        self.documents().filter(|(_, analysed)| analysed.is_compared).map(|(document, _)| document)
    }

    /// Analyses another `text` from scratch, with the same settings and definitions.
    #[must_use]
    pub fn with_text(&self, text: &str) -> Self {
        let settings = Arc::clone(&self.inner.basis.settings);
        AnalysisBasis::of(Tree::parse(text), settings, Arc::default()).complete(self.surroundings().clone())
    }

    /// Returns the analysis after one edit. It equals the analysis of the edited text from scratch with the
    /// same settings, at a cost in proportion to `edit`. `new_text` reads a range of the text after the edit.
    #[must_use]
    pub fn edited(&self, edit: &TextEdit, new_text: &dyn Fn(TextRange) -> String) -> Self {
        self.inner.basis.edited(edit, new_text).complete(self.surroundings().clone())
    }

    /// Returns the analysis of the same text in other surroundings, at a cost in proportion to the parts that
    /// depend on the difference.
    #[must_use]
    pub fn in_surroundings(&self, surroundings: Surroundings) -> Self {
        if self.surroundings().is_identical(&surroundings) {
            return self.clone();
        }
        self.basis().complete(surroundings)
    }

    /// The same, unless `stop` comes first.
    ///
    /// # Errors
    ///
    /// Returns the basis of the next analysis if `stop` comes first.
    pub fn in_surroundings_until(
        &self,
        surroundings: Surroundings,
        stop: &StopSignal,
    ) -> Result<Self, AnalysisBasis> {
        if self.surroundings().is_identical(&surroundings) {
            return Ok(self.clone());
        }
        self.basis().analyse(surroundings, stop)
    }

    /// Whether the analysis may differ in those surroundings.
    #[must_use]
    pub fn is_affected_by(&self, surroundings: &Surroundings) -> bool {
        self.inner.basis.is_affected_by(surroundings)
    }

    /// Returns `surroundings` with `own` as the definitions of this text; see [`Basis::surroundings_with`].
    #[must_use]
    pub fn surroundings_with(&self, surroundings: Surroundings, own: Option<Definitions>) -> Surroundings {
        self.inner.basis.surroundings_with(surroundings, own)
    }

    /// Returns the definitions in this text, `text`, for the source of that name; `None` if it has no definitions.
    #[must_use]
    pub fn definitions(&self, source: &str, text: &TextBuffer) -> Option<Definitions> {
        let AnalysisBasis { tree, caches, .. } = &self.inner.basis;
        Definitions::of_buffer(source, text, tree, caches)
    }

    /// Returns the definitions in this text, `text`, which is generated from others, for the source of that name.
    #[must_use]
    pub fn generated_definitions(&self, source: &str, text: &Arc<dyn crd::OtherText>) -> Option<Definitions> {
        let AnalysisBasis { tree, caches, .. } = &self.inner.basis;
        Definitions::of_generated(source, text, tree, caches)
    }

    /// Returns the definitions that those in this text replace: those in `text`, the version of the same file
    /// in `revision`. Both share their equal parts.
    #[must_use]
    pub fn earlier_version(&self, text: &str, revision: &str) -> StoredObjects {
        StoredObjects::sharing(self.tree(), text, revision)
    }

    /// The settings of the analysis.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.inner.basis.settings
    }

    /// The surroundings of the analysis.
    #[must_use]
    pub fn surroundings(&self) -> &Surroundings {
        &self.inner.basis.surroundings
    }

    /// Drops cached results for parts of the text, and of texts that are edited from it, at random: no
    /// finding may change. For tests.
    pub fn forget_at_random(&self, seed: u64) {
        self.caches().forget_at_random(seed);
    }

    /// Takes out the caches: tables, each with the name of its type, whose memory is measured when they are
    /// dropped. For tests.
    #[must_use]
    pub fn take_caches(&self) -> Vec<(&'static str, Box<dyn std::any::Any + Send>)> {
        let tables = self.caches().take_tables().into_iter();
        tables
            .map(|(name, table)| -> (&'static str, Box<dyn std::any::Any + Send>) { (name, table) })
            .collect()
    }

    /// All findings, by range, then code.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.inner.findings
    }

    /// The start of each document and its findings, whose ranges are relative to the start. The list is the
    /// same allocation until the document is analysed again.
    pub fn findings_by_document(&self) -> impl Iterator<Item = (TextSize, &Arc<[Finding]>)> {
        self.documents().map(|(document, analysed)| (document.range().start, &analysed.findings))
    }

    /// The objects that were not validated, by position.
    #[must_use]
    pub fn not_judged(&self) -> Vec<NotJudged> {
        let of = |(document, analysed): (Document<'_>, &AnalysedDocument)| -> Vec<NotJudged> {
            let start = document.range().start;
            analysed.validation_coverage.not_judged.iter().map(|one| one.shifted(start)).collect()
        };
        self.documents().flat_map(of).collect()
    }

    /// The number of validated objects, and the objects that were not validated.
    #[must_use]
    pub fn coverage(&self) -> ValidationCoverage {
        let mut coverage = ValidationCoverage::default();
        for (document, analysed) in self.documents() {
            coverage.add(&analysed.validation_coverage, document.range().start);
            if analysed.validation_coverage.definitions > 0 {
                coverage.rules += validation_coverage::count_rules(document);
            }
        }
        coverage
    }

    /// The definitions that validated the resources; one choice for each resource.
    #[must_use]
    pub fn choices(&self) -> Vec<Choice> {
        let (Surroundings { catalog, source, .. }, validated) =
            (self.surroundings(), self.coverage().resources);
        let of = |document: Document<'_>| {
            let objects = crate::analysis::objects::objects(document, &Reader::new(document)).into_iter();
            // The positions are in the order of the text.
            let is_validated = |at: TextSize| validated.binary_search(&at).is_ok();
            let objects = objects.filter(|object| is_validated(object.value.range().start));
            objects.filter_map(|object| catalog.choice(&object.kind, source)).collect::<Vec<_>>()
        };
        self.inner.basis.tree.documents().flat_map(of).collect()
    }

    /// The text as a tree.
    pub(crate) fn tree(&self) -> &Tree {
        &self.inner.basis.tree
    }

    /// The caches for parts of documents.
    pub(crate) fn caches(&self) -> MutexGuard<'_, Caches> {
        self.inner.basis.caches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same caches, as all texts share them that were edited from this text or to it.
    pub(crate) fn shared_caches(&self) -> &SharedCaches {
        &self.inner.basis.caches
    }

    /// The inputs of the findings besides the text.
    pub(crate) fn inputs(&self) -> DocumentInputs<'_> {
        DocumentInputs { settings: &self.inner.basis.settings, surroundings: &self.inner.basis.surroundings }
    }

    /// The documents with their results.
    pub(crate) fn documents(&self) -> impl Iterator<Item = (Document<'_>, &AnalysedDocument)> {
        self.inner.basis.tree.documents().zip(self.inner.basis.documents.iter())
    }

    /// The documents with findings, and these findings.
    pub(crate) fn documents_with_findings(&self) -> impl Iterator<Item = (Document<'_>, Vec<Finding>)> {
        self.documents().filter(|(_, analysed)| !analysed.findings.is_empty()).map(|(document, analysed)| {
            let start = document.range().start;
            (document, analysed.findings.iter().map(|finding| finding.shifted(start)).collect())
        })
    }
}
