//! The files that match a pattern: `*` and `?` within a name, `**` for any folders.

use std::path::{Path, PathBuf};

use globset::Glob;

use crate::load::{Disk, clean};

/// The maximum number of matches of a pattern.
const MAX_FOUND: usize = 256;
/// The maximum number of folders to list for a pattern.
const MAX_LISTED: usize = 2_000;

/// The files and folders that match a pattern, in the form of the pattern: relative to `folder`.
pub(super) fn matching(disk: &dyn Disk, folder: &Path, pattern: &str) -> Vec<String> {
    let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
    let start = if pattern.starts_with('/') { "/" } else { "" };
    let mut found = Vec::new();
    let mut search = GlobSearch { disk, folder, of_folders: pattern.ends_with('/'), listed: 0 };
    search.below(start.to_owned(), &parts, &mut found);
    if pattern.ends_with('/') {
        found.iter_mut().for_each(|path| path.push('/'));
    }
    found
}

struct GlobSearch<'d> {
    disk: &'d dyn Disk,
    folder: &'d Path,
    /// Whether only folders match.
    of_folders: bool,
    listed: usize,
}

impl GlobSearch<'_> {
    fn below(&mut self, path: String, parts: &[&str], found: &mut Vec<String>) {
        let Some((part, rest)) = parts.split_first() else {
            found.push(path);
            return;
        };
        if !part.contains(['*', '?']) && (!rest.is_empty() || matches!(*part, "." | "..")) {
            self.below(join_path(&path, part), rest, found);
            return;
        }
        if *part == "**" {
            self.below(path.clone(), rest, found);
        }
        self.listed += 1;
        if self.listed > MAX_LISTED {
            return;
        }
        // An invalid pattern matches nothing.
        let Ok(names) = Glob::new(part).map(|glob| glob.compile_matcher()) else { return };
        for entry in self.disk.list(&self.place(&path)) {
            let is_hidden = entry.name.starts_with('.') && !part.starts_with('.');
            let may_match = entry.is_directory || rest.is_empty() && !self.of_folders;
            if is_hidden || !may_match || found.len() >= MAX_FOUND {
                continue;
            }
            match *part == "**" {
                true if entry.is_directory => self.below(join_path(&path, &entry.name), parts, found),
                false if names.is_match(&entry.name) => {
                    self.below(join_path(&path, &entry.name), rest, found);
                }
                _ => {}
            }
        }
    }

    fn place(&self, path: &str) -> PathBuf {
        clean(&self.folder.join(path))
    }
}

fn join_path(path: &str, name: &str) -> String {
    let slash = if path.is_empty() || path.ends_with('/') { "" } else { "/" };
    format!("{path}{slash}{name}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::matching;
    use crate::load::FileSystem;

    #[test]
    fn patterns_match_existing_files() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["api/a/v1/doc.go", "api/b/v1/doc.go", "api/b/v1/.hidden.go", "api/b/notes.txt"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = |pattern: &str| matching(&FileSystem::default(), folder.path(), pattern).join(" ");
        assert_eq!(found("api/*/v?/doc.go"), "api/a/v1/doc.go api/b/v1/doc.go");
        assert_eq!(found("./api/**/*.go"), "./api/a/v1/doc.go ./api/b/v1/doc.go");
        assert_eq!(found("api/*/"), "api/a/ api/b/");
        assert_eq!(found("api/b/*/"), "api/b/v1/");
        assert_eq!(found("api/b/*.t*t"), "api/b/notes.txt");
        assert_eq!(found("api/c/*"), "");
        assert_eq!(found("api/none.go"), "");
    }
}
