//! Marks in schemas of v1 that preserve unknown fields.
//!
//! v1 prunes undeclared fields, unless a node has `x-kubernetes-preserve-unknown-fields: true`, which applies
//! to the fields of that node only. v1beta1 pruned only if the definition requested it.

use std::collections::BTreeSet;

use crd::object::{CustomResourceDefinition, definitions};
use crd::schema::{Keyword, Schema, TypeName};
use text::{TextEdit, TextSize};
use yaml::edit::{Comments, EditError, Editor, NewEntry, NewValue};
use yaml::{Document, Reader, Value};

use super::UnknownFields;
use crate::analysis::place;
use crate::analysis::values::text;

/// The number of changes.
#[derive(Default)]
pub(super) struct ChangeCounts {
    /// Nodes that now keep unknown fields.
    nodes: usize,
    /// Nodes without a type.
    untyped: usize,
    /// Versions without a declared `status`.
    statuses: usize,
}

impl ChangeCounts {
    pub(super) fn notes(&self, kept: bool, unknown: UnknownFields) -> Vec<String> {
        let nodes = match self.nodes {
            1 => "one node has".to_owned(),
            count => format!("{count} nodes have"),
        };
        let marked_nodes = format!("{nodes} `x-kubernetes-preserve-unknown-fields: true`");
        let mut notes = Vec::new();
        match unknown {
            _ if !kept => {}
            UnknownFields::Keep if self.nodes > 0 => {
                notes.push(format!("undeclared fields are still kept: {marked_nodes}"));
            }
            UnknownFields::Keep => {}
            UnknownFields::Drop => {
                let open = if self.nodes > 0 {
                    format!("; {marked_nodes} because they declare no fields")
                } else {
                    String::new()
                };
                notes.push(format!("undeclared fields are now pruned{open}"));
            }
        }
        if self.untyped > 0 {
            notes.push(format!("nodes without a type still accept any value ({} nodes)", self.untyped));
        }
        if self.statuses > 0 {
            notes.push("`status` was not declared; it now accepts any object".to_owned());
        }
        notes
    }
}

/// Marks the schemas of the definitions. `policies` has for each definition whether it kept unknown fields.
pub(super) fn step(
    document: Document<'_>,
    reader: &Reader<'_>,
    policies: &[Option<bool>],
    unknown: UnknownFields,
) -> Result<(Vec<TextEdit>, ChangeCounts), EditError> {
    let mut editor = Editor::new(document);
    let mut marked = ChangeCounts::default();
    let mut seen = BTreeSet::new();
    for (definition, policy) in definitions(document, reader).iter().zip(policies) {
        let Some(kept) = *policy else { continue };
        let mut pass = Pass { kept, unknown, seen: &mut seen, marked: &mut marked, editor: &mut editor };
        pass.definition(definition, reader);
    }
    Ok((editor.finish()?, marked))
}

struct Pass<'p, 't> {
    /// Whether unknown fields were kept before.
    kept: bool,
    unknown: UnknownFields,
    /// The visited nodes: an alias leads to a node again.
    seen: &'p mut BTreeSet<TextSize>,
    marked: &'p mut ChangeCounts,
    editor: &'p mut Editor<'t>,
}

