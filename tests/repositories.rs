//! Small repositories, checked at their root as a pipeline does, and compared with the whole expected output.
//!
//! Each folder below `fixtures/repositories` is one repository. Its file `args` describes its purpose in lines that begin with
//! `#`, and has one invocation per line; the default is `check .`. `expected.txt` has the output and the exit status of each
//! invocation, `expected.json` the output of each `check` as JSON. `CRD_LS_UPDATE=1` rewrites both.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod program;
}

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::program::{repository, run, status, stderr, stdout};
use tempfile::TempDir;

/// The files that are not part of the repository.
const OURS: [&str; 3] = ["args", "expected.txt", "expected.json"];

#[test]
fn repositories_are_checked_as_expected() {
    let updates = environment::updates();
    let folders = entries(&repository().join("fixtures/repositories"));
    assert!(!folders.is_empty(), "there are no repositories");
    let mut different = Vec::new();
    for folder in folders {
        let invocations = invocations(&folder);
        for (name, found) in [
            ("expected.txt", printed(&folder, &invocations)),
            ("expected.json", reported(&folder, &invocations)),
        ] {
            let path = folder.join(name);
            if updates {
                fs::write(&path, found).unwrap();
                continue;
            }
            let expected = fs::read_to_string(&path).unwrap_or_else(|error| error.to_string());
            if found != expected {
                let (old, new) = (expected.as_bytes(), found.as_bytes());
                let difference = git2::Patch::from_buffers(old, None, new, None, None).unwrap().to_buf();
                different.push(format!("{}\n{}", path.display(), difference.unwrap().as_str().unwrap()));
            }
        }
    }
    assert!(different.is_empty(), "{}\nset CRD_LS_UPDATE=1 to write them again", different.join("\n"));
}

/// The arguments of each run.
fn invocations(folder: &Path) -> Vec<Vec<String>> {
    let Ok(text) = fs::read_to_string(folder.join("args")) else {
        return vec![vec!["check".to_owned(), ".".to_owned()]];
    };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let all: Vec<Vec<String>> =
        lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect();
    assert!(!all.is_empty(), "{}: `args` has no invocation", folder.display());
    all
}

/// The output of each invocation.
fn printed(folder: &Path, invocations: &[Vec<String>]) -> String {
    let mut text = String::new();
    for arguments in invocations {
        let output = run(copy(folder).path(), &as_words(arguments));
        text += &format!("$ crd-ls {}\n{}", arguments.join(" "), stdout(&output));
        let complaints = stderr(&output);
        if !complaints.is_empty() {
            text += &format!("-- stderr\n{complaints}");
        }
        text += &format!("-- exit status {}\n\n", status(&output));
    }
    text
}

/// The JSON reports of all invocations of `check` without `--output`.
fn reported(folder: &Path, invocations: &[Vec<String>]) -> String {
    let mut all = Vec::new();
    for arguments in invocations {
        let is_check = arguments.first().is_some_and(|first| first == "check");
        if !is_check || arguments.iter().any(|argument| argument.starts_with("--output")) {
            continue;
        }
        let mut arguments = as_words(arguments);
        arguments.splice(1..1, ["--output", "json"]);
        let output = run(copy(folder).path(), &arguments);
        let text = stdout(&output);
        let report: Value = serde_json::from_str(&text).unwrap_or(Value::String(text));
        all.push(json!({"arguments": arguments.join(" "), "exitStatus": status(&output), "report": report}));
    }
    serde_json::to_string_pretty(&all).unwrap() + "\n"
}

fn as_words(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

/// A separate copy of the repository, so that settings around this checkout do not apply, and files that a run writes are
/// deleted.
fn copy(folder: &Path) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join(".git")).unwrap();
    let mut pending = entries(folder);
    pending.retain(|path| !OURS.iter().any(|ours| path.ends_with(ours)));
    while let Some(path) = pending.pop() {
        let target = root.path().join(path.strip_prefix(folder).unwrap());
        if path.is_dir() {
            fs::create_dir_all(target).unwrap();
            pending.extend(entries(&path));
        } else {
            fs::copy(&path, target).unwrap();
        }
    }
    root
}

/// The entries of `folder`, by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}
