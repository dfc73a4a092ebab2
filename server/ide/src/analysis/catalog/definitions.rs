//! The definitions of one source.

use std::sync::{Arc, OnceLock};

use crd::OtherText;
use rustc_hash::FxHashSet;
use text::{TextBuffer, TextRange};
use yaml::{Reader, Tree};

use crate::analysis::caches::SharedCaches;
use crate::analysis::catalog::loaded::{Loaded, Sketch};
use crate::analysis::catalog::names::{GroupKind, name, published_kinds, text_hashes, versions, whole};
use crate::analysis::catalog::naming::Naming;
use crate::analysis::catalog::rank::{GENERATOR, Keeping, Version};
use crate::analysis::kinds::Kind;
use crate::analysis::parsed::{Load, Parsed};
use crate::analysis::source_text::SourceText;

/// So many kinds of a text that is not kept are read one by one: a bundle defines many kinds, and has resources of few.
const MOST_APART: usize = 3;

/// The definitions of one source, as a file or a buffer is, or what a server published of definitions. What kinds they define is known at once; what they say of
/// them is read from the text when a resource asks for it, since most kinds of a workspace are never asked for. Cheap
/// to clone.
#[derive(Clone)]
pub struct Definitions {
    inner: Arc<Inner>,
    naming: Naming,
}

struct Inner {
    source: Arc<str>,
    /// Of the text.
    hash: u64,
    /// Whether the text has syntax errors.
    broken: bool,
    /// Whether this is what some server says, by a published document or by its own definitions, not what is written
    /// here.
    of_server: bool,
    /// Groups and kinds, each once.
    kinds: Vec<GroupKind>,
    /// The versions of these that are served.
    served: Vec<Box<[Box<str>]>>,
    /// Their other versions.
    unserved: Vec<Box<[Box<str>]>>,
    keeping: Keeping,
    /// Whether it defines one of them several times.
    repeats: bool,
    /// Hashes of the texts of its definitions: copies are mostly copies to the letter. Of a buffer as above.
    texts: OnceLock<FxHashSet<u64>>,
    from: From,
    sketch: OnceLock<Sketch>,
    /// One for each kind.
    loaded: Box<[OnceLock<Loaded>]>,
    /// All of them at once, where the text is not kept: it is read once.
    all_loaded: OnceLock<Loaded>,
}

/// Where the text comes from when it is asked for.
enum From {
    /// Read anew: the text of most files is never needed again.
    Text(Load),
    /// A text that will be analysed, too.
    Parsed(Parsed),
    /// An analysed buffer. What is known of its parts is shared, so that an edit costs what it touches.
    Buffer { tree: Tree, text: SourceText, caches: SharedCaches },
}

impl std::fmt::Debug for Definitions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Definitions").field("source", &self.inner.source).finish_non_exhaustive()
    }
}

impl Parsed {
    /// The definitions in this text, for the source of that name; none where there are none.
    #[must_use]
    pub fn definitions(&self, source: &str) -> Option<Definitions> {
        Definitions::of_parsed(source, self)
    }

    /// The same, for a text that is dropped before others ask of them. `load` reads the text again; what resources of the kinds
    /// that are `is_asked` need is known.
    #[must_use]
    pub fn definitions_apart(
        &self,
        source: &str,
        load: Load,
        is_asked: &dyn Fn(&str) -> bool,
    ) -> Option<Definitions> {
        let texts = text_hashes(&self.tree);
        Definitions::settled(source, self, texts, load, is_asked, &mut crd::Cache::default())
    }
}

impl Definitions {
    /// The definitions in `text` of the source of that name; none where there are none. `load` gives the text again.
    #[must_use]
    pub fn read(source: &str, text: &str, load: Load) -> Option<Self> {
        let tree = Tree::parse(text);
        Self::new(source, &tree, || From::Text(load), false).map(|new| new.hashed(&tree))
    }

    /// The definition in `text` that a cluster has.
    #[must_use]
    pub fn of_cluster(source: &str, text: &str) -> Option<Self> {
        let from = || From::Text(Self::held(text));
        let tree = Tree::parse(text);
        Self::new(source, &tree, from, true).map(|new| new.hashed(&tree))
    }

    /// The definitions in a text that is kept.
    pub(crate) fn of_parsed(source: &str, parsed: &Parsed) -> Option<Self> {
        let from = || From::Parsed(parsed.clone());
        Self::new(source, &parsed.tree, from, false)
    }

