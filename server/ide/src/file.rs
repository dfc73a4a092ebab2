use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Node, Tree};

use crate::document::{self, Caches};
use crate::{Finding, Fix, Settings};

/// The analysis of one text. Cheap to clone.
#[derive(Clone, Debug)]
pub struct File {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    tree: Tree,
    settings: Arc<Settings>,
    /// What the text is to replace.
    stored: Option<Tree>,
    /// What is known of each document, in the order of the text.
    documents: Vec<Analysed>,
    findings: Vec<Finding>,
    /// What is known of parts of documents. All texts that this one was edited from share it.
    caches: Arc<Mutex<Caches>>,
}

/// A document and its findings, whose ranges count from its start.
#[derive(Clone, Debug)]
struct Analysed {
    node: Arc<Node>,
    findings: Arc<[Finding]>,
}

/// What hovering over a place shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The key or value that is explained.
    pub range: TextRange,
    /// The explanation.
    pub markdown: String,
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A YAML document.
    Document,
    /// A mapping.
    Object,
    /// A sequence.
    List,
    /// A text.
    String,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// A null or an empty value.
    Null,
}

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The key, or the object's kind and name.
    pub name: String,
    /// A short text beside the name, such as a schema's type.
    pub detail: String,
    /// What it stands for.
    pub kind: SymbolKind,
    /// The whole entry.
    pub range: TextRange,
    /// The key.
    pub selection: TextRange,
    /// The entries within.
    pub children: Vec<Symbol>,
}

/// What a fold holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// An entry, an item, a document.
    Region,
    /// Lines of comments.
    Comment,
}

/// Lines that can be folded away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// From the line that stays to the end of the last line that goes.
    pub range: TextRange,
    /// What it holds.
    pub kind: FoldKind,
}

impl File {
    /// Analyses `text` from scratch.
    #[must_use]
    pub fn new(text: &str, settings: &Settings) -> Self {
        Self::of_tree(Tree::parse(text), &[], Arc::default(), Arc::new(settings.clone()), None)
    }

    /// Analyses `text` as an update of the definitions of the same names in `stored`.
    #[must_use]
    pub fn update(text: &str, stored: &str, settings: &Settings) -> Self {
        let stored = Some(Tree::parse(stored));
        Self::of_tree(Tree::parse(text), &[], Arc::default(), Arc::new(settings.clone()), stored)
    }

    /// Analyses another `text` from scratch, with the same settings and against the same stored definitions.
    #[must_use]
    pub fn anew(&self, text: &str) -> Self {
        let Inner { settings, stored, .. } = self.inner.as_ref();
        Self::of_tree(Tree::parse(text), &[], Arc::default(), Arc::clone(settings), stored.clone())
    }

    /// The analysis after one edit; equal to that of the edited text with the same settings from scratch, at the
    /// cost of what `edit` touches.
    /// `new_text` reads a range of the text after the edit.
    #[must_use]
    pub fn edited(&self, edit: &TextEdit, new_text: &dyn Fn(TextRange) -> String) -> Self {
        let tree = self.inner.tree.edited(edit, new_text);
        Self::of_tree(
            tree,
            &self.inner.documents,
            Arc::clone(&self.inner.caches),
            Arc::clone(&self.inner.settings),
            self.inner.stored.clone(),
        )
    }

    fn of_tree(
        tree: Tree,
        known: &[Analysed],
        caches: Arc<Mutex<Caches>>,
        settings: Arc<Settings>,
        stored: Option<Tree>,
    ) -> Self {
        let known: FxHashMap<*const Node, &Analysed> =
            known.iter().map(|analysed| (Arc::as_ptr(&analysed.node), analysed)).collect();
        let mut documents = Vec::new();
        let mut findings = Vec::new();
        for document in tree.documents() {
            let node = document.syntax().node();
            let analysed = match known.get(&Arc::as_ptr(node)) {
                Some(&analysed) => analysed.clone(),
                None => {
                    // A panic elsewhere leaves the caches whole: they only ever gain finished results.
                    let mut caches = caches.lock().unwrap_or_else(PoisonError::into_inner);
                    let findings =
                        document::findings(document.alone(), stored.as_ref(), &settings, &mut caches).into();
                    Analysed { node: Arc::clone(node), findings }
                }
            };
            let start = document.range().start;
            findings.extend(analysed.findings.iter().map(|finding| finding.shifted(start)));
            documents.push(analysed);
        }
        Self { inner: Arc::new(Inner { tree, settings, stored, documents, findings, caches }) }
    }

