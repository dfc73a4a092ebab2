//! Real editors open a definition, show its findings, repair it from their menu of code actions and save it.
//!
//! Each runs with the set-up that `docs/editors.md` shows; the drivers in `tests/editors/` do what a person at the keyboard
//! does and record what the editor shows. An editor that is not installed is skipped with a message; `CRD_LS_EDITORS=none`
//! skips all of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

#[path = "support/beside_gopls.rs"]
mod beside_gopls;
#[path = "support/breaking.rs"]
mod breaking;
#[path = "support/choice.rs"]
mod choice;
#[path = "support/editors.rs"]
mod editors;
#[path = "support/go_module.rs"]
mod go_module;
#[path = "support/installed_editors.rs"]
mod installed_editors;
#[path = "support/offers.rs"]
mod offers;
#[path = "support/repository.rs"]
mod repository;
#[path = "support/steps.rs"]
mod steps;
#[path = "support/widgets.rs"]
mod widgets;
#[path = "support/widgets_in_go.rs"]
mod widgets_in_go;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use serde::Deserialize;
use tempfile::TempDir;

use editors::{REPOSITORY, entry, fixture, in_own_home, setup_of, skip};
use installed_editors::{EMACS_PACKAGES, emacs_with, neovim_from};

/// The maximum time of an editor for all steps; they take about a second.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// A sentence from the hover of crd-ls over `anyOf`.
const ANY_OF_DOC: &str = "Schemas of which the value must match at least one.";
const TYPE_REQUIRED: (&str, &str) = ("structural/type-required", "missing `type`; add `type: object`");
const JUNCTOR_TYPE: (&str, &str) = ("structural/junctor-type", "`type` is not allowed inside `anyOf`");

#[test]
fn neovim() {
    match neovim_from(|version| version >= (0, 11)) {
        Ok(nvim) => session("Neovim", |work| neovim_command(&nvim, work, &setup_of("neovim"))),
        Err(reason) => skip("Neovim 0.11", &reason),
    }
}

#[test]
fn neovim_with_the_file_for_nvim_lspconfig() {
    let files = Path::new(REPOSITORY).join("editors/neovim").canonicalize().unwrap();
    let setup = format!("vim.opt.runtimepath:prepend([[{}]])\nvim.lsp.enable('crd_ls')\n", files.display());
    match neovim_from(|version| version >= (0, 11)) {
        Ok(nvim) => session("Neovim", |work| neovim_command(&nvim, work, &setup)),
        Err(reason) => skip("Neovim 0.11 with editors/neovim", &reason),
    }
}

#[test]
fn neovim_in_a_rule() {
    match neovim_from(|version| version >= (0, 11)) {
        Ok(nvim) => in_a_rule(&nvim, "neovim"),
        Err(reason) => skip("Neovim 0.11 in a rule", &reason),
    }
    match neovim_from(|version| ((0, 7)..(0, 11)).contains(&version)) {
        Ok(nvim) => in_a_rule(&nvim, "older-neovim"),
        Err(reason) => skip("Neovim 0.7 to 0.10 in a rule", &reason),
    }
}

fn in_a_rule(nvim: &Path, setup: &str) {
    let work = TempDir::new().unwrap();
    fs::write(work.path().join("rules.yaml"), fixture("rules.yaml")).unwrap();
    fs::create_dir(work.path().join(".git")).unwrap();
    // The rule is cheap, so its cost would not be shown by default.
    fs::write(work.path().join(".crd-ls.toml"), "[inlayHints]\ncostFrom = 0\n").unwrap();
    let init = work.path().join("init.lua");
    fs::write(&init, setup_of(setup)).unwrap();
    let mut command = Command::new(nvim);
    command.args(["--headless", "-n", "-i", "NONE", "-u"]).arg(init);
    command.arg("-S").arg(driver("rules.lua")).arg("rules.yaml");
    run(in_own_home(&mut command, work.path()), work.path());
    let output = fs::read_to_string(work.path().join("output.txt")).unwrap_or_else(|error| error.to_string());
    let seen =
        fs::read_to_string(work.path().join("seen.json")).unwrap_or_else(|error| panic!("{error}: {output}"));
    let seen: RuleSeen = serde_json::from_str(&seen).unwrap();
    assert_eq!(seen.problem, "", "{output}");
    assert_eq!(seen.hint, "cost 51 → less than 0.1 % of the limit");
    assert!(seen.hover.starts_with("**`p.port`**: `int`"), "{}", seen.hover);
    assert_eq!(seen.renamed, ["- rule: self.ports.all(p, p.number > 1023)", "number: {type: integer}"]);
    assert_eq!((seen.marked.as_str(), seen.code.as_str()), ("self.mode == 1", "cel/rule-compile"));
    assert_eq!((seen.first.as_str(), seen.taken.as_str()), ("mode", "- rule: self.ports"));
}

