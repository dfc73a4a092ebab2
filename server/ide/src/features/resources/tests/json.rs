//! Completion in braces: in JSON, and in YAML in flow style.

use super::complete::{completions, labels, taken};
use super::surroundings;
use crate::{File, Settings};

#[test]
fn values_of_json_are_quoted() {
    for (text, label, after) in [
        (
            r#"{"apiVersion": "example.com/v1", "kind": "Widget", "spec": {"mode": $0}}"#,
            "Slow",
            r#""mode": "Slow"}"#,
        ),
        (
            r#"{"apiVersion": "example.com/v1", "kind": "Widget", "spec": {"paused": $0}}"#,
            "true",
            r#""paused": true}"#,
        ),
        (r#"{"apiVersion": "example.com/v1", "kind": "Widget", "spec": {$0}}"#, "paused", r#"{"paused": }"#),
    ] {
        let (after_it, _) = taken(text, label);
        assert!(after_it.contains(after), "{after_it}");
    }
}

#[test]
fn in_json_an_item_comes_with_its_required_fields() {
    let text = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "spec": {"versions": [{"schema": {"openAPIV3Schema": {"x$0"}}}]}}"#;
    let (_, snippet) = taken(text, "x-kubernetes-validations");
    assert!(snippet.unwrap().contains(r#""x-kubernetes-validations": [{"rule": "$1"\}]"#));
    let (_, snippet) = taken(text, "enum");
    assert!(snippet.unwrap().contains(r#""enum": [$1]"#));
    let (_, snippet) = taken(text, "description");
    assert!(snippet.unwrap().contains(r#""description": "$1""#));
}

#[test]
fn keys_of_json_are_quoted() {
    let text = r#"{"apiVersion": "example.com/v1", "kind": "Widget", "spec": {"paused": true, "mo$0"}}"#;
    assert!(taken(text, "mode").0.contains(r#""paused": true, "mode": }"#));
}

/// A key that is typed above others, before its comma, does not replace any of them.
#[test]
fn within_braces_following_text_is_kept() {
    let of = |spec: &str| format!("apiVersion: example.com/v1\nkind: Widget\nspec: {{\n  {spec}\n}}\n");
    let others = ["ports", "free", "labels", "limit", "paused", "port", "replicas"];
    for typed in ["$0", "mo$0"] {
        let text = of(&format!("{typed}\n  tags: [a]"));
        assert_eq!(labels(&text)[1..], others, "{text}");
        let (plain, snippet) = taken(&text, "mode");
        assert_eq!((plain, snippet), (of("mode: \n  tags: [a]"), Some(of("mode: ${1:Fast},\n  tags: [a]"))));
    }
    let json = |spec: &str| {
        format!("{{\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\", \"spec\": {{\n  {spec}\n}}}}")
    };
    for typed in ["$0", "\"mo$0\"", "\"mo$0", "mo$0"] {
        let (_, snippet) = taken(&json(&format!("{typed}\n  \"tags\": [\"a\"]")), "mode");
        assert_eq!(snippet.unwrap(), json("\"mode\": \"${1:Fast}\",\n  \"tags\": [\"a\"]"), "{typed}");
        let (_, snippet) = taken(&json(&format!("\"tags\": [\"a\"],\n  {typed}")), "mode");
        assert_eq!(snippet.unwrap(), json("\"tags\": [\"a\"],\n  \"mode\": \"${1:Fast}\""), "{typed}");
    }
    let (value, _) = taken(&json("\"mode\": $0\n  \"tags\": [\"a\"]"), "Slow");
    assert_eq!(value, json("\"mode\": \"Slow\",\n  \"tags\": [\"a\"]"));
}

#[test]
fn an_object_in_json_begins_with_its_kind() {
    assert_eq!(labels("{\n  \"$0\"\n}"), ["apiVersion", "kind"]);
    assert_eq!(labels("{\n  $0\n}"), ["apiVersion", "kind"]);
    assert_eq!(labels("{\n  \"name\": \"a\",\n  \"$0\"\n}"), [""; 0]);
    let (_, snippet) = taken("{\n  \"$0\"\n}", "kind");
    assert_eq!(snippet.unwrap(), "{\n  \"kind\": \"$1\"\n}");
    let (text, _) = taken("{\"apiVersion\": \"example.com/v1\", \"kind\": \"$0\"}", "Widget");
    assert_eq!(text, "{\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\"}");
    assert_eq!(taken("{\"apiVersion\": \"$0\"}", "example.com/v1").0, "{\"apiVersion\": \"example.com/v1\"}");
    assert_eq!(
        taken("apiVersion: example.com/v1\nkind: '$0'\n", "Widget").0,
        "apiVersion: example.com/v1\nkind: 'Widget'\n"
    );
}

#[test]
fn a_new_file_in_json_holds_json() {
    let surroundings = crate::Surroundings { source: "a.json".into(), ..surroundings() };
    let all = File::with_surroundings("", &Settings::default(), surroundings).completions(0);
    let labels: Vec<&str> = all.iter().map(|one| &*one.label).collect();
    assert_eq!(labels, ["CustomResourceDefinition", "Widget", "Widget"]);
    let snippets: Vec<_> = all.iter().map(|one| one.snippet.as_deref().unwrap()).collect();
    let head = |version: &str, kind: &str| {
        format!(
            "{{\n  \"apiVersion\": \"{version}\",\n  \"kind\": \"{kind}\",\n  \"metadata\": {{\n    \"name\": \"${{1:name}}\"\n  \\}},\n  "
        )
    };
    let definition = head("apiextensions.k8s.io/v1", "CustomResourceDefinition") + "\"spec\": {$2\\}\n\\}";
    let widget = head("example.com/v1", "Widget")
        + "\"spec\": {\"mode\": \"${2:Fast}\", \"ports\": [{\"name\": \"$3\", \"target\": {\"number\": $4\\}\\}]\\}\n\\}";
    assert_eq!(snippets[..2], [definition, widget]);
}

/// If the entry above lacks a comma, the next key adds it.
#[test]
fn the_comma_before_a_key_comes_with_it() {
    let json = |spec: &str| {
        format!("{{\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\", \"spec\": {{{spec}\n}}}}")
    };
    for (entry, end) in
        [("\"limit\": 3", ""), ("\"limit\": 3", "\n  \"tags\": []"), ("\"tags\": [\"a\"]", "")]
    {
        let (text, all) = completions(&json(&format!("\n  {entry}\n  $0{end}")));
        let one = all.iter().find(|one| one.label == "paused").expect("a proposal");
        let comma = one.indent.clone().expect("a comma");
        let mut after = text;
        after.replace_range(one.range.as_usize(), one.snippet.as_deref().unwrap_or(&one.text));
        after.replace_range(comma.range.as_usize(), &comma.new_text);
        let behind = if end.is_empty() { "" } else { "," };
        assert_eq!(after, json(&format!("\n  {entry},\n  \"paused\": $1{behind}{end}")), "{entry}");
    }
    for complete in
        ["\n  \"limit\": 3,\n  $0", "\n  $0", "\n  \"limit\": 3 # c\n  $0", "\n  \"limit\":\n  $0"]
    {
        let (_, all) = completions(&json(complete));
        assert!(all.iter().all(|one| one.indent.is_none()), "{complete}");
    }
}

#[test]
fn objects_and_lists_within_brackets_come_with_what_they_need() {
    let of = |spec: &str| {
        format!("{{\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\", \"spec\": {spec}}}")
    };
    for (typed, label, wanted) in [
        ("$0", "{}", r#"{"mode": "${1:Fast}", "ports": [{"name": "$2", "target": {"number": $3\}\}]\}"#),
        (r#"{"ports": $0}"#, "[]", r#"{"ports": [{"name": "$1", "target": {"number": $2\}\}]}"#),
        (r#"{"ports": [$0]}"#, "{}", r#"{"ports": [{"name": "$1", "target": {"number": $2\}\}]}"#),
        (r#"{"tags": $0}"#, "[]", r#"{"tags": ["${1:a}"]}"#),
    ] {
        let (_, snippet) = taken(&of(typed), label);
        assert_eq!(snippet.unwrap(), of(wanted), "{typed}");
    }
    let yaml = |spec: &str| format!("apiVersion: example.com/v1\nkind: Widget\nspec: {spec}\n");
    let (_, snippet) = taken(&yaml("{ports: [$0]}"), "{}");
    assert_eq!(snippet.unwrap(), yaml(r"{ports: [{name: $1, target: {number: $2\}\}]}"));
}

#[test]
fn usual_properties_are_written_in_json() {
    let text = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "spec": {"versions": [{"schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {"re$0"}}}}}}]}}"#;
    let found = completions(text).1.into_iter().find(|one| one.label == "replicas");
    assert_eq!(found.unwrap().filter.as_deref(), Some("\"replicas\""));
    let (_, snippet) = taken(text, "replicas");
    let snippet = snippet.unwrap();
    assert!(snippet.contains(r#""properties": {"replicas": {"type": "integer", "#), "{snippet}");
}
