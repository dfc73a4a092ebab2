//! The smallest value that a schema accepts, as far as it is known without a search.

use std::collections::BTreeMap;

use crd::formats::Format;
use crd::regexp::{self, Matcher};
use yaml::Json;

use crate::features::preview::sample::view::View;

/// The maximum number of generated items or members.
const MOST: usize = 20;
/// Texts to try for a pattern or a format.
const TEXTS: [&str; 34] = [
    "sample",
    "Sample",
    "a",
    "A",
    "1",
    "v1",
    "example.com",
    "https://example.com",
    "example.com/sample",
    "10s",
    "1h",
    "10m",
    "1Gi",
    "100m",
    "1.0.0",
    "v1.0.0",
    "10%",
    "2024-01-01T00:00:00Z",
    "2024-01-01",
    "10.0.0.1",
    "10.0.0.0/16",
    "fd00::1",
    "user@example.com",
    "6ba7b810-9dad-41d1-80b4-00c04fd430c8",
    "c2FtcGxl",
    "#00ff00",
    "/",
    "/sample",
    "arn:aws:iam::123456789012:role/sample",
    "sg-0123456789abcdef0",
    "registry.example.com/sample:v1",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "Sample=true",
    "",
];

/// The smallest value that `of` describes, or its default or example.
pub(super) fn minimal(of: &View<'_>) -> Json {
    if let Some(value) = of.keyword("default").or_else(|| of.keyword("example")) {
        return value.clone();
    }
    if let Some(Json::Array(choices)) = of.keyword("enum")
        && let Some(choice) = choices.iter().find(|choice| **choice != Json::String(String::new()))
    {
        return choice.clone();
    }
    match of.text("type") {
        "string" => Json::String(text(of)),
        "boolean" => Json::Bool(true),
        "number" | "integer" => number(of),
        "array" => array(of),
        "object" => object(of),
        _ if of.is_true("x-kubernetes-int-or-string") => number(of),
        _ if of.is_true("x-kubernetes-embedded-resource") || of.has_properties() => object(of),
        _ => Json::Object(BTreeMap::new()),
    }
}

fn text(of: &View<'_>) -> String {
    let least = of.number("minLength", f64::max).unwrap_or(0.0) as usize;
    let most = of.number("maxLength", f64::min).map_or(usize::MAX, |most| most as usize);
    let strings = |name| of.all(name).filter_map(Json::as_str);
    let formats: Vec<Format> = strings("format").filter_map(Format::named).collect();
    let patterns: Vec<Matcher> = strings("pattern")
        .filter_map(|pattern| regexp::parse(pattern).ok())
        .filter_map(|pattern| Matcher::new(&pattern).ok())
        .collect();
    let fits = |text: &&str| {
        (least..=most).contains(&text.chars().count())
            && formats.iter().all(|format| format.validates(text))
            && patterns.iter().all(|pattern| pattern.is_match(text))
    };
    let long = "a".repeat(least.min(1_000));
    // Repeated letters show that only the length matters.
    let first = if least > "sample".len() { long.as_str() } else { "sample" };
    let known = std::iter::once(first).chain(TEXTS).find(fits);
    known.unwrap_or("sample").to_owned()
}

fn number(of: &View<'_>) -> Json {
    let step = of.number("multipleOf", f64::max).filter(|step| *step > 0.0);
    let unit = step.unwrap_or(1.0);
    let mut least = of.number("minimum", f64::max);
    let mut most = of.number("maximum", f64::min);
    least = least.map(|least| if of.is_true("exclusiveMinimum") { least + unit } else { least });
    most = most.map(|most| if of.is_true("exclusiveMaximum") { most - unit } else { most });
    let wanted = 1.0_f64.max(least.unwrap_or(f64::MIN)).min(most.unwrap_or(f64::MAX));
    let value = step.map_or(wanted, |step| (wanted / step).ceil() * step);
    if value.fract() == 0.0 && value.abs() < 9e15 { Json::Int(value as i64) } else { Json::Float(value) }
}

fn array(of: &View<'_>) -> Json {
    let least = of.number("minItems", f64::max).unwrap_or(0.0) as usize;
    let most = of.number("maxItems", f64::min).map_or(usize::MAX, |most| most as usize);
    let items = of.below("items");
    let first = minimal(&items);
    let count = least.max(1).min(most).min(MOST);
    let keys: Vec<&str> = match of.keyword("x-kubernetes-list-map-keys") {
        Some(Json::Array(keys)) => keys.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    };
    Json::Array((0..count).map(|index| distinct(&first, index, &keys)).collect())
}

/// A value that differs from those with lower indices, as required for items of sets and maps.
fn distinct(value: &Json, index: usize, keys: &[&str]) -> Json {
    if index == 0 {
        return value.clone();
    }
    match value {
        Json::String(text) => Json::String(format!("{text}{index}")),
        Json::Int(number) => Json::Int(number.saturating_add(index as i64)),
        Json::Object(members) => {
            let mut members = members.clone();
            for key in keys {
                if let Some(member) = members.get_mut(*key) {
                    *member = distinct(member, index, &[]);
                }
            }
            Json::Object(members)
        }
        other => other.clone(),
    }
}

fn object(of: &View<'_>) -> Json {
    let mut members = BTreeMap::new();
    if of.is_true("x-kubernetes-embedded-resource") {
        let name = BTreeMap::from([("name".to_owned(), Json::String("sample".to_owned()))]);
        members.insert("apiVersion".to_owned(), Json::String("v1".to_owned()));
        members.insert("kind".to_owned(), Json::String("ConfigMap".to_owned()));
        members.insert("metadata".to_owned(), Json::Object(name));
    }
    for name in of.required() {
        members.entry(name.to_owned()).or_insert_with(|| minimal(&of.property(name)));
    }
    let least = of.number("minProperties", f64::max).unwrap_or(0.0) as usize;
    for name in of.names() {
        if members.len() < least {
            members.entry(name.to_owned()).or_insert_with(|| minimal(&of.property(name)));
        }
    }
    for index in members.len()..least.min(MOST) {
        let name = if index == 0 { "key".to_owned() } else { format!("key{index}") };
        members.insert(name, minimal(&of.below("additionalProperties")));
    }
    Json::Object(members)
}
