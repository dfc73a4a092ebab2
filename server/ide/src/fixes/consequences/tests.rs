#![allow(clippy::unwrap_used, clippy::panic)]

use crate::marked_texts::WIDGET;
use crate::{File, Finding, Settings};

fn shown_findings(text: &str) -> Vec<Finding> {
    File::new(text, &Settings::default()).grouped().findings
}

/// Checks that `written` in place of `right` causes one finding, at that text, whose first fix restores
/// the right text.
#[track_caller]
fn check(right: &str, written: &str, code: &str, at: &str) {
    check_in(WIDGET, right, written, code, at);
}

#[track_caller]
fn check_in(whole: &str, right: &str, written: &str, code: &str, at: &str) {
    assert!(whole.contains(right), "{right}");
    let text = whole.replacen(right, written, 1);
    let found = shown_findings(&text);
    let reported: Vec<(&str, &str)> =
        found.iter().map(|one| (one.code.as_str(), text.get(one.range.as_usize()).unwrap())).collect();
    assert_eq!(reported, [(code, at)], "{written:?}: {found:#?}\n{text}");
    let fixes = File::new(&text, &Settings::default()).fixes(found[0].range);
    let repaired: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
    assert_eq!(repaired.first().map(String::as_str), Some(whole), "{written:?}: {fixes:#?}\n{text}");
}

#[test]
fn a_description_in_a_wrong_column_is_one_finding() {
    let described = "              size:\n                description: |-\n                  The size\n                  of it.\n";
    let whole = WIDGET.replacen("              size:\n", described, 1);
    let right = "                description: |-\n";
    for (written, at) in [
        ("                  description: |-\n", "The size"),
        ("               description: |-\n", "type: integer"),
        ("              description: |-\n", "type: integer"),
        ("                 description: |-\n", "type: integer"),
    ] {
        check_in(&whole, right, written, "yaml/syntax", at);
    }
    for written in
        ["\tdescription: |-\n", "              \tdescription: |-\n", "                \tdescription: |-\n"]
    {
        check_in(&whole, right, written, "yaml/tab-indentation", "\t");
    }
}

#[test]
fn a_value_that_several_checks_refuse_is_one_finding() {
    check("  group: example.com", "  group: example", "spec/group-dot", "example");
    let map =
        "                x-kubernetes-list-type: map\n                x-kubernetes-list-map-keys: [name]\n";
    let items = "                type: array\n                items:\n                  type: string\n";
    let objects =
        items.replace("type: string", "{type: object, required: [name], properties: {name: {type: string}}}");
    let objects = objects.replace("items:\n                  ", "items: ");
    let whole = WIDGET.replacen(items, &format!("{objects}{map}"), 1);
    check_in(&whole, "list-type: map", "list-type: set", "schema/list-map-keys-type", "set");
    check_in(
        &whole,
        "items: {type: object, required: [name], properties: {name: {type: string}}}",
        "items: [{type: object, required: [name], properties: {name: {type: string}}}]",
        "schema/items-array",
        "items",
    );
}

#[test]
fn a_text_behind_brackets_in_a_rule_is_one_finding() {
    let rule = "            - rule: '!has(self.modes) || self.size > 1'\n";
    let whole = WIDGET.replacen(rule, &format!("{rule}              message: '{{size}} is small'\n"), 1);
    check_in(&whole, "'{size} is small'", "{size} is small", "yaml/syntax", "is small");
}

#[test]
fn neighbouring_lines_with_tabs_are_one_finding() {
    let right = "                type: array\n                items:\n                  type: string\n";
    let written = right.replace("  ", "\t");
    check(right, &written, "yaml/tab-indentation", "\t");
}

#[test]
fn a_list_without_dashes_is_one_finding() {
    let right = "              modes:\n                type: array\n                items:\n                  type: string\n";
    let listed = right.replace(
        "type: string",
        "enum:\n                  - One\n                  - Two\n                  type: string",
    );
    let whole = WIDGET.replacen(right, &listed, 1);
    let written = "                    One\n                    Two\n";
    check_in(
        &whole,
        "                  - One\n                  - Two\n",
        written,
        "decode/type",
        "One\n                    Two",
    );
}

