//! Proofs that edits repair their findings and cause no new ones.
//!
//! A new finding counts against the edits if they cause it. A problem that existed before and could not be
//! found, such as in a rule that is not compiled because of a syntax error, does not count: [`hidden_findings`]
//! distinguishes the two.

mod alternatives;
mod budget;
mod edited_text;
mod hidden_findings;
mod uncovered_findings;
mod unread_parts;
mod verdicts;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use api::Code;
use crd::CompileStep;
use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Tree};

pub use self::budget::Budget;
pub(super) use self::uncovered_findings::changes_structure;
use self::unread_parts::UnreadParts;
pub(super) use self::unread_parts::unread;
pub(crate) use self::verdicts::{Effect, KeptVerdicts};
use super::plan::Plan;
use crate::analysis::caches::SharedCaches;
use crate::analysis::document;
use crate::analysis::inputs::DocumentInputs;
use crate::analysis::readings::ScalarReading;
use crate::analysis::shifts::Shifts;
use crate::{Finding, Settings, Severity, Surroundings};

/// Above this number of edited parts, the whole text is parsed again.
const MOST_STEPS: usize = 32;
/// The number of results of checks that are kept: callers ask several questions about the same edits.
const KEPT: usize = 12;

/// A document before any edit, for comparison with its text after edits.
pub(crate) struct Proof {
    settings: Settings,
    surroundings: Surroundings,
    tree: Tree,
    start: TextSize,
    /// Computed on first use: most documents have nothing to prove.
    original: OnceCell<OriginalText>,
    /// The results for parts that no edit touches.
    caches: SharedCaches,
    /// Whether all edits are accepted without a proof.
    trusts: bool,
    budget: Budget,
    /// The tree after the edits of the latest question: callers ask for its syntax before they ask for findings.
    latest: RefCell<Option<(Vec<TextEdit>, Tree)>>,
    /// The latest results of checks, by their edits.
    results: VecDeque<(Vec<TextEdit>, Rc<CheckedEdits>)>,
    /// The number of checks so far.
    checks: usize,
    /// The number of findings for which fixes were searched beyond their ranges.
    searches: usize,
    /// The number of findings for which edits were made.
    makings: usize,
}

/// The result of a check of the text after edits.
struct CheckedEdits {
    /// The number of findings above remarks, without new ones in parts that were not checked before.
    count: usize,
    /// The number of all findings above remarks.
    all: usize,
    /// The number of objects that were validated.
    objects: usize,
    /// The findings, except for those that were hidden before.
    faults: Vec<Fault>,
    /// Whether it has findings of other slips that the edits uncover.
    uncovers: bool,
}

struct OriginalText {
    text: String,
    /// The number of objects that are validated.
    objects: usize,
    faults: Vec<Fault>,
    fault_keys: HashSet<FaultKey>,
    places: HashSet<(Code, TextRange)>,
    /// The number of findings of each code.
    counts: Counts,
    /// The number of fields with findings, by code.
    fields: Counts,
    /// The findings on the text of an expression, by code and path.
    compiled: HashMap<(Code, String), Vec<FaultKey>>,
    /// The findings on rules, and the subset that the server reports.
    rules: HashSet<FaultKey>,
    certain_keys: HashSet<FaultKey>,
    /// The parts of the text that are not checked.
    unread: UnreadParts,
}

/// The effects of the repair of a slip.
#[derive(Clone, Debug, Default)]
pub(super) struct RepairEffects {
    /// The findings that disappear with the slip, by code and range in the file.
    pub(super) removed: HashSet<(Code, TextRange)>,
    /// The findings in parts that were not checked because of the slip.
    pub(super) hidden: HiddenFindings,
}

/// The findings in parts of the text that were not checked before edits.
#[derive(Clone, Debug, Default)]
pub(super) struct HiddenFindings {
    /// The text after the edits, and all of its findings.
    pub(super) after: Option<(Tree, Vec<Finding>)>,
    /// The findings in such parts: the index in `after`, and the finding with its ranges in the file.
    pub(super) findings: Vec<(usize, Finding)>,
}

/// The parts of a finding that proofs need.
struct Fault {
    code: Code,
    path: String,
    /// In bytes from the start of the text that contains it.
    range: TextRange,
    problem: Problem,
    /// Whether the server does not report it because of other errors.
    is_hidden: bool,
    /// Whether it is only an information or a hint.
    is_remark: bool,
    /// Whether it is about an expression that reads a field that the edits change.
    reads_change: bool,
    /// The size of the server's answer in bytes, which each check writes again.
    answer: usize,
}

