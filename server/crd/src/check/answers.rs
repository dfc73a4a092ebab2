//! Cached results of the checks of schema nodes.

use std::sync::Arc;

use memo::ByNode;
use yaml::Node;

use super::{Context, Outcome};
use crate::cache::Cache;

/// The outcome for the last context in which a node was checked; nearly all nodes have only one context.
type Outcomes = ByNode<Node, (Context, Outcome)>;

impl Cache {
    pub(crate) fn outcome(&self, node: &Arc<Node>, context: Context) -> Option<Outcome> {
        let (known, outcome) = self.get::<Outcomes>()?.get(node)?;
        (*known == context).then(|| outcome.clone())
    }

    pub(crate) fn keep_outcome(&mut self, node: &Arc<Node>, context: Context, outcome: Outcome) {
        self.keep_flags(node, outcome.flags);
        self.keep(|known: &mut Outcomes| known.insert(node, (context, outcome)));
    }
}
