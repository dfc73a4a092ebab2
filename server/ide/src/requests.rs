//! The requests of an editor or a command line about an analysed text.

use std::collections::HashMap;

use crate::analysis::inputs::DocumentInputs;
use crate::analysis::resources::View;
use crate::fixes::InDocument;
use crate::fixes::consequences::{self, Consequences};
use api::Code;
use crd::OtherText;
use text::{PositionEncoding, TextEdit, TextRange, TextSize};
use yaml::{Document, Tree};

use crate::{
    Budget, DocumentPart, File, Finding, Fix, Fold, GroupedFindings, Hover, Rename, RenameTarget,
    RepeatedFindings, Severity, Symbol, TestSuite, similar,
};

impl File {
    /// The findings, grouped by cause.
    #[must_use]
    pub fn grouped(&self) -> GroupedFindings {
        let mut grouped = GroupedFindings::default();
        for (document, findings) in self.documents_with_findings() {
            self.group(document, findings, &mut grouped);
        }
        grouped
    }

    /// For each finding that follows from another, its cause; both by code and range. Only documents with
    /// errors are examined.
    #[must_use]
    pub fn consequences(&self) -> HashMap<(Code, TextRange), (Code, TextRange)> {
        let mut consequences = HashMap::new();
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        for (document, findings) in self.documents_with_findings() {
            if !findings.iter().any(is_error) {
                continue;
            }
            let (mut grouped, mut repeated) = (GroupedFindings::default(), RepeatedFindings::default());
            self.group(document, findings.clone(), &mut grouped);
            for finding in &findings {
                let key = (finding.code, finding.range);
                let cause = grouped
                    .representative(finding.code, finding.range)
                    .map(|cause| (cause.code, cause.range));
                let is_repeated = repeated.is_repeated(finding);
                if let Some(cause) = cause.filter(|cause| *cause != key || is_repeated) {
                    consequences.insert(key, cause);
                }
            }
        }
        consequences
    }

    /// The findings, including those in parts that are not checked because of a slip.
    #[must_use]
    pub fn all_findings(&self) -> Vec<Finding> {
        let mut findings = self.findings().to_vec();
        for (document, of_document) in self.documents_with_findings() {
            findings.extend(consequences::hidden(
                document,
                self.inputs(),
                &of_document,
                self.shared_caches(),
            ));
        }
        findings.sort_by_key(|finding| (finding.range, finding.code));
        findings
    }

    fn consequences_of_slips(&self, document: Document<'_>, findings: &[Finding]) -> Consequences {
        consequences::consequences(document, self.inputs(), findings, self.shared_caches())
    }

    fn group(&self, document: Document<'_>, findings: Vec<Finding>, grouped: &mut GroupedFindings) {
        let Consequences { causes, hidden } = self.consequences_of_slips(document, &findings);
        if hidden.is_empty() {
            return grouped.add(document, &findings, causes);
        }
        let causes = causes.into_iter().chain(std::iter::repeat(None));
        let mut all: Vec<_> = findings.into_iter().chain(hidden).zip(causes).enumerate().collect();
        all.sort_by_key(|(_, (finding, _))| (finding.range, finding.code));
        let mut places = vec![0; all.len()];
        for (place, (index, _)) in all.iter().enumerate() {
            if let Some(own) = places.get_mut(*index) {
                *own = place;
            }
        }
        let (findings, causes): (Vec<Finding>, Vec<Option<usize>>) =
            all.into_iter().map(|(_, one)| one).unzip();
        let moved = |cause: Option<usize>| places.get(cause?).copied();
        grouped.add(document, &findings, causes.into_iter().map(moved).collect());
    }

    /// The fixes for the findings that touch `range`.
    #[must_use]
    pub fn fixes(&self, range: TextRange) -> Vec<Fix> {
        self.fixes_within(range, &self.budget())
    }

