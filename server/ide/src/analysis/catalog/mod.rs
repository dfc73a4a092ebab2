//! The known definitions, and the choice of the one that validates a resource.

mod choice;
mod definitions;
mod loaded_source;
mod meaning;
mod names;
mod naming;
mod rank;
mod role;

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHasher};

pub use choice::{Candidate, Choice};
pub use definitions::Definitions;
pub(crate) use loaded_source::{KindMeaning, KnownDefinition, LoadedDefinitions, SourceMeanings};
pub(crate) use meaning::Meanings;
pub(crate) use names::{DefinedName, complete_definitions, name, text_hash};
pub use naming::{Audience, SourceScope};
pub use rank::ChosenBy;
pub use role::SourceRole;

use crate::OtherSource;

/// All known definitions, by their sources. Immutable, cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    inner: Arc<Inner>,
}

#[derive(Clone, Debug, Default)]
struct Inner {
    sources: BTreeMap<Arc<str>, Definitions>,
    /// By group, then kind. A new catalog copies only the groups that differ.
    kinds: FxHashMap<Box<str>, Arc<FxHashMap<Box<str>, KindEntry>>>,
    /// The directories that paths are shown from.
    roots: Arc<[Box<str>]>,
}

/// All that is known about one kind.
#[derive(Clone, Debug, Default)]
struct KindEntry {
    definitions: Vec<Definitions>,
    /// The source that takes precedence; computed on demand.
    leader: OnceLock<Option<Arc<str>>>,
}

/// A definition of a kind, and the text that has it.
pub(crate) struct FoundDefinition<'c> {
    pub(crate) loaded: &'c LoadedDefinitions,
    pub(crate) definition: &'c KnownDefinition,
    pub(crate) source: &'c Arc<str>,
}

/// The meaning of a definition of a kind, and the text that has it.
pub(crate) struct RivalDefinition<'c> {
    meanings: &'c SourceMeanings,
    pub(crate) kind_meaning: &'c KindMeaning,
    pub(crate) source: &'c Arc<str>,
}

impl RivalDefinition<'_> {
    /// The text of the definition as a place for findings.
    pub(crate) fn other_source(&self) -> OtherSource {
        self.meanings.text.clone().into_other_source(self.source)
    }
}

impl FoundDefinition<'_> {
    /// The text of the definition as a place for findings.
    pub(crate) fn other_source(&self) -> OtherSource {
        self.loaded.text.clone().into_other_source(self.source)
    }
}

impl Catalog {
    /// Returns the catalog in which the named sources have these definitions, or no longer have any.
    #[must_use]
    pub fn with(&self, changes: impl IntoIterator<Item = (Arc<str>, Option<Definitions>)>) -> Self {
        let mut inner = self.inner.as_ref().clone();
        for (source, definitions) in changes {
            if let Some(old) = inner.sources.remove(&source) {
                inner.forget(&old);
            }
            if let Some(definitions) = definitions {
                inner.add_kinds(&definitions);
                inner.sources.insert(source, definitions);
            }
        }
        Self { inner: Arc::new(inner) }
    }

    /// Returns the catalog with paths that are shown relative to `roots`, the folders of the workspace.
    #[must_use]
    pub fn with_roots(&self, roots: impl IntoIterator<Item = String>) -> Self {
        let roots: Arc<[Box<str>]> = roots.into_iter().map(String::into_boxed_str).collect();
        if roots == self.inner.roots {
            return self.clone();
        }
        Self { inner: Arc::new(Inner { roots, ..self.inner.as_ref().clone() }) }
    }

    /// The directories that paths are shown from.
    #[must_use]
    pub fn roots(&self) -> &[Box<str>] {
        &self.inner.roots
    }

