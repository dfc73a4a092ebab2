//! Limits for the work on one document.

/// The maximum nesting depth of schemas: the parser limits the depth of the text, but aliases can exceed it.
const MAX_DEPTH: u32 = 1_000;
/// The maximum number of entries that one pass visits in a document with aliases; few real documents have any.
const MAX_ALIASED_VISITS: u32 = 1_000_000;

/// The remaining budget of a pass over a document.
#[derive(Debug)]
pub(crate) struct Budget {
    depth: u32,
    visits: u32,
    /// Whether visits are limited: without aliases, the size of the text limits the work.
    bounded: bool,
}

impl Budget {
    pub(crate) fn new(has_aliases: bool) -> Self {
        Self { depth: 0, visits: 0, bounded: has_aliases }
    }

    /// Enters one level, unless a limit is exceeded. If this returns `true`, the caller must call [`Self::leave`].
    pub(crate) fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH || !self.spend(1) {
            return false;
        }
        self.depth += 1;
        true
    }

    /// Whether the budget is used up.
    pub(crate) fn is_spent(&self) -> bool {
        self.bounded && self.visits > MAX_ALIASED_VISITS
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Counts `entries` more visits; returns `false` if the budget is exceeded.
    pub(crate) fn spend(&mut self, entries: usize) -> bool {
        self.visits = self.visits.saturating_add(u32::try_from(entries).unwrap_or(u32::MAX));
        !self.bounded || self.visits <= MAX_ALIASED_VISITS
    }
}
