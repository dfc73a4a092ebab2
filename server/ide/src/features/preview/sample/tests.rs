#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::features::preview::sample::lines::{Block, Line};
use crate::features::preview::sample::samples;
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
fn required_fields_come_first_and_others_are_comments() {
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
fn values_fit_their_schema() {
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
fn the_first_branch_of_a_choice_is_taken() {
    let yaml = only(
        "{type: object, properties: {spec: {type: object, oneOf: [{required: [b]}, {required: [a]}], \
         properties: {a: {type: string}, b: {type: array, minItems: 2, items: {type: string}}}}}}",
    );
    assert!(yaml.contains("\n  b:\n    - sample\n    - sample1\n  # a: sample\n"), "{yaml}");
}

#[test]
fn an_object_that_would_be_empty_shows_a_field() {
    let yaml = only(
        "{type: object, properties: {spec: {type: object, properties: {a: {type: object, properties: {b: {type: \
         string}}}, c: {type: array, items: {type: integer}}}}}}",
    );
    assert!(yaml.ends_with("spec:\n  c:\n    - 1\n  # a:\n  #   b: sample\n"), "{yaml}");
}

/// The error of the sample of a widget with this `spec`.
fn refusal(spec: &str) -> Option<String> {
    let schema = format!("{{type: object, required: [spec], properties: {{spec: {spec}}}}}");
    let sample = samples(&widget(&schema), &Settings::default()).unwrap().remove(0);
    let errors = errors(&widget(&schema), &sample.yaml);
    let is_fine = sample.unmet.is_empty() && errors.is_empty();
    (!is_fine).then(|| format!("{spec}\n{errors:?}\n{}", sample.yaml))
}

/// The errors of `resource` according to `definition`.
fn errors(definition: &str, resource: &str) -> Vec<String> {
    errors_by(&catalog(definition), resource)
}

fn catalog(definition: &str) -> Catalog {
    let definitions = Definitions::read("crd.yaml", definition, Definitions::load_kept(definition));
    Catalog::default().with([(Arc::from("crd.yaml"), definitions)])
}

fn errors_by(catalog: &Catalog, resource: &str) -> Vec<String> {
    let source = "cr.yaml".into();
    let surroundings = Surroundings { catalog: catalog.clone(), source, stored: None, base: None };
    let file = File::with_surroundings(resource, &Settings::default(), surroundings);
    let errors = file.findings().iter().filter(|finding| finding.severity == crate::Severity::Error);
    errors
        .map(|finding| format!("{}: {}: {}", finding.code.as_str(), finding.field_path, finding.message))
        .collect()
}

#[test]
fn patterns_bounds_and_list_types_are_met() {
    let fields = [
        "{type: string, pattern: '^[a-z]{3}-[0-9]{2,4}\\.x$'}",
        "{type: string, pattern: '^s3://[^/]+/.+$', maxLength: 12}",
        "{type: string, format: uuid4}",
        "{type: string, format: mac}",
        "{type: string, minLength: 40, pattern: '^[a-z]+$'}",
        "{type: number, minimum: 0, exclusiveMinimum: true, maximum: 0.5}",
        "{type: integer, multipleOf: 7, minimum: 15}",
        "{type: array, x-kubernetes-list-type: set, minItems: 3, items: {type: string, pattern: '^[a-c]$'}}",
        "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], minItems: 2, items: {type: object, \
         required: [k], properties: {k: {type: string, enum: [u, w]}}}}",
        "{type: object, minProperties: 2, additionalProperties: {type: integer, minimum: 5}}",
        "{type: object, oneOf: [{required: [a]}, {required: [b]}], properties: {a: {type: string}, b: {type: string}}}",
    ];
    let of = |field: &str| format!("{{type: object, required: [a], properties: {{a: {field}}}}}");
    let refused: Vec<String> = fields.into_iter().filter_map(|field| refusal(&of(field))).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn rules_are_met() {
    let mut refused = Vec::new();
    for (fields, rules) in [
        ("a: {type: integer}, b: {type: integer}", &["self.a < self.b", "self.b % 10 == 0"][..]),
        ("a: {type: string}", &["self.a.startsWith('https://') && size(self.a) > 12"]),
        ("a: {type: string}, b: {type: string}", &["has(self.b) == (self.a == 'B')", "self.a in ['B', 'C']"]),
        ("a: {type: string}, b: {type: string}, c: {type: string}", &["has(self.b) != has(self.c)"]),
        ("a: {type: string}, b: {type: string}", &["!has(self.b) || self.a == self.b", "has(self.b)"]),
        ("a: {type: array, items: {type: string}}", &["self.a.exists(x, x == 'y')", "self.a.size() >= 2"]),
        (
            "a: {type: object, properties: {p: {type: integer}, m: {type: string}}}",
            &["self.a.p > 7", "self.a.m.matches('^v[0-9]+$')"],
        ),
        ("a: {type: object, additionalProperties: {type: string}}", &["'key' in self.a"]),
        ("a: {type: string}", &["duration(self.a) >= duration('5m')"]),
        (
            "a: {x-kubernetes-int-or-string: true}",
            &["quantity(string(self.a)).isGreaterThan(quantity('1Gi'))"],
        ),
    ] {
        let rules: Vec<String> = rules.iter().map(|rule| format!("{{rule: \"{rule}\"}}")).collect();
        refused.extend(refusal(&format!(
            "{{type: object, required: [a], properties: {{{fields}}}, x-kubernetes-validations: [{}]}}",
            rules.join(", ")
        )));
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn an_unsatisfiable_rule_is_named() {
    let schema = "{type: object, required: [spec], properties: {spec: {type: object, required: [a], properties: {a: \
                  {type: integer}}, \
                  x-kubernetes-validations: [{rule: 'self.a > 5 && self.a < 5', message: never}]}}}";
    let sample = samples(&widget(schema), &Settings::default()).unwrap().remove(0);
    assert_eq!(sample.unmet.len(), 1);
    assert!(sample.yaml.starts_with("# No valid sample was found: spec: Invalid value"), "{}", sample.yaml);
    assert!(sample.unmet.iter().all(|error| error.contains("never")), "{:?}", sample.unmet);
}

/// The texts of a sample in which one block of comments is uncommented.
fn uncommented(lines: &[Line]) -> Vec<String> {
    let mut blocks: Vec<_> = lines.iter().filter_map(|line| line.blocks.first()).collect();
    blocks.dedup();
    let one = |block: &Block| {
        let mut lines = lines.to_vec();
        lines.iter_mut().for_each(|line| line.blocks.retain(|one| one != block));
        lines.iter().map(|line| line.with_comments() + "\n").collect()
    };
    blocks.into_iter().map(one).collect()
}

#[test]
fn each_optional_field_can_be_uncommented() {
    let definition = widget(
        "{type: object, properties: {spec: {type: object, required: [a], properties: {a: {type: string}, b: {type: \
         object, properties: {c: {type: string, description: 'Two: words'}, d: {type: array, items: {type: object, \
         required: [e], properties: {e: {type: integer, minimum: 3}}}}}}, f: {type: array, minItems: 2, items: {type: \
         string, pattern: '^[0-9]{2}x$'}}, g: {type: object, additionalProperties: {type: string}}}, \
         x-kubernetes-validations: [{rule: \"!has(self.f) || self.f[0] == '10x'\"}]}}}",
    );
    let lines = all_lines(&definition).remove(0);
    let texts = uncommented(&lines);
    assert_eq!(texts.len(), 3, "{texts:#?}");
    for text in texts {
        assert_eq!(errors(&definition, &text), Vec::<String>::new(), "{text}");
    }
}

/// The server accepts the samples of all definitions in the fixtures and, if it is available, in the corpus,
/// also with one optional field uncommented. `CRD_LS_CR_ORACLE` names a program with the API server's code,
/// which decides.
#[test]
fn samples_of_real_definitions_are_accepted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = root.join("../shared/corpus");
    if !corpus.is_dir() {
        eprintln!("the corpus is not there: only the fixtures are tried");
    }
    let (mut all, mut refused) = (0, Vec::new());
    let (mut blocks, mut broken, mut wrong) = (0, Vec::new(), 0);
    let (mut differences, mut checked) = (Vec::new(), 0);
    let real = yaml_files(&corpus).into_iter();
    let real = real.filter_map(|path| std::fs::read_to_string(&path).ok().map(|text| (path, text)));
    let own = suites::texts_below(&suites::fixtures().join("crd")).unwrap();
    for (path, text) in own.into_iter().chain(real) {
        if !text.contains("kind: CustomResourceDefinition") {
            continue;
        }
        let Ok(written) = super::written_samples(&text, &Settings::default()) else { continue };
        let (samples, lines): (Vec<_>, Vec<_>) = written.into_iter().unzip();
        let of_fixtures = !path.starts_with(root.join("../shared"));
        let catalog = catalog(&text);
        for (sample, lines) in samples.iter().zip(&lines) {
            let mut found = errors_by(&catalog, &sample.yaml);
            // A definition that requires an `apiVersion` of another type than string accepts no object.
            found.retain(|error| !error.starts_with("resource/unknown-kind"));
            // All errors of the sample are reported.
            let is_valid_or_unmet = found.is_empty() || !sample.unmet.is_empty();
            assert!(is_valid_or_unmet, "{}\n{found:?}\n{}", path.display(), sample.yaml);
            if of_fixtures {
                continue;
            }
            all += 1;
            refused.extend(
                sample.unmet.iter().map(|error| format!("{} {}: {error}", path.display(), sample.kind)),
            );
            // The first blocks are enough to check the form of the comments.
            for text_of in uncommented(lines).into_iter().take(8) {
                blocks += 1;
                let tree = yaml::Tree::parse(&text_of);
                let is_read = tree.documents().next().is_some_and(|document| yaml::decode(document).is_ok());
                if !is_read {
                    broken.push(format!("{} {}\n{text_of}", path.display(), sample.kind));
                }
                wrong += usize::from(sample.unmet.is_empty() && !errors_by(&catalog, &text_of).is_empty());
            }
        }
        // A fixture may have definitions that the oracle does not install.
        let answers = if of_fixtures { Vec::new() } else { accepts(&text, &samples) };
        checked += answers.len();
        let is_other = |(sample, accepted): &(&super::Sample, bool)| *accepted != sample.unmet.is_empty();
        let others = samples.iter().zip(answers).filter(is_other);
        differences.extend(others.map(|(sample, _)| format!("{} {}", path.display(), sample.kind)));
    }
    eprintln!(
        "{} of {all} samples are accepted, {checked} asked; {wrong} of {blocks} optional fields cannot be added alone; \
         refused: {refused:#?}",
        all - refused.len()
    );
    assert!(differences.is_empty(), "the server says otherwise: {differences:#?}");
    assert!(
        broken.is_empty(),
        "{} of {blocks}: {}",
        broken.len(),
        broken.iter().take(3).cloned().collect::<String>()
    );
    assert!(refused.len() * 100 <= all, "{} of {all}: {refused:#?}", refused.len());
    assert!(wrong * 100 <= blocks * 25, "{wrong} of {blocks}");
}

/// The lines of all samples of a text.
fn all_lines(text: &str) -> Vec<Vec<Line>> {
    super::written_samples(text, &Settings::default()).unwrap().into_iter().map(|(_, lines)| lines).collect()
}

/// Whether the API server's code accepts each sample; empty if it is not available.
fn accepts(definition: &str, samples: &[super::Sample]) -> Vec<bool> {
    let Some(oracle) = environment::resource_oracle().filter(|_| !samples.is_empty()) else {
        return Vec::new();
    };
    let work = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = work.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let installed = write("definition.yaml", definition);
    let paths: Vec<_> = samples
        .iter()
        .enumerate()
        .map(|(index, sample)| write(&format!("{index}.yaml"), &sample.yaml))
        .collect();
    let output = std::process::Command::new(oracle)
        .arg("cr")
        .arg("--crd")
        .arg(installed)
        .args(&paths)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<serde_json::Value> =
        answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |path: &PathBuf| {
        let answer = answers.iter().find(|answer| answer["file"].as_str() == path.to_str()).unwrap();
        assert_eq!(answer["matched"], true, "{answer}");
        ["decodeErrors", "strictErrors", "errors"]
            .iter()
            .all(|key| answer[*key].as_array().is_none_or(Vec::is_empty))
    };
    paths.iter().map(of).collect()
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
