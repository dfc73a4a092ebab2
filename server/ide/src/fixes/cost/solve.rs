//! The search for bounds that bring costs below their limits with the least loss.

use crd::cel::{EXPRESSION_LIMIT, SCHEMA_LIMIT};
use crd::rules::CostModel;

use super::natural::CandidateBound;

/// The share of a limit that is used at most, so that a rule can grow a little before it exceeds the limit
/// again.
const HEADROOM: f64 = 0.8;
/// The maximum number of cost estimates in a search; each takes some microseconds.
const MOST_PRICES: usize = 5_000;

/// Bounds for the sizes of a model, by their indexes; `None` leaves a size unchanged.
pub(super) type Bounds = Vec<Option<u64>>;

/// The limits that a search must respect.
#[derive(Clone, Debug)]
pub(super) struct CostLimits {
    /// The indexes of the expressions that must be below their own limit.
    pub(super) each: Vec<usize>,
    /// Whether all expressions together must be below the total limit.
    pub(super) together: bool,
}

/// A search for bounds.
pub(super) struct BoundSearch<'s> {
    model: &'s mut CostModel,
    /// For each size, the possible bounds, the greatest first.
    ladders: &'s [Vec<CandidateBound>],
    /// The current rung of each size.
    current: Vec<usize>,
    /// The costs of the expressions with these rungs.
    costs: Vec<u64>,
    /// The expressions that do not count in the total.
    ignored: Vec<usize>,
    prices: usize,
}

impl<'s> BoundSearch<'s> {
    pub(super) fn new(model: &'s mut CostModel, ladders: &'s [Vec<CandidateBound>]) -> Self {
        let at = vec![0; ladders.len()];
        let mut search =
            Self { model, ladders, current: at, costs: Vec::new(), ignored: Vec::new(), prices: 0 };
        search.price_all();
        search
    }

    /// Excludes expressions from the total.
    pub(super) fn without_expressions(mut self, numbers: &[usize]) -> Self {
        self.ignored = numbers.to_vec();
        self
    }

    /// The costs of the expressions with the bounds that were found.
    pub(super) fn costs(&self) -> &[u64] {
        &self.costs
    }

    pub(super) fn total(&self) -> u64 {
        let counted = self.costs.iter().enumerate().filter(|(number, _)| !self.ignored.contains(number));
        counted.fold(0, |sum, (_, cost)| sum.saturating_add(*cost))
    }

    pub(super) fn bounds(&self) -> Bounds {
        self.ladders
            .iter()
            .zip(&self.current)
            .map(|(ladder, at)| ladder.get(*at).and_then(|step| step.bound))
            .collect()
    }

    /// The expressions that exceed their limit even with the lowest bounds.
    pub(super) fn unsolvable(&mut self) -> Vec<usize> {
        let last = self.ladders.iter().map(|ladder| ladder.len().saturating_sub(1)).collect();
        let start = std::mem::replace(&mut self.current, last);
        self.price_all();
        let beyond = self.costs.iter().enumerate().filter(|(_, cost)| **cost > EXPRESSION_LIMIT);
        let hopeless = beyond.map(|(number, _)| number).collect();
        self.current = start;
        self.price_all();
        hopeless
    }

    /// Searches for bounds that reach the goal; `false` if there are none.
    pub(super) fn run(&mut self, goal: &CostLimits) -> bool {
        let fits = self.lower(goal, None);
        if fits {
            self.raise(goal);
            self.exchange(goal);
        }
        fits
    }

    /// Sets lower bounds, those with the best ratio of gain to loss first, but none of the size `kept`.
    fn lower(&mut self, goal: &CostLimits, kept: Option<usize>) -> bool {
        while self.excess(goal) > 0.0 {
            let stepped = if self.prices < MOST_PRICES { self.best_step(goal, kept) } else { None };
            match stepped {
                Some(sizes) => sizes.into_iter().for_each(|size| self.step(size, 1)),
                // If no single bound helps, all are lowered together.
                None if !self.step_all(goal, kept) => return false,
                None => {}
            }
        }
        true
    }

    /// Raises one bound and lowers others for it, as long as that reduces the loss.
    fn exchange(&mut self, goal: &CostLimits) {
        let mut is_better = true;
        while is_better && self.prices < MOST_PRICES {
            is_better = false;
            for size in self.by_loss() {
                let (costs, at, loss) = (self.costs.clone(), self.current.clone(), self.loss());
                if at.get(size) == Some(&0) || self.prices >= MOST_PRICES {
                    continue;
                }
                self.step(size, -1);
                if self.lower(goal, Some(size)) {
                    self.raise(goal);
                    if self.loss() < loss - 1e-9 {
                        is_better = true;
                        continue;
                    }
                }
                (self.costs, self.current) = (costs, at);
            }
        }
    }

    /// The excess of the costs over their limits, in natural logarithms.
    fn excess(&self, goal: &CostLimits) -> f64 {
        let over = |cost: u64, limit: u64| (cost as f64 / (limit as f64 * HEADROOM)).max(1.0).ln();
        let each = goal.each.iter().filter_map(|number| self.costs.get(*number));
        let each: f64 = each.map(|cost| over(*cost, EXPRESSION_LIMIT)).sum();
        each + if goal.together { over(self.total(), SCHEMA_LIMIT) } else { 0.0 }
    }

