//! The additional checks for updates of metadata (`ValidateObjectMetaUpdate`).

use super::error_at;
use crate::customresource::error::{Facts, ValueError};
use crate::field_path::FieldPath;
use crate::message::Message;
use crate::report::ErrorType;
use crate::value::{Kind, Value, quoted};

/// Fields that cannot be changed.
const IMMUTABLE: [&str; 6] =
    ["name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"];

/// The server's errors for `metadata`, which replaces `stored`; both are already decoded.
pub(crate) fn validate_object_meta_update(metadata: &Value, stored: &Value) -> Vec<ValueError> {
    let root = FieldPath::root();
    let path = root.child("metadata");
    let mut errors = Vec::new();
    if stored.get("deletionTimestamp").is_some() {
        errors.extend(no_new_finalizers(metadata, stored));
    }
    let generation = |of: &Value| match of.get("generation").map(|value| &value.kind) {
        Some(Kind::Int(number)) => *number,
        _ => 0,
    };
    if generation(metadata) < generation(stored) {
        let detail = "must not be decremented";
        let path = path.child("generation");
        errors.push(error_at(&root, &path, ErrorType::Invalid, metadata.get("generation"), detail));
    }
    for name in IMMUTABLE {
        let (new, old) = (metadata.get(name), stored.get(name));
        if new != old {
            let detail = "field is immutable";
            let mut error = error_at(&root, &path.child(name), ErrorType::Invalid, new, detail);
            let empty = if matches!(name, "name" | "namespace" | "uid") { "\"\"" } else { "null" };
            error.bad_value.get_or_insert_with(|| empty.to_owned());
            error.place = error.place.or(metadata.place);
            let remedy = match (new, old) {
                (_, None) => "remove it",
                (None, _) => "add the stored value",
                _ => "restore the stored value",
            };
            error.facts = Facts::message(Message::new(format!("`{name}` is immutable")).advise(remedy));
            errors.push(error);
        }
    }
    errors
}

fn no_new_finalizers(metadata: &Value, stored: &Value) -> Option<ValueError> {
    let names = |of: &Value| -> Vec<String> {
        let items = of.get("finalizers").and_then(Value::as_list).unwrap_or_default();
        items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let before = names(stored);
    let mut added = names(metadata);
    added.retain(|name| !before.contains(name));
    added.sort();
    added.dedup();
    if added.is_empty() {
        return None;
    }
    let added: Vec<String> = added.iter().map(|name| quoted(name)).collect();
    let detail = format!(
        "no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
        added.join(", ")
    );
    let path = FieldPath::root().child("metadata").child("finalizers");
    let finalizers = metadata.get("finalizers");
    let mut error = error_at(&FieldPath::root(), &path, ErrorType::Forbidden, finalizers, detail);
    error.bad_value = None;
    Some(error)
}
