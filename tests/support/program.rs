//! Runs of the program on the command line.

// Each test program uses a part of it.
#![allow(dead_code)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The top of this repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Runs the program in `directory` with `input` on stdin.
pub(crate) fn run_with(directory: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crd-ls"))
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read its stdin may end first.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

pub(crate) fn run(directory: &Path, arguments: &[&str]) -> Output {
    run_with(directory, arguments, b"")
}

pub(crate) fn status(output: &Output) -> i32 {
    output.status.code().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    printed(&output.stdout)
}

pub(crate) fn stderr(output: &Output) -> String {
    printed(&output.stderr)
}

/// The text that the program printed, with slashes in paths on every system, as tests expect them.
pub(crate) fn printed(bytes: &[u8]) -> String {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// The JSON that the program printed, with slashes in paths on every system.
pub(crate) fn json_of(output: &Output) -> Value {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    // A separator of Windows is escaped in JSON.
    let text = if cfg!(windows) { text.replace(r"\\", "/") } else { text };
    serde_json::from_str(&text).unwrap()
}

/// A directory with these files.
pub(crate) fn directory(files: &[(&str, &[u8])]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = directory.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    directory
}
