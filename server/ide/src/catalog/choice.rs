//! Which of the definitions of a kind judges a resource, and which others may overrule it.

use std::sync::Arc;

use super::rank::{Kept, Rank, Reason, Version, directories, shared_directories};
use super::{Catalog, Definitions, Found, found};
use crate::surroundings::Kind;

/// More definitions are not asked what they say of a resource.
const MOST_RIVALS: usize = 8;

/// A definition of a kind beside others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The name of its source.
    pub source: Arc<str>,
    /// How the source is kept.
    pub kept: Kept,
    /// Whether the user names the source.
    pub is_named: bool,
    /// Whether the source has syntax errors.
    pub is_broken: bool,
    /// The versions that it serves.
    pub versions: Vec<String>,
}

/// The definition that judges a resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    /// Of the resource.
    pub group: String,
    /// Of the resource.
    pub kind: String,
    /// Where the definition stands.
    pub source: Arc<str>,
    /// What puts it before the others.
    pub reason: Reason,
}

/// Definitions with their ranks, the first first.
type Ranked<'c> = Vec<(Rank, &'c Definitions)>;

impl Catalog {
    /// The definition that judges resources of that kind in the source `from`: that of [`Catalog::written`], with the
    /// version; where there is none, what a server says of that version, by the same order.
    pub(crate) fn judge(&self, kind: &Kind, from: &str) -> Option<Found<'_>> {
        let version = Some(kind.version.as_str());
        let judge = match self.first(&kind.group, &kind.kind, version, from) {
            Some(written) => written,
            None => first(&self.of_server(kind), &kind.group, &kind.kind, version, from)?,
        };
        found(judge, &kind.group, &kind.kind).pop()
    }

    /// The definition of that kind that counts in the source `from`: one of the same source, else the first by its
    /// [`Rank`]. Within one source the last counts, as kubectl applies it last.
    pub(crate) fn written(&self, group: &str, kind: &str, from: &str) -> Option<Found<'_>> {
        found(self.first(group, kind, None, from)?, group, kind).pop()
    }

    /// Where the definition of `kind` stands that judges its resources in the source `from`, and why that one.
    pub(crate) fn choice(&self, kind: &Kind, from: &str) -> Option<Choice> {
        let Kind { group, version, kind: name } = kind;
        let mut all: Vec<&Definitions> = self.definitions(group, name).collect();
        if all.is_empty() {
            all = self.of_server(kind);
        }
        let ranked = ranked(&all, group, name, Some(version), from);
        let (rank, definitions) = ranked.first()?;
        let reason = rank.before(ranked.get(1).map(|(next, _)| next));
        Some(Choice {
            group: group.clone(),
            kind: name.clone(),
            source: Arc::clone(definitions.source()),
            reason,
        })
    }

    /// The definitions that may overrule the one that judges a resource of that kind in the source `from`, in order; there
    /// is an end to them. They are not read yet.
    pub(crate) fn rivals(&self, kind: &Kind, from: &str) -> Vec<&Definitions> {
        let all: Vec<&Definitions> = self.definitions(&kind.group, &kind.kind).collect();
        if all.len() < 2 {
            return Vec::new();
        }
        let mut ranked = ranked(&all, &kind.group, &kind.kind, Some(&kind.version), from).into_iter();
        let Some((judge, _)) = ranked.next() else { return Vec::new() };
        let rivals = ranked.filter(|(rank, _)| judge.yields_to(rank));
        rivals.take(MOST_RIVALS).map(|(_, definitions)| definitions).collect()
    }

    /// What the definition of that kind in `source` says.
    pub(crate) fn in_source<'c>(&self, source: &'c Definitions, kind: &Kind) -> Option<Found<'c>> {
        found(source, &kind.group, &kind.kind).pop()
    }

    /// A hash of what the definition of that kind in `source` means; none where the server would not read it.
    pub(crate) fn meaning(&self, source: &str, kind: &Kind) -> Option<u64> {
        let meant = &self.of_source(source)?.sketch().definitions;
        meant.iter().rfind(|meant| meant.is_of(&kind.group, &kind.kind))?.meaning
    }

    /// Reads those of the [`rivals`](Self::rivals) that are open texts, so that nobody has to wait for them with caches
    /// locked.
    pub(crate) fn read_rivals(&self, kind: &Kind, from: &str) {
        for rival in self.rivals(kind, from).into_iter().filter(|rival| rival.is_open()) {
            let _ = rival.loaded(&kind.group, &kind.kind);
        }
    }

    /// All written definitions of that kind, the first being the one that counts where nothing is nearer.
    #[must_use]
    pub fn candidates(&self, group: &str, kind: &str) -> Vec<Candidate> {
        let all: Vec<&Definitions> = self.definitions(group, kind).collect();
        let ranked = ranked(&all, group, kind, None, "");
        let candidate = |(rank, definitions): (Rank, &Definitions)| Candidate {
            source: rank.source,
            kept: rank.kept,
            is_named: definitions.is_named(),
            is_broken: definitions.is_broken(),
            versions: definitions.served(group, kind).iter().map(|version| version.to_string()).collect(),
        };
        ranked.into_iter().map(candidate).collect()
    }

    /// The source of the first of the written definitions of that kind, where nothing is nearer to one of them.
    pub(crate) fn leader(&self, group: &str, kind: &str) -> Option<&Arc<str>> {
        let of_kind = self.inner.kinds.get(group)?.get(kind)?;
        let leader = || {
            let all: Vec<&Definitions> = self.definitions(group, kind).collect();
            first(&all, group, kind, None, "").map(|leader| Arc::clone(leader.source()))
        };
        of_kind.leader.get_or_init(leader).as_ref()
    }

    fn first(&self, group: &str, kind: &str, version: Option<&str>, from: &str) -> Option<&Definitions> {
        let all: Vec<&Definitions> = self.definitions(group, kind).collect();
        first(&all, group, kind, version, from)
    }

    /// What servers say of that version.
    fn of_server(&self, kind: &Kind) -> Vec<&Definitions> {
        let all = self.all(&kind.group, &kind.kind).iter();
        all.filter(|definitions| definitions.is_of_server() && definitions.serves(kind)).collect()
    }
}

