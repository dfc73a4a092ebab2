//! Findings on types of other modules and of packages from which no definition is generated.

use std::process::Command;

use super::{TYPES, check, module, put, text};

/// The findings on a package.
fn findings_of(folder: &tempfile::TempDir, package: &str) -> String {
    text(&check(folder.path(), &["--output", "concise", package]).stdout)
}

/// A module with a package that imports `import`, and with a field of the type `kind`.
fn with_field(import: &str, kind: &str) -> tempfile::TempDir {
    let folder = module();
    let types = TYPES
        .replace("import metav1", &format!("import far \"{import}\"\n\nimport metav1"))
        .replace("A string `json:\"a\"`", &format!("A string `json:\"a\"`\n\n\tB far.{kind} `json:\"b\"`"));
    put(folder.path(), "api/v1/types.go", &types);
    folder
}

/// A package that no call names may keep the columns of the package that it is a copy of.
#[test]
fn columns_count_only_where_a_definition_is_generated() {
    let folder = module();
    let types = TYPES.replace(
        "// Thing is one.",
        "// Thing is one.\n// +kubebuilder:printcolumn:name=N,type=string,JSONPath=`.spec.none`",
    );
    put(folder.path(), "api/v1/types.go", &types);
    put(folder.path(), "hub/v1/types.go", &types);
    put(
        folder.path(),
        "Makefile",
        "manifests:\n\tcontroller-gen crd paths=./api/... output:crd:dir=config/crd\n",
    );
    assert!(
        findings_of(&folder, "api/v1").contains("lint/column-path"),
        "{}",
        findings_of(&folder, "api/v1")
    );
    assert_eq!(findings_of(&folder, "hub/v1"), "");
}

/// The key of the conditions is required in the release that the project requires, but not in the one that is built in.
#[test]
fn built_in_types_of_another_release_cause_no_error() {
    let folder = with_field("k8s.io/api/apps/v1", "DaemonSetStatus");
    let go_mod = std::fs::read_to_string(folder.path().join("go.mod")).unwrap();
    put(folder.path(), "go.mod", &format!("{go_mod}\nrequire k8s.io/api v0.31.0\n"));
    let output = findings_of(&folder, "api/v1");
    assert!(output.contains("hint[go/missing-module]") && !output.contains("list-map-key"), "{output}");
}

/// Releases before v0.16 reject the group of the core API.
#[test]
fn a_release_that_refuses_the_group_of_the_core_api_is_named_once() {
    let folder = with_field("k8s.io/api/core/v1", "Part");
    let go_mod = std::fs::read_to_string(folder.path().join("go.mod")).unwrap();
    put(folder.path(), "go.mod", &format!("{go_mod}\nrequire k8s.io/api v0.36.0\n"));
    let package = "// +groupName=\n\npackage v1\n\ntype Part struct {\n\tA string `json:\"a\"`\n}\n";
    let cache = tempfile::tempdir().unwrap();
    put(cache.path(), "k8s.io/api@v0.36.0/go.mod", "module k8s.io/api\n");
    put(cache.path(), "k8s.io/api@v0.36.0/core/v1/doc.go", package);
    let found = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crd-ls"));
        command.args(["check", "--output", "concise", "api/v1"]).current_dir(folder.path());
        text(
            &command
                .env("GOMODCACHE", cache.path())
                .env("GOROOT", cache.path().join("none"))
                .output()
                .unwrap()
                .stdout,
        )
    };
    let makefile = "CONTROLLER_TOOLS_VERSION ?= v0.15.0\nmanifests:\n\tcontroller-gen crd paths=./api/...\n";
    put(folder.path(), "Makefile", makefile);
    let output = found();
    let expected = "error[go/generation] controller-gen v0.15.0 rejects `+groupName=` in package k8s.io/api/core/v1; update controller-gen";
    assert!(output.contains(expected) && output.lines().count() == 1, "{output}");
    put(folder.path(), "Makefile", &makefile.replace("v0.15.0", "v0.16.0"));
    assert_eq!(found(), "");
}
