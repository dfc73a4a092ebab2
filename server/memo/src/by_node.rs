//! Answers by the identity of the node that they are about.

use std::fmt;
use std::sync::{Arc, Weak};

use rustc_hash::FxHashMap;

use crate::{Sweeps, Table, downcast};

/// Answers about nodes, by the identity of the node. Each answer lives as long as its node.
pub struct ByNode<N, V> {
    entries: FxHashMap<usize, (Weak<N>, V)>,
    sweeps: Sweeps,
}

impl<N, V> ByNode<N, V> {
    /// A table that drops nothing while it has fewer than `floor` entries.
    #[must_use]
    pub fn with_floor(floor: usize) -> Self {
        Self { entries: FxHashMap::default(), sweeps: Sweeps::new(floor) }
    }

    /// The answer about `node`.
    #[must_use]
    pub fn get(&self, node: &Arc<N>) -> Option<&V> {
        self.entries.get(&address(node)).map(|(_, value)| value)
    }

    /// Stores the answer about `node`, and replaces an earlier one.
    pub fn insert(&mut self, node: &Arc<N>, value: V) {
        self.entries.insert(address(node), (Arc::downgrade(node), value));
    }

    /// The answer about `node`, to be completed.
    pub fn entry(&mut self, node: &Arc<N>) -> &mut V
    where
        V: Default,
    {
        &mut self.entries.entry(address(node)).or_insert_with(|| (Arc::downgrade(node), V::default())).1
    }
}

impl<N, V> Default for ByNode<N, V> {
    fn default() -> Self {
        Self { entries: FxHashMap::default(), sweeps: Sweeps::default() }
    }
}

impl<N, V> fmt::Debug for ByNode<N, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ByNode({})", self.entries.len())
    }
}

impl<N: Send + Sync + 'static, V: Send + 'static> Table for ByNode<N, V> {
    fn len(&self) -> usize {
        self.entries.len()
    }

    fn clear(&mut self) {
        self.entries.clear();
    }

    fn sweep(&mut self) {
        if self.sweeps.is_due(self.entries.len()) {
            self.entries.retain(|_, (node, _)| node.strong_count() > 0);
            self.sweeps.record_sweep(self.entries.len());
        }
    }

    fn forget(&mut self, is_forgotten: &mut dyn FnMut() -> bool) {
        self.entries.retain(|_, _| !is_forgotten());
    }

    fn absorb(&mut self, other: Box<dyn Table>) {
        if let Some(other) = downcast::<Self>(other) {
            self.entries.extend(other.entries);
        }
    }
}

fn address<N>(node: &Arc<N>) -> usize {
    Arc::as_ptr(node) as usize
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::ByNode;
    use crate::Table;

    #[test]
    fn an_answer_is_dropped_with_its_node() {
        let mut table = ByNode::with_floor(2);
        let (kept, dropped) = (Arc::new(1), Arc::new(1));
        table.insert(&kept, "kept");
        table.insert(&dropped, "dropped");
        drop(dropped);
        table.sweep();
        assert_eq!((table.len(), table.get(&kept)), (1, Some(&"kept")));
    }

    #[test]
    fn no_node_gets_the_answer_of_a_dropped_node() {
        let mut table = ByNode::with_floor(usize::MAX);
        let mut nodes: Vec<Arc<u32>> = (0..1_000).map(Arc::new).collect();
        nodes.iter().for_each(|node| table.insert(node, **node));
        nodes.clear();
        let others: Vec<Arc<u32>> = (0..1_000).map(Arc::new).collect();
        assert!(others.iter().all(|node| table.get(node).is_none()));
    }

    #[test]
    fn nodes_below_a_dropped_node_are_dropped() {
        struct Node(Option<Arc<Self>>);
        let mut table = ByNode::with_floor(0);
        let lower = Arc::new(Node(None));
        let upper = Arc::new(Node(Some(Arc::clone(&lower))));
        table.insert(&lower, ());
        table.insert(&upper, ());
        drop(lower);
        assert!(upper.0.is_some());
        drop(upper);
        table.sweep();
        assert_eq!(table.len(), 0);
    }
}
