//! What came of validating one value by one schema.

use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;

use crate::customresource::ValueError;

/// More errors of one value are not kept.
const MAX_ERRORS: usize = 10_000;
/// Errors are not kept either once their texts have more bytes than this: each may repeat the list of all supported values.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Errors, each text once, and how well the schema fits: of several branches that fail, the library reports the one that
/// had the most checks passed.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    errors: IndexMap<Box<str>, ValueError, FxBuildHasher>,
    /// The bytes of all texts.
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

    /// One more check that was made.
    pub(super) fn count(&mut self) {
        self.matches += 1;
    }

    /// Adds an error, unless one with the same text is there.
    pub(super) fn add(&mut self, (text, error): (String, ValueError)) {
        self.insert(text.into(), error);
    }

    /// Whether there are further errors, which are not kept.
    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Adds all that came of something else.
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

    /// Drops all errors, and counts the checks all the same.
    pub(super) fn forgive(&mut self) {
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
