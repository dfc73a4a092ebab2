//! The findings of the text with and without edits.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::PoisonError;

use api::Code;
use text::{TextEdit, TextRange};
use yaml::{Document, Tree};

use super::budget;
use super::hidden_findings::{self, EditedText};
use super::unread_parts::UnreadParts;
use super::{CheckedEdits, Fault, FaultKey, KEPT, MOST_STEPS, OriginalText, Proof, counts, fields};
use crate::Finding;
use crate::analysis::document;
use crate::analysis::repaired_text::RepairedText;
use crate::analysis::resources::RIVALS;
use crate::analysis::shifts::{Shifts, parsed_parts, tree_after};

impl Proof {
    /// The findings on the text of a tree.
    pub(super) fn findings(&self, tree: &Tree) -> Vec<Finding> {
        self.findings_and_objects(tree).0
    }

    /// The findings on the text of a tree, and the number of objects that were validated.
    pub(super) fn findings_and_objects(&self, tree: &Tree) -> (Vec<Finding>, usize) {
        // A panic in another thread does not corrupt them, because they only receive finished results.
        let mut caches = self.caches.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut findings, mut objects) = (Vec::new(), 0);
        for document in tree.documents() {
            let found = document::analyse(document, &self.settings, &self.surroundings, &mut caches);
            objects += found.validation_coverage.definitions + found.validation_coverage.resources.len();
            findings.extend(found.findings);
        }
        // A copy of the definition that now differs is not a reason against a fix, either.
        findings.retain(|finding| finding.code != RIVALS);
        (findings, objects)
    }

    pub(super) fn original(&self) -> &OriginalText {
        self.original.get_or_init(|| {
            let (findings, objects) = self.findings_and_objects(&self.tree);
            let unread = UnreadParts::of(&self.tree, &findings);
            let faults: Vec<Fault> = findings.iter().map(Fault::of).collect();
            let known = faults.iter().map(Fault::key).collect();
            let places = faults.iter().map(|fault| (fault.code, fault.range)).collect();
            let counts = counts(faults.iter().map(|fault| fault.code));
            let mut compiled: HashMap<(Code, String), Vec<FaultKey>> = HashMap::new();
            for fault in faults.iter().filter(|fault| hidden_findings::COMPILE.contains(&fault.code)) {
                compiled.entry((fault.code, fault.path.clone())).or_default().push(fault.key());
            }
            let rules = faults.iter().filter_map(Fault::of_rule).collect();
            // A finding that the server does not report yet is only a guess, as are the findings after edits.
            let certain = faults.iter().filter(|fault| !fault.is_hidden).filter_map(Fault::of_rule).collect();
            let fields = fields(&faults);
            OriginalText {
                text: self.tree.text(),
                objects,
                fault_keys: known,
                places,
                counts,
                fields,
                compiled,
                rules,
                certain_keys: certain,
                unread,
                faults,
            }
        })
    }

    /// The result of a check after `edits`; `None` if the budget is spent.
    pub(super) fn check_after(&mut self, edits: &[TextEdit]) -> Option<Rc<CheckedEdits>> {
        if let Some(known) = self.cached_check(edits) {
            return Some(known);
        }
        let is_parsed_again = parsed_parts(edits) > MOST_STEPS;
        let before = self.original();
        let (count, answers) = (before.faults.len(), before.faults.iter().map(|fault| fault.answer).sum());
        let steps = budget::check(self.len(), (count, answers), is_parsed_again);
        if !self.budget.spend(steps, self.checks) {
            return None;
        }
        self.checks += 1;
        Some(self.checked_after(edits))
    }

    pub(super) fn cached_check(&self, edits: &[TextEdit]) -> Option<Rc<CheckedEdits>> {
        self.results.iter().find(|(of, _)| of == edits).map(|(_, known)| Rc::clone(known))
    }

    /// The result of [`Self::after`], without a budget.
    pub(super) fn checked_after(&mut self, edits: &[TextEdit]) -> Rc<CheckedEdits> {
        let checked = self.cached_check(edits).unwrap_or_else(|| Rc::new(self.check(edits)));
        self.results.retain(|(of, _)| of != edits);
        self.results.push_front((edits.to_vec(), Rc::clone(&checked)));
        self.results.truncate(KEPT);
        checked
    }

    pub(super) fn check(&self, edits: &[TextEdit]) -> CheckedEdits {
        let edits: Vec<TextEdit> = edits.iter().map(|edit| self.relative(edit)).collect();
        let shifts = Shifts::of(&edits);
        let tree = self.tree_after(&edits);
        let (findings, objects) = self.findings_and_objects(&tree);
        let mut after: Vec<Fault> = findings.iter().map(Fault::of).collect();
        let before = self.original();
        let all = after.iter().filter(|fault| !fault.is_remark).count();
        let was_unread = |fault: &Fault| !before.had(fault, &shifts) && self.was_unread(fault.range, &shifts);
        let mut count = after.iter().filter(|fault| !fault.is_remark && !was_unread(fault)).count();
        let edited = EditedText::new(&before.text, &edits, &tree);
        let compiled = after.iter().filter(|fault| hidden_findings::COMPILE.contains(&fault.code));
        let left: HashSet<FaultKey> = compiled.map(Fault::key).collect();
        after.retain(|fault| {
            !EditedText::was_untyped(fault, before, &left)
                && (before.had(fault, &shifts) || !edited.was_hidden(fault, before) && !was_unread(fault))
        });
        let uncovered = self.uncovered(&after, &edits, &shifts, &tree);
        count -= uncovered.len();
        let mut index = 0..;
        after.retain(|_| index.next().is_none_or(|index| !uncovered.contains(&index)));
        for fault in after.iter_mut().filter(|fault| hidden_findings::COMPILE.contains(&fault.code)) {
            let is_certain = fault.of_rule().is_some_and(|rule| before.certain_keys.contains(&rule));
            fault.reads_change = !is_certain && edited.changes_what_is_read(fault);
        }
        CheckedEdits { count, all, objects, faults: after, uncovers: !uncovered.is_empty() }
    }

    /// The text of `document` after `edits`, and its findings.
    pub(in crate::fixes) fn repaired_text(
        &self,
        document: Document<'_>,
        edits: &[TextEdit],
    ) -> (RepairedText, Vec<Finding>) {
        let steps: Vec<TextEdit> = edits.iter().map(|edit| self.relative(edit)).collect();
        let tree = self.tree_after(&steps);
        let findings = self.findings(&tree);
        (RepairedText::new(document, tree, &steps), findings)
    }

    pub(super) fn relative(&self, edit: &TextEdit) -> TextEdit {
        let range = TextRange::new(edit.range.start - self.start, edit.range.end - self.start);
        TextEdit::replace(range, edit.new_text.clone())
    }

    pub(super) fn tree_after(&self, edits: &[TextEdit]) -> Tree {
        let known = self.latest.borrow().as_ref().filter(|(of, _)| of == edits).map(|(_, tree)| tree.clone());
        if let Some(known) = known {
            return known;
        }
        let text = &self.original().text;
        let tree = match parsed_parts(edits) > MOST_STEPS {
            true => Tree::parse(&text::applied(text, 0, edits)).sharing(&self.tree),
            false => tree_after(&self.tree, text, edits),
        };
        *self.latest.borrow_mut() = Some((edits.to_vec(), tree.clone()));
        tree
    }
}
