//! Mistakes in Go beside the definition that is generated from it: what Go already reports has no second finding there.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{file_header, findings_of, module};

/// A field whose maximum does not fit in its type, which is a finding of the definition.
const FIELD: &str = "\t// +kubebuilder:validation:Maximum=4294967295\n\tSize int32 `json:\"size\"`\n";

const MAKEFILE: &str = "generate:\n\tcontroller-gen crd paths=./... output:crd:artifacts:config=config/crd\n";

/// The findings of a project whose definition is generated from `before`, after the types are changed to `after`.
fn findings_after(before: &str, after: &str) -> Vec<String> {
    let with = |fields: &str| file_header("") + FIELD + fields + "}\n";
    let folder = module(&[("v1/types.go", &with(before)), ("Makefile", MAKEFILE)]);
    generate(folder.path());
    let types = fs::read_to_string(folder.path().join("v1/types.go")).unwrap();
    fs::write(folder.path().join("v1/types.go"), types.replace(before, after)).unwrap();
    findings_of(folder.path(), false)
}

fn generate(folder: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crd-ls"));
    command.args(["generate"]).current_dir(folder);
    command.env("GOMODCACHE", folder.join("none")).env("GOROOT", folder.join("none"));
    assert!(command.output().unwrap().status.success());
}

#[test]
fn a_rejected_marker_moves_no_finding_to_the_definition() {
    let right = "\t// +kubebuilder:validation:MaxLength=5\n\tA string `json:\"a\"`\n";
    let before = findings_after(right, right);
    let [only] = &*before else { panic!("{before:?}") };
    assert!(only.starts_with("v1/types.go:") && only.contains("lint/integer-range"), "{only}");
    let mut found = findings_after(right, &right.replace("=5", "=five"));
    found.retain(|finding| !before.contains(finding));
    let [only] = &*found else { panic!("{found:?}") };
    assert!(only.starts_with("v1/types.go:") && only.contains("write `5`"), "{only}");
}

#[test]
fn a_syntax_error_moves_no_finding_to_the_definition() {
    let right = "\tA string `json:\"a\"`\n";
    let found = findings_after(right, "\tA string `json:\"a\"\n");
    let [only] = &*found else { panic!("{found:?}") };
    assert!(
        only.starts_with("v1/types.go:") && only.contains("the tag has no backtick at its end"),
        "{only}"
    );
}

/// A definition has the versions of all its packages. With a syntax error in one of them, the others are still generated.
#[test]
fn a_syntax_error_in_one_version_moves_no_finding_to_the_definition() {
    let types =
        |version: &str| file_header("").replace("package v1", &format!("package {version}")) + FIELD + "}\n";
    let stored = types("v2").replace("type Thing", "// +kubebuilder:storageversion\ntype Thing");
    let folder = module(&[("v1/types.go", &types("v1")), ("v2/types.go", &stored), ("Makefile", MAKEFILE)]);
    generate(folder.path());
    let before = findings_of(folder.path(), false);
    let path = folder.path().join("v1/types.go");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("`json:\"size\"`", "`json:\"size\"")).unwrap();
    let mut found = findings_of(folder.path(), false);
    found.retain(|finding| !before.contains(finding));
    let [only] = &*found else { panic!("{found:?}") };
    assert!(
        only.starts_with("v1/types.go:") && only.contains("the tag has no backtick at its end"),
        "{only}"
    );
}
