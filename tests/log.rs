//! The log of the server: its work, and slow and rejected work. Off by default.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
    pub(crate) mod program;
}

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::client::{Client, URI, did_change, start_of_document, uri};
use support::program::directory;

const WIDGETS: &str = include_str!("../fixtures/first-light/widgets.yaml");

/// The log of a session in `directory`: a text is opened, edited and hovered over.
fn logged(directory: &Path, arguments: &[&str]) -> String {
    let log = directory.join("log");
    let mut client = Client::start_as(&[&["--log", log.to_str().unwrap()], arguments].concat());
    let folder = uri(directory);
    let capabilities = json!({"experimental": {"crd-ls/index": true}});
    client.ask("initialize", json!({"processId": null, "rootUri": folder, "capabilities": capabilities}));
    client.notify("initialized", json!({}));
    client.open("yaml", WIDGETS);
    client.diagnostics(URI, 1);
    client.send(&[did_change(2, json!([{"text": format!("# edited\n{WIDGETS}")}]))]);
    client.diagnostics(URI, 2);
    client.ask("textDocument/hover", start_of_document());
    client.wait_for("the whole index", |message| {
        message["method"] == "crd-ls/index" && message["params"]["isComplete"] == true
    });
    // A client may get the diagnostics before the log has the end of their analysis, and `exit` does not wait for that.
    let since = Instant::now();
    let count = |words: &[&str]| lines(&fs::read_to_string(&log).unwrap(), &[&["analysis{"], words].concat());
    while count(&[": begins"]) > count(&[": ends ms="]) && since.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_millis(5));
    }
    client.ask("shutdown", Value::Null);
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_status(Duration::from_secs(10)), Some(0));
    fs::read_to_string(log).unwrap()
}

/// The number of lines that contain all of `words`.
fn lines(log: &str, words: &[&str]) -> usize {
    log.lines().filter(|line| words.iter().all(|word| line.contains(word))).count()
}

#[test]
fn each_analysis_and_request_is_a_span_with_its_document_version_and_duration() {
    let directory = directory(&[]);
    let log = logged(directory.path(), &["--log-level", "debug"]);
    for version in ["version=1", "version=2"] {
        for end in [": begins", ": ends ms="] {
            let words = ["DEBUG", &format!("analysis{{uri={URI} {version}"), end];
            assert!(lines(&log, &words) >= 1, "{words:?} in {log}");
        }
    }
    assert_eq!(lines(&log, &["request{method=\"textDocument/hover\" id=", ": begins"]), 1, "{log}");
    assert_eq!(lines(&log, &["index{scope=all}", "searched files for definitions", "files=0"]), 1, "{log}");
}

#[test]
fn without_a_level_only_important_events_are_logged() {
    let directory = directory(&[]);
    let log = logged(directory.path(), &[]);
    assert_eq!((lines(&log, &["INFO", "the log starts"]), lines(&log, &["DEBUG"])), (1, 0), "{log}");
}

#[test]
#[cfg(unix)]
fn rejected_messages_are_logged() {
    let directory = directory(&[("a.yaml", b"a: b\n")]);
    std::os::unix::fs::symlink("/dev/zero", directory.path().join(".gitignore")).unwrap();
    let log = logged(directory.path(), &["--log-level", "warn"]);
    let words = ["WARN", "not read: the symbolic link leads out of the repository", ".gitignore"];
    assert!(lines(&log, &words) >= 1, "{log}");
}

#[test]
fn a_log_is_enabled_by_a_variable_and_an_invalid_level_is_reported() {
    let run = |level: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crd-ls"));
        command.arg("server").env("CRD_LS_LOG", level).stdin(Stdio::null());
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert!(run("info").1.contains("the log starts"));
    assert_eq!(run("off").1, "");
    assert_eq!(run("").1, "");
    let (status, errors) = run("loud");
    assert_eq!(
        (status, &*errors),
        (Some(1), "crd-ls: CRD_LS_LOG: 'loud' is not a level; use off, error, warn, info, debug or trace\n")
    );
}
