//! The VS Code extension for each platform, with the program inside.

use std::path::Path;
use std::process::{Command, Stdio};

use super::programs::Program;
use super::release::Release;
use crate::place;

/// Writes `crd-ls-PLATFORM-VERSION.vsix` for each program into `out`; without npm, only says so.
pub(crate) fn pack(release: &Release, programs: &[Program], out: &Path) -> Result<(), String> {
    let version = Command::new(NPM).arg("--version").stdout(Stdio::null()).status();
    if !version.is_ok_and(|status| status.success()) {
        println!("skipped: the VS Code extension, as npm is not installed");
        return Ok(());
    }
    super::make(out)?;
    let extension = place::repository().join("vscode-extension");
    place::run(Command::new(NPM).args(["ci", "--ignore-scripts", "--silent"]).current_dir(&extension))?;
    for program in programs {
        let platform = program.target.vscode;
        let file = out.join(format!("crd-ls-{platform}-{}.vsix", release.version));
        let mut npm = Command::new(NPM);
        npm.args(["run", "--silent", "package", "--", platform]).arg(&program.path).arg(file);
        place::run(npm.current_dir(&extension))?;
    }
    Ok(())
}

/// How npm is called.
pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };
