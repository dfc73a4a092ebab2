//! Values that a schema accepts, and values that it almost accepts.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

/// The maximum number of values for one place.
const MOST: usize = 120;

/// Values for a place that `schemas` describe.
pub(crate) fn values(schemas: &[&Json]) -> Vec<Json> {
    let mut nodes = Vec::new();
    schemas.iter().for_each(|schema| flatten(schema, &mut nodes));
    let mut all = Vec::new();
    let mut items = Vec::new();
    let mut members: BTreeMap<&str, Vec<&Json>> = BTreeMap::new();
    let mut others = Vec::new();
    for node in &nodes {
        for (keyword, operand) in *node {
            let near = |number: u64| number.saturating_sub(1)..=number + 1;
            match (keyword.as_str(), operand) {
                ("enum", Json::Array(list)) => all.extend(list.iter().cloned()),
                ("const", value) => all.push(value.clone()),
                ("minLength" | "maxLength", size) => {
                    all.extend(
                        near(size.as_u64().unwrap_or(0))
                            .take_while(|size| *size < 300)
                            .map(|size| json!("a".repeat(size as usize))),
                    );
                }
                (
                    "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf",
                    Json::Number(number),
                ) => {
                    let number = number.as_f64().unwrap_or(0.0);
                    all.extend([-1.0, 0.0, 1.0].map(|step| json!((number + step) as i64)));
                    all.push(json!(number + 0.5));
                }
                ("nullable", Json::Bool(true)) => all.push(Json::Null),
                ("items", Json::Array(list)) => items.extend(list),
                ("items", schema) => items.push(schema),
                ("properties", Json::Object(properties)) => {
                    properties
                        .iter()
                        .for_each(|(name, schema)| members.entry(name).or_default().push(schema));
                }
                ("required", Json::Array(names)) => {
                    names.iter().filter_map(Json::as_str).for_each(|name| {
                        members.entry(name).or_default();
                    });
                }
                ("additionalProperties", schema) => others.push(schema),
                _ => {}
            }
        }
    }
    all.extend(["", "a", "abc", "1", "10%", "5mm", "a-b", "10s", "1.2.3.4"].map(|text| json!(text)));
    all.extend([json!(0), json!(1), json!(7), json!(80), json!(1.5), json!(true), json!([]), json!({})]);
    if !items.is_empty() {
        lists(&values(&items), &mut all);
    }
    objects(&members, &others, &mut all);
    let mut known = std::collections::BTreeSet::new();
    all.retain(|value| known.insert(value.to_string()));
    all
}

/// `schema` and the branches of its junctors.
fn flatten<'s>(schema: &'s Json, nodes: &mut Vec<&'s Map<String, Json>>) {
    let Some(node) = schema.as_object() else { return };
    nodes.push(node);
    for keyword in ["allOf", "anyOf", "oneOf"] {
        node.get(keyword)
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
            .for_each(|branch| flatten(branch, nodes));
    }
    ["not", "if", "then", "else"]
        .iter()
        .filter_map(|keyword| node.get(*keyword))
        .for_each(|branch| flatten(branch, nodes));
}

fn lists(items: &[Json], all: &mut Vec<Json>) {
    all.extend(items.iter().take(MOST).map(|item| json!([item])));
    all.extend(items.iter().take(6).map(|item| json!([item, item])));
    all.extend(items.windows(2).take(12).map(|two| json!(two)));
    all.extend([3, 4, 11].map(|count| json!(items.iter().cycle().take(count).collect::<Vec<_>>())));
}

/// Each member with each value, alone and beside the others, and all members except for one.
fn objects(members: &BTreeMap<&str, Vec<&Json>>, others: &[&Json], all: &mut Vec<Json>) {
    let of: BTreeMap<&str, Vec<Json>> =
        members.iter().map(|(name, schemas)| (*name, values(schemas))).collect();
    let pick = |index: usize| -> Map<String, Json> {
        of.iter().map(|(name, values)| ((*name).to_owned(), values[index % values.len()].clone())).collect()
    };
    let fitting: Map<String, Json> = members
        .iter()
        .map(|(name, schemas)| {
            let fits = |value: &&Json| schemas.iter().all(|schema| super::schema::takes(schema, value));
            ((*name).to_owned(), of[name].iter().find(fits).unwrap_or(&of[name][0]).clone())
        })
        .collect();
    for (name, values) in &of {
        for value in values.iter().take(MOST) {
            all.push(json!({*name: value}));
            let mut beside = fitting.clone();
            beside.insert((*name).to_owned(), value.clone());
            all.push(Json::Object(beside));
        }
        let mut without = fitting.clone();
        without.remove(*name);
        all.push(Json::Object(without));
    }
    if !of.is_empty() {
        all.extend((0..24).map(|index| Json::Object(pick(index))));
    }
    for value in values_of_others(others) {
        all.push(json!({"x": value}));
        all.push(json!({"x": value, "y": value}));
    }
}

fn values_of_others(others: &[&Json]) -> Vec<Json> {
    let schemas: Vec<&Json> = others.iter().copied().filter(|schema| schema.is_object()).collect();
    if schemas.is_empty() { Vec::new() } else { values(&schemas).into_iter().take(MOST).collect() }
}
