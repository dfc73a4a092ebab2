//! What is known of schema nodes from earlier checks.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use yaml::Node;

use super::{Context, Flags, Outcome};
use crate::cel::Memo;
use crate::compat::Unchanged;
use crate::customresource::FineDefaults;
use crate::schema::structural::{NestedValueValidation, Structural};
use crate::{Options, Stop};

/// Below this many entries nothing is dropped.
const SMALL: usize = 4_096;

/// Results for schema nodes, so that a check after an edit visits only what the edit changed. A result belongs to
/// the node's address, and the node is kept with it, so that no other node can have the address.
#[derive(Debug, Default)]
pub struct Cache {
    /// What the results were computed for.
    options: Options,
    /// When the present check is to end.
    stop: Stop,
    known: FxHashMap<usize, Known>,
    /// How many entries there were after the last sweep.
    swept: usize,
    visited: usize,
    built: usize,
    fine_defaults: FineDefaults,
    expressions: Memo,
    /// Pairs of schema nodes of two versions between which nothing is lost.
    lossless: Unchanged,
}

/// All that is known of one node: it is held once, so that its count of holders tells whether a tree has it.
#[derive(Debug)]
struct Known {
    node: Arc<Node>,
    /// For the context in which it was checked last; nearly all nodes have only one.
    outcome: Option<(Context, Outcome)>,
    fingerprint: Option<u64>,
    /// The hash of so many levels of it.
    top: Option<(u32, u64)>,
    /// The length of its JSON, in bytes.
    json_size: Option<usize>,
    structural: Option<Arc<Structural>>,
    /// What of that decides on defaults and rules, unless it is all.
    judged: Option<Arc<Structural>>,
    nested: Option<Arc<NestedValueValidation>>,
}

impl Cache {
    /// Lets the checks that follow end when `stop` comes. They return at once, with answers that mean nothing, of which
    /// nothing is kept here.
    pub fn end_when(&mut self, stop: Stop) {
        self.fine_defaults.end_when(stop.clone());
        self.stop = stop;
    }

    /// When the present check is to end.
    #[must_use]
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The pairs of schema nodes of two versions between which nothing is lost; they are to be given back.
    pub(crate) fn take_lossless(&mut self) -> Unchanged {
        std::mem::take(&mut self.lossless)
    }

    pub(crate) fn keep_lossless(&mut self, known: Unchanged) {
        self.lossless = known;
    }

    /// How many nodes it knows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether it knows nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// How many schema nodes were visited so far, rather than found here.
    #[must_use]
    pub fn visited(&self) -> usize {
        self.visited
    }

    /// How many structural schemas were built so far, rather than found here.
    #[must_use]
    pub fn built(&self) -> usize {
        self.built
    }

    /// The schemas whose defaults are known to be fine.
    pub(crate) fn fine_defaults(&mut self) -> &mut FineDefaults {
        &mut self.fine_defaults
    }

    /// How many answers on CEL expressions were worked out so far, rather than found here.
    #[must_use]
    pub fn worked_out(&self) -> usize {
        self.expressions.worked_out()
    }

    pub(crate) fn memo(&mut self) -> &mut Memo {
        &mut self.expressions
    }

    pub(crate) fn count_built(&mut self) {
        self.built += 1;
    }

    pub(crate) fn count_visit(&mut self) {
        self.visited += 1;
    }

    pub(crate) fn outcome(&self, node: &Arc<Node>, context: Context) -> Option<Outcome> {
        let (known, outcome) = self.known.get(&address(node))?.outcome.as_ref()?;
        (*known == context).then(|| outcome.clone())
    }

    /// What is known of `node` that does not depend on its context: whether it decodes, and has only known fields.
    pub(crate) fn flags(&self, node: &Arc<Node>) -> Option<Flags> {
        Some(self.known.get(&address(node))?.outcome.as_ref()?.1.flags)
    }

    pub(crate) fn keep_outcome(&mut self, node: &Arc<Node>, context: Context, outcome: Outcome) {
        self.keep(node, |known| known.outcome = Some((context, outcome)));
    }

