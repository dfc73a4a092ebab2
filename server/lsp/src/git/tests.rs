#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;

use git2::build::CheckoutBuilder;
use tempfile::TempDir;

use super::*;

#[path = "../../../../tests/support/repository.rs"]
mod repository;

use repository::commit_all;

const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec: {scope: Namespaced}
";

/// A repository whose HEAD holds `crds/widgets.yaml`.
fn repository() -> (TempDir, Repository, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let repository = Repository::init(root.path()).unwrap();
    let path = root.path().join("crds/widgets.yaml");
    fs::create_dir(root.path().join("crds")).unwrap();
    fs::write(&path, DEFINITION).unwrap();
    commit_all(&repository);
    (root, repository, path)
}

/// The text of a file with definitions.
fn text_at(path: &Path, revision: &str) -> Result<Option<String>, String> {
    Ok(earlier(path, revision)?.map(|(text, _)| text))
}

/// The version that the file is compared with.
fn compared(repositories: &Repositories, path: &Path, revision: &str) -> EarlierVersion {
    repositories.read(path, revision, None);
    repositories.cached_version(path, revision).unwrap()
}

fn silent(path: &Path) {
    let compared = compared(&Repositories::default(), path, HEAD);
    assert!(compared.stored.is_none() && compared.problem.is_none(), "{compared:?}");
    assert_eq!(text_at(path, HEAD), Ok(None));
}

#[test]
fn the_version_in_head_is_read_independently_of_the_file() {
    let (_root, _repository, path) = repository();
    fs::write(&path, "").unwrap();
    assert_eq!(text_at(&path, HEAD).unwrap().unwrap(), DEFINITION);
    fs::remove_file(&path).unwrap();
    let compared = compared(&Repositories::default(), &path, HEAD);
    assert!(compared.stored.is_some() && compared.problem.is_none());
    assert!(compared.directories.iter().any(|directory| directory.ends_with(".git")));
}

#[test]
fn without_a_version_no_problem_is_reported() {
    let (root, _repository, _path) = repository();
    let untracked = root.path().join("new.yaml");
    fs::write(&untracked, DEFINITION.replace("widgets", "gadgets")).unwrap();
    silent(&untracked);
    let outside = tempfile::tempdir().unwrap();
    silent(&outside.path().join("a.yaml"));
    silent(&outside.path().join("nowhere/a.yaml"));
    let unborn = tempfile::tempdir().unwrap();
    Repository::init(unborn.path()).unwrap();
    fs::write(unborn.path().join("a.yaml"), DEFINITION).unwrap();
    silent(&unborn.path().join("a.yaml"));
    silent(&unborn.path().join(".git/a.yaml"));
}

#[test]
fn a_renamed_file_has_its_earlier_version() {
    let (root, _repository, path) = repository();
    let renamed = root.path().join("crds/gadgets.yaml");
    fs::rename(&path, &renamed).unwrap();
    let (text, elsewhere) = earlier(&renamed, HEAD).unwrap().unwrap();
    assert_eq!((text.as_str(), elsewhere.unwrap()), (DEFINITION, PathBuf::from("crds/widgets.yaml")));
    let repositories = Repositories::default();
    assert!(compared(&repositories, &renamed, HEAD).stored.is_some());
    assert_eq!(repositories.refresh(&BTreeMap::new()), Vec::<PathBuf>::new());
}

#[test]
fn a_shallow_clone_has_its_head() {
    let (root, repository, path) = repository();
    let head = commit_all(&repository).to_string();
    fs::write(root.path().join(".git/shallow"), format!("{head}\n")).unwrap();
    assert!(Repository::open(root.path()).unwrap().is_shallow());
    assert!(text_at(&path, HEAD).unwrap().is_some());
}

#[test]
fn unreadable_revisions_are_reported() {
    let (root, repository, path) = repository();
    let problem_at = |revision: &str| compared(&Repositories::default(), &path, revision).problem.unwrap();
    assert!(problem_at("nowhere").contains("nowhere cannot be read"), "{}", problem_at("nowhere"));
    fs::write(&path, format!("{DEFINITION}  x: ]\n")).unwrap();
    commit_all(&repository);
    assert!(problem_at(HEAD).contains("syntax errors"), "{}", problem_at(HEAD));
    fs::write(root.path().join(".git/HEAD"), "nonsense").unwrap();
    assert!(problem_at(HEAD).contains("cannot be read"), "{}", problem_at(HEAD));
}

