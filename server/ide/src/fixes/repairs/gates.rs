//! Repairs of feature gates that the proposal would reject.

use api::Code;
use crd::gates::{Stage, steps};
use crd::schema::{Keyword, Schema};
use yaml::edit::NewEntry;

use super::super::plan::Change;
use super::site::{Site, levels, set};
use super::{Repair, Repairer};
use crate::analysis::fix::Title;
use crate::analysis::values::{own_entry, raw, string, text};

pub(super) const REPAIRS: &[(Code, Repairer)] = &[
    (Code::GatesDefault, default),
    (Code::GatesDefaultDropped, enable_gate),
    (Code::GatesSharedPath, remove_from_gate),
    (Code::GatesFieldPath, correct_path),
    (Code::GatesForm, name_stage),
    (Code::GatesPath, enable_gate),
    (Code::GatesPublished, enable_gate),
    (Code::GatesRequired, not_required),
    (Code::GatesRule, enable_gate),
];

/// Sets the default that the stage requires; for a beta gate, only the author knows it.
fn default<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((gate, entry)) = site.entry() else { return Vec::new() };
    if entry.key_text().as_deref() != Some("default") {
        let add = |value: &'static str| {
            let entry = NewEntry::new("default", raw(value));
            Repair::suggested(format!("Add `default: {value}`"), vec![Change::AddField(gate, entry)])
        };
        return vec![add("false"), add("true")];
    }
    let is_on = entry.value().as_scalar().is_some_and(|scalar| scalar.text() == "true");
    let value = if is_on { "false" } else { "true" };
    let stage = ["preRelease", "prerelease"].iter().find_map(|key| own_entry(gate, key));
    let stage = stage.and_then(|stage| string(stage.value()));
    let gates = stage.map_or_else(|| "this stage".to_owned(), |stage| format!("`{stage}` gates"));
    let title = format!("Set `default: {value}` (required for {gates})");
    vec![Repair::suggested(title, vec![Change::Replace(entry.value(), raw(value))])]
}

/// Enables the gate that forbids a field.
fn enable_gate<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(named) = site.finding.related.first() else { return Vec::new() };
    let path = levels(site.definition, named.range);
    let gate = path.iter().rev().map(|level| level.value).find(|value| value.as_mapping().is_some());
    let Some(gate) = gate else { return Vec::new() };
    let name = own_entry(gate, "name").and_then(|entry| string(entry.value())).unwrap_or_default();
    let title = format!("Set `enabled: true` on the gate `{name}`");
    vec![Repair::suggested(title, vec![set(gate, "enabled", raw("true"))])]
}

/// Removes the requirement of a field whose gate is off, or enables the gate.
fn not_required<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let mut repairs = Vec::new();
    if let (Some((list, item)), Some(owner)) = (site.item(), site.schema_with(Keyword::Required)) {
        let name = string(item.value()).unwrap_or_default();
        let is_last = owner.items(Keyword::Required).count() == 1;
        let change = match owner.entry(Keyword::Required).filter(|_| is_last) {
            Some(entry) => Change::Remove(owner.value(), entry),
            None => Change::RemoveItem(list, item),
        };
        repairs
            .push(Repair::suggested(Title::removal(format_args!("`{name}` from `required`")), vec![change]));
    }
    repairs.extend(enable_gate(site));
    repairs
}

/// Removes the field from a second gate.
fn remove_from_gate<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((list, item)) = site.item() else { return Vec::new() };
    let path = string(item.value()).unwrap_or_default();
    let title = Title::removal(format_args!("`{path}` from this gate"));
    vec![Repair::suggested(title, vec![Change::RemoveItem(list, item)])]
}

/// Corrects a path: adds its missing dot, or replaces an undeclared name with a similar declared one.
fn correct_path<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((_, item)) = site.item() else { return Vec::new() };
    let Some(own) = string(item.value()) else { return Vec::new() };
    let path = match own.strip_prefix('$').unwrap_or(&own) {
        dotted if dotted.starts_with('.') => dotted.to_owned(),
        other => format!(".{other}"),
    };
    let Ok(names) = steps(&path) else { return Vec::new() };
    let Some(names) = declared(site, &names) else { return Vec::new() };
    let path = format!(".{}", names.join("."));
    let title = format!("Change `{own}` to `{path}`");
    vec![Repair::suggested(title, vec![Change::Replace(item.value(), text(path))])]
}

/// The names in the first schema, each as it is or replaced with the most similar one.
fn declared(site: &Site<'_, '_, '_>, names: &[&str]) -> Option<Vec<String>> {
    let place = site.definition.schemas().into_iter().next()?;
    let mut schema = Schema::read(place.value, site.reader);
    let mut found = Vec::new();
    for name in names {
        let of = schema?;
        let members = of.members(Keyword::Properties);
        let known = members.entries.iter().map(|(known, _)| known.as_ref());
        let name = if members.get(name).is_some() { name } else { crd::cel::nearest(name, known)? };
        found.push(name.to_owned());
        schema = members.get(name).and_then(|entry| Schema::read(entry.value(), site.reader));
    }
    Some(found)
}

/// Corrects the stage.
fn name_stage<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((gate, entry)) = site.entry() else { return Vec::new() };
    let is_stage = ["preRelease", "prerelease"]
        .iter()
        .any(|key| own_entry(gate, key).is_some_and(|own| own.range() == entry.range()));
    let written = string(entry.value()).filter(|_| is_stage);
    let stages = Stage::ALL.map(Stage::as_str);
    let aliases = [("GA", "stable"), ("ga", "stable")];
    let correction = written.and_then(|written| {
        let alias = aliases.iter().find(|(alias, _)| *alias == written).map(|(_, stage)| *stage);
        let stage = alias.or_else(|| crd::cel::nearest(&written, stages))?;
        Some((written, stage))
    });
    correction
        .map(|(written, stage)| {
            Repair::suggested(
                format!("Change `{written}` to `{stage}`"),
                vec![Change::Replace(entry.value(), text(stage))],
            )
        })
        .into_iter()
        .collect()
}
