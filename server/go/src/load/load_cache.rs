//! Files and packages that one generation has read, for the next generation: an edit of a file costs only that file.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Context, File, FileId, Files, Loader, MissingModule, ModuleLocation, Package, PackageId, Place};

/// Packages that were loaded, and their files. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct LoadedPackages {
    contexts: Vec<Context>,
    context_of: HashMap<PathBuf, usize>,
    packages: Vec<Arc<Package>>,
    by_folder: HashMap<(usize, PathBuf), Option<PackageId>>,
    pub(crate) files: Files,
    modules: HashMap<(usize, bool, String), ModuleLocation>,
    missing: Vec<MissingModule>,
}

impl LoadedPackages {
    /// Whether a file belongs to one of the main modules.
    pub(crate) fn is_own(&self, path: &Path) -> bool {
        self.contexts.iter().any(|context| context.is_own(path))
    }
}

/// A file whose text has changed: the earlier and the current text.
pub(crate) type ChangedFile = (Arc<File>, Arc<File>);

impl Loader<'_> {
    /// The loaded packages and files.
    pub(crate) fn loaded_packages(&self) -> LoadedPackages {
        LoadedPackages {
            contexts: self.contexts.clone(),
            context_of: self.context_of.clone(),
            packages: self.packages.clone(),
            by_folder: self.by_folder.clone(),
            files: self.files.clone(),
            modules: self.modules.clone(),
            missing: self.missing.clone(),
        }
    }

    /// Reuses what was loaded before and reads only the files in `changed` again. Returns the files whose text has changed.
    /// If the changes may affect more than these files, reuses nothing and returns `None`.
    pub(crate) fn resume(&mut self, kept: &LoadedPackages, changed: &[PathBuf]) -> Option<Vec<ChangedFile>> {
        let mut files = kept.files.clone();
        let mut touched: Vec<ChangedFile> = Vec::new();
        for path in changed {
            let known = files.matching(|file| file.path == *path);
            let is_known = !known.is_empty();
            for (id, before) in known {
                let text = self.disk.read(path)?;
                if before.text == text {
                    continue;
                }
                if !self.use_of_files.build.takes_text(&text) {
                    return None;
                }
                let file = Arc::new(self.reader.reparse(&before, text)?);
                if file.package.name != before.package.name {
                    return None;
                }
                files.replace(id, Arc::clone(&file));
                touched.push((before, file));
            }
            // A new file, which matters only if its package is loaded.
            let folder = path.parent();
            let is_loaded = kept.by_folder.keys().any(|(_, known)| Some(known.as_path()) == folder);
            if !is_known
                && is_loaded
                && self.disk.read(path).is_some_and(|text| self.is_in_build(path, &text))
            {
                return None;
            }
        }
        self.packages = kept.packages.iter().map(|package| package.with_current_texts(&files)).collect();
        self.contexts = kept.contexts.clone();
        self.context_of = kept.context_of.clone();
        self.by_folder = kept.by_folder.clone();
        self.modules = kept.modules.clone();
        self.files = files;
        Some(touched)
    }

    /// Adds the modules that were missing before and were not requested again.
    pub(crate) fn still_missing(&mut self, kept: &LoadedPackages, now: impl Fn(Place) -> Place) {
        for missing in &kept.missing {
            if !self.missing.iter().any(|other| other.import == missing.import) {
                self.missing.push(MissingModule { place: now(missing.place), ..missing.clone() });
            }
        }
    }

    /// The files of the main modules.
    pub(crate) fn own_files(&self) -> Vec<Arc<File>> {
        let is_below = |file: &&Arc<File>| self.contexts.iter().any(|context| context.is_below(&file.path));
        self.files.all_current().iter().filter(is_below).cloned().collect()
    }

    /// Whether a file belongs to this build.
    fn is_in_build(&self, path: &Path, text: &str) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        self.use_of_files.build.takes_name(name) && self.use_of_files.build.takes_text(text)
    }
}

impl Package {
    /// The same package with the current texts of its files.
    fn with_current_texts(self: &Arc<Self>, files: &Files) -> Arc<Self> {
        let current = |id: &FileId| files.current(*id);
        if self.files.iter().all(|id| current(id) == Some(*id)) {
            return Arc::clone(self);
        }
        let mut package = Self {
            path: self.path.clone(),
            name: self.name.clone(),
            folder: self.folder.clone(),
            files: Vec::new(),
            is_sound: true,
            types: HashMap::new(),
            type_order: Vec::new(),
            marshalers: HashSet::new(),
            context: self.context,
            is_std: self.is_std,
        };
        for id in self.files.iter().filter_map(current) {
            if let Some(file) = files.get(id) {
                package.register(id, file);
            }
        }
        Arc::new(package)
    }
}
