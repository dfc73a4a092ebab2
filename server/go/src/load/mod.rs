//! Resolves patterns such as `./...` to packages. Nothing is executed: the folders are read as the go command reads them.

mod builtin;
mod constraint;
mod disk;
mod files;
mod library;
mod load_cache;
mod module;
mod resolve;
mod roots;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memmem;
use rayon::prelude::*;

use builtin::Builtin;
pub use constraint::Build;
pub use disk::{Disk, Entry, FileSystem, LARGEST_FILE};
pub(crate) use files::Files;
pub use library::Library;
pub(crate) use library::Use;
pub(crate) use load_cache::ChangedFile;
pub use load_cache::LoadedPackages;
pub(crate) use module::may_contain;
pub use module::{ModFile, compare as compare_versions};
pub use resolve::{Context, Environment, ModuleLocation, clean};
pub use roots::{Roots, RootsError, is_file_pattern};

use crate::syntax::{EncodingMethod, File, Reader, Span, TypeDeclaration};

/// A package, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackageId(pub(crate) u32);

/// A version of the text of a file. Both are numbered: an edit gives a file another text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId {
    pub(crate) file: u32,
    pub(crate) text: u32,
}

/// A range of bytes in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The range of bytes.
    pub span: Span,
}

impl Place {
    /// Whether it contains all bytes of another place.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.file == other.file && self.span.contains(other.span)
    }
}

/// The declaration of a type in a package.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypeAt {
    pub(crate) file: FileId,
    pub(crate) declaration: usize,
    pub(crate) spec: usize,
}

/// A package whose files have been read.
#[derive(Debug)]
pub struct Package {
    /// The path by which others import it.
    pub path: String,
    /// The name in its package clauses.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Its files, by name.
    pub files: Vec<FileId>,
    /// Whether all its files are valid Go. Otherwise controller-gen sees none of its types.
    pub is_sound: bool,
    /// Its types by their names.
    pub(crate) types: HashMap<Arc<str>, TypeAt>,
    /// The types in the order of the files.
    pub(crate) type_order: Vec<TypeAt>,
    pub(crate) marshalers: HashSet<(Arc<str>, EncodingMethod)>,
    context: usize,
    is_std: bool,
}

/// A module that an import needs and that was not found.
#[derive(Clone, Debug)]
pub struct MissingModule {
    /// The import.
    pub import: String,
    /// Where the module should be.
    pub expected_location: ModuleLocation,
    /// The place of the import.
    pub place: Place,
}

/// The folder of a built-in package in paths.
pub(crate) fn builtin_folder(import: &str) -> PathBuf {
    Path::new("built-in").join(import)
}

impl MissingModule {
    /// Whether the go command does not find it either, so that gopls reports it as well. Excludes modules
    /// that Go would download.
    #[must_use]
    pub const fn is_of_go(&self) -> bool {
        matches!(self.expected_location, ModuleLocation::Folder(_) | ModuleLocation::Nowhere)
    }

    /// The problem and the remedy.
    #[must_use]
    pub fn message(&self) -> String {
        let import = &self.import;
        match &self.expected_location {
            ModuleLocation::NotDownloaded { required, module, version } => format!(
                "package {import} is in module {module} {version}, which is not in the module cache; run `go mod download {required}`"
            ),
            ModuleLocation::NoReplacement(module, folder) => format!(
                "package {import}: go.mod replaces module {module} by {}, which is not a directory in this repository",
                folder.display()
            ),
            ModuleLocation::Folder(_) | ModuleLocation::Nowhere => {
                format!(
                    "no module of go.mod has package {import}; run `go mod tidy` in the module's directory"
                )
            }
        }
    }
}

