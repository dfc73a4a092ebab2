//! Compares the stored object with the expected one.

use crd::value::{Kind, Value};

use super::{Failure, metadata, set_metadata};
use crate::suite::Object;

/// Metadata that the server sets.
const GENERATED: [&str; 9] = [
    "uid",
    "generation",
    "creationTimestamp",
    "resourceVersion",
    "managedFields",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "selfLink",
    "generateName",
];

/// Compares everything except metadata that the server sets. The name and the namespace are those that it assigned.
pub(super) fn compare(stored: &Value, expected: &Object) -> Result<(), Failure> {
    let expected = expected.as_ref().map_err(|problem| Failure::new(problem.clone()))?;
    let mut expected = expected.clone();
    for name in ["name", "namespace"] {
        set_metadata(&mut expected, name, metadata(stored, name));
    }
    let mut stored = stored.clone();
    without_generated(&mut stored);
    without_generated(&mut expected);
    if stored == expected {
        return Ok(());
    }
    let reason = "the stored object differs from the expected one".to_owned();
    Err(Failure { reason, stored: Some(Box::new((expected, stored))) })
}

fn without_generated(object: &mut Value) {
    let Kind::Map(map) = &mut object.kind else { return };
    if let Some(member) = map.get_mut("metadata")
        && let Kind::Map(metadata) = &mut member.value.kind
    {
        GENERATED.iter().for_each(|name| {
            metadata.remove(*name);
        });
    }
}
