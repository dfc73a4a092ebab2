//! Which editors the tests may start, and whether they may download some.
#![allow(dead_code)]

use std::io::{self, Write};
use std::sync::Once;

use environment::{Editors, editors};

/// Whether installed editors may be started, which is said before the first one is; or why not.
pub(crate) fn may_start() -> Result<(), String> {
    static SAID: Once = Once::new();
    if editors() == Editors::None {
        return Err("CRD_LS_EDITORS=none leaves all editors out".to_owned());
    }
    SAID.call_once(|| {
        tell(
            "starts the editors that are installed, without a window; CRD_LS_EDITORS=none leaves them out\n",
        );
    });
    Ok(())
}

/// Whether editors may be downloaded, or why not. `what` says what and how much that would be.
pub(crate) fn may_download(what: &str) -> Result<(), String> {
    if editors() >= Editors::All {
        return Ok(());
    }
    Err(format!("CRD_LS_EDITORS=all is not set, which lets the tests download {what}"))
}

/// Written past the test runner, which shows nothing of a test that passes.
pub(crate) fn tell(text: &str) {
    io::stderr().write_all(text.as_bytes()).unwrap();
}
