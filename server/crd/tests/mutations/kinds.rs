//! Kinds of errors, and how each is inserted into a definition.

use serde_json::{Value, json};

use super::edits::Random;

/// Inserts an error; `None` if no position is suitable.
pub(super) type Insertion = fn(&mut Value, &mut Random) -> Option<()>;

/// Names, each with the function that inserts the error.
pub(super) const KINDS: &[(&str, Insertion)] = &[
    // Metadata and names.
    ("name of another group", |crd, _| set(crd, "/metadata", "name", json!("widgets.example.org"))),
    ("name in capitals", |crd, _| change(crd, "/metadata/name", str::to_uppercase)),
    ("no name", |crd, _| remove(crd, "/metadata", "name")),
    ("namespace", |crd, _| set(crd, "/metadata", "namespace", json!("default"))),
    ("bad label", |crd, _| set(crd, "/metadata", "labels", json!({"a b": "c d"}))),
    ("bad annotation", |crd, _| set(crd, "/metadata", "annotations", json!({"a/b/c": ""}))),
    ("bad finalizer", |crd, _| {
        set(crd, "/metadata", "finalizers", json!(["a b", "orphan", "foregroundDeletion"]))
    }),
    ("no group", |crd, _| remove(crd, "/spec", "group")),
    ("group without dot", |crd, _| set(crd, "/spec", "group", json!("example"))),
    ("group in capitals", |crd, _| change(crd, "/spec/group", str::to_uppercase)),
    ("protected group", |crd, _| set(crd, "/spec", "group", json!("example.k8s.io"))),
    ("no scope", |crd, _| remove(crd, "/spec", "scope")),
    ("scope in lower case", |crd, _| change(crd, "/spec/scope", str::to_lowercase)),
    ("preserve unknown fields", |crd, _| set(crd, "/spec", "preserveUnknownFields", json!(true))),
    ("no plural", |crd, _| remove(crd, "/spec/names", "plural")),
    ("plural in capitals", |crd, _| change(crd, "/spec/names/plural", str::to_uppercase)),
    ("no kind", |crd, _| remove(crd, "/spec/names", "kind")),
    ("kind with underscore", |crd, _| change(crd, "/spec/names/kind", |kind| format!("{kind}_x"))),
    ("list kind like kind", |crd, _| {
        let kind = crd.pointer("/spec/names/kind")?.clone();
        set(crd, "/spec/names", "listKind", kind)
    }),
    ("bad short name", |crd, _| set(crd, "/spec/names", "shortNames", json!(["Ab", ""]))),
    ("bad category", |crd, _| set(crd, "/spec/names", "categories", json!(["all.of"]))),
    // Conversion.
    ("unknown strategy", |crd, _| set(crd, "/spec", "conversion", json!({"strategy": "none"}))),
    ("webhook without config", |crd, _| set(crd, "/spec", "conversion", json!({"strategy": "Webhook"}))),
    ("webhook with neither", |crd, _| {
        let webhook = json!({"clientConfig": {}, "conversionReviewVersions": ["v1", "v1", "V2"]});
        set(crd, "/spec", "conversion", json!({"strategy": "Webhook", "webhook": webhook}))
    }),
    ("webhook over http", |crd, _| {
        let config = json!({"url": "http://user@example.com/a?b#c"});
        let webhook = json!({"clientConfig": config, "conversionReviewVersions": ["v3"]});
        set(crd, "/spec", "conversion", json!({"strategy": "Webhook", "webhook": webhook}))
    }),
    ("webhook with bad service", |crd, _| {
        let service = json!({"name": "", "namespace": "", "port": 70000, "path": "a//b/C"});
        let webhook = json!({"clientConfig": {"service": service}, "conversionReviewVersions": []});
        set(crd, "/spec", "conversion", json!({"strategy": "Webhook", "webhook": webhook}))
    }),
    ("webhook beside none", |crd, _| {
        let webhook = json!({"clientConfig": {"url": "https://a.b"}, "conversionReviewVersions": ["v1"]});
        set(crd, "/spec", "conversion", json!({"strategy": "None", "webhook": webhook}))
    }),
    // Versions.
    ("no storage version", |crd, random| {
        version(crd, random, |version| put(version, "storage", json!(false)))
    }),
    ("version in capitals", |crd, random| version(crd, random, |version| put(version, "name", json!("V1")))),
    ("version twice", |crd, random| {
        let index = random.below(crd.pointer("/spec/versions")?.as_array()?.len());
        let versions = crd.pointer_mut("/spec/versions")?.as_array_mut()?;
        versions.push(versions.get(index)?.clone());
        Some(())
    }),
    ("version without schema", |crd, random| version(crd, random, |version| take(version, "schema"))),
    ("warning without deprecation", |crd, random| {
        version(crd, random, |version| put(version, "deprecationWarning", json!("a\tb")))
    }),
    ("bad deprecation warning", |crd, random| {
        version(crd, random, |version| {
            put(version, "deprecated", json!(true))?;
            put(version, "deprecationWarning", json!("\u{a0}"))
        })
    }),
    ("bad printer column", |crd, random| {
        let columns = json!([{"name": "", "type": "int", "jsonPath": "a", "format": "x"}, {"name": "a"}]);
        version(crd, random, |version| put(version, "additionalPrinterColumns", columns.clone()))
    }),
    ("bad scale", |crd, random| {
        let scale =
            json!({"specReplicasPath": "", "statusReplicasPath": ".spec.a", "labelSelectorPath": "a"});
        version(crd, random, |version| put(version, "subresources", json!({"scale": scale})))
    }),
    ("bad selectable fields", |crd, random| {
        let fields =
            json!([{"jsonPath": ""}, {"jsonPath": ".spec"}, {"jsonPath": ".none"}, {"jsonPath": ".spec[0]"}]);
        version(crd, random, |version| put(version, "selectableFields", fields.clone()))
    }),
    ("stored version that is gone", |crd, _| {
        put(crd, "status", json!({"storedVersions": ["v0"], "conditions": null, "acceptedNames": null}))
    }),
    // The root of a schema.
    ("root type array", |crd, random| root(crd, random, |schema| put(schema, "type", json!("array")))),
    ("no root type", |crd, random| root(crd, random, |schema| take(schema, "type"))),
    ("nullable root", |crd, random| root(crd, random, |schema| put(schema, "nullable", json!(true)))),
    ("root with enum", |crd, random| root(crd, random, |schema| put(schema, "enum", json!([{}])))),
    ("root with anyOf", |crd, random| root(crd, random, |schema| put(schema, "anyOf", json!([{}])))),
    ("root with additionalProperties", |crd, random| {
        root(crd, random, |schema| put(schema, "additionalProperties", json!({"type": "string"})))
    }),
    ("constrained metadata", |crd, random| {
        root(crd, random, |schema| {
            put(schema.get_mut("properties")?, "metadata", json!({"type": "object", "maxProperties": 3}))
        })
    }),
    ("metadata of another type", |crd, random| {
        root(crd, random, |schema| put(schema.get_mut("properties")?, "metadata", json!({"type": "string"})))
    }),
    ("kind of another type", |crd, random| {
        root(crd, random, |schema| put(schema.get_mut("properties")?, "kind", json!({"type": "integer"})))
    }),
    ("default for kind", |crd, random| {
        root(crd, random, |schema| {
            put(schema.get_mut("properties")?, "kind", json!({"type": "string", "default": "A"}))
        })
    }),
    // Nodes.
    ("no type", |crd, random| node(crd, random, any, |schema| take(schema, "type"))),
    ("unknown type", |crd, random| node(crd, random, any, |schema| put(schema, "type", json!("int")))),
    ("null type", |crd, random| node(crd, random, any, |schema| put(schema, "type", json!("null")))),
    ("object for array", |crd, random| {
        node(crd, random, array, |schema| put(schema, "type", json!("object")))
    }),
    ("array for object", |crd, random| {
        node(crd, random, object, |schema| put(schema, "type", json!("array")))
    }),
    ("no items", |crd, random| node(crd, random, array, |schema| take(schema, "items"))),
    ("list of items", |crd, random| {
        node(crd, random, array, |schema| {
            let items = schema.get("items")?.clone();
            put(schema, "items", json!([items]))
        })
    }),
    ("id", |crd, random| node(crd, random, any, |schema| put(schema, "id", json!("a")))),
    ("$ref", |crd, random| node(crd, random, any, |schema| put(schema, "$ref", json!("#/a")))),
    ("$schema", |crd, random| node(crd, random, any, |schema| put(schema, "$schema", json!("a")))),
    ("definitions", |crd, random| {
        node(crd, random, any, |schema| put(schema, "definitions", json!({"a": {"type": "null"}})))
    }),
    ("dependencies", |crd, random| {
        node(crd, random, any, |schema| put(schema, "dependencies", json!({"a": ["b"]})))
    }),
    ("patternProperties", |crd, random| {
        node(crd, random, any, |schema| put(schema, "patternProperties", json!({"a": {}})))
    }),
    ("additionalItems", |crd, random| {
        node(crd, random, any, |schema| put(schema, "additionalItems", json!(false)))
    }),
    ("uniqueItems", |crd, random| node(crd, random, array, |schema| put(schema, "uniqueItems", json!(true)))),
    ("closed object", |crd, random| {
        node(crd, random, object, |schema| put(schema, "additionalProperties", json!(false)))
    }),
    ("preserve false", |crd, random| {
        node(crd, random, any, |schema| put(schema, "x-kubernetes-preserve-unknown-fields", json!(false)))
    }),
    ("int or string that is embedded", |crd, random| {
        node(crd, random, any, |schema| {
            put(schema, "x-kubernetes-int-or-string", json!(true))?;
            put(schema, "x-kubernetes-embedded-resource", json!(true))?;
            put(schema, "x-kubernetes-preserve-unknown-fields", json!(true))
        })
    }),
    ("embedded resource", |crd, random| {
        node(crd, random, any, |schema| put(schema, "x-kubernetes-embedded-resource", json!(true)))
    }),
    ("map type", |crd, random| {
        node(crd, random, any, |schema| put(schema, "x-kubernetes-map-type", json!("map")))
    }),
    ("list type", |crd, random| {
        node(crd, random, any, |schema| put(schema, "x-kubernetes-list-type", json!("list")))
    }),
    ("set", |crd, random| {
        node(crd, random, array, |schema| put(schema, "x-kubernetes-list-type", json!("set")))
    }),
    ("map without keys", |crd, random| {
        node(crd, random, array, |schema| put(schema, "x-kubernetes-list-type", json!("map")))
    }),
    ("map with unknown keys", |crd, random| {
        node(crd, random, array, |schema| {
            put(schema, "x-kubernetes-list-type", json!("map"))?;
            put(schema, "x-kubernetes-list-map-keys", json!(["nowhere", "name", "name"]))
        })
    }),
    ("keys without a type", |crd, random| {
        node(crd, random, any, |schema| put(schema, "x-kubernetes-list-map-keys", json!(["name"])))
    }),
    ("bad pattern", |crd, random| {
        node(crd, random, any, |schema| put(schema, "pattern", json!("^(?!a)[b-a]{2000}$")))
    }),
    ("type in a junctor", |crd, random| {
        node(crd, random, any, |schema| {
            let of_type = schema.get("type").cloned().unwrap_or(json!("string"));
            put(schema, "anyOf", json!([{"type": of_type}, {"description": "b", "nullable": true}]))
        })
    }),
    ("property in a junctor", |crd, random| {
        node(crd, random, object, |schema| {
            put(schema, "allOf", json!([{"properties": {"nowhere": {"minimum": 1}, "metadata": {}}}]))
        })
    }),
    ("nested junctors", |crd, random| {
        node(crd, random, any, |schema| {
            put(
                schema,
                "not",
                json!({"oneOf": [{"items": {"title": "a"}}, {"default": 1, "x-kubernetes-map-type": "b"}]}),
            )
        })
    }),
    ("default of another type", |crd, random| {
        node(crd, random, any, |schema| {
            let default = if schema.get("type") == Some(&json!("string")) { json!(1) } else { json!("a") };
            put(schema, "default", default)
        })
    }),
    ("default with unknown fields", |crd, random| {
        node(crd, random, object, |schema| put(schema, "default", json!({"nowhere": {"a": [1]}})))
    }),
    ("default out of bounds", |crd, random| {
        node(crd, random, string, |schema| {
            put(schema, "default", json!("aaa"))?;
            put(schema, "maxLength", json!(2))?;
            put(schema, "enum", json!(["b", "c"]))?;
            put(schema, "format", json!("date-time"))
        })
    }),
    ("default list", |crd, random| {
        node(crd, random, array, |schema| put(schema, "default", json!([{"a": 1}, "b", 3])))
    }),
    // Rules.
    ("rule with an unknown field", |crd, random| {
        node(crd, random, object, |schema| {
            put(
                schema,
                "x-kubernetes-validations",
                json!([{"rule": "self.nowhere == 1 || self.size() > 'a'"}]),
            )
        })
    }),
    ("rule that is no rule", |crd, random| {
        node(crd, random, any, |schema| {
            let rules =
                json!([{"rule": "self +"}, {"rule": "1 + 1"}, {"rule": "true", "messageExpression": "1"}]);
            put(schema, "x-kubernetes-validations", rules)
        })
    }),
    ("rule that is too dear", |crd, random| {
        node(crd, random, array, |schema| {
            put(
                schema,
                "x-kubernetes-validations",
                json!([{"rule": "self.all(a, self.all(b, self.exists(c, c == a)))"}]),
            )
        })
    }),
    ("old self where it cannot be found", |crd, random| {
        node(crd, random, string, |schema| {
            let rules = json!([{"rule": "self == oldSelf"}, {"rule": "true", "optionalOldSelf": true}]);
            put(schema, "x-kubernetes-validations", rules)
        })
    }),
    ("rule that says nothing", |crd, random| {
        node(crd, random, any, |schema| put(schema, "x-kubernetes-validations", json!([{"rule": " "}])))
    }),
    ("bad message", |crd, random| {
        node(crd, random, string, |schema| {
            let rules = json!([{"rule": "true", "message": " "}, {"rule": "true", "message": "a\nb"}, {"rule": "true\n&& true"}]);
            put(schema, "x-kubernetes-validations", rules)
        })
    }),
    ("bad reason and path", |crd, random| {
        node(crd, random, object, |schema| {
            let rules = json!([{"rule": "true", "reason": "Bad", "fieldPath": ".nowhere"}, {"rule": "true", "fieldPath": "\n"}]);
            put(schema, "x-kubernetes-validations", rules)
        })
    }),
];

