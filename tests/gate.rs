//! `crd-ls check` as a gate: the selection of files and rules, the baseline, and the formats that services read.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod program;
}

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use support::program::{directory, json_of, run, run_with, status, stderr, stdout};
use tempfile::TempDir;

/// A definition whose `size` has no type.
const WIDGETS: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
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
              size: {}
";

/// The path, code and line of each finding of `check --output concise` with these arguments.
fn findings_of(root: &Path, arguments: &[&str]) -> Vec<String> {
    let arguments = [&["check", "--output", "concise"], arguments].concat();
    let output = run(root, &arguments);
    assert_eq!(stderr(&output), "");
    let short = |line: &str| {
        let (place, rest) = line.split_once(": ").unwrap();
        let (path, line) = place.rsplit_once(':').unwrap().0.rsplit_once(':').unwrap();
        let code = rest.split_once('[').unwrap().1.split_once(']').unwrap().0;
        format!("{path}:{line} {code}")
    };
    stdout(&output).lines().map(short).collect()
}

fn repository(files: &[(&str, &str)]) -> TempDir {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    let root = directory(&files);
    fs::create_dir(root.path().join(".git")).unwrap();
    root
}

fn run_gate(root: &TempDir, arguments: &[&str]) -> Output {
    run(root.path(), &[&["check"], arguments].concat())
}

const SIZE: &str = "20 structural/type-required";

#[test]
fn excluded_files_are_not_checked() {
    let files = [
        (".crd-ls.toml", "exclude = [\"vendor\", \"*.gen.yaml\"]\n"),
        ("a.yaml", WIDGETS),
        ("b.gen.yaml", WIDGETS),
        ("vendor/deep/c.yaml", WIDGETS),
    ];
    let root = repository(&files);
    let only = |path: &str| vec![format!("{path}:{SIZE}")];
    // The default path is the current directory.
    assert_eq!(findings_of(root.path(), &[]), only("./a.yaml"));
    // If all files are excluded, nothing was checked.
    let output = run_gate(&root, &["--exclude", "/a.yaml"]);
    assert_eq!((status(&output), &*stdout(&output)), (2, ""));
    assert_eq!(stderr(&output), "crd-ls: nothing checked: . has no YAML or JSON file that is not excluded\n");
    // A named file or directory is checked.
    assert_eq!(findings_of(root.path(), &["b.gen.yaml"]), only("b.gen.yaml"));
    assert_eq!(findings_of(root.path(), &["vendor"]), only("vendor/deep/c.yaml"));
    assert_eq!(findings_of(&root.path().join("vendor"), &["."]), only("./deep/c.yaml"));
    for named in ["b.gen.yaml", "vendor", "vendor/deep/c.yaml", "./vendor/../b.gen.yaml"] {
        assert_eq!(
            findings_of(root.path(), &["--force-exclude", named, "a.yaml"]),
            only("a.yaml"),
            "{named}"
        );
    }
}

#[test]
fn only_included_files_are_checked() {
    let settings = "include = [\"config/crd/**\"]\nexclude = [\"old.yaml\"]\n";
    let root = repository(&[
        (".crd-ls.toml", settings),
        ("a.yaml", WIDGETS),
        ("config/crd/bases/b.yaml", WIDGETS),
        ("config/crd/old.yaml", WIDGETS),
    ]);
    assert_eq!(findings_of(root.path(), &["."]), [format!("./config/crd/bases/b.yaml:{SIZE}")]);
}

#[test]
fn an_excluded_definition_validates_nothing() {
    let widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {seize: 1}\n";
    let definition = WIDGETS.replace("size: {}", "size: {type: integer}");
    let root = repository(&[("crds/widgets.yaml", &definition), ("widget.yaml", widget)]);
    assert_eq!(
        findings_of(root.path(), &["--select", "resource"]),
        ["./widget.yaml:4 resource/unknown-field"]
    );
    assert_eq!(findings_of(root.path(), &["--select", "resource", "--exclude", "crds"]), [""; 0]);
}

