//! The calls of controller-gen in a project: from its settings, or otherwise from its scripts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use go::discover::{self, Call};
use go::load::Disk;
use go::version::Version;

use super::group::group_name;
use crate::config::{Calls, Projects};
use crate::golang::{GuardedDisk, environment, top_of};

/// The call that writes the definitions of a folder.
pub(crate) fn call_for(disk: &dyn Disk, folder: &Path, projects: &Projects) -> Option<Call> {
    let of_settings = discover::call_for(&calls_in_settings(projects, folder).all, disk, folder);
    let of_scripts = || discover::call_for(&calls(disk, folder, projects), disk, folder);
    of_settings.or_else(of_scripts).or_else(|| {
        let group = group_name(disk, folder).flatten();
        discover::committed(disk, folder, &top_of(folder), group.as_deref())
    })
}

/// The unknown parts of the generation of a package that no call of its project names.
#[derive(Debug, Default)]
pub(super) struct UnknownParts {
    /// Whether it calls controller-gen for other packages only.
    pub(super) is_uncovered: bool,
    /// Whether the project calls controller-gen for other packages, and this one has no group.
    pub(super) is_of_others: bool,
    /// A line that may generate the package: the packages that it names are known only when it runs.
    pub(super) unread: Option<(PathBuf, usize)>,
}

impl UnknownParts {
    pub(super) fn of(disk: &dyn Disk, folder: &Path, projects: &Projects) -> Self {
        let configured = calls_in_settings(projects, folder);
        let mut all = calls(disk, folder, projects);
        all.extend(configured.all.iter().cloned());
        if all.iter().any(|call| call.covers(folder, disk)) {
            return Self::default();
        }
        let unread = projects.scripts.unread_line(disk, folder, &top_of(folder), Version::NEWEST);
        let has_group = || group_name(disk, folder).flatten().is_some();
        let is_uncovered = unread.is_none() && !all.is_empty();
        Self { is_uncovered, is_of_others: is_uncovered && !has_group(), unread }
    }
}

/// The note on a line whose packages are known only when it runs.
pub(crate) fn unread_note((file, line): &(PathBuf, usize), shown: &dyn Fn(&Path) -> String) -> String {
    format!(
        "{}:{line} names packages that are known only when it runs, so its options do not count; write it as `go.calls` in \
         .crd-ls.toml",
        shown(file)
    )
}

/// The calls that name only folders below `folder`, in the order of their files; of calls that write the same, the last. If
/// no file above has a call, those in folders below are used.
pub(crate) fn calls_below(disk: &dyn Disk, folder: &Path, projects: &Projects) -> Vec<Call> {
    let mut all = calls_in_settings(projects, folder).all.clone();
    if all.is_empty() {
        all = calls(disk, folder, projects);
    }
    all.retain(|call| call.is_below(folder, disk));
    if all.is_empty() {
        all = projects.scripts.calls_within(disk, folder, Version::NEWEST);
        all.retain(|call| call.is_below(folder, disk));
    }
    let file = |call: &Call| call.redirected.as_ref().map(|to| to.file.clone());
    let same = |one: &Call, other: &Call| {
        one.target() == other.target()
            && file(one) == file(other)
            && one.folder == other.folder
            && one.invocation.paths == other.invocation.paths
    };
    let mut found: Vec<Call> = Vec::new();
    for call in all {
        found.retain(|one| !same(one, &call));
        found.push(call);
    }
    found
}

/// The release of controller-gen that is called for a folder, and that writes into `target`.
pub(crate) fn version_for(
    disk: &dyn Disk,
    folder: &Path,
    target: Option<&Path>,
    projects: &Projects,
) -> Option<Version> {
    let found = || discover::version(disk, folder, &top_of(folder), target).map(|found| found.version);
    calls_in_settings(projects, folder).version.or_else(found)
}

/// The calls that may write the files in a folder; calls with this folder as their target come first.
pub(crate) fn calls_for(written: &Path, projects: &Projects) -> Vec<Call> {
    let environment = environment();
    let disk = GuardedDisk::of([written], &environment);
    let mut all = calls_in_settings(projects, written).all.clone();
    all.extend(calls(&disk, written, projects));
    all.sort_by_key(|call| call.target().as_deref() != Some(written));
    all
}

fn calls(disk: &dyn Disk, folder: &Path, projects: &Projects) -> Vec<Call> {
    projects.scripts.calls(disk, folder, &top_of(folder), Version::NEWEST)
}

fn calls_in_settings(projects: &Projects, folder: &Path) -> Arc<Calls> {
    projects.project_of(&folder.join("types.go")).calls
}
