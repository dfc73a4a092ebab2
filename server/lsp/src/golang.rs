//! Reading Go. Files of the repository are opened with the same guards as all files that the user did not name. The module
//! cache and Go's own packages are read as well, in any directory.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use dashmap::DashMap;
use go::load::{Disk, Entry, Environment, LARGEST_FILE, ModFile, clean};

use crate::guarded_files::{self, RepositoryRoot};
use crate::limits::MAX_BYTES;

/// The files of a repository, of the module cache and of Go.
#[derive(Debug)]
pub(crate) struct GuardedDisk {
    /// The repositories of the paths that the user names.
    inside: Vec<RepositoryRoot>,
    /// The directories of Go and of the module cache, without symbolic links.
    directories: Vec<PathBuf>,
    /// A cache of the real paths of folders, if they may be read: a package has many files.
    folders: DashMap<PathBuf, Option<PathBuf>>,
}

impl GuardedDisk {
    /// The files for the repositories of these directories.
    pub(crate) fn of<'d>(directories: impl IntoIterator<Item = &'d Path>, environment: &Environment) -> Self {
        let inside =
            directories.into_iter().map(|directory| RepositoryRoot::of(&module_of(directory))).collect();
        let others = environment.goroot.iter().chain(&environment.modcache);
        let others = others.filter_map(|path| dunce::canonicalize(path).ok()).collect();
        Self { inside, directories: others, folders: DashMap::new() }
    }

    /// The path without symbolic links, if it may be read.
    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        let real = dunce::canonicalize(path).ok()?;
        (self.is_ours(&real) || self.is_of_go(&real)).then_some(real)
    }

    /// The same for a folder, with a cache.
    fn real_folder(&self, folder: &Path) -> Option<PathBuf> {
        if let Some(known) = self.folders.get(folder) {
            return known.clone();
        }
        let real = self.canonical(folder);
        self.folders.insert(folder.to_owned(), real.clone());
        real
    }

    /// The same for a file. Its path is resolved separately only if the file itself is a link.
    fn real_file(&self, path: &Path) -> Option<PathBuf> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return self.canonical(path);
        };
        let real = self.real_folder(folder)?.join(name);
        if real.symlink_metadata().ok()?.is_symlink() { self.canonical(&real) } else { Some(real) }
    }

    fn is_ours(&self, real: &Path) -> bool {
        self.inside.iter().any(|inside| inside.contains(real))
    }

    fn is_of_go(&self, real: &Path) -> bool {
        self.directories.iter().any(|other| real.starts_with(other))
    }
}

impl Disk for GuardedDisk {
    fn read(&self, path: &Path) -> Option<String> {
        let real = self.real_file(path)?;
        let limit = usize::try_from(LARGEST_FILE).ok()?;
        let bytes = guarded_files::regular(&real, limit).ok().filter(|bytes| bytes.len() <= limit)?;
        Some(
            String::from_utf8(bytes)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        )
    }

    fn list(&self, path: &Path) -> Vec<Entry> {
        let directory = self.real_folder(path).and_then(|real| real.read_dir().ok());
        directory.map_or_else(Vec::new, Entry::all_in)
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.real_folder(path).is_some_and(|real| real.is_dir())
    }

    /// Go never changes downloaded files. Files in the repository may change, because they belong to the user.
    fn never_changes(&self, path: &Path) -> bool {
        self.real_folder(path).is_some_and(|real| !self.is_ours(&real) && self.is_of_go(&real))
    }
}

/// Whether a path is that of a Go file.
pub(crate) fn is_go_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "go")
}

/// Whether a path is that of a Go file of a package, except tests.
pub(crate) fn is_package_file(path: &Path) -> bool {
    is_go_file(path) && !path.as_os_str().as_encoded_bytes().ends_with(b"_test.go")
}

/// A text that replaces that of a file.
pub(crate) trait ReplacedText: Sync {
    /// The text.
    fn text(&self) -> String;
}

impl ReplacedText for String {
    fn text(&self) -> String {
        self.clone()
    }
}

/// A disk with other texts for some files, which need not exist on `disk`.
pub(crate) struct Overlay<'a, T> {
    pub(crate) disk: &'a dyn Disk,
    pub(crate) texts: &'a BTreeMap<PathBuf, T>,
}

impl<T: ReplacedText> Disk for Overlay<'_, T> {
    fn read(&self, path: &Path) -> Option<String> {
        self.texts.get(path).map(ReplacedText::text).or_else(|| self.disk.read(path))
    }

    fn list(&self, path: &Path) -> Vec<Entry> {
        let mut entries = self.disk.list(path);
        for other in self.texts.keys().filter(|other| other.parent() == Some(path)) {
            let Some(name) = other.file_name().and_then(|name| name.to_str()) else { continue };
            if entries.iter().all(|entry| entry.name != name) {
                entries.push(Entry { name: name.to_owned(), is_directory: false });
            }
        }
        entries.sort();
        entries
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.disk.is_directory(path)
    }

    fn never_changes(&self, path: &Path) -> bool {
        self.texts.keys().all(|other| other.parent() != Some(path)) && self.disk.never_changes(path)
    }
}

