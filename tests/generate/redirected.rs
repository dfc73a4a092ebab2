//! Calls whose output the shell writes to a file, or that other programs change.

use std::fs;
use std::path::Path;

use super::{generate, module, put, status, text};

const CALL: &str = "controller-gen crd paths=./... output:crd:stdout";

/// A module with a Makefile, and with the definition that is generated.
fn called(recipe: &str) -> (tempfile::TempDir, String) {
    let folder = module();
    let generated = text(&generate(folder.path(), &["--stdout", "./..."]).stdout);
    assert!(generated.starts_with("---\n"), "{generated}");
    put(folder.path(), "Makefile", &format!("manifests:\n\t{recipe}\n"));
    (folder, generated)
}

/// The status of `--check`, its output, and its notes.
fn checked(folder: &Path) -> (i32, String, String) {
    let output = generate(folder, &["--check", "./..."]);
    (status(&output), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_file_behind_the_call_is_compared_and_written() {
    for (sign, skipped) in [(">", 0), ("2>/dev/null >", 0), ("| tail -n +2 >", 1), ("| cat | sed 1d >", 1)] {
        let (folder, generated) = called(&format!("{CALL} {sign} deploy/all.yaml"));
        let expected: String = generated.split_inclusive('\n').skip(skipped).collect();
        let (status_before, diff, notes) = checked(folder.path());
        assert_eq!(status_before, 1, "{notes}");
        assert!(diff.starts_with("--- /dev/null\n") || diff.contains("deploy/all.yaml"), "{diff}");
        assert!(notes.contains("deploy/all.yaml: the file does not exist yet"), "{notes}");
        let output = generate(folder.path(), &["./..."]);
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        assert_eq!(fs::read_to_string(folder.path().join("deploy/all.yaml")).unwrap(), expected);
        assert!(!folder.path().join("config").exists());
        assert_eq!(checked(folder.path()).0, 0);
        put(folder.path(), "deploy/all.yaml", &expected.replace("maxLength: 5", "maxLength: 6"));
        let (status, diff, _) = checked(folder.path());
        assert_eq!(status, 1);
        assert!(diff.contains("+                maxLength: 5") || diff.contains("maxLength: 5"), "{diff}");
    }
}

/// The file has another text than the call prints, so only an equal definition is compared.
#[test]
fn a_file_that_another_program_writes_is_no_copy() {
    let (folder, generated) = called(&format!("{CALL} | yq 'del(.metadata.annotations)' > deploy/all.yaml"));
    let (status_without, _, notes) = checked(folder.path());
    assert_eq!(status_without, 2, "{notes}");
    assert!(
        notes.contains(
            "deploy/all.yaml: not compared: another program changes the output of the call in Makefile:2"
        ),
        "{notes}"
    );
    assert!(!notes.contains("does not exist"), "{notes}");
    let changed: String =
        generated.lines().filter(|line| !line.contains("annotations")).fold(String::new(), |all, line| {
            match line.contains("controller-gen") {
                true => all,
                false => all + line + "\n",
            }
        });
    put(folder.path(), "deploy/all.yaml", &changed);
    assert_eq!(checked(folder.path()), (0, String::new(), checked(folder.path()).2));
    let output = generate(folder.path(), &["./..."]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("another program changes the output"), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(folder.path().join("deploy/all.yaml")).unwrap(), changed);
}

#[test]
fn output_without_a_file_is_not_compared() {
    for recipe in [CALL.to_owned(), format!("{CALL} | kubectl apply -f -"), format!("{CALL} > /dev/null")] {
        let (folder, generated) = called(&recipe);
        let (status_of_check, diff, notes) = checked(folder.path());
        assert_eq!((status_of_check, &*diff), (2, ""), "{notes}");
        assert!(notes.contains("Makefile:2: not compared: the call writes to stdout"), "{notes}");
        let output = generate(folder.path(), &["./..."]);
        assert_eq!((status(&output), text(&output.stdout)), (0, generated), "{}", text(&output.stderr));
        assert!(!folder.path().join("config").exists());
    }
}

/// The output directory has no files of the project, and a later step writes its own.
#[test]
fn the_result_of_a_later_step_is_compared_by_its_content() {
    let (folder, generated) = called("controller-gen crd paths=./... output:dir=build/crds && ./finish");
    put(folder.path(), "charts/things/crds/a.example.com_things.yaml", &generated.replace("---\n", ""));
    let (status_of_check, diff, notes) = checked(folder.path());
    assert_eq!((status_of_check, &*diff), (0, ""), "{notes}");
    let other = generated.replace("maxLength: 5", "maxLength: 6");
    put(folder.path(), "charts/things/crds/a.example.com_things.yaml", &other);
    let (status_of_check, diff, notes) = checked(folder.path());
    assert_eq!((status_of_check, &*diff), (2, ""), "{notes}");
    assert!(
        notes.contains(
            "build/crds/a.example.com_things.yaml: not compared: a later step makes \
             charts/things/crds/a.example.com_things.yaml from it"
        ),
        "{notes}"
    );
    put(folder.path(), "build/crds/a.example.com_things.yaml", &other);
    assert_eq!(checked(folder.path()).0, 1);
}
