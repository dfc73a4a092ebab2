//! The definitions of one source.

use std::sync::{Arc, OnceLock};

use crd::OtherText;
use rustc_hash::FxHashSet;
use text::{TextBuffer, TextRange};
use yaml::{Reader, Tree};

use crate::analysis::caches::SharedCaches;
use crate::analysis::catalog::loaded_source::{LoadedDefinitions, SourceMeanings};
use crate::analysis::catalog::names::{
    DefinedName, GroupKind, complete_definitions, name, published_kinds, text_hashes, versions,
};
use crate::analysis::catalog::naming::SourceScope;
use crate::analysis::catalog::rank::Version;
use crate::analysis::catalog::role::{GENERATOR, RoleSigns};
use crate::analysis::kinds::Kind;
use crate::analysis::parsed_text::{Load, ParsedText};
use crate::analysis::source_text::SourceText;

/// A text that is not kept is read for this many single kinds at most: a bundle defines many kinds, and few
/// of them have resources.
const MOST_SINGLE_KINDS: usize = 3;

/// The definitions of one source: of a file, a buffer, or a document that a server published. The kinds that
/// they define are known at once. Their content is read from the text when a resource needs it, since most
/// kinds of a workspace are never needed. Cheap to clone.
#[derive(Clone)]
pub struct Definitions {
    inner: Arc<Inner>,
    naming: SourceScope,
}

struct Inner {
    source: Arc<str>,
    /// The hash of the text.
    hash: u64,
    /// Whether the text has syntax errors.
    broken: bool,
    /// Whether a server says this, by a published document or its own definitions, as opposed to a file of
    /// the workspace.
    of_server: bool,
    /// Groups and kinds, each once.
    kinds: Vec<GroupKind>,
    /// The served versions of each kind.
    served: Vec<Box<[Box<str>]>>,
    /// The other versions of each kind.
    unserved: Vec<Box<[Box<str>]>>,
    role_signs: RoleSigns,
    /// Whether it defines a kind several times.
    repeats_kinds: bool,
    /// Hashes of the texts of its definitions, since most copies are exact copies.
    texts: OnceLock<FxHashSet<u64>>,
    origin: TextOrigin,
    meanings: OnceLock<SourceMeanings>,
    /// One for each kind.
    loaded: Box<[OnceLock<LoadedDefinitions>]>,
    /// All kinds at once if the text is not kept, so that it is read only once.
    all_loaded: OnceLock<LoadedDefinitions>,
}

/// The source of the text when it is needed.
enum TextOrigin {
    /// Read again on demand, since the text of most files is never needed again.
    Text(Load),
    /// A text that will be analysed as well.
    Parsed(ParsedText),
    /// An analysed buffer. Data on its parts is shared, so that the cost of an edit depends on the size of
    /// the edit.
    Buffer { tree: Tree, text: SourceText, caches: SharedCaches },
}

impl std::fmt::Debug for Definitions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Definitions").field("source", &self.inner.source).finish_non_exhaustive()
    }
}

impl ParsedText {
    /// Returns the definitions in this text, for the source of that name; `None` if it has no definitions.
    #[must_use]
    pub fn definitions(&self, source: &str) -> Option<Definitions> {
        Definitions::of_parsed(source, self)
    }

    /// The same for a text that is dropped afterwards. `load` reads the text again. The data that resources
    /// need is read now for the kinds that are `is_requested`.
    #[must_use]
    pub fn definitions_of_dropped_text(
        &self,
        source: &str,
        load: Load,
        is_requested: &dyn Fn(&str) -> bool,
    ) -> Option<Definitions> {
        let texts = text_hashes(&self.tree);
        Definitions::of_dropped_text(source, self, texts, load, is_requested, &mut crd::Cache::default())
    }
}

impl Definitions {
    /// Returns the definitions in `text`, for the source of that name; `None` if it has no definitions.
    /// `load` returns the text again.
    #[must_use]
    pub fn read(source: &str, text: &str, load: Load) -> Option<Self> {
        let tree = Tree::parse(text);
        Self::new(source, &tree, || TextOrigin::Text(load), false).map(|new| new.with_text_hashes(&tree))
    }

