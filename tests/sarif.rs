//! `check --output sarif` for code scanning services: the requirements of the schema of SARIF 2.1.0 for the parts that they
//! read, and the rules of Microsoft's Multitool for GitHub, by their numbers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod program;
}

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use support::program::{directory, json_of, run, status};

/// The report on files with all features: places in other files, fixes, templates, files that are not text, unusual paths.
fn report() -> Value {
    let broken = include_str!("../fixtures/first-light/widgets.yaml");
    let definition = include_str!("../fixtures/repositories/lists/crds/widgets.yaml");
    let widget =
        "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: é}\nspec: {size: 0, colour: bleu}\n";
    let files: [(&str, &[u8]); 7] = [
        ("crds/a b#1%.yaml", broken.as_bytes()),
        ("crds/ä.yaml", broken.as_bytes()),
        ("crds/widgets.yaml", definition.as_bytes()),
        ("samples/widget.yaml", widget.as_bytes()),
        ("samples/copy.yaml", widget.as_bytes()),
        ("samples/unknown.yaml", b"apiVersion: other.example.com/v1\nkind: Thing\nmetadata: {name: a}\n"),
        ("samples/binary.yaml", b"a\0b"),
    ];
    let root = directory(&files);
    let output = run(root.path(), &["check", "--output", "sarif", "."]);
    assert_eq!(status(&output), 1);
    json_of(&output)
}

/// All objects below `value` with the key `key`.
fn under<'v>(value: &'v Value, key: &str, found: &mut Vec<&'v Value>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if name == key {
                    found.push(member);
                }
                under(member, key, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| under(item, key, found)),
        _ => {}
    }
}

fn all<'v>(value: &'v Value, key: &str) -> Vec<&'v Value> {
    let mut found = Vec::new();
    under(value, key, &mut found);
    assert!(!found.is_empty(), "nothing has `{key}`");
    found
}

fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    let text = value.pointer(path).and_then(Value::as_str);
    text.unwrap_or_else(|| panic!("no text at {path} of {value}"))
}

#[test]
fn the_log_has_the_required_properties() {
    let log = report();
    assert_eq!((text(&log, "/version"), log["runs"].as_array().unwrap().len()), ("2.1.0", 1));
    assert!(text(&log, "/$schema").ends_with("/sarif-schema-2.1.0.json"));
    let run = &log["runs"][0];
    // GH1007 and SARIF2005: the tool has a name and a page.
    let driver = &run["tool"]["driver"];
    assert_eq!(text(driver, "/name"), "crd-ls");
    assert!(text(driver, "/informationUri").starts_with("https://"));
    let version = text(driver, "/semanticVersion");
    assert_eq!(version.split('.').count(), 3, "{version}");
    // SARIF2012: the unit of columns.
    assert_eq!(text(run, "/columnKind"), "utf16CodeUnits");
    // GH1006: a category ends with a slash.
    assert!(text(run, "/automationDetails/id").ends_with('/'));
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], true);
    let notifications = invocation["toolExecutionNotifications"].as_array().unwrap();
    let reasons: BTreeSet<&str> = notifications.iter().map(|one| text(one, "/properties/reason")).collect();
    assert_eq!(reasons, BTreeSet::from(["no-definition", "unreadable"]));
}

