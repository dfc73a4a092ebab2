//! Mistakes that decoding rejects or drops, in addition to those that validation rejects.

use serde_json::{Value, json};

use crate::kinds::{Insertion, any, array, node, put, set, string, take, version};

pub(super) const KINDS: &[(&str, Insertion)] = &[
    ("misspelt keyword", |crd, random| {
        node(crd, random, described, |schema| {
            let text = schema.get("description")?.clone();
            take(schema, "description")?;
            put(schema, "descripton", text)
        })
    }),
    ("comment of JSON Schema", |crd, random| {
        node(crd, random, any, |schema| put(schema, "$comment", json!("as people see it")))
    }),
    ("examples", |crd, random| {
        node(crd, random, string, |schema| put(schema, "examples", json!(["a", "b"])))
    }),
    ("const", |crd, random| node(crd, random, string, |schema| put(schema, "const", json!("a")))),
    ("if without then", |crd, random| {
        node(crd, random, any, |schema| put(schema, "if", json!({"required": ["a"]})))
    }),
    ("bound of newer drafts", |crd, random| {
        node(crd, random, whole, |schema| put(schema, "exclusiveMinimum", json!(-7)))
    }),
    ("required on a property", |crd, random| {
        node(crd, random, string, |schema| put(schema, "required", json!(true)))
    }),
    ("list of types", |crd, random| {
        node(crd, random, string, |schema| put(schema, "type", json!(["string", "null"])))
    }),
    ("number in quotes", |crd, random| {
        node(crd, random, bounded, |schema| {
            let bound = schema.get("maxLength")?.to_string();
            put(schema, "maxLength", json!(bound))
        })
    }),
    ("boolean in quotes", |crd, random| {
        version(crd, random, |version| {
            let stored = version.get("storage")?.to_string();
            put(version, "storage", json!(stored))
        })
    }),
    ("column in old words", |crd, random| {
        version(crd, random, |version| {
            let column = version.get_mut("additionalPrinterColumns")?.get_mut(0)?;
            let path = column.get("jsonPath")?.clone();
            take(column, "jsonPath")?;
            put(column, "JSONPath", path)
        })
    }),
    ("schema in old words", |crd, _| {
        let versions = crd.pointer_mut("/spec/versions")?.as_array_mut()?;
        let [only] = versions.as_mut_slice() else { return None };
        let schema = only.get("schema")?.clone();
        take(only, "schema")?;
        set(crd, "/spec", "validation", schema)
    }),
    ("name to be made up", |crd, _| set(crd, "/metadata", "generateName", json!("a_b"))),
    ("finalizers in conflict", |crd, _| {
        set(crd, "/metadata", "finalizers", json!(["orphan", "foregroundDeletion"]))
    }),
    ("list map in a branch", |crd, random| {
        node(crd, random, list_map, |schema| {
            let keyword = ["x-kubernetes-list-type", "x-kubernetes-list-map-keys"];
            let mut branch = json!({});
            for keyword in keyword {
                let value = schema.get(keyword)?.clone();
                take(schema, keyword)?;
                put(&mut branch, keyword, value)?;
            }
            put(schema, "allOf", json!([branch]))
        })
    }),
];

/// The kinds whose only right repair is the definition before the mistake.
pub(super) const ONE_ANSWER: [&str; 9] = [
    "misspelt keyword",
    "comment of JSON Schema",
    "if without then",
    "number in quotes",
    "boolean in quotes",
    "column in old words",
    "schema in old words",
    "name to be made up",
    "list map in a branch",
];

fn described(schema: &Value) -> bool {
    schema.get("description").is_some()
}

fn whole(schema: &Value) -> bool {
    schema.get("type") == Some(&json!("integer")) && schema.get("minimum").is_none()
}

fn bounded(schema: &Value) -> bool {
    schema.get("maxLength").is_some()
}

fn list_map(schema: &Value) -> bool {
    array(schema) && schema.get("x-kubernetes-list-map-keys").is_some() && schema.get("allOf").is_none()
}
