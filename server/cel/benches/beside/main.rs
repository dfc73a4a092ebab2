//! Compares our compiler and evaluator with cel-go, which `tests/oracle/rules` times: the same rules, schemas
//! and values, in one run, by CPU time. `docs/performance.md` describes how to run it, and the results.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "../../tests/support/mod.rs"]
mod support;

mod corpus;
mod recorded;

use std::fs::File;
use std::hint::black_box;
use std::process::Command;
use std::time::Duration;

use cel::value::{DataSchema, Value};
use cel::{DeclType, Environment, PER_CALL_LIMIT, Program, TypeProvider, Variable};
use cpu_time::ThreadTime;
use crd::cel::DeclaredTypes;
use crd::regexp::Engine;
use serde_json::{Value as Json, json};
use support::data::{Data, data_schema};

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 5;
const ENV: Environment = Environment::for_new_rules(37);

/// A schema node with rules, and values of it.
pub struct Node {
    schema: Json,
    root: bool,
    of: DeclType,
    data: DataSchema,
    rules: Vec<Rule>,
    values: Vec<Json>,
}

pub struct Rule {
    text: String,
    optional_old_self: bool,
    /// The indices of the values of `self` and `oldSelf`, pair by pair.
    on: Vec<[Option<usize>; 2]>,
}

impl Node {
    /// `None` if CEL cannot use the schema.
    fn new(schema: &Json, root: bool) -> Option<Self> {
        let root = root || schema["x-kubernetes-embedded-resource"] == true;
        Some(Self {
            of: support::decl(schema, root)?,
            data: data_schema(schema, root),
            schema: schema.clone(),
            root,
            rules: vec![],
            values: vec![],
        })
    }

    /// The job in the oracle's format.
    fn job(&self) -> Json {
        let index = |at: Option<usize>| at.map_or(-1, |at| at as i64);
        let rules = self.rules.iter().map(|rule| {
            let on: Vec<_> = rule.on.iter().map(|on| [index(on[0]), index(on[1])]).collect();
            json!({"rule": rule.text, "optionalOldSelf": rule.optional_old_self, "on": on})
        });
        let rules: Vec<_> = rules.collect();
        json!({"schema": self.schema, "root": self.root, "rules": rules, "values": self.values})
    }

    /// The cost of a rule, and its program if `wants_program`; `None` if the rule does not compile.
    fn compile(&self, rule: &Rule, wants_program: bool) -> Option<(u64, Option<Program>)> {
        let types = DeclaredTypes::new(&self.of);
        let of = types.root_type();
        let old = if rule.optional_old_self { cel::Type::optional(of.clone()) } else { of.clone() };
        let variables = [
            Variable { name: "self".to_owned(), variable_type: of },
            Variable { name: "oldSelf".to_owned(), variable_type: old },
        ];
        let provider: &dyn TypeProvider = &types;
        let (issues, ast, checked) =
            support::compile(&rule.text, &support::context(ENV, &variables, provider));
        if !issues.is_empty() || *checked.type_of(ast.root()) != cel::Type::Bool {
            return None;
        }
        let program = match wants_program {
            true => Some(Program::new(&ast, &checked, &variables, &Engine::new()).ok()?),
            false => None,
        };
        Some((cel::estimate(&ast, &checked, &self.of).max, program))
    }
}

/// The results of a run and the duration of each round; the same type for ours and for cel-go's.
#[derive(Default, PartialEq, Debug)]
struct Outcome {
    rules: u64,
    cost: u64,
    evaluations: u64,
    is_true: u64,
    failed: u64,
}

#[derive(Default)]
struct Run {
    outcome: Outcome,
    runtime_cost: u64,
    /// Compilation as in the server, compilation alone, evaluation.
    rounds: [Vec<Duration>; 3],
}

fn main() {
    let sets = [("rules of real definitions", corpus::nodes()), ("recorded expressions", recorded::nodes())];
    for (name, mut nodes) in sets {
        for node in &mut nodes {
            let mut rules = std::mem::take(&mut node.rules);
            rules.retain(|rule| node.compile(rule, true).is_some());
            node.rules = rules;
        }
        nodes.retain(|node| !node.rules.is_empty());
        if nodes.is_empty() {
            println!("{name}: none here");
            continue;
        }
        let ours = ours(&nodes);
        let Outcome { rules, evaluations, .. } = ours.outcome;
        println!("{name}: {rules} rules of {} schemas, {evaluations} evaluations", nodes.len());
        let theirs = theirs(&nodes);
        if let Some(theirs) = &theirs {
            assert_eq!(ours.outcome, theirs.outcome, "both do the same");
            let difference = ours.runtime_cost.abs_diff(theirs.runtime_cost);
            // Go iterates over maps in random order.
            assert!(difference * 1_000 < ours.runtime_cost, "{} {}", ours.runtime_cost, theirs.runtime_cost);
        }
        print(&ours, theirs.as_ref());
    }
}

