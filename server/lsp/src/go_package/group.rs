//! The packages that generate definitions together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use go::load::Disk;
use memchr::memmem;

use super::call_for;
use crate::config::Projects;
use crate::golang::{GuardedDisk, Overlay, ReplacedText, environment, is_package_file};

/// The folders of the packages that generate definitions together with that in `folder`: those of the same group beside it.
/// Empty if the package has no markers for controller-gen.
pub(crate) fn group_of<T: ReplacedText>(
    folder: &Path,
    texts: &BTreeMap<PathBuf, T>,
    projects: &Projects,
) -> Vec<PathBuf> {
    let environment = environment();
    let disk = Overlay { disk: &GuardedDisk::of([folder], &environment), texts };
    let Some(own) = group_name(&disk, folder) else { return Vec::new() };
    let alone = BTreeSet::from([folder.to_owned()]);
    let (Some(name), Some(parent)) = (own, folder.parent()) else { return alone.into_iter().collect() };
    let call = call_for(&disk, folder, projects);
    if call.is_none() && is_of_others(texts_in(&disk, folder)) {
        return Vec::new();
    }
    let neighbours = disk.list(parent).into_iter().filter(|entry| entry.is_directory);
    let neighbours = neighbours.map(|entry| parent.join(entry.name)).filter(|other| {
        let is_covered = call.as_ref().is_none_or(|call| call.covers(other, &disk));
        is_covered && group_name(&disk, other) == Some(Some(name.clone()))
    });
    alone.into_iter().chain(neighbours).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The group that the package in a folder names, if any; the outer `None` if it has no markers at all.
pub(super) fn group_name(disk: &dyn Disk, folder: &Path) -> Option<Option<String>> {
    let mut is_marked = false;
    for text in texts_in(disk, folder) {
        is_marked |= has_markers(&text);
        let named = group_in(&text);
        if named.is_some() {
            return Some(named);
        }
    }
    is_marked.then_some(None)
}

/// The texts of the Go files in a folder, except tests and files that cannot be read.
fn texts_in(disk: &dyn Disk, folder: &Path) -> impl Iterator<Item = String> {
    let entries = disk.list(folder).into_iter();
    let ours = entries.filter(|entry| !entry.is_directory && is_package_file(Path::new(&entry.name)));
    ours.filter_map(move |entry| disk.read(&folder.join(entry.name)))
}

/// Whether the markers of a package with these files are for the generators of clients and of deep copies, which name groups as
/// controller-gen does: their types need not be those of definitions.
fn is_of_others(texts: impl Iterator<Item = String>) -> bool {
    const OTHERS: [&str; 3] = ["+genclient", "+k8s:deepcopy-gen", "+k8s:protobuf-gen"];
    let mut is_of_others = false;
    for text in texts {
        if contains_word(&text, "+kubebuilder:") {
            return false;
        }
        is_of_others |= OTHERS.iter().any(|marker| contains_word(&text, marker));
    }
    is_of_others
}

/// The group that a Go file names.
pub(super) fn group_in(text: &str) -> Option<String> {
    const MARKER: &str = "+groupName=";
    if !contains_word(text, MARKER) {
        return None;
    }
    text.lines().find_map(|line| {
        let comment = line.trim_start().strip_prefix("//")?.trim_start();
        Some(comment.strip_prefix(MARKER)?.trim().to_owned())
    })
}

/// Whether a Go file may have markers of controller-gen.
pub(crate) fn has_markers(text: &str) -> bool {
    contains_word(text, "+kubebuilder:") || contains_word(text, "+groupName=")
}

/// Whether a text contains a word. Several times as fast as `contains`, because whole repositories are searched.
fn contains_word(text: &str, word: &str) -> bool {
    memmem::find(text.as_bytes(), word.as_bytes()).is_some()
}
