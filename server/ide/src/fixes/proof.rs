//! Whether edits repair what they are to repair, and make nothing wrong that was right.
//!
//! A finding that only the edited text has counts against the edits if they cause it. What was wrong all along and could
//! not be judged before, such as a rule that nobody compiles while it has a syntax error, is no harm: [`hidden`]
//! tells one from the other.

mod budget;
mod hidden;
mod verdicts;

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, PoisonError};

use api::Code;
use crd::CompileStep;
use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Tree};

pub use self::budget::Budget;
use self::hidden::{Edited, Shifts};
pub(crate) use self::verdicts::{Effect, Kept};
use super::plan::Plan;
use crate::analysis::caches::SharedCaches;
use crate::analysis::document;
use crate::analysis::readings::Reading;
use crate::analysis::resources::RIVALS;
use crate::{Finding, Settings, Severity, Surroundings};

/// Above this many edits the whole text is read anew.
const MOST_STEPS: usize = 32;

/// A document before any edit, against which its text after edits is held.
pub(crate) struct Proof {
    settings: Settings,
    surroundings: Surroundings,
    tree: Tree,
    start: TextSize,
    /// Looked at when it is first asked for: mostly there is nothing to prove.
    before: OnceCell<Before>,
    /// What is known of the parts that no edit touched.
    caches: SharedCaches,
    /// Whether all edits are taken for good.
    trusts: bool,
    budget: Budget,
    /// How many checks were made.
    checks: usize,
    /// For how many findings fixes were looked for by more than their places.
    searches: usize,
    /// For how many findings edits were made.
    makings: usize,
}

struct Before {
    text: String,
    faults: Vec<Fault>,
    known: HashSet<FaultKey>,
    places: HashSet<(Code, TextRange)>,
    /// How many findings there are of each code.
    counts: Counts,
    /// At how many fields something is wrong, by code.
    fields: Counts,
    /// What is wrong with the text of an expression, by code and path.
    compiled: HashMap<(Code, String), Vec<FaultKey>>,
    /// What is wrong with rules, and what of that the server reports.
    rules: HashSet<FaultKey>,
    certain: HashSet<FaultKey>,
}

/// A finding, as far as proofs ask for it.
struct Fault {
    code: Code,
    path: String,
    /// In bytes from the start of the text that it is in.
    range: TextRange,
    words: Words,
    /// Whether the server does not come to say it.
    is_hidden: bool,
    /// Whether nothing is wrong: an information or a hint.
    is_remark: bool,
    /// Whether it is about an expression that reads what edits change.
    reads_change: bool,
    /// How many bytes the server's answer has, which each check writes anew.
    answer: usize,
}

/// At which step an expression does not compile, and why; nothing of all else.
type Words = (Option<CompileStep>, String);
/// The code, the field path and the words of a finding.
type FaultKey = (Code, String, Words);
type Counts = HashMap<Code, usize>;

impl Fault {
    fn of(finding: &Finding) -> Self {
        Self {
            words: words(finding),
            is_hidden: finding.api_server.is_none(),
            answer: finding.api_server.as_ref().map_or(0, |answer| answer.detail.len()),
            is_remark: finding.severity > Severity::Warning,
            reads_change: false,
            code: finding.code,
            path: finding.field_path.to_string(),
            range: finding.range,
        }
    }

    fn known(&self) -> FaultKey {
        (self.code, self.path.clone(), self.words.clone())
    }

    /// What is wrong with a rule, whatever its number, which may change.
    fn of_rule(&self) -> Option<FaultKey> {
        let path = || self.path.replace(|char: char| char.is_ascii_digit(), "");
        (self.code.group() == "cel").then(|| (self.code, path(), self.words.clone()))
    }
}

impl Proof {
    /// One that makes no more checks than `budget` has left, but for a few; `caches` are those of the document's file.
    pub(crate) fn new(
        document: Document<'_>,
        (given, surroundings): (&Settings, &Surroundings),
        budget: &Budget,
        caches: &SharedCaches,
    ) -> Self {
        // What the user does not want to hear of must not come in by a fix either.
        let settings = Settings { rules: given.rules.optional(), syntax_errors: true, ..given.clone() };
        // Answers for other options would drive out those of the file.
        let is_same = settings.options() == given.options();
        let caches = if is_same { Arc::clone(caches) } else { Arc::default() };
        // What an update must keep is no matter of fixes.
        let surroundings = Surroundings { stored: None, base: None, ..surroundings.clone() };
        let (start, before) = (document.range().start, OnceCell::new());
        Self {
            settings,
            surroundings,
            tree: Tree::of(document),
            start,
            before,
            caches,
            trusts: false,
            budget: budget.clone(),
            checks: 0,
            searches: 0,
            makings: 0,
        }
    }

