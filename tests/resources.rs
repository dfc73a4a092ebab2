//! Custom resources and the definitions of the workspace, on the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support {
    pub(crate) mod client;
    pub(crate) mod folders;
    pub(crate) mod program;
    pub(crate) mod widgets;
}

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::client::Client;
use support::folders::{expect_codes, uri, with_folders};
use support::program::{directory, json_of, run, run_with, status, stderr, stdout};
use support::widgets::{definition, widget};

const INTEGER: &str = "{type: integer, minimum: 1}";
const STRING: &str = "{type: string}";

/// The codes of all findings, by file.
fn codes(output: &std::process::Output) -> Vec<(String, Vec<String>)> {
    let files = json_of(output)["files"].as_array().unwrap().clone();
    let codes = |file: &Value| {
        let all = file["diagnostics"].as_array().unwrap().clone();
        all.iter().map(|one| one["code"].as_str().unwrap().to_owned()).collect()
    };
    files.iter().map(|file| (file["path"].as_str().unwrap().to_owned(), codes(file))).collect()
}

fn check(directory: &Path, arguments: &[&str]) -> std::process::Output {
    run(directory, &[&["check", "--output", "json"], arguments].concat())
}

/// If no definition in the paths, in `--crd` or among the stored ones defines a group, the repository is searched for its
/// definitions, except in files that git ignores. Outside a repository, nothing is searched.
#[test]
fn a_sample_finds_the_definition_of_its_repository() {
    let repository = directory(&[
        (".gitignore", b"ignored/\n"),
        ("config/crd/widgets.yaml", definition(INTEGER).as_bytes()),
        ("ignored/widgets.yaml", definition(STRING).as_bytes()),
        ("samples/bad.yaml", widget("0").as_bytes()),
        ("samples/pod.yaml", b"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"),
    ]);
    let bounds = vec!["resource/bounds".to_owned()];
    let outside = check(repository.path(), &["samples/bad.yaml"]);
    assert_eq!(codes(&outside)[0].1, Vec::<String>::new(), "without git");
    git2::Repository::init(repository.path()).unwrap();
    for path in ["samples/bad.yaml", "samples"] {
        let output = check(repository.path(), &[path]);
        assert_eq!(codes(&output)[0], ("samples/bad.yaml".to_owned(), bounds.clone()), "{path}");
        let validated: u64 = json_of(&output)["summary"]["resources"].as_u64().unwrap();
        assert_eq!(validated, 1, "{path}");
    }
    let below = check(&repository.path().join("samples"), &["bad.yaml"]);
    assert_eq!(codes(&below)[0].1, bounds);
    let stdin = run_with(repository.path(), &["check", "--output", "json", "-"], widget("0").as_bytes());
    assert_eq!(codes(&stdin)[0].1, bounds);
    let applied = run(repository.path(), &["apply", "--dry-run", "samples"]);
    assert!(stdout(&applied).contains("spec.size"), "{}{}", stdout(&applied), stderr(&applied));
    // Named definitions take precedence.
    fs::write(repository.path().join("named.yaml"), definition(STRING)).unwrap();
    for paths_given in
        [["named.yaml", "samples/bad.yaml"].as_slice(), &["--crd", "named.yaml", "samples/bad.yaml"]]
    {
        let output = check(repository.path(), paths_given);
        let all: Vec<String> = codes(&output).into_iter().flat_map(|(_, codes)| codes).collect();
        assert_eq!(all, ["resource/type"], "{paths_given:?}");
    }
    let stored = ["--old", "named.yaml", "samples/bad.yaml"];
    assert_eq!(codes(&check(repository.path(), &stored))[0].1, ["resource/type"]);
}

/// An editor with a single file and no folder.
#[test]
fn a_client_without_folders_has_the_repository_of_its_file() {
    let repository = directory(&[
        ("config/crd/widgets.yaml", definition(INTEGER).as_bytes()),
        ("samples/bad.yaml", widget("0").as_bytes()),
    ]);
    let sample = uri(&repository.path().canonicalize().unwrap().join("samples/bad.yaml"));
    let (mut client, _) = Client::initialized(json!({}));
    client.open_as(&sample, "yaml", &widget("0"));
    assert_eq!(client.diagnostics(&sample, 1), json!([]), "without git");
    git2::Repository::init(repository.path()).unwrap();
    let (mut client, _) = Client::initialized(json!({}));
    client.open_as(&sample, "yaml", &widget("0"));
    let found = expect_codes(&mut client, &sample, &["resource/bounds"]);
    assert_eq!(found[0]["range"]["start"]["line"], 4, "{found}");
}

