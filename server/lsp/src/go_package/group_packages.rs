//! The packages of a repository that generate the definitions of a group. They are the Go sources of definitions for which no
//! call is found: in projects that call controller-gen from code, in bundles, and in copies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use go::discover::{Call, CallPlace};
use go::invocation::{Invocation, Target};
use rayon::prelude::*;

use super::Texts;
use super::calls::call_for;
use super::group::{group_in, group_of};
use super::packages_below::go_files;
use crate::config::Projects;
use crate::golang::{GuardedDisk, environment, top_of};
use crate::guarded_files;
use crate::limits::MAX_BYTES;

/// The maximum number of Go files of a repository that are read.
const MOST_FILES: usize = 20_000;

/// The folders of the packages that name a group.
type Groups = BTreeMap<String, Vec<PathBuf>>;

/// The calls for the packages of a group.
type Calls = Arc<[Call]>;

/// The groups of repositories. Each repository is searched once.
#[derive(Debug, Default)]
pub(crate) struct RepositoryGroups {
    repositories: Mutex<BTreeMap<PathBuf, Arc<Groups>>>,
    /// The calls by the top of the repository and the group.
    calls: Mutex<BTreeMap<(PathBuf, String), Calls>>,
}

impl RepositoryGroups {
    /// Substitutes for calls that are not found: one call for each set of packages in the repository of `folder` that
    /// generate definitions of a group together. Their options and targets are those of a call that is found for the
    /// packages, if there is one.
    pub(crate) fn calls(&self, folder: &Path, group: &str, projects: &Projects) -> Calls {
        let groups = self.groups(folder);
        let Some(packages) = groups.get(group) else { return Calls::default() };
        let mut known = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = known.entry((top_of(folder), group.to_owned())).or_insert_with(|| {
            let together = group_packages(packages.iter(), projects).into_iter();
            together.filter_map(|folders| Some(call_of(folders.first()?, &folders, projects))).collect()
        });
        Arc::clone(calls)
    }

    /// The packages below a folder that name a group, in sets that are generated together.
    pub(crate) fn below(&self, folder: &Path, projects: &Projects) -> Vec<Vec<PathBuf>> {
        let groups = match self.lock_repositories().get(&top_of(folder)) {
            Some(groups) => Arc::clone(groups),
            // The other packages of the repository are not needed.
            None => Arc::new(groups_below(&top_of(folder), folder, folder)),
        };
        group_packages(groups.values().flatten().filter(|package| package.starts_with(folder)), projects)
    }

    /// Whether the repository of `folder` names any group.
    pub(crate) fn has_any(&self, folder: &Path) -> bool {
        !self.groups(folder).is_empty()
    }

    fn groups(&self, folder: &Path) -> Arc<Groups> {
        let top = top_of(folder);
        let find = |top: &PathBuf| Arc::new(groups_below(top, folder, top));
        Arc::clone(self.lock_repositories().entry(top).or_insert_with_key(find))
    }

    fn lock_repositories(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Arc<Groups>>> {
        self.repositories.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Packages in sets that are generated together.
fn group_packages<'p>(packages: impl Iterator<Item = &'p PathBuf>, projects: &Projects) -> Vec<Vec<PathBuf>> {
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
    let found = call_for(&GuardedDisk::of([first], &environment), first, projects);
    let target = found.as_ref().and_then(Call::target);
    let target = target.map_or(Target::Nowhere, |target| Target::Folder(target.display().to_string()));
    let (options, tags) =
        found.map_or_else(Default::default, |call| (call.invocation.options, call.invocation.tags));
    let paths = folders.iter().map(|folder| folder.display().to_string()).collect();
    let invocation = Invocation { paths, options, target, tags };
    let (folder, file) = (first.to_owned(), first.to_owned());
    Call::known(invocation, folder, (file, CallPlace::Definitions))
}

/// The groups of the packages below `start` in a repository, if `folder` is in a module, or if there is a module in a
/// top-level folder of the repository; otherwise empty.
fn groups_below(top: &Path, folder: &Path, start: &Path) -> Groups {
    let is_module = |folder: &Path| ["go.mod", "go.work"].iter().any(|name| folder.join(name).is_file());
    let above = || folder.ancestors().take_while(|above| above.starts_with(top));
    let below = || top.read_dir().into_iter().flatten().flatten().any(|entry| is_module(&entry.path()));
    if !above().any(is_module) && !below() {
        return Groups::new();
    }
    let files: Vec<PathBuf> = go_files(start, |_, _| false).take(MOST_FILES).collect();
    let named = files.par_iter().filter_map(|file| {
        // A file that cannot be read names no group.
        let text = guarded_files::found_text(file, MAX_BYTES).ok()?;
        Some((file.parent()?, group_in(&text)?))
    });
    // If several files of a folder name a group, the first one is used.
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
