//! The starting point of an analysis, and the analysis itself.

use std::sync::{Arc, MutexGuard, PoisonError};

use crd::StopSignal;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rustc_hash::FxHashMap;
use text::{TextEdit, TextRange};
use yaml::{Document, Node, Tree};

use crate::analysis::caches::{Caches, SharedCaches};
use crate::analysis::document::{self, DocumentFindings};
use crate::analysis::surroundings::{Dependence, Surroundings};
use crate::analysis::validation_coverage::ValidationCoverage;
use crate::{Catalog, Definitions, File, Finding, Settings};

/// From this many bytes of unknown documents, several threads analyse them.
const LEAST_FOR_THREADS: usize = 256 << 10;

/// The starting point of the analysis of a text: its tree, and the results of earlier analyses for parts of
/// it, whether these were complete or not. Cheap to clone.
#[derive(Clone, Debug)]
pub struct AnalysisBasis {
    pub(crate) tree: Tree,
    pub(crate) settings: Arc<Settings>,
    /// The surroundings for which `documents` are valid.
    pub(crate) surroundings: Surroundings,
    /// Results for whole documents, in the order of the text that they belong to.
    pub(crate) documents: Arc<Vec<AnalysedDocument>>,
    /// Results for parts of documents. All texts that this one was edited from share it.
    pub(crate) caches: SharedCaches,
}

/// A document and its findings, whose ranges are relative to its start.
#[derive(Clone, Debug)]
pub(crate) struct AnalysedDocument {
    node: Arc<Node>,
    pub(crate) findings: Arc<[Finding]>,
    pub(crate) is_compared: bool,
    pub(crate) validation_coverage: ValidationCoverage,
    /// The other inputs that the findings depend on.
    dependence: Arc<Dependence>,
}

impl AnalysisBasis {
    /// The basis of a text without results.
    #[must_use]
    pub fn new(text: &str, settings: &Settings) -> Self {
        Self::of(Tree::parse(text), Arc::new(settings.clone()), Arc::default())
    }

    /// The basis of a text with results for parts of documents at most.
    pub(crate) fn of(tree: Tree, settings: Arc<Settings>, caches: SharedCaches) -> Self {
        Self { tree, settings, surroundings: Surroundings::default(), documents: Arc::default(), caches }
    }

    /// The surroundings of the text at its last analysis.
    #[must_use]
    pub fn surroundings(&self) -> &Surroundings {
        &self.surroundings
    }

    /// Applies one edit to the text, at a cost in proportion to `edit`. `new_text` reads a range of the text
    /// after the edit.
    #[must_use]
    pub fn edited(&self, edit: &TextEdit, new_text: &dyn Fn(TextRange) -> String) -> Self {
        Self { tree: self.tree.edited(edit, new_text), ..self.clone() }
    }

