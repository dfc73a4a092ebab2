//! Errors that keep the server from reporting others, and documents that are not meant to be whole
//! definitions.

use super::markers::definition;
use super::reports;
use crate::{ApiVersion, Cache, Completeness, DocumentKind, DocumentReport, Options, Severity, check};

const MISTAKE: &str = "type: object\nproperties:\n  a: {}\n";

fn report(text: &str) -> DocumentReport {
    reports(text).remove(0)
}

/// Whether the mistake is found, and whether the server reports it.
fn found_and_reported(text: &str) -> (bool, bool) {
    let report = report(text);
    let found = report.findings.iter().filter(|finding| finding.code == "structural/type-required");
    let servers: Vec<bool> = found.map(|finding| finding.api_server.is_some()).collect();
    (!servers.is_empty(), servers.contains(&true))
}

#[test]
fn findings_after_a_conversion_error_are_not_reported() {
    for keyword in ["id: x", "$schema: x", "$ref: x", "definitions: {b: {}}", "additionalItems: false"] {
        let text = definition(&format!("{MISTAKE}{keyword}\n"));
        assert_eq!(found_and_reported(&text), (true, false), "{keyword}");
    }
    for keyword in ["id: ''", "$ref: ''", "definitions: {}", "unknown: 5", "dependencies: {}"] {
        let text = definition(&format!("{MISTAKE}{keyword}\n"));
        assert_eq!(found_and_reported(&text), (true, true), "{keyword}");
    }
}

#[test]
fn findings_after_a_decoding_error_are_not_reported() {
    let whole = definition(MISTAKE);
    assert_eq!(found_and_reported(&whole), (true, true));
    for (from, to) in [
        ("served: true", "served: yes please"),
        ("scope: Namespaced", "scope: [Namespaced]"),
        ("type: object", "type: object\n        maxLength: 1.5"),
        ("type: object", "type: object\n        default: .inf"),
        ("type: object", "type: object\n        default: *nowhere"),
        ("name: widgets.example.com", "labels: {a: 1}"),
        ("name: widgets.example.com", "labels: {\"\\.\": a}"),
        ("type: object", "type: object\n        title: \"\\.\""),
    ] {
        assert_eq!(found_and_reported(&whole.replace(from, to)), (true, false), "{to}");
    }
    for (from, to) in [
        ("type: object", "type: object\n        maxLength: 1e2"),
        ("name: widgets.example.com", "creationTimestamp: null"),
    ] {
        assert_eq!(found_and_reported(&whole.replace(from, to)), (true, true), "{to}");
    }
}

#[test]
fn a_syntax_error_is_the_only_error_of_the_server() {
    let text = definition(MISTAKE).replace("served: true", "served: \"true");
    assert!(!report(&text).findings.iter().any(|finding| finding.api_server.is_some()));
}

/// The report on the only document of `text`, which may be known to be a patch.
fn report_on(text: &str, is_patch: bool) -> DocumentReport {
    let tree = yaml::Tree::parse(text);
    let options = Options { is_patch, ..Options::default() };
    check(tree.documents().next().unwrap(), &options, &mut Cache::default())
}

#[test]
fn patches_are_not_checked() {
    let patch = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  versions:
  - name: v1
    schema: {openAPIV3Schema: {properties: {a: {}}}}
";
    let found = report_on(patch, true);
    assert_eq!((found.origin, found.findings.len()), (Completeness::Patch, 0));
    let merged = patch.replace("  - name: v1\n", "  - name: v1\n    $patch: replace\n");
    let found = report_on(&merged, false);
    assert_eq!(
        (found.origin, found.findings.len()),
        (Completeness::Patch, 0),
        "its keys tell that it is one"
    );
    let operations = "- op: add\n  path: /spec/versions/0/schema\n  value: {}\n";
    assert_eq!(report(operations).origin, Completeness::Patch);
}

/// A document that nothing marks as a patch is a definition, however incomplete it is.
#[test]
fn a_partial_definition_is_checked_like_a_complete_one() {
    let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    let metadata = "metadata: {name: widgets.example.com}\n";
    for rest in ["", metadata, "metadata: {name: widgets.example.com}\nspec:\n", "spec: {}\n"] {
        let found = report_on(&format!("{head}{rest}"), false);
        assert_eq!(found.origin, Completeness::Whole, "{rest}");
        let finding_of = |code: &str| found.findings.iter().find(|finding| finding.code.as_str() == code);
        for code in
            ["spec/group-required", "spec/scope-required", "names/plural-required", "names/kind-required"]
        {
            assert!(finding_of(code).is_some_and(|finding| finding.api_server.is_some()), "{rest}: {code}");
        }
        let hint = finding_of("definition/partial").unwrap();
        assert_eq!((hint.severity, &hint.api_server), (Severity::Information, &None));
        assert!(
            hint.message.problem.contains("`spec.group`, `spec.names` and `spec.versions`"),
            "{}",
            hint.message
        );
    }
}

