//! The editors of this machine, by version and by package.

use std::path::PathBuf;
use std::process::Command;

use crate::choice;

/// Activates packages, which Emacs does not do in batch mode before it reads an init file.
pub(crate) const EMACS_PACKAGES: &str = "(package-initialize)";

/// The first Neovim in `PATH` whose version is `wanted`, or the reason why there is none.
pub(crate) fn neovim_from(wanted: impl Fn((u32, u32)) -> bool) -> Result<PathBuf, String> {
    choice::may_start()?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join("nvim")).filter(|nvim| nvim.is_file());
    let mut reasons = Vec::new();
    for nvim in found {
        match neovim_of_version(nvim, &wanted) {
            Ok(nvim) => return Ok(nvim),
            Err(reason) => reasons.push(reason),
        }
    }
    Err(if reasons.is_empty() { "there is no nvim in PATH".to_owned() } else { reasons.join(", ") })
}

fn neovim_of_version(nvim: PathBuf, wanted: impl Fn((u32, u32)) -> bool) -> Result<PathBuf, String> {
    let output = Command::new(&nvim)
        .arg("--version")
        .output()
        .map_err(|error| format!("{} cannot be run: {error}", nvim.display()))?;
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let version =
        neovim_version(&output).ok_or_else(|| format!("{} prints no version: {output:?}", nvim.display()))?;
    if wanted(version) {
        return Ok(nvim);
    }
    Err(format!("{} has version {}.{}", nvim.display(), version.0, version.1))
}

/// The major and minor number in `NVIM v0.11.4 …`.
fn neovim_version(output: &str) -> Option<(u32, u32)> {
    let mut numbers = output.strip_prefix("NVIM v")?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Checks that there is an Emacs with the LSP client `package`. The error is the reason why there is none.
pub(crate) fn emacs_with(package: &str) -> Result<(), String> {
    choice::may_start()?;
    let output = Command::new("emacs")
        .args(["-q", "--batch", "--eval", EMACS_PACKAGES, "-l", package, "-l", "yaml-mode"])
        .output()
        .map_err(|error| format!("emacs cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    Err(format!("{package} and yaml-mode cannot be loaded: {}", message.lines().last().unwrap_or_default()))
}
