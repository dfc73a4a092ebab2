use std::sync::{Arc, OnceLock};

use memchr::memchr2_iter;
use text::{TextEdit, TextRange, TextSize};

use crate::ast::Document;
use crate::syntax::{ElementRef, Node, NodeRef};

/// The text of one document, addressed by the byte offsets of the whole file.
#[derive(Debug)]
pub(crate) struct Source {
    document: Arc<Node>,
    /// Created on first use: most editors make no edit.
    text: OnceLock<String>,
    base: TextSize,
    /// The offsets of LF and CR in the text: many edits may affect one long line.
    breaks: OnceLock<Vec<usize>>,
}

impl Source {
    pub(crate) fn new(document: Document<'_>) -> Self {
        let (syntax, base) = (document.syntax(), document.range().start);
        Self { document: Arc::clone(syntax.node()), text: OnceLock::new(), base, breaks: OnceLock::new() }
    }

    fn text(&self) -> &str {
        self.text.get_or_init(|| NodeRef { node: &self.document, start: 0 }.text())
    }

    /// The text of `range`; empty if the range is not within the document.
    pub(crate) fn slice(&self, range: TextRange) -> &str {
        let start = range.start.saturating_sub(self.base) as usize;
        let end = range.end.saturating_sub(self.base) as usize;
        self.text().get(start..end).unwrap_or_default()
    }

    fn text_before(&self, offset: TextSize) -> &str {
        self.slice(TextRange::new(self.base, offset))
    }

    pub(crate) fn end(&self) -> TextSize {
        self.base + self.document.len()
    }

    fn rest_after(&self, offset: TextSize) -> &str {
        self.slice(TextRange::new(offset, self.end()))
    }

    /// The start of the line of `offset`.
    pub(crate) fn line_start(&self, offset: TextSize) -> TextSize {
        let before = self.text_before(offset);
        let breaks = self.breaks();
        let count = breaks.partition_point(|at| *at < before.len());
        let start = count.checked_sub(1).and_then(|last| breaks.get(last)).map_or(0, |at| at + 1);
        // A byte order mark does not count as a column.
        let mark = if start == 0 && before.starts_with('\u{feff}') { 3 } else { 0 };
        self.base + (start + mark) as TextSize
    }

    /// The end of the text of the line of `offset`, before its line break.
    pub(crate) fn line_end(&self, offset: TextSize) -> TextSize {
        let breaks = self.breaks();
        let from = offset.saturating_sub(self.base) as usize;
        let next = breaks.get(breaks.partition_point(|at| *at < from));
        next.map_or(self.end().max(offset), |at| self.base + *at as TextSize)
    }

    fn breaks(&self) -> &[usize] {
        self.breaks.get_or_init(|| memchr2_iter(b'\n', b'\r', self.text().as_bytes()).collect())
    }

    /// The start of the line after that of `offset`; the end of the text if there is none.
    pub(crate) fn next_line(&self, offset: TextSize) -> TextSize {
        let end = self.line_end(offset);
        let rest_of_line = self.rest_after(end);
        let line_break = if rest_of_line.starts_with("\r\n") { 2 } else { rest_of_line.len().min(1) };
        end + line_break as TextSize
    }

    /// The end of the last blank line below `line_end` that contains spaces or tabs; `line_end` if there is none.
    pub(crate) fn end_of_blanks_below(&self, line_end: TextSize) -> TextSize {
        let mut end = line_end;
        let mut line = self.next_line(line_end);
        while line < self.end() {
            let text = self.slice(TextRange::new(line, self.line_end(line)));
            if !text.trim_matches([' ', '\t']).is_empty() {
                break;
            }
            if !text.is_empty() {
                end = self.line_end(line);
            }
            line = self.next_line(line);
        }
        end
    }

    /// The start of an indented comment on the first line below `offset` that is not blank.
    pub(crate) fn indented_comment_below(&self, offset: TextSize) -> Option<TextSize> {
        let starts = offset > self.base && self.line_start(offset) == offset;
        let mut line = if starts { offset } else { self.next_line(offset) };
        while line < self.end() {
            let text = self.slice(TextRange::new(line, self.line_end(line)));
            let content = text.trim_start_matches([' ', '\t']);
            if !content.is_empty() {
                let indent = text.len() - content.len();
                return (indent > 0 && content.starts_with('#')).then(|| line + indent as TextSize);
            }
            line = self.next_line(line);
        }
        None
    }

    /// The text after `edits`, which are sorted and do not overlap.
    pub(crate) fn apply(&self, edits: &[TextEdit]) -> String {
        text::applied(self.text(), self.base, edits)
    }

