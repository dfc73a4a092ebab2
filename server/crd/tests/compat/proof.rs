//! For each change that is reported as breaking, there is an object that was valid and no longer is; if no
//! change is reported as breaking or risky, none of the tried objects breaks.

use crd::compat::ChangeSeverity;
use crd::customresource::Admission;
use serde_json::{Map, Value, json};

use super::{Server, changes, is_accepted};

/// The schemas to which changes are made.
fn schemas() -> Vec<Value> {
    vec![
        json!({"type": "object", "properties": {
            "size": {"type": "integer", "minimum": 0, "maximum": 10},
            "name": {"type": "string", "minLength": 1, "maxLength": 8},
            "mode": {"type": "string", "enum": ["a", "b", "c"], "default": "a"},
            "tags": {"type": "array", "maxItems": 3, "items": {"type": "string"}},
        }}),
        json!({"type": "object", "required": ["port"], "properties": {
            "port": {"type": "integer"},
            "host": {"type": "string", "pattern": "^[a-z]+$", "nullable": true},
            "weight": {"type": "number", "minimum": 0.5},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        }}),
        json!({"type": "object", "properties": {
            "items": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key"],
                "items": {"type": "object", "required": ["key"], "properties": {
                    "key": {"type": "string"}, "value": {"type": "string"}, "on": {"type": "boolean"},
                }}},
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {"type": "string"}}},
            "either": {"x-kubernetes-int-or-string": true},
        }}),
    ]
}

fn definition(spec: &Value) -> String {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
                {"type": "object", "properties": {"spec": spec}}}}],
        },
    })
    .to_string()
}

/// Keywords to set in a schema of this type.
fn keywords_of_type(of: Option<&str>) -> Vec<(&'static str, Value)> {
    match of {
        Some("integer" | "number") => vec![
            ("maximum", json!(5)),
            ("maximum", json!(20)),
            ("minimum", json!(3)),
            ("minimum", json!(-3)),
            ("multipleOf", json!(2)),
            ("enum", json!([1, 2])),
            ("type", json!("string")),
            ("type", json!("number")),
            ("type", json!("boolean")),
            ("default", json!(4)),
            ("x-kubernetes-validations", json!([{"rule": "self != 4"}])),
            ("not", json!({"enum": [4]})),
        ],
        Some("string") => vec![
            ("minLength", json!(2)),
            ("maxLength", json!(4)),
            ("maxLength", json!(20)),
            ("pattern", json!("^[b-d]*$")),
            ("enum", json!(["a", "b"])),
            ("enum", json!(["a", "b", "c", "d"])),
            ("format", json!("ipv4")),
            ("type", json!("integer")),
            ("default", json!("b")),
            ("nullable", json!(true)),
            ("allOf", json!([{"minLength": 2}])),
            ("x-kubernetes-validations", json!([{"rule": "self.startsWith('a')"}])),
        ],
        Some("array") => vec![
            ("maxItems", json!(1)),
            ("maxItems", json!(5)),
            ("minItems", json!(1)),
            ("x-kubernetes-list-type", json!("set")),
            ("x-kubernetes-list-type", json!("atomic")),
        ],
        Some("object") => vec![
            ("minProperties", json!(1)),
            ("maxProperties", json!(1)),
            ("x-kubernetes-preserve-unknown-fields", json!(true)),
            ("x-kubernetes-map-type", json!("atomic")),
        ],
        _ => vec![],
    }
}

/// All schemas that differ from `schema` by one change.
fn mutations(schema: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    let Some(node) = schema.as_object() else { return all };
    let mut with = |change: &dyn Fn(&mut Map<String, Value>)| {
        let mut other = node.clone();
        change(&mut other);
        all.push(Value::Object(other));
    };
    for (keyword, value) in keywords_of_type(node.get("type").and_then(Value::as_str)) {
        with(&|node| {
            node.insert(keyword.to_owned(), value.clone());
        });
    }
    for keyword in node.keys().filter(|keyword| !matches!(keyword.as_str(), "type" | "items" | "properties"))
    {
        with(&|node| {
            node.remove(keyword);
        });
    }
    if let Some(properties) = node.get("properties").and_then(Value::as_object) {
        for (name, property) in properties {
            with(&|node| {
                node["properties"].as_object_mut().unwrap().remove(name);
                if let Some(required) = node.get_mut("required").and_then(Value::as_array_mut) {
                    required.retain(|other| other != name);
                }
            });
            with(&|node| {
                let required = node.entry("required").or_insert_with(|| json!([])).as_array_mut().unwrap();
                if !required.contains(&json!(name)) {
                    required.push(json!(name));
                }
            });
            for below in mutations(property) {
                with(&|node| {
                    node["properties"][name] = below.clone();
                });
            }
        }
    }
    for keyword in ["items", "additionalProperties"] {
        for below in node.get(keyword).map(mutations).unwrap_or_default() {
            with(&|node| {
                node.insert(keyword.to_owned(), below.clone());
            });
        }
    }
    all
}

