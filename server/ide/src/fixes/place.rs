//! Where a new keyword goes among those of a schema.

use yaml::Mapping;
use yaml::edit::Position;

/// In the order of the alphabet where the mapping keeps it, as generated definitions do; else texts and `type` first,
/// and all others last.
pub(super) fn of<'t>(mapping: Mapping<'t>, key: &str) -> Position<'t> {
    let entries: Vec<_> =
        mapping.entries().filter_map(|entry| Some((entry.key_text()?.into_owned(), entry))).collect();
    let sorted = entries.len() > 1 && entries.is_sorted_by(|one, other| one.0 < other.0);
    if sorted {
        let next = entries.iter().find(|(other, _)| other.as_str() > key);
        return next.map_or(Position::End, |(_, entry)| Position::Before(*entry));
    }
    match key {
        "type" | "description" | "title" | "x-kubernetes-int-or-string" => {
            let texts = |(other, _): &&(String, _)| other == "description" || other == "title";
            match entries.iter().rev().find(texts) {
                Some((_, entry)) => Position::After(*entry),
                None => Position::Start,
            }
        }
        _ => Position::End,
    }
}
