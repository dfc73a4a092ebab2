//! `crd-ls generate`: the written files, stale files, and the options that apply.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "generate/calls.rs"]
mod calls;
#[path = "generate/compared.rs"]
mod compared;
#[path = "generate/copies.rs"]
mod copies;
#[path = "generate/go_findings.rs"]
mod go_findings;
#[path = "generate/others.rs"]
mod others;
#[path = "support/program.rs"]
mod program;
#[path = "generate/redirected.rs"]
mod redirected;
#[path = "generate/scripts.rs"]
mod scripts;
#[path = "generate/together.rs"]
mod together;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use program::{printed as text, status};

const TYPES: &str = "// +groupName=a.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n\
                     // Thing is one.\ntype Thing struct {\n\tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta \
                     `json:\"metadata,omitempty\"`\n\n\t// +kubebuilder:validation:MaxLength=5\n\tA string `json:\"a\"`\n}\n";

/// A module in a repository, with a replacement for apimachinery.
fn module() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |path: &str, text: &str| put(folder.path(), path, text);
    let meta = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/go/apimachinery/pkg/apis/meta/v1/types.go");
    put(
        "go.mod",
        "module example.com/a\n\nrequire k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => ./meta\n",
    );
    put("meta/go.mod", "module k8s.io/apimachinery\n");
    put("meta/pkg/apis/meta/v1/types.go", &fs::read_to_string(meta).unwrap());
    put("api/v1/types.go", TYPES);
    put(".git/HEAD", "ref: refs/heads/main\n");
    folder
}

fn put(folder: &Path, path: &str, text: &str) {
    fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
    fs::write(folder.join(path), text).unwrap();
}

fn generate(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crd-ls"))
        .arg("generate")
        .args(args)
        .current_dir(folder)
        .env("GOMODCACHE", folder.join("none"))
        .env("GOROOT", folder.join("none"))
        .output()
        .unwrap()
}

fn write_project(folder: &Path) -> PathBuf {
    folder.join("config/crd/a.example.com_things.yaml")
}

