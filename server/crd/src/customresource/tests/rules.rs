//! The positions of the errors of rules: in the resource, and in the definition.

use api::KubernetesVersion;
use yaml::Tree;

use super::resources::versions;
use crate::customresource::{Admission, ResourceVersion, admit, admit_update};
use crate::value::Place;

/// The only version of a definition whose `spec` has this schema.
fn definition(spec: &str) -> (String, ResourceVersion) {
    let mut text = "\
spec:
  group: example.com
  names: {kind: Thing, plural: things}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
"
    .to_owned();
    for line in spec.lines() {
        text.push_str(&format!("            {line}\n"));
    }
    text.insert_str(0, "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n");
    let version = versions(&text).into_iter().next().unwrap();
    (text, version)
}

fn resource(spec: &str) -> String {
    format!("apiVersion: example.com/v1\nkind: Thing\nmetadata: {{name: a}}\nspec: {spec}\n")
}

fn admitted(text: &str, version: &ResourceVersion) -> Admission {
    let tree = Tree::parse(text);
    admit(tree.documents().next().unwrap(), version, KubernetesVersion::NEWEST)
}

/// For each error, the text of the value and that of the rule that it violates.
fn places(spec: &str, value: &str) -> Vec<(String, String)> {
    let (definition, version) = definition(spec);
    let resource = resource(value);
    let errors = admitted(&resource, &version).errors;
    let places = errors.iter().map(|error| {
        let Place::Resource(range) = error.place else { panic!("{error:?}") };
        let rule = error.rule.unwrap().range;
        (resource[range.as_usize()].to_owned(), definition[rule.as_usize()].to_owned())
    });
    places.collect()
}

#[test]
fn an_error_has_the_place_of_the_value_and_of_the_rule() {
    let spec = "\
type: object
properties:
  sizes:
    type: array
    items:
      type: integer
      x-kubernetes-validations: [{rule: self > 0}, {rule: self < 9}]";
    let found = places(spec, "{sizes: [1, 0, 10]}");
    assert_eq!(found, [("0".into(), "{rule: self > 0}".into()), ("10".into(), "{rule: self < 9}".into())]);
}

#[test]
fn an_error_with_a_field_path_is_at_the_field_or_its_parent() {
    let spec = "\
type: object
properties: {a: {type: object, properties: {b: {type: string}}}}
x-kubernetes-validations: [{rule: 'false', fieldPath: .a.b}]";
    assert_eq!(places(spec, "{a: {b: x}}"), [("x".into(), "{rule: 'false', fieldPath: .a.b}".into())]);
    assert_eq!(places(spec, "{a: {}}"), [("{}".into(), "{rule: 'false', fieldPath: .a.b}".into())]);
}

#[test]
fn rules_in_all_of_are_evaluated_beside_other_rules() {
    let spec = "\
type: object
x-kubernetes-validations: [{rule: 'true'}]
properties: {a: {type: integer}}
allOf:
- properties: {a: {x-kubernetes-validations: [{rule: self > 0}]}}";
    assert_eq!(places(spec, "{a: 0}"), [("0".into(), "{rule: self > 0}".into())]);
}

#[test]
fn an_unchanged_value_may_violate_a_rule_since_1_30() {
    let (_, version) = definition(
        "{type: object, properties: {a: {type: integer, x-kubernetes-validations: [{rule: self > 0}]}}}",
    );
    let (new, old) = (resource("{a: 0, b: 1}"), resource("{a: 0}"));
    let (new, old) = (Tree::parse(&new), Tree::parse(&old));
    for (minor, errors, warnings) in [(29, 1, 0), (30, 0, 1)] {
        let server = KubernetesVersion { minor };
        let of = |tree: &Tree| {
            admit_update(tree.documents().next().unwrap(), old.documents().next().unwrap(), &version, server)
        };
        let admission = of(&new);
        assert_eq!((admission.errors.len(), admission.warnings.len()), (errors, warnings), "{admission:?}");
    }
}

#[test]
fn rules_of_unfinished_definitions_are_one_error() {
    let spec = "{type: object, x-kubernetes-validations: [{rule: 'self.'}, {rule: 'true'}, {}, null, 7]}";
    let (_, version) = definition(spec);
    let errors = admitted(&resource("{}"), &version).errors;
    let messages: Vec<String> = errors.iter().map(|error| error.message()).collect();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(
        messages[0]
            .starts_with("spec: Invalid value: \"object\": rule compile error: compilation failed: ERROR")
    );
}

#[test]
fn unsupported_patterns_decide_nothing() {
    let nested = format!("{}a{}", "(a".repeat(300), ")*".repeat(300));
    let (_, version) = definition(&format!(
        "{{type: string, x-kubernetes-validations: [{{rule: 'self.matches(\"{nested}\")'}}]}}"
    ));
    let admission = admitted(&resource("b"), &version);
    assert!(admission.errors.is_empty() && admission.incomplete, "{admission:?}");
}
