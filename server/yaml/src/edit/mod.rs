//! Changes to a document as minimal text edits: everything that a change does not name stays byte for byte.
//!
//! An [`Editor`] collects changes to mappings, sequences and values of one document, and converts all of them
//! at once into edits. New lines follow the document's line breaks, indentation step and position of dashes;
//! in JSON they are JSON.

mod block;
mod extent;
mod flow;
mod holder;
mod json;
mod moved_items;
mod new_values;
mod overlap;
mod rename;
mod render;
mod source;
mod style;
mod swallow;
#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use text::{TextEdit, TextRange, TextSize};

pub use new_values::{NewEntry, NewValue, quoted, scalar};

use crate::ast::{Document, Entry, Item, Value, ValueKind};
use crate::scalar::ScalarStyle;
use crate::syntax::SyntaxKind;
use holder::Holder;
use overlap::{RemovedRanges, merged};
use render::Renderer;
use source::Source;
use style::Style;

/// Why a change cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditError {
    /// The changed text contains syntax errors.
    Broken,
    /// An anchor, alias or tag would change its meaning.
    Anchor,
    /// A comment would be lost.
    Comment,
    /// The value is not in this document or has the wrong kind for the change, or a key is too long for a line.
    Place,
    /// Two changes affect the same text.
    Overlap,
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Broken => "the text to change has syntax errors",
            Self::Anchor => "an anchor, alias or tag would change its meaning",
            Self::Comment => "a comment would be lost",
            Self::Place => "this place cannot be changed",
            Self::Overlap => "two changes overlap",
        })
    }
}

impl std::error::Error for EditError {}

/// The position of a new entry.
#[derive(Clone, Copy, Debug)]
pub enum Position<'t> {
    /// Before all other entries.
    Start,
    /// After all other entries.
    End,
    /// Directly before this entry and the comments above it.
    Before(Entry<'t>),
    /// Directly after this entry.
    After(Entry<'t>),
}

/// The treatment of comments on a removed entry or item: those directly above it, in it and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    /// They stay, on separate lines.
    Keep,
    /// They are removed as well.
    Drop,
}

/// Changes to one document.
#[derive(Debug)]
pub struct Editor<'t> {
    document: Document<'t>,
    source: Arc<Source>,
    style: Style,
    /// Whether the file ends in a block scalar without a line break: text appended to it would become part of
    /// the scalar.
    cut_off: bool,
    /// By the start of the mapping or sequence.
    groups: BTreeMap<TextSize, Group<'t>>,
    replaced: BTreeMap<TextSize, (Value<'t>, NewValue<'t>)>,
    /// New keys, by the start of their entries.
    renamed: BTreeMap<TextSize, (Entry<'t>, String)>,
    /// The comments that replace a removed entry, by the start of the entry.
    notes: BTreeMap<TextSize, Vec<String>>,
}

/// All changes to the members of one mapping or sequence.
#[derive(Debug)]
struct Group<'t> {
    value: Value<'t>,
    members: Vec<Member>,
    /// Additions with the index of the member before which they are inserted.
    inserted: Vec<(usize, Addition<'t>)>,
    /// The start of the item that moves to the end.
    moved: Option<TextSize>,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    /// The start of its entry or item, which identifies the member.
    start: TextSize,
    /// For an item in brackets, the range includes its anchor and tag.
    range: TextRange,
    removed: Option<Comments>,
}

