//! `crd-ls test`: suites of `openshift/api` and of crd-ls, failures, errors in suites, and coverage.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support {
    pub(crate) mod program;
}

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::program::{directory, repository, run, status, stderr, stdout};
use tempfile::TempDir;

const SUITE: &str = "tests/widgets.example.com/AAA_ungated.yaml";

/// The fixtures, with one changed file.
fn changed(name: &str, change: impl FnOnce(&str) -> String) -> TempDir {
    let fixtures = repository().join("fixtures/testing");
    let copy = directory(&[]);
    for path in [
        "widgets.yaml",
        "widgets_test.yaml",
        "samples/widgets.yaml",
        "zz_generated.crd-manifests/widgets.crd.yaml",
        SUITE,
    ] {
        let to = copy.path().join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(fixtures.join(path), to).unwrap();
    }
    let path = copy.path().join(name);
    let text = change(&fs::read_to_string(&path).unwrap());
    fs::write(path, text).unwrap();
    copy
}

/// The exit status, and the output.
fn run_tests(root: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = run(root, &[&["test"], arguments].concat());
    (status(&output), stdout(&output), stderr(&output))
}

#[test]
fn all_cases_of_the_fixtures_pass() {
    let (status, out, err) = run_tests(&repository().join("fixtures/testing"), &[]);
    assert_eq!((status, &*out, &*err), (0, "13 cases passed\n", ""));
}

#[test]
fn a_stored_object_that_differs_is_shown_as_a_diff() {
    let root = changed(SUITE, |text| text.replacen("        color: red\n", "        color: blue\n", 1));
    let (status, out, _) = run_tests(root.path(), &[SUITE]);
    let expected = format!(
        "\
FAIL {SUITE}:6 Widget: Should be able to create a minimal Widget
  definition: tests/widgets.example.com/../../zz_generated.crd-manifests/widgets.crd.yaml
  the stored object differs from the expected one
  --- expected
  +++ stored
  @@ -4,5 +4,5 @@ metadata:
     name: test-xxxxx
     namespace: default
   spec:
  -  color: blue
  +  color: red
     size: 2

6 cases passed, 1 failed
"
    );
    assert_eq!((status, out), (1, expected));
}

#[test]
fn an_error_is_expected_as_a_part_of_the_answer() {
    let root = changed(SUITE, |text| text.replace("host is immutable", "host never changes"));
    let (status, out, _) = run_tests(root.path(), &["--output", "json", "--filter", "another host", SUITE]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, &answer["passed"], &answer["line"]), (1, &Value::Bool(false), &Value::from(42)));
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.starts_with("it is rejected for another reason"), "{reason}");
    assert!(
        reason.contains("Widget.example.com \"test-xxxxx\" is invalid: spec.host: Invalid value"),
        "{reason}"
    );
}

#[test]
fn junit_has_a_suite_for_each_definition() {
    let root = changed("widgets_test.yaml", |text| text.replace("size: 10", "size: 9"));
    let (status, out, _) = run_tests(root.path(), &["--output", "junit"]);
    assert_eq!(status, 1);
    assert!(
        out.contains("<testsuites name=\"crd-ls test\" tests=\"13\" failures=\"1\" errors=\"0\">"),
        "{out}"
    );
    assert_eq!(out.matches("<testsuite ").count(), 2, "{out}");
    assert!(
        out.contains("<failure message=\"it is accepted, but `expect` says that it is rejected\">"),
        "{out}"
    );
}

#[test]
fn errors_that_a_case_does_not_expect_fail_it() {
    let root = changed("widgets_test.yaml", |text| {
        text.replace("spec: {size: 10}", "spec: {size: 10, color: blue}")
    });
    let (status, out, _) = run_tests(root.path(), &["widgets_test.yaml"]);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("`expect.errors` does not have:\n    spec.color: Unsupported value"), "{out}");
}

