//! The fast path for an edit: parse only the entry that contains it, and replace the old entry.
//!
//! The fast path requires that nothing outside the entry depended on the edited text. The document must have
//! no errors. The edit must not be on the first line of a block around the entry, because that line
//! determined the kind of the block, and it must be after the look-ahead of all earlier entries. In any other
//! case, the whole document is parsed again, with access to its old tree.

use std::sync::Arc;

use text::{TextEdit, TextRange, TextSize};

use super::reuse::{Edit, OldNode};
use super::{Parser, Sig};
use crate::syntax::{Content, Context, Element, Node, SyntaxKind};

/// How much text after the entry is read, in bytes; its look-ahead is rarely more than a line.
const MARGIN: TextSize = 512;

/// A step from a node to one of its elements.
struct ElementStep<'o> {
    node: &'o Arc<Node>,
    index: usize,
    /// The start of the node.
    start: TextSize,
}

/// The tree after `edit`, if the fast path applies.
pub(super) fn reparse(
    root: &Arc<Node>,
    edit: &TextEdit,
    new_text: &dyn Fn(TextRange) -> String,
) -> Option<Arc<Node>> {
    if edit.new_text.contains(['\n', '\r']) || edit.range.end > root.len {
        return None;
    }
    let path = path_to_entry(root, edit.range)?;
    let step = path.last()?;
    let old = step.node.elements.get(step.index)?;
    let entry_start = step.start + old.start;
    let Content::Node(old_entry) = old.content() else { return None };
    let column = TextSize::from(old_entry.context.column);
    let window_start = entry_start.checked_sub(column)?;
    let removed = edit.range.len();
    let added = edit.new_text.len() as TextSize;
    let window_end = token_end(root, entry_start + old.len + MARGIN) - removed + added;
    let window = new_text(TextRange::new(window_start, window_end));
    if !window.get(..column as usize)?.bytes().all(|byte| byte == b' ') {
        return None;
    }
    let local = Edit {
        start: (edit.range.start - window_start) as usize,
        old_end: (edit.range.end - window_start) as usize,
        new_end: (edit.range.start + added - window_start) as usize,
    };
    // Line breaks affect the structure; a line at column 0 may become a document marker.
    let changes_lines = new_text_changes_lines(&window, local, old_entry, column as usize, removed);
    if changes_lines {
        return None;
    }
    let entry = parse_entry(&window, local, step.node.kind, old_entry)?;
    let expected = old.len - removed + added;
    (entry.len == expected && !entry.flags.any_error())
        .then(|| rebuild(&path, entry, i64::from(added) - i64::from(removed)))?
}

/// The path to the innermost entry that can be parsed alone.
fn path_to_entry(root: &Arc<Node>, range: TextRange) -> Option<Vec<ElementStep<'_>>> {
    let mut path: Vec<ElementStep<'_>> = Vec::new();
    let mut usable = 0;
    let (mut node, mut start) = (root, 0);
    // Whether a line break precedes the current position in each block around it.
    let mut fresh = true;
    loop {
        let index = holding(node, start, range)?;
        let element = node.elements.get(index)?;
        let Content::Node(child) = element.content() else { break };
        let child_start = start + element.start;
        let inside = child_start < range.start && range.end <= child_start + child.len;
        if !inside {
            break;
        }
        match node.kind {
            SyntaxKind::Stream if child.flags.any_error() => return None,
            SyntaxKind::BlockMapping | SyntaxKind::BlockSequence => fresh |= index > 0,
            _ => fresh |= breaks_line(node, index),
        }
        if !looks_end_before(node, index, start, range.start) {
            break;
        }
        path.push(ElementStep { node, index, start });
        let is_entry = matches!(child.kind, SyntaxKind::BlockEntry | SyntaxKind::BlockItem);
        if is_entry && fresh && child_start + 2 <= range.start {
            usable = path.len();
        }
        match child.kind {
            SyntaxKind::BlockMapping | SyntaxKind::BlockSequence => fresh = false,
            SyntaxKind::FlowMapping | SyntaxKind::FlowSequence => break,
            _ => {}
        }
        (node, start) = (child, child_start);
    }
    path.truncate(usable);
    (usable > 0).then_some(path)
}

/// The end of the token that contains `offset`, which is a character boundary. `node` starts at 0.
fn token_end(node: &Node, offset: TextSize) -> TextSize {
    let (mut node, mut start) = (node, 0);
    loop {
        let index = node.elements.partition_point(|element| start + element.end() < offset);
        match node.elements.get(index).map(|element| (element, element.content())) {
            None => return start + node.len,
            Some((element, Content::Token(_))) => return start + element.end(),
            Some((element, Content::Node(child))) => (node, start) = (child, start + element.start),
        }
    }
}