    /// The settings that it was analysed with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// All findings, by range, then code.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.inner.findings
    }

    /// The fixes for the findings that touch `range`.
    #[must_use]
    pub fn fixes(&self, range: TextRange) -> Vec<Fix> {
        self.documents_with_findings()
            .flat_map(|(document, findings)| {
                crate::fixes::fixes(document, &self.inner.settings, &findings, range)
            })
            .collect()
    }

    /// One round of all safe fixes that can be applied together: sorted edits without overlap. What they leave
    /// needs another round on the edited text.
    #[must_use]
    pub fn fix_all(&self) -> Vec<TextEdit> {
        self.documents_with_findings()
            .flat_map(|(document, findings)| crate::fixes::fix_all(document, &self.inner.settings, &findings))
            .collect()
    }

    /// What the rules of the definitions cost, document by document; none of other documents.
    #[must_use]
    pub fn costs(&self) -> Vec<crate::DocumentCosts> {
        let mut caches = self.caches();
        let documents = self.inner.tree.documents().filter(|document| !document.is_blank()).enumerate();
        documents
            .filter_map(|(index, document)| {
                crate::costs::of_document(document, index, &self.inner.settings, &mut caches)
            })
            .collect()
    }

    /// What to show at `offset`.
    #[must_use]
    pub fn hover(&self, offset: TextSize) -> Option<Hover> {
        crate::cel::hover(self.source(), offset, &mut self.caches())
            .or_else(|| crate::features::hover(&self.inner.tree, offset))
    }

    /// What may stand at `offset`, the best first.
    #[must_use]
    pub fn completions(&self, offset: TextSize) -> Vec<crate::Completion> {
        crate::cel::complete(self.source(), offset, &mut self.caches())
    }

    /// The signatures of the call of a rule that `offset` is in.
    #[must_use]
    pub fn signatures(&self, offset: TextSize) -> Option<crate::Signatures> {
        crate::cel::signatures(self.source(), offset, &mut self.caches())
    }

    /// What each rule in `range` costs; nothing where the settings say so.
    #[must_use]
    pub fn hints(&self, range: TextRange) -> Vec<crate::Hint> {
        match self.inner.settings.cost_hints {
            true => crate::cel::hints(self.source(), range, &mut self.caches()),
            false => Vec::new(),
        }
    }

    /// What the name at `offset` in a rule names.
    #[must_use]
    pub fn definition(&self, offset: TextSize) -> Option<crate::Definition> {
        crate::cel::definition(self.source(), offset, &mut self.caches())
    }

    /// All places that name the same property as what is at `offset`, the property itself first.
    #[must_use]
    pub fn references(&self, offset: TextSize) -> Vec<TextRange> {
        crate::cel::references(self.source(), offset, &mut self.caches())
    }

    /// What the parts of the rules in `range` are, by place.
    #[must_use]
    pub fn tokens(&self, range: TextRange) -> Vec<(TextRange, crate::TokenClass)> {
        crate::cel::tokens(self.source(), range, &mut self.caches())
    }

    /// The outline.
    #[must_use]
    pub fn symbols(&self) -> Vec<Symbol> {
        crate::features::symbols(&self.inner.tree)
    }

    /// The folds, by start.
    #[must_use]
    pub fn folds(&self) -> Vec<Fold> {
        crate::features::folds(&self.inner.tree)
    }

    fn source(&self) -> crate::cel::Source<'_> {
        crate::cel::Source { tree: &self.inner.tree, settings: &self.inner.settings }
    }

    fn caches(&self) -> MutexGuard<'_, Caches> {
        self.inner.caches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The documents that have findings, with these.
    fn documents_with_findings(&self) -> impl Iterator<Item = (Document<'_>, Vec<Finding>)> {
        let documents = self.inner.tree.documents().zip(&self.inner.documents);
        documents.filter(|(_, analysed)| !analysed.findings.is_empty()).map(|(document, analysed)| {
            let start = document.range().start;
            (document, analysed.findings.iter().map(|finding| finding.shifted(start)).collect())
        })
    }
}
