//! The VS Code extension for each platform, which contains the program, and for browsers, which contains the module.

use std::path::Path;
use std::process::{Command, Stdio};

use super::programs::Program;
use super::release::Release;
use crate::place;

/// Writes `crd-ls-PLATFORM-VERSION.vsix` into `out` for each program, and for VS Code for the Web if `cargo xtask web` has
/// made the module. Without npm, prints that they are skipped.
pub(crate) fn pack(release: &Release, programs: &[Program], out: &Path) -> Result<(), String> {
    let version = Command::new(NPM).arg("--version").stdout(Stdio::null()).status();
    if !version.is_ok_and(|status| status.success()) {
        println!("skipped: the VS Code extension, as npm is not installed");
        return Ok(());
    }
    super::make(out)?;
    let extension = place::repository().join("vscode-extension");
    place::run(Command::new(NPM).args(["ci", "--ignore-scripts", "--silent"]).current_dir(&extension))?;
    let package = |platform: &str, server: &Path| {
        let file = out.join(format!("crd-ls-{platform}-{}.vsix", release.version));
        let mut npm = Command::new(NPM);
        npm.args(["run", "--silent", "package", "--", platform]).arg(server).arg(file);
        place::run(npm.current_dir(&extension))
    };
    for program in programs {
        package(program.target.vscode, &program.path)?;
    }
    let module = place::repository().join("web/package/crd-ls.wasm");
    if !module.exists() {
        println!("skipped: the extension for VS Code for the Web, as `cargo xtask web` was not run");
        return Ok(());
    }
    package("web", &module)
}

/// The name of npm's executable.
pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };
