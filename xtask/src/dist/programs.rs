//! The program for each platform: built here, built elsewhere, or skipped with the reason.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::targets::{Linker, TARGETS, Target};
use crate::place;

/// Both are pinned, because the release workflow runs them, too.
const TOOLS: [&str; 2] = ["ziglang==0.17.0", "cargo-zigbuild==0.24.0"];

/// A program that was built.
pub(crate) struct Program {
    pub(crate) target: &'static Target,
    pub(crate) path: PathBuf,
}

/// The available programs, and the reasons why others are missing.
pub(crate) struct Programs {
    pub(crate) built: Vec<Program>,
    missing: Vec<(&'static Target, String)>,
}

impl Programs {
    /// The programs in `directory/TRIPLE`.
    pub(crate) fn built_elsewhere(directory: &Path) -> Result<Self, String> {
        let directory =
            std::path::absolute(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
        let mut programs = Self { built: Vec::new(), missing: Vec::new() };
        for target in &TARGETS {
            let path = directory.join(target.triple).join(target.program());
            if path.is_file() {
                programs.built.push(Program { target, path });
            } else {
                programs.missing.push((target, format!("there is no {}", path.display())));
            }
        }
        Ok(programs)
    }

    /// The program that `cargo xtask counts` uses as well: separate builds would differ in the features of
    /// dependencies.
    pub(crate) fn of_this_machine() -> Result<Self, String> {
        let release = place::release_programs()?;
        let mut programs = Self { built: Vec::new(), missing: Vec::new() };
        for target in &TARGETS {
            if target.is_this_machine() {
                programs.built.push(Program { target, path: release.join(target.program()) });
            } else {
                programs.missing.push((target, "a rehearsal is of this machine's platform alone".to_owned()));
            }
        }
        Ok(programs)
    }

    /// Builds for the named platforms, or for all that this machine can build for.
    pub(crate) fn build(named: &[String]) -> Result<Self, String> {
        if let Some(unknown) = named.iter().find(|name| TARGETS.iter().all(|target| target.triple != **name))
        {
            let known = TARGETS.map(|target| target.triple).join(", ");
            return Err(format!("{unknown} is not a platform of releases, which are {known}"));
        }
        let mut programs = Self { built: Vec::new(), missing: Vec::new() };
        for target in &TARGETS {
            if !named.is_empty() && !named.iter().any(|name| name == target.triple) {
                programs.missing.push((target, "not asked for".to_owned()));
            } else if let Some(reason) = obstacle(target)? {
                if !named.is_empty() {
                    return Err(format!("{} cannot be built here: {reason}", target.triple));
                }
                programs.missing.push((target, format!("left to the workflow, as {reason}")));
            } else {
                programs.built.push(Program { target, path: build(target)? });
            }
        }
        Ok(programs)
    }

    pub(crate) fn print(&self) {
        for Program { target, path } in &self.built {
            println!("{}: {}", target.triple, path.display());
        }
        for (target, reason) in &self.missing {
            println!("{}: {reason}", target.triple);
        }
    }

    pub(crate) fn refuse_gaps(&self) -> Result<(), String> {
        match self.missing.first() {
            None => Ok(()),
            Some((target, reason)) => {
                Err(format!("a release needs all platforms; {}: {reason}", target.triple))
            }
        }
    }

    /// A program that runs here.
    pub(crate) fn runnable(&self) -> Option<&Program> {
        self.built.iter().find(|program| program.target.is_this_machine())
    }

    pub(crate) fn copy_to(&self, directory: &Path) -> Result<(), String> {
        for Program { target, path } in &self.built {
            let folder = directory.join(target.triple);
            super::make(&folder)?;
            fs::copy(path, folder.join(target.program()))
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }
}

/// Why this machine cannot build for `target`.
fn obstacle(target: &Target) -> Result<Option<String>, String> {
    if let Linker::Native { system } = target.linking
        && system != std::env::consts::OS
    {
        return Ok(Some(format!("its libraries are on {system} alone")));
    }
    let sysroot = place::stdout_of(Command::new("rustc").args(["--print", "sysroot"]))?;
    let library = Path::new(sysroot.trim()).join("lib/rustlib").join(target.triple).join("lib");
    let reason =
        || format!("Rust's standard library for it is not installed (`rustup target add {}`)", target.triple);
    Ok((!library.is_dir()).then(reason))
}

/// The profile of released programs. It minimizes their size and takes longer to build.
const PROFILE: &str = "dist";

/// Builds the program and returns its path.
fn build(target: &Target) -> Result<PathBuf, String> {
    let release = ["--profile", PROFILE, "--locked", "--package", "crd-ls", "--target"];
    match target.linking {
        Linker::Native { .. } => place::run(place::cargo(&["build"]).args(release).arg(target.triple))?,
        Linker::Glibc(version) => zigbuild(&release, &format!("{}.{version}", target.triple))?,
        Linker::Musl => zigbuild(&release, target.triple)?,
    }
    Ok(place::target_directory()?.join(target.triple).join(PROFILE).join(target.program()))
}

fn zigbuild(arguments: &[&str], target: &str) -> Result<(), String> {
    let tools = place::python_tools("zig", &TOOLS)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(tools).chain(std::env::split_paths(&path)));
    let path = path.map_err(|error| error.to_string())?;
    place::run(place::cargo(&["zigbuild"]).args(arguments).arg(target).env("PATH", path))
}
