//! The analysis of one text.

mod basis;

use basis::Analysed;
pub use basis::Basis;

use std::sync::{Arc, MutexGuard, PoisonError};

use crd::Stop;
use text::{TextBuffer, TextEdit, TextRange, TextSize};
use yaml::{Document, Reader, Tree};

use crate::analysis::caches::{Caches, SharedCaches};
use crate::analysis::judged::{self, Judged, NotJudged};
use crate::analysis::surroundings::Surroundings;
use crate::{Choice, Definitions, Finding, Parsed, Settings, Stored};

/// The analysis of one text. Cheap to clone.
#[derive(Clone, Debug)]
pub struct File {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// With all documents of the text.
    basis: Basis,
    findings: Vec<Finding>,
}

impl File {
    /// Analyses `text` from scratch, by itself: no definitions are known for its resources.
    #[must_use]
    pub fn new(text: &str, settings: &Settings) -> Self {
        Self::within(text, settings, Surroundings::default())
    }

    /// Analyses `text` from scratch as a part of what surrounds it.
    #[must_use]
    pub fn within(text: &str, settings: &Settings, surroundings: Surroundings) -> Self {
        Self::of(&Parsed::new(text), settings, surroundings)
    }

    /// Analyses a text as a part of what surrounds it.
    #[must_use]
    pub fn of(parsed: &Parsed, settings: &Settings, surroundings: Surroundings) -> Self {
        Self::sharing(parsed, settings, surroundings, Arc::default())
    }

    /// The same with what is known already of parts of the text.
    pub(crate) fn sharing(
        parsed: &Parsed,
        settings: &Settings,
        surroundings: Surroundings,
        caches: SharedCaches,
    ) -> Self {
        Basis::of(parsed.tree.clone(), Arc::new(settings.clone()), caches).complete(surroundings)
    }

    /// The analysis of the text of `basis`, which knows all of its documents, with their findings.
    pub(crate) fn of_basis(basis: Basis, findings: Vec<Finding>) -> Self {
        Self { inner: Arc::new(Inner { basis, findings }) }
    }

    /// What the next analysis, of the text after edits or in other surroundings, begins with.
    #[must_use]
    pub fn basis(&self) -> Basis {
        self.inner.basis.clone()
    }

