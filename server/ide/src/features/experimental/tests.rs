//! Editor features for gates and unions.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::sync::Arc;

use text::{TextRange, TextSize};

use crate::{Applicability, Catalog, Definitions, Experiments, File, Settings, Surroundings};

const HEAD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              image: {type: string}
              replicas: {type: integer}
";

const GATES: &str = "  customFeatureGates:
    component: istio
    featureGates:
    - name: Replicas
      preRelease: alpha
      fieldPaths: [.spec.replicas]
";

fn settings() -> Settings {
    Settings { experiments: Experiments { feature_gates: true, unions: true }, ..Settings::default() }
}

/// The text without its `|`, and the offset of the `|`.
fn marked(text: &str) -> (String, TextSize) {
    let at = text.find('|').unwrap();
    (text.replacen('|', "", 1), at as TextSize)
}

fn labels(tail: &str) -> Vec<String> {
    let (text, at) = marked(&format!("{HEAD}{tail}"));
    File::new(&text, &settings()).completions(at).into_iter().map(|one| one.label).collect()
}

fn with_resource(resource: &str, settings: &Settings) -> Vec<(&'static str, String)> {
    let definition = format!("{HEAD}{GATES}");
    let definitions = Definitions::read("crd.yaml", &definition, Definitions::load_kept(&definition));
    let catalog = Catalog::default().with([(Arc::from("crd.yaml"), definitions)]);
    let around = Surroundings { catalog, source: "cr.yaml".into(), ..Surroundings::default() };
    let text = format!("apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: one}}\n{resource}");
    let file = File::with_surroundings(&text, settings, around);
    let findings = file.findings().iter();
    findings.map(|finding| (finding.code.as_str(), text[finding.range.as_usize()].to_owned())).collect()
}

#[test]
fn a_field_whose_gate_is_off_is_reported() {
    assert_eq!(
        with_resource("spec: {image: a, replicas: 3}", &settings()),
        [("gates/off", "replicas".to_owned())]
    );
    assert_eq!(with_resource("spec: {image: a}", &settings()), []);
    assert_eq!(with_resource("spec: {image: a, replicas: 3}", &Settings::default()), []);
}

/// The findings, without the hints on fields that are published although their gate is off.
fn wrong(text: &str) -> Vec<&'static str> {
    let file = File::new(text, &settings());
    let codes = file.findings().iter().map(|finding| finding.code.as_str());
    codes.filter(|code| *code != "gates/published").collect()
}

#[test]
fn without_the_setting_the_server_rejects_gates() {
    let text = format!("{HEAD}{GATES}");
    let codes = |settings: &Settings| {
        let file = File::new(&text, settings);
        file.findings()
            .iter()
            .map(|finding| (finding.code.as_str(), finding.api_server.is_some()))
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(&settings()), [("gates/published", false)]);
    assert_eq!(codes(&Settings::default()), [("decode/unknown-field", true)]);
    let off = File::new(&text, &Settings::default());
    assert_eq!(off.hints(TextRange::new(0, text.len() as u32)), []);
    assert!(off.hover(text.find("Replicas").unwrap() as u32).is_none());
}

#[test]
fn a_gate_shows_whether_it_is_on() {
    let text = format!("{HEAD}{GATES}");
    let file = File::new(&text, &settings());
    let hints = file.hints(TextRange::new(0, text.len() as u32));
    let labels: Vec<&str> = hints.iter().map(|hint| &*hint.label).collect();
    assert_eq!(labels, ["off · alpha, neither enabled nor default is set"]);
    for word in ["Replicas", "alpha", ".spec.replicas"] {
        let at = text.rfind(word).unwrap();
        let hover = file.hover(at as u32 + 1).unwrap();
        assert_eq!(&text[hover.range.as_usize()], word);
        assert!(
            hover.markdown.starts_with("**Feature gate `Replicas`** · alpha · off"),
            "{}",
            hover.markdown
        );
    }
}

#[test]
fn a_path_leads_to_its_property() {
    let text = format!("{HEAD}{GATES}");
    let file = File::new(&text, &settings());
    for word in [".spec.replicas", "Replicas"] {
        let found = file.definition(text.rfind(word).unwrap() as u32 + 1).unwrap();
        assert_eq!(found.target.start as usize, text.find("replicas: {type").unwrap(), "{word}");
    }
}

