//! The objects in a document, of any kind.

use yaml::{Document, Mapping, Reader, Value};

use crate::analysis::kinds::{Kind, items};

/// A Kubernetes object, or the settings of a tool in the same form.
pub(crate) struct Object<'t> {
    /// Its index in a `List`.
    pub(crate) index: Option<usize>,
    pub(crate) value: Value<'t>,
    pub(crate) api_version: String,
    /// The group is empty if `apiVersion` names none. All parts are empty if the object cannot be read.
    pub(crate) kind: Kind,
}

/// The objects in `document`: a mapping with both `apiVersion` and `kind`, or the items of a list. An item
/// that lacks one of the two counts as an object that cannot be read.
pub(crate) fn objects<'t>(document: Document<'t>, reader: &Reader<'t>) -> Vec<Object<'t>> {
    let Some(root) = document.root() else { return Vec::new() };
    let Some(object) = object(root, reader) else { return Vec::new() };
    let Some(items) = root.as_mapping().and_then(|root| items(root, reader)) else { return vec![object] };
    let item = |(index, item): (usize, yaml::Item<'t>)| {
        let (index, value) = (Some(index), item.value());
        let kind = Kind { group: String::new(), version: String::new(), kind: String::new() };
        let unread = || Object { index, value, api_version: String::new(), kind };
        self::object(value, reader).map_or_else(unread, |object| Object { index, ..object })
    };
    items.items().enumerate().map(item).collect()
}

fn object<'t>(value: Value<'t>, reader: &Reader<'t>) -> Option<Object<'t>> {
    let mapping = reader.follow(value)?.as_mapping()?;
    let (api_version, kind) = (text(mapping, "apiVersion", reader)?, text(mapping, "kind", reader)?);
    let (group, version) = api_version.split_once('/').unwrap_or(("", &api_version));
    let kind = Kind { group: group.to_owned(), version: version.to_owned(), kind };
    Some(Object { index: None, value, api_version, kind })
}

/// The text of a value: empty if the value is not a string, `None` if there is no such key.
fn text<'t>(object: Mapping<'t>, key: &str, reader: &Reader<'t>) -> Option<String> {
    let value = reader.entry(object, key)?.value();
    let text = reader.follow(value).and_then(|value| value.as_scalar()?.as_str());
    Some(text.map(|text| text.into_owned()).unwrap_or_default())
}
