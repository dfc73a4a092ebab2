//! The total cost of expressions.

use cel::cost::SCHEMA_LIMIT;
use text::TextRange;

use crate::field_path::Segment;

/// The maximum number of expressions that the server names, the most expensive ones, and their minimum cost.
const MAX_NAMED: usize = 4;
const MIN_NAMED: u64 = SCHEMA_LIMIT / 100;

/// The total cost of expressions, with the most expensive of them.
#[derive(Default)]
pub(super) struct TotalCost {
    pub(super) total: u64,
    pub(super) contributors: Vec<Contributor>,
}

impl TotalCost {
    /// Adds an expression that costs `cost`; `contributor` is called only if the expression is expensive.
    pub(super) fn add(&mut self, cost: u64, contributor: impl FnOnce() -> Contributor) {
        self.total = self.total.saturating_add(cost);
        if cost >= MIN_NAMED {
            self.contributors.push(contributor());
            self.contributors.sort_by_key(|one| std::cmp::Reverse(one.cost));
            self.contributors.truncate(MAX_NAMED);
        }
    }
}

/// An expression that the finding names if the total is too high.
pub(super) struct Contributor {
    pub(super) what: &'static str,
    pub(super) cost: u64,
    pub(super) path: Vec<Segment>,
    pub(super) range: TextRange,
    pub(super) is_hidden: bool,
}
