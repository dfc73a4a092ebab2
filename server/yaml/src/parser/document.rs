//! Files and documents. Markers are found line by line, regardless of the text between them, so an edit in
//! one document never affects another.

use std::ops::Range;
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use text::{Shortcut, TextEdit, TextRange, TextSize};

use super::block::Place;
use super::repeat::KnownBlocks;
use super::reuse::{Edit, OldNode};
use super::{OpenNode, Parser};
use crate::syntax::{Content, Context, Element, Node, SyntaxErrorKind, SyntaxKind};

/// The byte range of a document and its markers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DocumentRange {
    range: Range<usize>,
    /// Length of the byte order mark at its start; only a file's first document has one.
    bom: usize,
    /// Whether it is the first of its file.
    first: bool,
    /// The offset of its `---`.
    start_marker: Option<usize>,
    /// The offset of its `...`.
    end_marker: Option<usize>,
}

/// Files of at least this size, in bytes, are parsed by several threads.
const SHARED: usize = 256 << 10;

/// Parses a whole file.
pub(crate) fn parse(text: &str) -> Arc<Node> {
    let parsed = |known: &mut Option<KnownBlocks>, piece: DocumentRange| {
        element(piece.range.start, document(text, &piece, None, known.as_mut()))
    };
    let known = || Shortcut::RepeatedBlocks.is_on().then(KnownBlocks::default);
    let pieces = pieces(text, true);
    let documents: Vec<Element> = if text.len() >= SHARED && pieces.len() > 1 {
        pieces.into_par_iter().map_init(known, parsed).collect()
    } else {
        let mut known = known();
        pieces.into_iter().map(|piece| parsed(&mut known, piece)).collect()
    };
    stream(documents.into())
}

/// The tree of the text after `edit`, given the tree before it.
pub(crate) fn reparse(
    root: &Arc<Node>,
    edit: &TextEdit,
    new_text: &dyn Fn(TextRange) -> String,
) -> Arc<Node> {
    if Shortcut::EntryEdit.is_on()
        && let Some(tree) = super::unit::reparse(root, edit, new_text)
    {
        return tree;
    }
    let old = &root.elements;
    let start = edit.range.start.min(root.len);
    let old_end = edit.range.end.min(root.len);
    let added = edit.new_text.len() as TextSize;
    // An edit near the start of a document may join it with the previous one.
    let holding = old.partition_point(|document| document.end() < start);
    let near_start = old.get(holding).is_some_and(|document| start <= document.start + 4);
    let first = if near_start { holding.saturating_sub(1) } else { holding };
    let mut last = old.partition_point(|document| document.start <= old_end).max(first + 1).min(old.len());
    let region_start = old.get(first).map_or(0, |document| document.start);
    loop {
        let old_region_end =
            last.checked_sub(1).and_then(|last| old.get(last)).map_or(root.len, Element::end);
        let region_end = old_region_end - (old_end - start) + added;
        let region = new_text(TextRange::new(region_start, region_end));
        let edit = Edit {
            start: (start - region_start) as usize,
            old_end: (old_end - region_start) as usize,
            new_end: (start + added - region_start) as usize,
        };
        let same = match old.get(first..last) {
            Some([document]) => same_piece(&region, document, edit, region_start == 0),
            _ => None,
        };
        let pieces = same.map_or_else(|| pieces(&region, region_start == 0), |piece| vec![piece]);
        if old.get(last).is_some_and(|next| runs_on(&region, pieces.last(), next)) {
            last += 1;
            continue;
        }
        let front = old.get(..first).unwrap_or_default().iter().cloned();
        let middle = pieces.into_iter().map(|piece| {
            let old_documents = old.get(first..last).unwrap_or_default();
            let node = reparse_piece(&region, &piece, edit, old_documents, region_start);
            element(region_start as usize + piece.range.start, node)
        });
        let back = old.get(last..).unwrap_or_default().iter().cloned().map(|mut document| {
            document.start = document.start - old_end + start + added;
            document
        });
        return stream(front.chain(middle).chain(back).collect());
    }
}

/// Whether the document `next` after `region` may belong to the region's last piece.
fn runs_on(region: &str, last: Option<&DocumentRange>, next: &Element) -> bool {
    let Some(last) = last.filter(|_| region.ends_with(['\n', '\r'])) else { return true };
    if last.end_marker.is_some() {
        return false;
    }
    let marked = match next.content() {
        Content::Node(node) => {
            node.elements.first().is_some_and(|first| first.kind == SyntaxKind::DocumentStart)
        }
        Content::Token(_) => false,
    };
    !marked
        || (last.start_marker.is_none()
            && region.get(last.range.start + last.bom..last.range.end).is_some_and(is_header))
}

