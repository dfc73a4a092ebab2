//! Several errors at once: none of them hides another one.

mod defaults;

use super::markers::{check_schema, definition};
use super::reports;

/// The codes in the definition with `schema`, each with the text at its range and whether the server reports
/// it.
pub(super) fn findings_in(schema: &str) -> Vec<(&'static str, String, bool)> {
    let text = definition(schema);
    let findings = reports(&text).remove(0).findings;
    let part = |range: text::TextRange| text.get(range.as_usize()).unwrap_or_default().to_owned();
    findings.into_iter().map(|one| (one.code.as_str(), part(one.range), one.api_server.is_some())).collect()
}

/// Whether `schema` has a finding of `code` on `part` that the server does not report yet.
#[track_caller]
pub(super) fn expect_hidden(schema: &str, code: &str, part: &str) {
    let found = findings_in(schema);
    assert!(found.iter().any(|(of, on, server)| *of == code && on == part && !server), "{found:?}");
}

/// Whether all findings in `schema` are of `codes`.
#[track_caller]
pub(super) fn expect_only(schema: &str, codes: &[&str]) {
    let mut found: Vec<_> = findings_in(schema).into_iter().map(|(code, ..)| code).collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, codes);
}

const RULE: &str = "x-kubernetes-validations:\n- rule: ";

#[test]
fn a_missing_type_hides_no_error_in_a_rule() {
    check_schema(
        "
type: object
properties:
  size: {}
  ^^^^ error[structural/type-required]: missing `type`; add `type: string` or another type
  name:
    type: string
x-kubernetes-validations:
- rule: self.naem == 'a'
             ^^^^ error[cel/rule-compile]: `self` has no field `naem`; write `name`; kube-apiserver reports it after you fix the other errors
",
    );
}

#[test]
fn keywords_imply_the_type() {
    for (field, used, wrong) in [
        ("{minLength: 1}", "self.f.startsWith('a')", "self.f > 1"),
        ("{minimum: 1}", "self.f > 1", "self.f.startsWith('a')"),
        ("{properties: {a: {type: string}}}", "self.f.a == 'x'", "self.f.b == 'x'"),
        ("{items: {type: string, maxLength: 3}, maxItems: 3}", "self.f.exists(x, x == 'a')", "self.f == 'a'"),
        ("{enum: [a, b]}", "self.f == 'a'", "self.f == 1"),
        ("{default: 5}", "self.f > 1", "self.f == 'a'"),
        ("{type: int}", "self.f > 1", "self.f == 'a'"),
        ("{type: [string, 'null'], maxLength: 3}", "self.f == 'a'", "self.f == 1"),
        ("{oneOf: [{type: integer}, {type: integer}]}", "self.f > 1", "self.f == 'a'"),
        ("{anyOf: [{minLength: 1}, {maxLength: 3}]}", "self.f == 'a'", "self.f == 1"),
        ("{anyOf: [{type: integer}, {type: string}]}", "self.f == 'a' || self.f == 1", "self.f + true"),
    ] {
        let schema =
            |rule: &str| format!("type: object\nrequired: [f]\nproperties:\n  f: {field}\n{RULE}{rule}\n");
        let about_rules = |rule: &str| {
            let found = findings_in(&schema(rule));
            found.into_iter().any(|(code, _, server)| code == "cel/rule-compile" && !server)
        };
        assert!(!about_rules(used), "{field}: {used}: {:?}", findings_in(&schema(used)));
        assert!(about_rules(wrong), "{field}: {wrong}: {:?}", findings_in(&schema(wrong)));
    }
}

