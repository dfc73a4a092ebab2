//! The recorded rules, with the values of the recorder.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::{Node, Rule};
use crate::support::{Case, cases, evaluations, schemas};

/// Rules of the newest release. They share few schemas, so the server's work for each schema hardly counts.
pub(super) fn nodes() -> Vec<Node> {
    let schemas = schemas();
    let mut nodes: BTreeMap<(String, bool), Node> = BTreeMap::new();
    // Rules that occur in both are used once, as evaluations.
    let evaluated = evaluations();
    let known: std::collections::HashSet<&str> = evaluated.iter().map(|case| &*case.id).collect();
    let others = cases().into_iter().filter(|case| !known.contains(&*case.id));
    for case in others.collect::<Vec<_>>().iter().chain(&evaluated) {
        let is_rule = case.str("kind", "rule") == "rule" && case.minor() == 37 && !case.flag("stored");
        if !is_rule || case.json["issues"].is_array() || case.json.get("panic").is_some() {
            continue;
        }
        let schema = case.str("schema", "types.yaml");
        let key = (schema.to_owned(), case.flag("root"));
        let node =
            nodes.entry(key).or_insert_with(|| Node::new(&schemas[schema], case.flag("root")).unwrap());
        let on = case.json["value"].is_boolean().then(|| {
            let this = object(case, "object", "objectFile", Some("types.json"));
            let old = object(case, "oldSelf", "oldSelfFile", None);
            [this, old].map(|value| value.map(|value| place(node, value)))
        });
        node.rules.push(Rule {
            text: case.text.clone(),
            optional_old_self: case.flag("optionalOldSelf"),
            on: on.into_iter().collect(),
        });
    }
    nodes.into_values().collect()
}

/// The index of `value`, which is added if it is new.
fn place(node: &mut Node, value: Json) -> usize {
    node.values.iter().position(|known| *known == value).unwrap_or_else(|| {
        node.values.push(value);
        node.values.len() - 1
    })
}

fn object(case: &Case, key: &str, file_key: &str, default: Option<&str>) -> Option<Json> {
    if let Some(value) = case.json.get(key) {
        return Some(value.clone());
    }
    let file = match case.json.get(file_key) {
        Some(Json::String(file)) => file.as_str(),
        Some(_) => return None,
        None => default?,
    };
    let path = format!("{}/../../fixtures/cel/objects/{file}", env!("CARGO_MANIFEST_DIR"));
    Some(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
}
