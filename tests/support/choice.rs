//! Which editors the tests may start, and whether they may download some: the variable `CRD_LS_EDITORS`.
#![allow(dead_code)]

use std::io::{self, Write};
use std::sync::Once;

/// What whoever runs the tests lets them do with real editors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Choice {
    /// Starts no editor.
    None,
    /// Starts those that are installed, without a window.
    Installed,
    /// Downloads VS Code and a browser as well.
    All,
}

fn choice() -> Choice {
    match std::env::var("CRD_LS_EDITORS").as_deref() {
        Ok("none") => Choice::None,
        Ok("all") => Choice::All,
        Ok("installed") => Choice::Installed,
        Err(std::env::VarError::NotPresent) => Choice::Installed,
        other => panic!("CRD_LS_EDITORS is `none`, `installed` (the default) or `all`, not {other:?}"),
    }
}

/// Whether installed editors may be started, which is said before the first one is; or why not.
pub(crate) fn may_start() -> Result<(), String> {
    static SAID: Once = Once::new();
    if choice() == Choice::None {
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
    match choice() {
        Choice::All => Ok(()),
        _ => Err(format!("CRD_LS_EDITORS=all is not set, which lets the tests download {what}")),
    }
}

/// Written past the test runner, which shows nothing of a test that passes.
pub(crate) fn tell(text: &str) {
    io::stderr().write_all(text.as_bytes()).unwrap();
}
