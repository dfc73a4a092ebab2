//! Fields and items that only branches of junctors name: adds their structure to the node.

use std::collections::{BTreeSet, HashMap, HashSet};

use crd::FieldPath;
use crd::schema::{Keyword, TypeName, implied};
use yaml::Reader;
use yaml::edit::{NewEntry, NewValue};

use super::draft::{Draft, NodeChange};
use super::node::{Level, Node};
use super::occurrence::Occurrence;
use super::open;
use super::plan::Change;
use super::union;

/// The structure of one field or item, and the changes of the branches.
struct Skeleton<'t> {
    entries: Vec<NewEntry<'t>>,
    draft: Draft<'t>,
    /// Whether all of its parts in branches are between braces.
    flow: bool,
    /// Whether it accepts values that no branch accepted, because it loses a type that distinguished
    /// branches.
    loose: bool,
}

impl<'t> Skeleton<'t> {
    fn into_new(self) -> NewValue<'t> {
        NewValue::Mapping { entries: self.entries, flow: self.flow }
    }
}

fn is_flow(parts: &[Occurrence<'_, '_>]) -> bool {
    parts.iter().all(|part| part.schema.value().as_mapping().is_some_and(yaml::Mapping::is_flow))
}

/// Adds the missing fields and items.
pub(super) fn plan<'r, 't>(node: &Node<'r, 't>, safe: &mut Draft<'t>, suggested: &mut Vec<Draft<'t>>) {
    let mut draft = Draft::default();
    let mut entries = Vec::new();
    // A schema for all other fields covers them already, and forbids `properties`.
    if node.schema.get(Keyword::AdditionalProperties).is_none() {
        let known = node.schema.members(Keyword::Properties);
        let known: HashSet<&str> = known.entries.iter().map(|(name, _)| name.as_ref()).collect();
        for (name, parts) in fields(&node.occurrences, node.reader) {
            if name == "metadata" || known.contains(name.as_str()) {
                continue;
            }
            let Some(mut skeleton) = skeleton(&parts, &node.path.child("properties").key(&name), node.reader)
            else {
                continue;
            };
            if skeleton.loose {
                suggested.push(loosened(node, name, skeleton));
                continue;
            }
            draft.paths.push(node.path.child("properties").key(&name).to_string());
            draft.record(NodeChange::Add(format!("the field `{name}`")));
            draft.join(std::mem::take(&mut skeleton.draft));
            entries.push(NewEntry::new(name, skeleton.into_new()));
        }
    }
    match node.schema.get(Keyword::Properties) {
        _ if entries.is_empty() => {}
        Some(properties) => {
            draft.changes.extend(entries.into_iter().map(|entry| Change::AddField(properties, entry)))
        }
        None => node.add(&mut draft, Keyword::Properties, NewValue::Mapping { entries, flow: false }),
    }
    if node.schema.get(Keyword::Items).is_none() {
        let parts: Vec<Occurrence<'r, 't>> = node.occurrences.iter().filter_map(Occurrence::items).collect();
        let path = node.path.child("items");
        let found = (!parts.is_empty()).then(|| skeleton(&parts, &path, node.reader)).flatten();
        if let Some(mut skeleton) = found.filter(|skeleton| !skeleton.loose) {
            draft.paths.push(path.to_string());
            draft.record(NodeChange::Add("`items`".to_owned()));
            draft.join(std::mem::take(&mut skeleton.draft));
            node.add(&mut draft, Keyword::Items, skeleton.into_new());
        }
    }
    if draft.changes.is_empty() {
        return;
    }
    // Below the root, the server accepts the missing field and prunes its values, so the added field changes
    // the stored objects.
    if node.level == Level::Root || draft.has_moves() || node.schema.type_name() == TypeName::Missing {
        safe.join(draft);
    } else {
        suggested.push(draft);
    }
}

/// Adds the field `name`, which accepts more values than the branches did, in a separate draft.
fn loosened<'t>(node: &Node<'_, 't>, name: String, mut skeleton: Skeleton<'t>) -> Draft<'t> {
    let mut draft = std::mem::take(&mut skeleton.draft);
    draft.paths.push(node.path.child("properties").key(&name).to_string());
    draft.describe_as(NodeChange::Add(format!("the field `{name}` as an integer or a string")));
    let entry = NewEntry::new(name, skeleton.into_new());
    match node.schema.get(Keyword::Properties) {
        Some(properties) => draft.changes.push(Change::AddField(properties, entry)),
        None => {
            node.add(&mut draft, Keyword::Properties, NewValue::Mapping { entries: vec![entry], flow: false })
        }
    }
    draft
}

