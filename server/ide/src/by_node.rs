//! Nodes that are known to hold nothing worth a word, so that an edit costs what it touches.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use yaml::{Node, NodeRef};

/// Below this many nodes nothing is forgotten.
const SMALL: usize = 4_096;

/// A set of nodes, by address; each node is kept, so that no other can have its address.
#[derive(Debug, Default)]
pub(crate) struct Clean {
    nodes: FxHashMap<usize, Arc<Node>>,
    swept: usize,
}

impl Clean {
    pub(crate) fn contains(&self, node: NodeRef<'_>) -> bool {
        self.nodes.contains_key(&address(node))
    }

    /// Entries and items are not worth remembering: what they hold is.
    pub(crate) fn insert(&mut self, node: NodeRef<'_>) {
        if node.kind().is_collection() {
            self.nodes.insert(address(node), Arc::clone(node.node()));
        }
    }

    /// Forgets the nodes that no tree holds any more, once there may be many.
    pub(crate) fn sweep(&mut self) {
        if self.nodes.len() < SMALL.max(2 * self.swept) {
            return;
        }
        self.nodes.retain(|_, node| Arc::strong_count(node) > 1);
        self.swept = self.nodes.len();
    }
}

fn address(node: NodeRef<'_>) -> usize {
    Arc::as_ptr(node.node()) as usize
}
