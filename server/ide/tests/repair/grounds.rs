//! The causes of planted mistakes that are at other places: the schema of a root is wrong because of a status
//! subresource, a comparison with a number because the field is a string. If another mistake replaces the
//! cause, the definition is right in this respect, and no finding is expected.

use serde_json::Value as Json;

use crate::several::{ChangedPart, FindingKey};

/// Pairs of codes with which the server reports the same problem: the first normally, the second if another
/// check of the same place comes first.
const ALIKE: [[&str; 2]; 1] = [["structural/type-required", "structural/embedded-type"]];
/// Keywords that do not determine the type of a schema beyond `type`.
const SILENT: [&str; 5] = ["type", "description", "title", "nullable", "items"];

/// Whether one of `found` reports the problem of `finding`, with the same code or that of the check that
/// comes first.
pub(crate) fn is_reported(finding: &FindingKey, found: impl Fn(&FindingKey) -> bool) -> bool {
    let (code, path) = finding;
    let alike = ALIKE.iter().filter(|[late, _]| late == code);
    found(finding) || alike.into_iter().any(|[_, first]| found(&(*first, path.clone())))
}

/// Whether `others` remove the cause of the mistake `parts`, whose findings have `codes` if it is planted
/// alone. `data` is the definition before all mistakes.
pub(crate) fn are_lost<'p>(
    codes: impl Iterator<Item = &'static str>,
    parts: &[ChangedPart],
    others: impl Iterator<Item = &'p ChangedPart> + Clone,
    data: &Json,
) -> bool {
    let mut codes = codes.peekable();
    codes.peek().is_some() && codes.all(|code| is_lost(code, parts, others.clone(), data))
}

fn is_lost<'p>(
    code: &str,
    parts: &[ChangedPart],
    mut others: impl Iterator<Item = &'p ChangedPart> + Clone,
    data: &Json,
) -> bool {
    let holders = || parts.iter().filter_map(|(at, _)| at.rsplit_once('/')).map(|(holder, _)| holder);
    let replaces = |place: &str| others.clone().any(|(at, _)| at == place);
    match code {
        // Another version is stored now, or the other one is not stored any more.
        "versions/one-storage" | "stored-versions/empty" => others.any(|(at, value)| {
            let is_stored = value.as_ref().is_some_and(|value| value["storage"] == true);
            at.starts_with("/spec/versions/") && is_stored || is_in_version(at, "storage")
        }),
        // There is no name that could differ.
        "names/metadata-name" => others.any(|(at, value)| at == "/metadata/name" && value.is_none()),
        // The versions have other names, or another one is not stored any more.
        "versions/unique-names" => others.any(|(at, _)| is_in_version(at, "name")),
        "stored-versions/storage-missing" => others.any(|(at, _)| is_in_version(at, "storage")),
        // Unknown fields are kept.
        "defaults/unknown-fields" => {
            holders().any(|holder| replaces(&format!("{holder}/x-kubernetes-preserve-unknown-fields")))
        }
        // The definition does not have a status subresource any more.
        "subresources/status-root-fields" | "subresources/status-root-type" => {
            let version = |at: &str| at.split('/').take(4).collect::<Vec<_>>().join("/");
            parts.iter().any(|(at, _)| replaces(&format!("{}/subresources/status", version(at))))
        }
        // The type `array` is missing.
        "structural/items-required" => {
            holders().any(|holder| is_only_type(data.pointer(holder)) && replaces(&format!("{holder}/type")))
        }
        // There are no items whose type could be wrong; another finding reports the missing items.
        "schema/list-map-items-object" => holders().any(|holder| replaces(&format!("{holder}/items"))),
        // The type of the field that the rule reads is missing.
        "cel/rule-compile" => {
            let rules =
                parts.iter().filter_map(|(at, value)| Some((at.rsplit_once('/')?.0, value.as_ref()?)));
            rules.into_iter().any(|(holder, rules)| {
                let rules = rules.to_string();
                let fields = data.pointer(holder).and_then(|schema| schema["properties"].as_object());
                fields.into_iter().flatten().any(|(name, field)| {
                    rules.contains(&format!("self.{name} "))
                        && is_only_type(Some(field))
                        && replaces(&format!("{holder}/properties/{name}/type"))
                })
            })
        }
        _ => false,
    }
}

/// Whether `at` is the field `field` of a version.
fn is_in_version(at: &str, field: &str) -> bool {
    let steps: Vec<&str> = at.split('/').skip(1).collect();
    matches!(steps.as_slice(), ["spec", "versions", _, last] if *last == field)
}

/// Whether only `type` determines the type of a schema.
fn is_only_type(schema: Option<&Json>) -> bool {
    let keywords = schema.and_then(Json::as_object).into_iter().flatten();
    keywords.into_iter().all(|(keyword, _)| SILENT.contains(&keyword.as_str()))
}
