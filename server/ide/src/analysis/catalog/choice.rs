//! The choice of the definition that validates a resource among all definitions of a kind, and of those that
//! may overrule it.

use std::sync::Arc;

use crate::analysis::catalog::rank::{ChosenBy, Rank, Version};
use crate::analysis::catalog::role::{SourceRole, directories, shared_directories};
use crate::analysis::catalog::{Catalog, Definitions, FoundDefinition, definitions_of_kind};
use crate::analysis::kinds::Kind;

/// The maximum number of other definitions that may overrule the chosen one.
const MOST_RIVALS: usize = 8;

/// A definition of a kind beside others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The name of its source.
    pub source: Arc<str>,
    /// How the source is kept.
    pub role: SourceRole,
    /// Whether the user names the source for all files.
    pub is_named: bool,
    /// Whether the user names the source for some files alone.
    pub is_for_some: bool,
    /// Whether the source has syntax errors.
    pub is_broken: bool,
    /// The versions that it serves.
    pub versions: Vec<String>,
}

/// The choice of the definition that validates a resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    /// The group of the resource.
    pub group: String,
    /// The kind of the resource.
    pub kind: String,
    /// The source that has the definition.
    pub source: Arc<str>,
    /// Why this definition takes precedence over the others.
    pub reason: ChosenBy,
}

/// Definitions with their ranks, best first.
type RankedDefinitions<'c> = Vec<(Rank, &'c Definitions)>;

