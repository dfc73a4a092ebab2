//! A line of `^` marks a finding in the line above: its code, `|`, and the start of its message.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use text::{TextEdit, TextRange};

use crate::marked_texts::{self, unmarked};
use crate::{Applicability, File, Finding, Settings, Severity};

/// A definition with these properties.
fn definition(properties: &str) -> String {
    let head = "type: object\nproperties:\n".to_owned();
    marked_texts::definition(&properties.lines().fold(head, |schema, line| schema + "  " + line + "\n"))
}

fn findings(text: &str) -> Vec<Finding> {
    File::new(text, &Settings::default()).findings().to_vec()
}

/// Checks that the findings in `text`, without its marker lines, are exactly those of the markers.
#[track_caller]
fn check(text: &str) {
    let (plain, expected) = unmarked(text);
    let found: Vec<_> = findings(&plain)
        .into_iter()
        // The server's findings on values do not concern how YAML reads them.
        .filter(|finding| finding.code.as_str().starts_with("yaml/"))
        .zip(expected.iter().map(|(_, _, message)| message.len()).chain(std::iter::repeat(usize::MAX)))
        .map(|(finding, len)| {
            let message = finding.message.to_string();
            let message = message.get(..len).unwrap_or(&message).to_owned();
            (finding.range, finding.code.as_str().to_owned(), message)
        })
        .collect();
    assert_eq!(found, expected, "in\n{plain}");
}

#[track_caller]
fn check_properties(properties: &str) {
    check(&definition(properties));
}

#[test]
fn keys_that_become_others() {
    check_properties(
        "\
x: {type: integer}
on: {type: integer}
^^ yaml/key-reading | kube-apiserver parses the key `on` as `true`; quote it to keep the text
n:
^ yaml/key-reading | kube-apiserver parses the key `n` as `false`
  type: integer
1.10: {type: string}
^^^^ yaml/key-reading | kube-apiserver parses the key `1.10` as `1.1`
012: {type: string}
^^^ yaml/key-reading | kube-apiserver parses the key `012` as `10`
1_000: {type: string}
^^^^^ yaml/key-reading | kube-apiserver parses the key `1_000` as `1000`
1e4: {type: string}
^^^ yaml/key-reading | kube-apiserver parses the key `1e4` as `10000`
16777217.5: {type: string}
^^^^^^^^^^ yaml/key-reading | kube-apiserver parses the key `16777217.5` as `1.6777218e+07`
? 0x1F
  ^^^^ yaml/key-reading | kube-apiserver parses the key `0x1F` as `31`
: {type: string}",
    );
}

#[test]
fn keys_that_stay_what_they_are() {
    check_properties(
        "\
80: {type: string}
1.5: {type: string}
true: {type: string}
'y': {type: string}
\"on\": {type: string}
!!str no: {type: string}
1:30: {type: string}
2001-01-01: {type: string}
yes-please: {type: string}",
    );
}

#[test]
fn a_line_without_colon_is_still_being_typed() {
    let text = definition("a: {type: string}\ny\n");
    assert!(
        findings(&text).iter().all(|finding| finding.code != "yaml/key-reading"),
        "{:?}",
        findings(&text)
    );
}

#[test]
fn keys_of_other_maps() {
    check(&definition("").replace(
        "  name: widgets.example.com\n",
        "  name: widgets.example.com
  labels:
    on: duty
    ^^ yaml/key-reading | kube-apiserver parses the key `on` as `true`
  annotations: {no: 'x'}
                ^^ yaml/key-reading | kube-apiserver parses the key `no` as `false`
",
    ));
}

#[test]
fn values_for_strings_that_are_not_strings() {
    check_properties(
        "\
mode:
  type: string
  default: on
  example: 1.10
           ^^^^ yaml/string-reading | kube-apiserver parses `1.10` as the number `1.1`, but the type is `string`
  enum:
  - on
    ^^ yaml/string-reading | kube-apiserver parses `on` as the boolean `true`, which never equals a string; quote it
  - 1
    ^ yaml/string-reading | `1` is a number, which never equals a string
  - 'off'
  - auto
  - !!str no
  - null
  - # absent",
    );
}

#[test]
fn plain_numbers_alone_are_found_as_well() {
    check_properties(
        "\
mode: {type: string, enum: [1, x]}
                            ^ yaml/string-reading | `1` is a number
size: {type: integer, enum: [1, 2], default: 1}
able: {type: boolean, default: true, enum: [true]}
any: {x-kubernetes-int-or-string: true, default: 80}",
    );
}

#[test]
fn branches_without_type_have_that_of_their_node() {
    check_properties(
        "\
mode:
  type: string
  anyOf:
  - enum: [1]
           ^ yaml/string-reading | `1` is a number
  - not: {enum: [yes]}
                 ^^^ yaml/string-reading | kube-apiserver parses `yes` as the boolean `true`
size:
  type: integer
  anyOf:
  - enum: [1]",
    );
}

#[test]
fn values_that_yaml_1_2_reads_differently() {
    check_properties(
        "\
size:
  type: integer
  default: 012
           ^^^ yaml/value-reading | kube-apiserver parses `012` as `10`, but YAML 1.2 tools parse it as `12`
  maximum: 1_000
           ^^^^^ yaml/value-reading | kube-apiserver parses `1_000` as `1000`, but YAML 1.2 tools parse it as text
  minimum: 08
  nullable: yes
            ^^^ yaml/value-reading | kube-apiserver parses `yes` as `true`, but YAML 1.2 tools parse it as text
any:
  type: object
  x-kubernetes-preserve-unknown-fields: true
  default: {mode: off, version: 1.10, at: 1:30}
                  ^^^ yaml/value-reading | kube-apiserver parses `off` as `false`, but YAML 1.2 tools parse it as text
list:
  type: array
  items: {type: string}
  default: [a]",
    );
}

