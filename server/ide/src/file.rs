use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use text::{TextBuffer, TextEdit, TextRange, TextSize};
use yaml::{Document, Node, Reader, Tree};

use crate::document::{self, Caches, Told};
use crate::judged::{self, Judged, NotJudged};
use crate::surroundings::{Dependence, Surroundings};
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
    tree: Tree,
    settings: Arc<Settings>,
    surroundings: Surroundings,
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
    is_compared: bool,
    judged: Judged,
    /// What else they rest on.
    dependence: Arc<Dependence>,
}

/// All that an analysis rests on beside the text.
#[derive(Default)]
struct Base {
    settings: Arc<Settings>,
    surroundings: Surroundings,
    caches: Arc<Mutex<Caches>>,
}

/// That an analysis has ended before it was complete, as its text is no longer the newest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Superseded;

/// Whether an analysis may go on. Asked before each document.
pub type Stop<'s> = &'s dyn Fn() -> Result<(), Superseded>;

impl Base {
    /// The analysis of `tree`; what `earlier` says of documents that are still the same is taken over. Ends
    /// before a document where `stop` says so.
    fn analyse_until<E>(
        self,
        tree: Tree,
        earlier: Option<&File>,
        stop: &dyn Fn() -> Result<(), E>,
    ) -> Result<File, E> {
        let known = earlier.map(|file| file.inner.documents.as_slice()).unwrap_or_default();
        let known: FxHashMap<*const Node, &Analysed> =
            known.iter().map(|analysed| (Arc::as_ptr(&analysed.node), analysed)).collect();
        let stays = earlier.is_some_and(|file| file.inner.surroundings.is(&self.surroundings));
        let mut documents = Vec::new();
        let mut findings = Vec::new();
        for document in tree.documents() {
            let node = document.syntax().node();
            let known = known.get(&Arc::as_ptr(node)).copied();
            let known = known.filter(|known| stays || known.dependence.holds_in(&self.surroundings));
            let analysed = match known.cloned() {
                Some(known) => known,
                None => {
                    stop()?;
                    self.analyse_one(document.alone())
                }
            };
            let start = document.range().start;
            findings.extend(analysed.findings.iter().map(|finding| finding.shifted(start)));
            documents.push(analysed);
        }
        let Self { settings, surroundings, caches } = self;
        Ok(File { inner: Arc::new(Inner { tree, settings, surroundings, documents, findings, caches }) })
    }

    fn analyse(self, tree: Tree, earlier: Option<&File>) -> File {
        let Ok(file) = self.analyse_until::<Infallible>(tree, earlier, &|| Ok(()));
        file
    }

