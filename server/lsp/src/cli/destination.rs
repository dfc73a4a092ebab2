//! Where `crd-ls generate` writes definitions, and the files with which `--check` compares them.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use go::discover::{Call, CallPlace, OutputFilter, RedirectedTo};
use go::generate::{GeneratedFile, Outcome};
use go::invocation::Target;

use super::print::CommandOutput;
use super::unified_diff;
use crate::generated_definitions::{Freshness, documents, is_same_definition, with_surroundings};
use crate::go_package::definition_beside;
use crate::golang::{GuardedDisk, top_of};
use crate::guarded_files;
use crate::ignore_lists::IgnoreRules;
use crate::limits::MAX_BYTES;
use crate::replace::replace;

/// The default output directory, as with controller-gen.
const DEFAULT_DIRECTORY: &str = "config/crd";

/// The reason for definitions that need a missing module.
const MISSING: &str = "a module with its types is missing";

/// Where the definitions of a call go.
#[derive(Debug)]
pub(super) enum Destination {
    /// Each into a file of this directory.
    Directory(PathBuf),
    /// Each into a file of the default directory, because no call is found, or its directory is known only when it runs.
    Default(PathBuf),
    /// All into the file to which the shell writes the output of a call.
    File(RedirectedTo),
    /// To stdout, or nowhere, according to the call.
    Unknown {
        /// Whether the call writes them to stdout.
        is_printed: bool,
    },
}

impl Destination {
    /// The destination of `call`, unless the command line names a directory.
    pub(super) fn of(call: Option<&Call>, given: Option<PathBuf>, cwd: &Path) -> Self {
        if let Some(call) = call.filter(|call| given.is_none() && call.has_unknown_directory())
            && let Some(guess) = call.target()
        {
            return Self::Default(guess);
        }
        let directory = given.or_else(|| call.and_then(Call::target));
        match (directory, call.filter(|call| call.place != CallPlace::Definitions)) {
            (Some(directory), _) => Self::Directory(directory),
            (None, Some(Call { redirected: Some(to), .. })) => Self::File(to.clone()),
            (None, Some(call)) => Self::Unknown { is_printed: call.invocation.target == Target::Stdout },
            (None, None) => Self::Default(cwd.join(DEFAULT_DIRECTORY)),
        }
    }

    /// The directory whose definitions show the release that wrote them.
    pub(super) fn directory(&self) -> Option<&Path> {
        match self {
            Self::File(to) => to.file.parent(),
            _ => self.path(),
        }
    }

    /// The text to write there.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Directory(directory) | Self::Default(directory) => Some(directory),
            Self::File(to) => Some(&to.file),
            Self::Unknown { .. } => None,
        }
    }
}

/// What `--check` compared.
#[derive(Debug, Default)]
pub(super) struct ComparisonResult {
    /// The number of compared definitions.
    pub(super) count: usize,
    /// Why others were not compared.
    pub(super) reasons: Vec<String>,
}

impl ComparisonResult {
    /// The result for definitions that were not compared.
    fn nothing(reason: String) -> Self {
        Self { count: 0, reasons: vec![reason] }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.count += other.count;
        for reason in other.reasons {
            if !self.reasons.contains(&reason) {
                self.reasons.push(reason);
            }
        }
    }
}

/// A run whose definitions are written or compared.
pub(super) struct GenerationRun<'r> {
    pub(super) outcome: &'r Outcome,
    /// The call that generates them, as notes show it.
    pub(super) call: &'r str,
    /// The place of a later command that changes its output.
    pub(super) later_step: Option<&'r str>,
    /// The paths that later commands remove.
    pub(super) removed: &'r [PathBuf],
    /// Where the first pattern of packages begins.
    pub(super) folder: &'r Path,
    pub(super) disk: &'r GuardedDisk,
    pub(super) cwd: &'r Path,
}

