//! Reading of a document like the API server's decoder: aliases are followed, merge keys expanded, and the
//! last duplicate wins.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::ast::{Document, Entry, Mapping, Value, ValueKind};
use crate::syntax::{ElementRef, NodeRef, SyntaxKind, TokenRef};

/// The maximum number of aliases that a reader follows: more are an alias bomb, and the rest reads as null.
const ALIAS_BUDGET: usize = 100_000;

/// Follows aliases and merge keys of one document.
#[derive(Debug)]
pub struct Reader<'t> {
    /// The positions of each anchor by name, in the order of the text.
    anchors: HashMap<&'t str, Vec<Value<'t>>>,
    followed: std::cell::Cell<usize>,
}

impl<'t> Reader<'t> {
    /// A reader for `document`; cheap if the document has no anchors.
    #[must_use]
    pub fn new(document: Document<'t>) -> Self {
        let mut anchors = HashMap::new();
        if let Some(root) = document.root() {
            record(root, &mut anchors);
            collect(document.syntax(), &mut anchors);
        }
        anchors.values_mut().for_each(|targets| targets.sort_by_key(|target| target.range().start));
        Self { anchors, followed: std::cell::Cell::new(0) }
    }

    /// The value of an alias, or `value` itself. `None` for an alias that leads nowhere or into itself, and
    /// after too many aliases.
    #[must_use]
    #[inline]
    pub fn follow(&self, value: Value<'t>) -> Option<Value<'t>> {
        match value.alias() {
            Some(token) => self.target(token),
            None => Some(value),
        }
    }

    fn target(&self, token: TokenRef<'t>) -> Option<Value<'t>> {
        if self.followed.replace(self.followed.get() + 1) >= ALIAS_BUDGET {
            return None;
        }
        self.anchor(token).filter(|target| !target.range().contains_range(token.range()))
    }

    /// The value of the alias `token`: the last one with that anchor before it. The value may contain the alias.
    #[must_use]
    pub fn anchor(&self, token: TokenRef<'t>) -> Option<Value<'t>> {
        let targets = self.anchors.get(token.text.strip_prefix('*')?)?;
        // Binary search, because a text may define one anchor thousands of times.
        let before = targets.partition_point(|target| target.range().start < token.start);
        targets.get(before.checked_sub(1)?).copied()
    }

    /// The entries of `mapping` by the key that the server reads: merge keys are expanded in place, and only
    /// the last of several entries with one key remains.
    #[must_use]
    pub fn entries(&self, mapping: Mapping<'t>) -> Vec<(Cow<'t, str>, Entry<'t>)> {
        let mut entries = Vec::new();
        for entry in mapping.entries() {
            match entry.key_text() {
                Some(_) if entry.is_merge() => self.spread(entry.value(), &mut entries, 0),
                Some(key) => entries.push((key, entry)),
                None => {}
            }
        }
        keep_last(entries)
    }

    /// The entry of `mapping` that determines the server's value for `key`.
    #[must_use]
    pub fn entry(&self, mapping: Mapping<'t>, key: &str) -> Option<Entry<'t>> {
        let may_merge = mapping.syntax().node().flags().unusual;
        if may_merge && mapping.entries().any(Entry::is_merge) {
            return self.entries(mapping).into_iter().find(|(text, _)| text == key).map(|(_, entry)| entry);
        }
        mapping.entries().rev().find(|entry| entry.key_text().is_some_and(|text| text == key))
    }

    fn spread(&self, value: Value<'t>, into: &mut Vec<(Cow<'t, str>, Entry<'t>)>, depth: u8) {
        let Some(value) = self.follow(value) else { return };
        match value.kind() {
            ValueKind::Mapping(mapping) => into.extend(self.entries(mapping)),
            // In a list, the earlier mapping wins, and only mappings are allowed.
            ValueKind::Sequence(sequence) if depth == 0 => {
                sequence.items().rev().for_each(|item| self.spread(item.value(), into, depth + 1));
            }
            _ => {}
        }
    }
}

fn keep_last<'t>(entries: Vec<(Cow<'t, str>, Entry<'t>)>) -> Vec<(Cow<'t, str>, Entry<'t>)> {
    // Most entries are already in order.
    if entries.is_sorted_by(|(one, _), (other, _)| one < other) {
        return entries;
    }
    let mut last: HashMap<String, usize> = HashMap::with_capacity(entries.len());
    for (index, (key, _)) in entries.iter().enumerate() {
        last.insert(key.to_string(), index);
    }
    let mut index = 0..;
    entries.into_iter().filter(|(key, _)| last.get(key.as_ref()).copied() == index.next()).collect()
}

fn collect<'t>(node: NodeRef<'t>, anchors: &mut HashMap<&'t str, Vec<Value<'t>>>) {
    if !node.node().flags().anchors {
        return;
    }
    match node.kind() {
        SyntaxKind::BlockMapping | SyntaxKind::FlowMapping | SyntaxKind::FlowEntry => {
            for entry in Value::of_node(node).as_mapping().into_iter().flat_map(Mapping::entries) {
                record(entry.key(), anchors);
                record(entry.value(), anchors);
            }
        }
        SyntaxKind::BlockSequence | SyntaxKind::FlowSequence => {
            for item in Value::of_node(node).as_sequence().into_iter().flat_map(crate::ast::Sequence::items) {
                record(item.value(), anchors);
            }
        }
        _ => {}
    }
    for element in node.elements() {
        if let ElementRef::Node(child) = element {
            collect(child, anchors);
        }
    }
}

fn record<'t>(value: Value<'t>, anchors: &mut HashMap<&'t str, Vec<Value<'t>>>) {
    if let Some(name) = value.anchor().and_then(|anchor| anchor.text.strip_prefix('&')) {
        let settings: &mut Vec<Value<'t>> = anchors.entry(name).or_default();
        settings.push(value);
    }
}
