//! What expressions cost together.

use cel::cost::SCHEMA_LIMIT;
use text::TextRange;

use crate::field_path::Segment;

/// How many of the most expensive expressions the server names, and from which cost on.
const MAX_NAMED: usize = 4;
const MIN_NAMED: u64 = SCHEMA_LIMIT / 100;

/// What expressions cost together, with the most expensive of them.
#[derive(Default)]
pub(super) struct Sum {
    pub(super) total: u64,
    pub(super) contributors: Vec<Contributor>,
}

impl Sum {
    /// Adds an expression that costs `cost`; few are expensive enough to be made a contributor.
    pub(super) fn add(&mut self, cost: u64, contributor: impl FnOnce() -> Contributor) {
        self.total = self.total.saturating_add(cost);
        if cost >= MIN_NAMED {
            self.contributors.push(contributor());
            self.contributors.sort_by_key(|one| std::cmp::Reverse(one.cost));
            self.contributors.truncate(MAX_NAMED);
        }
    }
}

/// An expression that is named where the total is too high.
pub(super) struct Contributor {
    pub(super) what: &'static str,
    pub(super) cost: u64,
    pub(super) path: Vec<Segment>,
    pub(super) range: TextRange,
    pub(super) is_hidden: bool,
}