fn first<'c>(
    all: &[&'c Definitions],
    group: &str,
    kind: &str,
    version: Option<&str>,
    from: &str,
) -> Option<&'c Definitions> {
    if let [only] = all {
        return Some(only);
    }
    let base = base(all, from);
    all.iter().copied().min_by_key(|definitions| rank(definitions, group, kind, version, (from, base)))
}

/// `all` by rank. What user and cluster call `version` counts, if there is one.
pub(super) fn ranked<'c>(
    all: &[&'c Definitions],
    group: &str,
    kind: &str,
    version: Option<&str>,
    from: &str,
) -> Ranked<'c> {
    let base = base(all, from);
    let mut ranked: Ranked<'c> = all
        .iter()
        .map(|definitions| (rank(definitions, group, kind, version, (from, base)), *definitions))
        .collect();
    ranked.sort_by(|(one, _), (other, _)| one.cmp(other));
    ranked
}

fn rank(
    definitions: &Definitions,
    group: &str,
    kind: &str,
    version: Option<&str>,
    (from, base): (&str, usize),
) -> Rank {
    let source = definitions.source();
    let keeping = definitions.keeping();
    let shared = shared_directories(source, from);
    let kept = keeping.kept(base);
    let is_beside = keeping.is_beside(base, shared, from);
    Rank {
        is_foreign: **source != *from,
        version: version.map_or(Version::Served, |version| definitions.says_of(group, kind, version)),
        is_found: !definitions.is_named(),
        is_broken: definitions.is_broken(),
        is_apart: !is_beside,
        // What lies beside a resource is for it, however it is kept.
        tier: if is_beside { Kept::Config } else { kept.tier() },
        distance: usize::MAX - shared,
        kept,
        is_written: !keeping.is_generated,
        source: Arc::clone(source),
    }
}

/// How many directories are around all of `all` and `from`, and tell nothing of any of them: a project may be checked out
/// below `test`. What the user names may lie anywhere, as may a text that is no file.
fn base(all: &[&Definitions], from: &str) -> usize {
    let found = || all.iter().filter(|definitions| !definitions.is_named()).map(|one| &**one.source());
    let with = |other: &str| found().map(|source| shared_directories(source, other)).min().unwrap_or(0);
    let is_near = found().any(|source| shared_directories(source, from) > 0);
    match found().next() {
        _ if is_near => with(from),
        Some(source) => with(source).min(directories(source).count()),
        None => 0,
    }
}