/// The step at which an expression does not compile, and the problem; empty for other findings.
type Problem = (Option<CompileStep>, String);
/// The code, the field path and the words of a finding.
type FaultKey = (Code, String, Problem);
type Counts = HashMap<Code, usize>;

impl Fault {
    fn of(finding: &Finding) -> Self {
        Self {
            problem: problem_of(finding),
            is_hidden: finding.api_server.is_none(),
            answer: finding.api_server.as_ref().map_or(0, |answer| answer.detail.len()),
            is_remark: finding.severity > Severity::Warning,
            reads_change: false,
            code: finding.code,
            path: finding.field_path.to_string(),
            range: finding.range,
        }
    }

    fn key(&self) -> FaultKey {
        (self.code, self.path.clone(), self.problem.clone())
    }

    /// A finding on a rule, independent of its index, which may change.
    fn of_rule(&self) -> Option<FaultKey> {
        let path = || self.path.replace(|char: char| char.is_ascii_digit(), "");
        (self.code.group() == "cel").then(|| (self.code, path(), self.problem.clone()))
    }
}

impl Proof {
    /// A proof that makes no more checks than `budget` permits, apart from a few; `caches` are those of the
    /// document's file.
    pub(crate) fn new(
        document: Document<'_>,
        DocumentInputs { settings: given, surroundings }: DocumentInputs<'_>,
        budget: &Budget,
        caches: &SharedCaches,
    ) -> Self {
        // A fix must not cause findings that the user disabled, either.
        let settings = Settings { rules: given.rules.optional(), syntax_errors: true, ..given.clone() };
        // Answers for other options would evict those of the file.
        let is_same = settings.options() == given.options();
        let caches = if is_same { Arc::clone(caches) } else { Arc::default() };
        // Restrictions of updates do not concern fixes.
        let surroundings = Surroundings { stored: None, base: None, ..surroundings.clone() };
        let (start, before) = (document.range().start, OnceCell::new());
        Self {
            settings,
            surroundings,
            tree: Tree::of(document),
            start,
            original: before,
            caches,
            trusts: false,
            budget: budget.clone(),
            latest: RefCell::default(),
            results: VecDeque::new(),
            checks: 0,
            searches: 0,
            makings: 0,
        }
    }

    /// Starts with a new budget, as for another request.
    pub(super) fn renew(&mut self, budget: &Budget) {
        (self.budget, self.checks, self.searches, self.makings) = (budget.clone(), 0, 0, 0);
    }

    /// A proof that accepts all edits, for fixes that are proven together later.
    pub(super) fn trusting(mut self) -> Self {
        self.trusts = true;
        self
    }

    /// Whether the budget permits a search for fixes that walks over the schema.
    pub(super) fn may_walk_schema(&mut self) -> bool {
        self.may_search(budget::look(self.len()))
    }

    /// Whether the budget permits a search for fixes that generates values of the schema.
    pub(super) fn may_generate_values(&mut self) -> bool {
        self.may_search(budget::trial(self.len()))
    }

    /// Whether the budget permits edits for a finding among `members` members of mappings and lists.
    pub(super) fn may_make_edits(&mut self, members: usize) -> bool {
        let may = self.budget.spend_on_making(budget::making(members), self.makings);
        self.makings += 1;
        may
    }

    fn may_search(&mut self, steps: usize) -> bool {
        let may = self.budget.spend(steps, self.searches);
        self.searches += 1;
        may
    }

    /// The number of bytes of the document.
    fn len(&self) -> usize {
        self.tree.len() as usize
    }

    /// The number of findings that `edits` remove, if they cause no new ones.
    pub(super) fn repaired(&mut self, edits: &[TextEdit]) -> Option<usize> {
        let after = self.check_after(edits).filter(|after| self.existed_before(after, edits))?;
        self.original().faults.len().checked_sub(after.faults.len())
    }

    pub(crate) fn causes_no_findings(&mut self, edits: &[TextEdit]) -> bool {
        self.check_after(edits).is_some_and(|after| self.existed_before(&after, edits))
    }

    /// Whether all of `after` existed before.
    fn existed_before(&self, after: &CheckedEdits, edits: &[TextEdit]) -> bool {
        let edits: Vec<TextEdit> = edits.iter().map(|edit| self.relative(edit)).collect();
        let shifts = Shifts::of(&edits);
        let before = self.original();
        after.faults.iter().all(|fault| before.had(fault, &shifts))
    }

    /// Whether `edits` cause no finding with a new code.
    pub(crate) fn causes_no_new_code(&mut self, edits: &[TextEdit]) -> bool {
        let Some(after) = self.check_after(edits) else { return false };
        let before = &self.original().counts;
        after.faults.iter().all(|fault| fault.code.is_lint() || before.contains_key(&fault.code))
    }

