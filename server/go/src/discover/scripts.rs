//! The files of a project that may call controller-gen.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::makefile::{ExpandedScript, is_makefile, with_targets};
use super::script_words::{Dialect, Line, lines_of};
use super::{IGNORED, loops, programs, sources, text_of};
use crate::load::Disk;

/// The folder of mage's programs.
const MAGE: &str = "magefiles";

/// The folders of a project that contain scripts.
const SCRIPTS: [&str; 7] = [MAGE, "hack", "script", "scripts", "make", "build", "tools"];

/// The folders with further scripts in folders directly below them, and with Go programs that build the project.
const DEEP: [&str; 6] = [MAGE, "hack", "script", "scripts", "build", "tools"];

/// The files of a folder that may call controller-gen, each with the working directory of the call.
pub(super) fn scripts(disk: &dyn Disk, folder: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut found = Vec::new();
    let entries = disk.list(folder);
    for entry in entries.iter().filter(|entry| !entry.is_directory) {
        let name = entry.name.as_str();
        let is_script = matches!(
            name,
            "Makefile"
                | "makefile"
                | "GNUmakefile"
                | "Taskfile.yml"
                | "Taskfile.yaml"
                | "Taskfile.dist.yml"
                | "Taskfile.dist.yaml"
                | "taskfile.yml"
                | "taskfile.yaml"
                | "justfile"
                | "Justfile"
                | ".justfile"
                | "magefile.go"
        ) || name.ends_with(".mk")
            || name.ends_with(".sh");
        if is_script {
            found.push((folder.join(name), folder.to_owned()));
        }
    }
    for below in SCRIPTS {
        if entries.iter().any(|entry| entry.is_directory && entry.name == below) {
            let scripts = scripts_in(disk, &folder.join(below), DEEP.contains(&below));
            found.extend(scripts.into_iter().map(|file| (file, folder.to_owned())));
        }
    }
    found
}

/// The scripts in a folder. With `is_deep`, also the scripts directly below it and the Go programs in both.
fn scripts_in(disk: &dyn Disk, folder: &Path, is_deep: bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in disk.list(folder) {
        let path = folder.join(&entry.name);
        if !entry.is_directory {
            found.extend(is_script(&entry.name, is_deep).then_some(path));
        } else if is_deep && !IGNORED.contains(&&*entry.name) {
            let inner = disk.list(&path).into_iter();
            let scripts = inner.filter(|entry| !entry.is_directory && is_script(&entry.name, true));
            found.extend(scripts.map(|entry| path.join(entry.name)));
        }
    }
    found
}

/// Whether a file with this name is a script of the shell or of make, or, with `has_programs`, a Go program.
fn is_script(name: &str, has_programs: bool) -> bool {
    let is_program = name.ends_with(".go") && !name.ends_with("_test.go");
    name.ends_with(".sh") || name.ends_with(".mk") || has_programs && is_program
}

/// The scripts of projects, parsed once for each text. The packages of a project share them, as do clones.
#[derive(Clone, Debug, Default)]
pub struct Scripts {
    scripts: Arc<Mutex<HashMap<PathBuf, CachedScript>>>,
    hasher: RandomState,
}

/// A parsed script.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) file: PathBuf,
    /// The folder that it is called in.
    pub(super) folder: PathBuf,
    /// The lines that call controller-gen.
    pub(super) lines: Arc<[Line]>,
    /// The files that it includes.
    included: Arc<[PathBuf]>,
}

#[derive(Debug)]
struct CachedScript {
    /// The hash of the text.
    text: u64,
    script: Script,
}

impl Scripts {
    /// The scripts of a folder that call controller-gen. Includes of a Makefile are part of it.
    pub(super) fn scripts_of(&self, disk: &dyn Disk, folder: &Path) -> Vec<Script> {
        let found = scripts(disk, folder);
        let mut found: Vec<Script> =
            found.iter().filter_map(|(file, folder)| self.script(disk, file, folder)).collect();
        let included: Vec<PathBuf> =
            found.iter().flat_map(|script| script.included.iter().cloned()).collect();
        found.retain(|script| !included.contains(&script.file));
        found
    }

    fn script(&self, disk: &dyn Disk, file: &Path, folder: &Path) -> Option<Script> {
        let text = text_of(disk, file)?;
        let is_make = is_makefile(file);
        let expanded = match is_make {
            true => ExpandedScript::of(disk, file, folder, text),
            false => {
                ExpandedScript::without_includes(sources::with_sources(disk, folder, &text).into_owned())
            }
        };
        let text = &expanded.text;
        let is_program = file.extension().is_some_and(|extension| extension == "go");
        let names: &[&str] = match is_program {
            true => &["controller-gen", "ontrollerGen"],
            false => &["controller-gen", "CONTROLLER_GEN", "CONTROLLERGEN"],
        };
        if !names.iter().any(|name| text.contains(name)) {
            return None;
        }
        let included: Arc<[PathBuf]> = expanded.included().map(Path::to_owned).collect();
        let hash = self.hasher.hash_one((text, &included));
        if let Some(known) = self.lock_scripts().get(file).filter(|known| known.text == hash) {
            return Some(known.script.clone());
        }
        let dialect = if is_make { Dialect::Make } else { Dialect::Shell };
        let with_targets = if is_make { with_targets(text) } else { text.into() };
        let text = if is_program { programs::in_shell(text).into() } else { loops::in_shell(&with_targets) };
        let in_file = |line: Line| {
            let (included, number) = expanded.place(line.number);
            Line { number, included: included.map(Path::to_owned), ..line }
        };
        let lines = lines_of(&text, dialect).into_iter().map(in_file).collect();
        let script = Script { file: file.to_owned(), folder: folder.to_owned(), lines, included };
        self.lock_scripts().insert(file.to_owned(), CachedScript { text: hash, script: script.clone() });
        Some(script)
    }

    fn lock_scripts(&self) -> MutexGuard<'_, HashMap<PathBuf, CachedScript>> {
        self.scripts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::sync::Arc;

    use super::Scripts;
    use crate::load::FileSystem;

    #[test]
    fn a_script_is_read_again_after_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let (file, scripts, disk) =
            (folder.path().join("Makefile"), Scripts::default(), FileSystem::default());
        let lines = |text: &str| {
            fs::write(&file, text).unwrap();
            Some(scripts.clone().script(&disk, &file, folder.path())?.lines)
        };
        let call = "x:\n\tcontroller-gen crd paths=./v1\n";
        let first = lines(call).unwrap();
        assert!(Arc::ptr_eq(&first, &lines(call).unwrap()));
        let edited = lines(&call.replace("v1", "v2")).unwrap();
        assert_eq!(edited.last().unwrap().words.last().unwrap(), "paths=./v2");
        assert!(lines("x:\n\ttrue\n").is_none());
        fs::remove_file(&file).unwrap();
        assert!(scripts.script(&disk, &file, folder.path()).is_none());
    }
}