impl Catalog {
    /// Returns the definition that validates resources of that kind in the source `from`: the best written
    /// one as in [`Catalog::best_written`], but with regard to the version. If there is none, it returns what
    /// a server publishes of that version, in the same order.
    pub(crate) fn validating_definition(&self, kind: &Kind, from: &str) -> Option<FoundDefinition<'_>> {
        let version = Some(kind.version.as_str());
        let validating = match self.best(&kind.group, &kind.kind, version, from) {
            Some(written) => written,
            None => best(&self.published(kind), &kind.group, &kind.kind, version, from)?,
        };
        definitions_of_kind(validating, &kind.group, &kind.kind).pop()
    }

    /// Returns the definition of that kind that applies in the source `from`: one in the same source,
    /// otherwise the first by its [`Rank`]. Within one source the last definition applies, as kubectl applies
    /// it last.
    pub(crate) fn best_written(&self, group: &str, kind: &str, from: &str) -> Option<FoundDefinition<'_>> {
        definitions_of_kind(self.best(group, kind, None, from)?, group, kind).pop()
    }

    /// Returns the source of the definition that validates resources of `kind` in the source `from`, and the
    /// reason.
    pub(crate) fn choice(&self, kind: &Kind, from: &str) -> Option<Choice> {
        let Kind { group, version, kind: name } = kind;
        let mut all = self.known_in(from, group, name);
        if all.is_empty() {
            all = self.published(kind);
        }
        let ranked = ranked(&all, group, name, Some(version), from);
        let (rank, definitions) = ranked.first()?;
        let reason = rank.reason_to_precede(ranked.get(1).map(|(next, _)| next));
        Some(Choice {
            group: group.clone(),
            kind: name.clone(),
            source: Arc::clone(definitions.source()),
            reason,
        })
    }

    /// Returns the definitions that may overrule the one that validates a resource of that kind in the source
    /// `from`, in order and at most [`MOST_RIVALS`]. They are not read yet.
    pub(crate) fn rivals(&self, kind: &Kind, from: &str) -> Vec<&Definitions> {
        let all = self.known_in(from, &kind.group, &kind.kind);
        if all.len() < 2 {
            return Vec::new();
        }
        let mut ranked = ranked(&all, &kind.group, &kind.kind, Some(&kind.version), from).into_iter();
        let Some((best, _)) = ranked.next() else { return Vec::new() };
        let rivals = ranked.filter(|(rank, _)| best.yields_to(rank));
        rivals.take(MOST_RIVALS).map(|(_, definitions)| definitions).collect()
    }

    /// Returns whether a definition of that kind applies in the source `from`.
    pub(crate) fn is_defined_in(&self, group: &str, kind: &str, from: &str) -> bool {
        self.all(group, kind).iter().any(|definitions| definitions.applies_in(from))
    }

    /// Returns the version `wanted` of that kind if the source `from` knows it as served, otherwise the first
    /// served version.
    pub(crate) fn served_version(&self, group: &str, kind: &str, from: &str, wanted: &str) -> Option<&str> {
        let applying = self.all(group, kind).iter().filter(|definitions| definitions.applies_in(from));
        let named = applying.flat_map(Definitions::names).filter(|one| (one.0, one.1) == (group, kind));
        let served: Vec<&str> = named.flat_map(|(.., versions)| versions).map(|name| &**name).collect();
        served.iter().find(|version| **version == wanted).or(served.first()).copied()
    }

    /// Returns the definition of that kind in `source`.
    pub(crate) fn in_source<'c>(&self, source: &'c Definitions, kind: &Kind) -> Option<FoundDefinition<'c>> {
        definitions_of_kind(source, &kind.group, &kind.kind).pop()
    }

    /// A hash of the meaning of the definition of that kind in `source`; `None` if the server would not read it.
    pub(crate) fn meaning(&self, source: &str, kind: &Kind) -> Option<u64> {
        let meanings = &self.of_source(source)?.meanings().definitions;
        meanings.iter().rfind(|kind_meaning| kind_meaning.is_of(&kind.group, &kind.kind))?.meaning
    }

    /// Reads those [`rivals`](Self::rivals) that are open texts, so that nobody waits for them while holding
    /// a lock on caches.
    pub(crate) fn read_rivals(&self, kind: &Kind, from: &str) {
        for rival in self.rivals(kind, from).into_iter().filter(|rival| rival.is_open()) {
            let _ = rival.loaded(&kind.group, &kind.kind);
        }
    }

    /// All written definitions of that kind, in the order that applies if none is nearer to the resource.
    #[must_use]
    pub fn candidates(&self, group: &str, kind: &str) -> Vec<Candidate> {
        let ranked = self.in_order(group, kind);
        let candidate = |(rank, definitions): (Rank, &Definitions)| Candidate {
            source: rank.source,
            role: rank.role,
            is_named: definitions.naming().is_for_all(),
            is_for_some: definitions.naming().is_only_for_some(),
            is_broken: definitions.is_broken(),
            versions: definitions.served(group, kind).iter().map(|version| version.to_string()).collect(),
        };
        ranked.into_iter().map(candidate).collect()
    }

    /// The source of the first written definition of that kind, in the order that applies if none is nearer
    /// to the resource.
    pub(crate) fn first_source(&self, group: &str, kind: &str) -> Option<&Arc<str>> {
        let of_kind = self.inner.kinds.get(group)?.get(kind)?;
        let is_compared =
            |(_, one): &(Rank, &Definitions)| !one.naming().is_only_for_some() && !one.is_generated();
        let leader = || self.in_order(group, kind).into_iter().find(is_compared).map(|(rank, _)| rank.source);
        of_kind.leader.get_or_init(leader).as_ref()
    }

    /// All written definitions of that kind, ranked for no particular resource: from the directories that
    /// paths are shown from.
    fn in_order(&self, group: &str, kind: &str) -> RankedDefinitions<'_> {
        let base =
            |source: &str| directories(source).count() - directories(self.display_name(source)).count();
        let mut ranked = RankedDefinitions::new();
        for definitions in self.definitions(group, kind) {
            let base = base(definitions.source());
            ranked.push((rank(definitions, group, kind, None, ("", base)), definitions));
        }
        ranked.sort_by(|(one, _), (other, _)| one.cmp(other));
        ranked
    }

    fn best(&self, group: &str, kind: &str, version: Option<&str>, from: &str) -> Option<&Definitions> {
        let all = self.known_in(from, group, kind);
        best(&all, group, kind, version, from)
    }

    /// The written definitions of that kind that the source `from` knows. If one of them is generated from a
    /// text that may be open, earlier generated files do not count.
    fn known_in(&self, from: &str, group: &str, kind: &str) -> Vec<&Definitions> {
        let known = self.definitions(group, kind).filter(|definitions| definitions.applies_in(from));
        let mut known: Vec<&Definitions> = known.collect();
        if known.len() > 1 && known.iter().any(|definitions| definitions.is_generated()) {
            let base = common_directories(&known, from);
            known.retain(|definitions| {
                let naming = definitions.naming();
                let is_aside = definitions.role_signs().role(base) > SourceRole::Elsewhere;
                definitions.is_generated()
                    || is_aside
                    || naming.is_for_all()
                    || naming.is_only_for_some()
                    || **definitions.source() == *from
            });
        }
        known
    }

    /// How many other definitions of that kind the source `from` knows, besides the one that validates there.
    pub(crate) fn count_others(&self, kind: &Kind, from: &str) -> usize {
        self.known_in(from, &kind.group, &kind.kind).len().saturating_sub(1)
    }

    /// The definitions that servers publish of that version.
    fn published(&self, kind: &Kind) -> Vec<&Definitions> {
        let all = self.all(&kind.group, &kind.kind).iter();
        all.filter(|definitions| definitions.is_of_server() && definitions.serves(kind)).collect()
    }
}

