//! Objects for real schemas that should be accepted, with a given value at one path.

use regex_automata::meta::Regex;
use serde_json::{Map, Value, json};

/// A step from a value to one within it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Property(String),
    /// Any item of a list.
    Item,
    /// Any member of a map.
    Member,
}

/// Texts in many formats, so that some match each pattern or rule.
const TEXTS: [&str; 51] = [
    "a",
    "b",
    "A",
    "1",
    "",
    "abc",
    "a-b",
    "a.b",
    "a/b",
    "/a",
    "/",
    "a:b",
    "a=b",
    "A_B",
    "a@b.c",
    "*",
    "*.a.b",
    "1s",
    "1h",
    "10m",
    "1Gi",
    "50%",
    "v1",
    "v1.2.3",
    "1.2.3.4",
    "10.0.0.0/8",
    "::1",
    "http://a.b",
    "https://a.b/c",
    "oci://a.b/c",
    "2020-01-01T00:00:00Z",
    "2020-01-01",
    "GET",
    "True",
    "HTTP",
    "TCP",
    "TLS",
    "Service",
    "Gateway",
    "Secret",
    "example.com/a",
    "True#1",
    "sha256:0123456789012345678901234567890123456789012345678901234567890123",
    "0123456789abcdef0123456789abcdef",
    "YQ==",
    "* * * * *",
    "aws",
    "subnet-0123",
    " ",
    "a  b",
    "é",
];

/// The schema at `step` within `schema`.
pub(super) fn schema_at_step<'s>(schema: &'s Value, step: &Step) -> Option<&'s Value> {
    match step {
        Step::Property(name) => schema["properties"]
            .get(name)
            .or_else(|| schema["additionalProperties"].as_object().map(|_| &schema["additionalProperties"])),
        Step::Item => schema.get("items"),
        Step::Member => schema.get("additionalProperties").filter(|schema| schema.is_object()),
    }
}

/// The schema that `steps` lead to.
pub(super) fn schema_at<'s>(schema: &'s Value, steps: &[Step]) -> Option<&'s Value> {
    steps.iter().try_fold(schema, |schema, step| schema_at_step(schema, step))
}

/// The steps of a path such as `.spec.list[*].name` through `schema`, in which the last step may be unknown.
pub(super) fn steps(schema: &Value, path: &str) -> Option<Vec<Step>> {
    let (mut all, mut rest, mut schema) = (Vec::new(), path, Some(schema));
    while !rest.is_empty() {
        let step = match rest.strip_prefix("[*]") {
            Some(more) => {
                rest = more;
                if schema?.get("items").is_some() { Step::Item } else { Step::Member }
            }
            None => {
                let names = rest.strip_prefix('.')?;
                let known = schema.and_then(|schema| schema["properties"].as_object());
                let is_whole = |name: &&String| {
                    names
                        .strip_prefix(name.as_str())
                        .is_some_and(|more| more.is_empty() || more.starts_with(['.', '[']))
                };
                let known =
                    known.and_then(|known| known.keys().filter(is_whole).max_by_key(|name| name.len()));
                let length = known.map_or_else(|| names.find(['.', '[']).unwrap_or(names.len()), String::len);
                rest = &names[length..];
                Step::Property(names[..length].to_owned())
            }
        };
        schema = schema.and_then(|schema| schema_at_step(schema, &step));
        all.push(step);
    }
    Some(all)
}

/// The object with `target` at `steps`, and with the optional property `more` of the object at that depth.
pub(super) fn build(
    schema: &Value,
    steps: &[Step],
    target: &Value,
    more: Option<(usize, &str, &Value)>,
) -> Value {
    let Some((step, rest)) = steps.split_first() else { return target.clone() };
    let deeper = more.and_then(|(depth, name, value)| Some((depth.checked_sub(1)?, name, value)));
    let below = schema_at_step(schema, step)
        .map_or_else(|| target.clone(), |below| build(below, rest, target, deeper));
    match step {
        Step::Item => {
            let count = schema["minItems"].as_u64().unwrap_or(1).max(1);
            let mut items = vec![below];
            items.extend((1..count.min(10)).map(|_| sample(&schema["items"])));
            Value::Array(items)
        }
        Step::Property(name) => {
            let mut object = required(schema);
            if let Some((0, other, value)) = more {
                object.insert(other.to_owned(), value.clone());
            }
            object.insert(name.clone(), below);
            Value::Object(object)
        }
        Step::Member => json!({"x": below}),
    }
}

fn required(schema: &Value) -> Map<String, Value> {
    let names = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    names.map(|name| (name.to_owned(), sample(&schema["properties"][name]))).collect()
}

