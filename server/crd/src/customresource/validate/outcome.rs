//! The result of validating one value by one schema.

use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;

use crate::customresource::ValueError;

/// The maximum number of errors that are kept of one value.
const MAX_ERRORS: usize = 10_000;
/// The total size of the errors' texts above which further errors are not kept, in bytes: each may repeat the
/// list of all supported values.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The errors, each text once, and how well the schema matches: if several branches fail, the library reports
/// the branch with the most passed checks.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    errors: IndexMap<Box<str>, ValueError, FxBuildHasher>,
    /// The size of all texts, in bytes.
    bytes: usize,
    matches: usize,
    /// Whether there are further errors, which are not kept.
    is_cut: bool,
}

impl Outcome {
    pub(super) fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    pub(super) fn matches(&self) -> usize {
        self.matches
    }

    /// Counts a check.
    pub(super) fn count(&mut self) {
        self.matches += 1;
    }

    /// Adds an error, unless there is one with the same text.
    pub(super) fn add(&mut self, (text, error): (String, ValueError)) {
        self.insert(text.into(), error);
    }

    /// Whether there are further errors, which are not kept.
    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Adds the errors and counts of another outcome.
    pub(super) fn merge(&mut self, other: Self) {
        self.matches += other.matches;
        self.is_cut |= other.is_cut;
        if self.errors.is_empty() {
            (self.errors, self.bytes) = (other.errors, other.bytes);
            return;
        }
        for (text, error) in other.errors {
            self.insert(text, error);
        }
    }

    /// Drops all errors, but keeps the count of checks.
    pub(super) fn clear_errors(&mut self) {
        self.errors.clear();
        self.bytes = 0;
        self.is_cut = false;
    }

    fn insert(&mut self, text: Box<str>, error: ValueError) {
        let has_room = self.errors.len() < MAX_ERRORS && self.bytes < MAX_BYTES;
        self.is_cut |= !has_room;
        let length = text.len();
        if has_room && let Entry::Vacant(free) = self.errors.entry(text) {
            free.insert(error);
            self.bytes += length;
        }
    }

    pub(super) fn into_errors(self) -> Vec<ValueError> {
        self.errors.into_values().collect()
    }
}
