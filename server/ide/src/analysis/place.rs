//! The positions of new entries, and the order of keys.

use yaml::Mapping;
use yaml::edit::{NewEntry, NewValue, Position};

/// Whether the keys of `mapping` are in alphabetical order, as in generated definitions.
pub(crate) fn is_sorted(mapping: Mapping<'_>) -> bool {
    let keys: Vec<_> = mapping.entries().filter_map(yaml::Entry::key_text).collect();
    keys.len() > 1 && keys.is_sorted_by(|one, other| one < other)
}

/// The position of `key` in a mapping in alphabetical order.
pub(crate) fn by_name<'t>(mapping: Mapping<'t>, key: &str) -> Position<'t> {
    let behind = |entry: &yaml::Entry<'t>| entry.key_text().is_some_and(|other| other.as_ref() > key);
    mapping.entries().find(behind).map_or(Position::End, Position::Before)
}

/// The position of the keyword `key` in the usual order of handwritten schemas: texts, type, structure,
/// junctors.
pub(crate) fn by_rank<'t>(mapping: Mapping<'t>, key: &str) -> Position<'t> {
    let Some(own) = rank(key) else { return Position::End };
    let is_before = |entry: &yaml::Entry<'t>| {
        entry.key_text().and_then(|other| rank(&other)).is_some_and(|other| other <= own)
    };
    mapping.entries().rev().find(is_before).map_or(Position::Start, Position::After)
}

/// The rank of a keyword in that order; `None` for the other keywords, which come last.
pub(crate) fn rank(key: &str) -> Option<u8> {
    Some(match key {
        "title" => 0,
        "description" => 1,
        "type" | "x-kubernetes-int-or-string" => 2,
        "nullable"
        | "default"
        | "x-kubernetes-preserve-unknown-fields"
        | "x-kubernetes-embedded-resource" => 3,
        "properties" | "items" | "additionalProperties" => 4,
        "x-kubernetes-list-type" | "x-kubernetes-list-map-keys" | "x-kubernetes-map-type" => 5,
        "allOf" | "anyOf" | "oneOf" | "not" => 6,
        _ => return None,
    })
}

/// `entry` with all keys below it in alphabetical order.
pub(crate) fn sorted(mut entry: NewEntry<'_>) -> NewEntry<'_> {
    if let NewValue::Mapping { entries, flow } = entry.value {
        let mut entries: Vec<_> = entries.into_iter().map(sorted).collect();
        entries.sort_by(|one, other| one.key.cmp(&other.key));
        entry.value = NewValue::Mapping { entries, flow };
    }
    entry
}
