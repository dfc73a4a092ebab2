//! The conformance tests of the CEL specification with the parser, checker and evaluator.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

#[path = "../../../tests/support/beside.rs"]
mod beside;

mod support;

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use cel::issue::place;
use cel::value::{Map, Value};
use cel::{Environment, PER_CALL_LIMIT, Program, Type, TypeProvider, Variable};
use serde_json::{Value as Json, json};
use support::encode::{encode, same as same_json};
use support::engine::Engine;
use support::{compile, context};

/// The results of the API server's own code: `rules spec` of `tests/oracle`, in the environment of stored rules.
const ANSWERS: &str = include_str!("../../../fixtures/cel/spec-answers.jsonl");

/// The reason why texts of numbers and values differ.
const STRINGS: &str =
    "Kubernetes has version 2 of cel-go's strings, which writes numbers in English and values as CEL does";

/// Tests whose outcome, here and on the API server, differs from the specification, and why.
const OTHERWISE: &[(&str, &str)] = &[
    (
        "fields/map_fields/map_bad_key_type_or_true",
        "cel-go refuses a constant key of that type when it makes the program",
    ),
    (
        "fields/map_fields/map_bad_key_type_and_false",
        "cel-go refuses a constant key of that type when it makes the program",
    ),
    (
        "fields/qualified_identifier_resolution/map_value_repeat_key",
        "cel-go takes the last value of a key that is there twice",
    ),
    ("namespace/namespace/self_eval_container_lookup", "rules have no container"),
    ("namespace/namespace/self_eval_container_lookup_unchecked", "rules have no container"),
    ("namespace/namespace_shadowing/basic", "rules have no container"),
    ("network_ext/ipv4/ipv4_equals_ipv6", "Kubernetes takes no IPv4-mapped addresses"),
    ("network_ext/ipv4/ipv4_not_equals_ipv6", "Kubernetes takes no IPv4-mapped addresses"),
    ("optionals/optionals/map_null_entry_no_such_key", "Kubernetes leaves EnableErrorOnBadPresenceTest off"),
    (
        "optionals/optionals/map_present_key_invalid_field",
        "Kubernetes leaves EnableErrorOnBadPresenceTest off",
    ),
    (
        "parse/bytes_literals/triple_single_quoted_unescaped_punctuation",
        "the data wants a backslash that the expression does not have",
    ),
    (
        "parse/bytes_literals/triple_double_quoted_unescaped_punctuation",
        "the data wants a backslash that the expression does not have",
    ),
    ("string_ext/value_errors/indexof_out_of_range", "cel-go finds nothing behind the end and says so"),
    ("string_ext/value_errors/lastindexof_out_of_range", "cel-go finds nothing behind the end and says so"),
    ("string_ext/format/scientific notation formatting clause", STRINGS),
    ("string_ext/format/default precision for scientific notation", STRINGS),
    ("string_ext/format/NaN support for scientific notation", STRINGS),
    ("string_ext/format/positive infinity support for scientific notation", STRINGS),
    ("string_ext/format/negative infinity support for scientific notation", STRINGS),
    ("string_ext/format/positive infinity support for fixed-point", STRINGS),
    ("string_ext/format/negative infinity support for fixed-point", STRINGS),
    ("string_ext/format/list support for string", STRINGS),
    ("string_ext/format/map support for string", STRINGS),
    ("string_ext/format/map support (all key types)", STRINGS),
    ("string_ext/format/dyntype support for scientific notation", STRINGS),
    ("string_ext/format/dyntype NaN/infinity support", STRINGS),
    ("string_ext/format/dyntype support for lists", STRINGS),
    ("string_ext/format/dyntype support for maps", STRINGS),
    ("string_ext/format/scientific notation formatting clause in a string variable", STRINGS),
];

/// No object types.
struct NoTypes;

impl TypeProvider for NoTypes {
    fn has_object(&self, _: &str) -> bool {
        false
    }

    fn field_type(&self, _: &str, _: &str) -> Option<Type> {
        None
    }

