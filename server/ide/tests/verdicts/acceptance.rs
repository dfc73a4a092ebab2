//! The verdicts of two definitions on the same generated objects, by the complete admission.

use crd::generate::{Hints, Settings as Generated, generate};
use crd::schema::structural::structural;
use crd::{Cache, KubernetesVersion};
use ide::preview::stored;
use ide::{Catalog, Definitions, Settings, Surroundings};
use serde_json::Value as Json;
use yaml::{Reader, Tree};

/// The maximum number of objects of each definition that are tried.
const MOST: usize = 96;

/// The set of objects that a definition must accept after an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AcceptanceGuarantee {
    /// The same objects as before.
    Same,
    /// The same objects as before, and possibly some for which a rule could not be evaluated.
    SameWhereEvaluated,
}

/// The number of tried objects, and the number of them that the first definition accepts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TriedObjects {
    pub(crate) objects: usize,
    pub(crate) accepted: usize,
}

/// Tries both definitions. Returns the difference if the promise is broken.
pub(crate) fn compare(
    before: &str,
    after: &str,
    promise: AcceptanceGuarantee,
) -> Result<TriedObjects, String> {
    let rules: Vec<String> = [before, after].iter().flat_map(|text| expressions(text)).collect();
    let hints = Hints::of(rules.iter().map(String::as_str));
    // If the action also sets bounds, objects beyond them do not count.
    let mut specs = values(after, &hints);
    if bounds(before) == bounds(after) {
        specs.extend(values(before, &hints));
    }
    let (first, second) = (verdicts(before, &specs), verdicts(after, &specs));
    let mut tried = TriedObjects::default();
    for ((spec, before), after) in specs.iter().zip(first).zip(second) {
        tried.objects += 1;
        tried.accepted += usize::from(before.is_empty());
        let is_forgiven = promise == AcceptanceGuarantee::SameWhereEvaluated
            && before.iter().all(|error| is_failure(error));
        if before.is_empty() != after.is_empty() && !is_forgiven {
            return Err(format!("{spec}\nbefore: {before:?}\nafter: {after:?}"));
        }
    }
    Ok(tried)
}

/// Whether the server reports that a rule cannot be evaluated.
fn is_failure(error: &str) -> bool {
    ["no such key", "no such overload", "evaluating rule"].iter().any(|words| error.contains(words))
}

/// The expressions in a definition, in order.
pub(crate) fn expressions(text: &str) -> Vec<String> {
    fn collect(json: &Json, found: &mut Vec<String>) {
        match json {
            Json::Object(object) => {
                let rules = object.get("x-kubernetes-validations").and_then(Json::as_array);
                for rule in rules.into_iter().flatten() {
                    let fields = ["rule", "messageExpression"].iter().filter_map(|key| rule.get(*key));
                    found.extend(fields.filter_map(Json::as_str).map(str::to_owned));
                }
                object.values().for_each(|value| collect(value, found));
            }
            Json::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(&json_of(text), &mut found);
    found
}

fn json_of(text: &str) -> Json {
    let tree = Tree::parse(text);
    let decoded = yaml::decode(tree.documents().next().unwrap());
    decoded.map_or(Json::Null, |decoded| serde_json::from_str(&decoded.json.to_string()).unwrap())
}

/// The size bounds in a definition.
fn bounds(text: &str) -> Vec<&str> {
    let keys = ["maxItems", "maxLength", "maxProperties"];
    text.lines().map(str::trim).filter(|line| keys.iter().any(|key| line.contains(key))).collect()
}

/// Values of `spec` that the definition accepts without its rules, as JSON.
fn values(definition: &str, hints: &Hints) -> Vec<String> {
    let tree = Tree::parse(definition);
    let document = tree.documents().next().unwrap();
    let reader = Reader::new(document);
    let all = crd::object::definitions(document, &reader);
    let schema = all.first().and_then(|definition| definition.schemas().into_iter().next()).unwrap();
    let (schema, _) = structural(schema.value, &reader, &mut Cache::default()).unwrap();
    let spec = &schema.properties.get("spec").unwrap().node;
    let settings = Generated { limit: MOST, ..Generated::new(KubernetesVersion::NEWEST) };
    generate(spec, hints, &settings).iter().map(|value| value.to_json().to_string()).collect()
}

/// The errors of the server for each of these values of `spec`.
fn verdicts(definition: &str, specs: &[String]) -> Vec<Vec<String>> {
    let known = Definitions::read("crd", definition, Definitions::load_kept(definition)).unwrap();
    let catalog = Catalog::default().with([("crd".into(), Some(known))]);
    let surroundings = Surroundings { catalog, source: "crd".into(), stored: None, base: None };
    let object = |spec: &String| {
        format!(
            "{{\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\", \"metadata\": {{\"name\": \"a\"}}, \
             \"spec\": {spec}}}\n"
        )
    };
    let text: Vec<String> = specs.iter().map(object).collect();
    let (objects, unknown) = stored(&text.join("---\n"), &surroundings, &Settings::default());
    assert!(unknown.is_empty() && objects.len() == specs.len(), "{unknown:?}");
    objects.into_iter().map(|object| object.errors).collect()
}