#[test]
fn fields_values_and_paths_are_proposed() {
    let spec = labels("  custom|\n");
    assert!(
        spec.contains(&"customFeatureGates".to_owned()) && spec.contains(&"conversion".to_owned()),
        "{spec:?}"
    );
    assert_eq!(labels("  customFeatureGates:\n    comp|\n"), ["featureGates", "component"]);
    let gate = labels("  featureGates:\n  - name: A\n    pre|\n");
    assert_eq!(gate, ["preRelease", "fieldPaths", "enabled", "default", "deprecatedWarning"]);
    let stages = labels("  featureGates:\n  - name: A\n    preRelease: |\n");
    assert_eq!(stages, ["alpha", "beta", "stable", "deprecated"]);
    assert_eq!(labels("  featureGates:\n  - name: A\n    enabled: |\n"), ["true", "false"]);
    let paths = labels(
        "  featureGates:\n  - {name: B, fieldPaths: [.spec.image]}\n  - name: A\n    fieldPaths:\n    - .sp|\n",
    );
    assert_eq!(paths, [".spec", ".spec.replicas"]);
}

#[test]
fn a_union_unfolds_to_what_the_server_understands() {
    let union = "              source:
                type: object
                x-kubernetes-unions:
                - {discriminator: type, fields: {emptyDir: EmptyDir, hostPath: HostPath}}
                ONEOF
                properties:
                  type: {type: string}
                  emptyDir: {type: object}
                  hostPath: {type: object}
";
    for (one_of, expected) in [
        (
            "description: a",
            "oneOf:\n                - required: [emptyDir]\n                - required: [hostPath]",
        ),
        ("oneOf: [{required: [type]}]", "- oneOf:\n                  - required: [emptyDir]\n"),
    ] {
        let text = format!("{HEAD}{}", union.replace("ONEOF", one_of));
        let file = File::new(&text, &settings());
        let codes: Vec<_> = file.findings().iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(codes, ["unions/not-enforced"]);
        let fix = file.fixes(TextRange::new(0, text.len() as u32)).remove(0);
        assert_eq!(fix.applicability, Applicability::Suggested);
        let mut after = text.clone();
        for edit in fix.edits.iter().rev() {
            after.replace_range(edit.range.as_usize(), &edit.new_text);
        }
        assert!(after.contains(expected), "{after}");
        assert!(after.contains("type: {type: string, enum: [EmptyDir, HostPath]}"), "{after}");
        assert_eq!(File::new(&after, &settings()).findings(), [], "{after}");
        let known: Vec<_> = File::new(&after, &Settings::default())
            .findings()
            .iter()
            .map(|finding| finding.code.as_str())
            .collect();
        assert_eq!(known, ["decode/unknown-field"], "the keyword itself stays");
    }
}

#[test]
fn a_one_of_is_declared_as_a_union() {
    let text = format!(
        "{HEAD}              source:
                type: object
                oneOf:
                - required: [emptyDir]
                - required: [hostPath]
                properties:
                  type: {{type: string, enum: [EmptyDir, HostPath]}}
                  emptyDir: {{type: object}}
                  hostPath: {{type: object}}
"
    );
    let at = TextRange::empty(text.find("oneOf").unwrap() as u32);
    let offered = |settings: &Settings| {
        let offers = File::new(&text, settings).refactorings(at);
        offers.into_iter().find(|offer| offer.title.contains("x-kubernetes-unions"))
    };
    assert_eq!(offered(&Settings::default()), None);
    let mut after = text.clone();
    for edit in offered(&settings()).unwrap().edits.iter().rev() {
        after.replace_range(edit.range.as_usize(), &edit.new_text);
    }
    let union = "                type: object
                x-kubernetes-unions:
                - discriminator: type
                  fields:
                    emptyDir: EmptyDir
                    hostPath: HostPath
                oneOf:
";
    assert!(after.contains(union), "{after}");
    assert_eq!(File::new(&after, &settings()).findings(), []);
}

/// The text after the edits, which are sorted.
fn text_after(text: &str, edits: &[text::TextEdit]) -> String {
    let mut after = text.to_owned();
    edits.iter().rev().for_each(|edit| after.replace_range(edit.range.as_usize(), &edit.new_text));
    after
}