#[test]
fn revisions_have_many_names() {
    let (_root, repository, path) = repository();
    let first = repository.head().unwrap().peel_to_commit().unwrap();
    repository.branch("release/1", &first, false).unwrap();
    repository.tag_lightweight("v1", first.as_object(), false).unwrap();
    fs::write(&path, DEFINITION.replace("Namespaced", "Cluster")).unwrap();
    commit_all(&repository);
    let id = first.id().to_string();
    for revision in ["HEAD~1", "release/1", "v1", &id, &id[..10]] {
        assert_eq!(text_at(&path, revision).unwrap().unwrap(), DEFINITION, "{revision}");
    }
}

#[test]
fn a_moved_head_affects_the_files_that_it_changes() {
    let (root, repository, path) = repository();
    let other = root.path().join("other.yaml");
    fs::write(&other, DEFINITION.replace("widgets", "others")).unwrap();
    commit_all(&repository);
    let repositories = Repositories::default();
    let before = compared(&repositories, &path, HEAD).stored.unwrap();
    compared(&repositories, &other, HEAD);
    assert_eq!(repositories.refresh(&BTreeMap::new()), Vec::<PathBuf>::new());
    assert!(compared(&repositories, &path, HEAD).stored.unwrap().is_identical(&before));
    fs::write(&path, DEFINITION.replace("Namespaced", "Cluster")).unwrap();
    commit_all(&repository);
    assert!(
        compared(&repositories, &path, HEAD).stored.unwrap().is_identical(&before),
        "it is not read for each analysis"
    );
    assert_eq!(repositories.refresh(&BTreeMap::new()), vec![path.clone()]);
    assert!(!compared(&repositories, &path, HEAD).stored.unwrap().is_identical(&before));
    repositories.forget(&path);
    commit_all(&repository);
    assert_eq!(repositories.refresh(&BTreeMap::new()), Vec::<PathBuf>::new());
}

#[test]
fn worktrees_and_inner_repositories_have_separate_heads() {
    let (root, repository, _path) = repository();
    let outer = tempfile::tempdir().unwrap();
    let worktree = repository.worktree("side", &outer.path().join("side"), None).unwrap();
    let side = Repository::open_from_worktree(&worktree).unwrap();
    let path = worktree.path().join("crds/widgets.yaml");
    fs::write(&path, DEFINITION.replace("Namespaced", "Cluster")).unwrap();
    commit_all(&side);
    assert!(text_at(&path, HEAD).unwrap().unwrap().contains("Cluster"));
    assert!(text_at(&root.path().join("crds/widgets.yaml"), HEAD).unwrap().unwrap().contains("Namespaced"));
    let inner = Repository::clone(root.path().to_str().unwrap(), root.path().join("inner")).unwrap();
    inner.checkout_head(Some(CheckoutBuilder::new().force())).unwrap();
    let path = root.path().join("inner/crds/widgets.yaml");
    assert!(text_at(&path, HEAD).unwrap().is_some());
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_followed() {
    let (root, _repository, path) = repository();
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root.path(), outside.path().join("link")).unwrap();
    std::os::unix::fs::symlink(&path, outside.path().join("a.yaml")).unwrap();
    for path in ["link/crds/widgets.yaml", "a.yaml"] {
        assert!(text_at(&outside.path().join(path), HEAD).unwrap().is_some(), "{path}");
    }
}

/// The peak memory of this process in KiB, if the system reports it.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_else(|error| error.to_string());
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// The increase of the peak in KiB. The kernel sums the counts of threads only at times, so the peak may also fall a little.
fn risen_since(before: u64) -> u64 {
    peak().saturating_sub(before)
}

/// An object of `mebibytes` MiB of zeros, which takes little space on disk.
fn zeros(repository: &Repository, kind: git2::ObjectType, mebibytes: usize) -> Oid {
    let odb = repository.odb().unwrap();
    let mut writer = odb.writer(mebibytes << 20, kind).unwrap();
    for _ in 0..mebibytes {
        std::io::Write::write_all(&mut writer, &[0; 1 << 20]).unwrap();
    }
    writer.finalize().unwrap()
}

