//! Repairs of `spec.versions`.

use std::collections::BTreeMap;

use api::Code;
use crd::reading::is_null;
use yaml::Value;
use yaml::edit::{NewEntry, NewValue};

use super::super::plan::Change;
use super::names::is_label;
use super::site::{Site, remove, set};
use super::unknown::into_versions;
use super::{Repair, Repairer};
use crate::analysis::fix::Title;
use crate::analysis::values::{are_same, own_entry, raw, string, text};

pub(super) const REPAIRS: &[(Code, Repairer)] = &[
    (Code::LintStatusSubresource, status),
    (Code::LintStorageNotServed, served),
    (Code::VersionsDeprecationWarningEmpty, drop_warning),
    (Code::VersionsDeprecationWarningNotDeprecated, not_deprecated),
    (Code::VersionsDeprecationWarningPrintable, drop_warning),
    (Code::VersionsName, name),
    (Code::VersionsOneStorage, storage),
    (Code::VersionsSchemaRequired, schema),
    (Code::VersionsSchemaRequiredPruned, schema),
    (Code::VersionsUniqueNames, duplicate_name),
];

/// The maximum number of versions that are offered to choose from.
const MOST_CHOICES: usize = 5;
/// The maximum number of selectable fields that a new schema declares, and their maximum depth.
const MOST_SELECTED: usize = 8;
const MOST_STEPS: usize = 20;

fn is_true(version: Value<'_>, key: &str) -> bool {
    let value = own_entry(version, key).and_then(|entry| entry.value().as_scalar());
    // A quoted `true` has the same intention.
    value.is_some_and(|scalar| scalar.text() == "true")
}

fn storage<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let versions: Vec<_> = site.definition.versions().collect();
    let stored = versions.iter().filter(|version| is_true(version.value, "storage")).count();
    // By custom, the newest version is the last or the first; only the author knows which.
    let candidates = versions.iter().filter(|version| stored == 0 || is_true(version.value, "storage"));
    let repairs = candidates.take(MOST_CHOICES).filter_map(|chosen| {
        let others =
            versions.iter().filter(|other| other.index != chosen.index && is_true(other.value, "storage"));
        let mut changes: Vec<Change<'t>> =
            others.map(|other| set(other.value, "storage", raw("false"))).collect();
        if !is_true(chosen.value, "storage") {
            changes.push(set(chosen.value, "storage", NewValue::yes()));
        }
        let title = format!("Set `storage: true` only on `{}`", chosen.name()?);
        Some(Repair::new(versions.len() == 1, title, changes))
    });
    repairs.collect()
}

fn schema<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let version = site.version().or_else(|| site.definition.versions().next().map(|version| version.value));
    let Some(version) = version.filter(|version| version.as_mapping().is_some()) else { return Vec::new() };
    let mut entries = vec![
        NewEntry::new("type", text("object")),
        NewEntry::new("x-kubernetes-preserve-unknown-fields", NewValue::yes()),
    ];
    let selected = SelectedFields::of(version).properties();
    entries.extend((!selected.is_empty()).then(|| properties(selected)));
    let any = NewEntry::new("openAPIV3Schema", NewValue::Mapping { entries, flow: false });
    let any = NewValue::Mapping { entries: vec![any], flow: false };
    // A new schema must not replace existing text, which may be a schema without its first line.
    let own = own_entry(version, "schema").and_then(|entry| entry.value().as_mapping());
    if own.is_some_and(|own| own.entries().any(|entry| !is_null(entry.value()))) {
        return Vec::new();
    }
    let spec = site.definition.field(&["spec"]);
    let shared =
        spec.and_then(|spec| into_versions(site, spec, own_entry(spec, "validation")?, "validation"));
    let mut repairs: Vec<Repair<'t>> = shared.into_iter().collect();
    repairs.push(Repair::suggested(
        "Add a schema that accepts any object and keeps all fields",
        vec![set(version, "schema", any)],
    ));
    let others = site.definition.versions().filter(|other| other.value.range() != version.range());
    repairs.extend(others.take(MOST_CHOICES).filter_map(|other| {
        let copy = own_entry(other.value, "schema").filter(|entry| entry.value().as_mapping().is_some())?;
        let title = format!("Copy the schema of `{}`", other.name()?);
        Some(Repair::suggested(title, vec![set(version, "schema", NewValue::Copy(copy.value()))]))
    }));
    repairs
}

/// The fields that `selectableFields` refer to, each with the fields below it.
#[derive(Default)]
struct SelectedFields(BTreeMap<String, SelectedFields>);

impl SelectedFields {
    fn of(version: Value<'_>) -> Self {
        let mut fields = Self::default();
        let listed = own_entry(version, "selectableFields").and_then(|entry| entry.value().as_sequence());
        for item in listed.into_iter().flat_map(yaml::Sequence::items).take(MOST_SELECTED) {
            let path = own_entry(item.value(), "jsonPath").and_then(|entry| string(entry.value()));
            let steps: Vec<&str> = match path.as_deref().and_then(|path| path.strip_prefix('.')) {
                Some(path) => path.split('.').collect(),
                None => continue,
            };
            let is_name = |step: &&str| {
                !step.is_empty()
                    && step.chars().all(|char| char.is_ascii_alphanumeric() || "_-".contains(char))
            };
            // The server knows the fields of `metadata`.
            if steps.first() != Some(&"metadata") && steps.len() <= MOST_STEPS && steps.iter().all(is_name) {
                steps.into_iter().fold(&mut fields, |at, step| at.0.entry(step.to_owned()).or_default());
            }
        }
        fields
    }

