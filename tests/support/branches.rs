//! Repositories with a main branch and a branch for work, and editors in them.

// Each test program uses a part of it.
#![allow(dead_code)]

use std::path::Path;

use git2::Repository;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::client::{self, Client};
use crate::support::program::directory;
use crate::support::repository::commit_all;

/// A repository with these files on the main branch; a branch for work is checked out.
pub(crate) fn branched(files: &[(&str, &str)]) -> (TempDir, Repository) {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    let root = directory(&files);
    let repository = Repository::init(root.path()).unwrap();
    commit_all(&repository);
    let first = repository.head().unwrap().peel_to_commit().unwrap();
    repository.branch("main", &first, true).ok();
    repository.branch("work", &first, false).unwrap();
    repository.set_head("refs/heads/work").unwrap();
    drop(first);
    (root, repository)
}

/// An editor with these settings.
pub(crate) fn editor(options: &Value) -> Client {
    let mut client = Client::start();
    let actions = json!({"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}});
    let capabilities =
        json!({"textDocument": {"codeAction": actions, "hover": {"contentFormat": ["markdown"]}}});
    let parameters = json!({"processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options});
    client.ask("initialize", parameters);
    client.notify("initialized", json!({}));
    client
}

pub(crate) fn uri(root: &Path, path: &str) -> String {
    client::uri(&root.join(path))
}

/// The findings on breaking changes.
pub(crate) fn broken(diagnostics: &Value) -> Vec<Value> {
    let all = diagnostics.as_array().unwrap().iter();
    all.filter(|one| one["code"].as_str().unwrap().starts_with("compat/")).cloned().collect()
}
