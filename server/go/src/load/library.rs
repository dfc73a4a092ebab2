//! Files that were read for one generation, for other generations that read the same ones: the calls of a project have most
//! packages in common.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::{Build, File};
use crate::version::Version;

/// Files that generations share, as do clones.
#[derive(Clone, Debug, Default)]
pub struct Library {
    known: Arc<Mutex<CachedFiles>>,
}

#[derive(Debug, Default)]
struct CachedFiles {
    /// The files of folders that never change.
    folders: HashMap<(Use, PathBuf), Arc<[Arc<File>]>>,
    /// Other files with their last text, as long as a generation uses them.
    files: HashMap<(Version, PathBuf), Weak<File>>,
}

/// The use of files: a build selects files of a folder, and a file stores its markers as parsed for a release.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Use {
    pub(crate) build: Build,
    pub(crate) version: Version,
}

impl Library {
    /// The files of a folder that never changes.
    pub(super) fn folder(
        &self,
        of: &Use,
        folder: &Path,
        read: impl FnOnce() -> Arc<[Arc<File>]>,
    ) -> Arc<[Arc<File>]> {
        let key = (of.clone(), folder.to_owned());
        if let Some(files) = self.lock_files().folders.get(&key) {
            return Arc::clone(files);
        }
        let files = read();
        // Another thread may have read it meanwhile. All threads use the first result.
        Arc::clone(self.lock_files().folders.entry(key).or_insert(files))
    }

    /// A file with this text.
    pub(super) fn file(
        &self,
        of: &Use,
        path: &Path,
        text: String,
        read: impl FnOnce(String) -> Option<File>,
    ) -> Option<Arc<File>> {
        let key = (of.version, path.to_owned());
        let known = self.lock_files().files.get(&key).and_then(Weak::upgrade);
        if let Some(known) = known.filter(|known| known.text == text) {
            return Some(known);
        }
        let file = Arc::new(read(text)?);
        self.lock_files().files.insert(key, Arc::downgrade(&file));
        Some(file)
    }

    /// Drops the files that no generation uses.
    pub fn shrink(&self) {
        let mut known = self.lock_files();
        known.folders.retain(|_, files| files.iter().any(|file| Arc::strong_count(file) > 1));
        known.files.retain(|_, file| file.strong_count() > 0);
    }

    fn lock_files(&self) -> MutexGuard<'_, CachedFiles> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::path::Path;
    use std::sync::Arc;

    use super::{Library, Use};
    use crate::load::{Build, File};
    use crate::syntax::Reader;
    use crate::version::Version;

    fn use_of(version: Version) -> Use {
        Use { build: Build::default(), version }
    }

    fn read(text: String) -> Option<File> {
        Reader::new()?.read(Path::new("types.go"), text)
    }

    #[test]
    fn generations_share_a_file_while_its_text_is_unchanged() {
        let (library, of) = (Library::default(), use_of(Version::NEWEST));
        let file =
            |of: &Use, text: &str| library.file(of, Path::new("types.go"), text.to_owned(), read).unwrap();
        let first = file(&of, "package v1\n");
        assert!(Arc::ptr_eq(&first, &file(&of, "package v1\n")));
        let other_release = file(&use_of(Version::OLDEST), "package v1\n");
        assert!(!Arc::ptr_eq(&first, &other_release), "it remembers what one release makes of its markers");
        let edited = file(&of, "package v2\n");
        assert_eq!(&*edited.package.name, "v2");
        assert_eq!(&*file(&of, "package v1\n").package.name, "v1");
    }

    #[test]
    fn constant_folders_are_read_once_while_their_files_are_in_use() {
        let (library, of) = (Library::default(), use_of(Version::NEWEST));
        let mut reads = 0;
        let mut folder = || {
            library.folder(&of, Path::new("/module"), || {
                reads += 1;
                [Arc::new(read("package v1\n".to_owned()).unwrap())].into()
            })
        };
        let (first, second) = (folder(), folder());
        assert!(Arc::ptr_eq(&first, &second));
        let file = first.first().cloned();
        drop((first, second));
        library.shrink();
        folder();
        drop(file);
        library.shrink();
        folder();
        assert_eq!(reads, 2, "read again once nobody has the file");
    }
}
