//! Feature gates and unions, on the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod program;
    pub(crate) mod repository;
}

use std::fs;

use git2::Repository;
use support::program::{directory, json_of, run, status, stderr, stdout};
use support::repository::commit_all;
use tempfile::TempDir;

const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: crontabs, singular: crontab, kind: CronTab, listKind: CronTabList}
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
  customFeatureGates:
    component: istio
    featureGates:
    - name: ReplicasFeatureGate
      preRelease: alpha
      fieldPaths: [.spec.replicas]
";

fn resource(spec: &str) -> String {
    format!(
        "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {{name: one, namespace: default}}\nspec: {spec}\n"
    )
}

/// A directory with an experiment of gates.
fn experiment_folder() -> TempDir {
    directory(&[
        (".crd-ls.toml", b"[experimental]\nfeatureGates = true\n"),
        ("crd.yaml", DEFINITION.as_bytes()),
        ("cr.yaml", resource("{image: new, replicas: 3}").as_bytes()),
        ("old.yaml", resource("{image: old, replicas: 1}").as_bytes()),
    ])
}

#[test]
fn gates_are_listed_with_their_state() {
    let output = run(experiment_folder().path(), &["gates", "crd.yaml"]);
    assert_eq!((status(&output), stderr(&output)), (0, String::new()));
    assert_eq!(
        stdout(&output),
        "crd.yaml: crontabs.stable.example.com of istio\n\
         GATE                 STAGE  STATE  WHY                                      FIELDS\n\
         ReplicasFeatureGate  alpha  off    alpha, neither enabled nor default is set  .spec.replicas\n"
            .replace(
                "WHY                                      ",
                "WHY                                        "
            )
    );
    let json = json_of(&run(experiment_folder().path(), &["gates", "--output", "json", "crd.yaml"]));
    assert_eq!(json["component"], "istio");
    assert_eq!(json["gates"][0]["on"], false);
}

#[test]
fn enabled_experiments_are_checked_and_others_are_unknown_fields() {
    let root = experiment_folder();
    let output =
        run(root.path(), &["check", "--output", "json", "--fail-on", "warning", "crd.yaml", "cr.yaml"]);
    assert_eq!(status(&output), 1);
    let text = stdout(&output);
    assert!(text.contains("gates/off") && !text.contains("decode/unknown-field"), "{text}");
    fs::remove_file(root.path().join(".crd-ls.toml")).unwrap();
    let output = run(root.path(), &["check", "--output", "json", "crd.yaml", "cr.yaml"]);
    let text = stdout(&output);
    assert!(!text.contains("gates/off") && text.contains("decode/unknown-field"), "{text}");
}

#[test]
fn a_create_drops_the_field_and_an_update_keeps_it() {
    let root = experiment_folder();
    let shown = |more: &[&str]| {
        let output =
            run(root.path(), &[&["apply", "--dry-run", "--crd", "crd.yaml"], more, &["cr.yaml"]].concat());
        assert_eq!((status(&output), stderr(&output)), (0, String::new()), "{more:?}");
        stdout(&output)
    };
    let gate = "feature gate ReplicasFeatureGate is off (alpha, neither enabled nor default is set)";
    let created = shown(&[]);
    assert!(created.contains(&format!("# dropped: spec.replicas ({gate})\n")), "{created}");
    assert!(created.ends_with("spec:\n  image: new\n"), "{created}");
    let updated = shown(&["--old", "old.yaml"]);
    assert!(updated.contains(&format!("# kept as stored: spec.replicas ({gate})\n")), "{updated}");
    assert!(updated.ends_with("spec:\n  image: new\n  replicas: 1\n"), "{updated}");

    let repository = Repository::init(root.path()).unwrap();
    fs::write(root.path().join("cr.yaml"), resource("{image: head, replicas: 2}")).unwrap();
    commit_all(&repository);
    fs::write(root.path().join("cr.yaml"), resource("{image: new, replicas: 3}")).unwrap();
    let updated = shown(&["--base", "HEAD"]);
    assert!(updated.ends_with("spec:\n  image: new\n  replicas: 2\n"), "{updated}");
    let output =
        run(root.path(), &["apply", "--dry-run", "--old", "none.yaml", "--crd", "crd.yaml", "cr.yaml"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("--old"), "{}", stderr(&output));
}

#[test]
fn dependencies_on_disabled_gates_are_reported() {
    let root = experiment_folder();
    let dependent = DEFINITION.replace("replicas: {type: integer}", "replicas: {type: integer, default: 1}");
    fs::write(root.path().join("crd.yaml"), dependent).unwrap();
    fs::write(root.path().join("cr.yaml"), resource("{image: new}")).unwrap();
    let checked = stdout(&run(root.path(), &["check", "--output", "json", "crd.yaml"]));
    assert!(checked.contains("gates/default-dropped") && checked.contains("gates/published"), "{checked}");
    let applied = stdout(&run(root.path(), &["apply", "--dry-run", "--crd", "crd.yaml", "cr.yaml"]));
    let gate = "feature gate ReplicasFeatureGate is off (alpha, neither enabled nor default is set)";
    assert!(applied.contains(&format!("# default dropped: spec.replicas ({gate})\n")), "{applied}");
    assert!(applied.ends_with("spec:\n  image: new\n"), "{applied}");
    let published = stdout(&run(root.path(), &["openapi", "crd.yaml"]));
    assert!(
        published.contains("x-kubernetes-feature-gate:\n") && published.contains("component: istio\n"),
        "{published}"
    );
    fs::remove_file(root.path().join(".crd-ls.toml")).unwrap();
    let published = stdout(&run(root.path(), &["openapi", "crd.yaml"]));
    assert!(!published.contains("x-kubernetes-feature-gate"), "{published}");
}

#[test]
fn unions_are_published_as_one_of() {
    let union = DEFINITION
        .replace("replicas: {type: integer}", "type: {type: string}")
        .replace("            type: object\n            properties", "            type: object\n            x-kubernetes-unions: [{discriminator: type, fields: {image: Image}}]\n            properties");
    let root = directory(&[
        (".crd-ls.toml", b"[experimental]\nunions = true\n"),
        ("crd.yaml", union.split("  customFeatureGates").next().unwrap().as_bytes()),
    ]);
    let published = stdout(&run(root.path(), &["openapi", "crd.yaml"]));
    for part in ["oneOf:\n", "- required:\n", "- image\n", "- Image\n", "x-kubernetes-unions:\n"] {
        assert!(published.contains(part), "{part}: {published}");
    }
}
