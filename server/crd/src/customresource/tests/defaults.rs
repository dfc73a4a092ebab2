//! Compares checks 98 to 101 with the server's answers.

use std::collections::BTreeMap;

use api::KubernetesVersion;
use serde_json::Value as Json;
use yaml::{Reader, Tree};

use crate::cache::Cache;
use crate::customresource::{DefaultsOf, FineDefaults, validate_defaults};
use crate::finding::Finding;
use crate::object::{CustomResourceDefinition, definitions};
use crate::reading::Budget;
use crate::schema::structural::structural;

/// Our findings for the defaults of all definitions in `text`.
fn findings(text: &str, requires_pruned: bool) -> Vec<Finding> {
    let tree = Tree::parse(text);
    let mut findings = Vec::new();
    let mut cache = Cache::default();
    for document in tree.documents() {
        let reader = Reader::new(document);
        for definition in definitions(document, &reader) {
            let hoisted = definition.has_same_schemas(&mut Cache::default(), &mut Budget::new(false));
            for place in definition.schemas() {
                let server = CustomResourceDefinition::server_path(&place, hoisted);
                let (schema, base) = structural(place.value, &reader, &mut cache).unwrap();
                let defaults = DefaultsOf {
                    schema: &schema,
                    base,
                    user: place.path,
                    server,
                    reported: true,
                    requires_pruned,
                    types_only: false,
                };
                validate_defaults(
                    &defaults,
                    KubernetesVersion::NEWEST,
                    &mut FineDefaults::default(),
                    &mut findings,
                );
            }
        }
    }
    findings
}

fn ours(findings: &[Finding]) -> Vec<(String, String, String)> {
    let server = findings.iter().map(|finding| finding.api_server.clone().unwrap());
    let mut all: Vec<_> =
        server.map(|error| (error.type_name().to_owned(), error.field, error.detail)).collect();
    all.sort();
    // If schemas are moved to the top level, all versions have the same findings.
    all.dedup();
    all
}

fn servers(answer: &str) -> Vec<(String, String, String)> {
    let answer: Json = serde_json::from_str(answer).unwrap();
    let text = |error: &Json, key: &str| error[key].as_str().unwrap().to_owned();
    // Answers without errors have no list.
    let errors = answer["errors"].as_array().map_or(&[][..], Vec::as_slice);
    let mut all: Vec<_> = errors
        .iter()
        .map(|error| (text(error, "type"), text(error, "field"), text(error, "detail")))
        .collect();
    all.sort();
    all
}

#[test]
fn verdicts_on_defaults_are_the_servers() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut differences = Vec::new();
    for case in suites::cases(&suites::fixtures().join("crd/cases")).unwrap() {
        let row = case.name.get(..3).unwrap_or_default().to_owned();
        if !matches!(row.as_str(), "098" | "099" | "100" | "101") {
            continue;
        }
        // The old definition of the only update also had unknown fields in its defaults.
        let requires_pruned = case.part("old").is_none();
        let found = findings(case.checked().unwrap().as_utf8().unwrap(), requires_pruned);
        let expected = servers(case.server.as_deref().unwrap());
        *counts.entry(row).or_default() += 1;
        if ours(&found) != expected {
            differences.push(case.failed(&format!("{expected:#?}"), &format!("{:#?}", ours(&found))));
        }
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
    assert!(counts.values().sum::<usize>() >= 50, "{counts:?}");
    eprintln!("equal, by row: {counts:?}");
}

const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size:
                type: integer
                maximum: 5
                default: 8
              box:
                type: object
                required: [width]
                properties:
                  width: {type: integer}
                default: {widht: 1}
";

#[test]
fn violations_point_at_the_value_and_at_the_keyword() {
    let found = findings(DEFINITION, true);
    let at = |range: text::TextRange| &DEFINITION[range.as_usize()];
    let shown: Vec<_> =
        found.iter().map(|v| (v.code.as_str(), at(v.range), v.message.problem.as_str())).collect();
    assert_eq!(
        shown,
        [
            ("defaults/unknown-fields", "widht", "the schema does not declare `widht`"),
            ("defaults/schema", "{widht: 1}", "missing required field `width`"),
            ("defaults/schema", "8", "8 exceeds the maximum 5"),
        ]
    );
    assert_eq!(at(found[2].related[0].range), "maximum");
    assert_eq!(
        found[1].field_path.to_string(),
        "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[box].default.width"
    );
}

#[test]
fn only_our_messages_name_the_default() {
    let text = DEFINITION.replace(
        "                maximum: 5\n",
        "                x-kubernetes-validations: [{rule: self < 5, message: the value must be below 5}]\n",
    );
    let text = text.replace("default: {widht: 1}", "default: text");
    let problems: Vec<_> = findings(&text, true).into_iter().map(|finding| finding.message.problem).collect();
    assert_eq!(problems, ["`default` cannot be a string", "the value must be below 5"]);
}
