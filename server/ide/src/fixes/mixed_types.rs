//! Junctors whose branches have different types, such as an object or a list, which no structural schema can
//! express.
//!
//! Without its type, a branch would have no effect, because each keyword applies to values of one type only.
//! So the fixes replace the whole junctor: by any value, or by one of its branches.

use std::collections::BTreeSet;

use crd::FieldPath;
use crd::schema::{Keyword, Schema, TypeName, implied};
use yaml::edit::{NewEntry, NewValue};
use yaml::{Entry, Item};

use super::draft::{Draft, HERE, NodeChange};
use super::node::{Level, Node};
use super::plan::Change;

/// One of the branches.
struct Branch<'r, 't> {
    name: String,
    schema: Schema<'r, 't>,
}

/// The ways to repair `node`, if only such a junctor gives its type; otherwise `None`.
pub(super) fn plans<'t>(node: &Node<'_, 't>) -> Option<Vec<Draft<'t>>> {
    let schema = &node.schema;
    let is_open = schema.type_name() == TypeName::Missing && !schema.is_true(Keyword::IntOrString);
    if !is_open || node.level == Level::Root || node.forced.is_some() || implied(schema).is_some() {
        return None;
    }
    let (junctor, entry) = [Keyword::AnyOf, Keyword::OneOf]
        .into_iter()
        .find_map(|junctor| Some((junctor, schema.entry(junctor)?)))?;
    let branches = branches(schema, junctor)?;
    let names: BTreeSet<&str> = branches.iter().map(|branch| branch.name.as_str()).collect();
    // Integers are numbers, and a separate keyword exists for an integer or string.
    let is_known = names.iter().all(|name| matches!(*name, "integer" | "number" | "string"))
        && !(names.contains("number") && names.contains("string"));
    let has_other_keywords = |branch: &Branch<'_, '_>| branch.schema.entries().count() > 1;
    if names.len() < 2 || names.len() < branches.len() || is_known || !branches.iter().any(has_other_keywords)
    {
        return None;
    }
    let within = node.path.child(junctor.as_str());
    let is_typed_elsewhere = node
        .occurrences
        .iter()
        .any(|other| other.type_name().is_some() && !other.path.to_string().starts_with(&within.to_string()));
    if is_typed_elsewhere {
        return None;
    }
    let mut paths = vec![node.path_of(Keyword::Type), node.path_of(Keyword::Items)];
    for (index, branch) in branches.iter().enumerate() {
        collect(&branch.schema, &within.index(index), &mut paths);
        let fields = branch.schema.members(Keyword::Properties).entries;
        paths.extend(fields.iter().map(|(name, _)| node.path.child("properties").key(name).to_string()));
    }
    let mut drafts = vec![accept_any(node, junctor, entry, &branches)];
    drafts.extend(branches.iter().filter_map(|branch| keep_branch(node, junctor, entry, branch)));
    drafts.iter_mut().for_each(|draft| draft.paths.clone_from(&paths));
    Some(drafts)
}

/// The branches of `junctor`, if each names a type.
fn branches<'r, 't>(schema: &Schema<'r, 't>, junctor: Keyword) -> Option<Vec<Branch<'r, 't>>> {
    let branch = |item: Item<'t>| {
        let schema = Schema::read(item.value(), schema.reader())?;
        let TypeName::Named(name) = schema.type_name() else { return None };
        Some(Branch { name: name.into_owned(), schema })
    };
    schema.items(junctor).map(branch).collect()
}

/// Replaces all branches with any value.
fn accept_any<'t>(
    node: &Node<'_, 't>,
    junctor: Keyword,
    entry: Entry<'t>,
    branches: &[Branch<'_, 't>],
) -> Draft<'t> {
    let mut draft = Draft::default();
    draft.changes.push(Change::Remove(node.value(), entry));
    if !node.schema.is_true(Keyword::PreserveUnknownFields) {
        node.add(&mut draft, Keyword::PreserveUnknownFields, NewValue::yes());
    }
    let descriptions = branches.iter().filter_map(|branch| {
        let text = branch.schema.string(Keyword::Description)?;
        Some(format!("- {}: {}", branch.name, text.trim()))
    });
    let descriptions: Vec<String> = descriptions.collect();
    if !descriptions.is_empty() && node.schema.string(Keyword::Description).is_none() {
        node.add(&mut draft, Keyword::Description, NewValue::Text(descriptions.join("\n")));
    }
    draft.record(NodeChange::Change(format!(
        "Replace `type` and `{}` in {HERE} with `x-kubernetes-preserve-unknown-fields: true` (accepts any value)",
        junctor.as_str()
    )));
    draft
}

/// Replaces all branches with the contents of one; `None` if the node has some of its keywords already.
fn keep_branch<'t>(
    node: &Node<'_, 't>,
    junctor: Keyword,
    entry: Entry<'t>,
    branch: &Branch<'_, 't>,
) -> Option<Draft<'t>> {
    if !branch.schema.unknown().is_empty() || branch.schema.get(Keyword::Ref).is_some() {
        return None;
    }
    let mut draft = Draft::default();
    draft.changes.push(Change::Remove(node.value(), entry));
    for (keyword, branch_entry) in branch.schema.entries() {
        match node.schema.get(keyword) {
            Some(_) if keyword == Keyword::Description || keyword == Keyword::Title => {}
            Some(_) => return None,
            None => draft.changes.push(Change::Insert(node.value(), NewEntry::copy(branch_entry)?)),
        }
    }
    draft.record(NodeChange::Remove(format!(
        "the branches of `{}` in {HERE}, except that with `type: {}`",
        junctor.as_str(),
        branch.name
    )));
    Some(draft)
}

/// Collects the paths of all possible findings in the branch at `path`.
fn collect(schema: &Schema<'_, '_>, path: &FieldPath, paths: &mut Vec<String>) {
    paths.extend(schema.entries().map(|(keyword, _)| path.child(keyword.as_str()).to_string()));
    let below = |value| Schema::read(value, schema.reader());
    for (name, field) in schema.members(Keyword::Properties).entries {
        let path = path.child("properties").key(&name);
        paths.push(path.to_string());
        if let Some(field) = below(field.value()) {
            collect(&field, &path, paths);
        }
    }
    for keyword in [Keyword::Items, Keyword::AdditionalProperties, Keyword::Not] {
        if let Some(part) = schema.get(keyword).and_then(below) {
            collect(&part, &path.child(keyword.as_str()), paths);
        }
    }
    for keyword in Keyword::BRANCHING {
        for (index, item) in schema.items(keyword).enumerate() {
            if let Some(part) = below(item.value()) {
                collect(&part, &path.child(keyword.as_str()).index(index), paths);
            }
        }
    }
}
