//! The rehearsal: installs the program from files in each way that users have, into an empty place; then the program checks
//! a definition and answers an editor.

mod ci;
mod hooks;
mod installs;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;

use super::release::Release;
use super::{read_text, write};
use crate::client::Client;
use crate::place;

/// A definition with a mistake, and the code of its finding.
const FIXTURE: &str = "fixtures/first-light/widgets.yaml";
const CODE: &str = "structural/junctor-type";

/// The maximum time from an empty place to the first finding.
const GOAL: Duration = Duration::from_secs(10);

/// The release to rehearse, and the directories.
pub(super) struct Stage<'r> {
    pub(super) release: &'r Release,
    /// The output of the recipe.
    pub(super) out: PathBuf,
    /// A directory that is empty at first.
    pub(super) place: TempDir,
}

impl Stage<'_> {
    /// A new, empty directory.
    pub(super) fn empty(&self, name: &str) -> Result<PathBuf, String> {
        let directory = self.place.path().join(name);
        super::make(&directory)?;
        Ok(directory)
    }

    /// The only file in the output directory `folder` whose name starts with `begin` and ends with `end`.
    pub(super) fn built_file(&self, folder: &str, begin: &str, end: &str) -> Result<PathBuf, String> {
        let folder = self.out.join(folder);
        let is_it = |path: &&PathBuf| {
            path.to_string_lossy().starts_with(begin) && path.to_string_lossy().ends_with(end)
        };
        let files = super::files(&folder)?;
        let found: Vec<&PathBuf> = files.iter().filter(is_it).collect();
        match found[..] {
            [one] => Ok(folder.join(one)),
            _ => Err(format!("{} has {} files {begin}*{end}", folder.display(), found.len())),
        }
    }

    /// A directory with the incorrect definition as `crds/widgets.yaml`.
    pub(super) fn project(&self, name: &str) -> Result<PathBuf, String> {
        let project = self.empty(name)?;
        let fixture = read_text(&place::repository().join(FIXTURE))?;
        write(&project.join("crds/widgets.yaml"), fixture)?;
        Ok(project)
    }
}

/// The result of one way of installing.
pub(super) enum Outcome {
    /// Succeeded, with the time from an empty place to the first finding.
    Gone(Duration),
    /// Skipped, with the reason.
    Skipped(String),
}

type Installation = fn(&Stage<'_>) -> Result<Outcome, String>;

const INSTALLATIONS: [(&str, Installation); 8] = [
    ("archive, unpacked", installs::archive),
    ("completions and manual of the archive", installs::completions),
    ("wheel: pip install", installs::wheel),
    ("npm install", installs::npm),
    ("GitHub action", ci::action),
    ("GitLab template", ci::gitlab),
    ("make lint-crds", ci::make),
    ("pre-commit try-repo", hooks::try_repository),
];

/// Tries all ways; fails at the first that does not work.
pub(super) fn run(release: &Release, out: &Path) -> Result<(), String> {
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    let stage = Stage { release, out: out.to_owned(), place };
    let mut lines = Vec::new();
    for (name, install) in INSTALLATIONS {
        println!("rehearsed: {name}");
        lines.push(match install(&stage).map_err(|problem| format!("{name}: {problem}"))? {
            Outcome::Gone(time) if time > GOAL => format!("{name}: {}, longer than {GOAL:?}", seconds(time)),
            Outcome::Gone(time) => format!("{name}: {}", seconds(time)),
            Outcome::Skipped(reason) => format!("skipped: {name}, as {reason}"),
        });
    }
    println!("from nothing to the first finding:");
    lines.iter().for_each(|line| println!("  {line}"));
    Ok(())
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Checks that the program reports the mistake of the fixture, and that it answers an editor. Returns the
/// time from `begun` to the finding.
pub(super) fn try_program(program: &Path, begun: Instant) -> Result<Duration, String> {
    let fixture = place::repository().join(FIXTURE);
    let mut check = Command::new(program);
    check.args(["check", "--output", "concise"]).arg(&fixture);
    let found = output_with_status(&mut check, 1)?;
    let time = begun.elapsed();
    if !found.contains(CODE) {
        return Err(format!("{check:?} does not report {CODE}:\n{found}"));
    }
    let mut client = Client::start(Command::new(program).arg("server"))?;
    let (_, answer) =
        client.ask("initialize", json!({"processId": null, "rootUri": null, "capabilities": {}}))?;
    if answer.message["result"]["serverInfo"]["name"] != "crd-ls" {
        return Err(format!("{} answers to initialize: {}", program.display(), answer.message));
    }
    client.notify("initialized", json!({}))?;
    let status = client.leave()?;
    if status.success() { Ok(time) } else { Err(format!("{} server ends with {status}", program.display())) }
}

/// The stdout of a command that ends with this status.
pub(super) fn output_with_status(command: &mut Command, status: i32) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.code() == Some(status) {
        return Ok(stdout);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?} ends with {}, not with {status}:\n{stdout}{stderr}", output.status))
}

/// Whether a program is installed.
pub(super) fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// PATH with `directory` as its first entry.
pub(super) fn path_with(directory: &Path) -> Result<std::ffi::OsString, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(directory.to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(all).map_err(|error| error.to_string())
}
