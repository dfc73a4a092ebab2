//! The crates of the program on all platforms.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;

use crate::place;

/// A crate that is linked into the program, or whose texts are included.
pub(crate) struct Crate {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The SPDX expression, if the crate has one.
    pub(crate) licence: Option<String>,
    pub(crate) authors: Vec<String>,
    pub(crate) repository: Option<String>,
    pub(crate) folder: PathBuf,
    /// Whether it is in this repository.
    pub(crate) is_own: bool,
    /// The crates that it uses, as NAME VERSION.
    pub(crate) uses: BTreeSet<String>,
}

impl Crate {
    pub(crate) fn key(&self) -> String {
        format!("{} {}", self.name, self.version)
    }
}

/// All crates by name and version.
pub(crate) struct Graph {
    pub(crate) crates: BTreeMap<String, Crate>,
    /// The checksums of their packages, from `Cargo.lock`.
    pub(crate) checksums: BTreeMap<String, String>,
}

impl Graph {
    /// Reads the crates that cargo resolves for the program with its default features.
    pub(crate) fn read() -> Result<Self, String> {
        let output = place::stdout_of(&mut place::cargo(&["metadata", "--locked", "--format-version", "1"]))?;
        let metadata: Value =
            serde_json::from_str(&output).map_err(|error| format!("cargo metadata: {error}"))?;
        let lock = super::read_text(&place::repository().join("Cargo.lock"))?;
        Ok(Self { crates: crates(&metadata)?, checksums: checksums(&lock) })
    }
}

fn crates(metadata: &Value) -> Result<BTreeMap<String, Crate>, String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages: BTreeMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|package| (text(&package["id"]), package)).collect();
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|node| (text(&node["id"]), node)).collect();
    let program = packages.iter().find(|(_, package)| package["name"] == "crd-ls");
    let (program, _) = program.ok_or("cargo metadata knows no package crd-ls")?;
    let mut found = BTreeMap::new();
    let mut pending = vec![program.clone()];
    let mut seen = BTreeSet::new();
    while let Some(id) = pending.pop() {
        if !seen.insert(id.clone()) {
            continue;
        }
        let package = packages.get(&id).ok_or_else(|| format!("cargo metadata knows no package {id}"))?;
        let node = nodes.get(&id).ok_or_else(|| format!("cargo metadata resolves no package {id}"))?;
        let is_own = package["source"].is_null();
        // The program contains data that our build scripts read. Build scripts of other crates only compile.
        let is_linked = |kind: &Value| kind["kind"].is_null() || (is_own && kind["kind"] == "build");
        let used =
            list(&node["deps"]).into_iter().filter(|used| list(&used["dep_kinds"]).iter().any(is_linked));
        let used: Vec<String> = used.map(|used| text(&used["pkg"])).collect();
        let named = |id: &String| packages.get(id).map(key);
        let one = Crate {
            name: text(&package["name"]),
            version: text(&package["version"]),
            licence: package["license"].as_str().map(str::to_owned),
            authors: list(&package["authors"]).iter().map(text).collect(),
            repository: package["repository"].as_str().map(str::to_owned),
            folder: PathBuf::from(text(&package["manifest_path"]))
                .parent()
                .map(PathBuf::from)
                .unwrap_or_default(),
            is_own,
            uses: used.iter().filter_map(named).collect(),
        };
        found.insert(one.key(), one);
        pending.extend(used);
    }
    Ok(found)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn key(package: &Value) -> String {
    format!("{} {}", text(&package["name"]), text(&package["version"]))
}

/// The checksums by name and version.
fn checksums(lock: &str) -> BTreeMap<String, String> {
    let value = |block: &str, key: &str| {
        let line =
            block.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")).map(str::to_owned));
        line.map(|value| value.trim_end_matches('"').to_owned())
    };
    let blocks = lock.split("[[package]]").skip(1);
    let of = |block: &str| {
        let (name, version) = (value(block, "name")?, value(block, "version")?);
        Some((format!("{name} {version}"), value(block, "checksum")?))
    };
    blocks.filter_map(of).collect()
}
