//! Go packages that definitions are generated of: as they are on disk, and as edits leave them.

mod analysis;
mod repairs;
mod told;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use go::discover::{self, Call};
use go::generate::{Outcome, Request, generate};
use go::invocation::Options;
use go::load::{Build, Disk, Entry, Environment};
use go::version::Version;

use crate::golang::{Guarded, environment, top_of};

pub(crate) use analysis::{Analysis, is_of_later_step, json_of};
pub(crate) use repairs::{Repaired, offered, repaired};
pub(crate) use told::{Told, place_of, told};

/// Texts of files that are not written yet, by their paths.
pub(crate) type Texts = BTreeMap<PathBuf, String>;

/// Packages, and how controller-gen is called for them.
#[derive(Debug)]
pub(crate) struct GoPackage {
    disk: Guarded,
    environment: Environment,
    folder: PathBuf,
    paths: Vec<String>,
    options: Options,
    tags: Option<Vec<String>>,
    pub(crate) version: Version,
}

impl GoPackage {
    /// The package of a folder, with the options that its project calls controller-gen with.
    pub(crate) fn of(folder: &Path) -> Self {
        let environment = environment();
        let disk = Guarded::of([folder], &environment);
        let top = top_of(folder);
        let call = discover::call_for(&disk, folder, &top, Version::NEWEST);
        let target = call.as_ref().and_then(Call::target);
        let found = discover::version(&disk, folder, &top, target.as_deref()).map(|found| found.version);
        let version = found.map_or(Version::NEWEST, |found| found.clamp(Version::OLDEST, Version::NEWEST));
        let (options, tags) =
            call.map_or_else(Default::default, |call| (call.invocation.options, call.invocation.tags));
        Self {
            disk,
            environment,
            folder: folder.to_owned(),
            paths: vec![".".to_owned()],
            options,
            tags,
            version,
        }
    }

    /// The packages of a call.
    pub(crate) fn of_call(call: Call, version: Version) -> Self {
        let environment = environment();
        let disk = Guarded::of([call.folder.as_path()], &environment);
        let Call { invocation, folder, .. } = call;
        Self {
            disk,
            environment,
            folder,
            paths: invocation.paths,
            options: invocation.options,
            tags: invocation.tags,
            version,
        }
    }

    /// The calls that may write what is in a folder: those that write there first.
    pub(crate) fn calls_for(written: &Path) -> Vec<Call> {
        let environment = environment();
        let disk = Guarded::of([written], &environment);
        let mut calls = discover::calls(&disk, written, &top_of(written), Version::NEWEST);
        calls.sort_by_key(|call| call.target().as_deref() != Some(written));
        calls
    }

    /// What controller-gen would write; `texts` are in the place of files.
    pub(crate) fn generate(&self, texts: &Texts) -> Result<Outcome, String> {
        let disk = Edited { disk: &self.disk, texts };
        let mut build = Build::default();
        if let Some(tags) = &self.tags {
            build = build.with_tags(tags.clone());
        }
        let request = Request {
            disk: &disk,
            environment: self.environment.clone(),
            build,
            folder: &self.folder,
            paths: &self.paths,
            options: &self.options,
            header: "",
            version: self.version,
        };
        generate(&request).map_err(|error| error.to_string())
    }
}

/// Files as edits leave them.
struct Edited<'d> {
    disk: &'d Guarded,
    texts: &'d Texts,
}

impl Disk for Edited<'_> {
    fn read(&self, path: &Path) -> Option<String> {
        self.texts.get(path).cloned().or_else(|| self.disk.read(path))
    }

    fn list(&self, path: &Path) -> Vec<Entry> {
        self.disk.list(path)
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.disk.is_directory(path)
    }
}