fn reparse_piece(
    region: &str,
    piece: &DocumentRange,
    edit: Edit,
    old: &[Element],
    region_start: TextSize,
) -> Arc<Node> {
    let old_at = |at: usize| old.iter().find(|document| (document.start - region_start) as usize == at);
    let moved = edit.offset_after(piece.range.start).and_then(old_at);
    // A byte order mark is recognized only at the start of the file.
    let start = region_start + piece.range.start as TextSize;
    let same_place = |document: &&Element| (document.start == 0) == (start == 0);
    let same = moved.filter(same_place).filter(|document| document.len as usize == piece.range.len());
    if let Some(Content::Node(node)) = same.map(Element::content) {
        return Arc::clone(node);
    }
    let start = piece.range.start;
    let candidate =
        edit.offset_before(start).and_then(old_at).and_then(|document| match document.content() {
            Content::Node(node) => Some(node),
            Content::Token(_) => None,
        });
    let Some(node) = candidate else { return document(region, piece, None, None) };
    let local =
        Edit { start: edit.start - start, old_end: edit.old_end - start, new_end: edit.new_end - start };
    document(region, piece, Some((node, local)), None)
}

fn element(start: usize, node: Arc<Node>) -> Element {
    Element::node(start as TextSize, node)
}

fn stream(elements: Box<[Element]>) -> Arc<Node> {
    Arc::new(Node::holding(SyntaxKind::Stream, elements))
}

/// The pieces of the documents, which cover the text without gaps.
fn pieces(text: &str, whole_file: bool) -> Vec<DocumentRange> {
    let bytes = text.as_bytes();
    let mut pieces = Vec::new();
    let bom = if whole_file && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let begin = |at: usize| DocumentRange {
        range: at..at,
        first: whole_file && at == 0,
        bom: if at == 0 { bom } else { 0 },
        start_marker: None,
        end_marker: None,
    };
    let mut open = begin(0);
    let breaks = memchr::memchr2_iter(b'\n', b'\r', bytes).map(|at| at + 1);
    for line in std::iter::once(bom).chain(breaks) {
        let rest = bytes.get(line..).unwrap_or_default();
        let marker = rest.get(..3);
        if marker != Some(b"---") && marker != Some(b"...") {
            continue;
        }
        if !matches!(rest.get(3), None | Some(b' ' | b'\t' | b'\n' | b'\r')) {
            continue;
        }
        if marker == Some(b"---") {
            let head = text.get(open.range.start + open.bom..line).unwrap_or_default();
            if open.start_marker.is_some() || !is_header(head) {
                open.range.end = line;
                pieces.push(open);
                open = begin(line);
            }
            open.start_marker = Some(line);
        } else {
            let end = memchr::memchr2(b'\n', b'\r', rest).map_or(bytes.len(), |at| {
                let crlf = rest.get(at..at + 2) == Some(b"\r\n");
                line + at + if crlf { 2 } else { 1 }
            });
            open.end_marker = Some(line);
            open.range.end = end;
            pieces.push(open);
            open = begin(end);
        }
    }
    open.range.end = text.len();
    if !open.range.is_empty() || pieces.is_empty() {
        pieces.push(open);
    }
    pieces
}

/// The whole `region` as one piece, if `edit` neither changes the markers of `document` nor adds any. This
/// avoids examining each line.
fn same_piece(region: &str, document: &Element, edit: Edit, whole_file: bool) -> Option<DocumentRange> {
    let Content::Node(node) = document.content() else { return None };
    let marker = |kind| {
        let token = node.elements.iter().find(|element| element.kind == kind)?;
        Some(token.start as usize)
    };
    let start_marker = marker(SyntaxKind::DocumentStart);
    let old_end_marker = marker(SyntaxKind::DocumentEnd);
    // A marker depends on its own text, the next character and the preceding line break.
    let after_start = edit.start >= start_marker.map_or(4, |at| at + 4);
    let before_end = old_end_marker.is_none_or(|at| edit.old_end < at);
    if !after_start || !before_end {
        return None;
    }
    let bom = if whole_file && region.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let (before, after) = (region.as_bytes().get(..edit.start)?, region.as_bytes().get(edit.new_end..)?);
    let from = memchr::memrchr2(b'\n', b'\r', before).map_or(bom, |at| at + 1);
    let to = edit.new_end + memchr::memchr2(b'\n', b'\r', after).unwrap_or(after.len());
    let touched = region.as_bytes().get(from..to)?;
    let breaks = memchr::memchr2_iter(b'\n', b'\r', touched).map(|at| at + 1);
    let is_marker = |line: usize| {
        let line = touched.get(line..).unwrap_or_default();
        line.starts_with(b"---") || line.starts_with(b"...")
    };
    if std::iter::once(0).chain(breaks).any(is_marker) {
        return None;
    }
    Some(DocumentRange {
        range: 0..region.len(),
        first: whole_file,
        bom,
        start_marker,
        end_marker: old_end_marker.map(|at| at - edit.old_end + edit.new_end),
    })
}

