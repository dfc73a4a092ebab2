//! Fixes as a whole: fix-all comes to the same text in whatever order findings and plans come; titles promise what holds.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use yaml::Tree;

use super::*;
use crate::document::{self, Caches};

/// The numbers below `count` in another order for each `turn`.
fn order(count: usize, turn: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut state = turn as u64;
    for at in (1..count).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(at, (state >> 33) as usize % (at + 1));
    }
    order
}

fn shuffled<T: Clone>(all: &[T], turn: usize) -> Vec<T> {
    order(all.len(), turn).into_iter().filter_map(|index| all.get(index).cloned()).collect()
}

/// The text after all rounds, each in an order of its own.
fn fixed(text: &str, turn: usize) -> String {
    let (settings, surroundings) = (Settings::default(), Surroundings::default());
    let mut text = text.to_owned();
    for number in 0..40 {
        let tree = Tree::parse(&text);
        let mut edits = Vec::new();
        for document in tree.documents() {
            let findings = document::findings(document, &settings, &surroundings, &mut Caches::default());
            let reader = Reader::new(document);
            let mut survey = survey::survey(document, &reader);
            let turn = turn * 100 + number;
            let (findings, plans) = match turn {
                0..100 => (findings, survey.plans.clone()),
                _ => (shuffled(&findings, turn), shuffled(&survey.plans, turn)),
            };
            survey.plans = plans;
            let (rest, budget) = ((&settings, &surroundings), Budget::of(text.len()));
            edits.extend(round(document, rest, &findings, (&reader, survey), &budget));
        }
        if edits.is_empty() {
            return text;
        }
        text = text::applied(&text, 0, &edits);
    }
    String::from("the rounds do not end")
}

#[test]
fn the_order_of_findings_and_plans_does_not_matter() {
    let mut count = 0;
    for folder in ["fixes", "fixes/catalogue", "fixes/titles", "crd/editor"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(folder);
        let mut paths: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            // Some are no UTF-8 on purpose.
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let expected = fixed(&text, 0);
            for turn in 1..4 {
                assert_eq!(fixed(&text, turn), expected, "{}", path.display());
            }
            assert_eq!(fixed(&expected, 0), expected, "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 200, "{count} texts");
}

#[test]
fn a_list_type_for_a_rule_holds_without_the_list_as_well() {
    let titles = |required: &str, rule: &str| -> Vec<String> {
        let text = format!(
            "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: widgets.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: widgets, kind: Widget}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [{required}]
        properties:
          tags: {{type: array, items: {{type: string}}}}
        x-kubernetes-validations:
        - rule: '{rule}'
"
        );
        let file = crate::File::new(&text, &crate::Settings::default());
        let fixes = file.fixes(text::TextRange::new(0, text.len() as u32));
        let promise = |fix: &crate::Fix| Some(fix.title.split_once("`tags` a set, ")?.1.to_owned());
        fixes.iter().filter_map(promise).collect()
    };
    let unique = "self.tags.all(x, self.tags.exists_one(y, x == y))";
    let same = "which says what the rule says";
    assert_eq!(titles("tags", unique), [same]);
    assert_eq!(titles("", &format!("!has(self.tags) || {unique}")), [same]);
    assert_eq!(titles("", unique), [format!("{same} of an object that has it")]);
    assert!(titles("", &format!("!has(self.kind) || {unique}")).is_empty());
}
