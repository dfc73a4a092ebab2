//! What is known to be the same, so that an edit costs what it changes and not what the definition holds.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::schema::At;
use crate::schema::structural::Structural;

/// So many pairs may come to those of a first comparison.
const SLACK: usize = 4_096;

/// Pairs of nodes of two definitions between which, and between all below, there is no difference. Belongs to the two
/// definitions' caches: an unchanged part of a text has the node that it had before.
#[derive(Debug, Default)]
pub struct Unchanged {
    pairs: FxHashMap<Key, Kept>,
    /// How many pairs there may be; 0 before the first comparison.
    most: usize,
}

/// The addresses of both nodes, and what else counts: whether a null is dropped there, and whether it is the root.
type Key = (usize, usize, bool, bool);

/// The nodes themselves, so that no other ones get their addresses.
type Kept = (Arc<Structural>, Arc<Structural>);

impl Unchanged {
    pub(super) fn knows(&self, old: At<'_>, new: At<'_>, is_root: bool) -> bool {
        self.pairs.contains_key(&key(old, new, is_root))
    }

    pub(super) fn learn(&mut self, old: At<'_>, new: At<'_>, is_root: bool) {
        self.pairs.insert(key(old, new, is_root), (old.schema.clone(), new.schema.clone()));
    }

    /// Forgets all once there are many pairs of nodes that are gone: what is there is then looked at once more.
    pub(super) fn tidy(&mut self) {
        if self.pairs.len() <= self.most {
            return;
        }
        if self.most == 0 {
            self.most = self.pairs.len() + SLACK;
        } else {
            *self = Self::default();
        }
    }
}

fn key(old: At<'_>, new: At<'_>, is_root: bool) -> Key {
    let address = |at: At<'_>| Arc::as_ptr(at.schema) as usize;
    (address(old), address(new), new.drops_null, is_root)
}
