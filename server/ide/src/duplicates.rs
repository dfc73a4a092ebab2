//! Keys that stand twice in one mapping: the API server keeps the last and says nothing, unless it is asked to be
//! strict; then it refuses the object.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use text::TextRange;
use yaml::{Mapping, Node, NodeRef, Value};

use crate::{Finding, Related, Severity};

/// Below this many nodes nothing is forgotten.
const SMALL: usize = 4_096;

/// The nodes that are known to hold no duplicates, so that an edit costs what it touches.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// By address; the node is kept, so that no other can have its address.
    clean: FxHashMap<usize, Arc<Node>>,
    swept: usize,
}

impl Known {
    /// The duplicate keys in and below `node`.
    pub(crate) fn findings(&mut self, node: NodeRef<'_>, into: &mut Vec<Finding>) {
        let before = into.len();
        let address = Arc::as_ptr(node.node()) as usize;
        if self.clean.contains_key(&address) {
            return;
        }
        if let Some(mapping) = Value::of_node(node).as_mapping() {
            duplicates(mapping, into);
        }
        node.nodes().for_each(|child| self.findings(child, into));
        // Entries and items are not worth remembering: what they hold is.
        if into.len() == before && node.kind().is_collection() {
            self.clean.insert(address, Arc::clone(node.node()));
        }
    }

    /// Forgets the nodes that no tree holds any more, once there may be many.
    pub(crate) fn sweep(&mut self) {
        if self.clean.len() < SMALL.max(2 * self.swept) {
            return;
        }
        self.clean.retain(|_, node| Arc::strong_count(node) > 1);
        self.swept = self.clean.len();
    }
}

fn duplicates(mapping: Mapping<'_>, into: &mut Vec<Finding>) {
    let mut first: FxHashMap<Cow<'_, str>, TextRange> = FxHashMap::default();
    for entry in mapping.entries() {
        let Some(key) = entry.key_text() else { continue };
        match first.get(&key) {
            Some(first) => into.push(finding(&key, *first, entry.key_range())),
            None => {
                first.insert(key, entry.key_range());
            }
        }
    }
}

fn finding(key: &str, first: TextRange, range: TextRange) -> Finding {
    let message = format!("`{key}` is set here first; this value is lost");
    Finding {
        code: "yaml/duplicate-key",
        severity: Severity::Warning,
        message: format!(
            "key {key:?} already set in map; the last one counts, and strict decoding refuses it"
        ),
        range,
        field_path: String::new(),
        api_server: None,
        related: vec![Related { range: first, message }],
    }
}