    fn field_names(&self, _: &str) -> Vec<String> {
        vec![]
    }
}

#[derive(Default, Clone, Copy)]
struct Count {
    passed: usize,
    /// The expression or its variables need protobuf messages.
    messages: usize,
    /// The expression is not valid in Kubernetes' environment.
    refused: usize,
    /// The outcome, here and on the API server, differs from the specification.
    otherwise: usize,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.messages += other.messages;
        self.refused += other.refused;
        self.otherwise += other.otherwise;
    }
}

/// The type of a variable; `None` for protobuf messages.
fn declared(of: &Json) -> Option<Type> {
    if let Some(primitive) = of["primitive"].as_str() {
        return Some(match primitive {
            "BOOL" => Type::Bool,
            "INT64" => Type::Int,
            "UINT64" => Type::Uint,
            "DOUBLE" => Type::Double,
            "STRING" => Type::String,
            "BYTES" => Type::Bytes,
            _ => return None,
        });
    }
    if of.get("dyn").is_some() || of["message_type"] == "google.protobuf.Value" {
        return Some(Type::Dyn);
    }
    if let Some(list) = of.get("list_type") {
        return Some(Type::list(declared(&list["elem_type"])?));
    }
    if let Some(map) = of.get("map_type") {
        return Some(Type::map(declared(&map["key_type"])?, declared(&map["value_type"])?));
    }
    None
}

/// A value of the data; `None` for protobuf messages.
fn value(json: &Json) -> Option<Value<'static>> {
    let (kind, of) = json.as_object()?.iter().next()?;
    Some(match kind.as_str() {
        "null_value" => Value::Null,
        "bool_value" => Value::Bool(of.as_bool()?),
        "int64_value" => Value::Int(of.as_str()?.parse().ok()?),
        "uint64_value" => Value::Uint(of.as_str()?.parse().ok()?),
        "double_value" => Value::Double(double(of)?),
        "string_value" => Value::text(of.as_str()?),
        "bytes_value" => Value::Bytes(BASE64.decode(of.as_str()?).ok()?.into()),
        "type_value" => Value::Type(cel::value::Text::from(of.as_str()?.to_owned())),
        "list_value" => {
            let empty = vec![];
            let values = of["values"].as_array().unwrap_or(&empty);
            Value::list(values.iter().map(value).collect::<Option<_>>()?)
        }
        "map_value" => {
            let empty = vec![];
            let entries = of["entries"].as_array().unwrap_or(&empty).iter();
            let entries = entries.map(|entry| Some((value(&entry["key"])?, value(&entry["value"])?)));
            Value::Map(Map::of_values(entries.collect::<Option<Vec<_>>>()?))
        }
        "object_value" => message(of)?,
        _ => return None,
    })
}

fn double(json: &Json) -> Option<f64> {
    match json.as_str() {
        Some("NaN") => Some(f64::NAN),
        Some("Infinity") => Some(f64::INFINITY),
        Some("-Infinity") => Some(f64::NEG_INFINITY),
        Some(text) => text.parse().ok(),
        None => json.as_f64(),
    }
}

/// Well-known protobuf messages that are values of CEL.
fn message(json: &Json) -> Option<Value<'static>> {
    let name = json["@type"].as_str()?.strip_prefix("type.googleapis.com/google.protobuf.")?;
    let of = &json["value"];
    let text = |function: &str| {
        let expression = format!("{function}('{}')", of.as_str()?);
        let (issues, ast, checked) = compile(&expression, &context(ENV, &[], &NoTypes));
        assert!(issues.is_empty());
        let program = Program::new(&ast, &checked, &[], &Engine).ok()?;
        let result = program.evaluate(&[], &Engine, u64::MAX).result.ok()?;
        match result {
            Value::Duration(nanos) => Some(Value::Duration(nanos)),
            Value::Timestamp(time) => Some(Value::Timestamp(time)),
            _ => None,
        }
    };
    Some(match name {
        "Duration" => text("duration")?,
        "Timestamp" => text("timestamp")?,
        "BoolValue" => Value::Bool(of.as_bool()?),
        "Int64Value" => Value::Int(of.as_str()?.parse().ok()?),
        "Int32Value" => Value::Int(of.as_i64()?),
        "UInt64Value" => Value::Uint(of.as_str()?.parse().ok()?),
        "UInt32Value" => Value::Uint(of.as_u64()?),
        "DoubleValue" => Value::Double(double(of)?),
        "FloatValue" => Value::Double(f64::from(double(of)? as f32)),
        "StringValue" => Value::text(of.as_str()?),
        "BytesValue" => Value::Bytes(BASE64.decode(of.as_str()?).ok()?.into()),
        _ => return None,
    })
}

