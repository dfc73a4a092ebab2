//! The packages that match patterns.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::resolve::join_import;
use super::{Build, Disk, Loader, PackageId, clean};

/// The packages to generate from, in the order of the go command: imported packages come first.
#[derive(Debug, Default)]
pub struct Roots {
    /// The packages.
    pub packages: Vec<PackageId>,
    /// Named folders without Go files.
    pub empty: Vec<PathBuf>,
}

/// Why nothing can be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootsError {
    /// A pattern does not name a folder.
    NoFolder(PathBuf),
    /// A folder does not belong to a module.
    NoModule(PathBuf),
    /// Too many folders are below a folder.
    TooLarge(PathBuf),
    /// The Go parser cannot be created.
    NoParser,
}

impl std::fmt::Display for RootsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoFolder(path) => {
                write!(f, "{}: no such directory; name the package's directory, or DIR/...", path.display())
            }
            Self::NoModule(path) => write!(f, "{}: no go.mod in the directory or above it", path.display()),
            Self::NoParser => f.write_str("the Go grammar does not fit the version of the parser"),
            Self::TooLarge(path) => write!(f, "{}: more than {MAX_FOLDERS} directories", path.display()),
        }
    }
}

/// The maximum number of folders to walk for one pattern.
const MAX_FOLDERS: usize = 100_000;

/// Whether a pattern names a folder, and not an import path.
#[must_use]
pub fn is_file_pattern(pattern: &str) -> bool {
    Path::new(pattern).is_absolute() || pattern.starts_with('.')
}

