//! Caches of results on parts of a file, kept from one edit to the next.

use std::sync::{Arc, Mutex};

use memo::{Store, Table};

/// The caches of a file, shared by all files that are edited from it.
pub(crate) type SharedCaches = Arc<Mutex<Caches>>;

/// Answers of the checks of definitions, and tables of other analyses. The crate `memo` documents the
/// guarantees.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    pub(crate) crd: crd::Cache,
    store: Store,
}

impl Caches {
    /// The answers of one kind.
    pub(crate) fn table<T: Table + Default>(&mut self) -> &mut T {
        self.store.table()
    }

    /// Whether there are no answers.
    pub(crate) fn is_empty(&self) -> bool {
        self.crd.is_empty() && self.store.is_empty()
    }

    /// Empty caches for another thread to fill.
    pub(crate) fn empty_for_thread(&self) -> Self {
        Self { crd: self.crd.fork(), store: self.store.new_like() }
    }

    /// Takes over the answers of `other`.
    pub(crate) fn merge(&mut self, other: Self) {
        self.crd.merge(other.crd);
        self.store.merge(other.store);
    }

    /// Drops unused entries, if a sweep is due.
    pub(crate) fn sweep(&mut self) {
        self.store.sweep();
    }

    /// Takes out all tables of answers, each with the name of its type. For tests that measure them.
    pub(crate) fn take_tables(&mut self) -> Vec<(&'static str, Box<dyn Table>)> {
        let mut tables = self.crd.take_apart();
        tables.extend(self.store.take_apart());
        tables
    }

    /// Drops answers at random between any two questions: no output may change. For tests.
    pub(crate) fn forget_at_random(&mut self, seed: u64) {
        self.crd.forget_at_random(seed);
        self.store.forget_at_random(seed);
    }
}
