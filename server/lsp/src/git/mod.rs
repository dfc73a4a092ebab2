//! Versions of files in a revision of their git repositories.

mod earlier_files;
mod history;
mod objects;
mod sound;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};

pub(crate) use answers::settings::{HEAD, MERGE_BASE};
use dashmap::DashMap;
use git2::{Commit, ErrorCode, Oid, Repository, Tree};
use ide::{File, StoredObjects};
use objects::Objects;

use crate::definitions::may_define;

/// The prefix of a pattern of tags.
const LATEST_TAG: &str = "tag:";
/// The usual names of the main branch; those of the remote first.
const MAIN_BRANCHES: [&str; 5] = [
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
];

/// The earlier version that a file is compared with.
#[derive(Clone, Debug, Default)]
pub(crate) struct EarlierVersion {
    /// The definitions in the revision's version of the file; `None` if there is no such version, or if it has nothing to
    /// compare.
    pub(crate) stored: Option<StoredObjects>,
    /// The directories in which files change when branches move.
    pub(crate) directories: Vec<PathBuf>,
    /// The reason why the version cannot be read.
    pub(crate) problem: Option<String>,
    /// The blob of the version.
    blob: Option<Oid>,
    /// The tree of the revision, if it was searched because it does not contain the path of the file.
    searched: Option<Oid>,
}

/// The version of a file in a revision.
struct Version {
    blob: Oid,
    /// Its path in the revision, relative to the top of the work tree, if that path differs.
    path: Option<PathBuf>,
}

/// The versions of files that were read, by path and revision. Cheap to clone; clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repositories {
    versions: Arc<DashMap<(PathBuf, String), EarlierVersion>>,
}

impl Repositories {
    /// The version that the file at `path` is compared with, if it was read.
    pub(crate) fn cached_version(&self, path: &Path, revision: &str) -> Option<EarlierVersion> {
        self.versions.get(&(path.to_owned(), revision.to_owned())).map(|compared| compared.clone())
    }

    /// Reads the version that the file at `path` is compared with, unless it is known. The version shares equal parts with the
    /// `present` text.
    pub(crate) fn read(&self, path: &Path, revision: &str, present: Option<&File>) {
        if self.cached_version(path, revision).is_none() {
            let compared = self.compare(path, revision, None, present);
            self.versions.insert((path.to_owned(), revision.to_owned()), compared);
        }
    }

    /// Records that reading the version crashed: it is not read again while the file is open.
    pub(crate) fn crashed(&self, path: &Path, revision: &str) {
        let problem =
            format!("{}: reading its version in {revision} crashed; please report it", path.display());
        let compared = EarlierVersion { problem: Some(problem), ..EarlierVersion::default() };
        self.versions.insert((path.to_owned(), revision.to_owned()), compared);
    }

    /// Reads again the versions that have changed in the repositories, and returns the paths of their files. `present` has the
    /// current texts.
    pub(crate) fn refresh(&self, present: &BTreeMap<PathBuf, File>) -> Vec<PathBuf> {
        // A copy, in the order of paths, so that no lock is held while files are read.
        let known: BTreeMap<_, _> =
            self.versions.iter().map(|entry| (entry.key().clone(), entry.value().clone())).collect();
        let mut changed = Vec::new();
        for (key, before) in known {
            let (path, revision) = &key;
            let now = self.compare(path, revision, Some(&before), present.get(path));
            let is_same = now.blob == before.blob && now.problem == before.problem;
            // A file that was forgotten meanwhile is no longer open.
            if let Some(mut known) = self.versions.get_mut(&key).filter(|_| !is_same) {
                *known = now;
                changed.push(key.0);
            }
        }
        changed
    }

    /// Forgets a file that is no longer open.
    pub(crate) fn forget(&self, path: &Path) {
        self.versions.retain(|(known, _), _| known != path);
    }

