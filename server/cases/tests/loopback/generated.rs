//! Objects that are generated for definitions without cases.

use std::collections::{BTreeMap, BTreeSet};

use cases::coverage::{Coverage, ItemKind};
use cases::generate::{GeneratedCase, missing_cases};
use cases::{Definition, KubernetesVersion};
use serde_json::{Value, json};

use super::corpus::{self, alone, definitions, in_group};
use super::http::HttpResponse;
use super::server::{InstalledDefinition, causes, message, own_causes};
use super::{beside, for_each, json, without};

/// The maximum number of objects of one version that are sent to the server.
const MOST_OBJECTS: usize = 1_000;

/// A version of a definition; each schema occurs once.
pub(crate) struct Subject {
    pub(crate) title: String,
    /// The definition's name and the version.
    pub(crate) name: String,
    pub(crate) definition: Value,
}

/// The result for one version.
#[derive(Default)]
struct Outcome {
    requests: usize,
    differences: Vec<String>,
    /// By the text of a rule, which of its sides have an object, and the position of the rule.
    rules: BTreeMap<String, ([bool; 2], String)>,
    skipped: Option<String>,
}

/// The versions of all definitions, in groups whose names start with `letter`.
pub(crate) fn subjects(letter: char) -> Vec<Subject> {
    let mut seen = BTreeSet::new();
    let mut subjects = Vec::new();
    for definition in definitions().into_values().flatten() {
        let name = definition.value["metadata"]["name"].as_str().unwrap_or_default();
        let versions = definition.value["spec"]["versions"].as_array().unwrap();
        for (number, version) in versions.iter().enumerate() {
            let title = format!("{} {}", definition.file, version["name"].as_str().unwrap());
            let is_wanted = environment::only().is_none_or(|only| title.contains(&only));
            if is_wanted && seen.insert(version["schema"].to_string()) {
                let group = format!("{letter}{}.{}", subjects.len(), corpus::group());
                let definition = alone(&in_group(&definition.value, &group), number);
                let name = format!("{name}\t{}", version["name"].as_str().unwrap());
                subjects.push(Subject { title, name, definition });
            }
        }
    }
    subjects
}

#[test]
fn generated_objects_get_the_same_verdict_as_from_the_server() {
    let Some(url) = environment::api_server() else {
        return beside::skipped("CRD_LS_API_SERVER names no server");
    };
    let url = url.split(',').next().unwrap_or_default();
    let subjects = subjects('g');
    let outcomes = for_each(url, &subjects, |client, subject| {
        let start = std::time::Instant::now();
        let outcome = outcome(client, subject);
        eprintln!("{}: {} objects in {:.1?}", subject.title, outcome.requests, start.elapsed());
        outcome.differences.iter().for_each(|difference| eprintln!("{difference}\n"));
        outcome
    });
    let mut rules: BTreeMap<&str, ([bool; 2], &str)> = BTreeMap::new();
    let (mut requests, mut differences, mut skipped) = (0, Vec::new(), 0);
    for (subject, outcome) in subjects.iter().zip(&outcomes) {
        requests += outcome.requests;
        differences.extend(&outcome.differences);
        if let Some(reason) = &outcome.skipped {
            skipped += 1;
            eprintln!("skipped {}: {reason}", subject.title);
        }
        for (rule, (sides, place)) in &outcome.rules {
            let known = rules.entry(rule).or_insert(([false; 2], place));
            known.0 = [known.0[0] || sides[0], known.0[1] || sides[1]];
        }
    }
    let both = rules.values().filter(|(sides, _)| *sides == [true; 2]).count();
    eprintln!("{requests} objects of {} versions, {skipped} skipped", subjects.len());
    eprintln!("{both} of {} rules have an object that passes and one that fails", rules.len());
    let missing_things = rules.values().filter(|(sides, _)| *sides != [true; 2]);
    let missing_things: BTreeMap<&str, &str> =
        missing_things.map(|(sides, place)| (*place, missing(*sides))).collect();
    let unknown = without::compare(&missing_things);
    assert!(differences.is_empty(), "{} differences", differences.len());
    if environment::only().is_none() {
        assert!(requests >= 10_000, "{requests} objects are too few");
        assert!(both * 10 >= rules.len() * 9, "{both} of {} rules are too few", rules.len());
        assert!(unknown.is_empty(), "without an object, and not in the list: {unknown:?}");
    }
}

/// The sides without an object.
fn missing([accepted, rejected]: [bool; 2]) -> &'static str {
    match (accepted, rejected) {
        (false, false) => "both",
        (false, true) => "accepted",
        _ => "rejected",
    }
}