pub(super) fn names(occurrences: &[Occurrence<'_, '_>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    for occurrence in occurrences {
        for (name, _) in occurrence.schema.members(Keyword::Properties).entries {
            if seen.insert(name.to_string()) {
                names.push(name.into_owned());
            }
        }
    }
    names
}

/// The fields that `occurrences` name, in the order of their first mention, with all parts about each. A
/// single walk, because thousands of branches may each name thousands of fields.
pub(super) fn fields<'r, 't>(
    occurrences: &[Occurrence<'r, 't>],
    reader: &'r Reader<'t>,
) -> Vec<(String, Vec<Occurrence<'r, 't>>)> {
    let mut fields: Vec<(String, Vec<Occurrence<'r, 't>>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for occurrence in occurrences {
        for (name, part) in occurrence.properties(reader) {
            let place = *places.entry(name.clone()).or_insert(fields.len());
            match fields.get_mut(place) {
                Some((_, parts)) => parts.extend(part),
                None => fields.push((name, part.into_iter().collect())),
            }
        }
    }
    fields
}

/// The structure at `path` according to `parts`; `None` if they do not determine a type.
fn skeleton<'r, 't>(
    parts: &[Occurrence<'r, 't>],
    path: &FieldPath,
    reader: &'r Reader<'t>,
) -> Option<Skeleton<'t>> {
    let mut all = parts.to_vec();
    for part in parts {
        super::occurrence::branches(&part.schema, &part.path, reader, &mut all);
    }
    let types: BTreeSet<String> = all.iter().filter_map(Occurrence::type_name).collect();
    let types: Vec<&str> = types.iter().map(String::as_str).collect();
    let name = match types.as_slice() {
        [] => all.iter().filter_map(|part| implied(&part.schema)).find(|inferred| inferred.is_certain)?.name,
        [name] => name,
        ["integer", "number"] => "number",
        ["integer", "string"] => return either(parts, reader).or_else(|| loose(parts, &all)),
        _ => return None,
    };
    let mut draft = Draft::default();
    let mut entries = common_texts(&all, &mut draft);
    entries.push(NewEntry::new("type", NewValue::Text(name.to_owned())));
    for part in &all {
        if let Some(own) = part.type_name() {
            Node::remove_type_from_branch(&mut draft, part, &own, name);
            draft.record_move(&format!("`type: {own}`"), part.junctor);
        }
    }
    let mut entries_of_fields = Vec::new();
    let mut is_loose = false;
    let known = names(&all);
    if name == "object" {
        let opened = all.iter().filter_map(|part| open::forbid_undeclared(&part.schema, &known));
        draft.changes.extend(opened.flat_map(|(_, changes)| changes));
    }
    for (name, parts) in fields(&all, reader) {
        let below = path.child("properties").key(&name);
        let mut skeleton = skeleton(&parts, &below, reader)?;
        draft.join(std::mem::take(&mut skeleton.draft));
        draft.paths.push(below.to_string());
        is_loose |= skeleton.loose;
        entries_of_fields.push(NewEntry::new(name, skeleton.into_new()));
    }
    if !entries_of_fields.is_empty() {
        let fields = NewValue::Mapping { entries: entries_of_fields, flow: false };
        entries.push(NewEntry::new("properties", fields));
    }
    let items: Vec<Occurrence<'r, 't>> = all.iter().filter_map(Occurrence::items).collect();
    if !items.is_empty() {
        let below = path.child("items");
        let mut skeleton = skeleton(&items, &below, reader)?;
        draft.join(std::mem::take(&mut skeleton.draft));
        draft.paths.push(below.to_string());
        is_loose |= skeleton.loose;
        entries.push(NewEntry::new("items", skeleton.into_new()));
    } else if name == "array" {
        return None;
    }
    Some(Skeleton { entries, draft, flow: is_flow(parts), loose: is_loose })
}

/// The description and the title on which all of `parts` that have one agree; `draft` removes them there.
fn common_texts<'t>(parts: &[Occurrence<'_, 't>], draft: &mut Draft<'t>) -> Vec<NewEntry<'t>> {
    let mut entries = Vec::new();
    for keyword in [Keyword::Description, Keyword::Title] {
        let texts: BTreeSet<_> = parts.iter().filter_map(|part| part.schema.string(keyword)).collect();
        let first = parts.iter().find(|part| part.schema.string(keyword).is_some());
        if let (1, Some(part)) = (texts.len(), first) {
            entries.extend(part.schema.entry(keyword).and_then(NewEntry::copy));
            parts.iter().for_each(|part| Node::remove_from_branch(draft, part, keyword));
        }
    }
    entries
}

/// A field that is an integer in some of `parts` and a string in others: it accepts either in each of them.
fn loose<'r, 't>(parts: &[Occurrence<'r, 't>], all: &[Occurrence<'r, 't>]) -> Option<Skeleton<'t>> {
    if all.len() > parts.len() || parts.iter().any(Occurrence::is_negated) {
        return None;
    }
    let mut draft = Draft::default();
    parts.iter().for_each(|part| Node::remove_from_branch(&mut draft, part, Keyword::Type));
    let entries = vec![NewEntry::new("x-kubernetes-int-or-string", NewValue::yes())];
    Some(Skeleton { entries, draft, flow: is_flow(parts), loose: true })
}

/// A field that is an integer or a string, according to one junctor with two branches in each of `parts`.
fn either<'r, 't>(parts: &[Occurrence<'r, 't>], reader: &'r Reader<'t>) -> Option<Skeleton<'t>> {
    let mut draft = Draft::default();
    for part in parts {
        draft.join(union::without_union(part, reader)?);
    }
    let entries = vec![NewEntry::new("x-kubernetes-int-or-string", NewValue::yes())];
    Some(Skeleton { entries, draft, flow: is_flow(parts), loose: false })
}
