//! Which files a kustomization names as patches.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The names that kustomize looks for.
const NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
/// Directories above a file in which a kustomization that names it is looked for.
const LEVELS: usize = 8;
/// No kustomization is larger, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// Whether a file of that name is a kustomization.
pub(crate) fn is_kustomization(name: &OsStr) -> bool {
    NAMES.iter().any(|known| name == *known)
}

/// What the kustomizations of directories name, as far as they were read. Cheap to clone; clones share what is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Kustomizations {
    patches: Arc<Mutex<BTreeMap<PathBuf, Arc<BTreeSet<PathBuf>>>>>,
}

impl Kustomizations {
    /// Whether a kustomization beside the file at `path` or above names it as a patch, looked for up to the root of the
    /// repository.
    pub(super) fn is_patch(&self, path: &Path) -> bool {
        for directory in path.ancestors().skip(1).take(LEVELS) {
            let named = self.of(directory);
            if !named.is_empty() && path.canonicalize().is_ok_and(|path| named.contains(&path)) {
                return true;
            }
            if directory.join(".git").exists() {
                break;
            }
        }
        false
    }

    pub(super) fn clear(&self) {
        self.patches.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn of(&self, directory: &Path) -> Arc<BTreeSet<PathBuf>> {
        let known =
            |all: &Self| all.patches.lock().unwrap_or_else(PoisonError::into_inner).get(directory).cloned();
        if let Some(named) = known(self) {
            return named;
        }
        let named = Arc::new(read(directory));
        let mut all = self.patches.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(directory.to_owned(), Arc::clone(&named));
        named
    }
}

/// The patches that the kustomization in `directory` names and that exist.
fn read(directory: &Path) -> BTreeSet<PathBuf> {
    let file = NAMES.iter().map(|name| directory.join(name)).find(|path| path.is_file());
    let Some(file) = file.filter(|path| fs::metadata(path).is_ok_and(|file| file.len() <= MAX_BYTES)) else {
        return BTreeSet::new();
    };
    // What is wrong with a kustomization is for kustomize to tell.
    let text = fs::read_to_string(file).unwrap_or_default();
    let named = ide::patches_named_in(&text).into_iter();
    named.filter_map(|path| directory.join(path).canonicalize().ok()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn what_a_kustomization_above_names_is_a_patch() {
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
}