/// Whether `text` can precede a `---` of the same document: comments, directives and blank lines.
fn is_header(text: &str) -> bool {
    text.split(['\n', '\r']).all(|line| {
        let content = line.trim_start_matches([' ', '\t']);
        content.is_empty() || content.starts_with('#') || line.starts_with('%')
    })
}

fn document<'s>(
    text: &'s str,
    piece: &DocumentRange,
    old: Option<(&Arc<Node>, Edit)>,
    known: Option<&'s mut KnownBlocks>,
) -> Arc<Node> {
    let base = piece.range.start;
    let src = text.get(piece.range.clone()).unwrap_or_default();
    let content_end = piece.end_marker.map_or(src.len(), |at| at - base);
    let mut parser = Parser::new(src, piece.bom, content_end, old.map(|(_, edit)| edit));
    parser.known = known;
    let open = parser.open_node(SyntaxKind::Document, Context::default(), 0);
    let mut end = 0;
    if let Some(marker) = piece.start_marker.map(|at| at - base) {
        parser.header(&open, marker);
        parser.token(&open, SyntaxKind::DocumentStart, marker, marker + 3);
        end = marker + 3;
        let sig = parser.sig(end);
        if !sig.end && !sig.fresh_line && parser.may_be_entry(sig.pos) {
            parser.error(&open, SyntaxErrorKind::BlockOnMarkerLine, sig.pos, sig.pos + 1);
        }
    }
    let hint = old.map(|(node, _)| OldNode { node, start: 0 });
    end = parser.value(&open, -1, end, Place::Compact, hint);
    loop {
        let sig = parser.sig(end);
        if sig.end {
            break;
        }
        parser.reach(&open, end, sig);
        parser.error_line(&open, end, sig.pos);
        let next = parser.extra(&open, sig.pos);
        // The loop must consume text in each round, or it would not end.
        end =
            if next > sig.pos { next } else { parser.garbage(&open, SyntaxErrorKind::ExtraContent, sig.pos) };
    }
    let sig = parser.sig(end);
    parser.parse_rest(&open, end, sig);
    if piece.end_marker.is_some() {
        let empty = piece.first && end == 0;
        parser.footer(&open, content_end, empty);
    }
    parser.close(open, src.len())
}

impl Parser<'_> {
    /// Reports an entry at `pos` that follows other content, which ends at `from`.
    fn error_line(&mut self, open: &OpenNode, from: usize, pos: usize) {
        if self.may_be_entry(pos) {
            let line_end = self.line_end(pos);
            let end = self.trim_end(pos, line_end);
            // For go-yaml, a plain scalar continues up to the colon.
            let plain = self.ends_in_plain(open)
                && !self.comment_between(from, pos)
                && !(self.indicator(pos, b':') && self.is_first_on_line(pos));
            let kind = if plain { SyntaxErrorKind::MultilineBlockKey } else { SyntaxErrorKind::Dropped };
            self.error(open, kind, pos, end);
        }
    }

    /// Content of a document after its value.
    fn extra(&mut self, open: &OpenNode, pos: usize) -> usize {
        if self.may_be_entry(pos) {
            return self.value(open, -1, pos, Place::Compact, None);
        }
        let kind = self.extra_kind(open, pos);
        self.garbage(open, kind, pos)
    }

    /// The `...` from `marker` to the end of the text.
    fn footer(&mut self, open: &OpenNode, marker: usize, empty: bool) {
        self.limit = self.src.len();
        (self.last_sig, self.last_key, self.last_line) = (None, None, None);
        let end = marker + 3;
        if empty {
            self.error(open, SyntaxErrorKind::NoContent, marker, end);
        }
        self.token(open, SyntaxKind::DocumentEnd, marker, end);
        if self.line_is_over(end) {
            self.trivia(open, end, self.limit);
            return;
        }
        let extra = self.skip_blanks(end);
        self.trivia(open, end, extra);
        let extra_end = self.garbage(open, SyntaxErrorKind::Dropped, extra);
        self.trivia(open, extra_end, self.limit);
    }
}
