//! The Go files below directories, and whether their packages declare kinds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ignore::DirEntry;

use super::Texts;
use super::group::group_of;
use crate::config::Projects;
use crate::golang::is_package_file;
use crate::guarded_files;
use crate::limits::MAX_BYTES;
use crate::paths::absolute;
use crate::walk::entries;

/// Folders of code that others wrote, and folders that hold no packages.
const FOREIGN: [&str; 3] = ["vendor", "testdata", "node_modules"];

/// The Go files below directories.
#[derive(Debug, Default)]
pub(crate) struct PackagesBelow {
    /// The files in packages that declare kinds.
    pub(crate) of_kinds: Vec<PathBuf>,
    /// The number of files in other packages.
    pub(crate) other_files: usize,
}

/// The Go files below a directory, except tests and the code of others. `is_left_out` gets a path, and whether it is a directory.
pub(super) fn go_files(
    directory: &Path,
    is_left_out: impl Fn(&Path, bool) -> bool + Send + Sync + 'static,
) -> impl Iterator<Item = PathBuf> {
    let (entries, _) = entries(directory, move |entry| {
        let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        let is_foreign = entry.file_name().to_str().is_some_and(|name| FOREIGN.contains(&name));
        let is_wanted = if is_directory { !is_foreign } else { is_package_file(entry.path()) };
        // The user has named the directory itself.
        entry.depth() == 0 || is_wanted && !is_left_out(entry.path(), is_directory)
    });
    let files = entries.into_iter().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    files.map(DirEntry::into_path)
}

/// The files of a package, and the properties that they show.
#[derive(Default)]
struct Package {
    has_kinds: bool,
    /// Whether there is a marker that only controller-gen reads.
    is_marked: bool,
    files: Vec<PathBuf>,
}

/// Finds the Go files below directories.
pub(crate) fn packages_below<'p>(
    directories: impl Iterator<Item = &'p Path>,
    projects: &Projects,
) -> PackagesBelow {
    let mut packages: BTreeMap<PathBuf, Package> = BTreeMap::new();
    for path in directories {
        let all = projects.clone();
        let leave_out = move |path: &Path, is_directory| all.leave_out(&absolute(path), is_directory);
        for file in go_files(path, leave_out) {
            let Some(folder) = file.parent().map(Path::to_owned) else { continue };
            // A file that cannot be read names no group; the generation of its package reports it.
            let text = guarded_files::found_text(&file, MAX_BYTES).unwrap_or_else(|_| String::new());
            let package = packages.entry(folder).or_default();
            package.has_kinds |= is_of_kinds(&text);
            package.is_marked |= text.contains("+kubebuilder:");
            package.files.push(file);
        }
    }
    let mut packages_below = PackagesBelow::default();
    for (folder, package) in packages {
        let is_of_others =
            || !package.is_marked && group_of(&absolute(&folder), &Texts::new(), projects).is_empty();
        if package.has_kinds && !is_of_others() {
            packages_below.of_kinds.extend(package.files);
        } else {
            packages_below.other_files += package.files.len();
        }
    }
    packages_below
}

/// Markers of packages that declare kinds. One marker is enough, because the missing marker may be the name of the group.
const OF_KINDS: [&str; 7] = [
    "+groupName=",
    "+kubebuilder:groupName=",
    "+kubebuilder:resource:",
    "+kubebuilder:subresource:",
    "+kubebuilder:printcolumn:",
    "+kubebuilder:storageversion",
    // A marker of types that kinds of other packages use.
    "+kubebuilder:validation:",
];

/// Whether a file shows that its package declares kinds, even if no marker names their group.
fn is_of_kinds(text: &str) -> bool {
    const KIND: [&str; 3] = ["+kubebuilder:object:root=true", ".TypeMeta ", ".ObjectMeta "];
    OF_KINDS.iter().any(|marker| text.contains(marker)) || KIND.iter().all(|part| text.contains(part))
}

/// The Go files in a folder, except tests.
pub(crate) fn go_files_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| is_package_file(path))
}

/// Whether the package in a folder declares kinds.
pub(crate) fn declares_kinds(folder: &Path) -> bool {
    go_files_in(folder)
        .any(|file| guarded_files::found_text(&file, MAX_BYTES).is_ok_and(|text| is_of_kinds(&text)))
}
