//! Adversarial schemas: the generator terminates, does not panic, and generates no value that the server rejects.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use super::tests::{assert_admitted, schema};
use super::{Generator, Hints, Settings, candidates, generate};
use crate::KubernetesVersion;
use crate::generate::node::Node;

fn try_on(text: &str) -> usize {
    let schema = schema(text);
    let hints = Hints::of(["self.a.b == 'x' && self.p7 > 3 || size(self.list) < 1000000000"]);
    let found = candidates(&schema, &hints, KubernetesVersion::NEWEST);
    assert!(found.len() <= 64, "{text}");
    found.iter().for_each(|value| assert_admitted(value, &schema));
    found.len()
}

#[test]
fn deep_schemas_terminate() {
    let deep = |open: &str, close: &str| format!("{}{{type: string}}{}", open.repeat(60), close.repeat(60));
    assert!(try_on(&deep("{type: object, required: [a], properties: {a: ", "}}")) > 0);
    assert!(try_on(&deep("{type: object, properties: {b: {type: string}, a: ", "}}")) > 0);
    assert!(try_on(&deep("{type: array, minItems: 1, items: ", "}")) > 0);
    // The smallest value would have 2^60 strings.
    try_on(&deep("{type: array, minItems: 2, items: ", "}"));
    assert!(try_on(&deep("{type: object, additionalProperties: ", "}")) > 0);
    let junctors =
        format!("{{type: string, {}pattern: a{}}}", "allOf: [{anyOf: [{".repeat(30), "}, {}]}]".repeat(30));
    assert!(try_on(&junctors) > 0);
}

#[test]
fn wide_schemas_terminate() {
    let mut wide = "{type: object, properties: {".to_owned();
    for index in 0..3_000 {
        write!(
            wide,
            "p{index}: {{type: object, properties: {{a: {{type: integer}}, b: {{type: string}}}}}}, "
        )
        .unwrap();
    }
    assert!(try_on(&format!("{wide}}}}}")) > 0);
    let branches = "{required: [a]}, ".repeat(2_000);
    try_on(&format!("{{type: object, properties: {{a: {{type: string}}}}, oneOf: [{branches}]}}"));
    assert!(
        try_on(&format!("{{type: object, properties: {{a: {{type: string}}}}, anyOf: [{branches}]}}")) > 0
    );
    let choice = "{anyOf: [{minimum: 1}, {maximum: 9}, {multipleOf: 3}]}, ".repeat(40);
    assert!(try_on(&format!("{{type: integer, allOf: [{choice}]}}")) > 0);
}

#[test]
fn contradictory_and_invalid_bounds_give_no_values() {
    for node in [
        "{type: integer, minimum: 5, maximum: 4}",
        "{type: string, enum: [a], pattern: '^b$'}",
        "{type: object, required: [a], properties: {a: {type: integer, enum: [x]}}}",
        "{type: string, not: {}}",
        "{type: object, minProperties: 9, properties: {a: {type: string}}}",
        "{type: array, minItems: 1000000000, items: {type: string}}",
        "{type: object, minProperties: 1000000000, additionalProperties: {type: string}}",
        "{type: string, minLength: 1000000000}",
        "{type: string, format: uuid, pattern: '^x'}",
        "{type: string, pattern: '('}",
    ] {
        assert_eq!(try_on(node), 0, "{node}");
    }
    for node in [
        "{type: number, minimum: 1e308, maximum: 1e309}",
        "{type: number, multipleOf: 0}",
        "{type: integer, multipleOf: -3}",
        "{type: integer, minimum: -9223372036854775808, maximum: 9223372036854775807}",
        "{type: string, minLength: -5, maxLength: -1}",
        "{}",
        "{type: nonsense}",
    ] {
        try_on(node);
    }
}

#[test]
fn catastrophic_patterns_terminate() {
    for pattern in [
        "^(a+)+$",
        "^((a|aa)+)+b$",
        "(x*)*y",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "(.*)(.*)(.*)(.*)(.*)(.*)z",
        "^(a{1000}){1,1}$",
    ] {
        try_on(&format!("{{type: string, pattern: '{pattern}', minLength: 30, maxLength: 1200}}"));
    }
}

#[test]
fn random_schemas_terminate() {
    for seed in 0..1_500 {
        let mut random = Random(seed);
        let mut text = String::new();
        random.node(&mut text, 4);
        try_on(&text);
    }
}

#[test]
fn the_budget_is_never_exceeded() {
    let wide: String =
        (0..500).map(|index| format!("p{index}: {{type: string, pattern: '^[a-z]{{3}}$'}}, ")).collect();
    let schema = schema(&format!("{{type: object, properties: {{{wide}}}}}"));
    for steps in [0, 1, 10, 1_000] {
        let settings = Settings { steps, ..Settings::new(KubernetesVersion::NEWEST) };
        let hints = Hints::default();
        let mut generator = Generator::new(&hints, &settings);
        let found = generator.values(&Node::root(&schema, false), 64);
        assert!(generator.steps <= steps && found.len() <= steps, "{steps}");
        assert!(generate(&schema, &hints, &settings).len() <= steps.max(1));
    }
}

/// A linear congruential generator with Knuth's constants.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }

    fn choose<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of.get(self.below(of.len() as u64) as usize).copied().unwrap_or_default()
    }

    fn node(&mut self, out: &mut String, depth: u64) {
        let kind = self.below(if depth == 0 { 4 } else { 7 });
        let base = [
            "type: string",
            "type: integer",
            "type: boolean",
            "x-kubernetes-int-or-string: true",
            "type: object",
            "type: array",
            "type: object",
        ];
        out.push('{');
        out.push_str(base.get(kind as usize).copied().unwrap_or_default());
        for _ in 0..self.below(3) {
            out.push_str(", ");
            out.push_str(self.choose(&[
                "minLength: 3",
                "maxLength: 2",
                "pattern: '^[a-c]+$'",
                "minimum: 2",
                "maximum: 1.5",
                "multipleOf: 4",
                "enum: [a, 1, null, {}]",
                "nullable: true",
                "format: ipv4",
                "not: {enum: [a]}",
                "minItems: 2",
                "maxItems: 1",
                "minProperties: 1",
                "maxProperties: 2",
                "required: [a]",
                "required: [z]",
                "anyOf: [{required: [a]}, {minLength: 1}]",
                "oneOf: [{required: [a]}, {required: [b]}]",
                "allOf: [{maximum: 9}, {properties: {a: {enum: [x]}}}]",
                "x-kubernetes-preserve-unknown-fields: true",
                "x-kubernetes-list-type: set",
                "x-kubernetes-embedded-resource: true",
                "uniqueItems: true",
            ]));
        }
        match kind {
            4 => {
                out.push_str(", properties: {");
                for name in ["a", "b", "list"] {
                    write!(out, "{name}: ").unwrap();
                    self.node(out, depth - 1);
                    out.push_str(", ");
                }
                out.push('}');
            }
            5 => {
                out.push_str(", items: ");
                self.node(out, depth - 1);
            }
            6 => {
                out.push_str(", additionalProperties: ");
                self.node(out, depth - 1);
            }
            _ => {}
        }
        out.push('}');
    }
}
