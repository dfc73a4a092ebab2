//! Real histories: the versions of the corpus's definitions, and its definitions that occur in several
//! releases. For each change that is reported as breaking, an object must show it, and each change that
//! breaks an object must be reported.

mod objects;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crd::compat::{Change, ChangeSeverity};
use crd::customresource::Admission;
use serde_json::{Value, json};
use yaml::Tree;

use self::objects::{Step, build, sample_values, schema_at, steps, values, with_numbers};
use super::{Server, beside, changes, is_accepted};

/// A definition with one version of that schema, and without any other part that affects the contents of objects.
fn alone(definition: &Value, schema: &Value) -> String {
    let spec = &definition["spec"];
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": definition["metadata"]["name"], "annotations": {
            "api-approved.kubernetes.io": definition["metadata"]["annotations"]["api-approved.kubernetes.io"].as_str().unwrap_or("unapproved"),
        }},
        "spec": {"group": spec["group"], "scope": spec["scope"], "names": spec["names"], "versions": [
            {"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}},
        ]},
    })
    .to_string()
}

/// Two schemas of one kind.
struct Pair {
    title: String,
    definition: Value,
    old: Value,
    new: Value,
}

/// The definitions of the corpus, by name.
fn corpus() -> BTreeMap<String, Vec<(PathBuf, Value)>> {
    let mut pending: Vec<PathBuf> = beside::shared("corpus", "skipped").into_iter().collect();
    let mut all: BTreeMap<String, Vec<(PathBuf, Value)>> = BTreeMap::new();
    while let Some(path) = pending.pop() {
        if let Ok(entries) = std::fs::read_dir(&path) {
            pending.extend(entries.map(|entry| entry.unwrap().path()));
            continue;
        }
        let is_yaml = path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if !is_yaml || !text.contains("CustomResourceDefinition") {
            continue;
        }
        for document in Tree::parse(&text).documents() {
            let Ok(decoded) = yaml::decode(document) else { continue };
            let value: Value = serde_json::from_str(&decoded.json.to_string()).unwrap();
            let is_whole = value["spec"]["versions"][0]["schema"].is_object();
            if value["kind"] == "CustomResourceDefinition" && is_whole {
                let name = value["metadata"]["name"].as_str().unwrap_or_default().to_owned();
                all.entry(name).or_default().push((path.clone(), value));
            }
        }
    }
    all
}

fn schemas(definition: &Value) -> Vec<(&str, &Value)> {
    let versions = definition["spec"]["versions"].as_array().into_iter().flatten();
    versions
        .map(|version| (version["name"].as_str().unwrap(), &version["schema"]["openAPIV3Schema"]))
        .collect()
}

/// All pairs of versions of one definition and of definitions of one name, each in both directions; pairs
/// with equal schemas are omitted.
fn pairs() -> Vec<Pair> {
    let mut all = Vec::new();
    let mut seen = BTreeSet::new();
    for (name, definitions) in corpus() {
        let schemas: Vec<(String, &Value, &Value)> = definitions
            .iter()
            .flat_map(|(path, definition)| {
                let project = path.iter().rev().nth(1).map(|part| part.to_string_lossy()).unwrap_or_default();
                let of = move |(version, schema)| (format!("{project}/{version}"), definition, schema);
                schemas(definition).into_iter().map(of).collect::<Vec<_>>()
            })
            .collect();
        for (index, (title, definition, old)) in schemas.iter().enumerate() {
            for (other_index, (other, _, new)) in schemas.iter().enumerate() {
                let is_first = seen.insert((name.clone(), old.to_string(), new.to_string()));
                if index != other_index && old != new && is_first {
                    all.push(Pair {
                        title: format!("{name} {title} -> {other}"),
                        definition: (*definition).clone(),
                        old: (*old).clone(),
                        new: (*new).clone(),
                    });
                }
            }
        }
    }
    all
}

/// A pair, as the server reads it.
struct DecodedPair<'p> {
    pair: &'p Pair,
    old: Server,
    new: Server,
}

