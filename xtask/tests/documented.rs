//! Checks the descriptions of `cargo xtask` and the paths in documents, and the pinned versions in workflows.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn text(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap()
}

fn help(arguments: &[&str]) -> Option<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).arg("--help").output().unwrap();
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
}

/// The subcommands in the help, except `help` itself.
fn commands() -> BTreeSet<String> {
    let help = help(&[]).unwrap();
    let list = help.split_once("Commands:\n").unwrap().1;
    // Continuation lines are indented further.
    let lines = list.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.strip_prefix("  "));
    let names = lines.map(|line| line.split(' ').next().unwrap_or_default()).filter(|name| !name.is_empty());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The words after `cargo xtask` in a text.
fn documented_commands(text: &str) -> BTreeSet<String> {
    let following = text.split("cargo xtask ").skip(1);
    let word = |rest: &str| {
        rest.split(|letter: char| !letter.is_ascii_lowercase() && letter != '-').next().map(str::to_owned)
    };
    following.filter_map(word).filter(|word| !word.is_empty()).collect()
}

#[test]
fn each_command_is_described_and_each_described_command_exists() {
    let commands = commands();
    assert!(commands.len() >= 6, "{commands:?}");
    assert_eq!(documented_commands(&text("CONTRIBUTING.md")), commands);
    for page in ["README.md", "docs/testing.md", "docs/new-release.md", ".github/PULL_REQUEST_TEMPLATE.md"] {
        let unknown: Vec<_> = documented_commands(&text(page)).difference(&commands).cloned().collect();
        assert!(unknown.is_empty(), "{page}: {unknown:?}");
    }
    for command in &commands {
        let help = help(&[command]).unwrap();
        assert!(help.contains(&format!("Usage: cargo xtask {command}")), "{help}");
    }
    assert_eq!(help(&["no-such-command"]), None);
}

#[test]
fn workflows_agree_on_toolchain_and_actions() {
    let mut pins: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for workflow in [".github/workflows/ci.yml", ".github/workflows/release.yml"] {
        let text = text(workflow);
        let toolchain = text.lines().find_map(|line| line.trim().strip_prefix("RUSTUP_TOOLCHAIN: ")).unwrap();
        pins.entry("Rust".to_owned()).or_default().insert(toolchain.to_owned());
        let used =
            text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("uses: "));
        for (action, pin) in used.filter_map(|action| action.split_once('@')) {
            let commit = pin.split(' ').next().unwrap();
            assert!(commit.len() == 40, "{workflow}: {action} is not pinned to a commit");
            pins.entry(action.to_owned()).or_default().insert(pin.to_owned());
        }
    }
    assert!(pins.len() > 4, "{pins:?}");
    for (what, pins) in pins {
        assert!(pins.len() == 1, "{what}: {pins:?}");
    }
}

#[test]
fn ci_builds_with_the_oldest_supported_toolchain() {
    let minor =
        |version: &str| version.split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok()).unwrap();
    let value = |text: &str, key: &str| {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(key).map(str::to_owned)).unwrap();
        line.trim_matches(['"', ' ', '=', ':']).to_owned()
    };
    let oldest = value(&text("Cargo.toml"), "rust-version");
    let pinned = value(&text(".github/workflows/ci.yml"), "RUSTUP_TOOLCHAIN");
    assert_eq!(minor(&pinned), minor(&oldest), "{pinned} {oldest}");
    assert!(text("README.md").contains(&format!("Rust {oldest} or newer")), "{oldest}");
}

#[test]
fn paths_in_documents_for_contributors_exist() {
    let folders =
        ["benches", "docs", "editors", "fixtures", "fuzz", "packaging", "server", "tests", "web", "xtask"];
    let is_path = |code: &&str| {
        let is_of_repository = code.split_once('/').is_some_and(|(folder, _)| folders.contains(&folder));
        // Capital letters are placeholders.
        is_of_repository
            && code.chars().all(|char| matches!(char, 'a'..='z' | '0'..='9' | '/' | '.' | '_' | '-'))
    };
    let mut missing = Vec::new();
    let mut count = 0;
    for page in ["CONTRIBUTING.md", "docs/architecture.md", "docs/performance.md", "docs/testing.md"] {
        for line in text(page).lines() {
            for path in line.split('`').skip(1).step_by(2).filter(is_path) {
                count += 1;
                if !repository().join(path).exists() {
                    missing.push(format!("{page}: {path}"));
                }
            }
        }
    }
    assert!(count > 150, "only {count} paths");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
