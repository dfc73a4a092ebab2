//! Checks outside schemas: the places of findings, their consequences, and the messages by version of Kubernetes.

use super::markers::{HEAD, check};
use super::reports;
use crate::{AnswerKind, Cache, Finding, KubernetesVersion, Options, check as verdict, check_update};

/// A valid definition, with `more` in its spec and `in_version` in its only version.
fn definition(more: &str, in_version: &str) -> String {
    let indented: String = in_version.lines().map(|line| format!("    {line}\n")).collect();
    format!(
        "\
{HEAD}{more}  versions:
  - name: v1
    served: true
    storage: true
    schema: {{openAPIV3Schema: {{type: object}}}}
{indented}"
    )
}

fn findings(text: &str) -> Vec<Finding> {
    reports(text).into_iter().flat_map(|report| report.findings).collect()
}

fn at_minor(text: &str, minor: u8) -> Vec<Finding> {
    let tree = yaml::Tree::parse(text);
    let options = Options { kubernetes_version: KubernetesVersion { minor }, ..Options::default() };
    let mut cache = Cache::default();
    tree.documents().flat_map(|document| verdict(document, &options, &mut cache).findings).collect()
}

fn update(old: &str, new: &str) -> Vec<Finding> {
    let (old, new) = (yaml::Tree::parse(old), yaml::Tree::parse(new));
    let stored = old.documents().next().expect("a stored definition");
    let document = new.documents().next().expect("a definition");
    check_update(document, stored, &Options::default(), &mut Cache::default()).findings
}

#[test]
fn findings_are_at_the_value_or_at_the_incomplete_key() {
    check(
        "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widget.example.com
        ^^^^^^^^^^^^^^^^^^ error[names/metadata-name]: `metadata.name` must be `<plural>.<group>`; set it to `widgets.example.com`
spec:
^^^^ error[spec/scope-required]: `scope` is required; use `Namespaced` or `Cluster`
  group: example.com
  names: {kind: Widget, plural: widgets}
  conversion:
    strategy: webhook
              ^^^^^^^ error[conversion/strategy-unsupported]: unsupported `strategy` \"webhook\"; write `Webhook`
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
    subresources:
      scale:
      ^^^^^ error[scale/spec-replicas-required]: `specReplicasPath` is required; use a path such as `.spec.replicas`
        statusReplicasPath: .spec.replicas
                            ^^^^^^^^^^^^^^ error[scale/status-replicas-path]: `statusReplicasPath` must lead to a field below `.status`; use a path such as `.status.replicas`
    additionalPrinterColumns:
    - name: Age
      type: time
            ^^^^ error[columns/type]: unsupported `type` \"time\"; use one of `boolean`, `date`, `integer`, `number`, `string`
      jsonPath: .metadata.creationTimestamp
",
    );
}

#[test]
fn findings_have_the_path_of_the_user_and_of_the_server() {
    let text = definition("", "additionalPrinterColumns:\n- {name: A, type: string, jsonPath: spec.a}");
    let [found] = findings(&text).try_into().expect("one finding");
    assert_eq!(found.field_path.to_string(), "spec.versions[0].additionalPrinterColumns[0].jsonPath");
    let server = found.api_server.expect("an error of the server");
    assert_eq!(server.field, "spec.additionalPrinterColumns[0].JSONPath");
}

#[test]
fn errors_in_derived_names_follow_from_the_kind() {
    let text = definition("", "").replace("kind: Widget", "kind: Wid.get");
    let found = findings(&text);
    let codes: Vec<&str> = found.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(codes, ["names/kind", "names/list-kind", "names/singular"]);
    assert!(found.iter().all(|one| text.get(one.range.as_usize()) == Some("Wid.get")));
    let followers = found.iter().filter(|one| !one.related.is_empty());
    assert!(followers.map(|one| one.code.as_str()).eq(["names/list-kind", "names/singular"]));
}