impl DecodedPair<'_> {
    fn object(
        &self,
        schema: &Value,
        steps: &[Step],
        target: &Value,
        more: Option<(usize, &str, &Value)>,
    ) -> Value {
        let mut object = build(schema, steps, target, more);
        if let Some(members) = object.as_object_mut() {
            let spec = &self.pair.definition["spec"];
            members.insert("apiVersion".to_owned(), json!(format!("{}/v1", spec["group"].as_str().unwrap())));
            members.insert("kind".to_owned(), spec["names"]["kind"].clone());
            members.insert("metadata".to_owned(), json!({"name": "a"}));
        }
        object
    }

    /// The answer of `new` to an object that `old` accepts; `None` if `old` does not accept it.
    fn admission_of(&self, object: &Value) -> Option<Admission> {
        let before = self.old.admit_object(object);
        is_fine(&before).then(|| self.new.admit_object(object))
    }

    /// The object that shows the change, or whether `old` accepted any of the tried objects.
    fn witness(&self, change: &Change) -> Result<Value, &'static str> {
        let steps = steps(&self.pair.old, &change.object_path).ok_or("no way to it")?;
        let nothing = json!({});
        let mut is_taken = false;
        let mut shows = |object: Value| {
            let after = self.admission_of(&object)?;
            is_taken = true;
            shown_by(change, &steps, &after).then_some(object)
        };
        for schema in [self.pair.old.clone(), with_numbers(&self.pair.old)] {
            let (old, new) = (schema_at(&schema, &steps), schema_at(&self.pair.new, &steps));
            let targets = values(old.or(new).unwrap_or(&nothing), new.or(old).unwrap_or(&nothing));
            let plain = targets.iter().find_map(|target| shows(self.object(&schema, &steps, target, None)));
            if let Some(object) = plain {
                return Ok(object);
            }
            // With an additional field somewhere above, as conditions may require one.
            for depth in 0..=steps.len() {
                let Some(above) = schema_at(&schema, &steps[..depth]) else { continue };
                for (name, property) in above["properties"].as_object().into_iter().flatten() {
                    let chooses = property["enum"].is_array();
                    for value in &sample_values(property) {
                        let mut some = targets.iter().take(if chooses { 100 } else { 12 });
                        let more = Some((depth, name.as_str(), value));
                        let found = some.find_map(|target| shows(self.object(&schema, &steps, target, more)));
                        if let Some(object) = found {
                            return Ok(object);
                        }
                    }
                }
            }
        }
        Err(if is_taken { "no object shows it" } else { "no object is taken before" })
    }
}

fn is_fine(admission: &Admission) -> bool {
    admission.decode_error.is_none() && admission.errors.is_empty() && admission.strict_errors.is_empty()
}

/// A path in an object without the syntax that distinguishes lists from maps.
fn plain_path(path: &str) -> String {
    path.split(['.', '[', ']']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".")
}

/// The path of an object that `build` created.
fn concrete(steps: &[Step]) -> String {
    let step = |step: &Step| match step {
        Step::Property(name) => name.clone(),
        Step::Item => "0".to_owned(),
        Step::Member => "x".to_owned(),
    };
    plain_path(&steps.iter().map(step).collect::<Vec<_>>().join("."))
}

/// Whether the server's answer is about the change.
fn shown_by(change: &Change, steps: &[Step], after: &Admission) -> bool {
    let path = concrete(steps);
    let is_at = |field: &str| {
        let field = plain_path(field);
        field
            .strip_prefix(&*path)
            .is_some_and(|rest| rest.is_empty() || path.is_empty() || rest.starts_with('.'))
    };
    let unknown = |text: &str| text.split('"').nth(1).is_some_and(is_at);
    if change.code == "compat/field-removed" {
        return after.strict_errors.iter().any(|error| unknown(&error.text));
    }
    let by_rule = |range: text::TextRange| range.overlaps(change.range) || change.range.overlaps(range);
    after.errors.iter().any(|error| match error.rule {
        Some(rule) => by_rule(rule.range) || is_at(&error.field) && is_whole(change),
        None => is_at(&error.field),
    })
}

/// Whether changes of that kind may show in various ways.
fn is_whole(change: &Change) -> bool {
    matches!(
        change.code.as_str(),
        "compat/type-changed"
            | "compat/nullable-withdrawn"
            | "compat/list-type-changed"
            | "compat/condition-changed"
    )
}