    /// The sizes whose next bounds have the best ratio of gain to loss: one size, or all sizes without a
    /// bound together. For example, nested lists multiply the cost, and a bound helps only if all of them
    /// have one.
    fn best_step(&mut self, goal: &CostLimits, kept: Option<usize>) -> Option<Vec<usize>> {
        let before = self.excess(goal);
        let mut moves: Vec<Vec<usize>> = (0..self.ladders.len()).map(|size| vec![size]).collect();
        for expression in &self.model.expressions {
            let is_open = |size: &usize| self.current.get(*size) == Some(&0);
            let open: Vec<usize> = expression.depends_on.iter().copied().filter(is_open).collect();
            if open.len() > 1 && !moves.contains(&open) {
                moves.push(open);
            }
        }
        let mut best: Option<(Vec<usize>, f64)> = None;
        for sizes in moves {
            let losses: Option<Vec<f64>> = sizes.iter().map(|size| self.next_loss(*size)).collect();
            let Some(losses) = losses.filter(|_| kept.is_none_or(|kept| !sizes.contains(&kept))) else {
                continue;
            };
            let (costs, at) = (self.costs.clone(), self.current.clone());
            sizes.iter().for_each(|size| self.step(*size, 1));
            let gain = (before - self.excess(goal)) / losses.iter().sum::<f64>();
            (self.costs, self.current) = (costs, at);
            if gain > 1e-9 && best.as_ref().is_none_or(|(_, most)| gain > *most) {
                best = Some((sizes, gain));
            }
        }
        best.map(|(sizes, _)| sizes)
    }

    fn next_loss(&self, size: usize) -> Option<f64> {
        let (ladder, at) = (self.ladders.get(size)?, *self.current.get(size)?);
        Some((ladder.get(at + 1)?.loss - ladder.get(at)?.loss).max(1e-3))
    }

    /// Sets the next bound of all sizes that affect an expression above its limit; `false` if none has a next
    /// bound.
    fn step_all(&mut self, goal: &CostLimits, kept: Option<usize>) -> bool {
        let limit = |cost: u64, limit: u64| cost as f64 > limit as f64 * HEADROOM;
        let all = goal.together && limit(self.total(), SCHEMA_LIMIT);
        let mut sizes: Vec<usize> = Vec::new();
        for (number, expression) in self.model.expressions.iter().enumerate() {
            let cost = self.costs.get(number).copied().unwrap_or(0);
            let is_over = goal.each.contains(&number) && limit(cost, EXPRESSION_LIMIT);
            if is_over || all {
                sizes.extend(&expression.depends_on);
            }
        }
        sizes.sort_unstable();
        sizes.dedup();
        sizes.retain(|size| kept != Some(*size) && self.next_loss(*size).is_some());
        sizes.iter().for_each(|size| self.step(*size, 1));
        !sizes.is_empty()
    }

    /// Raises bounds that are lower than necessary, those with the greatest loss first.
    fn raise(&mut self, goal: &CostLimits) {
        for size in self.by_loss() {
            let at = self.current.get(size).copied().unwrap_or(0);
            for higher in 0..at {
                let before = self.current.get(size).copied().unwrap_or(0);
                self.step(size, higher as isize - before as isize);
                if self.excess(goal) <= 0.0 {
                    break;
                }
            }
            if self.excess(goal) > 0.0 {
                let now = self.current.get(size).copied().unwrap_or(0);
                self.step(size, at as isize - now as isize);
            }
        }
    }

    /// The loss from the bound of a size.
    fn loss_of(&self, size: usize) -> f64 {
        let step = self.ladders.get(size).zip(self.current.get(size));
        step.and_then(|(ladder, at)| ladder.get(*at)).map_or(0.0, |step| step.loss)
    }

    fn loss(&self) -> f64 {
        (0..self.current.len()).map(|size| self.loss_of(size)).sum()
    }

    /// The sizes, those with the greatest loss first.
    fn by_loss(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = (0..self.current.len()).collect();
        sizes.sort_by(|one, other| self.loss_of(*other).total_cmp(&self.loss_of(*one)));
        sizes
    }

    /// Moves a size by `by` rungs.
    fn step(&mut self, size: usize, by: isize) {
        if let Some(at) = self.current.get_mut(size) {
            *at = at.saturating_add_signed(by);
        }
        let bounds = self.bounds();
        for number in 0..self.model.expressions.len() {
            let depends = self.model.expressions.get(number).is_some_and(|it| it.depends_on.contains(&size));
            if depends {
                self.price(number, &bounds);
            }
        }
    }

    fn price_all(&mut self) {
        self.costs = vec![0; self.model.expressions.len()];
        let bounds = self.bounds();
        (0..self.model.expressions.len()).for_each(|number| self.price(number, &bounds));
    }

    fn price(&mut self, number: usize, bounds: &Bounds) {
        self.prices += 1;
        let cost = self.model.cost(number, bounds);
        if let Some(slot) = self.costs.get_mut(number) {
            *slot = cost;
        }
    }
}