impl GenerationRun<'_> {
    /// Compares the definitions with the files of the project.
    pub(super) fn check(
        &self,
        destination: &Destination,
        shown: &mut CommandOutput,
    ) -> Result<ComparisonResult, String> {
        match destination {
            _ if self.outcome.files.is_empty() => Ok(ComparisonResult::default()),
            Destination::Default(directory) if !self.has_files_in(directory) => {
                if !self.call.is_empty() {
                    return Ok(ComparisonResult::nothing(format!(
                        "{}: not compared: the output directory of the call is known only when it runs; pass --output-dir",
                        self.call
                    )));
                }
                Ok(ComparisonResult::nothing(format!(
                    "not compared: no call of controller-gen is found, and {} has none of its files; write the call as `go.calls` \
                 in .crd-ls.toml, or pass --output-dir",
                    relative(directory, self.cwd).display()
                )))
            }
            Destination::Directory(directory) | Destination::Default(directory) => {
                self.check_files(directory, shown)
            }
            Destination::File(to) => self.check_file(to, shown),
            Destination::Unknown { is_printed: true } => Ok(ComparisonResult::nothing(format!(
                "{}: not compared: the call writes to stdout; pass --output-dir with the directory to compare",
                self.call
            ))),
            Destination::Unknown { is_printed: false } => Ok(ComparisonResult::nothing(format!(
                "{}: not compared: the call writes nothing; pass --output-dir with the directory to compare",
                self.call
            ))),
        }
    }

    /// Whether a directory has a file of a definition.
    fn has_files_in(&self, directory: &Path) -> bool {
        self.outcome.files.iter().any(|file| directory.join(&file.name).exists())
    }

    fn check_files(&self, directory: &Path, shown: &mut CommandOutput) -> Result<ComparisonResult, String> {
        let mut compared = ComparisonResult::default();
        // Such a directory has the input of a later step.
        let temporary = match directory.exists() {
            true => None,
            false if self.is_removed(directory) => Some("a later command removes the directory"),
            false => IgnoreRules::below(&top_of(directory))
                .covers(directory)
                .then_some("git ignores the directory, and it does not exist"),
        };
        for file in &self.outcome.files {
            let path = directory.join(&file.name);
            // If the project does not keep a file of the call, a later step makes the one that it keeps.
            let beside = if path.exists() { None } else { self.other_file(file, directory) };
            let reason = match beside {
                _ if file.has_missing_types() => Some(MISSING.to_owned()),
                Some((_, text)) if is_same_definition(&text, &file.text) => None,
                Some((made, _)) => {
                    let made = relative(&made, self.cwd);
                    Some(format!("a later step makes {} from it", made.display()))
                }
                None if !path.exists() && directory.exists() && self.is_removed(&path) => {
                    Some("a later command removes it".to_owned())
                }
                None if let Some(reason) = temporary => {
                    let directory = relative(directory, self.cwd);
                    compared.add(ComparisonResult::nothing(format!(
                        "{}: not compared: {reason}",
                        directory.display()
                    )));
                    continue;
                }
                None => self.compare(file, &path, shown)?,
            };
            match reason {
                Some(reason) => {
                    let path = relative(&path, self.cwd);
                    compared.reasons.push(format!("{}: not compared: {reason}", path.display()));
                }
                None => compared.count += 1,
            }
        }
        Ok(compared)
    }

    /// Whether a later command removes a file or a directory.
    fn is_removed(&self, path: &Path) -> bool {
        self.removed.iter().any(|removed| path.starts_with(removed))
    }

    /// The definition in another file than the one in `directory`.
    fn other_file(&self, file: &GeneratedFile, directory: &Path) -> Option<(PathBuf, String)> {
        definition_beside(&file.name, (self.folder, directory), self.disk, &|_| true)
    }

    /// Compares a definition with the file at `path`, and shows how they differ. Returns the reason if they cannot be compared.
    fn compare(
        &self,
        file: &GeneratedFile,
        path: &Path,
        shown: &mut CommandOutput,
    ) -> Result<Option<String>, String> {
        let before = read(path, self.cwd)?;
        let standing = before.as_deref().map(|before| Freshness::of(before, &file.text));
        match standing {
            Some(Freshness::Current) => return Ok(None),
            Some(_) if self.outcome.has_approximate(file) => {
                return Ok(Some("types of another release of Kubernetes are used for it".to_owned()));
            }
            Some(Freshness::Rewritten) => {
                let reason =
                    "it differs, and another program has rewritten it; run the command that generates it";
                return Ok(Some(reason.to_owned()));
            }
            Some(Freshness::Unreleased) => {
                let reason = "it differs, and no release of controller-gen wrote it; run the command that generates it";
                return Ok(Some(reason.to_owned()));
            }
            Some(Freshness::Stale) if let (Some(step), Some(before)) = (self.later_step, &before) => {
                // Such commands often remove descriptions.
                let is_same = is_same_definition(before, &file.text);
                return Ok((!is_same).then(|| {
                    format!("it differs, and {step} may change it; run the command that generates it")
                }));
            }
            Some(Freshness::Stale) | None => {}
        }
        self.show_difference(path, before, &file.text, shown)?;
        Ok(None)
    }

    fn check_file(&self, to: &RedirectedTo, shown: &mut CommandOutput) -> Result<ComparisonResult, String> {
        let (path, files) = (relative(&to.file, self.cwd), &self.outcome.files);
        if files.iter().any(GeneratedFile::has_missing_types) {
            return Ok(ComparisonResult::nothing(format!("{}: not compared: {MISSING}", path.display())));
        }
        if let Some(text) = self.printed(to.passed) {
            let before = read(&to.file, self.cwd)?;
            // A later step may format a single definition, or add a header to it.
            let is_current = before.as_deref().is_some_and(|before| {
                before == text || files.len() == 1 && Freshness::of(before, &text) == Freshness::Current
            });
            if !is_current {
                self.show_difference(&to.file, before, &text, shown)?;
            }
            return Ok(ComparisonResult { count: files.len(), reasons: Vec::new() });
        }
        let written = read(&to.file, self.cwd)?.unwrap_or_default();
        // The other program may select some of the definitions.
        let mut compared = ComparisonResult::default();
        let is_current = |text: &str| files.iter().any(|file| is_same_definition(text, &file.text));
        for document in documents_of(&written) {
            match is_current(document) {
                true => compared.count += 1,
                false => compared.reasons.push(format!(
                    "{}: not compared: another program changes the output of the call in {}",
                    path.display(),
                    self.call
                )),
            }
        }
        Ok(compared)
    }

    /// Shows how the file at `path` differs from the generated text; without `before`, it does not exist.
    fn show_difference(
        &self,
        path: &Path,
        before: Option<String>,
        text: &str,
        shown: &mut CommandOutput,
    ) -> Result<(), String> {
        if before.is_none() {
            shown.notes.push(format!("{}: the file does not exist yet", relative(path, self.cwd).display()));
        }
        let before = before.unwrap_or_default();
        let expected =
            if text.starts_with("---\n") { with_surroundings(&before, text) } else { text.to_owned() };
        shown.bad = true;
        let diff = unified_diff::diff(&in_diff(path, self.cwd), &before, &expected);
        shown.text.push_str(&diff.map_err(|error| format!("{}: {error}", path.display()))?);
        Ok(())
    }

    /// Writes the definitions.
    pub(super) fn write(&self, destination: &Destination, shown: &mut CommandOutput) -> Result<(), String> {
        match destination {
            Destination::Directory(directory) | Destination::Default(directory) => {
                let mut files = self.outcome.files.iter();
                files.try_for_each(|file| write(&directory.join(&file.name), &file.text, self.cwd, shown))
            }
            Destination::File(to) => match self.printed(to.passed) {
                Some(text) => write(&to.file, &text, self.cwd, shown),
                None => Err(format!(
                    "{}: another program changes the output of the call before it is written to {}; run that command, or \
                     pass --output-dir or --stdout",
                    self.call,
                    relative(&to.file, self.cwd).display()
                )),
            },
            Destination::Unknown { is_printed } => {
                if *is_printed {
                    self.outcome.files.iter().for_each(|file| shown.text.push_str(&file.text));
                }
                Ok(())
            }
        }
    }

    /// The text that the shell writes to a file; `None` if another program changes it.
    fn printed(&self, passed: OutputFilter) -> Option<String> {
        let OutputFilter::WithoutLines(lines) = passed else { return None };
        let text: String = self.outcome.files.iter().map(|file| &*file.text).collect();
        Some(text.split_inclusive('\n').skip(lines).collect())
    }
}