/// Whether the change is reported at or above the path of the server's error.
fn explains(change: &Change, wrong: &str) -> bool {
    let path = plain_path(&change.object_path.replace("[*]", ".*"));
    let (path, wrong): (Vec<&str>, Vec<&str>) = (
        path.split('.').filter(|part| !part.is_empty()).collect(),
        wrong.split('.').filter(|part| !part.is_empty()).collect(),
    );
    path.iter().zip(&wrong).all(|(reported, found)| reported == found || *reported == "*")
}

/// The paths of the fields of a schema.
fn ways(schema: &Value, way: &mut Vec<Step>, all: &mut Vec<Vec<Step>>) {
    if all.len() >= 300 {
        return;
    }
    all.push(way.clone());
    let mut next: Vec<Step> = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| Step::Property(name.clone()))
        .collect();
    next.extend(schema["items"].is_object().then_some(Step::Item));
    next.extend(schema["additionalProperties"].is_object().then_some(Step::Member));
    for step in next {
        let Some(below) = objects::schema_at_step(schema, &step) else { continue };
        way.push(step);
        ways(below, way, all);
        way.pop();
    }
}

#[test]
fn findings_on_real_histories_match_the_effect_on_objects() {
    let pairs = pairs();
    if pairs.is_empty() {
        return;
    }
    // All pairs take minutes.
    let all = environment::takes_all();
    let pairs: Vec<&Pair> = pairs.iter().step_by(if all { 1 } else { 12 }).collect();
    let (mut count, mut breaking, mut unshown, mut objects) = (0, 0, Vec::new(), 0);
    let mut classes: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let (mut untold, mut refused) = (Vec::new(), Vec::new());
    for pair in pairs {
        let texts = (alone(&pair.definition, &pair.old), alone(&pair.definition, &pair.new));
        if !is_accepted(&texts.0) || !is_accepted(&texts.1) {
            refused.push(&pair.title);
            continue;
        }
        count += 1;
        let reported = changes(&texts.0, &texts.1);
        let tried = DecodedPair { pair, old: Server::of(&texts.0), new: Server::of(&texts.1) };
        for change in &reported {
            *classes.entry((change.class.name(), change.code.as_str())).or_default() += 1;
        }
        for change in reported.iter().filter(|change| change.class == ChangeSeverity::Breaking) {
            breaking += 1;
            if let Err(why) = tried.witness(change) {
                unshown.push(format!("{}: {why}: {} {}", pair.title, change.code.as_str(), change.message));
            }
        }
        let mut all = Vec::new();
        ways(&pair.old, &mut Vec::new(), &mut all);
        for way in all {
            let schema = schema_at(&pair.old, &way).unwrap();
            for target in &sample_values(schema) {
                let object = tried.object(&pair.old, &way, target, None);
                let Some(after) = tried.admission_of(&object) else { continue };
                objects += 1;
                let unknown = after.strict_errors.iter().filter_map(|error| error.text.split('"').nth(1));
                let wrong = unknown.chain(after.errors.iter().map(|error| &*error.field)).map(plain_path);
                // The server reports this if rules are not checked; the object itself has no error.
                for wrong in wrong.filter(|wrong| wrong != "<nil>") {
                    let is_reported = reported
                        .iter()
                        .any(|change| change.class != ChangeSeverity::Safe && explains(change, &wrong));
                    if !is_reported {
                        untold.push(format!(
                            "{}: {wrong}: {:?} {:?} {object}",
                            pair.title, after.errors, after.strict_errors
                        ));
                    }
                }
            }
        }
    }
    let shown = breaking - unshown.len();
    println!(
        "{count} pairs; {breaking} breaking changes, {shown} with an object that shows it; {objects} objects of before"
    );
    for ((class, code), count) in &classes {
        println!("{count:>6} {class:<8} {code}");
    }
    refused.iter().for_each(|title| println!("not accepted: {title}"));
    unshown.iter().for_each(|one| println!("not shown: {one}"));
    assert!(
        untold.is_empty(),
        "{} are not told: {}",
        untold.len(),
        untold[..untold.len().min(10)].join("\n")
    );
}
