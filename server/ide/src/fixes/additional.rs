//! Merges `additionalProperties` that differ between branches into one schema, whose values fit one of the
//! branches.

use std::collections::BTreeSet;

use crd::schema::{Keyword, Schema, TypeName};
use yaml::edit::{NewEntry, NewValue};

use super::draft::{Draft, HERE, NodeChange};
use super::node::Node;
use super::occurrence::Occurrence;

/// The keywords beside `type` that only concern a value.
const OF_VALUES: [Keyword; 8] = [
    Keyword::Enum,
    Keyword::Format,
    Keyword::Maximum,
    Keyword::MaxLength,
    Keyword::Minimum,
    Keyword::MinLength,
    Keyword::MultipleOf,
    Keyword::Pattern,
];

/// Suggests the merge if the branches have different restrictions for values of one type. The merged schema
/// no longer requires that all values in one object fit the same branch.
pub(super) fn plan<'r, 't>(node: &Node<'r, 't>, suggested: &mut Vec<Draft<'t>>) {
    let bars = [Keyword::AdditionalProperties, Keyword::Properties];
    if bars.iter().any(|keyword| node.schema.get(*keyword).is_some()) {
        return;
    }
    let with_schema: Vec<(&Occurrence<'r, 't>, Schema<'r, 't>)> = node
        .occurrences
        .iter()
        .filter_map(|other| Some((other, other.schema.schema(Keyword::AdditionalProperties)?)))
        .collect();
    let is_choice = |other: &Occurrence<'_, '_>| !other.is_negated() && other.junctor != Keyword::AllOf;
    let types: BTreeSet<String> = with_schema
        .iter()
        .map(|(_, schema)| match schema.type_name() {
            TypeName::Named(name) => name.into_owned(),
            TypeName::Missing | TypeName::Unreadable => String::new(),
        })
        .collect();
    let Some(name) = types.first().filter(|name| types.len() == 1 && !name.is_empty()) else { return };
    let restrictions: Option<Vec<Vec<NewEntry<'t>>>> =
        with_schema.iter().map(|(_, schema)| of_values(schema)).collect();
    let Some(restrictions) = restrictions
        .filter(|restrictions| restrictions.len() > 1 && restrictions.iter().all(|one| !one.is_empty()))
    else {
        return;
    };
    if !with_schema.iter().all(|(other, _)| is_choice(other)) {
        return;
    }
    let branches =
        restrictions.into_iter().map(|entries| NewValue::Mapping { entries, flow: true }).collect();
    let entries = vec![
        NewEntry::new("type", NewValue::Text(name.clone())),
        NewEntry::new("anyOf", NewValue::Sequence { items: branches, flow: false }),
    ];
    let mut draft = Draft::default();
    with_schema
        .iter()
        .for_each(|(other, _)| Node::remove_from_branch(&mut draft, other, Keyword::AdditionalProperties));
    node.add(&mut draft, Keyword::AdditionalProperties, NewValue::Mapping { entries, flow: false });
    draft.record(NodeChange::Change(format!("Move the branches in {HERE} into `additionalProperties`")));
    suggested.push(draft);
}

/// The entries of `schema` other than its type, if they only concern values.
fn of_values<'t>(schema: &Schema<'_, 't>) -> Option<Vec<NewEntry<'t>>> {
    if !schema.unknown().is_empty() {
        return None;
    }
    let others = schema.entries().filter(|(keyword, _)| *keyword != Keyword::Type);
    others
        .map(|(keyword, entry)| OF_VALUES.contains(&keyword).then(|| NewEntry::copy(entry)).flatten())
        .collect()
}
