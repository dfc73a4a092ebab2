//! What stands at a cursor: the tree with a word there, so that there is always something to complete.

use text::{TextEdit, TextRange, TextSize};
use yaml::Tree;

use crate::analysis::text_at::text_of;

/// Bytes before the cursor that are looked at for the start of its line.
const LONGEST_LINE: TextSize = 4_096;
/// What stands for a word that is still to be typed.
const WORD: &str = "x";

/// A tree in which a word touches the cursor.
pub(super) struct Probe {
    pub(super) tree: Tree,
    /// Where the word is touched, in bytes of that tree.
    pub(super) at: TextSize,
    /// The cursor, in bytes.
    pub(super) offset: TextSize,
    /// How many bytes of the tree, from the cursor on, are not in the text.
    added: TextSize,
    /// The line up to the cursor.
    pub(super) line: String,
}

impl Probe {
    pub(super) fn new(tree: &Tree, offset: TextSize) -> Self {
        let before = text_of(tree.root(), TextRange::new(offset.saturating_sub(LONGEST_LINE), offset));
        let line = before.rsplit(['\n', '\r']).next().unwrap_or_default().to_owned();
        let behind = text_of(tree.root(), TextRange::new(offset, tree.len().min(offset + 4)));
        let is_edge = |char: char| char.is_whitespace() || matches!(char, ',' | '[' | ']' | '{' | '}' | '#');
        let trimmed = line.trim_start();
        let is_behind_dash =
            trimmed.ends_with('-') && trimmed.bytes().all(|byte| matches!(byte, b'-' | b' '));
        let is_behind_colon = trimmed.ends_with(':');
        let starts_word = line.chars().next_back().is_none_or(is_edge) || is_behind_dash || is_behind_colon;
        let ends_word = behind.chars().next().is_none_or(is_edge);
        if !(starts_word && ends_word) {
            return Self { tree: tree.clone(), at: offset, offset, added: 0, line };
        }
        let blank = if is_behind_dash || is_behind_colon { " " } else { "" };
        let word = format!("{blank}{WORD}");
        let added = word.len() as TextSize;
        let edit = TextEdit::insert(offset, word.clone());
        let probed = tree.edited(&edit, &|range| {
            let old =
                |start: TextSize, end: TextSize| text_of(tree.root(), TextRange::new(start, end.max(start)));
            let (start, end) = (range.start, range.end);
            let mut text = old(start.min(offset), end.min(offset));
            let within = |at: TextSize| at.saturating_sub(offset).min(added) as usize;
            text.push_str(word.get(within(start)..within(end)).unwrap_or_default());
            let shifted = |at: TextSize| at.saturating_sub(added).max(offset);
            text.push_str(&old(shifted(start), shifted(end)));
            text
        });
        let at = offset + blank.len() as TextSize;
        Self { tree: probed, at, offset, added, line }
    }

    /// The bytes of the text that are at `range` of the tree.
    pub(super) fn in_text(&self, range: TextRange) -> TextRange {
        let real = |at: TextSize| match at {
            at if at <= self.offset => at,
            at => at.saturating_sub(self.added).max(self.offset),
        };
        TextRange::new(real(range.start), real(range.end))
    }

    /// Whether nothing is typed yet.
    pub(super) fn is_blank(&self) -> bool {
        self.added > 0
    }

    /// What is missing between the cursor and what is inserted: behind a colon or a dash, a blank.
    pub(super) fn gap(&self) -> &'static str {
        if self.at > self.offset { " " } else { "" }
    }

    /// The blanks at the start of the line, in bytes.
    pub(super) fn indent(&self) -> usize {
        self.line.len() - self.line.trim_start_matches(' ').len()
    }
}