#[test]
fn rules_have_descriptions_and_results_agree_with_them() {
    let log = report();
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: Vec<&str> = rules.iter().map(|rule| text(rule, "/id")).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "each once");
    for rule in rules {
        // SARIF2010 to 2016.
        for description in ["/shortDescription/text", "/fullDescription/text"] {
            let text = text(rule, description);
            assert!(text.ends_with(['.', '!', '?']) && text.chars().count() <= 1024, "{text}");
        }
        assert!(text(rule, "/helpUri").starts_with("https://"));
        assert!(!text(rule, "/help/markdown").is_empty());
        assert!(text(rule, "/name").chars().all(char::is_alphanumeric));
        let severity = text(rule, "/properties/problem.severity");
        assert!(["error", "warning", "recommendation"].contains(&severity), "{severity}");
        assert!(rule["properties"]["tags"].as_array().unwrap().len() <= 20);
    }
    let results = run["results"].as_array().unwrap();
    let mut used = BTreeSet::new();
    let mut fingerprints = BTreeMap::new();
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(ids[index], text(result, "/ruleId"));
        used.insert(index);
        assert!(["error", "warning", "note"].contains(&text(result, "/level")));
        assert!(text(result, "/message/text").ends_with(['.', '!', '?']));
        assert_eq!(result["locations"].as_array().unwrap().len(), 1);
        let fingerprint = text(result, "/partialFingerprints/primaryLocationLineHash");
        assert_eq!(fingerprints.insert(fingerprint, result), None, "{result}");
        let related = result["relatedLocations"].as_array().into_iter().flatten();
        for (at, related) in related.enumerate() {
            assert_eq!(related["id"], at + 1, "ids are unique within a result");
            assert!(!text(related, "/message/text").is_empty());
        }
    }
    assert_eq!(used.len(), ids.len(), "no rule without a result");
    // Two runs have the same fingerprints.
    let again = report();
    let again: Vec<&str> =
        all(&again, "primaryLocationLineHash").iter().map(|one| one.as_str().unwrap()).collect();
    assert!(again.iter().all(|one| fingerprints.contains_key(one)));
}

#[test]
fn places_are_relative_references_and_count_from_1() {
    let log = report();
    let run = &log["runs"][0];
    let bases = run["originalUriBaseIds"].as_object().unwrap();
    let mut uris = BTreeSet::new();
    for artifact in all(run, "artifactLocation") {
        // GH1003 and SARIF2008: relative to a base that the run declares.
        assert!(bases.contains_key(text(artifact, "/uriBaseId")), "{artifact}");
        let uri = text(artifact, "/uri");
        let is_plain = |char: char| char.is_ascii_alphanumeric() || "-._~/%".contains(char);
        assert!(uri.chars().all(is_plain) && !uri.starts_with(['/', '.']), "{uri}");
        uris.insert(uri);
    }
    for expected in ["crds/a%20b%231%25.yaml", "crds/%C3%A4.yaml", "samples/widget.yaml"] {
        assert!(uris.contains(expected), "{expected} in {uris:?}");
    }
    let regions = [all(run, "region"), all(run, "deletedRegion")].concat();
    for region in regions {
        let number = |key: &str| region.get(key).map(|number| number.as_u64().unwrap());
        let (start_line, end_line) = (number("startLine").unwrap(), number("endLine"));
        assert!(start_line >= 1 && end_line.is_none_or(|end| end >= start_line), "{region}");
        let (start, end) = (number("startColumn"), number("endColumn"));
        assert!(start.is_none_or(|start| start >= 1) && end.is_none_or(|end| end >= 1), "{region}");
        assert!(end_line != Some(start_line) || end >= start, "{region}");
    }
    for change in all(run, "artifactChanges").into_iter().flat_map(|changes| changes.as_array().unwrap()) {
        assert!(change["replacements"].as_array().is_some_and(|all| !all.is_empty()), "{change}");
    }
}

/// Results are generated while they are written, so only the limits of services bound the size of a log.
#[test]
fn a_long_log_is_well_formed() {
    let unpacked = tempfile::tempdir().unwrap();
    for folder in ["crd/cases", "crd/structural", "crd/editor"] {
        suites::unpack(&suites::fixtures().join(folder), &unpacked.path().join(folder)).unwrap();
    }
    let output = run(unpacked.path(), &["check", "--output", "sarif", "crd"]);
    let log = json_of(&output);
    let results = log["runs"][0]["results"].as_array().unwrap().len();
    assert!((1_000..=25_000).contains(&results), "{results}");
    assert_eq!(log["runs"][0]["columnKind"], json!("utf16CodeUnits"));
}