#[test]
fn a_list_without_its_first_dash_is_one_finding() {
    let whole = WIDGET.replacen("            - size\n", "            - size\n            - modes\n", 1);
    let right = "            - size\n            - modes\n";
    check_in(&whole, right, "              size\n            - modes\n", "yaml/syntax", "-");
    check_in(&whole, right, "            size\n            - modes\n", "yaml/syntax", "size");
}

#[test]
fn a_slip_is_one_finding_despite_many_consequences() {
    for (right, written, code, at) in [
        ("  versions:\n", "  versions\n", "yaml/syntax", "versions"),
        (
            "    additionalPrinterColumns:\n",
            "    additionalPrinterColumns\n",
            "yaml/syntax",
            "additionalPrinterColumns",
        ),
        ("    schema:\n", "    schema\n", "yaml/syntax", "schema"),
        ("          status:\n", "          status\n", "yaml/syntax", "status"),
        ("      type: integer\n", "      type integer\n", "yaml/syntax", "type integer"),
        ("  names:\n", "", "yaml/syntax", "kind: Widget"),
        ("          status:\n", "           status:\n", "yaml/syntax", "status:"),
        ("                type: array\n", "                 type: array\n", "yaml/syntax", "items:"),
        ("    kind: Widget\n", "  kind: Widget\n", "yaml/syntax", "listKind: WidgetList"),
        (
            "apiextensions.k8s.io/v1",
            "apiextensions.k8s.io/v1beta1",
            "definition/not-served",
            "apiextensions.k8s.io/v1beta1",
        ),
        ("spec:\n", "", "decode/unknown-field", "group"),
        ("    schema:\n", "", "decode/unknown-field", "openAPIV3Schema"),
        ("      openAPIV3Schema:\n", "", "decode/unknown-field", "type"),
        ("  - name: v1\n", "", "decode/type", "versions"),
        ("          spec:\n", "", "decode/type", "type"),
        ("              size:\n", "", "decode/type", "type"),
        ("          status:\n", "", "yaml/duplicate-key", "type"),
        ("              replicas:\n", "", "decode/type", "type"),
        ("                type: array\n", "\ttype: array\n", "yaml/tab-indentation", "\t"),
        ("    schema:\n      openAPIV3Schema:\n", "", "yaml/syntax", "type: object"),
        ("type: array", "type: *array", "yaml/alias", "*array"),
        ("listKind: WidgetList", "listKind: *WidgetList", "yaml/alias", "*WidgetList"),
        ("plural: widgets", "plural: @widgets", "yaml/syntax", "@widgets"),
        ("plural: widgets", "plural: %widgets", "yaml/syntax", "%widgets"),
        ("plural: widgets", "plural: `widgets", "yaml/syntax", "`widgets"),
        ("type: array", "type: >array", "yaml/syntax", "array"),
        ("scope: Namespaced", "scope: |Namespaced", "yaml/syntax", "Namespaced"),
        ("              modes:\n", "              modes=\n", "yaml/syntax", "modes="),
        ("              modes:\n", "              modes;\n", "yaml/syntax", "modes;"),
        ("              modes:\n", "              modes #:\n", "yaml/syntax", "modes #:"),
        ("          status:\n            type", "          - status:\n            type", "yaml/syntax", "-"),
        (
            "          spec:\n            type",
            "          - spec:\n            type",
            "decode/type",
            "properties",
        ),
        ("    listKind: W", "    - listKind: W", "yaml/syntax", "-"),
        (
            "            properties:\n              size",
            "            - properties:\n              size",
            "decode/type",
            "-",
        ),
        (
            "        properties:\n          spec",
            "        # properties:\n          spec",
            "yaml/syntax",
            "spec:",
        ),
        (
            "              modes:\n                type: array\n",
            "                type: array\n              modes:\n",
            "yaml/duplicate-key",
            "type",
        ),
        ("          status:\n            type", "\tstatus:\n            type", "yaml/tab-indentation", "\t"),
    ] {
        check(right, written, code, at);
    }
}

