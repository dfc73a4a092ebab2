//! The recorded cases and their schemas.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code, missing_docs, unreachable_pub)]

pub mod data;
pub mod encode;
pub mod engine;

use cel::{
    Context, DeclField, DeclType, Declarations, Environment, Issue, StringBounds, TypeProvider, Variable,
};
use serde_json::Value;

const CASES: &str = include_str!("../../../../fixtures/cel/cases.jsonl");
const RANDOM: &str = include_str!("../../../../fixtures/cel/random.jsonl");
const EVALUATIONS: &str = include_str!("../../../../fixtures/cel/random-evaluations.jsonl");
const SCHEMAS: &str = include_str!("../../../../fixtures/cel/schemas.json");
const CASES_FROM_ELSEWHERE: &str = "cel/cases.jsonl";

/// A recorded case; `fixtures/cel/README.md` describes the keys.
pub struct Case {
    pub json: Value,
    pub id: String,
    pub text: String,
}

/// The recorded cases, or cases from another fixture directory, for runs with many more random expressions.
pub fn cases() -> Vec<Case> {
    match environment::fixtures(CASES_FROM_ELSEWHERE) {
        Some(path) => read(&std::fs::read_to_string(path).unwrap()),
        None => read(CASES).into_iter().chain(read(RANDOM)).collect(),
    }
}

/// Whether the cases come from another fixture directory.
pub fn are_from_elsewhere() -> bool {
    environment::fixtures(CASES_FROM_ELSEWHERE).is_some()
}

/// The recorded evaluations: those among the cases, and those of random expressions.
pub fn evaluations() -> Vec<Case> {
    let mut all = cases();
    if !are_from_elsewhere() {
        all.extend(read(EVALUATIONS));
    }
    let is_evaluated =
        |case: &Case| ["value", "evalError", "runtimeCost"].iter().any(|key| case.json.get(key).is_some());
    all.retain(is_evaluated);
    all
}

fn read(lines: &str) -> Vec<Case> {
    let case = |line: &str| {
        let json: Value = serde_json::from_str(line).unwrap();
        let text = match &json["expr"] {
            Value::Array(parts) => parts
                .iter()
                .map(|part| part[0].as_str().unwrap().repeat(part[1].as_u64().unwrap() as usize))
                .collect(),
            text => text.as_str().unwrap().to_owned(),
        };
        Case { id: json["id"].as_str().unwrap().to_owned(), text, json }
    };
    lines.lines().map(case).collect()
}

/// The schemas of the cases, or those of the other fixture directory.
pub fn schemas() -> Value {
    match environment::fixtures("cel/schemas.json") {
        Some(path) => serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap(),
        None => serde_json::from_str(SCHEMAS).unwrap(),
    }
}

impl Case {
    pub fn str<'a>(&'a self, key: &str, default: &'a str) -> &'a str {
        self.json[key].as_str().unwrap_or(default)
    }

    pub fn flag(&self, key: &str) -> bool {
        self.json[key].as_bool().unwrap_or(false)
    }

    pub fn minor(&self) -> u8 {
        self.str("version", "1.37").strip_prefix("1.").unwrap().parse().unwrap()
    }

    pub fn env(&self) -> Environment {
        if self.flag("stored") {
            Environment::for_stored_rules()
        } else {
            Environment::for_new_rules(self.minor())
        }
    }

    /// Issues as (line, column, message); issues without a position come from stages after the check.
    pub fn located(&self) -> Vec<(i64, i64, String)> {
        self.issues()
            .filter(|issue| issue.len() == 3)
            .map(|issue| {
                (
                    issue[0].as_i64().unwrap(),
                    issue[1].as_i64().unwrap(),
                    issue[2].as_str().unwrap().to_owned(),
                )
            })
            .collect()
    }

    /// Errors of the stages after the check.
    pub fn later(&self) -> Vec<String> {
        self.issues()
            .filter(|issue| issue.len() == 1)
            .map(|issue| issue[0].as_str().unwrap().to_owned())
            .collect()
    }

