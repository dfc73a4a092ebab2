//! Finds the packages of imports: in `go.mod`, `go.work`, `replace`, `vendor`, the module cache and Go's own packages.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::{Component, Path, PathBuf};

use super::disk::Disk;
use super::module::{ModFile, compare, escaped, may_contain};

/// The directories of Go.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// The directory that contains Go's own packages in `src`.
    pub goroot: Option<PathBuf>,
    /// The module cache.
    pub modcache: Option<PathBuf>,
    /// Whether `go.work` is used.
    pub workspaces: bool,
}

/// The modules in which packages are searched.
#[derive(Clone, Debug)]
pub struct Context {
    /// The main modules: path, folder, `go.mod`.
    pub main: Vec<(String, PathBuf, ModFile)>,
    /// The folder of `go.work`, or of the single module.
    pub root: PathBuf,
    /// The folder that contains all packages of other modules.
    vendor: Option<PathBuf>,
    /// The required modules with their versions, the longest path first.
    require: Vec<(String, String)>,
    /// `replace` of `go.work`.
    work: ModFile,
    /// Whether indirect requirements have been looked up.
    is_complete: bool,
}

/// The result of looking up an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModuleLocation {
    /// A folder.
    Folder(PathBuf),
    /// A module that is not in the module cache.
    NotDownloaded {
        /// The module that go.mod requires, which names it in commands.
        required: String,
        /// The module that Go downloads, which may replace the required one.
        module: String,
        /// The version that Go downloads.
        version: String,
    },
    /// A module that is replaced by a folder that is missing or unreadable.
    NoReplacement(String, PathBuf),
    /// Unknown.
    Nowhere,
}

/// The maximum number of `go.mod` files of other modules to read.
const MAX_MODULES: usize = 4_000;

/// The maximum number of parent folders to search for `go.mod` and `go.work`.
const MAX_FOLDERS: usize = 64;

/// A path without `.` and `..`.
#[must_use]
pub fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if out.parent().is_some() => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

impl Context {
    /// The context of the module that contains a folder.
    pub fn of(folder: &Path, disk: &dyn Disk, environment: &Environment) -> Option<Self> {
        let upward = || folder.ancestors().take(MAX_FOLDERS);
        let (module_folder, module) = upward().find_map(|folder| {
            Some((folder.to_owned(), ModFile::read(&disk.read(&folder.join("go.mod"))?)))
        })?;
        let work = upward().find_map(|folder| {
            let work = ModFile::read(&disk.read(&folder.join("go.work"))?);
            let used: Vec<PathBuf> = work.used.iter().map(|used| clean(&folder.join(used))).collect();
            (environment.workspaces && used.contains(&module_folder)).then(|| (folder.to_owned(), work, used))
        });
        let (root, work, folders) = match work {
            Some((root, work, used)) => (root, work, used),
            None => (module_folder.clone(), ModFile::default(), vec![module_folder]),
        };
        let mut main: Vec<(String, PathBuf, ModFile)> = Vec::new();
        for folder in folders {
            let file = match disk.read(&folder.join("go.mod")) {
                Some(text) => ModFile::read(&text),
                None => module.clone(),
            };
            main.push((file.module.clone(), folder, file));
        }
        main.sort_by_key(|(path, ..)| std::cmp::Reverse(path.len()));
        let go = if work.go.is_empty() { &module.go } else { &work.go };
        let is_vendored =
            disk.read(&root.join("vendor/modules.txt")).is_some() && compare(go, "1.14").is_ge();
        let vendor = is_vendored.then(|| root.join("vendor"));
        let mut versions: BTreeMap<String, String> = BTreeMap::new();
        for (path, version) in main.iter().flat_map(|(.., file)| &file.require) {
            newer(&mut versions, path, version);
        }
        let mut context = Self { main, root, vendor, require: Vec::new(), work, is_complete: false };
        context.set_require(versions);
        Some(context)
    }

    fn set_require(&mut self, versions: BTreeMap<String, String>) {
        self.require = versions.into_iter().collect();
        self.require.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
    }