#[test]
fn parts_that_are_not_written_yet_have_no_further_finding() {
    for (last, at) in [
        ("        ty", "ty"),
        ("          st", "st"),
        ("    sche", "sche"),
        ("  ver", "ver"),
        ("                ty", "ty"),
    ] {
        let indent = last.len() - last.trim_start().len();
        let line = WIDGET.lines().position(|line| line.starts_with(last)).unwrap();
        let mut text: String = WIDGET.lines().take(line).map(|line| format!("{line}\n")).collect();
        text.push_str(last);
        let found = shown_findings(&text);
        let reported: Vec<&str> = found.iter().map(|one| text.get(one.range.as_usize()).unwrap()).collect();
        assert_eq!(reported, [at], "{indent}: {found:#?}\n{text}");
    }
}

#[test]
fn a_mistake_in_what_a_repair_leaves_unread_stays() {
    let secret = "              secret:\n                description The secret\n                  of a widget.\n                properties:\n                  name:\n                    pattern: 5\n                    type: string\n                type: object\n";
    let text = WIDGET.replacen("              size:\n", &format!("{secret}              size:\n"), 1);
    assert_eq!(text.matches("pattern: 5").count(), 1, "{text}");
    let codes: Vec<String> = shown_findings(&text).iter().map(|one| one.code.to_string()).collect();
    assert!(codes.iter().any(|code| code == "decode/type"), "{codes:?}\n{text}");
}

#[test]
fn a_wrong_name_follows_from_its_part_that_is_not_a_string() {
    for part in ["group: example.com", "plural: widgets"] {
        let key = part.split(':').next().unwrap();
        let text = WIDGET.replacen(part, &format!("{key}: true"), 1);
        let codes: Vec<String> = shown_findings(&text).iter().map(|one| one.code.to_string()).collect();
        assert_eq!(codes, ["decode/type"]);
    }
}

/// The text below these slips is checked only after a repair.
#[test]
fn a_slip_hides_none_below_it() {
    let below = ("                  type: string", "                  tpe: string");
    for slip in [
        ("    schema:\n", ""),
        ("      openAPIV3Schema:\n", ""),
        ("    schema:\n      openAPIV3Schema:\n", ""),
        ("        properties:\n", ""),
        ("        properties:\n", "      properties:\n"),
        ("        properties:\n", "        propertise:\n"),
        ("  versions:\n", "  version:\n"),
        ("spec:\n  group", "sepc:\n  group"),
        ("            properties:\n              size", "              size"),
    ] {
        let text = [slip, below].iter().fold(WIDGET.to_owned(), |text, (right, written)| {
            assert!(text.contains(right), "{right}");
            text.replacen(right, written, 1)
        });
        let found = shown_findings(&text);
        let at = |one: &Finding| text.get(one.range.as_usize()).unwrap().to_owned();
        let reported: Vec<String> = found.iter().map(at).collect();
        assert!(reported.contains(&"tpe".to_owned()) && reported.len() == 2, "{slip:?}: {found:#?}\n{text}");
    }
}

#[test]
fn independent_slips_are_findings_of_their_own() {
    let text = WIDGET.replacen("          status:\n", "           status:\n", 1);
    let text = text.replacen("listKind:", "listKnd:", 1).replacen(
        "items:\n                  type: string",
        "items:\n                  type: strng",
        1,
    );
    let codes: Vec<String> = shown_findings(&text).iter().map(|one| one.code.to_string()).collect();
    assert_eq!(codes, ["decode/unknown-field", "schema/type-unsupported", "yaml/syntax"]);
}

/// A definition of a size at which the budget of a keystroke permits few checks.
fn large() -> String {
    let field = |number: usize| {
        format!("              field{number}: {{type: string, description: number {number:040}}}\n")
    };
    let fields: String = (0..200).map(field).collect();
    WIDGET.replacen("              size:\n", &format!("{fields}              size:\n"), 1)
}

#[test]
fn a_slip_in_a_large_definition_is_one_finding() {
    let whole = large().replacen("            - size\n", "            - size\n            - modes\n", 1);
    let right = "            - size\n            - modes\n";
    check_in(&whole, right, "              size\n            - modes\n", "yaml/syntax", "-");
    let described = "              size:\n                description: |-\n                  The size\n                  of it.\n";
    let whole = large().replacen("              size:\n", described, 1);
    let right = "                description: |-\n";
    check_in(&whole, right, "              description: |-\n", "yaml/syntax", "type: integer");
}

