//! Migrations from v1beta1 to v1: `fixtures/migrate/NAME.before.yaml` becomes `NAME.after.yaml`, byte for
//! byte, and `NAME.drop.yaml` if unknown fields are pruned afterwards. `CRD_LS_UPDATE=1` writes them again.
//!
//! The results have no errors, according to our checks and to the API server's code if `CRD_LS_ORACLE` names
//! it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "../../../tests/support/beside.rs"]
mod beside;

mod oracle;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ide::preview::stored;
use ide::{Catalog, Definitions, File, Migration, Refusal, Settings, Severity, Surroundings, UnknownFields};
use serde_json::{Map, Value, json};
use text::{TextEdit, TextRange};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(yaml_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn migrations(text: &str, unknown: UnknownFields) -> Vec<Result<Migration, Refusal>> {
    File::new(text, &Settings::default()).migrations(TextRange::new(0, text.len() as u32), unknown)
}

/// The text with all of its definitions migrated.
fn migrated(text: &str, unknown: UnknownFields) -> String {
    applied(
        text,
        migrations(text, unknown).into_iter().flat_map(|migration| migration.unwrap().edits).collect(),
    )
}

fn applied(text: &str, edits: Vec<TextEdit>) -> String {
    let mut after = text.to_owned();
    for edit in edits.iter().rev() {
        after.replace_range(edit.range.as_usize(), &edit.new_text);
    }
    after
}

fn errors(text: &str) -> Vec<String> {
    let file = File::new(text, &Settings::default());
    let errors = file.findings().iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| format!("{}: {}", finding.field_path, finding.message)).collect()
}

fn documents(text: &str) -> Vec<Value> {
    let tree = yaml::Tree::parse(text);
    let decoded = tree.documents().filter_map(|document| yaml::decode(document).ok());
    decoded.map(|decoded| serde_json::from_str(&decoded.json.to_string()).unwrap()).collect()
}

