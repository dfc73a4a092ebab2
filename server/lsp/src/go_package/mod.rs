//! Go packages from which definitions are generated: as they are on disk, and with edits.

mod calls;
mod candidates;
mod causes;
mod dependent_findings;
mod findings;
mod group;
mod group_packages;
mod later_steps;
mod packages_below;
mod renames;
mod repairs;
mod similar;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use go::discover::{Call, CallPlace};
use go::generate::{Outcome, Request, generate_after, generate_without_rejected};
use go::invocation::{Invocation, Options};
use go::load::{Build, Disk, Environment, Library, RootsError};
use go::version::Version;

use crate::config::Projects;
use crate::generated_definitions::{AnalysisInputs, GeneratedDefinitions};
use crate::golang::{GuardedDisk, Overlay, ReplacedText, environment, top_of};

use calls::UnknownParts;
pub(crate) use calls::{call_for, calls_below, calls_for, unread_note, version_for};
pub(crate) use dependent_findings::MaxCauses;
pub(crate) use findings::{FindingsByFile, GoFinding, go_findings, is_internal};
pub(crate) use group::{group_of, has_markers};
pub(crate) use group_packages::RepositoryGroups;
use later_steps::LaterSteps;
pub(crate) use later_steps::definition_beside;
pub(crate) use packages_below::{declares_kinds, go_files_in, packages_below};
pub(crate) use renames::RenameChanges;
pub(crate) use repairs::{Offer, Offers, RepairTrial, RepairedPackages, Scope, offered, repaired, text_edit};
pub(crate) use similar::InGo;

/// Texts of files that are not written yet, by their paths.
pub(crate) type Texts = BTreeMap<PathBuf, String>;

/// Packages, and the call of controller-gen for them.
#[derive(Debug)]
pub(crate) struct GoPackage {
    disk: GuardedDisk,
    environment: Environment,
    library: Library,
    folder: PathBuf,
    paths: Vec<String>,
    package_call: PackageCall,
}

/// The call of controller-gen, and the unknown parts of it.
#[derive(Debug)]
struct PackageCall {
    version: Version,
    options: Options,
    tags: Option<Vec<String>>,
    unknown: UnknownParts,
    /// Whether neither a call nor definitions reveal the options.
    are_options_guessed: bool,
    steps: LaterSteps,
}

impl PackageCall {
    /// The call of a project for a folder.
    fn of(disk: &dyn Disk, folder: &Path, projects: &Projects) -> Self {
        let call = call_for(disk, folder, projects);
        let is_read = call.as_ref().is_some_and(|call| call.place != CallPlace::Definitions);
        let unknown =
            if is_read { UnknownParts::default() } else { UnknownParts::of(disk, folder, projects) };
        let target = call.as_ref().and_then(Call::written_folder);
        let written = target.clone().filter(|_| is_read);
        // Scripts are searched again only if no call writes whole definitions.
        let manifests = match &written {
            Some(_) => Vec::new(),
            None => projects.scripts.patched_folders(disk, folder, &top_of(folder)),
        };
        let steps = LaterSteps::of(folder, written, manifests);
        let found = version_for(disk, folder, target.as_deref(), projects);
        let version = found.map_or(Version::NEWEST, |found| found.clamp(Version::OLDEST, Version::NEWEST));
        let are_options_guessed = call.is_none();
        let (options, tags) =
            call.map_or_else(Default::default, |call| (call.invocation.options, call.invocation.tags));
        Self { version, options, tags, unknown, are_options_guessed, steps }
    }
}

impl GoPackage {
    /// The package of a folder, with the options with which its project calls controller-gen.
    pub(crate) fn of(folder: &Path, projects: &Projects) -> Self {
        let environment = environment();
        let disk = GuardedDisk::of([folder], &environment);
        let package_call = PackageCall::of(&disk, folder, projects);
        let (folder, paths) = (folder.to_owned(), vec![".".to_owned()]);
        let library = projects.library.clone();
        Self { disk, environment, library, folder, paths, package_call }
    }

    /// Packages that are generated together; `None` without folders. `texts` replace files.
    pub(crate) fn of_folders<T: ReplacedText>(
        folders: &[PathBuf],
        texts: &BTreeMap<PathBuf, T>,
        projects: &Projects,
    ) -> Option<Self> {
        let folder = folders.first()?.clone();
        let environment = environment();
        let disk = GuardedDisk::of(folders.iter().map(PathBuf::as_path), &environment);
        let package_call = PackageCall::of(&Overlay { disk: &disk, texts }, &folder, projects);
        let paths = folders.iter().map(|folder| folder.display().to_string()).collect();
        let library = projects.library.clone();
        Some(Self { disk, environment, library, folder, paths, package_call })
    }

