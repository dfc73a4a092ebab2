//! Finds how a project calls controller-gen: in `go:generate` lines, Makefiles, scripts, task files and Go build programs.
//!
//! Nothing is executed. Words that are known only at run time are skipped.

mod arrays;
mod committed;
mod expansion;
mod functions;
mod globs;
mod later_commands;
mod loops;
mod makefile;
mod places;
mod programs;
mod redirected;
mod removals;
mod script_words;
mod scripts;
mod sources;
mod steps;
mod templates;
mod variables;
mod version;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

pub use committed::{committed, definitions, files_in};
use places::Places;
pub use redirected::OutputFilter;
use removals::{RemovedPath, placed};
use script_words::{CallWords, Line, UNKNOWN, lines};
pub use scripts::Scripts;
use scripts::{Script, scripts};
pub use version::{FoundVersion, version};

use crate::generate::ANNOTATION;
use crate::invocation::{Invocation, Target};
use crate::load::{Context, Disk, Environment, ModFile, clean, is_file_pattern, may_contain};
use crate::version::Version;

/// A call in a project.
#[derive(Clone, Debug)]
pub struct Call {
    /// The arguments of the call.
    pub invocation: Invocation,
    /// The working directory of the call.
    pub folder: PathBuf,
    /// The file that contains the call.
    pub file: PathBuf,
    /// The place in the file.
    pub place: CallPlace,
    /// The file to which the shell writes the output.
    pub redirected: Option<RedirectedTo>,
    /// The paths that later commands remove.
    pub removed: Vec<PathBuf>,
    /// Whether the output directory is known only when the call runs, so that the default is a guess.
    pub is_directory_unknown: bool,
}

/// The file to which the shell writes the output of a call.
#[derive(Clone, Debug)]
pub struct RedirectedTo {
    /// The file.
    pub file: PathBuf,
    /// The programs that read the output before.
    pub passed: OutputFilter,
}

/// The place of a call in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallPlace {
    /// In a line, from 1.
    Line(usize),
    /// In a list of settings: the index, from 0.
    Setting(usize),
    /// Nowhere: derived from a definition in the file.
    Definitions,
}

impl Call {
    /// A call that no command follows.
    #[must_use]
    pub fn known(invocation: Invocation, folder: PathBuf, (file, place): (PathBuf, CallPlace)) -> Self {
        Self {
            invocation,
            folder,
            file,
            place,
            redirected: None,
            removed: Vec::new(),
            is_directory_unknown: false,
        }
    }

    /// Whether one of its patterns matches a folder, or the import path of its package.
    #[must_use]
    pub fn covers(&self, folder: &Path, disk: &dyn Disk) -> bool {
        let mut patterns = self.invocation.paths.iter();
        patterns.any(|pattern| match (pattern.strip_suffix("..."), is_file_pattern(pattern)) {
            (Some(above), true) => folder.starts_with(clean(&self.folder.join(above))),
            (None, true) => clean(&self.folder.join(pattern)) == folder,
            (above, false) => import_path(folder, disk).is_some_and(|import| match above {
                Some(above) => may_contain(above.trim_end_matches('/'), &import),
                None => import == *pattern,
            }),
        })
    }

    /// Whether one of its patterns matches everything below a folder.
    #[must_use]
    pub fn covers_all(&self, folder: &Path, disk: &dyn Disk) -> bool {
        let trees = self.invocation.paths.iter().filter(|pattern| pattern.ends_with("..."));
        let invocation = Invocation { paths: trees.cloned().collect(), ..self.invocation.clone() };
        Self { invocation, ..self.clone() }.covers(folder, disk)
    }

    /// Whether all its patterns match only folders below a folder, or packages in it.
    #[must_use]
    pub fn is_below(&self, folder: &Path, disk: &dyn Disk) -> bool {
        let patterns = &self.invocation.paths;
        let is_below = |pattern: &String| {
            let begins = pattern.trim_end_matches("...");
            if is_file_pattern(pattern) {
                return clean(&self.folder.join(begins)).starts_with(folder);
            }
            import_path(folder, disk).is_some_and(|import| may_contain(&import, begins.trim_end_matches('/')))
        };
        !patterns.is_empty() && patterns.iter().all(is_below)
    }

