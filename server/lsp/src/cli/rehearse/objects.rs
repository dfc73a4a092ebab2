//! Objects of a dump, one after the other: only the text of one object is in memory.
//!
//! A dump is YAML with documents, or with a list as `kubectl get -o yaml` prints it. The items of a list are split by their
//! lines, without parsing the whole list.

use std::io::{self, BufRead};

/// The maximum size of an object, in bytes.
const MAX_OBJECT: usize = 32 * 1024 * 1024;

/// The text of an object, and the line where it begins, from 1.
pub(super) type ObjectText = (usize, String);

/// Reads a dump in pieces.
pub(super) struct DumpReader<R> {
    lines: R,
    line: usize,
    state: State,
    /// The part of the next piece that was already read.
    pending: Option<String>,
    piece: String,
    start: usize,
    /// Whether the `kind` of the list precedes its items: then nothing has to follow them.
    has_kind: bool,
    /// Whether the last line that was read ends with a line break.
    is_line_complete: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// In a document.
    Document,
    /// Among the items of a list, which start at this column.
    Items(usize),
    /// After the items of a list.
    AfterItems,
}

impl<R: BufRead> DumpReader<R> {
    pub(super) fn new(lines: R) -> Self {
        let piece = String::new();
        let state = State::Document;
        Self {
            lines,
            line: 0,
            state,
            pending: None,
            piece,
            start: 1,
            has_kind: false,
            is_line_complete: true,
        }
    }

    /// Whether the dump ends within a list whose last lines are missing.
    pub(super) fn is_cut(&self) -> bool {
        matches!(self.state, State::Items(_)) && !(self.has_kind && self.is_line_complete)
    }

    /// The lines that were read.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    fn next_line(&mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.pending.take() {
            return Ok(Some(line));
        }
        let mut line = String::new();
        if self.lines.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        self.line += 1;
        self.is_line_complete = line.ends_with('\n');
        Ok(Some(line))
    }

    /// The next object.
    pub(super) fn next(&mut self) -> io::Result<Option<ObjectText>> {
        loop {
            let Some(line) = self.next_line()? else {
                // The last item of a truncated list may be incomplete.
                if self.is_cut() {
                    self.piece.clear();
                }
                return Ok(self.take());
            };
            if line.starts_with("---") {
                self.state = State::Document;
                let piece = self.take();
                self.start = self.line + 1;
                if piece.is_some() {
                    return Ok(piece);
                }
                continue;
            }
            match self.state {
                State::Document if line.trim_end() == "items:" => {
                    // The lines before the items only say that this is a list.
                    self.has_kind = self.piece.lines().any(|line| line.starts_with("kind:"));
                    self.piece.clear();
                    self.state = State::Items(usize::MAX);
                }
                State::Document => self.piece.push_str(&line),
                State::AfterItems => {}
                State::Items(column) => {
                    let indent = text::indentation(&line);
                    let is_item =
                        line.trim_start().starts_with("- ") && (column == usize::MAX || indent == column);
                    if is_item {
                        if !self.piece.is_empty() {
                            self.pending = Some(line);
                            let piece = self.take();
                            self.start = self.line;
                            return Ok(piece);
                        }
                        self.state = State::Items(indent);
                        self.start = self.line;
                        self.piece.push_str(line.get(indent + 2..).unwrap_or_default());
                    } else if line.trim().is_empty() || (column != usize::MAX && indent > column) {
                        let own = line.get(column.saturating_add(2)..).unwrap_or("\n");
                        self.piece.push_str(own);
                    } else {
                        self.state = State::AfterItems;
                        if let Some(piece) = self.take() {
                            return Ok(Some(piece));
                        }
                    }
                }
            }
            if self.piece.len() > MAX_OBJECT {
                return Err(io::Error::other(format!(
                    "line {}: the object exceeds {} MiB; write lists as YAML, whose items are read one by one",
                    self.start,
                    MAX_OBJECT / 1024 / 1024
                )));
            }
        }
    }

    fn take(&mut self) -> Option<ObjectText> {
        let piece = std::mem::take(&mut self.piece);
        (!piece.trim().is_empty()).then_some((self.start, piece))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn pieces(text: &str) -> (Vec<ObjectText>, bool) {
        let mut pieces = DumpReader::new(text.as_bytes());
        let all = std::iter::from_fn(|| pieces.next().unwrap()).collect();
        (all, pieces.is_cut())
    }

    #[test]
    fn documents_are_objects() {
        let (all, is_cut) = pieces("a: 1\n---\nb: 2\nc: 3\n");
        assert_eq!(all, [(1, "a: 1\n".to_owned()), (3, "b: 2\nc: 3\n".to_owned())]);
        assert!(!is_cut);
    }

    #[test]
    fn items_of_a_list_are_objects() {
        let text = "apiVersion: v1\nitems:\n- a: 1\n  b:\n  - 2\n- c: |\n    x\n\n    y\nkind: List\n";
        let (all, is_cut) = pieces(text);
        assert_eq!(all, [(3, "a: 1\nb:\n- 2\n".to_owned()), (6, "c: |\n  x\n\n  y\n".to_owned())]);
        assert!(!is_cut);
    }

    #[test]
    fn a_list_without_its_end_is_cut_off() {
        assert!(pieces("apiVersion: v1\nitems:\n- a: 1\n  b").1);
    }

    /// People who write a list by hand write its kind first. Then only a last line without a line break shows that the list is
    /// cut.
    #[test]
    fn a_list_that_names_its_kind_first_ends_with_its_items() {
        let text = "apiVersion: v1\nkind: List\nitems:\n- a: 1\n- b: 2\n";
        assert_eq!(pieces(text), (vec![(4, "a: 1\n".to_owned()), (5, "b: 2\n".to_owned())], false));
        assert_eq!(pieces(text.trim_end()), (vec![(4, "a: 1\n".to_owned())], true));
    }
}