#[test]
fn the_name_of_the_first_version_has_two_errors() {
    let found = findings(&definition("", "").replace("name: v1", "name: V1"));
    let fields: Vec<_> =
        found.iter().map(|one| one.api_server.as_ref().expect("a server error").field.as_str()).collect();
    assert_eq!(fields, ["spec.versions[0].name", "spec.version"]);
    assert_eq!(found[1].related.len(), 1);
}

#[test]
fn unknown_fields_are_strict_errors() {
    check(
        "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  validation: {}
  ^^^^^^^^^^ error[decode/unknown-field]: `validation` is not a field of `spec` in `v1`; move its schema to `schema` in each version
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          list:
            type: array
            items:
              type: string
              patern: a
              ^^^^^^ warning[decode/unknown-field]: unknown field `patern`, which kube-apiserver ignores without an error; write `pattern`
",
    );
}

#[test]
fn wrong_types_have_one_server_error_and_no_consequences() {
    let text = definition("", "deprecated: 'yes'").replace("group: example.com", "group: 5");
    let found = findings(&text);
    let types: Vec<_> = found.iter().filter(|one| one.code == "decode/type").collect();
    assert_eq!(types.len(), 2);
    let named: Vec<_> = types.iter().filter_map(|one| one.api_server.as_ref()).collect();
    assert_eq!(named.len(), 1, "{types:#?}");
    assert_eq!(named[0].kind, AnswerKind::DecodeError);
    assert_eq!(
        named[0].detail,
        "json: cannot unmarshal number into Go struct field CustomResourceDefinitionSpec.spec.group of type string"
    );
    assert!(!found.iter().any(|one| one.code == "spec/group-required"), "{found:#?}");
}

#[test]
fn texts_are_those_of_the_version() {
    let detail = |text: &str, minor: u8, code: &str| {
        let found = at_minor(text, minor);
        let found = found.into_iter().find(|one| one.code.as_str() == code).and_then(|one| one.api_server);
        found.map(|server| server.detail)
    };
    let no_schema = definition("", "").replace("    schema: {openAPIV3Schema: {type: object}}\n", "");
    assert_eq!(detail(&no_schema, 33, "versions/schema-required").as_deref(), Some("schemas are required"));
    assert_eq!(detail(&no_schema, 34, "versions/schema-required").as_deref(), Some(""));
    let long = definition("", "")
        .replace("metadata:\n", &format!("metadata:\n  labels: {{{}: a}}\n", "a".repeat(64)));
    let length = |unit| Some(format!("name part must be no more than 63 {unit}"));
    assert_eq!(detail(&long, 34, "metadata/label-key"), length("characters"));
    assert_eq!(detail(&long, 35, "metadata/label-key"), length("bytes"));
    let selectable = definition("", "selectableFields: [{jsonPath: .a}]");
    assert_eq!(detail(&selectable, 30, "selectable-fields/path"), None);
    assert!(detail(&selectable, 31, "selectable-fields/path").is_some());
}

#[test]
fn an_update_compares_with_the_stored_definition() {
    let old = definition("", "");
    assert_eq!(update(&old, &old), []);
    let new = old.replace("scope: Namespaced", "scope: Cluster").replace("  - name: v1", "  - name: v2");
    let codes: Vec<_> = update(&old, &new).into_iter().map(|found| found.code.as_str()).collect();
    assert_eq!(codes, ["update/scope-immutable", "stored-versions/missing-in-spec"]);
    // A definition with another name is created, not updated.
    let other = new.replace("widgets", "gadgets");
    assert_eq!(update(&old, &other), []);
}

#[test]
fn stored_errors_are_tolerated() {
    let old = definition("  preserveUnknownFields: true\n", "");
    assert_eq!(findings(&old).len(), 1);
    assert_eq!(update(&old, &old), []);
    let approved = definition("", "").replace("example.com", "x.k8s.io");
    assert_eq!(findings(&approved).len(), 1);
    assert_eq!(update(&approved, &approved), []);
}
