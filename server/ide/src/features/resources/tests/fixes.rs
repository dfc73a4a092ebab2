use text::TextRange;

use crate::features::resources::tests::{DEFINITION, surroundings, widget, with_definition};
use crate::{File, Fix, Settings, Severity};

/// Each fix of the text: its title, and the fixed text.
fn fixes(text: &str) -> Vec<(String, String)> {
    let file = File::with_surroundings(text, &Settings::default(), surroundings());
    let edited = |fix: &Fix| {
        let mut text = text.to_owned();
        for edit in fix.edits.iter().rev() {
            text.replace_range(edit.range.as_usize(), &edit.new_text);
        }
        text
    };
    let all = file.fixes(TextRange::new(0, text.len() as u32));
    all.iter().map(|fix| (fix.title.clone(), edited(fix))).collect()
}

#[track_caller]
fn assert_fixes(rest: &str, expected: &[(&str, &str)]) {
    let expected: Vec<_> = expected.iter().map(|(title, rest)| ((*title).to_owned(), widget(rest))).collect();
    assert_eq!(fixes(&widget(rest)), expected);
}

#[test]
fn an_unknown_field_is_renamed_or_removed() {
    assert_fixes(
        "spec:\n  mode: Fast\n  ports: []\n  replica: 2 # two\n",
        &[
            ("Rename `replica` to `replicas`", "spec:\n  mode: Fast\n  ports: []\n  replicas: 2 # two\n"),
            ("Remove `replica` (not in the schema)", "spec:\n  mode: Fast\n  ports: []\n  # two\n"),
        ],
    );
}

#[test]
fn a_missing_field_gets_a_value_of_its_type() {
    assert_fixes("spec:\n  mode: Fast\n", &[("Add `ports`", "spec:\n  mode: Fast\n  ports: []\n")]);
    assert_fixes("", &[("Add `spec`", "spec:\n  mode: Fast\n  ports: []\n")]);
    assert_fixes(
        "spec:\n  mode: Slow\n  ports:\n  - name: a\n",
        &[("Add `target`", "spec:\n  mode: Slow\n  ports:\n  - name: a\n    target:\n      number: 0\n")],
    );
}

#[test]
fn a_disallowed_value_is_replaced_with_the_nearest_allowed_one() {
    assert_fixes(
        "spec: {mode: fast, ports: []}\n",
        &[("Replace `fast` with `Fast`", "spec: {mode: Fast, ports: []}\n")],
    );
    let all = fixes(&widget("spec: {mode: entirely, ports: []}\n"));
    let titles: Vec<_> = all.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Replace `entirely` with `Fast`",
            "Replace `entirely` with `Slow`",
            "Replace `entirely` with `'yes'`"
        ]
    );
}

#[test]
fn a_value_that_is_replaced_keeps_its_quotes() {
    for (written, replaced) in [("\"fast\"", "\"Fast\""), ("'fast'", "'Fast'"), ("fast", "Fast")] {
        let rest = |mode: &str| format!("spec:\n  mode: {mode} # how\n  ports: []\n");
        assert_fixes(&rest(written), &[("Replace `fast` with `Fast`", &rest(replaced))]);
    }
}

#[test]
fn a_field_without_its_colon_gets_it() {
    let rest =
        |target: &str| format!("spec:\n  mode: Fast\n  ports:\n  - name: a\n    target:\n      {target}\n");
    assert_fixes(&rest("number 1"), &[("Add `:` after `number`", &rest("number: 1"))]);
    assert_fixes(&rest("number:1"), &[("Add `:` after `number`", &rest("number: 1"))]);
    assert_fixes(&rest("numbers 1"), &[]);
}