    /// Whether all folders that its patterns name exist.
    fn has_folders(&self, disk: &dyn Disk) -> bool {
        let mut named = self.invocation.paths.iter().filter(|pattern| is_file_pattern(pattern));
        named.all(|pattern| disk.is_directory(&clean(&self.folder.join(pattern.trim_end_matches("...")))))
    }

    /// The same call from another folder, if only that one has the folders that its patterns name.
    fn with_existing_folders(self, disk: &dyn Disk, folder: &Path) -> Self {
        if self.has_folders(disk) {
            return self;
        }
        let moved = Self { folder: folder.to_owned(), ..self.clone() };
        if moved.has_folders(disk) { moved } else { self }
    }

    /// The folder to which definitions are written.
    #[must_use]
    pub fn target(&self) -> Option<PathBuf> {
        match &self.invocation.target {
            Target::Folder(folder) => Some(clean(&self.folder.join(folder))),
            Target::Stdout | Target::Nowhere => None,
        }
    }

    /// The folder of the files that have the definitions: those that the call writes, or the one to which its output is
    /// redirected.
    #[must_use]
    pub fn written_folder(&self) -> Option<PathBuf> {
        let file = self.redirected.as_ref().map(|to| to.file.as_path());
        self.target().or_else(|| file.and_then(Path::parent).map(Path::to_owned))
    }
}

fn import_path(folder: &Path, disk: &dyn Disk) -> Option<String> {
    Context::of(folder, disk, &Environment::default())?.import_path(folder)
}

/// The maximum number of parent folders to search.
const MAX_FOLDERS: usize = 32;

/// The maximum size of a file to search, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// Folders that Go does not treat as packages of a module, and folders without sources.
const IGNORED: [&str; 3] = ["vendor", "testdata", "node_modules"];

/// The other modules that the `go.work` above a folder lists.
fn other_modules(disk: &dyn Disk, folder: &Path, top: &Path) -> Vec<PathBuf> {
    let above = folder.ancestors().take(MAX_FOLDERS).take_while(|above| above.starts_with(top));
    let work = above.filter_map(|above| Some((above, text_of(disk, &above.join("go.work"))?))).next();
    let Some((above, text)) = work else { return Vec::new() };
    let modules = ModFile::read(&text).used.into_iter().map(|used| clean(&above.join(used)));
    modules.filter(|module| module.starts_with(top) && !folder.starts_with(module)).collect()
}

/// The maximum number of folders below a folder to search for calls.
const MOST_BELOW: usize = 5_000;

impl Scripts {
    /// The calls that may apply to a folder, from that folder up to `top`: the nearest first, after those in other modules
    /// of a `go.work`.
    #[must_use]
    pub fn calls(&self, disk: &dyn Disk, folder: &Path, top: &Path, version: Version) -> Vec<Call> {
        let mut found = Vec::new();
        for module in other_modules(disk, folder, top) {
            self.calls_in(disk, &module, version, &mut found);
        }
        for above in folder.ancestors().take(MAX_FOLDERS) {
            self.calls_in(disk, above, version, &mut found);
            if above == top {
                break;
            }
        }
        found
    }

    /// The calls in folders below a folder that belong to the same module.
    #[must_use]
    pub fn calls_within(&self, disk: &dyn Disk, folder: &Path, version: Version) -> Vec<Call> {
        let mut found = Vec::new();
        let mut pending = VecDeque::from([folder.to_owned()]);
        let mut seen = 0;
        while let Some(above) = pending.pop_front().filter(|_| seen < MOST_BELOW) {
            for entry in disk.list(&above).into_iter().filter(|entry| entry.is_directory) {
                let is_read = !entry.name.starts_with(['.', '_']) && !IGNORED.contains(&&*entry.name);
                let below = above.join(&entry.name);
                let entries = if is_read { disk.list(&below) } else { Vec::new() };
                if is_read && entries.iter().all(|entry| entry.name != "go.mod") {
                    seen += 1;
                    let mut calls = Vec::new();
                    self.calls_in(disk, &below, version, &mut calls);
                    // `go generate` runs a directive in the folder of its file, but scripts are often called from the top.
                    let is_directive = |call: &Call| call.file.extension().is_some_and(|kind| kind == "go");
                    let calls = calls.into_iter().map(|call| match is_directive(&call) {
                        true => call,
                        false => call.with_existing_folders(disk, folder),
                    });
                    found.extend(calls);
                    pending.push_back(below);
                }
            }
        }
        found
    }

