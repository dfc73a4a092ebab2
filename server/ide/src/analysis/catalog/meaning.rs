//! Hashes of the meaning of definitions for resources. Equal hashes show that two definitions of a kind
//! validate alike.

use std::hash::{Hash, Hasher};

use crd::Segment;
use crd::object::CustomResourceDefinition;
use memo::{ByNode, table_of};
use rustc_hash::FxHasher;
use yaml::scalar::{ResolvedScalar, to_json};
use yaml::{Document, Json, Node, NodeRef, Value, ValueKind};

/// The fields of `spec` that affect the validation of resources.
const FIELDS: [&str; 8] = [
    "scope",
    "versions",
    "version",
    "validation",
    "subresources",
    "preserveUnknownFields",
    "featureGates",
    "customFeatureGates",
];

/// Nodes with fewer bytes than this are hashed again each time.
const SMALL_NODE: u32 = 256;

/// The hashes of nodes, so that the cost of an edit depends on its size.
#[derive(Debug, Default)]
pub(crate) struct Meanings {
    known: ByNode<Node, u64>,
}

table_of!(Meanings, known);

impl Meanings {
    /// A hash of all that affects the validation of resources. Positions and descriptions do not count.
    /// `None` if the server would not read the definition.
    pub(crate) fn meaning_of(
        &mut self,
        document: Document<'_>,
        definition: &CustomResourceDefinition<'_, '_>,
    ) -> Option<u64> {
        let spec = definition.field(&["spec"])?;
        let flags = spec.node()?.node().flags();
        if flags.errors {
            return None;
        }
        if flags.aliases {
            return of_decoded(document, definition);
        }
        let entries =
            spec.as_mapping()?.entries().filter_map(|entry| Some((entry.key_text()?, entry.value())));
        let counting = entries.filter(|(key, _)| FIELDS.contains(&key.as_ref()));
        Some(counting.map(|(key, value)| member(&key, self.value(value))).fold(0, u64::wrapping_add))
    }

    fn value(&mut self, value: Value<'_>) -> u64 {
        let lasting = value.node().filter(|node: &NodeRef<'_>| node.node().len() >= SMALL_NODE);
        if let Some(hash) = lasting.and_then(|node| self.known.get(node.node())) {
            return *hash;
        }
        let hash = self.compute(value);
        if let Some(node) = lasting {
            self.known.insert(node.node(), hash);
        }
        hash
    }

    fn compute(&mut self, value: Value<'_>) -> u64 {
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                let entries = mapping.entries().filter_map(|entry| Some((entry.key_text()?, entry.value())));
                let hashes = entries.filter(|(key, value)| !is_omitted(key, || is_text(*value)));
                hashes.map(|(key, value)| member(&key, self.value(value))).fold(MAPPING, u64::wrapping_add)
            }
            ValueKind::Sequence(sequence) => list(sequence.items().map(|item| self.value(item.value()))),
            ValueKind::Scalar(scalar) => match scalar.resolve() {
                Ok(ResolvedScalar::String(text)) => string(&text),
                Ok(resolved) => hash_of(&to_json(&resolved)),
                Err(_) => hash_of("null"),
            },
            ValueKind::Alias(_) | ValueKind::Absent => hash_of("null"),
        }
    }
}

/// The same for the decoded definition, in which aliases are replaced by their values.
fn of_decoded(document: Document<'_>, definition: &CustomResourceDefinition<'_, '_>) -> Option<u64> {
    let json = yaml::decode(document).ok()?.json;
    let object = definition.path().segments().iter().try_fold(&json, |json, step| match (step, json) {
        (Segment::Index(index), Json::Array(items)) => items.get(*index),
        (step, Json::Object(members)) => members.get(step.key()?),
        _ => None,
    });
    let Some(Json::Object(object)) = object else { return None };
    let Some(Json::Object(spec)) = object.get("spec") else { return None };
    let counting = spec.iter().filter(|(key, _)| FIELDS.contains(&key.as_ref()));
    Some(counting.map(|(key, value)| member(key, of_json(value))).fold(0, u64::wrapping_add))
}