#[test]
fn objects_that_are_too_large_are_not_inflated() {
    let (_root, repository, path) = repository();
    let blob = zeros(&repository, git2::ObjectType::Blob, 150);
    let [commit, tree] =
        [git2::ObjectType::Commit, git2::ObjectType::Tree].map(|kind| zeros(&repository, kind, 150));
    let before = peak();
    assert!(text(&repository, blob).unwrap_err().contains("too large to read"));
    let objects = Objects::of(&repository).unwrap();
    let error = objects.commit(commit).unwrap_err().to_string();
    assert!(error.contains("too large to read"), "{error}");
    // As a revision, and as a branch.
    assert!(text_at(&path, &commit.to_string()).unwrap_err().contains("too large to read"));
    fs::write(repository.path().join("refs/heads/large"), format!("{commit}\n")).unwrap();
    for revision in ["large", "large~0", "refs/heads/large"] {
        let error = text_at(&path, revision).unwrap_err();
        assert!(error.contains("too large to read"), "{revision}: {error}");
    }
    // As a directory of a commit.
    let mut root = repository.treebuilder(None).unwrap();
    root.insert("crds", tree, 0o040_000).unwrap();
    let root = repository.find_tree(root.write().unwrap()).unwrap();
    let author = git2::Signature::now("crd-ls", "crd-ls@example.com").unwrap();
    repository.commit(Some("refs/heads/wide"), &author, &author, "test", &root, &[]).unwrap();
    assert!(text_at(&path, "wide").unwrap_err().contains("too large to read"));
    assert!(risen_since(before) < 80 * 1024, "{} KiB", risen_since(before));
}

#[test]
fn a_tree_of_one_directory_in_many_places_is_walked_in_bounds() {
    let (_root, repository, _path) = repository();
    let mut tree = repository.treebuilder(None).unwrap().write().unwrap();
    for _ in 0..20 {
        let mut above = repository.treebuilder(None).unwrap();
        for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            above.insert(name, tree, 0o040_000).unwrap();
        }
        tree = above.write().unwrap();
    }
    let tree = repository.find_tree(tree).unwrap();
    let start = std::time::Instant::now();
    assert_eq!(Objects::of(&repository).unwrap().all(&tree, &|_| true, 10), []);
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
#[cfg(unix)]
fn special_files_in_a_git_directory_are_reported_and_not_opened() {
    use rustix::fs::{CWD, Mode, mkfifoat};
    for name in ["HEAD", "config", "packed-refs", "refs/heads/other", "objects/pack/pack-1.idx"] {
        let (root, _repository, path) = repository();
        let file = root.path().join(".git").join(name);
        let _ = fs::remove_file(&file);
        mkfifoat(CWD, &file, Mode::RUSR | Mode::WUSR).unwrap();
        let error = text_at(&path, HEAD).unwrap_err();
        assert!(
            error.starts_with("the git repository is not read: ") && error.contains(name),
            "{name}: {error}"
        );
        assert!(error.ends_with("is not a regular file"), "{name}: {error}");
    }
    let (root, repository, path) = repository();
    let blob = repository.revparse_single("HEAD:crds/widgets.yaml").unwrap().id().to_string();
    let file = root.path().join(".git/objects").join(&blob[..2]).join(&blob[2..]);
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
    assert!(text_at(&path, HEAD).unwrap_err().ends_with("is not a regular file"));
}

#[test]
fn objects_outside_of_the_repository_are_not_read() {
    let (other, _other, _path) = repository();
    let outside = other.path().join(".git/objects");
    for (named, is_refused) in [
        (outside.display().to_string(), true),
        (format!("\"{}\"", outside.display()), true),
        (format!("# of a friend\n\n{}", outside.display()), true),
        ("../../../".to_owned(), true),
        ("../more".to_owned(), false),
        ("../nowhere".to_owned(), false),
        ("# nothing".to_owned(), false),
    ] {
        let (root, _repository, path) = repository();
        fs::create_dir_all(root.path().join(".git/more")).unwrap();
        fs::create_dir_all(root.path().join(".git/objects/info")).unwrap();
        fs::write(root.path().join(".git/objects/info/alternates"), format!("{named}\n")).unwrap();
        match text_at(&path, HEAD) {
            Ok(text) => assert!(!is_refused && text.is_some(), "{named}"),
            Err(error) => {
                assert!(is_refused && error.contains("names objects outside of the repository"), "{error}");
            }
        }
    }
}

