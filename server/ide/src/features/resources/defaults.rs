//! Edits that write the server's defaults into a resource.

use text::TextRange;
use yaml::edit::{Editor, NewEntry, NewValue, Position};
use yaml::{Document, Reader, Value, ValueKind};

use crate::analysis::resources::place::{Resource, View};
use crate::analysis::resources::shape::Shape;
use crate::analysis::text_at::document_at;
use crate::features::resources::explain::{default, flow, truncated};
use crate::{Applicability, Fix};

/// The maximum number of defaults that are offered separately.
const MOST: usize = 10;
/// The maximum number of characters of a default in a title.
const LONGEST: usize = 60;

/// Fixes that write the missing defaults of an object in a resource: the innermost one at `range` that lacks
/// some.
pub(crate) fn write_defaults(view: View<'_>, range: TextRange) -> Vec<Fix> {
    let Some(document) = document_at(view.tree, range.start) else { return Vec::new() };
    let reader = Reader::new(document);
    let Some(resource) = Resource::at(document, &reader, view.surroundings, range.start) else {
        return Vec::new();
    };
    let Some((object, missing)) = object_without_defaults(&resource, &reader, range) else {
        return Vec::new();
    };
    let write = |title: String, defaults: &[(String, String)]| fix(document, object, title, defaults);
    let one = |one: &(String, String)| {
        let written = truncated(&format!("{}: {}", one.0, one.1), LONGEST);
        write(format!("Insert the default `{written}`"), std::slice::from_ref(one))
    };
    let mut fixes: Vec<Fix> = missing.iter().take(MOST).filter_map(one).collect();
    if missing.len() > 1 {
        fixes.extend(write(format!("Insert the {} defaults of this object", missing.len()), &missing));
    }
    fixes
}

type MissingDefaults<'t> = (Value<'t>, Vec<(String, String)>);

/// The innermost object around `range` that lacks defaults, with their names and values.
fn object_without_defaults<'t>(
    resource: &Resource<'t, '_>,
    reader: &Reader<'t>,
    range: TextRange,
) -> Option<MissingDefaults<'t>> {
    let mut found = None;
    let mut next = Some((resource.value, resource.shape()));
    while let Some((value, shape)) = next.take() {
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                let known = reader.entries(mapping);
                let is_missing =
                    |name: &str| !known.iter().any(|(key, _)| key == name) && !resource.drops(value, name);
                let missing = defaults(shape, is_missing);
                if !missing.is_empty() {
                    found = Some((value, missing));
                }
                let entry = mapping.entries().find(|entry| entry.range().touches(range.start));
                next = entry.and_then(|entry| Some((entry.value(), shape.member(&entry.key_text()?)?.shape)));
            }
            ValueKind::Sequence(sequence) => {
                let item = sequence.items().find(|item| item.range().touches(range.start));
                next = item.and_then(|item| Some((item.value(), shape.item()?)));
            }
            _ => {}
        }
    }
    found
}

fn defaults(shape: Shape<'_>, is_missing: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let Some(node) = shape.schema().filter(|node| node.schema.has_defaults) else { return Vec::new() };
    let missing = node.schema.properties.iter().filter(|(name, _)| is_missing(name));
    missing.filter_map(|(name, child)| Some((name.to_string(), flow(default(node.at(child))?)))).collect()
}

fn fix<'t>(
    document: Document<'t>,
    object: Value<'t>,
    title: String,
    defaults: &[(String, String)],
) -> Option<Fix> {
    let mut editor = Editor::new(document);
    for (name, value) in defaults {
        editor.insert(object, Position::End, NewEntry::new(name.clone(), NewValue::Raw(value.clone())));
    }
    let edits = editor.finish().ok()?;
    Some(Fix::new(title, edits, Applicability::Suggested, Vec::new()))
}