#[test]
fn resources_are_checked_against_definitions_in_the_same_call() {
    let directory = directory(&[
        ("crd.yaml", definition(INTEGER).as_bytes()),
        ("samples/good.yaml", widget("3").as_bytes()),
        ("samples/bad.yaml", widget("0").as_bytes()),
        ("samples/other.yaml", b"apiVersion: other.example.com/v1\nkind: Widget\nspec: [\n"),
    ]);
    let output = check(directory.path(), &["crd.yaml", "samples"]);
    let found: Vec<_> = codes(&output).into_iter().filter(|(_, codes)| !codes.is_empty()).collect();
    assert_eq!(found, [("samples/bad.yaml".to_owned(), vec!["resource/bounds".to_owned()])]);
    assert_eq!(status(&output), 1);
    let found = &json_of(&output)["files"][1]["diagnostics"][0];
    assert_eq!(found["fieldPath"], "spec.size");
    assert_eq!(found["range"]["start"], json!({"line": 4, "character": 8}));
    assert_eq!(
        found["apiServer"],
        json!({
            "type": "FieldValueInvalid", "field": "spec.size",
            "detail": "spec.size in body should be greater than or equal to 1",
            "message": "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1",
        })
    );
    let human = stdout(&run(directory.path(), &["check", "crd.yaml", "samples"]));
    assert!(human.contains("crd.yaml:19: required by this `minimum`"), "{human}");
}

