//! The cost of a break: entries of a correct text that are missing from the tree of the broken text.
#![allow(dead_code, clippy::print_stdout)]

use std::collections::HashMap;
use std::sync::Arc;

use text::TextRange;
use yaml::syntax::ElementRef;
use yaml::{Entry, Item, Mapping, Node, NodeRef, Sequence, Tree, Value, ValueKind};

/// A correct text with its tree.
pub(crate) struct CorrectText {
    pub(crate) text: String,
    pub(crate) tree: Tree,
    /// The start of each node. A node of another tree that is also in this map has the same text.
    starts: HashMap<*const Node, u32>,
}

/// A text that was cut off or lost a character.
pub(crate) struct Break {
    /// The byte offset of the break.
    pub(crate) at: u32,
    /// Entries that start at or after this offset are not expected.
    pub(crate) cut: u32,
}

impl CorrectText {
    pub(crate) fn new(text: String) -> Self {
        let tree = Tree::parse(&text);
        let mut starts = HashMap::new();
        note_starts(tree.root(), &mut starts);
        Self { text, tree, starts }
    }

    /// Whether the tree `broken`, parsed after the break at `at`, has the text `text`. The text of nodes
    /// shared with the original tree is already known; such a node must be entirely before or entirely after
    /// the break.
    pub(crate) fn is_text_of(&self, broken: &Tree, text: &str, at: u32) -> bool {
        let shift = i64::from(broken.len()) - self.text.len() as i64;
        broken.len() as usize == text.len() && self.has_text(broken.root(), text, at, shift)
    }

    fn has_text(&self, node: NodeRef<'_>, text: &str, at: u32, shift: i64) -> bool {
        let TextRange { start, end } = node.range();
        if let Some(&ours) = self.starts.get(&Arc::as_ptr(node.node()))
            && ((ours == start && end <= at) || (i64::from(ours) + shift == i64::from(start) && start >= at))
        {
            return true;
        }
        let mut reached = start;
        let whole = node.elements().all(|element| {
            let gapless = element.range().start == reached;
            reached = element.range().end;
            gapless
                && match element {
                    ElementRef::Token(token) => text.get(token.range().as_usize()) == Some(token.text),
                    ElementRef::Node(node) => self.has_text(node, text, at, shift),
                }
        });
        whole && reached == end
    }

    /// The number of entries and items outside the innermost one at the break that are missing from `broken`
    /// at their paths.
    pub(crate) fn lost(&self, broken: &Tree, place: &Break) -> usize {
        let mut holding = None;
        for document in self.tree.documents().filter(|document| document.range().touches(place.at)) {
            document.root().into_iter().for_each(|root| innermost(root, place.at, &mut holding));
        }
        let mut count = Count { cut: place.cut, holding, lost: 0 };
        let mut theirs = broken.documents();
        for ours in self.tree.documents() {
            let theirs = theirs.next();
            let same = theirs.is_some_and(|theirs| Arc::ptr_eq(theirs.syntax().node(), ours.syntax().node()));
            if let Some(root) = ours.root().filter(|_| !same) {
                count.value(root, theirs.and_then(|theirs| theirs.root()));
            }
        }
        count.lost
    }
}

fn note_starts(node: NodeRef<'_>, starts: &mut HashMap<*const Node, u32>) {
    starts.insert(Arc::as_ptr(node.node()), node.range().start);
    node.nodes().for_each(|node| note_starts(node, starts));
}

/// The entries or items directly below `value`.
fn children(value: Value<'_>) -> Vec<(TextRange, Value<'_>)> {
    match value.kind() {
        ValueKind::Mapping(mapping) => {
            mapping.entries().map(|entry| (entry.range(), entry.value())).collect()
        }
        ValueKind::Sequence(sequence) => sequence.items().map(|item| (item.range(), item.value())).collect(),
        _ => Vec::new(),
    }
}

/// The shortest entry or item below `value` that touches `at`.
fn innermost(value: Value<'_>, at: u32, found: &mut Option<TextRange>) {
    for (range, value) in children(value) {
        if range.touches(at) {
            if found.is_none_or(|found| range.len() < found.len()) {
                *found = Some(range);
            }
            innermost(value, at, found);
        }
    }
}

fn same_item(one: Item<'_>, other: Item<'_>) -> bool {
    let pair = one.syntax().zip(other.syntax());
    pair.is_some_and(|(one, other)| Arc::ptr_eq(one.node(), other.node()))
}