fn best<'c>(
    all: &[&'c Definitions],
    group: &str,
    kind: &str,
    version: Option<&str>,
    from: &str,
) -> Option<&'c Definitions> {
    if let [only] = all {
        return Some(only);
    }
    let base = common_directories(all, from);
    all.iter().copied().min_by_key(|definitions| rank(definitions, group, kind, version, (from, base)))
}

/// Returns `all` by rank. If there is a `version`, the definitions that serve it rank higher.
pub(super) fn ranked<'c>(
    all: &[&'c Definitions],
    group: &str,
    kind: &str,
    version: Option<&str>,
    from: &str,
) -> RankedDefinitions<'c> {
    let base = common_directories(all, from);
    let mut ranked: RankedDefinitions<'c> = all
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
    let role_signs = definitions.role_signs();
    let shared = shared_directories(source, from);
    let role = role_signs.role(base);
    let is_beside = role_signs.is_beside(base, shared, from);
    Rank {
        is_foreign: **source != *from,
        is_for_others: !definitions.naming().is_for(from),
        version: version.map_or(Version::Served, |version| definitions.version_state(group, kind, version)),
        is_found: !definitions.naming().is_for_all(),
        is_broken: definitions.is_broken(),
        is_not_beside: !is_beside,
        // A definition beside a resource is for that resource, in any directory.
        tier: if is_beside { SourceRole::Config } else { role.tier() },
        distance: usize::MAX - shared,
        role,
        is_written: !role_signs.is_generated,
        source: Arc::clone(source),
    }
}

