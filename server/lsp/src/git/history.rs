//! The ancestors of commits. libgit2 would inflate every object that it finds; here the header of each is checked first.

use std::collections::{BinaryHeap, HashMap};

use git2::{Commit, ErrorClass, ErrorCode, Oid, Repository};

use super::objects::Objects;

/// The maximum number of commits that are searched.
const MOST_COMMITS: usize = 1_000_000;
/// The maximum number of tags whose distances are compared, as in git.
const MOST_CANDIDATES: usize = 10;

/// A walk from commits to their ancestors, the latest first. Each commit has the marks of its descendants.
struct HistoryWalk<'o, 'r> {
    objects: &'o Objects<'r>,
    /// The commits to visit, by time; those of the same time in the order in which they were found.
    pending: BinaryHeap<(i64, std::cmp::Reverse<usize>, Oid)>,
    marks: HashMap<Oid, u32>,
    count: usize,
}

impl<'o, 'r> HistoryWalk<'o, 'r> {
    fn new(objects: &'o Objects<'r>) -> Self {
        Self { objects, pending: BinaryHeap::new(), marks: HashMap::new(), count: 0 }
    }

    /// Marks a commit, and queues it if it is new, or, with `is_again`, if one of its marks is new.
    fn mark(&mut self, oid: Oid, marks: u32, is_again: bool) -> Result<(), git2::Error> {
        let known = self.marks.get(&oid).copied();
        let all = known.unwrap_or_default() | marks;
        self.marks.insert(oid, all);
        if known.is_none() || is_again && known != Some(all) {
            self.count += 1;
            if self.count > MOST_COMMITS {
                return Err(error(ErrorCode::Invalid, "the history has too many commits to search"));
            }
            let time = self.objects.commit(oid)?.time().seconds();
            self.pending.push((time, std::cmp::Reverse(self.count), oid));
        }
        Ok(())
    }

    /// The next commit, with its marks.
    fn next(&mut self) -> Option<(Oid, u32)> {
        let (.., oid) = self.pending.pop()?;
        Some((oid, self.marks.get(&oid).copied().unwrap_or_default()))
    }

    /// Adds `marks` to the parents of a commit.
    fn hand_on(&mut self, oid: Oid, marks: u32, is_again: bool) -> Result<(), git2::Error> {
        let parents: Vec<Oid> = self.objects.commit(oid)?.parent_ids().collect();
        parents.into_iter().try_for_each(|parent| self.mark(parent, marks, is_again))
    }
}

/// The latest common ancestor of two commits.
pub(super) fn merge_base<'r>(objects: &Objects<'r>, one: Oid, other: Oid) -> Result<Commit<'r>, git2::Error> {
    const BOTH: u32 = 0b11;
    let mut walk = HistoryWalk::new(objects);
    walk.mark(one, 0b01, true)?;
    walk.mark(other, 0b10, true)?;
    while let Some((oid, marks)) = walk.next() {
        if marks == BOTH {
            return objects.commit(oid);
        }
        walk.hand_on(oid, marks, true)?;
    }
    Err(error(ErrorCode::NotFound, "no merge base found"))
}

/// A tag on a commit.
struct Tag {
    name: String,
    /// The time of an annotated tag. `None` for a lightweight tag, over which annotated tags take precedence.
    created_at: Option<i64>,
}

/// A tag on an ancestor.
struct Candidate {
    name: String,
    /// The number of visited commits that are not its ancestors.
    distance: usize,
}

/// The full name of the nearest tag before `head` whose name matches `pattern`, as `git describe --tags` counts.
pub(super) fn latest_tag(
    repository: &Repository,
    objects: &Objects<'_>,
    head: Oid,
    pattern: &str,
) -> Result<String, git2::Error> {
    let tags = tags(repository, objects, pattern)?;
    let mut walk = HistoryWalk::new(objects);
    let mut candidates: Vec<Candidate> = Vec::new();
    walk.mark(head, 0, false)?;
    let mut seen = 0;
    while let Some((oid, mut marks)) = walk.next() {
        if let Some(tag) = tags.get(&oid) {
            if candidates.len() == MOST_CANDIDATES {
                break;
            }
            marks |= 1 << candidates.len();
            candidates.push(Candidate { name: tag.name.clone(), distance: seen });
        }
        for (at, candidate) in candidates.iter_mut().enumerate() {
            candidate.distance += usize::from(marks & 1 << at == 0);
        }
        seen += 1;
        walk.hand_on(oid, marks, false)?;
    }
    let nearest = candidates.into_iter().min_by_key(|candidate| candidate.distance);
    let none = || error(ErrorCode::NotFound, &format!("no tag before it matches `{pattern}`"));
    nearest.map(|nearest| nearest.name).ok_or_else(none)
}

/// The tags whose names match, by their commits. Tags of other objects, and of objects that are too large, are skipped.
fn tags(
    repository: &Repository,
    objects: &Objects<'_>,
    pattern: &str,
) -> Result<HashMap<Oid, Tag>, git2::Error> {
    let mut tags: HashMap<Oid, Tag> = HashMap::new();
    for reference in repository.references_glob(&format!("refs/tags/{pattern}"))?.take(MOST_COMMITS) {
        let reference = reference?.resolve()?;
        let (Ok(name), Some(oid)) = (reference.name(), reference.target()) else { continue };
        let Ok(commit) = objects.commit(oid) else { continue };
        let is_own = commit.id() != oid;
        // The header of the tag was checked when its commit was read.
        let tagger = is_own.then(|| repository.find_tag(oid).ok()).flatten();
        let made =
            is_own.then(|| tagger.and_then(|tag| Some(tag.tagger()?.when().seconds())).unwrap_or_default());
        match tags.get(&commit.id()) {
            Some(known) if known.created_at >= made => {}
            _ => {
                tags.insert(commit.id(), Tag { name: name.to_owned(), created_at: made });
            }
        }
    }
    Ok(tags)
}

fn error(code: ErrorCode, why: &str) -> git2::Error {
    git2::Error::new(code, ErrorClass::Odb, why)
}