#[test]
fn wrong_gates_are_repaired() {
    let gate = |tail: &str| format!("{HEAD}  featureGates:\n  - name: A\n{tail}");
    let path = "    fieldPaths: [.spec.replicas]\n";
    for (code, wrong, expected) in [
        (
            "gates/default",
            format!("    preRelease: alpha\n    default: true\n{path}"),
            vec!["    default: false\n"],
        ),
        (
            "gates/default",
            format!("    preRelease: stable\n    default: false\n{path}"),
            vec!["    default: true\n"],
        ),
        (
            "gates/default",
            format!("    preRelease: beta\n{path}"),
            vec!["    default: false\n", "    default: true\n"],
        ),
        (
            "gates/shared-path",
            format!(
                "    preRelease: alpha\n{path}  - name: B\n    preRelease: alpha\n    fieldPaths: [.spec.image, .spec.replicas]\n"
            ),
            vec!["    fieldPaths: [.spec.image]\n"],
        ),
        (
            "gates/field-path",
            "    preRelease: alpha\n    fieldPaths: [.spec.replcas]\n".to_owned(),
            vec!["    fieldPaths: [.spec.replicas]\n"],
        ),
        (
            "gates/field-path",
            "    preRelease: alpha\n    fieldPaths: [$.spec.replicas]\n".to_owned(),
            vec!["    fieldPaths: [.spec.replicas]\n"],
        ),
        (
            "gates/field-path",
            "    preRelease: alpha\n    fieldPaths:\n    - spec.replicas\n".to_owned(),
            vec!["    - .spec.replicas\n"],
        ),
        ("gates/form", format!("    preRelease: alhpa\n{path}"), vec!["    preRelease: alpha\n"]),
        ("gates/form", format!("    preRelease: GA\n{path}"), vec!["    preRelease: stable\n"]),
    ] {
        let text = gate(&wrong);
        let file = File::new(&text, &settings());
        assert_eq!(self::wrong(&text), [code], "{wrong}");
        let mut fixes = file.fixes(TextRange::new(0, text.len() as u32));
        fixes.retain(|fix| fix.repairs.iter().any(|(of, _)| *of == code));
        assert_eq!(fixes.len(), expected.len(), "{wrong}: {fixes:?}");
        for (fix, line) in fixes.iter().zip(expected) {
            let after = text_after(&text, &fix.edits);
            assert!(after.contains(line), "{after}");
            assert_eq!(self::wrong(&after), Vec::<&str>::new(), "{after}");
        }
    }
}

#[test]
fn a_rename_reaches_gates_and_unions() {
    let union = "              source:
                type: object
                x-kubernetes-unions:
                - {discriminator: type, fields: {emptyDir: EmptyDir, 'hostPath': HostPath}}
                oneOf: [{required: [emptyDir]}, {required: [hostPath]}]
                properties:
                  type: {type: string, enum: [EmptyDir, HostPath]}
                  emptyDir: {type: object}
                  hostPath: {type: object}
";
    let text = format!("{HEAD}{union}{GATES}")
        .replace("[.spec.replicas]", "[.spec.replicas, .spec.source.hostPath]");
    let renamed = |key: &str, new: &str| {
        let file = File::new(&text, &settings());
        let rename = file.rename(text.find(key).unwrap() as u32 + 1, new).unwrap();
        text_after(&text, &file.renamed(&rename).unwrap())
    };
    let replicas = renamed("replicas: {type", "count");
    assert!(replicas.contains("[.spec.count, .spec.source.hostPath]"), "{replicas}");
    let field = renamed("hostPath: {type", "path");
    assert!(
        field.contains("{discriminator: type, fields: {emptyDir: EmptyDir, 'path': HostPath}}"),
        "{field}"
    );
    assert!(field.contains("{required: [path]}") && field.contains(".spec.source.path]"), "{field}");
    let discriminator = renamed("type: {type: string, enum", "kind");
    assert!(discriminator.contains("- {discriminator: kind, fields"), "{discriminator}");
    for text in [replicas, field, discriminator] {
        assert_eq!(wrong(&text), Vec::<&str>::new(), "{text}");
    }
}
