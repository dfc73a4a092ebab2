//! Sharing of nodes between two trees.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::node::Content;
use super::{Node, SyntaxKind};

/// Replaces nodes of `own` with equal nodes of `other`. Changes only nodes that have no other owner.
///
/// If two nodes differ, their children are compared: first with a child that has the same text, at any
/// position among its siblings, then with the next child of the same kind and key.
pub(crate) fn share(own: &mut Arc<Node>, other: &Arc<Node>) {
    if own.same_as(other) {
        *own = Arc::clone(other);
        return;
    }
    let alike: FxHashMap<u64, &Arc<Node>> = children(other).map(|child| (child.hash(), child)).collect();
    let known: FxHashSet<u64> = children(own).map(|child| child.hash()).collect();
    let mut similar: FxHashMap<u64, VecDeque<&Arc<Node>>> = FxHashMap::default();
    for child in children(other).filter(|child| !known.contains(&child.hash())) {
        similar.entry(start(child)).or_default().push_back(child);
    }
    let Some(node) = Arc::get_mut(own) else { return };
    for child in node.elements.iter_mut().filter_map(|element| element.node_mut()) {
        let similar = || similar.get_mut(&start(child)).and_then(VecDeque::pop_front);
        if let Some(other) = alike.get(&child.hash()).copied().or_else(similar) {
            share(child, other);
        }
    }
}

/// The nodes directly below.
fn children(node: &Node) -> impl Iterator<Item = &Arc<Node>> {
    node.elements.iter().filter_map(|element| match element.content() {
        Content::Node(node) => Some(node),
        Content::Token(_) => None,
    })
}

/// A hash of the node's kind and, for an entry, of its key.
fn start(node: &Node) -> u64 {
    let mut hasher = FxHasher::default();
    node.kind.hash(&mut hasher);
    let has_key = matches!(node.kind, SyntaxKind::BlockEntry | SyntaxKind::FlowEntry);
    match node.elements.first().filter(|_| has_key).map(|first| (first.content(), first.len)) {
        Some((Content::Node(key), _)) => key.hash().hash(&mut hasher),
        Some((Content::Token(_), len)) => node.text.get(..len as usize).hash(&mut hasher),
        None => {}
    }
    hasher.finish()
}
