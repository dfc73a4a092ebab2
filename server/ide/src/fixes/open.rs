//! Replacements for `additionalProperties: false` in a branch.
//!
//! The server rejects it beside `properties`. It would also forbid fields that move from the branch to the
//! node. The server prunes undeclared fields, so "no other fields" means "none of the other declared fields".

use crd::schema::{Keyword, Schema};
use text::TextSize;
use yaml::edit::{NewEntry, NewValue};

use super::plan::Change;

/// The maximum number of fields that a branch may forbid by name.
const MAX_FORBIDDEN: usize = 20;

/// The start of `schema`, and the changes that forbid all fields of `known` except for those that it names.
/// `None` if it does not forbid other fields, or if the changes are not possible.
pub(super) fn forbid_undeclared<'t>(
    schema: &Schema<'_, 't>,
    known: &[String],
) -> Option<(TextSize, Vec<Change<'t>>)> {
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
    let required = |name: &&str| NewValue::Mapping {
        entries: vec![NewEntry::new(
            "required",
            NewValue::Sequence { items: vec![NewValue::Text((*name).to_owned())], flow: true },
        )],
        flow,
    };
    let mut changes = vec![Change::Remove(schema.value(), entry)];
    let forbidden = match others.as_slice() {
        [] => None,
        [one] => Some(required(one)),
        several => {
            let items = several.iter().map(required).collect();
            let any = NewEntry::new("anyOf", NewValue::Sequence { items, flow });
            Some(NewValue::Mapping { entries: vec![any], flow })
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
