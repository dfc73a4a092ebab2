//! The files with which `generate --check` compares definitions, and those that it cannot compare.

use std::fs;
use std::path::Path;

use super::{MAKEFILE, TYPES, generate, module, put, status, text, write_project};

/// A module with a call and with the definition that it generates.
fn generated() -> (tempfile::TempDir, String) {
    let folder = module();
    put(folder.path(), "Makefile", MAKEFILE);
    assert_eq!(status(&generate(folder.path(), &["./..."])), 0);
    let file = fs::read_to_string(write_project(folder.path())).unwrap();
    (folder, file)
}

/// The status of `--check`, its output, and its notes.
fn checked(folder: &Path) -> (i32, String, String) {
    let output = generate(folder, &["--check", "./..."]);
    (status(&output), text(&output.stdout), text(&output.stderr))
}

/// A later step may add a header, and another program may format the file.
#[test]
fn comments_and_formatting_do_not_count() {
    let (folder, file) = generated();
    let header = format!("# Copyright\n{file}");
    for same in
        [header.clone(), file.replace("---\n", ""), file.replace("scope: Namespaced", "scope: 'Namespaced'")]
    {
        assert_ne!(same, file);
        put(folder.path(), "config/crd/a.example.com_things.yaml", &same);
        assert_eq!(checked(folder.path()).0, 0, "{same}");
    }
    put(
        folder.path(),
        "config/crd/a.example.com_things.yaml",
        &header.replace("maxLength: 5", "maxLength: 6"),
    );
    let (status, diff, _) = checked(folder.path());
    assert_eq!(status, 1);
    assert!(diff.contains("maxLength: 5") && !diff.contains("-# Copyright"), "{diff}");
}

#[test]
fn a_file_that_another_program_has_rewritten_is_not_compared() {
    let (folder, file) = generated();
    let patched = file.replace("---\n", "").replace("maxLength: 5", "maxLength: 6");
    put(folder.path(), "config/crd/a.example.com_things.yaml", &patched);
    let (status, diff, notes) = checked(folder.path());
    assert_eq!((status, &*diff), (2, ""), "{notes}");
    assert!(
        notes.contains("a.example.com_things.yaml: not compared: it differs, and another program"),
        "{notes}"
    );
}

/// A recipe may wrap the output in a condition of a chart.
#[test]
fn lines_of_a_template_around_a_definition_do_not_count() {
    let (folder, file) = generated();
    let wrap = |file: &str| format!("{{{{- if .Values.crds }}}}\n{file}{{{{- end }}}}\n");
    put(folder.path(), "config/crd/a.example.com_things.yaml", &wrap(&file));
    let (status, diff, notes) = checked(folder.path());
    assert_eq!((status, &*diff), (0, ""), "{notes}");
    let stale = file.replace("maxLength: 5", "maxLength: 6");
    put(folder.path(), "config/crd/a.example.com_things.yaml", &wrap(&stale));
    let (status, diff, _) = checked(folder.path());
    assert_eq!(status, 1);
    assert!(diff.contains("+            maxLength: 5") && !diff.contains("-{{"), "{diff}");
}

/// controller-gen always writes its annotation.
#[test]
fn a_file_without_the_annotation_was_changed_by_a_later_step() {
    let (folder, file) = generated();
    let (annotation, _) = file.split_once("  name: things").unwrap();
    let (_, annotation) = annotation.split_once("metadata:\n").unwrap();
    let comment = annotation.lines().last().unwrap().trim_start();
    let changed = file.replace(annotation, "").replace("---\n", &format!("---\n# {comment}\n"));
    assert_ne!(changed, file);
    put(folder.path(), "config/crd/a.example.com_things.yaml", &changed);
    let (status, diff, notes) = checked(folder.path());
    assert_eq!((status, &*diff), (2, ""), "{notes}");
    assert!(notes.contains("not compared: it differs, and another program"), "{notes}");
}

/// yq and prettier indent lists.
#[test]
fn a_file_in_another_form_was_written_by_another_program() {
    let (folder, file) = generated();
    let (before, versions) = file.split_once("  versions:\n").unwrap();
    let versions: String = versions.lines().map(|line| format!("  {line}\n")).collect();
    let formatted = format!("{before}  versions:\n{versions}");
    put(folder.path(), "config/crd/a.example.com_things.yaml", &formatted);
    assert_eq!(checked(folder.path()).0, 0);
    let changed = formatted.replace("maxLength: 5", "maxLength: 6");
    put(folder.path(), "config/crd/a.example.com_things.yaml", &changed);
    let (status, diff, notes) = checked(folder.path());
    assert_eq!((status, &*diff), (2, ""), "{notes}");
    assert!(notes.contains("not compared: it differs, and another program"), "{notes}");
}

#[test]
fn a_file_of_an_unreleased_controller_gen_is_not_compared() {
    let (folder, file) = generated();
    let at = file.find("controller-gen.kubebuilder.io/version: ").unwrap();
    let line = file[at..].lines().next().unwrap();
    let changed = file.replace(line, "controller-gen.kubebuilder.io/version: (devel)");
    put(
        folder.path(),
        "config/crd/a.example.com_things.yaml",
        &changed.replace("maxLength: 5", "maxLength: 6"),
    );
    let (status, diff, notes) = checked(folder.path());
    assert_eq!((status, &*diff), (2, ""), "{notes}");
    assert!(
        notes.contains("things.yaml: not compared: it differs, and no release of controller-gen wrote it"),
        "{notes}"
    );
}