fn ours(nodes: &[Node]) -> Run {
    let values: Vec<Vec<Data>> =
        nodes.iter().map(|node| node.values.iter().map(Data::of).collect()).collect();
    let programs: Vec<Vec<Program>> = nodes
        .iter()
        .map(|node| node.rules.iter().map(|rule| node.compile(rule, true).unwrap().1.unwrap()).collect())
        .collect();
    let mut run = Run::default();
    // The first round warms up.
    for round in 0..=ROUNDS {
        let mut outcome = Outcome::default();
        let mut alone = 0;
        let mut runtime_cost = 0u64;
        let times = [
            timed(|| {
                for (node, rule) in rules(nodes) {
                    let (cost, program) = node.compile(rule, true).unwrap();
                    black_box(program);
                    outcome.rules += 1;
                    outcome.cost = outcome.cost.saturating_add(cost);
                }
            }),
            timed(|| {
                for (node, rule) in rules(nodes) {
                    alone = u64::saturating_add(alone, node.compile(rule, false).unwrap().0);
                }
            }),
            timed(|| {
                let engine = Engine::new();
                for ((node, programs), values) in nodes.iter().zip(&programs).zip(&values) {
                    for (rule, program) in node.rules.iter().zip(programs) {
                        for on in &rule.on {
                            let [this, old] =
                                on.map(|at| at.map(|at| Value::of_data(&values[at], &node.data)));
                            let old = match (rule.optional_old_self, old) {
                                (true, Some(old)) => Some(Ok(Value::some(old.unwrap()))),
                                (true, None) => Some(Ok(Value::Optional(None))),
                                (false, old) => old,
                            };
                            let found = program.evaluate(&[this, old], &engine, PER_CALL_LIMIT);
                            outcome.evaluations += 1;
                            outcome.is_true += u64::from(matches!(found.result, Ok(Value::Bool(true))));
                            outcome.failed += u64::from(found.result.is_err());
                            runtime_cost += found.cost;
                        }
                    }
                }
            }),
        ];
        assert_eq!(alone, outcome.cost);
        if round > 0 {
            run.rounds.iter_mut().zip(times).for_each(|(rounds, time)| rounds.push(time));
        }
        (run.outcome, run.runtime_cost) = (outcome, runtime_cost);
    }
    run
}

fn rules(nodes: &[Node]) -> impl Iterator<Item = (&Node, &Rule)> {
    nodes.iter().flat_map(|node| node.rules.iter().map(move |rule| (node, rule)))
}

fn timed(run: impl FnOnce()) -> Duration {
    let start = ThreadTime::now();
    run();
    start.elapsed()
}

/// cel-go's run, if its program is next to the one that `CRD_LS_ORACLE` names.
fn theirs(nodes: &[Node]) -> Option<Run> {
    let Some(oracle) = environment::rules_oracle() else {
        println!("cel-go is not timed: the program of tests/oracle/rules is not beside CRD_LS_ORACLE");
        return None;
    };
    let jobs: String = nodes.iter().map(|node| format!("{}\n", node.job())).collect();
    let file = std::env::temp_dir().join(format!("crd-ls-rules-{}.jsonl", std::process::id()));
    std::fs::write(&file, jobs).unwrap();
    let input = File::open(&file).unwrap();
    let output = Command::new(oracle).args(["time", &ROUNDS.to_string()]).stdin(input).output().unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Json = serde_json::from_slice(&output.stdout).unwrap();
    let number = |key: &str| found[key].as_u64().unwrap();
    let rounds = ["server", "alone", "evaluate"].map(|key| {
        let nanos = found[key].as_array().unwrap().iter();
        nanos.map(|nanos| Duration::from_nanos(nanos.as_u64().unwrap())).collect()
    });
    let outcome = Outcome {
        rules: number("rules"),
        cost: number("cost"),
        evaluations: number("evaluations"),
        is_true: number("true"),
        failed: number("failed"),
    };
    Some(Run { outcome, runtime_cost: number("runtimeCost"), rounds })
}

/// Medians for one rule or one evaluation.
fn print(ours: &Run, theirs: Option<&Run>) {
    println!("  {:<52} {:>12} {:>12} {:>8}", "one of them, median of CPU time", "crd-ls", "cel-go", "ratio");
    let Outcome { rules, evaluations, .. } = ours.outcome;
    let rows = [
        ("compile, program, cost, as the server, per rule", rules),
        ("compile and cost, environment ready, per rule", rules),
        ("evaluate, per evaluation", evaluations),
    ];
    for (at, (name, count)) in rows.into_iter().enumerate() {
        let each = |run: &Run| {
            let mut rounds = run.rounds[at].clone();
            rounds.sort_unstable();
            rounds[rounds.len() / 2].as_secs_f64() * 1e6 / count as f64
        };
        let own = each(ours);
        match theirs.map(each) {
            Some(other) => {
                println!("  {name:<52} {own:>9.2} µs {other:>9.2} µs {:>7.1}×", other / own);
            }
            None => println!("  {name:<52} {own:>9.2} µs"),
        }
    }
}
