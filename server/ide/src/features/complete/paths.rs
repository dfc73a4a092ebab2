//! Completion of paths into resources: those of columns, selectable fields and the scale subresource.

use std::collections::VecDeque;

use crd::schema::{Keyword, Schema, TypeName};
use crd::{FieldPath, Segment, path_at, value_at};
use yaml::{Scalar, Value};

use super::Request;
use super::probe::WORD;
use super::proposal::Proposal;
use crate::analysis::resources::ResourcePlace;
use crate::analysis::values::{own_entry, string};
use crate::features::cel::{CompletionKind, step_text};
use crate::features::mentions::{PathField, schemas_of};

/// The maximum number of proposals.
const MOST: usize = 500;
/// The maximum number and depth of the properties that are visited.
const MOST_SEEN: usize = 20_000;
const DEEPEST: usize = 12;

/// The paths that fit in place of `scalar`; `None` if it is not a path.
pub(super) fn proposals(request: &Request<'_, '_>, scalar: Scalar<'_>) -> Option<Vec<Proposal>> {
    let path = path_at(request.document, request.probe.at).path;
    let field = PathField::at(&path)?;
    let root = request.document.root()?;
    let typed = scalar.text().into_owned();
    // A word may also begin behind a bracket.
    let typed = match request.probe.is_blank() {
        true => typed.strip_suffix(WORD).unwrap_or_default().to_owned(),
        false => typed,
    };
    let lists = typed.as_str();
    let typed = typed.rsplit_once(['.', '[']).map_or("", |(before, _)| before);
    let used = other_paths(request, root, &path);
    let mut found = Vec::new();
    for schema in schemas_of(request.document, request.reader, &path, request.probe.at) {
        let schema = value_at(root, schema.segments(), request.reader);
        if let Some(schema) = schema.and_then(|value| Schema::read(value, request.reader)) {
            leaves(schema, field, lists, &mut found);
        }
    }
    if field == PathField::Column {
        found.push(leaf(".metadata.creationTimestamp".to_owned(), "string", String::new()));
    }
    found.retain(|one| one.text.starts_with(typed) && !used.contains(&one.text));
    found.truncate(MOST);
    Some(found)
}

/// The type of a column whose `type` is being written: that of the field at its path.
pub(super) fn type_of_column(
    request: &Request<'_, '_>,
    place: &ResourcePlace<'_, '_>,
) -> Option<&'static str> {
    let [.., list, _, key] = place.path.segments() else { return None };
    if (list.key()?, key.key()?) != ("additionalPrinterColumns", "type") {
        return None;
    }
    // The path from the root of the document, where the definition may be in a list.
    let path = path_at(request.document, request.probe.at).path;
    let root = request.document.root()?;
    let column = value_at(root, path.parent()?.segments(), request.reader)?;
    let written = ["jsonPath", "JSONPath"].iter().find_map(|key| string(own_entry(column, key)?.value()))?;
    let schemas = schemas_of(request.document, request.reader, &path, request.probe.at).into_iter();
    let mut schemas = schemas.filter_map(|schema| {
        Schema::read(value_at(root, schema.segments(), request.reader)?, request.reader)
    });
    schemas.find_map(|schema| crd::column_type(&written, &schema))
}

/// A path to a field.
fn leaf(path: String, type_name: &str, description: String) -> Proposal {
    let value = Proposal::value(path, true);
    Proposal { kind: CompletionKind::Field, detail: type_name.to_owned(), meaning: description, ..value }
}

/// Finds the fields below `root` that a path of `field` may lead to, those nearer to the root first. It
/// enters only lists that the path `typed` enters.
fn leaves(root: Schema<'_, '_>, field: PathField, typed: &str, found: &mut Vec<Proposal>) {
    let mut pending = VecDeque::from([(String::new(), root, 0)]);
    let mut seen = 0;
    while let Some((path, schema, depth)) = pending.pop_front() {
        for (name, entry) in schema.members(Keyword::Properties).entries {
            seen += 1;
            if seen > MOST_SEEN || depth == 0 && matches!(&*name, "apiVersion" | "kind" | "metadata") {
                continue;
            }
            let Some(below) = Schema::read(entry.value(), schema.reader()) else { continue };
            let path = path.clone() + &step_text(&name);
            if field == PathField::Column
                && let Some(filter) = Filter::begun(&path, typed)
                && let Some(items) = below.schema(Keyword::Items)
            {
                filter.leaves(&path, &items, is_of_conditions(&below), found);
                continue;
            }
            if field == PathField::Column
                && is_of_conditions(&below)
                && typed.strip_prefix(&*path) == Some("[")
            {
                found.push(ready(&path));
            }
            let entered = (field == PathField::Column).then(|| entered(&path, &below, typed)).flatten();
            let (path, below) = entered.unwrap_or((path, below));
            let type_name = type_of(&below);
            if fits(field, &path, type_name.as_deref()) {
                let description = below.string(Keyword::Description).unwrap_or_default().into_owned();
                found.push(leaf(path, &type_name.unwrap_or_default(), description));
            } else if field == PathField::Column && is_of_conditions(&below) {
                found.push(ready(&path));
            } else if depth < DEEPEST {
                pending.push_back((path, below, depth + 1));
            }
        }
    }
}

/// The status of the most common condition, in the list at `path`.
fn ready(path: &str) -> Proposal {
    let path = format!("{path}[?(@.type==\"Ready\")].status");
    leaf(path, "string", "The status of the condition `Ready`.".to_owned())
}

