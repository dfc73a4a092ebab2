//! Pairs of definitions that replace each other: the effects on objects are those that `crd-ls rehearse` predicts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use cases::coverage::Coverage;
use cases::generate::missing_cases;
use cases::rehearse::{Effects, Validity, Violation, effects};
use cases::{Definition, KubernetesVersion, Value, object_of_text};
use serde_json::{Value as Json, json};

use super::corpus::{self, definitions, in_group};
use super::histories::steps;
use super::http::Client;
use super::server::{InstalledDefinition, causes, message, own_causes};
use super::{beside, etcd, for_each};

/// The group of the objects.
const GROUP: &str = "cases.example.com";
/// The maximum number of objects of one pair with the same fate.
const MOST_ALIKE: usize = 2;
const SERVER: KubernetesVersion = KubernetesVersion::NEWEST;

/// A definition and its replacement, both of [`GROUP`].
struct Pair {
    title: String,
    old: String,
    new: String,
}

/// The definition with one version, which has that schema.
fn with_schema(definition: &Json, schema: &Json, subresources: &Json) -> Json {
    let mut one = in_group(definition, GROUP);
    one["spec"]["versions"] = json!([{"name": "v1", "served": true, "storage": true, "schema": schema, "subresources": subresources}]);
    one
}

/// The steps of histories and, from the corpus, the definitions of one name and the versions of each
/// definition; each pair in both directions.
fn pairs() -> Vec<Pair> {
    let mut all: Vec<Pair> = of_corpus();
    all.extend(steps().into_iter().map(|step| Pair {
        title: step.title,
        old: in_group(&step.old, GROUP).to_string(),
        new: in_group(&step.new, GROUP).to_string(),
    }));
    let mut seen = BTreeSet::new();
    all.retain(|pair| {
        let is_wanted = environment::only().is_none_or(|only| pair.title.contains(&only));
        is_wanted && seen.insert((pair.old.clone(), pair.new.clone()))
    });
    all
}

fn of_corpus() -> Vec<Pair> {
    let mut all = Vec::new();
    for (name, definitions) in definitions() {
        let mut forms: Vec<Vec<(String, Json)>> = vec![Vec::new(), Vec::new()];
        for definition in &definitions {
            let title =
                |version: &Json| format!("{} {}", definition.file, version.as_str().unwrap_or_default());
            let versions = definition.value["spec"]["versions"].as_array().unwrap();
            forms[0].push((title(&json!("")), in_group(&definition.value, GROUP)));
            forms[1].extend(versions.iter().map(|version| {
                let one = with_schema(&definition.value, &version["schema"], &version["subresources"]);
                (title(&version["name"]), one)
            }));
        }
        for form in forms {
            let mut seen = BTreeSet::new();
            let distinct: Vec<_> = form.into_iter().filter(|(_, one)| seen.insert(one.to_string())).collect();
            for (index, (one, old)) in distinct.iter().enumerate() {
                for (other, new) in distinct.iter().enumerate().filter(|it| it.0 != index).map(|it| it.1) {
                    let title = format!("{name}: {one} -> {other}");
                    all.push(Pair { title, old: old.to_string(), new: new.to_string() });
                }
            }
        }
    }
    all
}

/// Objects that a definition accepts, by the text of the definition.
type Objects = Mutex<BTreeMap<String, Vec<String>>>;

fn objects(definition: &Definition, known: &Objects, text: &str) -> Vec<Value> {
    let found = known.lock().unwrap().get(text).cloned();
    let texts = found.unwrap_or_else(|| {
        let made = definition.versions.iter().filter(|version| version.served).flat_map(|version| {
            let made = missing_cases(&mut Coverage::new(version, SERVER));
            let accepted = made.into_iter().filter(|made| made.errors.is_empty());
            accepted.map(|made| made.object.to_json().to_string()).collect::<Vec<_>>()
        });
        let made: Vec<String> = made.collect();
        known.lock().unwrap().insert(text.to_owned(), made.clone());
        made
    });
    texts.iter().map(|text| object_of_text(text).unwrap()).collect()
}

#[derive(Default)]
struct Outcome {
    replayed: usize,
    known_effects: BTreeMap<&'static str, usize>,
    differences: Vec<String>,
    /// The reason why the pair is skipped.
    skipped: Option<String>,
}