#[test]
fn a_bad_suite_is_reported_with_its_line_and_the_rest_runs() {
    let root = changed("widgets_test.yaml", |text| {
        text.replace("- name: a size alone is enough\n", "- title: a size alone is enough\n")
    });
    let (status, out, err) = run_tests(root.path(), &[]);
    assert_eq!((status, &*out), (2, "12 cases passed\n"));
    let expected = "\
crd-ls: widgets_test.yaml:2: `title` is unknown; use name, given, update, expect
crd-ls: widgets_test.yaml:2: `name` is missing; describe in one sentence what the case shows
";
    assert_eq!(err, expected);
    let root = changed(SUITE, |text| text.replace("name: \"Widget\"", "name: \"Widget"));
    let (status, out, err) = run_tests(root.path(), &[]);
    assert_eq!((status, &*out), (2, "6 cases passed\n"), "{err}");
    assert!(err.starts_with(&format!("crd-ls: {SUITE}:2: ")), "{err}");
    let root = changed(SUITE, |text| text.replace("crdName: widgets", "crdName: gadgets"));
    let (status, _, err) = run_tests(root.path(), &[]);
    assert_eq!(status, 2);
    let expected = format!(
        "crd-ls: {SUITE}:1: no manifest of gadgets.example.com matches this suite; name its file with --crd\n"
    );
    assert_eq!(err, expected);
}

#[test]
fn values_of_wrong_types_are_reported_each_once_and_the_rest_runs() {
    let suite = "\
version: [v1]
cases:
- name: [x]
  given: text
  expect: {accepted: perhaps, errors: {a: b}, warnings: 3, stored: [1]}
- 7
- name: a size alone
  given: {spec: {size: 2}}
  expect: {accepted: true}
";
    let root = changed("widgets_test.yaml", |_| suite.to_owned());
    let (status, out, err) = run_tests(root.path(), &["widgets_test.yaml"]);
    assert_eq!((status, &*out), (2, "1 case passed\n"), "{err}");
    let expected = "\
crd-ls: widgets_test.yaml:1: `version` is not text; quote it
crd-ls: widgets_test.yaml:6: an entry of `cases` is not an object; write its keys and their values
crd-ls: widgets_test.yaml:3: `name` is not text; quote it
crd-ls: widgets_test.yaml:5: `accepted` is neither `true` nor `false`
crd-ls: widgets_test.yaml:5: `errors` is not a list; write its entries with `-`
crd-ls: widgets_test.yaml:5: `stored` is not an object; write one, or `file:`
crd-ls: widgets_test.yaml:5: `warnings` is not a list; write its entries with `-`
crd-ls: widgets_test.yaml:4: `given` is not an object; write one, or `file:`
";
    assert_eq!(err, expected);
    let suite = "\
apiVersion: apiextensions.k8s.io/v1
name: 5
crdName: widgets.example.com
featureGates: Sizes
tests:
  onCreate:
  - name: no object
  - name: patches
    initialCRDPatches: {op: remove}
    initial: \"\"
  onUpdate: 6
";
    let root = changed(SUITE, |_| suite.to_owned());
    let (status, out, err) = run_tests(root.path(), &[SUITE]);
    assert_eq!(status, 2, "{out}{err}");
    assert!(
        out.contains(&format!("FAIL {SUITE}:7 no object\n"))
            && out.contains("`initial`: the object is missing"),
        "{out}"
    );
    let expected = [
        (2, "`name` is not text; quote it"),
        (4, "`featureGates` is not a list; write its entries with `-`"),
        (9, "`initialCRDPatches` is not a list; write its entries with `-`"),
        (11, "`onUpdate` is not a list; write its entries with `-`"),
    ];
    let expected: String =
        expected.iter().map(|(line, text)| format!("crd-ls: {SUITE}:{line}: {text}\n")).collect();
    assert_eq!(err, expected);
}

#[test]
fn coverage_lists_untested_items() {
    let root = changed("widgets_test.yaml", str::to_owned);
    let (status, out, err) =
        run_tests(root.path(), &["--coverage", "--coverage-fail-under", "95", "widgets_test.yaml"]);
    assert_eq!(status, 1, "{out}");
    assert!(err.starts_with("coverage is "), "{err}");
    for missing in [
        "spec.color: `enum` is never rejected",
        "spec.color: `\"green\"` is never accepted",
        "spec.parts: `maxItems: 3` is never accepted or rejected",
        "spec: `self.parts` is never non-empty or empty",
        "spec.host: `format: hostname` is never rejected",
    ] {
        assert!(out.contains(missing), "{missing}:\n{out}");
    }
    assert!(
        !out.contains("ready may not shrink") && !out.contains("`minimum: 1` is never accepted"),
        "{out}"
    );
}

