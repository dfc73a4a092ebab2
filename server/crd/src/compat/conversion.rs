//! Fields that objects lose in conversions between versions, and did not lose before.

use std::collections::BTreeSet;

use api::Code;

use super::AffectedParty::{Readers, StoredObjects, Writers};
use super::between::losses_between;
use super::loss::{Loss, LossKind};
use super::{Change, ChangeSeverity};
use crate::cache::Cache;
use crate::compat::Direction;
use crate::customresource::ResourceVersion;
use crate::field_path::{FieldPath, Segment};
use crate::object::CustomResourceDefinition;
use crate::schema::structural::Structural;

/// The key of a loss, equal in both definitions for the same loss.
type Id = (Direction, String, String);

/// The losses in `new` that `old` does not have. A loss is breaking if the version already had the field and
/// both versions existed, so that objects were converted before. It is risky if the field or a version is
/// new, because nobody depends on it yet. If a field was removed from one version, that change is reported
/// separately.
pub(super) fn compare<'o, 'n>(
    old: &CustomResourceDefinition<'_, 'o>,
    new: &CustomResourceDefinition<'_, 'n>,
    cache: &mut Cache,
) -> Vec<Change> {
    let (storage, pairs) = losses_between(new, cache);
    if pairs.iter().all(|pair| pair.losses.is_empty()) {
        return Vec::new();
    }
    let names_strategy =
        |of: &CustomResourceDefinition<'_, '_>| of.field(&["spec", "conversion", "strategy"]).is_some();
    let has_strategy = names_strategy(old) || names_strategy(new);
    let before: BTreeSet<Id> = losses_between(old, cache)
        .1
        .into_iter()
        .flat_map(|pair| {
            let version = pair.version;
            pair.losses
                .into_iter()
                .map(move |(direction, loss)| (direction, version.clone(), loss.object_path))
        })
        .collect();
    let earlier = ResourceVersion::all(old, old.reader(), cache);
    let earlier = |name: &str| earlier.iter().find(|version| version.name == name);
    let roots: Vec<(String, FieldPath)> = new
        .versions()
        .filter_map(|version| {
            let place = new.schemas().into_iter().find(|place| place.version == Some(version.index))?;
            Some((version.name()?.into_owned(), place.path))
        })
        .collect();
    let mut changes = Vec::new();
    for pair in pairs {
        for (direction, loss) in pair.losses {
            let (own, other) = match direction {
                Direction::FromStorage => (&storage, &pair.version),
                Direction::ToStorage | Direction::Both => (&pair.version, &storage),
            };
            let is_known = before.contains(&(direction, pair.version.clone(), loss.object_path.clone()));
            if is_known || matches!(loss.kind, LossKind::Type(..)) {
                continue;
            }
            let root = roots.iter().find(|(name, _)| name == own).map(|(_, path)| path);
            let steps = root.and_then(|root| loss.field_path.strip_prefix(root)).unwrap_or_default();
            let declared = |version: Option<&ResourceVersion>| {
                let schema = version.and_then(|version| version.schema.as_ref());
                schema.is_some_and(|(schema, _)| declares(schema, steps))
            };
            let (was, had) = (earlier(other), declared(earlier(own)));
            // The removal of the field from the other version is reported separately.
            if declared(was) {
                continue;
            }
            let was_served = |version: &ResourceVersion| version.served || version.storage;
            let is_breaking = had && was.is_some_and(was_served) && earlier(own).is_some_and(was_served);
            let class = match (is_breaking, has_strategy) {
                (true, true) => ChangeSeverity::Breaking,
                (true, false) | (false, true) => ChangeSeverity::Risky,
                (false, false) => continue,
            };
            changes.push(change_of(loss, direction, own, other, class));
        }
    }
    changes
}

/// The change for a field that version `own` has and version `other` loses.
fn change_of(loss: Loss, direction: Direction, own: &str, other: &str, class: ChangeSeverity) -> Change {
    let object = if loss.object_path.is_empty() { "the object" } else { loss.object_path.as_str() };
    let (subject, cause) = match direction {
        Direction::FromStorage => (
            format!("`{object}`"),
            format!(
                "lost when an object is written through `{other}`, which does not have it (conversion strategy `None`)"
            ),
        ),
        Direction::ToStorage | Direction::Both => (
            format!("`{object}` of `{own}`"),
            format!(
                "never stored: the storage version `{other}` does not have it (conversion strategy `None`)"
            ),
        ),
    };
    Change {
        code: Code::CompatConversionLoss,
        class,
        affects: &[StoredObjects, Writers, Readers],
        message: format!("{subject} is {cause}"),
        cause,
        version: Some(own.to_owned()),
        object_path: loss.object_path,
        range: loss.range,
        field_path: loss.field_path,
        before: None,
        ratchets: false,
    }
}

/// Whether `schema` has a node at the end of `steps`, a path in a schema.
fn declares(schema: &Structural, steps: &[Segment]) -> bool {
    let mut node = schema;
    let mut steps = steps.iter().filter_map(Segment::key);
    while let Some(keyword) = steps.next() {
        let below = match keyword {
            "properties" => steps.next().and_then(|name| node.properties.get(name)),
            "items" => node.items.as_ref(),
            "additionalProperties" => node.additional_schema(),
            _ => return node.extensions.preserve_unknown_fields,
        };
        match below {
            Some(child) => node = &child.node,
            None => return false,
        }
    }
    true
}
