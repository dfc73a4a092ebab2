//! Installations by users: archives, wheels, npm packages.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::{Outcome, Stage, is_installed, output_with_status, try_program};
use crate::dist::pages::{COMPLETIONS, MANUAL};
use crate::dist::vscode::NPM;
use crate::place;

/// Runs `tar -xzf`, then the program in the archive.
pub(super) fn archive(stage: &Stage<'_>) -> Result<Outcome, String> {
    let begun = Instant::now();
    let unpacked = unpack(stage, "archive")?;
    try_program(&unpacked.join("crd-ls"), begun).map(Outcome::Gone)
}

/// The archive for this machine, unpacked into a new directory.
pub(super) fn unpack(stage: &Stage<'_>, name: &str) -> Result<PathBuf, String> {
    let archive = stage.built_file("", "crd-ls-", ".tar.gz")?;
    let into = stage.empty(name)?;
    place::stdout_of(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&into))?;
    Ok(into)
}

/// Checks that shells complete a command, and that the manual has the pages.
pub(super) fn completions(stage: &Stage<'_>) -> Result<Outcome, String> {
    let begun = Instant::now();
    let unpacked = unpack(stage, "completions")?;
    for (shell, path) in COMPLETIONS {
        let path = unpacked.join(path);
        let Some(mut completing) = completing(shell, &path) else { continue };
        if !is_installed(if shell == "powershell" { "pwsh" } else { shell }) {
            println!("skipped: completions in {shell}, which is not installed");
            continue;
        }
        let completed = place::stdout_of(&mut completing)?;
        if !completed.split_whitespace().any(|word| word == "check") {
            return Err(format!("{shell} completes `crd-ls ch` as: {completed}"));
        }
    }
    let page = crate::dist::read_text(&unpacked.join(MANUAL).join("crd-ls-check.1"))?;
    if !page.contains(".SH NAME") {
        return Err(format!("the page crd-ls-check is none of `man`:\n{page}"));
    }
    Ok(Outcome::Gone(begun.elapsed()))
}

/// A shell that prints its completions of `crd-ls ch`.
fn completing(shell: &str, path: &Path) -> Option<Command> {
    let path = path.display();
    let (program, flag, script) = match shell {
        "bash" => (
            "bash",
            "-c",
            format!(
                "source '{path}'; COMP_WORDS=(crd-ls ch); COMP_CWORD=1; completer=$(complete -p crd-ls); \
                 completer=${{completer##*-F }}; ${{completer%% *}} crd-ls ch crd-ls; echo \"${{COMPREPLY[@]}}\""
            ),
        ),
        "fish" => ("fish", "-c", format!("source '{path}'; complete --do-complete 'crd-ls ch'")),
        // Its completion needs a terminal, so this checks only that the file can be parsed.
        "zsh" => ("zsh", "-c", format!("zsh -n '{path}' && echo check")),
        "powershell" => (
            "pwsh",
            "-Command",
            format!(". '{path}'; (TabExpansion2 'crd-ls ch' 9).CompletionMatches | % CompletionText"),
        ),
        _ => return None,
    };
    let mut command = Command::new(program);
    command.args([flag, &script]);
    Some(command)
}

/// Runs `pip install` of the file in a new virtual environment, without other sources.
pub(super) fn wheel(stage: &Stage<'_>) -> Result<Outcome, String> {
    if !is_installed(place::PYTHON) {
        return Ok(Outcome::Skipped("Python is not installed".to_owned()));
    }
    let begun = Instant::now();
    let environment = stage.empty("wheel")?;
    place::stdout_of(Command::new(place::PYTHON).args(["-m", "venv"]).arg(&environment))?;
    let programs = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let quietly = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"];
    let wheel = stage.built_file("wheels", "crd_ls-", ".whl")?;
    place::stdout_of(Command::new(programs.join("python")).args(quietly).arg(wheel))?;
    let time = try_program(&programs.join("crd-ls"), begun)?;
    let listed = place::stdout_of(
        Command::new(programs.join("python")).args(["-m", "pip", "show", "--files", "crd-ls"]),
    )?;
    if !listed.contains(&format!("Version: {}", stage.release.version)) || !listed.contains("crd-ls-check.1")
    {
        return Err(format!("pip lists:\n{listed}"));
    }
    Ok(Outcome::Gone(time))
}

/// Runs `npm install` of both files in a new directory, without other sources.
pub(super) fn npm(stage: &Stage<'_>) -> Result<Outcome, String> {
    if !is_installed(NPM) {
        return Ok(Outcome::Skipped("npm is not installed".to_owned()));
    }
    let begun = Instant::now();
    let prefix = stage.empty("npm")?;
    let main = stage.built_file("npm", &format!("crd-ls-{}", stage.release.version), ".tgz")?;
    let platform = stage.built_file("npm", &format!("crd-ls-{}-", npm_system()), ".tgz")?;
    let mut install = Command::new(NPM);
    install
        .args(["install", "--offline", "--no-audit", "--no-fund", "--no-update-notifier", "--prefix"])
        .arg(&prefix);
    place::stdout_of(install.args([&platform, &main]))?;
    let program = prefix.join("node_modules/.bin").join(if cfg!(windows) { "crd-ls.cmd" } else { "crd-ls" });
    let time = try_program(&program, begun)?;
    // The exit status of the program is that of the starter.
    output_with_status(Command::new(&program).args(["check", "no/such/file.yaml"]), 2)?;
    Ok(Outcome::Gone(time))
}

fn npm_system() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    }
}
