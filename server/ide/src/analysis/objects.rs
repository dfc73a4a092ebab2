//! The objects in a document, whatever they are of.

use yaml::{Document, Mapping, Reader, Value};

use crate::analysis::kinds::{Kind, items};

/// An object of Kubernetes, or of a tool that writes its settings like one.
pub(crate) struct Object<'t> {
    /// Its place in a `List`.
    pub(crate) index: Option<usize>,
    pub(crate) value: Value<'t>,
    pub(crate) api_version: String,
    /// Where `apiVersion` names no group, that is empty, and so is what cannot be read.
    pub(crate) kind: Kind,
}

/// The objects in `document`: what has both `apiVersion` and `kind`, or the items of a list. An item that lacks one of them
/// cannot be read.
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

/// The text of a value; empty where it is something else, none where there is no such key.
fn text<'t>(object: Mapping<'t>, key: &str, reader: &Reader<'t>) -> Option<String> {
    let value = reader.entry(object, key)?.value();
    let text = reader.follow(value).and_then(|value| value.as_scalar()?.as_str());
    Some(text.map(|text| text.into_owned()).unwrap_or_default())
}