/// Loads packages.
pub struct Loader<'d> {
    pub(crate) disk: &'d dyn Disk,
    environment: Environment,
    library: &'d Library,
    /// The build and the release of controller-gen for which files are read.
    use_of_files: Use,
    reader: Reader,
    contexts: Vec<Context>,
    /// The context of each folder.
    context_of: HashMap<PathBuf, usize>,
    packages: Vec<Arc<Package>>,
    by_folder: HashMap<(usize, PathBuf), Option<PackageId>>,
    roots: HashMap<String, PackageId>,
    pub(crate) files: Files,
    /// Files that were read before their packages are loaded, by folder.
    ahead: HashMap<PathBuf, Arc<[Arc<File>]>>,
    modules: HashMap<(usize, bool, String), ModuleLocation>,
    missing: Vec<MissingModule>,
    builtin: Vec<MissingModule>,
}

impl std::fmt::Debug for Loader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loader").field("packages", &self.packages.len()).finish_non_exhaustive()
    }
}

impl<'d> Loader<'d> {
    /// A loader; `None` if the Go parser cannot be created.
    #[must_use]
    pub(crate) fn new(
        (disk, library): (&'d dyn Disk, &'d Library),
        environment: Environment,
        of: Use,
    ) -> Option<Self> {
        Some(Self {
            disk,
            environment,
            library,
            use_of_files: of,
            reader: Reader::new()?,
            contexts: Vec::new(),
            context_of: HashMap::new(),
            packages: Vec::new(),
            by_folder: HashMap::new(),
            roots: HashMap::new(),
            files: Files::default(),
            ahead: HashMap::new(),
            modules: HashMap::new(),
            missing: Vec::new(),
            builtin: Vec::new(),
        })
    }

    /// The context of a folder.
    fn context(&mut self, folder: &Path) -> Option<usize> {
        if let Some(known) = self.context_of.get(folder) {
            return Some(*known);
        }
        let known = self.find_context(folder)?;
        self.context_of.insert(folder.to_owned(), known);
        Some(known)
    }

    fn find_context(&mut self, folder: &Path) -> Option<usize> {
        let inside = |context: &Context| context.main.iter().any(|(_, root, _)| root == folder);
        if let Some(known) = self.contexts.iter().position(inside) {
            return Some(known);
        }
        let context = Context::of(folder, self.disk, &self.environment)?;
        let known = self.contexts.iter().position(|known| known.root == context.root);
        Some(known.unwrap_or_else(|| {
            self.contexts.push(context);
            self.contexts.len() - 1
        }))
    }

    /// A package that has been loaded.
    pub(crate) fn package(&self, id: PackageId) -> Option<Arc<Package>> {
        self.packages.get(id.0 as usize).cloned()
    }

    /// All packages that have been loaded.
    pub(crate) fn packages(&self) -> &[Arc<Package>] {
        &self.packages
    }

    /// A file that has been read.
    pub(crate) fn file(&self, id: FileId) -> Option<Arc<File>> {
        self.files.get(id).cloned()
    }

    pub(crate) fn missing(&self) -> &[MissingModule] {
        &self.missing
    }

    /// The package that a file of `package` imports. Notes the module as missing if it is not found.
    pub(crate) fn import(&mut self, package: &Package, import: &str, place: Place) -> Option<PackageId> {
        if let Some(root) = self.roots.get(import) {
            return Some(*root);
        }
        if matches!(import, "C" | "unsafe") {
            return None;
        }
        let found = self.find(package, import)?;
        if let ModuleLocation::Folder(folder) = found {
            return self.load(package.context, &folder, import);
        }
        if let Some(builtin) = builtin::package(import) {
            let missing = MissingModule { import: import.to_owned(), expected_location: found, place };
            return self.load_builtin(package.context, import, builtin, missing);
        }
        // Missing packages of the standard library are not reported, because Go may not be installed.
        let is_std = !import.split('/').next().unwrap_or("").contains('.');
        if !is_std && !self.missing.iter().any(|missing| missing.import == import) {
            self.missing.push(MissingModule { import: import.to_owned(), expected_location: found, place });
        }
        None
    }