#[test]
fn a_text_in_the_place_of_an_object_with_one_required_text_is_its_value() {
    let definition = DEFINITION.replace(
        "              paused:\n",
        "              ref: {type: object, required: [name], properties: {name: {type: string}, in: {type: string}}}\n              paused:\n",
    );
    let reported = |written: &str| {
        let text = widget(&format!("spec:\n  mode: Fast\n  ports: []\n  ref: {written}\n"));
        let file = File::with_surroundings(&text, &Settings::default(), with_definition(&definition));
        let finding = file.findings().iter().find(|one| one.code == "resource/type").unwrap();
        let fixes = file.fixes(finding.range);
        let titles: Vec<String> = fixes.iter().map(|fix| fix.title.clone()).collect();
        (finding.message.without_notes().to_string(), titles.join(", "))
    };
    let problem = "`ref` cannot be a string; ";
    for (written, remedy, title) in [
        ("foo", "write `name: foo`", "Add `name:` before `foo`"),
        ("'yes'", "write `name: 'yes'`", "Add `name:` before `yes`"),
        ("in foo", "write `in: foo`", ""),
        ("name foo", "write `name: foo`", "Add `:` after `name`"),
        ("nam", "write an object", "Add `name:` before `nam`"),
        ("name:foo", "write `name: foo`", "Add `:` after `name`"),
    ] {
        assert_eq!(reported(written), (format!("{problem}{remedy}"), title.to_owned()), "{written}");
    }
}

#[test]
fn an_object_in_the_place_of_a_list_becomes_its_item() {
    for (object, list) in [
        (
            "  ports: # all\n    # one\n    name: a # a\n    target:\n      number: 1\n",
            "  ports: # all\n    # one\n  - name: a # a\n    target:\n      number: 1\n",
        ),
        ("  ports: {name: a, target: {number: 1}}\n", "  ports: [{name: a, target: {number: 1}}]\n"),
    ] {
        let rest = |ports: &str| widget(&format!("spec:\n  mode: Fast\n{ports}"));
        let converted = ("Convert `ports` to a list of one item".to_owned(), rest(list));
        assert!(fixes(&rest(object)).contains(&converted), "{:?}", fixes(&rest(object)));
        let file = File::with_surroundings(&rest(object), &Settings::default(), surroundings());
        let reported = file.grouped().findings.into_iter().filter(|one| one.severity == Severity::Error);
        assert_eq!(reported.map(|one| one.code.as_str()).collect::<Vec<_>>(), ["resource/type"], "{object}");
    }
    let titles = |rest: &str| fixes(&widget(rest)).into_iter().map(|(title, _)| title).collect::<Vec<_>>();
    assert!(
        titles("spec:\n  mode: Fast\n  ports: []\n  tags:\n    a: b\n")
            .iter()
            .all(|title| !title.starts_with("Convert"))
    );
}

#[test]
fn an_item_that_is_still_to_be_typed_is_empty() {
    for (list, problem) in [("tags", "`tags[0]` is empty"), ("ports", "`ports[0]` is empty")] {
        let text = widget(&format!("spec:\n  mode: Fast\n  {list}:\n  - \n"));
        let file = File::with_surroundings(&text, &Settings::default(), surroundings());
        let mut reported =
            file.grouped().findings.into_iter().filter(|one| one.message.problem.contains(list));
        assert_eq!(reported.next().map(|one| one.message.problem).as_deref(), Some(problem));
        assert_eq!(reported.next(), None, "{list}");
    }
}

#[test]
fn a_name_with_letters_that_are_not_valid_is_corrected() {
    let text =
        widget("spec: {mode: Fast, ports: []}\n").replace("name: one\n", "name: one\n  namespace: \"X\"\n");
    let written = text.replace("\"X\"", "\"x\"");
    assert_eq!(fixes(&text), [("Change `X` to `x`".to_owned(), written)]);
    let two = text.replace("\"X\"", "X_Y");
    assert_eq!(fixes(&two), [("Change `X_Y` to `x-y`".to_owned(), two.replace("X_Y", "x-y"))]);
}

#[test]
fn quotes_are_added_and_removed_with_the_type() {
    assert_fixes(
        "spec: {mode: Fast, ports: [], labels: {a: 1}}\n",
        &[("Quote `1`", "spec: {mode: Fast, ports: [], labels: {a: '1'}}\n")],
    );
    assert_fixes(
        "spec: {mode: Fast, ports: [], replicas: \"3\"}\n",
        &[("Remove the quotes around `3`", "spec: {mode: Fast, ports: [], replicas: 3}\n")],
    );
    assert_fixes("spec: {mode: Fast, ports: [], replicas: \"three\"}\n", &[]);
}

