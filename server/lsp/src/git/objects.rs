//! Objects of a repository, whose headers are checked before they are inflated: an object of a few bytes on disk may fill all
//! memory.

use std::path::{Component, Path, PathBuf};

use git2::{Commit, ErrorClass, ErrorCode, ObjectType, Odb, Oid, Repository, Tree, TreeEntry};

use super::sound;
use crate::limits::MAX_BYTES;

/// The maximum size of a commit or tag, in bytes.
const MAX_COMMIT: usize = 1024 * 1024;
/// The maximum size of a directory, in bytes: some hundred thousand entries.
const MAX_TREE: usize = 16 * 1024 * 1024;
/// The maximum length of a chain of tags that refer to tags.
const MOST_TAGS: usize = 10;
/// The maximum number of entries of a tree that are visited: one directory object may be at many paths.
const MOST_ENTRIES: usize = 500_000;
/// The maximum depth of a path, in directories.
const MOST_DEEP: usize = 200;

/// The objects of a repository, except those that are too large to read.
pub(super) struct Objects<'r> {
    repository: &'r Repository,
    headers: Odb<'r>,
}

impl<'r> Objects<'r> {
    pub(super) fn of(repository: &'r Repository) -> Result<Self, git2::Error> {
        Ok(Self { repository, headers: repository.odb()? })
    }

    /// The commit that `oid` names, directly or through tags.
    pub(super) fn commit(&self, oid: Oid) -> Result<Commit<'r>, git2::Error> {
        let mut oid = oid;
        for _ in 0..MOST_TAGS {
            match self.limited(oid, MAX_COMMIT)? {
                ObjectType::Tag => oid = self.repository.find_tag(oid)?.target_id(),
                _ => return self.repository.find_commit(oid),
            }
        }
        Err(refused("the tags refer to each other in a cycle"))
    }

    /// The commit that a revision names.
    pub(super) fn commit_of(&self, revision: &str) -> Result<Commit<'r>, git2::Error> {
        // The rest of the revision navigates from the commit that the first part names.
        let first = revision.split(['~', '^', '@', ':']).next().unwrap_or_default();
        let oid = match self.repository.resolve_reference_from_short_name(first) {
            Ok(reference) => reference.resolve()?.target(),
            Err(_) => Oid::from_str(first).ok().filter(|_| first.len() == 40),
        };
        match oid {
            Some(oid) if first == revision => self.commit(oid),
            Some(oid) => {
                self.commit(oid)?;
                self.parsed(revision)
            }
            None => self.parsed(revision),
        }
    }

    fn parsed(&self, revision: &str) -> Result<Commit<'r>, git2::Error> {
        self.commit(self.repository.revparse_single(revision)?.id())
    }

    /// The files of a commit.
    pub(super) fn files(&self, commit: &Commit<'_>) -> Result<Tree<'r>, git2::Error> {
        self.tree(commit.tree_id())
    }

    fn tree(&self, oid: Oid) -> Result<Tree<'r>, git2::Error> {
        self.limited(oid, MAX_TREE)?;
        self.repository.find_tree(oid)
    }

    /// The entry at a path of `tree`.
    pub(super) fn entry(&self, tree: &Tree<'_>, path: &Path) -> Result<TreeEntry<'static>, git2::Error> {
        let absent = || git2::Error::new(ErrorCode::NotFound, ErrorClass::Tree, "the path does not exist");
        let mut components = path.components().peekable();
        let mut below: Option<Tree<'r>> = None;
        while let Some(Component::Normal(name)) = components.next() {
            let entry = match &below {
                Some(tree) => tree.get_path(Path::new(name))?.to_owned(),
                None => tree.get_path(Path::new(name))?.to_owned(),
            };
            if components.peek().is_none() {
                return Ok(entry);
            }
            if entry.kind() != Some(ObjectType::Tree) {
                return Err(absent());
            }
            below = Some(self.tree(entry.id())?);
        }
        Err(absent())
    }

    /// The first `most` files of `tree` whose names are wanted, each with its path. Directories that cannot be read are
    /// skipped.
    pub(super) fn all(
        &self,
        tree: &Tree<'_>,
        is_wanted: &dyn Fn(&str) -> bool,
        most: usize,
    ) -> Vec<(PathBuf, Oid)> {
        let mut walk = ObjectWalk { objects: self, is_wanted, files: Vec::new(), most, left: MOST_ENTRIES };
        walk.walk_down(tree, Path::new(""), 0);
        walk.files
    }

    /// The text of a blob; `None` if it is not text.
    pub(super) fn text(&self, blob: Oid) -> Result<Option<String>, git2::Error> {
        self.limited(blob, MAX_BYTES)?;
        let blob = self.repository.find_blob(blob)?;
        Ok(str::from_utf8(blob.content()).ok().map(str::to_owned))
    }

    /// The size and kind of an object by its header.
    fn header(&self, oid: Oid) -> Result<(usize, ObjectType), git2::Error> {
        let name = oid.to_string();
        let (folder, rest) = name.split_at_checked(2).unwrap_or_default();
        let file = self.repository.commondir().join("objects").join(folder).join(rest);
        sound::check_file(&file, u64::MAX).map_err(|why| refused(&why))?;
        self.headers.read_header(oid)
    }

    /// The kind of an object that is not larger than `limit`.
    fn limited(&self, oid: Oid, limit: usize) -> Result<ObjectType, git2::Error> {
        let (size, kind) = self.header(oid)?;
        if size > limit {
            tracing::warn!(%oid, size, "a git object is too large to read");
            return Err(refused(&format!("the git object {oid} with {size} bytes is too large to read")));
        }
        Ok(kind)
    }
}

fn refused(why: &str) -> git2::Error {
    git2::Error::new(ErrorCode::Invalid, ErrorClass::Odb, why)
}

struct ObjectWalk<'a, 'r> {
    objects: &'a Objects<'r>,
    is_wanted: &'a dyn Fn(&str) -> bool,
    files: Vec<(PathBuf, Oid)>,
    most: usize,
    left: usize,
}

impl ObjectWalk<'_, '_> {
    fn walk_down(&mut self, tree: &Tree<'_>, path: &Path, depth: usize) {
        for entry in tree {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 || self.files.len() >= self.most {
                return;
            }
            let Ok(name) = entry.name() else { continue };
            match entry.kind() {
                Some(ObjectType::Blob) if (self.is_wanted)(name) => {
                    self.files.push((path.join(name), entry.id()));
                }
                Some(ObjectType::Tree) if depth < MOST_DEEP => {
                    if let Ok(tree) = self.objects.tree(entry.id()) {
                        self.walk_down(&tree, &path.join(name), depth + 1);
                    }
                }
                _ => {}
            }
        }
    }
}
