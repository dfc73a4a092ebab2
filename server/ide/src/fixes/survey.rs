//! A walk over all schemas of a document, node by node, with the parts of junctors that concern each node.

use std::collections::HashMap;

use crd::object::definitions;
use crd::schema::{Keyword, Schema};
use crd::{FieldPath, Segment};
use yaml::{Document, Reader};

use super::node::{Level, Node};
use super::occurrence::{Occurrence, branches};
use super::plan::Plan;
use super::skeleton;
use super::tidy::OpenedBranches;

/// The results for the schemas of a document.
#[derive(Debug, Default)]
pub(super) struct SchemaSurvey<'r, 't> {
    /// The repairs of all schema nodes.
    pub(super) plans: Vec<Plan<'t>>,
    /// The nodes with junctors.
    pub(super) hosts: Vec<Schema<'r, 't>>,
    pub(super) opened: OpenedBranches<'t>,
}

/// The repairs of all schema nodes of `document`.
pub(super) fn survey<'r, 't>(document: Document<'t>, reader: &'r Reader<'t>) -> SchemaSurvey<'r, 't> {
    let mut survey = SchemaSurvey::default();
    for definition in definitions(document, reader) {
        for place in definition.schemas() {
            let Some(schema) = Schema::read(place.value, reader) else { continue };
            walk(schema, place.path, Level::Root, None, Vec::new(), reader, &mut survey);
        }
    }
    survey
}

fn walk<'r, 't>(
    schema: Schema<'r, 't>,
    path: FieldPath,
    level: Level,
    forced: Option<&'static str>,
    mut occurrences: Vec<Occurrence<'r, 't>>,
    reader: &'r Reader<'t>,
    survey: &mut SchemaSurvey<'r, 't>,
) {
    branches(&schema, &path, reader, &mut occurrences);
    if schema.entries().any(|(keyword, _)| keyword.is_junctor()) {
        survey.hosts.push(schema.clone());
    }
    let is_resource = level == Level::Root || schema.is_true(Keyword::EmbeddedResource);
    let mut parts_by_field: HashMap<String, Vec<Occurrence<'r, 't>>> =
        skeleton::fields(&occurrences, reader).into_iter().collect();
    for (name, entry) in schema.members(Keyword::Properties).entries {
        let Some(child) = Schema::read(entry.value(), reader) else { continue };
        let parts = parts_by_field.remove(name.as_ref()).unwrap_or_default();
        let forced = match name.as_ref() {
            "kind" | "apiVersion" if is_resource => Some("string"),
            "metadata" if is_resource => Some("object"),
            _ => None,
        };
        let path = path.child("properties").key(&name);
        walk(child, path, Level::Field, forced, parts, reader, survey);
    }
    if let Some(child) = schema.schema(Keyword::Items) {
        let parts = occurrences.iter().filter_map(Occurrence::items).collect();
        walk(child, path.child("items"), Level::Item, None, parts, reader, survey);
    }
    if let Some(child) = schema.schema(Keyword::AdditionalProperties) {
        walk(child, path.child("additionalProperties"), Level::Field, None, Vec::new(), reader, survey);
    }
    let node = Node { name: name_of(&path), schema, path, level, forced, occurrences, reader };
    node.collect_opened(&mut survey.opened);
    survey.plans.extend(node.plans());
}

/// The name of the schema at `path` in a title.
fn name_of(path: &FieldPath) -> String {
    match path.last() {
        Some(Segment::Key(key)) => format!("`{key}`"),
        Some(Segment::Name(name)) if name == "openAPIV3Schema" => "the root schema".to_owned(),
        Some(Segment::Name(name)) => match path.parent() {
            Some(parent) => format!("`{name}` of {}", name_of(&parent)),
            None => format!("`{name}`"),
        },
        _ => "the schema".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_named_with_the_field_that_has_them() {
        let items = FieldPath::root().child("properties").key("hosts").child("items");
        assert_eq!(name_of(&items), "`items` of `hosts`");
        assert_eq!(name_of(&items.child("items")), "`items` of `items` of `hosts`");
    }
}