    /// The import path of a folder in a main module or in `vendor`, whose packages keep their own import paths.
    #[must_use]
    pub fn import_path(&self, folder: &Path) -> Option<String> {
        if let Some(rest) = self.vendor.as_ref().and_then(|vendor| folder.strip_prefix(vendor).ok()) {
            return join_import("", rest);
        }
        let inside =
            self.main.iter().filter_map(|(path, root, _)| Some((path, folder.strip_prefix(root).ok()?)));
        let (module, rest) = inside.min_by_key(|(_, rest)| rest.components().count())?;
        join_import(module, rest)
    }

    /// Whether a file is below a main module, including `vendor`.
    pub(super) fn is_below(&self, path: &Path) -> bool {
        self.main.iter().any(|(_, root, _)| path.starts_with(root))
    }

    /// Whether a file belongs to a main module.
    pub(super) fn is_own(&self, path: &Path) -> bool {
        self.is_below(path) && self.vendor.as_ref().is_none_or(|vendor| !path.starts_with(vendor))
    }

    /// The folder of a package.
    pub fn find(
        &mut self,
        import: &str,
        from_std: bool,
        disk: &dyn Disk,
        environment: &Environment,
    ) -> ModuleLocation {
        for (path, folder, _) in &self.main {
            if may_contain(path, import) {
                let place = below(folder, path, import);
                if disk.is_directory(&place) {
                    return ModuleLocation::Folder(place);
                }
            }
        }
        let is_std = !import.split('/').next().unwrap_or("").contains('.');
        if let Some(goroot) = &environment.goroot
            && (is_std || from_std)
        {
            let source = goroot.join("src");
            let places = [source.join(import), source.join("vendor").join(import)];
            if let Some(place) = places.into_iter().find(|place| disk.is_directory(place)) {
                return ModuleLocation::Folder(place);
            }
        }
        if let Some(vendor) = &self.vendor {
            let place = vendor.join(import);
            return if disk.is_directory(&place) {
                ModuleLocation::Folder(place)
            } else {
                ModuleLocation::Nowhere
            };
        }
        let mut found = self.required(import, disk, environment);
        if found == ModuleLocation::Nowhere && !self.is_complete && !is_std {
            self.complete(disk, environment);
            found = self.required(import, disk, environment);
        }
        found
    }

    fn required(&self, import: &str, disk: &dyn Disk, environment: &Environment) -> ModuleLocation {
        let mut missing = ModuleLocation::Nowhere;
        for (path, version) in self.require.iter().filter(|(path, _)| may_contain(path, import)) {
            let used = self.used_module(path, version);
            match used.folder(environment) {
                Some(folder) if disk.is_directory(&folder) => {
                    let place = below(&folder, path, import);
                    if disk.is_directory(&place) {
                        return ModuleLocation::Folder(place);
                    }
                }
                Some(folder)
                    if missing == ModuleLocation::Nowhere && !Self::is_cached(&folder, environment) =>
                {
                    missing = ModuleLocation::NoReplacement(path.clone(), folder);
                }
                _ if missing == ModuleLocation::Nowhere => {
                    if let UsedModule::Version(module, version) = used {
                        let (module, version) = (module.to_owned(), version.to_owned());
                        missing = ModuleLocation::NotDownloaded { required: path.clone(), module, version };
                    }
                }
                _ => {}
            }
        }
        missing
    }

    fn is_cached(folder: &Path, environment: &Environment) -> bool {
        environment.modcache.as_ref().is_some_and(|cache| folder.starts_with(cache))
    }