    /// The location of an import of a package.
    fn find(&mut self, package: &Package, import: &str) -> Option<ModuleLocation> {
        let key = (package.context, package.is_std, import.to_owned());
        if let Some(found) = self.modules.get(&key) {
            return Some(found.clone());
        }
        let context = self.contexts.get_mut(package.context)?;
        let found = context.find(import, package.is_std, self.disk, &self.environment);
        self.modules.insert(key, found.clone());
        Some(found)
    }

    /// Reads the packages that a package imports, before they are imported one by one.
    pub(crate) fn read_ahead(&mut self, package: &Package, imports: &BTreeSet<&str>) {
        let mut folders = Vec::new();
        for import in imports {
            if !self.roots.contains_key(*import)
                && let Some(ModuleLocation::Folder(folder)) = self.find(package, import)
            {
                folders.push(folder);
            }
        }
        self.read_folders(package.context, folders);
    }

    /// Reads the files in several folders in parallel, before the folders are loaded one by one.
    fn read_folders(&mut self, context: usize, folders: impl IntoIterator<Item = PathBuf>) {
        let is_new = |folder: &PathBuf| {
            !self.by_folder.contains_key(&(context, folder.clone())) && !self.ahead.contains_key(folder)
        };
        let folders: Vec<PathBuf> = folders.into_iter().filter(is_new).collect();
        let read = |folder: PathBuf| {
            let files = self.read_folder(context, &folder);
            (folder, files)
        };
        let read: Vec<_> = folders.into_par_iter().map(read).collect();
        self.ahead.extend(read);
    }

    /// Loads the package in a folder; `None` if the folder has no files of this build.
    fn load(&mut self, context: usize, folder: &Path, import: &str) -> Option<PackageId> {
        let key = (context, folder.to_owned());
        if let Some(known) = self.by_folder.get(&key) {
            return *known;
        }
        let loaded = self.read_package(context, folder, import).map(|package| {
            self.packages.push(Arc::new(package));
            PackageId(self.packages.len() as u32 - 1)
        });
        self.by_folder.insert(key, loaded);
        loaded
    }

    /// Loads a built-in package in place of a missing one.
    fn load_builtin(
        &mut self,
        context: usize,
        import: &str,
        builtin: Builtin,
        missing: MissingModule,
    ) -> Option<PackageId> {
        let folder = builtin_folder(import);
        let key = (context, folder.clone());
        if let Some(known) = self.by_folder.get(&key).copied() {
            // The package was loaded by an earlier generation, which had a separate list.
            if known.is_some() && !self.builtin.iter().any(|other| other.import == import) {
                self.builtin.push(missing);
            }
            return known;
        }
        let file = self.reader.read(&folder.join("types.go"), builtin.text()?)?;
        let mut package = Package {
            path: import.to_owned(),
            name: file.package.name.to_string(),
            folder,
            files: Vec::new(),
            is_sound: true,
            types: HashMap::new(),
            type_order: Vec::new(),
            marshalers: HashSet::new(),
            context,
            is_std: false,
        };
        self.add(&mut package, Arc::new(file));
        self.packages.push(Arc::new(package));
        let id = PackageId(self.packages.len() as u32 - 1);
        self.by_folder.insert(key, Some(id));
        self.builtin.push(missing);
        Some(id)
    }

    /// Whether an import is a built-in package, which may lack types because its module was not found. If so, notes the
    /// module as missing.
    pub(crate) fn may_lack_types(&mut self, import: &str) -> bool {
        let Some(found) = self.builtin.iter().find(|missing| missing.import == import) else { return false };
        if !self.missing.iter().any(|missing| missing.import == import) {
            self.missing.push(found.clone());
        }
        true
    }

    pub(crate) fn builtin(&self) -> &[MissingModule] {
        &self.builtin
    }

