//! The ancestors of commits. The library would inflate whatever it comes upon; here each is looked at by its header first.

use std::collections::{BinaryHeap, HashMap};

use git2::{Commit, ErrorClass, ErrorCode, Oid, Repository};

use super::objects::Objects;

/// So many commits are looked at.
const MOST_COMMITS: usize = 1_000_000;
/// So many tags are compared for how near they are, as git does it.
const MOST_CANDIDATES: usize = 10;

/// Commits on the way into the past, the latest first, each with marks that its descendants hand on.
struct HistoryWalk<'o, 'r> {
    objects: &'o Objects<'r>,
    /// By time and, of one time, in the order in which they were found.
    pending: BinaryHeap<(i64, std::cmp::Reverse<usize>, Oid)>,
    marks: HashMap<Oid, u32>,
    found: usize,
}

impl<'o, 'r> HistoryWalk<'o, 'r> {
    fn new(objects: &'o Objects<'r>) -> Self {
        Self { objects, pending: BinaryHeap::new(), marks: HashMap::new(), found: 0 }
    }

    /// Marks a commit; it is looked at (again) if that is news, for `is_again` a further mark is.
    fn mark(&mut self, oid: Oid, marks: u32, is_again: bool) -> Result<(), git2::Error> {
        let known = self.marks.get(&oid).copied();
        let all = known.unwrap_or_default() | marks;
        self.marks.insert(oid, all);
        if known.is_none() || is_again && known != Some(all) {
            self.found += 1;
            if self.found > MOST_COMMITS {
                return Err(error(ErrorCode::Invalid, "the history has too many commits to search"));
            }
            let time = self.objects.commit(oid)?.time().seconds();
            self.pending.push((time, std::cmp::Reverse(self.found), oid));
        }
        Ok(())
    }

    /// The next commit, with its marks.
    fn next(&mut self) -> Option<(Oid, u32)> {
        let (.., oid) = self.pending.pop()?;
        Some((oid, self.marks.get(&oid).copied().unwrap_or_default()))
    }

    /// Hands `marks` on to the parents of a commit.
    fn hand_on(&mut self, oid: Oid, marks: u32, is_again: bool) -> Result<(), git2::Error> {
        let parents: Vec<Oid> = self.objects.commit(oid)?.parent_ids().collect();
        parents.into_iter().try_for_each(|parent| self.mark(parent, marks, is_again))
    }
}

/// The latest commit that both come from.
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
    /// When it was made; none of one that is no object of its own, which goes last.
    made: Option<i64>,
}

/// A tag that is an ancestor.
struct Candidate {
    name: String,
    /// How many commits are not among its ancestors.
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

/// The tags whose names match, by their commits. What is no commit is left out, as is what is too large.
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
        // Its header was looked at on the way to the commit.
        let tagger = is_own.then(|| repository.find_tag(oid).ok()).flatten();
        let made =
            is_own.then(|| tagger.and_then(|tag| Some(tag.tagger()?.when().seconds())).unwrap_or_default());
        match tags.get(&commit.id()) {
            Some(known) if known.made >= made => {}
            _ => {
                tags.insert(commit.id(), Tag { name: name.to_owned(), made });
            }
        }
    }
    Ok(tags)
}

fn error(code: ErrorCode, why: &str) -> git2::Error {
    git2::Error::new(code, ErrorClass::Odb, why)
}