/// The observations of the driver in a rule.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RuleSeen {
    problem: String,
    /// The hint beside the rule.
    hint: String,
    hover: String,
    /// The rule and the property after a rename.
    renamed: Vec<String>,
    /// The text at the finding, and its code.
    marked: String,
    code: String,
    /// The first completion, and the line after the second was accepted.
    first: String,
    taken: String,
}

/// Each fix and refactoring of `fixtures/fixes/titles.tsv`, by its title.
#[test]
fn neovim_applies_each_fix_by_its_title() {
    let nvim = match neovim_from(|version| version >= (0, 11)) {
        Ok(nvim) => nvim,
        Err(reason) => return skip("Neovim 0.11 with each fix", &reason),
    };
    let work = TempDir::new().unwrap();
    let steps = steps::write_steps(work.path(), offers::table());
    fs::write(work.path().join("init.lua"), setup_of("neovim")).unwrap();
    let mut command = Command::new(nvim);
    command.args(["--headless", "-n", "-i", "NONE", "-u", "init.lua", "-S"]).arg(driver("fixes.lua"));
    run(in_own_home(&mut command, work.path()), work.path());
    let output = fs::read_to_string(work.path().join("output.txt")).unwrap_or_else(|error| error.to_string());
    let seen =
        fs::read_to_string(work.path().join("seen.json")).unwrap_or_else(|error| panic!("{error}: {output}"));
    let problems: Vec<String> = serde_json::from_str(&seen).unwrap();
    assert_eq!(problems, [""; 0], "{output}");
    steps::assert_written("Neovim", work.path(), &steps);
}

#[test]
fn neovim_before_0_11() {
    match neovim_from(|version| ((0, 7)..(0, 11)).contains(&version)) {
        Ok(nvim) => session("older Neovim", |work| neovim_command(&nvim, work, &setup_of("older-neovim"))),
        Err(reason) => skip("Neovim 0.7 to 0.10", &reason),
    }
}

#[test]
fn emacs() {
    match emacs_with("eglot") {
        Ok(()) => session("Emacs", |work| emacs_command(work, &setup_of("emacs"), "eglot.el")),
        Err(reason) => skip("Emacs", &reason),
    }
}

#[test]
fn emacs_with_lsp_mode() {
    match emacs_with("lsp-mode") {
        // lsp-mode counts characters where the protocol counts UTF-16 units.
        Ok(()) => session_on(
            |text| text.replace('🪁', "é"),
            "Emacs with lsp-mode",
            |work| emacs_command(work, &entry("emacs/lsp-mode.el"), "lsp-mode.el"),
        ),
        Err(reason) => skip("Emacs with lsp-mode", &reason),
    }
}

/// The observations of a driver.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Transcript {
    /// The reason why it stopped; empty if every step succeeded.
    problem: String,
    /// The findings after opening the file.
    #[serde(default)]
    opened: Vec<EditorFinding>,
    /// The hover over `anyOf`.
    #[serde(default)]
    hover: String,
    /// The titles of the code actions that were applied.
    #[serde(default)]
    taken: Vec<String>,
    /// The findings after the first of them.
    #[serde(default)]
    hoisted: Vec<EditorFinding>,
    /// The completions on a new line of the root schema; empty if another test checks them.
    #[serde(default)]
    proposed: Vec<String>,
}

/// A finding as an editor shows it.
#[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(deny_unknown_fields)]
struct EditorFinding {
    /// The line, from 1.
    line: u32,
    /// The text in its range.
    marked: String,
    code: String,
    message: String,
    source: String,
}

