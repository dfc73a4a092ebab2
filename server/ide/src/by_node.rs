//! What is known of nodes from earlier texts, so that an edit costs what it touches.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use yaml::{Node, NodeRef};

/// Below this many nodes nothing is forgotten.
const SMALL: usize = 4_096;

/// What is written shorter, in bytes, is looked at sooner than looked up.
const WORTH: u32 = 64;

/// A value for each node, by address; each node is kept, so that no other can have its address.
#[derive(Debug)]
pub(crate) struct ByNode<V> {
    nodes: FxHashMap<usize, (Arc<Node>, V)>,
    swept: usize,
}

impl<V> Default for ByNode<V> {
    fn default() -> Self {
        Self { nodes: FxHashMap::default(), swept: 0 }
    }
}

impl<V> ByNode<V> {
    pub(crate) fn get(&self, node: NodeRef<'_>) -> Option<&V> {
        self.nodes.get(&address(node)).map(|(_, value)| value)
    }

    pub(crate) fn insert(&mut self, node: NodeRef<'_>, value: V) {
        self.nodes.insert(address(node), (Arc::clone(node.node()), value));
    }

    /// Forgets the nodes that no tree holds any more, once there may be many.
    pub(crate) fn sweep(&mut self) {
        if self.nodes.len() < SMALL.max(2 * self.swept) {
            return;
        }
        self.nodes.retain(|_, (node, _)| Arc::strong_count(node) > 1);
        self.swept = self.nodes.len();
    }
}

/// The nodes that are known to hold nothing worth a word.
#[derive(Debug, Default)]
pub(crate) struct Clean {
    nodes: ByNode<()>,
}

impl Clean {
    pub(crate) fn contains(&self, node: NodeRef<'_>) -> bool {
        self.nodes.get(node).is_some()
    }

    /// Entries and items are not worth remembering: what they hold is. Nor is what is soon looked at anew.
    pub(crate) fn insert(&mut self, node: NodeRef<'_>) {
        if node.kind().is_collection() && node.node().len() >= WORTH {
            self.nodes.insert(node, ());
        }
    }

    /// Forgets what no tree holds any more.
    pub(crate) fn sweep(&mut self) {
        self.nodes.sweep();
    }
}

fn address(node: NodeRef<'_>) -> usize {
    Arc::as_ptr(node.node()) as usize
}
