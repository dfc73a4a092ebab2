//! What is remembered of one file's analyses. Each layer keeps its answers in tables of its own.

use std::sync::Arc;

use memo::{ByQuestion, Store, Table};

use crate::{Options, Stop};

/// Answers from earlier checks, so that a check after an edit visits only what the edit changed. What holds of them is said
/// in the crate `memo`.
#[derive(Debug, Default)]
pub struct Cache {
    /// What the answers were worked out for.
    options: Options,
    /// When the present check is to end.
    stop: Stop,
    store: Store,
    visited: usize,
    built: usize,
    worked_out: usize,
}

impl Cache {
    /// Lets the checks that follow end when `stop` comes. They return at once, with answers that mean nothing, of which
    /// nothing is kept here.
    pub fn end_when(&mut self, stop: Stop) {
        self.stop = stop;
    }

    /// When the present check is to end.
    #[must_use]
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Lets answers go missing at random between any two questions: no output may change. For tests.
    pub fn forget_at_random(&mut self, seed: u64) {
        self.store.forget_at_random(seed);
    }

    /// Takes all tables of answers out, each with the name of its type. For tests that measure them.
    pub fn take_apart(&mut self) -> Vec<(&'static str, Box<dyn Table>)> {
        self.store.take_apart()
    }

    /// How many answers it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether it knows nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.store.is_empty()
    }

    /// How many schema nodes were visited so far, rather than found here.
    #[must_use]
    pub fn visited(&self) -> usize {
        self.visited
    }

    /// How many structural schemas were built so far, rather than found here.
    #[must_use]
    pub fn built(&self) -> usize {
        self.built
    }

    /// How many answers on CEL expressions were worked out so far, rather than found here.
    #[must_use]
    pub fn worked_out(&self) -> usize {
        self.worked_out
    }

    pub(crate) fn count_worked_out(&mut self) {
        self.worked_out += 1;
    }

    pub(crate) fn count_visit(&mut self) {
        self.visited += 1;
    }

    pub(crate) fn count_built(&mut self) {
        self.built += 1;
    }

    /// An empty cache with the same options and the same end, for another thread to fill.
    #[must_use]
    pub fn beside(&self) -> Self {
        let (options, stop, store) = (self.options.clone(), self.stop.clone(), self.store.beside());
        Self { options, stop, store, ..Self::default() }
    }

    /// Takes the answers of `other`.
    pub fn absorb(&mut self, other: Self) {
        if !other.is_empty() {
            if self.options != other.options {
                self.options = other.options;
                self.store.clear();
            }
            self.store.absorb(other.store);
        }
        self.visited += other.visited;
        self.built += other.built;
        self.worked_out += other.worked_out;
    }

    /// The answers of one kind, if there are any.
    pub(crate) fn get<T: Table>(&self) -> Option<&T> {
        self.store.get()
    }

    /// The answers of one kind.
    pub(crate) fn table<T: Table + Default>(&mut self) -> &mut T {
        self.store.table()
    }

    /// Changes the answers of one kind, unless the present check has ended before it was complete.
    pub(crate) fn keep<T: Table + Default>(&mut self, change: impl FnOnce(&mut T)) {
        if !self.stop.has_come() {
            change(self.store.table());
        }
    }

    /// The answer to `question`, a hash that covers all that the answer rests on; `find` works it out.
    pub(crate) fn answer<V: Send + Sync + 'static>(
        &mut self,
        question: u64,
        find: impl FnOnce() -> V,
    ) -> Arc<V> {
        if let Some(known) = self.table::<ByQuestion<Arc<V>>>().get(question) {
            return Arc::clone(known);
        }
        self.count_worked_out();
        let found = Arc::new(find());
        self.table::<ByQuestion<Arc<V>>>().insert(question, Arc::clone(&found));
        found
    }

    /// Makes ready for a check with `options`: results for others are dropped.
    pub(crate) fn prepare(&mut self, options: &Options) {
        // Whether it is a patch decides whether a definition is looked at, and nothing in its schemas.
        let options = Options { is_patch: false, ..options.clone() };
        if self.options != options {
            self.options = options;
            self.store.clear();
        }
        self.store.sweep();
    }
}
