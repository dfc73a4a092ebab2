//! Changes of feature gates on fields, a proposal: gates that are switched off or on.

use api::Code;

use super::AffectedParty::{Readers, Writers};
use super::{Change, ChangeSeverity};
use crate::cache::Cache;
use crate::customresource::ResourceVersion;
use crate::field_path::FieldPath;
use crate::gates::{FeatureGates, GatedField, steps};
use crate::locate::locate;
use crate::object::CustomResourceDefinition;
use crate::schema::structural::Structural;

/// Changes for fields that existed before and that a gate guards in one of the two definitions.
pub(super) fn compare<'o, 'n>(
    old: &CustomResourceDefinition<'_, 'o>,
    new: &CustomResourceDefinition<'_, 'n>,
    cache: &mut Cache,
) -> Vec<Change> {
    let (before, now) = (FeatureGates::read(old).fields(), FeatureGates::read(new).fields());
    if before.is_empty() && now.is_empty() {
        return Vec::new();
    }
    let versions = ResourceVersion::all(old, old.reader(), cache);
    let was_there = |path: &str| {
        // An invalid path is a separate error.
        let Ok(steps) = steps(path) else { return false };
        versions
            .iter()
            .filter_map(|version| version.schema.as_ref())
            .any(|(schema, _)| declares_field(schema, &steps))
    };
    // If several gates guard a field, it needs all of them.
    let is_off =
        |fields: &[GatedField], path: &str| fields.iter().any(|field| field.path == path && !field.on);
    let mut changes = Vec::new();
    for field in now.iter().filter(|field| !field.on && was_there(&field.path)) {
        if is_off(&before, &field.path) {
            continue;
        }
        let was = match before.iter().find(|other| other.path == field.path) {
            Some(other) => format!("the feature gate `{}` was on ({})", other.gate, other.reason),
            None => "no feature gate guarded it before".to_owned(),
        };
        let message = format!(
            "the feature gate `{}` is now off ({}), and {was}: new objects lose `{}`, stored objects keep it",
            field.gate, field.reason, field.path
        );
        let was = before.iter().find(|other| other.path == field.path);
        changes.push(change(&field.path, ChangeSeverity::Breaking, message, was, Some(field), new));
    }
    for field in before.iter().filter(|field| !field.on && was_there(&field.path)) {
        if is_off(&now, &field.path) {
            continue;
        }
        let is = now.iter().find(|other| other.path == field.path);
        let what = match is {
            Some(other) => format!("the feature gate `{}` is now on ({})", other.gate, other.reason),
            None => format!("the feature gate `{}` no longer guards it", field.gate),
        };
        let message = format!("{what}: `{}` is now stored", field.path);
        changes.push(change(&field.path, ChangeSeverity::Safe, message, Some(field), is, new));
    }
    changes
}

/// The change for the field at `path`, with its gates before and now.
fn change(
    path: &str,
    class: ChangeSeverity,
    message: String,
    was: Option<&GatedField>,
    is: Option<&GatedField>,
    new: &CustomResourceDefinition<'_, '_>,
) -> Change {
    let spec = FieldPath::of_names(["spec"]);
    let is_safe = class == ChangeSeverity::Safe;
    Change {
        code: if is_safe { Code::CompatGateOn } else { Code::CompatGateOff },
        class,
        affects: if is_safe { &[] } else { &[Writers, Readers] },
        cause: message.clone(),
        message,
        version: None,
        object_path: path.to_owned(),
        range: is.map_or_else(|| locate(new.value(), &spec, new.reader()).range, |gate| gate.range),
        field_path: new.path().child("spec"),
        before: was.map(|gate| gate.range),
        ratchets: false,
    }
}

/// Whether the schema declares the field.
fn declares_field(schema: &Structural, steps: &[&str]) -> bool {
    let mut node = schema;
    for step in steps {
        match node.properties.get(*step) {
            Some(child) => node = &child.node,
            None => return false,
        }
    }
    !steps.is_empty()
}