    /// Returns a source as it is shown to users: its path relative to its workspace folder.
    #[must_use]
    pub fn display_name<'s>(&self, source: &'s str) -> &'s str {
        let roots = self.inner.roots.iter().map(|root| &**root);
        let below = |root: &str| source.strip_prefix(root)?.strip_prefix(['/', '\\']);
        let shortest = roots.filter_map(below).min_by_key(|rest| rest.len());
        shortest.or_else(|| below(".")).unwrap_or(source)
    }

    /// The definitions of the source of that name.
    #[must_use]
    pub fn of_source(&self, source: &str) -> Option<&Definitions> {
        self.inner.sources.get(source)
    }

    /// The sources that are written as opposed to published by a server, with their definitions.
    pub(crate) fn written_sources(&self) -> impl Iterator<Item = (&str, &Definitions)> {
        let all = self.inner.sources.iter().map(|(source, definitions)| (source.as_ref(), definitions));
        all.filter(|(_, definitions)| !definitions.is_of_server())
    }

    /// Whether some source defines that kind.
    pub(crate) fn knows(&self, group: &str, kind: &str) -> bool {
        !self.all(group, kind).is_empty()
    }

    /// Groups, kinds, and the names of their versions that are served, source by source.
    fn names(&self) -> impl Iterator<Item = (&str, &str, &[Box<str>])> {
        self.inner.sources.values().flat_map(Definitions::names)
    }

    /// The same, limited to the sources that count in the source `from`.
    pub(crate) fn names_in(&self, from: &str) -> impl Iterator<Item = (&str, &str, &[Box<str>])> {
        let all = self.inner.sources.values();
        all.filter(move |definitions| definitions.applies_in(from)).flat_map(Definitions::names)
    }

    /// The groups and kinds that are defined. A kind that several sources define occurs several times.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names().map(|(group, kind, _)| (group, kind))
    }

    /// The kinds of that group that are defined in the source `from`, each once.
    pub(crate) fn kinds_of(&self, group: &str, from: &str) -> impl Iterator<Item = &str> {
        let kinds = self.inner.kinds.get(group).into_iter().flat_map(|kinds| kinds.iter());
        kinds
            .filter(move |(_, of_kind)| of_kind.definitions.iter().any(|one| one.applies_in(from)))
            .map(|(kind, _)| &**kind)
    }

    /// The number of groups.
    pub(crate) fn group_count(&self) -> usize {
        self.inner.kinds.len()
    }

    /// The groups that define a kind of that name in the source `from`, each once.
    pub(crate) fn groups_of(&self, kind: &str, from: &str) -> impl Iterator<Item = &str> {
        let groups = self.inner.kinds.keys().map(|group| &**group);
        groups.filter(move |group| self.is_defined_in(group, kind, from))
    }

    /// The number of sources with definitions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inner.sources.len()
    }

    /// Whether no definition is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inner.sources.is_empty()
    }

    /// Whether this is the same catalog by identity, not merely an equal one.
    #[must_use]
    pub fn is_identical(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// All definitions of that kind whose text differs from the one with that [`text_hash`], by path, then
    /// position.
    pub(crate) fn differing_definitions(
        &self,
        group: &str,
        kind: &str,
        text_hash: u64,
    ) -> Vec<RivalDefinition<'_>> {
        let mut others: Vec<&Definitions> = self.comparable(group, kind).collect();
        others.retain(|definitions| definitions.repeats_kinds() || !definitions.has_copy(text_hash));
        others.sort_by(|one, other| one.source().cmp(other.source()));
        let rivals = others.into_iter().flat_map(|definitions| {
            let meanings = definitions.meanings();
            let kind_meaning =
                meanings.definitions.iter().filter(|kind_meaning| kind_meaning.is_of(group, kind));
            kind_meaning.map(|kind_meaning| RivalDefinition {
                meanings,
                kind_meaning,
                source: definitions.source(),
            })
        });
        rivals.collect()
    }

    /// Whether another source than `source` defines that kind.
    pub(crate) fn has_other(&self, group: &str, kind: &str, source: &str) -> bool {
        let mut others = self.all(group, kind).iter().filter(|definitions| !definitions.is_generated());
        others.any(|definitions| &**definitions.source() != source)
    }

    /// Whether there may be several definitions of that kind.
    pub(crate) fn is_contested(&self, group: &str, kind: &str) -> bool {
        let mut all = self.comparable(group, kind);
        all.next().is_some_and(|first| first.repeats_kinds() || all.next().is_some())
    }

    /// A hash of all definitions of that kind.
    #[must_use]
    pub fn state(&self, group: &str, kind: &str) -> u64 {
        let mut hasher = FxHasher::default();
        for definitions in self.all(group, kind) {
            (definitions.source(), definitions.naming(), definitions.hash()).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// A hash of the meaning of all definitions of that kind for resources: equal for two texts that validate
    /// alike. `None` while one of them cannot be read.
    #[must_use]
    pub fn meaning_of(&self, group: &str, kind: &str) -> Option<u64> {
        let mut hasher = FxHasher::default();
        for definitions in self.all(group, kind) {
            (definitions.source(), definitions.naming()).hash(&mut hasher);
            if definitions.is_of_server() {
                definitions.hash().hash(&mut hasher);
                continue;
            }
            for kind_meaning in definitions
                .meanings()
                .definitions
                .iter()
                .filter(|kind_meaning| kind_meaning.is_of(group, kind))
            {
                kind_meaning.meaning?.hash(&mut hasher);
            }
        }
        Some(hasher.finish())
    }

    /// The definitions that are written here as opposed to published by a server.
    fn definitions(&self, group: &str, kind: &str) -> impl Iterator<Item = &Definitions> {
        self.all(group, kind).iter().filter(|definitions| !definitions.is_of_server())
    }

    /// The definitions that should agree with each other. Those that the user names for some files may
    /// differ, and so may earlier generated files of a text that is being edited.
    fn comparable(&self, group: &str, kind: &str) -> impl Iterator<Item = &Definitions> {
        let is_compared = |one: &&Definitions| !one.naming().is_only_for_some() && !one.is_generated();
        self.definitions(group, kind).filter(is_compared)
    }

    fn all(&self, group: &str, kind: &str) -> &[Definitions] {
        let kinds = self.inner.kinds.get(group);
        kinds
            .and_then(|kinds| kinds.get(kind))
            .map(|of_kind| of_kind.definitions.as_slice())
            .unwrap_or_default()
    }
}

/// The definitions of that kind in one source.
fn definitions_of_kind<'c>(
    definitions: &'c Definitions,
    group: &str,
    kind: &str,
) -> Vec<FoundDefinition<'c>> {
    let found = |loaded: &'c LoadedDefinitions| {
        let known = loaded.definitions.iter().filter(|known| known.is_of(group, kind));
        known.map(move |known| FoundDefinition { loaded, definition: known, source: definitions.source() })
    };
    definitions.loaded(group, kind).into_iter().flat_map(found).collect()
}

