#![allow(clippy::print_stderr, clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crd::Cache;
use crd::rules::cost_models;
use yaml::Tree;

use super::cheaper;
use crate::Settings;

fn definitions_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if path.is_dir() => definitions_below(&path, found),
            Some("yaml" | "yml") => found.push(path),
            _ => {}
        }
    }
}

/// The program offers the rewrites only for expensive rules; this test makes all that are possible.
#[test]
fn cheaper_expressions_keep_the_verdicts_of_rules() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = suites::texts(&suites::fixtures().join("fixes/cost")).unwrap().into_iter();
    let mut paths = Vec::new();
    let corpus = repository.join("../shared/corpus");
    if corpus.is_dir() {
        definitions_below(&corpus, &mut paths);
    } else {
        eprintln!("without the corpus of real definitions: none stands beside the repository");
    }
    paths.sort();
    let (mut seen, mut tried, mut different) = (BTreeSet::new(), 0, Vec::new());
    let real = paths.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    for text in own.map(|(_, text)| text).chain(real) {
        if !text.contains("x-kubernetes-validations") {
            continue;
        }
        for document in Tree::parse(&text).documents() {
            for model in cost_models(document, &Settings::default().options(), &mut Cache::default()) {
                for (number, priced) in model.expressions.iter().enumerate() {
                    for rewrite in cheaper::rewrites(priced) {
                        let mut after = priced.text.clone();
                        after.replace_range(rewrite.range.as_usize(), &rewrite.text);
                        if !seen.insert(format!("{} {after}", priced.text)) {
                            continue;
                        }
                        tried += 1;
                        if !model.is_equivalent(number, &after) {
                            different.push(format!("{}\n{after}", priced.text));
                        }
                    }
                }
            }
        }
    }
    eprintln!("{tried} rewrites");
    assert!(tried >= 9, "{tried}");
    assert!(different.is_empty(), "{} of {tried}:\n{}", different.len(), different.join("\n\n"));
}
