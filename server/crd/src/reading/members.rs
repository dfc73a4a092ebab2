//! The members of a mapping with arbitrary keys.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use yaml::{Entry, Mapping, Reader};

use crate::reading::is_unreadable;

/// The entries of a mapping by key, as the server's decoder reads them: merge keys are expanded, and of
/// duplicates the last counts.
#[derive(Clone, Debug, Default)]
pub struct Members<'t> {
    /// In the order of the text.
    pub entries: Vec<(Cow<'t, str>, Entry<'t>)>,
    /// Whether a key is not a string.
    pub unreadable: bool,
}

impl<'t> Members<'t> {
    /// The entry of `key`; a linear search.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Entry<'t>> {
        self.entries.iter().find(|(other, _)| other == key).map(|(_, entry)| *entry)
    }
}

/// The members of `mapping`.
#[must_use]
pub fn members<'t>(mapping: Mapping<'t>, reader: &Reader<'t>) -> Members<'t> {
    let mut members = Members::default();
    let may_merge = mapping.syntax().node().flags().unusual;
    for entry in mapping.entries() {
        if may_merge && entry.is_merge() {
            members.entries = reader.entries(mapping);
            members.unreadable = mapping.entries().any(is_unreadable);
            return members;
        }
        match entry.key_text() {
            Some(key) => members.entries.push((key, entry)),
            None => members.unreadable = true,
        }
        members.unreadable |= entry.key().as_scalar().is_some_and(yaml::Scalar::is_broken);
    }
    drop_overridden(&mut members.entries);
    members
}

fn drop_overridden<'t>(entries: &mut Vec<(Cow<'t, str>, Entry<'t>)>) {
    // Most mappings are sorted.
    if entries.is_sorted_by(|(one, _), (other, _)| one < other) {
        return;
    }
    let mut last: FxHashMap<&str, usize> = FxHashMap::default();
    last.reserve(entries.len());
    let duplicates = entries.iter().enumerate().filter_map(|(at, (key, _))| last.insert(key, at));
    let overridden: Vec<usize> = duplicates.collect();
    if overridden.is_empty() {
        return;
    }
    let mut at = 0..;
    let overridden: rustc_hash::FxHashSet<usize> = overridden.into_iter().collect();
    entries.retain(|_| at.next().is_none_or(|at| !overridden.contains(&at)));
}
