//! Fields that only some releases have.

use crate::{AnswerKind, Cache, Finding, KubernetesVersion, Options, check};

const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    selectableFields: [{jsonPath: .spec.size}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties: {size: {type: string, maxLength: 9}}
            x-kubernetes-validations:
            - rule: self.size == oldSelf.orValue(self).size
              optionalOldSelf: true
              message: stays
              reason: FieldValueForbidden
";

/// The findings of fields for a server of 1.`minor`.
fn findings(minor: u8) -> Vec<Finding> {
    let tree = yaml::Tree::parse(DEFINITION);
    let options = Options { kubernetes_version: KubernetesVersion { minor }, ..Options::default() };
    let mut cache = Cache::default();
    let found = tree.documents().flat_map(|document| check(document, &options, &mut cache).findings);
    found.filter(|finding| finding.code.as_str().starts_with("decode/")).collect()
}

#[test]
fn a_field_of_newer_servers_is_unknown() {
    let found = findings(27);
    let strict: Vec<(String, &str)> = found
        .iter()
        .map(|finding| {
            let server = finding.api_server.as_ref().filter(|server| server.kind == AnswerKind::StrictError);
            (finding.message.to_string(), server.map_or("", |server| server.detail.as_str()))
        })
        .collect();
    let spec = "spec.versions[0].schema.openAPIV3Schema.properties.spec.x-kubernetes-validations[0]";
    let unknown = |field: &str| format!("unknown field \"{field}\"");
    let fields = [
        (format!("{spec}.optionalOldSelf"), 29),
        (format!("{spec}.reason"), 28),
        ("spec.versions[0].selectableFields".to_owned(), 30),
    ];
    for (field, minor) in &fields {
        let text = unknown(field);
        let message = format!("{text}; remove it, or require Kubernetes 1.{minor}");
        assert!(strict.contains(&(message.clone(), &text)), "{message}: {strict:#?}");
    }
    assert_eq!(strict.len(), fields.len(), "{strict:#?}");
}

#[test]
fn a_field_behind_a_closed_gate_is_dropped() {
    let dropped = |minor| -> Vec<String> {
        let found = findings(minor).into_iter().filter(|finding| finding.code == "decode/dropped-field");
        found
            .map(|finding| {
                assert_eq!(finding.api_server, None);
                finding.field_path.to_string()
            })
            .collect()
    };
    let old_self = "spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].optionalOldSelf";
    assert_eq!(dropped(29), [old_self]);
    assert_eq!(dropped(30), ["spec.versions[0].selectableFields"]);
    assert_eq!(dropped(31), Vec::<String>::new());
    assert!(findings(31).is_empty());
}