    /// The findings, by code and field path, that `edits` remove, if they cause no new YAML errors. Other
    /// findings may be new: this is for edits that move text to a place where it is validated for the first
    /// time.
    pub(super) fn removed(&mut self, edits: &[TextEdit]) -> HashSet<(Code, String)> {
        let Some(after) = self.check_after(edits) else { return HashSet::new() };
        let after: HashSet<(Code, String)> =
            after.faults.iter().map(|fault| (fault.code, fault.path.clone())).collect();
        let before: HashSet<(Code, String)> =
            self.original().faults.iter().map(|fault| (fault.code, fault.path.clone())).collect();
        match after.difference(&before).any(|(code, _)| code.group() == "yaml") {
            true => HashSet::new(),
            false => before.difference(&after).cloned().collect(),
        }
    }

    /// The number of findings above remarks that `edits` leave, without new ones in parts that were not
    /// checked before.
    pub(super) fn remaining(&mut self, edits: &[TextEdit]) -> Option<usize> {
        Some(self.check_after(edits)?.count)
    }

    /// The findings that `edits` remove, and those that they reveal in parts that were not checked before.
    /// Empty if the edits cause other new findings, because these may hide findings below them. A finding
    /// that another one replaces does not count as removed. Callers pass few edits, so each check is made
    /// without a budget.
    pub(super) fn effects_of_repair(&mut self, edits: &[TextEdit]) -> RepairEffects {
        let after = self.checked_after(edits);
        if !self.existed_before(&after, edits) {
            return RepairEffects::default();
        }
        let edits: Vec<TextEdit> = edits.iter().map(|edit| self.relative(edit)).collect();
        let shifts = Shifts::of(&edits);
        let (mut keys, mut ranges) = (HashSet::new(), HashSet::new());
        for fault in after.faults.iter().filter(|fault| !fault.is_remark) {
            keys.insert(fault.key());
            ranges.extend(shifts.range_before(fault.range));
        }
        let start = self.start;
        // YAML errors have no path.
        let is_known = |fault: &Fault| !fault.path.is_empty() && keys.contains(&fault.key());
        let faults = self.original().faults.iter();
        let removed = faults.filter(|fault| !ranges.contains(&fault.range) && !is_known(fault));
        let removed = removed.map(|fault| (fault.code, fault.range.shifted(start))).collect();
        RepairEffects { removed, hidden: self.hidden_before(&edits, &shifts, after.uncovers) }
    }

    /// The new findings after `edits` in parts of the text that were not checked before, and those that the edits
    /// uncover.
    fn hidden_before(&self, edits: &[TextEdit], shifts: &Shifts, uncovers: bool) -> HiddenFindings {
        let before = self.original();
        if before.unread.is_empty() && !uncovers {
            return HiddenFindings::default();
        }
        let tree = self.tree_after(edits);
        let after = self.findings(&tree);
        let uncovered =
            if uncovers { self.uncovered_by(&after, edits, shifts, &tree) } else { HashSet::new() };
        let is_hidden = |(index, finding): &(usize, &Finding)| {
            let is_known = before.places.contains(&(finding.code, shifts.replaced_range(finding.range)));
            !is_known
                && (uncovered.contains(index)
                    || !before.had(&Fault::of(finding), shifts) && self.was_unread(finding.range, shifts))
        };
        let place = |range: TextRange| shifts.replaced_range(range).shifted(self.start);
        let in_file = |finding: &Finding| {
            let mut finding = finding.clone();
            finding.range = place(finding.range);
            for related in finding.related.iter_mut().filter(|related| related.elsewhere.is_none()) {
                related.range = place(related.range);
            }
            (finding.api_server, finding.message.is_later) = (None, true);
            finding
        };
        let hidden = after.iter().enumerate().filter(is_hidden);
        let findings = hidden.map(|(index, finding)| (index, in_file(finding))).collect();
        HiddenFindings { after: Some((tree, after)), findings }
    }

    /// Whether the text at `range` in the edited text was not checked before the edits.
    fn was_unread(&self, range: TextRange, shifts: &Shifts) -> bool {
        let (before, place) = (self.original(), shifts.replaced_range(range));
        !place.is_empty() && before.unread.contains(&self.tree, place)
    }

    /// Whether `edits` remove all findings that `plan` should repair, and cause no new ones.
    pub(super) fn repairs(&mut self, plan: &Plan<'_>, edits: &[TextEdit]) -> bool {
        self.holds_together(&[plan], edits)
    }

