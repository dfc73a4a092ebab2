//! Any changes through the edit builder, all at once: the text after them has the intended meaning, no scalar is
//! changed unless a change names it, and comments that should be kept are kept.

use std::collections::BTreeSet;

use text::{TextEdit, TextRange};
use yaml::edit::{Comments, Editor, NewEntry, NewValue, Position};
use yaml::{Document, Entry, Tree, Value, ValueKind};

use super::meaning::{Json, Plan, Unclear};
use super::{head, pieces};

/// The result for an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The builder rejected the changes.
    Refused,
    /// The changes were made, but the model does not cover the document.
    Unread,
    /// The changes were made and have the intended meaning.
    Checked,
}

/// Keys and texts that are easily misread.
const WORDS: [&str; 12] =
    ["new", "a b", "on", "1", "<<", "~", "- x", "a: b", "# c", "null", "it's", "[x], {y}"];

/// Changes that are added to an editor and a plan.
struct Changes<'t> {
    editor: Editor<'t>,
    plan: Plan<'t>,
    /// All values of the document except keys.
    places: Vec<Value<'t>>,
    /// New keys by their mapping, so that no change inserts a key twice.
    taken: BTreeSet<(u32, String)>,
    drops_comments: bool,
    copies: bool,
}

pub fn run(data: &[u8]) -> Outcome {
    let (text, changes) = pieces(data);
    let tree = Tree::parse(&text);
    let Some(document) = tree.documents().next() else { return Outcome::Unread };
    let Some(root) = document.root() else { return Outcome::Unread };
    // Only plain scalars may contain blank lines with tabs, and the builder keeps blank lines unchanged.
    let readable = tree.errors().is_empty() && !text.contains('\t');
    let mut places = Vec::new();
    collect(root, &mut places);
    let mut all = Changes {
        editor: Editor::new(document),
        plan: Plan::default(),
        places,
        taken: BTreeSet::new(),
        drops_comments: false,
        copies: false,
    };
    changes.for_each(|piece| all.add(piece));
    let result = all.editor.finish();
    let before = Plan::default().apply(root);
    let expected = all.plan.apply(root);
    let Ok(edits) = result else { return Outcome::Refused };
    assert!(edits.is_sorted_by(|one, other| one.range.end <= other.range.start), "{edits:?}");
    let after = applied(&text, &edits);
    if !readable || before.is_err() || expected == Err(Unclear::Unread) {
        return Outcome::Unread;
    }
    let Ok(expected) = expected else { panic!("made an impossible change:\n{text}\n---\n{after}") };
    let mut untouched = Vec::new();
    all.plan.untouched(root, &mut untouched);
    for edit in &edits {
        let touched = untouched.iter().find(|kept| overlap(**kept, edit.range));
        assert!(touched.is_none(), "{edit:?} touches {touched:?}:\n{text}\n---\n{after}");
        assert!(document.range().contains_range(edit.range), "{edit:?} is outside of the document: {text:?}");
    }
    compare(&after, &expected, &text);
    if !all.drops_comments && !all.copies {
        let (kept, found) = (comments(document), Tree::parse(&after));
        let mut found = found.documents().next().map(comments).unwrap_or_default();
        for comment in kept {
            let at = found.iter().position(|other| *other == comment);
            assert!(at.is_some(), "lost {comment:?}:\n{text}\n---\n{after}");
            found.swap_remove(at.unwrap_or_default());
        }
    }
    Outcome::Checked
}

fn compare(after: &str, expected: &Json, before: &str) {
    let tree = Tree::parse(after);
    assert!(tree.errors().is_empty(), "{:?}:\n{before}\n---\n{after}", tree.errors());
    let root = tree.documents().next().and_then(Document::root);
    let found = root.map(|root| Plan::default().apply(root));
    assert!(
        found.as_ref() == Some(&Ok(expected.clone())),
        "{found:?}\nis not\n{expected:?}:\n{before}\n---\n{after}"
    );
}