#[test]
fn a_duplicate_item_of_a_list_is_removed() {
    assert_fixes(
        "spec:\n  mode: Fast\n  ports: []\n  tags:\n  - a\n  - b\n  - a\n",
        &[("Remove this duplicate item", "spec:\n  mode: Fast\n  ports: []\n  tags:\n  - a\n  - b\n")],
    );
}

#[test]
fn an_unserved_version_is_replaced_with_a_served_one() {
    let text =
        "apiVersion: example.com/v2\nkind: Widget\nmetadata: {name: a}\nspec: {mode: Fast, ports: []}\n";
    let (title, after) = fixes(text).remove(0);
    assert_eq!(title, "Change `apiVersion` to `example.com/v1` (served)");
    assert_eq!(after, text.replace("v2", "v1"));
}

#[test]
fn a_fix_that_breaks_something_else_is_not_offered() {
    // With the correct name, the value would have the wrong type.
    let all = fixes(&widget("spec: {mode: Fast, ports: [], replica: many}\n"));
    let titles: Vec<_> = all.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(titles, ["Remove `replica` (not in the schema)"]);
}

/// The titles of the fixes that write defaults at the cursor, each with the fixed text.
fn defaults_written(text: &str) -> Vec<(String, String)> {
    let (text, file, offset) = super::at_cursor(text);
    let apply = |fix: Fix| {
        let mut text = text.clone();
        for edit in fix.edits.iter().rev() {
            text.replace_range(edit.range.as_usize(), &edit.new_text);
        }
        (fix.title, text)
    };
    file.write_defaults(TextRange::empty(offset)).into_iter().map(apply).collect()
}

#[test]
fn defaults_are_written_into_the_innermost_object_without_them() {
    let written = |rest: &str| defaults_written(&widget(rest));
    assert_eq!(
        written("spe$0c: {mode: Fast}\n"),
        [
            ("Insert the default `limit: 5`".to_owned(), widget("spec: {mode: Fast, limit: 5}\n")),
            ("Insert the default `replicas: 1`".to_owned(), widget("spec: {mode: Fast, replicas: 1}\n")),
            (
                "Insert the 2 defaults of this object".to_owned(),
                widget("spec: {mode: Fast, limit: 5, replicas: 1}\n")
            ),
        ]
    );
    let ports = "spec:\n  limit: 1\n  replicas: 1\n  ports:\n  - name: $0a\n    target: {number: 1}\n";
    let expected = widget(&(ports.replace("$0", "") + "    protocol: TCP\n"));
    assert_eq!(written(ports), [("Insert the default `protocol: TCP`".to_owned(), expected)]);
    assert_eq!(written("spec: {limit: 1, replicas: 1, mod$0e: Fast}\n"), []);
    assert_eq!(defaults_written("a$0: b\n"), []);
}

#[test]
fn metadata_that_is_not_a_string_gets_quotes_and_hides_no_finding() {
    let text = |label: &str, annotation: &str, mode: &str| {
        format!(
            "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one\n  labels: {{a: {label}, b: c}}\n  \
             annotations:\n    d: {annotation} # yes\nspec: {{mode: {mode}, ports: []}}\n"
        )
    };
    let wrong = text("1", "true", "Fats");
    let file = File::with_surroundings(&wrong, &Settings::default(), surroundings());
    let messages: Vec<String> = file.findings().iter().map(|one| one.message.to_string()).collect();
    let found: Vec<_> = file
        .findings()
        .iter()
        .zip(&messages)
        .map(|(one, message)| {
            (one.code.as_str(), &wrong[one.range.as_usize()], message.as_str(), one.api_server.is_some())
        })
        .collect();
    assert_eq!(
        found,
        [
            (
                "resource/rules-not-checked",
                "kind",
                "kube-apiserver does not evaluate CEL rules while the object has other errors; correct those first",
                false
            ),
            ("resource/decode", "1", "`labels[a]` cannot be a number; put it in quotes", false),
            ("resource/decode", "true", "`annotations[d]` cannot be a boolean; put it in quotes", true),
            (
                "resource/enum",
                "Fats",
                "unsupported value \"Fats\"; use one of `Fast`, `Slow`, `'yes'`",
                false
            ),
        ]
    );
    assert_eq!(
        fixes(&wrong),
        [
            ("Quote `1`".to_owned(), text("'1'", "true", "Fats")),
            ("Quote `true`".to_owned(), text("1", "'true'", "Fats")),
            ("Replace `Fats` with `Fast`".to_owned(), text("1", "true", "Fast")),
        ]
    );
}

