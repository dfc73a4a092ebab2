//! The files that kustomizations name as patches.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ide::KUSTOMIZATIONS;

use crate::guarded_files;

/// The number of directories above a file that are searched for a kustomization that names it.
const LEVELS: usize = 8;
/// The maximum size of a kustomization, in bytes.
const MAX_BYTES: usize = 1024 * 1024;

/// Whether a file with this name is a kustomization.
pub(super) fn is_kustomization(name: &OsStr) -> bool {
    KUSTOMIZATIONS.iter().any(|known| name == *known)
}

/// The patches that a kustomization names.
type NamedPatches = Arc<BTreeSet<PathBuf>>;

/// The patches of the kustomizations that were read. Cheap to clone; clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Kustomizations {
    kustomizations: Arc<Mutex<KnownKustomizations>>,
}

#[derive(Debug, Default)]
struct KnownKustomizations {
    /// The patches by the directory of their kustomization.
    patches: HashMap<PathBuf, NamedPatches>,
    /// The patches that apply to the files of a directory, without empty sets.
    counting: HashMap<PathBuf, Arc<[NamedPatches]>>,
    /// The directories of the kustomizations that were found so far: they may name files anywhere.
    met: BTreeSet<PathBuf>,
    /// The patches that these name.
    elsewhere: Option<NamedPatches>,
}

impl Kustomizations {
    /// Whether a kustomization names the file at `path` as a patch: one beside it or above, up to the root of the repository,
    /// or one that was found earlier.
    pub(super) fn is_patch(&self, path: &Path) -> bool {
        let is_in = |named: &NamedPatches| {
            !named.is_empty() && dunce::canonicalize(path).is_ok_and(|path| named.contains(&path))
        };
        let directory = path.parent();
        directory.is_some_and(|directory| self.counting_in(directory).iter().any(is_in))
            || is_in(&self.patches_of_others())
    }

    /// The patches that apply to files in `directory`.
    fn counting_in(&self, directory: &Path) -> Arc<[NamedPatches]> {
        let counting = self.lock().counting.get(directory).cloned();
        counting.unwrap_or_else(|| {
            let mut above = Vec::new();
            for directory in directory.ancestors().take(LEVELS) {
                above.push(self.patches_in(directory));
                if directory.join(".git").exists() {
                    break;
                }
            }
            above.retain(|named| !named.is_empty());
            let counting: Arc<[NamedPatches]> = above.into();
            self.lock().counting.insert(directory.to_owned(), Arc::clone(&counting));
            counting
        })
    }

    /// Takes account of the kustomizations among `files`. Returns whether they name new patches.
    pub(super) fn add_kustomizations<'a>(&self, files: impl Iterator<Item = &'a Path>) -> bool {
        let ours = files.filter(|path| path.file_name().is_some_and(is_kustomization));
        let directories: Vec<PathBuf> = ours.filter_map(|path| Some(path.parent()?.to_owned())).collect();
        let before = self.patches_of_others();
        let mut known = self.lock();
        let count = known.met.len();
        known.met.extend(directories);
        if known.met.len() == count {
            return false;
        }
        known.elsewhere = None;
        drop(known);
        !self.patches_of_others().is_subset(&before)
    }

    /// Forgets all kustomizations.
    pub(super) fn clear(&self) {
        let mut known = self.lock();
        known.patches.clear();
        known.counting.clear();
        known.elsewhere = None;
    }

    fn patches_of_others(&self) -> NamedPatches {
        let met = {
            let known = self.lock();
            if let Some(elsewhere) = &known.elsewhere {
                return Arc::clone(elsewhere);
            }
            known.met.clone()
        };
        let all: BTreeSet<PathBuf> =
            met.iter().flat_map(|one| self.patches_in(one).iter().cloned().collect::<Vec<_>>()).collect();
        Arc::clone(self.lock().elsewhere.insert(Arc::new(all)))
    }

    fn patches_in(&self, directory: &Path) -> NamedPatches {
        let named = self.lock().patches.get(directory).cloned();
        if let Some(named) = named {
            return named;
        }
        let named = Arc::new(read(directory));
        self.lock().patches.insert(directory.to_owned(), Arc::clone(&named));
        named
    }

    fn lock(&self) -> MutexGuard<'_, KnownKustomizations> {
        self.kustomizations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The patches that the kustomization in `directory` names and that exist.
fn read(directory: &Path) -> BTreeSet<PathBuf> {
    let file = KUSTOMIZATIONS.iter().map(|name| directory.join(name)).find(|path| path.is_file());
    // kustomize reports problems with a kustomization.
    let Some(text) = file.and_then(|file| guarded_files::found_text(&file, MAX_BYTES).ok()) else {
        return BTreeSet::new();
    };
    let named = ide::patches_named_in(&text).into_iter();
    let named = named.filter(|path| guarded_files::outside_reason(path).is_none());
    named.filter_map(|path| dunce::canonicalize(directory.join(path)).ok()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::*;

    #[test]
    fn patches_of_a_kustomization_above_are_patches() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let kustomization = "resources: [base.yaml]\npatches:\n- path: deep/one.yaml\n- patch: '- op: x'\n\
            patchesStrategicMerge:\n- two.yaml\n- |-\n  a: b\npatchesJson6902:\n- {path: gone.yaml}\n";
        write("kustomization.yaml", kustomization);
        for file in ["base.yaml", "deep/one.yaml", "two.yaml"] {
            write(file, "a: b\n");
        }
        let all = Kustomizations::default();
        let is_patch = |path: &str| all.is_patch(&root.path().join(path));
        assert_eq!(
            ["base.yaml", "deep/one.yaml", "two.yaml", "gone.yaml"].map(is_patch),
            [false, true, true, false]
        );
        write("kustomization.yaml", "patches: [{path: base.yaml}]\n");
        assert!(!is_patch("base.yaml"));
        all.clear();
        assert!(is_patch("base.yaml") && !is_patch("two.yaml"));
    }

    #[test]
    fn kustomizations_that_were_met_count_anywhere() {
        let root = tempfile::tempdir().unwrap();
        let path = |path: &str| root.path().join(path);
        for folder in ["base", "overlay"] {
            fs::create_dir(path(folder)).unwrap();
        }
        fs::write(path("base/one.yaml"), "a: b\n").unwrap();
        fs::write(path("overlay/kustomization.yaml"), "patches: [{path: ../base/one.yaml}]\n").unwrap();
        let all = Kustomizations::default();
        assert!(!all.is_patch(&path("base/one.yaml")));
        let files = [path("base/one.yaml"), path("overlay/kustomization.yaml")];
        let meet = || all.add_kustomizations(files.iter().map(PathBuf::as_path));
        assert!(meet());
        assert!(all.is_patch(&path("base/one.yaml")));
        assert!(!meet(), "it is known");
        fs::write(path("overlay/kustomization.yaml"), "resources: [../base/one.yaml]\n").unwrap();
        all.clear();
        assert!(!all.is_patch(&path("base/one.yaml")));
    }
}
