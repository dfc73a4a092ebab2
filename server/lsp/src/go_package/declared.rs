//! Which packages of a repository make the definitions of a group. They lead to Go what no call is found for: definitions of projects
//! whose calls are code, bundles, and copies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use go::discover::{Call, CallPlace};
use go::invocation::{Invocation, Target};
use rayon::prelude::*;

use super::Texts;
use super::below::go_files;
use super::called::call_for;
use super::group::{group_in, group_of};
use crate::config::Projects;
use crate::golang::{Guarded, environment, top_of};
use crate::guarded;
use crate::limits::MAX_BYTES;

/// At most so many Go files of a repository are read.
const MOST_FILES: usize = 20_000;

/// The folders of the packages that name a group.
type Groups = BTreeMap<String, Vec<PathBuf>>;

/// The calls for the packages of a group.
type Calls = Arc<[Call]>;

/// The groups of repositories. Each repository is searched once.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    repositories: Mutex<BTreeMap<PathBuf, Arc<Groups>>>,
    /// By the top of the repository and the group.
    calls: Mutex<BTreeMap<(PathBuf, String), Calls>>,
}

impl Declared {
    /// Calls for the packages of the repository of `folder` that make the definitions of a group, in place of the calls that are not
    /// found: one for the packages that are generated together. Their options and targets are those of a call that is found for the
    /// packages, if there is one.
    pub(crate) fn calls(&self, folder: &Path, group: &str, projects: &Projects) -> Calls {
        let groups = self.groups(folder);
        let Some(packages) = groups.get(group) else { return Calls::default() };
        let mut known = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = known.entry((top_of(folder), group.to_owned())).or_insert_with(|| {
            let together = together(packages.iter(), projects).into_iter();
            together.filter_map(|folders| Some(call_of(folders.first()?, &folders, projects))).collect()
        });
        Arc::clone(calls)
    }

    /// The packages below a folder that name a group, those together that are generated together.
    pub(crate) fn below(&self, folder: &Path, projects: &Projects) -> Vec<Vec<PathBuf>> {
        let groups = match self.known().get(&top_of(folder)) {
            Some(groups) => Arc::clone(groups),
            // Nobody has asked for the others.
            None => Arc::new(groups_below(&top_of(folder), folder, folder)),
        };
        together(groups.values().flatten().filter(|package| package.starts_with(folder)), projects)
    }

    /// Whether the repository of `folder` names any group.
    pub(crate) fn has_any(&self, folder: &Path) -> bool {
        !self.groups(folder).is_empty()
    }

    fn groups(&self, folder: &Path) -> Arc<Groups> {
        let top = top_of(folder);
        let find = |top: &PathBuf| Arc::new(groups_below(top, folder, top));
        Arc::clone(self.known().entry(top).or_insert_with_key(find))
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Arc<Groups>>> {
        self.repositories.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Packages, those together that are generated together.
fn together<'p>(packages: impl Iterator<Item = &'p PathBuf>, projects: &Projects) -> Vec<Vec<PathBuf>> {
    let mut pending: BTreeSet<&PathBuf> = packages.collect();
    let mut all = Vec::new();
    while let Some(first) = pending.pop_first() {
        let mut folders = group_of(first, &Texts::new(), projects);
        if folders.is_empty() {
            continue;
        }
        folders.retain(|folder| folder != first);
        folders.insert(0, first.clone());
        pending.retain(|other| !folders.contains(other));
        all.push(folders);
    }
    all
}

fn call_of(first: &Path, folders: &[PathBuf], projects: &Projects) -> Call {
    let environment = environment();
    let found = call_for(&Guarded::of([first], &environment), first, projects);
    let target = found.as_ref().and_then(Call::target);
    let target = target.map_or(Target::Nowhere, |target| Target::Folder(target.display().to_string()));
    let (options, tags) =
        found.map_or_else(Default::default, |call| (call.invocation.options, call.invocation.tags));
    let paths = folders.iter().map(|folder| folder.display().to_string()).collect();
    let invocation = Invocation { paths, options, target, tags };
    Call { invocation, folder: first.to_owned(), file: first.to_owned(), place: CallPlace::Definitions }
}

/// The groups of the packages below `start` in a repository, where `folder` is in a module, or where modules are in the first folders
/// of the repository.
fn groups_below(top: &Path, folder: &Path, start: &Path) -> Groups {
    let is_module = |folder: &Path| ["go.mod", "go.work"].iter().any(|name| folder.join(name).is_file());
    let above = || folder.ancestors().take_while(|above| above.starts_with(top));
    let below = || top.read_dir().into_iter().flatten().flatten().any(|entry| is_module(&entry.path()));
    if !above().any(is_module) && !below() {
        return Groups::new();
    }
    let files: Vec<PathBuf> = go_files(start, |_, _| false).take(MOST_FILES).collect();
    let named = files.par_iter().filter_map(|file| {
        // What cannot be read names no group.
        let text = guarded::found_text(file, MAX_BYTES).ok()?;
        Some((file.parent()?, group_in(&text)?))
    });
    // Of several files of a folder, the first one counts.
    let named: Vec<(&Path, String)> = named.collect();
    let mut folders: BTreeMap<&Path, String> = BTreeMap::new();
    for (folder, group) in named {
        folders.entry(folder).or_insert(group);
    }
    let mut groups = Groups::new();
    for (folder, group) in folders {
        groups.entry(group).or_default().push(folder.to_owned());
    }
    groups
}
