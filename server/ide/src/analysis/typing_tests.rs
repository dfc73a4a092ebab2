//! Findings on text that is being typed: one finding for each cause, at its position.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use text::TextRange;

use crate::marked_texts::{self, unmarked};
use std::sync::Arc;

use crate::{Catalog, Definitions, File, Finding, Settings, Severity, Surroundings};

/// A definition with these lines in the schema of `spec`.
fn definition(spec: &str) -> String {
    let head = "type: object\nproperties:\n  spec:\n    type: object\n".to_owned();
    marked_texts::definition(&spec.lines().fold(head, |schema, line| schema + "    " + line + "\n"))
}

/// Checks the definition with that `spec`: editors show exactly the marked findings.
#[track_caller]
fn check(spec: &str) -> File {
    let (text, expected) = unmarked(&definition(spec));
    let file = File::new(&text, &Settings::default());
    let found: Vec<Finding> = file.grouped().findings;
    let shown: Vec<_> = found
        .iter()
        .map(|finding| (finding.range, finding.code.as_str(), finding.message.to_string()))
        .collect();
    let fit = shown.len() == expected.len()
        && shown
            .iter()
            .zip(&expected)
            .all(|(one, other)| one.0 == other.0 && one.1 == other.1 && one.2.starts_with(&other.2));
    assert!(fit, "{shown:#?}\nexpected: {expected:#?}\nin\n{text}");
    file
}

#[test]
fn a_key_that_is_still_being_typed_has_one_finding() {
    check(
        "\
properties:
  siz
  ^^^ yaml/syntax | a `:` is missing after this key
  mode: {type: string}
",
    );
    // The entry below it is not a further error.
    check(
        "\
properties:
  size
  ^^^^ yaml/syntax | a `:` is missing after this key
    type: integer
  mode: {type: string}
",
    );
}

#[test]
fn a_dash_beside_its_list_has_one_finding() {
    check(
        "\
x-kubernetes-validations:
  - rule: has(self.mode)
 -
 ^ yaml/syntax | the indentation of this line matches no open block
properties:
  mode: {type: string}
",
    );
}

#[test]
fn an_alias_with_an_invalid_name_has_one_finding() {
    check(
        "\
x-kubernetes-validations:
- rule: *self.mode
             ^^^^^ yaml/syntax | an anchor name may contain only letters, digits, `-` and `_`
properties:
  mode: {type: string}
",
    );
}

#[test]
fn text_that_is_not_indented_below_its_key_has_one_finding() {
    let words = "this line is not indented more than its key, so the text of `|` is empty; indent it";
    check(&format!(
        "\
x-kubernetes-validations:
- rule: |
  has(self.mode) ||
  ^^^^^^^^^^^^^^^^^ yaml/syntax | {words}
  has(self.size)
properties:
  mode: {{type: string}}
"
    ));
    check(&format!(
        "\
description: |
The mode
^^^^^^^^ yaml/syntax | {words}
of a widget.
properties:
  mode: {{type: string}}
"
    ));
}

/// Applies each quick-fix for the findings on the definition with that `spec`, and returns the results by
/// title; none has errors.
fn fixed(spec: &str) -> Vec<(String, String)> {
    let text = definition(spec);
    let file = File::new(&text, &Settings::default());
    let all = TextRange::new(0, text.len() as u32);
    let fixes = file.fixes(all).into_iter();
    let fixed = fixes.map(|fix| {
        let fixed = text::applied(&text, 0, &fix.edits);
        let left = File::new(&fixed, &Settings::default());
        let errors = left.findings().iter().filter(|finding| finding.severity == Severity::Error);
        assert_eq!(errors.count(), 0, "{}: {:?}\n{fixed}", fix.title, left.findings());
        (fix.title, fixed)
    });
    fixed.collect()
}

/// Checks that the fix with that title turns the definition with the first `spec` into the one with the second.
#[track_caller]
fn check_fix(before: &str, title: &str, after: &str) {
    let fixed = fixed(before);
    let found = fixed.iter().find(|(one, _)| one == title);
    let (_, text) = found.unwrap_or_else(|| panic!("no `{title}` in {fixed:#?} for\n{before}"));
    assert_eq!(text, &definition(after));
}

const PROPERTIES: &str = "properties:
  size: {type: integer}
  mode: {type: string}
";