#[test]
fn an_unknown_type_causes_no_error() {
    for (field, code) in [
        ("{}", "structural/type-required"),
        ("", "structural/type-required"),
        ("{oneOf: [{type: integer}, {type: object}]}", "structural/junctor-type"),
        ("{$ref: '#/definitions/a'}", "schema/forbidden-ref"),
        ("string", "decode/type"),
    ] {
        for rule in [
            "self.f == 'a'",
            "self.f.g.h > 3",
            "self.f.all(x, x.startsWith('a'))",
            "self.f",
            "self.f.map(x, x.g).exists(y, y.matches('^a+$'))",
        ] {
            let schema = format!("type: object\nrequired: [f]\nproperties:\n  f: {field}\n{RULE}{rule}\n");
            let found = findings_in(&schema);
            assert!(found.iter().any(|(of, ..)| *of == code), "{field}: {found:?}");
            assert!(!found.iter().any(|(of, ..)| of.starts_with("cel/")), "{field}, {rule}: {found:?}");
        }
    }
}

#[test]
fn an_unreadable_part_hides_no_other_error() {
    for broken in
        ["maxLength: '10'", "pattern: ^(?!foo)", "maxLenght: 10", "type: strin", "items: [{type: string}]"]
    {
        let schema = format!(
            "type: object\nproperties:\n  a:\n    type: string\n    {broken}\n  b:\n    type: integer\n{RULE}self.c > 1\n"
        );
        let found = findings_in(&schema.replace("    type: string\n    type: strin", "    type: strin"));
        assert!(found.iter().any(|(code, part, _)| *code == "cel/rule-compile" && part == "c"), "{found:?}");
    }
}

#[test]
fn a_misspelt_keyword_hides_no_rule_below_it() {
    let below = format!(
        "type: object\npropertes:\n  a:\n    type: object\n    {}self.b > 1\n",
        RULE.replace('\n', "\n    ")
    );
    expect_hidden(&below, "cel/rule-compile", "b");
}

#[test]
fn costs_are_reported_beside_other_errors() {
    let schema = format!(
        "type: object\nproperties:\n  a: {{}}\n  b:\n    type: array\n    items:\n      type: array\n      items:\n        type: string\n{RULE}self.b.all(x, x.all(y, y.contains('a')))\n"
    );
    expect_hidden(&schema, "cel/rule-cost", "self.b.all(x, x.all(y, y.contains('a')))");
    expect_hidden(&schema, "cel/crd-cost-contributor", "self.b.all(x, x.all(y, y.contains('a')))");
}

#[test]
fn a_message_is_compiled_even_if_its_rule_does_not_compile() {
    let schema = format!(
        "type: object\nproperties:\n  a:\n    type: string\n{RULE}self.b == 'a'\n  messageExpression: self.c\n"
    );
    expect_hidden(&schema, "cel/message-expression-compile", "c");
}

#[test]
fn fields_that_only_a_junctor_describes_are_known_to_rules() {
    let schema = "type: object\noneOf:\n- properties: {a: {type: string}}\n- required: [b]\nproperties:\n  b: {type: string}\n";
    expect_only(
        &format!("{schema}{RULE}has(self.a) || has(self.b)\n"),
        &["structural/complete", "structural/junctor-type"],
    );
    expect_hidden(&format!("{schema}{RULE}self.c == 3\n"), "cel/rule-compile", "c");
}

#[test]
fn a_value_that_does_not_decode_hides_no_other_field() {
    let text = definition("type: object\nproperties: {a: {type: string, nullable: 'true'}}\n");
    let text =
        text.replace("  group: example.com\n", "  group: example.com\n  preserveUnknownFields: true\n");
    let report = reports(&text).remove(0);
    assert!(report.findings.iter().any(|one| one.code == "spec/preserve-unknown-fields"), "{report:?}");
}

#[test]
fn properties_are_complete_despite_a_forbidden_keyword() {
    for other in
        ["$ref: '#/a'", "patternProperties: {a: {type: string}}", "additionalProperties: {type: string}"]
    {
        let schema =
            format!("type: object\n{other}\nproperties:\n  a: {{type: string}}\n{RULE}self.b == 'x'\n");
        expect_hidden(&schema, "cel/rule-compile", "b");
    }
}

