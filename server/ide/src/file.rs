use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use api::Code;
use crd::Stop;
use text::{TextBuffer, TextEdit, TextRange, TextSize};
use yaml::{Document, Reader, Tree};

use crate::basis::{Analysed, Basis};
use crate::document::Caches;
use crate::judged::{self, Judged, NotJudged};
use crate::surroundings::Surroundings;
use crate::{
    Budget, Choice, Definitions, Finding, Fix, Fold, Grouped, Hover, Parsed, Rename, RenameTarget, Settings,
    Symbol,
};

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
        caches: Arc<Mutex<Caches>>,
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

    /// All findings, by range, then code.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.inner.findings
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
            let objects = judged::objects(document, &Reader::new(document)).into_iter();
            // They are in the order of the text.
            let is_judged = |at: TextSize| judged.binary_search(&at).is_ok();
            let objects = objects.filter(|object| is_judged(object.value.range().start));
            objects.filter_map(|object| catalog.choice(&object.kind, source)).collect::<Vec<_>>()
        };
        self.inner.basis.tree.documents().flat_map(of).collect()
    }

    /// The findings, one for each cause.
    #[must_use]
    pub fn grouped(&self) -> Grouped {
        let mut grouped = Grouped::default();
        self.documents_with_findings().for_each(|(_, findings)| grouped.add(&findings));
        grouped
    }

    /// The fixes for the findings that touch `range`.
    #[must_use]
    pub fn fixes(&self, range: TextRange) -> Vec<Fix> {
        self.fixes_within(range, &self.budget())
    }

    /// What may be proven for one question about this text.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget::of(self.inner.basis.tree.len() as usize)
    }

    /// The fixes for the findings that touch `range`, as far as `budget` lets them be proven.
    #[must_use]
    pub fn fixes_within(&self, range: TextRange, budget: &Budget) -> Vec<Fix> {
        let base = self.inner.basis.surroundings.base.as_ref();
        self.documents_with_findings()
            .flat_map(|(document, findings)| {
                let base = base.filter(|_| document.range().overlaps(range));
                let taken_back = base.map(|base| base.fixes(document, range, &mut self.caches().crd));
                let repairs = crate::fixes::fixes(document, self.rest(), &findings, range, budget);
                repairs.into_iter().chain(taken_back.unwrap_or_default())
            })
            .collect()
    }

    /// Those of `fixes`, each at all places of its document that have the same mistake; none for what is there once.
    #[must_use]
    pub fn fixes_alike(&self, fixes: &[Fix], budget: &Budget) -> Vec<Fix> {
        let of = |document: Document<'_>| -> Vec<Fix> {
            let is_within = |fix: &&Fix| {
                fix.repairs.first().is_some_and(|(_, range)| document.range().contains_range(*range))
            };
            fixes.iter().filter(is_within).cloned().collect()
        };
        let documents =
            self.documents_with_findings().map(|(document, findings)| (of(document), document, findings));
        let documents = documents.filter(|(fixes, ..)| !fixes.is_empty());
        documents
            .flat_map(|(fixes, document, findings)| {
                crate::fixes::alike(document, self.rest(), &findings, &fixes, budget)
            })
            .collect()
    }

    /// The edit that writes the rule at `offset` in canonical form, if it is not.
    #[must_use]
    pub fn format_rule(&self, offset: TextSize) -> Option<Fix> {
        crate::cel::format(self.source(), offset, &mut self.caches())
    }

    /// The parts of the text around `offset`, from the inside to the outside, in rules those of the expression.
    #[must_use]
    pub fn selections(&self, offset: TextSize) -> Vec<TextRange> {
        crate::cel::selections(self.source(), offset, &mut self.caches())
    }

    /// One round of all safe fixes that can be applied together: sorted edits without overlap. What they leave
    /// needs another round on the edited text.
    #[must_use]
    pub fn fix_all(&self) -> Vec<TextEdit> {
        self.fix_all_within(&self.budget())
    }

    /// The same, as far as `budget` lets it be proven.
    #[must_use]
    pub fn fix_all_within(&self, budget: &Budget) -> Vec<TextEdit> {
        self.documents_with_findings()
            .flat_map(|(document, findings)| crate::fixes::fix_all(document, self.rest(), &findings, budget))
            .collect()
    }

    /// One round of the safe fixes of the findings of one code, like [`Self::fix_all_within`].
    #[must_use]
    pub fn fix_all_of(&self, code: Code, budget: &Budget) -> Vec<TextEdit> {
        let documents = self.documents_with_findings().map(|(document, mut findings)| {
            findings.retain(|finding| finding.code == code);
            (document, findings)
        });
        let documents = documents.filter(|(_, findings)| !findings.is_empty());
        documents
            .flat_map(|(document, findings)| crate::fixes::fix_all(document, self.rest(), &findings, budget))
            .collect()
    }

    /// What may be done at `range` beside repairs.
    #[must_use]
    pub fn refactorings(&self, range: TextRange) -> Vec<crate::Refactoring> {
        let documents =
            self.inner.basis.tree.documents().filter(|document| document.range().contains_range(range));
        documents.flat_map(|document| crate::refactor::refactorings(document, self.rest(), range)).collect()
    }

    /// The definitions of v1beta1 in `range`, each document by itself, in the words of v1.
    #[must_use]
    pub fn migrations(
        &self,
        range: TextRange,
        unknown: crate::UnknownFields,
    ) -> Vec<Result<crate::Migration, crate::Refusal>> {
        let documents = self.inner.basis.tree.documents().filter(|document| document.range().overlaps(range));
        documents.filter_map(|document| crate::migrate::migrate(document, self.rest(), unknown)).collect()
    }

    /// What the rules of the definitions cost, document by document; none of other documents.
    #[must_use]
    pub fn costs(&self) -> Vec<crate::DocumentCosts> {
        let mut caches = self.caches();
        let documents = self.inner.basis.tree.documents().filter(|document| !document.is_blank()).enumerate();
        documents
            .filter_map(|(index, document)| {
                crate::costs::of_document(document, index, &self.inner.basis.settings, &mut caches)
            })
            .collect()
    }

    /// What to show at `offset`.
    #[must_use]
    pub fn hover(&self, offset: TextSize) -> Option<Hover> {
        // Definitions are read with the caches unlocked: they may be in the same ones.
        let in_rule = crate::cel::hover(self.source(), offset, &mut self.caches());
        let shown = in_rule
            .or_else(|| crate::experimental::hover(self.view(), offset))
            .or_else(|| crate::features::hover(&self.inner.basis.tree, offset))
            .or_else(|| crate::resources::hover(self.view(), offset))
            .or_else(|| judged::hover(&self.inner.basis.tree, offset, &self.not_judged()));
        match (self.broken(offset), shown) {
            (Some(broken), Some(shown)) => {
                let markdown = format!("{}\n\n---\n\n{}", broken.markdown, shown.markdown);
                Some(Hover { range: shown.range, markdown })
            }
            (broken, shown) => broken.or(shown),
        }
    }

    /// What the change at `offset` breaks.
    fn broken(&self, offset: TextSize) -> Option<Hover> {
        let base = self.surroundings().base.as_ref()?;
        self.documents_with_findings().find_map(|(document, findings)| {
            let told = findings.iter().filter(|finding| finding.code.group() == "compat");
            let told: Vec<TextRange> = told.map(|finding| finding.range).collect();
            base.hover(document, offset, &told, &mut self.caches().crd)
        })
    }

    /// What may stand at `offset`, the best first.
    #[must_use]
    pub fn completions(&self, offset: TextSize) -> Vec<crate::Completion> {
        let in_rule = crate::cel::complete(self.source(), offset, &mut self.caches());
        if in_rule.is_empty() { crate::features::complete(self.view(), offset) } else { in_rule }
    }

    /// The signatures of the call of a rule that `offset` is in.
    #[must_use]
    pub fn signatures(&self, offset: TextSize) -> Option<crate::Signatures> {
        crate::cel::signatures(self.source(), offset, &mut self.caches())
    }

    /// What each rule in `range` costs, the defaults that resources there get, and which feature gates are on; less what
    /// the settings leave out.
    #[must_use]
    pub fn hints(&self, range: TextRange) -> Vec<crate::Hint> {
        let settings = self.settings();
        let mut hints = crate::experimental::hints(self.view(), range);
        if settings.cost_hints {
            hints.extend(crate::cel::hints(self.source(), range, &mut self.caches()));
        }
        if settings.default_hints {
            hints.extend(crate::resources::hints(self.view(), range));
        }
        hints
    }

    /// What the name at `offset`, in a rule or in a resource, names.
    #[must_use]
    pub fn definition(&self, offset: TextSize) -> Option<crate::Definition> {
        let in_rule = crate::cel::definition(self.source(), offset, &mut self.caches());
        in_rule
            .or_else(|| crate::experimental::definition(self.view(), offset))
            .or_else(|| crate::resources::definition(self.view(), offset))
    }

    /// All places that name the same property as what is at `offset`, the property itself first.
    #[must_use]
    pub fn references(&self, offset: TextSize) -> Vec<TextRange> {
        crate::cel::references(self.source(), offset, &mut self.caches())
    }

    /// The property that the key at `offset` declares in a definition, or sets in a resource.
    #[must_use]
    pub fn property(&self, offset: TextSize) -> Option<crate::Property> {
        crate::resources::property(self.view(), offset)
    }

    /// Where resources in this text set `property`: its keys.
    #[must_use]
    pub fn uses(&self, property: &crate::Property) -> Vec<TextRange> {
        property.uses_in(&self.inner.basis.tree)
    }

    /// The property that is named at `offset` and can be renamed.
    ///
    /// # Errors
    /// Why there is none, for a person.
    pub fn rename_target(&self, offset: TextSize) -> Result<RenameTarget, String> {
        crate::rename::target(self.source(), self.view(), offset, &self.inner.basis.caches)
            .map(|(target, _)| target)
    }

    /// The property at `offset` with the name `new`.
    ///
    /// # Errors
    /// Why it cannot have that name, for a person.
    pub fn rename(&self, offset: TextSize, new: &str) -> Result<Rename, String> {
        let Basis { tree, settings, surroundings, caches, .. } = &self.inner.basis;
        let (_, property) = crate::rename::target(self.source(), self.view(), offset, caches)?;
        match surroundings.catalog.written(&property.group, &property.kind, &surroundings.source) {
            Some(found) if *found.source != surroundings.source => {
                let definition = Tree::parse(&found.loaded.text.buffer().to_string());
                Rename::new(property, &definition, new, settings)
            }
            None if self.defined_kinds().is_empty() => {
                Err(format!("the definition of `{}` is none of the workspace's", property.kind))
            }
            _ => Rename::new(property, tree, new, settings),
        }
    }

    /// Edits that write the defaults of the object of a resource at `range`.
    #[must_use]
    pub fn write_defaults(&self, range: TextRange) -> Vec<Fix> {
        crate::resources::write_defaults(self.view(), range)
    }

    /// The links, by place.
    #[must_use]
    pub fn links(&self) -> Vec<crate::Link> {
        crate::resources::links(self.view())
    }

    /// The kinds that are defined in this text.
    #[must_use]
    pub fn defined_kinds(&self) -> Vec<crate::DefinedKind> {
        crate::resources::defined_kinds(&self.inner.basis.tree)
    }

    /// The resources in this text.
    #[must_use]
    pub fn resources(&self) -> Vec<crate::ResourceOfKind> {
        crate::resources::resources(self.view(), self.findings())
    }

    /// The rules in `range`.
    #[must_use]
    pub fn rules(&self, range: TextRange) -> Vec<crate::RuleAt> {
        crate::cel::rules_at(self.source(), range, &mut self.caches())
    }

    /// The edits that `rename` makes in this text.
    ///
    /// # Errors
    /// Why they cannot be made, for a person.
    pub fn renamed(&self, rename: &Rename) -> Result<Vec<TextEdit>, String> {
        rename.edits_in(&self.inner.basis.tree, &self.inner.basis.caches)
    }

    /// What the parts of the rules in `range` are, by place.
    #[must_use]
    pub fn tokens(&self, range: TextRange) -> Vec<(TextRange, crate::TokenClass)> {
        crate::cel::tokens(self.source(), range, &mut self.caches())
    }

    /// The outline.
    #[must_use]
    pub fn symbols(&self) -> Vec<Symbol> {
        crate::features::symbols(&self.inner.basis.tree)
    }

    /// The folds, by start.
    #[must_use]
    pub fn folds(&self) -> Vec<Fold> {
        crate::features::folds(&self.inner.basis.tree)
    }

    fn view(&self) -> crate::resources::View<'_> {
        let Basis { tree, settings, surroundings, .. } = &self.inner.basis;
        crate::resources::View { tree, settings, surroundings }
    }

    fn source(&self) -> crate::cel::Source<'_> {
        crate::cel::Source { tree: &self.inner.basis.tree, settings: &self.inner.basis.settings }
    }

    fn caches(&self) -> MutexGuard<'_, Caches> {
        self.inner.basis.caches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rest(&self) -> (&Settings, &Surroundings) {
        (&self.inner.basis.settings, &self.inner.basis.surroundings)
    }

    /// The documents with what is known of them.
    fn documents(&self) -> impl Iterator<Item = (Document<'_>, &Analysed)> {
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
