//! The JSON schema of `.crd-ls.toml` (`editors/schemastore/crd-ls.json`) accepts the same files as the settings.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ide::{KubernetesVersion, RULES};
use serde_json::{Value, json};

use super::Choices;

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/schemastore/crd-ls.json")
}

fn schema() -> Value {
    serde_json::from_str(&fs::read_to_string(path()).unwrap()).unwrap()
}

/// The settings as a project's file has them, or the problem with them.
fn choices(settings: &Value) -> Result<Choices, String> {
    serde_json::from_value(settings.clone()).map_err(|problem| problem.to_string())
}

/// `value` at the end of a path of keys. Below `overrides`, it is in an object of that list, which needs `paths`.
fn nested_value(keys: &[&str], value: Value) -> Value {
    keys.iter().rev().fold(value, |value, key| match *key {
        "overrides" => {
            let mut one = value;
            if let Some(one) = one.as_object_mut() {
                one.entry("paths").or_insert_with(|| json!(["a.yaml"]));
            }
            json!({ "overrides": [one] })
        }
        key => json!({ key: value }),
    })
}

/// The keys that the settings know below `keys`: the error for an unknown key lists them.
fn known_keys(keys: &[&str]) -> BTreeSet<String> {
    let problem = choices(&nested_value(keys, json!({ "noSuchKey": 1 }))).unwrap_err();
    let listed = problem.split_once("expected ").unwrap().1;
    listed.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Values that a schema accepts, and some that it rejects.
fn values(schema: &Value) -> (Vec<Value>, Vec<Value>) {
    if schema.get("$ref").is_some() {
        return (vec![json!("structural")], vec![json!("no/such-rule"), json!(1)]);
    }
    if let Some(values) = schema["enum"].as_array() {
        return (values.clone(), vec![json!("no such value"), json!(1)]);
    }
    match schema["type"].as_str() {
        Some("integer") => {
            let (least, most) = (schema["minimum"].as_i64().unwrap(), schema["maximum"].as_i64().unwrap());
            (vec![json!(least), json!(most)], vec![json!(least - 1), json!(most + 1), json!("1")])
        }
        Some("boolean") => (vec![json!(true)], vec![json!("true")]),
        Some("string") => match schema["anyOf"][0]["enum"].as_array() {
            Some(values) => {
                ([values.clone(), vec![json!("v1.30.2+k3s1")]].concat(), vec![json!("latest"), json!(1.30)])
            }
            None => (vec![json!("main")], vec![json!(1), json!("")]),
        },
        Some("array") => {
            let items = &schema["items"];
            let items = items["anyOf"].as_array().map_or(items, |all| &all[0]);
            let (right, mut wrong) = values(items);
            // A list of paths may hold any text.
            wrong.retain(|value| *value != json!(""));
            let lists = |all: Vec<Value>| all.into_iter().map(|one| json!([one])).collect::<Vec<_>>();
            (lists(right), [lists(wrong), vec![json!("no list")]].concat())
        }
        Some("object") if schema.get("propertyNames").is_some() => {
            let (right, wrong) = values(&schema["additionalProperties"]);
            let objects =
                |all: Vec<Value>| all.into_iter().map(|one| json!({ "yaml": one })).collect::<Vec<_>>();
            (objects(right), [objects(wrong), vec![json!({ "no/such-rule": "off" })]].concat())
        }
        other => panic!("no values for a schema of type {other:?}"),
    }
}

fn compare(keys: &[&str], schema: &Value, compared: &mut usize) {
    let properties = schema["properties"].as_object().unwrap();
    assert_eq!(properties.keys().cloned().collect::<BTreeSet<_>>(), known_keys(keys), "below {keys:?}");
    assert_eq!(schema["additionalProperties"], false, "below {keys:?}");
    for (key, schema) in properties {
        let keys = [keys, &[key.as_str()]].concat();
        assert!(schema["description"].is_string(), "{keys:?}");
        let inner = if key == "overrides" { &schema["items"] } else { schema };
        if inner.get("properties").is_some() {
            compare(&keys, inner, compared);
            continue;
        }
        let (right, wrong) = values(schema);
        for value in right {
            assert_eq!(choices(&nested_value(&keys, value.clone())).err(), None, "{keys:?}: {value}");
            *compared += 1;
        }
        for value in wrong {
            assert!(choices(&nested_value(&keys, value.clone())).is_err(), "{keys:?}: {value}");
            *compared += 1;
        }
    }
}

#[test]
fn the_schema_has_the_keys_and_values_of_the_settings() {
    let mut compared = 0;
    compare(&[], &schema(), &mut compared);
    assert!(compared > 60, "{compared}");
}

#[test]
fn the_schema_has_the_releases_that_are_known() {
    let known: Vec<String> = (KubernetesVersion::OLDEST.minor..=KubernetesVersion::NEWEST.minor)
        .map(|minor| format!("1.{minor}"))
        .collect();
    let schema = schema();
    for properties in [&schema["properties"], &schema["properties"]["overrides"]["items"]["properties"]] {
        assert_eq!(properties["kubernetesVersion"]["anyOf"][0]["enum"], json!(known));
    }
}

/// With `CRD_LS_UPDATE=1`, the list is rewritten.
#[test]
fn the_schema_has_all_rules_and_groups() {
    let groups: BTreeSet<&str> = RULES.iter().map(|rule| rule.group()).collect();
    let mut names: Vec<String> =
        groups.iter().flat_map(|group| [(*group).to_owned(), format!("{group}/*")]).collect();
    names.extend(RULES.iter().map(|rule| rule.code.as_str().to_owned()));
    if environment::updates() {
        let text = fs::read_to_string(path()).unwrap();
        let (before, rest) = text.split_once("\"definitions\"").unwrap();
        let (head, rest) = rest.split_once("\"enum\": [").unwrap();
        let (_, after) = rest.split_once(']').unwrap();
        let list: Vec<String> = names.iter().map(|name| format!("\n        \"{name}\"")).collect();
        fs::write(
            path(),
            format!("{before}\"definitions\"{head}\"enum\": [{}\n      ]{after}", list.join(",")),
        )
        .unwrap();
    }
    let wanted = "the list of rules has changed: run this test with CRD_LS_UPDATE=1";
    assert_eq!(schema()["definitions"]["rule"]["enum"], json!(names), "{wanted}");
}