    fn analyse_one(&self, document: Document<'_>) -> Analysed {
        // Definitions are read before the caches are locked: theirs may be the same ones.
        let dependence = Dependence::of(document, &self.surroundings);
        // A panic elsewhere leaves the caches whole: they only ever gain finished results.
        let mut caches = self.caches.lock().unwrap_or_else(PoisonError::into_inner);
        let Told { findings, is_compared, judged } =
            document::tell(document, &self.settings, &self.surroundings, &mut caches);
        let node = Arc::clone(document.syntax().node());
        Analysed { node, findings: findings.into(), is_compared, judged, dependence: Arc::new(dependence) }
    }
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
        let settings = Arc::new(settings.clone());
        Base { settings, surroundings, caches }.analyse(parsed.tree.clone(), None)
    }

    /// Analyses `text` from scratch as a part of what surrounds it, for as long as `stop` lets it.
    ///
    /// # Errors
    ///
    /// Where `stop` did not.
    pub fn within_until(
        text: &str,
        settings: &Settings,
        surroundings: Surroundings,
        stop: Stop<'_>,
    ) -> Result<Self, Superseded> {
        let (settings, caches) = (Arc::new(settings.clone()), Arc::default());
        Base { settings, surroundings, caches }.analyse_until(Tree::parse(text), None, stop)
    }

    /// The documents whose definitions are compared with others.
    pub(crate) fn compared(&self) -> impl Iterator<Item = Document<'_>> {
        let documents = self.inner.tree.documents().zip(&self.inner.documents);
        documents.filter(|(_, analysed)| analysed.is_compared).map(|(document, _)| document)
    }

    /// Analyses another `text` from scratch, with the same settings and against the same definitions.
    #[must_use]
    pub fn anew(&self, text: &str) -> Self {
        Base { caches: Arc::default(), ..self.base() }.analyse(Tree::parse(text), None)
    }

    /// The analysis after one edit; equal to that of the edited text with the same settings from scratch, at the
    /// cost of what `edit` touches.
    /// `new_text` reads a range of the text after the edit.
    #[must_use]
    pub fn edited(&self, edit: &TextEdit, new_text: &dyn Fn(TextRange) -> String) -> Self {
        self.base().analyse(self.inner.tree.edited(edit, new_text), Some(self))
    }

    /// The analysis of the same text in other surroundings, at the cost of what depends on what is different.
    #[must_use]
    pub fn moved(&self, surroundings: Surroundings) -> Self {
        let Ok(file) = self.moved_until::<Infallible>(surroundings, &|| Ok(()));
        file
    }

    /// The same for as long as `stop` lets it.
    ///
    /// # Errors
    ///
    /// Where `stop` did not.
    pub fn moved_until<E>(
        &self,
        surroundings: Surroundings,
        stop: &dyn Fn() -> Result<(), E>,
    ) -> Result<Self, E> {
        if self.inner.surroundings.is(&surroundings) {
            return Ok(self.clone());
        }
        Base { surroundings, ..self.base() }.analyse_until(self.inner.tree.clone(), Some(self), stop)
    }

    /// Whether the analysis may be another one in those surroundings.
    #[must_use]
    pub fn is_touched_by(&self, surroundings: &Surroundings) -> bool {
        let is_outdated = |analysed: &Analysed| !analysed.dependence.holds_in(surroundings);
        !self.inner.surroundings.is(surroundings) && self.inner.documents.iter().any(is_outdated)
    }

    /// `surroundings`, in which `own` is what this text defines. The catalog is another one only if some of its findings
    /// rest on that.
    #[must_use]
    pub fn surroundings_with(&self, surroundings: Surroundings, own: Option<Definitions>) -> Surroundings {
        let catalog = &surroundings.catalog;
        let before = catalog.of_source(&surroundings.source);
        let own = own.map(|own| match before {
            Some(before) => own.named(before.naming().clone()),
            None => own,
        });
        let rests_on = |definitions: Option<&Definitions>| {
            definitions.is_some_and(|definitions| {
                let mut all = self.inner.documents.iter().map(|analysed| &analysed.dependence);
                all.any(|dependence| dependence.is_about(definitions, catalog))
            })
        };
        let is_same = match (before, &own) {
            _ if !rests_on(before) && !rests_on(own.as_ref()) => true,
            (Some(before), Some(own)) => before.is(own),
            (None, None) => true,
            _ => false,
        };
        if is_same { surroundings } else { surroundings.with_own(own) }
    }

    /// The definitions in this text, `text`, for the source of that name; none where there are none.
    #[must_use]
    pub fn definitions(&self, source: &str, text: &TextBuffer) -> Option<Definitions> {
        Definitions::of_buffer(source, text, &self.inner.tree, &self.inner.caches)
    }

    fn base(&self) -> Base {
        let Inner { settings, surroundings, caches, .. } = self.inner.as_ref();
        Base {
            settings: Arc::clone(settings),
            surroundings: surroundings.clone(),
            caches: Arc::clone(caches),
        }
    }

    /// The settings that it was analysed with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// What surrounded it when it was analysed.
    #[must_use]
    pub fn surroundings(&self) -> &Surroundings {
        &self.inner.surroundings
    }

    /// All findings, by range, then code.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.inner.findings
    }

    /// What was left alone, by place.
    #[must_use]
    pub fn not_judged(&self) -> Vec<NotJudged> {
        let documents = self.inner.tree.documents().zip(&self.inner.documents);
        let of = |(document, analysed): (Document<'_>, &Analysed)| -> Vec<NotJudged> {
            let start = document.range().start;
            analysed.judged.not_judged.iter().map(|one| one.shifted(start)).collect()
        };
        documents.flat_map(of).collect()
    }

    /// What was judged, and what was left alone.
    #[must_use]
    pub fn judged(&self) -> Judged {
        let mut judged = Judged::default();
        for (document, analysed) in self.inner.tree.documents().zip(&self.inner.documents) {
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
        self.inner.tree.documents().flat_map(of).collect()
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
        Budget::of(self.inner.tree.len() as usize)
    }

    /// The fixes for the findings that touch `range`, as far as `budget` lets them be proven.
    #[must_use]
    pub fn fixes_within(&self, range: TextRange, budget: &Budget) -> Vec<Fix> {
        let base = self.inner.surroundings.base.as_ref();
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
    pub fn fix_all_of(&self, code: &str, budget: &Budget) -> Vec<TextEdit> {
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
        let documents = self.inner.tree.documents().filter(|document| document.range().contains_range(range));
        documents.flat_map(|document| crate::refactor::refactorings(document, self.rest(), range)).collect()
    }

    /// The definitions of v1beta1 in `range`, each document by itself, in the words of v1.
    #[must_use]
    pub fn migrations(
        &self,
        range: TextRange,
        unknown: crate::UnknownFields,
    ) -> Vec<Result<crate::Migration, crate::Refusal>> {
        let documents = self.inner.tree.documents().filter(|document| document.range().overlaps(range));
        documents.filter_map(|document| crate::migrate::migrate(document, self.rest(), unknown)).collect()
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
        // Definitions are read with the caches unlocked: they may be in the same ones.
        let in_rule = crate::cel::hover(self.source(), offset, &mut self.caches());
        let shown = in_rule
            .or_else(|| crate::experimental::hover(self.view(), offset))
            .or_else(|| crate::features::hover(&self.inner.tree, offset))
            .or_else(|| crate::resources::hover(self.view(), offset))
            .or_else(|| judged::hover(&self.inner.tree, offset, &self.not_judged()));
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
            let told = findings.iter().filter(|finding| finding.code.starts_with("compat/"));
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
        property.uses_in(&self.inner.tree)
    }

    /// The property that is named at `offset` and can be renamed.
    ///
    /// # Errors
    /// Why there is none, for a person.
    pub fn rename_target(&self, offset: TextSize) -> Result<RenameTarget, String> {
        crate::rename::target(self.source(), self.view(), offset, &self.inner.caches)
            .map(|(target, _)| target)
    }

    /// The property at `offset` with the name `new`.
    ///
    /// # Errors
    /// Why it cannot have that name, for a person.
    pub fn rename(&self, offset: TextSize, new: &str) -> Result<Rename, String> {
        let Inner { tree, settings, surroundings, caches, .. } = self.inner.as_ref();
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
        crate::resources::defined_kinds(&self.inner.tree)
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
        rename.edits_in(&self.inner.tree, &self.inner.caches)
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

    fn view(&self) -> crate::resources::View<'_> {
        let Inner { tree, settings, surroundings, .. } = self.inner.as_ref();
        crate::resources::View { tree, settings, surroundings }
    }

    fn source(&self) -> crate::cel::Source<'_> {
        crate::cel::Source { tree: &self.inner.tree, settings: &self.inner.settings }
    }

    fn caches(&self) -> MutexGuard<'_, Caches> {
        self.inner.caches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rest(&self) -> (&Settings, &Surroundings) {
        (&self.inner.settings, &self.inner.surroundings)
    }

    /// The documents that have findings, with these.
    pub(crate) fn documents_with_findings(&self) -> impl Iterator<Item = (Document<'_>, Vec<Finding>)> {
        let documents = self.inner.tree.documents().zip(&self.inner.documents);
        documents.filter(|(_, analysed)| !analysed.findings.is_empty()).map(|(document, analysed)| {
            let start = document.range().start;
            (document, analysed.findings.iter().map(|finding| finding.shifted(start)).collect())
        })
    }
}
