//! Files beside the maintainers' checkout that are not in a clone: `../shared`, with real definitions and the test suites of
//! YAML and CEL.
#![allow(dead_code)]

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// `../shared/NAME`; `None` if it does not exist, after the effect on the test was reported.
pub(crate) fn shared(name: &str, without: &str) -> Option<PathBuf> {
    // All crates that include this file are two folders below the checkout.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    if path.is_dir() {
        return Some(path);
    }
    report(&format!("{without}, because there is no ../shared/{name} beside the checkout"));
    None
}

/// Reports that the test is skipped, and why.
pub(crate) fn skipped(reason: &str) {
    report(&format!("skipped, because {reason}"));
}

/// Writes a line that bypasses the test runner, which shows no output of a test that passes.
fn report(text: &str) {
    let thread = std::thread::current();
    let line = format!("{}: {text}\n", thread.name().unwrap_or("a test"));
    // If stderr is closed, the line cannot be reported.
    io::stderr().write_all(line.as_bytes()).ok();
}
