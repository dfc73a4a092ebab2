//! Definitions in consecutive releases of projects: the histories of definitions.

use std::collections::BTreeMap;

use serde_json::Value;

use super::corpus::{documents, files};

/// A definition in a release, and its successor in the next release in which it differs.
pub(crate) struct Step {
    pub(crate) title: String,
    pub(crate) old: Value,
    pub(crate) new: Value,
}

/// The steps of all histories in `histories/PROJECT/…/FILE/NUMBER-RELEASE.yaml`; empty without this folder.
pub(crate) fn steps() -> Vec<Step> {
    let Some(root) = environment::fixtures("histories") else { return Vec::new() };
    let mut paths = files(root.clone());
    // The releases of a file are adjacent.
    paths.sort();
    let mut last: BTreeMap<(String, String), (String, Value)> = BTreeMap::new();
    let mut steps = Vec::new();
    for path in paths {
        let title = path.strip_prefix(&root).unwrap().display().to_string();
        let file = path.parent().unwrap().display().to_string();
        for mut new in documents(&path) {
            drop_descriptions(&mut new["spec"]["versions"]);
            let name = new["metadata"]["name"].as_str().unwrap_or_default().to_owned();
            let next = (title.clone(), new.clone());
            let Some((before, old)) = last.insert((file.clone(), name.clone()), next) else { continue };
            if old["spec"]["versions"] != new["spec"]["versions"] {
                let release = title.rsplit('/').next().unwrap_or_default();
                steps.push(Step { title: format!("{name}: {before} -> {release}"), old, new });
            }
        }
    }
    steps
}

/// Removes the descriptions of schemas, which change with each release, but keeps properties of that name.
fn drop_descriptions(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, member| name != "description" || !member.is_string());
            members.values_mut().for_each(drop_descriptions);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_descriptions),
        _ => {}
    }
}