/// How many directories contain all of `all` and `from`. They say nothing about any of them: a project may be
/// checked out below `test`. Definitions that the user names may be anywhere, and so may a text without a
/// file.
fn common_directories(all: &[&Definitions], from: &str) -> usize {
    let is_found = |one: &&&Definitions| !one.naming().is_for_all() && !one.naming().is_exclusive();
    let found = || all.iter().filter(is_found).map(|one| &**one.source());
    let with = |other: &str| found().map(|source| shared_directories(source, other)).min().unwrap_or(0);
    let is_near = found().any(|source| shared_directories(source, from) > 0);
    match found().next() {
        _ if is_near => with(from),
        Some(source) => with(source).min(directories(source).count()),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::analysis::catalog::choice::*;
    use crate::{Audience, SourceScope};

    /// A definition of `Widget` with these versions; one in brackets is not served.
    fn definition(versions: &str) -> String {
        let version = |name: &str| {
            let served = !name.starts_with('(');
            let name = name.trim_matches(['(', ')']);
            format!("  - {{name: {name}, served: {served}, schema: {{openAPIV3Schema: {{type: object}}}}}}\n")
        };
        let versions: String = versions.split(' ').map(version).collect();
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  \
             names: {{kind: Widget}}\n  versions:\n{versions}"
        )
    }

    /// Each line is `path versions`; `!` marks a syntax error. The user names a path in `<>` for all files,
    /// and a path in `()` only for the files in `old`. A path in `[]` is named like one in `()`, and other
    /// files do not know it.
    fn catalog(sources: &[&str]) -> Catalog {
        let read = |source: &&str| {
            let (path, versions) = source.split_once(' ').unwrap();
            let broken = if versions.ends_with('!') { "a: [\n" } else { "" };
            let text = definition(versions.trim_end_matches(" !")) + broken;
            let name = path.trim_matches(['<', '>', '(', ')', '[', ']']);
            let read = Definitions::read(name, &text, Definitions::load_kept(&text)).unwrap();
            let for_old = SourceScope::for_some(Audience::new("old", |from| from.starts_with("old/")));
            let naming = match path.as_bytes() {
                [b'<', ..] => SourceScope::for_all(),
                [b'(', ..] => for_old,
                [b'[', ..] => for_old.exclusive(),
                _ => SourceScope::default(),
            };
            (Arc::from(name), Some(read.with_scope(naming)))
        };
        Catalog::default().with(sources.iter().map(read))
    }

    fn kind(version: &str) -> Kind {
        Kind { group: "example.com".into(), version: version.into(), kind: "Widget".into() }
    }

    /// The definition that validates a resource of v1 in a source, and the reason.
    #[test]
    fn the_first_difference_decides() {
        for (sources, from, validating, reason) in [
            (&["a/crd.yaml v1"][..], "b/widget.yaml", "a/crd.yaml", ChosenBy::Only),
            (&["widget.yaml v2", "crds/a.yaml v1"], "widget.yaml", "widget.yaml", ChosenBy::SameFile),
            (&["crds/a.yaml v2", "tests/a.yaml v1"], "crds/widget.yaml", "tests/a.yaml", ChosenBy::Version),
            (&["crds/a.yaml v2", "tests/a.yaml (v1)"], "widget.yaml", "tests/a.yaml", ChosenBy::Version),
            (&["crds/a.yaml (v1)", "tests/a.yaml v1"], "widget.yaml", "tests/a.yaml", ChosenBy::Version),
            (
                &["crds/a.yaml v1", "</else/tests/a.yaml> v1"],
                "widget.yaml",
                "/else/tests/a.yaml",
                ChosenBy::Named,
            ),
            (&["crds/a.yaml v1", "</else/a.yaml> v2"], "widget.yaml", "crds/a.yaml", ChosenBy::Version),
            // A definition that is named for a file takes precedence there; for other files it ranks like any
            // other.
            (&["<crds/a.yaml> v1", "(tests/a.yaml) v2"], "old/w.yaml", "tests/a.yaml", ChosenBy::Override),
            (&["crds/a.yaml v1", "(tests/a.yaml) v1"], "widget.yaml", "crds/a.yaml", ChosenBy::SourceRole),
            (&["crds/a.yaml v2", "(tests/a.yaml) v1"], "widget.yaml", "tests/a.yaml", ChosenBy::Version),
            (&["crds/a.yaml v1", "[/else/a.yaml] v2"], "old/w.yaml", "/else/a.yaml", ChosenBy::Override),
            (&["crds/a.yaml v2", "[/else/a.yaml] v1"], "widget.yaml", "crds/a.yaml", ChosenBy::Only),
            (&["old/w.yaml v1", "[/else/a.yaml] v1"], "old/w.yaml", "old/w.yaml", ChosenBy::SameFile),
            (
                &["crds/a.yaml v1 !", "tests/a.yaml v1"],
                "crds/widget.yaml",
                "tests/a.yaml",
                ChosenBy::Readable,
            ),
            (
                &["crds/a.yaml v1", "tests/a/a.yaml v1"],
                "tests/a/widget.yaml",
                "tests/a/a.yaml",
                ChosenBy::Beside,
            ),
            (
                &["crds/a.yaml v1", "tests/a/a.yaml v1"],
                "tests/b/widget.yaml",
                "crds/a.yaml",
                ChosenBy::SourceRole,
            ),
            (
                &["a/tests/crd.yaml v1", "helm/b/crds/crd.yml v1"],
                "examples/w.yaml",
                "helm/b/crds/crd.yml",
                ChosenBy::SourceRole,
            ),
            (
                &["bundle/manifests/a.yaml v1", "config/crd/a.yaml v1"],
                "e.yaml",
                "config/crd/a.yaml",
                ChosenBy::SourceRole,
            ),
            (
                &["a/crds/c.yaml v1", "b/config/crd/c.yaml v1"],
                "a/samples/w.yaml",
                "a/crds/c.yaml",
                ChosenBy::Beside,
            ),
            (
                &["a/api/crds/c.yaml v1", "b/crds/c.yaml v1"],
                "a/pkg/w.yaml",
                "a/api/crds/c.yaml",
                ChosenBy::Nearest,
            ),
            (&["crds/a.yaml v1", "crds/b.yaml v1"], "widget.yaml", "crds/a.yaml", ChosenBy::First),
            // The location of the project has no meaning.
            (
                &["/test/p/config/crd/c.yaml v1", "/test/p/e2e/c.yaml v1"],
                "/test/p/w.yaml",
                "/test/p/config/crd/c.yaml",
                ChosenBy::SourceRole,
            ),
        ] {
            let choice = catalog(sources).choice(&kind("v1"), from).unwrap();
            assert_eq!((&*choice.source, choice.reason), (validating, reason), "{sources:?} {from}");
            let found = catalog(sources)
                .validating_definition(&kind("v1"), from)
                .map(|found| found.source.to_string());
            assert_eq!(found.as_deref(), Some(validating), "{sources:?} {from}");
        }
    }

    #[test]
    fn definitions_of_equal_rank_or_better_role_may_overrule() {
        for (sources, from, rivals) in [
            (&["crds/a.yaml v1"][..], "w.yaml", &[][..]),
            // Only the path decides between them.
            (&["crds/a/c.yaml v1", "crds/b/c.yaml v1"], "w.yaml", &["crds/b/c.yaml"]),
            (&["crds/a/c.yaml v1", "crds/b/c.yaml v2"], "w.yaml", &[]),
            (&["crds/a/c.yaml v1", "crds/b/c.yaml v1 !"], "w.yaml", &[]),
            // The definition of a test, and the one that the project ships.
            (&["tests/a/c.yaml v1", "crds/c.yaml v1"], "tests/a/w.yaml", &["crds/c.yaml"]),
            // An old release does not matter for current resources.
            (&["crds/c.yaml v1", "releases/1.0.yaml v1"], "w.yaml", &[]),
            // The nearest definition cannot be overruled.
            (&["a/crds/c.yaml v1", "b/crds/c.yaml v1"], "a/pkg/w.yaml", &[]),
            // A definition in the same file or named by the user cannot be overruled.
            (&["tests/w.yaml v1", "crds/c.yaml v1"], "tests/w.yaml", &[]),
            (&["<tests/c.yaml> v1", "crds/c.yaml v1"], "w.yaml", &[]),
            (&["(tests/c.yaml) v1", "crds/c.yaml v1"], "old/w.yaml", &[]),
            // A definition that is named only for other files cannot overrule.
            (&["crds/a/c.yaml v1", "[crds/b/c.yaml] v1"], "w.yaml", &[]),
        ] {
            let catalog = catalog(sources);
            let found = catalog.rivals(&kind("v1"), from);
            let found: Vec<&str> = found.into_iter().map(|one| &**one.source()).collect();
            assert_eq!(found, rivals, "{sources:?} {from}");
        }
    }

    #[test]
    fn the_number_of_rivals_is_bounded() {
        let sources: Vec<String> = (0..50).map(|number| format!("crds/{number}/c.yaml v1")).collect();
        let catalog = catalog(&sources.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(catalog.rivals(&kind("v1"), "w.yaml").len(), MOST_RIVALS);
    }
}
