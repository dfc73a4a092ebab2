//! The objects of documents that may be custom resources, with their kinds.

use yaml::{Document, Mapping, Reader, Sequence, Value};

/// A version of a kind, as in the `apiVersion` and `kind` of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
}

impl Kind {
    /// Whether objects of this kind are definitions.
    pub(crate) fn is_definition(&self) -> bool {
        let Self { group, version, kind } = self;
        let is_known = ["v1", "v1beta1"].contains(&version.as_str());
        is_known && group == "apiextensions.k8s.io" && kind == "CustomResourceDefinition"
    }
}

/// The objects in `document` that may be custom resources: the document's object, or the items of a list,
/// each with its index. Objects without a group are skipped, because they belong to the core of Kubernetes.
pub(crate) fn objects<'t>(
    document: Document<'t>,
    reader: &Reader<'t>,
) -> Vec<(Option<usize>, Value<'t>, Kind)> {
    let Some(root) = document.root() else { return Vec::new() };
    let Some(object) = root.as_mapping() else { return Vec::new() };
    let Some(items) = items(object, reader) else {
        return kind_of(object, reader).map(|kind| (None, root, kind)).into_iter().collect();
    };
    let items = items.items().enumerate();
    let item = |(index, item): (usize, yaml::Item<'t>)| {
        let value = item.value();
        Some((Some(index), value, kind_of(value.as_mapping()?, reader)?))
    };
    items.filter_map(item).collect()
}

/// The items of `object` if it is a `List`, or a list of one kind such as `WidgetList`. Clients split such
/// lists and send each item separately.
pub(crate) fn items<'t>(object: Mapping<'t>, reader: &Reader<'t>) -> Option<Sequence<'t>> {
    text(object, "kind", reader).filter(|kind| kind.ends_with("List"))?;
    reader.entry(object, "items")?.value().as_sequence()
}

fn kind_of<'t>(object: Mapping<'t>, reader: &Reader<'t>) -> Option<Kind> {
    let api_version = text(object, "apiVersion", reader)?;
    let (group, version) = api_version.split_once('/')?;
    let kind = text(object, "kind", reader)?;
    Some(Kind { group: group.to_owned(), version: version.to_owned(), kind })
}

fn text<'t>(object: Mapping<'t>, key: &str, reader: &Reader<'t>) -> Option<String> {
    let value = reader.follow(reader.entry(object, key)?.value())?;
    value.as_scalar()?.as_str().map(|text| text.into_owned())
}