    /// The definitions in a text that is not kept, with all that others may ask of them, but what resources need of
    /// kinds that are not `is_asked`: that is read when it is asked for. `texts` are their [`text_hash`]es.
    pub(crate) fn settled(
        source: &str,
        Parsed { tree, .. }: &Parsed,
        texts: FxHashSet<u64>,
        load: Load,
        is_asked: &dyn Fn(&str) -> bool,
        cache: &mut crd::Cache,
    ) -> Option<Self> {
        let late = SourceText::Late(Arc::clone(&load), Arc::default());
        let settled = Self::new(source, tree, || From::Text(load), false)?;
        let Inner { kinds, texts: of_texts, sketch, loaded, .. } = settled.inner.as_ref();
        let _ = of_texts.set(texts);
        let _ = sketch.set(Sketch::new(tree, late.clone()));
        for ((group, kind), slot) in kinds.iter().zip(loaded).filter(|((_, kind), _)| is_asked(kind)) {
            let is_it = |of: &str, name: &str| (of, name) == (group, kind);
            let _ = slot.set(Loaded::new(tree, late.clone(), &is_it, cache));
        }
        Some(settled)
    }

    /// The definitions in the text of an analysed buffer.
    pub(crate) fn of_buffer(
        source: &str,
        text: &TextBuffer,
        tree: &Tree,
        caches: &SharedCaches,
    ) -> Option<Self> {
        let text = SourceText::Buffer(text.clone());
        let from = || From::Buffer { tree: tree.clone(), text, caches: Arc::clone(caches) };
        Self::new(source, tree, from, false)
    }

    /// The definitions in an analysed text that is made of others.
    pub(crate) fn of_made(
        source: &str,
        text: &Arc<dyn OtherText>,
        tree: &Tree,
        caches: &SharedCaches,
    ) -> Option<Self> {
        let text = SourceText::Made(Arc::clone(text));
        let from = || From::Buffer { tree: tree.clone(), text, caches: Arc::clone(caches) };
        Self::new(source, tree, from, false)
    }

    /// Whether the text is made of others just now: copies that were written earlier do not count beside it.
    pub(super) fn is_made(&self) -> bool {
        matches!(self.inner.from, From::Buffer { text: SourceText::Made(_), .. })
    }