#[test]
fn text_that_is_not_indented_below_its_key_is_indented() {
    check_fix(
        &format!(
            "x-kubernetes-validations:\n- rule: |\n  has(self.mode) ||\n  has(self.size)\n  message: one is missing\n{PROPERTIES}"
        ),
        "Indent the text below `rule`",
        &format!(
            "x-kubernetes-validations:\n- rule: |\n    has(self.mode) ||\n    has(self.size)\n  message: one is missing\n{PROPERTIES}"
        ),
    );
}

#[test]
fn an_item_or_a_key_beside_the_others_is_indented_like_them() {
    check_fix(
        &format!(
            "x-kubernetes-validations:\n  - rule: has(self.size)\n    message: size\n - rule: has(self.mode)\n   message: mode\n{PROPERTIES}"
        ),
        "Indent the item like those of its list",
        &format!(
            "x-kubernetes-validations:\n  - rule: has(self.size)\n    message: size\n  - rule: has(self.mode)\n    message: mode\n{PROPERTIES}"
        ),
    );
    check_fix(
        "properties:\n  size: {type: integer}\n   mode:\n     type: string\n",
        "Indent the key like those beside it",
        "properties:\n  size: {type: integer}\n  mode:\n    type: string\n",
    );
    check_fix(
        "properties:\n  size: {type: integer}\n mode:\n   type: string\n",
        "Indent the key like those beside it",
        "properties:\n  size: {type: integer}\n  mode:\n    type: string\n",
    );
}

#[test]
fn an_expression_in_the_place_of_its_rule_gets_the_key() {
    check_fix(
        &format!("x-kubernetes-validations:\n- has(self.size)\n{PROPERTIES}"),
        "Add `rule:` before `has(self.size)`",
        &format!("x-kubernetes-validations:\n- rule: has(self.size)\n{PROPERTIES}"),
    );
    check_fix(
        &format!("x-kubernetes-validations: has(self.size)\n{PROPERTIES}"),
        "Convert `has(self.size)` to a list with `rule:`",
        &format!("x-kubernetes-validations:\n- rule: has(self.size)\n{PROPERTIES}"),
    );
}

#[test]
fn an_expression_that_yaml_reads_as_a_tag_is_quoted_in_all_fields() {
    for (before, after) in [
        ("- rule: !has(self.size)", "- rule: '!has(self.size)'"),
        (
            "- rule: !has(self.size)\n  message: size is set",
            "- rule: '!has(self.size)'\n  message: size is set",
        ),
        (
            "- message: size is set\n  rule: !has(self.size)",
            "- message: size is set\n  rule: '!has(self.size)'",
        ),
        ("- rule:\n    !has(self.size)", "- rule:\n    '!has(self.size)'"),
        (
            "- {rule: !has(self.size), message: size is set}",
            "- {rule: '!has(self.size)', message: size is set}",
        ),
        ("- {rule: !has(self.size)}", "- {rule: '!has(self.size)'}"),
        (
            "- {message: size is set, rule: !(self.mode in ['a', 'b'])}",
            "- {message: size is set, rule: '!(self.mode in [''a'', ''b''])'}",
        ),
    ] {
        let spec = |rule: &str| format!("x-kubernetes-validations:\n{rule}\n{PROPERTIES}");
        check_fix(&spec(before), "Quote the rule", &spec(after));
    }
}

#[test]
fn an_unreadable_expression_is_quoted_like_the_others_of_its_text() {
    let block = "- rule: >-\n    has(self.mode)\n";
    for (others, before, after) in [
        // Errors in the rule are reported once YAML reads it.
        ("", "!self.size", "'!self.size'"),
        ("", "*self.size", "'*self.size'"),
        ("", "!has(self.size)\n    || has(self.mode)", "'!has(self.size)\n    || has(self.mode)'"),
        (
            "",
            "!has(self.size) ||\n      has(self.mode) # or",
            "'!has(self.size) ||\n      has(self.mode)' # or",
        ),
        (block, "!has(self.size)\n    || has(self.mode)", ">-\n    !has(self.size)\n    || has(self.mode)"),
        (block, "!has(self.size)", "'!has(self.size)'"),
        ("- rule: \"has(self.mode)\"\n", "!has(self.size)", "\"!has(self.size)\""),
        ("- rule: \"has(self.mode)\"\n", "!(self.mode == \"\")", "'!(self.mode == \"\")'"),
    ] {
        let spec = |rule: &str| {
            format!("x-kubernetes-validations:\n{others}- rule: {rule}\n  message: no size\n{PROPERTIES}")
        };
        let mut text = definition(&spec(before));
        let file = File::new(&text, &Settings::default());
        let fixes = file.fixes(TextRange::new(0, text.len() as u32));
        let quoting = fixes.iter().find(|fix| fix.title == "Quote the rule");
        let quoting = quoting.unwrap_or_else(|| panic!("{before}: {fixes:?}"));
        quoting.edits.iter().rev().for_each(|edit| text.replace_range(edit.range.as_usize(), &edit.new_text));
        assert_eq!(text, definition(&spec(after)));
    }
}

