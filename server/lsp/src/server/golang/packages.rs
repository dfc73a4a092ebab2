//! The packages that are generated together, and the state of each of these units.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use go::discover::{Call, CallPlace};
use go::version::Version;
use text::{TextBuffer, TextSize};

use super::open_definitions::DefinitionOrigin;
use super::unit::Unit;
use crate::config::Projects;
use crate::go_package::{RepositoryGroups, group_of, has_markers};
use crate::golang::ReplacedText;

/// An open Go file.
#[derive(Clone, Debug)]
pub(in crate::server) struct OpenText {
    /// The revision of its last change.
    pub(in crate::server) edited: u64,
    /// The end of the last edit in bytes, if its keys were typed and the file is not saved since.
    pub(in crate::server) typed_at: Option<TextSize>,
    pub(in crate::server) buffer: TextBuffer,
}

impl ReplacedText for OpenText {
    fn text(&self) -> String {
        self.buffer.to_string()
    }
}

/// The open Go files, by path.
pub(in crate::server) type OpenTexts = Arc<BTreeMap<PathBuf, OpenText>>;

/// The key of a call: its file and place, and the release of controller-gen.
pub(super) type CallKey = (PathBuf, CallPlace, Version);

pub(super) fn key_of(call: &Call, version: Version) -> CallKey {
    (call.file.clone(), call.place, version)
}

/// The folders of kinds, by the names of their definitions.
pub(super) type Folders = BTreeMap<String, PathBuf>;

/// The folders of the packages that are generated together.
pub(super) type Group = Arc<[PathBuf]>;

/// The state of all Go packages. Clones share it.
#[derive(Clone, Debug, Default)]
pub(in crate::server) struct Packages {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    open_texts: RwLock<OpenTexts>,
    tables: Mutex<PackageTables>,
    /// The projects with the settings for packages.
    projects: RwLock<Projects>,
}

#[derive(Debug, Default)]
struct PackageTables {
    groups: BTreeMap<PathBuf, Group>,
    units: BTreeMap<Group, Arc<Mutex<Unit>>>,
    /// The folders of the kinds that calls generate, by call and release of controller-gen.
    folders: BTreeMap<CallKey, Arc<Folders>>,
    /// The origins of the definitions in the files for which they were searched.
    origins: BTreeMap<PathBuf, Arc<[DefinitionOrigin]>>,
    /// The packages of repositories.
    declared: Arc<RepositoryGroups>,
}

impl Packages {
    /// The packages of projects with these settings.
    pub(in crate::server) fn new(projects: Projects) -> Self {
        let inner = Inner { projects: projects.into(), ..Inner::default() };
        Self { inner: Arc::new(inner) }
    }

    /// Replaces the open texts.
    pub(in crate::server) fn replace_open_texts(&self, texts: OpenTexts) {
        *self.inner.open_texts.write().unwrap_or_else(PoisonError::into_inner) = texts;
    }

    /// The open texts.
    pub(in crate::server) fn texts(&self) -> OpenTexts {
        Arc::clone(&self.inner.open_texts.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes changed settings, and drops all results.
    pub(in crate::server) fn change_settings(&self, projects: Projects) {
        *self.inner.projects.write().unwrap_or_else(PoisonError::into_inner) = projects;
        self.clear();
    }

    /// The origins of the definitions in a file; `None` if they are not known yet.
    pub(in crate::server) fn origins(&self, path: &Path) -> Option<Arc<[DefinitionOrigin]>> {
        self.inner.tables.lock().unwrap_or_else(PoisonError::into_inner).origins.get(path).cloned()
    }

    /// Records the origins of the definitions in a file.
    pub(in crate::server) fn found_origins(&self, path: PathBuf, origins: Arc<[DefinitionOrigin]>) {
        self.inner.tables.lock().unwrap_or_else(PoisonError::into_inner).origins.insert(path, origins);
    }

    /// The packages of repositories.
    pub(super) fn declared(&self) -> Arc<RepositoryGroups> {
        Arc::clone(&self.inner.tables.lock().unwrap_or_else(PoisonError::into_inner).declared)
    }

    /// Runs `work` with the known folders of kinds.
    pub(super) fn with_folders<T>(&self, work: impl FnOnce(&mut BTreeMap<CallKey, Arc<Folders>>) -> T) -> T {
        work(&mut self.inner.tables.lock().unwrap_or_else(PoisonError::into_inner).folders)
    }

    pub(super) fn projects(&self) -> Projects {
        self.inner.projects.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Drops all results, because files have changed.
    pub(in crate::server) fn clear(&self) {
        *self.inner.tables.lock().unwrap_or_else(PoisonError::into_inner) = PackageTables::default();
    }

    /// The open files whose packages are compared with another commit now, after branches may have moved.
    pub(in crate::server) fn refresh(&self) -> Vec<PathBuf> {
        let all = self.inner.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let units: Vec<(Group, Arc<Mutex<Unit>>)> =
            all.units.iter().map(|(group, unit)| (Arc::clone(group), Arc::clone(unit))).collect();
        drop(all);
        let texts = self.texts();
        let mut moved = BTreeSet::new();
        for (group, unit) in units {
            let mut unit = unit.lock().unwrap_or_else(PoisonError::into_inner);
            if unit.forget_moved_base(&group) {
                let is_in =
                    |path: &&PathBuf| group.iter().any(|folder| path.parent() == Some(folder.as_path()));
                moved.extend(texts.keys().filter(is_in).cloned());
            }
        }
        moved.into_iter().collect()
    }

    /// Whether one of the units contains the package in `folder`.
    pub(super) fn contains(&self, folder: &Path) -> bool {
        let known = self.inner.tables.lock().unwrap_or_else(PoisonError::into_inner);
        known.units.keys().any(|group| group.iter().any(|other| other == folder))
    }

    /// The packages that are generated together with that of a file, if they are known.
    pub(super) fn group_of(&self, path: &Path) -> Option<Group> {
        let known = self.inner.tables.lock().unwrap_or_else(PoisonError::into_inner);
        known.groups.get(path.parent()?).cloned()
    }

    /// The units to which a file belongs: the one of its package, and others that read it.
    pub(super) fn units_of(&self, path: &Path, texts: &OpenTexts) -> Vec<(Group, Arc<Mutex<Unit>>)> {
        let Some(folder) = path.parent() else { return Vec::new() };
        let known = |known: &PackageTables| known.groups.get(folder).cloned();
        let group = known(&self.inner.tables.lock().unwrap_or_else(PoisonError::into_inner));
        let is_marked = || texts.get(path).is_some_and(|text| has_markers(&text.buffer.to_string()));
        let group = match group {
            Some(group) if !group.is_empty() || !is_marked() => group,
            _ => group_of(folder, texts, &self.projects()).into(),
        };
        let mut all = self.inner.tables.lock().unwrap_or_else(PoisonError::into_inner);
        all.groups.insert(folder.to_owned(), Arc::clone(&group));
        if !group.is_empty() {
            let new = || Arc::new(Mutex::new(Unit::new(self.projects())));
            all.units.entry(Arc::clone(&group)).or_insert_with(new);
        }
        let is_its = |(of, unit): &(&Group, &Arc<Mutex<Unit>>)| {
            // A unit that is locked for a generation is skipped; it is checked again when that has ended.
            **of == group || unit.try_lock().is_ok_and(|unit| unit.reads(path))
        };
        let units = all.units.iter().filter(is_its);
        units.map(|(group, unit)| (Arc::clone(group), Arc::clone(unit))).collect()
    }
}
