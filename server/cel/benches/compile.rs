//! Parses, checks and estimates the recorded rules that the API server accepts.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

#[path = "../tests/support/mod.rs"]
mod support;

use cel::Declarations;
use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};

fn main() {
    divan::main();
}

struct Rule {
    text: String,
    declarations: usize,
    env: cel::Environment,
}

fn rules() -> (Vec<Rule>, Vec<(Declarations, Vec<cel::Variable>)>) {
    let schemas = support::schemas();
    let mut declared: Vec<(String, (Declarations, Vec<cel::Variable>))> = Vec::new();
    let mut rules = Vec::new();
    for case in support::cases() {
        if case.json["cost"].is_null() || case.json["issues"].is_array() || case.flag("root") {
            continue;
        }
        let key = format!("{} {}", case.str("schema", "types.yaml"), case.flag("optionalOldSelf"));
        let at = declared.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
            let declarations = case.declarations(&schemas);
            let variables = case.variables(&declarations);
            declared.push((key, (declarations, variables)));
            declared.len() - 1
        });
        rules.push(Rule { env: case.env(), text: case.text, declarations: at });
    }
    (rules, declared.into_iter().map(|(_, pair)| pair).collect())
}

#[divan::bench]
fn compile_and_price_all_rules(bencher: Bencher<'_, '_>) {
    let (rules, declared) = rules();
    let bytes: usize = rules.iter().map(|rule| rule.text.len()).sum();
    bencher.counter(ItemsCount::new(rules.len())).counter(BytesCount::new(bytes)).bench(|| {
        let mut total = 0u64;
        for rule in &rules {
            let (declarations, variables) = &declared[rule.declarations];
            let context = support::context(rule.env, variables, declarations);
            let (_, ast, checked) = support::compile(&rule.text, &context);
            total = total.wrapping_add(cel::estimate(&ast, &checked, declarations.root()).max);
        }
        total
    });
}

#[divan::bench]
fn parse_all_rules(bencher: Bencher<'_, '_>) {
    let (rules, _) = rules();
    bencher.counter(ItemsCount::new(rules.len())).bench(|| {
        rules.iter().map(|rule| cel::parse(&rule.text, rule.env.parse_options()).0.len()).sum::<usize>()
    });
}
