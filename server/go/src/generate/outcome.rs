//! The result of a run.

use std::any::Any;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::changes::Moves;
use crate::definition::Definition;
use crate::load::{FileId, LoadedPackages, MissingModule, Place, builtin_folder};
use crate::schema::{KeptTypes, Problem, ProblemPlace, TypeId};
use crate::syntax::{DeclarationKind, File, with_kinds};
use crate::version::Version;
use crate::yaml;

/// A file that is generated.
#[derive(Clone, Debug)]
pub struct GeneratedFile {
    /// The name.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
    /// The definition of this file. Its places refer to the texts from which its parts were made; see [`Outcome::now`].
    pub definition: Arc<Definition>,
    /// Whether a type is missing; unset until it is first requested.
    pub(crate) has_missing_type: Arc<OnceLock<bool>>,
    /// The group and the kind.
    pub(super) kind: (String, Arc<str>),
    /// The problems that controller-gen reports while it generates the file.
    pub(super) problems: Vec<Problem>,
    /// The Go types of the kind.
    pub(super) types: Arc<[TypeId]>,
    /// The texts that its places refer to.
    pub(super) texts: Arc<[FileId]>,
    /// The positions of parts in the text.
    pub(super) parts: yaml::SharedYaml,
}

/// How a run of controller-gen would end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Without errors.
    Sound,
    /// With errors; files are written nevertheless.
    Errors,
    /// By a panic; no further files are written.
    Panic,
}

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The files, in the order in which they are written.
    pub files: Vec<GeneratedFile>,
    /// The problems that controller-gen reports.
    pub problems: Vec<Problem>,
    /// The panic of controller-gen, if any.
    pub panic: Option<Problem>,
    /// The declarations of the kinds whose definitions are not generated because controller-gen ends before.
    pub ungenerated: Vec<Place>,
    /// Modules that were not found.
    pub missing: Vec<MissingModule>,
    /// Whether the project is known to generate definitions only from other packages: the types here are copies or those of
    /// clients.
    pub is_generated_elsewhere: bool,
    /// Whether the project is known to generate definitions only from other packages, even if this one names a group.
    pub is_uncovered: bool,
    /// Whether the options are guesses: the project has neither a call nor definitions that reveal one.
    pub are_options_guessed: bool,
    /// Modules that were not found and were replaced by built-in types.
    pub builtin: Vec<MissingModule>,
    /// The files of the named packages.
    pub(crate) roots: Vec<FileId>,
    /// The packages that were read, by path, each with its first file.
    pub(super) clauses: Vec<(String, FileId)>,
    pub(super) loaded: LoadedPackages,
    pub(crate) version: Version,
    pub(super) types: KeptTypes,
    pub(super) moves: Moves,
    pub(crate) search_results: SearchResults,
}

/// Results of searches in an outcome, kept for the next outcome. Only the search knows the type of its result.
#[derive(Debug, Default)]
pub(crate) struct SearchResults {
    pub(crate) result: OnceLock<Arc<dyn Any + Send + Sync>>,
    /// Markers that have no effect.
    pub(crate) ineffective: OnceLock<Vec<IneffectiveMarker>>,
    /// The result for the previous outcome.
    pub(crate) previous_result: Option<Arc<dyn Any + Send + Sync>>,
}

/// A marker without effect.
#[derive(Debug)]
pub(crate) struct IneffectiveMarker {
    pub(crate) place: Place,
    /// Its name, where it is misspelt.
    pub(crate) intended_name: Option<Box<str>>,
    /// Whether it is the tag of a field.
    pub(crate) is_tag: bool,
}

impl SearchResults {
    pub(super) fn next(&self) -> Self {
        Self {
            previous_result: self.result.get().or(self.previous_result.as_ref()).cloned(),
            ..Self::default()
        }
    }
}

impl Outcome {
    /// How the run ends.
    #[must_use]
    pub const fn status(&self) -> Status {
        if self.panic.is_some() {
            Status::Panic
        } else if self.problems.is_empty() && self.missing.is_empty() {
            Status::Sound
        } else {
            Status::Errors
        }
    }

    /// The built-in packages whose module was not found, one for each module.
    pub fn built_in(&self) -> impl Iterator<Item = &MissingModule> {
        each_module_once(self.builtin.iter())
    }

    /// The built-in packages whose types are of a different release than the module.
    pub fn approximate(&self) -> impl Iterator<Item = &MissingModule> {
        each_module_once(self.builtin.iter().filter(|missing| missing.is_approximate()))
    }

    /// Whether a file that was read has built-in types of a different release than the module.
    #[must_use]
    pub fn is_approximate(&self, path: &Path) -> bool {
        let mut approximate = self.builtin.iter().filter(|missing| missing.is_approximate());
        approximate.any(|missing| path.parent() == Some(&builtin_folder(&missing.import)))
    }

