//! The marks of objects that kustomize merges into others.

use yaml::{Sequence, Value};

/// Whether a key of `value`, at any depth, is a directive of a strategic merge patch.
#[must_use]
pub fn holds_merge_directive(value: Value<'_>) -> bool {
    let is_directive =
        |key: &str| key == "$patch" || key == "$retainKeys" || key.starts_with("$setElementOrder/");
    let Some(root) = value.as_mapping() else { return false };
    let mut pending = vec![root];
    while let Some(mapping) = pending.pop() {
        for entry in mapping.entries() {
            if entry.key_text().is_some_and(|key| is_directive(&key)) {
                return true;
            }
            pending.extend(entry.value().as_mapping());
            let items = entry.value().as_sequence().into_iter().flat_map(Sequence::items);
            pending.extend(items.filter_map(|item| item.value().as_mapping()));
        }
    }
    false
}
