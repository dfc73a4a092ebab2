//! The files of each package beside the program: completions, manual, licences, README.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::programs::Programs;
use crate::place;

/// Shells, and the paths of their completions in packages.
pub(crate) const COMPLETIONS: [(&str, &str); 4] = [
    ("bash", "completions/crd-ls.bash"),
    ("zsh", "completions/_crd-ls"),
    ("fish", "completions/crd-ls.fish"),
    ("powershell", "completions/_crd-ls.ps1"),
];

/// The path of the manual in packages.
pub(crate) const MANUAL: &str = "man/man1";

/// Files that are copied unchanged.
const COPIED: [&str; 4] = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "CHANGELOG.md"];

/// Writes all pages into `directory`, and returns it.
pub(crate) fn write(programs: &Programs, directory: &Path) -> Result<PathBuf, String> {
    let program = programs.runnable();
    let program =
        program.ok_or("no program runs on this machine, so that none can write completions and manual")?;
    for (shell, path) in COMPLETIONS {
        let text = place::stdout_of(Command::new(&program.path).args(["completions", shell]))?;
        super::write(&directory.join(path), text)?;
    }
    let manual = directory.join(MANUAL);
    super::make(&manual)?;
    place::stdout_of(Command::new(&program.path).arg("manual").arg(&manual))?;
    for name in COPIED {
        super::write(&directory.join(name), super::read(&place::repository().join(name))?)?;
    }
    Ok(directory.to_owned())
}