    /// The calls in the Go files and scripts of a folder.
    fn calls_in(&self, disk: &dyn Disk, folder: &Path, version: Version, found: &mut Vec<Call>) {
        for entry in
            disk.list(folder).iter().filter(|entry| !entry.is_directory && entry.name.ends_with(".go"))
        {
            generate_lines(disk, &folder.join(&entry.name), folder, version, found);
        }
        for script in self.scripts_of(disk, folder) {
            read(disk, &script.lines, (&script.file, &script.folder), version, found);
        }
    }

    /// The folders with definitions of which only the schemas are generated from Go, according to calls of the generator
    /// `schemapatch` that may apply to a folder.
    #[must_use]
    pub fn patched_folders(&self, disk: &dyn Disk, folder: &Path, top: &Path) -> Vec<PathBuf> {
        let above = folder.ancestors().take(MAX_FOLDERS).take_while(|above| above.starts_with(top));
        let mut found = Vec::new();
        for script in above.flat_map(|above| self.scripts_of(disk, above)) {
            let places = Places::of(&script.file, &script.folder);
            for CallWords { folder: cwd, arguments, .. } in script.lines.iter().flat_map(Line::calls) {
                let cwd = cwd.map(|cwd| places.absolute(&cwd));
                let Some(folder) = called_in(disk, &script.folder, cwd) else { continue };
                let options = arguments.iter().filter_map(|word| word.strip_prefix("schemapatch:"));
                let manifests =
                    options.flat_map(|all| all.split(',')).filter_map(|one| one.strip_prefix("manifests="));
                let known = manifests.filter(|manifests| !manifests.contains(UNKNOWN));
                found.extend(known.map(|manifests| clean(&folder.join(places.absolute(manifests)))));
            }
        }
        found
    }

    /// A line of a script that generates definitions from packages that are known only at run time: the file and the line,
    /// from 1.
    #[must_use]
    pub fn unread_line(
        &self,
        disk: &dyn Disk,
        folder: &Path,
        top: &Path,
        version: Version,
    ) -> Option<(PathBuf, usize)> {
        let above = folder.ancestors().take(MAX_FOLDERS).take_while(|above| above.starts_with(top));
        let scripts = above.flat_map(|above| self.scripts_of(disk, above));
        scripts
            .filter_map(|script| {
                let Script { file, folder, .. } = &script;
                let unread = script.lines.iter().find(|line| {
                    let mut found = Vec::new();
                    read(disk, std::slice::from_ref(line), (file, folder), version, &mut found);
                    let makes = |words: &Vec<String>| {
                        words.iter().any(|word| word == "crd" || word.starts_with("crd:"))
                    };
                    found.is_empty() && line.calls().iter().any(|call| makes(&call.arguments))
                });
                let unread = unread?;
                Some((unread.included.clone().unwrap_or(script.file), unread.number))
            })
            .next()
    }
}

/// The call that writes the definitions of a folder: the last one that covers it.
#[must_use]
pub fn call_for(calls: &[Call], disk: &dyn Disk, folder: &Path) -> Option<Call> {
    let covering: Vec<&Call> = calls.iter().filter(|call| call.covers(folder, disk)).collect();
    // Of several calls, prefers one whose target folder exists.
    let exists = |call: &&&Call| call.target().is_some_and(|target| disk.is_directory(&target));
    covering.iter().rev().find(exists).or(covering.last()).map(|call| Call::clone(call))
}