/// Values of all types, including those that `schema` names.
fn values(schema: &Value) -> Vec<Value> {
    let mut all = match schema.get("type").and_then(Value::as_str) {
        Some("string") => [
            "",
            "a",
            "b",
            "c",
            "d",
            "abcdef",
            "AB",
            "abcdefgh",
            "abcdefghijkl",
            "abcdefghijklmnopqrstuvwxyz",
            "1.2.3.4",
        ]
        .map(|text| json!(text))
        .to_vec(),
        Some("integer" | "number") => {
            [-5, -3, 0, 1, 2, 3, 4, 5, 6, 10, 11, 20, 21].map(|number| json!(number)).to_vec()
        }
        Some("boolean") => vec![json!(true)],
        Some("array") => vec![json!([])],
        Some("object") => vec![json!({})],
        _ => vec![json!("a"), json!(1)],
    };
    if schema.get("type") == Some(&json!("number")) {
        all.extend([json!(0.5), json!(4.5)]);
    }
    if schema.get("nullable") == Some(&json!(true)) {
        all.push(json!(null));
    }
    if let Some(items) = schema.get("items") {
        let of_items = values(items);
        all.extend(of_items.iter().map(|item| json!([item])));
        let item = of_items.iter().rfind(|item| !matches!(item, Value::Object(object) if object.is_empty()));
        all.extend([2, 3, 4, 6].map(|count| json!(vec![item; count])));
        let keyed = |count: i32| (0..count).map(|key| json!({"key": key.to_string()})).collect::<Vec<_>>();
        all.extend([4, 6].map(|count| json!(keyed(count))));
        all.push(json!(["a", "b"]));
        all.push(json!([{"key": "a"}, {"key": "b"}]));
        all.push(json!([{"key": "a", "value": "x"}, {"key": "a", "value": "y"}]));
    }
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        let least = minimal_object(schema);
        all.push(least.clone());
        for (name, property) in properties {
            for value in values(property) {
                let mut object = least.clone();
                object[name] = value;
                all.push(object);
            }
        }
        let first =
            |property: &Value| values(property).into_iter().find(|value| *value != json!("")).unwrap();
        all.push(Value::Object(
            properties.iter().map(|(name, property)| (name.clone(), first(property))).collect(),
        ));
        let mut two = least.clone();
        two["unknown"] = json!(1);
        all.push(two.clone());
        two["other"] = json!(1);
        all.push(two);
    }
    if let Some(additional) = schema.get("additionalProperties") {
        all.extend(values(additional).into_iter().map(|value| json!({"x": value})));
        all.push(json!({"x": "a", "y": "a"}));
    }
    all
}

/// A small object with all required fields.
fn minimal_object(schema: &Value) -> Value {
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let member = |name: &Value| {
        let name = name.as_str().unwrap().to_owned();
        let value = match schema["properties"][&name]["type"].as_str() {
            Some("integer" | "number") => json!(1),
            Some("boolean") => json!(true),
            Some("array") => json!(["a"]),
            Some("object") => json!({}),
            _ => json!("a"),
        };
        (name, value)
    };
    Value::Object(required.iter().map(member).collect())
}

/// The server's answer to an object of [`definition`] with that `.spec`.
fn admit(server: &Server, spec: &Value) -> Admission {
    server.admit_object(
        &json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": spec}),
    )
}

/// Whether `new` rejects the object that `old` stores, or drops part of it.
fn harms(old: &Server, new: &Server, spec: &Value) -> bool {
    let before = admit(old, spec);
    if before.decode_error.is_some() || !before.errors.is_empty() || !before.strict_errors.is_empty() {
        return false;
    }
    let now = admit(new, spec);
    now.decode_error.is_some() || !now.errors.is_empty() || !now.strict_errors.is_empty()
}

#[test]
fn breaking_changes_break_an_object_and_safe_ones_break_none() {
    let (mut breaking, mut risky, mut safe) = (0, 0, 0);
    let mut wrong = Vec::new();
    for schema in schemas() {
        for mutated in mutations(&schema) {
            for (old, new) in [(&schema, &mutated), (&mutated, &schema)] {
                let texts = (definition(old), definition(new));
                if !is_accepted(&texts.0) || !is_accepted(&texts.1) {
                    continue;
                }
                let changes = changes(&texts.0, &texts.1);
                let servers = (Server::of(&texts.0), Server::of(&texts.1));
                let witness = values(old)
                    .into_iter()
                    .chain(values(new))
                    .find(|spec| harms(&servers.0, &servers.1, spec));
                let worst = changes.iter().map(|change| change.class).min().unwrap_or(ChangeSeverity::Safe);
                let messages: Vec<_> = changes.iter().map(|change| &change.message).collect();
                match (worst, witness) {
                    (ChangeSeverity::Breaking, Some(_)) => breaking += 1,
                    (ChangeSeverity::Risky, _) => risky += 1,
                    (ChangeSeverity::Safe, None) => safe += 1,
                    (class, witness) => {
                        wrong
                            .push(format!("{class:?} {messages:?}\n  {old}\n  {new}\n  witness {witness:?}"));
                    }
                }
            }
        }
    }
    println!(
        "{breaking} breaking pairs with an object that breaks, {safe} safe ones without, {risky} risky ones"
    );
    assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong.join("\n"));
    assert!(breaking >= 100 && breaking + safe + risky >= 200, "{breaking} {safe} {risky}");
}
