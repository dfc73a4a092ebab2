//! Analyses of buffers: after edits, and with all safe fixes applied.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use api::Code;
use ide::{AnalysisBasis, Budget, File, Finding, Fix, StopSignal};
use text::{TextBuffer, TextEdit, TextRange, compose};

use crate::remarks::ShownFindings;

/// Above this number of edits, a new analysis is faster than applying them one by one.
pub const MAX_STEPS: usize = 32;

/// The maximum number of rounds of fixes: one fix can enable another, and fixes that undo each other must not loop forever.
pub const MAX_ROUNDS: usize = 100;

/// One edit and the text directly after it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The edit.
    pub edit: TextEdit,
    /// The text after it.
    pub after: TextBuffer,
}

/// The analysis after `steps`, which lead from the text of `file` to `latest`.
pub fn advance(file: &File, steps: &[Step], latest: &TextBuffer) -> File {
    if steps.len() > MAX_STEPS {
        return file.with_text(&latest.to_string());
    }
    // Without a deadline, `advanced` applies all steps.
    let (basis, _) = advanced(file.basis(), steps, &StopSignal::default());
    basis.complete(file.surroundings().clone())
}

/// Applies `steps` to `basis` until `stop` is due. Returns the new basis and the steps that remain. Only the
/// last text needs a complete analysis.
pub fn advanced<'s>(
    basis: AnalysisBasis,
    steps: &'s [Step],
    stop: &StopSignal,
) -> (AnalysisBasis, &'s [Step]) {
    let (mut basis, mut left) = (basis, steps);
    while let [step, rest @ ..] = left
        && !stop.is_due()
    {
        basis = basis.edited(&step.edit, &|range| step.after.slice(range).into_owned());
        left = rest;
    }
    (basis, left)
}

/// A text with all safe fixes applied.
#[derive(Debug)]
pub struct FixedText {
    /// Its analysis.
    pub file: File,
    /// The text.
    pub buffer: TextBuffer,
    /// The edits that produce it from the original text: sorted, without overlap.
    pub edits: Vec<TextEdit>,
    /// Whether safe fixes may remain, because the rounds or the budget for proofs ended first.
    pub is_cut: bool,
}

/// Applies rounds of safe fixes until none is left, or the budget is spent.
pub fn fix_all(file: &File, buffer: &TextBuffer) -> FixedText {
    in_rounds(file, buffer, File::fix_all_within)
}

/// Applies rounds of the safe fixes for the findings of one code until none is left, or the budget is spent.
pub fn fix_all_of(file: &File, buffer: &TextBuffer, code: Code) -> FixedText {
    in_rounds(file, buffer, |file, budget| file.fix_all_of(code, budget))
}

fn in_rounds(file: &File, buffer: &TextBuffer, round: impl Fn(&File, &Budget) -> Vec<TextEdit>) -> FixedText {
    let budget = Budget::of_rounds(buffer.len() as usize);
    let mut fixed =
        FixedText { file: file.clone(), buffer: buffer.clone(), edits: Vec::new(), is_cut: false };
    let mut seen: BTreeSet<u64> = BTreeSet::new();
    for _ in 0..MAX_ROUNDS {
        let edits = round(&fixed.file, &budget);
        let steps = steps_of(&fixed.buffer, &edits).unwrap_or_default();
        let Some(last) = steps.last() else {
            fixed.is_cut = budget.is_spent();
            return fixed;
        };
        let after = last.after.clone();
        fixed.file = advance(&fixed.file, &steps, &after);
        fixed.buffer = after;
        fixed.edits = compose(&fixed.edits, &edits, buffer.len());
        // A round makes a few steps even after the budget is spent. With thousands of fixes that exceed the
        // budget, every round would make some of them and analyse the text again.
        if budget.is_spent() {
            break;
        }
        // A text that occurs a second time would repeat forever.
        let mut hasher = DefaultHasher::new();
        fixed.buffer.to_string().hash(&mut hasher);
        if !seen.insert(hasher.finish()) {
            break;
        }
    }
    fixed.is_cut = true;
    fixed
}