fn outcome(client: &super::http::Client, subject: &Subject) -> Outcome {
    let text = subject.definition.to_string();
    let mut outcome = Outcome::default();
    let definition = Definition::all(&text, KubernetesVersion::NEWEST).pop().unwrap();
    let ours = definition.errors.iter().chain(&definition.cost_errors).next();
    let installed = match (ours, InstalledDefinition::new(client, &subject.definition)) {
        (None, Ok(installed)) => installed,
        (Some(error), Err(_)) => return Outcome { skipped: Some(error.clone()), ..outcome },
        (ours, theirs) => {
            let theirs = theirs.err();
            outcome.differences.push(format!("{}\n  we: {ours:?}\n  server: {theirs:?}", subject.title));
            return outcome;
        }
    };
    let version = definition.versions.first().unwrap();
    let path = installed.path(&version.name);
    let mut coverage = Coverage::new(version, KubernetesVersion::NEWEST);
    let made = missing_cases(&mut coverage);
    // Wide definitions without rules have thousands of objects.
    let step = made.len().div_ceil(environment::at_most(MOST_OBJECTS).clamp(1, made.len().max(1))).max(1);
    for made in made.iter().step_by(step) {
        outcome.requests += 1;
        let answer = answer(&installed, &path, made, version.has_status);
        let is_right = match answer {
            (200 | 201, _) => made.errors.is_empty(),
            _ => causes(&answer).is_some_and(|causes| is_reported(made, &causes)),
        };
        if !is_right {
            outcome.differences.push(format!(
                "{}: {}\n  we: {:?}\n  server: {} {}\n  given: {}\n  object: {}",
                subject.title,
                made.name,
                made.errors,
                answer.0,
                message(&answer.1),
                made.given.as_ref().map(|given| given.to_json().to_string()).unwrap_or_default(),
                made.object.to_json(),
            ));
        }
    }
    let mut count = BTreeMap::new();
    for item in coverage.items.iter().filter(|item| item.kind == ItemKind::Rule) {
        let sides = item.sides.map(|side| side == Some(true));
        let number: &mut usize = count.entry(&item.path).or_default();
        *number += 1;
        let place = format!("{}\t{}\t{number}", subject.name, item.path);
        let known = outcome.rules.entry(item.text.clone()).or_insert(([false; 2], place));
        known.0 = [known.0[0] || sides[0], known.0[1] || sides[1]];
    }
    outcome
}

/// Whether the errors of a case equal those of an answer.
fn is_reported(made: &GeneratedCase, causes: &[(String, String)]) -> bool {
    let own = own_causes(&made.errors);
    !own.is_empty() && own == causes
}

/// The server's answer to a case; created objects are deleted afterwards.
pub(crate) fn answer(
    installed: &InstalledDefinition<'_>,
    path: &str,
    made: &GeneratedCase,
    has_status: bool,
) -> HttpResponse {
    let client = installed.client();
    let mut object = json(&made.object);
    let Some(given) = &made.given else {
        return client.post(&format!("{path}?dryRun=All"), &object);
    };
    let given = json(given);
    let name = given["metadata"]["name"].as_str().unwrap_or_default();
    let own = format!("{path}/{name}");
    let answer = given_and_replaced(installed, (path, &own), &given, &mut object, has_status);
    client.delete(&own);
    answer
}

fn given_and_replaced(
    installed: &InstalledDefinition<'_>,
    (path, own): (&str, &str),
    given: &Value,
    object: &mut Value,
    has_status: bool,
) -> HttpResponse {
    let client = installed.client();
    let (code, mut stored) = client.post(path, given);
    if code != 201 {
        return (0, json!({"message": format!("given: {}", message(&stored))}));
    }
    if has_status && given.get("status").is_some() {
        stored["status"] = given["status"].clone();
        let answer = client.put(&format!("{own}/status"), &stored);
        if answer.0 != 200 {
            return (0, json!({"message": format!("given's status: {}", message(&answer.1))}));
        }
        stored = answer.1;
    }
    object["metadata"]["name"] = stored["metadata"]["name"].clone();
    object["metadata"]["resourceVersion"] = stored["metadata"]["resourceVersion"].clone();
    let answer = client.put(own, object);
    let (200, true, Some(status)) = (answer.0, has_status, object.get("status")) else { return answer };
    let mut replaced = answer.1;
    replaced["status"] = status.clone();
    client.put(&format!("{own}/status"), &replaced)
}