    fn new(source: &str, tree: &Tree, from: impl FnOnce() -> From, of_cluster: bool) -> Option<Self> {
        let mut kinds = Vec::new();
        let mut is_generated = false;
        for document in tree.documents() {
            let reader = Reader::new(document);
            for definition in whole(document, &reader) {
                let Some((group, kind, _)) = name(&definition) else { continue };
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
        // Of several the last counts.
        kinds.reverse();
        kinds.dedup_by(|one, other| one.0 == other.0);
        kinds.reverse();
        let repeats = kinds.len() < count;
        let (kinds, versions): (Vec<GroupKind>, Vec<_>) = kinds.into_iter().unzip();
        let (served, unserved) = versions.into_iter().unzip();
        let inner = Inner {
            source: source.into(),
            hash: tree.root().node().hash(),
            broken: tree.documents().any(|document| document.syntax().node().flags().errors),
            of_server: is_published || of_cluster,
            repeats: repeats && !is_published,
            loaded: kinds.iter().map(|_| OnceLock::new()).collect(),
            all_loaded: OnceLock::new(),
            kinds,
            served,
            unserved,
            keeping: Keeping::of(source, is_generated),
            texts: OnceLock::new(),
            from: from(),
            sketch: OnceLock::new(),
        };
        Some(Self { inner: Arc::new(inner), naming: Naming::default() })
    }

    /// The same as a source that the user names as one of definitions, with `crds` or `--crd`: it goes before what is only
    /// found.
    #[must_use]
    pub fn named(self, naming: Naming) -> Self {
        Self { naming, ..self }
    }

    /// How the user names it.
    #[must_use]
    pub const fn naming(&self) -> &Naming {
        &self.naming
    }

    /// Whether the source `from` knows it.
    pub(super) fn counts_in(&self, from: &str) -> bool {
        !self.naming.is_for_nobody_else() || *self.inner.source == *from || self.naming.is_for(from)
    }

    /// With the hashes of its definitions, of which nothing is kept.
    fn hashed(self, tree: &Tree) -> Self {
        let _ = self.inner.texts.set(text_hashes(tree));
        self
    }

    /// A loader for a text that is kept.
    #[must_use]
    pub fn held(text: &str) -> Load {
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
    pub fn is(&self, other: &Self) -> bool {
        self.inner.source == other.inner.source
            && self.naming == other.naming
            && match (&self.inner.from, &other.inner.from) {
                // Trees share what no edit touched.
                (From::Buffer { tree, .. }, From::Buffer { tree: other, .. }) => {
                    tree.root().node().same_as(other.root().node())
                }
                _ => self.hash() == other.hash(),
            }
    }

    pub(super) fn hash(&self) -> u64 {
        self.inner.hash
    }

    fn texts(&self) -> &FxHashSet<u64> {
        self.inner.texts.get_or_init(|| match &self.inner.from {
            From::Text(load) => text_hashes(&Tree::parse(&load().unwrap_or_default())),
            From::Parsed(Parsed { tree, .. }) | From::Buffer { tree, .. } => text_hashes(tree),
        })
    }

    pub(super) fn is_broken(&self) -> bool {
        self.inner.broken
    }

    /// A hash of what the definition of that kind whose kind is named at `range` means; none where the server would not
    /// read it.
    pub(crate) fn meaning_at(&self, range: TextRange) -> Option<u64> {
        self.sketch().definitions.iter().find(|meant| meant.kind_range == range)?.meaning
    }

    /// Whether it counts only where no definition is written.
    pub(super) fn is_of_server(&self) -> bool {
        self.inner.of_server
    }

    /// Whether that version of the kind is served.
    pub(super) fn serves(&self, kind: &Kind) -> bool {
        self.says_of(&kind.group, &kind.kind, &kind.version) == Version::Served
    }

    /// What is said of that version of the kind.
    pub(super) fn says_of(&self, group: &str, kind: &str, version: &str) -> Version {
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

    pub(super) fn keeping(&self) -> &Keeping {
        &self.inner.keeping
    }

    /// Whether reading what it says of kinds waits for the caches of an open text.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.inner.from, From::Buffer { .. })
    }

    pub(crate) fn repeats(&self) -> bool {
        self.inner.repeats
    }

    /// Whether one of them is written to the letter as the definition with that [`text_hash`].
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

    /// What they mean; read when it is first asked for.
    pub(super) fn sketch(&self) -> &Sketch {
        self.inner.sketch.get_or_init(|| match &self.inner.from {
            From::Text(load) => {
                let text = load().unwrap_or_default();
                Sketch::new(&Tree::parse(&text), SourceText::Buffer(TextBuffer::new(&text)))
            }
            From::Parsed(parsed) => Sketch::new(&parsed.tree, SourceText::Parsed(parsed.clone())),
            From::Buffer { tree, text, .. } => Sketch::new(tree, text.clone()),
        })
    }

    /// What they say of that kind; read when it is first asked for. A file that has changed since counts as it is now.
    pub(super) fn loaded(&self, group: &str, kind: &str) -> Option<&Loaded> {
        let Inner { kinds, loaded, all_loaded, from, .. } = self.inner.as_ref();
        let is_it = |of: &str, name: &str| (of, name) == (group, kind);
        let slot = loaded.get(kinds.iter().position(|(of, name)| is_it(of, name))?)?;
        let is_kept = !matches!(from, From::Text(_));
        let is_one_of_few = loaded.iter().filter(|slot| slot.get().is_some()).count() < MOST_APART;
        let is_apart = is_kept || slot.get().is_some() || is_one_of_few;
        Some(if is_apart { slot } else { all_loaded }.get_or_init(|| match from {
            From::Text(load) => {
                let text = load().unwrap_or_default();
                let buffer = SourceText::Buffer(TextBuffer::new(&text));
                let is_meant = |of: &str, name: &str| !is_apart || is_it(of, name);
                Loaded::new(&Tree::parse(&text), buffer, &is_meant, &mut crd::Cache::default())
            }
            From::Parsed(parsed) => {
                let text = SourceText::Parsed(parsed.clone());
                Loaded::new(&parsed.tree, text, &is_it, &mut crd::Cache::default())
            }
            From::Buffer { tree, text, caches } => {
                let text = text.clone();
                // Whoever has the caches may be waiting for this answer, even this very thread. They only save time.
                match caches.try_lock() {
                    Ok(mut caches) => Loaded::new(tree, text, &is_it, &mut caches.crd),
                    Err(_) => Loaded::new(tree, text, &is_it, &mut crd::Cache::default()),
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
    use crate::analysis::catalog::definitions::{Definitions, MOST_APART};
    use crate::{Catalog, File, Load, Parsed, Settings, Surroundings};

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

    /// Six kinds, each with a field of its own that is an integer.
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
    fn definitions_of_a_text_that_is_not_kept_judge_as_those_of_one_that_is() {
        let (text, source) = (bundle(), Arc::<str>::from("bundle.yaml"));
        let parsed = Parsed::new(text.clone());
        let resources: String = (0..6)
            .map(|number| format!("---\napiVersion: example.com/v1\nkind: Kind{number}\nmetadata: {{name: a}}\nsize{number}: text\n"))
            .collect();
        let judged = |definitions: Definitions| {
            let catalog = Catalog::default().with([(Arc::clone(&source), Some(definitions))]);
            let surroundings = Surroundings { catalog, ..Surroundings::default() };
            File::within(&resources, &Settings::default(), surroundings).findings().to_vec()
        };
        let kept = judged(parsed.definitions(&source).unwrap());
        assert_eq!(kept.len(), 6, "{kept:#?}");
        for asked in [0, 1, 6] {
            let is_asked = |kind: &str| kind.trim_start_matches("Kind").parse::<usize>().unwrap() < asked;
            let apart = parsed.definitions_apart(&source, Definitions::held(&text), &is_asked);
            assert_eq!(judged(apart.unwrap()), kept, "{asked} kinds were asked for");
        }
    }

    #[test]
    fn of_a_text_that_is_not_kept_a_few_kinds_are_read_one_by_one() {
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
        assert_eq!(reads.load(Ordering::Relaxed), MOST_APART + 1, "the others at once");
    }
}