#[test]
fn a_key_that_is_written_twice_is_one_finding_with_what_follows_from_its_value() {
    let right = "                type: integer\n              modes";
    let written = "                type: integer\n                type: array\n              modes";
    check(right, written, "yaml/duplicate-key", "type");
    // A finding on the text that the repair removes is no consequence.
    let below = "                items:\n                  tpe: string\n";
    let text = WIDGET.replacen(
        right,
        &format!("                type: integer\n{below}{below}              modes"),
        1,
    );
    let codes: Vec<String> = shown_findings(&text).iter().map(|one| one.code.to_string()).collect();
    assert!(codes.iter().any(|code| code == "decode/unknown-field"), "{codes:?}\n{text}");
}

#[test]
fn a_slip_in_a_value_is_one_finding() {
    for (right, written, code, at) in [
        ("status: {}", "status: {]", "yaml/unclosed", "{"),
        ("type: array", "type: 5", "decode/type", "5"),
        ("type: array", "type: true", "decode/type", "true"),
        ("storage: true", "storage: ture", "decode/type", "ture"),
        ("served: true", "served: true as before", "decode/type", "true as before"),
    ] {
        check(right, written, code, at);
    }
}

#[test]
fn a_remark_without_its_sign_becomes_a_comment() {
    let text = WIDGET.replacen("  scope: Namespaced\n", "  TODO remove this\n  scope: Namespaced\n", 1);
    let found = shown_findings(&text);
    assert_eq!(found.len(), 1, "{found:#?}");
    let fixes = File::new(&text, &Settings::default()).fixes(found[0].range);
    let repaired = text::applied(&text, 0, &fixes[0].edits);
    assert_eq!(repaired, text.replacen("TODO", "# TODO", 1), "{fixes:#?}");
}

#[test]
fn the_dash_before_an_object_is_one_finding() {
    let listed = "                - type: integer\n              modes";
    let text = WIDGET.replacen("                type: integer\n              modes", listed, 1);
    let found = shown_findings(&text);
    assert_eq!(found.len(), 1, "{found:#?}");
    let fixes = File::new(&text, &Settings::default()).fixes(found[0].range);
    assert_eq!(text::applied(&text, 0, &fixes[0].edits), WIDGET, "{fixes:#?}");
}

#[test]
fn a_type_that_is_an_unknown_alias_is_one_finding() {
    let found = shown_findings(&WIDGET.replacen("type: array", "type: *default", 1));
    let codes: Vec<&str> = found.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(codes, ["yaml/alias"], "{found:#?}");
}

/// A definition whose schema is long enough for lines in wrong columns.
const HOSTS: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    kind: Widget
    plural: widgets
    singular: widget
    listKind: WidgetList
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        properties:
          spec:
            properties:
              hosts:
                items:
                  properties:
                    name:
                      minLength: 1
                      type: string
                    port:
                      type: integer
                  required:
                  - name
                  type: object
                type: array
              size:
                type: integer
            required:
            - hosts
            type: object
        type: object
";

#[test]
fn a_line_in_a_wrong_column_is_one_finding_wherever_it_causes_others() {
    assert_eq!(shown_findings(HOSTS), []);
    for (right, written) in [
        ("                  type: object\n", "                type: object\n"),
        ("                      type: string\n", "                    type: string\n"),
        ("            properties:\n              hosts", "          properties:\n              hosts"),
        (
            "                  required:\n                  - name",
            "                required:\n                - name",
        ),
        ("            required:\n            - hosts", "           required:\n           - hosts"),
    ] {
        let text = HOSTS.replacen(right, written, 1);
        let found = shown_findings(&text);
        assert_eq!(found.len(), 1, "{written}: {found:#?}\n{text}");
        let fixes = File::new(&text, &Settings::default()).fixes(found[0].range);
        let repaired: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
        assert_eq!(repaired.first().map(String::as_str), Some(HOSTS), "{written}: {fixes:#?}\n{text}");
    }
}

