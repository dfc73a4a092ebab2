//! The patches that a kustomization names.

use yaml::{Mapping, Reader, Scalar, Sequence, Tree, Value};

/// The file names that kustomize looks for.
pub const KUSTOMIZATIONS: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// The paths of the files that the kustomization `text` names as patches, relative to the kustomization.
#[must_use]
pub fn patches_named_in(text: &str) -> Vec<String> {
    let tree = Tree::parse(text);
    let Some(document) = tree.documents().next() else { return Vec::new() };
    let Some(root) = document.root().and_then(Value::as_mapping) else { return Vec::new() };
    let reader = Reader::new(document);
    let value = |mapping: Mapping<'_>, key: &str| -> Option<String> {
        reader.entry(mapping, key)?.value().as_scalar()?.as_str().map(|text| text.into_owned())
    };
    let mut paths = Vec::new();
    for key in ["patches", "patchesJson6902", "patchesStrategicMerge"] {
        let items = reader.entry(root, key).and_then(|entry| entry.value().as_sequence());
        for item in items.into_iter().flat_map(Sequence::items) {
            match (item.value().as_mapping(), item.value().as_scalar()) {
                (Some(patch), _) => paths.extend(value(patch, "path")),
                // A scalar of several lines is an inline patch.
                (_, Some(scalar)) if !Scalar::text(scalar).contains('\n') => {
                    paths.push(scalar.text().into_owned())
                }
                _ => {}
            }
        }
    }
    paths
}
