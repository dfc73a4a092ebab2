//! Safe fixes keep the meaning of a definition: it accepts the same objects before and after.
//!
//! The server rejects the original definition, so its meaning is that of its text as JSON Schema (`schema`).
//! After the fix, our own check of objects decides. Objects of a type that the schema permits before but not
//! after do not count as a difference: a structural schema must name one type for each field, and the author
//! named it in a branch. No rejected object may become accepted. If `CRD_LS_CR_ORACLE` names the API server's
//! code for resources, it validates a sample, and must agree with our check.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "../support/fix_all.rs"]
mod fix_all;
mod oracle;
mod schema;
mod values;

use std::path::PathBuf;

use crd::customresource::{ResourceVersion, admit};
use crd::object::definitions;
use crd::{Cache, KubernetesVersion};
use fix_all::fixed;
use ide::{File, Settings, Severity};
use serde_json::{Value as Json, json};
use yaml::{Reader, Tree};

/// Fixtures whose fixes intentionally change the set of accepted objects, with the reason.
const CHANGED: &[(&str, &str)] = &[
    ("metadata", "`spec` is required and nowhere declared, so the server prunes it and rejects every object"),
    ("names-in-spec", "the names are at the wrong place, so there is no such kind before the fix"),
    (
        "nullable",
        "every branch allows null, but `type` outside of them forbids it: the author meant to allow it",
    ),
    ("root", "a root of type array accepts no object"),
];

fn fixtures() -> Vec<(PathBuf, String)> {
    let mut texts: Vec<(PathBuf, String)> = ["fixes", "fixes/catalogue"]
        .into_iter()
        .flat_map(|folder| suites::texts(&suites::fixtures().join(folder)).unwrap())
        .filter(|(path, _)| path.to_str().unwrap().ends_with(".before.yaml"))
        .collect();
    texts.sort();
    texts
}

/// The first document, which is the definition. Its defaults do not count, because they change the objects.
fn definition(text: &str) -> Option<Json> {
    let tree = Tree::parse(text);
    let document = tree.documents().next()?;
    let mut data: Json = serde_json::from_str(&yaml::decode(document).ok()?.json.to_string()).ok()?;
    without_defaults(&mut data);
    Some(data)
}

fn without_defaults(data: &mut Json) {
    match data {
        Json::Object(members) => {
            if members.get("default").is_none_or(|value| value.get("type").is_none()) {
                members.remove("default");
            }
            members.values_mut().for_each(without_defaults);
        }
        Json::Array(items) => items.iter_mut().for_each(without_defaults),
        _ => {}
    }
}

struct Server(Vec<ResourceVersion>, Json);

impl Server {
    fn of(data: &Json) -> Self {
        let tree = Tree::parse(&data.to_string());
        let document = tree.documents().next().unwrap();
        let reader = Reader::new(document);
        let definition = &definitions(document, &reader)[0];
        Self(ResourceVersion::all(definition, &reader, &mut Cache::default()), data["spec"].clone())
    }

    /// The object as an object of the given version.
    fn object(&self, version: usize, mut object: Json) -> Json {
        let name = self.1["versions"][version]["name"].as_str().unwrap();
        object["apiVersion"] = json!(format!("{}/{name}", self.1["group"].as_str().unwrap()));
        object["kind"] = self.1["names"]["kind"].clone();
        object["metadata"] = json!({"name": "a"});
        object
    }

    /// Whether it accepts an object; fields that are pruned without an error do not matter.
    fn accepts(&self, version: usize, object: &Json) -> bool {
        let tree = Tree::parse(&object.to_string());
        let admission =
            admit(tree.documents().next().unwrap(), &self.0[version], KubernetesVersion::default());
        admission.decode_error.is_none() && admission.errors.is_empty()
    }
}

/// The maximum number of objects of one definition that the API server's code validates.
const SAMPLE: usize = 250;

/// Compares our verdicts on a sample with those of the API server's code. Returns the number of comparisons.
fn confirmed(definition: &Json, verdicts: &[(Json, bool)]) -> usize {
    let sample: Vec<&(Json, bool)> =
        verdicts.iter().step_by(verdicts.len().div_ceil(SAMPLE).max(1)).collect();
    let objects: Vec<Json> = sample.iter().map(|(object, _)| object.clone()).collect();
    let answers = oracle::accepts(definition, &objects);
    let checked =
        sample.iter().zip(&answers).filter_map(|((object, own), answer)| Some((object, own, (*answer)?)));
    checked.inspect(|(object, own, answer)| assert_eq!(*own, answer, "{object} of {definition}")).count()
}

#[test]
fn safe_fixes_keep_the_objects_that_are_accepted() {
    let (mut definitions, mut both, mut neither, mut typed) = (0, 0, 0, 0);
    let mut wrong: Vec<(String, bool, bool)> = Vec::new();
    let mut checked = 0;
    for (path, text) in fixtures() {
        let name = path.file_name().unwrap().to_str().unwrap().replace(".before.yaml", "");
        let after = fixed(&text);
        let is_clean = |text: &str| {
            let file = File::new(text, &Settings::default());
            file.findings().iter().all(|finding| {
                finding.severity != Severity::Error || !finding.field_path.to_string().contains("spec")
            })
        };
        let (Some(old), Some(new)) = (definition(&text), definition(&after)) else { continue };
        if after == text || !is_clean(&after) || old["spec"]["versions"] == new["spec"]["versions"] {
            continue;
        }
        definitions += 1;
        let server = Server::of(&new);
        let mut verdicts: Vec<(Json, bool)> = Vec::new();
        for (index, version) in new["spec"]["versions"].as_array().unwrap().iter().enumerate() {
            let (before, after) = (
                &old["spec"]["versions"][index]["schema"]["openAPIV3Schema"],
                &version["schema"]["openAPIV3Schema"],
            );
            if !before.is_object() || !after.is_object() {
                continue;
            }
            let skeleton = schema::skeleton(after);
            for object in values::values(&[before, after]).into_iter().filter(Json::is_object) {
                let object = &server.object(index, object);
                let is_accepted = server.accepts(index, object);
                verdicts.push((object.clone(), is_accepted));
                match (schema::takes(before, object), is_accepted) {
                    (true, true) => both += 1,
                    (false, false) => neither += 1,
                    (true, false) if !schema::takes(&skeleton, object) => typed += 1,
                    (was, is) => {
                        if !wrong.iter().any(|(other, ..)| *other == name) {
                            println!("{name}: {was} before, {is} after: {object}");
                        }
                        wrong.push((name.clone(), was, is));
                    }
                }
            }
        }
        checked += confirmed(&new, &verdicts);
    }
    println!("the API server's code agrees on {checked} objects (CRD_LS_CR_ORACLE names it)");
    println!(
        "{definitions} definitions: {both} objects accepted before and after, {neither} never, {typed} refused for a type that was left open"
    );
    wrong.dedup_by_key(|(name, ..)| name.clone());
    let names: Vec<&str> = wrong.iter().map(|(name, ..)| name.as_str()).collect();
    let known: Vec<&str> = CHANGED.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, known);
    assert!(definitions > 40 && both > 500 && neither > 500);
}