impl<'t> Pass<'_, 't> {
    fn definition<'r>(&mut self, definition: &CustomResourceDefinition<'r, 't>, reader: &'r Reader<'t>) {
        let versions: Vec<_> = definition.versions().collect();
        for place in definition.schemas() {
            let Some(schema) = Schema::read(place.value, reader) else { continue };
            let has_status =
                versions.iter().any(|version| Some(version.index) == place.version && version.has_status());
            if has_status && self.kept && self.unknown == UnknownFields::Drop {
                self.declare_status(&schema);
            }
            self.node(&schema, true);
        }
    }

    /// Declares `status`, because otherwise the fields that a controller writes would be pruned.
    fn declare_status(&mut self, root: &Schema<'_, 't>) {
        let fields = root.members(Keyword::Properties);
        let holder = root.get(Keyword::Properties).filter(|_| fields.get("status").is_none());
        let preserves = root.is_true(Keyword::PreserveUnknownFields);
        let Some(holder) = holder.filter(|_| !preserves && !fields.entries.is_empty()) else { return };
        let entries = vec![
            NewEntry::new("type", text("object")),
            NewEntry::new(Keyword::PreserveUnknownFields.as_str(), NewValue::yes()),
        ];
        let entry = NewEntry::new("status", NewValue::Mapping { entries, flow: false });
        let sorted = holder.as_mapping().filter(|mapping| place::is_sorted(*mapping));
        let position = sorted.map_or(yaml::edit::Position::End, |mapping| place::by_name(mapping, "status"));
        self.editor.insert(holder, position, entry);
        self.marked.statuses += 1;
    }

    /// Marks `schema` and the schemas below it, except for the metadata of a resource, which the server
    /// declares.
    fn node(&mut self, schema: &Schema<'_, 't>, is_resource: bool) {
        if !self.seen.insert(schema.value().range().start) {
            return;
        }
        let is_resource = is_resource || schema.is_true(Keyword::EmbeddedResource);
        self.mark(schema);
        let fields = schema.members(Keyword::Properties);
        for (name, field) in &fields.entries {
            let is_metadata = is_resource && name.as_ref() == "metadata";
            if let Some(field) = Schema::read(field.value(), schema.reader()).filter(|_| !is_metadata) {
                self.node(&field, false);
            }
        }
        for keyword in [Keyword::Items, Keyword::AdditionalProperties] {
            if let Some(below) = schema.schema(keyword) {
                self.node(&below, false);
            }
        }
    }

    fn mark(&mut self, schema: &Schema<'_, 't>) {
        if schema.is_true(Keyword::PreserveUnknownFields) || schema.is_true(Keyword::IntOrString) {
            return;
        }
        let value = schema.value();
        let others = schema.get(Keyword::AdditionalProperties);
        let type_name = match schema.type_name() {
            TypeName::Missing => String::new(),
            TypeName::Named(name) => name.into_owned(),
            TypeName::Unreadable => return,
        };
        match type_name.as_str() {
            "" => {
                self.preserve(value);
                self.marked.untyped += 1;
            }
            // All fields of its values would be pruned, because no schema declares any.
            "object" if schema.boolean(Keyword::AdditionalProperties) == Some(true) => {
                if let Some(entry) = schema.entry(Keyword::AdditionalProperties) {
                    self.editor.remove(value, entry, Comments::Keep);
                }
                self.preserve(value);
            }
            "object" if others.is_none() && self.kept => {
                let declares = schema.get(Keyword::Properties).is_some();
                if self.unknown == UnknownFields::Keep || !declares {
                    self.preserve(value);
                }
            }
            "array" if schema.get(Keyword::Items).is_none() && self.kept => {
                let any = NewEntry::new(Keyword::PreserveUnknownFields.as_str(), NewValue::yes());
                let items = NewValue::Mapping { entries: vec![any], flow: false };
                self.insert(value, NewEntry::new(Keyword::Items.as_str(), items));
                self.marked.nodes += 1;
            }
            _ => {}
        }
    }

    fn preserve(&mut self, schema: Value<'t>) {
        self.insert(schema, NewEntry::new(Keyword::PreserveUnknownFields.as_str(), NewValue::yes()));
        self.marked.nodes += 1;
    }

    fn insert(&mut self, schema: Value<'t>, entry: NewEntry<'t>) {
        let position = match schema.as_mapping() {
            Some(mapping) if place::is_sorted(mapping) => place::by_name(mapping, &entry.key),
            Some(mapping) => place::by_rank(mapping, &entry.key),
            None => yaml::edit::Position::End,
        };
        self.editor.insert(schema, position, entry);
    }
}