/// The missing parts may be after the quote.
#[test]
fn an_unreadable_text_has_no_missing_parts() {
    let text =
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: \"\nspec: {}\n";
    let found = report_on(text, false);
    assert_eq!((found.origin, found.findings.len()), (Completeness::Patch, 0));
}

#[test]
fn a_removed_api_version_is_an_error_of_crd_ls() {
    let text = definition("type: object\n");
    assert_eq!(report(&text).findings, []);
    let found = report(&text.replace("k8s.io/v1\n", "k8s.io/v1beta1\n")).findings;
    let gone = found.iter().find(|finding| finding.code == "definition/not-served").unwrap();
    assert_eq!((gone.severity, &gone.api_server), (Severity::Error, &None));
    assert_eq!(gone.field_path.to_string(), "apiVersion");
}

#[test]
fn templates_are_not_checked() {
    let whole = definition(MISTAKE);
    for (from, to) in [
        ("  scope: Namespaced\n", "  {{- if .Values.scope }}\n  scope: Namespaced\n  {{- end }}\n"),
        ("name: widgets.example.com", "name: {{ .Values.name }}"),
        ("type: object", "description: {{ .Values.text | quote }}\n        type: object"),
        ("type: object", "type: object\n        {{- toYaml .Values.schema | nindent 8 }}"),
        ("spec:", "{{ include \"labels\" . }}\nspec:"),
        ("spec:", "${LABELS}\nspec:"),
        ("  scope: Namespaced\n", "  scope: Namespaced\n  $VERSIONS\n"),
    ] {
        let found = report(&whole.replace(from, to));
        assert_eq!((found.origin, found.findings.len()), (Completeness::Template, 0), "{to}");
    }
}

#[test]
fn an_unfinished_key_is_not_a_template() {
    for line in ["$patch", "$", "labels"] {
        let found = report(&definition(MISTAKE).replace("spec:", &format!("{line}\nspec:")));
        assert_eq!(found.origin, Completeness::Whole, "{line}");
    }
}

#[test]
fn braces_in_strings_are_not_a_template() {
    let whole = definition(MISTAKE);
    for text in
        ["'{{ .name }}'", "\"{{ .name }}\"", "a {{ .name }} b", "|\n          {{ .name }}", "x # {{ .name }}"]
    {
        let text = whole.replace("type: object", &format!("type: object\n        description: {text}"));
        assert_eq!(found_and_reported(&text), (true, true), "{text}");
    }
}

#[test]
fn only_definitions_are_checked() {
    assert_eq!(report("kind: ConfigMap\napiVersion: v1\n").kind, DocumentKind::Other);
    let kind = report(&definition(MISTAKE)).kind;
    assert_eq!(kind, DocumentKind::CustomResourceDefinition(ApiVersion::V1));
}

#[test]
fn items_of_a_list_have_its_path() {
    let item: String =
        definition(MISTAKE).lines().fold(String::new(), |text, line| text + "  " + line + "\n");
    let list = format!("apiVersion: v1\nkind: List\nitems:\n-{}", &item[1..]);
    let report = report(&list);
    let finding = &report.findings[0];
    assert_eq!(
        finding.field_path.to_string(),
        "items[0].spec.versions[0].schema.openAPIV3Schema.properties[a].type"
    );
    let server = finding.api_server.as_ref().expect("reported");
    assert_eq!(server.field, "spec.validation.openAPIV3Schema.properties[a].type");
}

#[test]
fn versions_that_share_a_schema_share_its_findings() {
    let schema = "    schema:\n      openAPIV3Schema:\n";
    let shared = definition(MISTAKE).replace(schema, "    schema: &s\n      openAPIV3Schema:\n");
    let text = shared + "  - name: v2\n    served: true\n    storage: false\n    schema: *s\n";
    let findings = report(&text).findings;
    assert_eq!(findings.len(), 1, "the server names it once, and it stands at one place");
    let field = findings[0].api_server.as_ref().map(|server| server.field.as_str());
    assert_eq!(field, Some("spec.validation.openAPIV3Schema.properties[a].type"));
}

/// The server checks defaults only if the structure is valid.
#[test]
fn defaults_are_reported_after_the_structure() {
    let schema = "type: object\nproperties:\n  a: {type: integer, default: x}\n";
    let wrong = |text: &str| {
        let findings = report(text).findings;
        findings.into_iter().find(|finding| finding.code == "defaults/schema").unwrap()
    };
    assert!(wrong(&definition(schema)).api_server.is_some());
    let hidden = wrong(&definition(&format!("{schema}  b: {{}}\n")));
    assert_eq!(hidden.api_server, None);
    assert!(hidden.message.is_later);
}