    /// One that takes all edits for good, for what is proven together later.
    pub(super) fn trusting(mut self) -> Self {
        self.trusts = true;
        self
    }

    /// Whether fixes are looked for where it takes a walk over the schema to find one.
    pub(super) fn may_look(&mut self) -> bool {
        self.may_search(budget::look(self.len()))
    }

    /// Whether fixes are looked for where it takes generated values of the schema to find one.
    pub(super) fn may_try(&mut self) -> bool {
        self.may_search(budget::trial(self.len()))
    }

    /// Whether edits are made for a finding among so many members of mappings and lists.
    pub(super) fn may_make(&mut self, members: usize) -> bool {
        let may = self.budget.spend_on_making(budget::making(members), self.makings);
        self.makings += 1;
        may
    }

    fn may_search(&mut self, steps: usize) -> bool {
        let may = self.budget.spend(steps, self.searches);
        self.searches += 1;
        may
    }

    /// How many bytes the document has.
    fn len(&self) -> usize {
        self.tree.len() as usize
    }

    /// What is wrong with the text of a tree.
    fn faults(&self, tree: &Tree) -> Vec<Fault> {
        // A panic elsewhere leaves them whole: they only ever gain finished results.
        let mut caches = self.caches.lock().unwrap_or_else(PoisonError::into_inner);
        let findings = tree.documents().flat_map(|document| {
            document::findings(document, &self.settings, &self.surroundings, &mut caches)
        });
        // That a copy of the definition is no longer the same is no reason, either.
        findings.filter(|finding| finding.code != RIVALS).map(|finding| Fault::of(&finding)).collect()
    }

    fn before(&self) -> &Before {
        self.before.get_or_init(|| {
            let faults = self.faults(&self.tree);
            let known = faults.iter().map(Fault::known).collect();
            let places = faults.iter().map(|fault| (fault.code, fault.range)).collect();
            let counts = counts(faults.iter().map(|fault| fault.code));
            let mut compiled: HashMap<(Code, String), Vec<FaultKey>> = HashMap::new();
            for fault in faults.iter().filter(|fault| hidden::COMPILE.contains(&fault.code)) {
                compiled.entry((fault.code, fault.path.clone())).or_default().push(fault.known());
            }
            let rules = faults.iter().filter_map(Fault::of_rule).collect();
            // What is not judged yet was only thought to be wrong, by the same guess that edits make.
            let certain = faults.iter().filter(|fault| !fault.is_hidden).filter_map(Fault::of_rule).collect();
            let fields = fields(&faults);
            Before { text: self.tree.text(), known, places, counts, fields, compiled, rules, certain, faults }
        })
    }

    /// The findings after `edits`, but for those that were hidden before; none where no more checks are made.
    fn after(&mut self, edits: &[TextEdit]) -> Option<Vec<Fault>> {
        Some(self.counted_after(edits)?.1)
    }

    /// The same behind the number of all findings that are more than remarks.
    fn counted_after(&mut self, edits: &[TextEdit]) -> Option<(usize, Vec<Fault>)> {
        let is_read_anew = edits.len() > MOST_STEPS;
        let before = self.before();
        let (count, answers) = (before.faults.len(), before.faults.iter().map(|fault| fault.answer).sum());
        let steps = budget::check(self.len(), (count, answers), is_read_anew);
        if !self.budget.spend(steps, self.checks) {
            return None;
        }
        self.checks += 1;
        Some(self.checked_after(edits))
    }

    /// The same, whatever it costs.
    fn checked_after(&self, edits: &[TextEdit]) -> (usize, Vec<Fault>) {
        let edits: Vec<TextEdit> = edits.iter().map(|edit| self.relative(edit)).collect();
        let shifts = Shifts::of(&edits);
        let tree = self.tree_after(&edits);
        let mut after = self.faults(&tree);
        let count = after.iter().filter(|fault| !fault.is_remark).count();
        let before = self.before();
        let edited = Edited::new(&before.text, &edits, &tree);
        let compiled = after.iter().filter(|fault| hidden::COMPILE.contains(&fault.code));
        let left: HashSet<FaultKey> = compiled.map(Fault::known).collect();
        after.retain(|fault| {
            !Edited::was_untyped(fault, before, &left)
                && (before.has(fault, &shifts) || !edited.was_hidden(fault, before))
        });
        for fault in after.iter_mut().filter(|fault| hidden::COMPILE.contains(&fault.code)) {
            let is_certain = fault.of_rule().is_some_and(|rule| before.certain.contains(&rule));
            fault.reads_change = !is_certain && edited.changes_what_is_read(fault);
        }
        (count, after)
    }

