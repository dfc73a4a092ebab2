//! What lies beside the checkout of a founder, and not in a clone: `../shared`, with real definitions and the test
//! suites of YAML and CEL.
#![allow(dead_code)]

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// `../shared/NAME`, or nothing, once it is said what the test does without it.
pub(crate) fn shared(name: &str, without: &str) -> Option<PathBuf> {
    // Crates lie two folders below the checkout, wherever this file is included.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    if path.is_dir() {
        return Some(path);
    }
    tell(&format!("{without}, because there is no ../shared/{name} beside the checkout"));
    None
}

/// Says that the test is skipped, and why.
pub(crate) fn skipped(reason: &str) {
    tell(&format!("skipped, because {reason}"));
}

/// Written past the test runner, which shows nothing of a test that passes.
fn tell(text: &str) {
    let thread = std::thread::current();
    let line = format!("{}: {text}\n", thread.name().unwrap_or("a test"));
    // Where nobody listens there is nobody to tell.
    io::stderr().write_all(line.as_bytes()).ok();
}
