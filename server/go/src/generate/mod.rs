//! Generates what controller-gen's generator `crd` would write.

mod earlier_parts;
mod outcome;
mod rejected;
mod run;
mod unreached_types;

use std::path::{Path, PathBuf};

use crate::changes::Moves;
use crate::invocation::Options;
use crate::load::{Build, Disk, Environment, Library, Loader, RootsError, Use};
use crate::schema::{Generator, SchemaOptions};
use crate::version::Version;

use earlier_parts::EarlierResults;
pub use outcome::{GeneratedFile, Outcome, Status};
pub(crate) use outcome::{IneffectiveMarker, SearchResults};
use run::Run;

/// The annotation by which each definition names the release that wrote it.
pub const ANNOTATION: &str = "controller-gen.kubebuilder.io/version";

/// The input of a generation.
#[derive(Debug)]
pub struct Request<'r> {
    /// The disk from which files are read.
    pub disk: &'r dyn Disk,
    /// Files that other generations have read.
    pub library: &'r Library,
    /// Where Go keeps modules and its own packages.
    pub environment: Environment,
    /// The target of the build.
    pub build: Build,
    /// The folder that patterns are relative to; an absolute path.
    pub folder: &'r Path,
    /// The patterns of packages.
    pub paths: &'r [String],
    /// The options.
    pub options: &'r Options,
    /// The text at the start of each file.
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
/// A pattern does not name a folder of a module.
pub fn generate(request: &Request<'_>) -> Result<Outcome, RootsError> {
    generate_after(request, None)
}

/// Generates definitions after a generation with the same request. Of the files that were read then, it reads only those in
/// `changed` again.
///
/// # Errors
///
/// The same as those of [`generate`].
pub fn generate_after(
    request: &Request<'_>,
    before: Option<(&Outcome, &[PathBuf])>,
) -> Result<Outcome, RootsError> {
    generate_with(request, before, false)
}

/// The same as [`generate_after`], except that rejected markers count as absent: controller-gen generates nothing from a
/// package with such a marker. `before` is an outcome of this function, or has no rejected marker.
///
/// # Errors
///
/// The same as those of [`generate`].
pub fn generate_without_rejected(
    request: &Request<'_>,
    before: Option<(&Outcome, &[PathBuf])>,
) -> Result<Outcome, RootsError> {
    generate_with(request, before, true)
}

fn generate_with(
    request: &Request<'_>,
    before: Option<(&Outcome, &[PathBuf])>,
    skips_rejected: bool,
) -> Result<Outcome, RootsError> {
    let of = Use { build: request.build.clone(), version: request.version };
    let loader = Loader::new((request.disk, request.library), request.environment.clone(), of);
    let Some(mut loader) = loader else { return Err(RootsError::NoParser) };
    let touched =
        before.and_then(|(before, changed)| Some((before, loader.resume(&before.loaded, changed)?)));
    let roots = loader.roots(request.paths, request.folder)?;
    let options = SchemaOptions {
        allow_dangerous_types: request.options.allow_dangerous_types,
        ignore_unexported_fields: request.options.ignore_unexported_fields,
        embedded_object_meta: request.options.embedded_object_meta,
        skips_rejected,
        version: request.version,
    };
    let earlier = touched
        .as_ref()
        .and_then(|(before, touched)| EarlierResults::of(before, touched, &loader.own_files(), options));
    let (same, kept) = earlier.map_or_else(Default::default, |earlier| (earlier.files, earlier.types));
    let is_same = !same.is_empty();
    let moves = Moves::of(&loader.files);
    let mut run = Run {
        generator: Generator::new(loader, options, kept),
        request,
        moves: &moves,
        reused: same,
        previous: touched.as_ref().map_or(&[], |(before, _)| &before.files),
        files: Vec::new(),
        unwritten: Vec::new(),
        panic: None,
        ungenerated: Vec::new(),
    };
    run.all(&roots);
    let Run { mut generator, files, panic, ungenerated, .. } = run;
    if let Some((before, _)) = &touched
        && is_same
    {
        generator.loader.still_missing(&before.loaded, |place| moves.current_place(place));
    }
    let packages = roots.packages.iter().filter_map(|id| generator.loader.package(*id));
    let roots = packages.flat_map(|package| package.files.clone()).collect();
    let clauses = generator.loader.packages().iter();
    let clauses = clauses.filter_map(|one| Some((one.path.clone(), *one.files.first()?))).collect();
    let types = generator.take_kept();
    let texts = files.iter().flat_map(|file| file.texts.iter().copied());
    generator.loader.files.keep(&texts.chain(types.texts().into_keys()).collect());
    Ok(Outcome {
        loaded: generator.loader.loaded_packages(),
        clauses,
        roots,
        version: request.version,
        files,
        panic,
        ungenerated,
        is_generated_elsewhere: false,
        is_uncovered: false,
        are_options_guessed: false,
        missing: generator.loader.missing().to_vec(),
        builtin: generator.loader.builtin().to_vec(),
        problems: generator.problems,
        types,
        moves,
        search_results: touched
            .map_or_else(SearchResults::default, |(before, _)| before.search_results.next()),
    })
}