#[test]
fn a_check_that_the_server_skips_is_reported() {
    expect_hidden(
        "type: object\nx-kubernetes-validations:\n- rule: ''\n  message: '  '\n",
        "cel/message-blank",
        "'  '",
    );
    let text = definition("type: array\nitems: {type: string}\nanyOf: [{maxItems: 3}]\n");
    let text = text.replace("    storage: true\n", "    storage: true\n    subresources: {status: {}}\n");
    let report = reports(&text).remove(0);
    let fields = report.findings.iter().find(|one| one.code == "subresources/status-root-fields");
    assert!(fields.is_some_and(|one| one.api_server.is_none()), "{report:?}");
}

#[test]
fn unfinished_entries_hide_no_other_error() {
    for typed in ["  b", "  b:", "  b: {", "  b:\n    typ", "  b:\n    type: ", "  b: \"x"] {
        let schema = format!(
            "type: object\nproperties:\n  a:\n    type: string\n{typed}\n  c:\n    type: object\n    properties:\n      d: {{type: string, minLength: 3, default: e}}\n    x-kubernetes-validations:\n    - rule: self.x > 1\n"
        );
        let found = findings_in(&schema);
        let has = |code: &str, part: &str| found.iter().any(|(of, on, _)| *of == code && on == part);
        assert!(has("cel/rule-compile", "x") && has("defaults/schema", "e"), "{typed}: {found:?}");
    }
}

#[test]
fn a_set_with_invalid_items_hides_no_rule_around_it() {
    expect_hidden(
        "
type: object
properties:
  name: {type: string}
  all:
    type: array
    x-kubernetes-list-type: set
    items: {type: object, properties: {a: {type: string}}}
x-kubernetes-validations:
- rule: self.name.startWith('a')
",
        "cel/rule-compile",
        "startWith",
    );
}

#[test]
fn a_node_invisible_to_rules_hides_no_error_in_its_rules() {
    expect_hidden(
        "
type: object
properties:
  a:
    type: 'null'
    properties: {name: {type: string}}
    x-kubernetes-validations: [{rule: self.naem == 'a'}]
",
        "cel/rule-compile",
        "naem",
    );
}

#[test]
fn list_map_keys_are_found_in_items_written_as_a_list() {
    expect_hidden(
        "
type: object
properties:
  all:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [nmae]
    items:
    - type: object
      required: [name]
      properties: {name: {type: string}}
",
        "schema/list-map-key-unknown",
        "nmae",
    );
}

#[test]
fn selectable_fields_are_checked_without_a_schema() {
    let text = definition("SCHEMA\n");
    let (before, rest) = text.split_once("    schema:\n").expect("a schema");
    assert!(rest.contains("SCHEMA"), "{rest}");
    let text = format!("{before}    selectableFields:\n    - jsonPath: ''\n    - jsonPath: .spec[0]\n");
    let report = reports(&text).remove(0);
    for code in ["selectable-fields/required", "selectable-fields/path"] {
        let one = report.findings.iter().find(|one| one.code.as_str() == code);
        assert!(one.is_some_and(|one| one.api_server.is_none()), "{code}: {report:?}");
    }
}

#[test]
fn a_kind_in_list_kind_is_reported_if_the_kind_is_missing() {
    let text = definition("type: object\n");
    for (names, is_reported) in [("listKind: Widget", true), ("listKind: WidgetList", false)] {
        let report = reports(&text.replace("kind: Widget,", &format!("{names},"))).remove(0);
        let same = report.findings.iter().find(|one| one.code == "names/kind-list-kind-equal");
        assert_eq!(
            same.map(|one| one.api_server.is_none()),
            is_reported.then_some(true),
            "{names}: {report:?}"
        );
    }
}