#[derive(Debug)]
enum Addition<'t> {
    Entry(NewEntry<'t>),
    Item(NewValue<'t>),
}

impl<'t> Editor<'t> {
    /// An editor of `document`. The first edit takes time linear in its length.
    #[must_use]
    pub fn new(document: Document<'t>) -> Self {
        let source = Source::new(document);
        let style = Style::of(document, &source);
        let cut_off = extent::ends_in_block_scalar(document.syntax());
        Self {
            document,
            source: Arc::new(source),
            style,
            cut_off,
            groups: BTreeMap::new(),
            replaced: BTreeMap::new(),
            renamed: BTreeMap::new(),
            notes: BTreeMap::new(),
        }
    }

    /// An editor of the same document without changes; cheap.
    #[must_use]
    pub fn fresh(&self) -> Self {
        Self {
            document: self.document,
            source: Arc::clone(&self.source),
            style: self.style,
            cut_off: self.cut_off,
            groups: BTreeMap::new(),
            replaced: BTreeMap::new(),
            renamed: BTreeMap::new(),
            notes: BTreeMap::new(),
        }
    }

    /// Columns from a key to the keys below it, as in the document.
    #[must_use]
    pub fn step(&self) -> usize {
        self.style.step
    }

    /// Whether the document is JSON: in braces, with all strings in double quotes.
    #[must_use]
    pub fn is_json(&self) -> bool {
        self.style.json
    }

    /// Adds `entry` to the mapping `into`. If `into` is absent or null, it becomes a mapping.
    pub fn insert(&mut self, into: Value<'t>, position: Position<'t>, entry: NewEntry<'t>) {
        let group = self.group(into);
        let index =
            |wanted: Entry<'t>| group.members.iter().position(|member| member.start == wanted.range().start);
        let gap = match position {
            Position::Start => 0,
            Position::End => group.members.len(),
            Position::Before(entry) => index(entry).unwrap_or(0),
            Position::After(entry) => index(entry).map_or(group.members.len(), |index| index + 1),
        };
        group.inserted.push((gap, Addition::Entry(entry)));
    }

    /// Adds `item` at the end of the sequence `onto`. If `onto` is absent or null, it becomes a sequence.
    pub fn push(&mut self, onto: Value<'t>, item: NewValue<'t>) {
        let group = self.group(onto);
        group.inserted.push((group.members.len(), Addition::Item(item)));
    }

    /// Removes `entry` of the mapping `from`. If no entry remains, writes `{}`.
    pub fn remove(&mut self, from: Value<'t>, entry: Entry<'t>, comments: Comments) {
        self.remove_member(from, entry.range().start, comments);
    }

    /// Replaces `entry` of the mapping `from` with `lines` as comments. The entry's own comments stay.
    pub fn comment_out(&mut self, from: Value<'t>, entry: Entry<'t>, lines: Vec<String>) {
        self.remove(from, entry, Comments::Keep);
        self.notes.insert(entry.range().start, lines.into_iter().map(|line| comment(&line)).collect());
    }

    /// Removes `item` of the sequence `from`. If no item remains, writes `[]`.
    pub fn remove_item(&mut self, from: Value<'t>, item: Item<'t>, comments: Comments) {
        self.remove_member(from, item.range().start, comments);
    }

    fn remove_member(&mut self, from: Value<'t>, start: TextSize, comments: Comments) {
        for member in &mut self.group(from).members {
            if member.start == start {
                member.removed = Some(comments);
            }
        }
    }

    /// Replaces `value` with `with`.
    pub fn replace(&mut self, value: Value<'t>, with: NewValue<'t>) {
        self.replaced.insert(value.range().start, (value, with));
    }

    /// Puts the plain scalar `value`, which may be a key, in quotes, so that the server reads its text as a string. The
    /// quotes are those that the document uses most.
    ///
    /// # Errors
    /// If `value` is not a plain scalar of one line, or has a tag.
    pub fn quote(&mut self, value: Value<'t>) -> Result<(), EditError> {
        let scalar = value.as_scalar().ok_or(EditError::Place)?;
        let text = scalar.token().text;
        if scalar.style() != ScalarStyle::Plain || text.contains(['\n', '\r']) {
            return Err(EditError::Place);
        }
        if value.tag().is_some() {
            return Err(EditError::Anchor);
        }
        let quoted = new_values::in_quotes(text, style::prefers_double_quotes(self.document));
        self.replace(value, NewValue::Raw(quoted));
        Ok(())
    }

    fn group(&mut self, value: Value<'t>) -> &mut Group<'t> {
        self.groups.entry(value.range().start).or_insert_with(|| {
            let members: Vec<(TextSize, TextRange)> = match value.kind() {
                ValueKind::Mapping(mapping) => mapping
                    .entries()
                    .map(|entry| (entry.range().start, extent::of_node(entry.syntax())))
                    .collect(),
                ValueKind::Sequence(sequence) => {
                    sequence.items().map(|item| (item.range().start, extent::of_item(item))).collect()
                }
                _ => Vec::new(),
            };
            let members =
                members.into_iter().map(|(start, range)| Member { start, range, removed: None }).collect();
            Group { value, members, inserted: Vec::new(), moved: None }
        })
    }

    /// All changes as edits, sorted and without overlap. Changes within removed or replaced text are dropped.
    ///
    /// # Errors
    /// If a change would break the text or change more than requested.
    pub fn finish(&self) -> Result<Vec<TextEdit>, EditError> {
        let removed_ranges = self.removed_ranges();
        let copied = self.copied();
        let mut edits = Vec::new();
        // A replacement of an absent value precedes entries that are added after it to the surrounding mapping.
        for (start, (value, with)) in &self.replaced {
            if !removed_ranges.contains(value.range(), *start) {
                edits.extend(self.replacement(*value, with)?);
            }
        }
        // If several additions end at one offset, those to the inner mapping come first: it starts later and
        // ends there.
        for (start, group) in self.groups.iter().rev() {
            let replaced =
                self.replaced.get(start).is_some_and(|(value, _)| value.range() == group.value.range());
            if !replaced && !removed_ranges.contains(group.value.range(), *start) {
                edits.extend(self.group_edits(group, &copied)?);
                edits = self.with_moved(group, edits)?;
            }
        }
        for (entry, key) in self.renamed.values() {
            if !removed_ranges.contains(entry.key_range(), TextSize::MAX) {
                edits.push(self.rename_edit(*entry, key)?);
            }
        }
        let mut edits = merged(edits, &self.source)?;
        let end = self.source.end();
        if let Some(last) = edits.last_mut().filter(|edit| edit.range.end == end) {
            // The file may now end in a block scalar, where the line break is content.
            let lines = last.new_text.contains(['\n', '\r']) && !last.new_text.ends_with(['\n', '\r']);
            if lines && !self.source.starts_line(end) {
                last.new_text.push_str(self.style.line_break);
            }
        }
        self.refuse_swallowed_comments(&edits)?;
        Ok(edits)
    }

    fn removed_ranges(&self) -> RemovedRanges {
        let removed = self.groups.iter().flat_map(|(start, group)| {
            let members = group.members.iter().filter(|member| member.removed.is_some());
            members.map(|member| (member.range, *start))
        });
        let replaced = self.replaced.iter().map(|(start, (value, _))| (value.range(), *start));
        RemovedRanges::new(removed.chain(replaced).collect())
    }

    fn group_edits(&self, group: &Group<'t>, copied: &[TextRange]) -> Result<Vec<TextEdit>, EditError> {
        let value = group.value;
        let unchanged =
            group.inserted.is_empty() && group.members.iter().all(|member| member.removed.is_none());
        if unchanged {
            return Ok(Vec::new());
        }
        match value.kind() {
            ValueKind::Mapping(mapping) if mapping.syntax().kind() == SyntaxKind::FlowEntry => {
                return Err(EditError::Place);
            }
            ValueKind::Mapping(_)
                if group.inserted.iter().any(|(_, new)| matches!(new, Addition::Item(_))) =>
            {
                return Err(EditError::Place);
            }
            ValueKind::Sequence(_)
                if group.inserted.iter().any(|(_, new)| matches!(new, Addition::Entry(_))) =>
            {
                return Err(EditError::Place);
            }
            ValueKind::Alias(_) => return Err(EditError::Anchor),
            _ => {}
        }
        if value.node().is_some_and(|node| node.node().flags().errors) {
            return Err(EditError::Broken);
        }
        let holder = Holder::of(value, self.document).ok_or(EditError::Place)?;
        if group.members.is_empty() {
            return self.fill(group, holder);
        }
        if extent::is_block_collection(value) {
            self.block_edits(group, holder, copied)
        } else {
            self.flow_edits(group)
        }
    }

    fn renderer(&self) -> Renderer<'_> {
        Renderer { source: &self.source, style: self.style, cut_off: self.cut_off }
    }

    /// Refuses to write after a block scalar that the end of the file cuts off.
    fn refuse_cut_off(&self, at: TextSize) -> Result<(), EditError> {
        if self.cut_off && at == self.source.end() { Err(EditError::Place) } else { Ok(()) }
    }

    /// The ranges that are copied elsewhere: their comments are not lost.
    fn copied(&self) -> Vec<TextRange> {
        fn visit(new: &NewValue<'_>, source: &Source, into: &mut Vec<TextRange>) {
            match new {
                NewValue::Copy(value) if extent::is_block_collection(*value) => {
                    into.push(extent::with_trailing_comment(*value, source));
                }
                NewValue::Copy(value) => into.push(value.range()),
                NewValue::Mapping { entries, .. } => {
                    entries.iter().for_each(|entry| visit(&entry.value, source, into));
                }
                NewValue::Sequence { items, .. } => items.iter().for_each(|item| visit(item, source, into)),
                NewValue::Raw(_) | NewValue::Text(_) => {}
            }
        }
        let mut copied = Vec::new();
        for (_, addition) in self.groups.values().flat_map(|group| &group.inserted) {
            match addition {
                Addition::Entry(entry) => visit(&entry.value, &self.source, &mut copied),
                Addition::Item(item) => visit(item, &self.source, &mut copied),
            }
        }
        for (_, with) in self.replaced.values() {
            visit(with, &self.source, &mut copied);
        }
        copied
    }
}

/// `line` as a comment, with spaces in place of characters that would end the comment or are not allowed in it.
fn comment(line: &str) -> String {
    let odd = |char: char| !matches!(char, '\t') && new_values::has_to_be_escaped(char);
    let line = line.replace(odd, " ");
    let line = line.trim_end();
    if line.is_empty() { "#".to_owned() } else { format!("# {line}") }
}