#[test]
fn definitions_elsewhere_are_named() {
    let directory = directory(&[
        (".git/HEAD", b""),
        (".crds/deep/crd.yaml", definition(INTEGER).as_bytes()),
        ("work/sample.yaml", widget("0").as_bytes()),
    ]);
    let work = directory.path().join("work");
    // A search of the repository skips hidden directories.
    assert_eq!(status(&check(&work, &["sample.yaml"])), 0);
    for place in ["../.crds", "../.crds/deep/crd.yaml", "../.crds/**/*.yaml"] {
        assert_eq!(status(&check(&work, &["--crd", place, "sample.yaml"])), 1, "{place}");
        // Definitions that are named only by `--crd` are not checked themselves.
        let output = check(&work, &["--crd", place, "sample.yaml"]);
        assert_eq!(json_of(&output)["files"].as_array().unwrap().len(), 1);
        fs::write(work.join(".crd-ls.toml"), format!("crds = [{place:?}]\n")).unwrap();
        assert_eq!(status(&check(&work, &["sample.yaml"])), 1, "{place}");
        fs::remove_file(work.join(".crd-ls.toml")).unwrap();
    }
    let output = check(&work, &["--crd", "nowhere", "sample.yaml"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("--crd: nowhere: no such file or directory"));
}

#[test]
fn stdin_may_hold_definitions_and_resources() {
    let both = format!("{}---\n{}", definition(INTEGER), widget("x"));
    let directory = directory(&[]);
    let output = run_with(directory.path(), &["check", "--output", "json", "-"], both.as_bytes());
    assert_eq!(codes(&output), [("-".to_owned(), vec!["resource/type".to_owned()])]);
}

#[test]
fn the_severity_of_unknown_fields_depends_on_field_validation() {
    let wrong = widget("1") + "  siez: 2\n";
    let directory = directory(&[("crd.yaml", definition(INTEGER).as_bytes()), ("cr.yaml", wrong.as_bytes())]);
    for (validation, severity) in [("Strict", "error"), ("Warn", "warning"), ("Ignore", "hint")] {
        let settings = format!("fieldValidation = \"{validation}\"\n");
        fs::write(directory.path().join(".crd-ls.toml"), settings).unwrap();
        let found = json_of(&check(directory.path(), &["."]))["files"][0]["diagnostics"][0].clone();
        assert_eq!(
            (&found["code"], &found["severity"]),
            (&json!("resource/unknown-field"), &json!(severity))
        );
        assert_eq!(found["apiServer"]["detail"], "unknown field \"spec.siez\"");
    }
}

#[test]
fn items_of_lists_are_checked_and_patches_may_omit_required_fields() {
    let list = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: example.com/v1\n  kind: Widget\n  metadata:\n    name: a\n  \
                spec:\n    size: 0\n";
    let patch = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {}\n";
    let required = definition(INTEGER).replace(
        "            properties:\n              size",
        "            required: [size]\n            properties:\n              size",
    );
    let directory = directory(&[
        ("crd.yaml", required.as_bytes()),
        ("list.yaml", list.as_bytes()),
        ("size_patch.yaml", patch.as_bytes()),
        ("whole.yaml", patch.as_bytes()),
    ]);
    let output = check(directory.path(), &["."]);
    let found: Vec<_> = codes(&output).into_iter().filter(|(_, codes)| !codes.is_empty()).collect();
    assert_eq!(
        found,
        [
            ("./list.yaml".to_owned(), vec!["resource/bounds".to_owned()]),
            ("./whole.yaml".to_owned(), vec!["resource/required".to_owned()])
        ]
    );
    let item = &json_of(&output)["files"][1]["diagnostics"][0];
    assert_eq!(item["fieldPath"], "items[0].spec.size");
    assert_eq!(item["range"]["start"], json!({"line": 8, "character": 10}));
}

/// A file that holds only definitions is checked before the other files are known, a file that also holds a resource later.
/// The findings on the definitions are the same.
#[test]
fn findings_on_definitions_are_independent_of_a_resource_after_them() {
    let (one, other) = (definition(INTEGER), definition("{type: string, minimum: 1}"));
    let rival = "resource/rival-definitions";
    let suppressed = format!("# crd-ls: ignore[{rival}] known\n{one}");
    let template = other.replace("name: v1", "name: {{ .Values.version");
    let appended = format!("---\n{}", widget("1"));
    let settings = "[rules]\n\"lint/keyword-type\" = \"error\"\n";
    let findings_with = |appended: &str| {
        let texts = [&one, &other, &suppressed, &template].map(|text| format!("{text}{appended}"));
        let files: Vec<_> = ["a.yaml", "b.yaml", "c.yaml", "d.yaml"].into_iter().zip(&texts).collect();
        let mut files: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
        files.push((".crd-ls.toml", settings.as_bytes()));
        let directory = directory(&files);
        let output = json_of(&check(directory.path(), &["."]));
        let files = output["files"].as_array().unwrap().iter();
        let mut all: Vec<Value> =
            files.flat_map(|file| file["diagnostics"].as_array().unwrap().clone()).collect();
        all.retain(|one| !["apiVersion", "spec.size"].contains(&one["fieldPath"].as_str().unwrap()));
        all
    };
    let alone = findings_with("");
    assert_eq!(alone, findings_with(&appended));
    let codes: Vec<_> = alone.iter().map(|one| (one["code"].as_str().unwrap(), &one["severity"])).collect();
    assert_eq!(codes.iter().filter(|(code, _)| *code == rival).count(), 1, "{codes:?}");
    assert!(codes.contains(&("lint/keyword-type", &json!("error"))), "{codes:?}");
}

/// Only small files are searched for the kinds of objects before the check; kinds in other files are found in time.
#[test]
fn a_definition_validates_resources_in_large_files() {
    let large = format!("# {}\n{}", "much text ".repeat(10_000), widget("0"));
    let directory =
        directory(&[("crd.yaml", definition(INTEGER).as_bytes()), ("large.yaml", large.as_bytes())]);
    let of_large = |arguments: &[&str]| codes(&check(directory.path(), arguments))[1].1.clone();
    assert_eq!(of_large(&["."]), ["resource/bounds"]);
    fs::write(directory.path().join("small.yaml"), widget("1")).unwrap();
    assert_eq!(of_large(&["."]), ["resource/bounds"]);
}

#[test]
fn rivals_are_reported_once_and_copies_are_not_rivals() {
    let described = definition("{type: integer, description: how large, minimum: 1}");
    let directory = directory(&[
        ("a/crd.yaml", definition(INTEGER).as_bytes()),
        ("b/crd.yaml", described.as_bytes()),
        ("b/sample.yaml", widget("x").as_bytes()),
    ]);
    let of =
        |output: &std::process::Output| codes(output).into_iter().map(|(_, codes)| codes).collect::<Vec<_>>();
    assert_eq!(of(&check(directory.path(), &["."])), [vec![], vec![], vec!["resource/type".to_owned()]]);
    fs::write(directory.path().join("b/crd.yaml"), definition(STRING)).unwrap();
    let rival = vec!["resource/rival-definitions".to_owned()];
    // The definition beside the resource validates it.
    assert_eq!(of(&check(directory.path(), &["."])), [rival, vec![], vec![]]);
}

fn replace(client: &mut Client, uri: &str, version: i32, text: &str) {
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}),
    );
}

fn related() -> Value {
    json!({"textDocument": {"publishDiagnostics": {"relatedInformation": true}}})
}

