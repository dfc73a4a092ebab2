//! Patches of definitions of v1beta1: they do not fit the migrated definition, and only a person can rewrite
//! them.

use crd::ApiVersion;
use crd::object::{CustomResourceDefinition, definitions};
use yaml::{Document, Reader, Sequence, Tree, Value};

use super::v1_names::OLD;
use crate::analysis::values::{own_entry, string};

/// Paths that only JSON patches of v1beta1 definitions contain.
const PATHS: [&str; 4] = [
    "/spec/validation/openAPIV3Schema",
    "/spec/additionalPrinterColumns",
    "/spec/conversion/webhookClientConfig",
    "/spec/conversion/conversionReviewVersions",
];

/// The name of the v1beta1 definition that `document` patches; `None` if it patches none.
pub(super) fn patched_name(document: Document<'_>, reader: &Reader<'_>) -> Option<String> {
    let found = definitions(document, reader);
    if let Some(part) = found.iter().find(|definition| is_part(definition)) {
        return Some(quoted_name(part.name().as_deref()));
    }
    let root = document.root()?;
    if root.as_sequence().is_some_and(|operations| operations.items().any(|item| is_operation(item.value())))
    {
        return Some(quoted_name(None));
    }
    kustomized(root)
}

fn quoted_name(name: Option<&str>) -> String {
    match name {
        Some(name) => format!("the definition `{name}` of `{OLD}`"),
        None => format!("a definition of `{OLD}`"),
    }
}

fn is_part(definition: &CustomResourceDefinition<'_, '_>) -> bool {
    definition.api_version() == ApiVersion::V1Beta1 && definition.is_partial()
}

/// Whether `item` is an operation of a JSON patch on a field that only v1beta1 has.
fn is_operation(item: Value<'_>) -> bool {
    let text = |key: &str| own_entry(item, key).and_then(|entry| string(entry.value()));
    let (Some(_), Some(path)) = (text("op"), text("path")) else { return false };
    let is_below = |known: &str| {
        let rest = path.strip_prefix(known);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let sets = |key: &str| {
        let value = own_entry(item, "value").map(|entry| entry.value());
        value.is_some_and(|value| own_entry(value, key).is_some())
    };
    PATHS.into_iter().any(is_below)
        || path == "/spec/validation" && sets("openAPIV3Schema")
        || path == "/apiVersion" && text("value").is_some_and(|value| value == OLD)
}

/// The definition that a kustomization patches, according to its target or to an inline patch.
fn kustomized(root: Value<'_>) -> Option<String> {
    let kind = own_entry(root, "kind").and_then(|entry| string(entry.value()));
    if kind.is_some_and(|kind| !matches!(kind.as_str(), "Kustomization" | "Component")) {
        return None;
    }
    let items = ["patches", "patchesJson6902", "patchesStrategicMerge"]
        .into_iter()
        .filter_map(|key| own_entry(root, key));
    let mut items = items.filter_map(|list| list.value().as_sequence()).flat_map(Sequence::items);
    items.find_map(|item| match item.value().as_mapping() {
        Some(_) => targeted(item.value()),
        None => inline(&string(item.value())?),
    })
}

fn targeted(patch: Value<'_>) -> Option<String> {
    let target = own_entry(patch, "target").map(|entry| entry.value());
    let text = |key: &str| own_entry(target?, key).and_then(|entry| string(entry.value()));
    let is_ours = text("kind").is_some_and(|kind| kind == "CustomResourceDefinition")
        && text("version").is_some_and(|version| version == "v1beta1");
    match is_ours {
        true => Some(quoted_name(text("name").as_deref())),
        false => inline(&own_entry(patch, "patch").and_then(|entry| string(entry.value()))?),
    }
}

/// The definition that an inline patch changes.
fn inline(text: &str) -> Option<String> {
    // A single line is the name of a file.
    let tree = text.contains('\n').then(|| Tree::parse(text))?;
    tree.documents().find_map(|document| {
        let reader = Reader::new(document);
        let beta =
            definitions(document, &reader).into_iter().find(|one| one.api_version() == ApiVersion::V1Beta1);
        let root = || document.root()?.as_sequence();
        match beta {
            Some(beta) => Some(quoted_name(beta.name().as_deref())),
            None => root()?.items().any(|item| is_operation(item.value())).then(|| quoted_name(None)),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patched(text: &str) -> Option<String> {
        let tree = Tree::parse(text);
        tree.documents().find_map(|document| patched_name(document, &Reader::new(document)))
    }

    #[test]
    fn patches_of_definitions_of_v1beta1_are_recognized() {
        for text in [
            "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: w.x.y}\nspec:\n  conversion: {strategy: None}\n",
            "- op: remove\n  path: /spec/validation/openAPIV3Schema/properties/status\n",
            "- op: add\n  path: /spec/validation\n  value: {openAPIV3Schema: {type: object}}\n",
            "- {op: replace, path: /apiVersion, value: apiextensions.k8s.io/v1beta1}\n",
            "patchesJson6902:\n- target: {group: apiextensions.k8s.io, version: v1beta1, kind: CustomResourceDefinition, name: w.x.y}\n  path: p.yaml\n",
            "kind: Kustomization\npatches:\n- patch: |-\n    apiVersion: apiextensions.k8s.io/v1beta1\n    kind: CustomResourceDefinition\n    metadata: {name: w.x.y}\n",
            "patchesStrategicMerge:\n- |-\n  apiVersion: apiextensions.k8s.io/v1beta1\n  kind: CustomResourceDefinition\n",
        ] {
            assert!(patched(text).is_some(), "{text}");
        }
    }

    #[test]
    fn other_patches_are_ignored() {
        for text in [
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  conversion: {strategy: None}\n",
            "- op: replace\n  path: /spec/version\n  value: 8.0.0\n",
            "- op: add\n  path: /spec/validation\n  value: strict\n",
            "- op: add\n  path: /spec/additionalPrinterColumnsOf\n  value: 1\n",
            "patches:\n- path: p.yaml\n  target: {kind: Deployment, version: v1beta1}\n",
            "patches:\n- p.yaml\n- {path: apiextensions.k8s.io/v1beta1}\n",
            "a: b\n",
            "",
        ] {
            assert_eq!(patched(text), None, "{text}");
        }
    }
}
