//! Each rule has a page, and each page's examples do what the page says.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use ide::{Catalog, Definitions, Experiments, File, Level, RULES, Rule, Settings, Severity, Surroundings};

/// A definition in JSON as `fragment` changes it: mappings and lists of the same length are merged.
fn merged(whole: Value, fragment: Value) -> Value {
    match (whole, fragment) {
        (Value::Object(mut whole), Value::Object(fragment)) => {
            for (key, value) in fragment {
                let before = whole.remove(&key).unwrap_or_default();
                whole.insert(key, merged(before, value));
            }
            Value::Object(whole)
        }
        (Value::Array(whole), Value::Array(fragment)) if whole.len() == fragment.len() => {
            whole.into_iter().zip(fragment).map(|(whole, fragment)| merged(whole, fragment)).collect()
        }
        (_, fragment) => fragment,
    }
}

fn json(yaml: &str) -> Value {
    let tree = yaml::Tree::parse(yaml);
    let document = tree.documents().next().unwrap();
    serde_json::from_str(&yaml::decode(document).unwrap().json.to_string()).unwrap()
}

/// The example as a CRD: a schema becomes that of its only version, and what begins with `metadata` or `spec` is put
/// into a whole definition.
fn definition(code: &str, example: &str) -> String {
    let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    if example.starts_with("apiVersion:") {
        return example.to_owned();
    }
    if ["metadata:", "spec:"].iter().any(|start| example.starts_with(start)) && !code.starts_with("yaml/") {
        return merged(json(&definition("", "type: object")), json(example)).to_string();
    }
    let indented: String = example.lines().map(|line| format!("        {line}\n")).collect();
    format!(
        "{head}metadata:\n  name: widgets.example.com\nspec:\n  group: example.com\n  scope: Namespaced\n  names:\n    plural: widgets\n    \
         kind: Widget\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n{indented}"
    )
}

/// The codes and severities of what is found; of what is off by default only `rule`.
fn findings(rule: &Rule, text: &str) -> BTreeSet<(&'static str, Severity)> {
    let mut settings = Settings::default();
    if rule.is_optional {
        settings.rules.set(rule.code.as_str(), Level::As(rule.severity)).unwrap();
        assert!(
            !File::new(text, &Settings::default())
                .findings()
                .iter()
                .any(|one| one.code.as_str() == rule.code.as_str())
        );
    }
    if rule.experiment().is_some() {
        settings.experiments = Experiments { feature_gates: true, unions: true };
        assert!(
            !File::new(text, &Settings::default())
                .findings()
                .iter()
                .any(|one| one.code.as_str() == rule.code.as_str())
        );
    }
    let source: Arc<str> = "example.yaml".into();
    let definitions = Definitions::read(&source, text, Definitions::held(text));
    let catalog = Catalog::default().with([(Arc::clone(&source), definitions)]);
    let file = File::within(text, &settings, Surroundings { catalog, source, ..Surroundings::default() });
    file.findings().iter().map(|finding| (finding.code.as_str(), finding.severity)).collect()
}

#[test]
fn codes_are_there_once() {
    assert!(RULES.is_sorted_by(|one, other| one.code.as_str() < other.code.as_str()));
}

#[test]
fn a_title_is_one_sentence_and_every_rule_has_a_source() {
    for rule in &RULES {
        assert!(rule.title.ends_with('.') && !rule.title.contains('\n'), "{}: {:?}", rule.code, rule.title);
        assert!(rule.server_checks().next().is_some() || !rule.sources.is_empty(), "{}", rule.code);
    }
}

/// What the server reports beside a rule in any case, as the page says.
const COMES_ALONG: [(&str, &str); 18] = [
    ("cel/crd-cost-contributor", "cel/crd-cost-total"),
    ("cel/crd-cost-contributor", "cel/rule-cost"),
    ("cel/crd-cost-total", "cel/crd-cost-contributor"),
    ("cel/crd-cost-total", "cel/rule-cost"),
    ("cel/message-expression-cost", "cel/crd-cost-contributor"),
    ("cel/message-expression-cost", "cel/crd-cost-total"),
    ("gates/default-dropped", "gates/published"),
    ("gates/off", "gates/published"),
    ("gates/path", "gates/published"),
    ("gates/required", "gates/published"),
    ("gates/rule", "gates/published"),
    ("gates/rule", "gates/required"),
    ("metadata/name-dns", "names/metadata-name"),
    ("names/plural-required", "metadata/name-dns"),
    ("spec/group-required", "metadata/name-dns"),
    ("structural/junctor-list-map-keys", "schema/list-map-keys-type"),
    ("structural/junctor-list-type", "schema/list-type-array"),
    ("structural/junctor-map-type", "schema/map-type-object"),
];

#[test]
fn what_is_wrong_is_found_and_nothing_else() {
    let mut different = Vec::new();
    for rule in RULES.iter().filter(|rule| !rule.wrong.is_empty()) {
        let along =
            COMES_ALONG.iter().filter(|(code, _)| *code == rule.code.as_str()).map(|(_, along)| *along);
        let expected: BTreeSet<&str> = along.chain([rule.code.as_str()]).collect();
        let found = findings(rule, &definition(rule.code.as_str(), rule.wrong));
        let codes: BTreeSet<&str> = found.iter().map(|(code, _)| *code).collect();
        if codes != expected || !found.contains(&(rule.code.as_str(), rule.severity)) {
            different.push(format!("{}: {found:?}", rule.code.as_str()));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn what_is_right_has_no_findings() {
    let mut different = Vec::new();
    for rule in RULES.iter() {
        assert_eq!(rule.right.is_empty(), rule.wrong.is_empty(), "{}: half an example", rule.code.as_str());
        if !rule.right.is_empty() {
            let found = findings(rule, &definition(rule.code.as_str(), rule.right));
            if !found.is_empty() {
                different.push(format!("{}: {found:?}", rule.code.as_str()));
            }
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// A page that says "None" of a rule whose example has a quick-fix is not true.
#[test]
fn what_has_a_fix_says_so() {
    let mut silent = Vec::new();
    for rule in RULES.iter().filter(|rule| rule.fix.starts_with("None") && !rule.wrong.is_empty()) {
        let text = definition(rule.code.as_str(), rule.wrong);
        let experiments = Experiments { feature_gates: true, unions: true };
        let file = File::new(&text, &Settings { experiments, ..Settings::default() });
        let fixes = file.fixes(text::TextRange::new(0, text.len() as u32));
        let own = fixes.iter().filter(|fix| fix.repairs.iter().any(|(code, _)| *code == rule.code.as_str()));
        silent.extend(own.map(|fix| format!("{}: {}", rule.code.as_str(), fix.title)));
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