#[test]
fn neovim_checks_resources_by_the_definition_as_it_is_edited() {
    let (nvim, setup) = match neovim_from(|version| version >= (0, 11)) {
        Ok(nvim) => (nvim, "neovim"),
        Err(_) => match neovim_from(|version| version >= (0, 7)) {
            Ok(nvim) => (nvim, "older-neovim"),
            Err(reason) => return skip("Neovim with resources", &reason),
        },
    };
    let work = TempDir::new().unwrap();
    fs::create_dir(work.path().join(".git")).unwrap();
    fs::write(work.path().join("crd.yaml"), widgets::definition("{type: integer}")).unwrap();
    fs::write(work.path().join("widget.yaml"), widgets::widget("x")).unwrap();
    fs::write(work.path().join("init.lua"), setup_of(setup)).unwrap();
    let mut command = Command::new(nvim);
    command.args(["--headless", "-n", "-i", "NONE", "-u", "init.lua"]);
    command.arg("-S").arg(driver("neovim_resources.lua")).arg("widget.yaml");
    let status = run(in_own_home(&mut command, work.path()), work.path());
    let read =
        |name: &str| fs::read_to_string(work.path().join(name)).unwrap_or_else(|error| error.to_string());
    let seen: serde_json::Value = serde_json::from_str(&read("seen.json")).unwrap();
    assert_eq!(seen["problem"], "", "{seen}\n{}", read("output.txt"));
    let message = "`size` cannot be a string; write an integer\nkube-apiserver: spec.size: Invalid value: \"string\": \
                   spec.size in body must be of type integer: \"string\"";
    assert_eq!(seen["opened"], serde_json::json!([message]));
    assert_eq!(seen["entered"], "  ");
    assert_eq!((&seen["hover"], &seen["completed"]), (&"**`spec.size`**: `integer`".into(), &"size".into()));
    assert!(status.is_some_and(|status| status.success()));
}

#[test]
fn neovim_shows_a_breaking_change_while_it_is_typed() {
    let (nvim, setup) = match neovim_from(|version| version >= (0, 11)) {
        Ok(nvim) => (nvim, "neovim"),
        Err(_) => match neovim_from(|version| version >= (0, 7)) {
            Ok(nvim) => (nvim, "older-neovim"),
            Err(reason) => return skip("Neovim with a breaking change", &reason),
        },
    };
    let work = TempDir::new().unwrap();
    breaking::write_repository(work.path());
    fs::write(work.path().join("init.lua"), setup_of(setup)).unwrap();
    let mut command = Command::new(nvim);
    command.args(["--headless", "-n", "-i", "NONE", "-u", "init.lua"]);
    command.arg("-S").arg(driver("breaking.lua")).arg(breaking::FILE);
    let status = run(in_own_home(&mut command, work.path()), work.path());
    let read =
        |name: &str| fs::read_to_string(work.path().join(name)).unwrap_or_else(|error| error.to_string());
    let seen: serde_json::Value = serde_json::from_str(&read("seen.json")).unwrap();
    assert_eq!(seen["problem"], "", "{seen}\n{}", read("output.txt"));
    let reported = seen["reported"].as_array().unwrap();
    assert_eq!(reported.len(), 1, "{seen}");
    assert_eq!(
        (&reported[0]["code"], &reported[0]["line"]),
        (&"compat/bound-tightened".into(), &breaking::LINE.into())
    );
    let hover = seen["hover"].as_str().unwrap();
    for word in [
        "`maximum` changed from 9 to 5",
        "Stored objects",
        "Clients that write",
        "Steps that avoid the breakage:",
    ] {
        assert!(hover.contains(word), "{word}: {hover}");
    }
    assert_eq!(seen["taken"].as_str().unwrap(), "Restore `maximum` from the main branch");
    assert_eq!(read(breaking::FILE), breaking::text());
    assert!(status.is_some_and(|status| status.success()));
}

