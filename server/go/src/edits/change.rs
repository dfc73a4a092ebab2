//! The changes between two forms of a definition.

use std::collections::BTreeSet;

use crate::json::Json;

/// A changed keyword, or another changed value that one marker sets.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeChange {
    /// The keys and indexes from the root of the definition.
    pub path: Vec<String>,
    /// The value before; `None` if there is none.
    pub before: Option<Json>,
    /// The value after; `None` if there is none.
    pub after: Option<Json>,
}

/// Keys whose values one marker sets as a whole.
const WHOLE: [&str; 7] =
    ["default", "example", "enum", "required", "x-kubernetes-list-map-keys", "annotations", "labels"];

/// Whether a change of a keyword's value contains the whole value.
pub(super) fn is_whole(keyword: &str) -> bool {
    WHOLE.contains(&keyword)
}

/// The changes from `before` to `after`.
#[must_use]
pub fn changes(before: &Json, after: &Json) -> Vec<NodeChange> {
    let mut found = Vec::new();
    compare(&mut Vec::new(), Some(before), Some(after), &mut found);
    found
}

fn compare(path: &mut Vec<String>, before: Option<&Json>, after: Option<&Json>, found: &mut Vec<NodeChange>) {
    if before == after {
        return;
    }
    // Names of properties are not keywords.
    let is_property = path.len() > 1 && path.get(path.len() - 2).is_some_and(|above| above == "properties");
    let is_whole = !is_property && path.last().is_some_and(|key| is_whole(key));
    match (before, after) {
        (Some(Json::Map(old)), Some(Json::Map(new))) if !is_whole => {
            let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for key in keys {
                path.push(key.clone());
                compare(path, old.get(key), new.get(key), found);
                path.pop();
            }
        }
        (Some(Json::List(old)), Some(Json::List(new))) if !is_whole && old.len() == new.len() => {
            for (at, (old, new)) in old.iter().zip(new).enumerate() {
                path.push(at.to_string());
                compare(path, Some(old), Some(new), found);
                path.pop();
            }
        }
        _ => found.push(NodeChange { path: path.clone(), before: before.cloned(), after: after.cloned() }),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::changes;
    use crate::json::Json;

    fn diff_lines(before: &str, after: &str) -> Vec<String> {
        let changes = changes(&Json::decoded(before).unwrap(), &Json::decoded(after).unwrap());
        let text = |value: &Option<Json>| value.as_ref().map_or("-".to_owned(), Json::encoded);
        changes
            .iter()
            .map(|one| format!("{}: {} -> {}", one.path.join("."), text(&one.before), text(&one.after)))
            .collect()
    }

    #[test]
    fn a_change_is_reported_for_its_keyword() {
        assert_eq!(
            diff_lines(r#"{"a":{"maxItems":1}}"#, r#"{"a":{"maxItems":2,"x":true}}"#),
            ["a.maxItems: 1 -> 2", "a.x: - -> true"]
        );
        assert_eq!(diff_lines(r#"{"enum":[1,2]}"#, r#"{"enum":[1,3]}"#), ["enum: [1,2] -> [1,3]"]);
        assert_eq!(
            diff_lines(r#"{"r":[{"rule":"a"}]}"#, r#"{"r":[{"rule":"b"}]}"#),
            ["r.0.rule: \"a\" -> \"b\""]
        );
        assert_eq!(
            diff_lines(r#"{"properties":{"enum":{"type":"a"}}}"#, r#"{"properties":{"enum":{"type":"b"}}}"#),
            ["properties.enum.type: \"a\" -> \"b\""]
        );
    }
}