    pub(crate) fn fingerprint(&self, node: &Arc<Node>) -> Option<u64> {
        self.known.get(&address(node))?.fingerprint
    }

    pub(crate) fn keep_fingerprint(&mut self, node: &Arc<Node>, fingerprint: u64) {
        self.keep(node, |known| known.fingerprint = Some(fingerprint));
    }

    /// The hash of the topmost `levels` of a schema.
    pub(crate) fn top_fingerprint(&self, node: &Arc<Node>, levels: u32) -> Option<u64> {
        let (known, fingerprint) = self.known.get(&address(node))?.top?;
        (known == levels).then_some(fingerprint)
    }

    pub(crate) fn keep_top_fingerprint(&mut self, node: &Arc<Node>, levels: u32, fingerprint: u64) {
        self.keep(node, |known| known.top = Some((levels, fingerprint)));
    }

    pub(crate) fn json_size(&self, node: &Arc<Node>) -> Option<usize> {
        self.known.get(&address(node))?.json_size
    }

    pub(crate) fn keep_json_size(&mut self, node: &Arc<Node>, size: usize) {
        self.keep(node, |known| known.json_size = Some(size));
    }

    pub(crate) fn structural(&self, node: &Arc<Node>) -> Option<Arc<Structural>> {
        self.known.get(&address(node))?.structural.clone()
    }

    pub(crate) fn keep_structural(&mut self, node: &Arc<Node>, schema: &Arc<Structural>) {
        self.keep(node, |known| known.structural = Some(Arc::clone(schema)));
    }

    pub(crate) fn judged(&self, node: &Arc<Node>) -> Option<Arc<Structural>> {
        self.known.get(&address(node))?.judged.clone()
    }

    pub(crate) fn keep_judged(&mut self, node: &Arc<Node>, schema: &Arc<Structural>) {
        self.keep(node, |known| known.judged = Some(Arc::clone(schema)));
    }

    pub(crate) fn nested(&self, node: &Arc<Node>) -> Option<Arc<NestedValueValidation>> {
        self.known.get(&address(node))?.nested.clone()
    }

    pub(crate) fn keep_nested(&mut self, node: &Arc<Node>, schema: &Arc<NestedValueValidation>) {
        self.keep(node, |known| known.nested = Some(Arc::clone(schema)));
    }

    /// Changes what is known of `node`, unless the present check has ended before it was complete.
    fn keep(&mut self, node: &Arc<Node>, change: impl FnOnce(&mut Known)) {
        if self.stop.has_come() {
            return;
        }
        let unknown = || Known {
            node: Arc::clone(node),
            outcome: None,
            fingerprint: None,
            top: None,
            json_size: None,
            structural: None,
            judged: None,
            nested: None,
        };
        change(self.known.entry(address(node)).or_insert_with(unknown));
    }

    /// Makes ready for a check with `options`: results for others are dropped.
    pub(crate) fn prepare(&mut self, options: &Options) {
        // Whether it is a patch decides whether a definition is looked at, and nothing in its schemas.
        let options = Options { is_patch: false, ..options.clone() };
        if self.options != options {
            self.options = options;
            self.known.clear();
            self.fine_defaults = FineDefaults::default();
            self.fine_defaults.end_when(self.stop.clone());
        }
        self.expressions.prepare();
        self.sweep();
    }

    /// Drops what is known of nodes that no tree holds any more, once there may be as many of them as of others.
    fn sweep(&mut self) {
        if self.len() < SMALL.max(2 * self.swept) {
            return;
        }
        // A node that is dropped lets go of those below it, which may stand anywhere in the table.
        loop {
            let before = self.len();
            self.known.retain(|_, known| Arc::strong_count(&known.node) > 1);
            if self.len() == before {
                break;
            }
        }
        self.swept = self.len();
    }
}

fn address(node: &Arc<Node>) -> usize {
    Arc::as_ptr(node) as usize
}