    /// Analyses the text within `surroundings`, at a cost in proportion to its parts without results.
    ///
    /// # Errors
    ///
    /// Returns the basis of the next analysis, with the results so far, if `stop` comes before the analysis
    /// is complete.
    pub fn analyse(self, surroundings: Surroundings, stop: &StopSignal) -> Result<File, Self> {
        let known: FxHashMap<*const Node, &AnalysedDocument> =
            self.documents.iter().map(|analysed| (Arc::as_ptr(&analysed.node), analysed)).collect();
        let stays = self.surroundings.is_identical(&surroundings);
        let all: Vec<Document<'_>> = self.tree.documents().collect();
        let known = |document: &Document<'_>| {
            let known = known.get(&Arc::as_ptr(document.syntax().node())).copied();
            known.filter(|known| stays || known.dependence.holds_in(&surroundings)).cloned()
        };
        let known: Vec<Option<AnalysedDocument>> = all.iter().map(known).collect();
        let unknown = all.iter().zip(&known).filter(|(_, known)| known.is_none());
        let unknown: Vec<Document<'_>> = unknown.map(|(document, _)| document.alone()).collect();
        let mut analysed = self.analyse_documents(&unknown, &surroundings, stop).into_iter();
        let mut documents = Vec::with_capacity(all.len());
        let mut findings = Vec::new();
        for (document, known) in all.iter().zip(known) {
            // Documents behind an incomplete one may have known results.
            let Some(analysed) = known.or_else(|| analysed.next().flatten()) else { continue };
            let start = document.range().start;
            findings.extend(analysed.findings.iter().map(|finding| finding.shifted(start)));
            documents.push(analysed);
        }
        let basis = Self { surroundings, documents: Arc::new(documents), ..self };
        if stop.is_reached() { Err(basis) } else { Ok(File::of_basis(basis, findings)) }
    }

    /// The same without a stop.
    #[must_use]
    pub fn complete(self, surroundings: Surroundings) -> File {
        let mut basis = self;
        // This stop never comes.
        let stop = StopSignal::default();
        loop {
            match basis.analyse(surroundings.clone(), &stop) {
                Ok(file) => return file,
                Err(left) => basis = left,
            }
        }
    }

    /// Returns the findings of each document; `None` for a document that was not complete when `stop` came.
    fn analyse_documents(
        &self,
        documents: &[Document<'_>],
        surroundings: &Surroundings,
        stop: &StopSignal,
    ) -> Vec<Option<AnalysedDocument>> {
        let one = |document: &Document<'_>, own: Option<&mut Caches>| {
            if stop.is_due() {
                return None;
            }
            // Definitions are read before the caches are locked, as both may use the same caches.
            let dependence = Dependence::of(*document, surroundings);
            let found = match own {
                Some(own) => document::analyse(*document, &self.settings, surroundings, own),
                None => document::analyse(
                    *document,
                    &self.settings,
                    surroundings,
                    &mut self.stoppable_caches(stop).0,
                ),
            };
            let DocumentFindings { findings, is_compared, validation_coverage } = found;
            if stop.is_reached() {
                return None;
            }
            let node = Arc::clone(document.syntax().node());
            let dependence = Arc::new(dependence);
            Some(AnalysedDocument {
                node,
                findings: findings.into(),
                is_compared,
                validation_coverage,
                dependence,
            })
        };
        let size: usize = documents.iter().map(|document| document.range().len() as usize).sum();
        // Known results save more time than further threads.
        if documents.len() < 2 || size < LEAST_FOR_THREADS || !self.stoppable_caches(stop).0.is_empty() {
            return documents.iter().map(|document| one(document, None)).collect();
        }
        // Each thread has separate caches, as the results for one document do not help with another.
        let empty = || (Vec::new(), self.stoppable_caches(stop).0.empty_for_thread());
        let of_part = |(mut all, mut caches): (Vec<_>, Caches), document: &Document<'_>| {
            all.push(one(document, Some(&mut caches)));
            (all, caches)
        };
        let parts =
            documents.par_iter().fold(empty, of_part).reduce_with(|(mut all, mut caches), (next, found)| {
                all.extend(next);
                caches.merge(found);
                (all, caches)
            });
        let Some((analysed, found)) = parts else { return Vec::new() };
        self.stoppable_caches(stop).0.merge(found);
        analysed
    }

    /// Locks the caches, whose work ends when `stop` comes.
    fn stoppable_caches(&self, stop: &StopSignal) -> StoppableCaches<'_> {
        // A panic elsewhere leaves the caches intact: they only ever gain finished results.
        StoppableCaches::new(self.caches.lock().unwrap_or_else(PoisonError::into_inner), stop)
    }

    /// Whether results may differ in those surroundings.
    #[must_use]
    pub fn is_affected_by(&self, surroundings: &Surroundings) -> bool {
        let is_outdated = |analysed: &AnalysedDocument| !analysed.dependence.holds_in(surroundings);
        !self.surroundings.is_identical(surroundings) && self.documents.iter().any(is_outdated)
    }

    /// Returns `surroundings` with `own` as the definitions of this text. The catalog changes only if some
    /// results depend on them.
    #[must_use]
    pub fn surroundings_with(&self, surroundings: Surroundings, own: Option<Definitions>) -> Surroundings {
        let catalog = &surroundings.catalog;
        let before = catalog.of_source(&surroundings.source);
        let own = own.map(|own| match before {
            Some(before) => own.with_scope(before.naming().clone()),
            None => own,
        });
        let is_same = match (before, &own) {
            _ if !self.depends_on(before, catalog) && !self.depends_on(own.as_ref(), catalog) => true,
            (Some(before), Some(own)) => before.is_same_source(own),
            (None, None) => true,
            _ => false,
        };
        if is_same { surroundings } else { surroundings.with_own(own) }
    }

    /// Whether findings may depend on the `definitions` of the text itself.
    fn depends_on(&self, definitions: Option<&Definitions>, catalog: &Catalog) -> bool {
        let Some(definitions) = definitions else { return false };
        let mut all = self.documents.iter().map(|analysed| &analysed.dependence);
        all.any(|dependence| dependence.is_about(definitions, catalog))
    }
}

/// The caches of a file during work that may end early.
struct StoppableCaches<'c>(MutexGuard<'c, Caches>);

impl<'c> StoppableCaches<'c> {
    fn new(mut caches: MutexGuard<'c, Caches>, stop: &StopSignal) -> Self {
        caches.crd.end_when(stop.clone());
        Self(caches)
    }
}

impl Drop for StoppableCaches<'_> {
    /// Resets the stop, so that the next holder of the lock does not end early.
    fn drop(&mut self) {
        self.0.crd.end_when(StopSignal::default());
    }
}
