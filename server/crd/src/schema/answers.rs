//! Cached facts about schema nodes as data.

use std::sync::Arc;

use memo::ByNode;
use yaml::Node;

use super::Flags;
use super::structural::{NestedValueValidation, Structural};
use crate::cache::Cache;

type KnownAnswers = ByNode<Node, NodeFacts>;

/// The facts about one node.
#[derive(Debug, Default)]
struct NodeFacts {
    /// Whether the node can be decoded, and has only known fields.
    flags: Option<Flags>,
    fingerprint: Option<u64>,
    /// The number of levels, and their hash.
    top: Option<(u32, u64)>,
    /// The length of its JSON, in bytes.
    json_size: Option<usize>,
    structural: Option<Arc<Structural>>,
    /// The part of `structural` that affects defaults and rules, unless it is all of it.
    nested: Option<Arc<NestedValueValidation>>,
}

impl Cache {
    fn facts_of(&self, node: &Arc<Node>) -> Option<&NodeFacts> {
        self.get::<KnownAnswers>()?.get(node)
    }

    fn update_facts(&mut self, node: &Arc<Node>, change: impl FnOnce(&mut NodeFacts)) {
        self.keep(|known: &mut KnownAnswers| change(known.entry(node)));
    }

    /// The facts about `node` that do not depend on its context.
    pub(crate) fn flags(&self, node: &Arc<Node>) -> Option<Flags> {
        self.facts_of(node)?.flags
    }

    pub(crate) fn keep_flags(&mut self, node: &Arc<Node>, flags: Flags) {
        self.update_facts(node, |known| known.flags = Some(flags));
    }

    pub(crate) fn fingerprint(&self, node: &Arc<Node>) -> Option<u64> {
        self.facts_of(node)?.fingerprint
    }

    pub(crate) fn keep_fingerprint(&mut self, node: &Arc<Node>, fingerprint: u64) {
        self.update_facts(node, |known| known.fingerprint = Some(fingerprint));
    }

    /// The hash of the topmost `levels` of a schema.
    pub(crate) fn top_fingerprint(&self, node: &Arc<Node>, levels: u32) -> Option<u64> {
        let (known, fingerprint) = self.facts_of(node)?.top?;
        (known == levels).then_some(fingerprint)
    }

    pub(crate) fn keep_top_fingerprint(&mut self, node: &Arc<Node>, levels: u32, fingerprint: u64) {
        self.update_facts(node, |known| known.top = Some((levels, fingerprint)));
    }

    pub(crate) fn json_size(&self, node: &Arc<Node>) -> Option<usize> {
        self.facts_of(node)?.json_size
    }

    pub(crate) fn keep_json_size(&mut self, node: &Arc<Node>, size: usize) {
        self.update_facts(node, |known| known.json_size = Some(size));
    }

    pub(crate) fn structural(&self, node: &Arc<Node>) -> Option<Arc<Structural>> {
        self.facts_of(node)?.structural.clone()
    }

    pub(crate) fn keep_structural(&mut self, node: &Arc<Node>, schema: &Arc<Structural>) {
        self.update_facts(node, |known| known.structural = Some(Arc::clone(schema)));
    }

    pub(crate) fn nested_validation(&self, node: &Arc<Node>) -> Option<Arc<NestedValueValidation>> {
        self.facts_of(node)?.nested.clone()
    }

    pub(crate) fn keep_nested(&mut self, node: &Arc<Node>, schema: &Arc<NestedValueValidation>) {
        self.update_facts(node, |known| known.nested = Some(Arc::clone(schema)));
    }
}