    /// The budget for the proofs of one request about this text.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget::of(self.tree().len() as usize)
    }

    /// The fixes for the findings that touch `range`, as far as `budget` permits proofs.
    #[must_use]
    pub fn fixes_within(&self, range: TextRange, budget: &Budget) -> Vec<Fix> {
        self.fixes_where_within(&mut |_| true, range, budget)
    }

    /// The fixes for the findings that `is_wanted` accepts. Calls `is_wanted` once for each finding, in the
    /// order of the text.
    fn fixes_where_within(
        &self,
        is_wanted: &mut dyn FnMut(&Finding) -> bool,
        range: TextRange,
        budget: &Budget,
    ) -> Vec<Fix> {
        let base = self.surroundings().base.as_ref();
        self.documents_with_findings()
            .flat_map(|(document, mut findings)| {
                findings.retain(&mut *is_wanted);
                let base = base.filter(|_| document.range().overlaps(range));
                let taken_back = base.map(|base| base.fixes(document, range, &mut self.caches().crd));
                let repairs = crate::fixes::fixes(
                    document,
                    self.inputs(),
                    &findings,
                    range,
                    budget,
                    self.shared_caches(),
                );
                repairs.into_iter().chain(taken_back.unwrap_or_default())
            })
            .collect()
    }

    /// The fixes for the findings that `is_wanted` accepts, as far as `budget` permits proofs. Calls
    /// `is_wanted` once for each finding, in the order of the text.
    #[must_use]
    pub fn fixes_where(&self, is_wanted: &mut dyn FnMut(&Finding) -> bool, budget: &Budget) -> Vec<Fix> {
        self.fixes_where_within(is_wanted, TextRange::new(0, self.tree().len()), budget)
    }

    /// The `fixes` that apply to several places of their document with the same problem, each at all of these
    /// places.
    #[must_use]
    pub fn similar_fixes(&self, fixes: &[Fix], budget: &Budget) -> Vec<Fix> {
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
                let caches = self.shared_caches();
                similar(&fixes, &mut InDocument::new(document, self.inputs(), &findings, budget, caches))
            })
            .collect()
    }

    /// The edit that writes the rule at `offset` in canonical form, if it has a different form.
    #[must_use]
    pub fn format_rule(&self, offset: TextSize) -> Option<Fix> {
        crate::fixes::rewrite::format(self.source(), offset, &mut self.caches())
    }

    /// The rule at `offset` in canonical form and on one line, if it has a different form.
    #[must_use]
    pub fn rule_in_one_line(&self, offset: TextSize) -> Option<crate::FormattedExpression> {
        crate::fixes::rewrite::formatted(self.source(), offset, None, &mut self.caches())
    }

    /// The ranges around `offset`, from the inside to the outside; in rules, those of the expression.
    #[must_use]
    pub fn selections(&self, offset: TextSize) -> Vec<TextRange> {
        crate::features::cel::selections(self.source(), offset, &mut self.caches())
    }

    /// One round of all safe fixes that can be applied together: sorted edits without overlap. Remaining
    /// fixes need another round on the edited text.
    #[must_use]
    pub fn fix_all(&self) -> Vec<TextEdit> {
        self.fix_all_within(&self.budget())
    }

    /// The edits of [`Self::fix_all`], as far as `budget` permits proofs.
    #[must_use]
    pub fn fix_all_within(&self, budget: &Budget) -> Vec<TextEdit> {
        self.documents_with_findings()
            .flat_map(|(document, findings)| {
                crate::fixes::fix_all(document, self.inputs(), &findings, budget, self.shared_caches())
            })
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
            .flat_map(|(document, findings)| {
                crate::fixes::fix_all(document, self.inputs(), &findings, budget, self.shared_caches())
            })
            .collect()
    }

    /// The refactorings at `range`.
    #[must_use]
    pub fn refactorings(&self, range: TextRange) -> Vec<crate::Refactoring> {
        let documents = self.tree().documents().filter(|document| document.range().contains_range(range));
        documents
            .flat_map(|document| {
                crate::refactor::refactorings(document, self.inputs(), range, self.shared_caches())
            })
            .collect()
    }

    /// The migrations to v1 of the v1beta1 definitions in `range`, one for each document.
    #[must_use]
    pub fn migrations(
        &self,
        range: TextRange,
        unknown: crate::UnknownFields,
    ) -> Vec<Result<crate::Migration, crate::Refusal>> {
        let documents = self.tree().documents().filter(|document| document.range().overlaps(range));
        documents.filter_map(|document| crate::migrate::migrate(document, self.inputs(), unknown)).collect()
    }

    /// The costs of the rules of the definitions, one entry for each document with definitions.
    #[must_use]
    pub fn costs(&self) -> Vec<crate::DocumentCosts> {
        let mut caches = self.caches();
        let documents = self.tree().documents().filter(|document| !document.is_blank()).enumerate();
        documents
            .filter_map(|(index, document)| {
                crate::analysis::costs::of_document(document, index, self.settings(), &mut caches)
            })
            .collect()
    }

    /// The hover at `offset`.
    #[must_use]
    pub fn hover(&self, offset: TextSize) -> Option<Hover> {
        // The caches are unlocked while definitions are read, which may use the same caches.
        let in_rule = crate::features::cel::hover(self.source(), offset, &mut self.caches());
        // Spaces before a line of a rule belong to the block scalar.
        let shown = in_rule
            .filter(|shown| shown.range.touches(offset))
            .or_else(|| crate::features::hover_of_mention(self.tree(), offset))
            .or_else(|| crate::features::experimental::hover(self.view(), offset))
            .or_else(|| crate::features::hover::hover(self.tree(), offset))
            .or_else(|| crate::features::resources::hover(self.view(), offset))
            .or_else(|| crate::features::hover_of_not_judged(self.tree(), offset, &self.not_judged()));
        match (self.compat_hover(offset), shown) {
            (Some(compat_hover), Some(shown)) => {
                let markdown = format!("{}\n\n---\n\n{}", compat_hover.markdown, shown.markdown);
                Some(Hover { range: shown.range, markdown })
            }
            (compat_hover, shown) => compat_hover.or(shown),
        }
    }

    /// The hover at `offset` of a suite of test cases.
    #[must_use]
    pub fn hover_in_suite(&self, offset: TextSize, suite: &TestSuite<'_>) -> Option<Hover> {
        let surroundings = suite.surroundings(self.surroundings());
        let view = View { surroundings: &surroundings, ..self.view() };
        crate::features::resources::hover_in_suite(view, offset, suite.tested)
    }

    /// The proposals at `offset` of a suite of test cases, the best first.
    #[must_use]
    pub fn completions_in_suite(&self, offset: TextSize, suite: &TestSuite<'_>) -> Vec<crate::Completion> {
        let surroundings = suite.surroundings(self.surroundings());
        let view = View { surroundings: &surroundings, ..self.view() };
        crate::features::complete_in_suite(view, offset, suite.tested)
    }

    /// The hover about the compatibility of the change at `offset`.
    fn compat_hover(&self, offset: TextSize) -> Option<Hover> {
        let base = self.surroundings().base.as_ref()?;
        self.documents_with_findings().find_map(|(document, findings)| {
            let reported = findings.iter().filter(|finding| finding.code.group() == "compat");
            let reported: Vec<TextRange> = reported.map(|finding| finding.range).collect();
            base.hover(document, offset, &reported, &mut self.caches().crd)
        })
    }

    /// The proposals at `offset`, the best first.
    #[must_use]
    pub fn completions(&self, offset: TextSize) -> Vec<crate::Completion> {
        let in_rule = crate::features::cel::complete(self.source(), offset, &mut self.caches());
        if in_rule.is_empty() { crate::features::complete(self.view(), offset) } else { in_rule }
    }

    /// The edit that indents the cursor at `offset`, on a new line, for the next key. In a text without any
    /// indentation, `tab` is the indentation of keys below a key.
    #[must_use]
    pub fn indented(&self, offset: TextSize, tab: Option<usize>) -> Option<TextEdit> {
        crate::features::on_new_line(self.view(), offset, tab)
    }

    /// The edits that format the definitions in `range`.
    #[must_use]
    pub fn formatted(&self, range: TextRange) -> Vec<TextEdit> {
        crate::features::format(self.tree(), range)
    }

    /// The signatures of the call around `offset` in a rule.
    #[must_use]
    pub fn signatures(&self, offset: TextSize) -> Option<crate::Signatures> {
        crate::features::cel::signatures(self.source(), offset, &mut self.caches())
    }

    /// The costs of the rules in `range`, the defaults of resources there, and the enabled feature gates, as
    /// far as the settings show them.
    #[must_use]
    pub fn hints(&self, range: TextRange) -> Vec<crate::Hint> {
        let settings = self.settings();
        let mut hints = crate::features::experimental::hints(self.view(), range);
        if settings.cost_hints {
            hints.extend(crate::features::cel::hints(self.source(), range, &mut self.caches()));
        }
        if settings.default_hints {
            hints.extend(crate::features::resources::hints(self.view(), range));
        }
        hints
    }

    /// The definition of the name at `offset`, in a rule or in a resource.
    #[must_use]
    pub fn definition(&self, offset: TextSize) -> Option<crate::Definition> {
        let in_rule = crate::features::cel::definition(self.source(), offset, &mut self.caches());
        in_rule
            .or_else(|| crate::features::experimental::definition(self.view(), offset))
            .or_else(|| crate::features::definition_of_mention(self.tree(), offset))
            .or_else(|| crate::features::resources::definition(self.view(), offset))
            .or_else(|| {
                // A declaration leads to itself; editors then show its references.
                let own = self.references(offset).first().copied().filter(|own| own.touches(offset))?;
                Some(crate::Definition { name: own, target: own, elsewhere: None })
            })
    }

    /// All places that name the same property as the text at `offset`, the property itself first.
    #[must_use]
    pub fn references(&self, offset: TextSize) -> Vec<TextRange> {
        crate::features::references(self.source(), self.view(), offset, &mut self.caches())
    }

    /// The property at `offset`: of a key in a definition or in a resource, or of a name.
    #[must_use]
    pub fn property(&self, offset: TextSize) -> Option<crate::Property> {
        crate::features::property(self.view(), offset)
    }

    /// The keys of the resources in this text that set `property`.
    #[must_use]
    pub fn uses(&self, property: &crate::Property) -> Vec<TextRange> {
        property.uses_in(self.tree())
    }

    /// The property at `offset`, if it can be renamed.
    ///
    /// # Errors
    /// If there is none; the text gives the reason for a person.
    pub fn rename_target(&self, offset: TextSize) -> Result<RenameTarget, String> {
        crate::features::rename::target(self.source(), self.view(), offset, self.shared_caches())
            .map(|(target, _)| target)
    }

    /// Renames the property at `offset` to `new`.
    ///
    /// # Errors
    /// If it cannot have that name; the text gives the reason for a person.
    pub fn rename(&self, offset: TextSize, new: &str) -> Result<Rename, String> {
        let DocumentInputs { settings, surroundings } = self.inputs();
        let (tree, caches) = (self.tree(), self.shared_caches());
        let (_, property) = crate::features::rename::target(self.source(), self.view(), offset, caches)?;
        match surroundings.catalog.best_written(&property.group, &property.kind, &surroundings.source) {
            Some(found) if *found.source != surroundings.source => {
                let definition = Tree::parse(&found.loaded.text.buffer().to_string());
                Rename::new(property, &definition, new, settings)
            }
            None if self.defined_kinds().is_empty() => {
                Err(format!("the workspace has no definition of `{}`", property.kind))
            }
            _ => Rename::new(property, tree, new, settings),
        }
    }

    /// The edits that write the defaults of the resource's object at `range`.
    #[must_use]
    pub fn write_defaults(&self, range: TextRange) -> Vec<Fix> {
        crate::features::resources::write_defaults(self.view(), range)
    }

    /// The links, by place.
    #[must_use]
    pub fn links(&self) -> Vec<crate::Link> {
        crate::features::resources::links(self.view())
    }

    /// The kinds that this text defines.
    #[must_use]
    pub fn defined_kinds(&self) -> Vec<crate::DefinedKind> {
        crate::features::resources::defined_kinds(self.tree())
    }

    /// The resources in this text.
    #[must_use]
    pub fn resources(&self) -> Vec<crate::ResourceOfKind> {
        crate::features::resources::resources(self.view(), self.findings())
    }

    /// The rules in `range`.
    #[must_use]
    pub fn rules(&self, range: TextRange) -> Vec<crate::RuleAt> {
        crate::features::cel::rules_at(self.source(), range, &mut self.caches())
    }

    /// The edits of `rename` in this text.
    ///
    /// # Errors
    /// If the edits cannot be made; the text gives the reason for a person.
    pub fn renamed(&self, rename: &Rename) -> Result<Vec<TextEdit>, String> {
        rename.edits_in(self.tree(), self.shared_caches())
    }

    /// The classes of the parts of the rules in `range`, by position.
    #[must_use]
    pub fn tokens(&self, range: TextRange) -> Vec<(TextRange, crate::TokenClass)> {
        crate::features::cel::tokens(self.source(), range, &mut self.caches())
    }

    /// The outline with one symbol for each document, and the number of its levels with at most `most`
    /// symbols, at least one. The outline may have more levels.
    #[must_use]
    pub fn outline(&self, encoding: PositionEncoding, most: usize) -> (Vec<DocumentPart<Symbol>>, usize) {
        crate::features::outline(self, encoding, most)
    }

    /// The folds of each document, sorted by start; of folds with the same start, the longer first.
    #[must_use]
    pub fn folds(&self, encoding: PositionEncoding) -> Vec<DocumentPart<Vec<Fold>>> {
        crate::features::folded(self, encoding)
    }

    /// The value at `offset`, or the value of the key there, with its path.
    #[must_use]
    pub fn place_at(&self, offset: TextSize) -> Option<crate::PlaceOf> {
        crate::features::value_paths::place_at(self.tree(), offset)
    }

    /// The value at the end of `steps` in the document around the byte `document`.
    #[must_use]
    pub fn place_of(&self, document: TextSize, steps: &[&str]) -> Option<crate::PlaceOf> {
        crate::features::value_paths::place_of(self.tree(), document, steps)
    }

    fn view(&self) -> crate::analysis::resources::View<'_> {
        let DocumentInputs { settings, surroundings } = self.inputs();
        crate::analysis::resources::View { tree: self.tree(), settings, surroundings }
    }

    fn source(&self) -> crate::features::cel::Source<'_> {
        crate::features::cel::Source { tree: self.tree(), settings: self.settings() }
    }
}