    /// The documents whose definitions are compared with others.
    pub(crate) fn compared(&self) -> impl Iterator<Item = Document<'_>> {
        self.documents().filter(|(_, analysed)| analysed.is_compared).map(|(document, _)| document)
    }

    /// Analyses another `text` from scratch, with the same settings and against the same definitions.
    #[must_use]
    pub fn anew(&self, text: &str) -> Self {
        let settings = Arc::clone(&self.inner.basis.settings);
        Basis::of(Tree::parse(text), settings, Arc::default()).complete(self.surroundings().clone())
    }

    /// The analysis after one edit; equal to that of the edited text with the same settings from scratch, at the
    /// cost of what `edit` touches.
    /// `new_text` reads a range of the text after the edit.
    #[must_use]
    pub fn edited(&self, edit: &TextEdit, new_text: &dyn Fn(TextRange) -> String) -> Self {
        self.inner.basis.edited(edit, new_text).complete(self.surroundings().clone())
    }

    /// The analysis of the same text in other surroundings, at the cost of what depends on what is different.
    #[must_use]
    pub fn moved(&self, surroundings: Surroundings) -> Self {
        if self.surroundings().is(&surroundings) {
            return self.clone();
        }
        self.basis().complete(surroundings)
    }

    /// The same, unless `stop` comes before.
    ///
    /// # Errors
    ///
    /// Where it did: what the next analysis begins with.
    pub fn moved_until(&self, surroundings: Surroundings, stop: &Stop) -> Result<Self, Basis> {
        if self.surroundings().is(&surroundings) {
            return Ok(self.clone());
        }
        self.basis().analyse(surroundings, stop)
    }

    /// Whether the analysis may be another one in those surroundings.
    #[must_use]
    pub fn is_touched_by(&self, surroundings: &Surroundings) -> bool {
        self.inner.basis.is_touched_by(surroundings)
    }

    /// `surroundings`, in which `own` is what this text defines; see [`Basis::surroundings_with`].
    #[must_use]
    pub fn surroundings_with(&self, surroundings: Surroundings, own: Option<Definitions>) -> Surroundings {
        self.inner.basis.surroundings_with(surroundings, own)
    }

    /// The definitions in this text, `text`, for the source of that name; none where there are none.
    #[must_use]
    pub fn definitions(&self, source: &str, text: &TextBuffer) -> Option<Definitions> {
        let Basis { tree, caches, .. } = &self.inner.basis;
        Definitions::of_buffer(source, text, tree, caches)
    }

    /// The definitions in this text, `text`, which is made of others, for the source of that name.
    #[must_use]
    pub fn made_definitions(&self, source: &str, text: &Arc<dyn crd::OtherText>) -> Option<Definitions> {
        let Basis { tree, caches, .. } = &self.inner.basis;
        Definitions::of_made(source, text, tree, caches)
    }

    /// What the definitions in this text are to replace: those in `text`, the same file's version in `revision`. Both share
    /// what is alike in them.
    #[must_use]
    pub fn earlier_version(&self, text: &str, revision: &str) -> Stored {
        Stored::sharing(self.tree(), text, revision)
    }

    /// The settings that it was analysed with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.inner.basis.settings
    }

    /// What surrounded it when it was analysed.
    #[must_use]
    pub fn surroundings(&self) -> &Surroundings {
        &self.inner.basis.surroundings
    }

    /// Lets what is known of parts of the text, and of those that are edited from it, go missing at random: no finding may
    /// change. For tests.
    pub fn forget_at_random(&self, seed: u64) {
        self.caches().forget_at_random(seed);
    }

    /// Takes out what is known of parts of the text: tables, each with the name of its type, of which the memory can be
    /// measured when they are dropped. For tests.
    #[must_use]
    pub fn take_caches_apart(&self) -> Vec<(&'static str, Box<dyn std::any::Any + Send>)> {
        let tables = self.caches().take_apart().into_iter();
        tables
            .map(|(name, table)| -> (&'static str, Box<dyn std::any::Any + Send>) { (name, table) })
            .collect()
    }

    /// All findings, by range, then code.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.inner.findings
    }

    /// Where each document begins, and its findings, whose ranges count from there. The list is the same one as long as nothing is
    /// said anew.
    pub fn findings_by_document(&self) -> impl Iterator<Item = (TextSize, &Arc<[Finding]>)> {
        self.documents().map(|(document, analysed)| (document.range().start, &analysed.findings))
    }

    /// What was left alone, by place.
    #[must_use]
    pub fn not_judged(&self) -> Vec<NotJudged> {
        let of = |(document, analysed): (Document<'_>, &Analysed)| -> Vec<NotJudged> {
            let start = document.range().start;
            analysed.judged.not_judged.iter().map(|one| one.shifted(start)).collect()
        };
        self.documents().flat_map(of).collect()
    }

    /// What was judged, and what was left alone.
    #[must_use]
    pub fn judged(&self) -> Judged {
        let mut judged = Judged::default();
        for (document, analysed) in self.documents() {
            judged.add(&analysed.judged, document.range().start);
            if analysed.judged.definitions > 0 {
                judged.rules += judged::count_rules(document);
            }
        }
        judged
    }

    /// Which definitions judged the resources; one choice for each resource.
    #[must_use]
    pub fn choices(&self) -> Vec<Choice> {
        let (Surroundings { catalog, source, .. }, judged) = (self.surroundings(), self.judged().resources);
        let of = |document: Document<'_>| {
            let objects = crate::analysis::objects::objects(document, &Reader::new(document)).into_iter();
            // They are in the order of the text.
            let is_judged = |at: TextSize| judged.binary_search(&at).is_ok();
            let objects = objects.filter(|object| is_judged(object.value.range().start));
            objects.filter_map(|object| catalog.choice(&object.kind, source)).collect::<Vec<_>>()
        };
        self.inner.basis.tree.documents().flat_map(of).collect()
    }

    /// The text as a tree.
    pub(crate) fn tree(&self) -> &Tree {
        &self.inner.basis.tree
    }

    /// What is known of parts of documents.
    pub(crate) fn caches(&self) -> MutexGuard<'_, Caches> {
        self.inner.basis.caches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same, as those share it who were edited from this text or to it.
    pub(crate) fn shared_caches(&self) -> &SharedCaches {
        &self.inner.basis.caches
    }

    /// What the findings rest on beside the text.
    pub(crate) fn rest(&self) -> (&Settings, &Surroundings) {
        (&self.inner.basis.settings, &self.inner.basis.surroundings)
    }

    /// The documents with what is known of them.
    pub(crate) fn documents(&self) -> impl Iterator<Item = (Document<'_>, &Analysed)> {
        self.inner.basis.tree.documents().zip(self.inner.basis.documents.iter())
    }

    /// The documents that have findings, with these.
    pub(crate) fn documents_with_findings(&self) -> impl Iterator<Item = (Document<'_>, Vec<Finding>)> {
        self.documents().filter(|(_, analysed)| !analysed.findings.is_empty()).map(|(document, analysed)| {
            let start = document.range().start;
            (document, analysed.findings.iter().map(|finding| finding.shifted(start)).collect())
        })
    }
}
