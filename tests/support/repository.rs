//! Git repositories for tests.

use git2::{IndexAddOption, Oid, Repository, Signature};

/// Commits all files of the work tree on the present branch.
pub(crate) fn commit_all(repository: &Repository) -> Oid {
    let mut index = repository.index().unwrap();
    index.add_all(["*"], IndexAddOption::DEFAULT, None).unwrap();
    index.write().unwrap();
    let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
    let author = Signature::now("crd-ls", "crd-ls@example.com").unwrap();
    let parent = repository.head().ok().map(|head| head.peel_to_commit().unwrap());
    let parents: Vec<_> = parent.iter().collect();
    repository.commit(Some("HEAD"), &author, &author, "test", &tree, &parents).unwrap()
}
