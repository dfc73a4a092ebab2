//! The comments that belong to an entry that moves.

use std::collections::BTreeMap;

use text::{TextRange, TextSize};
use yaml::syntax::ElementRef;
use yaml::{Document, Entry, NodeRef, SyntaxKind, ValueKind};

/// The comments of a document.
#[derive(Default)]
pub(crate) struct Notes {
    text: String,
    /// The start of the document.
    base: TextSize,
    comments: Vec<(TextSize, String)>,
}

impl Notes {
    pub(crate) fn of(document: Document<'_>) -> Self {
        let text = document.syntax().text();
        let mut comments = Vec::new();
        collect(document.syntax(), &mut comments);
        Self { text, base: document.range().start, comments }
    }

    /// The comments that belong to `entry` and are outside of its value: on the lines above it in its column,
    /// after its key, and after a value that ends on its line.
    pub(crate) fn comments_around(&self, entry: Entry<'_>) -> Vec<String> {
        let value = entry.value();
        // The editor copies blocks with the text after their last line.
        let is_block = match value.kind() {
            ValueKind::Mapping(mapping) => !mapping.is_flow(),
            ValueKind::Sequence(sequence) => !sequence.is_flow(),
            _ => false,
        };
        let before = TextRange::new(self.first_line_above(entry.range().start), value.range().start);
        let end = value.range().end;
        let behind = TextRange::new(end, if is_block { end } else { self.line_end(end) });
        let is_around =
            |at: TextSize| [before, behind].iter().any(|range| range.start <= at && at < range.end);
        self.comments.iter().filter(|(at, _)| is_around(*at)).map(|(_, text)| text.clone()).collect()
    }

    /// Whether all comments also occur in `others`.
    pub(crate) fn are_within(&self, others: &Self) -> bool {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        others.comments.iter().for_each(|(_, text)| *counts.entry(text).or_default() += 1);
        self.comments.iter().all(|(_, text)| match counts.get_mut(text.as_str()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        })
    }

    /// The line break of the document: that of its first line.
    pub(crate) fn line_break(&self) -> &'static str {
        let first = self.text.split_inclusive('\n').next().unwrap_or_default();
        if first.ends_with("\r\n") { "\r\n" } else { "\n" }
    }

    /// The text of `range`.
    pub(crate) fn slice(&self, range: TextRange) -> &str {
        let (start, end) = (range.start.saturating_sub(self.base), range.end.saturating_sub(self.base));
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Whether `range` contains a comment.
    pub(crate) fn any_in(&self, range: TextRange) -> bool {
        self.comments.iter().any(|(at, _)| range.start <= *at && *at < range.end)
    }

    fn line_start(&self, offset: TextSize) -> &str {
        self.text.get(..(offset - self.base) as usize).unwrap_or_default()
    }

    /// The end of the line of `offset`, before its line break.
    pub(crate) fn line_end(&self, offset: TextSize) -> TextSize {
        let behind = self.text.get((offset - self.base) as usize..).unwrap_or_default();
        offset + behind.find(['\n', '\r']).unwrap_or(behind.len()) as TextSize
    }

    /// The start of the first comment line directly above the line of `offset` and in its column.
    pub(crate) fn first_line_above(&self, offset: TextSize) -> TextSize {
        let before = self.line_start(offset);
        let line = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let column = before.len() - line;
        let mut first = line;
        for above in before.get(..line).unwrap_or_default().lines().rev() {
            let indent = text::indentation(above);
            if indent != column || !above.trim_start().starts_with('#') {
                break;
            }
            let Some(start) = self.line_start_above(first) else { break };
            first = start;
        }
        self.base + first as TextSize
    }

    /// The start of the line above the line that starts at the byte `line`.
    fn line_start_above(&self, line: usize) -> Option<usize> {
        let before = self.text.get(..line)?;
        let above = before.strip_suffix("\r\n").or_else(|| before.strip_suffix(['\n', '\r']))?;
        Some(above.rfind(['\n', '\r']).map_or(0, |at| at + 1))
    }
}

fn collect(node: NodeRef<'_>, into: &mut Vec<(TextSize, String)>) {
    for element in node.elements() {
        match element {
            ElementRef::Node(child) => collect(child, into),
            ElementRef::Token(token) if token.kind == SyntaxKind::Comment => {
                into.push((token.start, token.text.trim_end().to_owned()));
            }
            ElementRef::Token(_) => {}
        }
    }
}
