//! Answers by the hash of their inputs.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::{Sweeps, Table, downcast};

/// Answers by a hash of the question, which includes everything that the answer depends on. Answers that were
/// not requested between two sweeps are dropped.
pub struct ByInput<V> {
    entries: FxHashMap<u64, (V, u32)>,
    sweeps: Sweeps,
    /// The number of sweeps.
    round: u32,
}

impl<V> ByInput<V> {
    /// A table that drops nothing while it has fewer than `floor` entries.
    #[must_use]
    pub fn with_floor(floor: usize) -> Self {
        Self { entries: FxHashMap::default(), sweeps: Sweeps::new(floor), round: 0 }
    }

    /// The answer to `question`.
    pub fn get(&mut self, question: u64) -> Option<&V> {
        self.get_mut(question).map(|answer| &*answer)
    }

    /// The answer to `question`, to be updated.
    pub fn get_mut(&mut self, question: u64) -> Option<&mut V> {
        let (answer, used) = self.entries.get_mut(&question)?;
        *used = self.round;
        Some(answer)
    }

    /// Stores the answer to `question`, and replaces an earlier one.
    pub fn insert(&mut self, question: u64, answer: V) {
        self.entries.insert(question, (answer, self.round));
    }
}

impl<V> Default for ByInput<V> {
    fn default() -> Self {
        Self { entries: FxHashMap::default(), sweeps: Sweeps::default(), round: 0 }
    }
}

impl<V> fmt::Debug for ByInput<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ByInput({})", self.entries.len())
    }
}

impl<V: Send + 'static> Table for ByInput<V> {
    fn len(&self) -> usize {
        self.entries.len()
    }

    /// Does nothing: a relevant setting is part of the question.
    fn clear(&mut self) {}

    fn sweep(&mut self) {
        if self.sweeps.is_due(self.entries.len()) {
            let round = self.round;
            self.entries.retain(|_, (_, used)| *used == round);
            self.sweeps.record_sweep(self.entries.len());
            self.round = self.round.wrapping_add(1);
        }
    }

    fn forget(&mut self, is_forgotten: &mut dyn FnMut() -> bool) {
        self.entries.retain(|_, _| !is_forgotten());
    }

    fn absorb(&mut self, other: Box<dyn Table>) {
        if let Some(other) = downcast::<Self>(other) {
            // They count as requested since the last sweep of this table.
            let answers =
                other.entries.into_iter().map(|(question, (answer, _))| (question, (answer, self.round)));
            self.entries.extend(answers);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ByInput;
    use crate::Table;

    #[test]
    fn answers_that_are_not_requested_between_two_sweeps_are_dropped() {
        let mut table = ByInput::with_floor(1);
        table.insert(1, "asked");
        table.insert(2, "not asked");
        table.sweep();
        assert_eq!(table.len(), 2, "both came since the start");
        assert_eq!(table.get(1), Some(&"asked"));
        table.insert(3, "new");
        table.insert(4, "new");
        table.sweep();
        let left = [1, 2, 3].map(|question| table.get(question).copied());
        assert_eq!(left, [Some("asked"), None, Some("new")]);
    }
}
