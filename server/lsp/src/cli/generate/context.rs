//! The inputs of all runs of `crd-ls generate`.

use std::path::{Path, PathBuf};

use go::discover::{Call, CallPlace};
use go::load::{Context, Environment, ModuleLocation, RootsError, is_file_pattern};

use crate::args::GenerateArgs;
use crate::cli::destination::relative;
use crate::config::Projects;
use crate::golang::GuardedDisk;
use crate::paths::absolute;

/// The arguments, and the files and directories that they refer to.
#[derive(Clone, Copy)]
pub(super) struct GenerateContext<'a> {
    pub(super) args: &'a GenerateArgs,
    /// The current directory.
    pub(super) cwd: &'a Path,
    pub(super) disk: &'a GuardedDisk,
    pub(super) environment: &'a Environment,
    pub(super) projects: &'a Projects,
}

impl GenerateContext<'_> {
    /// A path for messages.
    pub(super) fn shown(&self, path: &Path) -> String {
        relative(path, self.cwd).display().to_string()
    }

    /// The place of a call for messages.
    pub(super) fn place_of(&self, call: &Call) -> String {
        let file = self.shown(&call.file);
        match call.place {
            CallPlace::Line(line) => format!("{file}:{line}"),
            CallPlace::Setting(_) | CallPlace::Definitions => file,
        }
    }
}

/// The folder at which a pattern begins; the current one if there is none.
pub(super) fn folder_of(
    pattern: &str,
    cwd: &Path,
    disk: &GuardedDisk,
    environment: &Environment,
) -> Result<PathBuf, String> {
    let begins = pattern.strip_suffix("...").unwrap_or(pattern);
    let folder = absolute(&cwd.join(begins));
    if folder.is_dir() {
        return Ok(folder);
    }
    if is_file_pattern(pattern) {
        return Err(RootsError::NoFolder(relative(&folder, cwd)).to_string());
    }
    let found = Context::of(cwd, disk, environment)
        .map(|mut context| context.find(begins.trim_end_matches('/'), false, disk, environment));
    Ok(match found {
        Some(ModuleLocation::Folder(folder)) => folder,
        _ => cwd.to_owned(),
    })
}
