//! Mistakes planted in real resources: our findings must equal those of the server's own code.
//!
//! The resources come from the corpus, the answers from the oracle that `CRD_LS_CR_ORACLE` names: a program
//! with the server's code for resources, which the one in `tests/oracle` does not contain. It is called as `cr
//! --crd FILE --old FILE FILE` (all may be repeated) and prints one object per document, in the form of
//! `fixtures/cr/*.json`. `CRD_LS_CASES` and `CRD_LS_SEED` set the number of cases and the random seed.

#[path = "../../../../../../tests/support/edits.rs"]
#[allow(dead_code, unreachable_pub)]
mod edits;
mod generate;
mod kinds;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use api::KubernetesVersion;
use serde_json::{Value as Json, json};
use yaml::Tree;

use self::edits::Random;
use self::kinds::KINDS;
use super::resources::{difference, text_of, versions};
use crate::beside;
use crate::customresource::{Admission, ResourceVersion, admit, admit_update};

/// The number of cases in one call of the oracle.
const AT_ONCE: usize = 400;

/// A definition with its versions, schemas and sample resources.
struct Definition {
    text: String,
    versions: Vec<ResourceVersion>,
    /// The schemas by the name of the version.
    schemas: BTreeMap<String, Json>,
    samples: Vec<Json>,
}

/// A resource with a planted mistake.
struct Case {
    kind: &'static str,
    definition: usize,
    resource: Json,
    /// The resource that it replaces.
    stored: Option<Json>,
}

#[test]
fn mistakes_in_real_resources_get_the_servers_answers() {
    let Some(oracle) = environment::resource_oracle() else {
        return beside::skipped("CRD_LS_CR_ORACLE names no oracle");
    };
    let Some(corpus) = beside::shared("corpus", "skipped") else { return };
    let definitions = definitions(&corpus);
    let seed = environment::seed(1);
    let cases = cases(&definitions, environment::made_up(2_000), seed);
    let samples: usize = definitions.iter().map(|definition| definition.samples.len()).sum();
    eprintln!("{} cases of {samples} resources, seed {seed}", cases.len());
    let (mut rows, mut different, mut unsure) = (BTreeMap::<&str, (usize, usize)>::new(), Vec::new(), 0);
    for some in cases.chunks(AT_ONCE) {
        for (case, answer) in some.iter().zip(ask(&oracle, &definitions, some)) {
            let Some(answer) = answer else { continue };
            let ours = ours(case, &definitions);
            if ours.incomplete {
                unsure += 1;
                continue;
            }
            let row = rows.entry(case.kind).or_default();
            match difference(&ours, &answer) {
                None => row.0 += 1,
                Some(difference) => {
                    row.1 += 1;
                    let stored = case.stored.as_ref().map(Json::to_string).unwrap_or_default();
                    different.push(format!("{}: {difference}\n{}\nold {stored}", case.kind, case.resource));
                }
            }
        }
    }
    for (kind, (equal, unequal)) in &rows {
        eprintln!("{equal:>5} {unequal:>3} {kind}");
    }
    let shown = different.iter().take(8).cloned().collect::<Vec<_>>().join("\n\n");
    assert!(different.is_empty(), "{} of {} differ:\n{shown}", different.len(), cases.len());
    assert!(unsure * 100 <= cases.len(), "{unsure} of {} were not looked at", cases.len());
}

fn ours(case: &Case, definitions: &[Definition]) -> Admission {
    let tree = Tree::parse(&case.resource.to_string());
    let document = tree.documents().next().unwrap();
    let (api_version, kind) = (text_of(document, "apiVersion"), text_of(document, "kind"));
    let mut versions = definitions[case.definition].versions.iter();
    let version = versions.find(|version| version.served && version.is_of(&api_version, &kind)).unwrap();
    match &case.stored {
        None => admit(document, version, KubernetesVersion::NEWEST),
        Some(stored) => {
            let stored = Tree::parse(&stored.to_string());
            admit_update(document, stored.documents().next().unwrap(), version, KubernetesVersion::NEWEST)
        }
    }
}

/// The answer of the server's code to each case; `None` if it crashes.
fn ask(oracle: &Path, definitions: &[Definition], cases: &[Case]) -> Vec<Option<Json>> {
    let work = std::env::temp_dir().join(format!("crd-ls-resources-{}", std::process::id()));
    fs::create_dir_all(&work).unwrap();
    let mut command = Command::new(oracle);
    command.arg("cr");
    for (index, definition) in definitions.iter().enumerate() {
        if cases.iter().any(|case| case.definition == index) {
            let path = work.join(format!("definition-{index}.yaml"));
            fs::write(&path, &definition.text).unwrap();
            command.arg("--crd").arg(path);
        }
    }
    let write = |name: String, json: &Json| {
        let path = work.join(name);
        fs::write(&path, json.to_string()).unwrap();
        path
    };
    let mut paths = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        paths.push(write(format!("{index}.json"), &case.resource));
        if let Some(stored) = &case.stored {
            command.arg("--old").arg(write(format!("{index}.old.json"), stored));
        }
    }
    let output = command.args(&paths).output().expect("the oracle runs");
    fs::remove_dir_all(&work).unwrap();
    if !output.status.success() {
        let problem = String::from_utf8_lossy(&output.stderr);
        assert!(cases.len() > 1 || problem.contains("panic"), "{problem}");
        if cases.len() == 1 {
            eprintln!("the server crashes: {}", cases[0].resource);
            return vec![None];
        }
        let (first, second) = cases.split_at(cases.len() / 2);
        return [first, second].into_iter().flat_map(|half| ask(oracle, definitions, half)).collect();
    }
    let answers = str::from_utf8(&output.stdout).unwrap().lines();
    let mut answers: BTreeMap<PathBuf, Json> = answers
        .map(|line| serde_json::from_str::<Json>(line).unwrap())
        .map(|answer| (PathBuf::from(answer["file"].as_str().unwrap()), answer))
        .collect();
    paths.iter().map(|path| answers.remove(path)).collect()
}

