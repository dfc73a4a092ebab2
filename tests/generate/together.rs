//! Consequences of an error in other packages, packages that no call generates, and calls that only patch schemas.

use std::fs;

use super::{TYPES, check, generate, module, put, status, text};

/// An error in a package is not repeated where another package of the run uses its types.
#[test]
fn an_error_is_reported_once_in_all_packages() {
    let folder = module();
    put(folder.path(), "api/v1/types.go", &TYPES.replace("MaxLength=5", "MaxLength=five"));
    let other = TYPES
        .replace("a.example.com", "b.example.com")
        .replace("import metav1 ", "import (\n\tv1 \"example.com/a/api/v1\"\n\tmetav1 ")
        .replacen("meta/v1\"\n", "meta/v1\"\n)\n", 1)
        .replace("\tA string `json:\"a\"`", "\tA string `json:\"a\"`\n\tPart `json:\",inline\"`")
        .replace("\t// +kubebuilder:validation:MaxLength=5\n", "")
        .replace(
            "// Thing is one.",
            "// Part is one.\ntype Part struct {\n\tB v1.Thing `json:\"b\"`\n}\n\n// +kubebuilder:validation:XValidation:rule=\"self.b.a != ''\"",
        );
    put(folder.path(), "other/v1/types.go", &other);
    let report = text(&check(folder.path(), &["--output", "concise", "."]).stdout);
    assert_eq!(report.matches("error[").count(), 1, "{report}");
    assert!(report.contains("takes an integer, not `five`"), "{report}");
    // The other package depends on the error.
    let report = text(&check(folder.path(), &["--output", "concise", "other"]).stdout);
    assert_eq!(report.matches("error[").count(), 1, "{report}");
    assert!(report.contains("api/v1/types.go:11:39: error[go/generation] `kubebuilder"), "{report}");
}

/// Types for clients of other projects' definitions need no status subresource.
#[test]
fn a_package_without_a_call_needs_no_status_subresource() {
    let folder = module();
    let with_status = |version: &str| {
        TYPES.replace("package v1", &format!("package {version}")).replace(
            "\tA string `json:\"a\"`",
            "\tA string `json:\"a\"`\n\n\tStatus Status `json:\"status,omitempty\"`",
        ) + "\ntype Status struct {\n\tB string `json:\"b,omitempty\"`\n}\n"
    };
    put(folder.path(), "api/v1/types.go", &with_status("v1"));
    put(folder.path(), "duck/v1/types.go", &with_status("v1"));
    let hints = || text(&check(folder.path(), &["--output", "concise", "."]).stdout);
    assert_eq!(hints().matches("lint/status-subresource").count(), 2, "{}", hints());
    let script = "location=$(dirname \"$0\")\napidir=$location/../api\ncd \"$apidir\"\n$(go env GOPATH)/bin/controller-gen crd \\\n  \
                  paths=./... output:crd:dir=../crds\n";
    let call = "manifests:\n\tcontroller-gen crd paths=./api/... output:crd:dir=crds\n";
    for (file, text) in [("script/generate.sh", script), ("Makefile", call)] {
        put(folder.path(), file, text);
        let report = hints();
        assert_eq!(report.matches("lint/status-subresource").count(), 1, "{file}: {report}");
        assert!(report.contains("api/v1/types.go"), "{report}");
        fs::remove_file(folder.path().join(file)).unwrap();
    }
}

/// The call is in a rule of make and uses the directory of its target.
#[test]
fn a_call_may_name_the_folder_of_its_target() {
    for folder_of in ["$(@D)", "$(dir $@)"] {
        let folder = module();
        let makefile = format!(
            "CRDS := crds\n\n$(CRDS)/a.example.com_things.yaml: api/v1/types.go\n\tcontroller-gen crd paths=./api/... \\\n\t  \
             output:crd:dir={folder_of}\n"
        );
        put(folder.path(), "Makefile", &makefile);
        let output = generate(folder.path(), &["./..."]);
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        assert!(folder.path().join("crds/a.example.com_things.yaml").is_file(), "{}", text(&output.stderr));
    }
}

/// `schemapatch` does not write whole definitions.
#[test]
fn a_check_of_patched_schemas_states_that_it_compares_nothing() {
    let folder = module();
    put(
        folder.path(),
        "hack/update.sh",
        "controller-gen schemapatch:manifests=crds,maxDescLen=0 output:dir=crds paths=./api/...\n",
    );
    let output = generate(folder.path(), &["--check"]);
    let messages = text(&output.stderr);
    assert_ne!(status(&output), 0, "{messages}");
    assert!(messages.contains("patches schemas into crds with `schemapatch`"), "{messages}");
    assert!(!messages.contains("does not exist"), "{messages}");
}