#[test]
fn a_list_typed_as_an_object_has_no_type_for_its_rules() {
    let schema = |other: &str, default: &str| {
        format!(
            "type: object\n{RULE}has(self.l)\nproperties:\n{other}  l:\n    type: object\n{default}    items:\n      type: object\n      properties: {{a: {{type: string}}}}\n      x-kubernetes-validations:\n      - rule: has(self.a)\n"
        )
    };
    let reported = findings_in(&schema("", ""));
    assert!(reported.iter().any(|(code, _, server)| *code == "cel/type-info" && *server), "{reported:?}");
    expect_hidden(&schema("", "    default: [{a: x}]\n"), "cel/type-info", "x-kubernetes-validations");
    expect_hidden(&schema("  b: {}\n", ""), "cel/type-info", "x-kubernetes-validations");
    // Errors in metadata give no node another type.
    expect_hidden(
        &schema("  metadata: {type: object, maxProperties: 3}\n", ""),
        "cel/type-info",
        "x-kubernetes-validations",
    );
    // This node has a type once the node above it has one.
    let repaired = schema("", "").replace("    type: object\n    items", "    items");
    assert!(
        !findings_in(&repaired).iter().any(|(code, ..)| *code == "cel/type-info"),
        "{:?}",
        findings_in(&repaired)
    );
}

/// A definition of two versions with these schemas in flow style, of which the first has selectable fields.
fn two_versions(first: &str, second: &str) -> String {
    let version = |name: &str, stored: bool, fields: &str, schema: &str| {
        format!(
            "  - name: {name}\n    served: true\n    storage: {stored}\n{fields}    schema:\n      openAPIV3Schema: {schema}\n"
        )
    };
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.com}}\nspec:\n  group: example.com\n  scope: Namespaced\n  names: {{plural: widgets, kind: Widget}}\n  versions:\n{}{}",
        version("v1", true, "    selectableFields: [{jsonPath: .spec}]\n", first),
        version("v2", false, "", second)
    )
}

#[test]
fn schemas_that_are_equal_after_repair_are_treated_as_equal() {
    let hides = |first: &str, second: &str| {
        let found = reports(&two_versions(first, second)).remove(0).findings;
        let mut about = found.iter().filter(|one| one.code == "selectable-fields/no-schema");
        about.next().map(|one| one.api_server.is_none())
    };
    let schema = |spec: &str| format!("{{type: object, properties: {{spec: {spec}, a: {{type: string}}}}}}");
    let right = schema("{type: string}");
    assert_eq!(hides(&right, &right), Some(false), "the server reports it");
    for wrong in [
        "{type: string, $schema: x}",
        "{type: strin}",
        "{}",
        "{type: string, patternProperties: {a: {}}}",
        "{type: string, default: 3}",
        "{type: string, x-kubernetes-validations: [{rule: self > 1}]}",
    ] {
        assert_eq!(hides(&schema(wrong), &right), Some(true), "{wrong}");
        assert_eq!(hides(&right, &schema(wrong)), Some(true), "{wrong}");
        // They also differ in valid parts.
        let other = right.replace("a: {type: string}", "b: {type: string}");
        assert_eq!(hides(&schema(wrong), &other), None, "{wrong}");
    }
    assert_eq!(hides(&right, &schema("{type: string, maxLength: 3}")), None);
}

#[test]
fn a_list_kind_equal_to_the_kind_is_reported_beside_an_invalid_kind() {
    for (names, is_reported) in [
        ("kind: Widget_x, listKind: Widget", true),
        ("kind: Wid_get, singular: widget, listKind: Widget", true),
        ("listKind: Widget", true),
        ("kind: Widget_x, listKind: WidgetList", false),
        ("kind: Widget_x, listKind: Gadget", false),
        ("kind: Widgets, singular: widget, listKind: Widget", false),
    ] {
        let written = "{kind: Widget, plural: widgets}";
        let text = definition("type: object").replace(written, &format!("{{plural: widgets, {names}}}"));
        let found = reports(&text).remove(0).findings;
        let reported = found.iter().find(|one| one.code == "names/kind-list-kind-equal");
        assert_eq!(
            reported.map(|one| one.api_server.is_none()),
            is_reported.then_some(true),
            "{names}: {found:#?}"
        );
    }
}

