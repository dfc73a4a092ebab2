//! Repairs of the other fields of `metadata`, and of `spec.preserveUnknownFields`.

use api::Code;
use crd::object::CustomResourceDefinition;
use yaml::edit::{NewEntry, NewValue};

use super::super::plan::Change;
use super::super::resources::texts::{label_key, label_name};
use super::site::{Site, set, set_keyword};
use super::{Repair, Repairer, identity};
use crate::analysis::fix::Title;
use crate::analysis::values::{own_entry, raw, string, text};

pub(super) const REPAIRS: &[(Code, Repairer)] = &[
    (Code::ApprovalInvalid, unapproved),
    (Code::ApprovalMissing, approval),
    (Code::MetadataAnnotationKey, key),
    (Code::MetadataFinalizersConflict, one_finalizer),
    (Code::MetadataGenerateName, generate_name),
    (Code::MetadataLabelKey, key),
    (Code::MetadataLabelValue, value),
    (Code::MetadataNamespaceForbidden, namespace),
    (Code::SpecPreserveUnknownFields, preserve),
    (Code::ConversionPreserveUnknownFields, preserve),
    (Code::DefaultsPreserveUnknownFields, preserve),
];

const APPROVAL: &str = "api-approved.kubernetes.io";

/// The reason for the missing approval of the API.
const UNAPPROVED: &str = "unapproved, this is not a reviewed API";

fn approval<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(metadata) = site.definition.field(&["metadata"]) else { return Vec::new() };
    let value = text(UNAPPROVED);
    let change = match own_entry(metadata, "annotations") {
        Some(annotations) => Change::AddField(annotations.value(), NewEntry::new(APPROVAL, value)),
        None => {
            let entries = vec![NewEntry::new(APPROVAL, value)];
            Change::AddField(
                metadata,
                NewEntry::new("annotations", NewValue::Mapping { entries, flow: false }),
            )
        }
    };
    vec![Repair::suggested(format!("Add the annotation `{APPROVAL}: {UNAPPROVED}`"), vec![change])]
}

/// Turns the text in place of a review's address into the reason for the missing review.
fn unapproved<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(level) = site.last() else { return Vec::new() };
    let Some(own) = string(level.value) else { return Vec::new() };
    let value = text(format!("unapproved, {own}"));
    vec![Repair::suggested(
        format!("Change the value to `unapproved, {own}`"),
        vec![Change::Replace(level.value, value)],
    )]
}

/// Replaces `generateName`: the name of a definition follows from its plural and group.
fn generate_name<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((metadata, entry)) = site.entry() else { return Vec::new() };
    let mut changes = vec![Change::Remove(metadata, entry)];
    if site.string(&["metadata", "name"]).is_some() {
        return vec![Repair::safe(
            Title::removal("`generateName` (the name must be `<plural>.<group>`)"),
            changes,
        )];
    }
    let Some((name, written)) = identity::write_intended_name(site) else { return Vec::new() };
    let title = format!("Replace `generateName` with `name: {name}`");
    changes.extend(written);
    vec![Repair::suggested(title, changes)]
}

/// Removes one of two conflicting finalizers: `orphan` keeps dependents of the definition,
/// `foregroundDeletion` deletes them first.
fn one_finalizer<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(list) = site.definition.field(&["metadata", "finalizers"]) else { return Vec::new() };
    let Some(items) = list.as_sequence().map(yaml::Sequence::items) else { return Vec::new() };
    let named = items.filter_map(|item| Some((string(item.value())?, item)));
    let both = named.filter(|(name, _)| ["orphan", "foregroundDeletion"].contains(&name.as_str()));
    both.map(|(name, item)| {
        Repair::suggested(
            Title::removal(format_args!("the finalizer `{name}`")),
            vec![Change::RemoveItem(list, item)],
        )
    })
    .collect()
}

fn key<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((_, entry)) = site.entry() else { return Vec::new() };
    let Some(key) = entry.key_text() else { return Vec::new() };
    let name = label_key(&key);
    let repair = || {
        Repair::suggested(
            Title::rename(format_args!("`{key}` to `{name}`")),
            vec![Change::Rename(entry, name.clone())],
        )
    };
    (!name.is_empty() && name != *key).then(repair).into_iter().collect()
}

fn value<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(level) = site.last() else { return Vec::new() };
    let Some(own) = string(level.value) else { return Vec::new() };
    let better = label_name(&own);
    let repair = || {
        Repair::suggested(
            format!("Change the value to `{better}`"),
            vec![Change::Replace(level.value, text(better.as_str()))],
        )
    };
    (better != own).then(repair).into_iter().collect()
}

fn namespace<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let remove = |(metadata, entry)| {
        Repair::safe(
            Title::removal("`namespace` (definitions are cluster-scoped)"),
            vec![Change::Remove(metadata, entry)],
        )
    };
    site.entry().map(remove).into_iter().collect()
}

/// Replaces the field: either the schemas of all versions keep unknown fields, or pruning begins.
fn preserve<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(spec) = site.definition.field(&["spec"]) else { return Vec::new() };
    if own_entry(spec, "preserveUnknownFields").is_none() {
        return Vec::new();
    }
    let off = set(spec, "preserveUnknownFields", raw("false"));
    let mut keeping = vec![off.clone()];
    keeping.extend(roots_that_keep(site.definition));
    let mut repairs = vec![Repair::suggested(
        "Set `preserveUnknownFields: false` (undeclared fields are pruned)",
        vec![off],
    )];
    if keeping.len() > 1 {
        repairs.push(Repair::suggested(
            "Set `preserveUnknownFields: false`, and in the schemas `x-kubernetes-preserve-unknown-fields: true` (undeclared fields are kept)",
            keeping,
        ));
    }
    repairs
}

fn roots_that_keep<'t>(definition: &CustomResourceDefinition<'_, 't>) -> Vec<Change<'t>> {
    let places = definition.schemas();
    let roots = places.iter().filter(|place| place.value.as_mapping().is_some());
    roots
        .map(|place| set_keyword(place.value, "x-kubernetes-preserve-unknown-fields", NewValue::yes()))
        .collect()
}