    fn relative(&self, edit: &TextEdit) -> TextEdit {
        let range = TextRange::new(edit.range.start - self.start, edit.range.end - self.start);
        TextEdit::replace(range, edit.new_text.clone())
    }

    fn tree_after(&self, edits: &[TextEdit]) -> Tree {
        let text = &self.before().text;
        if edits.len() > MOST_STEPS {
            return Tree::parse(&text::applied(text, 0, edits)).sharing(&self.tree);
        }
        let (mut tree, mut text) = (self.tree.clone(), text.clone());
        for edit in edits.iter().rev() {
            text.replace_range(edit.range.as_usize(), &edit.new_text);
            tree = tree.edited(edit, &|range| text.get(range.as_usize()).unwrap_or_default().to_owned());
        }
        tree
    }

    /// How many findings `edits` rid the text of, where they bring none.
    pub(super) fn repaired(&mut self, edits: &[TextEdit]) -> Option<usize> {
        let after = self.after(edits).filter(|after| self.are_known(after, edits))?;
        self.before().faults.len().checked_sub(after.len())
    }

    pub(crate) fn brings_nothing_new(&mut self, edits: &[TextEdit]) -> bool {
        self.after(edits).is_some_and(|after| self.are_known(&after, edits))
    }

    /// Whether all of `after` were there before.
    fn are_known(&mut self, after: &[Fault], edits: &[TextEdit]) -> bool {
        let edits: Vec<TextEdit> = edits.iter().map(|edit| self.relative(edit)).collect();
        let shifts = Shifts::of(&edits);
        let before = self.before();
        after.iter().all(|fault| before.has(fault, &shifts))
    }

    /// Whether `edits` bring no finding of a code that there was none of.
    pub(crate) fn brings_no_new_kind(&mut self, edits: &[TextEdit]) -> bool {
        let Some(after) = self.after(edits) else { return false };
        let before = &self.before().counts;
        after.iter().all(|fault| fault.code.is_lint() || before.contains_key(&fault.code))
    }

    /// The findings, by code and field path, that `edits` rid the text of, where they leave no more broken YAML. Others may
    /// come: for edits that bring to its place what nothing judged where it stood.
    pub(super) fn gone(&mut self, edits: &[TextEdit]) -> HashSet<(Code, String)> {
        let Some(after) = self.after(edits) else { return HashSet::new() };
        let after: HashSet<(Code, String)> =
            after.into_iter().map(|fault| (fault.code, fault.path)).collect();
        let before: HashSet<(Code, String)> =
            self.before().faults.iter().map(|fault| (fault.code, fault.path.clone())).collect();
        match after.difference(&before).any(|(code, _)| code.group() == "yaml") {
            true => HashSet::new(),
            false => before.difference(&after).cloned().collect(),
        }
    }

    /// How many findings `edits` leave that are more than remarks.
    pub(super) fn left(&mut self, edits: &[TextEdit]) -> Option<usize> {
        Some(self.counted_after(edits)?.0)
    }

    /// The findings, by code and place in the file, that `edits` rid the text of; none where they bring others, because that may be
    /// why nothing is said of what is below. What another one takes the place of is a mistake that stays. It is asked for few edits, so
    /// that each is checked.
    pub(super) fn vanished(&mut self, edits: &[TextEdit]) -> HashSet<(Code, TextRange)> {
        let (_, after) = self.checked_after(edits);
        if !self.are_known(&after, edits) {
            return HashSet::new();
        }
        let edits: Vec<TextEdit> = edits.iter().map(|edit| self.relative(edit)).collect();
        let shifts = Shifts::of(&edits);
        let (mut keys, mut ranges) = (HashSet::new(), HashSet::new());
        for fault in after.iter().filter(|fault| !fault.is_remark) {
            keys.insert(fault.known());
            ranges.extend(shifts.earlier(fault.range));
        }
        let start = self.start;
        // Broken YAML has no path.
        let is_known = |fault: &Fault| !fault.path.is_empty() && keys.contains(&fault.known());
        let faults = self.before().faults.iter();
        let gone = faults.filter(|fault| !ranges.contains(&fault.range) && !is_known(fault));
        gone.map(|fault| (fault.code, fault.range.shifted(start))).collect()
    }