    /// The version that the file at `path` is compared with; `before` is reused if the version is the same.
    fn compare(
        &self,
        path: &Path,
        revision: &str,
        before: Option<&EarlierVersion>,
        present: Option<&File>,
    ) -> EarlierVersion {
        let stored = |blob: Oid, text: &str, title: &str| {
            let is_same = |compared: &EarlierVersion| compared.blob == Some(blob);
            let mut known =
                self.versions.iter().filter(|entry| entry.key().0 == path && is_same(entry.value()));
            match (known.find_map(|entry| entry.value().stored.clone()), present) {
                (Some(same), _) => same.in_revision(title),
                (None, Some(file)) => file.earlier_version(text, title),
                (None, None) => StoredObjects::at_revision(text, title),
            }
        };
        compare(path, revision, before, &stored)
    }
}

/// The version that the file at `path` is compared with; `before` is reused if the version is the same. `stored` makes the
/// result from a version's blob, its text and its name in messages.
fn compare(
    path: &Path,
    revision: &str,
    before: Option<&EarlierVersion>,
    stored: &dyn Fn(Oid, &str, &str) -> StoredObjects,
) -> EarlierVersion {
    let Ok(path) = canonical(path) else { return EarlierVersion::default() };
    let failed = |problem: String| EarlierVersion { problem: Some(problem), ..EarlierVersion::default() };
    let repository = match repository_of(&path) {
        Ok(Some(repository)) => repository,
        Ok(None) => return EarlierVersion::default(),
        Err(problem) => return failed(problem),
    };
    let directories = directories(&repository);
    let is_known = |tree: Oid| before.is_some_and(|before| before.searched == Some(tree));
    let found = match files(&repository, revision) {
        Ok(Some(tree)) if is_known(tree.id()) => return before.cloned().unwrap_or_default(),
        Ok(Some(tree)) => version(&repository, &path, &tree).map(|found| Some((found, tree.id()))),
        Ok(None) => Ok(None),
        Err(problem) => Err(problem),
    };
    let compared = match found {
        Err(problem) => failed(problem),
        Ok(None) => EarlierVersion::default(),
        Ok(Some((None, tree))) => EarlierVersion { searched: Some(tree), ..EarlierVersion::default() },
        Ok(Some((Some(Version { blob, .. }), _)))
            if before.is_some_and(|before| before.blob == Some(blob)) =>
        {
            before.cloned().unwrap_or_default()
        }
        Ok(Some((Some(Version { blob, path: elsewhere }), tree))) => match text(&repository, blob) {
            Err(problem) => failed(format!("{}: {problem}", path.display())),
            Ok(text) => {
                let text = text.filter(|text| may_define(text.as_bytes()));
                let searched = elsewhere.is_some().then_some(tree);
                let place = elsewhere.map(|path| format!(" ({})", path.display())).unwrap_or_default();
                let stored = text.map(|text| stored(blob, &text, &format!("{}{place}", title(revision))));
                let is_partial = stored.as_ref().is_some_and(StoredObjects::is_partial);
                let problem = is_partial.then(|| {
                    format!(
                        "{}: its definitions in {revision} have syntax errors; they are not compared",
                        path.display()
                    )
                });
                let stored = stored.filter(|stored| !stored.is_empty());
                EarlierVersion { stored, problem, blob: Some(blob), searched, ..EarlierVersion::default() }
            }
        },
    };
    EarlierVersion { directories, ..compared }
}

/// The text of the file at `path` in `revision`, if it holds definitions, with its path from the top of the work tree if that
/// differs in the revision; `None` if the revision does not have the file.
pub(crate) fn earlier(path: &Path, revision: &str) -> Result<Option<(String, Option<PathBuf>)>, String> {
    Ok(any_earlier(path, revision)?.filter(|(text, _)| may_define(text.as_bytes())))
}

/// The text of the file at `path` in `revision`; `None` if the revision does not have the file.
pub(crate) fn any_text_at(path: &Path, revision: &str) -> Result<Option<String>, String> {
    Ok(any_earlier(path, revision)?.map(|(text, _)| text))
}

