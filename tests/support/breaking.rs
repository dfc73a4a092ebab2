//! A definition on a branch, of which the next edit breaks stored objects.

// Each test program uses a part of it.
#![allow(dead_code)]

use std::fs;
use std::path::Path;

use git2::Repository;

use crate::repository::commit_all;
use crate::widgets::definition;

/// The path of the definition.
pub(crate) const FILE: &str = "crd.yaml";
/// The line of `maximum`, from 1.
pub(crate) const LINE: u32 = 22;

/// The definition on the branch; on main `size` has the same schema without a description.
pub(crate) fn text() -> String {
    of_size("\n                description: The number of parts.")
}

fn of_size(more: &str) -> String {
    definition(&format!("{more}\n                type: integer\n                maximum: 9"))
}

/// Makes `root` a repository with a branch `main` and one for work, which is checked out and ahead by a commit.
pub(crate) fn write_repository(root: &Path) {
    fs::write(root.join(FILE), of_size("")).unwrap();
    let repository = Repository::init(root).unwrap();
    let first = repository.find_commit(commit_all(&repository)).unwrap();
    repository.branch("main", &first, true).ok();
    repository.branch("work", &first, false).unwrap();
    repository.set_head("refs/heads/work").unwrap();
    fs::write(root.join(FILE), text()).unwrap();
    commit_all(&repository);
}
