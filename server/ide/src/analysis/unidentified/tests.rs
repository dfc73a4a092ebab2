#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use crate::marked_texts::WIDGET;
use crate::{Catalog, Definitions, File, Settings, Surroundings};

const RESOURCE: &str = "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one\nspec:\n  size: 1\n";

fn file(text: &str, source: &str) -> File {
    let definitions = Definitions::read("crd.yaml", WIDGET, Definitions::load_kept(WIDGET));
    let catalog = Catalog::default().with([(Arc::from("crd.yaml"), definitions)]);
    let surroundings = Surroundings { catalog, source: source.into(), stored: None, base: None };
    File::with_surroundings(text, &Settings::default(), surroundings)
}

/// Checks that `written` in place of `right` has one finding at `at`, whose only fix restores the text.
#[track_caller]
fn check(whole: &str, right: &str, written: &str, at: &str) {
    let text = whole.replacen(right, written, 1);
    assert_ne!(text, whole, "{right}");
    let file = file(&text, "a.yaml");
    let reported: Vec<&str> =
        file.findings().iter().map(|one| text.get(one.range.as_usize()).unwrap()).collect();
    assert_eq!(reported.len(), 1, "{written:?}: {:#?}\n{text}", file.findings());
    assert!(reported[0].starts_with(at), "{reported:?}");
    let fixes = file.fixes(file.findings()[0].range);
    let repaired: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
    assert_eq!(repaired, [whole], "{written:?}: {fixes:#?}");
}

#[test]
fn a_definition_without_its_kind_is_one_finding_with_a_fix() {
    let api_version = "apiVersion: apiextensions.k8s.io/v1\n";
    let kind = "kind: CustomResourceDefinition\n";
    for (right, written, at) in [
        ("metadata:\n", "", "name: widgets"),
        (api_version, "", "kind"),
        (kind, "", "apiVersion"),
        ("apiVersion:", "apiversion:", "apiversion"),
        ("apiVersion:", "apiVerison:", "apiVerison"),
        ("apiVersion:", "apiVersoin:", "apiVersoin"),
        ("apiVersion: ", "apiVersion ", "apiVersion apiextensions.k8s.io/v1"),
        ("apiVersion: ", "apiVersion:", "apiVersion:apiextensions.k8s.io/v1"),
        (": apiextensions.k8s.io/v1", ": true", "true"),
        (": apiextensions.k8s.io/v1", ":", "apiVersion"),
        ("kind:", "knd:", "knd"),
        ("kind:", "Kind:", "Kind"),
        ("kind: ", "kind ", "kind CustomResourceDefinition"),
        ("kind: CustomResourceDefinition", "kind:", "kind"),
        ("kind:", "- kind:", "kind"),
        ("kind:", " kind:", "kind"),
        ("kind:", "\tkind:", "kind"),
        ("apiVersion:", "- apiVersion:", "apiVersion"),
        ("metadata:", " metadata:", "metadata"),
        ("\nkind:", " kind:", "kind"),
        ("\nmetadata:", " metadata:", "metadata"),
        ("\nmetadata:", "metadata:", "metadata"),
        ("kind: ", "kind: &", "&CustomResourceDefinition"),
        ("kind: ", "kind: *", "*CustomResourceDefinition"),
        ("apiVersion: ", "apiVersion: @", "@apiextensions.k8s.io/v1"),
    ] {
        check(WIDGET, right, written, at);
        let windows = WIDGET.replace('\n', "\r\n");
        check(&windows, &right.replace('\n', "\r\n"), written, at);
    }
}

#[test]
fn a_resource_without_its_kind_is_one_finding_with_a_fix() {
    for (right, written, at) in [
        ("metadata:\n", "", "name: one"),
        ("apiVersion: example.com/v1\n", "", "kind"),
        ("kind: Widget\n", "", "apiVersion"),
        ("apiVersion:", "apiversion:", "apiversion"),
        ("apiVersion: ", "apiVersion ", "apiVersion example.com/v1"),
        (": example.com/v1", ": true", "true"),
        ("kind:", "kid:", "kid"),
        ("kind: ", "kind ", "kind Widget"),
        ("kind:", "- kind:", "kind"),
        ("kind: ", "kind: !", "!Widget"),
    ] {
        check(RESOURCE, right, written, at);
    }
}