pub(super) fn put(object: &mut Value, key: &str, value: Value) -> Option<()> {
    object.as_object_mut()?.insert(key.to_owned(), value);
    Some(())
}

pub(super) fn take(object: &mut Value, key: &str) -> Option<()> {
    object.as_object_mut()?.remove(key).map(|_| ())
}

pub(super) fn set(crd: &mut Value, at: &str, key: &str, value: Value) -> Option<()> {
    put(crd.pointer_mut(at)?, key, value)
}

fn remove(crd: &mut Value, at: &str, key: &str) -> Option<()> {
    take(crd.pointer_mut(at)?, key)
}

fn change(crd: &mut Value, at: &str, change: impl Fn(&str) -> String) -> Option<()> {
    let place = crd.pointer_mut(at)?;
    *place = json!(change(place.as_str()?));
    Some(())
}

/// Changes one version.
pub(super) fn version(
    crd: &mut Value,
    random: &mut Random,
    change: impl Fn(&mut Value) -> Option<()>,
) -> Option<()> {
    let versions = crd.pointer_mut("/spec/versions")?.as_array_mut()?;
    let index = random.below(versions.len());
    change(versions.get_mut(index)?)
}

/// Changes the root of one schema.
fn root(crd: &mut Value, random: &mut Random, change: impl Fn(&mut Value) -> Option<()>) -> Option<()> {
    version(crd, random, |version| change(version.pointer_mut("/schema/openAPIV3Schema")?))
}

