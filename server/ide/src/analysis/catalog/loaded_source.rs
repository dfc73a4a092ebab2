//! The definitions of one source: their meanings, and the versions of the kinds that resources use.

use std::borrow::Cow;

use crd::customresource::ResourceVersion;
use crd::experimental::Experiments;
use crd::gates::{FeatureGates, GatedField};
use crd::object::CustomResourceDefinition;
use crd::publish::described_kinds;
use text::TextRange;
use yaml::{Reader, Tree};

use crate::analysis::catalog::meaning::Meanings;
use crate::analysis::catalog::names::{DefinedName, complete_definitions, name};
use crate::analysis::source_text::SourceText;

/// The requested definitions of a source.
pub(crate) struct LoadedDefinitions {
    pub(crate) text: SourceText,
    pub(crate) definitions: Vec<KnownDefinition>,
}

/// One definition.
pub(crate) struct KnownDefinition {
    group: Box<str>,
    pub(crate) kind: Box<str>,
    /// The range of the name of the kind, in bytes of the text.
    pub(crate) kind_range: TextRange,
    pub(crate) versions: Vec<ResourceVersion>,
    /// The fields that feature gates guard.
    gated: Vec<GatedField>,
}

/// The meanings of the definitions of a source.
pub(crate) struct SourceMeanings {
    pub(crate) text: SourceText,
    pub(crate) definitions: Vec<KindMeaning>,
}

/// The meaning of one definition.
pub(crate) struct KindMeaning {
    group: Box<str>,
    kind: Box<str>,
    /// The range of the name of the kind, in bytes of the text.
    pub(crate) kind_range: TextRange,
    /// A hash of all that affects the validation of resources. Positions and descriptions do not count.
    /// `None` if the server would not read the definition.
    pub(crate) meaning: Option<u64>,
}

impl KindMeaning {
    pub(crate) fn is_of(&self, group: &str, kind: &str) -> bool {
        (&*self.group, &*self.kind) == (group, kind)
    }
}

impl LoadedDefinitions {
    /// The definitions in `tree`, the tree of `text`, of the groups and kinds that satisfy `is_requested`.
    pub(super) fn new(
        tree: &Tree,
        text: SourceText,
        is_requested: &dyn Fn(&str, &str) -> bool,
        cache: &mut crd::Cache,
    ) -> Self {
        let mut definitions = Vec::new();
        for document in tree.documents() {
            let reader = Reader::new(document);
            for definition in complete_definitions(document, &reader) {
                definitions.extend(load_definition(&definition, &reader, is_requested, cache));
            }
        }
        if definitions.is_empty() {
            definitions = published(tree, is_requested, cache);
        }
        Self { text, definitions }
    }
}

impl SourceMeanings {
    pub(super) fn new(tree: &Tree, text: SourceText) -> Self {
        let mut all = Vec::new();
        for document in tree.documents() {
            let reader = Reader::new(document);
            let mut meanings = Meanings::default();
            for definition in complete_definitions(document, &reader) {
                let Some(DefinedName { group, kind, kind_range }) = name(&definition) else { continue };
                let meaning = meanings.meaning_of(document, &definition);
                all.push(KindMeaning { group: group.into(), kind: kind.into(), kind_range, meaning });
            }
        }
        Self { text, definitions: all }
    }
}

fn load_definition<'t>(
    definition: &CustomResourceDefinition<'_, 't>,
    reader: &Reader<'t>,
    is_requested: &dyn Fn(&str, &str) -> bool,
    cache: &mut crd::Cache,
) -> Option<KnownDefinition> {
    let DefinedName { group, kind, kind_range } =
        name(definition).filter(|name| is_requested(&name.group, &name.kind))?;
    let versions = ResourceVersion::all(definition, reader, cache);
    let gated = FeatureGates::read(definition).fields();
    Some(KnownDefinition { group: group.into(), kind: kind.into(), kind_range, versions, gated })
}

/// The kinds in `tree` that were published from definitions, each with its versions.
fn published(
    tree: &Tree,
    is_requested: &dyn Fn(&str, &str) -> bool,
    cache: &mut crd::Cache,
) -> Vec<KnownDefinition> {
    let mut all: Vec<KnownDefinition> = Vec::new();
    for document in tree.documents() {
        let reader = Reader::new(document);
        let kinds = described_kinds(document, &reader).into_iter();
        for kind in kinds.filter(|kind| is_requested(&kind.group, &kind.kind)) {
            let version = kind.resource_version(&reader, cache);
            match all.iter_mut().find(|known| known.is_of(&kind.group, &kind.kind)) {
                Some(known) => known.versions.push(version),
                None => all.push(KnownDefinition {
                    group: kind.group.into(),
                    kind: kind.kind.into(),
                    kind_range: kind.kind_range,
                    versions: vec![version],
                    gated: Vec::new(),
                }),
            }
        }
    }
    all
}

impl KnownDefinition {
    pub(super) fn is_of(&self, group: &str, kind: &str) -> bool {
        (&*self.group, &*self.kind) == (group, kind)
    }

    /// The version with that name if it is served; with its feature gates if that experiment is enabled.
    pub(crate) fn served(&self, name: &str, experiments: Experiments) -> Option<Cow<'_, ResourceVersion>> {
        let version = self.versions.iter().find(|version| version.name == name)?;
        let version = Some(version).filter(|version| version.served)?;
        if !experiments.feature_gates || self.gated.is_empty() {
            return Some(Cow::Borrowed(version));
        }
        Some(Cow::Owned(ResourceVersion { gated: self.gated.clone(), ..version.clone() }))
    }
}
