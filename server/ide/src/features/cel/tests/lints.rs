//! Rules that fail on values that the schema accepts, rules without effect, and rules that check less than
//! their message says.

use crate::{File, Finding, Settings};
use text::{TextEdit, TextRange};

/// A definition whose `spec` is `schema`, in braces.
fn definition(schema: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.com}}\n\
         spec:\n  group: example.com\n  scope: Namespaced\n\
         \x20 names: {{kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}}\n  versions:\n\
         \x20 - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n\
         \x20       type: object\n        properties:\n          spec:\n            {schema}\n"
    )
}

/// A definition with that rule for `spec`, whose properties are `properties`, all of them required.
fn with_rule(properties: &str, rule: &str, message: &str) -> String {
    let names: Vec<&str> = properties.split('\n').filter_map(|line| line.split(':').next()).collect();
    let properties = properties.replace('\n', "\n              ");
    definition(&format!(
        "type: object\n            required: [{}]\n            properties:\n              {properties}\n            \
         x-kubernetes-validations:\n            - rule: {}\n              message: {message}",
        names.join(", "),
        serde_json::Value::from(rule),
    ))
}

fn lints(text: &str) -> (File, Vec<Finding>) {
    let file = File::new(text, &Settings::default());
    let (lints, others): (Vec<_>, Vec<_>) =
        file.findings().iter().cloned().partition(|finding| finding.code.as_str().starts_with("lint/cel-"));
    assert_eq!(others, [], "{text}");
    (file, lints)
}

fn codes(properties: &str, rule: &str) -> Vec<&'static str> {
    lints(&with_rule(properties, rule, "refused")).1.iter().map(|finding| finding.code.as_str()).collect()
}

const PORT: &str = "port: {x-kubernetes-int-or-string: true}\nsize: {type: integer, minimum: 1, maximum: 10}\n\
                    mode: {type: string, enum: [a, b]}\ntags: {type: array, maxItems: 3, items: {type: string, maxLength: 5}}";

#[test]
fn rules_that_fail_on_one_of_two_types_are_reported_with_an_example() {
    for (rule, operand, example) in [
        ("self.port > 1024", "self.port", "\"port\":\""),
        ("self.port.startsWith('a')", "self.port", "\"port\":"),
        ("self.mode == 'a' || self.port + 1 > 5", "self.port", "\"port\":\""),
        ("type(self.port) == string || self.port.size() > 1", "self.port", "\"port\":"),
    ] {
        let text = with_rule(PORT, rule, "refused");
        let (_, found) = lints(&text);
        let [one] = found.as_slice() else { panic!("{rule}: {found:?}") };
        assert_eq!(
            (one.code.as_str(), &text[one.range.as_usize()]),
            ("lint/cel-int-or-string", operand),
            "{rule}"
        );
        assert!(one.message.problem.contains(example) && one.api_server.is_none(), "{}", one.message);
    }
    for rule in [
        "type(self.port) == int && self.port > 1024",
        "type(self.port) == string || self.port > 1024",
        "type(self.port) == int ? self.port > 1024 : self.port.endsWith('%')",
        "self.port == 80 || self.port == 'http'",
        "self.port in ['http', 'https'] || string(self.port).size() > 1",
    ] {
        assert_eq!(codes(PORT, rule), [""; 0], "{rule}");
    }
}

#[test]
fn a_rule_gets_a_condition_on_the_type() {
    let after = |text: &str, edits: &[TextEdit]| {
        let mut text = text.to_owned();
        edits.iter().rev().for_each(|edit| text.replace_range(edit.range.as_usize(), &edit.new_text));
        text
    };
    for (rule, expected) in [
        (
            "self.port > 1024",
            &["type(self.port) == int && self.port > 1024", "type(self.port) == string || self.port > 1024"]
                [..],
        ),
        (
            "self.size > 3 || self.port > 1 && self.port < 9",
            &[
                "self.size > 3 || type(self.port) == int && self.port > 1 && self.port < 9",
                "self.size > 3 || type(self.port) == string || self.port > 1 && self.port < 9",
            ],
        ),
        (
            "self.port.startsWith('a')",
            &[
                "type(self.port) == string && self.port.startsWith('a')",
                "type(self.port) == int || self.port.startsWith('a')",
            ],
        ),
    ] {
        let text = with_rule(PORT, rule, "refused");
        let (file, found) = lints(&text);
        let fixes = file.fixes(TextRange::empty(found[0].range.start));
        let texts: Vec<String> = fixes.iter().map(|fix| after(&text, &fix.edits)).collect();
        let expected: Vec<String> = expected.iter().map(|rule| with_rule(PORT, rule, "refused")).collect();
        assert_eq!(texts, expected, "{rule}: {fixes:?}");
    }
}