/// Two servers on one buffer: no feature of either is lost, and nothing is reported by both.
#[test]
fn neovim_with_gopls() {
    let nvim = match neovim_from(|version| version >= (0, 11)) {
        Ok(nvim) => nvim,
        Err(reason) => return skip("gopls", &reason),
    };
    for (program, argument) in [("gopls", "version"), ("go", "version")] {
        if let Err(error) = Command::new(program).arg(argument).output() {
            return skip("gopls", &format!("{program} cannot be run: {error}"));
        }
    }
    let work = TempDir::new().unwrap();
    widgets_in_go::write_module(work.path());
    fs::write(work.path().join("init.lua"), setup_of("neovim") + beside_gopls::SETUP).unwrap();
    let mut command = Command::new(nvim);
    command.args(["--headless", "-n", "-i", "NONE", "-u", "init.lua"]);
    command.arg("-S").arg(driver("gopls.lua")).arg(widgets_in_go::FILE).envs(beside_gopls::OFFLINE);
    let status = run(in_own_home(&mut command, work.path()), work.path());
    let read =
        |name: &str| fs::read_to_string(work.path().join(name)).unwrap_or_else(|error| error.to_string());
    let seen: serde_json::Value = serde_json::from_str(&read("seen.json")).unwrap();
    assert_eq!(seen["problem"], "", "{seen}\n{}", read("output.txt"));
    assert_eq!(seen["refused"], serde_json::json!([]));

    let (ours, theirs, both) = (&["crd_ls"][..], &["gopls"][..], &["crd_ls", "gopls"][..]);
    for (asked, by) in [
        ("hover in Go", theirs),
        ("definition in Go", theirs),
        ("definition in a rule", ours),
        ("references", theirs),
        ("highlights", theirs),
        ("rename", theirs),
        ("outline", theirs),
        ("folds", theirs),
        ("selection", theirs),
        ("links", theirs),
        ("formatting", theirs),
        ("tokens", both),
        ("hints", both),
    ] {
        assert_eq!(seen["asked"][asked], serde_json::json!(by), "{asked}");
    }
    let text = |name: &str| seen[name].as_str().unwrap_or_default();
    assert!(text("hover_on_marker").contains("Sets `maximum`"), "{seen}");
    for word in ["Generated at `spec.size`", "field Size int32"] {
        assert!(text("hover_on_field").contains(word), "{word}: {seen}");
    }
    assert_eq!(
        (&seen["completed_in_marker"], &seen["completed_in_go"]),
        (
            &serde_json::json!({"crd_ls": "+kubebuilder:validation:MaxItems", "gopls": 0}),
            &serde_json::json!({"crd_ls": 0, "gopls": true}),
        )
    );
    assert_eq!(seen["ours"], serde_json::json!(["Change ` omitempty` to `omitempty`"]));
    assert!(seen["theirs"].as_array().is_some_and(|titles| !titles.is_empty()), "{seen}");

    let found = seen["findings"].as_object().unwrap();
    let of_us =
        [("a misspelt marker", "go/marker-unknown"), ("a misspelt field of a rule", "cel/rule-compile")];
    assert!(found.len() > of_us.len(), "{seen}");
    for (edit, found) in found {
        match of_us.iter().find(|(of, _)| of == edit) {
            Some((_, code)) => {
                assert_eq!(*found, serde_json::json!({"gopls": 0, "crd_ls": [code]}), "{edit}")
            }
            None => {
                assert!(found["gopls"] != 0 && found["crd_ls"] == serde_json::json!([]), "{edit}: {found}")
            }
        }
    }
    let renamed =
        widgets_in_go::TYPES.replace("Size in", "Length in").replace("\tSize int32", "\tLength int32");
    assert_eq!(text("written"), renamed.replace("spec.Size", "spec.Length"));
    assert!(status.is_some_and(|status| status.success()));
}

/// Lets an editor repair `union.yaml` and compares what it showed and wrote.
fn session(editor: &str, command: impl FnOnce(&Path) -> Command) {
    session_on(str::to_owned, editor, command);
}

