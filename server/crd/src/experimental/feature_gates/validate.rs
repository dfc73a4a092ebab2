//! The requirements for the gates of a definition.

use std::collections::BTreeMap;

use api::{Code, Severity};

use super::hidden_parts;
use crate::experimental::{Definition, finding};
use crate::finding::{Finding, RelatedInformation};
use crate::gates::GatePlace;
use crate::gates::{FeatureGates, Gate, Spanned, Stage, steps};
use crate::message::Message;
use crate::object::SchemaPlace;
use crate::schema::{Keyword, Schema, TypeName};
use crate::suggest::did_you_mean;
use crate::{Cache, Options};

/// The maximum number of paths that are searched in schemas; each search visits all properties on the path.
const MOST_PATHS: usize = 2_000;

/// The findings on the gates of `definition`.
pub(in crate::experimental) fn check(
    definition: &Definition<'_, '_>,
    options: &Options,
    cache: &mut Cache,
) -> Vec<Finding> {
    let gates = FeatureGates::read(definition);
    let error = |code, place, message: Message| finding(code, Severity::Error, place, message);
    let problems = gates.problems.iter().cloned();
    let mut findings: Vec<Finding> =
        problems.map(|(place, message)| error(Code::GatesForm, place, message)).collect();
    findings.extend(names(&gates));
    findings.extend(shared_paths(&gates));
    findings.extend(gates.gates.iter().flat_map(|gate| default(gate).into_iter().chain(deprecated(gate))));
    let schemas = definition.schemas();
    for path in gates.gates.iter().flat_map(|gate| &gate.field_paths).take(MOST_PATHS) {
        if let Some(message) = wrong_path(definition, &schemas, &path.value) {
            findings.push(error(Code::GatesFieldPath, place(path), message.into()));
        }
    }
    findings.extend(hidden_parts::check(definition, &gates, options, cache));
    findings
}

fn place<T>(written: &Spanned<T>) -> GatePlace {
    (written.range, written.path.clone())
}

/// Each gate has a unique name.
fn names(gates: &FeatureGates) -> Vec<Finding> {
    let mut known: BTreeMap<&str, &Gate> = BTreeMap::new();
    let mut findings = Vec::new();
    for gate in gates.gates.iter().filter(|gate| !gate.name.value.is_empty()) {
        if let Some(first) = known.get(&*gate.name.value) {
            let message = format!("the gate `{}` already exists", gate.title());
            let mut found = finding(Code::GatesForm, Severity::Error, place(&gate.name), message);
            found.related.push(RelatedInformation::here(first.name.range, "the first one"));
            findings.push(found);
        } else {
            known.insert(&gate.name.value, gate);
        }
    }
    findings
}

/// No two gates guard the same field.
fn shared_paths(gates: &FeatureGates) -> Vec<Finding> {
    let mut known: BTreeMap<&str, (&Gate, &Spanned<String>)> = BTreeMap::new();
    let mut findings = Vec::new();
    for gate in &gates.gates {
        for path in &gate.field_paths {
            let Some((first, before)) = known.get(&*path.value) else {
                known.insert(&path.value, (gate, path));
                continue;
            };
            let message = if std::ptr::eq(*first, gate) {
                format!("this gate already has `{}`", path.value)
            } else {
                format!(
                    "`{}` is already guarded by `{}`; a field can have only one gate",
                    path.value,
                    first.title()
                )
            };
            let mut found = finding(Code::GatesSharedPath, Severity::Error, place(path), message);
            found.related.push(RelatedInformation::here(before.range, "guarded here"));
            findings.push(found);
        }
    }
    findings
}

/// The requirements of the stage of a gate for its `default`.
fn default(gate: &Gate) -> Option<Finding> {
    let stage = gate.stage.as_ref()?;
    let default = gate.default.as_ref();
    let (place, message) = match (stage.value, default.map(|default| default.value)) {
        (Stage::Alpha, Some(true)) => (default?, "the default of an alpha gate is `false`".to_owned()),
        (Stage::Stable, Some(false)) => (default?, "the default of a stable gate is `true`".to_owned()),
        (Stage::Beta, None) => {
            let message = format!("the beta gate `{}` needs a `default`: `true` or `false`", gate.title());
            return Some(finding(Code::GatesDefault, Severity::Error, self::place(stage), message));
        }
        _ => return None,
    };
    Some(finding(Code::GatesDefault, Severity::Error, self::place(place), message))
}

fn deprecated(gate: &Gate) -> Option<Finding> {
    let stage = gate.stage.as_ref().filter(|stage| stage.value == Stage::Deprecated)?;
    let message = match &gate.warning {
        Some(warning) => Message::from(format!("`{}` is deprecated: {warning}", gate.title())),
        None => Message::new(format!("the gate `{}` is deprecated", gate.title()))
            .advise("remove it when nobody sets it any more"),
    };
    Some(finding(Code::GatesDeprecated, Severity::Warning, place(stage), message))
}

/// Why `path` leads to no field, with the version if it leads to one in others; `None` if it leads to one in all.
fn wrong_path(definition: &Definition<'_, '_>, schemas: &[SchemaPlace<'_>], path: &str) -> Option<String> {
    let steps = match steps(path) {
        Ok(steps) => steps,
        Err(why) => return Some(format!("`{path}` is not a simple JSON path: {why}")),
    };
    let without: Vec<(Option<String>, String)> = schemas
        .iter()
        .filter_map(|schema| {
            let of = schema.version.and_then(|index| definition.versions().find(|own| own.index == index));
            let name = of.and_then(|version| version.name()).map(|name| name.into_owned());
            let root = Schema::read(schema.value, definition.reader())?;
            Some((name, missing(root, &steps)?))
        })
        .collect();
    let (_, why) = without.first()?;
    let names: Vec<&str> = without.iter().filter_map(|(name, _)| name.as_deref()).collect();
    let versions = match names.as_slice() {
        _ if without.len() == schemas.len() => String::new(),
        [one] => format!(" in version {one}"),
        several => format!(" in versions {}", several.join(", ")),
    };
    Some(format!("`{path}` is not a field{versions}: {why}"))
}

/// The problem on the path `steps` below `schema`, if there is one.
fn missing(schema: Schema<'_, '_>, steps: &[&str]) -> Option<String> {
    let mut schema = schema;
    for (at, step) in steps.iter().enumerate() {
        let above = || format!(".{}", steps.get(..at).unwrap_or_default().join("."));
        let members = schema.members(Keyword::Properties);
        let next = match members.get(step) {
            Some(entry) => Schema::read(entry.value(), schema.reader()),
            None => schema.schema(Keyword::AdditionalProperties),
        };
        if let Some(next) = next {
            schema = next;
            continue;
        }
        // Any field may exist there.
        if schema.is_true(Keyword::PreserveUnknownFields)
            || schema.boolean(Keyword::AdditionalProperties) == Some(true)
        {
            return None;
        }
        return Some(match schema.type_name() {
            TypeName::Named(name) if name != "object" => {
                format!("`{}` has type {name}, but a path can only lead through objects", above())
            }
            _ => {
                let near = did_you_mean(step, members.entries.iter().map(|(name, _)| name.as_ref()));
                format!("the schema declares no `{step}`{near}")
            }
        });
    }
    None
}