#[test]
fn rules_that_every_value_or_no_value_satisfies_are_reported() {
    for (rule, expected) in [
        ("has(self.size)", "lint/cel-never-fails"),
        ("self.size >= 1", "lint/cel-never-fails"),
        ("size(self.tags) >= 0", "lint/cel-never-fails"),
        ("self.tags.all(t, size(t) < 6)", "lint/cel-never-fails"),
        // The finding on the wrong string replaces the one on the constant rule.
        ("self.mode in ['a', 'b', 'c']", "lint/cel-literal"),
        ("self.size == self.size", "lint/cel-never-fails"),
        ("self.size < 5 || self.size >= 5", "lint/cel-never-fails"),
        ("1 < 2", "lint/cel-never-fails"),
        ("self.size > 10", "lint/cel-never-holds"),
        ("self.size > 5 && self.size < 3", "lint/cel-never-holds"),
        ("self.mode == 'c'", "lint/cel-literal"),
        ("self.mode.startsWith('x')", "lint/cel-never-holds"),
        ("self.tags.size() > 3", "lint/cel-never-holds"),
        ("!has(self.mode)", "lint/cel-never-holds"),
        ("self.mode == 'a' && self.mode == 'b'", "lint/cel-never-holds"),
    ] {
        assert_eq!(codes(PORT, rule), [expected], "{rule}");
    }
    for rule in [
        "self.size > 1",
        "self.size != 10",
        "false",
        "self.mode == 'a' || self.size > 5",
        "self.tags.exists(t, t == 'x')",
        "self.tags.all(t, self.tags.exists_one(u, u == t))",
        "self.tags.all(t, t == self.tags[0])",
        "self.size * 2 > 10",
    ] {
        assert_eq!(codes(PORT, rule), [""; 0], "{rule}");
    }
}

/// The contradiction has its own finding, and no rule is wrong because of it.
#[test]
fn contradictory_bounds_say_nothing_about_rules() {
    for (field, rule) in [
        ("{type: integer, minimum: 9, maximum: 3}", "self.a < 3"),
        ("{type: integer, minimum: 9, maximum: 3}", "self.a > 5"),
        ("{type: number, minimum: 9, maximum: 3}", "self.a < 3.0"),
        ("{type: string, minLength: 9, maxLength: 3}", "size(self.a) < 3"),
        ("{type: array, minItems: 9, maxItems: 3, items: {type: integer}}", "size(self.a) < 3"),
        (
            "{type: object, minProperties: 9, maxProperties: 3, additionalProperties: {type: string, maxLength: 3}}",
            "size(self.a) < 3",
        ),
    ] {
        let text = with_rule(&format!("a: {field}"), rule, "refused");
        let file = File::new(&text, &Settings::default());
        let found: Vec<_> = file.findings().iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(found, ["lint/bounds"], "{field}: {rule}");
    }
}

#[test]
fn a_message_that_promises_more_than_its_rule_is_reported() {
    let list = "tags: {type: array, maxItems: 9, items: {type: string, maxLength: 9}}\nsize: {type: integer}";
    for (rule, message, is_reported) in [
        ("self.tags.all(t, t in oldSelf.tags)", "tags are append-only", true),
        ("oldSelf.tags.all(t, t in self.tags)", "tags are append-only", false),
        ("oldSelf.tags.all(t, t in self.tags)", "tags are immutable", true),
        ("self.tags == oldSelf.tags", "tags are immutable", false),
        ("self.size >= oldSelf.size", "size is immutable", true),
        ("self.size >= oldSelf.size", "size cannot be changed when it is small", false),
        ("self.size >= oldSelf.size", "size cannot be changed from large to small", false),
        ("self.size >= oldSelf.size", "size must not shrink", false),
        ("oldSelf.tags.all(t, t in self.tags)", "items cannot be removed", false),
        ("self.tags.all(t, t in oldSelf.tags)", "items cannot be removed", true),
    ] {
        let (_, found) = lints(&with_rule(list, rule, message));
        let found: Vec<_> = found.iter().map(|finding| finding.code.as_str()).collect();
        let expected: &[&str] = if is_reported { &["lint/cel-says-less"] } else { &[] };
        assert_eq!(found, expected, "{rule}: {message}");
    }
}

#[test]
fn reordered_items_of_a_set_or_map_are_equal() {
    let items = "type: object, required: [name], properties: {name: {type: string, maxLength: 9}, env: {type: array, maxItems: 9, items: {type: string}}}";
    for list in [
        "x-kubernetes-list-type: set, items: {type: string, maxLength: 9}".to_owned(),
        format!("x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {{{items}}}"),
    ] {
        let schema = format!("tags: {{type: array, maxItems: 9, {list}}}");
        let (_, found) = lints(&with_rule(&schema, "self.tags == oldSelf.tags", "field is immutable"));
        assert_eq!(found, [], "{list}");
    }
}
