//! The known equal parts of two definitions, so that the cost of an edit depends on its size and not on the
//! size of the definition.

use std::ptr;
use std::sync::Weak;

use memo::{ByNode, table_of};

use super::schema::SchemaAt;
use crate::schema::structural::Structural;

/// Pairs of nodes of two definitions without any difference in the nodes or below them. An unchanged part of a
/// text keeps its node.
#[derive(Debug, Default)]
pub(super) struct UnchangedNodes {
    /// By the old node.
    pairs: ByNode<Structural, Vec<Pair>>,
}

/// A new node without a loss, and the other facts that affect the comparison.
#[derive(Clone, Debug)]
struct Pair {
    new: Weak<Structural>,
    drops_null: bool,
    is_root: bool,
}

impl Pair {
    fn is_of(&self, new: SchemaAt<'_>, is_root: bool) -> bool {
        ptr::eq(self.new.as_ptr(), new.schema.as_ref())
            && (self.drops_null, self.is_root) == (new.drops_null, is_root)
    }
}

impl UnchangedNodes {
    pub(super) fn knows(&self, old: SchemaAt<'_>, new: SchemaAt<'_>, is_root: bool) -> bool {
        let pairs = self.pairs.get(old.schema);
        pairs.is_some_and(|pairs| pairs.iter().any(|pair| pair.is_of(new, is_root)))
    }

    pub(super) fn record(&mut self, old: SchemaAt<'_>, new: SchemaAt<'_>, is_root: bool) {
        let pairs = self.pairs.entry(old.schema);
        // An edit replaces the new node and keeps the old one.
        pairs.retain(|pair| pair.new.strong_count() > 0);
        let new_schema = std::sync::Arc::downgrade(new.schema);
        pairs.push(Pair { new: new_schema, drops_null: new.drops_null, is_root });
    }
}

table_of!(UnchangedNodes, pairs);