#[test]
fn the_rehearsal_predicts_the_outcome_of_objects() {
    let Some(url) = environment::api_server() else {
        return beside::skipped("CRD_LS_API_SERVER names no server");
    };
    let (url, etcd) = url.split_once(',').unwrap_or((&url, ""));
    // Adjacent pairs belong to one definition, so a sample at regular intervals covers all definitions.
    let all = pairs();
    let wanted = environment::at_most(600);
    let wanted = wanted.min(all.len());
    let pairs: Vec<(usize, &Pair)> =
        (0..wanted).map(|number| (number, &all[number * all.len() / wanted])).collect();
    let known = Objects::default();
    let outcomes = for_each(url, &pairs, |client, (number, pair)| {
        let outcome = outcome(client, etcd, *number, pair, &known);
        outcome.differences.iter().for_each(|difference| eprintln!("{difference}\n"));
        outcome
    });
    let (mut replayed, mut objects, mut known_effects) = (0, 0, BTreeMap::new());
    let mut differences = Vec::new();
    let mut skipped: BTreeMap<&str, usize> = BTreeMap::new();
    for outcome in &outcomes {
        replayed += usize::from(outcome.skipped.is_none());
        objects += outcome.replayed;
        outcome
            .known_effects
            .iter()
            .for_each(|(effects, count)| *known_effects.entry(*effects).or_insert(0) += count);
        differences.extend(&outcome.differences);
        if let Some(reason) = &outcome.skipped {
            *skipped.entry(reason).or_default() += 1;
        }
    }
    eprintln!("{replayed} of {} pairs replayed with {objects} objects: {known_effects:?}", pairs.len());
    skipped.iter().for_each(|(reason, count)| eprintln!("{count} pairs skipped: {reason}"));
    assert!(differences.is_empty(), "{} differences", differences.len());
    assert!(replayed * 5 >= pairs.len() * 4, "of {} pairs {replayed} are too few", pairs.len());
}

fn outcome(client: &Client, etcd: &str, number: usize, pair: &Pair, known: &Objects) -> Outcome {
    let skipped = |reason: &str| Outcome { skipped: Some(reason.to_owned()), ..Outcome::default() };
    let group = format!("p{number}.{}", corpus::group());
    let Some(of_text) = Definition::all(&pair.old, SERVER).pop() else { return skipped("no definition") };
    let accepted = |of: &Definition| of.errors.is_empty() && of.cost_errors.is_empty();
    if !accepted(&of_text) {
        return skipped("the old definition is rejected");
    }
    let move_to = |text: &str| text.replace(GROUP, &group);
    let old = Definition::all(&move_to(&pair.old), SERVER).pop().unwrap();
    let new = Definition::all(&move_to(&pair.new), SERVER).pop().unwrap();
    if !accepted(&new) {
        return skipped("the new definition is rejected");
    }
    let mut outcome = Outcome::default();
    let chosen =
        objects_of_each_fate(&objects(&of_text, known, &pair.old), &move_to, (&old, &new), &mut outcome);
    if chosen.is_empty() {
        return skipped("no object is found");
    }
    let json = |text: &str| serde_json::from_str::<Json>(&move_to(text)).unwrap();
    let mut installed = match InstalledDefinition::new(client, &json(&pair.old)) {
        Ok(installed) => installed,
        Err(error) => {
            outcome.differences.push(format!("{}\n  server: {error}", pair.title));
            return outcome;
        }
    };
    for (object, _) in &chosen {
        if let Err(error) = create(&installed, object, &old) {
            outcome
                .differences
                .push(format!("{}\n  {object}\n  server, under the old one: {error}", pair.title));
        }
    }
    let gone = old.stored_versions().into_iter().find(|name| !new.versions.iter().any(|it| it.name == *name));
    match (installed.replace(&json(&pair.new)), gone) {
        (Ok(()), None) => {}
        (Err(error), Some(_)) if error.contains("status.storedVersions") => {
            *outcome.known_effects.entry("stored versions gone").or_default() += 1;
            return outcome;
        }
        (result, gone) => {
            outcome.differences.push(format!("{}\n  we: {gone:?} is gone\n  server: {result:?}", pair.title));
            return outcome;
        }
    }
    for (object, effects) in &chosen {
        outcome.replayed += 1;
        if let Err(difference) = replay(&installed, etcd, object, effects, &new) {
            let object = format!("{}\n  {object}\n  we: {:?}", pair.title, effects.validity);
            outcome.differences.push(format!("{object}\n  {difference}"));
        }
    }
    outcome
}

