#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::samples;
use crate::{Catalog, Definitions, File, Settings, Surroundings};

fn widget(schema: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.com}}\n\
         spec:\n  group: example.com\n  scope: Namespaced\n  names: {{plural: widgets, kind: Widget}}\n  versions:\n  \
         - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {schema}\n"
    )
}

fn only(schema: &str) -> String {
    samples(&widget(schema), &Settings::default()).unwrap().remove(0).yaml
}

#[test]
fn what_is_required_goes_first_and_the_rest_is_a_comment() {
    let yaml = only(
        "{type: object, required: [spec], properties: {spec: {type: object, required: [size], properties: {\
         colour: {type: string, enum: [red, blue], description: The colour.}, \
         size: {type: integer, minimum: 3}, kept: {type: boolean, default: false}}}, status: {type: object}}}",
    );
    assert_eq!(
        yaml,
        "apiVersion: example.com/v1
kind: Widget
metadata:
  name: sample
spec:
  # minimum 3
  size: 3
  # # The colour.
  # # one of \"red\", \"blue\"
  # colour: red
  # # default false
  # kept: false
"
    );
}

#[test]
fn values_fit_what_the_schema_says_of_them() {
    for (schema, value) in [
        ("{type: string, pattern: '^[0-9]+s$'}", "10s"),
        ("{type: string, format: date-time}", "\"2024-01-01T00:00:00Z\""),
        ("{type: string, minLength: 8, maxLength: 8}", "aaaaaaaa"),
        ("{type: integer, multipleOf: 5, minimum: 7}", "10"),
        ("{type: number, maximum: 0.5}", "0.5"),
        ("{x-kubernetes-int-or-string: true}", "1"),
        ("{type: string, example: north}", "north"),
        ("{type: object, x-kubernetes-preserve-unknown-fields: true}", "{}"),
    ] {
        let yaml = only(&format!(
            "{{type: object, properties: {{spec: {{type: object, required: [a], properties: {{a: {schema}}}}}}}}}"
        ));
        let line =
            yaml.lines().find_map(|line| line.strip_prefix("  a: ")).map(|found| found.replace('\'', "\""));
        assert_eq!(line.as_deref(), Some(value), "{schema}\n{yaml}");
    }
}

#[test]
fn of_a_choice_the_first_is_taken() {
    let yaml = only(
        "{type: object, properties: {spec: {type: object, oneOf: [{required: [b]}, {required: [a]}], \
         properties: {a: {type: string}, b: {type: array, minItems: 2, items: {type: string}}}}}}",
    );
    assert!(yaml.contains("\n  b:\n    - sample\n    - sample1\n  # a: sample\n"), "{yaml}");
}

/// Samples of all definitions of the corpus, judged by those: how many have no finding, and which others have.
#[test]
fn samples_of_real_definitions_are_valid() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    if !corpus.is_dir() {
        eprintln!("skipped: the corpus is not there");
        return;
    }
    let (mut clean, mut all, mut codes) = (0, 0, BTreeMap::<String, usize>::new());
    for path in yaml_files(&corpus) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if !text.contains("kind: CustomResourceDefinition") {
            continue;
        }
        let Ok(samples) = samples(&text, &Settings::default()) else { continue };
        let definitions = Definitions::read("crd.yaml", &text, Definitions::held(&text));
        let catalog = Catalog::default().with([(Arc::from("crd.yaml"), definitions)]);
        for sample in samples {
            let source = "cr.yaml".into();
            let surroundings = Surroundings { catalog: catalog.clone(), source, stored: None, base: None };
            let file = File::within(&sample.yaml, &Settings::default(), surroundings);
            let codes_of: Vec<_> =
                file.findings().iter().filter(|finding| finding.severity == crate::Severity::Error).collect();
            all += 1;
            clean += usize::from(codes_of.is_empty());
            for finding in codes_of {
                *codes.entry(finding.code.to_owned()).or_default() += 1;
                if std::env::var_os("CRD_LS_SHOW").is_some() {
                    eprintln!(
                        "{}: {} {}: {}",
                        path.display(),
                        sample.kind,
                        finding.field_path,
                        finding.message
                    );
                }
            }
        }
    }
    eprintln!("{clean} of {all} samples are valid; errors of others: {codes:?}");
    // What only a pattern or a rule knows, nobody can read off the schema.
    let others: Vec<_> =
        codes.keys().filter(|code| !["resource/pattern", "resource/rule"].contains(&code.as_str())).collect();
    assert!(others.is_empty() && clean * 10 >= all * 8, "{clean} of {all}: {codes:?}");
}

fn yaml_files(directory: &Path) -> Vec<PathBuf> {
    let mut pending = vec![directory.to_owned()];
    let mut files = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ["yaml", "yml"].contains(&ending.to_str().unwrap())) {
            files.push(path);
        }
    }
    files.sort();
    files
}
