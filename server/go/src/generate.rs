//! What controller-gen's generator `crd` would write.

use std::any::Any;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::changes::{AllMoves, Move, Moves, affected, changed_types};
use crate::definition::Definition;
use crate::invocation::Options;
use crate::json::Json;
use crate::load::{
    Build, Disk, Environment, FileId, Kept, Loader, Missing, Place, Roots, RootsError, Touched,
};
use crate::schema::{Generator, Problem, Schema, SchemaOptions, Spot};
use crate::syntax::File;
use crate::version::{Change, Version};
use crate::yaml;

/// A file that is generated.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The name.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
    /// What it is made of. Its places are those of the texts that it was generated of; see [`Outcome::now`].
    pub definition: Arc<Definition>,
    /// Whether a type of it is missing, once that was asked for.
    pub(crate) lacks: Arc<OnceLock<bool>>,
    /// The group and the kind.
    kind: (String, Arc<str>),
    /// What controller-gen reports while it makes it.
    problems: Vec<Problem>,
    /// The files that were edited since, as they were.
    of: Vec<(FileId, Arc<File>)>,
    pub(crate) moves: Moves,
}

/// How a run of controller-gen would end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Without errors.
    Sound,
    /// With errors; files are written all the same.
    Errors,
    /// By a panic; nothing more is written.
    Panic,
}

/// What comes of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The files, in the order in which they are written.
    pub files: Vec<Generated>,
    /// What controller-gen reports.
    pub problems: Vec<Problem>,
    /// Where controller-gen panics.
    pub panic: Option<Problem>,
    /// What is not there.
    pub missing: Vec<Missing>,
    /// What is not there, and was replaced by what is built in.
    pub builtin: Vec<Missing>,
    /// The files of the packages that were named.
    pub(crate) roots: Vec<FileId>,
    /// The packages that were read, by path, each with its first file.
    clauses: Vec<(String, FileId)>,
    kept: Kept,
    kinds: usize,
    pub(crate) version: Version,
    sources: Vec<Arc<File>>,
    pub(crate) noted: Noted,
}

/// What is looked for in an outcome, kept for the next one. What it is, only those know that look for it.
#[derive(Debug, Default)]
pub(crate) struct Noted {
    pub(crate) now: OnceLock<Arc<dyn Any + Send + Sync>>,
    /// Of the outcome before.
    pub(crate) before: Option<Arc<dyn Any + Send + Sync>>,
}

impl Noted {
    fn next(&self) -> Self {
        Self { now: OnceLock::new(), before: self.now.get().or(self.before.as_ref()).cloned() }
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

    /// What was read, for the next generation.
    #[must_use]
    pub const fn kept(&self) -> &Kept {
        &self.kept
    }

    /// The release of controller-gen.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// A file that was read.
    #[must_use]
    pub fn source(&self, id: FileId) -> Option<&File> {
        self.sources.get(id.0 as usize).map(|file| &**file)
    }

    /// All files that were read.
    #[must_use]
    pub fn sources(&self) -> &[Arc<File>] {
        &self.sources
    }

    /// The name in the package clause of the package that a problem is of; of one that is of none, in that of the first.
    #[must_use]
    pub fn clause_of(&self, spot: &Spot) -> Option<Place> {
        let file = match spot {
            Spot::Place(place) => return Some(*place),
            Spot::Package(path) => self.clauses.iter().find(|(of, _)| of == path).map(|(_, file)| *file),
            Spot::Nowhere => self.roots.first().copied(),
        };
        let file = file.or(self.roots.first().copied())?;
        Some(Place { file, span: self.source(file)?.package.span })
    }

    /// A place as `FILE:LINE:COLUMN`, from 1, the column in bytes.
    #[must_use]
    pub fn shown(&self, place: Place) -> String {
        match self.source(place.file) {
            Some(file) => {
                let (line, column) = file.position(place.span.start);
                format!("{}:{line}:{column}", file.path.display())
            }
            None => String::new(),
        }
    }

    /// A place in the definition of a file, in the texts of now.
    #[must_use]
    pub fn now(&self, file: &Generated, place: Place) -> Place {
        file.moves.now(place)
    }

    /// A problem as controller-gen prints it.
    #[must_use]
    pub fn printed(&self, problem: &Problem) -> String {
        match &problem.spot {
            Spot::Place(place) => format!("{}: {}", self.shown(*place), problem.message),
            Spot::Package(path) => format!("{path}:-: {}", problem.message),
            Spot::Nowhere => problem.message.clone(),
        }
    }
}

/// What is asked for.
#[derive(Debug)]
pub struct Request<'r> {
    /// Where files are read.
    pub disk: &'r dyn Disk,
    /// Where Go keeps what it has.
    pub environment: Environment,
    /// What the build is for.
    pub build: Build,
    /// The folder that patterns are seen from; an absolute path.
    pub folder: &'r Path,
    /// The patterns.
    pub paths: &'r [String],
    /// The options.
    pub options: &'r Options,
    /// The text that each file begins with.
    pub header: &'r str,
    /// The release of controller-gen.
    pub version: Version,
}

