//! The earlier files of definitions whose file was renamed, or that were moved to another file.

use std::path::{Path, PathBuf};

use git2::{Oid, Repository, Tree};
use ide::StoredObjects;

use super::objects::Objects;
use super::text;
use crate::definitions::may_define;
use crate::guarded_files;
use crate::limits::MAX_BYTES;

/// The maximum number of files of a revision that are searched.
const MOST_FILES: usize = 20_000;

/// The file of `tree` that holds a definition with the same name as one in the file at `relative` below `root`. If there are
/// several, a file that no longer exists in the work tree takes precedence, then the one with the most similar path.
pub(super) fn find(
    repository: &Repository,
    tree: &Tree<'_>,
    root: &Path,
    relative: &Path,
) -> Option<(PathBuf, Oid)> {
    let now = guarded_files::regular_text(&root.join(relative), MAX_BYTES).ok();
    let now = now.filter(|text| may_define(text.as_bytes()))?;
    let now = StoredObjects::in_cluster(&now);
    let names: Vec<&str> = now.names().collect();
    let mut candidates = files(repository, tree);
    candidates.sort_by_cached_key(|(path, _)| {
        (
            root.join(path).exists(),
            path.file_name() != relative.file_name(),
            usize::MAX - shared(path, relative),
        )
    });
    candidates.into_iter().find(|(_, blob)| {
        let Ok(Some(text)) = text(repository, *blob) else { return false };
        may_define(text.as_bytes())
            && names.iter().any(|name| text.contains(name))
            && StoredObjects::in_cluster(&text).names().any(|name| names.contains(&name))
    })
}

/// The files of `tree` that may hold definitions.
fn files(repository: &Repository, tree: &Tree<'_>) -> Vec<(PathBuf, Oid)> {
    let is_ours = |name: &str| [".yaml", ".yml", ".json"].iter().any(|ending| name.ends_with(ending));
    // If the objects cannot be read, there are no files.
    Objects::of(repository).map_or_else(|_| Vec::new(), |objects| objects.all(tree, &is_ours, MOST_FILES))
}

/// The files of `tree` at or below `directory`, a path from `root`, that hold definitions and no longer exist in the work
/// tree.
pub(super) fn deleted_files(
    repository: &Repository,
    tree: &Tree<'_>,
    root: &Path,
    directory: &Path,
) -> Vec<(PathBuf, String)> {
    let files = files(repository, tree).into_iter();
    let gone = files.filter(|(path, _)| path.starts_with(directory) && !root.join(path).exists());
    gone.filter_map(|(path, blob)| {
        let text = text(repository, blob).ok()??;
        may_define(text.as_bytes()).then_some((path, text))
    })
    .collect()
}

/// The number of common leading components of two paths.
fn shared(one: &Path, other: &Path) -> usize {
    one.components().zip(other.components()).take_while(|(one, other)| one == other).count()
}