/// Whether `path` is in the work tree of a repository.
pub(crate) fn is_versioned(path: &Path) -> bool {
    canonical(path).is_ok_and(|path| matches!(repository_of(&path), Ok(Some(_))))
}

/// The commit that `revision` currently names in the repository of `path`.
pub(crate) fn commit_at(path: &Path, revision: &str) -> Option<String> {
    let repository = repository_of(&canonical(path).ok()?).ok()??;
    let commit = commit(&repository, revision).ok()??;
    Some(commit.id().to_string())
}

/// The directories of git in which files change when a revision of the repository of `path` moves.
pub(crate) fn directories_of(path: &Path) -> Vec<PathBuf> {
    let repository = canonical(path).ok().and_then(|path| repository_of(&path).ok().flatten());
    repository.map_or_else(Vec::new, |repository| directories(&repository))
}

fn directories(repository: &Repository) -> Vec<PathBuf> {
    vec![repository.path().to_owned(), repository.path().join("logs")]
}

fn any_earlier(path: &Path, revision: &str) -> Result<Option<(String, Option<PathBuf>)>, String> {
    let Ok(path) = canonical(path) else { return Ok(None) };
    let Some(repository) = repository_of(&path)? else { return Ok(None) };
    let Some(tree) = files(&repository, revision)? else { return Ok(None) };
    let Some(version) = version(&repository, &path, &tree)? else { return Ok(None) };
    Ok(text(&repository, version.blob)?.map(|text| (text, version.path)))
}

/// The files with definitions that `revision` has in `directory` and that no longer exist, by their paths from the top of the
/// work tree.
pub(crate) fn deleted_files(directory: &Path, revision: &str) -> Result<Vec<(PathBuf, String)>, String> {
    let Ok(directory) = canonical(directory) else { return Ok(Vec::new()) };
    let Some(repository) = repository_of(&directory)? else { return Ok(Vec::new()) };
    let Some(tree) = files(&repository, revision)? else { return Ok(Vec::new()) };
    let root = repository.workdir().and_then(|root| dunce::canonicalize(root).ok());
    let within = root.as_ref().and_then(|root| Some((root, directory.strip_prefix(root).ok()?)));
    Ok(within
        .map(|(root, within)| earlier_files::deleted_files(&repository, &tree, root, within))
        .unwrap_or_default())
}

/// Checks that `revision` can be read in the repository of `path`. The error is the reason why it cannot.
pub(crate) fn check(path: &Path, revision: &str) -> Result<(), String> {
    let real = canonical(path).map_err(|problem| problem.to_string())?;
    let repository = repository_of(&real)?.ok_or("this is not a git repository")?;
    commit(&repository, revision).map(|_| ())
}

/// The path without symbolic links, as git knows it.
fn canonical(path: &Path) -> std::io::Result<PathBuf> {
    dunce::canonicalize(path).or_else(|problem| match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => Ok(dunce::canonicalize(parent)?.join(name)),
        _ => Err(problem),
    })
}

/// Set once to read objects without verifying their hashes, which takes longer than all other work. The only effect of a damaged
/// object is that a file is compared with its content.
static UNVERIFIED: Once = Once::new();

/// The innermost repository with a work tree that `path` is in.
fn repository_of(path: &Path) -> Result<Option<Repository>, String> {
    UNVERIFIED.call_once(|| git2::opts::strict_hash_verification(false));
    let directory = if path.is_dir() { Some(path) } else { path.parent() };
    if let Some(directory) = directory {
        sound::check(directory)?;
    }
    match directory.map(Repository::discover) {
        None => Ok(None),
        Some(Ok(repository)) => Ok(Some(repository).filter(|repository| !repository.is_bare())),
        Some(Err(error)) if error.code() == ErrorCode::NotFound => Ok(None),
        Some(Err(error)) => Err(format!("the git repository cannot be read: {}", error.message())),
    }
}

/// How messages name `revision`.
pub(crate) fn title(revision: &str) -> String {
    match revision.strip_prefix(LATEST_TAG) {
        Some(pattern) => format!("the latest tag {pattern}"),
        None if revision == MERGE_BASE => "the main branch".to_owned(),
        None => revision.to_owned(),
    }
}