#[test]
fn pasted_lines_are_one_finding() {
    let pasted = "  names:\n    kind: Widget\n    plural: widgets\n";
    let text = HOSTS.replacen("    schema:\n", &format!("{pasted}    schema:\n"), 1);
    let found = shown_findings(&text);
    assert_eq!(found.len(), 1, "{found:#?}\n{text}");
    let fixes = File::new(&text, &Settings::default()).fixes(found[0].range);
    let repaired = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits));
    assert!(repaired.into_iter().any(|repaired| repaired == HOSTS), "{fixes:#?}");
}

#[test]
fn slips_in_lines_that_occur_twice_are_separate_findings() {
    let text = HOSTS.replace("type: integer", "type: int").replace("minLength: 1\n", "minLength: one\n");
    let text = text.replacen("              size:\n", "              port:\n", 1);
    let codes: Vec<&str> = shown_findings(&text).iter().map(|one| one.code.as_str()).collect();
    assert_eq!(codes, ["decode/type", "schema/type-unsupported", "schema/type-unsupported"]);
}

#[test]
fn two_lines_in_wrong_columns_are_two_findings() {
    let text = HOSTS.replacen("                  type: object\n", "                type: object\n", 1);
    let text = text.replacen("    storage: true\n", "     storage: true\n", 1);
    assert_eq!(shown_findings(&text).len(), 2, "{:#?}\n{text}", shown_findings(&text));
}

#[test]
fn an_item_without_its_first_line_is_one_finding() {
    let columns =
        "    additionalPrinterColumns:\n    - jsonPath: .spec.size\n      name: Size\n      type: integer\n";
    let second = "    - jsonPath: .metadata.creationTimestamp\n      name: Age\n      type: date\n";
    let whole = HOSTS.replacen("    schema:\n", &format!("{columns}{second}    schema:\n"), 1);
    assert_eq!(shown_findings(&whole), []);
    let text = whole.replacen("    - jsonPath: .metadata.creationTimestamp\n", "", 1);
    let found: Vec<Finding> =
        shown_findings(&text).into_iter().filter(|one| one.code.as_str() == "yaml/duplicate-key").collect();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].message.problem, "a second item begins at `name`");
    let fixes = File::new(&text, &Settings::default()).fixes(found[0].range);
    let repaired: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
    let separate =
        whole.replacen("- jsonPath: .metadata.creationTimestamp\n      name: Age", "- name: Age", 1);
    assert_eq!(repaired.first(), Some(&separate), "{fixes:#?}");
    // One key alone was written twice.
    let text = whole.replacen("      name: Age\n", "      name: Age\n      name: Time\n", 1);
    assert!(shown_findings(&text)[0].message.problem.starts_with("duplicate key"));
}

#[test]
fn labels_beside_metadata_are_one_finding() {
    for fields in ["labels:\n    app: a\n", "annotations:\n    a.b/c: d\n    e: f\n"] {
        let name = "  name: widgets.example.com\n";
        for (before, behind) in [("", name), (name, ""), ("  annotations:\n    g: h\n", name)] {
            if before.contains("annotations") && fields.contains("annotations") {
                continue;
            }
            let right = format!("metadata:\n{before}  {fields}{behind}");
            let whole = WIDGET.replacen(&format!("metadata:\n{name}"), &right, 1);
            let outdented = fields.replace("\n    ", "\n  ");
            let text = whole.replacen(&format!("  {fields}"), &outdented, 1);
            let found = shown_findings(&text);
            assert_eq!(found.len(), 1, "{found:#?}\n{text}");
            let fixes = File::new(&text, &Settings::default()).fixes(found[0].range);
            let repaired: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
            assert!(repaired.first() == Some(&whole), "{fixes:#?}\n{text}");
        }
    }
}

#[test]
fn a_wrong_last_line_is_no_cause_of_paths_in_complete_versions() {
    let text = WIDGET.replacen("specReplicasPath: .spec.size", "specReplicasPath: .spec.count", 1)
        + "  conversion: None\n";
    let found = shown_findings(&text);
    let reported: Vec<(&str, &str)> =
        found.iter().map(|one| (one.code.as_str(), text.get(one.range.as_usize()).unwrap())).collect();
    assert_eq!(reported, [("lint/scale-path", ".spec.count"), ("decode/type", "None")]);
}
