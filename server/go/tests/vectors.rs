//! Single functions, compared with the recorded results of controller-gen's own code (`../shared/cases/go/vectors`).
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "../../../tests/support/beside.rs"]
mod beside;

use std::collections::BTreeSet;
use std::fs;

use go::json::Json;
use go::marker::{self, Data, Target};
use go::version::Version;
use serde_json::Value as Answer;

fn vectors(name: &str) -> Option<String> {
    let folder = beside::shared("cases/go/vectors", &format!("{name} is not compared"))?;
    Some(fs::read_to_string(folder.join(name)).unwrap())
}

fn target(name: &str) -> Target {
    match name {
        "package" => Target::Package,
        "type" => Target::Type,
        "field" => Target::Field,
        other => panic!("no target {other}"),
    }
}

/// A JSON value as the YAML decoder produces it.
fn json(answer: &Answer) -> Json {
    match answer {
        Answer::Null => Json::Null,
        Answer::Bool(flag) => Json::Bool(*flag),
        Answer::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(int), ..) => Json::Int(int),
            (_, Some(int), _) => Json::Unsigned(int),
            (.., Some(0.0)) => Json::Int(0),
            (.., float) => Json::Float(float.unwrap()),
        },
        Answer::String(text) => Json::Text(text.clone()),
        Answer::Array(items) => Json::List(items.iter().map(json).collect()),
        Answer::Object(entries) => {
            Json::Map(entries.iter().map(|(key, value)| (key.clone(), json(value))).collect())
        }
    }
}

/// Compares a marker with the vectors: Go's structs with all their fields.
fn equals_answer(answer: &Answer, marker: &marker::Marker) -> bool {
    let Answer::Object(fields) = answer else {
        let ours = marker.argument("").and_then(marker::Value::to_json);
        let is_empty = matches!(answer, Answer::Null) || *answer == "";
        return ours
            .map_or(is_empty, |ours| ours == json(answer) || is_nothing(&ours) && is_nothing(&json(answer)));
    };
    fields.iter().all(|(name, value)| {
        let named = marker.arguments.iter().find(|(argument, _)| argument.eq_ignore_ascii_case(name));
        let named = named
            .or_else(|| marker.arguments.iter().find(|(argument, _)| argument.is_empty() && name == "Value"));
        let ours = named.and_then(|(_, value)| value.to_json());
        let expected = json(value);
        ours.is_none_or(|ours| ours == expected || is_nothing(&ours)) || is_nothing(&expected)
    })
}

fn is_nothing(value: &Json) -> bool {
    matches!(value, Json::Null | Json::Int(0) | Json::Bool(false))
        || matches!(value, Json::Text(text) if text.is_empty())
        || matches!(value, Json::List(items) if items.is_empty())
}

#[test]
fn markers_are_read_as_controller_gen_reads_them() {
    let Some(vectors) = vectors("markers.jsonl") else { return };
    let mut wrong = Vec::new();
    let lines = vectors.lines().count();
    for line in vectors.lines() {
        let vector: Answer = serde_json::from_str(line).unwrap();
        let text = vector["text"].as_str().unwrap();
        let known = marker::lookup(text, target(vector["target"].as_str().unwrap()), Version::NEWEST);
        let name = known.map(|known| known.name());
        if name.as_deref() != vector["name"].as_str() {
            wrong.push(format!("{line}\n    found as {name:?}"));
            continue;
        }
        let Some(known) = known else { continue };
        let (marker, refusals) = marker::parse(text, known, Version::NEWEST);
        let ours: BTreeSet<String> = refusals.iter().map(marker::Refusal::printed).collect();
        let theirs = vector["errors"].as_array().into_iter().flatten();
        // The tool that wrote the vectors cannot represent NaN and the infinities in JSON.
        let theirs =
            theirs.map(|error| error.as_str().unwrap()).filter(|error| !error.starts_with("VECTOR TOOL"));
        let theirs: BTreeSet<String> = theirs.map(str::to_owned).collect();
        if ours != theirs {
            wrong.push(format!("{line}\n    errors {ours:?}"));
        } else if ours.is_empty() && !equals_answer(&vector["value"], &marker) && !vector["value"].is_null() {
            wrong.push(format!("{line}\n    value {marker:?}"));
        }
        for refusal in refusals {
            assert!(text.get(refusal.range.clone()).is_some(), "{text}: {refusal:?}");
        }
    }
    println!("{} of {lines} markers are alike", lines - wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn values_have_the_ranges_of_their_text() {
    let text = "+kubebuilder:validation:XValidation:rule=\"self > 1\", message=too small";
    let known = marker::lookup(text, Target::Field, Version::NEWEST).unwrap();
    let (marker, _) = marker::parse(text, known, Version::NEWEST);
    assert_eq!(&text[marker.argument("rule").unwrap().range.clone()], "\"self > 1\"");
    assert_eq!(&text[marker.argument("message").unwrap().range.clone()], "too small");
    let text = "+kubebuilder:validation:Enum=a;{b, c};3";
    let known = marker::lookup(text, Target::Field, Version::NEWEST).unwrap();
    let (marker, _) = marker::parse(text, known, Version::NEWEST);
    let Data::List(items) = &marker.argument("").unwrap().data else { panic!() };
    assert_eq!(&text[items[0].range.clone()], "a");
}

#[test]
fn the_marker_table_equals_that_of_controller_gen() {
    let Some(vectors) = vectors("definitions.tsv") else { return };
    let mut theirs = BTreeSet::new();
    for line in vectors.lines() {
        let mut columns = line.split('\t');
        theirs.insert((columns.next().unwrap().to_owned(), columns.next().unwrap().to_owned()));
    }
    let ours: BTreeSet<(String, String)> = marker::all(Version::NEWEST)
        .map(|(known, target)| (known.name(), format!("{target:?}").to_lowercase()))
        .collect();
    assert_eq!(ours, theirs);
}

#[test]
fn plurals_are_those_of_controller_gen() {
    let Some(vectors) = vectors("plural.tsv") else { return };
    let wrong: Vec<String> = vectors
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter(|(kind, plural)| go::plural::of_kind(kind) != *plural)
        .map(|(kind, plural)| format!("{kind}: {plural}, not {}", go::plural::of_kind(kind)))
        .collect();
    println!("{} of {} plurals are alike", vectors.lines().count() - wrong.len(), vectors.lines().count());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn yaml_is_written_as_controller_gen_writes_it() {
    let Some(vectors) = vectors("yaml.jsonl") else { return };
    let mut wrong = Vec::new();
    let mut lines = 0;
    for line in vectors.lines() {
        // No generated number exceeds Go's float64.
        if line.contains("1E400") {
            continue;
        }
        lines += 1;
        let vector: Answer = serde_json::from_str(line).unwrap();
        let ours = go::yaml::write_value(&json(&vector["json"]));
        match ours {
            Ok(ours) if vector["yaml"] == ours => {}
            Err(_) if !vector["error"].is_null() => {}
            ours => wrong.push(format!("{line}\n    {ours:?}")),
        }
    }
    println!("{} of {lines} texts are alike", lines - wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