/// The index of the element of `node` that contains `range`.
fn holding(node: &Node, start: TextSize, range: TextRange) -> Option<usize> {
    let within = range.start.checked_sub(start)?;
    node.elements.partition_point(|element| element.start < within).checked_sub(1)
}

/// Whether the tokens of `node` before its element `index` contain a line break.
fn breaks_line(node: &Node, index: usize) -> bool {
    node.elements.iter().take(index).any(|element| match element.content() {
        Content::Token(at) => {
            let text = node.text.get(TextRange::at(at, element.len).as_usize()).unwrap_or_default();
            text.contains(['\n', '\r'])
        }
        Content::Node(_) => false,
    })
}

/// Whether nothing before the element `index` of `node` looked at the text from `edited` on.
fn looks_end_before(node: &Node, index: usize, start: TextSize, edited: TextSize) -> bool {
    node.elements.iter().take(index).all(|element| match element.content() {
        Content::Node(node) => start + element.end() + node.lookahead <= edited,
        Content::Token(_) => true,
    })
}

/// Whether the edit may add, remove or move line breaks, or create a document marker.
fn new_text_changes_lines(window: &str, edit: Edit, old: &Node, column: usize, removed: TextSize) -> bool {
    if removed > 0 && old_text_has_break(old, edit.start - column, edit.old_end - column) {
        return true;
    }
    let before = window.as_bytes().get(..edit.start).unwrap_or_default();
    let line_start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
    let at_break = before.last() == Some(&b'\r');
    at_break
        || (edit.start < line_start + 4 && matches!(window.as_bytes().get(line_start), Some(b'-' | b'.')))
}

/// Whether the text of `node` has a line break between `start` and `end`.
fn old_text_has_break(node: &Node, start: usize, end: usize) -> bool {
    node.elements.iter().any(|element| {
        let (from, to) = (element.start as usize, element.end() as usize);
        if to <= start || from >= end {
            return false;
        }
        match element.content() {
            Content::Node(child) => {
                old_text_has_break(child, start.saturating_sub(from), end.saturating_sub(from))
            }
            Content::Token(at) => {
                let base = at as usize;
                let range = base + start.max(from) - from..base + end.min(to) - from;
                node.text
                    .as_bytes()
                    .get(range)
                    .is_none_or(|text| memchr::memchr2(b'\n', b'\r', text).is_some())
            }
        }
    })
}

/// Parses the entry or item at the start of `window`, after its indentation.
fn parse_entry(window: &str, edit: Edit, parent: SyntaxKind, old: &Arc<Node>) -> Option<Arc<Node>> {
    let column = usize::from(old.context.column);
    let mut parser = Parser::new(window, 0, window.len(), Some(edit));
    let open = parser.open_node(parent, Context::default(), column);
    // A parent with no other child, so that the parser finds the old entry as usual.
    let around = Arc::new(Node::holding(parent, Box::new([Element::node(0, Arc::clone(old))])));
    let hint = Some(OldNode { node: &around, start: column });
    let sig = Sig { pos: column, column, fresh_line: true, tab: None, tabs: false, end: false };
    let end = if parent == SyntaxKind::BlockSequence {
        if !parser.indicator(column, b'-') {
            return None;
        }
        parser.item(&open, sig, hint)
    } else {
        parser.entry(&open, sig, old.context.outer == 1, hint)
    };
    // Whether a tab in a blank line is an error depends on the value above it.
    if parser.sig(end).tabs {
        return None;
    }
    // More text after the window could change the result if the parser reached the end of the window.
    let whole = parser.furthest < window.len();
    parser.elements.pop()?.into_node().filter(|_| whole)
}

/// The tree with `entry` at the end of `path`.
fn rebuild(path: &[ElementStep<'_>], entry: Arc<Node>, delta: i64) -> Option<Arc<Node>> {
    let shifted = |offset: TextSize| TextSize::try_from(i64::from(offset) + delta).ok();
    let mut child = entry;
    for step in path.iter().rev() {
        let old = step.node;
        let mut elements = old.elements.to_vec();
        let (_, rest) = elements.split_at_mut(step.index);
        let (changed, after) = rest.split_first_mut()?;
        *changed = Element::node(changed.start, Arc::clone(&child));
        for element in after {
            element.start = shifted(element.start)?;
        }
        let len = shifted(old.len)?;
        let looked = (changed.end() + child.lookahead).saturating_sub(len);
        let lookahead = old.lookahead.max(looked);
        let (text, errors) = (old.text.clone(), old.errors.clone());
        child = Arc::new(Node::new(old.kind, old.context, len, lookahead, elements.into(), text, errors));
    }
    Some(child)
}
