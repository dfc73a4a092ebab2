//! Calls of controller-gen in a repository: the calls that apply, and their options.

use std::fs;

use super::{MAKEFILE, TYPES, check, generate, module, put, status, text, write_project};

/// A call in a folder below applies to its packages if no call above does.
#[test]
fn calls_below_the_folder_are_made() {
    let folder = module();
    put(
        folder.path(),
        "api/gen.go",
        "package api\n\n//go:generate controller-gen crd paths=\"./...\" output:crd:dir=crds\n",
    );
    let output = generate(folder.path(), &["./..."]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert!(folder.path().join("api/crds/a.example.com_things.yaml").is_file());
    assert!(!write_project(folder.path()).exists());
    assert_eq!(status(&generate(folder.path(), &["--check", "./..."])), 0);
}

/// The packages in a loop are known only when it runs; a template is a variable.
#[test]
fn a_call_that_cannot_be_parsed_is_ignored() {
    let folder = module();
    let put = |path: &str, text: &str| fs::write(folder.path().join(path), text).unwrap();
    put(
        "Makefile",
        "manifests:\n\tfor d in $$(ls); do controller-gen crd paths=./$$d/... output:crd:dir=out; done\n",
    );
    let output = generate(folder.path(), &["--check", "./..."]);
    let notes = text(&output.stderr);
    assert_ne!(status(&output), 0, "{notes}");
    assert!(notes.contains("Makefile:2 names packages that are known only when it runs"), "{notes}");
    put(
        "Makefile",
        "manifests:\n\tfor d in api; do controller-gen crd paths=./$$d/... output:crd:dir=out; done\n",
    );
    let notes = text(&generate(folder.path(), &["--check", "./..."]).stderr);
    assert!(notes.contains("of the call in Makefile:2") && notes.contains("out/"), "{notes}");
    put("Makefile", "");
    put("justfile", "manifests:\n    controller-gen crd paths=./... output:crd:dir={{crd_dir}}\n");
    let output = generate(folder.path(), &["./..."]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert!(write_project(folder.path()).is_file());
}

#[test]
fn a_check_of_nothing_does_not_pass() {
    let folder = module();
    let output = generate(folder.path(), &["--check", "./meta/..."]);
    let messages = text(&output.stderr);
    assert_ne!(status(&output), 0, "{messages}");
    assert!(messages.contains("nothing checked: ./meta/... has no kinds"), "{messages}");
}

/// Below the folder of the call, notes name files relative to the current directory, and diffs name them for `git apply`.
#[test]
fn paths_are_short_below_the_folder_of_the_call() {
    let folder = module();
    fs::write(folder.path().join("Makefile"), MAKEFILE).unwrap();
    let output = generate(&folder.path().join("api"), &["--check", "./..."]);
    let (notes, diff) = (text(&output.stderr), text(&output.stdout));
    assert!(notes.contains("of the call in ../Makefile:"), "{notes}");
    assert!(
        notes.contains("\n../config/crd/a.example.com_things.yaml: the file does not exist yet"),
        "{notes}"
    );
    assert!(diff.starts_with("--- a/config/crd/a.example.com_things.yaml\n"), "{diff}");
}

#[test]
fn options_are_those_of_the_makefile_unless_some_are_given() {
    let folder = module();
    let makefile = "CRD_OPTIONS ?= \"crd:maxDescLen=0\"\nCONTROLLER_TOOLS_VERSION ?= v0.17.0\nmanifests:\n\t$(CONTROLLER_GEN) $(CRD_OPTIONS) \
                    paths=\"./...\" output:crd:artifacts:config=deploy/crds\n";
    fs::write(folder.path().join("Makefile"), makefile).unwrap();
    let output = generate(folder.path(), &["./..."]);
    assert!(text(&output.stderr).contains("Makefile:4"), "{}", text(&output.stderr));
    let file = fs::read_to_string(folder.path().join("deploy/crds/a.example.com_things.yaml")).unwrap();
    assert!(!file.contains("description"), "{file}");
    assert!(file.contains("controller-gen.kubebuilder.io/version: v0.17.0\n"), "{file}");
    let output = generate(folder.path(), &["--max-desc-len", "100", "--stdout", "./..."]);
    assert!(text(&output.stdout).contains("description: Thing is one."), "{}", text(&output.stdout));
}

/// A pattern above the folders of calls generates the packages of each call; with options of the command line, it generates
/// all packages.
#[test]
fn a_pattern_above_several_calls_runs_each_call() {
    let folder = module();
    let other = TYPES.replace("a.example.com", "b.example.com").replace("Thing", "Part");
    fs::create_dir_all(folder.path().join("b/v1")).unwrap();
    fs::write(folder.path().join("b/v1/types.go"), other).unwrap();
    let makefile = "manifests:\n\tcontroller-gen crd:maxDescLen=0 paths=\"./api/...\" output:crd:dir=$(CURDIR)/out/a\n\
                    \tcontroller-gen crd paths=./b/... output:crd:artifacts:config=out/b\n";
    fs::write(folder.path().join("Makefile"), makefile).unwrap();
    for patterns in [&["./..."][..], &["./api/...", "./b/..."]] {
        let output = generate(folder.path(), patterns);
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        let of = |name: &str| fs::read_to_string(folder.path().join("out").join(name)).unwrap();
        assert!(!of("a/a.example.com_things.yaml").contains("Thing is one"), "{patterns:?}");
        assert!(of("b/b.example.com_parts.yaml").contains("Part is one"), "{patterns:?}");
        fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
    let output = generate(folder.path(), &["--max-desc-len=0", "--stdout", "./..."]);
    assert!(
        text(&output.stdout).contains("things.a.example.com")
            && text(&output.stdout).contains("parts.b.example.com")
    );
    assert!(!folder.path().join("CURDIR").exists() && !folder.path().join("config").exists());
}

/// The folder of a pattern may be one package of a call, which names others besides it.
#[test]
fn a_pattern_above_a_call_generates_only_the_packages_of_the_call() {
    let folder = module();
    let other = TYPES.replace("a.example.com", "b.example.com");
    put(folder.path(), "cmd/api/v1/types.go", &other);
    put(folder.path(), "main.go", "package main\n\nfunc main() {}\n");
    let makefile = "manifests:\n\tcontroller-gen \\\n\t\tpaths=./ \\\n\t\tpaths=./api/... \\\n\t\tcrd output:crd:dir=out\n";
    put(folder.path(), "Makefile", makefile);
    for patterns in [&[][..], &["./..."]] {
        let output = generate(folder.path(), patterns);
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        let made = fs::read_dir(folder.path().join("out")).unwrap().count();
        assert_eq!(made, 1, "{}", text(&output.stderr));
        assert_eq!(status(&generate(folder.path(), &["--check"])), 0);
    }
}

/// Definitions are also generated from packages in `vendor`, which import each other by their own paths.
#[test]
fn packages_in_vendor_have_their_own_import_paths() {
    let folder = module();
    let go_mod = "module example.com/a\n\ngo 1.26\n";
    put(folder.path(), "go.mod", go_mod);
    fs::create_dir_all(folder.path().join("vendor/k8s.io")).unwrap();
    fs::rename(folder.path().join("meta"), folder.path().join("vendor/k8s.io/apimachinery")).unwrap();
    put(folder.path(), "vendor/modules.txt", "# k8s.io/apimachinery v0.0.0\n");
    put(
        folder.path(),
        "vendor/example.org/b/api/v1/part.go",
        "package v1\n\ntype Part struct {\n\tA int32 `json:\"a\"`\n}\n",
    );
    let types = TYPES
        .replace("import metav1", "import partv1 \"example.org/b/api/v1\"\nimport metav1")
        .replace("package v1", "package v1alpha1")
        .replace("A string `json:\"a\"`", "A string `json:\"a\"`\n\tB partv1.Part `json:\"b\"`");
    put(folder.path(), "vendor/example.org/b/api/v1alpha1/types.go", &types);
    for pattern in ["./vendor/example.org/b/api/...", "./vendor/example.org/..."] {
        let output = generate(folder.path(), &["--stdout", pattern]);
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("format: int32"), "{}", text(&output.stdout));
    }
}

/// A nested module that the call names by its import path is loaded as the outer module sees it.
#[test]
fn a_call_may_name_packages_by_import_path() {
    let folder = module();
    let put = |path: &str, text: &str| {
        fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
        fs::write(folder.path().join(path), text).unwrap();
    };
    let outer = fs::read_to_string(folder.path().join("go.mod")).unwrap();
    let part = "\nrequire example.com/a/part v0.0.0\n\nreplace example.com/a/part => ./part\n";
    put("go.mod", &(outer + part));
    put("part/go.mod", "module example.com/a/part\n");
    let types = TYPES.replace("a.example.com", "b.example.com").replace("Thing", "Part");
    put(
        "part/v1/types.go",
        &types.replace("+kubebuilder:validation:MaxLength=5\n\tA string", "+optional\n\tA metav1.Time"),
    );
    let call = "controller-gen crd:maxDescLen=0 paths=example.com/a/part/... output:crd:dir=out";
    put("hack/generate.sh", &format!("#!/bin/sh\ncd \"$(dirname \"$0\")/..\"\n{call}\n"));
    for patterns in [&["./..."][..], &["example.com/a/part/v1"]] {
        let output = generate(folder.path(), patterns);
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        let made = fs::read_to_string(folder.path().join("out/b.example.com_parts.yaml")).unwrap();
        assert!(made.contains("format: date-time") && !made.contains("Part is one"), "{made}");
        fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
    assert!(!folder.path().join("config").exists());
}

/// Settings take precedence over scripts, for `generate` and for the check of generated definitions.
#[test]
fn calls_and_release_come_from_the_settings() {
    let folder = module();
    fs::write(folder.path().join("Makefile"), MAKEFILE).unwrap();
    let settings = "[go]\ncalls = [\"crd paths=./other\", \"crd:maxDescLen=0 output:crd:dir=deploy\"]\n\
                    controllerGenVersion = \"v0.18.0\"\n";
    fs::write(folder.path().join(".crd-ls.toml"), settings).unwrap();
    let output = generate(folder.path(), &["./..."]);
    assert!(text(&output.stderr).contains("of the call in .crd-ls.toml\n"), "{}", text(&output.stderr));
    let path = folder.path().join("deploy/a.example.com_things.yaml");
    let file = fs::read_to_string(&path).unwrap();
    assert!(!file.contains("description"), "{file}");
    assert!(file.contains("controller-gen.kubebuilder.io/version: v0.18.0\n"), "{file}");
    assert!(!write_project(folder.path()).exists());
    let output = check(folder.path(), &["--output", "concise", "--select", "go,lint/description", "."]);
    assert!(!text(&output.stdout).contains("go/stale"), "{}", text(&output.stdout));
    fs::write(&path, file.replace("maxLength: 5", "maxLength: 6")).unwrap();
    let output = check(folder.path(), &["--output", "concise", "deploy"]);
    assert!(text(&output.stdout).contains("go/stale"), "{}", text(&output.stdout));
}

/// A repository cannot cause reads or writes outside of it.
#[test]
fn paths_of_a_call_outside_the_repository_are_rejected() {
    let folder = module();
    let outside = tempfile::tempdir().unwrap();
    let header = outside.path().join("header.txt");
    fs::write(&header, "# secret\n").unwrap();
    let call = |arguments: String| {
        fs::write(folder.path().join("Makefile"), format!("manifests:\n\tcontroller-gen {arguments}\n"))
            .unwrap();
        let output = generate(folder.path(), &["./..."]);
        (status(&output), text(&output.stderr))
    };
    let target = text(outside.path().as_os_str().as_encoded_bytes());
    let (code, messages) = call(format!("crd paths=./... output:crd:dir={target}"));
    assert_eq!(code, 2, "{messages}");
    assert!(
        messages.contains(&format!("Makefile:2: the output directory {target} is outside")),
        "{messages}"
    );
    let (code, messages) = call(format!("crd:headerFile=\"{}\" paths=./...", header.display()));
    assert_eq!(code, 2, "{messages}");
    assert!(messages.contains("header.txt"), "{messages}");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}

/// Without a call, definitions are written to the directory of those of the same group.
#[test]
fn definitions_are_written_to_the_directory_of_their_group() {
    let folder = module();
    put(folder.path(), "operator/api/v1/types.go", &TYPES.replace("a.example.com", "b.example.com"));
    generate(folder.path(), &["--output-dir", "operator/config/crds", "./operator/..."]);
    generate(folder.path(), &["--output-dir", "charts/one/crds", "./api/..."]);
    let output = generate(folder.path(), &["--check", "./..."]);
    assert_eq!((status(&output), text(&output.stdout)), (0, String::new()), "{}", text(&output.stderr));
    // A group without definitions goes to the default directory.
    put(folder.path(), "new/api/v1/types.go", &TYPES.replace("a.example.com", "c.example.com"));
    generate(folder.path(), &["./..."]);
    assert!(folder.path().join("config/crd/c.example.com_things.yaml").exists());
    assert!(!folder.path().join("config/crd/a.example.com_things.yaml").exists());
}

/// In a workspace, the module that calls controller-gen may differ from that of the types.
#[test]
fn a_call_may_be_in_another_module_of_the_workspace() {
    let folder = module();
    let go_mod = fs::read_to_string(folder.path().join("go.mod")).unwrap();
    put(folder.path(), "api/go.mod", &go_mod.replace("./meta", "../meta"));
    fs::remove_file(folder.path().join("go.mod")).unwrap();
    put(folder.path(), "operator/go.mod", "module example.com/operator\n");
    put(folder.path(), "go.work", "go 1.26\n\nuse (\n\t./api\n\t./operator\n)\n");
    let makefile = "manifests:\n\tcontroller-gen crd paths=\"../api/...\" output:crd:dir=config/crd/bases\n";
    put(folder.path(), "operator/Makefile", makefile);
    let output = generate(folder.path(), &["./api/..."]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert!(folder.path().join("operator/config/crd/bases/a.example.com_things.yaml").exists());
}

/// Outside of git, a module and those that it replaces by directories are one repository.
#[test]
fn a_call_may_be_in_the_module_that_replaces_that_of_the_types() {
    let folder = module();
    fs::remove_dir_all(folder.path().join(".git")).unwrap();
    let go_mod = fs::read_to_string(folder.path().join("go.mod")).unwrap();
    put(folder.path(), "api/go.mod", &go_mod);
    fs::rename(folder.path().join("meta"), folder.path().join("api/meta")).unwrap();
    let makefile =
        "manifests:\n\tcd api; controller-gen crd paths=\"./...\" output:crd:dir=../config/bases\n";
    put(folder.path(), "Makefile", makefile);
    let generated = folder.path().join("config/bases/a.example.com_things.yaml");
    put(folder.path(), "go.mod", "module example.com/operator\n");
    generate(&folder.path().join("api"), &["./..."]);
    assert!(!generated.exists(), "the module above does not name it");
    put(folder.path(), "go.mod", "module example.com/operator\n\nreplace example.com/other => ./api\n");
    let output = generate(&folder.path().join("api"), &["./..."]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert!(generated.exists(), "{}", text(&output.stderr));
}

/// Structs with the metadata of kinds are also in packages of controllers and of their tests.
#[test]
fn without_a_call_and_a_path_packages_with_a_group_are_generated() {
    let module = module();
    let folder = module.path();
    let event =
        TYPES.replace("// +groupName=a.example.com\n", "").replace("package v1", "package controllers");
    put(folder, "internal/controllers/event.go", &event.replace("Thing", "Event"));
    let files_after = |args: &[&str]| {
        let output = generate(folder, args);
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        let files = fs::read_dir(folder.join("config/crd")).unwrap();
        let mut names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(files_after(&[]), ["a.example.com_things.yaml"]);
    // The written file determines the options and the directory.
    assert_eq!(files_after(&["--check"]), ["a.example.com_things.yaml"]);
    // Named packages are generated as controller-gen does.
    assert_eq!(files_after(&["./..."]), ["_events.yaml", "a.example.com_things.yaml"]);
}

/// Types of another project are copied with their markers. A project that generates their definitions names their group.
#[test]
fn a_copied_package_that_no_call_names_needs_no_group() {
    let folder = module();
    put(
        folder.path(),
        "Makefile",
        "manifests:\n\tcontroller-gen crd paths=./api/... output:crd:dir=config/crd\n",
    );
    let copy = TYPES.replace("// +groupName=a.example.com\n", "");
    put(folder.path(), "pool/v1/types.go", &copy.replace("MaxLength=5", "MaxLen=5"));
    let report = text(&check(folder.path(), &["."]).stdout);
    assert!(!report.contains("spec/group-required"), "{report}");
    assert!(report.contains("write `kubebuilder:validation:MaxLength`"), "{report}");
    put(folder.path(), "Makefile", MAKEFILE);
    let report = text(&check(folder.path(), &["."]).stdout);
    assert!(report.contains("spec/group-required"), "{report}");
}

/// The options of the call would affect the check, so the call is reported once.
#[test]
fn a_check_reports_a_call_that_cannot_be_parsed() {
    let folder = module();
    put(
        folder.path(),
        "Makefile",
        "manifests:\n\tfor d in $$(ls); do controller-gen crd paths=./$$d/... output:crd:dir=out; done\n",
    );
    let note = "Makefile:2 names packages that are known only when it runs";
    put(folder.path(), "b/v1/types.go", &TYPES.replace("a.example.com", "b.example.com"));
    let messages = text(&check(folder.path(), &["."]).stderr);
    assert_eq!(messages.matches(note).count(), 1, "{messages}");
    put(folder.path(), "Makefile", MAKEFILE);
    let messages = text(&check(folder.path(), &["."]).stderr);
    assert!(!messages.contains("known only"), "{messages}");
}

/// A call that names a missing folder is reported, and the other calls are run.
#[test]
fn a_call_of_a_missing_folder_is_named() {
    let folder = module();
    for paths in ["./apis", "./apis/..."] {
        let makefile = format!(
            "manifests:\n\tcontroller-gen crd paths={paths} output:crd:dir=one\n\tcontroller-gen crd paths=./api/... output:crd:dir=two\n"
        );
        put(folder.path(), "Makefile", &makefile);
        let output = generate(folder.path(), &[]);
        let messages = text(&output.stderr);
        assert_eq!(status(&output), 2, "{messages}");
        assert!(
            messages.contains("Makefile:2: the call names apis, but there is no such directory"),
            "{messages}"
        );
        assert!(folder.path().join("two/a.example.com_things.yaml").is_file(), "{messages}");
        // Folders of the command line are not reported as those of a call.
        let output = generate(folder.path(), &[paths]);
        let messages = text(&output.stderr);
        assert_eq!(status(&output), 2, "{messages}");
        assert!(messages.contains("apis: no such directory") && !messages.contains("Makefile"), "{messages}");
    }
}

/// Steps after controller-gen, such as yq and kustomize, may add fields for which it has no markers.
#[test]
fn findings_that_a_later_step_repairs_are_not_errors() {
    let folder = module();
    put(
        folder.path(),
        "Makefile",
        "manifests:\n\tcontroller-gen crd paths=./... output:crd:dir=out\n\tmv out/a.yaml out/things.yaml\n",
    );
    let field = "\t// +kubebuilder:validation:Schemaless\n\t// +kubebuilder:validation:Type=array\n\tB []string `json:\"b,omitempty\"`\n";
    let types = TYPES.replace("\t// +kube", &format!("{field}\n\t// +kube"));
    put(folder.path(), "api/v1/types.go", &types);
    let report = || text(&check(folder.path(), &["api/v1/types.go"]).stdout);
    assert!(report().contains("error[structural/items-required]"), "{}", report());
    let generated = text(&generate(folder.path(), &["--stdout", "./..."]).stdout);
    let repaired = generated
        .replace("            type: array\n", "            items: {type: string}\n            type: array\n");
    assert_ne!(repaired, generated);
    put(folder.path(), "out/things.yaml", &repaired);
    assert!(report().contains("note[structural/items-required]"), "{}", report());
    assert!(report().contains("a later step repairs it in things.yaml"), "{}", report());
    // An error that the file does not have is still an error.
    let other = field.replace("B []string", "C []string").replace("\"b,", "\"c,");
    put(folder.path(), "api/v1/types.go", &types.replace(field, &format!("{field}{other}")));
    assert!(report().contains("error[structural/items-required]"), "{}", report());
    put(folder.path(), "api/v1/types.go", &types);
    // A file that controller-gen itself wrote is older than its types, not repaired.
    fs::rename(folder.path().join("out/things.yaml"), folder.path().join("out/a.example.com_things.yaml"))
        .unwrap();
    assert!(report().contains("error[structural/items-required]"), "{}", report());
    put(
        folder.path(),
        "out/a.example.com_things.yaml",
        &repaired.replace("controller-gen.kubebuilder.io/version", "a.example.com/version"),
    );
    assert!(report().contains("note[structural/items-required]"), "{}", report());
}

/// A step may drop all rules; a single rule that is missing in the file is new.
#[test]
fn findings_on_rules_that_a_later_step_drops_are_not_errors() {
    let folder = module();
    put(folder.path(), "Makefile", MAKEFILE);
    let expensive = "self.all(a, self.all(b, self.all(c, a == b || b == c)))";
    let report_with_rules = |count: usize| {
        let field = |name: usize| {
            format!(
                "\t// +kubebuilder:validation:XValidation:rule=\"{expensive}\"\n\tB{name} []string `json:\"b{name},omitempty\"`\n"
            )
        };
        let fields: String = (0..count).map(field).collect();
        let types = TYPES.replace("\t// +kube", &format!("{fields}\n\t// +kube"));
        put(folder.path(), "api/v1/types.go", &types);
        let generated = text(&generate(folder.path(), &["--stdout", "./..."]).stdout);
        let mut in_rules = false;
        let without_rules = generated.lines().filter(|line| {
            let key = line.trim_start().trim_start_matches("- ");
            in_rules = key.starts_with("x-kubernetes-validations") || in_rules && key.starts_with("rule:");
            !in_rules && !key.contains("controller-gen.kubebuilder.io/version")
        });
        let cleaned = without_rules.collect::<Vec<_>>().join("\n");
        put(folder.path(), "config/crd/a.example.com_things.yaml", &cleaned.replace("  annotations:\n", ""));
        text(&check(folder.path(), &["--output", "concise", "api/v1/types.go"]).stdout)
    };
    let many = report_with_rules(4);
    assert!(!many.contains("error[cel/rule-cost]") && many.contains("hint[cel/rule-cost]"), "{many}");
    let one = report_with_rules(1);
    assert!(one.contains("error[cel/rule-cost]"), "{one}");
}

/// `schemapatch` writes schemas into definitions that people maintain: the rest does not come from Go.
#[test]
fn versions_of_a_patched_definition_come_from_the_patch() {
    let folder = module();
    put(folder.path(), "api/v2/types.go", &TYPES.replace("package v1", "package v2"));
    let is_reported = || {
        let report = text(&check(folder.path(), &["api/v1/types.go", "api/v2/types.go"]).stdout);
        report.contains("versions/one-storage")
    };
    assert!(is_reported());
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: things.a.example.com\n";
    put(folder.path(), "api/v1/0000_things.crd.yaml", definition);
    assert!(!is_reported());
    let generated = definition
        .replace("  name", "  annotations:\n    controller-gen.kubebuilder.io/version: v0.19.0\n  name");
    put(folder.path(), "api/v1/0000_things.crd.yaml", &generated);
    assert!(is_reported());
    // The definitions may be in the directory for which the generator is called.
    put(folder.path(), "config/300/things.yaml", definition);
    assert!(is_reported());
    let script = "cd $(dirname $0)/..\ngo run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.19.0 \\\n  \
                  schemapatch:manifests=config/300,maxDescLen=9 output:dir=config/300 paths=./api/...\n";
    put(folder.path(), "hack/update.sh", script);
    assert!(!is_reported());
}
