//! Keywords other than `type` that are forbidden in branches.

use std::collections::BTreeSet;

use crd::schema::{Keyword, TypeName};
use yaml::Value;
use yaml::edit::NewEntry;

use super::draft::Draft;
use super::node::Node;
use super::occurrence::{Occurrence, covers};
use super::plan::Change;

/// The keywords that concern the node as a whole.
const HOISTED: [Keyword; 10] = [
    Keyword::Default,
    Keyword::Nullable,
    Keyword::PreserveUnknownFields,
    Keyword::EmbeddedResource,
    Keyword::IntOrString,
    Keyword::ListMapKeys,
    Keyword::ListType,
    Keyword::MapType,
    Keyword::AdditionalProperties,
    Keyword::Validations,
];

/// Moves keywords that all branches agree on to the node, and removes those that the node has already.
pub(super) fn plan<'r, 't>(node: &Node<'r, 't>, safe: &mut Draft<'t>, suggested: &mut Vec<Draft<'t>>) {
    for keyword in HOISTED {
        let with_keyword: Vec<&Occurrence<'r, 't>> =
            node.occurrences.iter().filter(|occurrence| has_keyword(occurrence, keyword)).collect();
        let Some(first) = with_keyword.first() else { continue };
        let values: BTreeSet<String> = with_keyword
            .iter()
            .filter_map(|occurrence| occurrence.schema.get(keyword))
            .map(text_of)
            .collect();
        let own = node.schema.get(keyword).map(text_of);
        let agreed = values.len() == 1 && !with_keyword.iter().any(|occurrence| occurrence.is_negated());
        let mut draft = Draft::default();
        for occurrence in &with_keyword {
            Node::remove_from_branch(&mut draft, occurrence, keyword);
            draft.record_move(&format!("`{}`", keyword.as_str()), occurrence.junctor);
        }
        if own.as_ref().is_some_and(|own| values.iter().all(|value| value == own)) {
            safe.join(draft);
        } else if own.is_none() && agreed {
            let Some(copy) = first.schema.entry(keyword).and_then(NewEntry::copy) else { continue };
            draft.changes.push(Change::Insert(node.value(), copy));
            match weight(node, keyword, &with_keyword) {
                Weight::Certain => safe.join(draft),
                Weight::Choice => suggested.push(draft),
                Weight::No => {}
            }
        }
    }
}

enum Weight {
    Certain,
    Choice,
    No,
}

/// Whether a move of `keyword` to the node changes no more than necessary.
fn weight(node: &Node<'_, '_>, keyword: Keyword, with_keyword: &[&Occurrence<'_, '_>]) -> Weight {
    if !fits(node, keyword) {
        return Weight::No;
    }
    let unconditional = with_keyword.iter().any(|occurrence| occurrence.is_unconditional());
    // For a field, all branches that mention it agree.
    let of_field = node.occurrences.iter().all(|occurrence| !occurrence.direct);
    let unanimous = of_field && with_keyword.len() == node.occurrences.len() && keyword != Keyword::Default;
    match keyword {
        // Rules apply to their branch only; a move would need the condition of the branch, too.
        Keyword::Validations if !unconditional => Weight::No,
        Keyword::AdditionalProperties if node.schema.get(Keyword::Properties).is_some() => Weight::No,
        // Other branches do not have it.
        Keyword::AdditionalProperties if !unconditional => Weight::Choice,
        _ if unanimous || covers(with_keyword.iter().copied()) => Weight::Certain,
        _ => Weight::Choice,
    }
}

/// Whether the node may have `keyword`: a move must not replace one error with another.
fn fits(node: &Node<'_, '_>, keyword: Keyword) -> bool {
    let schema = &node.schema;
    let own = match schema.type_name() {
        TypeName::Named(name) => Some(name),
        TypeName::Missing | TypeName::Unreadable => None,
    };
    let is = |name: &str| own.as_deref() == Some(name);
    let either = schema.is_true(Keyword::IntOrString);
    match keyword {
        Keyword::ListType => is("array"),
        Keyword::ListMapKeys => is("array") && is_map(node),
        Keyword::MapType => is("object"),
        Keyword::EmbeddedResource => {
            let loose = schema.is_true(Keyword::PreserveUnknownFields);
            is("object") && (loose || !schema.members(Keyword::Properties).entries.is_empty())
        }
        Keyword::PreserveUnknownFields => !either,
        Keyword::IntOrString => own.is_none() && !schema.is_true(Keyword::EmbeddedResource),
        _ => true,
    }
}

/// Whether the list is a map, by its own `x-kubernetes-list-type` or, because that moves together with the
/// keys, by that of all branches.
fn is_map(node: &Node<'_, '_>) -> bool {
    match node.schema.string(Keyword::ListType) {
        Some(own) => own == "map",
        None => {
            let mut list_types =
                node.occurrences.iter().filter_map(|other| other.schema.string(Keyword::ListType)).peekable();
            list_types.peek().is_some() && list_types.all(|list_type| list_type == "map")
        }
    }
}

/// Whether the branch has `keyword` in a form that the server rejects.
fn has_keyword(occurrence: &Occurrence<'_, '_>, keyword: Keyword) -> bool {
    let schema = &occurrence.schema;
    if schema.get(keyword).is_none() {
        return false;
    }
    match keyword {
        Keyword::Nullable
        | Keyword::PreserveUnknownFields
        | Keyword::EmbeddedResource
        | Keyword::IntOrString => schema.is_true(keyword),
        Keyword::AdditionalProperties => schema.boolean(keyword) != Some(false),
        Keyword::ListMapKeys | Keyword::Validations => schema.items(keyword).next().is_some(),
        _ => true,
    }
}

/// The value as text: equal texts mean equal values.
fn text_of(value: Value<'_>) -> String {
    match value.as_scalar() {
        Some(scalar) => scalar.text().into_owned(),
        None => {
            let text = value.node().map(|node| node.text()).unwrap_or_default();
            // Indentation differs from branch to branch.
            text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
        }
    }
}
