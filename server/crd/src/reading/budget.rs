//! Bounds on the work for one document.

/// Schemas nested deeper are not read: the parser bounds what is written, aliases could go on.
const MAX_DEPTH: u32 = 1_000;
/// How many entries are looked at in one pass over a document that has aliases; few real ones have any.
const MAX_ALIASED_VISITS: u32 = 1_000_000;

/// What a pass over a document may still do.
#[derive(Debug)]
pub(crate) struct Budget {
    depth: u32,
    visits: u32,
    /// Without aliases the text itself bounds the work.
    bounded: bool,
}

impl Budget {
    pub(crate) fn new(has_aliases: bool) -> Self {
        Self { depth: 0, visits: 0, bounded: has_aliases }
    }

    /// Goes one level deeper, unless that is too deep or too much; then [`Self::leave`] is due.
    pub(crate) fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH || !self.spend(1) {
            return false;
        }
        self.depth += 1;
        true
    }

    /// Whether nothing more can be looked at.
    pub(crate) fn is_spent(&self) -> bool {
        self.bounded && self.visits > MAX_ALIASED_VISITS
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Accounts for looking at `entries` more entries; false once it is too much.
    pub(crate) fn spend(&mut self, entries: usize) -> bool {
        self.visits = self.visits.saturating_add(u32::try_from(entries).unwrap_or(u32::MAX));
        !self.bounded || self.visits <= MAX_ALIASED_VISITS
    }
}