impl std::fmt::Debug for dyn Disk + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Disk")
    }
}

/// Generates definitions.
///
/// # Errors
///
/// A pattern that names no folder of a module.
pub fn generate(request: &Request<'_>) -> Result<Outcome, RootsError> {
    generate_after(request, None)
}

/// Generates definitions after a generation with the same request: of the files that were read then, only those that `changed`
/// names are read anew.
///
/// # Errors
///
/// As [`generate`].
pub fn generate_after(
    request: &Request<'_>,
    before: Option<(&Outcome, &[PathBuf])>,
) -> Result<Outcome, RootsError> {
    let Some(mut loader) = Loader::new(request.disk, request.environment.clone(), request.build.clone())
    else {
        return Err(RootsError::NoParser);
    };
    let touched = before.and_then(|(before, changed)| Some((before, loader.resume(&before.kept, changed)?)));
    let roots = loader.roots(request.paths, request.folder)?;
    let options = SchemaOptions {
        allow_dangerous_types: request.options.allow_dangerous_types,
        ignore_unexported_fields: request.options.ignore_unexported_fields,
        embedded_object_meta: request.options.embedded_object_meta,
        version: request.version,
    };
    let mut generator = Generator::new(loader, options);
    let mut files = Vec::new();
    let mut panic = None;
    let refused = request.options.crd_versions.iter().find(|version| *version != "v1");
    let mut same = touched.as_ref().map_or_else(Vec::new, |(before, touched)| {
        unaffected(before, touched, &generator.loader.own_files(), request.version)
    });
    let mut kinds = 0;
    let is_same = !same.is_empty();
    let refused = refused.map(String::as_str);
    run(&mut generator, &roots, request, refused, &mut same, &mut (&mut files, &mut kinds, &mut panic));
    if let Some((before, touched)) = &touched
        && is_same
    {
        let mut moves = Moves::default();
        touched.iter().for_each(|(id, old, new)| moves.push(*id, Move::between(old, new)));
        generator.loader.still_missing(&before.kept, |place| moves.now(place));
    }
    let packages = roots.packages.iter().filter_map(|id| generator.loader.package(*id));
    let clauses = generator.loader.packages().iter();
    Ok(Outcome {
        kept: generator.loader.kept(),
        kinds,
        clauses: clauses.filter_map(|one| Some((one.path.clone(), *one.files.first()?))).collect(),
        roots: packages.flat_map(|package| package.files.clone()).collect(),
        version: request.version,
        files,
        panic,
        missing: generator.loader.missing().to_vec(),
        builtin: generator.loader.builtin().to_vec(),
        sources: generator.loader.all_files().to_vec(),
        problems: generator.problems,
        noted: touched.map_or_else(Noted::default, |(before, _)| before.noted.next()),
    })
}

/// What is generated as before, as no type that it is made of was edited.
fn unaffected(before: &Outcome, touched: &[Touched], own: &[Arc<File>], version: Version) -> Vec<Generated> {
    // Where something is left out, nobody knows why.
    if before.panic.is_some() || before.files.len() != before.kinds {
        return Vec::new();
    }
    let mut changed = HashSet::new();
    for (_, old, new) in touched {
        let Some(types) = changed_types(old, new, version) else { return Vec::new() };
        changed.extend(types);
    }
    let affected = affected(changed, own);
    let mut moves = AllMoves::default();
    let same = before.files.iter().filter(|file| !affected.contains(&file.kind.1));
    let moved = same.map(|file| {
        let mut file = file.clone();
        for (id, old, _) in touched {
            if !file.of.iter().any(|(known, _)| known == id) {
                file.of.push((*id, Arc::clone(old)));
            }
        }
        file.moves = Moves::default();
        for (id, of) in &file.of {
            let touched = touched.iter().find(|(touched, ..)| touched == id).map(|(.., new)| new);
            let Some(now) = touched.or(before.sources.get(id.0 as usize)) else { continue };
            file.moves.push(*id, moves.between(of, now));
        }
        file
    });
    moved.collect()
}

