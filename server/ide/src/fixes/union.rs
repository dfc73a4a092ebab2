//! Integer or string: the only union that a structural schema can express.

use crd::FieldPath;
use crd::schema::{Keyword, Schema};
use yaml::Reader;
use yaml::edit::{NewEntry, NewValue};

use super::draft::{Draft, NodeChange};
use super::node::Node;
use super::occurrence::{Occurrence, branches};
use super::plan::Change;

const OF_NUMBERS: [Keyword; 5] = [
    Keyword::Minimum,
    Keyword::Maximum,
    Keyword::ExclusiveMinimum,
    Keyword::ExclusiveMaximum,
    Keyword::MultipleOf,
];
const OF_STRINGS: [Keyword; 3] = [Keyword::Pattern, Keyword::MinLength, Keyword::MaxLength];

/// The paths of the two branches that may have a `type`: an `anyOf` of exactly integer and string, in this
/// order, on the node or in its first `allOf`.
pub(super) fn pattern_paths(schema: &Schema<'_, '_>, path: &FieldPath) -> Vec<FieldPath> {
    let of = |schema: &Schema<'_, '_>, path: &FieldPath| {
        let types: Vec<Option<String>> =
            schema.items(Keyword::AnyOf).map(|item| only_type(schema, item.value())).collect();
        let matches =
            matches!(types.as_slice(), [Some(one), Some(other)] if one == "integer" && other == "string");
        let branch = |index| path.child("anyOf").index(index);
        if matches { vec![branch(0), branch(1)] } else { Vec::new() }
    };
    let own = of(schema, path);
    let first = schema.items(Keyword::AllOf).next();
    let first = first.and_then(|item| Schema::read(item.value(), schema.reader()));
    let nested = first.map(|first| of(&first, &path.child("allOf").index(0)));
    own.into_iter().chain(nested.into_iter().flatten()).collect()
}

/// The type of a branch without other keywords.
fn only_type<'r, 't>(schema: &Schema<'r, 't>, branch: yaml::Value<'t>) -> Option<String> {
    let branch = Schema::read(branch, schema.reader())?;
    let alone = branch.entries().count() == 1 && branch.unknown().is_empty();
    alone.then(|| branch.string(Keyword::Type)).flatten().map(std::borrow::Cow::into_owned)
}

/// Converts the node to an int-or-string. If its two types are the two branches of one junctor, their
/// restrictions of numbers and strings move to the node, where each applies to one of the types only.
pub(super) fn plan<'r, 't>(
    node: &Node<'r, 't>,
    named: &[(String, &Occurrence<'r, 't>)],
    safe: &mut Draft<'t>,
    suggested: &mut Vec<Draft<'t>>,
) {
    if named.iter().any(|(_, occurrence)| occurrence.is_negated()) {
        return;
    }
    let mut draft = Draft::default();
    if !node.schema.is_true(Keyword::IntOrString) {
        node.add(&mut draft, Keyword::IntOrString, NewValue::yes());
        draft.paths.push(node.path_of(Keyword::Type));
    }
    draft.record(NodeChange::Change("Set `x-kubernetes-int-or-string: true`".to_owned()));
    if let [(one, first), (other, second)] = named {
        let junctor = [Keyword::AnyOf, Keyword::OneOf].into_iter().find(|junctor| {
            let branch = |index| node.path.child(junctor.as_str()).index(index);
            first.path == branch(0) && second.path == branch(1) && node.schema.items(*junctor).count() == 2
        });
        if let (Some(junctor), true) = (junctor, one != other) {
            let integer_first = one == "integer";
            let (integer, string) = if integer_first { (first, second) } else { (second, first) };
            if let Some(moved) = constraints(&node.schema, integer, string) {
                rewrite(node, junctor, integer_first, &moved, [integer, string], &mut draft);
                draft
                    .paths
                    .extend(named.iter().map(|(_, occurrence)| occurrence.path.child("type").to_string()));
                return safe.join(draft);
            }
        }
    }
    // In other cases, the types distinguished the branches; without them, the node accepts more values.
    for (_, occurrence) in named {
        Node::remove_from_branch(&mut draft, occurrence, Keyword::Type);
    }
    suggested.push(draft);
}