#[test]
fn values_that_the_server_rejects_have_a_separate_error() {
    check_properties("size:\n  type: integer\n  description: on\n  maximum: off\n  nullable: 012");
    let properties =
        "mode: {type: string, default: on}\nlist: {type: array, items: {type: string}, default: [on, 1]}";
    check_properties(properties);
    let refused = findings(&definition(properties));
    let refused: Vec<&str> = refused.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(refused, ["defaults/schema"; 3]);
}

#[test]
fn only_definitions_are_judged() {
    for text in ["y: on\n", "apiVersion: v1\nkind: ConfigMap\ndata: {y: on}\n"] {
        assert_eq!(findings(text), []);
    }
    let patch = "# crd-ls: patch\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a, labels: {y: ''}}\n";
    assert_eq!(findings(patch), []);
}

#[test]
fn the_severity_grows_with_the_harm_of_a_reading() {
    let severity = |schema: &str| findings(&definition(schema)).first().unwrap().severity;
    assert_eq!(severity("y: {type: string}"), Severity::Warning);
    assert_eq!(severity("a: {type: string, enum: [on]}"), Severity::Warning);
    assert_eq!(severity("a: {type: string, maxLength: 1_000}"), Severity::Hint);
}

#[test]
fn a_definition_within_a_list_has_its_path() {
    let text = definition("y: {type: string}");
    let item: String = text.lines().map(|line| format!("  {line}\n")).collect();
    let list = format!("apiVersion: v1\nkind: List\nitems:\n-{}", item.strip_prefix(' ').unwrap());
    let found = findings(&list);
    let path = "items[0].spec.versions[0].schema.openAPIV3Schema.properties[true]";
    assert_eq!(found.iter().map(|finding| finding.field_path.to_string()).collect::<Vec<_>>(), [path]);
}

#[test]
fn findings_on_aliased_values_are_reported_once() {
    let text = definition("a: &a {type: string, enum: [on]}\nb: *a");
    assert_eq!(findings(&text).len(), 1);
}

/// The title of each fix for `properties`, and the lines of the properties after that fix alone.
fn fixed(properties: &str) -> Vec<(String, String)> {
    let text = definition(properties);
    let file = File::new(&text, &Settings::default());
    let head = definition("").len();
    let after = |edits: &[TextEdit]| {
        let mut text = text.clone();
        for edit in edits.iter().rev() {
            text.replace_range(edit.range.as_usize(), &edit.new_text);
        }
        text.get(head..)
            .unwrap()
            .lines()
            .map(|line| line.get(10..).unwrap_or_default().to_owned() + "\n")
            .collect()
    };
    let fixes = file.fixes(TextRange::new(0, text.len() as u32));
    assert!(fixes.iter().all(|fix| fix.applicability == Applicability::Suggested));
    assert_eq!(file.fix_all(), []);
    fixes.iter().map(|fix| (fix.title.clone(), after(&fix.edits))).collect()
}

#[track_caller]
fn check_fixes(properties: &str, expected: &[(&str, &str)]) {
    let fixed = fixed(properties);
    let fixed: Vec<_> = fixed.iter().map(|(title, text)| (title.as_str(), text.as_str())).collect();
    assert_eq!(fixed, expected);
}

#[test]
fn quotes_make_a_string() {
    check_fixes(
        "y: {type: string, enum: [on, auto]}\n",
        &[
            ("Quote `y`", "'y': {type: string, enum: [on, auto]}\n"),
            ("Quote `on`", "y: {type: string, enum: ['on', auto]}\n"),
        ],
    );
}

#[test]
fn quotes_are_those_of_the_file() {
    check_fixes(
        "y: {type: string, pattern: \"^a\"} # why\n",
        &[("Quote `y`", "\"y\": {type: string, pattern: \"^a\"} # why\n")],
    );
}

#[test]
fn values_that_cannot_be_strings_are_written_as_they_are_read() {
    check_fixes(
        "a: {type: integer, default: 012}\n",
        &[("Replace `012` with `10`, as kube-apiserver parses it", "a: {type: integer, default: 10}\n")],
    );
}

#[test]
fn a_value_that_may_be_either_type_has_both_fixes() {
    check_fixes(
        "a:\n  type: object\n  x-kubernetes-preserve-unknown-fields: true\n  default: {b: on}\n",
        &[
            (
                "Quote `on`",
                "a:\n  type: object\n  x-kubernetes-preserve-unknown-fields: true\n  default: {b: 'on'}\n",
            ),
            (
                "Replace `on` with `true`, as kube-apiserver parses it",
                "a:\n  type: object\n  x-kubernetes-preserve-unknown-fields: true\n  default: {b: true}\n",
            ),
        ],
    );
}

#[test]
fn no_fix_creates_a_duplicate_key() {
    check_fixes("y: {type: string}\n'y': {type: string}\n", &[]);
}

#[test]
fn an_edit_visits_what_it_touches() {
    let mut text = definition("a: {type: string, enum: [x]}\nb: {type: string, enum: [on]}\n");
    let mut file = File::new(&text, &Settings::default());
    for (from, to) in
        [("[x]", "[no]"), ("[on]", "['on']"), ("[no]", "[x]"), ("type: string", "type: boolean")]
    {
        let start = text.find(from).unwrap();
        let edit = TextEdit::replace(TextRange::new(start as u32, (start + from.len()) as u32), to);
        text.replace_range(edit.range.as_usize(), &edit.new_text);
        file = file.edited(&edit, &|range| text[range.as_usize()].to_owned());
        assert_eq!(file.findings(), findings(&text), "{text}");
    }
}
