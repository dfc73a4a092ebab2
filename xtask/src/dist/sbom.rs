//! The list of the program's components, as CycloneDX 1.6 (<https://cyclonedx.org/docs/1.6/json/>). One commit gives the
//! same bytes: the list has no creation time and no random number.

use serde_json::{Value, json};

use super::graph::{Crate, Graph};
use super::release::Release;

/// Its file name beside the archives.
pub(crate) fn file(release: &Release) -> String {
    format!("crd-ls-{}.cdx.json", release.version)
}

/// The document.
pub(crate) fn text(release: &Release, graph: &Graph) -> String {
    let (program, libraries): (Vec<&Crate>, Vec<&Crate>) =
        graph.crates.values().partition(|one| one.name == "crd-ls");
    let libraries: Vec<Value> = libraries.into_iter().map(|one| component(one, "library", graph)).collect();
    let dependencies = graph.crates.values().map(|one| {
        let uses: Vec<String> =
            one.uses.iter().filter_map(|key| graph.crates.get(key)).map(address).collect();
        json!({ "ref": address(one), "dependsOn": uses })
    });
    let document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": program.first().map(|one| component(one, "application", graph)),
            "properties": [{ "name": "crd-ls:commit", "value": release.commit }],
        },
        "components": libraries,
        "dependencies": dependencies.collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}

fn component(one: &Crate, kind: &str, graph: &Graph) -> Value {
    let mut component = json!({
        "type": kind,
        "bom-ref": address(one),
        "name": one.name,
        "version": one.version,
        "purl": address(one),
    });
    let mut add = |key: &str, value: Value| {
        if let Some(component) = component.as_object_mut() {
            component.insert(key.to_owned(), value);
        }
    };
    if let Some(licence) = &one.licence {
        // Old crates write a slash instead of OR.
        add("licenses", json!([{ "expression": licence.replace('/', " OR ") }]));
    }
    if let Some(checksum) = graph.checksums.get(&one.key()) {
        add("hashes", json!([{ "alg": "SHA-256", "content": checksum }]));
    }
    component
}

fn address(one: &Crate) -> String {
    format!("pkg:cargo/{}@{}", one.name, one.version)
}
