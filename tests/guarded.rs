//! Foreign repositories: links to devices, pipes, sockets, links that lead out of the repository or in circles, under all
//! names that crd-ls looks for. None of these is read, nothing blocks, and the rest is checked.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
    pub(crate) mod program;
    pub(crate) mod spent;
}

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::client::{Client, uri};
use support::program::{directory, run, status, stderr, stdout};
use support::spent::spent;
use tempfile::TempDir;

const WIDGETS: &str = include_str!("../fixtures/first-light/widgets.yaml");
const FINDINGS: usize = 7;
/// The maximum time of one run on a busy machine.
const LIMIT: Duration = Duration::from_secs(20);
/// The maximum memory of a run, in bytes: far more than these files need.
const MEMORY: u64 = 400 << 20;

/// The kinds of irregular files, and the message on a settings file of this kind.
const BAD: [(&str, &str); 6] = [
    ("stdin", "leads out of the repository"),
    ("zero", "leads out of the repository"),
    ("pipe", "not a regular file"),
    ("socket", "not a regular file"),
    ("outside", "leads out of the repository"),
    ("loop", "symbolic links"),
];

/// Names that are looked for in each repository.
const NAMES: [&str; 8] = [
    ".gitignore",
    ".ignore",
    ".git/info/exclude",
    "kustomization.yaml",
    "chainsaw-test.yaml",
    "00-step.yaml",
    "crd.yaml",
    "sub/.gitignore",
];

/// A repository in which `name` is an irregular file, beside a definition with findings and a step of a test.
fn repository(name: &str, bad: &str) -> (TempDir, Option<UnixListener>) {
    let root = directory(&[
        ("outside/.secret", b"[rules]\nstructural = \"off\"\nwidgets.yaml\n"),
        ("repository/.git/info/x", b""),
        ("repository/sub/a.yaml", b"a: b\n"),
        ("repository/widgets.yaml", WIDGETS.as_bytes()),
        ("repository/00-assert.yaml", b"apiVersion: v1\nkind: Pod\n"),
    ]);
    let path = root.path().join("repository").join(name);
    let mut socket = None;
    match bad {
        "stdin" => symlink("/dev/stdin", path).unwrap(),
        "zero" => symlink("/dev/zero", path).unwrap(),
        "outside" => symlink(root.path().join("outside/.secret"), path).unwrap(),
        "loop" => symlink(path.file_name().unwrap(), &path).unwrap(),
        "pipe" => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
        _ => socket = Some(UnixListener::bind(path).unwrap()),
    }
    (root, socket)
}

/// The status, stdout and stderr of a run whose stdin stays open, and which must end in time and with little memory.
fn ends(what: &str, directory: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crd-ls"))
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take();
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let out = thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).map(|_| text)
    });
    let err = thread::spawn(move || {
        let mut text = String::new();
        err.read_to_string(&mut text).map(|_| text)
    });
    let status = watched(what, &mut child);
    drop(stdin);
    (status, out.join().unwrap().unwrap(), err.join().unwrap().unwrap())
}