/// The directory that is treated as the repository of a directory outside git: that of its `go.work`, of its module, or of the
/// module that replaces this module by its directory.
fn module_of(directory: &Path) -> PathBuf {
    let above = || directory.ancestors().take_while(|above| !guarded_files::is_shared(above));
    let holding =
        |name: &'static str| above().filter(move |above| above.join(name).symlink_metadata().is_ok());
    if let Some(workspace) = holding("go.work").next() {
        return workspace.to_owned();
    }
    let mut modules = holding("go.mod");
    let own = modules.next().unwrap_or(directory);
    modules.fold(own, |top, outer| if replaces(outer, top) { outer } else { top }).to_owned()
}

/// Whether the module in a directory replaces a module by the directory `inner`.
fn replaces(module: &Path, inner: &Path) -> bool {
    // A file that cannot be read replaces nothing.
    let Ok(text) = guarded_files::found_text(&module.join("go.mod"), MAX_BYTES) else { return false };
    let replaced = ModFile::read(&text).replace;
    replaced.iter().any(|by| by.new_version.is_none() && clean(&module.join(&by.new_path)) == inner)
}

/// Whether the package of a file is named like a version of an API.
pub(crate) fn is_of_version(file: &go::syntax::File) -> bool {
    let number = file.package.name.strip_prefix('v');
    number.is_some_and(|number| number.starts_with(|ch: char| ch.is_ascii_digit()))
}

/// The top directory of the repository of a folder.
pub(crate) fn top_of(folder: &Path) -> PathBuf {
    let repository = folder.ancestors().find(|above| above.join(".git").symlink_metadata().is_ok());
    repository.map_or_else(|| module_of(folder), Path::to_owned)
}

/// The directories of Go: from Go's own environment variables, otherwise the usual places. `go` itself is not run.
pub(crate) fn environment() -> Environment {
    let set = |value: Option<OsString>| value.filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = set(env::var_os("HOME")).or_else(|| set(env::var_os("USERPROFILE")));
    let workspace = set(env::var_os("GOPATH")).and_then(|path| env::split_paths(&path).next());
    let workspace = workspace.or_else(|| Some(home?.join("go")));
    Environment {
        goroot: set(env::var_os("GOROOT")).or_else(installed),
        modcache: set(env::var_os("GOMODCACHE")).or_else(|| Some(workspace?.join("pkg/mod"))),
        workspaces: set(env::var_os("GOWORK")).is_none_or(|value| value != Path::new("off")),
    }
}

/// The directory of the first `go` that is found.
fn installed() -> Option<PathBuf> {
    let program = if cfg!(windows) { "go.exe" } else { "go" };
    let path = env::var_os("PATH").map_or_else(Vec::new, |path| env::split_paths(&path).collect::<Vec<_>>());
    let of_program = path.iter().find_map(|directory| {
        let program = dunce::canonicalize(directory.join(program)).ok()?;
        Some(program.parent()?.parent()?.to_owned())
    });
    let usual = ["/usr/local/go", "/usr/lib/go", "/opt/homebrew/opt/go/libexec", "C:\\Program Files\\Go"];
    let candidates = of_program.into_iter().chain(usual.iter().map(PathBuf::from));
    candidates.into_iter().find(|root| root.join("src/time").is_dir())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeMap;
    use std::fs;

    use go::load::{Disk, Environment};

    use super::{GuardedDisk, Overlay};

    #[test]
    fn only_files_in_the_module_cache_never_change() {
        let folder = tempfile::tempdir().unwrap();
        let (project, cache) = (folder.path().join("project"), folder.path().join("cache"));
        let (of_project, of_module) = (project.join("v1"), cache.join("k8s.io/api@v0.36.3/core/v1"));
        for folder in [&of_project, &of_module] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join("types.go"), "package v1\n").unwrap();
        }
        fs::write(project.join("go.mod"), "module example.com/project\n").unwrap();
        let environment = Environment { goroot: None, modcache: Some(cache), workspaces: false };
        let disk = GuardedDisk::of([project.as_path()], &environment);
        assert!(disk.never_changes(&of_module));
        assert!(!disk.never_changes(&of_project));
        assert!(!disk.never_changes(folder.path()), "what may not be read");
        let texts = BTreeMap::from([(of_module.join("types.go"), "package v1\n".to_owned())]);
        assert!(!Overlay { disk: &disk, texts: &texts }.never_changes(&of_module), "a file of it is open");
    }
}
