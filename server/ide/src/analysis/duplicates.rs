//! Keys that stand twice in one mapping: the API server keeps the last and says nothing, unless it is asked to be
//! strict; then it refuses the object.

use crd::{FieldPath, Message};
use std::borrow::Cow;

use api::Code;
use memo::table_of;
use rustc_hash::FxHashMap;
use text::TextRange;
use yaml::{Entry, Mapping, NodeRef, Value};

use crate::analysis::clean::Clean;
use crate::{Finding, Related, Severity};

/// Up to so many keys are compared one by one, which is quicker than to hash them.
const FEW: usize = 12;

/// The nodes that are known to hold no duplicates.
#[derive(Debug, Default)]
pub(crate) struct DuplicateKeys {
    clean: Clean,
}

table_of!(DuplicateKeys, clean);

impl DuplicateKeys {
    /// The duplicate keys in and below `node`.
    pub(crate) fn findings(&mut self, node: NodeRef<'_>, into: &mut Vec<Finding>) {
        let before = into.len();
        if self.clean.contains(node) {
            return;
        }
        if let Some(mapping) = Value::of_node(node).as_mapping() {
            duplicates(mapping, into);
        }
        node.nodes().for_each(|child| self.findings(child, into));
        if into.len() == before {
            self.clean.insert(node);
        }
    }
}

fn duplicates<'t>(mapping: Mapping<'t>, into: &mut Vec<Finding>) {
    let keyed = mapping.entries().filter_map(|entry| Some((entry.key_text()?, entry)));
    let entries: Vec<(Cow<'t, str>, Entry<'t>)> = keyed.collect();
    let is_new = |(index, (key, _)): (usize, &(Cow<'t, str>, _))| {
        entries.iter().take(index).all(|(other, _)| other != key)
    };
    if entries.len() <= FEW && entries.iter().enumerate().all(is_new) {
        return;
    }
    let mut first: FxHashMap<Cow<'_, str>, TextRange> = FxHashMap::default();
    for (key, entry) in entries {
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
        code: Code::YamlDuplicateKey,
        severity: Severity::Warning,
        message: Message::new(format!(
            "duplicate key {key:?}; kube-apiserver rejects it or uses the last value"
        ))
        .advise("remove one"),
        range,
        field_path: FieldPath::root(),
        api_server: None,
        related: vec![Related::here(first, message)],
    }
}
