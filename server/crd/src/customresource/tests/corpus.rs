//! Compares real resources with the answers of the oracle, which are not in this repository.
//!
//! For development: `CRD_LS_FIXTURES=DIR`, where `DIR/cr/answers/PROJECT.json` is the output of `oracle cr
//! --crd … FILES` in the directory of the corpus, for each project.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use api::KubernetesVersion;
use serde_json::Value as Json;
use yaml::Tree;

use super::resources::{difference, own_documents, text_of, versions};
use crate::beside;
use crate::customresource::{ResourceVersion, admit};

#[test]
fn real_resources_get_the_servers_answers() {
    let Some(answers) = environment::fixtures("cr/answers") else {
        return beside::skipped("CRD_LS_FIXTURES names no folder with cr/answers, those of the oracle");
    };
    let Some(corpus) = beside::shared("corpus", "skipped") else { return };
    let (mut counts, mut unequal) = (BTreeMap::<&str, usize>::new(), Vec::new());
    let mut took = std::time::Duration::ZERO;
    for path in files(&answers, &["json"]) {
        let project = path.file_stem().unwrap().to_str().unwrap();
        let definitions = files(&corpus.join(project).join("crds"), &["yaml", "yml"]);
        let versions: Vec<ResourceVersion> =
            definitions.iter().flat_map(|path| versions(&std::fs::read_to_string(path).unwrap())).collect();
        let text = std::fs::read_to_string(&path).unwrap();
        for answer in serde_json::Deserializer::from_str(&text).into_iter::<Json>().map(Result::unwrap) {
            if answer["matched"] != true {
                continue;
            }
            let file = answer["file"].as_str().unwrap();
            let text = std::fs::read_to_string(corpus.join(file)).unwrap();
            let tree = Tree::parse(&text);
            let index = usize::try_from(answer["docIndex"].as_u64().unwrap()).unwrap();
            let Some(document) = own_documents(&tree, &text).into_iter().nth(index) else {
                unequal.push(format!("{file} {index}: no such document"));
                continue;
            };
            let kind = (text_of(document, "apiVersion"), text_of(document, "kind"));
            // Projects may contain several definitions of a kind; the oracle uses one of them.
            let is_right = |version: &&ResourceVersion| version.served && version.is_of(&kind.0, &kind.1);
            let mut best = ("without a definition among those of the project", None);
            for version in versions.iter().rev().filter(is_right) {
                let started = std::time::Instant::now();
                let ours = admit(document, version, KubernetesVersion::NEWEST);
                took += started.elapsed();
                best = ("equal", difference(&ours, &answer));
                if best.1.is_none() {
                    break;
                }
            }
            match best {
                (count, None) => *counts.entry(count).or_default() += 1,
                (_, Some(difference)) => unequal.push(format!("{file} {index}: {difference}")),
            }
        }
    }
    eprintln!("{counts:?}, {} unequal, in {took:?}", unequal.len());
    assert!(unequal.is_empty(), "{}", unequal[..unequal.len().min(40)].join("\n"));
}

/// The files below `directory` with one of those endings, sorted.
pub(super) fn files(directory: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten() {
            let path = entry.unwrap().path();
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            match path.is_dir() {
                true => pending.push(path),
                false if endings.contains(&ending) => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}