fn cases(definitions: &[Definition], count: usize, seed: u64) -> Vec<Case> {
    let mut random = Random(seed);
    let mut cases = Vec::new();
    let mut tries: usize = 0;
    let with_samples: Vec<usize> =
        (0..definitions.len()).filter(|index| !definitions[*index].samples.is_empty()).collect();
    while cases.len() < count && tries < count.saturating_mul(20) {
        // Kinds alternate, so that each occurs about equally often.
        let (kind, insert) = KINDS[tries % KINDS.len()];
        tries += 1;
        let definition = with_samples[random.below(with_samples.len())];
        let of = &definitions[definition];
        let mut resource = of.samples[random.below(of.samples.len())].clone();
        let own_name = format!("case-{}", cases.len());
        resource["metadata"]["name"] = json!(own_name);
        let version = resource["apiVersion"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        let Some(schema) = of.schemas.get(&version) else { continue };
        // About half of the cases are updates; in most of them, the stored resource already has a mistake.
        let mut stored = None;
        if random.below(2) == 0 {
            let (_, insert) = KINDS[random.below(KINDS.len())];
            let mut before = resource.clone();
            if random.below(3) > 0 {
                insert(&mut before, schema, &mut random);
                resource = before.clone();
            }
            stored = Some(before);
        }
        if insert(&mut resource, schema, &mut random).is_none() {
            continue;
        }
        // A resource with another name is created, not updated; a resource with its own name replaces only its
        // own predecessor.
        let is_same = |stored: &Json| identity(stored) == identity(&resource);
        let stored = stored.filter(is_same).filter(|stored| identity(stored)[1] == own_name);
        // A stored resource must be decodable.
        let alone = stored.clone().map(|resource| Case { kind, definition, resource, stored: None });
        if alone.is_none_or(|alone| ours(&alone, definitions).decode_error.is_none()) {
            cases.push(Case { kind, definition, resource, stored });
        }
    }
    assert_eq!(cases.len(), count, "mistakes could not be planted");
    cases
}

fn identity(resource: &Json) -> [&str; 2] {
    ["namespace", "name"].map(|name| resource["metadata"][name].as_str().unwrap_or_default())
}

/// The definitions of the corpus, one per kind, with the resources of that kind in the corpus.
fn definitions(corpus: &Path) -> Vec<Definition> {
    let mut all: Vec<Definition> = Vec::new();
    let mut by_kind = BTreeMap::new();
    let paths = super::corpus::files(corpus, &["yaml", "yml"]);
    let texts: Vec<String> = paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    for text in texts.iter().filter(|text| text.contains("kind: CustomResourceDefinition")) {
        for json in documents(text) {
            let group = json["spec"]["group"].as_str().unwrap_or_default().to_owned();
            let kind = json["spec"]["names"]["kind"].as_str().unwrap_or_default().to_owned();
            let is_new = json["kind"] == "CustomResourceDefinition"
                && json["apiVersion"] == "apiextensions.k8s.io/v1"
                && json["spec"]["versions"].is_array()
                && !by_kind.contains_key(&(group.clone(), kind.clone()));
            if !is_new {
                continue;
            }
            by_kind.insert((group, kind), all.len());
            let schema = |version: &Json| {
                (version["name"].as_str().unwrap().to_owned(), version["schema"]["openAPIV3Schema"].clone())
            };
            let text = json.to_string();
            all.push(Definition {
                versions: versions(&text),
                schemas: json["spec"]["versions"].as_array().unwrap().iter().map(schema).collect(),
                text,
                samples: Vec::new(),
            });
        }
    }
    for json in texts.iter().flat_map(|text| documents(text)) {
        let text = |name: &str| json[name].as_str().unwrap_or_default().to_owned();
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        let group = api_version.split('/').next().unwrap().to_owned();
        let Some(index) = by_kind.get(&(group, kind.clone())) else { continue };
        let is_served = |version: &ResourceVersion| version.served && version.is_of(&api_version, &kind);
        if all[*index].versions.iter().any(is_served) && json["metadata"].is_object() {
            all[*index].samples.push(json);
        }
    }
    all
}

fn documents(text: &str) -> Vec<Json> {
    let tree = Tree::parse(text);
    let decoded = tree.documents().filter_map(|document| yaml::decode(document).ok());
    decoded.filter_map(|decoded| serde_json::from_str(&decoded.json.to_string()).ok()).collect()
}
