//! Calls in Taskfiles, in scripts and in included Makefiles.

use super::{generate, module, put, status, text};

/// Loops of Task, and Go programs below `hack`.
#[test]
fn calls_in_programs_and_loops_of_task_are_found() {
    for (file, call) in [
        (
            "Taskfile.yml",
            "tasks:\n  gen:\n    cmds:\n      - for: [api, other]\n        cmd: controller-gen crd paths=./{{.ITEM}}/... output:crd:dir=out\n",
        ),
        (
            "hack/gen/main.go",
            "package main\n\nfunc main() {\n\trun(exec.Command(\"controller-gen\", \"crd\", \"paths=./api/...\", \"output:crd:dir=out\"))\n}\n",
        ),
        (
            "hack/gen.go",
            "package main\n\nfunc gen() error {\n\treturn sh.Run(controllerGen, \"crd\", \"paths=./api/...\", \"output:crd:dir=out\")\n}\n",
        ),
    ] {
        let folder = module();
        put(folder.path(), file, call);
        let output = generate(folder.path(), &[]);
        let messages = text(&output.stderr);
        assert!(folder.path().join("out/a.example.com_things.yaml").is_file(), "{file}: {messages}");
    }
}

/// A call in an included file has the folder and the variables of the Makefile, and is reported at its own place.
#[test]
fn an_included_makefile_is_a_part_of_the_makefile() {
    let folder = module();
    put(
        folder.path(),
        "Makefile",
        "OUT := out\nMODULES := $(filter-out other/,$(wildcard */))\ninclude parts/*.mk\n",
    );
    put(folder.path(), "other/doc.go", "package other\n");
    put(
        folder.path(),
        "parts/crds.mk",
        "manifests:\n\tcontroller-gen crd $(MODULES:%=paths=./%...) 'output:crd:dir=$(OUT)'\n",
    );
    let output = generate(folder.path(), &[]);
    let messages = text(&output.stderr);
    assert!(messages.contains("of the call in parts/crds.mk:2"), "{messages}");
    assert!(folder.path().join("out/a.example.com_things.yaml").is_file(), "{messages}");
    // Files outside of the repository are not read.
    let elsewhere = tempfile::tempdir().unwrap();
    put(elsewhere.path(), "crds.mk", "x:\n\tcontroller-gen crd paths=./... output:crd:dir=elsewhere\n");
    let makefile = format!("include {}/crds.mk\n", elsewhere.path().display());
    put(folder.path(), "Makefile", &makefile);
    let messages = text(&generate(folder.path(), &[]).stderr);
    assert!(!messages.contains("elsewhere"), "{messages}");
}

/// Loops of Task over the sources of the task.
#[test]
fn sources_of_a_task_are_the_existing_files() {
    let folder = module();
    let tasks = "tasks:\n  gen:\n    sources:\n      - 'api/**/*.go'\n    cmds:\n      - for: sources\n        cmd: controller-gen crd paths=./{{dir .ITEM}} output:crd:dir=out\n";
    put(folder.path(), "Taskfile.yml", tasks);
    let messages = text(&generate(folder.path(), &[]).stderr);
    assert!(folder.path().join("out/a.example.com_things.yaml").is_file(), "{messages}");
}

/// A variable that another script sets is usually the root of the project.
#[test]
fn a_script_may_change_to_a_folder_below_an_unknown_one() {
    let folder = module();
    let script = |target: &str| {
        format!(
            "source common.sh\n(\n    cd ${{PROJECT_DIR}}/{target} &&\n        # why\n        FLAGS= controller-gen crd paths=./... output:dir=../out\n)\n"
        )
    };
    put(folder.path(), "hack/generate.sh", &script("api"));
    let output = generate(folder.path(), &["./..."]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("hack/generate.sh:5"), "{}", text(&output.stderr));
    assert!(folder.path().join("out/a.example.com_things.yaml").is_file());
    put(folder.path(), "hack/generate.sh", &script("other"));
    let notes = text(&generate(folder.path(), &["--check", "./..."]).stderr);
    assert!(notes.contains("hack/generate.sh:5 names packages that are known only when it runs"), "{notes}");
}

/// Scripts derive the root of the project from the folder of the script file.
#[test]
fn a_script_may_name_folders_relative_to_its_file() {
    for root in [
        "$(dirname \"${BASH_SOURCE[0]}\")/..",
        "$(realpath $(dirname ${BASH_SOURCE})/..)",
        "$(readlink -f $(dirname $0)/..)",
        "$(cd \"$(dirname \"$0\")\" && pwd)/..",
        "$(dirname \"$(readlink -f \"$0\")\")/..",
    ] {
        let folder = module();
        let script =
            format!("ROOT={root}\ncontroller-gen crd paths=\"${{ROOT}}/api/...\" output:dir=${{ROOT}}/out\n");
        put(folder.path(), "hack/generate.sh", &script);
        let output = generate(folder.path(), &["./..."]);
        let notes = text(&output.stderr);
        assert_eq!(status(&output), 0, "{root}: {notes}");
        assert!(notes.contains("hack/generate.sh:2"), "{root}: {notes}");
        assert!(folder.path().join("out/a.example.com_things.yaml").is_file(), "{root}: {notes}");
    }
}

/// Scripts may be in folders directly below the usual ones.
#[test]
fn scripts_are_found_one_folder_deeper() {
    for path in ["hack/manifests/crds.sh", "build/crds/build.sh", "tools/make/crds.mk"] {
        let folder = module();
        let target = if path.ends_with(".mk") { "crds:\n\t" } else { "" };
        put(folder.path(), path, &format!("{target}controller-gen crd paths=./api/... output:dir=out\n"));
        let output = generate(folder.path(), &["./..."]);
        let notes = text(&output.stderr);
        assert_eq!(status(&output), 0, "{path}: {notes}");
        assert!(folder.path().join("out/a.example.com_things.yaml").is_file(), "{path}: {notes}");
    }
}

/// Scripts in other folders are called from the top, or find it by themselves.
#[test]
fn a_script_in_another_folder_may_be_called_from_the_top() {
    for script in [
        "controller-gen crd paths=./api/... output:dir=out\n",
        "ROOT=$(cd $(dirname \"${BASH_SOURCE[0]}\")/.. && pwd)\ncontroller-gen crd paths=${ROOT}/api/... output:dir=${ROOT}/out\n",
    ] {
        let folder = module();
        put(folder.path(), "script/code-gen.sh", script);
        let output = generate(folder.path(), &[]);
        assert_eq!(status(&output), 0, "{script}: {}", text(&output.stderr));
        assert!(folder.path().join("out/a.example.com_things.yaml").is_file(), "{script}");
    }
}