    /// The packages of a call.
    pub(crate) fn of_call(call: Call, version: Version, projects: &Projects) -> Self {
        let environment = environment();
        let disk = GuardedDisk::of([call.folder.as_path()], &environment);
        let Call { invocation: Invocation { paths, options, tags, .. }, folder, .. } = call;
        let (unknown, are_options_guessed, steps) = Default::default();
        let package_call = PackageCall { version, options, tags, unknown, are_options_guessed, steps };
        Self { disk, environment, library: projects.library.clone(), folder, paths, package_call }
    }

    /// The output of controller-gen; `texts` replace files. Of the files that an earlier outcome has read, only those that are
    /// named with it are read again.
    pub(crate) fn generate<T: ReplacedText>(
        &self,
        texts: &BTreeMap<PathBuf, T>,
        before: Option<(&Outcome, &[PathBuf])>,
    ) -> Result<Outcome, String> {
        self.generate_from(&Overlay { disk: &self.disk, texts }, before)
    }

    /// The same, except that rejected markers count as absent, so that a draft has findings on its other parts.
    pub(crate) fn generate_without_rejected<T: ReplacedText>(
        &self,
        texts: &BTreeMap<PathBuf, T>,
        before: Option<(&Outcome, &[PathBuf])>,
    ) -> Result<Outcome, String> {
        let disk = Overlay { disk: &self.disk, texts };
        self.generate_by(&disk, |request| generate_without_rejected(request, before))
    }

    /// The output of controller-gen for files that are read from `disk`.
    pub(crate) fn generate_from(
        &self,
        disk: &dyn Disk,
        before: Option<(&Outcome, &[PathBuf])>,
    ) -> Result<Outcome, String> {
        self.generate_by(disk, |request| generate_after(request, before))
    }

    fn generate_by(
        &self,
        disk: &dyn Disk,
        generate: impl FnOnce(&Request<'_>) -> Result<Outcome, RootsError>,
    ) -> Result<Outcome, String> {
        let mut build = Build::default();
        if let Some(tags) = &self.package_call.tags {
            build = build.with_tags(tags.clone());
        }
        let request = Request {
            disk,
            library: &self.library,
            environment: self.environment.clone(),
            build,
            folder: &self.folder,
            paths: &self.paths,
            options: &self.package_call.options,
            header: "",
            version: self.package_call.version,
        };
        let mut outcome = generate(&request).map_err(|error| error.to_string())?;
        outcome.is_generated_elsewhere = self.package_call.unknown.is_of_others;
        outcome.is_uncovered = self.package_call.unknown.is_uncovered;
        outcome.are_options_guessed = self.package_call.are_options_guessed;
        Ok(outcome)
    }

    /// The outcome for the types with rules that no kind uses, in addition to an outcome of the same texts in which rejected markers
    /// count as absent; `None` if there is no such type.
    pub(crate) fn generate_unreached<T: ReplacedText>(
        &self,
        texts: &BTreeMap<PathBuf, T>,
        outcome: &Outcome,
    ) -> Option<Outcome> {
        let with_roots: Texts =
            outcome.with_roots().into_iter().map(|(file, text)| (file.path.clone(), text)).collect();
        if with_roots.is_empty() {
            return None;
        }
        let changed: Vec<PathBuf> = with_roots.keys().cloned().collect();
        let disk = Overlay { disk: &Overlay { disk: &self.disk, texts }, texts: &with_roots };
        let generate = |request: &Request<'_>| generate_without_rejected(request, Some((outcome, &changed)));
        let mut outcome = self.generate_by(&disk, generate).ok()?;
        outcome.keep_roots();
        Some(outcome)
    }

    /// Whether controller-gen is called in this way.
    pub(crate) fn is_called_by(&self, options: &Options, version: Version) -> bool {
        self.package_call.options == *options && self.package_call.version == version
    }

    /// The line of a script that may have other options for these packages, if the server cannot read them.
    pub(crate) const fn unread(&self) -> Option<&(PathBuf, usize)> {
        self.package_call.unknown.unread.as_ref()
    }

    /// Turns the errors that a later step repairs into hints. If only the schemas of a definition come from Go, drops the
    /// findings outside its schemas.
    pub(crate) fn downgrade_repaired(
        &self,
        generated: &mut GeneratedDefinitions,
        around: &AnalysisInputs<'_>,
    ) {
        generated.keep_schemas(&|product| self.package_call.steps.is_patched(product, &self.disk));
        generated
            .downgrade_repaired(&|product| self.package_call.steps.definition(product, &self.disk, around));
    }

    /// The disk from which the files are read.
    pub(crate) const fn disk(&self) -> &GuardedDisk {
        &self.disk
    }
}