/// The schema that also requires all optional numbers, because rules may require a port, for example.
pub(super) fn with_numbers(schema: &Value) -> Value {
    let mut richer = schema.clone();
    let Some(node) = richer.as_object_mut() else { return richer };
    for keyword in ["items", "additionalProperties"] {
        if let Some(below) = node.get_mut(keyword) {
            *below = with_numbers(below);
        }
    }
    let mut numbers = Vec::new();
    for (name, property) in node.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        *property = with_numbers(property);
        numbers.extend((property["type"] == "integer").then(|| json!(name)));
    }
    if !numbers.is_empty()
        && let Some(required) = node.entry("required").or_insert_with(|| json!([])).as_array_mut()
    {
        required.extend(numbers);
    }
    richer
}

/// A small value that the schema most likely accepts.
pub(super) fn sample(schema: &Value) -> Value {
    if let Some(first) = schema["enum"].as_array().and_then(|all| all.first()) {
        return first.clone();
    }
    match schema["type"].as_str() {
        Some("object") => {
            let mut object = required(schema);
            if schema["minProperties"].as_u64().is_some_and(|least| least > object.len() as u64) {
                let optional = schema["properties"].as_object().and_then(|all| all.iter().next());
                object.extend(optional.map(|(name, schema)| (name.clone(), sample(schema))));
                if optional.is_none() {
                    object.insert("x".to_owned(), sample(&schema["additionalProperties"]));
                }
            }
            Value::Object(object)
        }
        Some("array") => {
            let count = schema["minItems"].as_u64().unwrap_or(0).min(10);
            (0..count).map(|_| sample(&schema["items"])).collect()
        }
        Some("boolean") => json!(true),
        Some("integer" | "number") => {
            let least = schema["minimum"]
                .as_f64()
                .unwrap_or(1.0)
                .max(schema["maximum"].as_f64().unwrap_or(1.0).min(1.0));
            json!(least as i64)
        }
        Some("string") => texts(schema).into_iter().next().unwrap_or_else(|| json!("a")),
        _ if schema["x-kubernetes-int-or-string"] == true => json!(1),
        _ => json!({}),
    }
}

/// The texts that match the pattern and the lengths of the schema.
fn texts(schema: &Value) -> Vec<Value> {
    let pattern = schema["pattern"].as_str().and_then(|pattern| Regex::new(pattern).ok());
    let (least, most) =
        (schema["minLength"].as_u64().unwrap_or(0), schema["maxLength"].as_u64().unwrap_or(u64::MAX));
    let stretched = |text: &str| match text.len() as u64 {
        length if length < least && length > 0 => text.repeat(least.div_ceil(length) as usize),
        _ => text.to_owned(),
    };
    let all = TEXTS.iter().map(|text| stretched(text));
    let fits = |text: &String| {
        (least..=most).contains(&(text.len() as u64))
            && pattern.as_ref().is_none_or(|pattern| pattern.is_match(text))
    };
    let form = match schema["format"].as_str() {
        Some("date-time") => Some(json!("2020-01-01T00:00:00Z")),
        Some("duration") => Some(json!("1h")),
        Some("byte") => Some(json!("YQ==")),
        _ => None,
    };
    form.into_iter().chain(all.filter(fits).map(Value::String)).collect()
}

