//! Helix and Kakoune, which need a terminal, repair a definition and complete in a rule, by keyboard.
//!
//! They run with the set-ups of `docs/editors.md` and `editors/` in tmux. An editor that is not installed is skipped with a
//! message; `CRD_LS_EDITORS=none` skips both.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

#[path = "support/choice.rs"]
mod choice;
#[path = "support/editors.rs"]
mod editors;
#[path = "support/terminal.rs"]
mod terminal;

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use editors::{entry, fixture, in_own_home, setup_of, skip};
use terminal::Terminal;

/// A sentence from the hover of crd-ls over `anyOf`.
const ANY_OF_DOC: &str = "Schemas of which the value must match at least one.";
const MUST_BE_EMPTY: &str = "must be empty to be structural";
const FIX_ALL: &str = "Apply all safe fixes in the file";

#[test]
fn helix() {
    let helix = match program("hx", "--version") {
        Ok(path) => path,
        Err(reason) => return skip("Helix", &reason),
    };
    let work = workspace(&[("helix/languages.toml", &setup_of("helix"))]);
    let helix = Terminal::start(&[&helix, "union.yaml"], work.path(), |command| {
        in_own_home(command, work.path());
    });
    let is_marked = |lines: &'static [&str]| move |screen: &[String]| marked_in_helix(screen) == lines;
    // Helix shows no related information, so findings with the same cause are not grouped.
    helix.until("the findings", is_marked(&["19", "22", "24", "26"]));
    helix.until_seen(MUST_BE_EMPTY);

    helix.press(&["/anyOf", "Enter", " k"]);
    helix.until_seen(ANY_OF_DOC);

    helix.press(&["Escape", "/type: string}", "Enter", " a"]);
    helix.until_seen("Move `type: string`");
    helix.press(&["Enter"]);
    helix.until("one finding", is_marked(&["19"]));

    // The picker of findings shows the source and the code.
    helix.press(&[" d"]);
    helix.until_seen("structural/type-required");
    helix.press(&["Escape", "gg", "/  spec", "Enter", " a"]);
    helix.until_seen(FIX_ALL);
    // Moving up from the first entry selects the last.
    helix.press(&["Up", "Enter"]);
    helix.until("no findings", is_marked(&[]));
    helix.press(&[":w", "Enter"]);
    helix.until("the file", |_| is_fixed(work.path()));

    helix.press(&[":open rules.yaml", "Enter", "/self.ports", "Enter", "cself."]);
    helix.until_seen("replicas field");
    helix.press(&["Tab", "Escape"]);
    helix.until_seen("- rule: self.mode.all(");
}

#[test]
fn helix_setup_of_the_readme_equals_the_file() {
    let parsed = |text: &str| -> toml::Table { text.parse().unwrap() };
    assert_eq!(parsed(&setup_of("helix")), parsed(&entry("helix/languages.toml")));
}

/// The lines with an error mark before their number.
fn marked_in_helix(screen: &[String]) -> Vec<&str> {
    let marked = screen.iter().filter_map(|line| line.strip_prefix('●'));
    marked.map(|line| line.split_whitespace().next().unwrap_or_default()).collect()
}

#[test]
fn kakoune() {
    let (kakoune, client) = match (program("kak", "-version"), program("kak-lsp", "--version")) {
        (Ok(kakoune), Ok(client)) => (kakoune, client),
        (Err(reason), _) | (_, Err(reason)) => return skip("Kakoune", &reason),
    };
    let setup = format!(
        "eval %sh{{ {client} --kakoune -s $kak_session }}\n{}\nhook global WinSetOption filetype=yaml lsp-enable-window\n",
        entry("kakoune/crd-ls.kak")
    );
    let work = workspace(&[("kak/kakrc", &setup)]);
    let kakoune = Terminal::start(&[&kakoune, "union.yaml"], work.path(), |command| {
        in_own_home(command, work.path()).env("XDG_RUNTIME_DIR", work.path());
    });
    let is_marked = |lines: &'static [&str]| move |screen: &[String]| marked_in_kakoune(screen) == lines;
    kakoune.press(&[":add-highlighter global/ number-lines", "Enter"]);
    kakoune.until("the findings", is_marked(&["19", "24"]));

    kakoune.press(&["/anyOf", "Enter", ":lsp-hover", "Enter"]);
    kakoune.until_seen(ANY_OF_DOC);

    kakoune.press(&["Escape", "/type: string\\}", "Enter"]);
    kakoune.press(&[":lsp-code-actions", "Enter"]);
    kakoune.until_seen("Move `type: string`");
    kakoune.press(&["Move", "Tab", "Enter"]);
    kakoune.until("one finding", is_marked(&["19"]));

    kakoune.press(&["gg/  spec", "Enter", ":lsp-code-actions", "Enter"]);
    kakoune.until_seen(FIX_ALL);
    kakoune.press(&["Apply", "Tab", "Enter"]);
    kakoune.until("no findings", is_marked(&[]));
    kakoune.press(&[":write", "Enter"]);
    kakoune.until("the file", |_| is_fixed(work.path()));

    kakoune.press(&[":edit rules.yaml", "Enter", "/self.ports", "Enter", "cself."]);
    kakoune.until_seen("replicas Field");
    kakoune.press(&["C-n", "Escape"]);
    kakoune.until_seen("- rule: self.mode.all(");
    // The LSP client ends with the session, not with the terminal.
    kakoune.press(&[":kill!", "Enter"]);
}

/// The lines with the flag of a finding before their number.
fn marked_in_kakoune(screen: &[String]) -> Vec<&str> {
    let marked = screen.iter().filter_map(|line| line.strip_prefix('*'));
    marked.map(|line| line.trim_start().split(['│', ' ']).next().unwrap_or_default()).collect()
}

fn is_fixed(work: &Path) -> bool {
    fs::read_to_string(work.join("union.yaml")).unwrap() == fixture("union.fixed.yaml")
}

/// A directory with the fixtures, and `configuration` in the user's configuration directory.
fn workspace(configuration: &[(&str, &str)]) -> TempDir {
    let work = TempDir::new().unwrap();
    for name in ["union.yaml", "rules.yaml"] {
        fs::write(work.path().join(name), fixture(name)).unwrap();
    }
    // Marks the root of a project for clients.
    fs::create_dir(work.path().join(".git")).unwrap();
    for (name, text) in configuration {
        let path = work.path().join("XDG_CONFIG_HOME").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    work
}

/// The program `name` in `PATH`, or the reason why it cannot be run.
fn program(name: &str, version: &str) -> Result<String, String> {
    choice::may_start()?;
    if let Some(reason) = terminal::is_missing() {
        return Err(reason);
    }
    match Command::new(name).arg(version).output() {
        Ok(output) if output.status.success() => Ok(name.to_owned()),
        Ok(output) => Err(format!("{name} cannot be run: {}", output.status)),
        Err(problem) => Err(format!("{name} cannot be run: {problem}")),
    }
}