#[test]
fn coverage_is_written_for_other_tools() {
    let root = changed("widgets_test.yaml", str::to_owned);
    let files = ["--coverage-lcov", "lcov.info", "--coverage-html", "coverage.html"];
    let (status, _, err) = run_tests(root.path(), &[&files[..], &["widgets_test.yaml"]].concat());
    assert_eq!((status, &*err), (0, ""));
    let lcov = fs::read_to_string(root.path().join("lcov.info")).unwrap();
    assert!(lcov.starts_with("TN:\nSF:widgets.yaml\nBRDA:"), "{lcov}");
    assert!(lcov.ends_with("end_of_record\n"), "{lcov}");
    let html = fs::read_to_string(root.path().join("coverage.html")).unwrap();
    assert!(html.contains("<span class=\"none\">                maxItems: 3<i>maxItems: 3: never accepted or rejected</i></span>"), "{html}");
}

#[test]
fn generated_cases_pass_and_fill_the_gaps() {
    let root = changed("widgets.yaml", str::to_owned);
    fs::remove_file(root.path().join("widgets_test.yaml")).unwrap();
    let (status, out, err) = run_tests(root.path(), &["--generate", "widgets.yaml"]);
    assert_eq!(status, 0, "{out}{err}");
    let made = fs::read_to_string(root.path().join("widgets_test.yaml")).unwrap();
    assert!(
        made.contains(
            "# rejected because of `maximum: 9` alone\n- name: \"spec.size: maximum: 9: rejected\"\n"
        ),
        "{made}"
    );
    let (status, out, err) =
        run_tests(root.path(), &["--coverage", "--coverage-fail-under", "95", "widgets_test.yaml"]);
    assert_eq!((status, &*err), (0, ""), "{out}\n{made}");
    // Existing cases are neither changed nor generated again.
    let (_, _, err) = run_tests(root.path(), &["--generate", "widgets_test.yaml"]);
    assert_eq!(err, "");
    assert_eq!(fs::read_to_string(root.path().join("widgets_test.yaml")).unwrap(), made);
}

#[test]
fn changes_of_rules_that_no_case_detects_are_listed() {
    let root = changed("widgets_test.yaml", str::to_owned);
    let (status, out, _) = run_tests(root.path(), &["--mutate", "widgets_test.yaml"]);
    assert_eq!(status, 1, "{out}");
    let survivor = "\
widgets.yaml:45: no case detects this change:
  - !has(self.parts) || self.parts.all(part, part != 'bad')
  + !has(self.parts)
  this case would:
    given:
";
    assert!(out.contains(survivor), "{out}");
    // The case of the host detects it.
    assert!(!out.contains("+ self != oldSelf"), "{out}");
}

/// A list as kubectl prints it, of widgets with these specifications.
fn dump(specs: &[&str]) -> String {
    let item = |(number, spec): (usize, &&str)| {
        format!(
            "- apiVersion: example.com/v1\n  kind: Widget\n  metadata:\n    name: w{number}\n    namespace: default\n  spec: {spec}\n"
        )
    };
    let items: String = specs.iter().enumerate().map(item).collect();
    format!("apiVersion: v1\nitems:\n{items}kind: List\nmetadata:\n  resourceVersion: \"\"\n")
}

