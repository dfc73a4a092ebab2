//! Every recorded evaluation: its value or error, and its cost.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::collections::BTreeMap;

use cel::value::{DataSchema, Value};
use cel::{PER_CALL_LIMIT, Program};
use serde_json::Value as Json;
use support::data::{Data, data_schema};
use support::encode::{encode, same};
use support::engine::Engine;
use support::{Case, are_from_elsewhere, compile, context, evaluations, schemas};

fn object(case: &Case, key: &str, file_key: &str, default: Option<&str>) -> Option<Data> {
    if let Some(value) = case.json.get(key) {
        return Some(Data::of(value));
    }
    let file = match case.json.get(file_key) {
        Some(Json::String(file)) => file.as_str(),
        Some(_) => return None,
        None => default?,
    };
    let path = format!("{}/../../fixtures/cel/objects/{file}", env!("CARGO_MANIFEST_DIR"));
    Some(Data::of(&serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()))
}

/// Evaluations that are not compared, and why.
const NOT_COMPARED: [(&str, &str); 2] = [
    ("types/literals/87", "an empty message is no value that a rule can use; here it is an empty map"),
    (
        "macro/exists/12",
        "Go loops over a map in random order, so that the cost up to the first hit is random",
    ),
];

#[derive(Default)]
struct Count {
    cases: usize,
    values: usize,
    errors: usize,
    costs: usize,
    wrong: usize,
}

/// The result of an evaluation: the value or the error, and the cost; `None` if the program cannot be created.
fn evaluate(case: &Case, schemas: &Json, schema: &DataSchema) -> (Result<Json, String>, Option<u64>) {
    let declarations = case.declarations(schemas);
    let variables = case.variables(&declarations);
    let context = context(case.env(), &variables, &declarations);
    let (issues, ast, checked) = compile(&case.text, &context);
    assert!(issues.is_empty(), "{}: {issues:?}", case.id);
    let program = match Program::new(&ast, &checked, &variables, &Engine) {
        Ok(program) => program,
        Err(error) => return (Err(format!("program instantiation failed: {error}")), None),
    };
    let this = object(case, "object", "objectFile", Some("types.json"));
    let old = object(case, "oldSelf", "oldSelfFile", None);
    let this = this.as_ref().map(|data| Value::of_data(data, schema));
    let old = old.as_ref().map(|data| Value::of_data(data, schema));
    let old = match (case.flag("optionalOldSelf"), old) {
        (true, old) => Some(Ok(old.map_or(Value::Optional(None), |old| Value::some(old.unwrap())))),
        (false, old) => old,
    };
    let evaluation = program.evaluate(&[this, old], &Engine, PER_CALL_LIMIT);
    let result = evaluation.result.map(|value| encode(&value)).map_err(|error| error.to_string());
    (result, Some(evaluation.cost))
}

#[test]
fn values_errors_and_costs_are_those_of_the_api_server() {
    let schemas = schemas();
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut wrong = vec![];
    for case in evaluations() {
        if NOT_COMPARED.iter().any(|(id, _)| *id == case.id) {
            continue;
        }
        let schema = data_schema(&schemas[case.str("schema", "types.yaml")], case.flag("root"));
        let (result, cost) = evaluate(&case, &schemas, &schema);
        let group = case.id.split('/').next().unwrap().to_owned();
        let count = counts.entry(group).or_default();
        count.cases += 1;
        let theirs = match case.json["evalError"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok(case.json["value"].clone()),
        };
        // The recorder could not represent the value of these two.
        let is_unwritten = case.json.get("panic").is_some();
        let is_same = match (&result, &theirs) {
            (Ok(ours), Ok(theirs)) => same(ours, theirs) || is_unwritten,
            (ours, theirs) => ours == theirs,
        };
        count.values += usize::from(is_same && theirs.is_ok());
        count.errors += usize::from(is_same && theirs.is_err());
        let their_cost = case.json["runtimeCost"].as_u64();
        let costs_same = their_cost.is_none() || cost == their_cost;
        count.costs += usize::from(costs_same && their_cost.is_some());
        if !is_same || !costs_same {
            count.wrong += 1;
            wrong.push(format!(
                "{} {:?}\n   ours {result:?} {cost:?}\n theirs {theirs:?} {their_cost:?}",
                case.id, case.text
            ));
        }
    }
    println!("{:<10} {:>6} {:>7} {:>7} {:>7} {:>7}", "group", "cases", "values", "errors", "costs", "differ");
    for (group, count) in &counts {
        let Count { cases, values, errors, costs, wrong } = count;
        println!("{group:<10} {cases:>6} {values:>7} {errors:>7} {costs:>7} {wrong:>7}");
    }
    let cases: usize = counts.values().map(|count| count.cases).sum();
    assert!(wrong.is_empty(), "{} of {cases} evaluations differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(cases > 5_200 || are_from_elsewhere(), "only {cases} evaluations");
}