#[test]
fn a_value_of_another_type_is_written_as_the_server_reads_it() {
    assert_fixes(
        "spec: {mode: Fast, ports: [], paused: \"yes\"}\n",
        &[("Replace `yes` with `true`", "spec: {mode: Fast, ports: [], paused: true}\n")],
    );
    assert_fixes(
        "spec:\n  mode: Fast\n  ports: []\n  tags: a # one\n",
        &[("Convert `a` to a list", "spec:\n  mode: Fast\n  ports: []\n  tags: [a] # one\n")],
    );
}

#[test]
fn a_deprecated_version_is_replaced() {
    let text = |version: &str| {
        let spec = "spec: {mode: Fast, ports: []}";
        format!("apiVersion: example.com/{version}\nkind: Widget\nmetadata: {{name: a}}\n{spec}\n")
    };
    let expected = ("Change `apiVersion` to `example.com/v1` (not deprecated)".to_owned(), text("v1"));
    assert!(fixes(&text("v1alpha1")).contains(&expected), "{:?}", fixes(&text("v1alpha1")));
}

#[test]
fn fields_beside_the_object_that_they_belong_to_are_indented() {
    let rest = |target: &str| format!("spec:\n  mode: Fast\n  ports:\n  - name: a\n    target:\n{target}");
    let text = widget(&rest("    number: 1\n    protocol: UDP\n"));
    let wanted = widget(&rest("      number: 1\n    protocol: UDP\n"));
    let found = fixes(&text).into_iter().find(|(title, _)| title == "Indent `number` below `target`");
    assert_eq!(found.unwrap_or_else(|| panic!("{:?}", fixes(&text))).1, wanted);
}

#[test]
fn numbers_texts_and_names_become_what_the_schema_takes() {
    let rest = |line: &str| format!("spec:\n  mode: Fast\n  ports: []\n  {line}\n");
    for (wrong, title, right) in [
        ("replicas: 20", "Replace `20` with `9`, the maximum", "replicas: 9"),
        ("replicas: -1 # few", "Replace `-1` with `0`, the minimum", "replicas: 0 # few"),
        ("port: 1.5", "Quote `1.5`", "port: '1.5'"),
        ("tags: a, b", "Convert `a, b` to a list", "tags: [a, b]"),
    ] {
        assert_fixes(&rest(wrong), &[(title, &rest(right))]);
    }
    let of = |metadata: &str| {
        format!("apiVersion: example.com/v1\nkind: Widget\n{metadata}spec: {{mode: Fast, ports: []}}\n")
    };
    for (wrong, right) in [
        ("", "metadata:\n  name: widget\n"),
        ("metadata:\n  labels: {a: b}\n", "metadata:\n  name: widget\n  labels: {a: b}\n"),
    ] {
        assert_eq!(fixes(&of(wrong)), [("Add `metadata.name: widget`".to_owned(), of(right))], "{wrong}");
    }
}

#[test]
fn a_field_indented_too_far_moves_to_the_enclosing_object() {
    let rest = |indent: &str| {
        format!("spec:\n  ports:\n  - name: a\n    target:\n      number: 1\n{indent}mode: Fast\n")
    };
    let found =
        fixes(&widget(&rest("      "))).into_iter().find(|(title, _)| title == "Indent `mode` like `ports`");
    assert_eq!(
        found.unwrap_or_else(|| panic!("{:?}", fixes(&widget(&rest("      "))))).1,
        widget(&rest("  "))
    );
}