    /// Whether a definition has a type of such a file.
    #[must_use]
    pub fn has_approximate(&self, file: &GeneratedFile) -> bool {
        let mut paths = file.texts.iter().filter_map(|id| self.source(*id)).map(|file| file.path.as_path());
        paths.any(|path| self.is_approximate(path))
    }

    /// The files that were read, for the next generation.
    #[must_use]
    pub const fn loaded_packages(&self) -> &LoadedPackages {
        &self.loaded
    }

    /// Whether a file belongs to one of the named packages.
    #[must_use]
    pub fn is_named(&self, file: FileId) -> bool {
        self.roots.contains(&file)
    }

    /// The files of the named packages.
    pub fn files_of_named_packages(&self) -> impl Iterator<Item = &File> {
        self.roots.iter().filter_map(|id| self.source(*id))
    }

    /// The release of controller-gen.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// The values of the constants of a type in the package of a folder, in their order.
    #[must_use]
    pub fn constants(&self, name: &str, folder: Option<&Path>) -> Vec<String> {
        let files = self.sources().iter().filter(|file| file.path.parent() == folder);
        let declarations = files.flat_map(|file| &file.declarations);
        let constants = declarations.filter_map(|declared| match &declared.kind {
            DeclarationKind::Const(constants) => Some(with_kinds(constants)),
            _ => None,
        });
        let of_type = constants.flatten().filter(|(kind, _)| *kind == name);
        of_type.flat_map(|(_, constant)| constant.values.iter().flatten().map(ToString::to_string)).collect()
    }

    /// A file that was read.
    #[must_use]
    pub fn source(&self, id: FileId) -> Option<&File> {
        self.loaded.files.get(id).map(|file| &**file)
    }

    /// The file that was read at a path.
    #[must_use]
    pub fn source_at(&self, path: &Path) -> Option<&File> {
        self.sources().iter().find(|file| file.path == path).map(|file| &**file)
    }

    /// All files that were read.
    #[must_use]
    pub fn sources(&self) -> &[Arc<File>] {
        self.loaded.files.all_current()
    }

    /// The packages that were read, by path, each with its first file.
    pub(crate) fn clauses(&self) -> &[(String, FileId)] {
        &self.clauses
    }

    /// The files of a package that was read.
    pub(crate) fn files_of(&self, package: &str) -> impl Iterator<Item = &Arc<File>> {
        let clause = self.clauses.iter().find(|(path, _)| path == package);
        let folder = clause.and_then(|(_, first)| self.source(*first)?.path.parent());
        self.sources().iter().filter(move |file| folder.is_some() && file.path.parent() == folder)
    }

    /// The number of earlier texts of files that places still refer to.
    #[must_use]
    pub fn texts_in_use(&self) -> usize {
        self.loaded.files.earlier().count()
    }

    /// The token or the place of a problem. Without them, the name in the package clause of the problem's package,
    /// or of the first named package.
    #[must_use]
    pub fn place_of(&self, problem: &Problem) -> Option<Place> {
        if problem.token.is_some() {
            return problem.token;
        }
        let file = match &problem.place {
            ProblemPlace::Place(place) => return Some(*place),
            ProblemPlace::Package(path) => {
                self.clauses.iter().find(|(of, _)| of == path).map(|(_, file)| *file)
            }
            ProblemPlace::Nowhere => self.roots.first().copied(),
        };
        let file = file.or(self.roots.first().copied())?;
        Some(Place { file, span: self.source(file)?.package.span })
    }

    /// A place as `FILE:LINE:COLUMN`, from 1, the column in bytes.
    #[must_use]
    pub fn place_text(&self, place: Place) -> String {
        match self.source(place.file) {
            Some(file) => {
                let (line, column) = file.position(place.span.start);
                format!("{}:{line}:{column}", file.path.display())
            }
            None => String::new(),
        }
    }

    /// A place of a definition, moved to the current text of its file.
    #[must_use]
    pub fn current_place(&self, place: Place) -> Place {
        self.moves.current_place(place)
    }

    /// A problem as controller-gen prints it.
    #[must_use]
    pub fn printed(&self, problem: &Problem) -> String {
        match &problem.place {
            ProblemPlace::Place(place) => format!("{}: {}", self.place_text(*place), problem.message),
            ProblemPlace::Package(path) => format!("{path}:-: {}", problem.message),
            ProblemPlace::Nowhere => problem.message.clone(),
        }
    }
}

fn each_module_once<'m>(
    all: impl Iterator<Item = &'m MissingModule>,
) -> impl Iterator<Item = &'m MissingModule> {
    let mut modules = Vec::new();
    all.filter(move |missing| {
        let is_new = !modules.contains(&&missing.expected_location);
        modules.extend(is_new.then_some(&missing.expected_location));
        is_new
    })
}