#[test]
fn an_edit_of_the_definition_changes_the_findings_on_the_resource() {
    let (crd, cr) = ("file:///w/crd.yaml", "file:///w/cr.yaml");
    let mut client = with_folders(&[], related());
    client.open_as(cr, "yaml", &widget("x"));
    client.open_as(crd, "yaml", &definition(INTEGER));
    let found = expect_codes(&mut client, cr, &["resource/type"]);
    let place = &found[0]["relatedInformation"][0]["location"];
    assert_eq!((&place["uri"], &place["range"]["start"]["line"]), (&json!(crd), &json!(18)));
    replace(&mut client, crd, 2, &definition(STRING));
    expect_codes(&mut client, cr, &[]);
    replace(&mut client, cr, 2, &widget("5"));
    expect_codes(&mut client, cr, &["resource/type"]);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": crd}}));
    expect_codes(&mut client, cr, &[]);
}

#[test]
fn definitions_in_files_are_used_and_open_buffers_take_precedence() {
    let directory = directory(&[
        (".gitignore", b"ignored/\n"),
        ("config/crd.yaml", definition(INTEGER).as_bytes()),
        ("ignored/crd.yaml", definition("{type: boolean}").replace("Widget", "Gadget").as_bytes()),
    ]);
    let root = directory.path();
    let (cr, crd) = (uri(&root.join("cr.yaml")), uri(&root.join("config/crd.yaml")));
    let mut client = with_folders(&[root], json!({}));
    client.open_as(&cr, "yaml", &format!("{}---\n{}", widget("x"), widget("1").replace("Widget", "Gadget")));
    expect_codes(&mut client, &cr, &["resource/type"]);
    client.open_as(&crd, "yaml", &definition(STRING));
    expect_codes(&mut client, &cr, &[]);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": crd}}));
    expect_codes(&mut client, &cr, &["resource/type"]);
}

#[test]
fn a_client_that_pulls_is_asked_to_pull_again() {
    let (crd, cr) = ("file:///w/crd.yaml", "file:///w/cr.yaml");
    let pulling = json!({
        "textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": true}}
    });
    let mut client = with_folders(&[], pulling);
    client.open_as(cr, "yaml", &widget("x"));
    let pull = |client: &mut Client| {
        let report = client.ask("textDocument/diagnostic", json!({"textDocument": {"uri": cr}}));
        report["items"].as_array().unwrap().len()
    };
    assert_eq!(pull(&mut client), 0);
    client.open_as(crd, "yaml", &definition(INTEGER));
    client.receive("workspace/diagnostic/refresh");
    assert_eq!(pull(&mut client), 1);
}

/// `is_watched_by_client`: whether the client reports changed files; otherwise the server watches them.
fn files_that_change(is_watched_by_client: bool) {
    let directory = directory(&[("crd.yaml", definition(INTEGER).as_bytes())]);
    let root = directory.path();
    let cr = uri(&root.join("cr.yaml"));
    let watching = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let mut client = with_folders(&[root], if is_watched_by_client { watching } else { json!({}) });
    let changed = |client: &mut Client, path: &str, kind: u8| {
        if is_watched_by_client {
            let event = json!({"uri": uri(&root.join(path)), "type": kind});
            client.notify("workspace/didChangeWatchedFiles", json!({"changes": [event]}));
        }
    };
    client.open_as(&cr, "yaml", &widget("x"));
    expect_codes(&mut client, &cr, &["resource/type"]);
    fs::write(root.join("crd.yaml"), definition(STRING)).unwrap();
    changed(&mut client, "crd.yaml", 2);
    expect_codes(&mut client, &cr, &[]);
    fs::write(root.join("crd.yaml"), definition(INTEGER)).unwrap();
    changed(&mut client, "crd.yaml", 2);
    expect_codes(&mut client, &cr, &["resource/type"]);
    fs::remove_file(root.join("crd.yaml")).unwrap();
    changed(&mut client, "crd.yaml", 3);
    expect_codes(&mut client, &cr, &[]);
    fs::create_dir(root.join("new")).unwrap();
    fs::write(root.join("new/crd.yaml"), definition(INTEGER)).unwrap();
    changed(&mut client, "new/crd.yaml", 1);
    expect_codes(&mut client, &cr, &["resource/type"]);
    fs::remove_dir_all(root.join("new")).unwrap();
    changed(&mut client, "new", 3);
    expect_codes(&mut client, &cr, &[]);
}

#[test]
fn file_changes_are_reported_by_the_client() {
    files_that_change(true);
}

#[test]
fn file_changes_are_noticed_without_the_client() {
    files_that_change(false);
}