    fn properties<'t>(self) -> Vec<NewEntry<'t>> {
        let field = |(name, below): (String, Self)| {
            let below = below.properties();
            let entries = match below.is_empty() {
                true => vec![NewEntry::new("type", text("string"))],
                false => vec![NewEntry::new("type", text("object")), properties(below)],
            };
            NewEntry::new(name, NewValue::Mapping { entries, flow: false })
        };
        self.0.into_iter().map(field).collect()
    }
}

fn properties(entries: Vec<NewEntry<'_>>) -> NewEntry<'_> {
    NewEntry::new("properties", NewValue::Mapping { entries, flow: false })
}

fn not_deprecated<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(version) = site.version() else { return Vec::new() };
    let mut repairs = vec![Repair::suggested(
        "Add `deprecated: true` (required for `deprecationWarning`)",
        vec![set(version, "deprecated", NewValue::yes())],
    )];
    repairs.extend(drop_warning(site));
    repairs
}

fn drop_warning<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let change = site.version().and_then(|version| remove(version, "deprecationWarning"));
    change
        .map(|change| Repair::suggested(Title::removal("`deprecationWarning`"), vec![change]))
        .into_iter()
        .collect()
}

/// Replaces the name of a version with the nearest valid one, also if it is a number.
pub(super) fn name<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(version) = site.version() else { return Vec::new() };
    let Some(scalar) = own_entry(version, "name").and_then(|entry| entry.value().as_scalar()) else {
        return Vec::new();
    };
    let written = scalar.text();
    let Some(valid) = valid_name(&written).filter(|valid| *valid != written) else { return Vec::new() };
    let is_taken =
        site.definition.versions().any(|other| other.name().is_some_and(|other| other == valid.as_str()));
    let is_lower = valid == written.to_lowercase();
    if is_taken && is_lower {
        let title = Title::removal(format_args!("this version (`{valid}` already exists)"));
        return remove_version(site, version)
            .map(|changes| Repair::suggested(title, changes))
            .into_iter()
            .collect();
    }
    if is_taken {
        return Vec::new();
    }
    let title = Title::rename(format_args!("the version to `{valid}`"));
    vec![Repair::new(is_lower, title, vec![set(version, "name", text(valid.as_str()))])]
}

/// The valid name that `written` means: `v1` for `V1`, `1` and `1.0`.
fn valid_name(written: &str) -> Option<String> {
    let lower = written.to_lowercase().replace('_', "-");
    let name = lower.trim_matches(|char: char| !char.is_ascii_alphanumeric());
    // Versions of an API have no minor versions.
    let name = name.split('.').next().unwrap_or_default();
    let prefix = if name.starts_with(|char: char| char.is_ascii_digit()) { "v" } else { "" };
    Some(format!("{prefix}{name}")).filter(|name| is_label(name))
}

/// Removes a version with the name of an earlier one.
fn duplicate_name<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(version) = site.version() else { return Vec::new() };
    let Some(changes) = remove_version(site, version) else { return Vec::new() };
    let mut earlier = earlier(site, version);
    let is_copy = earlier.any(|other| are_same(other, version));
    let title = if is_copy {
        Title::removal("this version (same as the earlier one)")
    } else {
        Title::removal("this version")
    };
    vec![Repair::new(is_copy, title, changes)]
}

fn earlier<'t>(site: &Site<'_, '_, 't>, version: Value<'t>) -> impl Iterator<Item = Value<'t>> {
    let versions = site.definition.versions().map(|other| other.value);
    versions.take_while(move |other| other.range().start < version.range().start)
}

/// Removes `version`. If no other version is stored, the one with the same name becomes the stored one.
fn remove_version<'t>(site: &Site<'_, '_, 't>, version: Value<'t>) -> Option<Vec<Change<'t>>> {
    let list = site.definition.field(&["spec", "versions"])?;
    let item = list.as_sequence()?.items().find(|item| item.value().range() == version.range())?;
    let mut changes = vec![Change::RemoveItem(list, item)];
    let name = |version| own_entry(version, "name").and_then(|entry| string(entry.value()));
    let wanted = name(version)?.to_lowercase();
    let others = || {
        let versions = site.definition.versions().map(|other| other.value);
        versions.filter(|other| other.range() != version.range())
    };
    if is_true(version, "storage") && !others().any(|other| is_true(other, "storage")) {
        let heir = others().find(|other| name(*other).is_some_and(|name| name.to_lowercase() == wanted));
        changes.extend(heir.map(|heir| set(heir, "storage", NewValue::yes())));
    }
    Some(changes)
}

fn served<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let serve =
        |version| Repair::suggested("Set `served: true`", vec![set(version, "served", NewValue::yes())]);
    site.version().map(serve).into_iter().collect()
}

fn status<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(version) = site.version() else { return Vec::new() };
    let status = || NewEntry::new("status", NewValue::Mapping { entries: Vec::new(), flow: true });
    let change = match own_entry(version, "subresources") {
        Some(entry) => match own_entry(entry.value(), "status") {
            Some(empty) => Change::Replace(empty.value(), status().value),
            None => Change::AddField(entry.value(), status()),
        },
        None => {
            let entries = vec![status()];
            Change::AddField(
                version,
                NewEntry::new("subresources", NewValue::Mapping { entries, flow: false }),
            )
        }
    };
    vec![Repair::suggested("Add the status subresource (status gets its own endpoint)", vec![change])]
}