/// The elements of the list `schema` at `path`, if the path `typed` continues there with a bracket. A closed
/// bracket is kept.
fn entered<'r, 't>(path: &str, schema: &Schema<'r, 't>, typed: &str) -> Option<(String, Schema<'r, 't>)> {
    let bracket = typed.strip_prefix(path).filter(|rest| rest.starts_with('['))?;
    let items = schema.schema(Keyword::Items)?;
    let closed = bracket.find(']').and_then(|end| bracket.get(..=end));
    let index = closed.unwrap_or("[0]");
    Some((format!("{path}{index}"), items))
}

/// An incomplete filter: `[?(@.type=="Re`.
struct Filter<'t> {
    /// The name of the compared field, as far as it is typed.
    name: &'t str,
    /// The value, as far as it is typed, and its quote.
    value: Option<(&'t str, char)>,
}

impl<'t> Filter<'t> {
    /// The incomplete filter of the list at `path`, if the path `typed` ends with one.
    fn begun(path: &str, typed: &'t str) -> Option<Self> {
        let filter = typed.strip_prefix(path)?.strip_prefix("[?").filter(|rest| !rest.contains(']'))?;
        let compared = filter.trim_start_matches(['(', ' ', '@', '.']);
        let (name, value) =
            compared.split_once("==").map_or((compared, None), |(name, value)| (name, Some(value)));
        let value = value.map(|value| {
            let value = value.trim_start();
            let quote = if value.starts_with('\'') { '\'' } else { '"' };
            (value.trim_matches(quote), quote)
        });
        Some(Self { name: name.trim(), value })
    }

    /// Finds the fields of the items that a string selects: one of an enumeration, the most common condition,
    /// or the typed one.
    fn leaves(&self, path: &str, items: &Schema<'_, '_>, is_of_conditions: bool, found: &mut Vec<Proposal>) {
        let members: Vec<_> = items.members(Keyword::Properties).entries.into_iter().collect();
        let members = members.iter().filter_map(|(name, entry)| {
            let below = Schema::read(entry.value(), items.reader())?;
            let type_name = type_of(&below)?;
            Some((&**name, below, type_name))
        });
        let mut members: Vec<_> = members.collect();
        // The status of conditions comes first.
        members.sort_by_key(|(name, ..)| *name != "status");
        for (name, below, _) in members.iter().filter(|(name, _, type_name)| {
            type_name == "string"
                && if self.value.is_some() { *name == self.name } else { name.starts_with(self.name) }
        }) {
            let listed = below
                .items(Keyword::Enum)
                .filter_map(|item| Some(item.value().as_scalar()?.as_str()?.into_owned()));
            let mut values: Vec<String> = listed.take(MOST).collect();
            if values.is_empty() && is_of_conditions && *name == "type" {
                values.push("Ready".to_owned());
            }
            let (typed, quote) = self.value.unwrap_or(("", '"'));
            if !typed.is_empty() && !values.iter().any(|value| value == typed) {
                values.push(typed.to_owned());
            }
            for value in values {
                for (other, of_other, type_name) in members.iter().filter(|(other, ..)| other != name) {
                    if found.len() >= MOST {
                        return;
                    }
                    let description = of_other.string(Keyword::Description).unwrap_or_default().into_owned();
                    let step = step_text(other);
                    let text = format!("{path}[?(@{}=={quote}{value}{quote})]{step}", step_text(name));
                    found.push(leaf(text, type_name, description));
                }
            }
        }
    }
}

/// The type of a value that is neither an object nor a list.
fn type_of(schema: &Schema<'_, '_>) -> Option<String> {
    match schema.type_name() {
        TypeName::Named(name) if !matches!(&*name, "object" | "array") => Some(name.into_owned()),
        _ if schema.is_true(Keyword::IntOrString) => Some("integer or string".to_owned()),
        _ => None,
    }
}

/// Whether the server accepts a path to a field of that type, or shows its value.
fn fits(field: PathField, path: &str, type_name: Option<&str>) -> bool {
    let Some(type_name) = type_name else { return false };
    match field {
        PathField::Column => true,
        PathField::Selectable => matches!(type_name, "string" | "integer" | "boolean"),
        PathField::SpecReplicas => type_name == "integer" && path.starts_with(".spec."),
        PathField::StatusReplicas => type_name == "integer" && path.starts_with(".status."),
        PathField::LabelSelector => {
            type_name == "string" && (path.starts_with(".status.") || path.starts_with(".spec."))
        }
    }
}

/// Whether a list has conditions as in the Kubernetes API.
fn is_of_conditions(schema: &Schema<'_, '_>) -> bool {
    let Some(items) = schema.schema(Keyword::Items) else { return false };
    let properties = items.members(Keyword::Properties);
    properties.get("type").is_some() && properties.get("status").is_some()
}

/// The paths of the other items of the list that contains the path at `path`.
fn other_paths<'a>(request: &Request<'a, '_>, root: Value<'a>, path: &FieldPath) -> Vec<String> {
    let [list @ .., Segment::Index(own), field] = path.segments() else { return Vec::new() };
    let items = value_at(root, list, request.reader).and_then(Value::as_sequence);
    let items = items.into_iter().flat_map(yaml::Sequence::items).enumerate();
    let others = items.filter(|(index, _)| index != own).filter_map(|(_, item)| {
        let path = request.reader.entry(item.value().as_mapping()?, field.key()?)?.value();
        Some(path.as_scalar()?.text().into_owned())
    });
    others.collect()
}
