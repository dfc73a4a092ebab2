//! Structural schemas of nodes that were built before.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use yaml::Node;

use super::{NestedValueValidation, Structural};

/// Below this many entries nothing is dropped.
const SMALL: usize = 4_096;

/// The structural schemas of nodes, so that an edit makes only the nodes above it anew. A schema belongs to the node's
/// address, and the node is kept with it, so that no other node can have the address.
#[derive(Debug, Default)]
pub struct StructuralCache {
    known: FxHashMap<usize, Known>,
    /// How many entries there were after the last sweep.
    swept: usize,
    built: usize,
}

#[derive(Debug)]
struct Known {
    node: Arc<Node>,
    spine: Option<Arc<Structural>>,
    nested: Option<Arc<NestedValueValidation>>,
}

impl StructuralCache {
    /// How many schemas were built so far, rather than found here.
    #[must_use]
    pub fn built(&self) -> usize {
        self.built
    }

    pub(super) fn count(&mut self) {
        self.built += 1;
    }

    pub(super) fn spine(&self, node: &Arc<Node>) -> Option<Arc<Structural>> {
        self.known.get(&address(node))?.spine.clone()
    }

    pub(super) fn nested(&self, node: &Arc<Node>) -> Option<Arc<NestedValueValidation>> {
        self.known.get(&address(node))?.nested.clone()
    }

    pub(super) fn keep_spine(&mut self, node: &Arc<Node>, schema: &Arc<Structural>) {
        self.entry(node).spine = Some(Arc::clone(schema));
    }

    pub(super) fn keep_nested(&mut self, node: &Arc<Node>, schema: &Arc<NestedValueValidation>) {
        self.entry(node).nested = Some(Arc::clone(schema));
    }

    fn entry(&mut self, node: &Arc<Node>) -> &mut Known {
        let unknown = || Known { node: Arc::clone(node), spine: None, nested: None };
        self.known.entry(address(node)).or_insert_with(unknown)
    }

    /// How many holders `node` has here.
    pub(crate) fn holds(&self, node: &Arc<Node>) -> usize {
        usize::from(self.known.contains_key(&address(node)))
    }

    /// Keeps what is known of the nodes for which `keep` holds.
    pub(crate) fn retain(&mut self, keep: impl Fn(&Arc<Node>) -> bool) {
        self.known.retain(|_, known| keep(&known.node));
    }

    /// Drops what is known of nodes that no tree holds any more, once there may be as many of them as of others.
    pub(super) fn sweep(&mut self) {
        if self.known.len() < SMALL.max(2 * self.swept) {
            return;
        }
        // A node that is dropped lets go of those below it, which may stand anywhere in the table.
        loop {
            let before = self.known.len();
            self.known.retain(|_, known| Arc::strong_count(&known.node) > 1);
            if self.known.len() == before {
                break;
            }
        }
        self.swept = self.known.len();
    }
}

fn address(node: &Arc<Node>) -> usize {
    Arc::as_ptr(node) as usize
}