fn of_json(json: &Json) -> u64 {
    match json {
        Json::Array(items) => list(items.iter().map(of_json)),
        Json::Object(members) => {
            let members =
                members.iter().filter(|(key, value)| !is_omitted(key, || matches!(value, Json::String(_))));
            members.map(|(key, value)| member(key, of_json(value))).fold(MAPPING, u64::wrapping_add)
        }
        Json::String(text) => string(text),
        scalar => hash_of(&scalar.to_string()),
    }
}

/// The initial sum of a mapping, so that an empty mapping differs from an empty list.
const MAPPING: u64 = 0x9e37_79b9_7f4a_7c15;

/// Descriptions, and fields that only affect the display.
fn is_omitted(key: &str, is_text: impl FnOnce() -> bool) -> bool {
    match key {
        "description" | "title" => is_text(),
        _ => key == "additionalPrinterColumns",
    }
}

fn is_text(value: Value<'_>) -> bool {
    value.as_scalar().is_some_and(yaml::Scalar::is_string)
}

/// The order of members has no meaning, so their hashes are added.
fn member(key: &str, value: u64) -> u64 {
    let mut hasher = FxHasher::default();
    (key, value).hash(&mut hasher);
    hasher.finish()
}

fn list(items: impl Iterator<Item = u64>) -> u64 {
    let mut hasher = FxHasher::default();
    items.for_each(|item| item.hash(&mut hasher));
    hasher.finish()
}

/// Makes the string `"1"` differ from the number 1.
fn string(text: &str) -> u64 {
    hash_of(text).wrapping_mul(31)
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crd::object::definitions;
    use yaml::{Reader, Tree};

    use crate::analysis::catalog::meaning::*;

    fn meaning(below_spec: &str) -> Option<u64> {
        let text = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n{below_spec}"
        );
        let tree = Tree::parse(&text);
        let document = tree.documents().next().unwrap();
        let reader = Reader::new(document);
        Meanings::default().meaning_of(document, definitions(document, &reader).first().unwrap())
    }

    #[test]
    fn order_style_prose_and_aliases_do_not_change_the_hash() {
        let plain = meaning("  scope: Cluster\n  versions: [{name: v1, a: {minimum: 1}, b: {minimum: 1}}]\n");
        assert!(plain.is_some());
        for same in [
            "  versions:\n  - b:\n      minimum: 1\n    name: \"v1\"\n    a: {minimum: 0x1}\n  scope: Cluster\n",
            "  scope: Cluster\n  versions: [{name: v1, a: &a {minimum: 1}, b: *a}]\n",
            "  scope: Cluster\n  versions: [{name: v1, a: {minimum: 1, description: A}, b: {minimum: 1}}]\n  group: a\n",
        ] {
            assert_eq!(meaning(same), plain, "{same}");
        }
    }

    #[test]
    fn parts_that_validate_resources_change_the_hash() {
        let texts = [
            "  versions: [{name: v1, a: 1}]\n",
            "  versions: [{name: v1, a: \"1\"}]\n",
            "  versions: [{name: v1, a: [1]}]\n",
            "  versions: [{name: v1, a: {}}]\n",
            "  versions: [{name: v1, a: []}]\n",
            "  versions: [{name: v1, a: null}]\n",
            "  versions: [{name: v1, description: {}}]\n",
            "  versions: [{name: v1}]\n",
        ];
        for (at, one) in texts.iter().enumerate() {
            for other in texts.iter().skip(at + 1) {
                assert_ne!(meaning(one), meaning(other), "{one} {other}");
            }
        }
    }

    #[test]
    fn unreadable_definitions_have_no_meaning() {
        assert_eq!(meaning("  versions: [\n"), None);
    }
}