/// Changes one node below the root of a schema for which `wanted` holds.
pub(super) fn node(
    crd: &mut Value,
    random: &mut Random,
    wanted: fn(&Value) -> bool,
    change: impl Fn(&mut Value) -> Option<()>,
) -> Option<()> {
    let versions = crd.pointer("/spec/versions")?.as_array()?.len();
    let start = format!("/spec/versions/{}/schema/openAPIV3Schema", random.below(versions));
    let mut found = Vec::new();
    collect(crd.pointer(&start)?, start, wanted, &mut found);
    let at = found.get(random.below(found.len()))?;
    change(crd.pointer_mut(at)?)
}

fn collect(schema: &Value, at: String, wanted: fn(&Value) -> bool, found: &mut Vec<String>) {
    if wanted(schema) {
        found.push(at.clone());
    }
    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        collect(property, format!("{at}/properties/{}", escaped(name)), wanted, found);
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(below) = schema.get(keyword).filter(|below| below.is_object()) {
            collect(below, format!("{at}/{keyword}"), wanted, found);
        }
    }
}

pub(super) fn any(_: &Value) -> bool {
    true
}

pub(super) fn object(schema: &Value) -> bool {
    schema.get("properties").is_some()
}

pub(super) fn array(schema: &Value) -> bool {
    schema.get("items").is_some()
}

pub(super) fn string(schema: &Value) -> bool {
    schema.get("type") == Some(&json!("string"))
}
