//! Definitions as typed views of a document.

mod definition;
mod node;
mod patch;

use std::borrow::Cow;

use yaml::{Document, Mapping, Reader, Value};

pub(crate) use definition::scope_of;
pub use definition::{CustomResourceDefinition, SchemaPlace, Version};
pub(crate) use node::Node;
pub use patch::holds_merge_directive;

use crate::field_path::FieldPath;
use crate::report::ApiVersion;

/// The definitions in `document`: its own object, or those among the items of a `List`.
#[must_use]
pub fn definitions<'r, 't>(
    document: Document<'t>,
    reader: &'r Reader<'t>,
) -> Vec<CustomResourceDefinition<'r, 't>> {
    let Some(root) = document.root() else { return Vec::new() };
    let Some(mapping) = root.as_mapping() else { return Vec::new() };
    if !is_list(mapping, reader) {
        return CustomResourceDefinition::read(root, FieldPath::root(), reader).into_iter().collect();
    }
    let items = member(mapping, "items", reader).and_then(Value::as_sequence);
    let items = items.into_iter().flat_map(yaml::Sequence::items).enumerate();
    let read = |(index, item): (usize, yaml::Item<'t>)| {
        let path = FieldPath::of_names(["items"]).index(index);
        CustomResourceDefinition::read(reader.follow(item.value())?, path, reader)
    };
    items.filter_map(read).collect()
}

/// Whether `document` is a JSON patch: a list of operations on paths.
pub(crate) fn is_json_patch<'t>(document: Document<'t>, reader: &Reader<'t>) -> bool {
    let operations = document.root().and_then(Value::as_sequence);
    let first = operations.and_then(|operations| operations.items().next()).map(yaml::Item::value);
    let first = first.and_then(Value::as_mapping);
    first.is_some_and(|first| ["op", "path"].iter().all(|key| reader.entry(first, key).is_some()))
}

/// The API version of a CustomResourceDefinition; `None` for other objects.
pub(crate) fn api_version<'t>(object: Mapping<'t>, reader: &Reader<'t>) -> Option<ApiVersion> {
    let version = match string(object, "apiVersion", reader)?.as_ref() {
        "apiextensions.k8s.io/v1" => ApiVersion::V1,
        "apiextensions.k8s.io/v1beta1" => ApiVersion::V1Beta1,
        _ => return None,
    };
    (string(object, "kind", reader)? == "CustomResourceDefinition").then_some(version)
}

/// Whether `object` is a list: a `v1/List`, which kubectl splits, or a `CustomResourceDefinitionList` of the
/// API's group.
fn is_list<'t>(object: Mapping<'t>, reader: &Reader<'t>) -> bool {
    let text = |key| string(object, key, reader).unwrap_or_default();
    match text("kind").as_ref() {
        "List" => text("apiVersion") == "v1",
        "CustomResourceDefinitionList" => text("apiVersion").starts_with("apiextensions.k8s.io/"),
        _ => false,
    }
}

fn string<'t>(object: Mapping<'t>, key: &str, reader: &Reader<'t>) -> Option<Cow<'t, str>> {
    member(object, key, reader)?.as_scalar()?.as_str()
}

/// The value of `key`, with aliases resolved; `None` if it is null.
fn member<'t>(object: Mapping<'t>, key: &str, reader: &Reader<'t>) -> Option<Value<'t>> {
    let value = reader.follow(reader.entry(object, key)?.value())?;
    (!crate::reading::is_null(value)).then_some(value)
}