    /// The definition in `text`, which a cluster returned.
    #[must_use]
    pub fn of_cluster(source: &str, text: &str) -> Option<Self> {
        let from = || TextOrigin::Text(Self::load_kept(text));
        let tree = Tree::parse(text);
        Self::new(source, &tree, from, true).map(|new| new.with_text_hashes(&tree))
    }

    /// The definitions in a text that is kept.
    pub(crate) fn of_parsed(source: &str, parsed: &ParsedText) -> Option<Self> {
        let from = || TextOrigin::Parsed(parsed.clone());
        Self::new(source, &parsed.tree, from, false)
    }

    /// The definitions in a text that is not kept, with all that other texts need. The data for resources is
    /// included for the kinds that are `is_requested`, and read on demand for the others. `texts` are the
    /// [`text_hash`]es.
    pub(crate) fn of_dropped_text(
        source: &str,
        ParsedText { tree, .. }: &ParsedText,
        texts: FxHashSet<u64>,
        load: Load,
        is_requested: &dyn Fn(&str) -> bool,
        cache: &mut crd::Cache,
    ) -> Option<Self> {
        let on_demand = SourceText::OnDemand(Arc::clone(&load), Arc::default());
        let definitions = Self::new(source, tree, || TextOrigin::Text(load), false)?;
        let Inner { kinds, texts: of_texts, meanings, loaded, .. } = definitions.inner.as_ref();
        let _ = of_texts.set(texts);
        let _ = meanings.set(SourceMeanings::new(tree, on_demand.clone()));
        for ((group, kind), slot) in kinds.iter().zip(loaded).filter(|((_, kind), _)| is_requested(kind)) {
            let is_it = |of: &str, name: &str| (of, name) == (group, kind);
            let _ = slot.set(LoadedDefinitions::new(tree, on_demand.clone(), &is_it, cache));
        }
        Some(definitions)
    }

    /// The definitions in the text of an analysed buffer.
    pub(crate) fn of_buffer(
        source: &str,
        text: &TextBuffer,
        tree: &Tree,
        caches: &SharedCaches,
    ) -> Option<Self> {
        let text = SourceText::Buffer(text.clone());
        let from = || TextOrigin::Buffer { tree: tree.clone(), text, caches: Arc::clone(caches) };
        Self::new(source, tree, from, false)
    }

    /// The definitions in an analysed text that is generated from others.
    pub(crate) fn of_generated(
        source: &str,
        text: &Arc<dyn OtherText>,
        tree: &Tree,
        caches: &SharedCaches,
    ) -> Option<Self> {
        let text = SourceText::Generated(Arc::clone(text));
        let from = || TextOrigin::Buffer { tree: tree.clone(), text, caches: Arc::clone(caches) };
        Self::new(source, tree, from, false)
    }

    /// Whether the text is generated from open texts. Copies that were written earlier do not count beside it.
    pub(super) fn is_generated(&self) -> bool {
        matches!(self.inner.origin, TextOrigin::Buffer { text: SourceText::Generated(_), .. })
    }

    fn new(source: &str, tree: &Tree, from: impl FnOnce() -> TextOrigin, of_cluster: bool) -> Option<Self> {
        let mut kinds = Vec::new();
        let mut is_generated = false;
        for document in tree.documents() {
            let reader = Reader::new(document);
            for definition in complete_definitions(document, &reader) {
                let Some(DefinedName { group, kind, .. }) = name(&definition) else { continue };
                is_generated |= definition.field(&["metadata", "annotations", GENERATOR]).is_some();
                kinds.push(((group.into_boxed_str(), kind.into_boxed_str()), versions(&definition)));
            }
        }
        let is_published = kinds.is_empty();
        if is_published {
            kinds = published_kinds(tree);
        }
        if kinds.is_empty() {
            return None;
        }
        kinds.sort_by(|(one, _): &(_, _), (other, _)| one.cmp(other));
        let count = kinds.len();
        // The last of several definitions of a kind applies.
        kinds.reverse();
        kinds.dedup_by(|one, other| one.0 == other.0);
        kinds.reverse();
        let repeats_kinds = kinds.len() < count;
        let (kinds, versions): (Vec<GroupKind>, Vec<_>) = kinds.into_iter().unzip();
        let (served, unserved) = versions.into_iter().unzip();
        let inner = Inner {
            source: source.into(),
            hash: tree.root().node().hash(),
            broken: tree.documents().any(|document| document.syntax().node().flags().errors),
            of_server: is_published || of_cluster,
            repeats_kinds: repeats_kinds && !is_published,
            loaded: kinds.iter().map(|_| OnceLock::new()).collect(),
            all_loaded: OnceLock::new(),
            kinds,
            served,
            unserved,
            role_signs: RoleSigns::of(source, is_generated),
            texts: OnceLock::new(),
            origin: from(),
            meanings: OnceLock::new(),
        };
        Some(Self { inner: Arc::new(inner), naming: SourceScope::default() })
    }