#[test]
fn folders_come_and_go() {
    let definitions = directory(&[("crd.yaml", definition(INTEGER).as_bytes())]);
    let resources = directory(&[]);
    let cr = uri(&resources.path().join("cr.yaml"));
    let mut client = with_folders(&[resources.path(), definitions.path()], json!({}));
    client.open_as(&cr, "yaml", &widget("x"));
    expect_codes(&mut client, &cr, &["resource/type"]);
    let folder = json!([{"uri": uri(definitions.path()), "name": "folder"}]);
    let change = |added: &Value, removed: &Value| json!({"event": {"added": added, "removed": removed}});
    client.notify("workspace/didChangeWorkspaceFolders", change(&json!([]), &folder));
    expect_codes(&mut client, &cr, &[]);
    client.notify("workspace/didChangeWorkspaceFolders", change(&folder, &json!([])));
    expect_codes(&mut client, &cr, &["resource/type"]);
}

#[test]
fn settings_of_editor_and_project_name_definitions_elsewhere() {
    let directory = directory(&[
        (".git/HEAD", b""),
        ("crds/crd.yaml", definition(INTEGER).as_bytes()),
        ("work/a.yaml", b""),
    ]);
    let work = directory.path().join("work");
    let cr = uri(&work.join("cr.yaml"));
    let mut client = with_folders(&[&work], json!({}));
    client.open_as(&cr, "yaml", &widget("x"));
    let settings = |crds: Value| json!({"settings": {"crd-ls": {"crds": crds}}});
    client.notify("workspace/didChangeConfiguration", settings(json!(["../crds"])));
    expect_codes(&mut client, &cr, &["resource/type"]);
    client.notify("workspace/didChangeConfiguration", settings(json!([])));
    expect_codes(&mut client, &cr, &[]);
    // Without a folder, the project of the open document applies.
    let mut client = with_folders(&[], json!({}));
    fs::write(work.join(".crd-ls.toml"), "crds = [\"../crds\"]\n").unwrap();
    client.open_as(&cr, "yaml", &widget("x"));
    expect_codes(&mut client, &cr, &["resource/type"]);
}

#[test]
#[cfg(unix)]
fn unreadable_files_do_not_affect_others() {
    let faulty = definition("{type: integer, minimum: 1, maxLenght: x, items: [1]}") + "  extra: [\n";
    let directory = directory(&[
        // A definition with errors, whose valid parts are used.
        ("crd.yaml", faulty.as_bytes()),
        ("binary.yaml", b"CustomResourceDefinition\0"),
        ("latin.yaml", b"# CustomResourceDefinition \xff"),
    ]);
    let root = directory.path();
    std::os::unix::fs::symlink(root, root.join("loop")).unwrap();
    std::os::unix::fs::symlink(root.join("nowhere"), root.join("gone.yaml")).unwrap();
    std::os::unix::fs::symlink(root.join("self.yaml"), root.join("self.yaml")).unwrap();
    std::os::unix::net::UnixListener::bind(root.join("socket.yaml")).unwrap();
    fs::create_dir(root.join("folder.yaml")).unwrap();
    fs::write(root.join("half.json"), br#"{"x-kubernetes-group-version-kind": {"components": "#).unwrap();
    fs::File::create(root.join("huge.yaml")).unwrap().set_len(100 * 1024 * 1024).unwrap();
    let cr = uri(&root.join("cr.yaml"));
    let mut client = with_folders(&[root], json!({}));
    client.open_as(&cr, "yaml", &widget("x"));
    expect_codes(&mut client, &cr, &["resource/type"]);
    for part in [
        "binary.yaml: the file is binary",
        "latin.yaml: the file is not UTF-8",
        "huge.yaml: the file is too large",
    ] {
        client.wait_for(part, |message| {
            message["method"] == "window/logMessage"
                && message["params"]["message"].as_str().unwrap().contains(part)
        });
    }
    // Each problem is logged once, even if the file is read again.
    let logged = |client: &mut Client| client.so_far("window/logMessage").len();
    let count = logged(&mut client);
    fs::write(root.join(".gitignore"), "nothing\n").unwrap();
    let changed = json!({"changes": [{"uri": uri(&root.join(".gitignore")), "type": 1}]});
    client.notify("workspace/didChangeWatchedFiles", changed);
    client.open_as(&cr, "yaml", &widget("0"));
    expect_codes(&mut client, &cr, &["resource/bounds"]);
    assert_eq!(logged(&mut client), count);
    assert!(client.so_far("window/showMessage").is_empty());
}