    /// Whether `edits` rid the text of all that `plan` is to repair, and bring nothing new.
    pub(super) fn repairs(&mut self, plan: &Plan<'_>, edits: &[TextEdit]) -> bool {
        self.holds_together(&[plan], edits)
    }

    /// Whether `edits` rid the text of all that `plans` are to repair, and bring nothing new.
    pub(super) fn holds_together(&mut self, plans: &[&Plan<'_>], edits: &[TextEdit]) -> bool {
        if self.trusts {
            return true;
        }
        let paths: HashSet<&str> =
            plans.iter().flat_map(|plan| plan.paths.iter().map(String::as_str)).collect();
        let Some(after) = self.after(edits) else { return false };
        let is_left = |fault: &Fault| is_planned(fault.code) && paths.contains(fault.path.as_str());
        self.are_known(&after, edits) && !after.iter().any(is_left)
    }

    /// Whether `edits` leave fewer findings of `code`, and those of no other at more fields. The field paths may change.
    pub(super) fn lessens(&mut self, code: Code, edits: &[TextEdit]) -> bool {
        self.lessens_each(&[code], edits)
    }

    /// Whether `edits` leave fewer findings of each of `codes`, and those of no other at more fields.
    pub(super) fn lessens_each(&mut self, codes: &[Code], edits: &[TextEdit]) -> bool {
        self.lessened(codes, edits).len() == codes.len()
    }

    /// Those of `codes` of which `edits` leave fewer findings; none where those of another one come to stand at more fields.
    pub(super) fn lessened(&mut self, codes: &[Code], edits: &[TextEdit]) -> Vec<Code> {
        if self.trusts {
            return codes.to_vec();
        }
        let Some(after) = self.after(edits) else { return Vec::new() };
        let places = fields(&after);
        let after = counts(after.iter().map(|fault| fault.code));
        let of = |counts: &Counts, code: Code| counts.get(&code).copied().unwrap_or(0);
        let Before { counts: before, fields, .. } = self.before();
        if places.iter().any(|(code, count)| !code.is_lint() && *count > of(fields, *code)) {
            return Vec::new();
        }
        // Of very many only some are listed, and others follow.
        let truncated = before.contains_key(&document::TOO_MANY);
        let codes = codes.iter().copied();
        codes.filter(|code| of(&after, *code) < of(before, *code) || truncated).collect()
    }

    /// Whether `edits` leave a rule wrong that was not: what they repair, another way would repair better.
    pub(super) fn spoils_rules(&mut self, edits: &[TextEdit]) -> bool {
        if self.trusts {
            return false;
        }
        let Some(after) = self.after(edits) else { return true };
        let before = self.before();
        after.iter().any(|fault| {
            let known = if fault.reads_change { &before.certain } else { &before.rules };
            fault.of_rule().is_some_and(|rule| !known.contains(&rule))
        })
    }

    /// Whether `edits` rid the text of all findings of `code`, and bring nothing new.
    pub(super) fn rids_of(&mut self, code: Code, edits: &[TextEdit]) -> bool {
        if self.trusts {
            return true;
        }
        let Some(after) = self.after(edits) else { return false };
        self.are_known(&after, edits) && !after.iter().any(|fault| fault.code == code)
    }
}

impl Before {
    /// Whether a finding was there, at the same path or in the same text. A scalar that reads otherwise than it looks is no
    /// news where it is moved.
    fn has(&self, fault: &Fault, shifts: &Shifts) -> bool {
        // What the server accepts is no reason to leave unrepaired what it refuses.
        fault.code.is_lint()
            || fault.is_remark
            || Reading::CODES.contains(&fault.code)
            || self.known.contains(&fault.known())
            || shifts.earlier(fault.range).is_some_and(|range| self.places.contains(&(fault.code, range)))
    }
}

/// Whether plans are to repair findings of `code`. What was only seen to be wrong once they were made stands at the same
/// place at times.
fn is_planned(code: Code) -> bool {
    code.group() == Plan::GROUP
}

/// At how many fields of `faults` something is wrong, by code.
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

/// All findings in `tree`.
fn words(finding: &Finding) -> Words {
    if !hidden::COMPILE.contains(&finding.code) {
        return Words::default();
    }
    // What to do, and that the server does not come to it, are no part of what is wrong.
    (finding.message.step, finding.message.problem.clone())
}
