//! The cache of one file's analyses. Each layer keeps its answers in separate tables.

use std::sync::Arc;

use memo::{ByInput, Store, Table};

use crate::{Options, StopSignal};

/// Answers from earlier checks, so that a check after an edit visits only what the edit changed. The crate
/// `memo` documents the guarantees.
#[derive(Debug, Default)]
pub struct Cache {
    /// The options that the answers were computed for.
    options: Options,
    /// When the current check is to end.
    stop: StopSignal,
    store: Store,
    visited: usize,
    built: usize,
    computed: usize,
}

impl Cache {
    /// Makes the following checks end when `stop` comes. They then return at once with meaningless answers,
    /// which are not kept.
    pub fn end_when(&mut self, stop: StopSignal) {
        self.stop = stop;
    }

    /// When the current check is to end.
    #[must_use]
    pub fn stop(&self) -> &StopSignal {
        &self.stop
    }

    /// Drops answers at random between any two questions: no output may change. For tests.
    pub fn forget_at_random(&mut self, seed: u64) {
        self.store.forget_at_random(seed);
    }

    /// Takes out all tables of answers, each with the name of its type. For tests that measure them.
    pub fn take_apart(&mut self) -> Vec<(&'static str, Box<dyn Table>)> {
        self.store.take_apart()
    }

    /// The number of answers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether the cache has no answers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.store.is_empty()
    }

    /// The number of schema nodes visited so far, without those found in the cache.
    #[must_use]
    pub fn visited(&self) -> usize {
        self.visited
    }

    /// The number of structural schemas built so far, without those found in the cache.
    #[must_use]
    pub fn built(&self) -> usize {
        self.built
    }

    /// The number of answers on CEL expressions computed so far, without those found in the cache.
    #[must_use]
    pub fn computed(&self) -> usize {
        self.computed
    }

    pub(crate) fn count_computed(&mut self) {
        self.computed += 1;
    }

    pub(crate) fn count_visit(&mut self) {
        self.visited += 1;
    }

    pub(crate) fn count_built(&mut self) {
        self.built += 1;
    }

    /// An empty cache with the same options and the same end, for another thread to fill.
    #[must_use]
    pub fn fork(&self) -> Self {
        let (options, stop, store) = (self.options.clone(), self.stop.clone(), self.store.new_like());
        Self { options, stop, store, ..Self::default() }
    }

    /// Takes over the answers of `other`.
    pub fn merge(&mut self, other: Self) {
        if !other.is_empty() {
            if self.options != other.options {
                self.options = other.options;
                self.store.clear();
            }
            self.store.merge(other.store);
        }
        self.visited += other.visited;
        self.built += other.built;
        self.computed += other.computed;
    }

    /// The answers of one kind, if there are any.
    pub(crate) fn get<T: Table>(&self) -> Option<&T> {
        self.store.get()
    }

    /// The answers of one kind.
    pub(crate) fn table<T: Table + Default>(&mut self) -> &mut T {
        self.store.table()
    }

    /// Changes the answers of one kind, unless the current check was stopped before it was complete.
    pub(crate) fn keep<T: Table + Default>(&mut self, change: impl FnOnce(&mut T)) {
        if !self.stop.is_reached() {
            change(self.store.table());
        }
    }

    /// Returns the answer to `question`, a hash of everything that the answer depends on; `find` computes it
    /// if it is missing.
    pub(crate) fn answer<V: Send + Sync + 'static>(
        &mut self,
        question: u64,
        find: impl FnOnce() -> V,
    ) -> Arc<V> {
        if let Some(known) = self.table::<ByInput<Arc<V>>>().get(question) {
            return Arc::clone(known);
        }
        self.count_computed();
        let found = Arc::new(find());
        self.table::<ByInput<Arc<V>>>().insert(question, Arc::clone(&found));
        found
    }

    /// Prepares for a check with `options`: drops the answers for other options.
    pub(crate) fn prepare(&mut self, options: &Options) {
        // `is_patch` decides only whether a definition is examined; answers on schemas do not depend on it.
        let options = Options { is_patch: false, ..options.clone() };
        if self.options != options {
            self.options = options;
            self.store.clear();
        }
        self.store.sweep();
    }
}