/// The exit status. A process that takes too long, or too much memory, is killed, and the test fails.
fn watched(what: &str, child: &mut Child) -> i32 {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code().unwrap();
        }
        let memory = peak(child.id());
        if start.elapsed() > LIMIT || memory > MEMORY {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{what}: after {:?} with {memory} bytes", start.elapsed());
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// The memory of a process at its peak in bytes, where the system reports it.
fn peak(process: u32) -> u64 {
    spent(process).map(|(spent, _)| spent.memory).unwrap_or_default()
}

#[test]
fn the_command_line_reads_no_special_file_and_checks_the_others() {
    for name in NAMES {
        for (bad, _) in BAD {
            let what = format!("{name}: {bad}");
            let (root, _socket) = repository(name, bad);
            let (status, out, err) =
                ends(&what, &root.path().join("repository"), &["check", "--output", "concise"]);
            assert_eq!(status, 1, "{what}: {out}{err}");
            assert_eq!(
                out.lines().filter(|line| line.starts_with("./widgets.yaml:")).count(),
                FINDINGS,
                "{what}"
            );
            let is_list = name.ends_with("ignore") || name.ends_with("exclude");
            assert_eq!(err.contains(&format!("{name}: it is ignored: ")), is_list, "{what}: {err}");
        }
    }
}

#[test]
fn unreadable_settings_are_reported() {
    for (bad, expected) in BAD {
        let (root, _socket) = repository(".crd-ls.toml", bad);
        let (status, _, err) = ends(bad, &root.path().join("repository"), &["check"]);
        assert_eq!(status, 2, "{bad}: {err}");
        assert!(err.contains(".crd-ls.toml: ") && err.contains(expected), "{bad}: {err}");
    }
}

#[test]
fn a_baseline_is_a_regular_file() {
    for (bad, _) in BAD.iter().filter(|(bad, _)| !["outside", "stdin"].contains(bad)) {
        let (root, _socket) = repository("known.json", bad);
        let (status, _, err) =
            ends(bad, &root.path().join("repository"), &["check", "--baseline", "known.json"]);
        assert_eq!(status, 2, "{bad}: {err}");
        assert!(err.contains("--baseline: known.json: "), "{bad}: {err}");
    }
}

#[test]
fn the_server_reads_no_special_file_and_keeps_answering() {
    for name in NAMES.iter().chain(&[".crd-ls.toml"]) {
        for (bad, _) in BAD {
            let what = format!("{name}: {bad}");
            let (root, _socket) = repository(name, bad);
            let (mut client, uri) = opened(&root.path().join("repository"));
            let diagnostics = client.diagnostics(&uri, 1);
            assert_eq!(diagnostics.as_array().unwrap().len(), FINDINGS, "{what}");
            // All files have been indexed; reading a pipe would have blocked that.
            client.wait_for(&what, |message| {
                message["method"] == "crd-ls/index" && message["params"]["isComplete"] == true
            });
            let symbols = client.ask("workspace/symbol", json!({"query": "Widget"}));
            assert!(symbols.is_array() || symbols.is_null(), "{what}");
            let memory = peak(client.process());
            assert!(memory < MEMORY, "{what}: {memory} bytes");
            client.ask("shutdown", Value::Null);
            client.notify("exit", Value::Null);
            assert_eq!(client.exit_status(LIMIT), Some(0), "{what}");
        }
    }
}

/// A server whose workspace is `directory`, with its `widgets.yaml` open.
fn opened(directory: &Path) -> (Client, String) {
    let mut client = Client::start();
    let capabilities = json!({"experimental": {"crd-ls/index": true}});
    let folder = uri(directory);
    client.ask("initialize", json!({"processId": null, "rootUri": folder, "capabilities": capabilities}));
    client.notify("initialized", json!({}));
    let uri = format!("{folder}/widgets.yaml");
    client.open_as(&uri, "yaml", WIDGETS);
    (client, uri)
}

/// Paths in `.crd-ls.toml` that are outside its repository, and the message on each.
fn outside(root: &Path) -> [(String, &'static str); 8] {
    let nested = "{".repeat(260) + &"}".repeat(260);
    [
        ("../outside".to_owned(), "`..` leads out of the repository"),
        ("crds/../../outside/*.yaml".to_owned(), "`..` leads out of the repository"),
        (root.join("outside").display().to_string(), "this is an absolute path"),
        ("C:/outside".to_owned(), "this is an absolute path"),
        ("~/outside".to_owned(), "`~` is a home directory"),
        (r"\\\\server\\share".to_owned(), "this is a path on another machine"),
        ("linked".to_owned(), "a symbolic link leads out of the repository"),
        (nested, "nests braces deeper than 8 levels"),
    ]
}

/// A repository, and a definition outside of it that would reject its resource.
fn with_definition_outside() -> TempDir {
    let definition = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets, singular: gadget, listKind: GadgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}
";
    let root = directory(&[
        ("outside/crd.yaml", definition.as_bytes()),
        ("repository/.git/x", b""),
        ("repository/.inside/crd.yaml", definition.as_bytes()),
        ("repository/sub/.crd-ls.toml", b"crds = [\"../.inside\"]\n"),
        (
            "repository/sub/a.yaml",
            b"apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: a}\nspec: {size: large}\n",
        ),
        (
            "repository/a.yaml",
            b"apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: a}\nspec: {size: large}\n",
        ),
    ]);
    symlink("../outside", root.path().join("repository/linked")).unwrap();
    root
}

#[test]
fn settings_of_a_repository_name_only_definitions_inside_it() {
    let root = with_definition_outside();
    let repository = root.path().join("repository");
    for (named, expected) in outside(root.path()) {
        fs::write(repository.join(".crd-ls.toml"), format!("crds = [\"{named}\"]\n")).unwrap();
        let (status, out, err) = ends(&named, &repository, &["check", "--output", "concise", "a.yaml"]);
        assert!(!out.contains("a.yaml:4"), "{named}: {out}");
        assert!(status == 2 && err.contains(expected), "{named}: {status} {err}");

        let (mut client, _) = opened(&repository);
        client.wait_for(&format!("{named}: {expected}"), |message| {
            message["method"] == "window/logMessage"
                && message["params"]["message"].as_str().is_some_and(|text| text.contains(expected))
        });
        client.wait_for("the whole index", |message| {
            message["method"] == "crd-ls/index" && message["params"]["isComplete"] == true
        });
    }
    fs::remove_file(repository.join(".crd-ls.toml")).unwrap();
    // Definitions that the command line names, or inside the repository.
    for (place, arguments) in [
        (".", &["check", "--output", "concise", "--crd", "../outside", "a.yaml"][..]),
        (".", &["check", "--output", "concise", "--crd", "linked/crd.yaml", "a.yaml"]),
        ("sub", &["check", "--output", "concise", "a.yaml"]),
    ] {
        let output = run(&repository.join(place), arguments);
        assert!(
            stdout(&output).contains("a.yaml:4:"),
            "{arguments:?}: {}{}",
            stdout(&output),
            stderr(&output)
        );
        assert_eq!(status(&output), 1);
    }
}

#[test]
fn named_files_may_be_pipes() {
    let mut child = Command::new("bash")
        .args(["-c", "\"$0\" check --output concise <(cat)", env!("CARGO_BIN_EXE_crd-ls")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(WIDGETS.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(stdout(&output).lines().filter(|line| line.starts_with("/dev/fd/")).count(), FINDINGS);
}

#[test]
fn ignore_lists_apply_as_in_git() {
    let root = directory(&[
        (".gitignore", b"*.gen.yaml\n/only-top.yaml\nbuild/\n"),
        ("deep/.gitignore", b"!kept.gen.yaml\nlocal.yaml\n"),
        ("deep/.ignore", b"ours.yaml\n!.shown.yaml\n"),
        (".git/info/exclude", b"excluded.yaml\n"),
    ]);
    let files = [
        ("a.yaml", true),
        ("a.gen.yaml", false),
        ("only-top.yaml", false),
        ("excluded.yaml", false),
        (".hidden.yaml", false),
        ("build/a.yaml", false),
        ("deep/only-top.yaml", true),
        ("deep/kept.gen.yaml", true),
        ("deep/other.gen.yaml", false),
        ("deep/local.yaml", false),
        ("deep/ours.yaml", false),
        ("deep/.shown.yaml", true),
        ("deep/er/local.yaml", false),
        ("local.yaml", true),
    ];
    for (file, _) in files {
        let path = root.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, WIDGETS).unwrap();
    }
    for (from, prefix) in [(".", ""), ("deep", "deep/")] {
        let output = run(&root.path().join(from), &["check", "--output", "concise"]);
        let out = stdout(&output);
        for (file, is_checked) in files.iter().filter_map(|(file, is)| Some((file.strip_prefix(prefix)?, is)))
        {
            let checked = out.lines().any(|line| line.starts_with(&format!("./{file}:")));
            assert_eq!(checked, *is_checked, "{from} {file}: {out}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn links_are_not_watched() {
    use std::os::unix::fs::MetadataExt;
    let root = directory(&[
        ("outside/deep/a.yaml", b""),
        ("repository/inside/a.yaml", b""),
        ("repository/widgets.yaml", WIDGETS.as_bytes()),
    ]);
    symlink("../outside", root.path().join("repository/all")).unwrap();
    let (client, _) = opened(&root.path().join("repository"));
    let number = |path: &str| format!("ino:{:x} ", fs::metadata(root.path().join(path)).unwrap().ino());
    let watched = |process: u32| {
        let files = fs::read_dir(format!("/proc/{process}/fdinfo")).unwrap();
        let texts = files.filter_map(|file| fs::read_to_string(file.unwrap().path()).ok());
        texts.filter(|text| text.contains("inotify wd:")).collect::<String>()
    };
    let start = Instant::now();
    while !watched(client.process()).contains(&number("repository/inside")) {
        assert!(start.elapsed() < LIMIT, "the folder is not watched");
        thread::sleep(Duration::from_millis(10));
    }
    // Wait until the whole folder is processed: links come in any order.
    thread::sleep(Duration::from_millis(500));
    let watched = watched(client.process());
    assert!(!["outside", "outside/deep"].iter().any(|path| watched.contains(&number(path))), "{watched}");
}