#[test]
fn overrides_change_settings_of_some_files() {
    let settings = "\
rules = {structural = \"warning\"}
[[overrides]]
paths = [\"old/**\"]
kubernetesVersion = \"v1.30.2\"
rules = {\"structural/type-required\" = \"hint\"}
[[overrides]]
paths = [\"old/generated.yaml\"]
ignore = [\"structural\"]
";
    let root = repository(&[
        (".crd-ls.toml", settings),
        ("a.yaml", WIDGETS),
        ("old/b.yaml", WIDGETS),
        ("old/generated.yaml", WIDGETS),
    ]);
    let report = json_of(&run_gate(&root, &["--output", "json"]));
    let found = report["files"].as_array().unwrap().iter().map(|file| {
        let severities = file["diagnostics"].as_array().unwrap().iter().map(|one| one["severity"].clone());
        (file["path"].clone(), severities.collect::<Vec<_>>())
    });
    assert_eq!(
        found.collect::<Vec<_>>(),
        [
            (json!("./a.yaml"), vec![json!("warning")]),
            (json!("./old/b.yaml"), vec![json!("hint")]),
            (json!("./old/generated.yaml"), vec![]),
        ]
    );
}

#[test]
fn mistakes_in_settings_are_reported_with_their_place() {
    for (settings, problem) in [
        ("exclude = \"a\"\n", "line 1, column 11: invalid type: string \"a\", expected a sequence"),
        (
            "exclude = [\n  \"a\",\n  \"b[z-a]\",\n]\n",
            "line 1, column 11: 'b[z-a]' is not a .gitignore pattern",
        ),
        (
            "[[overrides]]\npath = [\"a\"]\n",
            "line 2, column 1: unknown field `path`, expected one of `paths`",
        ),
        ("[[overrides]]\nrules = {}\n", "line 1, column 1: missing field `paths`"),
        (
            "[[overrides]]\npaths = [\"a\"]\n[overrides.rules]\n\"yaml/syntx\" = \"off\"\n",
            "line 4, column 1: unknown rule or group of rules 'yaml/syntx'; did you mean 'yaml/syntax'?",
        ),
        (
            "ignore = [\"yaml\", \"structual\"]\n",
            "line 1, column 10: unknown rule or group of rules 'structual'; did you mean 'structural'?",
        ),
    ] {
        let root = repository(&[(".crd-ls.toml", settings), ("a.yaml", "a: b\n")]);
        let output = run_gate(&root, &["a.yaml"]);
        assert_eq!(status(&output), 2, "{settings}");
        let errors = stderr(&output);
        assert!(errors.contains(&format!(".crd-ls.toml: {problem}")), "{settings}: {errors}");
    }
}

#[test]
fn rules_are_selected_and_ignored() {
    let duplicate = WIDGETS.replace("  scope: Namespaced\n", "  scope: Namespaced\n  scope: Namespaced\n");
    let root = repository(&[("a.yaml", &duplicate)]);
    let all = findings_of(root.path(), &["."]);
    assert_eq!(all.len(), 2, "{all:?}");
    let type_required = ["./a.yaml:21 structural/type-required"];
    for arguments in [
        &["--select", "structural"][..],
        &["--select", "structural/type-*,lint"],
        &["--ignore", "yaml/*,decode"],
        &["--select", "structural,yaml", "--ignore", "yaml"],
    ] {
        assert_eq!(findings_of(root.path(), arguments), type_required, "{arguments:?}");
    }
    let output = run_gate(&root, &["--select", "structural/type-requird"]);
    assert_eq!(status(&output), 2);
    let errors = stderr(&output);
    assert!(errors.contains("did you mean 'structural/type-required'?"), "{errors}");
}

#[test]
fn the_settings_of_a_named_file_apply_to_all_files() {
    let root = repository(&[
        (".crd-ls.toml", "rules = {structural = \"off\"}\n"),
        ("ci/strict.toml", "exclude = [\"/vendor\"]\n"),
        ("a.yaml", WIDGETS),
        ("vendor/b.yaml", WIDGETS),
    ]);
    assert_eq!(findings_of(root.path(), &[]), [""; 0]);
    assert_eq!(findings_of(root.path(), &["--config", "ci/strict.toml"]), [format!("./a.yaml:{SIZE}")]);
    let output = run_gate(&root, &["--config", "none.toml"]);
    assert_eq!((status(&output), &*stderr(&output)), (2, "crd-ls: --config: none.toml: no such file\n"));
}

#[test]
fn stdin_replaces_the_named_file() {
    let root = repository(&[
        (".crd-ls.toml", "[[overrides]]\npaths = [\"crds/**\"]\nignore = [\"structural/type-required\"]\n"),
        ("crds/a.yaml", "a: b\n"),
    ]);
    let check = |arguments: &[&str]| {
        let output =
            run_with(root.path(), &[&["check", "--output", "json"], arguments].concat(), WIDGETS.as_bytes());
        let report = json_of(&output);
        let files = report["files"].as_array().unwrap().clone();
        files
            .iter()
            .map(|file| (file["path"].clone(), file["diagnostics"].as_array().unwrap().len()))
            .collect::<Vec<_>>()
    };
    assert_eq!(check(&["-"]), [(json!("-"), 1)]);
    assert_eq!(check(&["-", "--stdin-filename", "b.yaml"]), [(json!("b.yaml"), 1)]);
    assert_eq!(check(&["-", "--stdin-filename", "crds/a.yaml"]), [(json!("crds/a.yaml"), 0)]);
    // It replaces the file that a walk finds.
    assert_eq!(check(&["-", "crds", "--stdin-filename", "crds/a.yaml"]), [(json!("crds/a.yaml"), 0)]);
}

#[test]
fn a_version_may_be_written_as_clusters_write_it() {
    let root = repository(&[("a.yaml", "a: b\n")]);
    for version in ["1.30", "v1.30", "1.30.2", "v1.30.2+k3s1"] {
        assert_eq!(status(&run_gate(&root, &["--kubernetes-version", version])), 0, "{version}");
    }
    assert_eq!(status(&run_gate(&root, &["--kubernetes-version", "1.3"])), 2);
}

#[test]
fn quiet_and_colours_are_chosen() {
    let root = repository(&[("a.yaml", WIDGETS), ("b.yaml", "a: b\n")]);
    let quiet = stdout(&run_gate(&root, &["--quiet"]));
    assert!(quiet.contains("structural/type-required") && !quiet.contains("checked"), "{quiet}");
    assert_eq!(stdout(&run_gate(&root, &["-q", "b.yaml"])), "");
    assert!(stdout(&run_gate(&root, &["--color", "always"])).contains('\u{1b}'));
    for arguments in [&["--color", "never"][..], &["--color", "auto"], &[]] {
        assert!(!stdout(&run_gate(&root, arguments)).contains('\u{1b}'), "{arguments:?}");
    }
}

#[test]
fn findings_in_a_baseline_are_not_reported() {
    let root = repository(&[("crds/a.yaml", WIDGETS), ("crds/b.yaml", WIDGETS)]);
    let output = run_gate(&root, &["--baseline", "known.json"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("the file does not exist; create it with --update-baseline"));

    let output = run_gate(&root, &["--baseline", "known.json", "--update-baseline"]);
    assert_eq!((status(&output), &*stderr(&output)), (0, ""));
    let known = fs::read_to_string(root.path().join("known.json")).unwrap();
    let entries: Value = serde_json::from_str(&known).unwrap();
    let paths = entries["findings"].as_array().unwrap().iter().map(|entry| entry["path"].clone());
    assert_eq!(paths.collect::<Vec<_>>(), ["crds/a.yaml", "crds/b.yaml"]);

    let output = run_gate(&root, &["--baseline", "known.json"]);
    assert_eq!((status(&output), &*stderr(&output)), (0, ""));
    assert!(stdout(&output).contains("2 findings of the baseline not shown"), "{}", stdout(&output));

    // Lines move, and there is one more finding that is identical to the known one.
    let moved = format!("# first\n{}              weight: {{}}\n", WIDGETS);
    fs::write(root.path().join("crds/a.yaml"), &moved).unwrap();
    let structural = ["--select", "structural", "--baseline"];
    let only = ["crds/a.yaml:22 structural/type-required"];
    assert_eq!(findings_of(root.path(), &[&structural[..], &["known.json", "crds"]].concat()), only);
    // The result is the same from another directory.
    let crds = root.path().join("crds");
    let only = ["./a.yaml:22 structural/type-required"];
    assert_eq!(findings_of(&crds, &[&structural[..], &["../known.json"]].concat()), only);

    // Stale entries are reported, except those for files that were not checked.
    fs::write(root.path().join("crds/a.yaml"), WIDGETS.replace("size: {}", "size: {type: integer}")).unwrap();
    let output = run_gate(&root, &["--baseline", "known.json", "crds/b.yaml"]);
    assert_eq!((status(&output), &*stderr(&output)), (0, ""));
    // Entries for rules that are not selected are not stale.
    assert_eq!(stderr(&run_gate(&root, &["--baseline", "known.json", "--select", "yaml"])), "");
    run_gate(&root, &["--baseline", "known.json", "--update-baseline", "--select", "yaml"]);
    assert_eq!(fs::read_to_string(root.path().join("known.json")).unwrap(), known);
    let output = run_gate(&root, &["--baseline", "known.json"]);
    assert_eq!(status(&output), 0);
    let errors = stderr(&output);
    assert!(
        errors.starts_with("crd-ls: known.json: 1 finding of the baseline no longer occurs;"),
        "{errors}"
    );
    assert!(errors.contains("  crds/a.yaml: structural/type-required at spec.versions[0]"), "{errors}");

    // An update of one file keeps the entries for the other.
    run_gate(&root, &["--baseline", "known.json", "--update-baseline", "crds/a.yaml"]);
    let output = run_gate(&root, &["--baseline", "known.json"]);
    assert_eq!((status(&output), &*stderr(&output)), (0, ""));
    let updated = fs::read_to_string(root.path().join("known.json")).unwrap();
    assert!(!updated.contains("a.yaml") && updated.contains("b.yaml"), "{updated}");
}

#[test]
fn an_unreadable_baseline_is_reported() {
    let root = repository(&[("a.yaml", WIDGETS), ("known.json", "{\"version\": 7, \"findings\": []}\n")]);
    let output = run_gate(&root, &["--baseline", "known.json"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("known.json: it has version 7; this crd-ls reads version 1"));
    assert_eq!(status(&run_gate(&root, &["--update-baseline"])), 2, "where to?");
}

/// A repository with definitions of one kind, each with a different error.
fn rivals(count: usize) -> TempDir {
    let file = |number: usize| {
        let definition = WIDGETS.replace("size: {}", &format!("size{number}: {{}}"));
        (format!("{number:03}/widgets.yaml"), definition)
    };
    let files: Vec<(String, String)> = (0..count).map(file).collect();
    repository(&files.iter().map(|(path, text)| (&**path, &**text)).collect::<Vec<_>>())
}

#[test]
fn no_output_grows_faster_than_its_input() {
    let (few, many) = (rivals(20), rivals(80));
    for format in ["human", "concise", "json", "github", "sarif", "junit", "gitlab", "checkstyle"] {
        let size = |root: &TempDir| stdout(&run_gate(root, &["--output", format])).len();
        let (small, large) = (size(&few), size(&many));
        assert!(large < small * 5, "{format}: {small} bytes for 20 files, {large} for 80");
    }
}
