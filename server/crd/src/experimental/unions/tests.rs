//! The union of the proposal on structural schemas, and its possible errors.
#![allow(clippy::unwrap_used)]

use yaml::Tree;

use crate::experimental::{Experiments, check};
use crate::{Cache, Options};

/// A definition with this schema, in flow style.
fn definition(schema: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: volumes.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: volumes, kind: Volume}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {{type: object, properties: {{spec: {{{schema}}}}}}}
"
    )
}

fn problems_of(schema: &str) -> Vec<(&'static str, String)> {
    let text = definition(schema);
    let tree = Tree::parse(&text);
    let experiments = Experiments { unions: true, ..Experiments::default() };
    let findings =
        check(tree.documents().next().unwrap(), experiments, &Options::default(), &mut Cache::default());
    findings.into_iter().map(|finding| (finding.code.as_str(), finding.message.to_string())).collect()
}

const UNION: &str =
    "x-kubernetes-unions: [{discriminator: type, fields: {emptyDir: EmptyDir, hostPath: HostPath}}]";
const FIELDS: &str = "emptyDir: {type: object}, hostPath: {type: object, required: [path], properties: {path: {type: string, pattern: '/.*'}}}, sharedField: {type: string}";
const BRANCHES: &str = "[{required: [emptyDir]}, {required: [hostPath]}]";

/// The first litmus test of the proposal, as written and as published.
#[test]
fn a_discriminated_union_unfolds_to_branches() {
    let written = format!(
        "type: object, {UNION}, required: [sharedField], \
         properties: {{type: {{type: string, enum: [EmptyDir, HostPath]}}, {FIELDS}}}"
    );
    let codes: Vec<_> = problems_of(&written).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["unions/not-enforced"]);
    assert_eq!(problems_of(&format!("{written}, oneOf: {BRANCHES}")), []);
    assert_eq!(problems_of(&format!("{written}, allOf: [{{oneOf: {BRANCHES}}}]")), []);
    assert_eq!(problems_of(&format!("{written}, oneOf: [{{required: [emptyDir]}}]")).len(), 1);
    let without_values = written.replace(", enum: [EmptyDir, HostPath]", "");
    assert_eq!(
        problems_of(&format!("{without_values}, oneOf: {BRANCHES}")).len(),
        1,
        "the values are missing"
    );
}

#[test]
fn an_invalid_union_is_reported() {
    let properties = format!("properties: {{type: {{type: string}}, size: {{type: integer}}, {FIELDS}}}");
    for (schema, code, message) in [
        ("type: object, UNIONS: {}", "unions/form", "a list of unions"),
        ("type: object, UNIONS: []", "unions/form", "a list of unions"),
        (
            "type: object, UNIONS: [{fields: {emptyDir: A}}], PROPERTIES",
            "unions/form",
            "needs a `discriminator`",
        ),
        ("type: object, UNIONS: [{discriminator: type}], PROPERTIES", "unions/form", "needs `fields`"),
        (
            "type: object, UNIONS: [{discriminator: kind, fields: {emptyDir: A}}], PROPERTIES",
            "unions/discriminator",
            "declares no discriminator `kind`",
        ),
        (
            "type: object, UNIONS: [{discriminator: size, fields: {emptyDir: A}}], PROPERTIES",
            "unions/discriminator",
            "must have type string",
        ),
        (
            "type: object, UNIONS: [{discriminator: type, fields: {emptyDri: A}}], PROPERTIES",
            "unions/field",
            "declares no `emptyDri`; did you mean `emptyDir`?",
        ),
        (
            "type: object, UNIONS: [{discriminator: type, fields: {type: A}}], PROPERTIES",
            "unions/field",
            "is the discriminator",
        ),
        (
            "type: object, UNIONS: [{discriminator: type, fields: {emptyDir: A, hostPath: A}}], PROPERTIES",
            "unions/field",
            "`A` already belongs to another field",
        ),
        (
            "type: object, required: [emptyDir], UNIONS: [{discriminator: type, fields: {emptyDir: A}}], PROPERTIES",
            "unions/field",
            "`emptyDir` is required",
        ),
        (
            "type: object, UNIONS: [{discriminator: type, fields: {emptyDir: A}}, {discriminator: type, fields: {emptyDir: A}}], PROPERTIES",
            "unions/field",
            "already belongs to a union",
        ),
        (
            "type: object, UNIONS: [{discriminator: type, fields: {emptyDir: A}}], properties: {emptyDir: {type: object}, type: {type: string, enum: [A, B]}}",
            "unions/discriminator",
            "no field of the union belongs to `B`",
        ),
        (
            "type: object, UNIONS: [{discriminator: type, fields: {emptyDir: A}}], properties: {emptyDir: {type: object}, type: {type: string, enum: []}}",
            "unions/discriminator",
            "does not allow `A`",
        ),
        ("type: string, UNIONS: []", "unions/place", "only an object can have unions"),
        ("type: object, not: {UNIONS: []}", "unions/place", "inside `not`"),
    ] {
        let schema = schema.replace("UNIONS", super::super::UNIONS).replace("PROPERTIES", &properties);
        let found = problems_of(&schema);
        assert_eq!(found.len(), 1, "{schema}: {found:?}");
        assert!(found.iter().all(|(of, text)| *of == code && text.contains(message)), "{schema}: {found:?}");
    }
}

#[test]
fn the_error_of_the_server_for_the_keyword_is_explained() {
    let text =
        definition(&format!("type: object, {UNION}, properties: {{type: {{type: string}}, {FIELDS}}}"));
    let tree = Tree::parse(&text);
    let report = crate::check(tree.documents().next().unwrap(), &Options::default(), &mut Cache::default());
    assert_eq!(report.findings.len(), 1);
    for unions in [false, true] {
        let experiments = Experiments { unions, feature_gates: true };
        assert!(report.findings.iter().all(|finding| experiments.explain(finding) == unions));
    }
}