#[test]
fn a_list_of_types_hides_no_keyword_that_requires_another_type() {
    let schema = |types: &str, keyword: &str| {
        format!(
            "type: object\nproperties:\n  a:\n    type: {types}\n    items: {{type: string}}\n    {keyword}\n"
        )
    };
    expect_hidden(
        &schema("[string, 'null']", "x-kubernetes-list-type: atomic"),
        "schema/list-type-array",
        "[string, 'null']",
    );
    expect_hidden(
        &schema("[array, 'null']", "x-kubernetes-map-type: atomic"),
        "schema/map-type-object",
        "[array, 'null']",
    );
    for (types, keyword) in [
        ("[array, 'null']", "x-kubernetes-list-type: atomic"),
        ("[array, object]", "x-kubernetes-list-type: atomic"),
        ("[object]", "x-kubernetes-map-type: atomic"),
    ] {
        let found = findings_in(&schema(types, keyword));
        assert!(!found.iter().any(|(code, ..)| code.starts_with("schema/")), "{types}: {found:?}");
    }
}

#[test]
fn a_reference_beside_properties_hides_no_path_of_a_rule() {
    let schema = |fields: &str| {
        format!(
            "type: object\nproperties:\n  a:\n    type: object\n{fields}    $ref: '#/a'\n    x-kubernetes-validations:\n    - rule: 'true'\n      fieldPath: .nowhere\n"
        )
    };
    expect_hidden(&schema("    properties: {b: {type: string}}\n"), "cel/field-path-invalid", ".nowhere");
    assert!(!findings_in(&schema("")).iter().any(|(code, ..)| *code == "cel/field-path-invalid"));
}

#[test]
fn a_list_marked_as_int_or_string_hides_no_rule() {
    let schema = format!(
        "type: object\nproperties:\n  a:\n    type: array\n    x-kubernetes-int-or-string: true\n    additionalItems: false\n    items:\n      type: object\n      properties: {{b: {{type: string}}}}\n      {}self.c == 'a'\n    {}'true'\n",
        RULE.replace('\n', "\n      "),
        RULE.replace('\n', "\n    ")
    );
    expect_hidden(&schema, "cel/rule-compile", "c");
}

#[test]
fn a_conversion_error_hides_no_invalid_path() {
    for path in ["a", ".a[", ".a.", "\"\\n\""] {
        let schema = format!(
            "type: object\nid: a\nproperties:\n  a: {{type: string}}\n{RULE}has(self.a)\n  fieldPath: {path}\n"
        );
        expect_hidden(&schema, "cel/field-path-invalid", path);
    }
}

/// The findings on a selectable field `path` with this schema in flow style.
fn of_selectable_field(schema: &str, path: &str) -> Vec<&'static str> {
    let fields = format!("    selectableFields: [{{jsonPath: {path}}}]\n");
    let text = definition(&format!("\ntype: object\nproperties:\n  spec: {schema}\n"));
    let before = text.trim_end();
    let text = format!("{before}\n{fields}");
    let findings = reports(&text).remove(0).findings;
    let codes = findings.into_iter().map(|one| one.code.as_str());
    codes.filter(|code| code.starts_with("selectable-fields/") && !code.ends_with("convert")).collect()
}

#[test]
fn a_reference_hides_no_selectable_field_that_is_missing() {
    let nowhere = "{type: object, properties: {a: {type: string, $ref: '#/definitions/b'}}}";
    assert_eq!(of_selectable_field(nowhere, ".spec.b"), ["selectable-fields/path"]);
    assert_eq!(of_selectable_field(nowhere, ".spec.a"), [""; 0]);
    let somewhere = "{definitions: {b: {type: object, properties: {c: {type: string}, d: {type: array}}}}, $ref: '#/definitions/b'}";
    assert_eq!(of_selectable_field(somewhere, ".spec.c"), [""; 0]);
    assert_eq!(of_selectable_field(somewhere, ".spec.e"), ["selectable-fields/path"]);
    assert_eq!(of_selectable_field(somewhere, ".spec.d"), ["selectable-fields/type"]);
    let outside = "{$ref: 'b.json'}";
    assert_eq!(of_selectable_field(outside, ".spec.c"), [""; 0]);
    let itself = "{definitions: {b: {$ref: '#/definitions/b'}}, $ref: '#/definitions/b'}";
    assert_eq!(of_selectable_field(itself, ".spec.c"), [""; 0]);
}
