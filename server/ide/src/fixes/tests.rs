//! Tests of all fixes together: the result of fix-all does not depend on the order of findings and plans;
//! titles are true.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use yaml::Tree;

use super::*;
use crate::analysis::caches::Caches;
use crate::analysis::document;
use crate::marked_texts::definition;
use crate::{Settings, Surroundings};

/// The numbers below `count` in a different order for each `turn`.
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

/// The text after all rounds, each in a different order.
fn fixed(text: &str, turn: usize) -> String {
    let (settings, surroundings) = (Settings::default(), Surroundings::default());
    let mut text = text.to_owned();
    for number in 0..40 {
        let tree = Tree::parse(&text);
        let mut edits = Vec::new();
        for document in tree.documents() {
            let findings =
                document::analyse(document, &settings, &surroundings, &mut Caches::default()).findings;
            let reader = Reader::new(document);
            let mut survey = survey::survey(document, &reader);
            let turn = turn * 100 + number;
            let (findings, plans) = match turn {
                0..100 => (findings, survey.plans.clone()),
                _ => (shuffled(&findings, turn), shuffled(&survey.plans, turn)),
            };
            survey.plans = plans;
            let inputs = DocumentInputs { settings: &settings, surroundings: &surroundings };
            let budget = Budget::of(text.len());
            edits.extend(round(document, inputs, &findings, (&reader, survey), &budget, &Arc::default()));
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
        for (path, text) in suites::texts(&suites::fixtures().join(folder)).unwrap() {
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

/// The root schema is that of an object, so its keywords for fields do not move.
#[test]
fn fields_of_a_root_schema_are_not_those_of_items() {
    let offered = |schema: &str| {
        let text = definition(schema);
        let file = crate::File::new(&text, &crate::Settings::default());
        let fixes = file.fixes(text::TextRange::new(0, text.len() as u32));
        fixes.iter().any(|fix| fix.title == "Move `properties` to new `items`")
    };
    assert!(!offered("type: array\nproperties: {a: {type: string}}"));
    assert!(offered("type: object\nproperties:\n  a: {type: array, properties: {b: {type: string}}}"));
}

/// The list types that are offered for `rule`, a rule on objects with `fields`, without the beginning of
/// their titles.
fn list_types(fields: &str, rule: &str) -> Vec<String> {
    let text = definition(&format!("type: object\n{fields}\nx-kubernetes-validations:\n- rule: '{rule}'"));
    let file = crate::File::new(&text, &crate::Settings::default());
    let fixes = file.fixes(text::TextRange::new(0, text.len() as u32));
    let promise = |fix: &crate::Fix| {
        let kind = fix.title.split_once("with `x-kubernetes-list-type: ")?.1;
        Some(kind.replacen("` on `tags`", "", 1))
    };
    fixes.iter().filter_map(promise).collect()
}

const UNIQUE: &str = "self.tags.all(x, self.tags.exists_one(y, x == y))";
const UNIQUE_KEYS: &str = "self.tags.all(x, self.tags.exists_one(y, x.k == y.k))";

#[test]
fn the_title_for_a_list_type_states_whether_the_list_may_be_absent() {
    let fields = |required: &str| {
        format!("required: [{required}]\nproperties: {{tags: {{type: array, items: {{type: string}}}}}}")
    };
    let same = "set";
    assert_eq!(list_types(&fields("tags"), UNIQUE), [same]);
    assert_eq!(list_types(&fields(""), &format!("!has(self.tags) || {UNIQUE}")), [same]);
    assert_eq!(list_types(&fields(""), UNIQUE), [format!("{same} (accepts objects without `tags`)")]);
    assert!(list_types(&fields(""), &format!("!has(self.kind) || {UNIQUE}")).is_empty());
}

/// In a rule, `1` and `1.0` are equal, and so are two strings for the same time; a set may contain both.
#[test]
fn a_list_type_is_offered_only_where_equal_means_the_same() {
    let set = |item: &str| {
        let fields = format!("required: [tags]\nproperties: {{tags: {{type: array, items: {item}}}}}");
        list_types(&fields, UNIQUE)
    };
    let map = |key: &str| {
        let items = format!("{{type: object, required: [k], properties: {{k: {key}, v: {{type: string}}}}}}");
        let fields = format!("required: [tags]\nproperties: {{tags: {{type: array, items: {items}}}}}");
        list_types(&fields, UNIQUE_KEYS)
    };
    for exact in [
        "{type: string}",
        "{type: string, format: uuid}",
        "{type: string, enum: [a, b]}",
        "{type: integer}",
        "{type: boolean}",
    ] {
        assert_eq!(set(exact), ["set"], "{exact}");
        assert_eq!(map(exact), ["map` and the key `k"], "{exact}");
    }
    // Keys are compared as JSON, which has the same text for both numbers.
    assert_eq!((set("{type: number}"), map("{type: number}").len()), (Vec::new(), 1));
    for loose in [
        "{type: string, format: duration}",
        "{type: string, format: date-time}",
        "{type: string, format: byte}",
    ] {
        assert_eq!((set(loose), map(loose)), (Vec::new(), Vec::new()), "{loose}");
    }
}