    fn issues(&self) -> impl Iterator<Item = &Vec<Value>> {
        self.json["issues"].as_array().into_iter().flatten().map(|issue| issue.as_array().unwrap())
    }

    pub fn declarations(&self, schemas: &Value) -> Declarations {
        let schema = &schemas[self.str("schema", "types.yaml")];
        Declarations::new(decl(schema, self.flag("root")).unwrap(), "selfType")
    }

    pub fn variables(&self, declarations: &Declarations) -> Vec<Variable> {
        cel::checker::rule_variables(declarations, self.flag("optionalOldSelf"))
    }
}

pub fn context<'a>(
    env: Environment,
    variables: &'a [Variable],
    provider: &'a dyn TypeProvider,
) -> Context<'a> {
    Context { env, variables, provider, regex_is_valid: |pattern| crd::regexp::parse(pattern).is_ok() }
}

/// All issues of the stage that the API server reaches, and the tree and types.
pub fn compile(text: &str, context: &Context<'_>) -> (Vec<Issue>, cel::ast::Ast, cel::CheckedExpr) {
    let (ast, parsed) = cel::parse(text, context.env.parse_options());
    let checked = cel::check(&ast, context);
    let issues = if parsed.is_empty() { checked.issues.clone() } else { parsed };
    (issues, ast, checked)
}

/// The declared type of a schema, as computed by the API server's `SchemaDeclType`.
pub fn decl(schema: &Value, root: bool) -> Option<DeclType> {
    let number = |key: &str| schema[key].as_i64();
    if schema["x-kubernetes-int-or-string"] == true {
        return Some(DeclType::int_or_string(number("maxLength")));
    }
    Some(match schema["type"].as_str()? {
        "boolean" => DeclType::boolean(),
        "integer" => DeclType::integer(),
        "number" => DeclType::number(),
        "string" => DeclType::string(StringBounds {
            format: schema["format"].as_str().unwrap_or_default(),
            max_length: number("maxLength"),
            longest_enum: schema["enum"].as_array().map(|values| {
                values.iter().filter_map(|v| v.as_str()).map(|v| v.len() as u64).max().unwrap_or(0)
            }),
        }),
        "array" => DeclType::list(decl(schema.get("items")?, false)?, number("maxItems")),
        "object" if schema["additionalProperties"].is_object() => {
            DeclType::map(decl(&schema["additionalProperties"], false)?, number("maxProperties"))
        }
        "object" => DeclType::object(fields(schema, root)),
        other => panic!("unknown type {other}"),
    })
}

fn fields(schema: &Value, root: bool) -> Vec<DeclField> {
    let empty = serde_json::Map::new();
    let mut properties = schema["properties"].as_object().unwrap_or(&empty).clone();
    if root && !types_its_metadata(schema) {
        let string = serde_json::json!({"type": "string"});
        // The recorder uses the code of 1.37 for every release; earlier servers have no maxLength here.
        let bounded = |max: u64| serde_json::json!({"type": "string", "maxLength": max});
        properties.insert("apiVersion".into(), string.clone());
        properties.insert("kind".into(), string.clone());
        let names = serde_json::json!({"name": bounded(253), "generateName": bounded(252)});
        properties.insert("metadata".into(), serde_json::json!({"type": "object", "properties": names}));
    }
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
    properties
        .iter()
        .filter_map(|(name, property)| {
            Some(DeclField {
                property: name.clone(),
                of: decl(property, property["x-kubernetes-embedded-resource"] == true)?,
                required: required(name),
                has_default: property.get("default").is_some(),
            })
        })
        .collect()
}

pub fn types_its_metadata(schema: &Value) -> bool {
    let properties = &schema["properties"];
    let metadata = &properties["metadata"];
    properties["kind"]["type"] == "string"
        && properties["apiVersion"]["type"] == "string"
        && metadata["type"] == "object"
        && metadata["properties"]["name"]["type"] == "string"
        && metadata["properties"]["generateName"]["type"] == "string"
}
