//! Nodes whose check found nothing: it is not repeated while they do not change.

use memo::{ByNode, table_of};
use yaml::{Node, NodeRef};

/// The minimum size, in bytes, of nodes to remember: shorter nodes are faster to check than to look up.
const WORTH: u32 = 64;

/// The nodes that are known to have no findings.
#[derive(Debug, Default)]
pub(crate) struct CleanNodes {
    nodes: ByNode<Node, ()>,
}

impl CleanNodes {
    pub(crate) fn contains(&self, node: NodeRef<'_>) -> bool {
        self.nodes.get(node.node()).is_some()
    }

    /// Remembers `node`, unless it is an entry or item, whose content is remembered, or faster to check again
    /// than to look up.
    pub(crate) fn insert(&mut self, node: NodeRef<'_>) {
        if node.kind().is_collection() && node.node().len() >= WORTH {
            self.nodes.insert(node.node(), ());
        }
    }
}

table_of!(CleanNodes, nodes);
