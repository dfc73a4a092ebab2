//! The definitions of the corpus.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use yaml::Tree;

use super::beside;

/// A definition, and its file relative to the corpus.
pub(crate) struct Definition {
    pub(crate) file: String,
    pub(crate) value: Value,
}

/// The definitions by name, in the order of their paths; empty without the corpus.
pub(crate) fn definitions() -> BTreeMap<String, Vec<Definition>> {
    let Some(root) = beside::shared("corpus", "skipped") else { return BTreeMap::new() };
    let mut all: BTreeMap<String, Vec<Definition>> = BTreeMap::new();
    for path in files(root.clone()) {
        for value in documents(&path) {
            let name = value["metadata"]["name"].as_str().unwrap_or_default().to_owned();
            let file = path.strip_prefix(&root).unwrap().display().to_string();
            all.entry(name).or_default().push(Definition { file, value });
        }
    }
    all
}

/// The definitions in a file that have a schema.
pub(crate) fn documents(path: &Path) -> Vec<Value> {
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    if !text.contains("CustomResourceDefinition") {
        return Vec::new();
    }
    let tree = Tree::parse(&text);
    let decoded = tree.documents().filter_map(|document| {
        let decoded = yaml::decode(document).ok()?;
        let value: Value = serde_json::from_str(&decoded.json.to_string()).unwrap();
        let is_whole = value["spec"]["versions"][0]["schema"].is_object();
        (value["kind"] == "CustomResourceDefinition" && is_whole).then_some(value)
    });
    decoded.collect()
}

/// The YAML files below a directory, in the order of their paths.
pub(crate) fn files(root: PathBuf) -> Vec<PathBuf> {
    let mut pending = vec![root];
    let mut files = Vec::new();
    while let Some(path) = pending.pop() {
        if let Ok(entries) = std::fs::read_dir(&path) {
            pending.extend(entries.map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The suffix of the groups of this run: an interrupted run leaves its definitions on the server.
pub(crate) fn group() -> String {
    format!("run{}.example.com", std::process::id())
}

/// The definition in a separate group, so that several definitions can be on the server at the same time, and
/// without parts that need another program.
pub(crate) fn in_group(definition: &Value, group: &str) -> Value {
    let spec = &definition["spec"];
    let name = format!("{}.{group}", spec["names"]["plural"].as_str().unwrap());
    let mut own = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": name},
        "spec": {"group": group, "scope": spec["scope"], "names": spec["names"], "versions": spec["versions"]},
    });
    if spec["preserveUnknownFields"] == true {
        own["spec"]["preserveUnknownFields"] = json!(true);
    }
    own
}

/// The definition with only one version, as `crd-ls test` tests it.
pub(crate) fn alone(definition: &Value, version: usize) -> Value {
    let mut alone = definition.clone();
    let mut only = definition["spec"]["versions"][version].clone();
    only["served"] = json!(true);
    only["storage"] = json!(true);
    alone["spec"]["versions"] = json!([only]);
    alone
}
