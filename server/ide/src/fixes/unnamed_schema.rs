//! Fixes for schemas without the line that names their property, if the name occurs elsewhere.

use text::{TextEdit, TextSize};
use yaml::{Document, Value};

use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::text_at::values_to;
use crate::analysis::unnamed_schema::UnnamedSchema;
use crate::analysis::values::{key_above, own_entry, string};
use crate::{Finding, Fix};

/// The maximum number of names that are tried.
const MOST_TRIED: usize = 3;
/// The properties of a root, in order.
const OF_ROOT: [&str; 5] = ["apiVersion", "kind", "metadata", "spec", "status"];
const ROOT: &str = "openAPIV3Schema";
/// The placeholder for an unknown name of a property.
const UNNAMED: &str = "unnamed";

/// The fixes for the touched findings of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, .. } = *request;
    let fix = |finding: &Finding| {
        let unnamed_schema = UnnamedSchema::of(document, finding)?;
        let names = names(document, &unnamed_schema).into_iter().take(MOST_TRIED);
        let tried: Vec<(String, Vec<TextEdit>)> = names
            .filter_map(|name| {
                Some((
                    format!("Add `{name}:` above this line"),
                    insert_name(document, &unnamed_schema, &name)?,
                ))
            })
            .collect();
        let proven = tried.into_iter().filter_map(|(title, edits)| {
            let left = proof.remaining(&edits).filter(|_| proof.reduces(finding.code, &edits))?;
            Some((left, title, edits))
        });
        let (_, title, edits) = proven.min_by_key(|(left, ..)| *left)?;
        Some(Fix::suggested(title, edits, finding.code, finding.range))
    };
    request.touched().filter_map(fix).collect()
}

/// The edits that make the schema at `finding` a property, with a placeholder name.
pub(super) fn unnamed(document: Document<'_>, finding: &Finding) -> Option<Vec<TextEdit>> {
    let unnamed_schema =
        UnnamedSchema::of(document, finding).filter(|unnamed_schema| unnamed_schema.is_certain)?;
    let is_free = own_entry(unnamed_schema.properties, UNNAMED).is_none();
    insert_name(document, &unnamed_schema, UNNAMED).filter(|_| is_free)
}

/// Inserts a line with `name` above the first keyword.
fn insert_name(
    document: Document<'_>,
    unnamed_schema: &UnnamedSchema<'_>,
    name: &str,
) -> Option<Vec<TextEdit>> {
    Some(vec![key_above(document, unnamed_schema.first.range().start, unnamed_schema.column, name)?])
}

/// The possible names of the property, the likeliest first: undeclared names in `required` or in a path of
/// the version, and for a root the next field of every object.
fn names(document: Document<'_>, unnamed_schema: &UnnamedSchema<'_>) -> Vec<String> {
    let UnnamedSchema { owner, properties, first, .. } = unnamed_schema;
    let required = own_entry(*owner, "required").and_then(|entry| entry.value().as_sequence());
    let required = required.into_iter().flat_map(|list| list.items().filter_map(|item| string(item.value())));
    let mut names: Vec<String> = required.collect();
    if let Some((version, path)) = version_and_path(document, *owner, first.range().start) {
        let next = |written: String| {
            // In a path, the selection of an item follows the name of the list.
            let name = |step: &str| step.split('[').next().unwrap_or(step).to_owned();
            let mut steps = written.strip_prefix('.')?.split('.').map(name);
            let leads_here = path.iter().all(|name| steps.next().as_ref() == Some(name));
            steps.next().filter(|_| leads_here)
        };
        names.extend(paths(version).into_iter().filter_map(next));
        if path.is_empty() {
            names.extend(OF_ROOT.map(str::to_owned));
        }
    }
    let mut before = properties.as_mapping().into_iter().flat_map(yaml::Mapping::entries);
    let before =
        before.rfind(|entry| entry.range().start < first.range().start).and_then(|entry| entry.key_text());
    // The next field in the order of a root is likelier than the others.
    let place = before.and_then(|name| OF_ROOT.iter().position(|known| *known == name));
    let next =
        place.and_then(|place| OF_ROOT.get(place + 1)).filter(|next| names.iter().any(|name| name == *next));
    if let Some(next) = next {
        names.insert(0, (*next).to_owned());
    }
    let is_plain = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'))
    };
    let mut seen = std::collections::HashSet::new();
    names
        .retain(|name| is_plain(name) && own_entry(*properties, name).is_none() && seen.insert(name.clone()));
    names
}

/// The version that contains the schema `owner`, and the names of the properties on the path to it.
fn version_and_path<'t>(
    document: Document<'t>,
    owner: Value<'t>,
    start: TextSize,
) -> Option<(Value<'t>, Vec<String>)> {
    let (mut version, mut names, mut is_name) = (None, Vec::new(), false);
    for value in values_to(document, start) {
        if value.range() == owner.range() {
            return Some((version?, names));
        }
        let Some(mapping) = value.as_mapping() else { continue };
        let key = mapping.entry_before(start)?.key_text()?;
        match &*key {
            "schema" | "validation" if version.is_none() => version = Some(value),
            name if is_name => names.push(name.to_owned()),
            ROOT | "properties" => {}
            _ if version.is_some() => return None,
            _ => {}
        }
        is_name = !is_name && key == "properties" && version.is_some();
    }
    None
}

/// The paths to fields in a version.
fn paths(version: Value<'_>) -> Vec<String> {
    let columns =
        own_entry(version, "additionalPrinterColumns").and_then(|entry| entry.value().as_sequence());
    let columns = columns.into_iter().flat_map(|list| {
        let path = |key: &'static str| {
            list.items().filter_map(move |item| string(own_entry(item.value(), key)?.value()))
        };
        path("jsonPath").chain(path("JSONPath")).collect::<Vec<_>>()
    });
    let scale = own_entry(version, "subresources").and_then(|entry| own_entry(entry.value(), "scale"));
    let scale = scale.into_iter().flat_map(|scale| {
        let fields = scale.value().as_mapping().into_iter().flat_map(yaml::Mapping::entries);
        fields.filter_map(|field| string(field.value())).collect::<Vec<_>>()
    });
    columns.chain(scale).collect()
}