#[test]
fn a_rehearsal_states_the_outcome_of_objects() {
    let root = changed("widgets.yaml", str::to_owned);
    let old = fs::read_to_string(root.path().join("widgets.yaml")).unwrap();
    let new = old
        .replace("maximum: 9", "maximum: 5")
        .replace("              host:\n", "              hostname:\n")
        .replace("                default: red\n", "                default: green\n");
    fs::write(root.path().join("new.yaml"), new).unwrap();
    let arguments = ["rehearse", "--old", "widgets.yaml", "--new", "new.yaml", "--objects", "-"];
    let objects =
        dump(&["{size: 1, color: red}", "{size: 7, color: red}", "{size: 1, color: red, host: a.b}"]);
    let output = support::program::run_with(root.path(), &arguments, objects.as_bytes());
    let expected = "\
# Rehearsal

3 objects: 2 valid, 1 valid while unchanged, 0 invalid, 1 with lost fields, 0 with new defaults

1. Save the data of fields that the new definition drops.
   - `spec.host`: Widget default/w2
2. Apply the new definitions.
3. Correct objects that stay valid only as long as these fields do not change.
   - `spec.size: Invalid value: spec.size in body should be less than or equal to 5`: Widget default/w1 (`7`)
     - Widget default/w1 is accepted after: set `spec.size` to `1`
";
    assert_eq!((status(&output), &*stdout(&output), &*stderr(&output)), (1, expected, ""));
    let cut = objects.split_once("  spec: {size: 7").unwrap().0;
    let output = support::program::run_with(root.path(), &arguments, cut.as_bytes());
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("-:13: the list is cut off: `kind: List` is missing at its end"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_rehearsal_groups_objects_by_reason_independently_of_values_and_items() {
    let root = changed("widgets.yaml", str::to_owned);
    let old = fs::read_to_string(root.path().join("widgets.yaml")).unwrap();
    let list = "              ports: {type: array, items: {type: integer}}\n              size:\n";
    let old = old.replace("              size:\n", list);
    fs::write(root.path().join("old.yaml"), &old).unwrap();
    let new = old.replace("items: {type: integer}", "items: {type: integer, maximum: 9}");
    fs::write(root.path().join("new.yaml"), new).unwrap();
    let arguments = ["rehearse", "--old", "old.yaml", "--new", "new.yaml", "--objects", "-"];
    let objects = dump(&["{size: 1, ports: [10, 11]}", "{size: 1, ports: [1, 12]}"]);
    let output = support::program::run_with(root.path(), &arguments, objects.as_bytes());
    let reasons: Vec<String> =
        stdout(&output).lines().filter(|line| line.starts_with("   - ")).map(str::to_owned).collect();
    assert_eq!(
        reasons,
        [
            "   - `spec.ports[*]: Invalid value: spec.ports[*] in body should be less than or equal to 9`: Widget default/w0 (`10`), Widget default/w1 (`12`)"
        ]
    );
}

#[test]
fn a_rehearsal_lists_a_hundred_reasons_and_counts_the_other_objects() {
    let root = changed("widgets.yaml", str::to_owned);
    let text = fs::read_to_string(root.path().join("widgets.yaml")).unwrap();
    let with = |rest: &str| {
        let labels =
            format!("              labels: {{type: object, additionalProperties: {{type: string{rest}}}}}\n");
        text.replace("              size:\n", &format!("{labels}              size:\n"))
    };
    fs::write(root.path().join("old.yaml"), with("")).unwrap();
    fs::write(root.path().join("new.yaml"), with(", maxLength: 1")).unwrap();
    let specs: Vec<String> = (0..120).map(|key| format!("{{size: 1, labels: {{k{key}: long}}}}")).collect();
    let objects = dump(&specs.iter().map(String::as_str).collect::<Vec<_>>());
    let arguments = ["rehearse", "--old", "old.yaml", "--new", "new.yaml", "--objects", "-"];
    let output = support::program::run_with(root.path(), &arguments, objects.as_bytes());
    let out = stdout(&output);
    assert!(out.contains("\n120 objects: 0 valid, 120 valid while unchanged, "), "{out}");
    assert!(out.contains("   - 20 objects with further reasons, which `--output json` lists\n"), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("   - `")).count(), 100);
}

#[test]
fn a_rehearsal_reads_lists_in_json_and_reports_missing_objects() {
    let root = changed("widgets.yaml", str::to_owned);
    let arguments = ["rehearse", "--old", "widgets.yaml", "--new", "widgets.yaml", "--objects", "-"];
    let rehearsed = |objects: &str| support::program::run_with(root.path(), &arguments, objects.as_bytes());
    let item = r#"{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {"size": 1}}"#;
    let list = format!("{{\"apiVersion\": \"v1\", \"items\": [\n{item},\n{item}\n], \"kind\": \"List\"}}\n");
    let output = rehearsed(&list);
    assert!(stdout(&output).contains("\n2 objects: 2 valid, "), "{}", stdout(&output));
    assert_eq!((status(&output), &*stderr(&output)), (0, ""));
    let output = rehearsed("apiVersion: v1\nkind: List\nitems: []\n");
    let note = "--objects: no object of widgets.example.com found";
    assert!(stderr(&output).contains(note), "{}", stderr(&output));
    assert_eq!(status(&output), 0);
}

#[test]
fn a_rehearsal_in_json_is_a_line_for_each_object() {
    let root = changed("widgets.yaml", str::to_owned);
    let old = fs::read_to_string(root.path().join("widgets.yaml")).unwrap();
    fs::write(root.path().join("new.yaml"), old.replace("maximum: 9", "maximum: 5")).unwrap();
    let arguments =
        ["rehearse", "--old", "widgets.yaml", "--new", "new.yaml", "--output", "json", "--objects", "-"];
    let objects = dump(&["{size: 1, color: red}", "{size: 7}"]);
    let output = support::program::run_with(root.path(), &arguments, objects.as_bytes());
    assert_eq!((status(&output), &*stderr(&output)), (1, ""));
    let lines: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let validity: Vec<_> = lines.iter().map(|line| (&line["object"], &line["validity"])).collect();
    let expected = [("Widget default/w0", "valid"), ("Widget default/w1", "ratcheted")];
    assert_eq!(
        validity,
        expected
            .map(|(one, other)| (Value::from(one), Value::from(other)))
            .each_ref()
            .map(|(one, other)| (one, other))
    );
    assert_eq!(lines[1]["errors"][0]["field"], "spec.size");
    assert_eq!(lines[1]["place"], "-:9");
}

#[test]
fn a_rehearsal_without_objects_generates_them() {
    let root = changed("widgets.yaml", str::to_owned);
    let old = fs::read_to_string(root.path().join("widgets.yaml")).unwrap();
    fs::write(
        root.path().join("new.yaml"),
        old.replace("              host:\n", "              hostname:\n"),
    )
    .unwrap();
    let output = run(root.path(), &["rehearse", "--old", "widgets.yaml", "--new", "new.yaml"]);
    let (out, err) = (stdout(&output), stderr(&output));
    assert_eq!(status(&output), 1, "{out}{err}");
    assert!(err.contains("no --objects: ") && err.contains(" objects were generated"), "{err}");
    assert!(
        out.contains(
            "1. Save the data of fields that the new definition drops.\n   - `spec.host`: Widget test ("
        ),
        "{out}"
    );
}

#[test]
fn the_json_schema_has_the_keys_that_suites_may_have() {
    let path = repository().join("editors/schemastore/crd-ls-test.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let case = &schema["properties"]["cases"]["items"];
    let expect = &case["properties"]["expect"];
    let suite = "other: 1\ncases:\n- other: 1\n  expect:\n    other: 1\n    errors:\n    - other: 1\n";
    let root = changed("widgets_test.yaml", |_| suite.to_owned());
    let (_, _, err) = run_tests(root.path(), &["widgets_test.yaml"]);
    for node in [&schema, case, expect, &expect["properties"]["errors"]["items"]] {
        let mut keys: Vec<&str> =
            node["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        let is_known = |line: &str| {
            let Some((_, listed_keys)) = line.split_once("`other` is unknown; use ") else { return false };
            let mut listed_keys: Vec<&str> = listed_keys.split(", ").collect();
            listed_keys.sort_unstable();
            listed_keys == keys
        };
        assert!(err.lines().any(is_known), "{keys:?}: {err}");
    }
}

/// `api` declares the fields of a suite and their documentation; the schema repeats them for other language servers.
#[test]
fn the_json_schema_describes_the_fields_like_hovers() {
    fn compare(node: &Value, root: &Value, object: &api::ObjectType) {
        let properties = node["properties"].as_object().unwrap();
        assert_eq!(properties.len(), object.fields.len(), "{}", object.name);
        for field in object.fields {
            let property = &properties[field.name];
            assert_eq!(property["description"], field.doc, "{}.{}", object.name, field.name);
            let is_required = node["required"].as_array().is_some_and(|all| all.contains(&field.name.into()));
            assert_eq!(is_required, field.required, "{}.{}", object.name, field.name);
            match field.ty {
                api::FieldType::Object(inner) if property["$ref"].is_string() => {
                    compare(&root["definitions"]["object"], root, inner);
                }
                api::FieldType::Object(inner) => compare(property, root, inner),
                api::FieldType::List(api::FieldType::Object(inner)) => {
                    compare(&property["items"], root, inner)
                }
                _ => {}
            }
        }
    }
    let path = repository().join("editors/schemastore/crd-ls-test.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    compare(&schema, &schema, &api::TEST_SUITE);
}
