//! Go packages from which definitions are generated: as they are on disk, and with edits.

mod below;
mod called;
mod candidates;
mod causes;
mod declared;
mod group;
mod later_steps;
mod renames;
mod repairs;
mod similar;
mod told;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use go::discover::{Call, CallPlace};
use go::generate::{Outcome, Request, generate_after};
use go::invocation::{Invocation, Options};
use go::load::{Build, Disk, Environment, Library};
use go::version::Version;

use crate::config::Projects;
use crate::generated::{Around, Generated};
use crate::golang::{Guarded, InPlace, Overlay, environment, top_of};

pub(crate) use below::{below, declares_kinds, go_files_in};
use called::Doubt;
pub(crate) use called::{call_for, calls_below, calls_for, unread_note, version_for};
pub(crate) use declared::Declared;
pub(crate) use group::{group_of, has_markers};
use later_steps::LaterSteps;
pub(crate) use later_steps::definition_beside;
pub(crate) use renames::Renamed;
pub(crate) use repairs::{Offer, Offers, Repaired, Scope, Trial, offered, repaired, text_edit};
pub(crate) use similar::InGo;
pub(crate) use told::{Remark, Told, is_internal, told};

/// Texts of files that are not written yet, by their paths.
pub(crate) type Texts = BTreeMap<PathBuf, String>;

/// Packages, and the call of controller-gen for them.
#[derive(Debug)]
pub(crate) struct GoPackage {
    disk: Guarded,
    environment: Environment,
    library: Library,
    folder: PathBuf,
    paths: Vec<String>,
    called: Called,
}

/// The call of controller-gen, and the unknown parts of it.
#[derive(Debug)]
struct Called {
    version: Version,
    options: Options,
    tags: Option<Vec<String>>,
    doubt: Doubt,
    steps: LaterSteps,
}

impl Called {
    /// The call of a project for a folder.
    fn of(disk: &dyn Disk, folder: &Path, projects: &Projects) -> Self {
        let call = call_for(disk, folder, projects);
        let is_read = call.as_ref().is_some_and(|call| call.place != CallPlace::Definitions);
        let doubt = if is_read { Doubt::default() } else { Doubt::of(disk, folder, projects) };
        let target = call.as_ref().and_then(Call::written_folder);
        let written = target.clone().filter(|_| is_read);
        // Scripts are searched again only if no call writes whole definitions.
        let manifests = match &written {
            Some(_) => Vec::new(),
            None => projects.scripts.patched(disk, folder, &top_of(folder)),
        };
        let steps = LaterSteps::of(folder, written, manifests);
        let found = version_for(disk, folder, target.as_deref(), projects);
        let version = found.map_or(Version::NEWEST, |found| found.clamp(Version::OLDEST, Version::NEWEST));
        let (options, tags) =
            call.map_or_else(Default::default, |call| (call.invocation.options, call.invocation.tags));
        Self { version, options, tags, doubt, steps }
    }
}

impl GoPackage {
    /// The package of a folder, with the options with which its project calls controller-gen.
    pub(crate) fn of(folder: &Path, projects: &Projects) -> Self {
        let environment = environment();
        let disk = Guarded::of([folder], &environment);
        let called = Called::of(&disk, folder, projects);
        let (folder, paths) = (folder.to_owned(), vec![".".to_owned()]);
        let library = projects.library.clone();
        Self { disk, environment, library, folder, paths, called }
    }

    /// Packages that are generated together; `None` without folders. `texts` replace files.
    pub(crate) fn together<T: InPlace>(
        folders: &[PathBuf],
        texts: &BTreeMap<PathBuf, T>,
        projects: &Projects,
    ) -> Option<Self> {
        let folder = folders.first()?.clone();
        let environment = environment();
        let disk = Guarded::of(folders.iter().map(PathBuf::as_path), &environment);
        let called = Called::of(&Overlay { disk: &disk, texts }, &folder, projects);
        let paths = folders.iter().map(|folder| folder.display().to_string()).collect();
        let library = projects.library.clone();
        Some(Self { disk, environment, library, folder, paths, called })
    }

    /// The packages of a call.
    pub(crate) fn of_call(call: Call, version: Version, projects: &Projects) -> Self {
        let environment = environment();
        let disk = Guarded::of([call.folder.as_path()], &environment);
        let Call { invocation: Invocation { paths, options, tags, .. }, folder, .. } = call;
        let (doubt, steps) = Default::default();
        let called = Called { version, options, tags, doubt, steps };
        Self { disk, environment, library: projects.library.clone(), folder, paths, called }
    }

    /// The output of controller-gen; `texts` replace files. Of the files that an earlier outcome has read, only those that are
    /// named with it are read again.
    pub(crate) fn generate<T: InPlace>(
        &self,
        texts: &BTreeMap<PathBuf, T>,
        before: Option<(&Outcome, &[PathBuf])>,
    ) -> Result<Outcome, String> {
        self.generate_from(&Overlay { disk: &self.disk, texts }, before)
    }

    /// The same, with files that are read from `disk`.
    pub(crate) fn generate_from(
        &self,
        disk: &dyn Disk,
        before: Option<(&Outcome, &[PathBuf])>,
    ) -> Result<Outcome, String> {
        let mut build = Build::default();
        if let Some(tags) = &self.called.tags {
            build = build.with_tags(tags.clone());
        }
        let request = Request {
            disk,
            library: &self.library,
            environment: self.environment.clone(),
            build,
            folder: &self.folder,
            paths: &self.paths,
            options: &self.called.options,
            header: "",
            version: self.called.version,
        };
        let mut outcome = generate_after(&request, before).map_err(|error| error.to_string())?;
        outcome.is_of_others = self.called.doubt.is_of_others;
        outcome.is_uncovered = self.called.doubt.is_uncovered;
        Ok(outcome)
    }

    /// The outcome for the types with rules that no kind uses, in addition to an outcome of the same texts; `None` if there
    /// is no such type.
    pub(crate) fn generate_unreached<T: InPlace>(
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
        let mut outcome = self.generate_from(&disk, Some((outcome, &changed))).ok()?;
        outcome.keep_roots();
        Some(outcome)
    }

    /// Whether controller-gen is called in this way.
    pub(crate) fn is_called_by(&self, options: &Options, version: Version) -> bool {
        self.called.options == *options && self.called.version == version
    }

    /// The line of a script that may have other options for these packages, if the server cannot read them.
    pub(crate) const fn unread(&self) -> Option<&(PathBuf, usize)> {
        self.called.doubt.unread.as_ref()
    }

    /// Turns the errors that a later step repairs into hints. If only the schemas of a definition come from Go, drops the
    /// findings outside its schemas.
    pub(crate) fn settle(&self, generated: &mut Generated, around: &Around<'_>) {
        generated.keep_schemas(&|product| self.called.steps.is_patched(product, &self.disk));
        generated.settle(&|product| self.called.steps.definition(product, &self.disk, around));
    }

    /// The disk from which the files are read.
    pub(crate) const fn disk(&self) -> &Guarded {
        &self.disk
    }
}
