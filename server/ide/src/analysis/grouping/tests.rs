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
    let grouped_codes = |finding: &crate::Finding| (finding.code.as_str(), finding.related.len());
    let grouped_codes: Vec<_> = grouped.findings.iter().filter(is_ours).map(grouped_codes).collect();
    for finding in file.findings() {
        let representative = grouped.representative(finding.code, finding.range).unwrap();
        let is_itself =
            representative.range == finding.range && representative.code.as_str() == finding.code.as_str();
        assert!(is_itself || representative.related.iter().any(|related| related.range == finding.range));
    }
    (grouped_codes, all)
}

#[test]
fn a_default_does_not_repeat_an_invalid_pattern() {
    let schema =
        "            properties:\n              name: {type: string, default: abc, pattern: '^[a-z+$'}\n";
    assert_eq!(errors(&definition(schema, "")), (vec![("structural/pattern", 2)], 2));
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
    let (grouped_codes, all) = errors(&definition(union, ""));
    assert_eq!(all, 8);
    assert_eq!(grouped_codes.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["structural/junctor-type"]);
    // The errors about keywords that are missing outside the branches belong to the same finding.
    assert!(grouped_codes[0].1 >= 7 + 3);
}

#[test]
fn a_rule_over_the_cost_limit_is_one_finding() {
    let expensive = "            x-kubernetes-validations:
            - rule: self.a.all(x, self.b.all(y, x != y))
            properties:
              a: {type: array, items: {type: string}}
              b: {type: array, items: {type: string}}
";
    let (grouped_codes, all) = errors(&definition(expensive, ""));
    assert_eq!(all, 3);
    assert_eq!(grouped_codes.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["cel/rule-cost"]);
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
    let grouped_codes: Vec<_> = grouped.findings.iter().filter(is_ours).collect();
    let shown: Vec<_> = grouped_codes.iter().map(|one| &text[one.range.as_usize()]).collect();
    assert_eq!(shown, ["a", "d"]);
    assert!(grouped_codes[0].message.to_string().ends_with("(2 more findings with the same cause)"));
    let step = text.find("b.c").unwrap() as u32;
    let representative =
        grouped.representative(api::Code::LintCelOptionalField, text::TextRange::at(step, 1)).unwrap();
    assert_eq!(representative.range, grouped_codes[0].range);
}

#[test]
fn a_name_that_the_server_copies_is_one_finding() {
    let (grouped_codes, all) = errors(&definition("", "").replace("name: v1", "name: V1"));
    assert_eq!((grouped_codes, all), (vec![("versions/name", 1)], 2));
}

#[test]
fn a_missing_webhook_is_one_finding() {
    let conversion = "  conversion: {strategy: Webhook}\n";
    let (grouped_codes, all) = errors(&definition("", conversion));
    assert_eq!((grouped_codes, all), (vec![("conversion/client-config-required", 1)], 2));
}

#[test]
fn a_webhook_without_strategy_is_one_finding() {
    let conversion =
        "  conversion: {webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://a.b'}}}\n";
    let (grouped_codes, all) = errors(&definition("", conversion));
    assert_eq!((grouped_codes, all), (vec![("conversion/strategy-required", 3)], 3));
}

#[test]
fn consequences_of_a_rule_that_does_not_compile_are_grouped_with_it() {
    let rule = "            x-kubernetes-validations:
            - rule: oldSelf.b > 1
              optionalOldSelf: true
            properties:
              b: {type: integer}
";
    let (grouped_codes, all) = errors(&definition(rule, ""));
    assert_eq!((grouped_codes, all), (vec![("cel/rule-compile", 1)], 2));
}

#[test]
fn a_block_below_a_value_is_one_finding() {
    for text in [
        definition("              a: {type: string}\n", ""),
        definition("", "").replace("storage: true\n    schema:\n", "storage: true\n"),
    ] {
        let (grouped_codes, _) = errors(&text);
        let codes: Vec<_> = grouped_codes.iter().map(|(code, _)| *code).collect();
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
    let (grouped_codes, all) = errors(&definition(two, ""));
    // For `c` and `d`, the missing type is part of the finding on the type in the branch.
    assert_eq!((grouped_codes.len(), all), (4, 6));
}

#[test]
fn a_distant_cause_in_the_definition_groups_its_consequences() {
    let two = definition("", "").replace("storage: true", "storage: false");
    let (grouped_codes, all) = errors(&two);
    assert_eq!(
        (grouped_codes.iter().map(|(code, _)| *code).collect::<Vec<_>>(), all),
        (vec!["versions/one-storage"], 2)
    );
    // Another document is not affected.
    let other = definition("", "").replace("widgets", "gadgets").replace("Widget", "Gadget");
    let (grouped_codes, all) =
        errors(&format!("{two}---\n{}", other.replace("storage: true", "storage: false")));
    assert_eq!((grouped_codes.len(), all), (2, 4));
}

#[test]
fn an_error_that_follows_from_a_warning_makes_it_an_error() {
    // kube-apiserver reports no unknown fields below `additionalProperties`, only the missing type.
    let labels = "            properties:
              labels: {type: object, additionalProperties: {tpye: string}}
";
    let text = definition(labels, "");
    let found = File::new(&text, &Settings::default()).grouped().findings;
    let found: Vec<_> = found.iter().map(|one| (one.code.as_str(), one.severity)).collect();
    assert_eq!(found, [("decode/unknown-field", crate::Severity::Error)]);
}

#[test]
fn objects_and_lists_among_the_values_of_an_enum_are_one_finding_each() {
    let schema =
        "            properties:\n              name: {type: string, enum: [{a: 1}, {b: 2}, [c], [d], e]}\n";
    let file = File::new(&definition(schema, ""), &Settings::default());
    let grouped = file.grouped();
    let of_enum = |finding: &&crate::Finding| finding.code == api::Code::LintEnumType;
    assert_eq!(file.findings().iter().filter(of_enum).count(), 4);
    let related: Vec<_> =
        grouped.findings.iter().filter(of_enum).map(|finding| finding.related.len()).collect();
    // The type, and the other value of the same shape.
    assert_eq!(related, [2, 2]);
}
