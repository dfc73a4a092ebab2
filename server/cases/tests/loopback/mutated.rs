//! Changed rules that no case detects, as `crd-ls test --mutate` lists them: no case detects them on the
//! server either, and an object that is reported to distinguish the rules does so on the server.

use std::collections::BTreeSet;

use cases::coverage::{Coverage, ItemKind};
use cases::generate::{GeneratedCase, missing_cases};
use cases::mutate::{Mutant, definition_with, killing_object, mutants};
use cases::{Case, CaseFormat, Definition, ExpectedResponse, KubernetesVersion, run};
use serde_json::Value;

use super::generated::{Subject, answer, subjects};
use super::http::Client;
use super::server::{InstalledDefinition, message};
use super::{beside, for_each};

const SERVER: KubernetesVersion = KubernetesVersion::NEWEST;
/// The number of definitions that are tried, among those with a rule that no earlier definition has.
const USUAL: usize = 40;
/// The maximum number of undetected changes of one definition that are tried on the server.
const MOST_SURVIVORS: usize = 12;
/// The maximum number of changes of the rules of one definition that are tried.
const MOST_MUTANTS: usize = 400;

#[derive(Default)]
struct Outcome {
    mutants: usize,
    survivors: usize,
    tried: usize,
    requests: usize,
    distinguished: usize,
    differences: Vec<String>,
}

#[test]
fn no_case_kills_a_survivor_on_the_server() {
    let Some(url) = environment::api_server() else {
        return beside::skipped("CRD_LS_API_SERVER names no server");
    };
    let url = url.split(',').next().unwrap_or_default();
    let all = with_new_rules();
    let step = all.len().div_ceil(environment::at_most(USUAL).clamp(1, all.len().max(1))).max(1);
    let subjects: Vec<&Subject> = all.iter().step_by(step).collect();
    let outcomes = for_each(url, &subjects, |client, subject| {
        let outcome = outcome(client, subject);
        eprintln!("{}: {} of {} survive", subject.title, outcome.survivors, outcome.mutants);
        outcome.differences.iter().for_each(|difference| eprintln!("{difference}\n"));
        outcome
    });
    let sum = |of: fn(&Outcome) -> usize| outcomes.iter().map(of).sum::<usize>();
    eprintln!(
        "{} changed rules of {} definitions, {} survive; {} of these tried with {} cases; an object distinguishes {}",
        sum(|it| it.mutants),
        subjects.len(),
        sum(|it| it.survivors),
        sum(|it| it.tried),
        sum(|it| it.requests),
        sum(|it| it.distinguished),
    );
    let differences = sum(|it| it.differences.len());
    assert_eq!(differences, 0, "differences");
}

/// The definitions with a rule that no earlier definition has.
fn with_new_rules() -> Vec<Subject> {
    let mut known = BTreeSet::new();
    let mut all = subjects('m');
    all.retain(|subject| {
        let mut rules = Vec::new();
        collect_rules(&subject.definition, &mut rules);
        // Every rule is inserted, without a short circuit, so that all become known.
        rules.into_iter().filter(|rule| known.insert(rule.clone())).count() > 0
    });
    all
}

fn collect_rules(value: &Value, rules: &mut Vec<String>) {
    if let Some(list) = value.get("x-kubernetes-validations").and_then(Value::as_array) {
        rules.extend(list.iter().filter_map(|rule| rule["rule"].as_str()).map(str::to_owned));
    }
    match value {
        Value::Object(members) => members.values().for_each(|member| collect_rules(member, rules)),
        Value::Array(items) => items.iter().for_each(|item| collect_rules(item, rules)),
        _ => {}
    }
}

fn outcome(client: &Client, subject: &Subject) -> Outcome {
    let mut outcome = Outcome::default();
    let definition = Definition::all(&subject.definition.to_string(), SERVER).pop().unwrap();
    if !definition.errors.is_empty() || !definition.cost_errors.is_empty() {
        return outcome;
    }
    let version = definition.versions.first().unwrap();
    let mut coverage = Coverage::new(version, SERVER);
    if !coverage.items.iter().any(|item| item.kind == ItemKind::Rule) {
        return outcome;
    }
    let made = missing_cases(&mut coverage);
    let cases: Vec<Case> = made.iter().map(case).collect();
    let mutants = mutants(&definition, &coverage);
    let step = mutants.len().div_ceil(MOST_MUTANTS).max(1);
    let some: Vec<&Mutant> = mutants.iter().step_by(step).collect();
    outcome.mutants = some.len();
    let is_alive = |mutant: &&Mutant| {
        cases.iter().all(|case| run(case, &definition, &mutant.version, SERVER, &mut |_| {}).is_ok())
    };
    let survivors: Vec<&Mutant> = some.into_iter().filter(is_alive).collect();
    outcome.survivors = survivors.len();
    if survivors.is_empty() {
        return outcome;
    }
    let step = survivors.len().div_ceil(MOST_SURVIVORS);
    let killers = survivors.iter().step_by(step).map(|mutant| {
        let found = killing_object(mutant, &coverage);
        let killer = found.map(|(given, object)| GeneratedCase {
            name: String::new(),
            shows: String::new(),
            given,
            object,
            errors: Vec::new(),
        });
        (*mutant, killer)
    });
    let survivors: Vec<(&Mutant, Option<GeneratedCase>)> = killers.collect();
    let mut installed = match InstalledDefinition::new(client, &subject.definition) {
        Ok(installed) => installed,
        Err(error) => {
            outcome.differences.push(format!("{}\n  server: {error}", subject.title));
            return outcome;
        }
    };
    let path = installed.path(&version.name);
    let is_accepted = |installed: &InstalledDefinition<'_>, made: &GeneratedCase| {
        let (code, _) = answer(installed, &path, made, version.has_status);
        matches!(code, 200 | 201)
    };
    let before: Vec<bool> = survivors
        .iter()
        .map(|(_, killer)| killer.as_ref().is_some_and(|made| is_accepted(&installed, made)))
        .collect();
    for ((mutant, killer), before) in survivors.iter().zip(before) {
        outcome.tried += 1;
        let rule = &coverage.items.get(mutant.item).unwrap().text;
        let title = format!("{}\n  - {rule}\n  + {}", subject.title, mutant.rule);
        let changed = definition_with(mutant, &definition, &coverage).unwrap().to_string();
        if let Err(error) = installed.replace(&serde_json::from_str(&changed).unwrap()) {
            outcome.differences.push(format!("{title}\n  server: {error}"));
            continue;
        }
        for made in &made {
            outcome.requests += 1;
            let (code, reply) = answer(&installed, &path, made, version.has_status);
            if matches!(code, 200 | 201) != made.errors.is_empty() {
                let object = made.object.to_json();
                outcome
                    .differences
                    .push(format!("{title}\n  killed by {object}\n  {code} {}", message(&reply)));
            }
        }
        let Some(killer) = killer else { continue };
        outcome.distinguished += 1;
        if is_accepted(&installed, killer) == before {
            let object = killer.object.to_json();
            outcome.differences.push(format!("{title}\n  not distinguished by {object}: {before}"));
        }
    }
    outcome
}

/// The case of a generated object; only the verdict of its answer counts, because a message may quote the rule.
fn case(made: &GeneratedCase) -> Case {
    Case {
        name: made.name.clone(),
        line: 1,
        form: CaseFormat::Own,
        patches: Vec::new(),
        given: made.given.clone().map(Ok),
        object: Ok(made.object.clone()),
        expected: ExpectedResponse { accepted: Some(made.errors.is_empty()), ..ExpectedResponse::default() },
    }
}