    /// Whether `edits` remove all findings that `plans` should repair, and cause no new ones.
    pub(super) fn holds_together(&mut self, plans: &[&Plan<'_>], edits: &[TextEdit]) -> bool {
        if self.trusts {
            return true;
        }
        let paths: HashSet<&str> =
            plans.iter().flat_map(|plan| plan.paths.iter().map(String::as_str)).collect();
        let Some(after) = self.check_after(edits) else { return false };
        let is_left = |fault: &Fault| is_planned(fault.code) && paths.contains(fault.path.as_str());
        self.existed_before(&after, edits) && !after.faults.iter().any(is_left)
    }

    /// Whether `edits` reduce the findings of `code` and extend no other code to more fields. The field paths
    /// may change.
    pub(super) fn reduces(&mut self, code: Code, edits: &[TextEdit]) -> bool {
        self.reduces_each(&[code], edits)
    }

    /// Whether `edits` reduce the findings of each of `codes` and extend no other code to more fields.
    pub(super) fn reduces_each(&mut self, codes: &[Code], edits: &[TextEdit]) -> bool {
        self.reduced_codes(codes, edits).len() == codes.len()
    }

    /// The codes of `codes` whose findings `edits` reduce; empty if some code then occurs at more fields.
    pub(super) fn reduced_codes(&mut self, codes: &[Code], edits: &[TextEdit]) -> Vec<Code> {
        if self.trusts {
            return codes.to_vec();
        }
        let Some(after) = self.check_after(edits) else { return Vec::new() };
        let places = fields(&after.faults);
        let after = counts(after.faults.iter().map(|fault| fault.code));
        let of = |counts: &Counts, code: Code| counts.get(&code).copied().unwrap_or(0);
        let OriginalText { counts: before, fields, .. } = self.original();
        if places.iter().any(|(code, count)| !code.is_lint() && *count > of(fields, *code)) {
            return Vec::new();
        }
        // Of very many findings, only some are listed, and others take the place of removed ones.
        let truncated = before.contains_key(&document::TOO_MANY);
        let codes = codes.iter().copied();
        codes.filter(|code| of(&after, *code) < of(before, *code) || truncated).collect()
    }

    /// Whether `edits` cause a finding on a rule that had none: another way to repair is better then.
    pub(super) fn breaks_rules(&mut self, edits: &[TextEdit]) -> bool {
        if self.trusts {
            return false;
        }
        let Some(after) = self.check_after(edits) else { return true };
        let before = self.original();
        after.faults.iter().any(|fault| {
            let known = if fault.reads_change { &before.certain_keys } else { &before.rules };
            fault.of_rule().is_some_and(|rule| !known.contains(&rule))
        })
    }

    /// Whether `edits` remove all findings of `code` and cause no new ones.
    pub(super) fn removes_all(&mut self, code: Code, edits: &[TextEdit]) -> bool {
        if self.trusts {
            return true;
        }
        let Some(after) = self.check_after(edits) else { return false };
        self.existed_before(&after, edits) && !after.faults.iter().any(|fault| fault.code == code)
    }
}

impl OriginalText {
    /// Whether a finding existed before, at the same path or in the same text. A scalar whose type differs
    /// from its appearance is not new after a move.
    fn had(&self, fault: &Fault, shifts: &Shifts) -> bool {
        // A lint must not prevent the repair of an error that the server reports.
        fault.code.is_lint()
            || fault.is_remark
            || ScalarReading::CODES.contains(&fault.code)
            || self.has(fault, shifts)
    }

    /// Whether a finding existed before, at the same path or in the same text.
    fn has(&self, fault: &Fault, shifts: &Shifts) -> bool {
        let is_there = |range| self.places.contains(&(fault.code, range));
        self.fault_keys.contains(&fault.key()) || shifts.range_before(fault.range).is_some_and(is_there)
    }
}

/// Whether plans repair findings of `code`. Findings that become visible only after the repair may have the
/// same path.
fn is_planned(code: Code) -> bool {
    code.group() == Plan::GROUP
}

/// The number of fields of `faults` with findings, by code.
fn fields(faults: &[Fault]) -> Counts {
    let wrong = faults.iter().filter(|fault| !fault.is_remark);
    let fields: BTreeSet<_> = wrong.map(|fault| (fault.code, &fault.path)).collect();
    counts(fields.iter().map(|(code, _)| *code))
}

fn counts(codes: impl Iterator<Item = Code>) -> Counts {
    let mut counts = Counts::new();
    for code in codes {
        *counts.entry(code).or_default() += 1;
    }
    counts
}

/// The compile step and the problem of a finding on an expression that does not compile; empty for other
/// findings.
fn problem_of(finding: &Finding) -> Problem {
    if !hidden_findings::COMPILE.contains(&finding.code) {
        return Problem::default();
    }
    // The remedy and the time of the server's report do not identify the problem.
    (finding.message.step, finding.message.problem.clone())
}
