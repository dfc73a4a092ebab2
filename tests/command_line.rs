//! The contract of `crd-ls check` and of the program's start: exit statuses, output formats, walked files, invalid input.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

#[path = "support/beside.rs"]
mod beside;

mod support {
    pub(crate) mod program;
}

use std::fs;
use std::process::Output;

use serde_json::{Value, json};
use support::program::{directory, json_of, run, run_with, status, stderr, stdout};

const TOO_LARGE: u64 = 32 * 1024 * 1024 + 1;

fn checked_paths(output: &Output) -> Vec<String> {
    let files = json_of(output)["files"].as_array().unwrap().clone();
    files.iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect()
}

fn first_code(output: &Output) -> Value {
    json_of(output)["files"][0]["diagnostics"][0]["code"].clone()
}

#[test]
fn a_clean_file_has_an_entry_without_diagnostics() {
    let directory = directory(&[("a.yaml", b"a: b\n")]);
    let output = run(directory.path(), &["check", "--output", "json", "a.yaml"]);
    assert_eq!(status(&output), 0);
    assert_eq!(
        json_of(&output),
        json!({
            "schemaVersion": 2,
            "files": [{"path": "a.yaml", "diagnostics": [], "fixes": []}],
            "summary": {
                "definitions": 0, "rules": 0, "resources": 0, "errors": 0, "warnings": 0, "notJudged": [],
            },
        })
    );
    let output = run(directory.path(), &["check", "a.yaml"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "nothing checked: no findings\n");
}

#[test]
fn directories_are_walked_in_path_order_without_ignored_files() {
    let directory = directory(&[
        (".gitignore", b"generated/\n*.tmp.yaml\n"),
        ("b.yml", b""),
        ("a.yaml", b""),
        ("c.json", b"{}"),
        ("readme.md", b"# no"),
        ("sub/d.yaml", b""),
        ("sub/e.tmp.yaml", b""),
        ("generated/f.yaml", b""),
    ]);
    let output = run(directory.path(), &["check", "--output", "json", "."]);
    assert_eq!(checked_paths(&output), ["./a.yaml", "./b.yml", "./c.json", "./sub/d.yaml"]);
    // A named file is checked once, even if it is ignored.
    let output = run(
        directory.path(),
        &["check", "--output", "json", "readme.md", "generated/f.yaml", "sub", "sub/d.yaml"],
    );
    assert_eq!(checked_paths(&output), ["generated/f.yaml", "readme.md", "sub/d.yaml"]);
    assert_eq!(status(&output), 0);
}

#[test]
fn a_check_without_input_is_not_clean() {
    let directory =
        directory(&[("readme.md", b"# no"), (".gitignore", b"generated/\n"), ("generated/a.yaml", b"")]);
    let expected = "crd-ls: nothing checked: . has no YAML or JSON file that is not excluded\n";
    let check = |format: &str| run(directory.path(), &["check", "--output", format, "."]);
    // People get one message; programs also get a report.
    for (format, start, end) in [
        ("human", "", ""),
        ("concise", "", ""),
        ("github", "", ""),
        ("json", "{\"schemaVersion\":", "}\n"),
        ("sarif", "{", "}\n"),
        ("gitlab", "[", "]\n"),
        ("junit", "<?xml", "</testsuites>\n"),
        ("checkstyle", "<?xml", "</checkstyle>\n"),
    ] {
        let output = check(format);
        let text = stdout(&output);
        assert_eq!((status(&output), &*stderr(&output)), (2, expected), "{format}");
        assert!(text.starts_with(start) && text.ends_with(end), "{format}: {text}");
        assert_eq!(text.is_empty(), start.is_empty(), "{format}: {text}");
        if ["json", "sarif", "gitlab"].contains(&format) {
            json_of(&output);
        }
    }
    let output = run(directory.path(), &["check", "nowhere.yaml"]);
    assert_eq!((status(&output), &*stdout(&output)), (2, ""));
    assert!(stderr(&output).starts_with("crd-ls: nowhere.yaml: "), "{}", stderr(&output));
}

/// Types of a group, without the modules that they need.
const GO_TYPES: &[u8] =
    b"// +groupName=a.example.com\npackage v1\n\n// Thing is one.\ntype Thing struct {\n\tA string \
                          `json:\"a\"`\n}\n";

#[test]
fn a_check_of_go_alone_states_what_was_checked() {
    let module: (&str, &[u8]) = ("go.mod", b"module example.com/a\n");
    let plain: (&str, &[u8]) = ("v1/doc.go", b"package v1\n");
    let files = directory(&[module, ("v1/types.go", GO_TYPES), plain]);
    for (path, expected) in [
        (".", "2 Go files checked: no findings\n"),
        ("v1", "2 Go files checked: no findings\n"),
        ("v1/doc.go", "1 Go file checked: no findings\n"),
    ] {
        let output = run(files.path(), &["check", path]);
        assert_eq!((status(&output), &*stdout(&output), &*stderr(&output)), (0, expected, ""), "{path}");
    }
    let files = directory(&[module, ("v1/types.go", GO_TYPES), ("v1/a.yaml", b"a: b\n")]);
    let output = run(files.path(), &["check", "."]);
    assert_eq!(stdout(&output), "1 Go file checked: no findings\n");
}

#[test]
fn go_files_without_kinds_are_skipped_with_the_reason() {
    let files = directory(&[("go.mod", b"module example.com/a\n"), ("main.go", b"package main\n")]);
    let output = run(files.path(), &["check", "."]);
    let expected = "crd-ls: nothing checked: . has no YAML or JSON file that is not excluded, and its Go file has no marker \
                of kinds, such as `+groupName=` or `+kubebuilder:resource:`; name Go files to check them without\n";
    assert_eq!((status(&output), &*stdout(&output), &*stderr(&output)), (2, "", expected));
    let output = run(files.path(), &["check", "main.go"]);
    assert_eq!((status(&output), &*stdout(&output)), (0, "1 Go file checked: no findings\n"));
}

const WIDGET: &[u8] = b"apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\n";

#[test]
fn unchecked_files_and_resources_are_reported() {
    let directory = directory(&[
        ("unknown.yaml", WIDGET),
        ("deployment.yaml", b"# one\n\napiVersion: apps/v1\nkind: Deployment\n---\na: b\n"),
        ("latin.yaml", b"apiVersion: v1\nkind: ConfigMap\ndata: {a: \xe4}\n"),
        ("values.yaml", b"size: 1\n"),
    ]);
    let summary = |arguments: &[&str]| json_of(&run(directory.path(), arguments))["summary"].clone();
    let not_judged = |path: &str, line: u32, version: &str, kind: &str, reason: &str| json!({"path": path, "line": line, "apiVersion": version, "kind": kind, "reason": reason});
    assert_eq!(
        summary(&["check", "--output", "json", "."]),
        json!({
            "definitions": 0, "rules": 0, "resources": 0, "errors": 0, "warnings": 1,
            "notJudged": [
                not_judged("./deployment.yaml", 3, "apps/v1", "Deployment", "unsupported-kind"),
                not_judged("./latin.yaml", 1, "", "", "unreadable"),
                not_judged("./unknown.yaml", 1, "example.com/v1", "Widget", "no-definition"),
            ],
        })
    );
    let output = run(directory.path(), &["check", "unknown.yaml", "deployment.yaml", "--verbose"]);
    assert_eq!(
        stdout(&output),
        "deployment.yaml:3: apps/v1 Deployment is not checked: unsupported kind\n\
         unknown.yaml:1: example.com/v1 Widget is not checked: no definition\n\n\
         nothing checked: no findings; 2 documents not checked (1 no definition, 1 unsupported kind)\n"
    );
}

#[test]
fn unchecked_resources_can_fail_the_check() {
    let directory = directory(&[("unknown.yaml", WIDGET), ("pod.yaml", b"apiVersion: v1\nkind: Pod\n")]);
    let status_of = |arguments: &[&str]| status(&run(directory.path(), arguments));
    assert_eq!(status_of(&["check", "."]), 0);
    assert_eq!(status_of(&["check", "--fail-on-unjudged", "."]), 1);
    assert_eq!(status_of(&["check", "--fail-on-unjudged", "pod.yaml"]), 0);
}

#[test]
fn a_missing_path_is_reported_and_the_others_are_checked() {
    let directory = directory(&[("a.yaml", b"")]);
    let output = run(directory.path(), &["check", "--output", "json", "missing.yaml", "a.yaml"]);
    assert_eq!(status(&output), 2);
    assert_eq!(checked_paths(&output), ["a.yaml"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("missing.yaml"));
}

#[cfg(unix)]
#[test]
fn an_unreadable_directory_is_reported_and_the_others_are_checked() {
    use std::os::unix::fs::PermissionsExt;

    let directory = directory(&[("a.yaml", b""), ("locked/b.yaml", b"")]);
    let locked = directory.path().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read_dir(&locked).is_ok() {
        beside::skipped("this user may read every directory");
        return;
    }
    let output = run(directory.path(), &["check", "--output", "json", "."]);
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(status(&output), 2);
    assert_eq!(checked_paths(&output), ["./a.yaml"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("locked"));
}

#[test]
fn bytes_that_are_not_text_are_a_finding_with_a_place() {
    let directory = directory(&[("binary.yaml", b"\x7fELF\0\0"), ("latin1.yaml", b"a: b\nc: \xe4\n")]);
    let output = run(directory.path(), &["check", "--output", "json", "latin1.yaml"]);
    assert_eq!(status(&output), 1);
    let diagnostic = &json_of(&output)["files"][0]["diagnostics"][0];
    assert_eq!(diagnostic["code"], "file/not-utf8");
    assert_eq!(diagnostic["severity"], "error");
    assert_eq!(diagnostic["range"]["start"], json!({"line": 1, "character": 3}));
    assert_eq!((diagnostic.get("fieldPath"), diagnostic.get("apiServer")), (None, None));
    let output = run(directory.path(), &["check", "--output", "json", "binary.yaml"]);
    assert_eq!((status(&output), first_code(&output)), (1, json!("file/not-utf8")));
    // Files that were not named have only a warning.
    let output = run(directory.path(), &["check", "--output", "json", "."]);
    assert_eq!(status(&output), 0);
    let output = run(directory.path(), &["check", "--fail-on", "warning", "."]);
    assert_eq!(status(&output), 1);
}

#[test]
fn a_file_that_is_too_large_is_a_finding() {
    let directory = directory(&[("large.yaml", b"")]);
    let file = fs::File::options().write(true).open(directory.path().join("large.yaml")).unwrap();
    file.set_len(TOO_LARGE).unwrap();
    let output = run(directory.path(), &["check", "--output", "json", "large.yaml"]);
    assert_eq!((status(&output), first_code(&output)), (1, json!("file/too-large")));
}

#[test]
fn the_exit_status_follows_fail_on() {
    let directory = directory(&[("bad.yaml", b"\xff")]);
    for (fail_on, expected) in [("error", 1), ("warning", 1), ("never", 0)] {
        let output = run(directory.path(), &["check", "--fail-on", fail_on, "bad.yaml"]);
        assert_eq!(status(&output), expected, "{fail_on}");
    }
    // A file that could not be checked is not a finding.
    assert_eq!(status(&run(directory.path(), &["check", "--fail-on", "never", "missing.yaml"])), 2);
}

#[test]
fn bad_arguments_are_refused_with_2() {
    let directory = directory(&[]);
    for arguments in [
        &["check"][..],
        &["check", "--output", "xml", "."],
        &["check", "--kubernetes-version", "1.2", "."],
        &["check", "--kubernetes-version", "latest", "."],
        &["check", "--nonsense", "."],
        &["nonsense"],
    ] {
        let output = run(directory.path(), arguments);
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn stdin_is_a_file_named_minus() {
    let directory = directory(&[]);
    let output = run_with(directory.path(), &["check", "--output", "json", "-"], b"a: b\n");
    assert_eq!((status(&output), checked_paths(&output)), (0, vec!["-".to_owned()]));
    let output = run_with(directory.path(), &["check", "--fix", "-"], b"a: b\r\n");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "a: b\r\n");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "nothing checked: no findings\n");
}

#[test]
fn fix_leaves_a_clean_file_untouched() {
    let directory = directory(&[("a.yaml", b"a: b\n")]);
    let path = directory.path().join("a.yaml");
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(status(&run(directory.path(), &["check", "--fix", "a.yaml"])), 0);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn other_outputs_are_well_formed() {
    let directory = directory(&[("bad.yaml", b"\xff")]);
    let output = run(directory.path(), &["check", "--output", "github", "bad.yaml"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = "::error file=bad.yaml,line=1,col=1,endLine=1,endColumn=1,title=file/not-utf8::";
    assert!(text.starts_with(expected), "{text}");
    let output = run(directory.path(), &["check", "--output", "sarif", "bad.yaml"]);
    let log = json_of(&output);
    assert_eq!(
        (&log["version"], &log["runs"][0]["results"][0]["ruleId"]),
        (&json!("2.1.0"), &json!("file/not-utf8"))
    );
    let output = run(directory.path(), &["check", "bad.yaml"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("--> bad.yaml:1:1") && !text.contains('\x1b'), "{text}");
}

#[test]
fn the_program_names_its_version() {
    let directory = directory(&[]);
    let output = run(directory.path(), &["--version"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("crd-ls {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn without_arguments_and_terminal_the_server_starts() {
    let directory = directory(&[]);
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
    let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
    for arguments in [&[][..], &["server"], &["server", "--stdio"]] {
        let output = run_with(directory.path(), arguments, message.as_bytes());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(r#""name":"crd-ls""#), "{arguments:?}: {text}");
    }
}

#[test]
fn an_update_is_validated_against_the_stored_version() {
    let definition = |scope: &str| {
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.com}}\n\
             spec:\n  group: example.com\n  scope: {scope}\n  names: {{plural: widgets, kind: Widget}}\n  versions:\n  \
             - {{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object}}}}}}\n"
        )
    };
    let (old, new) = (definition("Namespaced"), definition("Cluster"));
    let directory = directory(&[("old.yaml", old.as_bytes()), ("new.yaml", new.as_bytes())]);
    assert_eq!(status(&run(directory.path(), &["check", "new.yaml"])), 0);
    let output = run(directory.path(), &["check", "--output", "json", "--old", "old.yaml", "new.yaml"]);
    assert_eq!(status(&output), 1);
    assert_eq!(first_code(&output), "update/scope-immutable");
    let answer = &json_of(&output)["files"][0]["diagnostics"][0]["apiServer"];
    assert_eq!(
        answer,
        &json!({
            "type": "FieldValueInvalid", "field": "spec.scope", "detail": "field is immutable",
            "message": "spec.scope: Invalid value: \"Cluster\": field is immutable",
        })
    );
    assert_eq!(status(&run(directory.path(), &["check", "--old", "none.yaml", "new.yaml"])), 2);
}

const OLD: &str = include_str!("../fixtures/migrate/kept.before.yaml");

#[test]
fn a_diff_shows_the_changes_of_fixes_and_writes_nothing() {
    let text = include_str!("../fixtures/first-light/widgets.yaml");
    let directory = directory(&[("sub/a.yaml", text.as_bytes()), ("clean.yaml", b"a: b\n")]);
    let output = run(directory.path(), &["check", "--fix", "--diff", "."]);
    assert_eq!(status(&output), 1);
    let diff = stdout(&output);
    assert!(diff.starts_with("--- a/sub/a.yaml\n+++ b/sub/a.yaml\n@@ "), "{diff}");
    assert!(diff.contains("\n+                  type: string\n                   anyOf:\n"), "{diff}");
    assert!(!diff.contains("clean.yaml"), "{diff}");
    assert_eq!(stderr(&output), "1 definition checked: no findings\n");
    assert_eq!(fs::read_to_string(directory.path().join("sub/a.yaml")).unwrap(), text);

    // `--fix` writes the same text.
    let patched = applied(text, &diff);
    assert_eq!(status(&run(directory.path(), &["check", "--fix", "."])), 0);
    assert_eq!(fs::read_to_string(directory.path().join("sub/a.yaml")).unwrap(), patched);
    let output = run(directory.path(), &["check", "--fix", "--diff", "."]);
    assert_eq!((status(&output), stdout(&output)), (0, String::new()));

    let output = run_with(directory.path(), &["check", "--fix", "--diff", "-"], text.as_bytes());
    assert_eq!(
        (status(&output), stdout(&output)),
        (1, diff.replace("a/sub/a.yaml", "-").replace("b/sub/a.yaml", "-"))
    );
    assert_eq!(status(&run(directory.path(), &["check", "--diff", "."])), 2);
}

/// The text after a unified diff of one file.
fn applied(text: &str, diff: &str) -> String {
    let old: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut new, mut at) = (String::new(), 0);
    for line in diff.split_inclusive('\n').skip(2) {
        if let Some(range) = line.strip_prefix("@@ -") {
            let start: usize = range.split([',', ' ']).next().unwrap().parse().unwrap();
            new.extend(old[at..start - 1].iter().copied());
            at = start - 1;
            continue;
        }
        let (sign, rest) = line.split_at(1);
        if sign != "+" {
            assert_eq!(rest, old[at]);
            at += 1;
        }
        if sign != "-" {
            new.push_str(rest);
        }
    }
    new.extend(old[at..].iter().copied());
    new
}

#[test]
fn old_definitions_are_migrated_and_lost_parts_are_reported() {
    let kept = include_str!("../fixtures/migrate/kept.after.yaml");
    let dropped = include_str!("../fixtures/migrate/kept.drop.yaml");
    let directory = directory(&[("a.yaml", OLD.as_bytes()), ("b.yaml", b"a: b\n")]);
    let output = run(directory.path(), &["migrate", "--diff", "."]);
    assert_eq!((status(&output), applied(OLD, &stdout(&output))), (0, kept.to_owned()));
    assert_eq!(fs::read_to_string(directory.path().join("a.yaml")).unwrap(), OLD);
    let output = run_with(directory.path(), &["migrate", "--drop-unknown-fields", "-"], OLD.as_bytes());
    assert_eq!((status(&output), stdout(&output)), (0, dropped.to_owned()));

    let output = run(directory.path(), &["migrate", "."]);
    assert_eq!((status(&output), stdout(&output)), (0, String::new()));
    let messages = stderr(&output);
    assert!(
        messages.starts_with("./a.yaml: widgets.example.com: migrated to apiextensions.k8s.io/v1\n"),
        "{messages}"
    );
    assert!(messages.contains("note: undeclared fields are still kept"), "{messages}");
    assert_eq!(fs::read_to_string(directory.path().join("a.yaml")).unwrap(), kept);
    let output = run(directory.path(), &["migrate", "."]);
    assert_eq!((status(&output), stderr(&output)), (0, String::new()));
}

#[test]
fn files_that_are_not_migrated_are_reported_with_the_reason() {
    let template = OLD.replace("group: example.com", "group: {{ .Values.group }}");
    let directory = directory(&[("a.yaml", template.as_bytes())]);
    let output = run(directory.path(), &["migrate", "a.yaml"]);
    assert_eq!(status(&output), 1);
    assert_eq!(stderr(&output), "a.yaml: not migrated: it contains template actions; render it first\n");
    assert_eq!(fs::read_to_string(directory.path().join("a.yaml")).unwrap(), template);
    assert_eq!(status(&run(directory.path(), &["migrate", "missing.yaml"])), 2);
}

#[test]
fn patches_of_old_definitions_are_reported_and_not_changed() {
    let part = "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n\
        metadata: {name: widgets.example.com}\nspec: {conversion: {strategy: None}}\n";
    let kustomization = "patchesJson6902:\n- path: json.yaml\n  target: {group: apiextensions.k8s.io, version: v1beta1, \
        kind: CustomResourceDefinition, name: widgets.example.com}\n";
    let directory = directory(&[
        ("crd.yaml", OLD.as_bytes()),
        ("json.yaml", b"- op: remove\n  path: /spec/validation/openAPIV3Schema/properties/status\n"),
        ("kustomization.yaml", kustomization.as_bytes()),
        ("part.yaml", part.as_bytes()),
    ]);
    let output = run(directory.path(), &["migrate", "."]);
    assert_eq!(status(&output), 1, "something is left");
    let messages = stderr(&output);
    let whole = "the definition `widgets.example.com` of `apiextensions.k8s.io/v1beta1`";
    let rest = "; rewrite it for `apiextensions.k8s.io/v1`";
    for line in [
        "./crd.yaml: widgets.example.com: migrated to apiextensions.k8s.io/v1".to_owned(),
        format!("./json.yaml: not migrated: it patches a definition of `apiextensions.k8s.io/v1beta1`{rest}"),
        format!("./kustomization.yaml: not migrated: it patches {whole}{rest}"),
        format!("./part.yaml: not migrated: it patches {whole}{rest}"),
    ] {
        assert!(messages.lines().any(|message| message == line), "{line}\n{messages}");
    }
    assert_eq!(fs::read_to_string(directory.path().join("part.yaml")).unwrap(), part);
}
