//! The position of the cursor after Enter; `$0` is the position before.

use super::{at_cursor, surroundings, widget};
use crate::{File, Settings};

/// The new line after Enter, with `$0` at its end: the editor breaks the line and keeps its indentation.
fn entered(text: &str) -> String {
    let (text, _, offset) = at_cursor(text);
    let (before, behind) = text.split_at(offset as usize);
    let line = before.rsplit('\n').next().unwrap();
    let kept: String = line.chars().take_while(|char| matches!(char, ' ' | '\t')).collect();
    let end = if text.contains('\r') { "\r\n" } else { "\n" };
    let before = format!("{before}{end}{kept}");
    let file = File::with_surroundings(&format!("{before}{behind}"), &Settings::default(), surroundings());
    let mut own = before.clone();
    if let Some(edit) = file.indented(u32::try_from(before.len()).unwrap(), None) {
        own.replace_range(edit.range.as_usize(), &edit.new_text);
    }
    own.rsplit('\n').next().unwrap().to_owned() + "$0"
}

fn schema(rest: &str) -> String {
    let head = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  versions:
  - schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
";
    format!("{head}{rest}")
}

#[track_caller]
fn assert_entered(all: &[(&str, &str)], text: impl Fn(&str) -> String) {
    for (before, after) in all {
        assert_eq!(entered(&text(before)), *after, "{before:?}");
    }
}

#[test]
fn below_a_key_the_next_one_is_indented() {
    assert_entered(
        &[
            ("            properties:$0\n", "              $0"),
            ("            properties:\n              mode:$0\n", "                $0"),
            ("            properties:\n              mode: $0\n", "                $0"),
            ("            properties:\n              mode: # how$0\n", "                $0"),
            ("            properties:\n              mode: &mode$0\n", "                $0"),
            ("            properties:\n              'mode':$0\n", "                $0"),
            (
                "            properties:\n              mode:$0\n              size: {}\n",
                "                $0",
            ),
        ],
        schema,
    );
}

#[test]
fn after_a_value_the_next_key_is_in_the_column_of_the_last_one() {
    let rules = "            x-kubernetes-validations:\n            - ";
    for (line, after) in [
        ("rule: self.a$0\n", "              $0"),
        ("rule: self.a\n              message: no$0\n", "              $0"),
        ("rule: 'self.a'$0\n", "              $0"),
        // The expression continues at an indentation where no key may begin.
        ("rule: self.a &&$0\n", "                $0"),
        ("rule: self.all(x,$0\n", "                $0"),
        ("rule: self.a && # why$0\n", "              $0"),
        ("rule: self.a\n              message: this &&$0\n", "              $0"),
        ("$0\n", "              $0"),
    ] {
        assert_eq!(entered(&schema(&format!("{rules}{line}"))), after, "{line:?}");
    }
    assert_entered(&[("            required: [a, b]$0\n", "            $0")], schema);
    assert_entered(&[("            # why$0\n", "            $0")], schema);
    assert_entered(&[("---$0\n", "$0")], |text| text.to_owned());
}

#[test]
fn in_a_block_of_text_lines_go_on() {
    let rules = "            x-kubernetes-validations:\n            - ";
    for (line, after) in [
        ("rule: |$0\n", "                $0"),
        ("rule: >-$0\n              message: no\n", "                $0"),
        ("rule: |$0\n                    self.a\n", "                    $0"),
        ("rule: |\n                  self.a &&$0\n", "                  $0"),
        ("rule: |\n                  self.a\n                    && self.b:$0\n", "                    $0"),
        ("rule: |\n                  # a comment of CEL$0\n", "                  $0"),
    ] {
        assert_eq!(entered(&schema(&format!("{rules}{line}"))), after, "{line:?}");
    }
}

#[test]
fn lists_begin_where_the_other_lists_of_the_text_begin() {
    assert_entered(
        &[
            ("            required:$0\n", "            $0"),
            ("            required:\n            - a$0\n", "            $0"),
            ("            x-kubernetes-validations:$0\n", "            $0"),
        ],
        schema,
    );
    let indented = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  names:
    categories:$0
  versions:
    - name: v1
";
    assert_eq!(entered(indented), "      $0");
}

#[test]
fn resources_are_indented_by_their_schema() {
    assert_entered(
        &[
            ("spec:$0\n", "  $0"),
            ("spec:\n  ports:$0\n", "  $0"),
            ("spec:\n  ports:\n  - name: a$0\n", "    $0"),
            ("spec:\n  ports:\n  - name: a\n    target:$0\n", "      $0"),
            ("spec:\n  tags:\n  - a$0\n", "  $0"),
            ("spec:\n  labels:$0\n", "    $0"),
            ("spec:\n    mode: Fast\n    labels:$0\n", "        $0"),
        ],
        widget,
    );
}

#[test]
fn a_new_line_is_indented_like_the_existing_lines_below() {
    assert_entered(
        &[
            ("spec:$0\n    mode: Fast\n", "    $0"),
            ("spec:\n  tags:$0\n    - a\n", "    $0"),
            ("spec:\n  ports:\n  -$0\n     name: a\n", "     $0"),
        ],
        widget,
    );
}

#[test]
fn the_editor_decides_where_nothing_is_known() {
    for text in [
        "spec: {$0\n",
        "spec: {mode: Fast,$0\n",
        "spec: 'a$0\n",
        "spec:\n  mode: a$0 b\n",
        "spec:\n\tmode: a$0\n",
        "spec:\n  mode: a\n  $0\n",
        // Only a part of a template is YAML.
        "spec:\n  ports:\n  {{- range .ports }}\n  - name: {{ . }}$0\n",
        "spec:\n  {{- range .x }}$0\n",
        "spec:\n  labels:\n    {{- with .labels }}$0\n",
    ] {
        let kept: String = text.split("$0").next().unwrap().rsplit('\n').next().unwrap().to_owned();
        let kept: String = kept.chars().take_while(|char| matches!(char, ' ' | '\t')).collect();
        assert_eq!(entered(&widget(text)), kept + "$0", "{text:?}");
    }
}

#[test]
fn line_ends_tabs_and_wide_letters_are_no_obstacle() {
    let text = widget("spec:\n  labels:\n    \"ключ😀\": \"é\"$0\n").replace('\n', "\r\n");
    assert_eq!(entered(&text), "    $0");
    assert_eq!(
        entered(&widget("spec:\n  ports:\n  - name: a\n    target:$0\n").replace('\n', "\r\n")),
        "      $0"
    );
    // An editor that indents with tabs starts the line with one.
    let text = widget("spec:\n\t");
    let file = File::with_surroundings(&text, &Settings::default(), surroundings());
    let edit = file.indented(u32::try_from(text.len()).unwrap(), None).unwrap();
    assert_eq!((&text[edit.range.as_usize()], &*edit.new_text), ("\t", "  "));
}

#[test]
fn a_new_line_after_any_prefix_of_a_resource_is_possible() {
    let text = widget("spec:\n  mode: Fast\n  ports:\n  - name: a\n    target: {number: 1}\n  tags: [a]\n");
    for end in 0..=text.len() {
        let before = format!("{}\n", &text[..end]);
        let file = File::with_surroundings(&before, &Settings::default(), surroundings());
        let _ = file.indented(u32::try_from(before.len()).unwrap(), None);
    }
}