/// Such a directory has the input of a later step.
#[test]
fn a_missing_directory_that_git_ignores_is_not_compared() {
    let folder = module();
    put(folder.path(), "Makefile", MAKEFILE);
    put(folder.path(), ".gitignore", "config/*\n");
    let (status, diff, notes) = checked(folder.path());
    assert_eq!((status, &*diff), (2, ""), "{notes}");
    assert!(
        notes.contains("config/crd: not compared: git ignores the directory, and it does not"),
        "{notes}"
    );
}

/// Nothing of the call's output is left.
#[test]
fn a_file_that_a_later_command_removes_is_not_missing() {
    let folder = module();
    let call = "manifests:\n\tcontroller-gen crd paths=./... output:crd:dir=config/crd\n";
    put(folder.path(), "Makefile", &format!("{call}\trm -r config/crd\n"));
    let (status, diff, notes) = checked(folder.path());
    assert_eq!((status, &*diff), (2, ""), "{notes}");
    assert!(notes.contains("config/crd: not compared: a later command removes the directory"), "{notes}");
    put(folder.path(), "Makefile", &format!("{call}\trm config/crd/a.example.com_things.yaml\n"));
    put(folder.path(), "config/crd/README.md", "");
    let (status, diff, notes) = checked(folder.path());
    assert_eq!((status, &*diff), (2, ""), "{notes}");
    assert!(notes.contains("a.example.com_things.yaml: not compared: a later command removes it"), "{notes}");
    put(folder.path(), "Makefile", call);
    assert_eq!(checked(folder.path()).0, 1);
}

#[test]
fn a_temporary_directory_is_not_compared() {
    let folder = module();
    let script = "TEMPDIR=$(mktemp -d)\ncontroller-gen crd paths=./... output:dir=${TEMPDIR}\ncat ${TEMPDIR}/*.yaml > crds.yaml\n";
    put(folder.path(), "hack/generate.sh", script);
    let (status, diff, notes) = checked(folder.path());
    assert_eq!((status, &*diff), (2, ""), "{notes}");
    assert!(
        notes.contains(
            "hack/generate.sh:2: not compared: the output directory of the call is known only when"
        ),
        "{notes}"
    );
}

/// A command of the same recipe may remove descriptions, or make other changes.
#[test]
fn a_file_that_a_later_command_changes_is_compared_without_descriptions() {
    let (folder, file) = generated();
    let makefile = "manifests:\n\tcontroller-gen crd paths=./... output:crd:dir=config/crd\n\t./hack/strip.sh config/crd\n";
    put(folder.path(), "Makefile", makefile);
    let stripped = file.replace("        description: Thing is one.\n", "");
    assert_ne!(stripped, file);
    put(folder.path(), "config/crd/a.example.com_things.yaml", &stripped);
    let (status, diff, notes) = checked(folder.path());
    assert_eq!((status, &*diff), (0, ""), "{notes}");
    let changed = stripped.replace("maxLength: 5", "maxLength: 6");
    put(folder.path(), "config/crd/a.example.com_things.yaml", &changed);
    let (status, diff, notes) = checked(folder.path());
    assert_eq!((status, &*diff), (2, ""), "{notes}");
    assert!(notes.contains("not compared: it differs, and Makefile:3 may change it; run"), "{notes}");
    put(folder.path(), "Makefile", MAKEFILE);
    assert_eq!(checked(folder.path()).0, 1);
}

/// A later step may move some of the files.
#[test]
fn a_file_that_was_moved_is_compared_where_it_is() {
    let folder = module();
    put(folder.path(), "Makefile", MAKEFILE);
    let other = "\n// Part is another kind.\ntype Part struct {\n\tmetav1.TypeMeta   \
                 `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n}\n";
    put(folder.path(), "api/v1/types.go", &format!("{TYPES}{other}"));
    assert_eq!(status(&generate(folder.path(), &["./..."])), 0);
    let moved = folder.path().join("config/parts");
    fs::create_dir(&moved).unwrap();
    let name = "a.example.com_parts.yaml";
    fs::rename(folder.path().join("config/crd").join(name), moved.join(name)).unwrap();
    let (status, diff, notes) = checked(folder.path());
    assert_eq!((status, &*diff), (0, ""), "{notes}");
}

#[test]
fn a_definition_without_one_of_its_types_is_not_compared() {
    let (folder, _) = generated();
    let types = TYPES
        .replace("import metav1", "import \"example.org/far-go\"\n\nimport metav1")
        .replace("A string `json:\"a\"`", "A string `json:\"a\"`\n\tB far.Part `json:\"b\"`");
    put(folder.path(), "api/v1/types.go", &types);
    let (status, diff, notes) = checked(folder.path());
    assert_ne!(status, 0, "{notes}");
    assert_eq!(diff, "");
    assert!(
        notes.contains("a.example.com_things.yaml: not compared: a module with its types is missing"),
        "{notes}"
    );
    // The package of a missing module may have any name.
    assert!(!notes.contains("unimported"), "{notes}");
}

#[test]
fn without_a_call_the_default_directory_may_be_the_wrong_one() {
    let folder = module();
    let (status, diff, notes) = checked(folder.path());
    assert_eq!((status, &*diff), (2, ""), "{notes}");
    assert!(
        notes.contains("not compared: no call of controller-gen is found, and config/crd has none"),
        "{notes}"
    );
}