/// A few objects of each fate that occurs.
fn objects_of_each_fate(
    objects: &[Value],
    move_to: &dyn Fn(&str) -> String,
    (old, new): (&Definition, &Definition),
    outcome: &mut Outcome,
) -> Vec<(Json, Effects)> {
    let mut chosen = Vec::new();
    let mut alike: BTreeMap<(&str, bool, bool), usize> = BTreeMap::new();
    for object in objects {
        let mut object: Json = serde_json::from_str(&move_to(&object.to_json().to_string())).unwrap();
        object["metadata"]["name"] = json!(format!("o{}", chosen.len()));
        let value = object_of_text(&object.to_string()).unwrap();
        let Ok(effects) = effects(old, new, &value, SERVER) else { continue };
        let kind = match &effects.validity {
            Validity::Valid => "valid",
            Validity::Ratcheted(_) => "ratcheted",
            Validity::Invalid(_) => "invalid",
            Validity::Unreadable(_) => "unreadable",
        };
        let count = alike.entry((kind, effects.lost.is_empty(), effects.filled.is_empty())).or_default();
        *count += 1;
        if *count <= MOST_ALIKE {
            *outcome.known_effects.entry(kind).or_default() += 1;
            *outcome.known_effects.entry("with lost fields").or_default() +=
                usize::from(!effects.lost.is_empty());
            *outcome.known_effects.entry("with defaults").or_default() +=
                usize::from(!effects.filled.is_empty());
            chosen.push((object, effects));
        }
    }
    chosen
}

fn version_of(object: &Json) -> &str {
    object["apiVersion"].as_str().unwrap().split_once('/').unwrap().1
}

fn has_status(of: &Definition, version: &str) -> bool {
    of.versions.iter().any(|it| it.name == version && it.has_status)
}

/// Stores an object with its status.
fn create(installed: &InstalledDefinition<'_>, object: &Json, definition: &Definition) -> Result<(), String> {
    let path = installed.path(version_of(object));
    let (code, mut stored) = installed.client().post(&path, object);
    if code != 201 {
        return Err(message(&stored));
    }
    if has_status(definition, version_of(object)) && object.get("status").is_some() {
        stored["status"] = object["status"].clone();
        let own = format!("{path}/{}/status", object["metadata"]["name"].as_str().unwrap());
        let (code, answer) = installed.client().put(&own, &stored);
        if code != 200 {
            return Err(message(&answer));
        }
    }
    Ok(())
}

/// Reads the object under the new definition, edits an annotation, and compares the stored object.
fn replay(
    installed: &InstalledDefinition<'_>,
    etcd: &str,
    object: &Json,
    effects: &Effects,
    new: &Definition,
) -> Result<(), String> {
    let version = match &effects.unserved {
        None => version_of(object),
        Some(_) => match new.versions.iter().find(|version| version.storage && version.served) {
            Some(version) => &version.name,
            None => return Ok(()),
        },
    };
    let path = installed.path(version);
    let name = object["metadata"]["name"].as_str().unwrap();
    let (code, read) = installed.client().get(&format!("{path}/{name}"));
    let Some(ours) = &effects.read else {
        return if code == 200 { Err(format!("it is read: {read}")) } else { Ok(()) };
    };
    if code != 200 {
        return Err(format!("it is not read: {}", message(&read)));
    }
    check_equal("read", ours, &read)?;
    let mut edited = read.clone();
    edited["metadata"]["annotations"] = json!({"edited": "true"});
    let answer = installed.client().put(&format!("{path}/{name}"), &edited);
    match (&effects.validity, answer.0) {
        (Validity::Valid | Validity::Ratcheted(_), 200) => {}
        (Validity::Invalid(violations), 422) => {
            let pair = |of: &Violation| (of.field.clone(), of.message.clone());
            let mut own = own_causes(&violations.iter().map(pair).collect::<Vec<_>>());
            own.dedup();
            let theirs = causes(&answer).unwrap_or_default();
            return if own == theirs { Ok(()) } else { Err(format!("it is rejected: {theirs:?}")) };
        }
        (_, code) => return Err(format!("the edit: {code} {}", message(&answer.1))),
    }
    if let (Some(ours), false) = (&effects.written, etcd.is_empty()) {
        check_equal("stored", ours, &etcd::stored(etcd, installed, name))?;
    }
    if has_status(new, version) {
        return Ok(());
    }
    // As a new object, it has all errors that only ratcheting tolerates.
    let mut fresh = read;
    fresh["metadata"] = json!({"name": "fresh"});
    let answer = installed.client().post(&format!("{path}?dryRun=All"), &fresh);
    match (&effects.validity, answer.0) {
        (Validity::Valid, 201) | (Validity::Ratcheted(_), 422) => Ok(()),
        (_, code) => Err(format!("as a new one: {code} {}", message(&answer.1))),
    }
}

/// Whether both are equal except for metadata.
fn check_equal(what: &str, ours: &Value, theirs: &Json) -> Result<(), String> {
    let mut ours = super::json(ours);
    let mut theirs = theirs.clone();
    for object in [&mut ours, &mut theirs] {
        object.as_object_mut().map(|object| object.remove("metadata"));
    }
    if ours == theirs { Ok(()) } else { Err(format!("{what}\n  we: {ours}\n  server: {theirs}")) }
}
