//! Findings on custom resources: what kube-apiserver says of them by the definitions of the catalog.

mod findings;
mod item;
mod rivals;
mod words;

use crd::customresource::admit;
use yaml::{Document, Reader, Value};

use crate::surroundings::objects;
use crate::{Finding, Settings, Surroundings};
use findings::Subject;

pub(crate) use rivals::{RIVALS, rivals};

/// The findings on the custom resources in `document`; none where it holds no kind that is known.
pub(crate) fn findings(
    document: Document<'_>,
    surroundings: &Surroundings,
    settings: &Settings,
) -> Option<Vec<Finding>> {
    let reader = Reader::new(document);
    let mut found = None;
    for (index, value, kind) in objects(document, &reader) {
        let Some(definition) = surroundings.catalog.judge(&kind.group, &kind.kind, &surroundings.source)
        else {
            continue;
        };
        let found: &mut Vec<Finding> = found.get_or_insert_default();
        let versions = &definition.known.versions;
        let version = versions.iter().find(|version| version.name == kind.version);
        let Some(version) = version.filter(|version| version.served) else {
            found.push(findings::not_served(value, &reader, &kind, &definition));
            continue;
        };
        let judge = |document: Document<'_>, root: Value<'_>| {
            let subject = Subject {
                root,
                reader: &Reader::new(document),
                definition: &definition,
                field_validation: settings.field_validation,
                is_patch: is_patch(root, &surroundings.source),
            };
            subject.findings(&admit(document, version, settings.kubernetes_version))
        };
        match index {
            None => found.extend(judge(document, value)),
            Some(index) => found.extend(item::with(document, value, index, judge)),
        }
    }
    found
}

/// Whether it looks like a part of a resource that kustomize merges into another one: its gaps are no mistakes.
fn is_patch(root: Value<'_>, source: &str) -> bool {
    let mut folders = source.rsplit('/');
    let name = folders.next().unwrap_or_default().to_ascii_lowercase();
    let is_named_so = |name: &str| {
        name.split(|char: char| !char.is_ascii_alphanumeric())
            .any(|word| word == "patch" || word == "patches")
    };
    is_named_so(&name) || folders.next().is_some_and(is_named_so) || has_directive(root)
}

/// Whether a key of it tells how to merge it.
fn has_directive(value: Value<'_>) -> bool {
    let is_directive =
        |key: &str| key == "$patch" || key == "$retainKeys" || key.starts_with("$setElementOrder/");
    let Some(root) = value.as_mapping() else { return false };
    let mut pending = vec![root];
    while let Some(mapping) = pending.pop() {
        for entry in mapping.entries() {
            if entry.key_text().is_some_and(|key| is_directive(&key)) {
                return true;
            }
            pending.extend(entry.value().as_mapping());
            let items = entry.value().as_sequence().into_iter().flat_map(yaml::Sequence::items);
            pending.extend(items.filter_map(|item| item.value().as_mapping()));
        }
    }
    false
}
