//! Duplicate keys: a move would move both, but kube-apiserver reads only the last one.

use std::collections::BTreeSet;

use text::{TextEdit, TextRange};
use yaml::edit::{Comments, Editor};
use yaml::{Document, Reader};

use super::Refusal;
use crate::analysis::duplicates::DuplicateKeys;
use crate::analysis::values::entry_at;

/// Removes all entries with the same key except for the last, and returns the keys.
pub(super) fn step(
    document: Document<'_>,
    _: &Reader<'_>,
) -> Result<(Vec<TextEdit>, BTreeSet<String>), Refusal> {
    let mut found = Vec::new();
    DuplicateKeys::default().findings(document.syntax(), &mut found);
    let mut editor = Editor::new(document);
    let (mut keys, mut removed) = (BTreeSet::new(), BTreeSet::<TextRange>::new());
    for duplicate in found {
        let Some((mapping, later)) = entry_at(document, duplicate.range) else { continue };
        let Some(key) = later.key_text() else { continue };
        // Of three entries, two are removed.
        let entries = mapping.as_mapping().into_iter().flat_map(yaml::Mapping::entries);
        let same: Vec<_> = entries.filter(|entry| entry.key_text().as_ref() == Some(&key)).collect();
        for earlier in same.iter().rev().skip(1) {
            let is_within_another = removed.iter().any(|other| other.contains_range(earlier.range()));
            if !is_within_another && removed.insert(earlier.range()) {
                editor.remove(mapping, *earlier, Comments::Keep);
            }
        }
        keys.insert(key.into_owned());
    }
    Ok((editor.finish()?, keys))
}

/// The note about the removed keys for a person.
pub(super) fn note(keys: &BTreeSet<String>) -> Option<String> {
    let names: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    (!names.is_empty()).then(|| {
        let verb = if names.len() == 1 { "occurs" } else { "occur" };
        format!(
            "{} {verb} more than once in a mapping; the last value is kept, as kube-apiserver keeps it",
            names.join(", ")
        )
    })
}