impl<'t> Changes<'t> {
    /// A piece contains the operation, the place (two bytes), the entry or item, the kind of value to write, and
    /// the text to write.
    fn add(&mut self, piece: &[u8]) {
        let ([what, high, low, member, new], text) = head(piece);
        let Some(&place) = self.places.get((high * 256 + low) % self.places.len().max(1)) else { return };
        match (what % 7, place.kind()) {
            (0, _) => {
                let position = position(place, member, new);
                let key = if text.len() > 2 { text.as_ref() } else { WORDS[member % WORDS.len()] };
                if let Some(key) = self.free_key(place, key) {
                    let new = self.new_value(new, member, &text);
                    self.insert(place, position, NewEntry::new(key, new));
                }
            }
            (1, _) => {
                let new = self.new_value(new, member, &text);
                self.editor.push(place, new.clone());
                self.plan.pushed.entry(place.range().start).or_default().push(new);
            }
            (2, ValueKind::Mapping(mapping)) => {
                if let Some(entry) = pick(mapping.entries().collect(), member) {
                    self.remove(place, entry, new);
                }
            }
            (2, ValueKind::Sequence(sequence)) => {
                if let Some(item) = pick(sequence.items().collect(), member) {
                    let comments = self.comments(new);
                    self.editor.remove_item(place, item, comments);
                    self.plan.removed.insert((place.range().start, item.range().start));
                }
            }
            (3, kind) if !matches!(kind, ValueKind::Alias(_)) => {
                let new = self.new_value(new, member, &text);
                self.drops_comments = true;
                self.editor.replace(place, new.clone());
                self.plan.replaced.insert(place.range().start, new);
            }
            (4, ValueKind::Mapping(mapping)) => {
                let Some(entry) = pick(mapping.entries().collect(), member) else { return };
                let moved = NewEntry::copy(entry);
                let to = self.places.get((new * 7 + member) % self.places.len()).copied();
                if let (Some(moved), Some(to)) = (moved, to)
                    && let Some(key) = self.free_key(to, &moved.key)
                {
                    self.copies = true;
                    self.remove(place, entry, 0);
                    self.insert(to, position(to, member, new), NewEntry { key: key.into(), ..moved });
                }
            }
            (5, ValueKind::Mapping(mapping)) => {
                let Some(entry) = pick(mapping.entries().collect(), member) else { return };
                let key = if text.len() > 2 { text.as_ref() } else { WORDS[new % WORDS.len()] };
                if entry.key().as_scalar().is_some()
                    && !self.plan.renamed.contains_key(&entry.range().start)
                    && let Some(key) = self.free_key(place, key)
                {
                    self.editor.rename(entry, &key);
                    self.plan.renamed.insert(entry.range().start, key);
                }
            }
            (6, ValueKind::Mapping(mapping)) => {
                if let Some(entry) = pick(mapping.entries().collect(), member) {
                    let lines = text.lines().map(|line| line.replace(|char: char| char.is_control(), " "));
                    self.editor.comment_out(place, entry, lines.collect());
                    self.plan.removed.insert((place.range().start, entry.range().start));
                }
            }
            _ => {}
        }
    }

    fn insert(&mut self, place: Value<'t>, position: Position<'t>, entry: NewEntry<'t>) {
        self.editor.insert(place, position, entry.clone());
        self.plan.inserted.entry(place.range().start).or_default().push(entry);
    }

    fn remove(&mut self, place: Value<'t>, entry: Entry<'t>, mode: usize) {
        let comments = self.comments(mode);
        self.editor.remove(place, entry, comments);
        self.plan.removed.insert((place.range().start, entry.range().start));
    }

    fn comments(&mut self, mode: usize) -> Comments {
        self.drops_comments |= mode % 2 == 1;
        if mode % 2 == 1 { Comments::Drop } else { Comments::Keep }
    }

    /// `key`, unless the mapping at `place` has it or will have it.
    fn free_key(&mut self, place: Value<'t>, key: &str) -> Option<String> {
        let there = place.as_mapping().into_iter().flat_map(|mapping| mapping.entries());
        let there = there.filter_map(|entry| entry.key_text()).any(|text| text == key);
        let free = !there && self.taken.insert((place.range().start, key.to_owned()));
        free.then(|| key.to_owned())
    }

    fn new_value(&mut self, kind: usize, member: usize, text: &str) -> NewValue<'t> {
        let flow = kind >= 128;
        let text = || {
            NewValue::Text(if text.is_empty() { WORDS[member % WORDS.len()].into() } else { text.to_owned() })
        };
        match kind % 6 {
            0 => NewValue::yes(),
            1 => text(),
            2 => NewValue::Mapping {
                entries: vec![NewEntry::new("p", text()), NewEntry::new("y", NewValue::yes())],
                flow,
            },
            3 => NewValue::Sequence {
                items: vec![text(), NewValue::Mapping { entries: Vec::new(), flow }],
                flow,
            },
            4 => NewValue::Mapping {
                entries: vec![NewEntry::new("q", NewValue::Sequence { items: vec![text()], flow: !flow })],
                flow,
            },
            _ => {
                self.copies = true;
                self.places
                    .get(member % self.places.len().max(1))
                    .map_or(NewValue::yes(), |value| NewValue::Copy(*value))
            }
        }
    }
}

/// The position of a new entry in the mapping `place`.
fn position<'t>(place: Value<'t>, member: usize, how: usize) -> Position<'t> {
    let entry = place.as_mapping().and_then(|mapping| pick(mapping.entries().collect(), member));
    match (how / 6 % 4, entry) {
        (0, Some(entry)) => Position::Before(entry),
        (1, Some(entry)) => Position::After(entry),
        (2, _) => Position::Start,
        _ => Position::End,
    }
}

fn pick<T: Copy>(from: Vec<T>, index: usize) -> Option<T> {
    from.get(index % from.len().max(1)).copied()
}

fn collect<'t>(value: Value<'t>, into: &mut Vec<Value<'t>>) {
    into.push(value);
    match value.kind() {
        ValueKind::Mapping(mapping) => mapping.entries().for_each(|entry| collect(entry.value(), into)),
        ValueKind::Sequence(sequence) => sequence.items().for_each(|item| collect(item.value(), into)),
        _ => {}
    }
}

/// The comments of `document`, without trailing white space.
fn comments(document: Document<'_>) -> Vec<String> {
    fn visit(node: yaml::NodeRef<'_>, into: &mut Vec<String>) {
        for token in node.tokens().filter(|token| token.kind == yaml::SyntaxKind::Comment) {
            into.push(token.text.trim_end().to_owned());
        }
        node.nodes().for_each(|child| visit(child, into));
    }
    let mut found = Vec::new();
    visit(document.syntax(), &mut found);
    found
}

fn overlap(one: TextRange, other: TextRange) -> bool {
    one.start < other.end && other.start < one.end
}

fn applied(text: &str, edits: &[TextEdit]) -> String {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.range.as_usize(), &edit.new_text);
    }
    text
}