/// The commit of `revision`; `None` on a branch without commits, or if there is no main branch to compare with.
fn commit<'r>(repository: &'r Repository, revision: &str) -> Result<Option<Commit<'r>>, String> {
    let is_unborn = || repository.head().is_err_and(|error| error.code() == ErrorCode::UnbornBranch);
    if (revision == HEAD || revision == MERGE_BASE) && is_unborn() {
        return Ok(None);
    }
    let commit = match revision.strip_prefix(LATEST_TAG) {
        Some(pattern) => latest_tag(repository, pattern),
        None if revision == MERGE_BASE => match merge_base(repository) {
            Ok(None) => return Ok(None),
            Ok(Some(commit)) => Ok(commit),
            Err(problem) => Err(problem),
        },
        None => Objects::of(repository).and_then(|objects| objects.commit_of(revision)),
    };
    commit.map(Some).map_err(|error| {
        let next = match repository.is_shallow() {
            true => "; the clone is shallow: run `git fetch --unshallow`",
            false => "",
        };
        format!("{}: {revision} cannot be read: {}{next}", repository.path().display(), error.message())
    })
}

/// The merge base of `HEAD` and the main branch; `None` if there is no such branch.
fn merge_base(repository: &Repository) -> Result<Option<Commit<'_>>, git2::Error> {
    let objects = Objects::of(repository)?;
    let main = MAIN_BRANCHES.iter().find_map(|name| objects.commit_of(name).ok());
    let Some(main) = main else { return Ok(None) };
    let head = objects.commit_of(HEAD)?;
    history::merge_base(&objects, main.id(), head.id()).map(Some)
}

/// The commit of the nearest tag before `HEAD` whose name matches, as `git describe` finds it.
fn latest_tag<'r>(repository: &'r Repository, pattern: &str) -> Result<Commit<'r>, git2::Error> {
    let objects = Objects::of(repository)?;
    let head = objects.commit_of(HEAD)?;
    let name = history::latest_tag(repository, &objects, head.id(), pattern)?;
    objects.commit_of(&name)
}

/// The files of `revision`; `None` if there is no commit to compare with.
fn files<'r>(repository: &'r Repository, revision: &str) -> Result<Option<Tree<'r>>, String> {
    let Some(commit) = commit(repository, revision)? else { return Ok(None) };
    let problem =
        |error: git2::Error| format!("{}: {revision}: {}", repository.path().display(), error.message());
    Objects::of(repository).and_then(|objects| objects.files(&commit)).map(Some).map_err(problem)
}

/// The version of the file at `path` in the tree of a revision; `None` if the tree has neither the file nor one of its
/// definitions.
fn version(repository: &Repository, path: &Path, tree: &Tree<'_>) -> Result<Option<Version>, String> {
    let root = repository.workdir().and_then(|root| dunce::canonicalize(root).ok());
    let Some((root, relative)) = root.as_ref().and_then(|root| Some((root, path.strip_prefix(root).ok()?)))
    else {
        return Ok(None);
    };
    let entry = Objects::of(repository).and_then(|objects| objects.entry(tree, relative));
    match entry {
        Ok(entry) => {
            let is_file = entry.kind() == Some(git2::ObjectType::Blob);
            Ok(is_file.then(|| Version { blob: entry.id(), path: None }))
        }
        Err(error) if error.code() == ErrorCode::NotFound => {
            let found = earlier_files::find(repository, tree, root, relative);
            Ok(found.map(|(path, blob)| Version { blob, path: Some(path) }))
        }
        Err(error) => Err(format!("{}: {}", path.display(), error.message())),
    }
}

/// The text of a blob, if it is text.
fn text(repository: &Repository, blob: Oid) -> Result<Option<String>, String> {
    let text = Objects::of(repository).and_then(|objects| objects.text(blob));
    text.map_err(|error| error.message().to_owned())
}

#[cfg(test)]
mod tests;
