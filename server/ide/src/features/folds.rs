//! Lines that can be folded.

use text::{LineIndex, TextRange, TextSize};
use yaml::syntax::ElementRef;
use yaml::{NodeRef, SyntaxKind, TokenRef};

use crate::FoldKind;

type Fold = crate::Fold<TextRange>;

/// The folds of a document, by start, the longer first: entries, items, brackets, block scalars, the document
/// itself, and runs of comments. `text` and `lines` are those of the document, and `several` tells whether
/// the file has several documents.
pub(crate) fn folds(document: NodeRef<'_>, text: &str, lines: &LineIndex<'_>, several: bool) -> Vec<Fold> {
    let mut folds = Folds { text, lines, spans: Vec::new(), comments: Vec::new() };
    folds.document(document, several);
    folds.comment_runs();
    folds.finish()
}

struct Folds<'a> {
    text: &'a str,
    lines: &'a LineIndex<'a>,
    spans: Vec<Span>,
    /// The lines with nothing but a comment.
    comments: Vec<u32>,
}

struct Span {
    first_line: u32,
    last_line: u32,
    kind: FoldKind,
}

impl Folds<'_> {
    /// A document without a start marker is folded only if the file has several documents.
    fn document(&mut self, document: NodeRef<'_>, several: bool) {
        let end = self.node(document);
        let is_marker = |token: &TokenRef<'_>| token.kind == SyntaxKind::DocumentStart;
        let marker = document.tokens().find(is_marker).map(|marker| marker.start);
        let content = document.elements().find(|element| !element.kind().is_trivia());
        let content = content.filter(|_| several).map(|content| content.range().start);
        if let (Some(start), Some(end)) = (marker.or(content), end) {
            self.span(start, end);
        }
    }

    /// Collects the folds of `node` and its descendants. Returns the end of its content, without comments and
    /// blank lines.
    fn node(&mut self, node: NodeRef<'_>) -> Option<TextSize> {
        let mut end = None;
        for element in node.elements() {
            let element_end = match element {
                ElementRef::Node(node) => self.node(node),
                ElementRef::Token(token) => self.token(token),
            };
            end = element_end.or(end);
        }
        let folds = matches!(
            node.kind(),
            SyntaxKind::BlockEntry
                | SyntaxKind::BlockItem
                | SyntaxKind::FlowMapping
                | SyntaxKind::FlowSequence
                | SyntaxKind::FlowEntry
        );
        if let Some(end) = end.filter(|_| folds) {
            self.span(node.range().start, end);
        }
        end
    }

    fn token(&mut self, token: TokenRef<'_>) -> Option<TextSize> {
        match token.kind {
            SyntaxKind::Comment => {
                self.comment(token);
                None
            }
            // The end marker of a document is not part of its content.
            SyntaxKind::Whitespace | SyntaxKind::DocumentEnd => None,
            SyntaxKind::Literal | SyntaxKind::Folded => {
                let end = token.start + token.text.trim_end().len() as TextSize;
                self.span(token.start, end);
                Some(end)
            }
            _ => Some(token.range().end),
        }
    }

    fn comment(&mut self, comment: TokenRef<'_>) {
        let line = self.line_of(comment.start);
        let start = self.lines.line(line).unwrap_or_default().start;
        let before = self.text.get(TextRange::new(start, comment.start).as_usize()).unwrap_or_default();
        if before.trim_matches([' ', '\t', '\u{feff}']).is_empty() {
            self.comments.push(line);
        }
    }

    fn comment_runs(&mut self) {
        for run in self.comments.chunk_by(|line, next| line + 1 == *next) {
            if let [first, .., last] = run {
                self.spans.push(Span { first_line: *first, last_line: *last, kind: FoldKind::Comment });
            }
        }
    }

    fn span(&mut self, start: TextSize, end: TextSize) {
        let (first_line, last_line) = (self.line_of(start), self.line_of(end));
        if first_line < last_line {
            self.spans.push(Span { first_line, last_line, kind: FoldKind::Region });
        }
    }

    /// Keeps one of the folds over the same lines: they all have the same range.
    fn finish(mut self) -> Vec<Fold> {
        self.spans.sort_by_key(|span| (span.first_line, std::cmp::Reverse(span.last_line)));
        self.spans.dedup_by_key(|span| (span.first_line, span.last_line));
        let fold = |span: &Span| Fold {
            range: TextRange::new(self.line_end(span.first_line), self.line_end(span.last_line)),
            kind: span.kind,
        };
        self.spans.iter().map(fold).collect()
    }

    fn line_of(&self, offset: TextSize) -> u32 {
        self.lines.line_at(offset)
    }

    /// The end of the content of `line`, including a comment.
    fn line_end(&self, line: u32) -> TextSize {
        let range = self.lines.line(line).unwrap_or_default();
        let content = self.text.get(range.as_usize()).unwrap_or_default().trim_end();
        range.start + content.len() as TextSize
    }
}
