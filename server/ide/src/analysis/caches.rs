//! What is known of parts of documents from earlier texts.

use std::sync::{Arc, Mutex};

use memo::{Store, Table};

/// What is known of a file; the files that are edited from one another share it.
pub(crate) type SharedCaches = Arc<Mutex<Caches>>;

/// Answers of the checks of definitions, and tables of those who ask beside them. What holds of them is said in the crate
/// `memo`.
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

    /// Whether nothing is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.crd.is_empty() && self.store.is_empty()
    }

    /// Empty ones, for another thread to fill.
    pub(crate) fn beside(&self) -> Self {
        Self { crd: self.crd.beside(), store: self.store.beside() }
    }

    /// Takes the answers of `other`.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.crd.absorb(other.crd);
        self.store.absorb(other.store);
    }

    /// Drops what is of no use any more, where it is time for that.
    pub(crate) fn sweep(&mut self) {
        self.store.sweep();
    }

    /// Takes all tables out, each with the name of its type. For tests that measure them.
    pub(crate) fn take_apart(&mut self) -> Vec<(&'static str, Box<dyn Table>)> {
        let mut tables = self.crd.take_apart();
        tables.extend(self.store.take_apart());
        tables
    }

    /// Lets answers go missing at random between any two questions: no output may change. For tests.
    pub(crate) fn forget_at_random(&mut self, seed: u64) {
        self.crd.forget_at_random(seed);
        self.store.forget_at_random(seed);
    }
}