    /// The module that is used for a required one: itself, or its replacement.
    fn used_module<'m>(&'m self, path: &'m str, version: &'m str) -> UsedModule<'m> {
        let replaced =
            self.work.replacement(path, version).map(|replacement| (&self.root, replacement)).or_else(|| {
                self.main
                    .iter()
                    .find_map(|(_, folder, file)| Some((folder, file.replacement(path, version)?)))
            });
        match replaced {
            Some((folder, replacement)) => match &replacement.new_version {
                None => UsedModule::Folder(clean(&folder.join(&replacement.new_path))),
                Some(version) => UsedModule::Version(&replacement.new_path, version),
            },
            None => UsedModule::Version(path, version),
        }
    }

    /// Looks up the requirements of the required modules, for a `go.mod` that does not list all of them.
    fn complete(&mut self, disk: &dyn Disk, environment: &Environment) {
        self.is_complete = true;
        let mut versions: BTreeMap<String, String> = self.require.iter().cloned().collect();
        let mut pending: VecDeque<(String, String)> = self.require.iter().cloned().collect();
        let mut seen: HashSet<(String, String)> = HashSet::new();
        while let Some((path, version)) = pending.pop_front() {
            if seen.len() >= MAX_MODULES || !seen.insert((path.clone(), version.clone())) {
                continue;
            }
            let folder = self.used_module(&path, &version).folder(environment);
            let own = folder.and_then(|folder| disk.read(&folder.join("go.mod")));
            let cached = || {
                let list =
                    environment.modcache.as_ref()?.join("cache/download").join(escaped(&path)).join("@v");
                disk.read(&list.join(format!("{}.mod", escaped(&version))))
            };
            let Some(text) = own.or_else(cached) else { continue };
            for (path, version) in ModFile::read(&text).require {
                if newer(&mut versions, &path, &version) {
                    pending.push_back((path, version));
                }
            }
        }
        self.set_require(versions);
    }
}

/// A module as it is used.
enum UsedModule<'m> {
    /// In a folder that replaces it.
    Folder(PathBuf),
    /// A module and its version, in the module cache.
    Version(&'m str, &'m str),
}

impl UsedModule<'_> {
    fn folder(&self, environment: &Environment) -> Option<PathBuf> {
        match self {
            Self::Folder(folder) => Some(folder.clone()),
            Self::Version(path, version) => {
                let name = format!("{}@{}", escaped(path), escaped(version));
                Some(environment.modcache.as_ref()?.join(name))
            }
        }
    }
}

/// An import path followed by the parts of a folder.
pub(super) fn join_import(import: &str, rest: &Path) -> Option<String> {
    let mut path = import.to_owned();
    for part in rest.components() {
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(part.as_os_str().to_str()?);
    }
    Some(path)
}

/// Notes a version unless a newer one is known.
fn newer(versions: &mut BTreeMap<String, String>, path: &str, version: &str) -> bool {
    let is_newer = versions.get(path).is_none_or(|known| compare(known, version).is_lt());
    if is_newer {
        versions.insert(path.to_owned(), version.to_owned());
    }
    is_newer
}

fn below(folder: &Path, module: &str, import: &str) -> PathBuf {
    let rest = import.get(module.len()..).map_or("", |rest| rest.trim_start_matches('/'));
    if rest.is_empty() { folder.to_owned() } else { folder.join(rest) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::{Context, Environment, ModuleLocation};
    use crate::load::FileSystem;

    #[test]
    fn the_replacement_of_a_module_is_downloaded() {
        let folder = tempfile::tempdir().unwrap();
        let text = "module a.com/b\nrequire k8s.io/api v0.30.1\nrequire k8s.io/other v0.30.1\n\
                    replace k8s.io/api => k8s.io/api v0.31.2\nreplace k8s.io/other => a.com/fork v1.0.0\n";
        fs::write(folder.path().join("go.mod"), text).unwrap();
        let cache = folder.path().join("cache");
        let environment = Environment { modcache: Some(cache), ..Environment::default() };
        let disk = FileSystem::default();
        let mut context = Context::of(folder.path(), &disk, &environment).unwrap();
        for (required, module, version) in
            [("k8s.io/api", "k8s.io/api", "v0.31.2"), ("k8s.io/other", "a.com/fork", "v1.0.0")]
        {
            let found = context.find(&format!("{required}/core/v1"), false, &disk, &environment);
            let owned = str::to_owned;
            let (required, module, version) = (owned(required), owned(module), owned(version));
            assert_eq!(found, ModuleLocation::NotDownloaded { required, module, version });
        }
    }
}