fn moved_spot(file: &Generated, spot: &Spot) -> Spot {
    match spot {
        Spot::Place(place) => Spot::Place(file.moves.now(*place)),
        other => other.clone(),
    }
}

fn run(
    generator: &mut Generator<'_>,
    roots: &Roots,
    request: &Request<'_>,
    refused: Option<&str>,
    same: &mut Vec<Generated>,
    (files, kinds, panic): &mut (&mut Vec<Generated>, &mut usize, &mut Option<Problem>),
) {
    for folder in &roots.empty {
        generator.problem(Spot::Package("".to_owned()), format!("no Go files in {}", folder.display()), None);
    }
    for root in &roots.packages {
        generator.need_package(*root);
    }
    if !roots.packages.iter().any(|root| generator.imports_meta(*root)) {
        return;
    }
    let header = request.header.replace(" YEAR", &format!(" {}", request.options.year));
    let all = generator.kinds();
    **kinds = all.len();
    // Which kind a problem is told with depends on which there are.
    if same.first().is_some_and(|_| !same.iter().all(|file| all.contains(&file.kind))) {
        same.clear();
    }
    for (group, kind) in all {
        let known = same.iter().position(|file| (&file.kind.0, &file.kind.1) == (&group, &kind));
        if let Some(at) = known {
            let file = same.swap_remove(at);
            for problem in &file.problems {
                generator.report(Problem {
                    spot: moved_spot(&file, &problem.spot),
                    token: problem.token.map(|token| file.moves.now(token)),
                    ..problem.clone()
                });
            }
            files.push(file);
            continue;
        }
        let told = generator.problems.len();
        let mut definition = match generator.definition(&group, &kind, request.options.max_description) {
            Ok(Some(definition)) => definition,
            Ok(None) => continue,
            Err(crash) => {
                let spot = crash.place.map_or(Spot::Nowhere, Spot::Place);
                **panic = Some(Problem { spot, message: crash.message, token: None, is_of_go: false });
                return;
            }
        };
        if !request.options.omit_tool_version {
            let key = "controller-gen.kubebuilder.io/version".to_owned();
            definition.annotations.insert(key, request.version.to_string());
        }
        for version in &mut definition.versions {
            if let Some(metadata) = version.schema.properties.get_mut("metadata") {
                let causes = metadata.causes.clone();
                *metadata = Arc::new(Schema { causes, ..Schema::of("object") });
            }
        }
        if let Some(refused) = refused {
            let message = format!("apiVersion \"apiextensions.k8s.io/{refused}\" is not supported");
            generator.problem(Spot::Nowhere, message, None);
            return;
        }
        if group.is_empty() && !request.version.has(Change::EmptyGroup) {
            definition = Definition { annotations: definition.annotations, ..Definition::default() };
        }
        match written(&definition, &header, request) {
            Ok(text) => {
                let name = format!("{}_{}.yaml", definition.group, definition.names.plural);
                let problems = generator.problems.get(told..).unwrap_or_default().to_vec();
                files.push(Generated {
                    name,
                    text: text.into(),
                    definition: Arc::new(definition),
                    lacks: Arc::default(),
                    kind: (group, kind),
                    problems,
                    of: Vec::new(),
                    moves: Moves::default(),
                });
            }
            Err(_) => {
                generator.problem(Spot::Nowhere, "yaml: control characters are not allowed".to_owned(), None);
                return;
            }
        }
    }
}

fn written(
    definition: &Definition,
    header: &str,
    request: &Request<'_>,
) -> Result<String, yaml::ControlCharacter> {
    let json: Json = definition.to_json(request.options.preserve_unknown_fields);
    Ok(format!("{header}---\n{}", yaml::written(&json)?))
}