#[test]
fn an_expression_over_several_lines_that_begins_with_a_tag_is_explained() {
    let rule = "- rule: !has(self.size) ||\n    has(self.mode)\n";
    let file = File::new(
        &definition(&format!("x-kubernetes-validations:\n{rule}{PROPERTIES}")),
        &Settings::default(),
    );
    let grouped = file.grouped().findings;
    let reported: Vec<&str> = grouped.iter().map(|finding| &*finding.message.problem).collect();
    assert_eq!(reported, ["YAML reads the leading `!` of this expression as a tag, not as text"]);
}

/// The codes of the findings on a resource with `size: 3`, if its definition has that schema for `size`.
fn reported_on_size(size: &str) -> Vec<String> {
    let definition = marked_texts::definition(&format!(
        "type: object\nproperties:\n  spec:\n    type: object\n    properties:\n      size:{size}\n"
    ));
    let definitions = Definitions::read("crds/widget.yaml", &definition, Definitions::load_kept(&definition));
    let catalog = Catalog::default().with([(Arc::from("crds/widget.yaml"), definitions)]);
    let surroundings =
        Surroundings { catalog, source: "samples/widget.yaml".into(), ..Surroundings::default() };
    let resource = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\nspec: {size: 3}\n";
    let file = File::with_surroundings(resource, &Settings::default(), surroundings);
    file.grouped().findings.iter().map(|finding| finding.code.to_string()).collect()
}

#[test]
fn a_resource_has_no_finding_while_the_schema_of_its_field_is_typed() {
    assert_eq!(reported_on_size(" {type: string}"), [api::Code::ResourceType.as_str()]);
    for typed in [
        "",
        " t",
        "\n        t",
        "\n        type",
        "\n        type:",
        "\n        type: i",
        "\n        type: intege",
    ] {
        assert!(reported_on_size(typed).is_empty(), "{typed:?}");
    }
}

#[test]
fn a_value_that_is_typed_in_a_resource_has_one_finding() {
    let definition = marked_texts::definition(
        "type: object\nproperties:\n  spec:\n    type: object\n    properties:\n      size: {type: integer}\n    \
         x-kubernetes-validations:\n    - rule: \"!has(self.size) || self.size > 1\"\n  status:\n    type: object\n    properties:\n      size: {type: integer}\n",
    ) + "    subresources:\n      status: {}\n      scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}\n";
    let definitions = Definitions::read("crd.yaml", &definition, Definitions::load_kept(&definition));
    let catalog = Catalog::default().with([(Arc::from("crd.yaml"), definitions)]);
    let surroundings = Surroundings { catalog, source: "cr.yaml".into(), ..Surroundings::default() };
    for (spec, at) in [("s", "s"), ("size", "size"), ("size: x", "x"), ("size: [", "[")] {
        let text =
            format!("apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: one}}\nspec:\n  {spec}\n");
        let file = File::with_surroundings(&text, &Settings::default(), surroundings.clone());
        let grouped = file.grouped().findings;
        let shown: Vec<&str> = grouped.iter().map(|finding| &text[finding.range.as_usize()]).collect();
        assert_eq!(shown, [at], "{spec}: {grouped:#?}");
    }
}

#[test]
fn a_default_has_no_finding_while_its_type_is_typed() {
    check(
        "\
properties:
  size:
    default: Fast
    type: stri
          ^^^^ schema/type-unsupported | unsupported `type` \"stri\"
",
    );
}

#[test]
fn the_items_of_a_map_that_have_no_type_yet_have_one_finding() {
    check(
        "\
properties:
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    maxItems: 3
    items:
    ^^^^^ structural/type-required | missing `type`
      required: [name]
      properties:
        name: {type: string, maxLength: 3}
",
    );
}