impl Loader<'_> {
    /// Loads the packages that match patterns, relative to a folder.
    ///
    /// # Errors
    ///
    /// A pattern does not name a folder of a module.
    pub fn roots(&mut self, patterns: &[String], cwd: &Path) -> Result<Roots, RootsError> {
        let mut roots = Roots::default();
        let mut order: Vec<PackageId> = Vec::new();
        let (files, packages): (Vec<&String>, Vec<&String>) =
            patterns.iter().partition(|pattern| is_file_pattern(pattern));
        for pattern in packages {
            self.import_pattern(pattern, cwd, &mut order)?;
        }
        if patterns.is_empty() {
            self.folder(cwd, &mut roots, &mut order)?;
        }
        let mut places: Vec<PathBuf> = files.iter().map(|pattern| clean(&cwd.join(pattern))).collect();
        for at in 0..places.len() {
            let Some(above) =
                places.get(at).filter(|place| place.ends_with("...")).and_then(|place| place.parent())
            else {
                continue;
            };
            let above = above.to_owned();
            let mut nested = Vec::new();
            modules_below(self.disk, &above, &mut nested)?;
            places.extend(nested.into_iter().map(|folder| folder.join("...")));
        }
        for place in places {
            match place.parent().filter(|_| place.ends_with("...")) {
                Some(above) => self.module_folders_below(above, &mut order)?,
                None => self.folder(&place, &mut roots, &mut order)?,
            }
        }
        roots.packages = self.imports_first(&order);
        self.roots =
            roots.packages.iter().filter_map(|id| Some((self.package(*id)?.path.clone(), *id))).collect();
        Ok(roots)
    }

    fn folder(
        &mut self,
        folder: &Path,
        roots: &mut Roots,
        order: &mut Vec<PackageId>,
    ) -> Result<(), RootsError> {
        if !self.disk.is_directory(folder) {
            return Err(RootsError::NoFolder(folder.to_owned()));
        }
        let no_module = || RootsError::NoModule(folder.to_owned());
        let context = self.context(folder).ok_or_else(no_module)?;
        let import = self
            .contexts
            .get(context)
            .and_then(|context| context.import_path(folder))
            .ok_or_else(no_module)?;
        match self.load(context, folder, &import) {
            Some(package) => order.push(package),
            None => roots.empty.push(folder.to_owned()),
        }
        Ok(())
    }

    /// All packages below a folder that belong to its module.
    fn module_folders_below(&mut self, above: &Path, order: &mut Vec<PackageId>) -> Result<(), RootsError> {
        if !self.disk.is_directory(above) {
            return Err(RootsError::NoFolder(above.to_owned()));
        }
        let no_module = || RootsError::NoModule(above.to_owned());
        let context = self.context(above).ok_or_else(no_module)?;
        let import = self.contexts.get(context).and_then(|context| context.import_path(above));
        self.folders_below(context, above, &import.ok_or_else(no_module)?, order)
    }

    /// All packages of one module below the folder of an import path.
    fn folders_below(
        &mut self,
        context: usize,
        above: &Path,
        import: &str,
        order: &mut Vec<PackageId>,
    ) -> Result<(), RootsError> {
        let mut found: Vec<(PathBuf, String)> = Vec::new();
        let mut pending = vec![above.to_owned()];
        let mut count = 0;
        while let Some(folder) = pending.pop() {
            count += 1;
            if count > MAX_FOLDERS {
                return Err(RootsError::TooLarge(above.to_owned()));
            }
            let entries = self.disk.list(&folder);
            let is_nested =
                folder != above && entries.iter().any(|entry| entry.name == "go.mod" && !entry.is_directory);
            if is_nested {
                continue;
            }
            if entries.iter().any(|entry| !entry.is_directory && self.of.build.takes_name(&entry.name))
                && let Some(import) =
                    folder.strip_prefix(above).ok().and_then(|rest| join_import(import, rest))
            {
                found.push((folder.clone(), import));
            }
            let walked = entries.iter().rev().filter(|entry| {
                let is_left_out =
                    entry.name.starts_with(['.', '_']) || matches!(&*entry.name, "testdata" | "vendor");
                entry.is_directory && !is_left_out
            });
            pending.extend(walked.map(|entry| folder.join(&entry.name)));
        }
        self.read_folders(context, found.iter().map(|(folder, _)| folder.clone()));
        for (folder, import) in found {
            order.extend(self.load(context, &folder, &import));
        }
        Ok(())
    }

    /// The packages that match a pattern of import paths.
    fn import_pattern(
        &mut self,
        pattern: &str,
        cwd: &Path,
        order: &mut Vec<PackageId>,
    ) -> Result<(), RootsError> {
        let no_module = || RootsError::NoModule(cwd.to_owned());
        let context = self.context(cwd).ok_or_else(no_module)?;
        let (path, is_tree) = match pattern.strip_suffix("/...") {
            Some(path) => (path, true),
            None => (pattern, false),
        };
        let found = match self.contexts.get_mut(context) {
            Some(context) => context.find(path, false, self.disk, &self.environment),
            None => return Err(no_module()),
        };
        let super::ModuleLocation::Folder(folder) = found else {
            return Err(RootsError::NoFolder(PathBuf::from(pattern)));
        };
        if is_tree {
            return self.folders_below(context, &folder, path, order);
        }
        order.extend(self.load(context, &folder, path));
        Ok(())
    }

    /// Sorts packages after those that they import, without duplicates.
    fn imports_first(&self, order: &[PackageId]) -> Vec<PackageId> {
        let known: HashSet<PackageId> = order.iter().copied().collect();
        let mut by_path = std::collections::HashMap::new();
        for id in order {
            if let Some(package) = self.package(*id) {
                by_path.entry(package.path.clone()).or_insert(*id);
            }
        }
        let mut sorted = Vec::with_capacity(known.len());
        let mut seen: HashSet<PackageId> = HashSet::new();
        for root in order {
            // The path of the walk, each package with the imports that remain to be visited.
            let mut way: Vec<(PackageId, Vec<PackageId>)> = Vec::new();
            if seen.insert(*root) {
                way.push((*root, self.local_imports(*root, &by_path)));
            }
            while let Some((id, imports)) = way.last_mut() {
                match imports.pop() {
                    Some(next) => {
                        if seen.insert(next) {
                            way.push((next, self.local_imports(next, &by_path)));
                        }
                    }
                    None => {
                        sorted.push(*id);
                        way.pop();
                    }
                }
            }
        }
        let mut paths = HashSet::new();
        sorted.retain(|id| self.package(*id).is_some_and(|package| paths.insert(package.path.clone())));
        sorted
    }

    /// The roots that a package imports, the last one first.
    fn local_imports(
        &self,
        id: PackageId,
        by_path: &std::collections::HashMap<String, PackageId>,
    ) -> Vec<PackageId> {
        let Some(package) = self.package(id) else { return Vec::new() };
        let files = package.files.iter().filter_map(|file| self.file(*file));
        let mut imports: Vec<String> = files
            .flat_map(|file| file.imports.iter().map(|import| import.path.clone()).collect::<Vec<_>>())
            .collect();
        imports.sort_unstable();
        imports.dedup();
        imports.iter().rev().filter_map(|import| by_path.get(import).copied()).collect()
    }
}

/// The folders with a `go.mod` below a folder, in the order of a walk that skips only `.git`.
fn modules_below(disk: &dyn Disk, above: &Path, modules: &mut Vec<PathBuf>) -> Result<(), RootsError> {
    let mut pending = vec![above.to_owned()];
    let mut count = 0;
    while let Some(folder) = pending.pop() {
        count += 1;
        if count > MAX_FOLDERS {
            return Err(RootsError::TooLarge(above.to_owned()));
        }
        for entry in disk.list(&folder).iter().rev() {
            if entry.is_directory && entry.name != ".git" {
                pending.push(folder.join(&entry.name));
            } else if entry.name == "go.mod" {
                modules.push(folder.clone());
            }
        }
    }
    Ok(())
}

impl Build {
    /// The build with other tags than the default tags of controller-gen.
    #[must_use]
    pub fn with_tags(mut self, tags: Vec<String>) -> Self {
        self.tags = tags;
        self
    }
}