/// A commit with these parents, `seconds` seconds after the first commit.
fn commit_after(repository: &Repository, seconds: i64, parents: &[Oid]) -> Oid {
    let author =
        git2::Signature::new("crd-ls", "crd-ls@example.com", &git2::Time::new(1_700_000_000 + seconds, 0));
    let author = author.unwrap();
    let tree = repository.find_tree(repository.treebuilder(None).unwrap().write().unwrap()).unwrap();
    let parents: Vec<Commit<'_>> =
        parents.iter().map(|parent| repository.find_commit(*parent).unwrap()).collect();
    let parents: Vec<&Commit<'_>> = parents.iter().collect();
    repository.commit(None, &author, &author, "test", &tree, &parents).unwrap()
}

/// The merge base of histories and the nearest tag are those that libgit2 finds.
#[test]
fn histories_are_read_as_the_library_reads_them() {
    let (_root, repository, _path) = repository();
    let objects = Objects::of(&repository).unwrap();
    let mut random = 7_u64;
    let mut next = move |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    for round in 0..20 {
        let mut all: Vec<Oid> = vec![commit_after(&repository, round * 1_000, &[])];
        for at in 1..25 {
            let mut parents = vec![all[all.len() - 1 - next(all.len().min(4))]];
            if next(3) == 0 {
                parents.push(all[next(all.len())]);
                parents.dedup();
            }
            all.push(commit_after(&repository, round * 1_000 + at, &parents));
            if next(4) == 0 {
                let object = repository.find_object(all[all.len() - 1], None).unwrap();
                let name = format!("r{round}-{at}");
                repository.tag_lightweight(&name, &object, false).unwrap();
            }
        }
        for _ in 0..20 {
            let (one, other) = (all[next(all.len())], all[next(all.len())]);
            let ours = history::merge_base(&objects, one, other).unwrap().id();
            let theirs = repository.merge_bases(one, other).unwrap();
            assert!(theirs.contains(&ours), "{round}: {one} {other}: {ours} {theirs:?}");
        }
        let head = all[all.len() - 1];
        repository.set_head_detached(head).unwrap();
        let pattern = format!("r{round}-*");
        let mut options = git2::DescribeOptions::new();
        let theirs = repository
            .describe(options.describe_tags().pattern(&pattern))
            .and_then(|found| found.format(Some(git2::DescribeFormatOptions::new().abbreviated_size(0))));
        let ours = history::latest_tag(&repository, &objects, head, &pattern);
        assert_eq!(ours.ok(), theirs.ok().map(|name| format!("refs/tags/{name}")), "{round}");
    }
}

#[test]
fn a_commit_that_is_too_large_is_not_inflated_on_the_way_to_another() {
    let (_root, repository, path) = repository();
    let head = repository.head().unwrap().target().unwrap();
    // Its parent is an object of 150 MiB.
    let large = zeros(&repository, git2::ObjectType::Commit, 150);
    let tree = repository.find_commit(head).unwrap().tree_id();
    let text = format!(
        "tree {tree}\nparent {large}\nauthor a <a@example.com> 1700000000 +0000\ncommitter a <a@example.com> \
         1700000000 +0000\n\ntest\n"
    );
    let child = repository.odb().unwrap().write(git2::ObjectType::Commit, text.as_bytes()).unwrap();
    fs::write(repository.path().join("refs/heads/main"), format!("{child}\n")).unwrap();
    let tag = repository.find_object(head, None).unwrap();
    repository.tag_lightweight("v1", &tag, false).unwrap();
    let before = peak();
    repository.set_head_detached(head).unwrap();
    for revision in [MERGE_BASE, "tag:x*"] {
        if revision != MERGE_BASE {
            repository.set_head_detached(child).unwrap();
        }
        let error = text_at(&path, revision).unwrap_err();
        assert!(error.contains("too large to read"), "{revision}: {error}");
    }
    assert!(risen_since(before) < 80 * 1024, "{} KiB", risen_since(before));
}