/// The same, with `text` applied to the fixture.
fn session_on(text: impl Fn(&str) -> String, editor: &str, command: impl FnOnce(&Path) -> Command) {
    let work = TempDir::new().unwrap();
    let file = work.path().join("union.yaml");
    fs::write(&file, text(&fixture("union.yaml"))).unwrap();
    // Marks the root of a project for clients.
    fs::create_dir(work.path().join(".git")).unwrap();

    let mut command = command(work.path());
    let status = run(in_own_home(&mut command, work.path()), work.path());
    let output = fs::read_to_string(work.path().join("output.txt")).unwrap_or_else(|error| error.to_string());
    let seen = fs::read_to_string(work.path().join("seen.json"))
        .unwrap_or_else(|error| panic!("{editor} left no transcript ({error}, {status:?}):\n{output}"));
    let mut seen: Transcript = serde_json::from_str(&seen).unwrap();
    assert_eq!(seen.problem, "", "{editor}: {seen:#?}\n{output}");
    assert!(status.is_some_and(|status| status.success()), "{editor} ended with {status:?}:\n{output}");

    seen.opened.sort();
    let all = [
        (19, "spec", TYPE_REQUIRED),
        (22, "size", TYPE_REQUIRED),
        (24, "type", JUNCTOR_TYPE),
        (26, "type", JUNCTOR_TYPE),
    ];
    // Findings with the same cause are grouped if the editor shows related information; eglot does not.
    let expected = if editor == "Emacs" { &all[..] } else { &[all[0], all[2]] };
    assert_seen(&seen.opened, expected);
    assert!(seen.hover.contains("anyOf") && seen.hover.contains(ANY_OF_DOC), "{editor}: {:?}", seen.hover);
    assert!(seen.taken.iter().any(|title| title.starts_with("Move `type")), "{editor}: {:?}", seen.taken);
    assert_seen(&seen.hoisted, &[(19, "spec", TYPE_REQUIRED)]);

    if editor == "Emacs" {
        assert!(seen.proposed.iter().any(|label| label == "x-kubernetes-validations"), "{:?}", seen.proposed);
    }

    let written = fs::read_to_string(&file).unwrap();
    assert_eq!(written, text(&fixture("union.fixed.yaml")), "{editor} wrote another text");
}

/// Compares lines, marked texts, codes and messages; a message must begin with the expected words.
fn assert_seen(seen: &[EditorFinding], expected: &[(u32, &str, (&str, &str))]) {
    let same = seen.len() == expected.len()
        && seen.iter().zip(expected).all(|(seen, &(line, marked, (code, message)))| {
            (seen.line, seen.marked.as_str(), seen.code.as_str(), seen.source.as_str())
                == (line, marked, code, "crd-ls")
                && seen.message.starts_with(message)
        });
    assert!(same, "seen {seen:#?}\nexpected {expected:#?}");
}

fn neovim_command(nvim: &Path, work: &Path, setup: &str) -> Command {
    let init = work.join("init.lua");
    fs::write(&init, setup).unwrap();
    let mut command = Command::new(nvim);
    command.args(["--headless", "-n", "-i", "NONE", "-u"]).arg(init);
    command.arg("-S").arg(driver("neovim.lua")).arg("union.yaml");
    command
}

fn emacs_command(work: &Path, setup: &str, driver_name: &str) -> Command {
    let init = work.join("init.el");
    fs::write(&init, setup).unwrap();
    let mut command = Command::new("emacs");
    // Not -Q, which would hide packages of the distribution.
    command.args(["-q", "--batch", "--eval", EMACS_PACKAGES, "-l"]).arg(init);
    command.arg("-l").arg(driver(driver_name)).arg("union.yaml");
    command
}

/// Runs to the end, or to the time limit (`None`); the output goes to `output.txt`.
fn run(command: &mut Command, work: &Path) -> Option<ExitStatus> {
    let output = File::create(work.join("output.txt")).unwrap();
    command.current_dir(work).stdin(std::process::Stdio::null());
    command.stdout(output.try_clone().unwrap()).stderr(output);
    let mut child = command.spawn().unwrap();
    let start = Instant::now();
    while start.elapsed() < TIME_LIMIT {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

fn driver(name: &str) -> PathBuf {
    // Absolute: the editor runs in another directory.
    Path::new(REPOSITORY).join("tests/editors").join(name).canonicalize().unwrap()
}