    /// The number of bytes between the start of the line and `offset`.
    pub(crate) fn column(&self, offset: TextSize) -> usize {
        (offset - self.line_start(offset)) as usize
    }

    /// The number of spaces at the start of the line of `offset`.
    pub(crate) fn indentation(&self, offset: TextSize) -> usize {
        let line = self.slice(TextRange::new(self.line_start(offset), self.line_end(offset)));
        text::indentation(line)
    }

    /// Whether only white space precedes `offset` on its line.
    pub(crate) fn starts_line(&self, offset: TextSize) -> bool {
        self.slice(TextRange::new(self.line_start(offset), offset)).trim_matches([' ', '\t']).is_empty()
    }

    /// The start of the first comment line directly above `offset` at the same column; the start of the line
    /// of `offset` if there are no such comments. Does not search above `bound`.
    pub(crate) fn comments_above(&self, offset: TextSize, bound: TextSize) -> TextSize {
        let column = self.column(offset);
        let mut start = self.line_start(offset);
        while start > bound {
            let above = self.line_start(self.end_of_line_above(start));
            let line = self.slice(TextRange::new(above, self.line_end(above)));
            let indent = text::indentation(line);
            // On the first line, only a byte order mark can precede `start`.
            let first = above >= start;
            if first || above < bound || indent != column || !line.trim_start().starts_with('#') {
                break;
            }
            start = above;
        }
        start
    }

    /// The end of the text of the line above the line that starts at `start`.
    pub(crate) fn end_of_line_above(&self, start: TextSize) -> TextSize {
        let before = self.text_before(start);
        let text =
            before.strip_suffix("\r\n").or_else(|| before.strip_suffix(['\n', '\r'])).unwrap_or(before);
        self.base + text.len() as TextSize
    }

    /// The document's line break: that of its first line.
    pub(crate) fn line_break(&self) -> &'static str {
        let mut after_cr = false;
        let first = first_line_break(NodeRef { node: &self.document, start: 0 }, &mut after_cr);
        first.unwrap_or(if after_cr { "\r" } else { "\n" })
    }
}

/// The first line break in `node`. Visits each token once, as one line may hold all of them. `after_cr` is
/// whether the text so far ends in CR, which may be half of a line break.
fn first_line_break(node: NodeRef<'_>, after_cr: &mut bool) -> Option<&'static str> {
    node.elements().find_map(|element| match element {
        ElementRef::Node(node) => first_line_break(node, after_cr),
        ElementRef::Token(token) if token.text.is_empty() => None,
        ElementRef::Token(token) if *after_cr => {
            Some(if token.text.starts_with('\n') { "\r\n" } else { "\r" })
        }
        ElementRef::Token(token) => {
            let rest = token.text.get(token.text.find(['\n', '\r'])?..)?;
            *after_cr = rest == "\r";
            match rest {
                _ if *after_cr => None,
                _ if rest.starts_with("\r\n") => Some("\r\n"),
                _ if rest.starts_with('\r') => Some("\r"),
                _ => Some("\n"),
            }
        }
    })
}

/// The lines of `text` with their breaks: LF, CR LF or CR.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = match rest.find(['\n', '\r']) {
            Some(at) if rest.get(at..).is_some_and(|tail| tail.starts_with("\r\n")) => at + 2,
            Some(at) => at + 1,
            None => rest.len(),
        };
        let (line, tail) = rest.split_at(end);
        rest = tail;
        (!line.is_empty()).then_some(line)
    })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use crate::Tree;

    use super::*;

    fn line_break_of(text: &str) -> Option<&'static str> {
        Tree::parse(text).documents().next().map(|document| Source::new(document).line_break())
    }

    #[test]
    fn the_first_line_break_is_that_of_the_document() {
        for (text, expected) in [
            ("a: b", "\n"),
            ("a: b\nc: d\r\n", "\n"),
            ("a: b\r\nc: d\n", "\r\n"),
            ("a: b\rc: d\n", "\r"),
            ("a: b\r", "\r"),
            ("a:\r\n  b: c\n", "\r\n"),
            ("# c\r\na: |\n  b\n", "\r\n"),
        ] {
            assert_eq!(line_break_of(text), Some(expected), "{text:?}");
        }
    }

    /// Visiting all preceding text again for each token would take minutes.
    #[test]
    fn one_long_line_is_scanned_once() {
        let fields: Vec<String> = (0..80_000).map(|number| format!("\"field{number}\":\"value\"")).collect();
        let text = format!("{{{}}}", fields.join(","));
        let tree = Tree::parse(&text);
        let start = Instant::now();
        assert!(tree.documents().all(|document| Source::new(document).line_break() == "\n"));
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}
