//! The places of files, and helpers to run other programs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of Python's executable.
pub(crate) const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// The root of the checkout.
pub(crate) fn repository() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// `../shared/NAME` beside the checkout. If it is missing, prints the consequence `without` it and returns `None`.
pub(crate) fn shared(name: &str, without: &str) -> Option<PathBuf> {
    let path = repository().join("../shared").join(name);
    if path.exists() {
        return Some(path);
    }
    println!("{without}, because there is no ../shared/{name} beside the checkout");
    None
}

/// Cargo at the root of the checkout.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(arguments).current_dir(repository());
    command
}

/// Builds the release program and returns its path.
pub(crate) fn release_program() -> Result<PathBuf, String> {
    run(&mut cargo(&["build", "--release", "--locked", "--package", "crd-ls"]))?;
    Ok(target_directory()?.join("release").join(format!("crd-ls{}", std::env::consts::EXE_SUFFIX)))
}

/// Builds the release programs that counting runs and returns their directory. They are built together, so that
/// their dependencies have the same features.
pub(crate) fn release_programs() -> Result<PathBuf, String> {
    let packages = ["--package", "crd-ls", "--package", "crd-ls-counts"];
    run(cargo(&["build", "--release", "--locked"]).args(packages))?;
    Ok(target_directory()?.join("release"))
}

/// The directory of the programs of packages from PyPI. Installs them below the target directory if necessary.
pub(crate) fn python_tools(name: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let venv = target_directory()?.join(name);
    let programs = venv.join(if cfg!(windows) { "Scripts" } else { "bin" });
    if !programs.is_dir() {
        run(Command::new(PYTHON).args(["-m", "venv"]).arg(&venv))?;
    }
    let quietly = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    run(Command::new(programs.join("python")).args(quietly).args(packages))?;
    Ok(programs)
}

/// Cargo's target directory.
pub(crate) fn target_directory() -> Result<PathBuf, String> {
    // Cargo has built this program into PROFILE of the same target directory.
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = own.parent().and_then(Path::parent).ok_or("the target directory is not known")?;
    Ok(target.to_owned())
}

/// Prints the command and runs it. Fails if the command fails.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    println!("$ {line}");
    let status = command.status().map_err(|error| format!("`{line}` cannot be run: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{line}` failed: {status}")) }
}

/// The stdout of a program that succeeds.
pub(crate) fn stdout_of(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{command:?}: {error}"))
}
