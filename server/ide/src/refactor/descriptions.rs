//! Stubs for descriptions.

use crd::schema::{Keyword, Schema};
use yaml::Value;
use yaml::edit::{Editor, NewEntry, NewValue, Position};

use super::target::RefactoringTarget;
use super::{EditGuarantee, Offer, RefactoringKind};
use crate::analysis::place;

/// The maximum number of descriptions that are added at once.
const MOST: usize = 2_000;

/// Adds placeholder descriptions to the properties at the place and below that have none.
pub(super) fn stubs(target: &RefactoringTarget<'_, '_>, editor: &Editor<'_>) -> Vec<Offer> {
    let Some(at) = target.schema().filter(|_| target.is_in_spine()) else { return Vec::new() };
    let mut undescribed = Vec::new();
    if let Some(name) = &at.name {
        note(&at.schema, name, &mut undescribed);
    }
    collect(&at.schema, at.name.is_none(), &mut undescribed);
    let title = match undescribed.as_slice() {
        [] => return Vec::new(),
        [(_, name)] => format!("Add a `description` stub to `{name}`"),
        many => format!("Add `description` stubs to {} properties", many.len()),
    };
    let edits = super::edits(editor, |editor| {
        for (schema, name) in &undescribed {
            let entry = NewEntry::new("description", NewValue::Text(format!("TODO: describe {name}")));
            let position = match schema.as_mapping() {
                Some(mapping) if place::is_sorted(mapping) => place::by_name(mapping, &entry.key),
                Some(mapping) => place::by_rank(mapping, &entry.key),
                None => Position::End,
            };
            editor.insert(*schema, position, entry);
        }
    });
    vec![Offer { title, kind: RefactoringKind::Rewrite, edits, promise: EditGuarantee::NothingNew }]
}

fn note<'t>(schema: &Schema<'_, 't>, name: &str, undescribed: &mut Vec<(Value<'t>, String)>) {
    if schema.entry(Keyword::Description).is_none() {
        undescribed.push((schema.value(), name.to_owned()));
    }
}

fn collect<'t>(schema: &Schema<'_, 't>, is_resource: bool, undescribed: &mut Vec<(Value<'t>, String)>) {
    if undescribed.len() >= MOST {
        return;
    }
    for (name, field) in schema.members(Keyword::Properties).entries {
        // The server describes the fields that all resources have.
        let is_own = !(is_resource && matches!(name.as_ref(), "apiVersion" | "kind" | "metadata"));
        let is_here = !matches!(field.value().kind(), yaml::ValueKind::Alias(_));
        if let Some(field) = Schema::read(field.value(), schema.reader()).filter(|_| is_own && is_here) {
            note(&field, &name, undescribed);
            collect(&field, field.is_true(Keyword::EmbeddedResource), undescribed);
        }
    }
    for below in [Keyword::Items, Keyword::AdditionalProperties] {
        let is_here = schema.entry(below).is_some_and(|entry| entry.value().as_mapping().is_some());
        if let Some(below) = schema.schema(below).filter(|_| is_here) {
            collect(&below, false, undescribed);
        }
    }
}