impl Inner {
    fn add_kinds(&mut self, definitions: &Definitions) {
        for (group, kind) in definitions.kinds() {
            let kinds = Arc::make_mut(self.kinds.entry(group.clone()).or_default());
            let of_kind = kinds.entry(kind.clone()).or_default();
            of_kind.definitions.push(definitions.clone());
            of_kind.leader = OnceLock::new();
        }
    }

    fn forget(&mut self, definitions: &Definitions) {
        for (group, kind) in definitions.kinds() {
            let Some(kinds) = self.kinds.get_mut(group).map(Arc::make_mut) else { continue };
            let Some(of_kind) = kinds.get_mut(kind) else { continue };
            of_kind.definitions.retain(|other| other.source() != definitions.source());
            of_kind.leader = OnceLock::new();
            if of_kind.definitions.is_empty() {
                kinds.remove(kind);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::analysis::catalog::*;
    use crate::analysis::kinds::Kind;

    fn definition(kind: &str) -> String {
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  \
             names: {{kind: {kind}}}\n  versions: []\n"
        )
    }

    fn catalog(sources: &[(&str, &str)]) -> Catalog {
        let read = |(name, text): &(&str, &str)| {
            (Arc::from(*name), Definitions::read(name, text, Definitions::load_kept(text)))
        };
        Catalog::default().with(sources.iter().map(read))
    }

    fn kind(name: &str) -> Kind {
        Kind { group: "example.com".into(), version: "v1".into(), kind: name.into() }
    }

    fn validating_source(catalog: &Catalog, from: &str) -> Option<String> {
        catalog.validating_definition(&kind("Widget"), from).map(|found| found.source.to_string())
    }

    #[test]
    fn the_same_source_validates_then_the_nearest_then_the_first() {
        let text = definition("Widget");
        let names = ["/a/crds/w.yaml", "/b/crds/w.yaml", "/b/bundle.yaml"];
        let all = catalog(&names.map(|name| (name, text.as_str())));
        for (from, source) in [
            ("/b/bundle.yaml", "/b/bundle.yaml"),
            ("/b/crds/sample.yaml", "/b/crds/w.yaml"),
            ("/b/samples/sample.yaml", "/b/crds/w.yaml"),
            ("/c/sample.yaml", "/a/crds/w.yaml"),
        ] {
            assert_eq!(validating_source(&all, from).unwrap(), source, "{from}");
        }
    }

    #[test]
    fn a_broken_definition_validates_only_without_an_alternative() {
        let (whole, broken) = (definition("Widget"), definition("Widget") + "a: [\n");
        let both = catalog(&[("/a/crd.yaml", &broken), ("/b/crd.yaml", &whole)]);
        assert_eq!(validating_source(&both, "/a/sample.yaml").unwrap(), "/b/crd.yaml");
        let one = both.with([(Arc::from("/b/crd.yaml"), None)]);
        assert_eq!(validating_source(&one, "/a/sample.yaml").unwrap(), "/a/crd.yaml");
    }

    #[test]
    fn all_definitions_of_a_source_are_replaced_together() {
        let one = catalog(&[("/a.yaml", &definition("Widget"))]);
        let other = definition("Gadget");
        let read = Definitions::read("/a.yaml", &other, Definitions::load_kept(&other));
        let two = one.with([(Arc::from("/a.yaml"), read)]);
        assert_eq!((validating_source(&one, "/").is_some(), validating_source(&two, "/")), (true, None));
        assert!(two.validating_definition(&kind("Gadget"), "/").is_some());
        assert_eq!((two.len(), two.with([(Arc::from("/a.yaml"), None)]).is_empty()), (1, true));
    }

    #[test]
    fn text_that_only_mentions_definitions_holds_none() {
        for text in ["a: CustomResourceDefinition\n", "", "kind: CustomResourceDefinition\n"] {
            assert!(Definitions::read("/a.yaml", text, Definitions::load_kept(text)).is_none(), "{text}");
        }
    }
}