#[test]
fn files_are_written_where_controller_gen_writes_them() {
    let folder = module();
    let output = generate(folder.path(), &["./..."]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let file = fs::read_to_string(write_project(folder.path())).unwrap();
    assert!(file.starts_with("---\napiVersion: apiextensions.k8s.io/v1\n"), "{file}");
    assert!(file.contains("          a:\n            maxLength: 5\n            type: string\n"), "{file}");
    assert_eq!(text(&generate(folder.path(), &["--stdout", "./api/v1"]).stdout), file);
}

/// Outside git, all files of the module may be read, for a package in any of its directories.
#[test]
fn a_package_below_the_module_needs_no_repository() {
    let folder = module();
    fs::remove_dir_all(folder.path().join(".git")).unwrap();
    let output = generate(&folder.path().join("api"), &["--stdout", "./v1"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("maxLength: 5"), "{}", text(&output.stdout));
}

#[test]
fn a_stale_file_is_shown_and_not_changed() {
    let folder = module();
    generate(folder.path(), &["./..."]);
    assert_eq!(status(&generate(folder.path(), &["--check", "./..."])), 0);
    fs::write(folder.path().join("api/v1/types.go"), TYPES.replace("MaxLength=5", "MaxLength=6")).unwrap();
    let before = fs::read_to_string(write_project(folder.path())).unwrap();
    let output = generate(folder.path(), &["--check", "./..."]);
    assert_eq!(status(&output), 1);
    let diff = text(&output.stdout);
    assert!(diff.contains("-            maxLength: 5\n+            maxLength: 6\n"), "{diff}");
    assert_eq!(fs::read_to_string(write_project(folder.path())).unwrap(), before);
}

/// A project that calls controller-gen from code: the committed definitions show its options.
#[test]
fn definitions_show_how_they_were_generated() {
    let folder = module();
    let types = TYPES.replace("`json:\"a\"`\n", "`json:\"a\"`\n\n\tB float64 `json:\"b\"`\n");
    fs::write(folder.path().join("api/v1/types.go"), types).unwrap();
    let bare = generate(folder.path(), &["--stdout", "./..."]);
    assert_eq!(status(&bare), 1, "{}", text(&bare.stdout));
    let options = ["--allow-dangerous-types", "--max-desc-len", "0", "--controller-gen-version", "v0.18.0"];
    let output =
        generate(folder.path(), &[&options[..], &["--output-dir", "config/crd/bases", "./..."]].concat());
    assert!(
        folder.path().join("config/crd/bases/a.example.com_things.yaml").exists(),
        "{}",
        text(&output.stderr)
    );
    let again = generate(folder.path(), &["--check", "./..."]);
    assert_eq!((status(&again), text(&again.stdout)), (0, String::new()), "{}", text(&again.stderr));
    assert!(text(&again.stderr).contains("a.example.com_things.yaml shows"), "{}", text(&again.stderr));
    let checked = check(folder.path(), &["--output", "concise", "api/v1/types.go"]);
    assert_eq!(status(&checked), 0, "{}", text(&checked.stdout));
    // Definitions of another group show nothing.
    let types = fs::read_to_string(folder.path().join("api/v1/types.go")).unwrap();
    fs::write(folder.path().join("api/v1/types.go"), types.replace("a.example.com", "b.example.com"))
        .unwrap();
    assert_eq!(status(&generate(folder.path(), &["--stdout", "./api/v1"])), 1);
}

#[test]
fn errors_are_reported_at_their_places_and_the_status_is_1() {
    let folder = module();
    fs::write(folder.path().join("api/v1/types.go"), TYPES.replace("A string", "A int")).unwrap();
    let output = generate(folder.path(), &["--stdout", "./..."]);
    assert_eq!(status(&output), 1);
    let place = Path::new("api/v1/types.go").display().to_string();
    let messages = text(&output.stderr);
    assert!(
        messages.contains(&format!(
            "{place}:12:2: must apply maxlength to a textual value, found type \"integer\"\n"
        )),
        "{messages}"
    );
    assert_eq!(status(&generate(folder.path(), &["./nowhere"])), 2);
}

/// A directory outside the repository that `go.mod` names is not read, and no message advises downloading a replaced module.
#[test]
fn a_replacement_outside_of_the_repository_is_not_read() {
    let folder = module();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("go.mod"), "module example.org/far\n").unwrap();
    fs::write(outside.path().join("far.go"), "package far\n\ntype Name string\n").unwrap();
    let text_of = fs::read_to_string(folder.path().join("go.mod")).unwrap();
    let replaced =
        format!("require example.org/far v1.0.0\nreplace example.org/far => {}\n", outside.path().display());
    fs::write(folder.path().join("go.mod"), text_of + &replaced).unwrap();
    let types = TYPES.replace("import metav1", "import \"example.org/far\"\nimport metav1");
    fs::write(
        folder.path().join("api/v1/types.go"),
        types.replace("A string", "B far.Name `json:\"b\"`\n\tA string"),
    )
    .unwrap();
    let output = generate(folder.path(), &["--stdout", "./..."]);
    assert_eq!(status(&output), 1);
    let messages = text(&output.stderr);
    assert!(messages.contains("go.mod replaces module example.org/far by "), "{messages}");
    assert!(text(&output.stdout).contains("          b: {}\n"), "{}", text(&output.stdout));
}

/// In a clone without a module cache, the types of apimachinery are built in, with their texts.
#[test]
fn a_bare_clone_is_enough_for_the_types_of_apimachinery() {
    let folder = module();
    let go_mod = "module example.com/a\n\nrequire k8s.io/apimachinery v0.36.1\n";
    fs::write(folder.path().join("go.mod"), go_mod).unwrap();
    let types =
        TYPES.replace("A string `json:\"a\"`", "A string `json:\"a\"`\n\tC []metav1.Condition `json:\"c\"`");
    fs::write(folder.path().join("api/v1/types.go"), types).unwrap();
    let output = generate(folder.path(), &["--stdout", "./api/..."]);
    let (file, messages) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(status(&output), 0, "{messages}");
    assert!(messages.contains("go mod download k8s.io/apimachinery"), "{messages}");
    assert!(
        file.contains(
            "            Servers should convert recognized schemas to the latest internal value, and\n"
        ),
        "{file}"
    );
    assert!(file.contains("                maxLength: 316\n"), "{file}");
}

/// A finding on the generated definition is reported at the token in Go.
#[test]
fn a_go_file_is_checked_by_the_definitions_of_its_package() {
    let folder = module();
    let types = TYPES
        .replace(
            "// +kubebuilder:validation:MaxLength=5",
            "// +kubebuilder:validation:XValidation:rule=\"self.size() > x\"",
        )
        .replace("// Thing is one.", "// Thing is one.\n// +kubebuilder:subresorce:status");
    fs::write(folder.path().join("api/v1/types.go"), types).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_crd-ls"))
        .args(["check", "--output", "concise", "api/v1/types.go"])
        .current_dir(folder.path())
        .env("GOMODCACHE", folder.path().join("none"))
        .env("GOROOT", folder.path().join("none"))
        .output()
        .unwrap();
    let (out, messages) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(status(&output), 1, "{out}{messages}");
    assert!(out.contains("api/v1/types.go:12:61: "), "{out}");
    assert!(out.contains("there is no variable `x`"), "{out}");
    assert!(out.contains("warning[go/marker-unknown]"), "{out}");
    assert!(out.contains("write `kubebuilder:subresource:status`"), "{out}");
}

/// Generators of clients name groups in the same way, in packages from which no definitions are generated.
#[test]
fn packages_for_generators_of_clients_are_checked_only_if_controller_gen_is_called() {
    let folder = module();
    let types = TYPES
        .replace("// Thing is one.", "// +genclient")
        .replace("\t// +kubebuilder:validation:MaxLength=5\n", "");
    put(folder.path(), "api/v1/types.go", &types.replace("A string", "A float64"));
    let shown = |args: &[&str]| text(&check(folder.path(), args).stdout);
    assert!(!shown(&["."]).contains("float64"), "{}", shown(&["."]));
    // A named file is checked, and so is a package from which a call generates definitions.
    assert!(shown(&["api/v1/types.go"]).contains("controller-gen rejects `float64`"));
    fs::write(folder.path().join("Makefile"), MAKEFILE).unwrap();
    assert!(shown(&["."]).contains("controller-gen rejects `float64`"), "{}", shown(&["."]));
}

/// Modules that only controllers and tests import need not be downloaded to compare definitions.
#[test]
fn a_missing_module_is_reported_only_if_a_definition_needs_it() {
    let folder = module();
    let go_mod = fs::read_to_string(folder.path().join("go.mod")).unwrap();
    put(folder.path(), "go.mod", &(go_mod + "\nrequire example.org/b v1.0.0\n"));
    let other =
        "package controllers\n\nimport \"example.org/b/c\"\n\ntype State struct {\n\tA c.A `json:\"a\"`\n}\n";
    put(folder.path(), "controllers/state.go", other);
    let output = generate(folder.path(), &["./..."]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let output = generate(folder.path(), &["--check", "./..."]);
    assert_eq!((status(&output), text(&output.stderr).contains("example.org")), (0, false));
    let types = TYPES
        .replace("import metav1", "import \"example.org/b/c\"\nimport metav1")
        .replace("A string", "B c.A `json:\"b\"`\n\tA string");
    put(folder.path(), "api/v1/types.go", &types);
    let output = generate(folder.path(), &["--check", "./..."]);
    assert_eq!(status(&output), 1);
    assert!(text(&output.stderr).contains("go mod download example.org/b"), "{}", text(&output.stderr));
}

fn check(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crd-ls"))
        .arg("check")
        .args(args)
        .current_dir(folder)
        .env("GOMODCACHE", folder.join("none"))
        .env("GOROOT", folder.join("none"))
        .output()
        .unwrap()
}

const MAKEFILE: &str = "manifests:\n\tcontroller-gen crd paths=./... output:crd:dir=config/crd\n";

/// A stale definition is one finding, however much it differs.
#[test]
fn a_stale_definition_is_one_finding() {
    let folder = module();
    fs::write(folder.path().join("Makefile"), MAKEFILE).unwrap();
    generate(folder.path(), &["./..."]);
    let file = folder.path().join("api/v1/types.go");
    fs::write(&file, TYPES.replace("MaxLength=5", "MaxLength=6").replace("json:\"a\"", "json:\"b\""))
        .unwrap();
    let output = check(folder.path(), &["--output", "concise", "config/crd"]);
    let out = text(&output.stdout);
    assert_eq!(out.matches("go/stale").count(), 1, "{out}");
    fs::remove_file(folder.path().join("Makefile")).unwrap();
    // Without a call, the annotation and the folder identify the file.
    let bare = check(folder.path(), &["--output", "concise", "config/crd"]);
    assert_eq!(text(&bare.stdout), out);
}

/// A definition that a step after controller-gen changed may not be stale.
#[test]
fn a_definition_that_another_program_rewrote_has_a_hint() {
    let folder = module();
    fs::write(folder.path().join("Makefile"), MAKEFILE).unwrap();
    generate(folder.path(), &["./..."]);
    let file = write_project(folder.path());
    let patched = fs::read_to_string(&file).unwrap().replace("            maxLength: 5\n", "");
    let found = |definition: &str| {
        fs::write(&file, definition).unwrap();
        text(&check(folder.path(), &["--output", "concise", "config/crd"]).stdout)
    };
    let found_as_written = found(&patched);
    assert!(found_as_written.contains("warning[go/stale]"), "{found_as_written}");
    let labelled = patched.replace("  name: things", "  labels: {team: a}\n  name: things");
    for rewritten in [patched.trim_start_matches("---\n"), &labelled] {
        let found_rewritten = found(rewritten);
        assert!(found_rewritten.contains("hint[go/stale]"), "{found_rewritten}");
    }
}

/// The built-in types are those of one release: with the types of another one, a file may be up to date.
#[test]
fn types_of_another_release_are_reported_and_make_no_file_stale() {
    let folder = module();
    let types = TYPES
        .replace("import metav1", "import corev1 \"k8s.io/api/core/v1\"\nimport metav1")
        .replace("A string `json:\"a\"`", "A string `json:\"a\"`\n\tB corev1.Toleration `json:\"b\"`");
    fs::write(folder.path().join("api/v1/types.go"), types).unwrap();
    fs::write(folder.path().join("Makefile"), MAKEFILE).unwrap();
    let found = |release: &str| {
        let go_mod = format!(
            "module example.com/a\n\nrequire k8s.io/apimachinery {release}\nrequire k8s.io/api {release}\n"
        );
        fs::write(folder.path().join("go.mod"), go_mod).unwrap();
        let file = write_project(folder.path());
        let output = generate(folder.path(), &["./..."]);
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        let generated = fs::read_to_string(&file).unwrap();
        assert!(generated.contains("tolerationSeconds:\n"), "{generated}");
        fs::write(&file, generated.replace("maxLength: 5", "maxLength: 6")).unwrap();
        let stale =
            text(&check(folder.path(), &["--output", "concise", "config/crd"]).stdout).contains("go/stale");
        let types = check(folder.path(), &["--output", "concise", "api/v1/types.go"]);
        (stale, text(&types.stdout).contains("hint[go/missing-module]"))
    };
    assert_eq!(found("v0.37.1"), (true, false));
    assert_eq!(found("v0.29.0"), (false, true));
}

/// Kinds that are not checked because controller-gen panics elsewhere are not reported as clean.
#[test]
fn kinds_without_a_definition_because_of_a_panic_are_reported() {
    let folder = module();
    let panics = TYPES.replace("// Thing is one.", "// Thing is one.\n// +kubebuilder:metadata:labels=app");
    fs::create_dir_all(folder.path().join("api/v2")).unwrap();
    fs::write(folder.path().join("api/v2/types.go"), TYPES.replace("package v1", "package v2")).unwrap();
    fs::write(folder.path().join("api/v1/types.go"), panics).unwrap();
    let output = check(folder.path(), &["--output", "concise", "api/v2"]);
    let [cause, place] =
        ["api/v1/types.go", "api/v2/types.go"].map(|path| Path::new(path).display().to_string());
    assert_eq!(
        text(&output.stdout),
        format!(
            "{cause}:7:33: error[go/generation] controller-gen panics at the label app; write it as name=value\n\
             {place}:7:6: warning[go/generation] `Thing` is neither generated nor checked, because controller-gen panics in \
             package `v1` (types.go:7:33); correct that first\n"
        )
    );
}