/// The edits as single steps, the last in the text first, so that the others keep their ranges. `None` if
/// they overlap or do not fit the text.
fn steps_of(buffer: &TextBuffer, edits: &[TextEdit]) -> Option<Vec<Step>> {
    if !edits.is_sorted_by(|a, b| a.range.end <= b.range.start) {
        return None;
    }
    let mut after = buffer.clone();
    let step = |edit: &TextEdit| {
        after.apply(edit).ok()?;
        Some(Step { edit: edit.clone(), after: after.clone() })
    };
    edits.iter().rev().map(step).collect()
}

/// The fixes of a file, each once, and which of them repair which finding.
#[derive(Clone, Debug, Default)]
pub struct FileFixes {
    fixes: Vec<Fix>,
    /// The indexes in `all`, best first, by code and range of the finding.
    by_finding: BTreeMap<(Code, TextRange), Vec<usize>>,
    /// Whether unproven fixes were omitted.
    is_cut: bool,
}

impl FileFixes {
    /// The fixes for the findings of a file that `shown_findings` accepts. One search serves all findings of a
    /// document; a search for each finding would take quadratic time.
    pub fn of(file: &File, mut shown_findings: ShownFindings<'_>) -> Self {
        let budget = file.budget();
        let all = file.fixes_where(&mut |finding| shown_findings.admits(finding), &budget);
        Self { is_cut: budget.is_spent(), ..Self::new(all) }
    }

    /// Groups these fixes by the findings that they repair.
    #[must_use]
    pub fn new(all: Vec<Fix>) -> Self {
        let mut fixes = Self::default();
        for fix in all {
            for repaired in &fix.repairs {
                fixes.by_finding.entry(*repaired).or_default().push(fixes.fixes.len());
            }
            fixes.fixes.push(fix);
        }
        fixes
    }

    /// Whether unproven fixes were omitted.
    pub const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// All fixes, in the order of the indexes that [`Self::numbers`] returns.
    pub fn all(&self) -> &[Fix] {
        &self.fixes
    }

    /// The indexes of the fixes that repair a finding, best first.
    pub fn numbers(&self, finding: &Finding) -> &[usize] {
        self.by_finding.get(&(finding.code, finding.range)).map(Vec::as_slice).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use ide::Settings;

    use super::*;

    #[test]
    fn edits_of_one_round_are_applied_from_the_end() {
        let edits = [TextEdit::insert(0, "a: "), TextEdit::delete(TextRange::new(1, 2))];
        let steps = steps_of(&TextBuffer::new("xyz"), &edits).unwrap();
        let texts: Vec<String> = steps.iter().map(|step| step.after.to_string()).collect();
        assert_eq!(texts, ["xz", "a: xz"]);
    }

    #[test]
    fn rounds_that_undo_each_other_end() {
        let buffer = TextBuffer::new("a: 1\n");
        let file = File::new("a: 1\n", &Settings::default());
        let rounds = std::cell::Cell::new(0);
        let fixed = in_rounds(&file, &buffer, |_, _| {
            rounds.set(rounds.get() + 1);
            let key = if rounds.get() % 2 == 0 { "a" } else { "b" };
            vec![TextEdit::replace(TextRange::new(0, 1), key)]
        });
        assert!(fixed.is_cut && rounds.get() < 5, "{} rounds", rounds.get());
        let done = in_rounds(&file, &buffer, |_, _| Vec::new());
        assert!(!done.is_cut && done.edits.is_empty());
    }

    #[test]
    fn edits_that_overlap_are_refused() {
        let edits = [TextEdit::delete(TextRange::new(0, 2)), TextEdit::delete(TextRange::new(1, 3))];
        assert!(steps_of(&TextBuffer::new("xyz"), &edits).is_none());
    }
}
