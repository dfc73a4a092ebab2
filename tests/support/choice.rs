//! Whether the tests may start and download editors.
#![allow(dead_code)]

use std::io::{self, Write};
use std::sync::Once;

use environment::{Editors, editors};

/// Checks that installed editors may be started, and announces that once. The error is the reason why they may not.
pub(crate) fn may_start() -> Result<(), String> {
    static REPORTED: Once = Once::new();
    if editors() == Editors::None {
        return Err("CRD_LS_EDITORS=none leaves all editors out".to_owned());
    }
    REPORTED.call_once(|| {
        report(
            "starts the editors that are installed, without a window; CRD_LS_EDITORS=none leaves them out\n",
        );
    });
    Ok(())
}

/// Checks that editors may be downloaded. The error is the reason why they may not. `what` describes the downloads and their
/// size.
pub(crate) fn may_download(what: &str) -> Result<(), String> {
    if editors() >= Editors::All {
        return Ok(());
    }
    Err(format!("CRD_LS_EDITORS=all is not set, which lets the tests download {what}"))
}

/// Writes a text that bypasses the test runner, which shows no output of a test that passes.
pub(crate) fn report(text: &str) {
    io::stderr().write_all(text.as_bytes()).unwrap();
}
