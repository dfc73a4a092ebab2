//! Nodes that need no second look.

use memo::{ByNode, table_of};
use yaml::{Node, NodeRef};

/// What is written shorter, in bytes, is looked at sooner than looked up.
const WORTH: u32 = 64;

/// The nodes that are known to hold nothing worth a word.
#[derive(Debug, Default)]
pub(crate) struct Clean {
    nodes: ByNode<Node, ()>,
}

impl Clean {
    pub(crate) fn contains(&self, node: NodeRef<'_>) -> bool {
        self.nodes.get(node.node()).is_some()
    }

    /// Entries and items are not worth remembering: what they hold is. Nor is what is soon looked at anew.
    pub(crate) fn insert(&mut self, node: NodeRef<'_>) {
        if node.kind().is_collection() && node.node().len() >= WORTH {
            self.nodes.insert(node.node(), ());
        }
    }
}

table_of!(Clean, nodes);
