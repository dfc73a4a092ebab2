//! Definitions with the annotation of controller-gen for which no call is found: in the usual folders, in charts and in
//! bundles.

use std::fs;
use std::path::Path;

use super::{TYPES, check, generate, module, put, text, write_project};

/// Types with an error that only the definition shows.
fn mistaken() -> String {
    TYPES.replace(
        "// +kubebuilder:validation:MaxLength=5\n\tA string",
        "// +kubebuilder:validation:UniqueItems=true\n\tA []string",
    )
}

/// A module whose definition is generated, without a call of controller-gen.
fn generated(types: &str) -> tempfile::TempDir {
    let folder = module();
    fs::write(folder.path().join("api/v1/types.go"), types).unwrap();
    generate(folder.path(), &["./..."]);
    assert!(write_project(folder.path()).exists());
    folder
}

/// The findings of `check`, each as its file and its code.
fn findings_of(folder: &Path, args: &[&str]) -> Vec<(String, String)> {
    let output = check(folder, &[&["--output", "concise"], args].concat());
    let of_line = |line: &str| {
        let (path, rest) = line.split_once(':')?;
        Some((
            path.trim_start_matches("./").to_owned(),
            rest.split_once('[')?.1.split(']').next()?.to_owned(),
        ))
    };
    text(&output.stdout).lines().filter_map(of_line).collect()
}

fn finding(path: &str, code: &str) -> (String, String) {
    (path.to_owned(), code.to_owned())
}

#[test]
fn the_annotation_identifies_the_go_types_without_a_call() {
    let folder = generated(&mistaken());
    assert_eq!(findings_of(folder.path(), &["."]), [finding("api/v1/types.go", "schema/unique-items")]);
    let out = text(&check(folder.path(), &["--verbose", "config/crd"]).stdout);
    assert!(out.contains("api/v1/types.go:11: the Go source of this"), "{out}");
    check(folder.path(), &["--fix", "config/crd"]);
    let fixed = fs::read_to_string(folder.path().join("api/v1/types.go")).unwrap();
    assert!(fixed.contains("// +listType=set\n"), "{fixed}");
    let definition = fs::read_to_string(write_project(folder.path())).unwrap();
    assert!(definition.contains("x-kubernetes-list-type: set"), "{definition}");
    assert_eq!(findings_of(folder.path(), &["."]), []);
}

#[test]
fn a_mistake_has_one_finding_in_go_and_none_in_copies() {
    let folder = generated(&mistaken());
    let definition = fs::read_to_string(write_project(folder.path())).unwrap();
    put(folder.path(), "charts/thing/crds/things.yaml", &definition);
    let other = definition
        .replace("\n  annotations:\n    controller-gen.kubebuilder.io/version: ", "\n  labels:\n    a: ");
    let other = other.replace("things", "others").replace("Thing", "Other").replace("thing", "other");
    put(
        folder.path(),
        "deploy/bundle.yaml",
        &format!("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n{definition}{other}"),
    );
    // A finding on a part that controller-gen did not write is reported in the bundle.
    let own = finding("deploy/bundle.yaml", "schema/unique-items");
    let in_go = finding("api/v1/types.go", "schema/unique-items");
    assert_eq!(findings_of(folder.path(), &["."]), [in_go, own.clone()]);
    assert_eq!(findings_of(folder.path(), &["deploy"]), [own.clone(), own]);
    let out = text(&check(folder.path(), &["--verbose", "deploy"]).stdout);
    assert_eq!(out.matches("api/v1/types.go:11: the Go source of this").count(), 1, "{out}");
}

/// Another program builds a bundle, so a fix does not change it.
#[test]
fn a_fix_of_a_copy_is_applied_only_in_go() {
    let folder = generated(&mistaken());
    let definition = fs::read_to_string(write_project(folder.path())).unwrap();
    let bundle = format!("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n{definition}");
    let bundle = format!("{bundle}---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: b\n");
    put(folder.path(), "deploy/bundle.yaml", &bundle);
    let messages = text(&check(folder.path(), &["--fix", "deploy"]).stderr);
    assert!(messages.contains("deploy/bundle.yaml: `a.example.com_things.yaml` is a copy"), "{messages}");
    let fixed = fs::read_to_string(folder.path().join("api/v1/types.go")).unwrap();
    assert!(fixed.contains("// +listType=set\n"), "{fixed}");
    assert_eq!(fs::read_to_string(folder.path().join("deploy/bundle.yaml")).unwrap(), bundle);
}

/// A copy of an earlier release has its own findings.
#[test]
fn an_older_copy_is_not_stale_and_keeps_its_own_findings() {
    let folder = generated(&mistaken());
    let definition = fs::read_to_string(write_project(folder.path())).unwrap();
    put(folder.path(), "releases/v1/things.yaml", &definition);
    put(folder.path(), "api/v1/types.go", TYPES);
    generate(folder.path(), &["./..."]);
    let rivals = finding("config/crd/a.example.com_things.yaml", "resource/rival-definitions");
    let own = finding("releases/v1/things.yaml", "schema/unique-items");
    assert_eq!(findings_of(folder.path(), &["."]), [rivals, own]);
    let out = text(&check(folder.path(), &["--verbose", "releases"]).stdout);
    assert!(!out.contains("the Go source of this"), "{out}");
}

/// A program may call controller-gen, change the result, and write it under different names.
#[test]
fn without_a_call_a_file_under_another_name_is_a_copy() {
    let folder = generated(TYPES);
    let definition = fs::read_to_string(write_project(folder.path())).unwrap();
    let directory = write_project(folder.path()).parent().unwrap().to_owned();
    fs::remove_file(write_project(folder.path())).unwrap();
    let older = definition.replace("maxLength: 5", "maxLength: 4");
    assert_ne!(older, definition);
    fs::write(directory.join("thing-crd.yaml"), older).unwrap();
    assert_eq!(findings_of(folder.path(), &["."]), []);
}

/// If two packages may generate a definition, neither is guessed.
#[test]
fn a_definition_of_two_packages_is_assigned_to_neither() {
    let folder = generated(&mistaken());
    put(folder.path(), "other/api/v1/types.go", &mistaken());
    let codes = findings_of(folder.path(), &["config"]);
    assert_eq!(codes, [finding("config/crd/a.example.com_things.yaml", "schema/unique-items")]);
    let out = text(&check(folder.path(), &["--verbose", "config"]).stdout);
    assert!(!out.contains("the Go source of this"), "{out}");
}

/// A definition shows whether it was generated with the properties of embedded metadata.
#[test]
fn embedded_metadata_makes_no_file_stale() {
    let types = TYPES.replace(
        "A string `json:\"a\"`",
        "A string `json:\"a\"`\n\tB metav1.ObjectMeta `json:\"b,omitempty\"`",
    );
    let folder = generated(&types);
    assert_eq!(findings_of(folder.path(), &["."]), []);
    let args = ["--generate-embedded-object-meta", "--output-dir", "config/crd", "./..."];
    generate(folder.path(), &args);
    let definition = fs::read_to_string(write_project(folder.path())).unwrap();
    assert!(definition.contains("finalizers:"), "{definition}");
    assert_eq!(findings_of(folder.path(), &["."]), []);
}