    fn read_package(&mut self, context: usize, folder: &Path, import: &str) -> Option<Package> {
        let is_std = self.environment.goroot.as_ref().is_some_and(|goroot| folder.starts_with(goroot));
        let mut package = Package {
            path: import.to_owned(),
            name: String::new(),
            folder: folder.to_owned(),
            files: Vec::new(),
            is_sound: true,
            types: HashMap::new(),
            type_order: Vec::new(),
            marshalers: HashSet::new(),
            context,
            is_std,
        };
        let ahead = self.ahead.remove(folder);
        for file in ahead.unwrap_or_else(|| self.read_folder(context, folder)).iter() {
            if package.name.is_empty() {
                package.name = file.package.name.to_string();
            } else if *file.package.name != package.name && !file.package.name.is_empty() {
                // The go command uses one package for each folder.
                continue;
            }
            self.add(&mut package, Arc::clone(file));
        }
        (!package.files.is_empty()).then_some(package)
    }

    /// The files of a folder that belong to this build, by name.
    fn read_folder(&self, context: usize, folder: &Path) -> Arc<[Arc<File>]> {
        let is_ours = self.contexts.get(context).is_some_and(|context| {
            context
                .main
                .iter()
                .any(|(_, root, _)| folder.starts_with(root) && !folder.starts_with(root.join("vendor")))
        });
        if is_ours || !self.disk.never_changes(folder) {
            return self.read_files(folder, is_ours);
        }
        self.library.folder(&self.use_of_files, folder, || self.read_files(folder, false))
    }

    /// Reads the files of a folder in parallel. In folders of other modules, files without relevant declarations are
    /// skipped.
    fn read_files(&self, folder: &Path, is_ours: bool) -> Arc<[Arc<File>]> {
        let build = &self.use_of_files.build;
        let entries = self.disk.list(folder);
        let names = entries.iter().filter(|entry| !entry.is_directory && build.takes_name(&entry.name));
        let paths: Vec<PathBuf> = names.map(|entry| folder.join(&entry.name)).collect();
        let read = |reader: &mut Option<Reader>, path: PathBuf| {
            let text = self.disk.read(&path)?;
            let counts = build.takes_text(&text) && (is_ours || !declares_nothing(&text));
            let read = |text| reader.as_mut()?.read(&path, text);
            if counts { self.library.file(&self.use_of_files, &path, text, read) } else { None }
        };
        paths.into_par_iter().map_init(Reader::new, read).flatten_iter().collect()
    }

    fn add(&mut self, package: &mut Package, file: Arc<File>) {
        let id = self.files.add(file);
        if let Some(file) = self.files.get(id) {
            package.register(id, file);
        }
    }

    /// The declaration of a type.
    pub(crate) fn declared(file: &File, at: TypeAt) -> Option<&TypeDeclaration> {
        match &file.declarations.get(at.declaration)?.kind {
            crate::syntax::DeclarationKind::Type(types, _) => types.get(at.spec),
            _ => None,
        }
    }
}

impl Package {
    /// Adds a file to the package.
    fn register(&mut self, id: FileId, file: &File) {
        self.is_sound &= file.errors.is_empty();
        for (declaration, declared) in file.declarations.iter().enumerate() {
            if let crate::syntax::DeclarationKind::Type(types, _) = &declared.kind {
                for (spec, declared) in types.iter().enumerate() {
                    let at = TypeAt { file: id, declaration, spec };
                    self.types.insert(declared.name.name.clone(), at);
                    self.type_order.push(at);
                }
            }
        }
        self.marshalers.extend(file.marshalers.iter().map(|found| (found.receiver.clone(), found.encoding)));
        self.files.push(id);
    }
}

/// Whether a file has no relevant declarations: no type, named constant, encoding method or marker.
fn declares_nothing(text: &str) -> bool {
    const WORDS: [&str; 7] =
        ["\ntype ", "\ntype\t", "MarshalJSON(", "MarshalText(", "+groupName", "+kubebuilder", "+versionName"];
    let has = |word: &&str| memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    // In the largest files, which protoc generates, the only constant has no name.
    let constants = memmem::find_iter(text.as_bytes(), "\nconst ");
    let is_named = |at: usize| text.get(at..).is_some_and(|rest| !rest.starts_with("\nconst _ "));
    !WORDS.iter().any(has) && !constants.into_iter().any(is_named)
}
