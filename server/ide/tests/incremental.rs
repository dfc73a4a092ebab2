//! The findings of an edited file are those of the edited text.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

#[path = "../../../tests/support/beside.rs"]
mod beside;

use std::path::{Path, PathBuf};

use ide::{File, Settings};

#[path = "../../../tests/support/edits.rs"]
mod edits;

/// Makes `count` random edits of `source`, one after another, and compares with a fresh analysis after each.
/// In every third file, cached results are forgotten at random, which must not change the findings.
fn check(name: &str, source: &str, count: usize, seed: u64) {
    let settings = Settings::default();
    let mut random = edits::Random(seed);
    let mut text = source.to_owned();
    let mut file = File::new(&text, &settings);
    if seed.is_multiple_of(3) {
        file.forget_at_random(seed);
    }
    for step in 0..count {
        let edit = edits::random_edit(&text, &mut random);
        text.replace_range(edit.range.as_usize(), &edit.new_text);
        file = file.edited(&edit, &|range| text[range.as_usize()].to_owned());
        let fresh = File::new(&text, &settings);
        assert_eq!(file.findings(), fresh.findings(), "{name}, seed {seed}, step {step}, after {edit:?}");
        for finding in file.findings() {
            assert!(
                text.get(finding.range.as_usize()).is_some(),
                "{name}, seed {seed}, step {step}: {finding:?}"
            );
        }
    }
}

fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "yaml" => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

#[test]
fn random_edits_of_the_fixtures() {
    let count = environment::made_up(8);
    let mut files = suites::texts_below(&suites::fixtures().join("crd")).unwrap();
    files.extend(suites::texts(&suites::fixtures().join("fixes/suggested")).unwrap());
    assert!(files.len() > 1_200, "{} fixtures", files.len());
    for (seed, (path, text)) in files.iter().enumerate() {
        check(&path.display().to_string(), text, count, seed as u64);
    }
    println!("{} edits", files.len() * count);
}

/// A file that is so large that several threads share its documents: the findings are in order and complete,
/// also after edits.
#[test]
fn many_documents_are_analysed_as_one_after_another() {
    let documents: Vec<String> = (0..12).map(definition).collect();
    let text = documents.concat();
    assert!(text.len() > 1 << 19, "{} bytes", text.len());
    let settings = Settings::default();
    let file = File::new(&text, &settings);
    let mut start = 0;
    let mut expected = Vec::new();
    for document in &documents {
        let alone = File::new(document, &settings);
        assert_eq!(alone.findings().len(), 2, "{:?}", alone.findings());
        expected.extend(alone.findings().iter().map(|finding| finding.shifted(start)));
        start += document.len() as u32;
    }
    assert_eq!(file.findings(), expected);
    check("many documents", &text, 3, 7);
}

/// A definition with a property without a type and an unknown field.
fn definition(number: usize) -> String {
    let properties: String = (0..700)
        .map(|property| {
            format!("              p{property}: {{type: string, description: Property {property}.}}\n")
        })
        .collect();
    format!(
        "---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: widget{number}s.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: widget{number}s, kind: Widget{number}, listKind: Widget{number}List, singular: widget{number}}}
  versions:
  - name: v1
    served: true
    storage: true
    unknown: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
{properties}              bad{number}: {{description: Without a type.}}
"
    )
}

#[test]
fn random_edits_of_the_corpus() {
    let Some(corpus) = beside::shared("corpus", "skipped") else { return };
    let count = environment::made_up(4);
    let mut total = 0;
    for (seed, path) in yaml_files(&corpus).iter().enumerate() {
        // Some are intentionally not UTF-8; a fresh analysis of the largest takes too long.
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        if text.contains("kind: CustomResourceDefinition") && text.len() < 300_000 {
            check(&path.display().to_string(), &text, count, seed as u64);
            total += count;
        }
    }
    println!("{total} edits");
    assert!(total > 0);
}
