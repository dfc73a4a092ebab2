//! Measures the evaluation of programs on the data of a resource.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

#[path = "../tests/support/mod.rs"]
mod support;

use cel::value::Value;
use cel::{Declarations, Environment, PER_CALL_LIMIT, Program};
use divan::{Bencher, black_box};
use support::data::{Data, data_schema};
use support::engine::Engine;
use support::{compile, context, decl, schemas};

const RULES: [&str; 8] = [
    "self.n == 3",
    "has(self.name) && self.name.size() <= 10 && self.name != 'x'",
    "self.tags.all(t, t.startsWith('a') || t in ['b', 'c', 'd'])",
    "self.spec.routes.all(r, r.backends.all(b, b.port > 0 && b.port < 65536))",
    "self.spec.routes.filter(r, has(r.path)).map(r, r.host + r.path).size() == 1",
    "self.spec.zones.all(k, self.spec.zones[k].hosts.size() > 0)",
    "self.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
    "quantity('1500m').isLessThan(quantity('2')) && ip(self.free).family() == 4",
];

#[divan::bench(args = RULES)]
fn rule(bencher: Bencher<'_, '_>, text: &str) {
    let schemas = schemas();
    let declarations = Declarations::new(decl(&schemas["deep.yaml"], false).unwrap(), "selfType");
    let variables = cel::checker::rule_variables(&declarations, false);
    let (issues, ast, checked) =
        compile(text, &context(Environment::for_stored_rules(), &variables, &declarations));
    assert!(issues.is_empty(), "{issues:?}");
    let program = Program::new(&ast, &checked, &variables, &Engine).unwrap();
    let path = format!("{}/../../fixtures/cel/objects/deep.json", env!("CARGO_MANIFEST_DIR"));
    let data = Data::of(&serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap());
    let schema = data_schema(&schemas["deep.yaml"], false);
    bencher.bench_local(|| {
        let values = [Some(Value::of_data(&data, &schema)), None];
        black_box(program.evaluate(&values, &Engine, PER_CALL_LIMIT)).cost
    });
}

fn main() {
    divan::main();
}