/// Equality of values with their types; NaN equals itself.
fn same(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        // The JSON reader is inaccurate in the last digit of some numbers.
        (Value::Double(a), Value::Double(b)) => {
            a == b || (a.is_nan() && b.is_nan()) || ((a - b) / b).abs() < 1e-15
        }
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(&a.unwrap(), &b.unwrap()))
        }
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len()
                && a.entries().iter().all(|(key, value)| {
                    let found = b.entries().into_iter().find(|(other, _)| same(key, other));
                    found.is_some_and(|(_, other)| same(value.as_ref().unwrap(), &other.unwrap()))
                })
        }
        _ => {
            format!("{a:?}").replace("Shared(", "").replace("Borrowed(", "")
                == format!("{b:?}").replace("Shared(", "").replace("Borrowed(", "")
        }
    }
}

const ENV: Environment = Environment::for_stored_rules();

/// The outcome of a test. The API server's own code (`tests/oracle/rules spec`) must agree, or the test fails.
enum TestOutcome {
    /// The outcome of the specification.
    Passed,
    /// Its variables, its values or the names in it are protobuf messages.
    Messages,
    /// The expression is not valid in Kubernetes' environment: both reject it, with the same errors at the
    /// same positions.
    Refused(String),
    /// An outcome other than the specification's.
    Otherwise,
    Failed(String),
}

/// Names of messages and enumerations that only tests of the specification use.
const MESSAGES: [&str; 4] = ["cel.expr", "TestAllTypes", "GlobalEnum", "TestRequired"];

fn run(test: &Json, answer: &Json) -> TestOutcome {
    if answer.get("unstated").is_some() {
        return TestOutcome::Messages;
    }
    let text = test["expr"].as_str().unwrap();
    let mut variables = vec![];
    for declaration in test["type_env"].as_array().into_iter().flatten() {
        let name = declaration["name"].as_str().unwrap().to_owned();
        match declared(&declaration["ident"]["type"]) {
            Some(of) => variables.push(Variable { name, variable_type: of }),
            None => return TestOutcome::Messages,
        }
    }
    let mut values = vec![];
    for variable in &variables {
        let bound = test["bindings"].get(&variable.name);
        match bound.map(|bound| value(&bound["value"])) {
            None => values.push(None),
            Some(Some(value)) => values.push(Some(Ok(value))),
            Some(None) => return TestOutcome::Messages,
        }
    }
    let (issues, ast, checked) = compile(text, &context(ENV, &variables, &NoTypes));
    let located = issues.iter().map(|issue| {
        let at = place(text, issue.anchor);
        json!([at.line, at.column, issue.message])
    });
    let ours: Vec<Json> = located.collect();
    let theirs = answer["issues"].as_array().cloned().unwrap_or_default();
    let is_message = MESSAGES.iter().any(|name| text.contains(name));
    if ours != theirs {
        return TestOutcome::Failed(format!("{text}\n   ours {ours:?}\n server {theirs:?}"));
    }
    if let Some(issue) = issues.first() {
        return if is_message { TestOutcome::Messages } else { TestOutcome::Refused(issue.message.clone()) };
    }
    if test["check_only"] == true {
        return TestOutcome::Passed;
    }
    let program = Program::new(&ast, &checked, &variables, &Engine);
    let (result, cost) = match &program {
        Ok(program) => {
            let evaluation = program.evaluate(&values, &Engine, PER_CALL_LIMIT);
            (evaluation.result, Some(evaluation.cost))
        }
        Err(error) => (Err(error.clone()), None),
    };
    let is_as_the_server = match &result {
        Ok(value) => answer.get("value").is_some_and(|theirs| same_json(&encode(value), theirs)),
        Err(_) => answer["evalError"].is_string(),
    };
    // Go iterates over a map in random order, so the cost of finding the first match may be random.
    let costs_the_same = cost == answer["runtimeCost"].as_u64() || answer["random"] == true;
    if !is_as_the_server || !costs_the_same {
        return TestOutcome::Failed(format!("{text}\n   ours {result:?}, cost {cost:?}\n server {answer}"));
    }
    let wanted = match (test.get("value"), test["typed_result"].get("result")) {
        (Some(wanted), _) | (None, Some(wanted)) => match value(wanted) {
            Some(wanted) => Some(wanted),
            None => return TestOutcome::Messages,
        },
        _ if test.get("eval_error").is_some() => None,
        _ => Some(Value::Bool(true)),
    };
    match (&result, &wanted) {
        (Err(_), None) => TestOutcome::Passed,
        (Ok(ours), Some(wanted)) if same(ours, wanted) => TestOutcome::Passed,
        _ => TestOutcome::Otherwise,
    }
}