#[test]
fn keys_beside_the_key_that_they_belong_below_are_indented() {
    for (before, title, after) in [
        (
            "  mode: {type: string}\n  size:\n  type: integer\n  minimum: 1\n",
            "Indent `type` and `minimum` below `size`",
            "  mode: {type: string}\n  size:\n    type: integer\n    minimum: 1\n",
        ),
        (
            "  size:\n  type: object\n  properties:\n    a: {type: string}\n  mode: {type: string}\n",
            "Indent `type` and `properties` below `size`",
            "  size:\n    type: object\n    properties:\n      a: {type: string}\n  mode: {type: string}\n",
        ),
    ] {
        let text = definition(&format!("properties:\n{before}"));
        let file = File::new(&text, &Settings::default());
        let found =
            file.grouped().findings.into_iter().filter(|one| one.code != api::Code::DecodeUnknownField);
        for finding in found {
            let fixes = file.fixes(finding.range);
            let fix = fixes.iter().find(|fix| fix.title == title).unwrap_or_else(|| panic!("{fixes:?}"));
            assert_eq!(text::applied(&text, 0, &fix.edits), definition(&format!("properties:\n{after}")));
        }
    }
}

#[test]
fn keys_pasted_too_far_left_are_indented_like_the_keys_around_them() {
    let before = "properties:\n  mode: {type: string}\n";
    let behind = "  size: {type: integer}\n";
    check_fix(
        &format!("{before}more:\n  type: object\n  maxProperties: 3\n{behind}"),
        "Indent `more` like `mode`",
        &format!("{before}  more:\n    type: object\n    maxProperties: 3\n{behind}"),
    );
    check_fix(
        &format!("{before}more: {{type: string}}\n"),
        "Indent `more` like `mode`",
        &format!("{before}  more: {{type: string}}\n"),
    );
    // At the left edge of the text.
    let text = definition(&format!("{before}AT\n{behind}"));
    let line = text.lines().find(|line| line.ends_with("AT")).unwrap();
    let pasted = text.replace(&format!("{line}\n"), "more:\n  type: string\n");
    let file = File::new(&pasted, &Settings::default());
    let fixes = file.fixes(TextRange::new(0, pasted.len() as u32));
    let fix = fixes.iter().find(|fix| fix.title == "Indent `more` like `mode`");
    let fix = fix.unwrap_or_else(|| panic!("{fixes:?}"));
    let wanted = definition(&format!("{before}  more:\n    type: string\n{behind}"));
    assert_eq!(text::applied(&pasted, 0, &fix.edits), wanted);
}

#[test]
fn all_keys_in_the_same_wrong_column_are_indented_at_once() {
    check_fix(
        "properties:\n  size:\n      type: object\n     maxProperties: 3\n     properties:\n       a: {type: string}\n  mode: {type: string}\n",
        "Indent the key like those beside it",
        "properties:\n  size:\n      type: object\n      maxProperties: 3\n      properties:\n        a: {type: string}\n  mode: {type: string}\n",
    );
    // The other keys are in the column that the rest of the file suggests.
    check_fix(
        "properties:\n  size:\n      type: object\n    maxProperties: 3\n    properties:\n      a: {type: string}\n  mode: {type: string}\n",
        "Indent `type` like the keys below it",
        "properties:\n  size:\n    type: object\n    maxProperties: 3\n    properties:\n      a: {type: string}\n  mode: {type: string}\n",
    );
}

#[test]
fn a_key_that_is_indented_too_far_is_indented_like_those_around_it() {
    let spec = |indent: &str| {
        format!(
            "properties:\n  mode:\n    type: string\n{indent}size:\n    type: integer\n  more: {{type: string}}\n"
        )
    };
    let text = definition(&spec("    "));
    let fixes = File::new(&text, &Settings::default()).fixes(TextRange::new(0, text.len() as u32));
    let fix = fixes.iter().find(|fix| fix.title == "Indent `size` like `mode`");
    let fix = fix.unwrap_or_else(|| panic!("{fixes:?}"));
    assert_eq!(text::applied(&text, 0, &fix.edits), definition(&spec("  ")));
    check_fix(
        "properties:\n  mode:\n    type: string\n    size: {type: integer}\n  more: {type: string}\n",
        "Indent `size` like `mode`",
        "properties:\n  mode:\n    type: string\n  size: {type: integer}\n  more: {type: string}\n",
    );
}
