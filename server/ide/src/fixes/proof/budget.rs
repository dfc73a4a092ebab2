//! The limit of proofs for one request about a text.

use std::cell::Cell;
use std::rc::Rc;

/// The steps for any text.
const STEPS: usize = 40_000;
/// The steps of a request that follows each keystroke.
const STEPS_OF_KEYSTROKE: usize = 4_000;
/// The steps of a search for lines in a wrong column, which follows a keystroke in a text with several findings.
const STEPS_OF_MOVES: usize = 12_000;
/// The number of bytes of a text for one more step.
const BYTES_OF_STEP: usize = 4;
/// The number of bytes that are examined in one step, of an edited document and of one that is parsed again.
const BYTES_LOOKED_AT: usize = 64;
const BYTES_PARSED_AGAIN: usize = 8;
/// The number of checks that are always made: even a check that exceeds the budget is worth an attempt.
const FEW: usize = 8;

/// The steps that all proofs of one request share, so that their cost is linear in the size of the text.
/// Fixes without a proof are not offered. Clones share the steps.
#[derive(Clone)]
pub struct Budget {
    remaining: Rc<Cell<usize>>,
    /// Separate steps for making edits: an edit in a list of thousands of items walks over the list, and each
    /// item may need an edit.
    left_to_make: Rc<Cell<usize>>,
    is_spent: Rc<Cell<bool>>,
    is_idle: Rc<dyn Fn() -> bool>,
}

impl std::fmt::Debug for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Budget").field("left", &self.remaining.get()).finish_non_exhaustive()
    }
}

impl Budget {
    /// The budget for a text of `bytes` bytes.
    #[must_use]
    pub fn of(bytes: usize) -> Self {
        let left = STEPS + bytes / BYTES_OF_STEP;
        let steps = || Rc::new(Cell::new(left));
        Self {
            remaining: steps(),
            left_to_make: steps(),
            is_spent: Rc::default(),
            is_idle: Rc::new(|| false),
        }
    }

    /// The budget for requests after each keystroke: a few checks of a text of any size.
    pub(in crate::fixes) fn of_keystroke() -> Self {
        Self::of_steps(STEPS_OF_KEYSTROKE)
    }

    /// The budget for the moves of lines that are tried after a keystroke.
    pub(in crate::fixes) fn of_moves() -> Self {
        Self::of_steps(STEPS_OF_MOVES)
    }

    fn of_steps(steps: usize) -> Self {
        Self { remaining: Rc::new(Cell::new(steps)), ..Self::of(0) }
    }

    /// A budget that ends as soon as `is_idle` reports that the answer is not needed.
    #[must_use]
    pub fn until(self, is_idle: impl Fn() -> bool + 'static) -> Self {
        Self { is_idle: Rc::new(is_idle), ..self }
    }

    /// A budget for several rounds of fixes, each on the result of the previous one.
    #[must_use]
    pub fn of_rounds(bytes: usize) -> Self {
        const ROUNDS: usize = 4;
        let budget = Self::of(bytes);
        for left in [&budget.remaining, &budget.left_to_make] {
            left.set(left.get().saturating_mul(ROUNDS));
        }
        budget
    }

    /// Whether something was not tried because the steps were spent.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.is_spent.get()
    }

    /// Takes `steps` for a check after `made` earlier checks. Returns whether the check may be made.
    pub(super) fn spend(&self, steps: usize, made: usize) -> bool {
        self.take(&self.remaining, steps, made)
    }

    /// Takes `steps` for making edits. Returns whether they may be made.
    pub(super) fn spend_on_making(&self, steps: usize, made: usize) -> bool {
        self.take(&self.left_to_make, steps, made)
    }

    fn take(&self, from: &Cell<usize>, steps: usize, made: usize) -> bool {
        let left = from.get();
        from.set(left.saturating_sub(steps));
        let may = (steps <= left || made < FEW) && !(self.is_idle)();
        if !may {
            self.is_spent.set(true);
        }
        may
    }
}

/// The steps of one check, for a document of `bytes` bytes with `findings` findings, whose answers have
/// `answers` bytes in total. A document that is parsed again has no cached results.
pub(super) fn check(bytes: usize, (findings, answers): (usize, usize), is_parsed_again: bool) -> usize {
    1 + findings
        + answers / BYTES_LOOKED_AT
        + bytes / if is_parsed_again { BYTES_PARSED_AGAIN } else { BYTES_LOOKED_AT }
}

/// The steps of a walk over the schemas of a document of `bytes` bytes.
pub(super) fn look(bytes: usize) -> usize {
    1 + bytes / BYTES_LOOKED_AT
}

/// The steps of making the edits of one fix among `members` members of mappings and lists.
pub(super) fn making(members: usize) -> usize {
    const MEMBERS_OF_STEP: usize = 16;
    1 + members / MEMBERS_OF_STEP
}

/// The steps of evaluating a rule on values generated from its schema, whose number is limited.
pub(super) fn trial(bytes: usize) -> usize {
    const MOST: usize = 20_000;
    (1 + bytes / 2).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_the_text_has_no_more_than_twice_the_checks() {
        let checks = |bytes: usize, findings: usize| {
            let budget = Budget::of(bytes);
            let made =
                (0..).take_while(|made| budget.spend(check(bytes, (findings, 0), false), *made)).count();
            (made, made * check(bytes, (findings, 0), false))
        };
        let (mut least, mut before) = (usize::MAX, 0);
        for size in (10..25).map(|power| 1_usize << power) {
            let (made, steps) = checks(size, size / 25);
            assert!(made >= FEW && made <= least, "{size}: {made}");
            assert!(before == 0 || steps <= 2 * before + FEW * size, "{size}: {steps}, {before}");
            (least, before) = (made, steps);
        }
    }

    /// The answer on each unsupported value contains the list of supported values.
    #[test]
    fn long_answers_cost_steps() {
        let (bytes, findings, answers) = (100_000, 1_000, 20_000_000);
        let budget = Budget::of(bytes);
        assert!(budget.spend(check(bytes, (findings, 0), false), FEW));
        assert!(!budget.spend(check(bytes, (findings, answers), false), FEW));
    }

    #[test]
    fn clones_share_the_budget_and_know_when_it_is_spent() {
        let budget = Budget::of(0);
        let other = budget.clone();
        assert!(budget.spend(STEPS, FEW) && !other.is_spent());
        assert!(other.spend(1, 0), "one of a few");
        assert!(!budget.spend(1, FEW) && other.is_spent());
    }

    #[test]
    fn edits_among_few_members_are_made_for_each_of_many_findings() {
        let budget = Budget::of(1_000_000);
        assert!((0..10_000).all(|made| budget.spend_on_making(making(100), made)));
        assert!(budget.spend(STEPS, FEW), "steps of their own");
    }

    #[test]
    fn edits_in_a_list_of_thousands_are_not_made_for_each_of_its_members() {
        let made = |members: usize| {
            let budget = Budget::of(members * 10);
            (0..members).take_while(|made| budget.spend_on_making(making(members), *made)).count()
        };
        let walked = |members: usize| made(members) * members;
        assert!(made(1_000) > 500);
        assert!(walked(16_000) <= 2 * walked(8_000) && walked(32_000) <= 2 * walked(16_000));
    }

    #[test]
    fn proofs_end_when_the_answer_is_not_needed() {
        let budget = Budget::of(0).until(|| true);
        assert!(!budget.spend(1, 0));
    }
}