#[test]
fn expressions_evaluate_as_specified() {
    let Some(root) = beside::shared("cel-spec", "skipped") else { return };
    let mut files: Vec<_> = std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let mut answers = ANSWERS.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let mut failed = vec![];
    let mut otherwise = BTreeSet::new();
    let mut refusals: BTreeMap<String, usize> = BTreeMap::new();
    let mut total = Count::default();
    println!("{:<44} {:>7} {:>9} {:>8} {:>9}", "file/section", "passed", "messages", "refused", "otherwise");
    for path in files {
        let file: Json = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for section in file["section"].as_array().into_iter().flatten() {
            let name = format!("{}/{}", file["name"].as_str().unwrap(), section["name"].as_str().unwrap());
            let mut count = Count::default();
            for test in section["test"].as_array().into_iter().flatten() {
                let id = format!("{name}/{}", test["name"].as_str().unwrap());
                let answer = answers.next().unwrap();
                assert_eq!(answer["id"], id);
                match run(test, &answer) {
                    TestOutcome::Passed => count.passed += 1,
                    TestOutcome::Messages => count.messages += 1,
                    TestOutcome::Refused(why) => {
                        count.refused += 1;
                        let why = why.split('\'').next().unwrap().to_owned();
                        let why = format!("{}: {why}", file["name"].as_str().unwrap());
                        *refusals.entry(why).or_default() += 1;
                    }
                    TestOutcome::Otherwise => {
                        count.otherwise += 1;
                        otherwise.insert(id);
                    }
                    TestOutcome::Failed(how) => failed.push(format!("{id}: {how}")),
                }
            }
            let Count { passed, messages, refused, otherwise } = count;
            println!("{name:<44} {passed:>7} {messages:>9} {refused:>8} {otherwise:>9}");
            total.add(count);
        }
    }
    println!("refused by Kubernetes' environment: {refusals:#?}");
    println!("otherwise than the specification, and why:");
    OTHERWISE.iter().for_each(|(id, why)| println!("  {id}: {why}"));
    let Count { passed, messages, refused, otherwise: others } = total;
    println!(
        "{passed} passed, {messages} need messages, {refused} refused as by the API server, {others} otherwise as there"
    );
    assert!(failed.is_empty(), "{} tests differ from the API server:\n{}", failed.len(), failed.join("\n"));
    let known: BTreeSet<_> = OTHERWISE.iter().map(|(id, _)| (*id).to_owned()).collect();
    assert_eq!(otherwise, known, "the tests that are explained are those that end otherwise");
    assert_eq!((passed, messages, refused), (1372, 624, 431));
}
