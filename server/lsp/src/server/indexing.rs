//! Indexing: the search for definitions in the files of the workspace, in parallel with the writer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ide::SourceScope;

use super::inbox::{Inbox, Message};
use crate::config::{self, Projects};
use crate::definitions::{DefinitionPlace, FoundDefinitions, files_below, of_files};

/// The minimum time between two batches of results.
const BATCH_INTERVAL: Duration = Duration::from_millis(200);

/// The files to index.
#[derive(Clone, Debug)]
pub(super) enum Scope {
    /// All files.
    All,
    /// The files at or below these paths, which have changed.
    Below(BTreeSet<PathBuf>),
}

impl fmt::Display for Scope {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => write!(out, "all"),
            Self::Below(paths) => write!(out, "{} paths", paths.len()),
        }
    }
}

/// An indexing run.
#[derive(Debug)]
pub(super) struct IndexJob {
    pub(super) folders: Vec<PathBuf>,
    /// Directories of settings files that may name further places.
    pub(super) homes: BTreeSet<PathBuf>,
    pub(super) editor: Arc<config::Editor>,
    pub(super) projects: Projects,
    pub(super) scope: Scope,
}

/// The results of an indexing run.
#[derive(Debug, Default)]
pub(super) struct IndexProgress {
    pub(super) found: FoundDefinitions,
    pub(super) done: Option<IndexEnd>,
}

impl IndexProgress {
    /// The message for a run that crashed: it has ended, and earlier results are kept.
    pub(super) fn crashed(scope: Scope) -> Message {
        let problems = vec!["searching for definitions crashed; please report it".to_owned()];
        let done = IndexEnd { is_complete: false, ..IndexEnd::new(scope) };
        let found = FoundDefinitions { problems, ..FoundDefinitions::default() };
        Message::Indexed(Box::new(Self { found, done: Some(done) }))
    }
}

/// The end of an indexing run.
#[derive(Debug)]
pub(super) struct IndexEnd {
    /// The scope of the run.
    pub(super) scope: Scope,
    /// The sources in it that hold definitions; other sources no longer do.
    pub(super) sources: BTreeSet<Arc<str>>,
    /// The files in it.
    pub(super) files: BTreeSet<PathBuf>,
    /// Whether kustomizations name patches that were unknown.
    pub(super) has_patches: bool,
    /// Whether all of it was indexed.
    pub(super) is_complete: bool,
}

impl IndexEnd {
    /// The end of a complete run over `scope` in which there is nothing.
    pub(super) fn new(scope: Scope) -> Self {
        let (sources, files) = Default::default();
        Self { scope, sources, files, has_patches: false, is_complete: true }
    }
}

/// The files to read.
struct Files {
    all: Vec<PathBuf>,
    /// The files that settings name as definitions.
    named: BTreeMap<PathBuf, SourceScope>,
    /// The problems of the walks.
    problems: Vec<String>,
}

impl IndexJob {
    /// Sends the results to the writer in batches.
    pub(super) fn run(self, inbox: &Inbox) {
        let Files { all: files, named, problems } = self.files();
        let batch =
            Mutex::new((FoundDefinitions { problems, ..FoundDefinitions::default() }, Instant::now()));
        let sources = Mutex::new(BTreeSet::new());
        of_files(&files, &|found: FoundDefinitions| {
            let names = found.definitions.iter().map(|definitions| Arc::clone(definitions.source()));
            sources.lock().unwrap_or_else(PoisonError::into_inner).extend(names);
            let (all, since) = &mut *batch.lock().unwrap_or_else(PoisonError::into_inner);
            all.add(found.naming(&named));
            if since.elapsed() >= BATCH_INTERVAL {
                let indexed = IndexProgress { found: std::mem::take(all), done: None };
                inbox.send(Message::Indexed(Box::new(indexed)));
                *since = Instant::now();
            }
        });
        let (found, _) = batch.into_inner().unwrap_or_else(PoisonError::into_inner);
        let sources = sources.into_inner().unwrap_or_else(PoisonError::into_inner);
        let has_patches = self.projects.add_files(files.iter().map(PathBuf::as_path));
        tracing::info!(files = files.len(), definitions = sources.len(), "searched files for definitions");
        let files = files.into_iter().collect();
        let done = Some(IndexEnd { sources, files, has_patches, ..IndexEnd::new(self.scope) });
        inbox.send(Message::Indexed(Box::new(IndexProgress { found, done })));
    }

    fn files(&self) -> Files {
        let (mut files, mut problems) = (BTreeSet::new(), Vec::new());
        let mut named: BTreeMap<PathBuf, SourceScope> = BTreeMap::new();
        for folder in &self.folders {
            if !self.is_wanted(folder) {
                continue;
            }
            let scope = self.scope.clone();
            let (root, projects) = (folder.clone(), self.projects.clone());
            let (found, wrong) = files_below(folder, move |path, is_directory| {
                // The user has opened the folder itself.
                leads_to(path, &scope) && (path == root || !projects.leave_out(path, is_directory))
            });
            files.extend(found);
            problems.extend(wrong);
        }
        let (places, wrong) = self.places();
        problems.extend(wrong);
        for place in places.iter().filter(|place| self.is_wanted(&place.path)) {
            let (found, wrong) = place.files();
            for path in found.into_iter().filter(|path| leads_to(path, &self.scope)) {
                let naming = named.entry(path).or_default();
                *naming = naming.and(&place.naming);
            }
            problems.extend(wrong);
        }
        for (path, naming) in &mut named {
            // The walk of the folders does not find this file.
            if files.insert(path.clone()) {
                *naming = naming.clone().exclusive();
            }
        }
        Files { all: files.into_iter().collect(), named, problems }
    }

    fn is_wanted(&self, root: &Path) -> bool {
        leads_to(root, &self.scope)
    }

    /// The further places that settings name.
    fn places(&self) -> (Vec<DefinitionPlace>, Vec<String>) {
        let (mut places, mut problems) = (Vec::new(), Vec::new());
        let mut add = |(found, wrong): (Vec<DefinitionPlace>, Vec<String>)| {
            places.extend(found);
            problems.extend(wrong);
        };
        self.folders.iter().for_each(|folder| add(config::places_of(&self.editor, folder)));
        let mut homes = self.homes.clone();
        homes.extend(
            self.folders.iter().filter_map(|folder| self.projects.project_of(&folder.join("-")).home),
        );
        homes.iter().for_each(|home| add(self.projects.project_of(&home.join("-")).places()));
        (places, problems)
    }
}

/// Whether `path` is in the scope, or above a path in the scope.
fn leads_to(path: &Path, scope: &Scope) -> bool {
    match scope {
        Scope::All => true,
        Scope::Below(paths) => {
            paths.iter().any(|wanted| wanted.starts_with(path) || path.starts_with(wanted))
        }
    }
}