#[test]
fn slips_in_json_have_the_same_findings_and_fixes() {
    let json = "{\n  \"apiVersion\": \"example.com/v1\",\n  \"kind\": \"Widget\",\n  \"metadata\": {\"name\": \"a\"},\n  \"spec\": {\"size\": 1}\n}\n";
    check(json, "\"kind\": \"Widget\",\n  ", "", "\"apiVersion\"");
    check(json, "\"kind\"", "\"knd\"", "\"knd\"");
}

/// Checks that `whole` with all `slips` has one finding for each, with a fix that leaves fewer findings.
#[track_caller]
fn check_all(whole: &str, slips: &[(&str, &str)]) {
    let text = slips.iter().fold(whole.to_owned(), |text, (right, written)| {
        assert!(text.contains(right), "{right}");
        text.replacen(right, written, 1)
    });
    let (one, found) = (file(&text, "a.yaml"), |text: &str| file(text, "a.yaml").grouped().findings);
    assert_eq!(found(&text).len(), slips.len(), "{:#?}\n{text}", one.findings());
    for finding in found(&text) {
        let fixes = one.fixes(finding.range);
        let fixes = fixes.iter().filter(|fix| fix.repairs.contains(&(finding.code, finding.range)));
        let left = fixes.map(|fix| found(&text::applied(&text, 0, &fix.edits)).len()).min();
        assert!(left.is_some_and(|left| left < slips.len()), "{finding:?}\n{text}");
    }
}

#[test]
fn a_missing_kind_hides_no_other_finding() {
    let listed = ("listKind:", "listKnd:");
    let typed = ("type: integer\n              modes", "type: int\n              modes");
    for head in [
        ("apiVersion:", "apiversion:"),
        ("apiVersion: apiextensions.k8s.io/v1\n", ""),
        ("kind: CustomResourceDefinition\n", ""),
        ("kind: CustomResourceDefinition", "kind CustomResourceDefinition"),
        ("metadata:\n", ""),
    ] {
        check_all(WIDGET, &[head, listed]);
        check_all(WIDGET, &[head, ("type: string", "tpe: string")]);
        check_all(WIDGET, &[head, typed, ("type: array", "type array")]);
    }
    for head in [("apiVersion: example.com/v1\n", ""), ("kind:", "kid:"), ("metadata:\n", "")] {
        check_all(RESOURCE, &[head, ("size: 1", "size: '1'")]);
        check_all(RESOURCE, &[head, ("size: 1", "sze: 1")]);
    }
}

#[test]
fn files_of_other_tools_have_no_findings() {
    for text in [
        "kind: Widget\nspec: {size: x}\n",
        "kind: Gadget\nmetadata: {name: a}\n",
        "kind: Pipeline\nname: a\n  b: c\n",
        "apiVersion: v1\nmetadata: {name: a}\n",
        "apiVersion: other.example.com/v1\nmetadata: {name: a}\n",
        "apiVersion: apiextensions.k8s.io/v1\nspec: {conversion: {strategy: None}}\n",
        "kind: CustomResourceDefinition\nversion: v1\ngroup: apiextensions.k8s.io\n",
        "metadata: {name: a}\nspec: {group: a, names: {}, versions: []}\n",
        "kind: CompositeResourceDefinition\nmetadata: {name: a}\nspec: {group: a, names: {}, versions: []}\n",
        "apiVersion: {{ .Values.version }}\nkind: Widget\nmetadata: {name: a}\n",
        "openapi: 3.0.0\ninfo: {title: a}\n",
        "- apiVersion: example.com/v1\n  kind: Widget\n  metadata: {name: a}\n",
        "kind: List\nitems:\n- apiVersion: other.example.com/v1\n  kind: Gadget\n",
        "metadata:\n  kind: Widget\n  apiVersion: example.com/v1\n",
    ] {
        assert_eq!(file(text, "a.yaml").findings(), [], "{text}");
    }
    let patch = RESOURCE.replacen("apiVersion: example.com/v1\n", "", 1);
    assert_eq!(file(&patch, "patches/a.yaml").findings(), []);
}