/// Values for a path whose schema changes from `old` to `new`: some of each kind, and those next to the
/// bounds of both.
pub(super) fn values(old: &Value, new: &Value) -> Vec<Value> {
    let mut all = vec![sample(old), sample(new), json!(null)];
    for schema in [old, new] {
        all.extend(schema["enum"].as_array().into_iter().flatten().cloned());
    }
    let bounds = |names: &[&str]| -> Vec<i64> {
        let all =
            [old, new].into_iter().flat_map(|schema| names.iter().filter_map(|name| schema[*name].as_f64()));
        all.flat_map(|bound| [-1, 0, 1].map(|by| bound as i64 + by)).collect()
    };
    if old.get("type").is_none() {
        all.extend([json!("a"), json!(1), json!([]), json!([1]), json!({"a": 1})]);
    }
    match old["type"].as_str().or(new["type"].as_str()) {
        Some("string") => {
            all.extend(texts(old).into_iter().chain(texts(new)));
            all.extend(TEXTS.map(|text| json!(text)));
            for length in bounds(&["minLength", "maxLength"]) {
                let length = length.clamp(0, 40_000) as usize;
                all.extend(["a", "a.", "/", "1"].map(|text| json!(text.repeat(length)[..length].to_owned())));
            }
        }
        Some("integer" | "number") => {
            all.extend([-1, 0, 1, 2, 3, 8080, 70_000, i64::from(i32::MAX) + 1].map(|number| json!(number)));
            all.extend(bounds(&["minimum", "maximum", "multipleOf"]).into_iter().map(|number| json!(number)));
        }
        Some("boolean") => all.extend([json!(true), json!(false)]),
        Some("array") => {
            let item = |seed: usize| match old["items"]["type"].as_str() {
                Some("string") => json!(format!("a{seed}")),
                Some("integer") => json!(seed),
                _ => keyed(&old["items"], &old["x-kubernetes-list-map-keys"], seed),
            };
            for count in bounds(&["minItems", "maxItems"]).into_iter().chain([0, 1, 2]) {
                let count = count.clamp(0, 1100) as usize;
                all.push((0..count).map(item).collect());
                all.push((0..count).map(|_| sample(&old["items"])).collect());
            }
        }
        _ => {
            let least = required(old);
            all.push(Value::Object(least.clone()));
            let with = |name: &str, value: Value| {
                let mut object = least.clone();
                object.insert(name.to_owned(), value);
                Value::Object(object)
            };
            for (name, property) in old["properties"].as_object().into_iter().flatten() {
                all.push(with(name, sample(property)));
                let few = property["enum"].as_array().into_iter().flatten().cloned();
                all.extend(few.chain(texts(property).into_iter().take(6)).map(|value| with(name, value)));
            }
            all.extend(two_fields(old).into_iter().chain(two_fields(new)));
            let of_map = sample(&old["additionalProperties"]);
            for value in [of_map, json!("a"), json!(1), json!({})] {
                all.push(with("unknownOne", value.clone()));
                for count in bounds(&["minProperties", "maxProperties"]) {
                    let count = count.clamp(0, 600) as usize;
                    all.push(Value::Object(
                        (0..count).map(|key| (format!("k{key}"), value.clone())).collect(),
                    ));
                }
            }
        }
    }
    all
}

/// A few values of each kind that the schema may accept.
pub(super) fn sample_values(schema: &Value) -> Vec<Value> {
    let mut all = vec![sample(schema), filled(schema), json!(null)];
    all.extend(schema["enum"].as_array().into_iter().flatten().take(4).cloned());
    match schema["type"].as_str() {
        Some("string") => all.extend(texts(schema).into_iter().take(6)),
        Some("integer" | "number") => all.extend([0, 1, 2, 100].map(|number| json!(number))),
        Some("boolean") => all.push(json!(false)),
        Some("array") => {
            let item = filled(&schema["items"]);
            all.extend([1, 2, 20].map(|count| json!(vec![&item; count])));
        }
        None => all.extend([json!("a"), json!(1)]),
        Some(_) => {}
    }
    all
}

/// The object with each optional field, which itself has one optional field, and with each pair of fields.
fn two_fields(schema: &Value) -> Vec<Value> {
    let Some(properties) = schema["properties"].as_object() else { return Vec::new() };
    let mut all = Vec::new();
    for (name, property) in properties.iter().take(30) {
        let mut one = required(schema);
        one.insert(name.clone(), filled(property));
        for (other, property) in properties.iter().take(8) {
            let mut two = one.clone();
            two.insert(other.clone(), filled(property));
            all.push(Value::Object(two));
        }
        for inner in property["properties"].as_object().into_iter().flatten() {
            let mut object = required(property);
            object.insert(inner.0.clone(), filled(inner.1));
            one.insert(name.clone(), Value::Object(object));
            all.push(Value::Object(one.clone()));
        }
        all.push(Value::Object(one));
    }
    all
}

/// A value with content, even if nothing is required.
fn filled(schema: &Value) -> Value {
    let mut value = sample(schema);
    if let (Some(object), Some(properties)) = (value.as_object_mut(), schema["properties"].as_object())
        && object.is_empty()
    {
        object.extend(properties.iter().next().map(|(name, schema)| (name.clone(), sample(schema))));
    }
    value
}

/// An item with unique keys.
fn keyed(schema: &Value, keys: &Value, seed: usize) -> Value {
    let mut item = sample(schema);
    let names = keys.as_array().into_iter().flatten().filter_map(Value::as_str);
    for name in names.chain(schema["properties"].get("name").map(|_| "name")) {
        let value = match schema["properties"][name]["type"].as_str() {
            Some("integer") => json!(seed + 1),
            _ => json!(format!("a{seed}")),
        };
        if let Some(object) = item.as_object_mut() {
            object.insert(name.to_owned(), value);
        }
    }
    item
}