struct Count {
    cut: u32,
    holding: Option<TextRange>,
    lost: usize,
}

impl Count {
    fn value(&mut self, ours: Value<'_>, theirs: Option<Value<'_>>) {
        match (ours.kind(), theirs.map(Value::kind)) {
            (ValueKind::Mapping(ours), Some(ValueKind::Mapping(theirs))) => self.mapping(ours, theirs),
            (ValueKind::Sequence(ours), Some(ValueKind::Sequence(theirs))) => self.sequence(ours, theirs),
            _ => children(ours).into_iter().for_each(|(range, value)| self.missing(range, value)),
        }
    }

    fn mapping(&mut self, ours: Mapping<'_>, theirs: Mapping<'_>) {
        let (mut ours, mut theirs) = (ours.entries().peekable(), theirs.entries().peekable());
        while let (Some(one), Some(other)) = (ours.peek(), theirs.peek())
            && Arc::ptr_eq(one.syntax().node(), other.syntax().node())
        {
            ours.next();
            theirs.next();
        }
        let theirs: Vec<Entry<'_>> = theirs.collect();
        let mut by_key: HashMap<String, std::collections::VecDeque<Entry<'_>>> = HashMap::new();
        for entry in theirs {
            let key = entry.key_text().map(|key| key.to_string());
            key.into_iter().for_each(|key| by_key.entry(key).or_default().push_back(entry));
        }
        let cut = self.cut;
        for entry in ours.take_while(|entry| entry.range().start < cut) {
            let Some(key) = entry.key_text() else { continue };
            let found = by_key.get_mut(&*key);
            // The last of them serves for all further entries.
            let found =
                found.and_then(|same| if same.len() > 1 { same.pop_front() } else { same.front().copied() });
            match found {
                Some(found) if Arc::ptr_eq(found.syntax().node(), entry.syntax().node()) => {}
                Some(found) => self.value(entry.value(), Some(found.value())),
                None => self.missing(entry.range(), entry.value()),
            }
        }
    }

    fn sequence(&mut self, ours: Sequence<'_>, theirs: Sequence<'_>) {
        let mut theirs = theirs.items();
        let cut = self.cut;
        for item in ours.items().take_while(|item| item.range().start < cut) {
            match theirs.next() {
                Some(found) if same_item(found, item) => {}
                Some(found) => self.value(item.value(), Some(found.value())),
                None => self.missing(item.range(), item.value()),
            }
        }
    }

    /// Counts a missing entry and all entries below it.
    fn missing(&mut self, range: TextRange, value: Value<'_>) {
        let broken =
            self.holding.is_some_and(|holding| holding.start <= range.start && range.end <= holding.end);
        if range.start < self.cut && !broken {
            self.lost += 1;
            children(value).into_iter().for_each(|(range, value)| self.missing(range, value));
        }
    }
}

/// Losses of many breaks.
#[derive(Default)]
pub(crate) struct Losses {
    /// The number of breaks by the number of entries that they cost.
    counts: std::collections::BTreeMap<usize, usize>,
}

impl Losses {
    pub(crate) fn add(&mut self, lost: usize) {
        *self.counts.entry(lost).or_default() += 1;
    }

    pub(crate) fn breaks(&self) -> usize {
        self.counts.values().sum()
    }

    /// The loss that `share` of a thousand breaks do not exceed.
    fn percentile(&self, share: usize) -> usize {
        let rank = self.breaks().saturating_sub(1) * share / 1_000;
        let mut passed = 0;
        let reached = self.counts.iter().find(|(_, count)| {
            passed += **count;
            passed > rank
        });
        reached.map_or(0, |(lost, _)| *lost)
    }

    /// Prints the distribution and checks it against the goal: median 0, 95 of 100 at most 1.
    pub(crate) fn report(&self, name: &str) {
        let one = self.counts.range(..=1).map(|(_, count)| count).sum::<usize>();
        println!(
            "{name}: {} breaks; entries lost: median {}, p95 {}, p99 {}, p99.9 {}, max {}; none in {}, more than one in {}",
            self.breaks(),
            self.percentile(500),
            self.percentile(950),
            self.percentile(990),
            self.percentile(999),
            self.percentile(1_000),
            self.counts.get(&0).unwrap_or(&0),
            self.breaks() - one,
        );
        assert!(self.percentile(500) == 0 && self.percentile(950) <= 1, "{name}");
    }
}