/// The documents of a text.
fn documents_of(text: &str) -> impl Iterator<Item = &str> {
    documents(text).into_iter().filter_map(|bytes| text.get(bytes))
}

/// The path of a file of the repository relative to `cwd`; the path of any other file unchanged.
pub(super) fn relative(path: &Path, cwd: &Path) -> PathBuf {
    let of_repository = path.starts_with(top_of(cwd)).then(|| pathdiff::diff_paths(path, cwd)).flatten();
    of_repository.unwrap_or_else(|| path.to_owned())
}

/// The path in a diff: relative to `cwd` or to the top of the repository, because tools reject `..` in paths.
fn in_diff(path: &Path, cwd: &Path) -> PathBuf {
    let below = path.strip_prefix(cwd).or_else(|_| path.strip_prefix(top_of(cwd)));
    below.unwrap_or(path).to_owned()
}

/// The text of a file; `None` if it does not exist.
fn read(path: &Path, cwd: &Path) -> Result<Option<String>, String> {
    match guarded_files::found_text(path, MAX_BYTES) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", relative(path, cwd).display())),
    }
}

fn write(path: &Path, text: &str, cwd: &Path, shown: &mut CommandOutput) -> Result<(), String> {
    let shown_path = relative(path, cwd);
    let failed = |error: std::io::Error| format!("{}: cannot write: {error}", shown_path.display());
    match guarded_files::found_text(path, MAX_BYTES) {
        Ok(before) if before == text => return Ok(()),
        Ok(before) => replace(path, &before, text).map_err(failed)?,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if let Some(directory) = path.parent() {
                fs::create_dir_all(directory).map_err(failed)?;
            }
            fs::write(path, text).map_err(failed)?;
        }
        Err(error) => return Err(failed(error)),
    }
    shown.notes.push(format!("{}: written", shown_path.display()));
    Ok(())
}
