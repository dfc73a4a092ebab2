//! The rules of real definitions, with the values of real resources.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::{Node, Rule};

/// The nodes with rules in the definitions of the corpus next to the checkout; empty without the corpus.
pub(super) fn nodes() -> Vec<Node> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let mut files = vec![];
    find(&root, &mut files);
    files.sort();
    let mut definitions = vec![];
    let mut resources: HashMap<(String, String), Vec<Json>> = HashMap::new();
    for document in files.iter().flat_map(|path| documents(path)) {
        let [version, kind] = ["apiVersion", "kind"].map(|key| document[key].as_str().unwrap_or_default());
        if kind == "CustomResourceDefinition" && version == "apiextensions.k8s.io/v1" {
            definitions.push(document);
        } else {
            resources.entry((version.to_owned(), kind.to_owned())).or_default().push(document);
        }
    }
    let mut nodes = vec![];
    for definition in &definitions {
        let spec = &definition["spec"];
        for version in spec["versions"].as_array().into_iter().flatten() {
            let [group, name] =
                [&spec["group"], &version["name"]].map(|name| name.as_str().unwrap_or_default());
            let kind = spec["names"]["kind"].as_str().unwrap_or_default();
            let values = resources.get(&(format!("{group}/{name}"), kind.to_owned()));
            let values: Vec<&Json> = values.into_iter().flatten().collect();
            walk(&version["schema"]["openAPIV3Schema"], true, &values, &mut nodes);
        }
    }
    nodes
}

/// Adds the node if it has rules, and the nodes below: properties, values of maps, items of lists, in the
/// server's order.
fn walk(schema: &Json, is_root: bool, values: &[&Json], nodes: &mut Vec<Node>) {
    let rules: Vec<&Json> = schema["x-kubernetes-validations"].as_array().into_iter().flatten().collect();
    if !rules.is_empty()
        && let Some(mut node) = Node::new(schema, is_root)
    {
        node.values = values.iter().map(|value| (*value).clone()).collect();
        // Each value is used as in an update without changes.
        let on: Vec<_> = (0..values.len()).map(|at| [Some(at), Some(at)]).collect();
        let rules = rules.into_iter().filter_map(|rule| {
            Some(Rule {
                text: rule["rule"].as_str()?.to_owned(),
                optional_old_self: rule["optionalOldSelf"] == true,
                on: on.clone(),
            })
        });
        node.rules = rules.collect();
        nodes.push(node);
    }
    for (name, child) in schema["properties"].as_object().into_iter().flatten() {
        let below: Vec<&Json> = values.iter().filter_map(|value| value.get(name)).collect();
        walk(child, false, &below, nodes);
    }
    if schema["additionalProperties"].is_object() {
        let below: Vec<&Json> =
            values.iter().filter_map(|value| value.as_object()).flat_map(|map| map.values()).collect();
        walk(&schema["additionalProperties"], false, &below, nodes);
    }
    if schema["items"].is_object() {
        let below: Vec<&Json> = values.iter().filter_map(|value| value.as_array()).flatten().collect();
        walk(&schema["items"], false, &below, nodes);
    }
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            files.push(path);
        }
    }
}

/// The documents that the API server's decoder reads.
fn documents(path: &Path) -> Vec<Json> {
    let Ok(text) = std::fs::read_to_string(path) else { return vec![] };
    let tree = yaml::Tree::parse(&text);
    let decoded = tree.documents().filter_map(|document| yaml::decode(document).ok());
    decoded.filter_map(|decoded| serde_json::from_str(&decoded.json.to_string()).ok()).collect()
}
