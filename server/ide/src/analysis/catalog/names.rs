//! The properties of definitions that a text shows directly: their kinds and versions, and whether they are copies.

use std::collections::BTreeMap;

use crd::object::{CustomResourceDefinition, definitions};
use crd::publish::{DescribedKind, described_kinds};
use rustc_hash::FxHashSet;
use text::TextRange;
use yaml::{Document, Reader, Tree};

/// A group and one of its kinds.
pub(super) type GroupKind = (Box<str>, Box<str>);

/// The names of versions that are served, and of those that are not.
pub(super) type Versions = (Box<[Box<str>]>, Box<[Box<str>]>);

/// A hash of the text of the definition.
pub(crate) fn text_hash(definition: &CustomResourceDefinition<'_, '_>) -> u64 {
    let spec = definition.field(&["spec"]).and_then(|spec| spec.node());
    spec.map_or(0, |spec| spec.node().hash())
}

/// The hashes of all definitions in `tree` that have a name.
pub(super) fn text_hashes(tree: &Tree) -> FxHashSet<u64> {
    let mut hashes = FxHashSet::default();
    for document in tree.documents() {
        let reader = Reader::new(document);
        for definition in complete_definitions(document, &reader) {
            if name(&definition).is_some() {
                hashes.insert(text_hash(&definition));
            }
        }
    }
    hashes
}

/// The definitions of a document that are not patches.
pub(crate) fn complete_definitions<'r, 't>(
    document: Document<'t>,
    reader: &'r Reader<'t>,
) -> Vec<CustomResourceDefinition<'r, 't>> {
    let mut all = definitions(document, reader);
    all.retain(|definition| !definition.is_partial());
    all
}

/// The kind that a definition defines.
pub(crate) struct DefinedName {
    pub(crate) group: String,
    pub(crate) kind: String,
    /// The range of the name of the kind.
    pub(crate) kind_range: TextRange,
}

/// The kind that `definition` defines.
pub(crate) fn name(definition: &CustomResourceDefinition<'_, '_>) -> Option<DefinedName> {
    let text = |names: &[&str]| {
        let value = definition.field(names)?;
        Some((value.as_scalar()?.as_str()?.into_owned(), value.range())).filter(|(text, _)| !text.is_empty())
    };
    let (kind, kind_range) = text(&["spec", "names", "kind"])?;
    Some(DefinedName { group: text(&["spec", "group"])?.0, kind, kind_range })
}

/// The names of the versions that are served, and of the others.
pub(super) fn versions(definition: &CustomResourceDefinition<'_, '_>) -> Versions {
    let (mut served, mut unserved) = (Vec::new(), Vec::new());
    for version in definition.versions() {
        let Some(name) = version.name() else { continue };
        if version.is_true("served") { &mut served } else { &mut unserved }.push(Box::from(name.as_ref()));
    }
    (served.into(), unserved.into())
}

/// The published groups and kinds in `tree`, with their versions.
pub(super) fn published_kinds(tree: &Tree) -> Vec<(GroupKind, Versions)> {
    let mut kinds: BTreeMap<GroupKind, Vec<Box<str>>> = BTreeMap::new();
    for document in tree.documents() {
        for DescribedKind { group, version, kind, .. } in described_kinds(document, &Reader::new(document)) {
            kinds.entry((group.into(), kind.into())).or_default().push(version.into());
        }
    }
    kinds.into_iter().map(|(name, versions)| (name, (versions.into(), Box::default()))).collect()
}