fn golden(path: &Path, text: &str) {
    if environment::updates() {
        std::fs::write(path, text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap(), "{}", path.display());
}

#[test]
fn before_becomes_after() {
    let mut count = 0;
    for before in yaml_files(&repository().join("fixtures/migrate")) {
        let Some(stem) = before.to_str().unwrap().strip_suffix(".before.yaml") else { continue };
        let text = std::fs::read_to_string(&before).unwrap();
        let kept = migrated(&text, UnknownFields::Keep);
        let dropped = migrated(&text, UnknownFields::Drop);
        golden(Path::new(&format!("{stem}.after.yaml")), &kept);
        if dropped != kept {
            golden(Path::new(&format!("{stem}.drop.yaml")), &dropped);
        }
        for after in [kept, dropped] {
            assert_eq!(errors(&after), Vec::<String>::new(), "{after}");
            if let Some(refused) = oracle::refused(&after) {
                assert_eq!(refused, "", "{after}");
            }
            assert!(migrations(&after, UnknownFields::Keep).is_empty());
        }
        count += 1;
    }
    assert!(count >= 4);
    if environment::oracle().is_none() {
        println!("the API server's code was not asked: CRD_LS_ORACLE is not set");
    }
}

/// All v1beta1 definitions in the other fixtures; the one in the catalogue must get exactly the expected
/// data.
#[test]
fn fixtures_migrate_without_errors() {
    let mut count = 0;
    for (path, text) in suites::texts(&repository().join("fixtures/crd/editor")).unwrap() {
        for unknown in [UnknownFields::Keep, UnknownFields::Drop] {
            // One is a patch, which only a person can rewrite.
            let found = migrations(&text, unknown);
            if found.is_empty() || matches!(found.as_slice(), [Err(Refusal::Patch(_))]) {
                continue;
            }
            let after = migrated(&text, unknown);
            assert_eq!(errors(&after), Vec::<String>::new(), "{}\n{after}", path.display());
            if let Some(refused) = oracle::refused(&after) {
                assert_eq!(refused, "", "{after}");
            }
            count += 1;
        }
    }
    assert!(count >= 20, "{count}");
    let read = |name| suites::read(&repository().join("fixtures/fixes/catalogue").join(name)).unwrap();
    let after = migrated(&read("D14.before.yaml"), UnknownFields::Drop);
    assert_eq!(documents(&after), documents(&read("D14.after.yaml")), "{after}");
}

#[test]
fn a_migration_that_loses_data_is_refused_with_a_reason() {
    let text = |rest: &str| {
        format!(
            "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {{name: as.b.c}}\n\
             spec:\n  group: b.c\n  names: {{kind: A, plural: as}}\n{rest}"
        )
    };
    let why = |rest: &str| {
        let refused = migrations(&text(rest), UnknownFields::Keep).remove(0);
        refused.map_or_else(|refusal| refusal.to_string(), |_| String::new())
    };
    assert_eq!(why("  version: v1\n"), "");
    assert_eq!(
        why("  scope: {{ .scope }}\n  version: v1\n"),
        "it contains template actions; render it first"
    );
    assert_eq!(why("  version: \"v1\n  scope: Cluster\n"), "it has syntax errors; fix them first");
    assert_eq!(
        why("  version: v1\n  validation: {openAPIV3Schema: {properties: {a: &a {type: string}, b: *a}}}\n"),
        "the text to move contains anchors, aliases or tags; expand them first"
    );
    assert_eq!(why("  scope: Cluster\n  versions: []\n"), "it has neither `version` nor `versions`");
}

/// JSON stays JSON, with the same data as in block style.
#[test]
fn json_is_migrated_as_lines_are() {
    let mut count = 0;
    for path in yaml_files(&repository().join("fixtures/migrate")) {
        let text = std::fs::read_to_string(&path).unwrap();
        for document in documents(&text) {
            for unknown in [UnknownFields::Keep, UnknownFields::Drop] {
                for json in [document.to_string(), serde_json::to_string_pretty(&document).unwrap()] {
                    let Some(migrated_json) = migrations(&json, unknown).pop() else { continue };
                    let after = applied(&json, migrated_json.unwrap().edits);
                    let after: Value = serde_json::from_str(&after).unwrap();
                    let lines = migrated(&yaml_of(&document), unknown);
                    assert_eq!(vec![after], documents(&lines), "{}", path.display());
                    count += 1;
                }
            }
        }
    }
    assert!(count >= 8, "{count}");
}

/// A definition of v1 in the form of v1beta1: fields that all versions share occur once. `None` if v1beta1
/// has no such form.
fn as_beta(definition: &Value, keeps: bool) -> Value {
    let mut beta = definition.clone();
    beta["apiVersion"] = json!("apiextensions.k8s.io/v1beta1");
    let spec = beta["spec"].as_object_mut().unwrap();
    let mut versions = spec.remove("versions").unwrap();
    let versions = versions.as_array_mut().unwrap();
    for (own, shared) in [
        ("schema", "validation"),
        ("subresources", "subresources"),
        ("additionalPrinterColumns", "additionalPrinterColumns"),
        ("selectableFields", "selectableFields"),
    ] {
        let values: Vec<Value> = versions
            .iter_mut()
            .map(|version| version.as_object_mut().unwrap().remove(own).unwrap_or_default())
            .collect();
        let same = values.windows(2).all(|pair| pair[0] == pair[1]);
        for (version, mut value) in versions.iter_mut().zip(values) {
            if own == "additionalPrinterColumns" {
                for column in value.as_array_mut().into_iter().flatten() {
                    let column = column.as_object_mut().unwrap();
                    let path = column.remove("jsonPath").unwrap();
                    column.insert("JSONPath".to_owned(), path);
                }
            }
            if value.is_null() {
                continue;
            }
            if same {
                spec.insert(shared.to_owned(), value);
            } else {
                version[own] = value;
            }
        }
    }
    if let Some(webhook) =
        spec.get_mut("conversion").and_then(|conversion| conversion.as_object_mut()?.remove("webhook"))
    {
        let conversion = spec["conversion"].as_object_mut().unwrap();
        for (key, value) in webhook.as_object().unwrap() {
            let key = if key == "clientConfig" { "webhookClientConfig" } else { key };
            conversion.insert(key.to_owned(), value.clone());
        }
    }
    let only = json!([{"name": versions[0]["name"], "served": true, "storage": true}]);
    spec.insert("version".to_owned(), versions[0]["name"].clone());
    if json!(versions) != only {
        spec.insert("versions".to_owned(), json!(versions));
    }
    spec.remove("preserveUnknownFields");
    if !keeps {
        spec.insert("preserveUnknownFields".to_owned(), json!(false));
    }
    beta
}

/// `value` as YAML in block style.
fn block(value: &Value, column: usize, out: &mut String) {
    let indent = " ".repeat(column);
    match value {
        Value::Object(object) if !object.is_empty() => {
            for (key, value) in object {
                let key = serde_json::to_string(key).unwrap();
                out.push_str(&format!("\n{indent}{key}:"));
                block(value, column + 2, out);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                let mut text = String::new();
                block(item, column + 2, &mut text);
                let text =
                    text.strip_prefix(&format!("\n{indent}  ")).unwrap_or(text.trim_start_matches(' '));
                out.push_str(&format!("\n{indent}- {text}"));
            }
        }
        scalar => out.push_str(&format!(" {scalar}")),
    }
}

fn yaml_of(value: &Value) -> String {
    let mut text = String::new();
    block(value, 0, &mut text);
    format!("{}\n", text.trim_start_matches('\n'))
}

/// The definitions of that API version in the corpus, each once, without those that the server rejects.
fn definitions_of(version: &str) -> Vec<Value> {
    let Some(corpus) = beside::shared("corpus", "takes no definitions of real projects") else {
        return Vec::new();
    };
    let mut all: BTreeMap<String, Value> = BTreeMap::new();
    for path in yaml_files(&corpus) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if !text.contains("CustomResourceDefinition") {
            continue;
        }
        for document in documents(&text) {
            let is_one = document["kind"] == "CustomResourceDefinition" && document["apiVersion"] == version;
            if is_one && document["spec"]["group"].is_string() {
                all.entry(document["metadata"]["name"].to_string()).or_insert(document);
            }
        }
    }
    all.into_values().collect()
}