    /// Returns the same definitions as a source that the user names with `crds` or `--crd`. It takes
    /// precedence over sources that were only found.
    #[must_use]
    pub fn with_scope(self, naming: SourceScope) -> Self {
        Self { naming, ..self }
    }

    /// How the user names this source.
    #[must_use]
    pub const fn naming(&self) -> &SourceScope {
        &self.naming
    }

    /// Returns whether these definitions count in the source `from`.
    pub(super) fn applies_in(&self, from: &str) -> bool {
        !self.naming.is_exclusive() || *self.inner.source == *from || self.naming.is_for(from)
    }

    /// Adds the hashes of its definitions, as their text is not kept.
    fn with_text_hashes(self, tree: &Tree) -> Self {
        let _ = self.inner.texts.set(text_hashes(tree));
        self
    }

    /// A loader for a text that is kept.
    #[must_use]
    pub fn load_kept(text: &str) -> Load {
        let text = TextBuffer::new(text);
        Arc::new(move || Some(text.to_string()))
    }

    /// The name of the source.
    #[must_use]
    pub fn source(&self) -> &Arc<str> {
        &self.inner.source
    }

    /// Whether both are the same text under the same name.
    #[must_use]
    pub fn is_same_source(&self, other: &Self) -> bool {
        self.inner.source == other.inner.source
            && self.naming == other.naming
            && match (&self.inner.origin, &other.inner.origin) {
                // Trees share the nodes that an edit does not touch.
                (TextOrigin::Buffer { tree, .. }, TextOrigin::Buffer { tree: other, .. }) => {
                    tree.root().node().same_as(other.root().node())
                }
                _ => self.hash() == other.hash(),
            }
    }

    pub(super) fn hash(&self) -> u64 {
        self.inner.hash
    }

    fn texts(&self) -> &FxHashSet<u64> {
        self.inner.texts.get_or_init(|| match &self.inner.origin {
            TextOrigin::Text(load) => text_hashes(&Tree::parse(&load().unwrap_or_default())),
            TextOrigin::Parsed(ParsedText { tree, .. }) | TextOrigin::Buffer { tree, .. } => {
                text_hashes(tree)
            }
        })
    }

    pub(super) fn is_broken(&self) -> bool {
        self.inner.broken
    }

    /// A hash of the meaning of the definition whose kind is named at `range`; `None` if the server would not
    /// read it.
    pub(crate) fn meaning_at(&self, range: TextRange) -> Option<u64> {
        self.meanings().definitions.iter().find(|kind_meaning| kind_meaning.kind_range == range)?.meaning
    }

    /// Whether it counts only if there is no written definition.
    pub(super) fn is_of_server(&self) -> bool {
        self.inner.of_server
    }

    /// Whether that version of the kind is served.
    pub(super) fn serves(&self, kind: &Kind) -> bool {
        self.version_state(&kind.group, &kind.kind, &kind.version) == Version::Served
    }

