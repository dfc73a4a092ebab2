//! What makes a mistake of a planted text, where that stands elsewhere: a schema of a root is wrong because there is a status
//! subresource, a comparison with a number because the field is a text. Where another mistake is planted in its place,
//! nothing in the definition says any more that something is wrong, and there is nothing to tell.

use serde_json::Value as Json;

use crate::several::{Known, Part};

/// Findings by which the server reports one thing, the first where it comes to it and the second where another check of the
/// same place comes first.
const ALIKE: [[&str; 2]; 1] = [["structural/type-required", "structural/embedded-type"]];
/// What says no more of a schema than `type` alone.
const SILENT: [&str; 5] = ["type", "description", "title", "nullable", "items"];

/// Whether one of `found` is what is told by `finding`, in these words or those of the check that comes first.
pub(crate) fn is_told(finding: &Known, found: impl Fn(&Known) -> bool) -> bool {
    let (code, path) = finding;
    let alike = ALIKE.iter().filter(|[late, _]| late == code);
    found(finding) || alike.into_iter().any(|[_, first]| found(&(*first, path.clone())))
}

/// Whether what makes a mistake of `parts`, which alone is told with `codes`, is gone by `others`. `data` is the definition
/// before all mistakes.
pub(crate) fn are_lost<'p>(
    codes: impl Iterator<Item = &'static str>,
    parts: &[Part],
    others: impl Iterator<Item = &'p Part> + Clone,
    data: &Json,
) -> bool {
    let mut codes = codes.peekable();
    codes.peek().is_some() && codes.all(|code| is_lost(code, parts, others.clone(), data))
}

fn is_lost<'p>(
    code: &str,
    parts: &[Part],
    mut others: impl Iterator<Item = &'p Part> + Clone,
    data: &Json,
) -> bool {
    let holders = || parts.iter().filter_map(|(at, _)| at.rsplit_once('/')).map(|(holder, _)| holder);
    let replaces = |place: &str| others.clone().any(|(at, _)| at == place);
    match code {
        // Another version is stored now, or the other one no longer.
        "versions/one-storage" | "stored-versions/empty" => others.any(|(at, value)| {
            let is_stored = value.as_ref().is_some_and(|value| value["storage"] == true);
            at.starts_with("/spec/versions/") && is_stored || is_in_version(at, "storage")
        }),
        // There is no name any more that could be another one.
        "names/metadata-name" => others.any(|(at, value)| at == "/metadata/name" && value.is_none()),
        // The versions have other names, or another one is no longer stored.
        "versions/unique-names" => others.any(|(at, _)| is_in_version(at, "name")),
        "stored-versions/storage-missing" => others.any(|(at, _)| is_in_version(at, "storage")),
        // Unknown fields are kept.
        "defaults/unknown-fields" => {
            holders().any(|holder| replaces(&format!("{holder}/x-kubernetes-preserve-unknown-fields")))
        }
        // The definition has no status subresource any more.
        "subresources/status-root-fields" | "subresources/status-root-type" => {
            let version = |at: &str| at.split('/').take(4).collect::<Vec<_>>().join("/");
            parts.iter().any(|(at, _)| replaces(&format!("{}/subresources/status", version(at))))
        }
        // Nothing says that it is a list.
        "structural/items-required" => {
            holders().any(|holder| is_only_type(data.pointer(holder)) && replaces(&format!("{holder}/type")))
        }
        // There are no items whose type could be wrong; that there are none is told.
        "schema/list-map-items-object" => holders().any(|holder| replaces(&format!("{holder}/items"))),
        // Nothing says of which type the field is that the rule reads.
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

/// Whether `at` is that field of a version.
fn is_in_version(at: &str, field: &str) -> bool {
    let steps: Vec<&str> = at.split('/').skip(1).collect();
    matches!(steps.as_slice(), ["spec", "versions", _, last] if *last == field)
}

/// Whether a schema tells its type by `type` alone.
fn is_only_type(schema: Option<&Json>) -> bool {
    let keywords = schema.and_then(Json::as_object).into_iter().flatten();
    keywords.into_iter().all(|(keyword, _)| SILENT.contains(&keyword.as_str()))
}
