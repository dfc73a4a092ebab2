//! Shared code for tests of real editors: set-ups, fixtures, a separate home directory.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::choice::report;

pub(crate) const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The code block of `docs/editors.md` below the comment that names `setup`.
pub(crate) fn setup_of(setup: &str) -> String {
    let page = fs::read_to_string(Path::new(REPOSITORY).join("docs/editors.md")).unwrap();
    let marker = format!("<!-- run by the tests: {setup} -->");
    let (_, following) =
        page.split_once(&marker).unwrap_or_else(|| panic!("docs/editors.md has no {marker}"));
    let (_, code) = following.split_once("```").unwrap();
    let (_, code) = code.split_once('\n').unwrap();
    let (code, _) = code.split_once("```").unwrap();
    code.to_owned()
}

/// The text of a set-up below `editors/`.
pub(crate) fn entry(name: &str) -> String {
    fs::read_to_string(Path::new(REPOSITORY).join("editors").join(name)).unwrap()
}

pub(crate) fn fixture(name: &str) -> String {
    fs::read_to_string(Path::new(REPOSITORY).join("fixtures/editors").join(name)).unwrap()
}

/// Hides the settings of the user who runs the tests, and puts the built server first in `PATH`.
pub(crate) fn in_own_home<'c>(command: &'c mut Command, work: &Path) -> &'c mut Command {
    let server = Path::new(env!("CARGO_BIN_EXE_crd-ls")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(server).chain(std::env::split_paths(&path))).unwrap();
    for variable in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env(variable, work.join(variable));
    }
    command.env("HOME", work).env("PATH", path).env("SEEN", work.join("seen.json"))
}

/// Reports that `editor` is not tested, and why.
pub(crate) fn skip(editor: &str, reason: &str) {
    report(&format!("skipped: {editor}, because {reason}\n"));
}
