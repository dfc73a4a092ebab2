//! Comparisons of definitions before and after an edit.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use yaml::Tree;

use super::{Agreement, RuleComparison, compared};
use crate::Options;

fn definition(schema: &str) -> String {
    let schema: String = schema.lines().map(|line| format!("        {line}\n")).collect();
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.com}}\n\
         spec:\n  group: example.com\n  scope: Namespaced\n  names: {{plural: widgets, kind: Widget}}\n  versions:\n  \
         - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n{schema}"
    )
}

fn comparisons(before: &str, after: &str) -> Option<Vec<RuleComparison>> {
    let (before, after) = (Tree::parse(&definition(before)), Tree::parse(&definition(after)));
    compared(before.documents().next()?, after.documents().next()?, &Options::default())
}

/// The agreement for the only node whose rules differ.
#[track_caller]
fn only_agreement(before: &str, after: &str) -> Agreement {
    let found = comparisons(before, after).unwrap();
    let [one] = found.as_slice() else { panic!("{found:?}") };
    one.agreement.clone()
}

/// A schema whose `spec` has `fields` and `rest`.
fn spec(fields: &str, rest: &str) -> String {
    let rest = if rest.is_empty() { String::new() } else { format!("    {rest}\n") };
    format!("type: object\nproperties:\n  spec:\n    type: object\n    properties: {{{fields}}}\n{rest}")
}

fn rules(rules: &[&str]) -> String {
    let rules: Vec<String> = rules.iter().map(|rule| format!("{{rule: \"{rule}\"}}")).collect();
    format!("x-kubernetes-validations: [{}]", rules.join(", "))
}

#[test]
fn a_changed_rule_is_compared_with_its_replacement() {
    let (fields, old) = ("a: {type: integer}, b: {type: integer}", "self.a > 3");
    let with = |rule: &str| spec(fields, &rules(&["has(self.b)", rule]));
    let Agreement::Same(tried) = only_agreement(&with(old), &with("has(self.a) && self.a >= 4")) else {
        panic!("they say the same")
    };
    assert!(tried.accepted > 0 && tried.refused > 0);
    let laxer = only_agreement(&with(old), &with("!has(self.a) || self.a > 3"));
    assert!(matches!(laxer, Agreement::Laxer { .. }), "{laxer:?}");
    let differs = only_agreement(&with(old), &with("has(self.a) && self.a > 4"));
    assert!(matches!(differs, Agreement::Differs { .. }), "{differs:?}");
    // The other rule would hide the difference.
    let hidden = only_agreement(&with(old), &with("self.a > 3 || !has(self.b)"));
    assert!(matches!(hidden, Agreement::Differs { .. } | Agreement::Laxer { .. }), "{hidden:?}");
    let broken = only_agreement(&with(old), &with("self.a >"));
    assert_eq!(broken, Agreement::Unknown);
}

#[test]
fn a_keyword_that_replaces_a_rule_is_compared_with_it() {
    let text = |field: &str| spec(&format!("a: {{type: string, maxLength: 9, {field}}}"), "");
    let rule = |rule: &str| text(&rules(&[rule]));
    assert!(only_agreement(&text("pattern: '^x+$'"), &rule("self.matches('^x+$')")).is_same());
    assert!(
        !only_agreement(&text("pattern: '^x+$'"), &rule("self.matches('^x*$')")).is_same_where_evaluated()
    );
    assert!(only_agreement(&rule("self.startsWith('x')"), &text("pattern: '^x'")).is_same());
    // An unchanged rule that rejects all values hides nothing.
    let with_other = |pattern: &str| text(&format!("pattern: '{pattern}', {}", rules(&["false"])));
    let both = text(&rules(&["false", "self.startsWith('x')"]));
    assert!(only_agreement(&both, &with_other("^x")).is_same());
    assert!(!only_agreement(&both, &with_other("^y")).is_same_where_evaluated());
    // No generated value violates the rule.
    assert_eq!(only_agreement(&rule("self.size() < 10"), &text("minLength: 0")), Agreement::Unknown);
}

#[test]
fn rules_at_the_root_are_compared() {
    let root = |rest: &str| {
        format!("type: object\nproperties: {{a: {{type: string}}, b: {{type: string}}}}\n{rest}\n")
    };
    let required = root("required: [a]");
    assert!(only_agreement(&root(&rules(&["has(self.a)"])), &required).is_same());
    assert!(!only_agreement(&root(&rules(&["has(self.b)"])), &required).is_same_where_evaluated());
    let named = |rule: &str| root(&rules(&[rule]));
    assert!(
        only_agreement(&named("self.metadata.name == 'example'"), &named("'example' == self.metadata.name"))
            .is_same()
    );
}

#[test]
fn nodes_with_the_same_rules_are_not_compared() {
    let (fields, rule) = ("a: {type: integer}", rules(&["!has(self.a) || self.a > 3"]));
    let before = spec(fields, &rule);
    assert!(comparisons(&before, &before).unwrap().is_empty());
    assert!(comparisons(&before, &spec("a: {type: integer, maximum: 9}", &rule)).unwrap().is_empty());
    let tree = Tree::parse("a: b\n");
    let other = Tree::parse(&definition(&before));
    let options = Options::default();
    let found = compared(tree.documents().next().unwrap(), other.documents().next().unwrap(), &options);
    assert!(found.is_none());
}

#[test]
fn lists_are_compared_with_and_without_duplicates() {
    let list =
        |items: &str, rest: &str| spec(&format!("l: {{type: array, maxItems: 9, items: {items}{rest}}}"), "");
    let unique = ", x-kubernetes-validations: [{rule: \"self.all(x, self.exists_one(y, x == y))\"}]";
    let set = ", x-kubernetes-list-type: set";
    assert!(only_agreement(&list("{type: string}", unique), &list("{type: string}", set)).is_same());
    for items in ["{type: number}", "{type: string, format: duration}", "{type: string, format: date-time}"] {
        let agreement = only_agreement(&list(items, unique), &list(items, set));
        assert!(matches!(agreement, Agreement::Differs { .. }), "{items}: {agreement:?}");
    }
}
