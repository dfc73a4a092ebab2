//! Definitions for the actions: each schema node with rules, or with keywords that can be converted to rules,
//! in a separate definition.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json, json};
use yaml::Tree;

/// The largest node that is used, in bytes of JSON.
const LARGEST: usize = 40_000;
const RULES: &str = "x-kubernetes-validations";

/// Keywords for which a node is tested in a separate definition.
const WORTH: [&str; 6] = [RULES, "pattern", "oneOf", "anyOf", "allOf", "not"];

/// The schema nodes of all definitions below `folder` with rules or with keywords that can be converted to
/// rules, each once. For each node with rules there are two more: without `required`, and without bounds.
pub(crate) fn nodes(folder: &Path) -> Vec<Json> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for text in texts(folder) {
        if !text.contains("CustomResourceDefinition") {
            continue;
        }
        for document in Tree::parse(&text).documents() {
            let Ok(decoded) = yaml::decode(document) else { continue };
            let Ok(json) = serde_json::from_str::<Json>(&decoded.json.to_string()) else { continue };
            let mut schemas = Vec::new();
            members(&json, "openAPIV3Schema", &mut schemas);
            for schema in schemas {
                collect(schema, true, &mut seen, &mut found);
            }
        }
    }
    found
}

/// The texts below `folder`, from suites or files.
fn texts(folder: &Path) -> Vec<String> {
    if folder.canonicalize().ok() == suites::fixtures().canonicalize().ok() {
        let texts = suites::texts_below(folder).unwrap();
        return texts.into_iter().map(|(_, text)| text).collect();
    }
    let mut files = Vec::new();
    yaml_files(folder, &mut files);
    files.sort();
    files.iter().filter_map(|path| fs::read_to_string(path).ok()).collect()
}

fn yaml_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension().and_then(|end| end.to_str()) {
            _ if path.is_dir() => yaml_files(&path, found),
            Some("yaml" | "yml") => found.push(path),
            _ => {}
        }
    }
}

/// The values of `key` in `json`.
fn members<'j>(json: &'j Json, key: &str, found: &mut Vec<&'j Json>) {
    match json {
        Json::Object(object) => {
            found.extend(object.get(key));
            object.values().for_each(|value| members(value, key, found));
        }
        Json::Array(items) => items.iter().for_each(|item| members(item, key, found)),
        _ => {}
    }
}

fn collect(schema: &Json, is_root: bool, seen: &mut BTreeSet<String>, found: &mut Vec<Json>) {
    let Some(object) = schema.as_object() else { return };
    let is_worth = |key: &&str| object.contains_key(*key);
    if !is_root && WORTH.iter().any(is_worth) {
        let mut own = schema.clone();
        silence(&mut own);
        let text = own.to_string();
        if text.len() <= LARGEST && seen.insert(text) {
            let has_rules = object.contains_key(RULES);
            found.push(own.clone());
            if has_rules {
                let mut open = own.clone();
                remove_members(&mut open, &|key, value| key == "required" && value.is_array());
                let mut endless = own.clone();
                remove_members(&mut endless, &|key, value| {
                    matches!(key, "maxItems" | "maxLength" | "maxProperties") && value.is_number()
                });
                let others = [open, endless].into_iter().filter(|other| *other != own);
                found.extend(others.filter(|other| seen.insert(other.to_string())).collect::<Vec<_>>());
            }
        }
    }
    for key in ["items", "additionalProperties"] {
        object.get(key).into_iter().for_each(|child| collect(child, false, seen, found));
    }
    let properties = object.get("properties").and_then(Json::as_object);
    properties.into_iter().flat_map(Map::values).for_each(|child| collect(child, false, seen, found));
}

/// Removes descriptions, but not properties with that name.
fn silence(json: &mut Json) {
    remove_members(json, &|key, value| key == "description" && value.is_string());
}

fn remove_members(json: &mut Json, is_removed: &dyn Fn(&str, &Json) -> bool) {
    match json {
        Json::Object(object) => {
            object.retain(|key, value| !is_removed(key, value));
            object.values_mut().for_each(|value| remove_members(value, is_removed));
        }
        Json::Array(items) => items.iter_mut().for_each(|item| remove_members(item, is_removed)),
        _ => {}
    }
}

/// A definition whose `spec` is `node`, in block style, with rules as block scalars.
pub(crate) fn definition(node: &Json) -> String {
    let mut text = String::from(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\n\
         spec:\n  group: example.com\n  scope: Namespaced\n  names: {plural: widgets, kind: Widget}\n  versions:\n  \
         - name: v1\n    served: true\n    storage: true\n    schema:\n",
    );
    let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": node}}});
    write_value(&schema, 6, &mut text);
    text
}

fn write_value(json: &Json, indent: usize, out: &mut String) {
    match json {
        Json::Object(object) if !object.is_empty() => {
            for (key, value) in object {
                write!(out, "{:indent$}{}:", "", Json::String(key.clone())).unwrap();
                write_member(key, value, indent, out);
            }
        }
        Json::Array(items) if !items.is_empty() => {
            for item in items {
                let mut inner = String::new();
                write_value(item, indent + 2, &mut inner);
                // The dash is in the indentation of the first line.
                let start = out.len();
                out.push_str(&inner);
                let dash = start + indent;
                if inner.starts_with(&" ".repeat(indent + 2)) {
                    out.replace_range(dash..=dash, "-");
                } else {
                    out.insert_str(start, &format!("{:indent$}- ", ""));
                }
            }
        }
        _ => writeln!(out, "{json}").unwrap(),
    }
}

fn write_member(key: &str, value: &Json, indent: usize, out: &mut String) {
    match value {
        Json::Object(object) if !object.is_empty() => {
            out.push('\n');
            write_value(value, indent + 2, out);
        }
        Json::Array(items) if !items.is_empty() => {
            out.push('\n');
            write_value(value, indent, out);
        }
        Json::String(text) if key == "rule" && is_plain(text) => {
            out.push_str(" |-\n");
            for line in text.lines() {
                let indent = if line.is_empty() { 0 } else { indent + 2 };
                writeln!(out, "{:indent$}{line}", "").unwrap();
            }
        }
        _ => writeln!(out, " {value}").unwrap(),
    }
}

/// Whether a block scalar can contain the text unchanged.
fn is_plain(text: &str) -> bool {
    let is_blank = |char: char| char.is_whitespace();
    !text.is_empty()
        && !text.starts_with(is_blank)
        && !text.ends_with(is_blank)
        && !text.chars().any(|char| char.is_control() && char != '\n')
}