fn normal(definition: &Value) -> Value {
    let mut definition = definition.clone();
    definition["spec"].as_object_mut().unwrap().remove("preserveUnknownFields");
    definition
}

/// Definitions of v1 that are converted to v1beta1 and migrated back are unchanged.
#[test]
fn definitions_rewritten_as_v1beta1_migrate_back() {
    let definitions = definitions_of("apiextensions.k8s.io/v1");
    let mut same = 0;
    for definition in &definitions {
        let text = yaml_of(&as_beta(definition, false));
        let name = definition["metadata"]["name"].as_str().unwrap();
        let after = migrated(&text, UnknownFields::Keep);
        assert_ne!(after, text, "{name}");
        assert_eq!(normal(&documents(&after)[0]), normal(definition), "{name}");
        same += 1;
    }
    println!("{same} of {} definitions are the same", definitions.len());
    assert!(definitions.is_empty() || same > 150, "{same}");
}

/// Adds undeclared fields to all objects in a value.
fn with_strangers(value: &mut Value, in_metadata: bool) {
    match value {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                with_strangers(value, in_metadata || key == "metadata");
            }
            if !in_metadata {
                object.insert("zzUnknown".to_owned(), json!({"deep": [{"er": 1}]}));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| with_strangers(item, in_metadata)),
        _ => {}
    }
}

/// Fields that were kept without pruning are still kept: no field of an object is pruned.
#[test]
fn nothing_that_was_stored_is_dropped() {
    let mut kept = 0;
    let mut definitions = definitions_of("apiextensions.k8s.io/v1");
    definitions.extend(definitions_of("apiextensions.k8s.io/v1beta1"));
    // All of them take a minute.
    for definition in definitions.iter().step_by(3) {
        let is_beta = definition["apiVersion"] == "apiextensions.k8s.io/v1beta1";
        let text = if is_beta { yaml_of(definition) } else { yaml_of(&as_beta(definition, true)) };
        // v1beta1 forbids defaults without pruning, which would be errors before and after.
        let Ok(migration) = migrations(&text, UnknownFields::Keep).remove(0) else { continue };
        assert!(migration.kept_unknown_fields);
        if migration.remaining_errors > 0 {
            continue;
        }
        let after = applied(&text, migration.edits);
        let name = definition["metadata"]["name"].as_str().unwrap();
        let known = Definitions::read("crd", &after, Definitions::load_kept(&after)).unwrap();
        let catalog = Catalog::default().with([("crd".into(), Some(known))]);
        let surroundings = Surroundings { catalog, source: "crd".into(), stored: None, base: None };
        for sample in ide::preview::samples(&after, &Settings::default()).unwrap() {
            let Some(mut object) = documents(&sample.yaml).into_iter().next() else { continue };
            let top: Map<String, Value> = object.as_object().unwrap().clone();
            with_strangers(&mut object, false);
            assert!(object.as_object().unwrap().len() > top.len());
            let (objects, _) = stored(&yaml_of(&object), &surroundings, &Settings::default());
            for object in objects {
                // A field that no map may contain is rejected, as before.
                let refused = |path: &String| {
                    let places = object.errors.iter().filter_map(|error| error.split(':').next());
                    places.into_iter().any(|place| place.ends_with("zzUnknown") && path.starts_with(place))
                };
                let dropped: Vec<&String> = object.dropped.iter().filter(|path| !refused(path)).collect();
                assert_eq!(dropped, Vec::<&String>::new(), "{name}: {:?}", object.errors);
                kept += 1;
            }
        }
    }
    println!("{kept} objects keep all of their fields");
    assert!(definitions.is_empty() || kept > 30, "{kept}");
}

/// The definitions of v1beta1 in the corpus, in their original text.
#[test]
fn migrated_definitions_of_the_corpus_are_accepted() {
    let Some(corpus) = beside::shared("corpus", "skipped") else { return };
    let mut count = 0;
    for path in yaml_files(&corpus) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let all = migrations(&text, UnknownFields::Keep);
        for migration in &all {
            count += migration.as_ref().unwrap().names.len();
        }
        if all.is_empty() {
            continue;
        }
        let after = migrated(&text, UnknownFields::Keep);
        assert_eq!(errors(&after), Vec::<String>::new(), "{}", path.display());
        if let Some(refused) = oracle::refused(&after) {
            assert_eq!(refused, "", "{}", path.display());
        }
    }
    println!("{count} definitions of v1beta1 are migrated");
    assert!(count >= 5);
}