fn text_of(disk: &dyn Disk, file: &Path) -> Option<String> {
    disk.read(file).filter(|text| text.len() <= MAX_BYTES)
}

fn generate_lines(disk: &dyn Disk, file: &Path, folder: &Path, version: Version, found: &mut Vec<Call>) {
    let Some(text) = text_of(disk, file).filter(|text| text.contains("//go:generate")) else { return };
    let generate: Vec<Line> = text
        .lines()
        .enumerate()
        .filter_map(|(number, line)| Some((number, line.strip_prefix("//go:generate ")?)))
        .flat_map(|(number, line)| {
            lines(line).into_iter().map(move |line| Line { number: number + 1, ..line })
        })
        .collect();
    read(disk, &generate, (file, folder), version, found);
}

/// The working directory of a call after a `cd` in a script that is called in `folder`. An unknown prefix usually is the
/// root of the project, which is assumed if the folder after it exists there.
fn called_in(disk: &dyn Disk, folder: &Path, cwd: Option<String>) -> Option<PathBuf> {
    let Some(cwd) = cwd else { return Some(folder.to_owned()) };
    if !cwd.contains(UNKNOWN) {
        return Some(clean(&folder.join(cwd)));
    }
    let (_, rest) = cwd.strip_prefix(UNKNOWN)?.split_once('/')?;
    let below = clean(&folder.join(rest));
    (!rest.contains(UNKNOWN) && disk.is_directory(&below)).then_some(below)
}

fn read(
    disk: &dyn Disk,
    lines: &[Line],
    (file, script_folder): (&Path, &Path),
    version: Version,
    found: &mut Vec<Call>,
) {
    let places = Places::of(file, script_folder);
    for line in lines {
        for CallWords { folder: cwd, arguments, redirected } in line.calls() {
            // The packages of a loop are known only at run time.
            let (unknown, named): (Vec<&String>, Vec<&String>) = arguments
                .iter()
                .filter(|word| word.starts_with("paths="))
                .partition(|word| word.contains(UNKNOWN));
            if named.is_empty() && !unknown.is_empty() {
                continue;
            }
            // If the output folder is known only at run time, the default is the best guess.
            let is_unknown_output = |word: &String| word.starts_with("output:") && word.contains(UNKNOWN);
            let is_directory_unknown = arguments.iter().any(is_unknown_output);
            let known = arguments.iter().filter(|word| !is_unknown_output(word));
            // After a `cd`, the folders must be written as absolute paths.
            let place =
                |word: &String| if cwd.is_some() { places.absolute(word) } else { places.relative(word) };
            let known: Vec<String> = known.map(|word| place(word).replace(UNKNOWN, "")).collect();
            // A word that controller-gen rejects, or that is known only at run time.
            let Ok(Some(invocation)) = Invocation::read(known.iter().map(String::as_str), version) else {
                continue;
            };
            let redirected = redirected.filter(|to| !to.file.contains(UNKNOWN));
            let redirected = redirected.map(|to| (place(&to.file), to.passed));
            let cwd = cwd.map(|cwd| places.absolute(&cwd));
            let Some(folder) = called_in(disk, script_folder, cwd) else { continue };
            let redirected =
                redirected.map(|(file, passed)| RedirectedTo { file: clean(&folder.join(file)), passed });
            let known = line.removed.iter().filter(|removed| !removed.path.contains(UNKNOWN));
            let removed = known.filter_map(|RemovedPath { folder: cwd, path }| {
                let path = if cwd.is_some() { places.absolute(path) } else { places.relative(path) };
                let cwd = cwd.as_ref().map(|cwd| places.absolute(cwd));
                Some(placed(&called_in(disk, script_folder, cwd)?, &path))
            });
            let removed = removed.collect();
            found.push(Call {
                invocation,
                folder,
                file: line.included.clone().unwrap_or_else(|| file.to_owned()),
                place: CallPlace::Line(line.number),
                redirected,
                removed,
                is_directory_unknown,
            });
        }
    }
}
