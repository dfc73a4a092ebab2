//! Tests of the grouping of findings.
#![allow(clippy::unwrap_used)]

use crate::{File, Settings};

/// A definition with this below `spec` of its schema, and with these keys of `spec`.
fn definition(schema: &str, spec: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.com}}\n\
             spec:\n  group: example.com\n  scope: Namespaced\n  names: {{plural: widgets, kind: Widget}}\n{spec}  versions:\n  \
             - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
             properties:\n          spec:\n            type: object\n{schema}"
    )
}

/// The errors of a text, and the number of errors without grouping.
fn errors(text: &str) -> (Vec<(&'static str, usize)>, usize) {
    let file = File::new(text, &Settings::default());
    let is_ours = |finding: &&crate::Finding| finding.severity == crate::Severity::Error;
    let all = file.findings().iter().filter(is_ours).count();
    let grouped = file.grouped();
    let told = |finding: &crate::Finding| (finding.code.as_str(), finding.related.len());
    let told: Vec<_> = grouped.findings.iter().filter(is_ours).map(told).collect();
    for finding in file.findings() {
        let telling = grouped.telling(finding.code, finding.range).unwrap();
        let is_told = telling.range == finding.range && telling.code.as_str() == finding.code.as_str();
        assert!(is_told || telling.related.iter().any(|related| related.range == finding.range));
    }
    (told, all)
}

#[test]
fn a_union_with_types_in_its_branches_is_one_finding() {
    let union = "            oneOf:
            - type: object
              required: [kind, git]
              properties:
                kind: {type: string, enum: [git]}
                git: {type: object, properties: {url: {type: string}}}
            - type: object
              required: [kind, s3]
              properties:
                kind: {type: string, enum: [s3]}
                s3: {type: object, properties: {bucket: {type: string}}}
";
    let (told, all) = errors(&definition(union, ""));
    assert_eq!(all, 8);
    assert_eq!(told.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["structural/junctor-type"]);
    // The errors about keywords that are missing outside the branches belong to the same finding.
    assert!(told[0].1 >= 7 + 3);
}

#[test]
fn a_rule_over_the_cost_limit_is_one_finding() {
    let dear = "            x-kubernetes-validations:
            - rule: self.a.all(x, self.b.all(y, x != y))
            properties:
              a: {type: array, items: {type: string}}
              b: {type: array, items: {type: string}}
";
    let (told, all) = errors(&definition(dear, ""));
    assert_eq!(all, 3);
    assert_eq!(told.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["cel/rule-cost"]);
}

#[test]
fn optional_fields_on_one_path_are_one_finding() {
    let rule = "            x-kubernetes-validations: [{rule: self.a.b.c == self.d, message: no}]
            properties:
              a: {type: object, properties: {b: {type: object, properties: {c: {type: integer}}}}}
              d: {type: integer}
";
    let text = definition(rule, "");
    let file = File::new(&text, &Settings::default());
    let is_ours = |finding: &&crate::Finding| finding.code == api::Code::LintCelOptionalField;
    assert_eq!(file.findings().iter().filter(is_ours).count(), 4);
    let grouped = file.grouped();
    let told: Vec<_> = grouped.findings.iter().filter(is_ours).collect();
    let shown: Vec<_> = told.iter().map(|one| &text[one.range.as_usize()]).collect();
    assert_eq!(shown, ["a", "d"]);
    assert!(told[0].message.to_string().ends_with("(2 more findings with the same cause)"));
    let step = text.find("b.c").unwrap() as u32;
    let telling = grouped.telling(api::Code::LintCelOptionalField, text::TextRange::at(step, 1)).unwrap();
    assert_eq!(telling.range, told[0].range);
}

#[test]
fn a_name_that_the_server_copies_is_one_finding() {
    let (told, all) = errors(&definition("", "").replace("name: v1", "name: V1"));
    assert_eq!((told, all), (vec![("versions/name", 1)], 2));
}

#[test]
fn a_missing_webhook_is_one_finding() {
    let conversion = "  conversion: {strategy: Webhook}\n";
    let (told, all) = errors(&definition("", conversion));
    assert_eq!((told, all), (vec![("conversion/client-config-required", 1)], 2));
}

#[test]
fn a_webhook_without_strategy_is_one_finding() {
    let conversion =
        "  conversion: {webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://a.b'}}}\n";
    let (told, all) = errors(&definition("", conversion));
    assert_eq!((told, all), (vec![("conversion/strategy-required", 3)], 3));
}

#[test]
fn consequences_of_a_rule_that_does_not_compile_are_grouped_with_it() {
    let rule = "            x-kubernetes-validations:
            - rule: oldSelf.b > 1
              optionalOldSelf: true
            properties:
              b: {type: integer}
";
    let (told, all) = errors(&definition(rule, ""));
    assert_eq!((told, all), (vec![("cel/rule-compile", 1)], 2));
}

#[test]
fn a_block_below_a_value_is_one_finding() {
    for text in [
        definition("              a: {type: string}\n", ""),
        definition("", "").replace("storage: true\n    schema:\n", "storage: true\n"),
    ] {
        let (told, _) = errors(&text);
        let codes: Vec<_> = told.iter().map(|(code, _)| *code).collect();
        assert!(codes.contains(&"yaml/syntax") && !codes.contains(&"decode/type"), "{codes:?}");
    }
}

#[test]
fn findings_with_separate_fixes_are_not_grouped() {
    let two = "            properties:
              a: {}
              b: {}
              c: {anyOf: [{type: string}]}
              d: {anyOf: [{type: string}]}
";
    let (told, all) = errors(&definition(two, ""));
    // For `c` and `d`, the missing type is part of the finding on the type in the branch.
    assert_eq!((told.len(), all), (4, 6));
}

#[test]
fn a_distant_cause_in_the_definition_groups_its_consequences() {
    let two = definition("", "").replace("storage: true", "storage: false");
    let (told, all) = errors(&two);
    assert_eq!(
        (told.iter().map(|(code, _)| *code).collect::<Vec<_>>(), all),
        (vec!["versions/one-storage"], 2)
    );
    // Another document is not affected.
    let other = definition("", "").replace("widgets", "gadgets").replace("Widget", "Gadget");
    let (told, all) = errors(&format!("{two}---\n{}", other.replace("storage: true", "storage: false")));
    assert_eq!((told.len(), all), (2, 4));
}
