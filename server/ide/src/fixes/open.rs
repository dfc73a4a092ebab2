//! `additionalProperties: false` in a branch, said in another way.
//!
//! Beside `properties` the server refuses it, and once the fields are declared outside of the branch it would bar those
//! that the branch no longer names. The server drops fields that are declared nowhere, so that "no other fields" means
//! "none of the other declared ones".

use crd::schema::{Keyword, Schema};
use text::TextSize;
use yaml::edit::{New, NewEntry};

use super::plan::Change;

/// How many fields a branch may forbid by name.
const MAX_FORBIDDEN: usize = 20;

/// Where `schema` starts, and what says that it allows of the fields `known` only those that it names; none where it
/// says no such thing or it cannot be said.
pub(super) fn closed<'t>(schema: &Schema<'_, 't>, known: &[String]) -> Option<(TextSize, Vec<Change<'t>>)> {
    let named = schema.members(Keyword::Properties).entries;
    let entry = schema.entry(Keyword::AdditionalProperties)?;
    if schema.boolean(Keyword::AdditionalProperties) != Some(false) || named.is_empty() {
        return None;
    }
    let mut others: Vec<&str> = Vec::new();
    for name in known {
        if !others.contains(&name.as_str()) && !named.iter().any(|(own, _)| own == name) {
            others.push(name);
        }
        if others.len() > MAX_FORBIDDEN {
            return None;
        }
    }
    let flow = schema.value().as_mapping().is_some_and(yaml::Mapping::is_flow);
    let required = |name: &&str| New::Mapping {
        entries: vec![NewEntry::new(
            "required",
            New::Sequence { items: vec![New::Text((*name).to_owned())], flow: true },
        )],
        flow,
    };
    let mut changes = vec![Change::Remove(schema.value(), entry)];
    let forbidden = match others.as_slice() {
        [] => None,
        [one] => Some(required(one)),
        several => {
            let items = several.iter().map(required).collect();
            let any = NewEntry::new("anyOf", New::Sequence { items, flow });
            Some(New::Mapping { entries: vec![any], flow })
        }
    };
    if let Some(forbidden) = forbidden {
        if schema.entry(Keyword::Not).is_some() {
            return None;
        }
        changes.push(Change::Insert(schema.value(), NewEntry::new("not", forbidden)));
    }
    Some((schema.value().range().start, changes))
}