    /// Whether that version of the kind is served, declared or unknown.
    pub(super) fn version_state(&self, group: &str, kind: &str, version: &str) -> Version {
        let Inner { kinds, served, unserved, .. } = self.inner.as_ref();
        let at = kinds.iter().position(|(of, name)| (&**of, &**name) == (group, kind));
        let has = |versions: &[Box<[Box<str>]>]| {
            at.and_then(|at| versions.get(at)).is_some_and(|all| all.iter().any(|name| **name == *version))
        };
        match () {
            () if has(served) => Version::Served,
            () if has(unserved) => Version::Declared,
            () => Version::Unknown,
        }
    }

    /// The versions of the kind that are served.
    pub(super) fn served(&self, group: &str, kind: &str) -> &[Box<str>] {
        let mut names = self.names();
        names
            .find(|(of, name, _)| (*of, *name) == (group, kind))
            .map(|(.., served)| served)
            .unwrap_or_default()
    }

    pub(super) fn role_signs(&self) -> &RoleSigns {
        &self.inner.role_signs
    }

    /// Whether reading a kind may wait for the caches of an open text.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.inner.origin, TextOrigin::Buffer { .. })
    }

    pub(crate) fn repeats_kinds(&self) -> bool {
        self.inner.repeats_kinds
    }

    /// Whether one of the definitions has exactly the text with that [`text_hash`].
    pub(super) fn has_copy(&self, text_hash: u64) -> bool {
        self.texts().contains(&text_hash)
    }

    /// The groups and kinds that it defines.
    pub fn defined(&self) -> impl Iterator<Item = (&str, &str)> {
        self.kinds().iter().map(|(group, kind)| (&**group, &**kind))
    }

    pub(super) fn kinds(&self) -> &[(Box<str>, Box<str>)] {
        &self.inner.kinds
    }

    /// Whether it defines that kind.
    pub(crate) fn defines(&self, group: &str, kind: &str) -> bool {
        // The names are sorted: there may be many.
        let kinds = self.kinds();
        kinds.binary_search_by(|(of, name)| (&**of, &**name).cmp(&(group, kind))).is_ok()
    }

    /// Groups, kinds, and the names of their versions that are served.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&str, &str, &[Box<str>])> {
        let kinds = self.inner.kinds.iter().zip(&self.inner.served);
        kinds.map(|((group, kind), served)| (&**group, &**kind, &**served))
    }

    /// The meanings of the definitions; read on first use.
    pub(super) fn meanings(&self) -> &SourceMeanings {
        self.inner.meanings.get_or_init(|| match &self.inner.origin {
            TextOrigin::Text(load) => {
                let text = load().unwrap_or_default();
                SourceMeanings::new(&Tree::parse(&text), SourceText::Buffer(TextBuffer::new(&text)))
            }
            TextOrigin::Parsed(parsed) => {
                SourceMeanings::new(&parsed.tree, SourceText::Parsed(parsed.clone()))
            }
            TextOrigin::Buffer { tree, text, .. } => SourceMeanings::new(tree, text.clone()),
        })
    }

    /// The definitions of that kind; read on first use. If the file has changed since, its current text counts.
    pub(super) fn loaded(&self, group: &str, kind: &str) -> Option<&LoadedDefinitions> {
        let Inner { kinds, loaded, all_loaded, origin: from, .. } = self.inner.as_ref();
        let is_it = |of: &str, name: &str| (of, name) == (group, kind);
        let slot = loaded.get(kinds.iter().position(|(of, name)| is_it(of, name))?)?;
        let is_kept = !matches!(from, TextOrigin::Text(_));
        let is_one_of_few = loaded.iter().filter(|slot| slot.get().is_some()).count() < MOST_SINGLE_KINDS;
        let is_single = is_kept || slot.get().is_some() || is_one_of_few;
        Some(if is_single { slot } else { all_loaded }.get_or_init(|| match from {
            TextOrigin::Text(load) => {
                let text = load().unwrap_or_default();
                let buffer = SourceText::Buffer(TextBuffer::new(&text));
                let is_wanted = |of: &str, name: &str| !is_single || is_it(of, name);
                LoadedDefinitions::new(&Tree::parse(&text), buffer, &is_wanted, &mut crd::Cache::default())
            }
            TextOrigin::Parsed(parsed) => {
                let text = SourceText::Parsed(parsed.clone());
                LoadedDefinitions::new(&parsed.tree, text, &is_it, &mut crd::Cache::default())
            }
            TextOrigin::Buffer { tree, text, caches } => {
                let text = text.clone();
                // The holder of the caches may be waiting for this answer, possibly this very thread. The
                // caches only save time.
                match caches.try_lock() {
                    Ok(mut caches) => LoadedDefinitions::new(tree, text, &is_it, &mut caches.crd),
                    Err(_) => LoadedDefinitions::new(tree, text, &is_it, &mut crd::Cache::default()),
                }
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use text::TextBuffer;
    use yaml::Tree;

    use crate::analysis::caches::SharedCaches;
    use crate::analysis::catalog::definitions::{Definitions, MOST_SINGLE_KINDS};
    use crate::{Catalog, File, Load, ParsedText, Settings, Surroundings};

    #[test]
    fn definitions_are_read_while_the_caches_of_their_text_are_in_use() {
        let text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\n\
                    spec:\n  group: example.com\n  scope: Namespaced\n  names: {plural: widgets, kind: Widget}\n  versions: []\n";
        let caches: SharedCaches = Arc::default();
        let definitions =
            Definitions::of_buffer("a.yaml", &TextBuffer::new(text), &Tree::parse(text), &caches).unwrap();
        let in_use = caches.lock().unwrap();
        assert!(definitions.loaded("example.com", "Widget").is_some());
        drop(in_use);
    }

    /// Six kinds, each with a separate integer field.
    fn bundle() -> String {
        let definition = |number: usize| {
            format!(
                "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: kinds{number}.example.com}}\n\
                 spec:\n  group: example.com\n  scope: Namespaced\n  names: {{plural: kinds{number}, kind: Kind{number}}}\n  versions:\n  \
                 - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
                 properties: {{size{number}: {{type: integer}}}}\n"
            )
        };
        (0..6).map(definition).collect::<Vec<_>>().join("---\n")
    }

    #[test]
    fn definitions_of_a_dropped_text_validate_like_those_of_a_kept_one() {
        let (text, source) = (bundle(), Arc::<str>::from("bundle.yaml"));
        let parsed = ParsedText::new(text.clone());
        let resources: String = (0..6)
            .map(|number| format!("---\napiVersion: example.com/v1\nkind: Kind{number}\nmetadata: {{name: a}}\nsize{number}: text\n"))
            .collect();
        let findings_with = |definitions: Definitions| {
            let catalog = Catalog::default().with([(Arc::clone(&source), Some(definitions))]);
            let surroundings = Surroundings { catalog, ..Surroundings::default() };
            File::with_surroundings(&resources, &Settings::default(), surroundings).findings().to_vec()
        };
        let kept = findings_with(parsed.definitions(&source).unwrap());
        assert_eq!(kept.len(), 6, "{kept:#?}");
        for requested in [0, 1, 6] {
            let is_requested =
                |kind: &str| kind.trim_start_matches("Kind").parse::<usize>().unwrap() < requested;
            let dropped =
                parsed.definitions_of_dropped_text(&source, Definitions::load_kept(&text), &is_requested);
            assert_eq!(findings_with(dropped.unwrap()), kept, "{requested} kinds were asked for");
        }
    }

    #[test]
    fn a_few_kinds_of_a_dropped_text_are_read_one_by_one() {
        let (text, reads) = (bundle(), Arc::new(AtomicUsize::new(0)));
        let load: Load = {
            let (text, reads) = (text.clone(), Arc::clone(&reads));
            Arc::new(move || {
                reads.fetch_add(1, Ordering::Relaxed);
                Some(text.clone())
            })
        };
        let definitions = Definitions::read("bundle.yaml", &text, load).unwrap();
        for kind in ["Kind0", "Kind1", "Kind0", "Kind2", "Kind3", "Kind4", "Kind5"] {
            assert!(definitions.loaded("example.com", kind).is_some(), "{kind}");
        }
        assert_eq!(reads.load(Ordering::Relaxed), MOST_SINGLE_KINDS + 1, "the others at once");
    }
}