/// Removes the junctor with two types from `part`, a branch's part about a field, and moves their
/// restrictions of numbers and strings to `part` itself. `None` if the two types are not in one junctor.
pub(super) fn without_union<'r, 't>(part: &Occurrence<'r, 't>, reader: &'r Reader<'t>) -> Option<Draft<'t>> {
    let mut below = Vec::new();
    branches(&part.schema, &part.path, reader, &mut below);
    let [first, second] = below.as_slice() else { return None };
    let (one, other) = (first.type_name()?, second.type_name()?);
    let (integer, string) = match (one.as_str(), other.as_str()) {
        ("integer", "string") => (first, second),
        ("string", "integer") => (second, first),
        _ => return None,
    };
    let junctor = [Keyword::AnyOf, Keyword::OneOf]
        .into_iter()
        .find(|junctor| part.schema.items(*junctor).count() == 2)?;
    let moved = constraints(&part.schema, integer, string)?;
    let mut draft = Draft::default();
    draft.changes.push(Change::Remove(part.schema.value(), part.schema.entry(junctor)?));
    for (_, entry) in moved {
        draft.changes.push(Change::Insert(part.schema.value(), NewEntry::copy(entry)?));
    }
    draft.paths.extend([first, second].map(|branch| branch.path.child("type").to_string()));
    draft.record(NodeChange::Change("Set `x-kubernetes-int-or-string: true`".to_owned()));
    Some(draft)
}

/// The keywords of both branches that move to `schema`; `None` if one of them cannot move.
fn constraints<'r, 't>(
    schema: &Schema<'r, 't>,
    integer: &Occurrence<'r, 't>,
    string: &Occurrence<'r, 't>,
) -> Option<Vec<(Keyword, yaml::Entry<'t>)>> {
    let mut moved = Vec::new();
    for (branch, allowed) in [(integer, &OF_NUMBERS[..]), (string, &OF_STRINGS[..])] {
        if !branch.schema.unknown().is_empty() {
            return None;
        }
        for (keyword, entry) in branch.schema.entries().filter(|(keyword, _)| *keyword != Keyword::Type) {
            if !allowed.contains(&keyword) || schema.get(keyword).is_some() {
                return None;
            }
            moved.push((keyword, entry));
        }
    }
    Some(moved)
}

fn rewrite<'r, 't>(
    node: &Node<'r, 't>,
    junctor: Keyword,
    integer_first: bool,
    moved: &[(Keyword, yaml::Entry<'t>)],
    branches: [&Occurrence<'r, 't>; 2],
    draft: &mut Draft<'t>,
) {
    let Some(entry) = node.schema.entry(junctor) else { return };
    for (_, entry) in moved {
        let copy = NewEntry::copy(*entry);
        draft.changes.extend(copy.map(|copy| Change::Insert(node.value(), copy)));
    }
    let Some(list) = on_lines(entry, branches) else { return replace(node, junctor, entry, draft) };
    for branch in branches {
        let own = moved.iter().filter(|(keyword, entry)| {
            branch.schema.entry(*keyword).is_some_and(|own| own.range() == entry.range())
        });
        draft.changes.extend(own.map(|(_, entry)| Change::Remove(branch.schema.value(), *entry)));
    }
    let first = list.items().next().filter(|_| !integer_first);
    draft.changes.extend(first.map(|string| Change::MoveToEnd(entry.value(), string)));
    if junctor != Keyword::AnyOf {
        // An empty `anyOf` has no effect.
        let empty = node.schema.entry(Keyword::AnyOf);
        draft.changes.extend(empty.map(|empty| Change::Remove(node.value(), empty)));
        draft.changes.push(Change::Rename(entry, Keyword::AnyOf.as_str().to_owned()));
    }
}

/// The list in `entry`, if `branches` are on separate lines in it, so that their comments can stay with them.
fn on_lines<'t>(entry: yaml::Entry<'t>, branches: [&Occurrence<'_, 't>; 2]) -> Option<yaml::Sequence<'t>> {
    let list = entry.value().as_sequence().filter(|list| !list.is_flow())?;
    let is_branch = |item: yaml::Item<'_>| {
        branches.iter().any(|branch| branch.schema.value().range() == item.value().range())
    };
    list.items().all(is_branch).then_some(list)
}

/// Replaces the junctor with the two types.
fn replace<'t>(node: &Node<'_, 't>, junctor: Keyword, entry: yaml::Entry<'t>, draft: &mut Draft<'t>) {
    let branch = |name: &str| NewValue::Mapping {
        entries: vec![NewEntry::new("type", NewValue::Text(name.to_owned()))],
        flow: false,
    };
    let flow = entry.value().as_sequence().is_some_and(yaml::Sequence::is_flow);
    let pattern = NewValue::Sequence { items: vec![branch("integer"), branch("string")], flow };
    if junctor == Keyword::AnyOf {
        draft.changes.push(Change::Replace(entry.value(), pattern));
    } else {
        draft.changes.push(Change::Remove(node.value(), entry));
        node.add(draft, Keyword::AnyOf, pattern);
    }
}
